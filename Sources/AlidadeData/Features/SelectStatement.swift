import AlidadeBase
import CGDAL

/// A SELECT from one layer, without what could reach another source or take longer than its features are many:
///
///     SELECT [DISTINCT] (item {"," item}) FROM layer [[AS] name] [WHERE condition]
///       [ORDER BY sum [ASC | DESC] {"," ...}] [LIMIT number] [OFFSET number]
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
    try Condition.checkLength(text, "statement")
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
    let sums = items.filter { if case .summary = $0.0 { true } else { false } }
    guard sums.isEmpty || sums.count == items.count else {
      throw EngineError(
        .invalidArgument,
        "The statement mixes columns with \(Self.functions.joined(separator: ", ")), which sum up rows.")
    }
  }

  private static let functions = ["COUNT", "MIN", "MAX", "AVG", "SUM"]

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
    let isSummary = functions.contains { parser.token.isWord($0.lowercased()) }
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

  /// The statement for SQLite, if it sums up. Call inside the guard.
  ///
  /// - Parameter isVirtual: as for `LayerNames`.
  func summary(of layer: OGRLayerH, isVirtual: Bool) throws(EngineError) -> String {
    var writer = SQLWriter()
    writer.names = names(LayerNames(ofTable: layer, isVirtual: isVirtual))
    let filter = try condition.map { (condition) throws(EngineError) in try writer.write(condition) }
    // What is not compared keeps the types of its columns.
    writer.names.isVirtual = false
    var texts: [String] = []
    var names = try ResultNames(items.compactMap(\.name))
    /// - Parameters:
    ///   - given: as the statement names it; nil: it does not.
    ///   - type: nil: whatever comes out.
    func add(_ text: String, as given: String?, or own: String, _ type: FieldType?) throws(EngineError) {
      let name = given ?? names.free(own)
      // By such a name GeoPackage's driver would take the type of that column.
      if !isVirtual, let other = writer.names.type(of: name), other != type {
        throw EngineError(
          .invalidArgument,
          "The result's \(ReferenceRule.short(name)) has the name of a column of another type. Give it its own: AS name."
        )
      }
      texts.append("\(text) AS \(SQLText.name(name))")
    }
    for (index, (item, name)) in items.enumerated() {
      switch item {
      case .all:
        texts.append("*")
        names.taken.formUnion(writer.names.all)
      case .value(let value):
        let column = try writer.known(value)
        var (text, own) = (try writer.write(value), column?.name ?? "FIELD_\(index + 1)")
        if let column, case .column(let name, _) = value, writer.names.isID(column) {
          // What GeoPackage's driver knows as its column of ids is no field to it.
          (text, own) = ("CAST(\(text) AS INTEGER)", name)
        }
        try add(text, as: name, or: own, column?.type)
      case .summary(let function, let isDistinct, let value):
        let column = try value.map { (value) throws(EngineError) in try writer.known(value) } ?? nil
        let its = try value.map { (value) throws(EngineError) in try writer.write(value) } ?? "*"
        if ["SUM", "AVG"].contains(function), let column, ![.integer, .real].contains(column.type) {
          throw EngineError(.invalidArgument, "\(function) needs numbers; the column \(column.name) has none.")
        }
        let isExtreme = ["MIN", "MAX"].contains(function)
        let key = isExtreme ? column.map(SQLWriter.key) ?? its : its
        let type = isExtreme ? column.map { key == SQLText.name($0.name) ? $0.type : .text } : column?.type ?? .integer
        let text = "\(function)(\(isDistinct ? "DISTINCT " : "")\(key))"
        var given: String?
        if case .column(let name, _) = value { given = name }
        try add(text, as: name, or: "\(function)_\(given ?? "*")", function == "COUNT" ? .integer : type)
      }
    }
    writer.names.others = Set(items.compactMap(\.name).map { SQLText.lowercased($0) })
    var keys: [String] = []
    for (key, direction) in order { keys.append(try writer.write(key) + direction) }
    let limits =
      (limit.map { " LIMIT \($0)" } ?? (offset == nil ? "" : " LIMIT -1")) + (offset.map { " OFFSET \($0)" } ?? "")
    return "SELECT \(isDistinct ? "DISTINCT " : "")\(texts.joined(separator: ", ")) FROM \(SQLText.name(table))"
      + (otherName.map { " AS \(SQLText.name($0))" } ?? "") + (filter.map { " WHERE \($0)" } ?? "")
      + (keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ", "))") + limits
  }

  /// The statement for GDAL's own SQL, if its result is rows of the layer. Its condition and its limits are not in it:
  /// `rest` says what is left to do. Call inside the guard.
  func rows(of layer: OGRLayerH) throws(EngineError) -> String {
    let fieldCount = OGR_FD_GetFieldCount(OGR_L_GetLayerDefn(layer))
    let writer = RowWriter(names: names(LayerNames(ofFields: layer)), fieldCount: fieldCount)
    var texts: [String] = []
    for (item, name) in items {
      guard case .value(let value) = item else {
        texts.append("*")
        continue
      }
      let text = try writer.write(value)
      texts.append(try name.map { (name) throws(EngineError) in "\(text) AS \(try writer.identifier(name))" } ?? text)
    }
    for (index, column) in try columnsOfCondition(layer).enumerated() {
      // Of GDAL's special fields, ids go by their column's name; a geometry itself is no field.
      let special = Int(truncatingIfNeeded: (column.field ?? 0) - fieldCount)
      let name = special > 0 ? LayerNames.specialNames[special] : column.name
      texts.append("\(try writer.identifier(name)) AS \(SQLText.name(Self.hiddenName(index)))")
    }
    var keys: [String] = []
    for (key, direction) in order { keys.append(try writer.write(key) + direction) }
    let other = try otherName.map { (name) throws(EngineError) in " AS \(try writer.identifier(name))" } ?? ""
    return "SELECT \(texts.joined(separator: ", ")) FROM \(try writer.identifier(table))\(other)"
      + (keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ", "))")
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
    if condition == nil, limit == nil, offset == nil { return nil }
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
      condition: condition.map { FieldCondition(condition: Condition($0), names: names) }, limit: limit,
      offset: offset ?? 0, fieldCount: fieldCount)
  }
}

