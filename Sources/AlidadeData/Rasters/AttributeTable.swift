import AlidadeBase
import CGDAL

/// A band's raster attribute table, read whole.
public struct AttributeTable: Sendable {
  public enum Values: Sendable {
    case integers([Int32])
    case reals([Double])
    case texts([String])
  }

  public struct Column: Sendable {
    public let name: String
    public let role: ColumnRole
    public let values: Values

    public var type: ColumnType {
      switch values {
      case .integers: .integer
      case .reals: .real
      case .texts: .text
      }
    }

    /// A row's value as a number: 0 as an integer for a real number or a text, NaN as a real number for a text.
    public func number(row: Int) -> (integer: Int64, real: Double) {
      switch values {
      case .integers(let list): (Int64(truncatingIfNeeded: list[row]), Double(list[row]))
      case .reals(let list): (0, list[row])
      case .texts: (0, .nan)
      }
    }

    /// A row's value as a person would read it.
    public func text(row: Int) -> String {
      switch values {
      case .integers(let list): String(list[row])
      case .reals(let list): NumberText.shortest(list[row])
      case .texts(let list): list[row]
      }
    }

    /// The values as numbers; nil for texts.
    func numbers() -> [Double]? {
      switch values {
      case .integers(let list): list.map { Double($0) }
      case .reals(let list): list
      case .texts: nil
      }
    }
  }

  public let columns: [Column]
  public let rowCount: Int
  private let lookup: Lookup

  /// How a value finds its row; the order of the rules is GDAL's.
  private enum Lookup: Sendable {
    /// Rows of equal width.
    case bins(first: Double, size: Double)
    /// Rows whose minimum is their maximum, all different: the usual table of classes.
    case exact([Double: Int32])
    /// Rows from a minimum to a maximum, both inclusive. A nil array means no bound on that side.
    case ranges(minima: [Double]?, maxima: [Double]?)
    case none
  }

  /// The row that describes a stored value: -1 if there is none.
  func row(of value: Double) -> Int32 {
    switch lookup {
    case .none: return -1
    case .exact(let rows): return rows[value] ?? -1
    case .bins(let first, let size):
      guard size != 0, let bin = Int32(exactly: ((value - first) / size).rounded(.down)), bin >= 0 else { return -1 }
      return Int(truncatingIfNeeded: bin) < rowCount ? bin : -1
    case .ranges(let minima, let maxima):
      for row in 0..<rowCount {
        if let minima, value < minima[row] { continue }
        if let maxima, value > maxima[row] { continue }
        return Int32(truncatingIfNeeded: row)
      }
      return -1
    }
  }

  // MARK: Reading

  /// A value, and its text in C form.
  private static let bytesPerValue = 32

  /// Reads a table of GDAL's. Call inside the guard; nil if it has no columns or rows. Throws if it is larger than the
  /// policy's memory: a damaged file may claim any number of rows.
  init?(_ table: GDALRasterAttributeTableH?, _ policy: Policy) throws(EngineError) {
    guard let table else { return nil }
    let columnCount = GDALRATGetColumnCount(table)
    let rows = GDALRATGetRowCount(table)
    guard columnCount > 0, rows > 0 else { return nil }
    try policy.check(bytes: Int(truncatingIfNeeded: columnCount), Int(truncatingIfNeeded: rows), Self.bytesPerValue)
    rowCount = Int(truncatingIfNeeded: rows)
    var columns: [Column] = []
    for index in 0..<columnCount {
      guard let values = Self.values(table, column: index, rows: rows) else { return nil }
      columns.append(
        Column(
          name: gdalText(GDALRATGetNameOfCol(table, index)),
          role: Self.role(GDALRATGetUsageOfCol(table, index)), values: values))
    }
    self.columns = columns
    lookup = Self.lookup(table, columns)
  }

  private static func values(_ table: GDALRasterAttributeTableH, column: Int32, rows: Int32) -> Values? {
    let count = Int(truncatingIfNeeded: rows)
    switch GDALRATGetTypeOfCol(table, column) {
    case GFT_Integer:
      var list = [Int32](repeating: 0, count: count)
      guard GDALRATValuesIOAsInteger(table, GF_Read, column, 0, rows, &list) == CE_None else { return nil }
      return .integers(list)
    case GFT_Real:
      var list = [Double](repeating: 0, count: count)
      guard GDALRATValuesIOAsDouble(table, GF_Read, column, 0, rows, &list) == CE_None else { return nil }
      return .reals(list)
    default:
      return .texts((0..<rows).map { gdalText(GDALRATGetValueAsString(table, $0, column)) })
    }
  }

  private static func role(_ usage: GDALRATFieldUsage) -> ColumnRole {
    switch usage {
    case GFU_Generic: .generic
    case GFU_PixelCount: .pixelCount
    case GFU_Name: .name
    case GFU_Min: .minimum
    case GFU_Max: .maximum
    case GFU_MinMax: .value
    case GFU_Red: .red
    case GFU_Green: .green
    case GFU_Blue: .blue
    case GFU_Alpha: .alpha
    default: .other
    }
  }

  private static func lookup(_ table: GDALRasterAttributeTableH, _ columns: [Column]) -> Lookup {
    var first = 0.0
    var size = 0.0
    if GDALRATGetLinearBinning(table, &first, &size) != 0 { return .bins(first: first, size: size) }
    func numbers(_ role: ColumnRole) -> [Double]? { columns.first { $0.role == role }?.numbers() }
    let both = numbers(.value)
    let minima = numbers(.minimum) ?? both
    let maxima = numbers(.maximum) ?? both
    guard minima != nil || maxima != nil else { return .none }
    guard let minima, minima == maxima, !minima.contains(where: \.isNaN) else {
      return .ranges(minima: minima, maxima: maxima)
    }
    var rows: [Double: Int32] = [:]
    for (row, value) in minima.enumerated() where rows[value] == nil { rows[value] = Int32(truncatingIfNeeded: row) }
    return .exact(rows)
  }
}
