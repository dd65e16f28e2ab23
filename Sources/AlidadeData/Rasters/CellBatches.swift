import AlidadeBase
import CGDAL

/// A point of a batch.
public struct BatchPoint: Sendable {
  /// Its number in the request.
  public var index: Int32
  public var column: Int32
  public var row: Int32
}

/// Cells that were read together: a window of one block, and the points whose cells lie in it.
public struct CellBatch: ~Copyable {
  /// The window in the grid of the level that was read.
  public let column: Int32
  public let row: Int32
  public let width: Int32
  public let height: Int32
  let memory: UnsafeMutableRawPointer
  /// Where each plane of the plan begins, in bytes.
  let planeOffsets: [Int]
  let plan: PlanePlan
  let facts: RasterFacts

  /// The position of a cell in the window's arrays.
  @inline(__always)
  func position(_ point: BatchPoint) -> Int { position(column: point.column, row: point.row) }

  @inline(__always)
  func position(column: Int32, row: Int32) -> Int {
    Int(truncatingIfNeeded: row &- self.row) &* Int(truncatingIfNeeded: width)
      &+ Int(truncatingIfNeeded: column &- self.column)
  }

  @inline(__always)
  func stored(plane: Int, at position: Int) -> StoredValue {
    let type = plan.planes[plane].type
    return type.load(memory + planeOffsets[plane] + position &* type.size)
  }

  /// What the mask and the alpha band of the plan's `band`-th band say of a cell.
  @inline(__always)
  func cover(band: Int, at position: Int) -> (isMasked: Bool, isTransparent: Bool) {
    let planes = plan.bands[band]
    let isMasked =
      planes.mask >= 0 && (memory + planeOffsets[planes.mask] + position).load(as: UInt8.self) == 0
    let isTransparent = planes.alpha >= 0 && stored(plane: planes.alpha, at: position).value == 0
    return (isMasked, isTransparent)
  }

  /// Everything that the plan's `band`-th band says of a point's cell.
  func decode(band: Int, at position: Int) -> BandValue {
    let planes = plan.bands[band]
    let cover = cover(band: band, at: position)
    return facts.bands[plan.planes[planes.value].band].decode(
      stored(plane: planes.value, at: position), isMasked: cover.isMasked, isTransparent: cover.isTransparent)
  }

  /// The stored value and the verdict alone.
  @inline(__always)
  public func value(band: Int, at point: BatchPoint) -> (value: Double, verdict: CellVerdict) {
    value(band: band, atPosition: position(point))
  }

  @inline(__always)
  func value(band: Int, atPosition position: Int) -> (value: Double, verdict: CellVerdict) {
    let planes = plan.bands[band]
    let stored = stored(plane: planes.value, at: position)
    let cover = cover(band: band, at: position)
    let verdict = facts.bands[plan.planes[planes.value].band].verdict(
      stored, isMasked: cover.isMasked, isTransparent: cover.isTransparent)
    return (stored.value, verdict)
  }

  /// Reads the stored values and the verdicts of points.
  ///
  /// - Parameters:
  ///   - values: memory for a value per point.
  ///   - verdicts: memory for a verdict per point.
  public func read(
    band: Int, at points: UnsafeBufferPointer<BatchPoint>, into values: UnsafeMutableBufferPointer<Double>,
    verdicts: UnsafeMutableBufferPointer<CellVerdict>
  ) {
    let planes = plan.bands[band]
    let plane = plan.planes[planes.value]
    let type = plane.type
    let (size, start) = (type.size, memory + planeOffsets[planes.value])
    let facts = facts.bands[plane.band]
    let isCovered = planes.mask >= 0 || planes.alpha >= 0
    for (index, point) in points.enumerated() {
      let position = position(point)
      let stored = type.load(start + position &* size)
      let cover = isCovered ? cover(band: band, at: position) : (false, false)
      values[index] = stored.value
      verdicts[index] = facts.verdict(stored, isMasked: cover.0, isTransparent: cover.1)
    }
  }

  /// Whether the stored values of a band say all of its cells: it has `BandFacts.storedCount`, and no mask or alpha band.
  public func isPlain(band: Int) -> Bool {
    let planes = plan.bands[band]
    return planes.mask < 0 && planes.alpha < 0 && facts.bands[plan.planes[planes.value].band].storedCount != nil
  }

