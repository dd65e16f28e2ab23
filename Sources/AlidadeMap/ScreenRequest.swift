import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// The cells under the samples of a screen.
struct ScreenRequest {
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
    let lines = ScreenLines(layer.raster, grid, frame, projection.toLayer, overview)
    var cells = [CellIndex](repeating: .outside, count: grid.count)
    let columns = Int(truncatingIfNeeded: grid.columns)
    try cells.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in
      // Right to share: each line is written by the one thread that works on it.
      nonisolated(unsafe) let buffer = buffer
      try layer.runtime.workers.forEach(Int(truncatingIfNeeded: grid.rows)) { (row) throws(EngineError) in
        let line = UnsafeMutableBufferPointer(rebasing: buffer[(row &* columns)..<((row &+ 1) &* columns)])
        try lines.findCells(ofLine: row, into: line)
      }
    }
    self.cells = cells
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
