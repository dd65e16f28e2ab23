import AlidadeBase
import CGDAL
import CSQLite

/// Conditions on the fields of a layer, and which fields its names mean.
struct FieldCondition: Sendable {
  let condition: Condition
  let names: LayerNames
}

/// Whether features meet conditions, found by SQLite with a statement whose parameters are the values of a feature. So a
/// condition means the same as in a database.
///
/// GDAL's own evaluator is not asked: to it NOT of an unknown is true, a division by zero is 2147483647, dates have no
/// offset from UTC, and characters are bytes.
final class ConditionTest {
  private let database: OpaquePointer
  private var statement: OpaquePointer?
  private let parameters: [SQLWriter.Parameter]

  /// Call inside the guard, as for all below.
  ///
  /// - Parameter what: what the conditions are, for messages.
  init(_ conditions: [FieldCondition], _ what: String, _ policy: Policy) throws(EngineError) {
    var writer = SQLWriter()
    var texts: [String] = []
    for condition in conditions {
      writer.names = condition.names
      texts.append(try writer.write(condition.condition.root))
    }
    parameters = writer.parameters
    var opened: OpaquePointer?
    let status = DatabaseGuard.withOwnConnection {
      sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, nil)
    }
    guard status == SQLITE_OK, let database = opened, SQLiteLimits.set(database, policy) else {
      sqlite3_close(opened)
      throw EngineError(.outOfMemory, "SQLite has no memory for a connection.", domain: .system)
    }
    self.database = database
    for (number, list) in writer.lists.enumerated() {
      let values = list.values.joined(separator: "),(")
      try run(
        "CREATE TABLE list\(number + 1) (value \(list.affinity) PRIMARY KEY) WITHOUT ROWID;"
          + "INSERT OR IGNORE INTO list\(number + 1) VALUES (\(values))", what)
    }
    // One transaction for all features: otherwise each would begin one to read the lists.
    if !writer.lists.isEmpty { try run("BEGIN", what) }
    let text = "SELECT 1 WHERE \(texts.joined(separator: " AND "))"
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else { throw failure(what) }
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close(database)
  }

  private func run(_ text: String, _ what: String) throws(EngineError) {
    guard sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else { throw failure(what) }
  }

  private func failure(_ what: String) -> EngineError {
    let words = String(cString: sqlite3_errmsg(database))
    if words.contains("stack overflow") {
      return EngineError(
        .invalidArgument, "The \(what) is nested too deeply: SQLite holds some 30 levels of brackets that are needed.")
    }
    let isMemory = [SQLITE_NOMEM, SQLITE_TOOBIG].contains(sqlite3_errcode(database))
    return EngineError(
      isMemory ? .limitExceeded : .invalidArgument,
      "The \(what) cannot be used: \(words).")
  }

  /// The numbers of the fields that are looked at; of GDAL's special fields, too.
  var fields: [Int] { parameters.map { Int(truncatingIfNeeded: $0.field) } }

  func holds(_ feature: OGRFeatureH) throws(EngineError) -> Bool {
    for (index, parameter) in parameters.enumerated() {
      guard bind(Int32(truncatingIfNeeded: index + 1), parameter, feature) == SQLITE_OK else {
        throw failure("value of \(parameter.name) in feature \(OGR_F_GetFID(feature))")
      }
    }
    defer { sqlite3_reset(statement) }
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure("condition for feature \(OGR_F_GetFID(feature))")
    }
  }

  private func bind(_ number: Int32, _ parameter: SQLWriter.Parameter, _ feature: OGRFeatureH) -> Int32 {
    let field = parameter.field
    let special = field - OGR_F_GetFieldCount(feature)
    if special >= 0 { return bind(number, special: special, feature) }
    guard OGR_F_IsFieldSetAndNotNull(feature, field) != 0 else { return sqlite3_bind_null(statement, number) }
    switch parameter.type {
    case .integer:
      return sqlite3_bind_int64(statement, number, sqlite3_int64(OGR_F_GetFieldAsInteger64(feature, field)))
    case .real: return sqlite3_bind_double(statement, number, OGR_F_GetFieldAsDouble(feature, field))
    case .date, .time, .dateTime:
      let date = FeatureDate(feature, field)
      guard parameter.isMilliseconds else { return bind(number, date.text(parameter.type)) }
      let value = parameter.type == .time ? date.millisecondOfDay : date.millisecondOfEpoch
      return sqlite3_bind_int64(statement, number, sqlite3_int64(value))
    case .binary:
      var count: Int32 = 0
      let bytes = OGR_F_GetFieldAsBinary(feature, field, &count)
      return sqlite3_bind_blob(statement, number, bytes, count, nil)
    case .text:
      guard let text = OGR_F_GetFieldAsString(feature, field) else { return sqlite3_bind_null(statement, number) }
      // The same text that a query returns, which need not be what the file has.
      if String(validatingCString: text) == nil { return bind(number, gdalText(text)) }
      return sqlite3_bind_text(statement, number, text, -1, nil)
    case .integerList, .realList, .textList: return bind(number, OGR_F_GetFieldAsString(feature, field))
    }
  }

  /// Binds one of GDAL's special fields, in the order of `LayerNames`.
  private func bind(_ number: Int32, special: Int32, _ feature: OGRFeatureH) -> Int32 {
    if special == 0 { return sqlite3_bind_int64(statement, number, sqlite3_int64(OGR_F_GetFID(feature))) }
    if special == 2 { return bind(number, OGR_F_GetStyleString(feature)) }
    guard let geometry = OGR_F_GetGeometryRef(feature) else { return sqlite3_bind_null(statement, number) }
    switch special {
    case 1: return bind(number, OGR_G_GetGeometryName(geometry))
    case 3:
      var text: UnsafeMutablePointer<CChar>?
      _ = OGR_G_ExportToWkt(geometry, &text)
      defer { VSIFree(text) }
      return bind(number, text)
    default: return sqlite3_bind_double(statement, number, OGR_G_Area(geometry))
    }
  }

  private func bind(_ number: Int32, _ text: UnsafePointer<CChar>?) -> Int32 {
    text == nil ? sqlite3_bind_null(statement, number) : bind(number, gdalText(text))
  }

  /// Binds a text that SQLite copies.
  private func bind(_ number: Int32, _ text: String) -> Int32 {
    // Right: SQLite's name for this is a macro, -1 as a pointer to a function.
    sqlite3_bind_text(statement, number, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }
}