  /// Reads the stored values of points of a plain band, as `BandFacts.meaning` takes them.
  ///
  /// - Parameter values: memory for a value per point.
  public func readStored(
    band: Int, at points: UnsafeBufferPointer<BatchPoint>, into values: UnsafeMutableBufferPointer<UInt16>
  ) {
    let plane = plan.bands[band].value
    let start = memory + planeOffsets[plane]
    if plan.planes[plane].size == 1 {
      for (index, point) in points.enumerated() {
        values[index] = UInt16(truncatingIfNeeded: (start + position(point)).load(as: UInt8.self))
      }
    } else {
      for (index, point) in points.enumerated() {
        values[index] = (start + position(point) &* 2).load(as: UInt16.self)
      }
    }
  }

  /// The value of a cell near a point's cell, by steps in columns and rows; nil if it is not in the window.
  @inline(__always)
  public func neighbour(
    band: Int, of point: BatchPoint, columns: Int32, rows: Int32
  ) -> (value: Double, verdict: CellVerdict)? {
    let column = point.column &+ columns
    let row = point.row &+ rows
    guard column >= self.column, column < self.column &+ width, row >= self.row, row < self.row &+ height else {
      return nil
    }
    return value(band: band, atPosition: position(BatchPoint(index: 0, column: column, row: row)))
  }

  /// Whether an alpha band goes with a band.
  public func hasAlpha(band: Int) -> Bool { plan.bands[band].alpha >= 0 }

  /// How opaque a cell is by the alpha band, 0 to 255; 255 without one.
  @inline(__always)
  public func alpha(band: Int, at point: BatchPoint) -> UInt8 {
    let plane = plan.bands[band].alpha
    guard plane >= 0 else { return 255 }
    let value = stored(plane: plane, at: position(point)).value
    // Alpha bands of wider types use their whole range.
    let full: Double =
      switch plan.planes[plane].type {
      case .uint8: 255
      case .uint16: 65535
      case .float32, .float64: 1
      default: 255
      }
    return UInt8(exactly: (min(max(value / full, 0), 1) * 255).rounded()) ?? 255
  }
}

/// What cells are read from: a data set of GDAL's, or tiles of a service.
enum CellReader {
  case dataset(DatasetHandle, UnsafePointer<GDALWords>)
  case tiles(HeldTiles)
}

/// Reads cells in the order of the blocks that hold them, so that each block is decoded once, on all cores.
struct CellBatchReader {
  let raster: Raster
  let plan: PlanePlan
  /// The size of the grid that is read: the raster's own, or the overview's.
  let gridSize: BandFacts.Size
  /// nil for the native resolution, otherwise an overview.
  var level: Int?
  /// How many cells around each point's own are read too.
  var margin: Int32 = 0
  /// The tiles of a service that hold the cells; nil: they are fetched if they are not there.
  var tiles: HeldTiles?

  /// A stretch of points, one after the other in the request, that lie in one block.
  private struct Run: Sendable {
    var block: Int
    var start: Int32
    var count: Int32
  }

  /// Windows up to this many bytes per point are read at once; sparser ones cell by cell. (A call for one cell of a
  /// decoded block costs as much as copying a few hundred cells of it.)
  private static let windowBytesPerPoint = 512
  private static let windowBytesAlways = 1 << 11
  /// Cells that a worker looks at in one go for the blocks that hold them.
  private static let cellsAtOnce = 1 << 16
  /// From this many blocks on, workers help.
  private static let blocksWorthSharing = 4
  /// Nanoseconds: blocks that take longer than this on the average were not decoded before.
  private static let decodingTime: UInt64 = 100_000

