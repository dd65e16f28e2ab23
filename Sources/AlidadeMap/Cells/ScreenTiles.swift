import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// Finds the cells under the samples of a screen, tile by tile.
///
/// The result is the same as if every sample were projected, at a fraction of the cost. Over a tile the position in the
/// raster's grid is a smooth function of the sample, so it is projected at 5 x 5 samples only: a surface of second degree
/// goes through those at the corners, the edges' middles and the tile's middle, and the other sixteen show how far it is
/// off. A sample whose position on the surface lies nearer to a cell's border than four times that far is projected
/// itself. A tile that is not smooth (a datum's edge, the antimeridian, points without an image) is cut into four. Where a
/// projection goes through a table, every sample is projected.
///
/// Why four times: between its nodes the surface misses cubics by at most 1.03 times what it misses at the others, and it
/// misses a jump along a straight line, wherever that lies, by at most 3 times that. (What it cannot see is a function that
/// leaves and comes back between two of the five samples, such as a single point for which PROJ finds no image.)
struct ScreenTiles: Sendable {
  private let raster: Raster
  private let grid: ScreenGrid
  private let frame: ViewFrame
  private let projector: Projector
  /// Of the layer's spatial reference: how far apart the copies of the world lie in x.
  private let worldWidth: Double?
  /// The grid that cells are wanted of: the raster's own, or an overview's.
  private let size: BandFacts.Size
  /// The raster's own grid.
  private let native: BandFacts.Size
  private let projectsAll: Bool
  private let tilesPerRow: Int
  private let tileRows: Int

  /// Samples along a side of a tile, at most.
  private static let longestSide = 64
  /// A tile with a shorter side is projected sample by sample.
  private static let shortestSide = 9
  /// A surface that is farther off than this, in cells, is not one.
  private static let largestError = 0.05
  /// The effect of rounding on a position, in cells.
  private static let rounding = 1e-6
  private static let safety = 4.0

