/// A JSON value (RFC 8259), and the same facts as lines for a person.
public indirect enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case text(String)
  case list([JSON])
  /// Names and values in the order in which they are written.
  case object([(name: String, value: JSON)])

  public init(_ text: String?) { self = text.map(JSON.text) ?? .null }
  public init(_ number: Int) { self = .integer(Int64(truncatingIfNeeded: number)) }

  /// The value in the form that a reader wants.
  public func text(_ format: ReportFormat) -> String { format == .json ? jsonText : lines }

  // MARK: JSON

  /// The value as JSON, on lines, indented by two spaces.
  public var jsonText: String {
    var text = ""
    writeJSON(to: &text, indent: "")
    return text
  }

  private func writeJSON(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .unsigned(let value): text += String(value)
    // JSON has no other numbers.
    case .real(let value): text += value.isFinite ? NumberText.shortest(value) : "null"
    case .text(let value): Self.writeQuoted(value, to: &text)
    case .list(let values):
      Self.writeBracketed("[", "]", values.count, to: &text, indent) { text, index, inner in
        values[index].writeJSON(to: &text, indent: inner)
      }
    case .object(let members):
      Self.writeBracketed("{", "}", members.count, to: &text, indent) { text, index, inner in
        Self.writeQuoted(members[index].name, to: &text)
        text += ": "
        members[index].value.writeJSON(to: &text, indent: inner)
      }
    }
  }

  private static func writeBracketed(
    _ open: String, _ close: String, _ count: Int, to text: inout String, _ indent: String,
    _ writeItem: (inout String, Int, String) -> Void
  ) {
    text += open
    guard count > 0 else {
      text += close
      return
    }
    let inner = indent + "  "
    for index in 0..<count {
      text += index == 0 ? "\n" : ",\n"
      text += inner
      writeItem(&text, index, inner)
    }
    text += "\n" + indent + close
  }

  private static func writeQuoted(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.value < 0x20 {
          writeEscaped(scalar, to: &text)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }

  // MARK: Lines

  /// The value as lines "name: value"; what lies inside something is indented by two spaces, items of lists begin with
  /// a dash.
  public var lines: String {
    var text = ""
    writeLines(to: &text, indent: "")
    return text
  }

  private func writeLines(to text: inout String, indent: String) {
    switch self {
    case .object(let members):
      for (name, value) in members {
        text += indent + name.split(separator: "_").joined(separator: " ") + ":"
        value.writeAfterMark(to: &text, indent: indent + "  ")
      }
    case .list(let values):
      for value in values {
        // The item is written two columns further in, and the dash then replaces its first indent.
        var item = ""
        value.writeLines(to: &item, indent: indent + "  ")
        text += indent + "- "
        text.unicodeScalars.append(contentsOf: item.unicodeScalars.dropFirst(indent.unicodeScalars.count &+ 2))
      }
    default: text += indent + plain + "\n"
    }
  }

  /// Writes what follows a name or a dash: on the same line if it is one value, otherwise on lines of its own.
  private func writeAfterMark(to text: inout String, indent: String) {
    switch self {
    case .object(let members) where !members.isEmpty:
      text += "\n"
      writeLines(to: &text, indent: indent)
    case .list(let values) where !values.isEmpty:
      if values.allSatisfy(\.isPlain) {
        text += " " + values.map(\.plain).joined(separator: ", ") + "\n"
      } else {
        text += "\n"
        writeLines(to: &text, indent: indent)
      }
    default: text += " " + plain + "\n"
    }
  }

  private var isPlain: Bool {
    switch self {
    case .list, .object: false
    default: true
    }
  }

  private var plain: String {
    switch self {
    case .null: "none"
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .real(let value): NumberText.shortest(value)
    case .text(let value): Self.plain(value)
    case .list, .object: "none"
    }
  }

  /// A text as it is; in JSON's form if it would break the line or the terminal.
  private static func plain(_ value: String) -> String {
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }
    guard value.unicodeScalars.contains(where: isControl) else { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      if isControl(scalar) {
        writeEscaped(scalar, to: &text)
      } else {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Writes a scalar of the basic plane as a backslash, "u" and four hexadecimal digits.
  private static func writeEscaped(_ scalar: Unicode.Scalar, to text: inout String) {
    let digits = String(scalar.value, radix: 16)
    text += "\\u" + String(repeating: "0", count: max(0, 4 &- digits.utf8.count)) + digits
  }
}
