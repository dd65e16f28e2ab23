import AlidadeBase

/// Writes an expression in SQLite's SQL, with brackets wherever it could be read otherwise than it was meant.
///
/// A column of a database is written by its name, any other column as a parameter, in the type that the column has.
struct SQLWriter {
  var names = LayerNames()

  /// A parameter: a field of a feature, as who evaluates it is to give it.
  struct Parameter: Equatable {
    let field: Int32
    let type: FieldType
    /// The name of the column.
    let name: String
    /// A date or a time as milliseconds since 1970 or midnight.
    let isMilliseconds: Bool
  }

  /// From ?1.
  private(set) var parameters: [Parameter] = []

  /// Long lists behind IN, which are tables list1, list2, ... for parameters: SQLite would sort them for each feature.
  private(set) var lists: [(affinity: String, values: [String])] = []
  private static let longestInlineList = 8

  mutating func write(_ expression: SQLExpression) throws(EngineError) -> String {
    switch expression {
    case .null: return "NULL"
    case .number(let text): return Self.number(text)
    case .text(let text): return SQLText.literal(text)
    case .column(let name, let table): return try column(name, table)
    // Without its sign the number does not fit 64 bits.
    case .negative(.number("9223372036854775808")): return "(-9223372036854775808)"
    case .negative(let inner): return "(-\(try write(inner)))"
    case .not: return try negated(expression)
    case .chain(let word, let parts): return Self.grouped(try write(parts), word)
    case .pair(let sign, let left, let right) where Self.precedence(of: expression) == 0:
      let texts = try sides([left, right])
      return "(\(texts[0]) \(sign) \(texts[1]))"
    case .pair, .joined: return try sum(expression)
    case .like(let left, let pattern, let isNegated): return try like(try write(left), pattern, isNegated)
    case .among(let left, let list, let isNegated): return try among(left, list, isNegated)
    case .between(let middle, let low, let high, let isNegated):
      let texts = try sides([middle, low, high])
      return "(\(texts[0]) \(isNegated ? "NOT " : "")BETWEEN \(texts[1]) AND \(texts[2]))"
    case .isNull(let inner, let isNegated): return "(\(try write(inner)) IS \(isNegated ? "NOT " : "")NULL)"
    case .call(let function, let arguments): return try call(function, arguments)
    case .cast(let inner, let type): return Self.cast(try write(inner), type)
    }
  }

  private mutating func write(_ parts: [SQLExpression]) throws(EngineError) -> [String] {
    var texts: [String] = []
    for part in parts { texts.append(try write(part)) }
    return texts
  }

  // SQLite's parser holds 100 symbols, and each bracket is one: chains have none inside. It evaluates 1000 levels.

  /// Parts that are joined by AND or OR, in groups of groups.
  private static func grouped(_ parts: [String], _ word: String) -> String {
    let most = 400
    if parts.count <= most { return "(\(parts.joined(separator: " \(word) ")))" }
    let groups = stride(from: 0, to: parts.count, by: most).map { start in
      grouped(Array(parts[start..<min(parts.count, start + most)]), word)
    }
    return grouped(groups, word)
  }

  private mutating func negated(_ expression: SQLExpression) throws(EngineError) -> String {
    var (inner, words) = (expression, "")
    while case .not(let next) = inner { (inner, words) = (next, words + "NOT ") }
    return "(\(words)\(try write(inner)))"
  }

  /// The groups of signs that are read from the left to the right: 1 for sums, 2 for products, 3 for texts, 0 for others.
  private static func precedence(of expression: SQLExpression) -> Int {
    switch expression {
    case .pair("+", _, _), .pair("-", _, _): 1
    case .pair("*", _, _), .pair("/", _, _), .pair("%", _, _): 2
    case .joined: 3
    default: 0
    }
  }

  /// A sum, a product, or texts that are put together, with all that stands to its left in the same brackets.
  private mutating func sum(_ expression: SQLExpression) throws(EngineError) -> String {
    var (first, rest) = (expression, [(sign: String, right: SQLExpression)]())
    let group = Self.precedence(of: expression)
    while Self.precedence(of: first) == group {
      switch first {
      case .pair(let sign, let left, let right):
        rest.append((sign, right))
        first = left
      case .joined(let left, let right):
        rest.append(("||", right))
        first = left
      default: break
      }
    }
    var text = try write(first)
    for (sign, right) in rest.reversed() { text += " \(sign) \(try write(right))" }
    return "(\(text))"
  }

  /// A number as all read it: with digits before the point, and a real one if it is no integer of 64 bits.
  static func number(_ text: String) -> String {
    let whole = text.hasPrefix(".") ? "0" + text : text
    let isInteger = whole.utf8.allSatisfy { (48...57).contains($0) }
    return isInteger && Int64(whole, radix: 10) == nil ? whole + ".0" : whole
  }

  // MARK: Columns

  private mutating func column(
    _ name: String, _ table: String?, asMilliseconds: Bool = false
  ) throws(EngineError) -> String {
    guard let known = try names.column(name, table) else { return SQLText.name(name) }
    guard let field = known.field else {
      let column = SQLText.name(known.name)
      guard names.isVirtual, let affinity = Self.affinity(known.type) else { return column }
      return "CAST(\(column) AS \(affinity))"
    }
    let wanted = Parameter(field: field, type: known.type, name: known.name, isMilliseconds: asMilliseconds)
    let number: Int
    if let place = parameters.firstIndex(of: wanted) {
      number = place &+ 1
    } else {
      parameters.append(wanted)
      number = parameters.count
    }
    // A parameter has no type of its own, by which '5' is compared as a number.
    guard let affinity = asMilliseconds ? "INTEGER" : Self.affinity(known.type) else { return "?\(number)" }
    return "CAST(?\(number) AS \(affinity))"
  }

