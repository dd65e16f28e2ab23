import Glibc

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
