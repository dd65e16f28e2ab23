import AlidadeBase
import AlidadeCoordinates
import CGDAL

/// A cell that was asked for.
public struct Cell: Sendable {
  public var index: CellIndex
  /// `value` if any band except an alpha band has a value, otherwise the verdict of the first band.
  public var verdict: CellVerdict
}

/// The distance in a grid between copies of a point that are one world apart. A turned grid has it in its rows, too.
struct WorldStep: Sendable {
  /// In columns and rows.
  let cells: SIMD2<Double>

  /// The whole worlds that come nearest to a distance; none if it is so far that its digits do not say.
  func whole(_ distance: SIMD2<Double>) -> SIMD2<Double> {
    let turns = ((distance * cells).sum() / (cells * cells).sum()).rounded()
    return turns.magnitude <= 0x1p20 ? turns * cells : .zero
  }
}

extension Raster {
  // MARK: From positions to cells

  /// The cell under a point in the raster's own spatial reference, in whichever copy of the world the point lies.
  public func cellIndex(at point: Point) -> CellIndex { cellIndex(at: point, worldWidth: worldWidth) }

  /// The cell under a point.
  ///
  /// - Parameter worldWidth: how far apart the copies of the world lie in x; nil: there is one world.
  @inline(__always)
  public func cellIndex(at point: Point, worldWidth: Double?) -> CellIndex {
    let index = ownCellIndex(at: point)
    guard !index.isCell, let worldWidth else { return index }
    return ownCellIndex(at: copy(of: point, worldWidth: worldWidth))
  }

  /// The cell under a point as it is given.
  @inline(__always)
  private func ownCellIndex(at point: Point) -> CellIndex {
    facts.geotransform.cell(at: point, in: facts.size)
  }

  /// The copy of a point that lies on the raster; if none does, the one that is nearest to its middle, so that
  /// neighbouring points have neighbouring copies.
  ///
  /// - Parameter worldWidth: how far apart the copies lie in x; nil: the point is its only copy.
  public func copy(of point: Point, worldWidth: Double?) -> Point {
    guard let worldWidth, !ownCellIndex(at: point).isCell else { return point }
    let turns = ((point.x - middleX) / worldWidth).rounded()
    // So far away its digits do not say which point of the world it is. A NaN fails, too.
    guard turns.magnitude <= 0x1p20 else { return point }
    let nearest = turns == 0 ? point : Point(x: point.x - turns * worldWidth, y: point.y)
    // The raster may be wider than a world, and holds one of its two ends only.
    for shift in [0, worldWidth, -worldWidth] {
      let copy = Point(x: nearest.x + shift, y: point.y)
      if ownCellIndex(at: copy).isCell { return copy }
    }
    // Rounding may leave a gap between the two ends of a raster that goes around the world.
    let goesAround = extent.xMax - extent.xMin >= worldWidth * (1 - 1e-9)
    let isInGap = nearest.x >= extent.xMax || nearest.x < extent.xMin
    return goesAround && isInGap ? Point(x: extent.xMin, y: point.y) : nearest
  }

  /// After how many columns the world begins anew, in a raster that goes around it along the parallels: its last column
  /// and its first one are then neighbours. nil if it does not, or not in whole columns, to a hundredth of one.
  var columnsAround: Int32? {
    let forward = facts.geotransform.forward
    guard let worldWidth, forward[1] != 0, forward[2] == 0, forward[4] == 0 else { return nil }
    let columns = worldWidth / forward[1].magnitude
    guard (columns - columns.rounded()).magnitude <= 0.01, let whole = Int32(exactly: columns.rounded()), whole > 0
    else { return nil }
    return whole <= facts.width ? whole : nil
  }

  /// How the copies of the world lie in the grid; nil: there is one world.
  var worldStep: WorldStep? {
    worldWidth.flatMap { facts.geotransform.cells(SIMD2($0, 0)) }.map { WorldStep(cells: $0) }
  }

  private var middleX: Double { (extent.xMin + extent.xMax) / 2 }

  /// Whether a point is not in the copy of the world around the raster's middle.
  func isInAnotherCopy(_ point: Point) -> Bool {
    worldWidth.map { (point.x - middleX).magnitude >= $0 / 2 } ?? false
  }

  /// The cells that contain points.
  ///
  /// - Parameters:
  ///   - points: replaced by their images in the raster's spatial reference.
  ///   - source: the spatial reference of the points; nil means that of the raster.
  public func cellIndexes(
    at points: HeapArray<Point>, in source: SpatialReference?
  ) throws(EngineError) -> HeapArray<CellIndex> {
    try runtime.limitedHere { () throws(EngineError) -> HeapArray<CellIndex> in
      try requirePlaceable()
      let cells = try HeapArray<CellIndex>(count: points.buffer.count)
      // A point that is not finite is outside. A point that becomes so when it is projected is not projectable.
      for (index, point) in points.buffer.enumerated() {
        cells.buffer[index] = point.isFinite ? .notProjectable : .outside
      }
      try project(points, from: source)
      for (index, point) in points.buffer.enumerated() where point.isFinite {
        cells.buffer[index] = cellIndex(at: point)
      }
      return cells
    }
  }

