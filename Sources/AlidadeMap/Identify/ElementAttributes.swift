import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// Attributes of features and graphics as elements have them.
enum ElementAttributes {
  /// All attributes of a feature, in the order of the source's fields.
  static func list(_ set: FeatureSet, row: Int) -> [Attribute] {
    set.columns.map { column in
      let (value, text) = reading(column, row)
      return Attribute(
        name: column.field.name, alias: column.field.alias, role: .field, band: 0, value: value, text: text)
    }
  }

  /// The attributes of a graphic that are not null.
  static func list(_ graphic: Graphic, _ names: [String]) -> [Attribute] {
    graphic.attributes.compactMap { attribute in
      let number = Int(truncatingIfNeeded: attribute.name)
      guard names.indices.contains(number) else { return nil }
      let (value, text): (Attribute.Value, String) =
        switch attribute.value {
        case .null: (.null, none)
        case .integer(let number): (.integer(number), String(number))
        case .real(let number): (.real(number), NumberText.shortest(number))
        case .text(let text): (.text, text)
        }
      return Attribute(name: names[number], role: .field, band: 0, value: value, text: text)
    }
  }

  /// A line for each attribute.
  static func text(_ attributes: [Attribute]) -> String {
    let size = attributes.reduce(0) { size, attribute in
      size &+ attribute.label.utf8.count &+ attribute.text.utf8.count &+ 3
    }
    return String(unsafeUninitializedCapacity: size) { buffer in
      var end = 0
      func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
          _ = UnsafeMutableBufferPointer(rebasing: buffer[end...]).update(fromContentsOf: bytes)
          end &+= bytes.count
        }
      }
      for attribute in attributes {
        if end > 0 { append("\n") }
        append(attribute.label)
        append(": ")
        append(attribute.text)
      }
      return end
    }
  }

  /// The text of what has no value.
  private static let none = "None"

  private static func reading(_ column: FeatureColumn, _ row: Int) -> (Attribute.Value, String) {
    guard column.state(row) == .value else { return (.null, none) }
    switch column.field.type {
    case .integer:
      let number = column.integers[row]
      guard column.field.subtype == .boolean else { return (.integer(number), String(number)) }
      return (.integer(number), number == 0 ? "False" : "True")
    case .real:
      let number = column.reals[row]
      let isFloat = column.field.subtype == .float32
      return (.real(number), isFloat ? NumberText.shortest(Float(number)) : NumberText.shortest(number))
    case .text: return (.text, column.text(row).map { String(cString: $0) } ?? "")
    case .date, .time, .dateTime:
      let date = column.dates[row]
      return (.date(date, column.field.type), date.text(column.field.type))
    case .binary:
      let bytes = Array(column.bytes.buffer[column.range(row)])
      return (.binary(bytes), "\(bytes.count) bytes")
    case .integerList:
      let list = Array(column.integers.buffer[column.range(row)])
      return (.integers(list), list.map(String.init).joined(separator: ", "))
    case .realList:
      let list = Array(column.reals.buffer[column.range(row)])
      return (.reals(list), list.map { NumberText.shortest($0) }.joined(separator: ", "))
    case .textList:
      let list = column.range(row).map { entry in
        (column.entries?.buffer[entry]).flatMap { $0 }.map { String(cString: $0) } ?? ""
      }
      return (.texts(list), list.joined(separator: ", "))
    }
  }
}
