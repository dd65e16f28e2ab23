import AlidadeBase
import CGDAL

/// A SELECT from one layer, without what could reach another source or take longer than its features are many:
///
///     SELECT [DISTINCT] (item {"," item}) FROM layer [[AS] name] [WHERE condition]
///       [ORDER BY column [ASC | DESC] {"," ...}] [LIMIT number] [OFFSET number]
///     item = "*" | (COUNT | MIN | MAX | AVG | SUM) "(" [DISTINCT] (column | "*") ")" [[AS] name] | sum [[AS] name]
struct SelectStatement {
  private indirect enum Item {
    case all
    case value(SQLExpression)
    /// - Parameter of: nil: all rows.
    case summary(String, isDistinct: Bool, of: SQLExpression?)
  }

  private let isDistinct: Bool
  private let items: [(item: Item, name: String?)]
  /// The name of the layer.
  let table: String
  private let otherName: String?
  private let condition: SQLExpression?
  private let order: [(key: SQLExpression, direction: String)]
  private let limit: Int?
  private let offset: Int?

  /// Reads a statement.
  init(_ text: String) throws(EngineError) {
    var parser = SQLParser(text, "statement")
    guard parser.take(word: "select") else {
      throw EngineError(.invalidArgument, "The statement does not begin with SELECT; a source can only be read.")
    }
    isDistinct = parser.take(word: "distinct")
    var items: [(Item, String?)] = []
    repeat { items.append(try Self.item(&parser)) } while parser.take(sign: ",")
    self.items = items
    try parser.require(word: "from")
    (table, otherName) = try Self.table(&parser)
    condition = parser.take(word: "where") ? try parser.condition() : nil
    var order: [(SQLExpression, String)] = []
    if parser.take(word: "order") {
      try parser.require(word: "by")
      repeat {
        let key = try parser.sum()
        order.append((key, parser.take(word: "desc") ? " DESC" : parser.take(word: "asc") ? " ASC" : ""))
      } while parser.take(sign: ",")
    }
    self.order = order
    limit = try Self.number(after: "limit", &parser)
    offset = try Self.number(after: "offset", &parser)
    if let word = ["join", "left", "inner", "union", "group", "having"].first(where: { parser.token.isWord($0) }) {
      throw parser.refusal(word.uppercased())
    }
    guard parser.token.kind == .end else { throw parser.unexpected("the end") }
  }

  // MARK: Reading

  private static func number(after word: String, _ parser: inout SQLParser) throws(EngineError) -> Int? {
    guard parser.take(word: word) else { return nil }
    guard parser.token.kind == .number, let number = Int(parser.token.text, radix: 10) else {
      throw parser.unexpected("a number")
    }
    parser.advance()
    return number
  }

  private static func item(_ parser: inout SQLParser) throws(EngineError) -> (Item, String?) {
    if parser.take(sign: "*") { return (.all, nil) }
    let start = parser
    let word = parser.token.text.uppercased()
    let isSummary = ["count", "min", "max", "avg", "sum"].contains { parser.token.isWord($0) }
    parser.advance()
    if isSummary, parser.take(sign: "(") {
      let isDistinct = parser.take(word: "distinct")
      let column = parser.take(sign: "*") ? nil : try parser.sum()
      if parser.take(sign: ")") { return (.summary(word, isDistinct: isDistinct, of: column), try name(&parser)) }
    }
    // What only looked like one.
    parser = start
    return (.value(try parser.sum()), try name(&parser))
  }

  private static func name(_ parser: inout SQLParser) throws(EngineError) -> String? {
    let isNamed = parser.take(word: "as")
    let isName = parser.token.kind == .name || (parser.token.kind == .word && !parser.token.isWord("from"))
    guard isName else {
      if isNamed { throw parser.unexpected("a name") }
      return nil
    }
    defer { parser.advance() }
    return parser.token.text
  }

  private static func table(_ parser: inout SQLParser) throws(EngineError) -> (String, String?) {
    let first = parser.token
    if parser.token.isSign("(") { throw parser.refusal("a bracket behind FROM") }
    guard first.kind == .name || first.kind == .word || first.kind == .text else { throw parser.unexpected("a layer") }
    parser.advance()
    if parser.token.isSign(".") {
      throw EngineError(
        .policyRefused,
        "The statement names the layer of another source, \(ReferenceRule.short(first.text)) (rule: "
          + "\(ReferenceRule.query.rawValue)). Only layers of the opened file can be named. A layer's name with a point "
          + "in it is written in double quotes.")
    }
    if parser.token.isSign(",") { throw parser.refusal("several layers") }
    let words = ["where", "order", "limit", "offset", "join", "left", "inner", "union", "group", "having"]
    return (first.text, words.contains { parser.token.isWord($0) } ? nil : try name(&parser))
  }

