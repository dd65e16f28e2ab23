import AlidadeBase
import CPROJ
import Glibc
import Synchronization

/// Which files PROJ may open for a session, decided when it opens them: regular files in the folders that the session
/// looks in. Texts name grids and parameter files in many ways, and PROJ takes any path; all of them end here, except
/// proj.db, whose path PROJ finds here and SQLite opens.
///
/// Right to share: its fields are constants.
final class GridFiles: Sendable {
  /// With a "/" at the end.
  private let folders: [String]

  /// - Parameter folders: those that PROJ looks in, and those whose files may be named by whole paths.
  init(_ folders: [String]) { self.folders = folders.compactMap(Self.closed) }

  /// Lets a context open its files here. This object must outlive the context.
  func attach(to context: OpaquePointer) -> Bool {
    var interface = PROJ_FILE_API()
    interface.version = 1
    interface.open_cbk = { _, path, access, data in
      guard let path, let data, access == PROJ_OPEN_ACCESS_READ_ONLY else { return nil }
      // Right: the session holds this object until its context is destroyed.
      let files = Unmanaged<GridFiles>.fromOpaque(data).takeUnretainedValue()
      return files.openRegular(path).map { OpaquePointer($0) }
    }
    interface.read_cbk = { _, handle, buffer, size, _ in
      guard let handle, let buffer else { return 0 }
      return fread(buffer, 1, size, UnsafeMutablePointer<FILE>(handle))
    }
    interface.seek_cbk = { _, handle, offset, whence, _ in
      guard let handle else { return 0 }
      return fseek(UnsafeMutablePointer<FILE>(handle), Int(truncatingIfNeeded: offset), whence) == 0 ? 1 : 0
    }
    interface.tell_cbk = { _, handle, _ in
      guard let handle else { return 0 }
      return UInt64(clamping: ftell(UnsafeMutablePointer<FILE>(handle)))
    }
    interface.close_cbk = { _, handle, _ in
      if let handle { fclose(UnsafeMutablePointer<FILE>(handle)) }
    }
    // PROJ keeps one answer for the whole process (where its own folder is), so it has to be true.
    interface.exists_cbk = { _, path, _ in
      var status = stat()
      guard let path, stat(path, &status) == 0 else { return 0 }
      return 1
    }
    // The folder of the cache that PROJ keeps of grids from the network. SQLite writes into it.
    interface.mkdir_cbk = { _, path, _ in
      guard let path, mkdir(path, 0o755) == 0 else { return 0 }
      return 1
    }
    interface.write_cbk = { _, _, _, _, _ in 0 }
    interface.unlink_cbk = { _, _, _ in 0 }
    interface.rename_cbk = { _, _, _, _ in 0 }
    // Right: see above.
    return proj_context_set_fileapi(context, &interface, Unmanaged.passUnretained(self).toOpaque()) != 0
  }

  /// Whether a path lies in one of the folders or below, as a text. Links in these folders are their owner's.
  static func lies(_ path: String, in folders: [String]) -> Bool {
    folders.contains { folder in
      guard let folder = closed(folder), path.utf8.starts(with: folder.utf8) else { return false }
      return isBelow(path.utf8.dropFirst(folder.utf8.count))
    }
  }

  private func allows(_ path: String) -> Bool {
    folders.contains { path.utf8.starts(with: $0.utf8) && Self.isBelow(path.utf8.dropFirst($0.utf8.count)) }
  }

  /// Whether what follows a folder stays in it.
  private static func isBelow(_ rest: Substring.UTF8View) -> Bool {
    !rest.isEmpty && !rest.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }

  private static func closed(_ folder: String) -> String? {
    if folder.isEmpty { return nil }
    return folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// A regular file, open for reading; nil if it is not a regular file, or an incomplete grid. Opening a pipe would
  /// wait for a writer.
  private func openRegular(_ path: UnsafePointer<CChar>) -> UnsafeMutablePointer<FILE>? {
    guard let text = String(validatingCString: path), allows(text) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      // PROJ looks for a reason in errno.
      errno = ENOENT
      return nil
    }
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    // What lies there may have been changed in between.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      GridFileCheck.isWhole(descriptor, name: text), let file = fdopen(descriptor, "rb")
    else {
      _ = Glibc.close(descriptor)
      errno = ENOENT
      return nil
    }
    return file
  }
}

