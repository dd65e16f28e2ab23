extension DataType {
  /// Bytes per value.
  public var size: Int {
    switch self {
    case .uint8, .int8: 1
    case .uint16, .int16: 2
    case .uint32, .int32, .float32, .complexInt16: 4
    case .uint64, .int64, .float64, .complexInt32, .complexFloat32: 8
    case .complexFloat64: 16
    }
  }

  public var isInteger: Bool { rawValue <= DataType.int64.rawValue }
  public var isComplex: Bool { rawValue >= DataType.complexInt16.rawValue }
}

/// A colour, 0 to 255 per channel, alpha 255 opaque, not premultiplied.
public struct RGBA: Sendable, Equatable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8
  public var alpha: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static let clear = RGBA(red: 0, green: 0, blue: 0, alpha: 0)
}

/// The column and row of a cell in its raster.
public struct CellIndex: Sendable, Equatable {
  public var column: Int32
  public var row: Int32

  public init(column: Int32, row: Int32) {
    self.column = column
    self.row = row
  }

  /// No cell: the point is not on the raster.
  public static let outside = CellIndex(column: -1, row: -1)
  /// No cell: the point cannot be projected into the raster's spatial reference.
  public static let notProjectable = CellIndex(column: -2, row: -2)

  /// No cell: the server has not returned it yet.
  public static let notLoaded = CellIndex(column: -3, row: -3)

  var isCell: Bool { column >= 0 }

  /// The verdict for an index without a cell.
  public var verdictWithoutCell: CellVerdict {
    self == .notProjectable ? .notProjectable : self == .notLoaded ? .notLoaded : .outside
  }
}

/// What one band says of a cell.
public struct BandValue: Sendable {
  public var type: DataType
  public var verdict: CellVerdict
  /// As stored; the real part of a complex value; NaN without a cell.
  public var value: Double
  public var imaginary: Double
  /// The stored integer, exact; of UInt64 its bits.
  public var integer: Int64
  /// value * scale + offset; NaN unless the verdict is `value`.
  public var scaled: Double
  public var scaledImaginary: Double
  public var color: RGBA
  /// Index of the category name; -1 if there is none.
  public var category: Int32
  /// Row of the attribute table; -1 if there is none.
  public var tableRow: Int32

  /// What a band says where there is no cell.
  static func absent(_ type: DataType, _ verdict: CellVerdict) -> BandValue {
    BandValue(
      type: type, verdict: verdict, value: .nan, imaginary: type.isComplex ? .nan : 0, integer: 0, scaled: .nan,
      scaledImaginary: type.isComplex ? .nan : 0, color: .clear, category: -1, tableRow: -1)
  }
}