/// The names of the columns of a result that sums up rows. GDAL keeps only the first of two columns with the same name,
/// and drops a column whose name it reserves for ids.
private struct ResultNames {
  /// In lower case.
  var taken: Set<[UInt8]>

  /// - Parameter given: the names in the statement.
  init(_ given: [String]) throws(EngineError) {
    let ids = ["fid", "ogc_fid", "_rowid_"]
    taken = []
    for name in given {
      let key = SQLText.lowercased(name)
      if ids.contains(where: { key == SQLText.lowercased($0) }) {
        throw EngineError(
          .invalidArgument,
          "A column of the result is called \(name), which GDAL takes for the ids of rows. Give it another name.")
      }
      guard taken.insert(key).inserted else {
        throw EngineError(
          .invalidArgument,
          "Two columns of the result are called \(ReferenceRule.short(name)). Give each a name of its own.")
      }
    }
    taken.formUnion(ids.map { SQLText.lowercased($0) })
  }

  /// A name, with a number behind it if the name is taken.
  mutating func free(_ name: String) -> String {
    var (free, number) = (name, 1)
    while !taken.insert(SQLText.lowercased(free)).inserted {
      number &+= 1
      free = "\(name)_\(number)"
    }
    return free
  }
}

/// What is left to do with the rows that GDAL finds for a statement.
struct RowFilter: Sendable {
  /// nil: none.
  let condition: FieldCondition?
  /// Of the rows that meet the condition; nil: all.
  let limit: Int?
  let offset: Int
  /// The fields behind these are there for the condition.
  let fieldCount: Int
}

/// Writes the columns of a statement in GDAL's own SQL.
private struct RowWriter {
  let names: LayerNames
  /// Of the layer. GDAL's special fields have the numbers after it.
  let fieldCount: Int32

  func write(_ expression: SQLExpression) throws(EngineError) -> String {
    switch expression {
    case .null: return "NULL"
    case .number(let text): return SQLWriter.number(text)
    case .text(let text): return try quoted(text)
    case .column(let name, let table):
      let column = try names.column(name, table)
      if column?.type == .text, let field = column?.field, field > fieldCount, !name.uppercased().hasPrefix("OGR_") {
        throw EngineError(
          .invalidArgument, "The column \(ReferenceRule.short(name)) is the geometry, which is in the result anyway.")
      }
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

  func identifier(_ name: String) throws(EngineError) -> String {
    if SQLText.holds(name, "\"") || SQLText.ends(name, with: UInt8(ascii: "\\")) {
      throw EngineError(
        .invalidArgument,
        "The name \(ReferenceRule.short(name)) has a quote or a backslash that GDAL's SQL cannot express.")
    }
    return SQLText.name(name)
  }
}