  private static func affinity(_ type: FieldType) -> String? {
    switch type {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .binary: nil
    default: "TEXT"
    }
  }

  // MARK: Comparing

  private static let temporal: Set<FieldType> = [.date, .time, .dateTime]

  /// The column that an expression is; nil: it is something else.
  func known(_ expression: SQLExpression) throws(EngineError) -> LayerNames.Column? {
    guard case .column(let name, let table) = expression else { return nil }
    return try names.column(name, table)
  }

  /// What is compared with each other. Dates and times are compared as such, and not as the texts that a file has of them;
  /// those that say no offset from UTC as if they were in UTC.
  private mutating func sides(_ parts: [SQLExpression]) throws(EngineError) -> [String] {
    var type: FieldType?
    var isPlain = !names.isTable
    for part in parts {
      let its = try known(part)?.type
      if let its, Self.temporal.contains(its) {
        type = type ?? its
      } else if its != nil {
        isPlain = false
      } else {
        switch part {
        case .text, .null: break
        default: isPlain = false
        }
      }
    }
    guard let type else { return try write(parts) }
    var texts: [String] = []
    for part in parts { texts.append(try side(part, type == .time, asMilliseconds: isPlain)) }
    return texts
  }

  private mutating func side(
    _ part: SQLExpression, _ isTime: Bool, asMilliseconds: Bool
  ) throws(EngineError) -> String {
    var text: String
    switch part {
    case .null: return "NULL"
    case .column(let name, let table) where asMilliseconds:
      return try column(name, table, asMilliseconds: true)
    case .text(let given):
      guard let date = FeatureDate(given, isTime ? .time : .dateTime) else { throw Self.noDate(given, isTime) }
      if asMilliseconds { return String(isTime ? date.millisecondOfDay : date.millisecondOfEpoch) }
      text = SQLText.literal(date.text(isTime ? .time : .dateTime))
    case .number(let number): throw Self.noDate(number, isTime)
    case .negative: throw Self.noDate("A negative number", isTime)
    default: text = try write(part)
    }
    return Self.moment(text, isTime)
  }

  private static func moment(_ text: String, _ isTime: Bool) -> String {
    // Of dates with slashes SQLite makes nothing.
    "strftime('\(isTime ? "%H:%M:%f" : "%Y-%m-%dT%H:%M:%fZ")', replace(\(text), '/', '-'))"
  }

  /// What the values of a table's column are compared by.
  static func key(_ column: LayerNames.Column) -> String {
    let name = SQLText.name(column.name)
    return temporal.contains(column.type) ? moment(name, column.type == .time) : name
  }

  private static func noDate(_ text: String, _ isTime: Bool) -> EngineError {
    EngineError(
      .invalidArgument,
      "\(ReferenceRule.short(text)) is compared with a \(isTime ? "time" : "date") and is not valid as one. Write it like "
        + (isTime ? "'16:30:00'." : "'2026-01-31' or '2026-01-31T16:30:00Z'."))
  }

  private mutating func among(
    _ left: SQLExpression, _ list: [SQLExpression], _ isNegated: Bool
  ) throws(EngineError) -> String {
    let texts = try sides([left] + list)
    let word = isNegated ? "NOT IN" : "IN"
    guard !names.isTable, list.count > Self.longestInlineList else {
      return "(\(texts[0]) \(word) (\(texts.dropFirst().joined(separator: ", "))))"
    }
    var affinity = ""
    if let type = try known(left)?.type {
      affinity = Self.temporal.contains(type) ? "INTEGER" : Self.affinity(type) ?? ""
    } else if case .cast(_, let type) = left {
      // A text of some characters is what SUBSTR makes of it, which has no type.
      if case .text(.some) = type {} else { affinity = Self.name(of: type) }
    }
    lists.append((affinity, Array(texts.dropFirst())))
    return "(\(texts[0]) \(word) list\(lists.count))"
  }

  /// The longest pattern of LIKE, in bytes.
  private static let longestPattern = 1024

  private func like(
    _ left: String, _ pattern: SQLExpression.Pattern, _ isNegated: Bool
  ) throws(EngineError) -> String {
    guard pattern.text.utf8.count <= Self.longestPattern else {
      throw EngineError(.invalidArgument, "A pattern of LIKE is longer than \(Self.longestPattern) bytes.")
    }
    // SQLite's LIKE ignores the case of ASCII letters. SQLite has no ILIKE.
    let ending = pattern.escape.map { " ESCAPE \(SQLText.literal($0))" } ?? ""
    return "(\(left)\(isNegated ? " NOT" : "") LIKE \(SQLText.literal(pattern.text))\(ending))"
  }

  // MARK: Functions

  private mutating func call(_ function: String, _ arguments: [SQLExpression]) throws(EngineError) -> String {
    guard SQLFunctions.ofConditions[function]?.contains(arguments.count) == true else {
      throw EngineError(.invalidArgument, "The function \(function) does not take \(arguments.count) arguments.")
    }
    let texts = try write(arguments)
    if function == "concat" { return "(\(texts.joined(separator: " || ")))" }
    let name = function == "substring" ? "SUBSTR" : function.uppercased()
    return "\(name)(\(texts.joined(separator: ", ")))"
  }

  private static func name(of type: SQLExpression.CastType) -> String {
    switch type {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    }
  }

  private static func cast(_ inner: String, _ type: SQLExpression.CastType) -> String {
    let plain = "CAST(\(inner) AS \(name(of: type)))"
    if case .text(let width?) = type { return "SUBSTR(\(plain), 1, \(width))" }
    return plain
  }
}
