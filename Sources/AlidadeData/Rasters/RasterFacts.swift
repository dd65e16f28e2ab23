import AlidadeCoordinates

/// An affine geotransform and its inverse, evaluated in GDAL's order: another order moves exact edge points into the
/// neighbouring cell.
public struct Geotransform: Sendable {
  public let forward: [Double]
  /// nil if the transform cannot be inverted.
  let inverse: Inverse?

  /// x and y to column and row, as fields: an array would cost a bounds check per coefficient.
  struct Inverse: Sendable {
    let c0: Double, cx: Double, cy: Double
    let r0: Double, rx: Double, ry: Double
  }

  public var isInvertible: Bool { inverse != nil }

  /// The raster coordinates of a position in the grid; (0, 0) is the outer corner of the first cell.
  public func point(column: Double, row: Double) -> Point {
    Point(
      x: forward[0] + column * forward[1] + row * forward[2], y: forward[3] + column * forward[4] + row * forward[5])
  }

  /// A step in coordinates as one in columns and rows; nil if the transform cannot be inverted.
  public func cells(_ step: SIMD2<Double>) -> SIMD2<Double>? {
    inverse.map { SIMD2(step.x * $0.cx + step.y * $0.cy, step.x * $0.rx + step.y * $0.ry) }
  }

  /// The position of a point in a grid, in cells; nil if the transform cannot be inverted.
  ///
  /// By the inverse, but for the grid's border, where `forward` decides: the last bit of the inverse may put the grid's
  /// own corner outside.
  @inline(__always)
  public func place(of point: Point, in size: BandFacts.Size) -> (column: Double, row: Double)? {
    guard let inverse else { return nil }
    var column = inverse.c0 + point.x * inverse.cx + point.y * inverse.cy
    var row = inverse.r0 + point.x * inverse.rx + point.y * inverse.ry
    let (width, height) = (Double(size.width), Double(size.height))
    if Self.isNearEnd(column, width) || Self.isNearEnd(row, height) {
      if forward[2] == 0, forward[4] == 0 {
        column = Self.decided(column, width, point.x, from: forward[0], step: forward[1])
        row = Self.decided(row, height, point.y, from: forward[3], step: forward[5])
      } else {
        let columnError = inverse.c0.magnitude + (point.x * inverse.cx).magnitude + (point.y * inverse.cy).magnitude
        let rowError = inverse.r0.magnitude + (point.x * inverse.rx).magnitude + (point.y * inverse.ry).magnitude
        column = Self.snapped(column, width, within: min(columnError * Self.rounding, Self.mostRounding))
        row = Self.snapped(row, height, within: min(rowError * Self.rounding, Self.mostRounding))
      }
    }
    return (column, row)
  }

  /// The largest effect of rounding on a position in a rotated grid, as a part of the largest number in its sum.
  private static let rounding = 16 * Double.ulpOfOne
  /// In cells: of grids that are almost a line, whose positions have few digits, nothing is put on the border that is in a
  /// cell.
  private static let mostRounding = 1e-6

  @inline(__always)
  private static func isNearEnd(_ place: Double, _ count: Double) -> Bool {
    place.magnitude < 0.5 || (place - count).magnitude < 0.5
  }

  /// A position along an axis of a grid without rotation, put on the side of the grid's ends on which its coordinate
  /// is.
  private static func decided(
    _ place: Double, _ count: Double, _ coordinate: Double, from start: Double, step: Double
  ) -> Double {
    func isAtOrPast(_ end: Double) -> Bool { step > 0 ? coordinate >= end : coordinate <= end }
    if place.magnitude < 0.5 { return isAtOrPast(start) ? max(place, 0) : min(place, -.leastNonzeroMagnitude) }
    guard (place - count).magnitude < 0.5 else { return place }
    return isAtOrPast(start + count * step) ? max(place, count) : min(place, count.nextDown)
  }

  /// The end of a grid if a position is so near to it that rounding does not distinguish them.
  private static func snapped(_ place: Double, _ count: Double, within error: Double) -> Double {
    if place.magnitude <= error { return 0 }
    return (place - count).magnitude <= error ? count : place
  }

