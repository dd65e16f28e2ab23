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
  /// Of a service: the tiles that are there; a cell of another one is `notLoaded`.
  private var tiles: HeldTiles?
  /// Of a service: the cells that are not there, by sample.
  private(set) var lacking: [(sample: Int, cell: CellIndex)] = []
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
    let tiles = ScreenTiles(raster, grid, frame, projection.toLayer, overview)
    let memory = try HeapArray<CellIndex>(count: grid.count)
    // Each sample is in one tile.
    try raster.runtime.workers.forEach(tiles.tileCount) { (tile) throws(EngineError) in
      try tiles.findCells(ofTile: tile, into: memory.buffer)
    }
    self.memory = memory
    cells = UnsafeBufferPointer(memory.buffer)
  }

  /// Leaves out what a service has not returned yet.
  ///
  /// - Parameters:
  ///   - margin: how many cells around each cell are wanted too.
  ///   - known: tiles that are there, even if the store no longer has them.
  /// - Returns: the tiles that are there, and the tiles that lack, what is nearest to the middle first.
  mutating func holdTiles(
    _ level: TileLevel, margin: Int32, known: HeldTiles? = nil
  ) -> (held: HeldTiles, lacking: [TilePlace]) {
    var held = HeldTiles(level)
    var (lacking, isThere) = (Set<TilePlace>(), [TilePlace: Bool]())
    var (last, isLastThere) = (TilePlace?.none, false)
    for (sample, cell) in memory.buffer.enumerated() where cell.column >= 0 {
      let place = level.place(of: cell)
      if place != last {
        if let known = isThere[place] {
          isLastThere = known
        } else {
          isLastThere = true
          for near in level.places(around: place, margin: margin) {
            if held.tile(near) != nil { continue }
            if let tile = level.pyramid.tile(near) ?? known?.tile(near) {
              held.put(tile, at: near)
            } else {
              lacking.insert(near)
              isLastThere = false
            }
          }
          isThere[place] = isLastThere
        }
        last = place
      }
      if isLastThere { continue }
      self.lacking.append((sample, cell))
      memory.buffer[sample] = .notLoaded
    }
    tiles = held
    let seen = isThere.keys
    let center = (
      column: seen.reduce(0.0) { $0 + Double($1.column) } / Double(max(1, seen.count)),
      row: seen.reduce(0.0) { $0 + Double($1.row) } / Double(max(1, seen.count))
    )
    func isNearer(_ a: TilePlace, _ b: TilePlace) -> Bool {
      func distance(_ place: TilePlace) -> Double {
        let (x, y) = (Double(place.column) - center.column, Double(place.row) - center.row)
        return x * x + y * y
      }
      let (near, far) = (distance(a), distance(b))
      return near == far ? (a.row, a.column) < (b.row, b.column) : near < far
    }
    return (held, lacking.sorted(by: isNearer))
  }

  /// The same samples in a coarser level of a service, where it is there: those that lack here.
  func coarser(_ content: RasterContent) throws(EngineError) -> ScreenRequest? {
    guard let level = content.raster.tiles, !lacking.isEmpty else { return nil }
    let memory = try HeapArray<CellIndex>(count: cells.count)
    memory.buffer.initialize(repeating: .outside)
    let geotransform = raster.facts.geotransform
    for (sample, cell) in lacking {
      let center = geotransform.point(column: Double(cell.column) + 0.5, row: Double(cell.row) + 0.5)
      memory.buffer[sample] = content.raster.cellIndex(at: center)
    }
    var request = ScreenRequest(content.raster, bands, memory)
    _ = request.holdTiles(level, margin: 0)
    return request
  }

  private init(_ raster: Raster, _ bands: [Int], _ memory: HeapArray<CellIndex>) {
    (self.raster, self.bands, self.memory, level, cellSize) = (raster, bands, memory, nil, 1)
    cells = UnsafeBufferPointer(memory.buffer)
  }

  /// The overview whose cells come nearest to the size of a sample in the middle of the grid without being larger.
  private static func fittingLevel(
    _ raster: Raster, _ bands: [Int], _ grid: ScreenGrid, _ frame: ViewFrame, _ projection: LayerProjection
  ) throws(EngineError) -> Int? {
    let facts = raster.facts
    func screen(_ dx: Int32, _ dy: Int32) -> Point {
      grid.point(column: Double(grid.columns / 2 &+ dx), row: Double(grid.rows / 2 &+ dy))
    }
    guard
      let sides = try SampleSize.sides(
        of: raster, frame, projection, at: screen(0, 0), right: screen(1, 0), below: screen(0, 1)),
      let x = facts.geotransform.cells(sides.x), let y = facts.geotransform.cells(sides.y)
    else { return nil }
    // Rounding must not decide whether a sample is as large as a cell.
    let sampleSize = SampleSize(x, y).shortest * (1 + 1e-9)
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
    try raster.readBatches(cells, bands: bands, level: level, margin: margin, tiles: tiles, consume)
  }
}