  // MARK: Writing

  /// Whether the result is not rows of the layer, but what sums them up.
  var isSummary: Bool {
    isDistinct || items.contains { if case .summary = $0.item { true } else { false } }
  }

  private func names(_ layer: LayerNames) -> LayerNames {
    var names = layer
    names.tables = Set([table, otherName].compactMap { $0 }.map { SQLText.lowercased($0) })
    return names
  }

  private var source: String {
    "FROM \(SQLText.name(table))" + (otherName.map { " AS \(SQLText.name($0))" } ?? "")
  }

  private var ending: String {
    (limit.map { " LIMIT \($0)" } ?? (offset == nil ? "" : " LIMIT -1")) + (offset.map { " OFFSET \($0)" } ?? "")
  }

  /// The statement for SQLite, if it sums up. Call inside the guard.
  ///
  /// - Parameter isVirtual: as for `LayerNames`.
  func summary(of layer: OGRLayerH, isVirtual: Bool) throws(EngineError) -> String {
    var writer = SQLWriter()
    writer.names = names(LayerNames(ofTable: layer, isVirtual: isVirtual))
    let filter = try condition.map { (condition) throws(EngineError) in try writer.write(condition) }
    writer.names = names(LayerNames(ofTable: layer))
    var texts: [String] = []
    for (index, (item, name)) in items.enumerated() {
      switch item {
      case .all: texts.append("*")
      case .value(let value):
        let column = try writer.known(value)?.name
        texts.append("\(try writer.write(value)) AS \(SQLText.name(name ?? column ?? "FIELD_\(index + 1)"))")
      case .summary(let function, let isDistinct, let value):
        let column = try value.map { (value) throws(EngineError) in try writer.known(value) } ?? nil
        let its = try value.map { (value) throws(EngineError) in try writer.write(value) } ?? "*"
        let text: String
        if ["MIN", "MAX"].contains(function), let column {
          // As the value of a column it has the column's type, and dates are compared as such.
          let filters = ["\(its) IS NOT NULL", filter].compactMap { $0 }.joined(separator: " AND ")
          let key = "\(SQLWriter.key(column)) \(function == "MAX" ? "DESC" : "ASC")"
          text = "(SELECT \(its) \(source) WHERE \(filters) ORDER BY \(key) LIMIT 1)"
        } else {
          if ["SUM", "AVG"].contains(function), let column, ![.integer, .real].contains(column.type) {
            throw EngineError(.invalidArgument, "\(function) needs numbers; the column \(column.name) has none.")
          }
          text = "\(function)(\(isDistinct ? "DISTINCT " : "")\(its))"
        }
        texts.append("\(text) AS \(SQLText.name(name ?? "\(function)_\(column?.name ?? "*")"))")
      }
    }
    writer.names.others = Set(items.compactMap(\.name).map { SQLText.lowercased($0) })
    var keys: [String] = []
    for (key, direction) in order { keys.append(try writer.write(key) + direction) }
    return "SELECT \(isDistinct ? "DISTINCT " : "")\(texts.joined(separator: ", ")) \(source)"
      + (filter.map { " WHERE \($0)" } ?? "")
      + (keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ", "))") + ending
  }

  /// The statement for GDAL's own SQL, if its result is rows of the layer. Its condition and its limits are not in it:
  /// `rest` says what is left to do. Call inside the guard.
  func rows(of layer: OGRLayerH) throws(EngineError) -> String {
    let writer = RowWriter(names: names(LayerNames(ofFields: layer)))
    var texts: [String] = []
    for (item, name) in items {
      guard case .value(let value) = item else {
        texts.append("*")
        continue
      }
      texts.append(try writer.write(value) + (name.map { " AS \(SQLText.name($0))" } ?? ""))
    }
    for (index, column) in try columnsOfCondition(layer).enumerated() {
      let name = try writer.write(.column(column.name, table: nil))
      texts.append("\(name) AS \(SQLText.name(Self.hiddenName(index)))")
    }
    var keys: [String] = []
    for (key, direction) in order { keys.append(try writer.write(key) + direction) }
    return "SELECT \(texts.joined(separator: ", ")) \(source)"
      + (keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ", "))") + (condition == nil ? ending : "")
  }

  /// What the condition looks at comes behind the fields that were asked for, and is not shown.
  private static func hiddenName(_ index: Int) -> String { "alidade_where_\(index)" }

  private func columnsOfCondition(_ layer: OGRLayerH) throws(EngineError) -> [LayerNames.Column] {
    guard let condition else { return [] }
    var writer = SQLWriter()
    writer.names = names(LayerNames(ofFields: layer))
    _ = try writer.write(condition)
    var columns: [LayerNames.Column] = []
    for parameter in writer.parameters where !columns.contains(where: { $0.field == parameter.field }) {
      columns.append(LayerNames.Column(name: parameter.name, type: parameter.type, field: parameter.field))
    }
    return columns
  }

  /// What is left to do with the rows that GDAL finds; nil: nothing. Call inside the guard.
  ///
  /// - Parameter result: the layer that `rows` led to.
  func rest(of layer: OGRLayerH, in result: OGRLayerH) throws(EngineError) -> RowFilter? {
    guard let condition else { return nil }
    let definition = OGR_L_GetLayerDefn(result)
    let columns = try columnsOfCondition(layer)
    let places = columns.indices.map { OGR_FD_GetFieldIndex(definition, Self.hiddenName($0)) }
    let fieldCount = Int(truncatingIfNeeded: OGR_FD_GetFieldCount(definition)) - columns.count
    guard places.allSatisfy({ $0 >= fieldCount }) else {
      throw EngineError(.internal, "GDAL does not return the columns of the statement's condition.")
    }
    let numbers = zip(columns.compactMap(\.field), places)
    let names = names(LayerNames(ofFields: layer)).moved(to: Dictionary(uniqueKeysWithValues: numbers))
    return RowFilter(
      condition: FieldCondition(condition: Condition(condition), names: names), limit: limit, offset: offset ?? 0,
      fieldCount: fieldCount)
  }
}

