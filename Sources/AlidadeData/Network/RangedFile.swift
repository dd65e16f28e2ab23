import AlidadeBase
import CGDAL
import Glibc

/// A file that a server has, of which only the parts that are needed are read. GDAL sees it as a file of its own.
///
/// GDAL's own file system for addresses is not used, for the reasons that `HTTPClient` has.
final class RangedFile: Sendable {
  let address: String
  let size: Int
  /// What GDAL knows it by; never used twice in a process.
  let name: String
  private let client: HTTPClient
  private let version: String
  private let state: Lock<State>

  private struct State {
    var pages: [Int: (bytes: [UInt8], lastUse: UInt64)] = [:]
    var uses: UInt64 = 0
    /// Why reading failed, by thread: GDAL has no way to say it.
    var failures: [UInt: EngineError] = [:]
  }

  private static let pageSize = 1 << 15
  private static let largest = 1 << 53
  /// As many pages as are kept: 16 MB.
  private static let mostPages = 512
  private static let mostAtOnce = 256
  /// A request takes about as long for a few pages as for one.
  private static let fewestAtOnce = 4
  /// Of a server that sends the whole file.
  private static let mostWithoutRanges: UInt64 = 256 << 20

  /// Reads the beginning of the file. Call outside of the guard.
  init(_ address: String, _ client: HTTPClient) throws(EngineError) {
    let address = String(address.prefix { $0 != "#" })
    var request = Self.request(address, 0..<Self.pageSize)
    request.mostBytes = Self.mostWithoutRanges
    let response = try client.fetch(request)
    switch response.status {
    case 206:
      // "bytes 0-32767/1234567"
      let total = response.header("Content-Range")?.split(separator: "/").last.flatMap { Int($0, radix: 10) }
      guard let total, (1...Self.largest).contains(total), response.body.count == min(total, Self.pageSize),
        response.isPart(0..<min(total, Self.pageSize), of: total)
      else {
        throw response.unexpected("a part of a file whose size is known")
      }
      size = total
    case 200..<300:
      // A server without ranges sends all of it.
      size = response.body.count
    default: throw response.failure
    }
    self.address = address
    self.client = client
    beginning = HTTPResponse(
      address: response.address, status: response.status, headers: response.headers,
      body: Array(response.body.prefix(Self.pageSize)))
    version = Self.version(response)
    var pages = State()
    for start in stride(from: 0, to: response.body.count, by: Self.pageSize) {
      let end = min(start &+ Self.pageSize, response.body.count)
      pages.pages[start / Self.pageSize] = (Array(response.body[start..<end]), 0)
    }
    state = Lock(pages)
    let path = address.prefix { $0 != "?" }
    let last = path.split(separator: "/").last.map(String.init) ?? "file"
    name = RangedFiles.nextName(last)
    RangedFiles.add(self)
  }

  deinit { RangedFiles.remove(name) }

  private static func request(_ address: String, _ range: Range<Int>) -> HTTPRequest {
    var request = HTTPRequest(address)
    request.headers = ["Range: bytes=\(range.lowerBound)-\(range.upperBound &- 1)", "Accept-Encoding: identity"]
    return request
  }

  private static func version(_ response: HTTPResponse) -> String {
    response.header("ETag") ?? response.header("Last-Modified") ?? ""
  }

