import AlidadeBase
import CGDAL

/// What GDAL said during a call.
struct GDALWords {
  /// The first failure: those that follow are mostly consequences.
  fileprivate(set) var number: Int32 = 0
  fileprivate(set) var message = ""
  /// Warnings, and the failures that followed; as many as anybody would read.
  fileprivate var others: [LogLine] = []
  fileprivate static let mostOthers = 32

  fileprivate var isSilent: Bool { message.isEmpty && others.isEmpty }

  /// What GDAL says of values that it has changed because they do not fit the type of their field; nil: nothing.
  var remarkOnValues: String? {
    let marks = ["overflow", "parsed incompletely", "Will be clamped", "Invalid value type", "truncated to"]
    return others.first { line in line.level == .warning && marks.contains { line.text.contains($0) } }?.text
  }

  /// An error with GDAL's words and number.
  func failure(_ status: Status, _ what: String) -> EngineError {
    EngineError(
      status, message.isEmpty ? "\(what); GDAL gave no reason." : "\(what): \(message)", domain: .gdal,
      domainCode: number)
  }
}

/// Calls into GDAL: inside the gate, with errors collected on this thread instead of printed.
enum GDALGuard {
  /// Runs `body` inside the gate. `body` receives GDAL's messages so far.
  ///
  /// - Parameter runtime: its log receives the messages of GDAL that no error of `body` contains; nil discards them.
  @inline(__always)
  static func call<Result>(
    for runtime: Runtime?, _ body: (UnsafePointer<GDALWords>) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try ProcessGate.shared.enter()
    defer { ProcessGate.shared.leave() }
    var words = GDALWords()
    return try withUnsafeMutablePointer(to: &words) { (words) throws(EngineError) -> Result in
      CPLPushErrorHandlerEx(collect, words)
      var hasFailed = true
      defer {
        CPLPopErrorHandler()
        if !words.pointee.isSilent { write(words.pointee, to: runtime, includingFailure: !hasFailed) }
      }
      let result = try LocalFiles.guarded { () throws(EngineError) in try body(UnsafePointer(words)) }
      hasFailed = false
      return result
    }
  }

  /// Writes what GDAL said to a log.
  @inline(never)
  private static func write(_ words: GDALWords, to runtime: Runtime?, includingFailure: Bool) {
    guard let mailbox = runtime?.mailbox else { return }
    if includingFailure, !words.message.isEmpty {
      mailbox.log(LogLine(level: .warning, domain: .gdal, code: words.number, text: words.message))
    }
    for line in words.others { mailbox.log(line) }
  }

  /// Runs `body` inside the gate, or not at all once the process is ending: for cleaning up.
  static func clean(_ body: () -> Void) {
    do throws(EngineError) { try call(for: nil) { (_) throws(EngineError) in body() } } catch {}
  }

  private static let collect: @convention(c) (CPLErr, Int32, UnsafePointer<CChar>?) -> Void = { level, number, text in
    guard let sink = CPLGetErrorHandlerUserData() else { return }
    let words = sink.assumingMemoryBound(to: GDALWords.self)
    let isFailure = level == CE_Failure || level == CE_Fatal
    if isFailure, words.pointee.message.isEmpty {
      words.pointee.number = number
      words.pointee.message = gdalText(text)
    } else if words.pointee.others.count < GDALWords.mostOthers {
      let logLevel: LogLevel = isFailure ? .error : level == CE_Warning ? .warning : .debug
      words.pointee.others.append(LogLine(level: logLevel, domain: .gdal, code: number, text: gdalText(text)))
    }
  }
}

/// A text of GDAL's. Files say what they like: what is not UTF-8 is read as Latin-1, so that nothing is lost.
func gdalText(_ pointer: UnsafePointer<CChar>?) -> String {
  guard let pointer else { return "" }
  if let text = String(validatingCString: pointer) { return text }
  var text = ""
  var position = pointer
  while position.pointee != 0 {
    text.unicodeScalars.append(Unicode.Scalar(UInt8(bitPattern: position.pointee)))
    position += 1
  }
  return text
}

/// The texts of a list of GDAL's, which is freed.
func gdalTexts(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
  defer { CSLDestroy(list) }
  return (0..<Int(truncatingIfNeeded: CSLCount(list))).map { gdalText(list?[$0]) }
}

