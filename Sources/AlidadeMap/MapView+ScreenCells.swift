import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// Which samples of a screen are wanted.
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

  /// Fills a picture with a raster layer as its renderer shows it.
  ///
  /// - Parameters:
  ///   - grid: completed.
  ///   - pixels: room for a colour per sample, the top line first.
  ///   - verdicts: room for a verdict per sample.
  public func readColors(
    of layer: RasterLayer, _ grid: ScreenGrid, into pixels: UnsafeMutableBufferPointer<RGBA>,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    pixels.initialize(repeating: .clear)
    guard let request = try screenRequest(of: layer, grid, verdicts: verdicts) else { return }
    let painter = CellPainter(try layer.resolvedRenderer(), layer.raster)
    let cellSize = request.cellSize
    // Right to share: each sample is written by the one batch that holds it.
    nonisolated(unsafe) let pixels = pixels
    nonisolated(unsafe) let verdicts = verdicts
    try request.read(bands: painter.renderer.bands, margin: painter.margin) { batch, points in
      for point in points {
        let (color, verdict) = painter.paint(batch, point, cellSize: cellSize)
        let index = Int(truncatingIfNeeded: point.index)
        pixels[index] = color
        verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue)
      }
    }
  }

  /// Fills an array with the values of a band; NaN without a value.
  ///
  /// - Parameters:
  ///   - grid: completed.
  ///   - band: from 0.
  ///   - values: room for a value per sample, the top line first.
  ///   - verdicts: room for a verdict per sample.
  public func readValues(
    of layer: RasterLayer, _ grid: ScreenGrid, band: Int, scaled: Bool,
    into values: UnsafeMutableBufferPointer<Double>, verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    values.initialize(repeating: .nan)
    guard let request = try screenRequest(of: layer, grid, verdicts: verdicts) else { return }
    let facts = layer.raster.facts.bands[band]
    let scale = scaled && facts.isScaled ? facts.scale ?? 1 : 1
    let offset = scaled && facts.isScaled ? facts.offset ?? 0 : 0
    let isScaled = scaled && facts.isScaled
    // Right to share: each sample is written by the one batch that holds it.
    nonisolated(unsafe) let values = values
    nonisolated(unsafe) let verdicts = verdicts
    try request.read(bands: [band], margin: 0) { batch, points in
      for point in points {
        let (value, verdict) = batch.value(band: 0, at: point)
        let index = Int(truncatingIfNeeded: point.index)
        if verdict == .value { values[index] = isScaled ? value * scale + offset : value }
        verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue)
      }
    }
  }

  /// Finds the cell of every sample. Writes the verdicts of samples without a cell; nil if the layer is hidden.
  private func screenRequest(
    of layer: RasterLayer, _ grid: ScreenGrid, verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) -> ScreenRequest? {
    let frame = try frame()
    let projection = try access(layer, frame)
    verdicts.initialize(repeating: UInt8(truncatingIfNeeded: CellVerdict.outside.rawValue))
    guard let projection else { return nil }
    let request = try ScreenRequest(layer, grid, frame, projection)
    for (position, index) in request.cells.enumerated() where index.column < 0 {
      verdicts[position] = UInt8(truncatingIfNeeded: index.verdictWithoutCell.rawValue)
    }
    return request
  }
}

/// The cells under the samples of a screen.
private struct ScreenRequest {
  let layer: RasterLayer
  let cells: [CellIndex]
  /// nil: the native resolution.
  let level: Int?
  /// The size of the level's cells in native cells.
  let cellSize: Double