  /// Whether it begins as a TIFF does.
  var isTIFF: Bool {
    let start = state.withLock { $0.pages[0]?.bytes.prefix(4) ?? [] }
    return [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]].contains(Array(start))
  }

  /// The first bytes, as what a server may have returned in place of a file.
  let beginning: HTTPResponse

  // MARK: Reading

  /// Reads bytes; fewer at the end of the file. Called by GDAL inside the gate, which is left while a server is waited
  /// for.
  func read(at offset: Int, _ memory: UnsafeMutableRawBufferPointer) throws(EngineError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let end = offset &+ min(memory.count, size &- offset)
    var position = offset
    while position < end {
      let page = position / Self.pageSize
      let last = min((end &- 1) / Self.pageSize, page &+ Self.mostAtOnce &- 1)
      let bytes = try fetched(page, through: last)
      let from = position &- page &* Self.pageSize
      let length = min(bytes.count &- from, end &- position)
      guard length > 0 else { throw changed }
      UnsafeMutableRawBufferPointer(rebasing: memory[(position &- offset)...]).copyBytes(
        from: bytes[from...].prefix(length))
      position &+= length
    }
    return end &- offset
  }

  /// A page. If it has to be fetched, those that follow it and are not there come with it.
  private func fetched(_ page: Int, through last: Int) throws(EngineError) -> [UInt8] {
    let (known, end) = state.withLock { state -> ([UInt8]?, Int) in
      state.uses &+= 1
      if let index = state.pages.index(forKey: page) {
        state.pages.values[index].lastUse = state.uses
        return (state.pages.values[index].bytes, page)
      }
      var end = page &+ 1
      let wanted = max(last, page &+ Self.fewestAtOnce &- 1)
      while end <= wanted, end &* Self.pageSize < size, state.pages[end] == nil { end &+= 1 }
      return (nil, end)
    }
    if let known { return known }
    let range = (page &* Self.pageSize)..<min(end &* Self.pageSize, size)
    let response = try ProcessGate.shared.outside { [client, address] () throws(EngineError) in
      try client.fetch(Self.request(address, range))
    }
    guard (200..<300).contains(response.status) else { throw response.failure }
    var body = response.body[...]
    if response.status != 206 {
      // A server that has forgotten how to send a part.
      guard body.count == size else { throw changed }
      body = body[range]
    }
    let isPart = response.status != 206 || response.isPart(range, of: size)
    guard isPart, body.count == range.count, Self.version(response) == version else { throw changed }
    state.withLock { state in
      for start in stride(from: 0, to: body.count, by: Self.pageSize) {
        let first = body.startIndex &+ start
        let bytes = Array(body[first..<min(first &+ Self.pageSize, body.endIndex)])
        state.pages[page &+ start / Self.pageSize] = (bytes, state.uses)
      }
      guard state.pages.count > Self.mostPages else { return }
      for (page, _) in state.pages.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix(Self.mostPages / 4) {
        state.pages[page] = nil
      }
    }
    return Array(body.prefix(Self.pageSize))
  }

  private var changed: EngineError {
    EngineError(
      .readFailed, "\"\(HTTPAddress.shown(address))\" has changed since it was opened. Open it again.", domain: .http)
  }

  // MARK: Failures

  func note(_ failure: EngineError) {
    let thread = UInt(truncatingIfNeeded: pthread_self())
    state.withLock { if $0.failures[thread] == nil { $0.failures[thread] = failure } }
  }

  /// Why a read of this thread's failed; nil: it did not.
  func takeFailure() -> EngineError? {
    let thread = UInt(truncatingIfNeeded: pthread_self())
    return state.withLock { $0.failures.removeValue(forKey: thread) }
  }
}

/// GDAL's way to files that servers have, in front of names that begin with "/vsialidade/". Installing it changes
/// nothing for others who use the same GDAL.
enum RangedFiles {
  private struct Known {
    weak var file: RangedFile?
  }

  private static let prefix = "/vsialidade/"
  private static let files = Lock<[String: Known]>([:])
  private static let lastNumber = Lock(UInt64(0))

  /// Installs it, once per process. Call inside the guard.
  private static let isInstalled: Bool = {
    guard let callbacks = VSIAllocFilesystemPluginCallbacksStruct() else { return false }
    defer { VSIFreeFilesystemPluginCallbacksStruct(callbacks) }
    callbacks.pointee.stat = { _, name, status, _ in
      guard let file = RangedFiles.file(name), let status else { return -1 }
      alidade_vsi_set_file(UnsafeMutableRawPointer(status), UInt64(truncatingIfNeeded: file.size))
      return 0
    }
    callbacks.pointee.open = { _, name, access in RangedFiles.open(name, access) }
    callbacks.pointee.tell = { vsi_l_offset(truncatingIfNeeded: RangedFiles.cursor($0)?.offset ?? 0) }
    callbacks.pointee.seek = { RangedFiles.seek($0, $1, $2) }
    callbacks.pointee.read = { RangedFiles.read($0, $1, $2, $3) }
    callbacks.pointee.eof = { RangedFiles.cursor($0)?.isAtEnd ?? true ? 1 : 0 }
    callbacks.pointee.close = { RangedFiles.close($0) }
    // Nothing lies next to such a file. The list ends with its first entry, a null pointer.
    callbacks.pointee.sibling_files = { _, _ in
      VSICalloc(1, MemoryLayout<UnsafeMutablePointer<CChar>?>.size)?
        .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    }
    // GDAL keeps the pointer and not the text, so the text is never freed.
    guard let name = strdup(prefix) else { return false }
    return VSIInstallPluginHandler(name, callbacks) == 0
  }()