  /// The same column and row if they lie on the raster, otherwise `outside`.
  public func clipped(_ index: CellIndex) -> CellIndex {
    index.column >= 0 && index.row >= 0 && index.column < facts.width && index.row < facts.height ? index : .outside
  }

  // MARK: Reading

  /// Reads one cell in all bands. Without a cell, each band gets the reason.
  ///
  /// - Parameter values: memory for a value per band.
  public func readCell(
    _ index: CellIndex, into values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) -> Cell {
    guard index.isCell else {
      for (band, fact) in facts.bands.enumerated() where band < values.count {
        values.initializeElement(at: band, to: .absent(fact.type, index.verdictWithoutCell))
      }
      return Cell(index: .outside, verdict: index.verdictWithoutCell)
    }
    if let part = recent.part(holding: index) {
      try withTemporaryMemory(byteCount: allBands.planes.count &* 16) { (memory) throws(EngineError) in
        part.copy(index, allBands.planes, to: memory)
        decode(memory, into: values)
      }
    } else if runtime.hasTimeLimit {
      try runtime.limited(filling: values, UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)) {
        [self] (values, _) throws(EngineError) in try readPlanes(of: index, into: values)
      }
    } else {
      // A closure that goes to another thread would cost as much as the rest.
      try readPlanes(of: index, into: values)
    }
    try checkFreshness(sure: false)
    return Cell(index: index, verdict: verdict(of: UnsafeBufferPointer(values)))
  }

  private func readPlanes(
    of index: CellIndex, into values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) {
    if let tiles { return try readPlanes(of: index, try tiles.hold([tiles.place(of: index)], runtime), into: values) }
    let part = isRemote ? nil : recent.partToCopy(with: index, runtime.policy)
    try withDataset(shelf: shelf(ofBlock: block(of: index))) { (dataset, words) throws(EngineError) in
      try readPlanes(of: index, dataset, words, into: values)
      if let part, let copied = try readPart(part, dataset) { recent.keep(copied) }
    }
  }

  /// Reads the planes of one cell, 16 bytes each. Call inside the guard.
  private func readPlanes(
    of index: CellIndex, _ dataset: DatasetHandle, _ words: UnsafePointer<GDALWords>,
    into values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) {
    let plan = allBands
    try withTemporaryMemory(byteCount: plan.planes.count &* 16) { (memory) throws(EngineError) in
      for (number, plane) in plan.planes.enumerated() {
        if number > 0 { try TimeLimit.check() }
        guard dataset.prepare(linesBefore: index.row &+ 1), let band = dataset.band(plane, level: nil),
          GDALRasterIO(
            band, GF_Read, index.column, index.row, 1, 1, memory + number &* 16, 1, 1, plane.gdalType, 0, 0) == CE_None
        else {
          throw words.pointee.failure(
            .readFailed,
            "\(plane.isMask ? "The mask of band" : "Band") \(plane.band &+ 1) of \"\(facts.path)\" cannot be read at "
              + "column \(index.column), row \(index.row)")
        }
      }
      decode(memory, into: values)
    }
  }

  /// The same for the cell of a raster of a service.
  private func readPlanes(
    of index: CellIndex, _ tiles: HeldTiles, into values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) {
    try withTemporaryMemory(byteCount: allBands.planes.count &* 16) { (memory) throws(EngineError) in
      let window = CellWindow(column: index.column, row: index.row, width: 1, height: 1)
      for (number, plane) in allBands.planes.enumerated() {
        try tiles.read(plane, window, into: memory + number &* 16, rowCells: 1)
      }
      decode(memory, into: values)
    }
  }

  /// What all bands say of a cell whose planes lie 16 bytes apart.
  @inline(__always)
  private func decode(_ memory: UnsafeMutableRawPointer, into values: UnsafeMutableBufferPointer<BandValue>) {
    let plan = allBands
    for (number, planes) in plan.bands.enumerated() where number < values.count {
      let stored = plan.planes[planes.value].type.load(memory + planes.value &* 16)
      let isMasked = planes.mask >= 0 && (memory + planes.mask &* 16).load(as: UInt8.self) == 0
      let isTransparent =
        planes.alpha >= 0 && plan.planes[planes.alpha].type.load(memory + planes.alpha &* 16).value == 0
      values.initializeElement(
        at: number, to: facts.bands[number].decode(stored, isMasked: isMasked, isTransparent: isTransparent))
    }
  }

  /// Reads many cells, block by block and on all cores. The results have the order of the request.
  ///
  /// - Parameters:
  ///   - results: memory for a cell per index.
  ///   - values: memory for `bands` values per index, all bands of the first cell first.
  public func readCells(
    _ indexes: HeapArray<CellIndex>, into results: UnsafeMutableBufferPointer<Cell>,
    values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) {
    try runtime.limited(filling: results, values) { [self] (results, values) throws(EngineError) in
      let indexes = UnsafeBufferPointer(indexes.buffer)
      let bandCount = facts.bands.count
      // Right to share: each index is written by the one batch that holds it.
      nonisolated(unsafe) let results = results
      nonisolated(unsafe) let values = values
      for (position, index) in indexes.enumerated() where !index.isCell {
        results.initializeElement(at: position, to: Cell(index: .outside, verdict: index.verdictWithoutCell))
        for (band, fact) in facts.bands.enumerated() {
          values.initializeElement(
            at: position &* bandCount &+ band, to: .absent(fact.type, index.verdictWithoutCell))
        }
      }
      try CellBatchReader(raster: self, plan: allBands, gridSize: facts.size).read(indexes) { batch, points in
        for point in points {
          let position = batch.position(point)
          let first = Int(truncatingIfNeeded: point.index) &* bandCount
          for band in 0..<bandCount {
            values.initializeElement(at: first &+ band, to: batch.decode(band: band, at: position))
          }
          let own = UnsafeBufferPointer(rebasing: values[first..<(first &+ bandCount)])
          results.initializeElement(
            at: Int(truncatingIfNeeded: point.index),
            to: Cell(index: CellIndex(column: point.column, row: point.row), verdict: self.verdict(of: own)))
        }
      }
    }
  }

  /// Hands cells of some bands to `consume`, block by block and on all cores.
  ///
  /// - Parameters:
  ///   - indexes: in the grid of the level. Indexes without a cell are skipped.
  ///   - bands: indexes from 0.
  ///   - level: nil means the native resolution, otherwise a result of `overview(_:forBands:)` for these bands.
  ///   - margin: the number of cells around each cell that its batch must contain, as far as the raster reaches.
  ///   - tiles: those that hold the cells; nil: they are fetched if the raster has tiles.
  public func readBatches(
    _ indexes: UnsafeBufferPointer<CellIndex>, bands: [Int], level: Int?, margin: Int32 = 0, tiles: HeldTiles? = nil,
    _ consume: @Sendable (borrowing CellBatch, UnsafeBufferPointer<BatchPoint>) -> Void
  ) throws(EngineError) {
    try runtime.limitedHere { () throws(EngineError) -> Void in
      let plan = PlanePlan(facts, bands: bands)
      var size = facts.size
      if let level {
        guard let overview = overview(level, forBands: bands) else {
          throw EngineError(.internal, "Overview \(level) does not serve all of the bands.")
        }
        size = overview
      }
      let reader = CellBatchReader(
        raster: self, plan: plan, gridSize: size, level: level, margin: margin, tiles: tiles)
      try reader.read(indexes, consume)
    }
  }

  /// The size of an overview that serves all of some bands: each plane that reading them needs (values, masks, alpha)
  /// has it, in one size. nil if there is none.
  public func overview(_ level: Int, forBands bands: [Int]) -> BandFacts.Size? {
    var size: BandFacts.Size?
    for plane in PlanePlan(facts, bands: bands).planes {
      let overviews = facts.bands[plane.band].overviews
      guard level >= 0, level < overviews.count, overviews[level].isWhole, overviews[level].size.width > 0,
        overviews[level].size.height > 0, size == nil || size == overviews[level].size
      else { return nil }
      size = overviews[level].size
    }
    return size
  }

  /// One verdict for a cell from the verdicts of its bands. Alpha bands have a value everywhere and do not count.
  private func verdict(of values: UnsafeBufferPointer<BandValue>) -> CellVerdict {
    var first: CellVerdict?
    for (band, value) in values.enumerated() {
      if facts.bands[band].colorRole == .alpha, facts.bands.count > 1 { continue }
      if value.verdict == .value { return .value }
      if first == nil { first = value.verdict }
    }
    return first ?? .value
  }
}

/// Runs `body` with memory on the stack if it is small.
@inline(__always)
private func withTemporaryMemory<Result>(
  byteCount: Int, _ body: (UnsafeMutableRawPointer) throws(EngineError) -> Result
) throws(EngineError) -> Result {
  try withUnsafeTemporaryAllocation(byteCount: max(16, byteCount), alignment: 16) {
    (buffer) throws(EngineError) -> Result in
    guard let base = buffer.baseAddress else { throw EngineError(.outOfMemory, "No memory for a cell.") }
    return try body(base)
  }
}