  /// Reads the cells and hands them to `consume`, batch by batch, on any thread and in any order. Indexes that are no
  /// cell are passed over.
  func read(
    _ cells: UnsafeBufferPointer<CellIndex>,
    _ consume: @Sendable (borrowing CellBatch, UnsafeBufferPointer<BatchPoint>) -> Void
  ) throws(EngineError) {
    let runs = try sortedRuns(cells)
    let blocks = Self.blocks(runs)
    // Right to share: the cells are only read, and outlive the call.
    nonisolated(unsafe) let cells = cells
    let tiles = try heldTiles(runs)
    // The gate is passed once per block and not once for all: a fork must not have to wait for a whole request.
    @Sendable func readBlock(_ block: Range<Int>, shelf: Int) throws(EngineError) {
      try withReader(shelf: shelf, tiles) { (reader) throws(EngineError) in
        try read(runs[block], cells, reader, consume)
      }
    }
    guard blocks.count >= Self.blocksWorthSharing else {
      for block in blocks { try readBlock(block, shelf: raster.shelf(ofBlock: runs[block.lowerBound].block)) }
      try raster.checkFreshness(sure: true)
      return
    }
    // One thread per pool slot, so that no two threads wait for, or open, the same data set.
    var shelves = [[Range<Int>]](repeating: [], count: raster.shelfCount)
    for block in blocks { shelves[raster.shelf(ofBlock: runs[block.lowerBound].block)].append(block) }
    let left = BlocksLeft(shelves)
    try raster.forEachShelf { (shelf) throws(EngineError) in
      let (start, count) = (MonotonicTime.now(), UInt64(truncatingIfNeeded: left.begin(shelf)))
      while let block = left.next(shelf) { try readBlock(block, shelf: shelf) }
      // Blocks that had to be decoded: whoever is done with its own helps the others. What is decoded once more later is
      // less than what waiting costs now.
      guard !raster.isRemote, MonotonicTime.now() &- start > max(1, count) &* Self.decodingTime else { return }
      while let block = left.nextOfFullest() { try readBlock(block, shelf: shelf) }
    }
    try raster.checkFreshness(sure: true)
  }

  /// The blocks of each pool slot that nobody has read yet.
  private final class BlocksLeft: Sendable {
    private struct Shelf {
      var blocks: ArraySlice<Range<Int>>
      var isBegun = false
    }

    private let shelves: Lock<[Shelf]>

    init(_ shelves: [[Range<Int>]]) { self.shelves = Lock(shelves.map { Shelf(blocks: $0[...]) }) }

    /// How many blocks a slot has.
    func begin(_ shelf: Int) -> Int {
      shelves.withLock { shelves in
        shelves[shelf].isBegun = true
        return shelves[shelf].blocks.count
      }
    }

    func next(_ shelf: Int) -> Range<Int>? { shelves.withLock { $0[shelf].blocks.popFirst() } }

    /// The last one of the slot that has most left, of those that a thread works on. The others have no one to help, and
    /// their blocks stay with them.
    func nextOfFullest() -> Range<Int>? {
      shelves.withLock { shelves in
        let begun = shelves.indices.filter { shelves[$0].isBegun }
        guard let fullest = begun.max(by: { shelves[$0].blocks.count < shelves[$1].blocks.count }) else { return nil }
        return shelves[fullest].blocks.popLast()
      }
    }
  }

  /// The tiles in which the runs, and the cells around them, lie; nil for a raster of a file.
  private func heldTiles(_ runs: [Run]) throws(EngineError) -> HeldTiles? {
    if let tiles { return tiles }
    guard let level = raster.tiles else { return nil }
    var places: Set<TilePlace> = []
    var last = -1
    for run in runs where run.block != last {
      let place = level.place(ofBlock: run.block)
      places.formUnion(level.places(around: place, margin: margin))
      last = run.block
    }
    return try level.hold(places, raster.runtime)
  }

  /// Runs `body` with what reads cells.
  ///
  /// - Parameter tiles: those that hold the cells, for a raster of a service.
  private func withReader(
    shelf: Int, _ tiles: HeldTiles?, _ body: (CellReader) throws(EngineError) -> Void
  ) throws(EngineError) {
    if let tiles { return try body(.tiles(tiles)) }
    try raster.withDataset(shelf: shelf) { (dataset, words) throws(EngineError) in
      try body(.dataset(dataset, words))
    }
  }

  /// Reads a window, and hands it to `consume`. Call outside of the guard.
  func read(
    _ window: CellWindow, shelf: Int, _ consume: (borrowing CellBatch) -> Void
  ) throws(EngineError) {
    let tiles = try raster.tiles.map { (level) throws(EngineError) in
      try level.hold(Set(level.places(of: window)), raster.runtime)
    }
    try withReader(shelf: shelf, tiles) { (reader) throws(EngineError) in try read(window, reader, consume) }
  }