/// Whether a grid file is all there. PROJ reads the header when it opens one and finds out at the first point that the
/// rest is missing, when it has already passed over what would have done without the file. So a file that was cut
/// short counts as missing from the beginning.
///
/// The formats: GeoTIFF (TIFF 6.0 and BigTIFF: each directory says where its strips or tiles lie), NTv2 (each sub-grid says
/// how many records it has), GTX and CTable2 (rows by columns behind a header). Other files are taken for whole.
struct GridFileCheck {
  private let descriptor: Int32
  private let size: UInt64
  private var isBigEndian = false
  private var isBig = false

  /// - Parameter descriptor: open for reading; its position stays.
  static func isWhole(_ descriptor: Int32, name: String) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    var check = GridFileCheck(descriptor: descriptor, size: UInt64(clamping: status.st_size))
    let head = check.bytes(0, 16) ?? []
    let lower = name.lowercased()
    if head.starts(with: [0x49, 0x49]) || head.starts(with: [0x4D, 0x4D]) { return check.isWholeTIFF(head) }
    if head.starts(with: "NUM_OREC".utf8) { return check.isWholeNTv2() }
    if head.starts(with: "CTABLE V2".utf8) { return check.isWholeCTable2() }
    if lower.hasSuffix(".gtx") { return check.isWholeGTX() }
    // PROJ goes by what a file begins with. One of that ending that begins like none of these is no grid.
    return !lower.hasSuffix(".tif") && !lower.hasSuffix(".tiff")
  }

  private init(descriptor: Int32, size: UInt64) {
    self.descriptor = descriptor
    self.size = size
  }

  // MARK: Numbers

  private func bytes(_ offset: UInt64, _ count: Int) -> [UInt8]? {
    guard offset <= size, UInt64(clamping: count) <= size &- offset, let place = Int(exactly: offset) else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, place) == count ? bytes : nil
  }

  private func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let inOrder = isBigEndian ? Array(bytes) : bytes.reversed()
    return inOrder.reduce(0) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
  }

  private func integer(at offset: UInt64, _ count: Int) -> UInt64? { bytes(offset, count).map { integer($0[...]) } }

  // MARK: TIFF

  /// So many directories and entries are looked at.
  private static let mostDirectories = 10_000
  private static let mostValues: UInt64 = 10_000_000

  private mutating func isWholeTIFF(_ head: [UInt8]) -> Bool {
    isBigEndian = head[0] == 0x4D
    let version = integer(head[2..<4])
    isBig = version == 43
    guard version == 42 || isBig else { return false }
    var directory = isBig ? integer(head[8..<16]) : integer(head[4..<8])
    for _ in 0..<Self.mostDirectories {
      if directory == 0 { return true }
      guard let next = followingDirectory(directory) else { return false }
      directory = next
    }
    return false
  }

  /// Where the directory behind one lies, 0 for none; nil if the file lacks something that the directory speaks of.
  private func followingDirectory(_ start: UInt64) -> UInt64? {
    let (countSize, entrySize) = isBig ? (8, 20) : (2, 12)
    let entriesStart = start &+ (isBig ? 8 : 2)
    guard let count = integer(at: start, countSize), count > 0, count <= 4096,
      let entries = bytes(entriesStart, Int(truncatingIfNeeded: count) &* entrySize)
    else { return nil }
    var offsets: [UInt64] = []
    var sizes: [UInt64] = []
    for index in 0..<Int(truncatingIfNeeded: count) {
      let entry = entries[(index &* entrySize)..<(index &* entrySize &+ entrySize)]
      // Strips and their sizes; tiles and theirs.
      switch integer(entry.prefix(2)) {
      case 273, 324:
        guard let values = values(entry) else { return nil }
        offsets = values
      case 279, 325:
        guard let values = values(entry) else { return nil }
        sizes = values
      default: break
      }
    }
    guard offsets.count == sizes.count else { return nil }
    for (offset, length) in zip(offsets, sizes) {
      // A part without bytes is one without data.
      guard length == 0 || (offset <= size && length <= size &- offset) else { return nil }
    }
    return integer(at: entriesStart &+ count &* (isBig ? 20 : 12), isBig ? 8 : 4)
  }

  /// The values of an entry; nil if they are not in the file.
  private func values(_ entry: ArraySlice<UInt8>) -> [UInt64]? {
    let entry = Array(entry)
    let width: Int
    switch integer(entry[2..<4]) {
    case 3: width = 2
    case 4: width = 4
    case 16: width = 8
    default: return nil
    }
    let count = isBig ? integer(entry[4..<12]) : integer(entry[4..<8])
    guard count <= Self.mostValues, let values = Int(exactly: count) else { return nil }
    let field = isBig ? entry[12..<20] : entry[8..<12]
    let length = values &* width
    let stored = length <= field.count ? Array(field.prefix(length)) : bytes(integer(field), length)
    guard let stored else { return nil }
    return (0..<values).map { integer(stored[($0 &* width)..<($0 &* width &+ width)]) }
  }

  // MARK: The others

  /// An overview of 11 records of 16 bytes, then each sub-grid: 11 records, and one for each node.
  private mutating func isWholeNTv2() -> Bool {
    // The number of records in the overview is 11, in the file's order of bytes.
    guard let eleven = bytes(8, 4) else { return false }
    isBigEndian = eleven == [0, 0, 0, 11]
    guard let grids = integer(at: 40, 4), grids > 0, grids < 100_000 else { return false }
    var place: UInt64 = 176
    for _ in 0..<grids {
      guard let nodes = integer(at: place &+ 168, 4) else { return false }
      place &+= 176 &+ nodes &* 16
      guard place <= size else { return false }
    }
    return true
  }

  /// A header of 160 bytes with columns and rows from byte 128, then two floats for each node.
  private func isWholeCTable2() -> Bool {
    guard let columns = integer(at: 128, 4), let rows = integer(at: 132, 4), columns > 0, rows > 0,
      columns < 1 << 20, rows < 1 << 20
    else { return false }
    return 160 &+ columns &* rows &* 8 <= size
  }

  /// A header of 40 bytes with rows and columns from byte 32, big-endian, then a float for each node.
  private mutating func isWholeGTX() -> Bool {
    isBigEndian = true
    guard let rows = integer(at: 32, 4), let columns = integer(at: 36, 4), columns > 0, rows > 0,
      columns < 1 << 20, rows < 1 << 20
    else { return false }
    return 40 &+ columns &* rows &* 4 <= size
  }
}

