import AlidadeBase
import AlidadeCoordinates
import CGDAL
import CSQLite
import Glibc

/// What the statements of an SQLite connection may use.
struct DatabaseRules: Sendable {
  /// The tables and views, in lower case; nil: whatever the database has, but none of those that SQLite makes up.
  var tables: Set<[UInt8]>?
  /// Views of the file may call only `SQLFunctions.ofViews`. All other functions may be called elsewhere.
  var allowsAnyFunctionOutsideOfViews = false
  /// Everything is allowed: the host trusts the file like a program.
  var allowsEverything = false
  /// So many steps of SQLite's machine may be taken in a call that has no limit of time.
  var steps: UInt64 = .max

  /// What one step of a plain reading covers is well above a byte; sorting and joining take more.
  static func steps(forBytes size: UInt64) -> UInt64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: 50)
    return overflow ? .max : max(200_000_000, product)
  }
}

/// Watches the connections that GDAL's drivers open to SQLite databases, from the first statement on.
///
/// A file may bring SQL along that runs when it is opened. `DatabaseSchema` refuses such files before GDAL sees them;
/// this holds whatever is run all the same: an authorizer with a list of what is allowed, a handler that ends what takes
/// too long, and SQLite's own switches (trusted_schema off, no triggers, no ATTACH).
///
/// GDAL has no way to set these up before its driver runs its first statement. SQLite has: entry points that it calls for
/// each new connection. The one here does nothing on threads that are not inside a call of this library.
enum DatabaseGuard {
  /// What a thread's call knows of databases. Belongs to that thread.
  fileprivate final class Scope {
    let options: RuntimeOptions
    var policy: Policy { options.policy }
    /// The rules of files that were looked at, by their paths.
    var rules: [String: DatabaseRules] = [:]
    /// The paths of connections that are watched.
    var watched: Set<String> = []
    /// This library's own connection is being opened.
    var isOwn = false
    /// GDAL runs a statement that this library has written.
    var isInStatement = false
    var stepsLeft: UInt64 = .max
    var hasStopped = false
    /// What a view wanted to do and was not let.
    var refusal: String?

    init(_ options: RuntimeOptions) { self.options = options }
  }

  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  fileprivate static var scope: Scope? {
    guard let key, let held = pthread_getspecific(key) else { return nil }
    // Right: `enter` put it there, on this thread, and holds it until `leave` takes it away.
    return Unmanaged<Scope>.fromOpaque(held).takeUnretainedValue()
  }

  // MARK: The length of a call

  /// Begins to watch this thread's connections. Returns what `leave` wants.
  static func enter(_ options: RuntimeOptions) -> UnsafeMutableRawPointer? {
    guard let key else { return nil }
    let outer = pthread_getspecific(key)
    // Right: `leave` releases it.
    pthread_setspecific(key, Unmanaged.passRetained(Scope(options)).toOpaque())
    return outer
  }

  static func leave(_ outer: UnsafeMutableRawPointer?) {
    guard let key, let held = pthread_getspecific(key) else { return }
    pthread_setspecific(key, outer)
    // Right: `enter` retained it, and calls on one thread end in the reverse order of their beginning.
    Unmanaged<Scope>.fromOpaque(held).release()
  }

  /// Sets the rules for connections to a file, from now to the end of the call.
  static func expect(_ path: String, _ rules: DatabaseRules) throws(EngineError) {
    // SQLite keeps each entry point once, however often it is added.
    guard let scope, alidade_sqlite_auto_extension(connectionWasOpened) == SQLITE_OK else {
      throw EngineError(.outOfMemory, "SQLite has no memory to watch a connection.", domain: .system)
    }
    scope.rules[path] = rules
    if let resolved = LocalPath.resolved(path) { scope.rules[resolved] = rules }
  }

  /// Throws unless GDAL's connection to a file is watched: its SQLite may be another one than this library's.
  static func requireWatched(_ path: String) throws(EngineError) {
    guard let scope, scope.rules[path] != nil else { return }
    let names = [path, LocalPath.resolved(path) ?? path]
    guard scope.watched.isDisjoint(with: names) else { return }
    throw EngineError(
      .internal,
      "GDAL reads \"\(ReferenceRule.short(path))\" with another SQLite library than this library watches, so "
        + "the SQL in the file cannot be blocked. Build both against the same SQLite.")
  }

  /// Throws if a view was kept from something during this call: what was read without it is not what the file says.
  static func checkRefusals(_ path: String) throws(EngineError) {
    try checkLimits()
    guard let refusal = scope?.refusal else { return }
    throw ReferenceRule.sqlInFiles.refusal(
      path, "has a view that \(refusal)", "Set the policy flag ALLOW_SQL_IN_FILES if you trust the file like a program."
    )
  }

