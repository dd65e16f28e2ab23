import AlidadeBase
import CPROJ
import Glibc

/// A PROJ context of our own. One thread at a time may use it and what is made in it.
///
/// Right to hand from thread to thread: PROJ contexts are bound to no thread, and a lease makes the use exclusive.
final class ProjSession: @unchecked Sendable {
  let context: OpaquePointer
  /// Of the grid directories that the context knows; see `GridDirectories`.
  let generation: UInt64
  /// PROJ would print to stderr without a log function.
  private let log: ProjLog
  /// What PROJ opens goes through here.
  private let files: GridFiles

  /// Call inside the gate.
  init(options: RuntimeOptions, mailbox: Mailbox, grids: GridFolders) throws(EngineError) {
    generation = grids.generation
    guard let context = proj_context_create() else {
      throw EngineError(.outOfMemory, "PROJ could not create a context.", domain: .proj)
    }
    self.context = context
    log = ProjLog(mailbox: mailbox)
    let (gridFolders, projFolders) = (grids.folders, Self.projFolders(options))
    files = GridFiles(gridFolders + projFolders + options.policy.dataDirectories)
    // Right: the log lives as long as this object, and this object destroys the context.
    proj_log_func(context, Unmanaged.passUnretained(log).toOpaque()) { sink, level, text in
      guard let sink, let text, level == PJ_LOG_ERROR.rawValue else { return }
      // Right: as above.
      Unmanaged<ProjLog>.fromOpaque(sink).takeUnretainedValue().receive(String(cString: text))
    }
    proj_log_level(context, PJ_LOG_ERROR)
    // Before anything else that makes PROJ open a file.
    guard files.attach(to: context) else {
      throw EngineError(.unsupported, "PROJ does not take functions that open its files.", domain: .proj)
    }
    proj_context_set_enable_network(context, options.policy.allowsNetwork ? 1 : 0)
    // Grid directories come first. Paths that are set replace PROJ's own, so these are named again.
    if options.projDirectory != nil || !gridFolders.isEmpty { setSearchPaths(gridFolders + projFolders) }
  }

  /// Where PROJ looks for its files behind the grid directories: the runtime's PROJ folder, or those that PROJ knows by
  /// itself.
  static func projFolders(_ options: RuntimeOptions) -> [String] {
    options.projDirectory.map { [$0] } ?? foldersOfPROJ
  }

  /// Asked for once: proj_info frees its last answer, whoever reads it on another thread.
  private static let foldersOfPROJ: [String] = {
    let folders = proj_info().searchpath.map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").map(String.init)
  }()

  private func setSearchPaths(_ folders: [String]) {
    let texts = folders.map { strdup($0) }
    defer { for text in texts { free(text) } }
    var paths = texts.map { UnsafePointer<CChar>($0) }
    proj_context_set_search_paths(context, Int32(truncatingIfNeeded: paths.count), &paths)
  }

  deinit {
    // While the process ends PROJ is left alone.
    ProcessGate.shared.destroyUnlessEnding(context) { _ = proj_context_destroy($0) }
  }

  /// PROJ's words about the last failure, or what its error number means.
  func lastWords() -> String {
    let text = log.takeLast()
    if !text.isEmpty { return text }
    let code = proj_context_errno(context)
    guard code != 0, let words = proj_context_errno_string(context, code) else { return "no reason given" }
    return String(cString: words)
  }

  /// An error with PROJ's words and number.
  func failure(_ status: Status, _ what: String) -> EngineError {
    let code = proj_context_errno(context)
    return EngineError(status, "\(what): \(lastWords())", domain: .proj, domainCode: code)
  }

  /// Throws if proj.db is not there, and names where it was looked for.
  func requireDatabase(options: RuntimeOptions) throws(EngineError) {
    if proj_context_get_database_path(context) != nil { return }
    let places = Self.projFolders(options).joined(separator: ":")
    throw EngineError(
      .notFound,
      "proj.db was not found in \(places). Install PROJ's data files (Debian: proj-data), or name the folder that "
        + "holds proj.db in proj_directory.", domain: .proj)
  }
}

/// What PROJ says in a session. It speaks of failures that it gets over, too (a grid that is not there, while it looks
/// for the best operation), so to the runtime's log its words are information and no warning.
private final class ProjLog: Sendable {
  private let last = Lock("")
  private let mailbox: Mailbox

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  func receive(_ text: String) {
    last.withLock { $0 = text }
    mailbox.log(LogLine(level: .info, domain: .proj, text: text))
  }

  /// The last words, once.
  func takeLast() -> String {
    last.withLock { text in
      defer { text = "" }
      return text
    }
  }
}

/// An object of PROJ's, destroyed with this one. Belongs to its session's thread rule.
final class ProjObject: @unchecked Sendable {  // right: used only by whoever leases its session
  let session: ProjSession
  let pointer: OpaquePointer

  init?(_ pointer: OpaquePointer?, in session: ProjSession) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.session = session
  }

  deinit {
    ProcessGate.shared.destroyUnlessEnding(pointer) { _ = proj_destroy($0) }
  }
}
