import AlidadeBase
import AlidadeData

/// How the elements of a layer or an overlay read in a popup: a title, a text, and a row for each field.
public struct PopupDefinition: Sendable {
  /// How an attribute reads.
  public struct Field: Sendable {
    public var name: String
    /// nil: the attribute's alias or, without one, its name.
    public var label: String?
    /// Digits after the decimal separator, rounded half to even; nil: as many as the number needs.
    public var decimals: Int?
    public var decimalSeparator = "."
    /// Between groups of three digits before the decimal separator.
    public var digitSeparator = ""
    /// nil: as ISO 8601 writes it. Otherwise a text with `%Y %m %d %H %I %M %S %p %B %b %z %%`.
    public var dateFormat: String?

    public init(name: String) { self.name = name }
  }

  private let title: PopupTemplate
  private let text: PopupTemplate
  private let rows: [PopupRow]

  /// - Parameters:
  ///   - title, text: texts in which `{name}` stands for an attribute, and `{{` and `}}` for braces.
  ///   - fields: the rows, and how their attributes read in the title and in the text; empty: a row per attribute.
  public init(title: String, text: String, fields: [Field] = []) throws(EngineError) {
    self.title = try PopupTemplate(title, "title")
    self.text = try PopupTemplate(text, "text")
    rows = try fields.map { (field) throws(EngineError) in try PopupRow(field) }
  }

  /// The popup of an element with these attributes.
  func popup(_ attributes: [Attribute]) -> Popup {
    func reading(_ name: String) -> String? {
      guard let attribute = attributes.first(where: { $0.isNamed(name) }) else { return nil }
      guard let row = rows.first(where: { attribute.isNamed($0.field.name) }) else { return attribute.valueText }
      return row.reading(attribute)
    }
    var fields: [(label: String, text: String)] = []
    if rows.isEmpty {
      fields = attributes.map { ($0.label, $0.valueText) }
    } else {
      for row in rows {
        let attribute = attributes.first { $0.isNamed(row.field.name) }
        let label = row.field.label ?? attribute?.label ?? row.field.name
        fields.append((label, attribute.map { row.reading($0) } ?? ""))
      }
    }
    return Popup(title: title.filled(reading), text: text.filled(reading), fields: fields)
  }
}

/// A popup definition, filled in for an element.
public struct Popup: Sendable {
  public let title: String
  public let text: String
  public let fields: [(label: String, text: String)]
}

extension Attribute {
  /// Whether this is its name; the case of ASCII letters does not matter.
  public func isNamed(_ other: String) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte &+ 32 : byte }
    return name.utf8.elementsEqual(other.utf8) { lower($0) == lower($1) }
  }

  /// The name for people.
  var label: String { alias.isEmpty ? name : alias }

  /// Empty without a value, which a popup does not spell out.
  fileprivate var valueText: String { if case .null = value { "" } else { text } }
}

/// A text with the names of attributes in braces.
private struct PopupTemplate: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case attribute(String)
  }

  private var pieces: [Piece] = []

  init(_ source: String, _ what: String) throws(EngineError) {
    var (literal, name) = ("", String?.none)
    var rest = source[...]
    while let character = rest.popFirst() {
      switch (character, name) {
      case ("{", nil) where rest.first == "{", ("}", nil) where rest.first == "}":
        literal.append(character)
        rest.removeFirst()
      case ("{", nil):
        pieces.append(.text(literal))
        (literal, name) = ("", "")
      case ("}", let ended?) where !ended.isEmpty:
        pieces.append(.attribute(ended))
        name = nil
      case ("}", _), ("{", _):
        throw EngineError(
          .invalidArgument,
          "The \(what) \"\(source)\" has a brace without its other one, or none but braces. Write {NAME} for an "
            + "attribute, {{ and }} for braces.")
      default: if name == nil { literal.append(character) } else { name?.append(character) }
      }
    }
    guard name == nil else {
      throw EngineError(.invalidArgument, "The \(what) \"\(source)\" has a { without a }. Write {{ for a brace.")
    }
    pieces.append(.text(literal))
  }

  /// An attribute that the element does not have stays as it is written, so that a person sees the mistake.
  func filled(_ reading: (String) -> String?) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let literal): text += literal
      case .attribute(let name): text += reading(name) ?? "{\(name)}"
      }
    }
    return text
  }
}

/// A field of a popup definition, checked.
private struct PopupRow: Sendable {
  let field: PopupDefinition.Field
  private let date: DateFormat?