  /// Throws if SQLite was stopped during this call, because it took too long.
  static func checkLimits() throws(EngineError) {
    guard let scope, scope.hasStopped else { return }
    try TimeLimit.check()
    throw EngineError(
      .limitExceeded,
      "The views of the database take more work than their file's size explains. Give the columns that they join by an "
        + "index, or set max_request_ms to how long a call may take.")
  }

  /// Runs `body`, which opens a connection of this library's own.
  static func withOwnConnection<Result>(_ body: () -> Result) -> Result {
    scope?.isOwn = true
    defer { scope?.isOwn = false }
    return body()
  }

  /// Runs `body`, in which GDAL runs a statement that this library has written.
  static func withStatement<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    scope?.isInStatement = true
    defer { scope?.isInStatement = false }
    return try body()
  }

  // MARK: Connections

  private static let connectionWasOpened:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> Int32 = { database, _, _ in
      guard let scope = DatabaseGuard.scope, !scope.isOwn, let database else { return SQLITE_OK }
      return DatabaseGuard.watch(database, scope)
    }

  /// Puts a connection under its rules. Any other answer than SQLITE_OK closes it.
  private static func watch(_ database: OpaquePointer, _ scope: Scope) -> Int32 {
    let path = sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? ""
    let rules: DatabaseRules
    if let known = scope.rules[path] {
      rules = known
      scope.watched.insert(path)
    } else if isPROJ(path, scope.options) {
      return SQLITE_OK
    } else if scope.isInStatement, path.isEmpty || path.hasPrefix("/vsimem/") {
      // GDAL's own, in which the layers of the file are the only tables.
      guard SQLiteLimits.set(database, scope.policy) else { return SQLITE_NOMEM }
      rules = DatabaseRules(allowsEverything: true)
    } else {
      // What a file names and GDAL opens when it is first read; it was looked at when the first file was opened.
      var status = stat()
      let size = stat(path, &status) == 0 ? UInt64(clamping: status.st_size) : 0
      rules = DatabaseRules(
        allowsEverything: scope.policy.allowsSQLInFiles, steps: DatabaseRules.steps(forBytes: size))
    }
    return Watch(rules).begin(database, scope.policy)
  }

  /// PROJ reads its own database on the same thread, in the folders that it or GDAL looks in; a network that is allowed
  /// has a cache.
  private static func isPROJ(_ path: String, _ options: RuntimeOptions) -> Bool {
    let name = LocalPath.name(of: path)
    if name == "cache.db", options.policy.allowsNetwork { return true }
    guard name == "proj.db" else { return false }
    var folders = Coordinates.projFolders(options)
    if let list = OSRGetPROJSearchPaths() {
      defer { CSLDestroy(list) }
      var entry = list
      while let folder = entry.pointee {
        folders.append(gdalText(folder))
        entry += 1
      }
    }
    let own = LocalPath.resolved(LocalPath.folder(of: path))
    return folders.contains { LocalPath.resolved($0) == own }
  }
}

/// A connection's watcher; lives as long as the connection.
private final class Watch {
  private let rules: DatabaseRules

  init(_ rules: DatabaseRules) { self.rules = rules }

  /// So many steps lie between two looks at the time.
  private static let interval: Int32 = 10_000

  func begin(_ database: OpaquePointer, _ policy: Policy) -> Int32 {
    // Right: the destructor of the function below releases it. SQLite calls it when the connection closes, after the
    // last use of the handlers.
    let held = Unmanaged.passRetained(self).toOpaque()
    let status = sqlite3_create_function_v2(
      database, "alidade_watch", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, held,
      { context, _, _ in sqlite3_result_null(context) }, nil, nil,
      // Right: this is what was retained above.
      { held in if let held { Unmanaged<Watch>.fromOpaque(held).release() } })
    guard status == SQLITE_OK else { return status }
    sqlite3_progress_handler(database, Self.interval, Self.goOn, held)
    if rules.allowsEverything { return SQLITE_OK }
    // Nothing is written, so nothing that a statement would write needs a rule.
    guard sqlite3_db_readonly(database, "main") == 1 else { return SQLITE_READONLY }
    for (option, value) in [
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, Int32(0)), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    ] {
      let status = alidade_sqlite_configure(database, Int32(truncatingIfNeeded: option), value)
      guard status == SQLITE_OK else { return status }
    }
    guard SQLiteLimits.set(database, policy) else { return SQLITE_NOMEM }
    return sqlite3_set_authorizer(database, Self.authorize, held)
  }

  private static let goOn: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { held in
    guard let held, let scope = DatabaseGuard.scope else { return 0 }
    // Right: the connection holds it.
    let watch = Unmanaged<Watch>.fromOpaque(held).takeUnretainedValue()
    if TimeLimit.isSet {
      do throws(EngineError) {
        try TimeLimit.check()
        return 0
      } catch {
        scope.hasStopped = true
        return 1
      }
    }
    let steps = UInt64(truncatingIfNeeded: Watch.interval)
    scope.stepsLeft = min(scope.stepsLeft, watch.rules.steps)
    guard scope.stepsLeft > steps else {
      scope.hasStopped = true
      return 1
    }
    scope.stepsLeft &-= steps
    return 0
  }

  private static let authorize: SQLiteAction.Authorizer = { held, action, first, second, _, view in
    guard let held else { return SQLITE_DENY }
    // Right: the connection holds it.
    let watch = Unmanaged<Watch>.fromOpaque(held).takeUnretainedValue()
    let asked = SQLiteAction(action, first, second, insideView: view != nil)
    if asked.isAllowed(by: watch.rules) { return SQLITE_OK }
    if view != nil, let scope = DatabaseGuard.scope, scope.refusal == nil { scope.refusal = asked.text }
    return SQLITE_DENY
  }
}