/// A list of texts as GDAL takes it, for the length of a call.
func withList<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
  var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  for text in texts { list = CSLAddString(list, text) }
  defer { CSLDestroy(list) }
  return body(UnsafeRawPointer(list)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
}

/// GDAL's configuration options, set on this thread for the length of a call and then put back.
struct ThreadOptions: ~Copyable {
  private var before: [(key: String, value: String?)] = []
  private let refusesHTTP: Bool
  private let hasFolder: Bool
  /// What `DatabaseGuard.leave` wants.
  private let outerDatabases: UnsafeMutableRawPointer?
  private let quietHDF5: QuietHDF5

  private init(_ options: [(key: String, value: String)], _ runtime: RuntimeOptions) {
    let refusesHTTP = !runtime.policy.allowsNetwork
    outerDatabases = DatabaseGuard.enter(runtime)
    quietHDF5 = QuietHDF5(runtime.policy)
    self.refusesHTTP = refusesHTTP && HTTPRefusal.begin()
    // GDAL reads GDAL_DATA at the first search on a thread and never again: a folder must be pushed to be found on a
    // thread that has searched before, and before the option is set, or the thread would search there for ever.
    let folder = options.first { $0.key == "GDAL_DATA" }?.value
    hasFolder = folder != nil
    if let folder { CPLPushFinderLocation(folder) }
    for (key, value) in options {
      before.append((key, CPLGetThreadLocalConfigOption(key, nil).map { String(cString: $0) }))
      CPLSetThreadLocalConfigOption(key, value)
    }
  }

  /// What opening and reading files under a runtime's rules needs.
  init(_ options: RuntimeOptions) {
    self.init(Self.opening(options), options)
  }

  deinit {
    DatabaseGuard.leave(outerDatabases)
    if refusesHTTP { HTTPRefusal.end() }
    for (key, value) in before { CPLSetThreadLocalConfigOption(key, value) }
    if hasFolder { CPLPopFinderLocation() }
  }

  private static func opening(_ options: RuntimeOptions) -> [(key: String, value: String)] {
    // Threads of GDAL's own would inherit none of this, and nothing would stop them at a fork.
    var list: [(key: String, value: String)] = [("GDAL_NUM_THREADS", "1")]
    // Whatever the host's environment says of these: pixel functions in Python; SQL and code that databases run.
    list += [
      ("GDAL_VRT_ENABLE_PYTHON", "NO"), ("OGR_SQLITE_STATIC_VIRTUAL_OGR", "NO"), ("OGR_SQLITE_LOAD_EXTENSIONS", ""),
      ("OGR_SQLITE_LIST_VIRTUAL_OGR", "NO"), ("OGR_SQLITE_PRAGMA", ""), ("OGR_SQLITE_JOURNAL", ""),
      ("ALLOW_OGR_SQL_FUNCTIONS_FROM_TRIGGER_AND_VIEW", "NO"), ("SQLITE_USE_OGR_VFS", "NO"),
      // Of what SQL computes, the first number says the type: one of 64 bits, for greater ones may follow.
      ("OGR_PROMOTE_TO_INTEGER64", "YES"), ("OGR_SQLITE_DIALECT_USE_SPATIALITE", "NO"),
      // It reports nothing that opening does not report, and libxml2 prints what it finds.
      ("GDAL_XML_VALIDATION", "NO"),
    ]
    if !options.policy.allowsSQLInFiles { list.append(("SPATIALITE_LOAD", "NO")) }
    list.append(("GDAL_MAX_BAND_COUNT", String(RasterLimits.mostBands)))
    if let directory = options.gdalDirectory { list.append(("GDAL_DATA", directory)) }
    if !options.policy.allowsNetwork {
      // No file name matches the first; the second leads what does not ask the first to a port where nobody listens.
      list.append(("CPL_VSIL_CURL_ALLOWED_FILENAME", "/network-is-off"))
      list += [("GDAL_HTTP_PROXY", "127.0.0.1:9"), ("GDAL_HTTPS_PROXY", "127.0.0.1:9")]
    }
    return list
  }
}