  /// The stretches of sorted runs that lie in the same block.
  private static func blocks(_ runs: [Run]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var start = 0
    while start < runs.count {
      var end = start
      while end < runs.count, runs[end].block == runs[start].block { end &+= 1 }
      groups.append(start..<end)
      start = end
    }
    return groups
  }

  private func sortedRuns(_ cells: UnsafeBufferPointer<CellIndex>) throws(EngineError) -> [Run] {
    let parts = (cells.count &+ Self.cellsAtOnce &- 1) / Self.cellsAtOnce
    // Right to share: the cells are only read, and outlive the call.
    nonisolated(unsafe) let cells = cells
    let found = try raster.runtime.workers.map(parts, slice: 1) { (part) throws(EngineError) in
      let start = part &* Self.cellsAtOnce
      return runs(of: cells, start..<min(cells.count, start &+ Self.cellsAtOnce))
    }
    return (found ?? []).joined().sorted { ($0.block, $0.start) < ($1.block, $1.start) }
  }

  /// The stretches of a part of the request.
  private func runs(of cells: UnsafeBufferPointer<CellIndex>, _ part: Range<Int>) -> [Run] {
    let (blockWidth, blockHeight, blocksPerRow) = blockGrid()
    var runs: [Run] = []
    var run = Run(block: -1, start: 0, count: 0)
    // The columns and rows of the run's block: neighbours mostly share it, and a division takes as long as all the rest.
    var (left, top) = (Int32.max, Int32.max)
    let (wide, high) = (UInt32(bitPattern: blockWidth), UInt32(bitPattern: blockHeight))
    for index in part {
      let cell = cells[index]
      // What is less than the block's first column or row wraps around to a large number.
      if UInt32(bitPattern: cell.column &- left) < wide, UInt32(bitPattern: cell.row &- top) < high {
        run.count &+= 1
        continue
      }
      if run.count > 0 { runs.append(run) }
      guard cell.isCell else {
        run.count = 0
        (left, top) = (.max, .max)
        continue
      }
      let (column, row) = (cell.column / blockWidth, cell.row / blockHeight)
      let block = Int(truncatingIfNeeded: row) &* blocksPerRow &+ Int(truncatingIfNeeded: column)
      run = Run(block: block, start: Int32(truncatingIfNeeded: index), count: 1)
      (left, top) = (column &* blockWidth, row &* blockHeight)
    }
    if run.count > 0 { runs.append(run) }
    return runs
  }

  /// The blocks of the level. An overview's own block size is not asked: what is read is right with any.
  private func blockGrid() -> (width: Int32, height: Int32, perRow: Int) {
    let band = raster.facts.bands[plan.planes.first?.band ?? 0]
    let perRow = Int(truncatingIfNeeded: (gridSize.width &- 1) / band.blockWidth &+ 1)
    return (band.blockWidth, band.blockHeight, perRow)
  }

  /// Reads the points of one block.
  private func read(
    _ runs: ArraySlice<Run>, _ cells: UnsafeBufferPointer<CellIndex>, _ reader: CellReader,
    _ consume: (borrowing CellBatch, UnsafeBufferPointer<BatchPoint>) -> Void
  ) throws(EngineError) {
    let count = runs.reduce(0) { $0 &+ Int(truncatingIfNeeded: $1.count) }
    let points = [BatchPoint](unsafeUninitializedCapacity: count) { buffer, filled in
      for run in runs {
        for index in run.start..<(run.start &+ run.count) {
          let cell = cells[Int(truncatingIfNeeded: index)]
          buffer.initializeElement(at: filled, to: BatchPoint(index: index, column: cell.column, row: cell.row))
          filled &+= 1
        }
      }
    }
    guard let box = CellWindow(around: points) else { return }
    let limit = max(Self.windowBytesAlways, points.count &* Self.windowBytesPerPoint)
    if box.cellCount <= limit / max(1, plan.cellSize) {
      try readWindow(box, points, reader, consume)
    } else {
      for point in points {
        guard let single = CellWindow(around: [point]) else { continue }
        try readWindow(single, [point], reader, consume)
      }
    }
  }