  init(
    _ raster: Raster, _ grid: ScreenGrid, _ frame: ViewFrame, _ projector: Projector, _ overview: BandFacts.Size?
  ) {
    self.raster = raster
    self.grid = grid
    self.frame = frame
    self.projector = projector
    worldWidth = projector.to?.worldWidth
    projectsAll = projector.isPiecewise
    let facts = raster.facts
    native = BandFacts.Size(width: facts.width, height: facts.height)
    size = overview ?? native
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
    guard shortest >= Self.shortestSide, !projectsAll else {
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
    let worthCutting = Double(Surface.nodeCount) * 4 / (Self.safety * 4 * Double(part.count))
    guard let surface = try surface(over: part, work), surface.error <= min(Self.largestError, worthCutting) else {
      for quarter in part.quarters { try findCells(quarter, work) }
      return
    }
    try projectSamples(fill(part, surface, work), work)
  }

  // MARK: Samples on a surface

  /// A position in the grid whose cells are wanted, in cells: column, row.
  private typealias Place = SIMD2<Double>

  /// The surface of second degree through nine of 5 x 5 positions.
  private struct Surface {
    /// Of powers of the row's number in the tile, for each power of the column's.
    private let coefficients: InlineArray<3, (Place, Place, Place)>
    /// The greatest error at the other positions, in cells.
    let error: Double

    static let nodeCount = 25

    /// - Parameters:
    ///   - places: line by line.
    ///   - columns: where the five lie along a line, in samples from the first.
    ///   - rows: the same along a column.
    init(_ places: InlineArray<25, Place>, _ columns: InlineArray<5, Int>, _ rows: InlineArray<5, Int>) {
      let lines = InlineArray<3, (Place, Place, Place)> { line in
        Self.parabola(through: (places[line &* 10], places[line &* 10 &+ 2], places[line &* 10 &+ 4]), columns)
      }
      coefficients = [
        Self.parabola(through: (lines[0].0, lines[1].0, lines[2].0), rows),
        Self.parabola(through: (lines[0].1, lines[1].1, lines[2].1), rows),
        Self.parabola(through: (lines[0].2, lines[1].2, lines[2].2), rows),
      ]
      var worst = 0.0
      for line in 0..<5 {
        let (constant, slope, bend) = Self.line(Double(rows[line]), coefficients)
        for node in 0..<5 {
          let t = Double(columns[node])
          let off = constant + t * (slope + t * bend) - places[line &* 5 &+ node]
          worst = max(worst, off.x.magnitude, off.y.magnitude)
        }
      }
      error = worst
    }

    /// The coefficients of a parabola, by Newton's divided differences.
    private static func parabola(
      through values: (Place, Place, Place), _ nodes: InlineArray<5, Int>
    ) -> (Place, Place, Place) {
      let (middle, end) = (Double(nodes[2]), Double(nodes[4]))
      let slope = (values.1 - values.0) / middle
      let bend = ((values.2 - values.1) / (end - middle) - slope) / end
      return (values.0, slope - bend * middle, bend)
    }

    private static func line(
      _ row: Double, _ coefficients: InlineArray<3, (Place, Place, Place)>
    ) -> (constant: Place, slope: Place, bend: Place) {
      func at(_ power: Int) -> Place {
        let (constant, slope, bend) = coefficients[power]
        return constant + row * (slope + row * bend)
      }
      return (at(0), at(1), at(2))
    }

    /// The parabola along a line of samples.
    func line(_ row: Int) -> (constant: Place, slope: Place, bend: Place) { Self.line(Double(row), coefficients) }
  }

  /// The surface over a part; nil if one of its nodes has no image, or one far away.
  private func surface(over part: Part, _ work: Work) throws(EngineError) -> Surface? {
    func nodes(_ count: Int) -> InlineArray<5, Int> {
      let last = count &- 1
      return [0, last / 4, last / 2, last &- last / 4, last]
    }
    let (columns, rows) = (nodes(part.columns.count), nodes(part.rows.count))
    for row in 0..<5 {
      for column in 0..<5 {
        work.points.buffer[row &* 5 &+ column] = mapPoint(
          part.columns.lowerBound &+ columns[column], part.rows.lowerBound &+ rows[row])
      }
    }
    try projector.project(UnsafeMutableBufferPointer(rebasing: work.points.buffer[0..<Surface.nodeCount]))
    var places = InlineArray<25, Place>(repeating: .zero)
    for index in 0..<Surface.nodeCount {
      let point = work.points.buffer[index]
      // So that a Double has columns and rows to a thousandth of a cell.
      guard !point.x.isNaN, let place = place(of: point), place.x.magnitude < 0x1p40, place.y.magnitude < 0x1p40 else {
        return nil
      }
      places[index] = place
    }
    return Surface(places, columns, rows)
  }

  /// Writes the cells of samples on a surface, but of those near a border.
  ///
  /// - Returns: how many those are; they are in `work.samples`.
  private func fill(_ part: Part, _ surface: Surface, _ work: Work) -> Int {
    let margin = surface.error * Self.safety + Self.rounding
    guard let base = work.cells.baseAddress else { return 0 }
    let width = Int(truncatingIfNeeded: grid.columns)
    let (right, bottom) = (Double(size.width), Double(size.height))
    // Added to a number, it leaves the nearest whole number in the lower half of the bits.
    let shift = SIMD4(repeating: 0x1.8p52)
    let outside = SIMD4<Int64>(repeating: unsafeBitCast(CellIndex.outside, to: Int64.self))
    var count = 0
    for row in part.rows {
      let (constant, slope, bend) = surface.line(row &- part.rows.lowerBound)
      let output = UnsafeMutableRawPointer(base + (row &* width &+ part.columns.lowerBound))
      var start = 0
      while start < part.columns.count {
        let t = SIMD4(0, 1, 2, 3) + Double(start)
        let x = constant.x + t * (slope.x + t * bend.x)
        let y = constant.y + t * (slope.y + t * bend.y)
        let (nearestX, nearestY) = ((x + shift) - shift, (y + shift) - shift)
        let (offX, offY) = (x - nearestX, y - nearestY)
        let column = nearestX.replacing(with: nearestX - 1, where: offX .< 0)
        let line = nearestY.replacing(with: nearestY - 1, where: offY .< 0)
        // Right: each is four numbers of 64 bits, and every pattern is a value of each type.
        let columnBits = unsafeBitCast(column + shift, to: SIMD4<Int64>.self) & 0xFFFF_FFFF
        // Right: as above.
        let lineBits = unsafeBitCast(line + shift, to: SIMD4<Int64>.self) &<< 32
        let isIn = (column .>= 0) .& (line .>= 0) .& (column .< right) .& (line .< bottom)
        let found = outside.replacing(with: columnBits | lineBits, where: isIn)
        let lanes = min(4, part.columns.count &- start)
        let address = output + start &* 8
        if lanes == 4 {
          address.storeBytes(of: found, as: SIMD4<Int64>.self)
        } else {
          for lane in 0..<lanes { address.storeBytes(of: found[lane], toByteOffset: lane &* 8, as: Int64.self) }
        }
        let isNear =
          ((offX .<= margin) .& (offX .>= -margin) .| ((offY .<= margin) .& (offY .>= -margin)))
          .& (x .>= -margin) .& (y .>= -margin) .& (x .<= right + margin) .& (y .<= bottom + margin)
        if any(isNear) {
          for lane in 0..<lanes where isNear[lane] {
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

  // MARK: Samples that are projected

  /// Finds the cells of the first of `work.samples` by projecting them.
  private func projectSamples(_ count: Int, _ work: Work) throws(EngineError) {
    guard count > 0 else { return }
    for index in 0..<count {
      let (column, row) = work.samples.buffer[index]
      work.points.buffer[index] = mapPoint(Int(truncatingIfNeeded: column), Int(truncatingIfNeeded: row))
    }
    try projector.project(UnsafeMutableBufferPointer(rebasing: work.points.buffer[0..<count]))
    let none = projector.isIdentity ? CellIndex.outside : .notProjectable
    for index in 0..<count {
      let (column, row) = work.samples.buffer[index]
      let point = work.points.buffer[index]
      let line = Int(truncatingIfNeeded: row) &* Int(truncatingIfNeeded: grid.columns)
      work.cells[line &+ Int(truncatingIfNeeded: column)] = point.x.isNaN ? none : cell(at: point)
    }
  }

  /// A sample's point in the map, in the copy of the world that can be projected.
  @inline(__always)
  private func mapPoint(_ column: Int, _ row: Int) -> Point {
    let point = frame.mapPoint(grid.point(column: column, row: row))
    return projector.isIdentity ? point : projector.nearCopy(of: point)
  }

  /// The cell at a point in the raster's spatial reference.
  private func cell(at point: Point) -> CellIndex {
    let index = raster.cellIndex(at: point, worldWidth: worldWidth)
    guard index.column >= 0, size != native, let place = place(of: point) else { return index }
    // A point on the raster is on its overviews, whatever rounding says.
    return CellIndex(
      column: Int32(clamping: Int(exactly: min(place.x.rounded(.down), Double(size.width) - 1)) ?? 0),
      row: Int32(clamping: Int(exactly: min(place.y.rounded(.down), Double(size.height) - 1)) ?? 0))
  }

  private func place(of point: Point) -> Place? {
    raster.facts.geotransform.place(of: raster.copy(of: point, worldWidth: worldWidth), in: native).map {
      Place(
        $0.column * Double(size.width) / Double(native.width), $0.row * Double(size.height) / Double(native.height))
    }
  }
}