/// The folders in which a runtime looks for grid files before it looks where PROJ looks by itself.
///
/// A PROJ context remembers for ever whether a grid was there, so every change makes all older contexts unusable for
/// new work: `generation` says what belongs to which state.
final class GridDirectories: Sendable {
  private let state = Lock(GridFolders(folders: [], generation: 1))
  /// The generation of `state`, for who asks for each point.
  private let lastGeneration = Atomic<UInt64>(1)

  /// Goes up by one with every change.
  var generation: UInt64 { lastGeneration.load(ordering: .acquiring) }

  /// The folders and the generation that they belong to.
  var current: GridFolders { state.withLock { $0 } }

  var all: [String] { current.folders }

  /// Changes the folders. What depends on grids looks at the files anew, even if the folders stay the same.
  func change(_ body: (inout [String]) -> Void) {
    state.withLock { state in
      body(&state.folders)
      state.generation &+= 1
      lastGeneration.store(state.generation, ordering: .releasing)
    }
  }
}

/// The grid directories at one moment. A plan and all its sessions search the same directories: with other directories,
/// a session would find another grid, or no grid, for an operation that was chosen with these.
struct GridFolders: Sendable {
  var folders: [String]
  var generation: UInt64
}

// Grid files that are there and cannot be read. PROJ calls an operation instantiable if its files are there, and looks
// at them no further. Call inside the gate.
extension ProjSession {
  /// Whether PROJ can run an operation now: its files are there, and it can make what it needs of them.
  func canRun(_ operation: ProjObject, _ pipeline: String) -> Bool {
    guard !pipeline.isEmpty, proj_coordoperation_is_instantiable(context, operation.pointer) != 0 else { return false }
    // PROJ does not look for the files of deformation models and triangulations, nor whether it has the projections.
    let hasFiles =
      proj_coordoperation_get_grid_used_count(context, operation.pointer) > 0
      || !Transformation.fileNames(in: pipeline).isEmpty
    // With a network PROJ would fetch each grid that it opens. Those that cannot be read are then found when they are
    // needed.
    if hasFiles, proj_context_is_network_enabled(context) != 0 { return true }
    return made(pipeline, readingAt: middle(of: operation)) != nil
  }

  /// The same, and marks grids that are there and cannot be read as not available.
  func canRun(_ operation: ProjObject, _ facts: inout OperationFacts) -> Bool {
    if canRun(operation, facts.pipeline) { return true }
    guard !facts.pipeline.isEmpty, proj_coordoperation_is_instantiable(context, operation.pointer) != 0 else {
      return false
    }
    let unreadable = unreadableGrids(of: facts.pipeline, at: middle(of: operation))
    let isExplained = facts.steps.contains { $0.grids.contains { !$0.isAvailable } }
    if !unreadable.isEmpty || !isExplained { facts.steps.setAvailable(false, unreadable) }
    return false
  }