  /// Throws unless GDAL can read such files. Call inside the guard.
  static func require() throws(EngineError) {
    guard isInstalled else { throw EngineError(.outOfMemory, "GDAL takes no further kind of files.") }
  }

  static func nextName(_ last: String) -> String {
    "\(prefix)\(lastNumber.withLock { $0 &+= 1; return $0 })/\(last)"
  }

  static func add(_ file: RangedFile) { files.withLock { $0[file.name] = Known(file: file) } }

  static func remove(_ name: String) { _ = files.withLock { $0.removeValue(forKey: name) } }

  private static func file(_ name: UnsafePointer<CChar>?) -> RangedFile? {
    // GDAL leaves the prefix out.
    guard let name else { return nil }
    let whole = prefix + String(cString: name)
    return files.withLock { $0[whole]?.file }
  }

  // MARK: Callbacks

  /// Where one of GDAL's handles is in a file. GDAL uses a handle on one thread at a time.
  private final class Cursor {
    let file: RangedFile
    var offset = 0
    var isAtEnd = false
    init(_ file: RangedFile) { self.file = file }
  }

  private static func cursor(_ handle: UnsafeMutableRawPointer?) -> Cursor? {
    // Right: `open` made it, and it lives until `close`.
    handle.map { Unmanaged<Cursor>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func open(
    _ name: UnsafePointer<CChar>?, _ access: UnsafePointer<CChar>?
  ) -> UnsafeMutableRawPointer? {
    guard let file = file(name), let access, access.pointee == UInt8(ascii: "r") else { return nil }
    // Right: `close` releases it.
    return Unmanaged.passRetained(Cursor(file)).toOpaque()
  }

  private static func seek(_ handle: UnsafeMutableRawPointer?, _ offset: vsi_l_offset, _ whence: Int32) -> Int32 {
    guard let cursor = cursor(handle), let offset = Int(exactly: offset) else { return -1 }
    let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? cursor.offset : cursor.file.size
    cursor.offset = start.addingReportingOverflow(offset).partialValue
    cursor.isAtEnd = false
    return 0
  }

  private static func read(
    _ handle: UnsafeMutableRawPointer?, _ memory: UnsafeMutableRawPointer?, _ size: Int, _ count: Int
  ) -> Int {
    let (length, overflow) = size.multipliedReportingOverflow(by: count)
    guard let cursor = cursor(handle), let memory, !overflow, length > 0 else { return 0 }
    do throws(EngineError) {
      let read = try cursor.file.read(
        at: cursor.offset, UnsafeMutableRawBufferPointer(start: memory, count: length))
      cursor.isAtEnd = read < length
      cursor.offset &+= read
      return read / size
    } catch {
      cursor.file.note(error)
      return 0
    }
  }

  private static func close(_ handle: UnsafeMutableRawPointer?) -> Int32 {
    // Right: `open` retained it, and GDAL closes once.
    if let handle { Unmanaged<Cursor>.fromOpaque(handle).release() }
    return 0
  }
}

extension HTTPResponse {
  /// Whether it says that it is a part of a file: "bytes 0-32767/1234567".
  fileprivate func isPart(_ range: Range<Int>, of size: Int) -> Bool {
    let words = header("Content-Range")?.lowercased().split { $0 == " " || $0 == "-" || $0 == "/" } ?? []
    return words.map(String.init) == ["bytes", String(range.lowerBound), String(range.upperBound &- 1), String(size)]
  }
}

extension RangedFile {
  /// Opens the file as a GeoTIFF, the only format that is read by parts. Call inside the guard.
  func open(_ words: UnsafePointer<GDALWords>) throws(EngineError) -> GDALDatasetH {
    try RangedFiles.require()
    _ = takeFailure()
    let flags = UInt32(truncatingIfNeeded: GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR)
    let dataset = withList(["GTiff"]) { drivers in GDALOpenEx(name, flags, drivers, nil, nil) }
    if let failure = takeFailure() {
      GDALClose(dataset)
      throw failure
    }
    guard let dataset else {
      throw words.pointee.failure(.readFailed, "\"\(HTTPAddress.shown(address))\" cannot be read as a GeoTIFF")
    }
    return dataset
  }
}