  /// The cell of a grid that holds a point: half open, so a point on an edge belongs to one cell.
  @inline(__always)
  public func cell(at point: Point, in size: BandFacts.Size) -> CellIndex {
    guard let place = place(of: point, in: size) else { return .outside }
    let (column, row) = (place.column.rounded(.down), place.row.rounded(.down))
    // A NaN fails these comparisons; what passes them fits.
    guard column >= 0, row >= 0, column < Double(size.width), row < Double(size.height),
      let column = Int32(exactly: column), let row = Int32(exactly: row)
    else { return .outside }
    return CellIndex(column: column, row: row)
  }
}

/// How a band marks the cells with a value, in addition to its nodata value.
enum MaskSource: Sendable, Equatable {
  case none
  /// A mask of the band's own.
  case bandMask
  /// A mask that all bands share.
  case dataSetMask
  /// A mask that GDAL computes from nodata values of all bands together.
  case dataSetNodata
}

/// Which stored values mean "no value". Compared as GDAL's own nodata mask does.
enum NodataRule: Sendable {
  case none
  case integer(Int64)
  case unsigned(UInt64)
  case float32(Float)
  case float64(Double)
  case nan
}

/// Facts about a band.
public final class BandFacts: Sendable {
  public struct Size: Sendable, Equatable {
    public let width: Int32
    public let height: Int32

    public init(width: Int32, height: Int32) {
      self.width = width
      self.height = height
    }
  }

  /// A copy of the band at a coarser resolution.
  public struct Overview: Sendable, Equatable {
    public let size: Size
    /// Whether it says as much as the band: it exists, and has a mask if the band has one.
    let isWhole: Bool
  }

  public let type: DataType
  public let colorRole: ColorRole
  public let blockWidth: Int32
  public let blockHeight: Int32
  public let overviews: [Overview]
  public let nodata: Double?
  /// The nodata value of an integer band; of UInt64 its bits.
  public let nodataInteger: Int64?
  /// nil if the file gives none; then 1.
  public let scale: Double?
  /// nil if the file gives none; then 0.
  public let offset: Double?
  public let unit: String
  public let description: String
  public let categories: [String]
  public let colors: [RGBA]
  public let table: AttributeTable?

  let nodataRule: NodataRule
  let maskSource: MaskSource
  /// Index of the alpha band that says which cells of this one are transparent.
  let alphaBand: Int?

  public var hasMask: Bool { maskSource != .none }
  public var hasAlpha: Bool { alphaBand != nil }
  /// Whether the scaled value can differ from the stored one.
  public var isScaled: Bool { (scale ?? 1) != 1 || (offset ?? 0) != 0 }

  init(
    type: DataType, colorRole: ColorRole, blockWidth: Int32, blockHeight: Int32, overviews: [Overview], nodata: Double?,
    nodataInteger: Int64?, scale: Double?, offset: Double?, unit: String, description: String, categories: [String],
    colors: [RGBA], table: AttributeTable?, nodataRule: NodataRule, maskSource: MaskSource, alphaBand: Int?
  ) {
    self.type = type
    self.colorRole = colorRole
    self.blockWidth = blockWidth
    self.blockHeight = blockHeight
    self.overviews = overviews
    self.nodata = nodata
    self.nodataInteger = nodataInteger
    self.scale = scale
    self.offset = offset
    self.unit = unit
    self.description = description
    self.categories = categories
    self.colors = colors
    self.table = table
    self.nodataRule = nodataRule
    self.maskSource = maskSource
    self.alphaBand = alphaBand
  }
}

/// Facts about a raster.
public struct RasterFacts: Sendable {
  public let path: String
  /// The short name of GDAL's driver.
  public let driver: String
  public let width: Int32
  public let height: Int32
  public let georeference: GeoreferenceKind
  /// 0, 1, 0, 0, 0, 1 unless the georeference is affine.
  public let geotransform: Geotransform
  public let controlPointCount: Int32
  /// Names by which the data sets inside the file can be opened.
  public let subdatasets: [String]
  public let bands: [BandFacts]
  /// The file's own spatial reference; empty if it has none.
  let wkt: String

  /// Width and height of the raster's own grid.
  public var size: BandFacts.Size { BandFacts.Size(width: width, height: height) }

  /// The corners (0, 0), (width, 0), (width, height), (0, height), through the geotransform.
  public var corners: [Point] {
    let width = Double(width)
    let height = Double(height)
    return [(0, 0), (width, 0), (width, height), (0, height)].map { geotransform.point(column: $0.0, row: $0.1) }
  }
}
