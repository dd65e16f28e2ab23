import AlidadeBase
import CGDAL

/// A condition on the attributes of a feature: the part of SQL's WHERE that can neither reach outside of its layer nor
/// take longer than the features are many.
///
/// GDAL gives a condition to SQLite as it stands, where a function may open a file and a sub-select may never end. So a
/// condition is read here, by this grammar, and written anew for whoever evaluates it:
///
///     condition  = conjunction { OR conjunction }
///     conjunction = negation { AND negation }
///     negation   = NOT negation | comparison
///     comparison = sum [ (= | == | <> | != | < | <= | > | >=) sum
///                      | IS [NOT] NULL
///                      | [NOT] IN "(" literal { "," literal } ")"
///                      | [NOT] BETWEEN sum AND sum
///                      | [NOT] (LIKE | ILIKE) text [ESCAPE text] ]
///     sum        = product { (+ | - | "||") product }
///     product    = factor { (* | / | %) factor }
///     factor     = [+ | -] factor | literal | column | function "(" ... ")" | CAST "(" sum AS type ")" | "(" condition ")"
struct Condition {
  fileprivate let root: SQLExpression

  /// The longest text of a condition, in bytes.
  private static let longest = 1 << 20

  /// Reads a condition.
  ///
  /// - Parameter what: what it is, for messages.
  init(_ text: String, _ what: String) throws(EngineError) {
    guard text.utf8.count <= Self.longest else {
      throw EngineError(.invalidArgument, "The \(what) is longer than \(Self.longest) bytes.")
    }
    var parser = SQLParser(text, what)
    if parser.token.kind == .end { throw EngineError(.invalidArgument, "The \(what) is empty.") }
    root = try parser.condition()
    guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end") }
  }

  /// The condition as the evaluator of a layer reads it.
  func written(for names: LayerNames) throws(EngineError) -> String {
    var writer = SQLWriter(names: names)
    return try writer.write(root)
  }
}

/// What a condition may name, and who evaluates it.
struct LayerNames {
  enum Dialect {
    /// GDAL's own SQL.
    case ogr
    case sqlite
  }

  let dialect: Dialect
  /// The columns by their names in lower case; nil: any name is a column's, which GDAL looks up.
  fileprivate let columns: [[UInt8]: String]?
  /// For messages.
  fileprivate let format: String

  /// For the names of a statement's tables, which GDAL looks up.
  static let ofStatement = LayerNames(dialect: .ogr, columns: nil, format: "a statement")

  private init(dialect: Dialect, columns: [[UInt8]: String]?, format: String) {
    self.dialect = dialect
    self.columns = columns
    self.format = format
  }