  init(
    _ layer: RasterLayer, _ grid: ScreenGrid, _ frame: ViewFrame, _ projection: LayerProjection
  ) throws(EngineError) {
    self.layer = layer
    var level: Int?
    if grid.usesOverviews { level = try Self.fittingLevel(layer, grid, frame, projection) }
    let facts = layer.raster.facts
    let overview = level.map { facts.bands[0].overviews[$0] }
    cellSize = overview.map { Double(facts.width) / Double($0.width) } ?? 1
    self.level = level
    var cells = [CellIndex](repeating: .outside, count: grid.count)
    let columns = Int(truncatingIfNeeded: grid.columns)
    try cells.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in
      // Right to share: each line is written by the one thread that works on it.
      nonisolated(unsafe) let buffer = buffer
      try layer.runtime.workers.forEach(Int(truncatingIfNeeded: grid.rows)) { (row) throws(EngineError) in
        let line = UnsafeMutableBufferPointer(rebasing: buffer[(row &* columns)..<((row &+ 1) &* columns)])
        try Self.findCells(of: layer, row: row, grid, frame, projection, overview, into: line)
      }
    }
    self.cells = cells
  }

  /// The cells of one line.
  private static func findCells(
    of layer: RasterLayer, row: Int, _ grid: ScreenGrid, _ frame: ViewFrame, _ projection: LayerProjection,
    _ overview: BandFacts.Size?, into line: UnsafeMutableBufferPointer<CellIndex>
  ) throws(EngineError) {
    var points = line.indices.map { frame.mapPoint(grid.point(column: $0, row: row)) }
    try points.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in
      try projection.toLayer.project(buffer)
    }
    let facts = layer.raster.facts
    for (column, point) in points.enumerated() {
      var index = point.x.isNaN ? .notProjectable : layer.raster.cellIndex(at: point)
      if let overview, index.column >= 0 { index = overviewCell(at: point, facts, overview) }
      line[column] = index
    }
  }

  /// The overview's cell at a point that lies on the raster.
  private static func overviewCell(at point: Point, _ facts: RasterFacts, _ overview: BandFacts.Size) -> CellIndex {
    guard let place = facts.geotransform.place(of: point) else { return .outside }
    func position(_ place: Double, _ native: Int32, _ size: Int32) -> Int32 {
      let position = Int32(exactly: (place * Double(size) / Double(native)).rounded(.down)) ?? 0
      return min(max(position, 0), size &- 1)
    }
    return CellIndex(
      column: position(place.column, facts.width, overview.width),
      row: position(place.row, facts.height, overview.height))
  }

  /// The overview whose cells come nearest to the size of a sample in the middle of the grid without being larger.
  private static func fittingLevel(
    _ layer: RasterLayer, _ grid: ScreenGrid, _ frame: ViewFrame, _ projection: LayerProjection
  ) throws(EngineError) -> Int? {
    let facts = layer.raster.facts
    let middle = (
      column: Int(truncatingIfNeeded: grid.columns) / 2, row: Int(truncatingIfNeeded: grid.rows) / 2
    )
    var places: [(column: Double, row: Double)] = []
    for (dx, dy) in [(0, 0), (1, 0), (0, 1)] {
      let screen = grid.point(column: middle.column &+ dx, row: middle.row &+ dy)
      guard let point = try projection.toLayer.project(frame.mapPoint(screen)),
        let place = facts.geotransform.place(of: point)
      else { return nil }
      places.append(place)
    }
    func step(_ index: Int) -> Double {
      max((places[index].column - places[0].column).magnitude, (places[index].row - places[0].row).magnitude)
    }
    let sampleSize = min(step(1), step(2))
    var best: (level: Int, size: Double)?
    for (level, overview) in facts.bands[0].overviews.enumerated() where overview.width > 0 && overview.height > 0 {
      let size = max(Double(facts.width) / Double(overview.width), Double(facts.height) / Double(overview.height))
      if size <= sampleSize, size > best?.size ?? 1 { best = (level, size) }
    }
    return best?.level
  }

  /// Reads the cells' values, block by block.
  func read(
    bands: [Int], margin: Int32,
    _ consume: @Sendable (borrowing CellBatch, UnsafeBufferPointer<BatchPoint>) -> Void
  ) throws(EngineError) {
    try cells.withUnsafeBufferPointer { (buffer) throws(EngineError) in
      try layer.raster.readBatches(buffer, bands: bands, level: level, margin: margin, consume)
    }
  }
}
