import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// Finds the cells under the samples of a screen, tile by tile.
///
/// The result is the same as if every sample were projected, at a fraction of the cost: over a tile a `GridSurface` has
/// the cells of all samples that are not near to a cell's border. A tile that is not smooth (a datum's edge, the
/// antimeridian, points without an image) is cut into four.
struct ScreenTiles: Sendable {
  private let grid: ScreenGrid
  private let target: SightedGrid
  private let tilesPerRow: Int
  private let tileRows: Int

  /// Samples along a side of a tile, at most.
  private static let longestSide = 64
  /// A tile with a shorter side is projected sample by sample.
  private static let shortestSide = 9

  init(
    _ raster: Raster, _ grid: ScreenGrid, _ frame: ViewFrame, _ projector: Projector, _ overview: BandFacts.Size?
  ) {
    self.grid = grid
    target = SightedGrid(raster, frame, projector, overview)
    tilesPerRow = (Int(truncatingIfNeeded: grid.columns) &- 1) / Self.longestSide &+ 1
    tileRows = (Int(truncatingIfNeeded: grid.rows) &- 1) / Self.longestSide &+ 1
  }

  var tileCount: Int { tilesPerRow &* tileRows }

  /// Finds the cells of one tile.
  ///
  /// - Parameter cells: a cell for each sample of the whole screen, the top line first.
  func findCells(ofTile number: Int, into cells: UnsafeMutableBufferPointer<CellIndex>) throws(EngineError) {
    let whole = Part(
      columns: Self.share(number % tilesPerRow, of: tilesPerRow, grid.columns),
      rows: Self.share(number / tilesPerRow, of: tileRows, grid.rows))
    let work = try Work(samples: whole.count, cells)
    try findCells(whole, work)
  }

  /// One of so many nearly equal parts of a side.
  private static func share(_ number: Int, of parts: Int, _ length: Int32) -> Range<Int> {
    let length = Int(truncatingIfNeeded: length)
    return number &* length / parts..<(number &+ 1) &* length / parts
  }

  /// A rectangle of samples.
  private struct Part {
    var columns: Range<Int>
    var rows: Range<Int>

    var count: Int { columns.count &* rows.count }

    /// Four parts of it.
    var quarters: [Part] {
      let (column, row) = ((columns.lowerBound &+ columns.upperBound) / 2, (rows.lowerBound &+ rows.upperBound) / 2)
      return [rows.lowerBound..<row, row..<rows.upperBound].flatMap { rows in
        [columns.lowerBound..<column, column..<columns.upperBound].map { Part(columns: $0, rows: rows) }
      }
    }
  }

  /// The result, and memory for samples that are projected.
  private struct Work {
    let cells: UnsafeMutableBufferPointer<CellIndex>
    let samples: HeapArray<(column: Int32, row: Int32)>
    let points: HeapArray<Point>

    init(samples count: Int, _ cells: UnsafeMutableBufferPointer<CellIndex>) throws(EngineError) {
      self.cells = cells
      samples = try HeapArray(count: count)
      points = try HeapArray(count: count)
    }
  }

  private func findCells(_ part: Part, _ work: Work) throws(EngineError) {
    let shortest = min(part.columns.count, part.rows.count)
    guard shortest >= Self.shortestSide, !target.projector.isPiecewise else {
      var count = 0
      for row in part.rows {
        for column in part.columns {
          work.samples.buffer[count] = (Int32(truncatingIfNeeded: column), Int32(truncatingIfNeeded: row))
          count &+= 1
        }
      }
      return try projectSamples(count, work)
    }
    // Where samples near borders cost more than cutting the tile, it is cut.
    let worthCutting = Double(GridSurface.nodeCount) * 4 / (GridSurface.safety * 4 * Double(part.count))
    guard let surface = try surface(over: part, work),
      surface.error <= min(GridSurface.largestError, worthCutting)
    else {
      for quarter in part.quarters { try findCells(quarter, work) }
      return
    }
    try projectSamples(fill(part, surface, work), work)
  }

  // MARK: Samples on a surface

  /// The surface over a part, in samples from its first; nil if it has none.
  private func surface(over part: Part, _ work: Work) throws(EngineError) -> GridSurface? {
    func nodes(_ count: Int) -> GridSurface.Nodes {
      let last = count &- 1
      return [0, Double(last / 4), Double(last / 2), Double(last &- last / 4), Double(last)]
    }
    return try GridSurface(target, nodes(part.columns.count), nodes(part.rows.count), work.points.buffer) {
      grid.point(column: Double(part.columns.lowerBound) + $0, row: Double(part.rows.lowerBound) + $1)
    }
  }