  init(_ field: PopupDefinition.Field) throws(EngineError) {
    guard !field.name.isEmpty else { throw EngineError(.invalidArgument, "A popup's field has no name.") }
    if let decimals = field.decimals, !(0...17).contains(decimals) {
      throw EngineError(
        .invalidArgument, "The field \"\(field.name)\" has \(decimals) decimals; give 0 to 17, or none.")
    }
    self.field = field
    date = try field.dateFormat.map { (text) throws(EngineError) in try DateFormat(text, field.name) }
  }

  func reading(_ attribute: Attribute) -> String {
    switch attribute.value {
    case .integer(let number) where isForNumbers: grouped(String(number) + decimalZeros)
    case .unsigned(let number) where isForNumbers: grouped(String(number) + decimalZeros)
    case .real(let number) where isForNumbers && number.isFinite: grouped(text(number))
    case .date(let value, let type): date?.text(value, type) ?? attribute.text
    default: attribute.valueText
    }
  }

  /// Whether numbers read otherwise than in the attribute's own text.
  private var isForNumbers: Bool {
    field.decimals != nil || !field.digitSeparator.isEmpty || field.decimalSeparator != "."
  }

  private var decimalZeros: String {
    field.decimals.map { $0 == 0 ? "" : "." + String(repeating: "0", count: $0) } ?? ""
  }

  private func text(_ number: Double) -> String {
    guard let decimals = field.decimals else { return NumberText.shortest(number) }
    let rounded = NumberText.rounded(number, places: decimals)
    guard let point = rounded.firstIndex(of: ".") else { return rounded + decimalZeros }
    let missing = decimals &- rounded.distance(from: point, to: rounded.endIndex) &+ 1
    return rounded + String(repeating: "0", count: max(0, missing))
  }

  /// A number with a decimal point, with the field's separators.
  private func grouped(_ number: String) -> String {
    let ends = number.firstIndex { $0 == "." || $0 == "e" } ?? number.endIndex
    let digits = number[..<ends].drop { $0 == "-" }
    var text = number.hasPrefix("-") ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count &- index) % 3 == 0 { text += field.digitSeparator }
      text.append(digit)
    }
    guard ends < number.endIndex, number[ends] == "." else { return text + number[ends...] }
    return text + field.decimalSeparator + number[number.index(after: ends)...]
  }
}

/// A date's format, with the directives of strftime that `PopupDefinition.Field.dateFormat` lists.
private struct DateFormat: Sendable {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  private enum Piece: Sendable {
    case text(Character)
    case directive(Character)
  }

  private var pieces: [Piece] = []

  init(_ format: String, _ field: String) throws(EngineError) {
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        pieces.append(.text(character))
        continue
      }
      guard let directive = rest.popFirst(), "YmdHIMSpBbz%".contains(directive) else {
        throw EngineError(
          .invalidArgument,
          "The date format \"\(format)\" of the field \"\(field)\" has a % that is not one of %Y %m %d %H %I %M %S %p %B "
            + "%b %z %%.")
      }
      pieces.append(directive == "%" ? .text("%") : .directive(directive))
    }
  }

  /// What the value does not have, such as the year of a time of day, is left out.
  func text(_ date: FeatureDate, _ type: FieldType) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let character): text.append(character)
      case .directive(let directive):
        let isOfDate = "YmdBb".contains(directive)
        if isOfDate ? type != .time : type != .date { text += Self.text(date, directive) }
      }
    }
    return text
  }

  private static func text(_ date: FeatureDate, _ directive: Character) -> String {
    let month = Int(truncatingIfNeeded: date.month) &- 1
    return switch directive {
    case "Y": (date.year < 0 ? "-" : "") + NumberText.padded(date.year.magnitude, width: 4)
    case "m": NumberText.padded(date.month, width: 2)
    case "d": NumberText.padded(date.day, width: 2)
    case "H": NumberText.padded(date.hour, width: 2)
    case "I": NumberText.padded((date.hour &+ 11) % 12 &+ 1, width: 2)
    case "M": NumberText.padded(date.minute, width: 2)
    case "S": NumberText.padded(Int(exactly: date.second.rounded(.down)) ?? 0, width: 2)
    case "p": date.hour < 12 ? "AM" : "PM"
    case "B": months.indices.contains(month) ? months[month] : ""
    case "b": months.indices.contains(month) ? String(months[month].prefix(3)) : ""
    case "z": zone(date)
    default: ""
    }
  }

  private static func zone(_ date: FeatureDate) -> String {
    guard date.zone == .offset else { return "" }
    let minutes = date.utcOffset.magnitude
    let (hours, rest) = (NumberText.padded(minutes / 60, width: 2), NumberText.padded(minutes % 60, width: 2))
    return (date.utcOffset < 0 ? "-" : "+") + hours + rest
  }
}
