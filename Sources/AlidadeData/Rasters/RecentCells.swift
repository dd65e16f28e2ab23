import AlidadeBase
import CGDAL

/// The cells around those that were read one by one, as under a finger that moves.
///
/// GDAL takes half a microsecond for a cell of a block that it has decoded, and fifty if the driver may open other files
/// on its way, because what it opens is checked. So the third reading in one part of a block copies that part. The parts
/// under a screen at its native resolution are kept side by side.
final class RecentCells: Sendable {
  /// Cells of a part of a block, plane after plane. Immutable.
  final class Part: Sendable {
    let window: CellWindow
    private let memory: HeapArray<UInt8>
    /// Where each plane begins.
    private let starts: [Int]

    init(_ window: CellWindow, _ memory: HeapArray<UInt8>, starts: [Int]) {
      (self.window, self.memory, self.starts) = (window, memory, starts)
    }

    /// Copies the planes of a cell into slots of 16 bytes each.
    @inline(__always)
    func copy(_ index: CellIndex, _ planes: [CellPlane], to target: UnsafeMutableRawPointer) {
      guard let base = memory.buffer.baseAddress else { return }
      let cell =
        Int(truncatingIfNeeded: index.row &- window.row) &* Int(truncatingIfNeeded: window.width)
        &+ Int(truncatingIfNeeded: index.column &- window.column)
      for (number, plane) in planes.enumerated() {
        (target + number &* 16).copyMemory(from: base + (starts[number] &+ cell &* plane.size), byteCount: plane.size)
      }
    }
  }

  /// What is known of one of the parts that share a slot.
  private struct Slot {
    var part: Part?
    var corner = CellIndex.outside
    var readings = 0
  }

  /// 8 x 8 neighbouring parts are in different slots, as far as that does not take too much memory. (Of blocks whose sides
  /// are no multiple of a part's, two neighbours may share one.)
  private let slots: Lock<[Slot]>
  /// The sides of a part, at most.
  private let columns: Int32
  private let rows: Int32
  private let block: (width: Int32, height: Int32)
  private let grid: BandFacts.Size
  private let cellSize: Int

  private static let side: Int32 = 64
  private static let mostBytes = 1 << 22

  init(_ facts: RasterFacts, _ plan: PlanePlan) {
    block = facts.bands.first.map { ($0.blockWidth, $0.blockHeight) } ?? (1, 1)
    (columns, rows) = (min(Self.side, block.width), min(Self.side, block.height))
    grid = facts.size
    cellSize = plan.cellSize
    let size = max(1, Int(truncatingIfNeeded: columns) &* Int(truncatingIfNeeded: rows) &* cellSize)
    var count = 64
    while count > 1, count &* size > Self.mostBytes { count /= 2 }
    slots = Lock([Slot](repeating: Slot(), count: count))
  }

  /// Where a part that holds a cell is kept.
  @inline(__always)
  private func slot(of index: CellIndex, _ count: Int) -> Int {
    let place = (index.row / rows & 7) &* 8 &+ (index.column / columns & 7)
    return Int(truncatingIfNeeded: place) & (count &- 1)
  }

  /// The part that holds a cell, if it has been copied.
  @inline(__always)
  func part(holding index: CellIndex) -> Part? {
    guard let part = slots.withLock({ $0[slot(of: index, $0.count)].part }) else { return nil }
    let (column, row) = (index.column &- part.window.column, index.row &- part.window.row)
    return column >= 0 && column < part.window.width && row >= 0 && row < part.window.height ? part : nil
  }

  /// The part to copy with a cell that is about to be read; nil: that cell is read alone.
  func partToCopy(with index: CellIndex, _ policy: Policy) -> CellWindow? {
    let (columns, rows) = (
      Self.range(index.column, block.width, grid.width), Self.range(index.row, block.height, grid.height)
    )
    let corner = CellIndex(column: columns.lowerBound, row: rows.lowerBound)
    let isThird = slots.withLock { slots -> Bool in
      let slot = slot(of: index, slots.count)
      if slots[slot].corner != corner { (slots[slot].corner, slots[slot].readings) = (corner, 0) }
      slots[slot].readings &+= 1
      return slots[slot].readings == 3
    }
    guard isThird else { return nil }
    let window = CellWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: Int32(truncatingIfNeeded: columns.count),
      height: Int32(truncatingIfNeeded: rows.count))
    let size = cellSize &* window.cellCount
    guard window.cellCount > 1, size <= Self.mostBytes, (try? policy.check(bytes: size)) != nil else { return nil }
    return window
  }

  func keep(_ part: Part) {
    let corner = CellIndex(column: part.window.column, row: part.window.row)
    slots.withLock { $0[slot(of: corner, $0.count)].part = part }
  }

  /// The part of a block, along one axis.
  private static func range(_ at: Int32, _ block: Int32, _ end: Int32) -> Range<Int32> {
    let (inBlock, inPart) = (at / block &* block, at / side &* side)
    let (blockEnd, partEnd) = (inBlock.addingReportingOverflow(block), inPart.addingReportingOverflow(side))
    let upper = min(blockEnd.overflow ? end : blockEnd.partialValue, partEnd.overflow ? end : partEnd.partialValue, end)
    return max(inBlock, inPart)..<max(upper, at &+ 1)
  }
}

extension Raster {
  /// Reads the planes of a part of a block. Call inside the guard.
  func readPart(_ window: CellWindow, _ dataset: DatasetHandle) throws(EngineError) -> RecentCells.Part? {
    var starts: [Int] = []
    var size = 0
    for plane in allBands.planes {
      starts.append(size)
      size &+= plane.size &* window.cellCount
    }
    let memory = try HeapArray<UInt8>(count: size)
    guard let base = memory.buffer.baseAddress, dataset.prepare(linesBefore: window.row &+ window.height) else {
      return nil
    }
    for (plane, start) in zip(allBands.planes, starts) {
      guard let band = dataset.band(plane, level: nil),
        GDALRasterIO(
          band, GF_Read, window.column, window.row, window.width, window.height, base + start, window.width,
          window.height, plane.gdalType, 0, 0) == CE_None
      else { return nil }
    }
    return RecentCells.Part(window, memory, starts: starts)
  }
}