/// What is left to do with the rows that GDAL finds for a statement.
struct RowFilter: Sendable {
  let condition: FieldCondition
  /// Of the rows that meet the condition; nil: all.
  let limit: Int?
  let offset: Int
  /// The fields behind these are there for the condition.
  let fieldCount: Int
}

/// Writes the columns of a statement in GDAL's own SQL.
private struct RowWriter {
  let names: LayerNames

  func write(_ expression: SQLExpression) throws(EngineError) -> String {
    switch expression {
    case .null: return "NULL"
    case .number(let text): return SQLWriter.number(text)
    case .text(let text): return try quoted(text)
    case .column(let name, let table):
      let column = try names.column(name, table)
      return (table == nil ? "" : "\(try identifier(table ?? "")).") + (try identifier(column?.name ?? name))
    case .negative(let inner): return "(-\(try write(inner)))"
    case .pair(let sign, let left, let right)
    where ["+", "-", "*"].contains(sign) || (["/", "%"].contains(sign) && Self.isDivisor(right)):
      return "(\(try write(left)) \(sign) \(try write(right)))"
    case .joined(let left, let right): return "CONCAT(\(try write(left)), \(try write(right)))"
    case .call("concat", let arguments):
      var texts: [String] = []
      for argument in arguments { texts.append(try write(argument)) }
      return "CONCAT(\(texts.joined(separator: ", ")))"
    case .cast(let inner, .integer): return "CAST(\(try write(inner)) AS bigint)"
    case .cast(let inner, .real): return "CAST(\(try write(inner)) AS float)"
    case .cast(let inner, .text(nil)): return "CAST(\(try write(inner)) AS character)"
    case .pair("/", _, _), .pair("%", _, _):
      throw EngineError(
        .unsupported,
        "A column of a statement is divided by something that may be 0, which GDAL takes for 2147483647. Only numbers can "
          + "be divided by; divide what the query returns.")
    case .call("substr", _), .call("substring", _), .cast(_, .text):
      throw EngineError(
        .unsupported,
        "A column of a statement is a part of a text, of which GDAL counts the bytes instead of the characters. Take the "
          + "part of what the query returns.")
    case .pair, .not, .chain, .like, .among, .between, .isNull, .call:
      throw EngineError(
        .unsupported,
        "GDAL computes the columns of a statement, and has + - * || CONCAT and CAST for that, and / and % with a "
          + "number. Conditions and other functions can stand behind WHERE.")
    }
  }

  /// Whether an expression is a number other than 0.
  private static func isDivisor(_ expression: SQLExpression) -> Bool {
    switch expression {
    case .number(let text): Double(text) != 0
    case .negative(let inner): isDivisor(inner)
    default: false
    }
  }

  private func quoted(_ text: String) throws(EngineError) -> String {
    if SQLText.holds(text, "\\'") || SQLText.ends(text, with: UInt8(ascii: "\\")) {
      throw EngineError(
        .invalidArgument,
        "The text '\(ReferenceRule.short(text))' has a backslash before a quote or at its end, which GDAL's SQL cannot "
          + "express.")
    }
    return SQLText.literal(text)
  }

  private func identifier(_ name: String) throws(EngineError) -> String {
    if SQLText.holds(name, "\"") || SQLText.ends(name, with: UInt8(ascii: "\\")) {
      throw EngineError(
        .invalidArgument,
        "The name \(ReferenceRule.short(name)) has a quote or a backslash that GDAL's SQL cannot express.")
    }
    return SQLText.name(name)
  }
}