  private func readWindow(
    _ box: CellWindow, _ points: [BatchPoint], _ reader: CellReader,
    _ consume: (borrowing CellBatch, UnsafeBufferPointer<BatchPoint>) -> Void
  ) throws(EngineError) {
    try read(box.grown(by: margin, in: gridSize, goesAround: columnsAround != nil), reader) { batch in
      points.withUnsafeBufferPointer { consume(batch, $0) }
    }
  }

  /// After how many columns of the grid the world begins anew; nil if the grid does not go around it in whole columns.
  private var columnsAround: Int32? {
    guard let around = raster.columnsAround else { return nil }
    if gridSize.width == raster.facts.width { return around }
    // An overview of a raster that ends where it begins.
    return around == raster.facts.width ? gridSize.width : nil
  }

  /// Reads a window, which must lie in the grid or go on in it beyond the seam of the world, and hands it to `consume`.
  /// For a file, call inside the guard.
  private func read(
    _ window: CellWindow, _ reader: CellReader, _ consume: (borrowing CellBatch) -> Void
  ) throws(EngineError) {
    var offsets: [Int] = []
    var size = 0
    for plane in plan.planes {
      offsets.append(size)
      // Each plane begins at a multiple of 16 bytes.
      size &+= (window.cellCount &* plane.size &+ 15) & ~15
    }
    try raster.runtime.policy.check(bytes: size)
    let array = try HeapArray<UInt8>(count: size)
    guard let base = array.buffer.baseAddress else { return }
    let memory = UnsafeMutableRawPointer(base)
    defer { withExtendedLifetime(array) {} }
    let pieces = pieces(of: window)
    for (index, plane) in plan.planes.enumerated() {
      for piece in pieces {
        let start = memory + offsets[index] + Int(truncatingIfNeeded: piece.start) &* plane.size
        try readPlane(plane, piece.window, into: start, rowCells: window.width, reader)
      }
    }
    let batch = CellBatch(
      column: window.column, row: window.row, width: window.width, height: window.height, memory: memory,
      planeOffsets: offsets, plan: plan, facts: raster.facts)
    consume(batch)
  }

  /// What a window consists of in the grid, each piece with the column of the window at which it begins: the window
  /// itself, and the columns beyond the seam of the world one by one.
  private func pieces(of window: CellWindow) -> [(window: CellWindow, start: Int32)] {
    let end = window.column &+ window.width
    var inside = window
    inside.column = max(0, window.column)
    inside.width = min(end, gridSize.width) &- inside.column
    var pieces = [(window: inside, start: inside.column &- window.column)]
    guard let around = columnsAround, inside.width != window.width else { return pieces }
    for column in window.column..<end where column < 0 || column >= gridSize.width {
      var piece = window
      piece.column = (column % around &+ around) % around
      piece.width = 1
      pieces.append((piece, column &- window.column))
    }
    return pieces
  }

  /// - Parameter rowCells: from the beginning of a row of cells in the memory to the next.
  private func readPlane(
    _ plane: CellPlane, _ window: CellWindow, into memory: UnsafeMutableRawPointer, rowCells: Int32,
    _ reader: CellReader
  ) throws(EngineError) {
    let dataset: DatasetHandle
    let words: UnsafePointer<GDALWords>
    switch reader {
    case .tiles(let tiles): return try tiles.read(plane, window, into: memory, rowCells: rowCells)
    case .dataset(let handle, let spoken): (dataset, words) = (handle, spoken)
    }
    guard level != nil || dataset.prepare(linesBefore: window.row &+ window.height),
      let band = dataset.band(plane, level: level),
      GDALRasterIOEx(
        band, GF_Read, window.column, window.row, window.width, window.height, memory, window.width, window.height,
        plane.gdalType, 0, Int64(truncatingIfNeeded: rowCells) &* Int64(truncatingIfNeeded: plane.size), nil)
        == CE_None
    else {
      throw words.pointee.failure(
        .readFailed,
        "\(plane.isMask ? "The mask of band" : "Band") \(plane.band &+ 1) of \"\(raster.facts.path)\" cannot be read at "
          + "column \(window.column), row \(window.row)")
    }
  }
}