  /// PROJ's object for a PROJ string; nil if there is none, or if a grid cannot be opened.
  ///
  /// - Parameter place: see `unreadableGrids`.
  func made(_ pipeline: String, readingAt place: PJ_COORD? = nil) -> ProjObject? {
    guard !pipeline.isEmpty, let object = ProjObject(proj_create(context, pipeline), in: self) else { return nil }
    return unreadableGrids(of: pipeline, at: place).isEmpty ? object : nil
  }

  /// The middle of where an operation is meant to be used, in radians; nil if that is not said.
  private func middle(of operation: ProjObject) -> PJ_COORD? {
    let boxes = boxes(of: operation)
    guard let first = boxes.first, let last = boxes.last, first.west >= -180 else { return nil }
    // Two boxes are those on both sides of the antimeridian.
    let east = boxes.count > 1 ? last.east + 360 : first.east
    return proj_coord((first.west + east) * .pi / 360, (first.south + first.north) * .pi / 360, 0, .infinity)
  }

  /// The grids of a PROJ string that cannot be opened now, or not read at a position, in radians. PROJ does not look if
  /// anyone has opened a grid of that name in the process before. It then notices at the first point, and passes all
  /// others unchanged.
  private func unreadableGrids(of text: String, at place: PJ_COORD?) -> Set<String> {
    // A name in quotes may hold spaces; only hosts write such.
    if text.contains("\"") { return [] }
    var result: Set<String> = []
    var method = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let word = word.hasPrefix("+") ? word.dropFirst() : word
      if word.hasPrefix("proj=") { method = String(word) }
      guard word.hasPrefix("grids="), Self.gridMethods.contains(method) else { continue }
      for name in word.dropFirst("grids=".count).split(separator: ",") where !name.hasPrefix("@") {
        if !canOpen(name, method) || !canRead(name, method, place) { result.insert(String(name)) }
      }
    }
    return result
  }

  /// The files of a PROJ string that PROJ makes nothing of: those that cannot be read; all, if PROJ does not say which.
  func missingFiles(of pipeline: String) -> [TransformationGrid] {
    let unreadable = unreadableGrids(of: pipeline, at: nil)
    return (unreadable.isEmpty ? Transformation.fileNames(in: pipeline) : unreadable.sorted()).map { name in
      TransformationGrid(
        name: name, authorityName: "", path: "", package: "", url: "", isDirectDownload: false, hasOpenLicense: false,
        isAvailable: false)
    }
  }

  private static let gridMethods: Set<String> = ["proj=hgridshift", "proj=vgridshift", "proj=xyzgridshift"]

  private func canOpen(_ name: Substring, _ method: String) -> Bool {
    guard let grid = ProjObject(proj_create(context, "+\(method) +grids=\(name)"), in: self) else { return false }
    proj_errno_reset(grid.pointer)
    _ = proj_trans(grid.pointer, PJ_FWD, proj_coord(0, 0, 0, .infinity))
    return proj_errno_reset(grid.pointer) != PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID
  }

  /// Whether a grid has a value at a position, or the position is outside the grid. PROJ reads no more than the header
  /// when it opens a grid, and a truncated file may have nothing after it.
  private func canRead(_ name: Substring, _ method: String, _ place: PJ_COORD?) -> Bool {
    // Geocentric coordinates are not such positions.
    guard let place, method != "proj=xyzgridshift" else { return true }
    // Outside of the grid nothing changes.
    guard let grid = ProjObject(proj_create(context, "+\(method) +grids=\(name),null"), in: self) else { return false }
    proj_errno_reset(grid.pointer)
    let image = proj_trans(grid.pointer, PJ_FWD, place)
    return proj_errno_reset(grid.pointer) == PROJ_ERR_COORD_TRANSFM_GRID_AT_NODATA || image.xyzt.x != .infinity
  }

  /// A PROJ string with other grids in each step: those that `change` makes of the list of names.
  static func pipeline(_ text: String, changingGrids change: (Substring) -> String) -> String {
    text.split(whereSeparator: \.isWhitespace).map { word in
      for key in ["+grids=", "grids="] where word.hasPrefix(key) { return key + change(word.dropFirst(key.count)) }
      return String(word)
    }.joined(separator: " ")
  }
}

extension [TransformationStep] {
  /// Says of grids whether they can be used.
  ///
  /// - Parameter names: which ones; all if none of them is named there: of a method whose files are not looked at one by
  ///   one.
  mutating func setAvailable(_ isAvailable: Bool, _ names: Set<String>) {
    let isNamed = contains { $0.grids.contains { names.contains($0.name) } }
    for step in indices {
      for grid in self[step].grids.indices where !isNamed || names.contains(self[step].grids[grid].name) {
        self[step].grids[grid].isAvailable = isAvailable
      }
    }
  }
}
