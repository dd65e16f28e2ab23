import AlidadeBase
import CGDAL

/// The cells around those that were read one by one, as under a finger that moves.
///
/// GDAL takes half a microsecond for a cell of a block that it has decoded, and fifty if the driver may open other files
/// on its way, because what it opens is checked. So the third reading in one part of a block copies that part.
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

  private struct State {
    var part: Part?
    var corner = CellIndex.outside
    var readings = 0
  }

  private let state = Lock(State())
  /// Cells along each side of a part, at most.
  private static let side: Int32 = 64
  private static let mostBytes = 1 << 22

  /// The part that holds a cell, if it has been copied.
  @inline(__always)
  func part(holding index: CellIndex) -> Part? {
    guard let part = state.withLock({ $0.part }) else { return nil }
    let (column, row) = (index.column &- part.window.column, index.row &- part.window.row)
    return column >= 0 && column < part.window.width && row >= 0 && row < part.window.height ? part : nil
  }

  /// The part to copy with a cell that is about to be read; nil: that cell is read alone.
  func partToCopy(with index: CellIndex, of facts: RasterFacts, _ plan: PlanePlan) -> CellWindow? {
    let (columns, rows) = (
      Self.range(index.column, facts.bands[0].blockWidth, facts.width),
      Self.range(index.row, facts.bands[0].blockHeight, facts.height)
    )
    let corner = CellIndex(column: columns.lowerBound, row: rows.lowerBound)
    let isThird = state.withLock { state -> Bool in
      if state.corner != corner { (state.corner, state.readings) = (corner, 0) }
      state.readings &+= 1
      return state.readings == 3
    }
    let window = CellWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: Int32(truncatingIfNeeded: columns.count),
      height: Int32(truncatingIfNeeded: rows.count))
    let size = plan.planes.reduce(0) { $0 &+ $1.size } &* window.cellCount
    return isThird && window.cellCount > 1 && size <= Self.mostBytes ? window : nil
  }

  func keep(_ part: Part) { state.withLock { $0.part = part } }

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
