import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// The cells under the samples of a screen.
struct ScreenRequest {
  let raster: Raster
  /// Indexes from 0.
  let bands: [Int]
  let cells: UnsafeBufferPointer<CellIndex>
  private let memory: HeapArray<CellIndex>
  /// nil: the native resolution.
  let level: Int?
  /// The size of the level's cells in native cells.
  let cellSize: Double

  init(
    _ content: RasterContent, bands: [Int], _ grid: ScreenGrid, _ frame: ViewFrame, _ projection: LayerProjection
  ) throws(EngineError) {
    let raster = content.raster
    self.raster = raster
    self.bands = bands
    var level: Int?
    if grid.usesOverviews { level = try Self.fittingLevel(raster, bands, grid, frame, projection) }
    let facts = raster.facts
    let overview = level.flatMap { raster.overview($0, forBands: bands) }
    cellSize = overview.map { Double(facts.width) / Double($0.width) } ?? 1
    self.level = level
    let lines = ScreenLines(raster, grid, frame, projection.toLayer, overview)
    let memory = try HeapArray<CellIndex>(count: grid.count)
    let columns = Int(truncatingIfNeeded: grid.columns)
    // Each line is written by the one thread that works on it.
    try raster.runtime.workers.forEach(Int(truncatingIfNeeded: grid.rows)) { (row) throws(EngineError) in
      let line = UnsafeMutableBufferPointer(rebasing: memory.buffer[(row &* columns)..<((row &+ 1) &* columns)])
      try lines.findCells(ofLine: row, into: line)
    }
    self.memory = memory
    cells = UnsafeBufferPointer(memory.buffer)
  }

  /// The overview whose cells come nearest to the size of a sample in the middle of the grid without being larger.
  private static func fittingLevel(
    _ raster: Raster, _ bands: [Int], _ grid: ScreenGrid, _ frame: ViewFrame, _ projection: LayerProjection
  ) throws(EngineError) -> Int? {
    let facts = raster.facts
    let middle = (
      column: Int(truncatingIfNeeded: grid.columns) / 2, row: Int(truncatingIfNeeded: grid.rows) / 2
    )
    var places: [(column: Double, row: Double)] = []
    for (dx, dy) in [(0, 0), (1, 0), (0, 1)] {
      let screen = grid.point(column: middle.column &+ dx, row: middle.row &+ dy)
      guard let point = try projection.toLayer.project(projection.toLayer.nearCopy(of: frame.mapPoint(screen))),
        let place = facts.geotransform.place(of: point, in: facts.size)
      else { return nil }
      places.append(place)
    }
    func step(_ index: Int) -> Double {
      max((places[index].column - places[0].column).magnitude, (places[index].row - places[0].row).magnitude)
    }
    let sampleSize = min(step(1), step(2))
    var best: (level: Int, size: Double)?
    for level in facts.bands[bands.first ?? 0].overviews.indices {
      guard let overview = raster.overview(level, forBands: bands) else { continue }
      let size = max(Double(facts.width) / Double(overview.width), Double(facts.height) / Double(overview.height))
      if size <= sampleSize, size > best?.size ?? 1 { best = (level, size) }
    }
    return best?.level
  }

  /// Reads the cells' values, block by block.
  func read(
    margin: Int32,
    _ consume: @Sendable (borrowing CellBatch, UnsafeBufferPointer<BatchPoint>) -> Void
  ) throws(EngineError) {
    try raster.readBatches(cells, bands: bands, level: level, margin: margin, consume)
  }
}