/// The bounds that each connection gets.
enum SQLiteLimits {
  /// Returns whether all could be set.
  static func set(_ database: OpaquePointer, _ policy: Policy) -> Bool {
    // As much as a file that names others may have: the longest text or blob, stored or made by a view.
    let longest = Int32(clamping: min(1_000_000_000, max(1 << 20, policy.maxRequestBytes / 16)))
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest)
    sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 2000)
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 1 << 23)
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1024)
    sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 1)
    sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0)
    return SQLFunctions.forbidden.allSatisfy { function in
      sqlite3_create_function_v2(
        database, function.name, function.arguments, SQLITE_UTF8, nil,
        { context, _, _ in sqlite3_result_error(context, "a function that the policy does not allow", -1) }, nil, nil,
        nil) == SQLITE_OK
    }
  }
}

/// Something that a statement is about to do, as SQLite's authorizer is asked for it.
struct SQLiteAction {
  /// What SQLite asks whether it may do something.
  typealias Authorizer =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32

  private let action: Int32
  private let first: String
  private let second: String?
  private let isInsideView: Bool

  init(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, insideView: Bool) {
    self.action = action
    self.first = first.map { String(cString: $0) } ?? ""
    self.second = second.map { String(cString: $0) }
    isInsideView = insideView
  }

  /// For messages.
  var text: String {
    switch action {
    case SQLITE_FUNCTION: "calls the function \(ReferenceRule.short(second ?? ""))"
    case SQLITE_READ: "reads \(ReferenceRule.short(first)), which is no table of the file"
    case SQLITE_RECURSIVE: "is recursive"
    case SQLITE_ATTACH: "opens another database"
    case SQLITE_PRAGMA: "runs PRAGMA \(ReferenceRule.short(first))"
    default: "does more than read (action \(action))"
    }
  }

  /// What GDAL's drivers ask about a database.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "index_list", "index_info", "index_xinfo", "foreign_key_list", "page_size",
    "page_count", "encoding", "user_version", "application_id", "schema_version", "cache_size", "synchronous",
    "foreign_keys", "recursive_triggers", "journal_mode",
  ]
  /// SQLite's own tables.
  private static let schemas: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema", "sqlite_sequence", "sqlite_stat1",
  ]
  /// Beginnings of the names of tables that SQLite makes up, which are no tables of a file.
  private static let madeUp = ["pragma_", "json_", "dbstat", "sqlite_", "fts", "bytecode", "tables_used", "generate_"]
  /// What GDAL's GeoPackage driver calls by itself; each looks at the head of a geometry.
  private static let ofGDAL: Set<String> = [
    "st_minx", "st_miny", "st_maxx", "st_maxy", "st_isempty", "st_geometrytype", "st_srid",
  ]

  func isAllowed(by rules: DatabaseRules) -> Bool {
    if rules.allowsEverything { return true }
    switch action {
    case SQLITE_SELECT, SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return true
    // The module of a spatial index prepares these when it is first used; the connection only reads.
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: return true
    case SQLITE_READ: return mayRead(first, rules)
    // The mode of the journal is asked for, not set.
    case SQLITE_PRAGMA:
      let name = first.lowercased()
      return Self.pragmas.contains(name) && (name != "journal_mode" || second == nil)
    case SQLITE_FUNCTION:
      let name = (second ?? "").lowercased()
      if SQLFunctions.ofViews.contains(name) { return true }
      if isInsideView { return false }
      return rules.allowsAnyFunctionOutsideOfViews ? name != "load_extension" : Self.ofGDAL.contains(name)
    default: return false
    }
  }

  private func mayRead(_ name: String, _ rules: DatabaseRules) -> Bool {
    let bytes = SQLText.lowercased(name)
    let table = String(decoding: bytes, as: UTF8.self)
    if table.isEmpty || Self.schemas.contains(table) { return true }
    if let tables = rules.tables { return tables.contains(bytes) }
    return !Self.madeUp.contains(where: table.hasPrefix)
  }
}
