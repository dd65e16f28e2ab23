import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// An attribute of an element.
public struct Attribute: Sendable {
  public enum Value: Sendable {
    /// A cell is nodata, masked or transparent, and the text says which. Otherwise the attribute has no value.
    case null
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case complex(Double, Double)
    case text
    case date(FeatureDate, FieldType)
    case binary([UInt8])
    case integers([Int64])
    case reals([Double])
    case texts([String])
  }

  public let name: String
  /// Another name, for people; empty: none.
  public var alias = ""
  public let role: Role
  /// The band that it belongs to, from 1; 0: it belongs to none.
  public let band: Int32
  public let value: Value
  /// The value as a person would read it, with its unit.
  public let text: String
}

/// The names of the attributes of a raster's cells: unique, whatever the case of their letters.
struct AttributeNames: Sendable {
  struct Band: Sendable {
    var value: String
    var category: String
    var columns: [String]
  }

  let bands: [Band]

  init(_ facts: RasterFacts) {
    var taken: Set<String> = []
    func unique(_ name: String, orElse fallback: String) -> String {
      var candidate = name
      var number = 1
      while !taken.insert(candidate.lowercased()).inserted {
        candidate = number == 1 ? fallback : "\(fallback) (\(number))"
        number &+= 1
      }
      return candidate
    }
    // All bands first: a table's column must not take a band's name away.
    let values = facts.bands.enumerated().map { index, band in
      unique(
        band.description.isEmpty ? "Band \(index &+ 1)" : band.description,
        orElse: "\(band.description) (band \(index &+ 1))")
    }
    bands = facts.bands.enumerated().map { index, band in
      let columns = band.table?.columns.map { unique($0.name, orElse: "\(values[index]) \($0.name)") } ?? []
      let category =
        band.categories.isEmpty ? "" : unique("\(values[index]) category", orElse: "\(values[index]) class")
      return Band(value: values[index], category: category, columns: columns)
    }
  }
}

/// Attributes and texts of a cell.
enum CellAttributes {
  /// The bands in their order, each followed by its category and its table's columns.
  static func list(_ values: [BandValue], _ bands: [BandFacts], _ names: AttributeNames) -> [Attribute] {
    var attributes: [Attribute] = []
    attributes.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let band = bands[index]
      let number = Int32(truncatingIfNeeded: index &+ 1)
      let (typed, text) = reading(value, band)
      attributes.append(
        Attribute(name: names.bands[index].value, role: .bandValue, band: number, value: typed, text: text))
      if value.category >= 0 {
        attributes.append(
          Attribute(
            name: names.bands[index].category, role: .category, band: number, value: .text,
            text: band.categories[Int(truncatingIfNeeded: value.category)]))
      }
      if value.tableRow >= 0, let table = band.table {
        let row = Int(truncatingIfNeeded: value.tableRow)
        for (column, name) in zip(table.columns, names.bands[index].columns) {
          attributes.append(
            Attribute(
              name: name, role: .tableColumn, band: number, value: column.value(row: row), text: column.text(row: row)))
        }
      }
    }
    return attributes
  }

  /// A band's value, typed and as text.
  private static func reading(_ value: BandValue, _ band: BandFacts) -> (Attribute.Value, String) {
    switch value.verdict {
    case .value: break
    case .nodata: return (.null, "NoData")
    case .masked: return (.null, "Masked")
    case .transparent: return (.null, "Transparent")
    case .outside, .notProjectable: return (.null, "Outside")
    case .notLoaded: return (.null, "Not loaded")
    }
    let (typed, number) = band.isScaled ? scaledReading(value) : storedReading(value)
    return (typed, band.unit.isEmpty ? number : "\(number) \(band.unit)")
  }

  private static func scaledReading(_ value: BandValue) -> (Attribute.Value, String) {
    guard value.type.isComplex else { return (.real(value.scaled), NumberText.computed(value.scaled)) }
    return (
      .complex(value.scaled, value.scaledImaginary),
      complexText(NumberText.computed(value.scaled), NumberText.computed(value.scaledImaginary))
    )
  }

  private static func storedReading(_ value: BandValue) -> (Attribute.Value, String) {
    switch value.type {
    case .uint64:
      let bits = UInt64(bitPattern: value.integer)
      return (.unsigned(bits), String(bits))
    case .float32: return (.real(value.value), NumberText.shortest(Float(value.value)))
    case .float64: return (.real(value.value), NumberText.shortest(value.value))
    case .complexFloat32:
      return (
        .complex(value.value, value.imaginary),
        complexText(NumberText.shortest(Float(value.value)), NumberText.shortest(Float(value.imaginary)))
      )
    case .complexInt16, .complexInt32, .complexFloat64:
      return (
        .complex(value.value, value.imaginary),
        complexText(NumberText.shortest(value.value), NumberText.shortest(value.imaginary))
      )
    default: return (.integer(value.integer), String(value.integer))
    }
  }

  /// "3+4i", "3-4i".
  private static func complexText(_ real: String, _ imaginary: String) -> String {
    imaginary.hasPrefix("-") ? "\(real)\(imaginary)i" : "\(real)+\(imaginary)i"
  }

  /// A line per attribute, an empty line, then X and Y of the extent's minimum corner.
  static func text(_ attributes: [Attribute], corner: Point?) -> String {
    var text = ""
    for (index, attribute) in attributes.enumerated() {
      if index > 0 { text += "\n" }
      text += attribute.name
      text += ": "
      text += attribute.text
    }
    guard let corner else { return text }
    text += "\n\nX: "
    text += NumberText.roundedAwayToThousandth(corner.x)
    text += "\nY: "
    text += NumberText.roundedAwayToThousandth(corner.y)
    return text
  }
}

extension AttributeTable.Column {
  /// The typed value of a row.
  fileprivate func value(row: Int) -> Attribute.Value {
    switch values {
    case .integers(let list): .integer(Int64(truncatingIfNeeded: list[row]))
    case .reals(let list): .real(list[row])
    case .texts: .text
    }
  }
}
