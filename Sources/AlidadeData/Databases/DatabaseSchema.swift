import AlidadeBase
import AlidadeCoordinates
import CGDAL
import CSQLite
import Glibc

/// Looks at what an SQLite database (GeoPackage, MBTiles, SpatiaLite) declares, before GDAL opens it, and refuses it
/// unless it is plain: tables, indexes, spatial indexes, and views that only pick and compute from columns.
///
/// The file is read by SQLite itself, so that what is looked at is what SQLite will make of it: read-only, immutable
/// (no lock, no journal, nothing next to it is touched). Nothing is run except the reading of the schema.
struct DatabaseSchema: ~Copyable {
  /// Virtual tables that are spatial indexes of SQLite's own.
  private static let indexModules: Set<String> = ["rtree", "rtree_i32"]
  /// Virtual tables that every SpatiaLite database has. Without SpatiaLite, which GDAL leaves out here, they are only
  /// names.
  private static let inertModules: Set<String> = [
    "virtualspatialindex", "virtualelementary", "virtualknn", "virtualknn2", "virtualbbox",
  ]
  /// Views that a SpatiaLite database has from the start and that call functions of SpatiaLite; inert as well.
  private static let inertViews: Set<String> = [
    "iso_metadata_view", "se_external_graphics_view", "se_fonts_view", "se_vector_styles_view", "se_raster_styles_view",
    "se_vector_styled_layers_view", "se_raster_styled_layers_view", "se_styled_group_styles_view",
    "se_group_styles_view", "se_styled_groups_view", "rl2map_configurations_view", "vector_coverages_ref_sys",
    "raster_coverages_ref_sys", "topologies_view", "networks_view",
  ]
  private static let mostEntries = 50_000
  private static let mostSteps: UInt64 = 50_000_000
  /// How long the look at a schema may take, in nanoseconds: one of a file that is in use takes milliseconds.
  private static let longestCheck: UInt64 = 10_000_000_000

  /// Whether GDAL has a way to open a file as immutable.
  enum Opening {
    /// With the option IMMUTABLE.
    case immutable
    /// Another file names it, or its driver (MBTiles) has no such option.
    case ordinary
  }

  /// Throws if a file is a database that must not be opened; otherwise, if the file is a database, sets the rules for
  /// GDAL's connections to it. Call inside the guard, under the options.
  ///
  /// - Parameter texts: checks the texts of the file's spatial references against the policy.
  static func check(
    _ name: String, _ opening: Opening, _ policy: Policy, _ texts: ReferenceTextFilter
  ) throws(EngineError) {
    guard name.hasPrefix("/"), let (header, size) = headerAndSize(of: name) else { return }
    try checkCompanions(name, header, opening)
    if policy.allowsSQLInFiles {
      return try DatabaseGuard.expect(name, DatabaseRules(allowsEverything: true))
    }
    let schema = try DatabaseSchema(name, size, policy)
    let entries = try schema.entries()
    for entry in entries { try schema.check(entry) }
    let tables = Set(entries.filter { $0.type == "table" || $0.type == "view" }.map { SQLText.lowercased($0.name) })
    try schema.checkViews(entries, tables)
    try schema.checkReferences(tables, texts)
    try DatabaseGuard.expect(
      name,
      DatabaseRules(
        tables: tables, allowsAnyFunctionOutsideOfViews: policy.allowsSQL, steps: DatabaseRules.steps(forBytes: size)))
  }

  // MARK: The file and its companions

  /// The first bytes, and how many there are in all; nil if the file is no database.
  private static func headerAndSize(of name: String) -> (header: [UInt8], size: UInt64)? {
    guard !VectorFiles.isFolder(name), let file = VSIFOpenL(name, "rb") else { return nil }
    defer { VSIFCloseL(file) }
    var header = [UInt8](repeating: 0, count: 100)
    guard VSIFReadL(&header, 1, header.count, file) == header.count, header.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    guard VSIFSeekL(file, 0, SEEK_END) == 0 else { return nil }
    return (header, VSIFTellL(file))
  }

