import AlidadeBase

/// Reads the cells of a polygon window by window, each window a part of a block or a few blocks, on all cores.
struct PolygonReader {
  private let raster: Raster
  private let cells: PolygonCells
  private let reader: CellBatchReader
  /// The windows that have cells, row by row, and the pool slot that each is read from.
  private let windows: [(window: CellWindow, shelf: Int)]

  /// Blocks smaller than this on a side are read several at a time.
  private static let smallSide = 64
  /// Windows have at most about so many cells.
  private static let largestWindow = 1 << 19

  init(_ raster: Raster, band: Int, _ cells: PolygonCells) throws(EngineError) {
    self.raster = raster
    self.cells = cells
    reader = CellBatchReader(
      raster: raster, plan: PlanePlan(raster.facts, bands: [band]), gridSize: raster.facts.size)
    try raster.runtime.policy.check(points: Int(clamping: cells.insideCount))
    let facts = raster.facts.bands[band]
    let rowSteps = Steps(block: Int(truncatingIfNeeded: facts.blockHeight), limit: 512)
    var windows: [(window: CellWindow, shelf: Int)] = []
    var top = cells.rows.lowerBound
    while top < cells.rows.upperBound {
      let bottom = min(rowSteps.end(after: top), cells.rows.upperBound)
      let columnSteps = Steps(
        block: Int(truncatingIfNeeded: facts.blockWidth),
        limit: max(Self.smallSide, Self.largestWindow / (bottom &- top)))
      for window in Self.windows(top..<bottom, columnSteps, cells) {
        // The slot of the first block, so that everything in one block is read from one slot.
        let block = raster.block(
          of: CellIndex(column: columnSteps.firstBlock(of: window.column), row: rowSteps.firstBlock(of: window.row)))
        windows.append((window, raster.shelf(ofBlock: block)))
      }
      top = bottom
    }
    self.windows = windows
  }

  var windowCount: Int { windows.count }

  /// Cuts an axis at the edges of blocks, of several small ones together, and in between where blocks are large.
  private struct Steps {
    /// Several blocks, or one.
    let whole: Int
    /// Parts of that.
    let part: Int

    init(block: Int, limit: Int) {
      let block = max(1, block)
      whole = block < smallSide ? block &* ((smallSide &+ block &- 1) / block) : block
      let parts = (whole &+ limit &- 1) / limit
      part = (whole &+ parts &- 1) / parts
    }

    /// The beginning of the block, or of the group of small blocks, that contains a position.
    func firstBlock(of place: Int32) -> Int32 {
      Int32(truncatingIfNeeded: Int(truncatingIfNeeded: place) / whole &* whole)
    }

    /// The end of the step that begins at or before a position.
    func end(after place: Int) -> Int {
      let start = place / whole &* whole
      return min(start &+ ((place &- start) / part &+ 1) &* part, start &+ whole)
    }
  }

  /// The windows of some rows that have cells, each just as large as its cells need.
  private static func windows(_ rows: Range<Int>, _ steps: Steps, _ cells: PolygonCells) -> [CellWindow] {
    // By the column at which the step begins: the box around its cells.
    var boxes: [Int: (left: Int, right: Int, top: Int, bottom: Int)] = [:]
    for row in rows {
      for span in cells.spans(row: row) {
        var left = Int(truncatingIfNeeded: span.start)
        while left < Int(truncatingIfNeeded: span.end) {
          let stepEnd = steps.end(after: left)
          let right = min(stepEnd, Int(truncatingIfNeeded: span.end))
          let box = boxes[stepEnd] ?? (left, right, row, row)
          boxes[stepEnd] = (min(box.left, left), max(box.right, right), box.top, row)
          left = right
        }
      }
    }
    return boxes.sorted { $0.key < $1.key }.map { _, box in
      CellWindow(
        column: Int32(truncatingIfNeeded: box.left), row: Int32(truncatingIfNeeded: box.top),
        width: Int32(truncatingIfNeeded: box.right &- box.left),
        height: Int32(truncatingIfNeeded: box.bottom &- box.top &+ 1))
    }
  }

  /// Hands each window to `consume`, on any thread and in any order, with its number.
  func read(
    _ consume: @Sendable (Int, borrowing CellBatch) throws(EngineError) -> Void
  ) throws(EngineError) {
    var filling = [[Int]](repeating: [], count: raster.shelfCount)
    for (number, window) in windows.enumerated() { filling[window.shelf].append(number) }
    let shelves = filling
    // One thread per pool slot, so that no two threads wait for, or open, the same data set.
    try raster.forEachShelf { (shelf) throws(EngineError) in
      for number in shelves[shelf] {
        var failure: EngineError?
        try reader.read(windows[number].window, shelf: shelf) { batch in
          do throws(EngineError) { try consume(number, batch) } catch { failure = error }
        }
        if let failure { throw failure }
      }
    }
    try raster.checkFreshness(sure: true)
  }

  /// The polygon's cells in a batch, row by row: a row, and columns from the first to the one behind the last.
  func forEachSpan(
    in batch: borrowing CellBatch, _ body: (Int32, Int32, Int32) -> Void
  ) throws(EngineError) {
    let left = batch.column
    let right = batch.column &+ batch.width
    for row in batch.row..<(batch.row &+ batch.height) {
      try TimeLimit.check()
      let spans = cells.spans(row: Int(truncatingIfNeeded: row))
      // The first span that ends beyond the batch's left edge.
      var low = 0
      var high = spans.count
      while low < high {
        let middle = (low &+ high) / 2
        if spans[middle].end <= left { low = middle &+ 1 } else { high = middle }
      }
      while low < spans.count, spans[low].start < right {
        body(row, max(spans[low].start, left), min(spans[low].end, right))
        low &+= 1
      }
    }
  }
}
