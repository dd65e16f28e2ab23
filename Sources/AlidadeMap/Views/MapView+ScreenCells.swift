import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// The samples to read from a screen.
public struct ScreenGrid: Sendable {
  /// The rectangle in DIP; width and height 0: the whole view.
  public var left = 0.0
  public var top = 0.0
  public var width = 0.0
  public var height = 0.0
  /// Samples per line and lines; both 0: one per physical pixel.
  public var columns: Int32 = 0
  public var rows: Int32 = 0
  /// Read the overview that fits the size of a sample instead of the native cells.
  public var usesOverviews = false

  public static let largestSide: Int32 = 65536

  public init() {}

  /// The number of samples, once the grid is completed.
  public var count: Int { Int(truncatingIfNeeded: columns) &* Int(truncatingIfNeeded: rows) }

  /// The centre of a sample's square.
  @inline(__always)
  func point(column: Double, row: Double) -> Point {
    Point(
      x: left + (column + 0.5) * (width / Double(columns)), y: top + (row + 0.5) * (height / Double(rows)))
  }
}

extension MapView {
  /// A grid with its zeros filled in.
  public func completed(_ grid: ScreenGrid) throws(EngineError) -> ScreenGrid {
    let size = try requireSize()
    var grid = grid
    guard grid.left.isFinite, grid.top.isFinite, grid.width.isFinite, grid.height.isFinite, grid.width >= 0,
      grid.height >= 0, (grid.width == 0) == (grid.height == 0)
    else {
      throw EngineError(
        .invalidArgument,
        "The grid's rectangle \(grid.left), \(grid.top), \(grid.width) x \(grid.height) DIP is not finite or has one "
          + "side of 0.")
    }
    if grid.width == 0 {
      guard grid.left == 0, grid.top == 0 else {
        throw EngineError(.invalidArgument, "A grid with left_dip or top_dip needs width_dip and height_dip.")
      }
      grid.width = size.width
      grid.height = size.height
    }
    if grid.columns == 0, grid.rows == 0 {
      grid.columns = Int32(clamping: Int(exactly: max(1, (grid.width * size.pixelDensity).rounded())) ?? Int.max)
      grid.rows = Int32(clamping: Int(exactly: max(1, (grid.height * size.pixelDensity).rounded())) ?? Int.max)
    }
    let sides = 1...ScreenGrid.largestSide
    guard sides.contains(grid.columns), sides.contains(grid.rows) else {
      throw EngineError(
        .invalidArgument,
        "The grid has \(grid.columns) x \(grid.rows) samples; each side may have 1 to \(ScreenGrid.largestSide).")
    }
    return grid
  }

  /// Fills a picture with a raster layer as its renderer shows it, with its opacity and that of the groups around it.
  ///
  /// - Parameters:
  ///   - grid: completed.
  ///   - pixels: memory for a colour per sample, the top line first.
  ///   - verdicts: memory for a verdict per sample.
  public func readColors(
    of layer: RasterLayer, _ grid: ScreenGrid, into pixels: UnsafeMutableBufferPointer<RGBA>,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    try runtime.limited(filling: pixels, verdicts) { [self] (pixels, verdicts) throws(EngineError) in
      try ScreenPainting(of: layer, in: self, grid).paint(in: self, into: pixels, verdicts: verdicts)
    }
  }

  /// A picture of a raster layer, with all that a server returns.
  ///
  /// - Parameter grid: completed.
  public func picture(of layer: RasterLayer, _ grid: ScreenGrid) throws(EngineError) -> ScreenPicture {
    let painting = try ScreenPainting(of: layer, in: self, grid)
    return try runtime.limited { [self] () throws(EngineError) in try painting.picture(in: self) }
  }

  /// A request that creates a picture of a raster layer in the view as it is now. `start` begins it. A newer request for
  /// the same layer replaces it, unless the options have a key.
  ///
  /// - Parameter grid: completed.
  public func pictureRequest(
    of layer: RasterLayer, _ grid: ScreenGrid, request: RequestOptions
  ) throws(EngineError) -> Request {
    let painting = try ScreenPainting(of: layer, in: self, grid)
    var request = request
    // Keys of the host's are seldom as great.
    if request.replaceKey == 0 { request.replaceKey = .max &- layer.identity }
    let runtime = runtime
    return try Request(
      .readScreen, runtime: runtime, owner: identity, options: request, waitsForServer: layer.waitsForServer
    ) { [weak self] () throws(EngineError) in
      let view = self
      return try runtime.limited { () throws(EngineError) in try painting.picture(in: view) }
    }
  }

  /// Fills an array with the values of a band; NaN without a value.
  ///
  /// - Parameters:
  ///   - grid: completed.
  ///   - band: from 0.
  ///   - values: memory for a value per sample, the top line first.
  ///   - verdicts: memory for a verdict per sample.
  public func readValues(
    of layer: RasterLayer, _ grid: ScreenGrid, band: Int, scaled: Bool,
    into values: UnsafeMutableBufferPointer<Double>, verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    try runtime.limited(filling: values, verdicts) { [self] (values, verdicts) throws(EngineError) in
      try ScreenPainting(of: layer, in: self, grid).readValues(
        in: self, band: band, scaled: scaled, into: values, verdicts: verdicts)
    }
  }
}