  /// Throws if a companion of a database has to be read with it, or would be written.
  private static func checkCompanions(
    _ name: String, _ header: [UInt8], _ opening: Opening
  ) throws(EngineError) {
    guard LocalNames.isLocal(name) else { return }
    // SQLite follows a link and looks next to the file that it leads to.
    if let file = LocalPath.resolved(name), !file.utf8.elementsEqual(name.utf8) {
      try checkCompanions(file, header, opening)
    }
    // SQLite opens these past GDAL's file layer.
    for companion in ["-journal", "-wal", "-shm"].map({ name + $0 }) where FileIdentity.isPipeOrDevice(companion) {
      throw LocalFiles.noFile(companion)
    }
    var beside = stat()
    let hasLog = stat(name + "-wal", &beside) == 0
    if hasLog, beside.st_size > 0 {
      throw EngineError(
        .unsupported,
        "\"\(ReferenceRule.short(name))\" has a write-ahead log next to it (\(LocalPath.name(of: name))-wal) with changes "
          + "that are not in the file yet: a program has it open, or ended without closing it. Close it there, or run "
          + "\"PRAGMA wal_checkpoint(TRUNCATE)\" on it.")
    }
    // The file format's "read version" and "write version": 2 is the write-ahead log.
    if opening == .ordinary, hasLog || header[18] == 2 || header[19] == 2 {
      throw EngineError(
        .unsupported,
        "\"\(ReferenceRule.short(name))\" is a database with a write-ahead log; reading it this way would write files "
          + "next to it. Change it with \"PRAGMA journal_mode = DELETE\" first.")
    }
    if isHot(name + "-journal") {
      throw EngineError(
        .unsupported,
        "\"\(ReferenceRule.short(name))\" has a journal next to it (\(LocalPath.name(of: name))-journal): a program is "
          + "writing to it, or ended while it was. Open it once with a program that may write (sqlite3), which repairs "
          + "it.")
    }
  }

  /// Whether a rollback journal holds what a transaction has overwritten: its first byte is zero once it is done.
  private static func isHot(_ journal: String) -> Bool {
    let descriptor = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var first: UInt8 = 0
    return read(descriptor, &first, 1) == 1 && first != 0
  }

  // MARK: The connection

  private let name: String
  private let database: OpaquePointer
  /// What SQLite reads from where it cannot open the file itself.
  private let copy: UnsafeMutableRawPointer?
  /// Why the authorizer has refused something; belongs to the connection.
  private let witness: Witness

  private final class Witness {
    /// What views may use; nil: the schema is being read.
    var rules: DatabaseRules?
    var refusal: String?
    var stepsLeft = DatabaseSchema.mostSteps
    var end: UInt64 = .max
    /// How often SQLite has asked: views over views multiply their parts.
    var questionsLeft = 200_000
  }