  /// Call inside the guard.
  init(_ layer: OGRLayerH, driver: String) {
    dialect = ["GPKG", "SQLite"].contains(driver) ? .sqlite : .ogr
    format = driver
    let definition = OGR_L_GetLayerDefn(layer)
    var names = (0..<max(0, OGR_FD_GetFieldCount(definition))).compactMap { number in
      OGR_FD_GetFieldDefn(definition, number).map { gdalText(OGR_Fld_GetNameRef($0)) }
    }
    names += [gdalText(OGR_L_GetFIDColumn(layer)), gdalText(OGR_L_GetGeometryColumn(layer))]
    names += dialect == .ogr ? ["FID", "OGR_GEOMETRY", "OGR_STYLE", "OGR_GEOM_WKT", "OGR_GEOM_AREA"] : ["rowid"]
    columns = Dictionary(names.map { (SQLText.lowercased($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A condition or a part of one.
private indirect enum SQLExpression {
  case null
  case number(String)
  case text(String)
  /// - Parameter table: what stands before the point; nil: nothing.
  case column(String, table: String?)
  case negative(SQLExpression)
  case not(SQLExpression)
  /// Several parts joined by AND or OR.
  case chain(String, [SQLExpression])
  /// Two parts with a comparison or an arithmetic sign between them.
  case pair(String, SQLExpression, SQLExpression)
  case joined(SQLExpression, SQLExpression)
  case like(SQLExpression, Pattern, isNegated: Bool)
  case among(SQLExpression, [SQLExpression], isNegated: Bool)
  case between(SQLExpression, SQLExpression, SQLExpression, isNegated: Bool)
  case isNull(SQLExpression, isNegated: Bool)
  case call(String, [SQLExpression])
  case cast(SQLExpression, CastType)

  struct Pattern {
    let word: String
    let text: String
    let escape: String?
  }

  enum CastType {
    case integer, real
    /// - Parameter width: in characters; nil: all.
    case text(width: Int?)
  }
}

// MARK: Reading

/// Reads the grammar of `Condition` from a text.
private struct SQLParser {
  private let tokens: [SQLToken]
  private let what: String
  private var place = 0
  private var depth = 0
  /// How deep brackets and signs may be nested.
  private static let deepest = 64

  init(_ text: String, _ what: String) {
    tokens = SQLTokens.read(text)
    self.what = what
    end = SQLToken(kind: .end, text: "", position: text.utf8.count)
  }

  private let end: SQLToken

  var token: SQLToken { place < tokens.count ? tokens[place] : end }
  private var following: SQLToken { place &+ 1 < tokens.count ? tokens[place &+ 1] : end }

  mutating func advance() { place &+= 1 }

  mutating func take(word: String) -> Bool {
    guard token.isWord(word) else { return false }
    advance()
    return true
  }

  mutating func take(sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func require(word: String) throws(EngineError) {
    if !take(word: word) { throw unexpected(word.uppercased()) }
  }

  mutating func require(sign: String) throws(EngineError) {
    if !take(sign: sign) { throw unexpected("\"\(sign)\"") }
  }

  func unexpected(_ wanted: String) -> EngineError {
    let place = "The \(what) cannot be used: at byte \(token.position) "
    let found: String
    switch token.kind {
    case .end: return EngineError(.invalidArgument, "\(place)it ends, where \(wanted) is expected.")
    case .broken:
      let text = ReferenceRule.short(token.text)
      return EngineError(
        .invalidArgument, "\(place)stands \"\(text)\", which is a quote without an end or no part of SQL.")
    case .comment: found = "a comment"
    case .text: found = "the text '\(ReferenceRule.short(token.text))'"
    default: found = "\"\(ReferenceRule.short(token.text))\""
    }
    return EngineError(.invalidArgument, "\(place)stands \(found), where \(wanted) is expected.")
  }

  /// Why something is refused that SQL has and this grammar has not.
  func refusal(_ found: String) -> EngineError {
    EngineError(
      .policyRefused,
      "The \(what) uses \(found), which is outside of what the runtime's policy allows (rule: "
        + "\(ReferenceRule.query.rawValue)). Set the policy flag ALLOW_SQL to have conditions and statements run as they are "
        + "written.")
  }

  /// Runs `body` one level deeper.
  private mutating func deeper<Result>(
    _ body: (inout SQLParser) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    guard depth < Self.deepest else {
      throw EngineError(
        .invalidArgument, "The \(what) is nested more than \(Self.deepest) deep. Write it with fewer brackets.")
    }
    depth &+= 1
    defer { depth &-= 1 }
    return try body(&self)
  }

  mutating func condition() throws(EngineError) -> SQLExpression {
    try deeper { (parser: inout SQLParser) throws(EngineError) in
      try parser.chain("or") { (parser: inout SQLParser) throws(EngineError) in
        try parser.chain("and") { (parser: inout SQLParser) throws(EngineError) in try parser.negation() }
      }
    }
  }

  private mutating func chain(
    _ word: String, _ part: (inout SQLParser) throws(EngineError) -> SQLExpression
  ) throws(EngineError) -> SQLExpression {
    let first = try part(&self)
    var parts = [first]
    while take(word: word) { parts.append(try part(&self)) }
    return parts.count == 1 ? first : .chain(word.uppercased(), parts)
  }

  private mutating func negation() throws(EngineError) -> SQLExpression {
    guard take(word: "not") else { return try comparison() }
    return try deeper { (parser: inout SQLParser) throws(EngineError) in .not(try parser.negation()) }
  }

  private static let comparisons = [
    "=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
  ]

  private mutating func comparison() throws(EngineError) -> SQLExpression {
    let left = try sum()
    if token.kind == .sign, let sign = Self.comparisons[token.text] {
      advance()
      return .pair(sign, left, try sum())
    }
    if take(word: "is") {
      let isNegated = take(word: "not")
      try require(word: "null")
      return .isNull(left, isNegated: isNegated)
    }
    let isNegated = token.isWord("not")
    if isNegated { advance() }
    if take(word: "in") { return .among(left, try literals(), isNegated: isNegated) }
    if take(word: "between") {
      let low = try sum()
      try require(word: "and")
      return .between(left, low, try sum(), isNegated: isNegated)
    }
    if token.isWord("like") || token.isWord("ilike") { return try like(left, isNegated) }
    if let word = ["glob", "regexp", "match"].first(where: { token.isWord($0) }) { throw refusal(word.uppercased()) }
    if isNegated { throw unexpected("IN, BETWEEN or LIKE") }
    return left
  }

  private mutating func literals() throws(EngineError) -> [SQLExpression] {
    try require(sign: "(")
    if token.isWord("select") { throw refusal("SELECT") }
    var list: [SQLExpression] = []
    repeat {
      let isNegative = take(sign: "-")
      let literal = token
      switch literal.kind {
      case .number: list.append(isNegative ? .negative(.number(literal.text)) : .number(literal.text))
      case .text where !isNegative: list.append(.text(literal.text))
      default: throw unexpected("a number or a text in quotes")
      }
      advance()
    } while take(sign: ",")
    try require(sign: ")")
    return list
  }

  private mutating func like(_ left: SQLExpression, _ isNegated: Bool) throws(EngineError) -> SQLExpression {
    let word = token.text.uppercased()
    advance()
    let pattern = token
    guard pattern.kind == .text else { throw unexpected("a pattern in single quotes") }
    advance()
    var escape: String?
    if take(word: "escape") {
      guard token.kind == .text, token.text.utf8.count == 1 else { throw unexpected("one ASCII character in quotes") }
      escape = token.text
      advance()
    }
    return .like(left, SQLExpression.Pattern(word: word, text: pattern.text, escape: escape), isNegated: isNegated)
  }

  mutating func sum() throws(EngineError) -> SQLExpression {
    var left = try product()
    while true {
      if take(sign: "||") {
        try count()
        left = .joined(left, try product())
      } else if token.isSign("+") || token.isSign("-") {
        let sign = token.text
        advance()
        try count()
        left = .pair(sign, left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(EngineError) -> SQLExpression {
    var left = try factor()
    while token.isSign("*") || token.isSign("/") || token.isSign("%") {
      let sign = token.text
      advance()
      try count()
      left = .pair(sign, left, try factor())
    }
    return left
  }

  /// How many signs of arithmetic there are: each nests what stands before it.
  private var signs = 0
  private static let mostSigns = 200

  private mutating func count() throws(EngineError) {
    signs &+= 1
    guard signs <= Self.mostSigns else {
      throw EngineError(.invalidArgument, "The \(what) has more than \(Self.mostSigns) signs of arithmetic.")
    }
  }

  private static let reserved: Set<String> = [
    "and", "or", "not", "like", "ilike", "in", "between", "is", "escape", "cast", "as", "select", "from", "where",
    "order", "by", "limit", "offset", "union", "join", "on", "distinct", "left",
  ]

  private mutating func factor() throws(EngineError) -> SQLExpression {
    let first = token
    switch first.kind {
    case .number:
      advance()
      return .number(first.text)
    case .text:
      advance()
      return .text(first.text)
    case .sign where first.text == "-" || first.text == "+":
      advance()
      let inner = try deeper { (parser: inout SQLParser) throws(EngineError) in try parser.factor() }
      return first.text == "-" ? .negative(inner) : inner
    case .sign where first.text == "(":
      advance()
      if token.isWord("select") { throw refusal("SELECT") }
      let inner = try condition()
      try require(sign: ")")
      return inner
    case .name: return try column()
    case .word: return try word(first)
    default: throw unexpected("a column, a number, a text or a bracket")
    }
  }

  private mutating func word(_ first: SQLToken) throws(EngineError) -> SQLExpression {
    let word = first.text.lowercased()
    if word == "null" {
      advance()
      return .null
    }
    if word == "cast" { return try cast() }
    if ["select", "case", "exists", "with"].contains(word) { throw refusal(word.uppercased()) }
    if Self.reserved.contains(word) { throw unexpected("a column, a number, a text or a bracket") }
    return following.isSign("(") ? try call(word) : try column()
  }

  private mutating func column() throws(EngineError) -> SQLExpression {
    let first = token.text
    advance()
    guard take(sign: ".") else { return .column(first, table: nil) }
    guard token.kind == .name || token.kind == .word else { throw unexpected("a column") }
    let second = token.text
    advance()
    return .column(second, table: first)
  }

  private mutating func call(_ function: String) throws(EngineError) -> SQLExpression {
    guard SQLFunctions.ofConditions[function] != nil else { throw refusal("the function \(function)") }
    advance()
    try require(sign: "(")
    let arguments = try deeper { (parser: inout SQLParser) throws(EngineError) in
      var list = [try parser.sum()]
      while parser.take(sign: ",") { list.append(try parser.sum()) }
      return list
    }
    try require(sign: ")")
    return .call(function, arguments)
  }

  private mutating func cast() throws(EngineError) -> SQLExpression {
    advance()
    try require(sign: "(")
    let inner = try deeper { (parser: inout SQLParser) throws(EngineError) in try parser.sum() }
    try require(word: "as")
    let name = token.text.lowercased()
    var type: SQLExpression.CastType
    switch name {
    case "integer", "int", "bigint", "smallint": type = .integer
    case "float", "real", "double", "numeric": type = .real
    case "character", "char", "varchar", "text", "string": type = .text(width: nil)
    default: throw unexpected("INTEGER, BIGINT, FLOAT, NUMERIC or CHARACTER")
    }
    advance()
    if take(sign: "(") {
      guard token.kind == .number, let width = Int(exactly: Double(token.text) ?? 0), width > 0, width <= 65535 else {
        throw unexpected("a width from 1 to 65535")
      }
      advance()
      if take(sign: ",") {
        guard token.kind == .number else { throw unexpected("a number of decimals") }
        advance()
      }
      try require(sign: ")")
      if case .text = type { type = .text(width: width) }
    }
    try require(sign: ")")
    return .cast(inner, type)
  }
}

/// The functions of SQL that read nothing but their arguments and whose work is bounded by them.
enum SQLFunctions {
  /// Those that a condition may call, with the numbers of arguments that they take.
  fileprivate static let ofConditions: [String: ClosedRange<Int>] = [
    "substr": 2...3, "substring": 2...3, "concat": 2...32, "lower": 1...1, "upper": 1...1, "length": 1...1,
    "trim": 1...1, "ltrim": 1...1, "rtrim": 1...1, "abs": 1...1, "round": 1...2, "coalesce": 2...32, "ifnull": 2...2,
    "nullif": 2...2, "min": 2...32, "max": 2...32, "date": 1...2, "time": 1...2, "datetime": 1...2,
    "strftime": 2...3, "julianday": 1...2,
  ]
  /// Of these, what GDAL's own SQL has.
  fileprivate static let ofOGR: Set<String> = ["substr", "substring", "concat"]
  /// What takes the product of its arguments' lengths, and what reads or makes something by itself. On a connection these
  /// names are taken over by a function that fails: where a column of a table is computed, the authorizer is not asked.
  static let forbidden: [(name: String, arguments: Int32)] =
    [("trim", 2), ("ltrim", 2), ("rtrim", 2), ("instr", 2)]
    + ["zeroblob", "randomblob", "random", "load_extension", "fts3_tokenizer", "soundex", "unhex", "sqlite_offset"]
    .map { ($0, -1) }

  /// What views may call, and the operators LIKE and GLOB, which SQLite takes for functions.
  static let ofViews: Set<String> = Set(ofConditions.keys).union([
    "like", "glob", "count", "sum", "total", "avg", "hex", "iif", "typeof", "sign", "unicode", "likely", "unlikely",
    "ceil", "ceiling", "floor", "sqrt", "pow", "power", "exp", "ln", "log", "log10", "log2", "mod", "pi", "radians",
    "degrees", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "trunc", "row_number", "rank", "dense_rank", "lag",
    "lead", "first_value", "last_value", "nth_value", "ntile", "percent_rank", "cume_dist", "group_concat", "replace",
    "printf", "format", "char", "quote", "current_date", "current_time", "current_timestamp", "json_extract",
    "json_type", "json_valid", "json_array_length",
  ])
}

// MARK: Writing

/// Writes an expression in the SQL of an evaluator, with brackets around every part: so it is read as it was meant.
private struct SQLWriter {
  let names: LayerNames

  mutating func write(_ expression: SQLExpression) throws(EngineError) -> String {
    switch expression {
    case .null: return "NULL"
    case .number(let text): return number(text)
    case .text(let text): return try quoted(text)
    case .column(let name, let table): return try column(name, table)
    case .negative(let inner): return "(-\(try write(inner)))"
    case .not(let inner): return "(NOT \(try write(inner)))"
    case .chain(let word, let parts):
      var texts: [String] = []
      for part in parts { texts.append(try write(part)) }
      return Self.balanced(texts[...], word)
    case .pair(let sign, let left, let right): return "(\(try write(left)) \(sign) \(try write(right)))"
    case .joined(let left, let right):
      let (left, right) = (try write(left), try write(right))
      return names.dialect == .sqlite ? "(\(left) || \(right))" : "CONCAT(\(left), \(right))"
    case .like(let left, let pattern, let isNegated):
      return try like(try write(left), pattern, isNegated)
    case .among(let left, let list, let isNegated):
      var texts: [String] = []
      for part in list { texts.append(try write(part)) }
      return "(\(try write(left))\(isNegated ? " NOT" : "") IN (\(texts.joined(separator: ", "))))"
    case .between(let middle, let low, let high, let isNegated):
      let word = isNegated ? "NOT BETWEEN" : "BETWEEN"
      return "(\(try write(middle)) \(word) \(try write(low)) AND \(try write(high)))"
    case .isNull(let inner, let isNegated): return "(\(try write(inner)) IS \(isNegated ? "NOT " : "")NULL)"
    case .call(let function, let arguments): return try call(function, arguments)
    case .cast(let inner, let type): return cast(try write(inner), type)
    }
  }

  /// As a tree with as few levels as can be: GDAL evaluates 32 levels at most, SQLite 1000.
  private static func balanced(_ parts: ArraySlice<String>, _ word: String) -> String {
    guard parts.count > 1 else { return parts.first ?? "" }
    let middle = parts.startIndex &+ parts.count / 2
    return "(\(balanced(parts[..<middle], word)) \(word) \(balanced(parts[middle...], word)))"
  }

  /// A number that both read alike: digits before the point, and a real one if it is no integer of 64 bits.
  private func number(_ text: String) -> String {
    let whole = text.hasPrefix(".") ? "0" + text : text
    let isInteger = whole.utf8.allSatisfy { (48...57).contains($0) }
    return isInteger && Int64(whole, radix: 10) == nil ? whole + ".0" : whole
  }

  private func quoted(_ text: String) throws(EngineError) -> String {
    if names.dialect == .ogr, SQLText.holds(text, "\\'") || SQLText.ends(text, with: UInt8(ascii: "\\")) {
      throw EngineError(
        .invalidArgument,
        "The text '\(ReferenceRule.short(text))' has a backslash before a quote or at its end, which GDAL's SQL cannot "
          + "express.")
    }
    return SQLText.literal(text)
  }

  private func identifier(_ name: String) throws(EngineError) -> String {
    if names.dialect == .ogr, SQLText.holds(name, "\"") || SQLText.ends(name, with: UInt8(ascii: "\\")) {
      throw EngineError(
        .invalidArgument,
        "The name \(ReferenceRule.short(name)) has a quote or a backslash that GDAL's SQL cannot express.")
    }
    return SQLText.name(name)
  }

  private func column(_ name: String, _ table: String?) throws(EngineError) -> String {
    guard let columns = names.columns else {
      guard let table else { return try identifier(name) }
      return "\(try identifier(table)).\(try identifier(name))"
    }
    guard table == nil, let known = columns[SQLText.lowercased(name)] else {
      let full = table.map { "\($0).\(name)" } ?? name
      let list = columns.values.filter { !$0.isEmpty }.sorted().joined(separator: ", ")
      throw EngineError(
        .invalidArgument,
        "There is no column \(ReferenceRule.short(full)); there are: \(ReferenceRule.short(list)). A text is written in "
          + "single quotes.")
    }
    return try identifier(known)
  }

  /// The longest pattern of LIKE, in bytes.
  private static let longestPattern = 1024

  private func like(
    _ left: String, _ pattern: SQLExpression.Pattern, _ isNegated: Bool
  ) throws(EngineError) -> String {
    guard pattern.text.utf8.count <= Self.longestPattern else {
      throw EngineError(.invalidArgument, "A pattern of LIKE is longer than \(Self.longestPattern) bytes.")
    }
    let escape = pattern.escape.flatMap(\.utf8.first)
    var (wildcards, isEscaped) = (0, false)
    for byte in pattern.text.utf8.dropLast() {
      if !isEscaped, byte == UInt8(ascii: "%") { wildcards &+= 1 }
      isEscaped = !isEscaped && byte == escape
    }
    // GDAL tries each wildcard at each position of the text, for each position of the wildcards before it.
    if names.dialect == .ogr, wildcards > 1 {
      throw EngineError(
        .policyRefused,
        "The pattern '\(ReferenceRule.short(pattern.text))' has \(wildcards) signs % before its end; \(names.format) allows "
          + "one (rule: \(ReferenceRule.query.rawValue)), because the time to try them grows with the power of their "
          + "number. Write several LIKE with AND between them, or set the policy flag ALLOW_SQL.")
    }
    // SQLite's LIKE has no regard for the case of ASCII letters; ILIKE it has not.
    let word = names.dialect == .sqlite ? "LIKE" : pattern.word
    let ending = try pattern.escape.map { (text) throws(EngineError) in " ESCAPE \(try quoted(text))" } ?? ""
    return "(\(left)\(isNegated ? " NOT" : "") \(word) \(try quoted(pattern.text))\(ending))"
  }

  private mutating func call(_ function: String, _ arguments: [SQLExpression]) throws(EngineError) -> String {
    guard SQLFunctions.ofConditions[function]?.contains(arguments.count) == true else {
      throw EngineError(.invalidArgument, "The function \(function) does not take \(arguments.count) arguments.")
    }
    if names.dialect == .ogr, !SQLFunctions.ofOGR.contains(function) {
      throw EngineError(
        .invalidArgument,
        "The function \(function) is there for databases (GPKG, SQLite) only; \(names.format) has "
          + "\(SQLFunctions.ofOGR.sorted().joined(separator: ", ")) and CAST.")
    }
    var texts: [String] = []
    for argument in arguments { texts.append(try write(argument)) }
    if function == "concat", names.dialect == .sqlite { return "(\(texts.joined(separator: " || ")))" }
    let name = function == "substring" ? "SUBSTR" : function.uppercased()
    return "\(name)(\(texts.joined(separator: ", ")))"
  }

  private func cast(_ inner: String, _ type: SQLExpression.CastType) -> String {
    switch (type, names.dialect) {
    case (.integer, .ogr): "CAST(\(inner) AS bigint)"
    case (.integer, .sqlite): "CAST(\(inner) AS INTEGER)"
    case (.real, .ogr): "CAST(\(inner) AS float)"
    case (.real, .sqlite): "CAST(\(inner) AS REAL)"
    case (.text(let width), .ogr): "CAST(\(inner) AS character\(width.map { "(\($0))" } ?? ""))"
    case (.text(nil), .sqlite): "CAST(\(inner) AS TEXT)"
    case (.text(.some(let width)), .sqlite): "SUBSTR(CAST(\(inner) AS TEXT), 1, \(width))"
    }
  }
}

// MARK: Statements

/// A SELECT from one layer, without what could reach another source or take longer than its features are many:
///
///     SELECT [DISTINCT] (item {"," item}) FROM layer [[AS] name] [WHERE condition]
///       [ORDER BY column [ASC | DESC] {"," ...}] [LIMIT number] [OFFSET number]
///     item = "*" | (COUNT | MIN | MAX | AVG | SUM) "(" [DISTINCT] (column | "*") ")" [[AS] name] | sum [[AS] name]
enum SelectStatement {
  /// The statement, written anew for GDAL's own SQL.
  static func written(_ text: String) throws(EngineError) -> String {
    var parser = SQLParser(text, "statement")
    var writer = SQLWriter(names: .ofStatement)
    guard parser.take(word: "select") else {
      throw EngineError(.invalidArgument, "The statement does not begin with SELECT; a source can only be read.")
    }
    var result = parser.take(word: "distinct") ? "SELECT DISTINCT " : "SELECT "
    var items: [String] = []
    repeat { items.append(try item(&parser, &writer)) } while parser.take(sign: ",")
    result += items.joined(separator: ", ")
    try parser.require(word: "from")
    result += " FROM \(try table(&parser, &writer))"
    if parser.take(word: "where") { result += " WHERE \(try writer.write(try parser.condition()))" }
    if parser.take(word: "order") {
      try parser.require(word: "by")
      var keys: [String] = []
      repeat {
        let key = try writer.write(try parser.sum())
        keys.append(key + (parser.take(word: "desc") ? " DESC" : parser.take(word: "asc") ? " ASC" : ""))
      } while parser.take(sign: ",")
      result += " ORDER BY \(keys.joined(separator: ", "))"
    }
    for word in ["limit", "offset"] where parser.take(word: word) {
      guard parser.token.kind == .number, Int64(parser.token.text, radix: 10) != nil else {
        throw parser.unexpected("a number")
      }
      result += " \(word.uppercased()) \(parser.token.text)"
      parser.advance()
    }
    if let word = ["join", "left", "inner", "union", "group", "having"].first(where: { parser.token.isWord($0) }) {
      throw parser.refusal(word.uppercased())
    }
    guard parser.token.kind == .end else { throw parser.unexpected("the end") }
    return result
  }

  private static func item(_ parser: inout SQLParser, _ writer: inout SQLWriter) throws(EngineError) -> String {
    if parser.take(sign: "*") { return "*" }
    let start = parser
    let name = parser.token.text
    let isAggregate = ["count", "min", "max", "avg", "sum"].contains { parser.token.isWord($0) }
    parser.advance()
    if isAggregate, parser.take(sign: "(") {
      let distinct = parser.take(word: "distinct") ? "DISTINCT " : ""
      let column = parser.take(sign: "*") ? "*" : try writer.write(try parser.sum())
      if parser.take(sign: ")") {
        return "\(name.uppercased())(\(distinct)\(column))\(try alias(&parser, &writer))"
      }
    }
    // What only looked like one.
    parser = start
    return try writer.write(try parser.sum()) + (try alias(&parser, &writer))
  }

  private static func alias(_ parser: inout SQLParser, _ writer: inout SQLWriter) throws(EngineError) -> String {
    let isNamed = parser.take(word: "as")
    let isName = parser.token.kind == .name || (parser.token.kind == .word && !parser.token.isWord("from"))
    guard isName else {
      if isNamed { throw parser.unexpected("a name") }
      return ""
    }
    let name = parser.token.text
    parser.advance()
    return " AS \(try writer.write(.column(name, table: nil)))"
  }

  private static func table(_ parser: inout SQLParser, _ writer: inout SQLWriter) throws(EngineError) -> String {
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
    var result = try writer.write(.column(first.text, table: nil))
    let words = ["where", "order", "limit", "offset", "join", "left", "inner", "union", "group", "having"]
    if !words.contains(where: { parser.token.isWord($0) }) { result += try alias(&parser, &writer) }
    return result
  }
}
