import AlidadeBase

/// A condition on the attributes of a feature: the part of SQL's WHERE that can neither reach outside of its layer nor
/// take longer than the features are many.
///
/// GDAL gives a condition to SQLite as it stands, where a function may open a file and a sub-select may never end. So a
/// condition is read here, by this grammar, and written anew for SQLite: for the database that the layer is in, or for
/// `ConditionTest`, which looks at the features of all other formats. So it means the same everywhere.
///
///     condition  = conjunction { OR conjunction }
///     conjunction = negation { AND negation }
///     negation   = NOT negation | comparison
///     comparison = sum [ (= | == | <> | != | < | <= | > | >=) sum
///                      | IS [NOT] NULL
///                      | [NOT] IN "(" literal { "," literal } ")"
///                      | [NOT] BETWEEN sum AND sum
///                      | [NOT] (LIKE | ILIKE) text [ESCAPE text] ]
///     sum        = product { (+ | -) product }
///     product    = joined { (* | / | %) joined }
///     joined     = factor { "||" factor }
///     factor     = [+ | -] factor | literal | column | function "(" ... ")" | CAST "(" sum AS type ")" | "(" condition ")"
struct Condition: Sendable {
  let root: SQLExpression

  /// The longest text of a condition, in bytes.
  private static let longest = 1 << 20

  /// Reads a condition.
  ///
  /// - Parameter what: what it is, for messages.
  init(_ text: String, _ what: String) throws(EngineError) {
    try Self.checkLength(text, what)
    var parser = SQLParser(text, what)
    if parser.token.kind == .end { throw EngineError(.invalidArgument, "The \(what) is empty.") }
    root = try parser.condition()
    guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end") }
  }

  init(_ root: SQLExpression) { self.root = root }

  static func checkLength(_ text: String, _ what: String) throws(EngineError) {
    guard text.utf8.count <= longest else {
      throw EngineError(.invalidArgument, "The \(what) is longer than \(longest) bytes.")
    }
  }
}

/// A condition or a part of one.
indirect enum SQLExpression: Sendable {
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

  struct Pattern: Sendable {
    let text: String
    let escape: String?
  }

  enum CastType: Sendable {
    case integer, real
    /// - Parameter width: in characters; nil: all.
    case text(width: Int?)
  }
}

// MARK: Reading

/// Reads the grammar of `Condition` from a text.
struct SQLParser {
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
    return .like(left, SQLExpression.Pattern(text: pattern.text, escape: escape), isNegated: isNegated)
  }

  mutating func sum() throws(EngineError) -> SQLExpression {
    var left = try product()
    while token.isSign("+") || token.isSign("-") {
      let sign = token.text
      advance()
      try count()
      left = .pair(sign, left, try product())
    }
    return left
  }

  private mutating func product() throws(EngineError) -> SQLExpression {
    var left = try joined()
    while token.isSign("*") || token.isSign("/") || token.isSign("%") {
      let sign = token.text
      advance()
      try count()
      left = .pair(sign, left, try joined())
    }
    return left
  }

  private mutating func joined() throws(EngineError) -> SQLExpression {
    var left = try factor()
    while take(sign: "||") {
      try count()
      left = .joined(left, try factor())
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
