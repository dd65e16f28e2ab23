import AlidadeBase
import AlidadeCoordinates

/// A rectangle of a raster's grid, in cells, and the samples that lie over it.
public struct RasterWindow: Sendable, Equatable {
  public var left = 0.0
  public var top = 0.0
  /// Width and height 0: the whole raster.
  public var width = 0.0
  public var height = 0.0
  /// Samples per line and lines; both 0: one per cell.
  public var columns: Int32 = 0
  public var rows: Int32 = 0

  public static let largestSide: Int32 = 65536
  /// The farthest that a window may reach or lie, in cells.
  public static let farthest = 2_147_483_648.0

  public init() {}

  var count: Int { Int(truncatingIfNeeded: columns) &* Int(truncatingIfNeeded: rows) }
}

extension Raster {
  /// A window with its zeros filled in.
  public func completed(_ window: RasterWindow) throws(EngineError) -> RasterWindow {
    var window = window
    let far = RasterWindow.farthest
    guard (-far...far).contains(window.left), (-far...far).contains(window.top), (0...far).contains(window.width),
      (0...far).contains(window.height), (window.width == 0) == (window.height == 0)
    else {
      throw EngineError(
        .invalidArgument,
        "The window \(window.left), \(window.top), \(window.width) x \(window.height) cells has one side of 0, a negative "
          + "one, or reaches farther than 2^31 cells.")
    }
    if window.width == 0 {
      guard window.left == 0, window.top == 0 else {
        throw EngineError(.invalidArgument, "A window with left or top needs width and height.")
      }
      window.width = Double(facts.width)
      window.height = Double(facts.height)
    }
    if window.columns == 0, window.rows == 0 {
      window.columns = Int32(clamping: Int(exactly: max(1, window.width.rounded())) ?? Int.max)
      window.rows = Int32(clamping: Int(exactly: max(1, window.height.rounded())) ?? Int.max)
    }
    let sides = 1...RasterWindow.largestSide
    guard sides.contains(window.columns), sides.contains(window.rows) else {
      throw EngineError(
        .invalidArgument,
        "The window has \(window.columns) x \(window.rows) samples; each side may have 1 to "
          + "\(RasterWindow.largestSide).")
    }
    return window
  }

  /// The window of whole cells whose middle cell contains a point. With an even number of cells, that is the first cell
  /// beyond the middle.
  ///
  /// - Parameter source: the spatial reference of the point; nil means that of the raster.
  public func window(
    around point: Point, in source: SpatialReference?, columns: Int32, rows: Int32
  ) throws(EngineError) -> RasterWindow {
    try requirePlaceable()
    var image = point
    if let projector = try projector(from: source) {
      guard let projected = try projector.project(projector.nearCopy(of: point)) else {
        throw EngineError(
          .projectionFailed,
          "(\(point.x), \(point.y)) cannot be projected \(projector.way).")
      }
      image = projected
    }
    let place = place(of: image)
    let far = RasterWindow.farthest / 2
    guard (-far...far).contains(place.column), (-far...far).contains(place.row) else {
      throw EngineError(.invalidArgument, "(\(point.x), \(point.y)) is more than 2^30 cells off the raster.")
    }
    var window = RasterWindow()
    window.left = place.column.rounded(.down) - Double(columns / 2)
    window.top = place.row.rounded(.down) - Double(rows / 2)
    window.width = Double(columns)
    window.height = Double(rows)
    window.columns = columns
    window.rows = rows
    return window
  }

  /// Reads the samples of a window.
  ///
  /// - Parameters:
  ///   - window: completed.
  ///   - band: from 0.
  ///   - values: memory for a value per sample, the top line first; NaN without a value.
  ///   - verdicts: memory for a verdict per sample.
  public func readWindow(
    _ window: RasterWindow, band: Int, _ sampling: Sampling, into values: UnsafeMutableBufferPointer<Double>,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    try runtime.limited(filling: values, verdicts) { [self] (values, verdicts) throws(EngineError) in
      try SampleRequest.check(count: window.count, runtime.policy)
      let request = try SampleRequest(count: window.count)
      let (stepX, stepY) = (window.width / Double(window.columns), window.height / Double(window.rows))
      var index = 0
      for row in 0..<window.rows {
        try TimeLimit.check()
        for column in 0..<window.columns {
          let place = GridPlace(
            column: window.left + (Double(column) + 0.5) * stepX, row: window.top + (Double(row) + 0.5) * stepY)
          request.places.buffer[index] = place
          request.cells.buffer[index] = cellIndex(holding: place)
          index &+= 1
        }
      }
      try read(request, band: band, sampling, into: values, verdicts: verdicts)
    }
  }
}