  /// Writes the cells of samples on a surface, but of those near a border.
  ///
  /// - Returns: how many those are; they are in `work.samples`.
  private func fill(_ part: Part, _ surface: GridSurface, _ work: Work) -> Int {
    let margin = surface.margin
    guard let base = work.cells.baseAddress else { return 0 }
    let width = Int(truncatingIfNeeded: grid.columns)
    let size = SIMD2(Double(target.size.width), Double(target.size.height))
    let length = part.columns.count
    var count = 0
    for row in part.rows {
      let curve = surface.line(Double(row &- part.rows.lowerBound))
      let isInside = curve.isWithin(margin, size - margin, upTo: Double(length &- 1))
      let output = UnsafeMutableRawPointer(base + (row &* width &+ part.columns.lowerBound))
      var start = 0
      while start < length {
        // From the cells' middles: the nearest whole number is the cell's, and a half off is its border.
        let t = SIMD4(0, 1, 2, 3) + Double(start)
        let x = (curve.constant.x - 0.5) + t * (curve.slope.x + t * curve.bend.x)
        let y = (curve.constant.y - 0.5) + t * (curve.slope.y + t * curve.bend.y)
        let (shiftedX, shiftedY) = (x + Double.integerShift, y + Double.integerShift)
        let (column, line) = (shiftedX - Double.integerShift, shiftedY - Double.integerShift)
        // Negative within the margin of a border.
        let room = Self.smaller(0.5 - margin - Self.magnitude(x - column), 0.5 - margin - Self.magnitude(y - line))
        var near = Self.bits(room) & Self.signBit
        var found = (Self.bits(shiftedX) & 0xFFFF_FFFF) | (Self.bits(shiftedY) &<< 32)
        if !isInside {
          let isIn = (column .>= 0) .& (line .>= 0) .& (column .< size.x) .& (line .< size.y)
          found = Self.outside.replacing(with: found, where: isIn)
          // Outside the raster there are no borders.
          let end = (right: size.x + margin - 0.5, bottom: size.y + margin - 0.5)
          let isOutside = (x .< -margin - 0.5) .| (y .< -margin - 0.5) .| (x .> end.right) .| (y .> end.bottom)
          near.replace(with: 0, where: isOutside)
        }
        let lanes = min(4, length &- start)
        let address = output + start &* 8
        if lanes == 4 {
          address.storeBytes(of: found, as: SIMD4<UInt64>.self)
        } else {
          for lane in 0..<lanes { address.storeBytes(of: found[lane], toByteOffset: lane &* 8, as: UInt64.self) }
        }
        if near.x | near.y | near.z | near.w != 0 {
          for lane in 0..<lanes where near[lane] != 0 {
            work.samples.buffer[count] = (
              Int32(truncatingIfNeeded: part.columns.lowerBound &+ start &+ lane), Int32(truncatingIfNeeded: row)
            )
            count &+= 1
          }
        }
        start &+= 4
      }
    }
    return count
  }

  private static let signBit = SIMD4<UInt64>(repeating: 1 << 63)
  // Right: two numbers of 32 bits each in one of 64.
  private static let outside = SIMD4(repeating: unsafeBitCast(CellIndex.outside, to: UInt64.self))

  @inline(__always)
  private static func bits(_ numbers: SIMD4<Double>) -> SIMD4<UInt64> {
    // Right: each is four numbers of 64 bits, and every pattern is a value of each type.
    unsafeBitCast(numbers, to: SIMD4<UInt64>.self)
  }

  @inline(__always)
  private static func magnitude(_ numbers: SIMD4<Double>) -> SIMD4<Double> {
    // Right: as above.
    unsafeBitCast(bits(numbers) & ~signBit, to: SIMD4<Double>.self)
  }

  @inline(__always)
  private static func smaller(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    a.replacing(with: b, where: b .< a)
  }

  // MARK: Samples that are projected

  /// Finds the cells of the first of `work.samples` by projecting them.
  private func projectSamples(_ count: Int, _ work: Work) throws(EngineError) {
    guard count > 0 else { return }
    for index in 0..<count {
      let (column, row) = work.samples.buffer[index]
      work.points.buffer[index] = target.mapPoint(
        grid.point(column: Double(column), row: Double(row)))
    }
    try target.projector.project(UnsafeMutableBufferPointer(rebasing: work.points.buffer[0..<count]))
    let none = target.projector.isIdentity ? CellIndex.outside : .notProjectable
    for index in 0..<count {
      let (column, row) = work.samples.buffer[index]
      let point = work.points.buffer[index]
      let line = Int(truncatingIfNeeded: row) &* Int(truncatingIfNeeded: grid.columns)
      work.cells[line &+ Int(truncatingIfNeeded: column)] = point.x.isNaN ? none : target.cell(at: point)
    }
  }
}