  private init(_ name: String, _ size: UInt64, _ policy: Policy) throws(EngineError) {
    let isLocal = LocalNames.isLocal(name)
    let path = isLocal ? Self.address(of: name) : ":memory:"
    var opened: OpaquePointer?
    let flags = isLocal ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE
    let status = DatabaseGuard.withOwnConnection {
      sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, nil)
    }
    guard status == SQLITE_OK, let database = opened else {
      defer { sqlite3_close(opened) }
      throw EngineError(
        .readFailed,
        "\"\(ReferenceRule.short(name))\" cannot be opened as a database: \(String(cString: sqlite3_errmsg(opened))).")
    }
    guard SQLiteLimits.set(database, policy) else {
      sqlite3_close(database)
      throw EngineError(.outOfMemory, "SQLite has no memory for its limits.", domain: .system)
    }
    var copy: UnsafeMutableRawPointer?
    if !isLocal {
      do throws(EngineError) {
        copy = try Self.copy(of: name, size, into: database, policy)
      } catch {
        sqlite3_close(database)
        throw error
      }
    }
    self.name = name
    self.database = database
    self.copy = copy
    witness = Witness()
    witness.end = MonotonicTime.now() &+ Self.longestCheck
    for (option, value) in [
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, Int32(0)), (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
    ] {
      _ = alidade_sqlite_configure(database, Int32(truncatingIfNeeded: option), value)
    }
    // Right: the connection is closed before the witness goes.
    let held = Unmanaged.passUnretained(witness).toOpaque()
    sqlite3_set_authorizer(database, Self.authorize, held)
    sqlite3_progress_handler(database, 1000, Self.goOn, held)
  }

  deinit {
    sqlite3_close(database)
    VSIFree(copy)
  }

  /// A path as SQLite's URI.
  private static func address(of path: String) -> String {
    var text = "file:"
    for byte in path.utf8 {
      let isLetter = (65...90).contains(byte) || (97...122).contains(byte)
      if isLetter || (48...57).contains(byte) || "/-._~".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        text.unicodeScalars.append("%")
        text.unicodeScalars.append(digits[Int(truncatingIfNeeded: byte >> 4)])
        text.unicodeScalars.append(digits[Int(truncatingIfNeeded: byte & 15)])
      }
    }
    return text + "?immutable=1"
  }

  /// Gives SQLite the bytes of a file that only GDAL can read, such as one in an archive.
  private static func copy(
    of name: String, _ size: UInt64, into database: OpaquePointer, _ policy: Policy
  ) throws(EngineError) -> UnsafeMutableRawPointer {
    guard let count = Int(exactly: size), size <= policy.maxRequestBytes / 2 else {
      throw ReferenceRule.fileSize.refusal(
        name, "is a database of \(size) bytes in an archive; \(policy.maxRequestBytes / 2) are allowed",
        "Unpack it, or raise max_request_bytes to allow it (it is twice that).")
    }
    guard let memory = VSIMalloc(count), let file = VSIFOpenL(name, "rb") else {
      throw EngineError(.outOfMemory, "There is no memory for the \(size) bytes of \"\(ReferenceRule.short(name))\".")
    }
    let read = VSIFReadL(memory, 1, count, file)
    VSIFCloseL(file)
    let bytes = memory.bindMemory(to: UInt8.self, capacity: count)
    // A database with a write-ahead log cannot be read from memory; without its log it is like any other.
    if count > 20 { (bytes[18], bytes[19]) = (1, 1) }
    let flags = UInt32(truncatingIfNeeded: SQLITE_DESERIALIZE_READONLY)
    guard read == count,
      sqlite3_deserialize(database, "main", bytes, sqlite3_int64(count), sqlite3_int64(count), flags) == SQLITE_OK
    else {
      VSIFree(memory)
      throw EngineError(.readFailed, "\"\(ReferenceRule.short(name))\" cannot be read as a database.")
    }
    return memory
  }

  private static let goOn: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { held in
    guard let held else { return 1 }
    // Right: the schema holds it, and closes the connection first.
    let witness = Unmanaged<Witness>.fromOpaque(held).takeUnretainedValue()
    guard witness.stepsLeft > 1000, MonotonicTime.now() < witness.end else { return 1 }
    witness.stepsLeft &-= 1000
    return 0
  }

  private static let authorize: SQLiteAction.Authorizer = { held, action, first, second, _, _ in
    guard let held else { return SQLITE_DENY }
    // Right: the schema holds it, and closes the connection first.
    let witness = Unmanaged<Witness>.fromOpaque(held).takeUnretainedValue()
    guard let rules = witness.rules else { return SQLITE_OK }
    let asked = SQLiteAction(action, first, second, insideView: true)
    witness.questionsLeft &-= 1
    guard witness.questionsLeft > 0 else {
      witness.refusal = "is made of too many parts"
      return SQLITE_DENY
    }
    if asked.isAllowed(by: rules) { return SQLITE_OK }
    if witness.refusal == nil { witness.refusal = asked.text }
    return SQLITE_DENY
  }

  // MARK: The schema

  private struct Entry {
    let type: String
    let name: String
    /// Empty: SQLite's own.
    let statement: String
  }

  private func damaged() -> EngineError {
    if sqlite3_errcode(database) == SQLITE_INTERRUPT { return tooLong() }
    let words = String(cString: sqlite3_errmsg(database))
    // SQLite does not allow a column to be computed by the function that replaces a forbidden name.
    if SQLText.holds(words, "unsafe use of ") || SQLText.holds(words, "non-deterministic ") {
      return refusal("computes a column by a function that is not allowed (\(ReferenceRule.short(words)))")
    }
    return EngineError(
      .readFailed,
      "\"\(ReferenceRule.short(name))\" is an SQLite database with a damaged schema; it cannot be opened: "
        + "\(words).")
  }

  private func refusal(_ what: String) -> EngineError {
    ReferenceRule.sqlInFiles.refusal(
      name, what,
      "Drop it, copy what is wanted into a database of its own (ogr2ogr), or set the policy flag ALLOW_SQL_IN_FILES "
        + "if you trust the file like a program.")
  }

  /// Calls `body` with each row of a statement.
  private func rows(
    _ statement: String, _ body: (OpaquePointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw damaged()
    }
    defer { sqlite3_finalize(prepared) }
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: try body(prepared)
      case SQLITE_DONE: return
      default: throw damaged()
      }
    }
  }

  /// A column of a row as a text; nil if it is no text, or has a zero in it, behind which SQLite would not read.
  private static func text(_ row: OpaquePointer, _ column: Int32) -> String? {
    guard sqlite3_column_type(row, column) == SQLITE_TEXT, let bytes = sqlite3_column_text(row, column) else {
      return nil
    }
    let text = String(cString: bytes)
    return text.utf8.count == Int(truncatingIfNeeded: sqlite3_column_bytes(row, column)) ? text : nil
  }

  private func entries() throws(EngineError) -> [Entry] {
    var list: [Entry] = []
    try rows("SELECT type, name, sql FROM sqlite_master") { (row) throws(EngineError) in
      let isOwn = sqlite3_column_type(row, 2) == SQLITE_NULL
      guard let type = Self.text(row, 0), let name = Self.text(row, 1),
        let statement = isOwn ? "" : Self.text(row, 2)
      else {
        throw refusal("declares something by what is no text")
      }
      list.append(Entry(type: type.lowercased(), name: name, statement: statement))
      guard list.count <= Self.mostEntries else {
        throw ReferenceRule.fileCount.refusal(
          self.name, "has more than \(Self.mostEntries) tables and indexes", "Open a part of it.")
      }
    }
    return list
  }

  /// Throws unless an entry declares what is allowed.
  private func check(_ entry: Entry) throws(EngineError) {
    if entry.statement.isEmpty { return }
    let tokens = SQLTokens.read(entry.statement).filter { $0.kind != .comment }
    func word(_ index: Int) -> String {
      tokens.indices.contains(index) && tokens[index].kind == .word ? tokens[index].text.lowercased() : ""
    }
    // SQLite takes what follows these for a parameter, quotes and brackets included; a stored schema has none.
    if let sign = tokens.first(where: { ["$", "@", "#", "?", ":"].contains($0.text) && $0.kind == .sign }) {
      throw refusal(
        "declares \(ReferenceRule.short(entry.name)) with the sign \(sign.text), which is not allowed there")
    }
    switch (word(0), word(1)) {
    case ("create", "table"):
      // SQLite reads its own statistics while it loads the schema.
      let isOwn = SQLText.lowercased(entry.name).starts(with: "sqlite_".utf8)
      if isOwn, tokens.indices.contains(where: { word($0) == "as" || word($0) == "generated" }) {
        throw refusal("has a table \(ReferenceRule.short(entry.name)) of SQLite's own with a computed column")
      }
      // Columns that are computed when they are read.
      let isComputed = tokens.indices.contains { word($0) == "as" }
      if isComputed, let function = Self.call(in: tokens) {
        throw refusal("has a table \(ReferenceRule.short(entry.name)) with a column that calls \(function)")
      }
    case ("create", "virtual"):
      let using = tokens.indices.first { word($0) == "using" }
      let module = using.flatMap { tokens.indices.contains($0 &+ 1) ? tokens[$0 &+ 1].text.lowercased() : nil } ?? ""
      guard !Self.indexModules.contains(module), !Self.inertModules.contains(module) else { return }
      throw ReferenceRule.virtualTables.refusal(
        name,
        "has a virtual table by the module \(ReferenceRule.short(module)), which may read other files or run code",
        "Drop it, copy what is wanted into a database of its own (ogr2ogr), or set the policy flag ALLOW_SQL_IN_FILES "
          + "if you trust the file like a program.")
    case ("create", "view"), ("create", "index"): return
    case ("create", "unique") where word(2) == "index": return
    // Triggers are off, and nothing is written that could set one off.
    case ("create", "trigger"): return
    default:
      throw refusal("declares \(ReferenceRule.short(entry.name)) by a statement that is not known")
    }
  }

  /// Words that may stand before a bracket in a table's declaration and are no functions.
  private static let noFunctions: Set<String> = [
    "as", "check", "key", "unique", "default", "in", "values", "and", "or", "not", "then", "else", "when", "varchar",
    "char", "character", "nchar", "nvarchar", "text", "text_", "decimal", "numeric", "number", "float", "double",
    "real",
    "integer", "int", "tinyint", "smallint", "mediumint", "bigint", "blob", "bit", "timestamp", "datetime",
  ]

  /// Something in a declaration that may be the call of a function that is not allowed; nil: there is none.
  private static func call(in tokens: [SQLToken]) -> String? {
    guard let body = tokens.firstIndex(where: { $0.isSign("(") }) else { return nil }
    for index in tokens.indices.dropFirst(body &+ 1) where tokens[index].isSign("(") {
      let before = tokens[index &- 1]
      switch before.kind {
      case .word:
        let word = before.text.lowercased()
        // REFERENCES other (column)
        let isReference = index >= 2 && tokens[index &- 2].isWord("references")
        if isReference || noFunctions.contains(word) || SQLFunctions.ofViews.contains(word) { continue }
        return ReferenceRule.short(before.text)
      case .name, .text:
        if index >= 2, tokens[index &- 2].isWord("references") { continue }
        return ReferenceRule.short(before.text)
      default: continue
      }
    }
    return nil
  }

  private func tooLong() -> EngineError {
    ReferenceRule.fileCount.refusal(
      name, "has a schema that takes longer than \(Self.longestCheck / 1_000_000_000) s to look at",
      "Open a part of it.")
  }

  private static func isView(_ entry: Entry) -> Bool {
    entry.type == "view" || SQLTokens.read(entry.statement).dropFirst().first?.isWord("view") == true
  }

  /// Throws unless all views only pick and compute from columns of the file.
  private func checkViews(_ entries: [Entry], _ tables: Set<[UInt8]>) throws(EngineError) {
    witness.rules = DatabaseRules(tables: tables)
    for entry in entries where Self.isView(entry) {
      witness.refusal = nil
      guard MonotonicTime.now() < witness.end else { throw tooLong() }
      var prepared: OpaquePointer?
      let status = sqlite3_prepare_v2(database, "SELECT * FROM \(SQLText.name(entry.name))", -1, &prepared, nil)
      sqlite3_finalize(prepared)
      if status == SQLITE_OK { continue }
      let words = String(cString: sqlite3_errmsg(database))
      let unknown = "no such function: "
      if let refusal = witness.refusal {
        throw self.refusal("has a view \(ReferenceRule.short(entry.name)) that \(refusal)")
      }
      // What SQLite cannot make sense of here, such as a view of a table that is gone, it cannot run for GDAL either.
      if ["no such table: ", "no such column: ", "no such module: "].contains(where: words.hasPrefix) { continue }
      guard words.hasPrefix(unknown) else {
        throw refusal(
          "has a view \(ReferenceRule.short(entry.name)) that SQLite refuses (\(ReferenceRule.short(words)))")
      }
      let function = String(words.dropFirst(unknown.count))
      let isSpatiaLites = ["XB_", "GetMimeType", "GetFontFamily", "AsText"].contains(where: function.hasPrefix)
      if isSpatiaLites, Self.inertViews.contains(entry.name.lowercased()) { continue }
      throw refusal(
        "has a view \(ReferenceRule.short(entry.name)) that calls the function \(ReferenceRule.short(function))")
    }
  }

  // MARK: Spatial references

  /// Where GeoPackages and SpatiaLite databases have the texts of their spatial references.
  private static let references = [
    "gpkg_spatial_ref_sys": ["definition", "definition_12_063"], "spatial_ref_sys": ["srtext", "proj4text", "srs_wkt"],
    "spatial_ref_sys_aux": ["srtext", "proj4text"],
  ]

  /// Throws if a text that GDAL would hand to PROJ names a file, or is too much for PROJ.
  private func checkReferences(_ tables: Set<[UInt8]>, _ texts: ReferenceTextFilter) throws(EngineError) {
    for (table, wanted) in Self.references where tables.contains(Array(table.utf8)) {
      var columns: [String] = []
      // The table's own names: a name in quotes that is no column's would be a text.
      try rows("PRAGMA table_info(\(table))") { (row) throws(EngineError) in
        if let column = Self.text(row, 1), wanted.contains(column.lowercased()) { columns.append(column) }
      }
      for column in columns {
        try rows("SELECT \"\(column)\" FROM \(table)") { (row) throws(EngineError) in
          if let text = Self.text(row, 0) { try texts.check(text, named: name) }
        }
      }
    }
  }
}
