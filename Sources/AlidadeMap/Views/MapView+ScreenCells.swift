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

  var count: Int { Int(truncatingIfNeeded: columns) &* Int(truncatingIfNeeded: rows) }

  /// The centre of a sample's square.
  @inline(__always)
  func point(column: Int, row: Int) -> Point {
    Point(
      x: left + (Double(column) + 0.5) * (width / Double(columns)),
      y: top + (Double(row) + 0.5) * (height / Double(rows)))
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
      pixels.initialize(repeating: .clear)
      let content = try layer.content()
      let renderer = try layer.resolvedRenderer(of: content)
      let margin = CellPainter(renderer, content.raster).margin
      guard
        let request = try screenRequest(
          of: layer, content, bands: renderer.bands, grid, margin: margin, verdicts: verdicts)
      else { return }
      let opacity = layer.standing.opacity
      // Right to share: each sample is written by the one batch that holds it.
      nonisolated(unsafe) let pixels = pixels
      nonisolated(unsafe) let verdicts = verdicts
      @Sendable func paint(_ request: ScreenRequest, isStandIn: Bool) throws(EngineError) {
        let painter = CellPainter(renderer, request.raster)
        let cellSize = request.cellSize
        try request.read(margin: isStandIn ? 0 : margin) { batch, points in
          for point in points {
            var (color, verdict) = painter.paint(batch, point, cellSize: cellSize)
            let index = Int(truncatingIfNeeded: point.index)
            if opacity < 1 { color.alpha = color.alpha.scaled(by: opacity) }
            pixels[index] = color
            if !isStandIn { verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue) }
          }
        }
      }
      try layer.reading(content) { () throws(EngineError) in
        try paint(request, isStandIn: false)
        // What a service has not returned yet is seen at a coarser level, as far as that is there.
        var lacking = request
        let coarser = content.levels.prefix { $0.raster.facts.width < request.raster.facts.width }
        for level in coarser.reversed().prefix(Self.mostStandIns) {
          guard let next = try lacking.coarser(level) else { break }
          try paint(next, isStandIn: true)
          lacking = next
        }
      }
    }
  }

  /// A cell that is shown in place of those of a service that lack is at most 2^6 of them wide.
  private static let mostStandIns = 6

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
      values.initialize(repeating: .nan)
      let content = try layer.content()
      let bands = content.raster.facts.bands
      guard bands.indices.contains(band) else {
        throw EngineError(.notFound, "There is no band \(band &+ 1); the raster has bands 1 to \(bands.count).")
      }
      guard let request = try screenRequest(of: layer, content, bands: [band], grid, margin: 0, verdicts: verdicts)
      else { return }
      let facts = bands[band]
      let isScaled = scaled && facts.isScaled
      let (scale, offset) = (facts.scale ?? 1, facts.offset ?? 0)
      // Right to share: each sample is written by the one batch that holds it.
      nonisolated(unsafe) let values = values
      nonisolated(unsafe) let verdicts = verdicts
      try layer.reading(content) { () throws(EngineError) in
        try request.read(margin: 0) { batch, points in
          for point in points {
            let (value, verdict) = batch.value(band: 0, at: point)
            let index = Int(truncatingIfNeeded: point.index)
            if verdict == .value { values[index] = isScaled ? value * scale + offset : value }
            verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue)
          }
        }
      }
    }
  }

  /// Finds the cell of every sample, in the level that the view shows if the layer is of a service. Writes the verdicts
  /// of samples without a cell; nil if the layer is hidden.
  private func screenRequest(
    of layer: RasterLayer, _ content: RasterContent, bands: [Int], _ grid: ScreenGrid, margin: Int32,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) -> ScreenRequest? {
    let frame = try frame()
    let projection = try access(layer, frame)
    verdicts.initialize(repeating: UInt8(truncatingIfNeeded: CellVerdict.outside.rawValue))
    guard let projection else { return nil }
    var request = try ScreenRequest(try content.level(in: frame, projection), bands: bands, grid, frame, projection)
    if let level = request.raster.tiles {
      let (held, lacking) = request.holdTiles(level, margin: margin)
      content.fetches.want(lacking, held, in: self, layer, content)
    }
    for (position, index) in request.cells.enumerated() where index.column < 0 {
      verdicts[position] = UInt8(truncatingIfNeeded: index.verdictWithoutCell.rawValue)
    }
    return request
  }
}

extension UInt8 {
  /// - Parameter factor: 0 to 1.
  fileprivate func scaled(by factor: Double) -> UInt8 { UInt8(exactly: (Double(self) * factor).rounded()) ?? self }
}
