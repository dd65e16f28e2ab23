import AlidadeBase
import CGDAL

/// What a host may say in SQL.
enum FeatureSQL {
  /// A condition on the features of a layer. Call inside the guard.
  ///
  /// - Parameters:
  ///   - what: what it is, for messages.
  ///   - rows: what is left to do with the rows of a result.
  ///   - isTable: the layer is a table or a view of an SQLite database, and no result of a statement.
  static func filter(
    _ condition: String, _ what: String, _ layer: OGRLayerH, isTable: Bool, _ rows: RowFilter?, _ policy: Policy
  ) throws(EngineError) -> LayerFilter {
    if policy.allowsSQL { return LayerFilter(gdal: condition) }
    let condition = try Condition(condition, what)
    guard isTable else {
      let names = LayerNames(ofFields: layer, shown: rows?.fieldCount)
      return LayerFilter(own: [FieldCondition(condition: condition, names: names)])
    }
    var writer = SQLWriter()
    writer.names = LayerNames(ofTable: layer)
    return LayerFilter(gdal: try writer.write(condition.root))
  }

  /// Throws unless a condition can be one, whatever the layer is.
  static func check(condition: String, _ what: String, _ policy: Policy) throws(EngineError) {
    if policy.allowsSQL { try checkOpen(condition: condition, what) } else { _ = try Condition(condition, what) }
  }

  /// Throws unless a statement can be one, whatever the file is.
  static func check(statement: String, _ policy: Policy) throws(EngineError) {
    if policy.allowsSQL { try checkOpen(statement: statement) } else { _ = try SelectStatement(statement) }
  }

  // MARK: As the host writes it, where the policy allows that

  /// Throws unless a statement only selects, and from layers of the opened file alone.
  ///
  /// GDAL's own dialect is used for every format: SQLite's dialect can open files in ways that the text does not show.
  private static func checkOpen(statement: String) throws(EngineError) {
    // GDAL takes these apart otherwise than this does.
    for mark in ["\\", "--", "/*", "`", "["] where SQLText.holds(statement, mark) {
      throw refusal("has \(mark) in it", "Write it without.")
    }
    let tokens = SQLTokens.read(statement)
    guard let first = tokens.first(where: { $0.text != "(" }), first.isWord("select") else {
      throw EngineError(.invalidArgument, "The statement does not begin with SELECT; a source can only be read.")
    }
    try requireBalance(tokens, "statement")
    for (index, token) in tokens.enumerated() where token.isWord("from") || token.isWord("join") {
      let rest = tokens[(index &+ 1)...].prefix(2).map { $0 }
      guard rest.count == 2, rest[1] == SQLToken(kind: .sign, text: ".") else { continue }
      throw refusal(
        "names the layer of another source, \(ReferenceRule.short(rest[0].text))",
        "Only layers of the opened file can be named. A layer's name with a point in it is written in quotes.")
    }
  }

  private static func refusal(_ what: String, _ remedy: String) -> EngineError {
    EngineError(.policyRefused, "The statement \(what) (rule: \(ReferenceRule.query.rawValue)). \(remedy)")
  }

  /// Throws unless a condition can be combined with others in brackets.
  private static func checkOpen(condition: String, _ what: String) throws(EngineError) {
    let tokens = SQLTokens.read(condition)
    guard !tokens.isEmpty else { throw EngineError(.invalidArgument, "The \(what) is empty.") }
    try requireBalance(tokens, what)
    if tokens.contains(where: { $0.kind == .comment || $0 == SQLToken(kind: .sign, text: ";") }) {
      throw EngineError(.invalidArgument, "The \(what) has a comment or a semicolon in it; it must be one condition.")
    }
  }

  private static func requireBalance(_ tokens: [SQLToken], _ what: String) throws(EngineError) {
    var depth = 0
    for token in tokens where token.kind == .sign {
      if token.text == "(" { depth &+= 1 }
      if token.text == ")" { depth &-= 1 }
      if depth < 0 { break }
    }
    if depth != 0 { throw EngineError(.invalidArgument, "The brackets in the \(what) do not match.") }
  }

  /// Conditions that all have to hold; nil: there is none.
  static func conjunction(_ conditions: [String?]) -> String? {
    let given = conditions.compactMap { $0 }
    return given.isEmpty ? nil : given.count == 1 ? given[0] : given.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// Whether the result of a statement is rows of one table, with their ids and in their order.
  static func keepsRows(_ statement: String) -> Bool {
    let others = ["order", "union", "join", "distinct"]
    return !SQLTokens.read(statement).contains { token in others.contains { token.isWord($0) } }
  }

  /// The condition that a row of a database has one of some ids. OGR SQL's own name for ids, FID, is no use: a field of
  /// that name hides it.
  static func condition(ids: ArraySlice<Int64>, column: String) -> String {
    return "\(SQLText.name(column)) IN (\(ids.map { String($0) }.joined(separator: ",")))"
  }
}

/// What the features of a layer must meet, and who looks at it.
struct LayerFilter: Sendable {
  /// GDAL, by a condition that is set on the layer; nil: nothing.
  var gdal: String?
  /// This library, feature by feature.
  var own: [FieldCondition] = []

  var isEmpty: Bool { gdal == nil && own.isEmpty }

  func and(_ other: LayerFilter?) -> LayerFilter {
    guard let other else { return self }
    return LayerFilter(gdal: FeatureSQL.conjunction([gdal, other.gdal]), own: own + other.own)
  }
}
