import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// Finds the cells under the samples of a screen, line by line.
///
/// The result is the same as if every sample were projected, at a fraction of the cost. Along a stretch of a line the
/// position in the raster's grid is a smooth function of the sample, so it is projected at five samples only: a
/// parabola goes through the first, the middle and the last, and the two at the quarters show how far it is off. A
/// sample whose position on the parabola lies nearer to a cell's border than four times that far is projected itself;
/// so is a whole stretch that is not smooth (a datum's edge, the antimeridian, a point without an image), after being
/// cut in half.
///
/// Why four times: between its nodes a parabola misses a cubic by at most 1.03 times what it misses at the quarters,
/// and it misses a single jump, wherever it lies, by at most 2.7 times that. (What it cannot see is a function that
/// leaves and comes back between two of the five samples.)
struct ScreenLines: Sendable {
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

  /// Samples per stretch at first, and from how few on all are projected.
  private static let longestStretch = 64
  private static let shortestStretch = 10
  /// A parabola that is farther off than this, in cells, is not worth its samples near borders.
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
    let facts = raster.facts
    native = BandFacts.Size(width: facts.width, height: facts.height)
    size = overview ?? native
  }

  /// A position in the grid whose cell is searched, in cells.
  private struct Place {
    var column: Double
    var row: Double
  }

  /// The cells of one line.
  func findCells(ofLine row: Int, into line: UnsafeMutableBufferPointer<CellIndex>) throws(EngineError) {
    if projector.isIdentity {
      for column in line.indices { line[column] = cell(at: frame.mapPoint(grid.point(column: column, row: row))) }
      return
    }
    var start = 0
    while start < line.count {
      let end = min(start &+ Self.longestStretch, line.count)
      try findCells(start..<end, row, into: line)
      start = end
    }
  }

  /// The cells of a stretch of a line.
  private func findCells(
    _ stretch: Range<Int>, _ row: Int, into line: UnsafeMutableBufferPointer<CellIndex>
  ) throws(EngineError) {
    guard stretch.count >= Self.shortestStretch else {
      for column in stretch { line[column] = try projectedCell(column, row) }
      return
    }
    let last = stretch.count &- 1
    let nodes = [0, last / 4, last / 2, last &- last / 4, last]
    var places: [Place] = []
    for node in nodes {
      guard let place = try place(stretch.lowerBound &+ node, row) else { break }
      places.append(place)
    }
    let parabola = places.count == nodes.count ? Parabola(places, nodes) : nil
    guard let parabola, parabola.error <= Self.largestError else {
      let middle = stretch.lowerBound &+ stretch.count / 2
      try findCells(stretch.lowerBound..<middle, row, into: line)
      try findCells(middle..<stretch.upperBound, row, into: line)
      return
    }
    let margin = parabola.error * Self.safety + Self.rounding
    for column in stretch {
      let place = parabola.place(Double(column &- stretch.lowerBound))
      if let index = cell(at: place, margin: margin) {
        line[column] = index
      } else {
        line[column] = try projectedCell(column, row)
      }
    }
  }

  /// The parabola through the first, the middle and the last of five positions, in column and row.
  private struct Parabola {
    private let origin: Place
    private let first: Place
    private let second: Place
    /// The error at the two remaining positions, in cells.
    let error: Double

    /// - Parameter nodes: the locations of the samples along the stretch, rising.
    init(_ places: [Place], _ nodes: [Int]) {
      let middle = Double(nodes[2])
      let end = Double(nodes[4])
      // Newton's divided differences.
      func coefficients(_ at: (Place) -> Double) -> (Double, Double, Double) {
        let slope = (at(places[2]) - at(places[0])) / middle
        let far = (at(places[4]) - at(places[2])) / (end - middle)
        let bend = (far - slope) / end
        return (at(places[0]), slope - bend * middle, bend)
      }
      let columns = coefficients { $0.column }
      let rows = coefficients { $0.row }
      origin = Place(column: columns.0, row: rows.0)
      first = Place(column: columns.1, row: rows.1)
      second = Place(column: columns.2, row: rows.2)
      var worst = 0.0
      for quarter in [1, 3] {
        let t = Double(nodes[quarter])
        let column = columns.0 + t * (columns.1 + t * columns.2)
        let row = rows.0 + t * (rows.1 + t * rows.2)
        worst = max(worst, (column - places[quarter].column).magnitude, (row - places[quarter].row).magnitude)
      }
      error = worst
    }

    @inline(__always)
    func place(_ t: Double) -> Place {
      Place(
        column: origin.column + t * (first.column + t * second.column),
        row: origin.row + t * (first.row + t * second.row))
    }
  }

  // MARK: One sample

  /// The cell at a position; nil if the position is within `margin` of a cell's border.
  @inline(__always)
  private func cell(at place: Place, margin: Double) -> CellIndex? {
    let column = (place.column - margin).rounded(.down)
    let row = (place.row - margin).rounded(.down)
    guard column == (place.column + margin).rounded(.down), row == (place.row + margin).rounded(.down) else {
      return nil
    }
    return clipped(column, row)
  }

  /// A sample's point in the raster's spatial reference; nil if it has none.
  @inline(__always)
  private func image(_ column: Int, _ row: Int) throws(EngineError) -> Point? {
    try projector.project(projector.nearCopy(of: frame.mapPoint(grid.point(column: column, row: row))))
  }

  private func projectedCell(_ column: Int, _ row: Int) throws(EngineError) -> CellIndex {
    guard let point = try image(column, row) else {
      return .notProjectable
    }
    return cell(at: point)
  }

  /// The cell at a point in the raster's spatial reference.
  private func cell(at point: Point) -> CellIndex {
    let index = raster.cellIndex(at: point, worldWidth: worldWidth)
    guard index.column >= 0, size != native, let place = place(of: point) else { return index }
    // A point on the raster is on its overviews, whatever rounding says.
    return clipped(
      min(place.column.rounded(.down), Double(size.width) - 1), min(place.row.rounded(.down), Double(size.height) - 1))
  }

  private func place(_ column: Int, _ row: Int) throws(EngineError) -> Place? {
    guard let point = try image(column, row) else { return nil }
    return place(of: point)
  }

  private func place(of point: Point) -> Place? {
    raster.facts.geotransform.place(of: raster.copy(of: point, worldWidth: worldWidth), in: native).map {
      Place(
        column: $0.column * Double(size.width) / Double(native.width),
        row: $0.row * Double(size.height) / Double(native.height))
    }
  }

  /// A whole column and row, if they are in the grid.
  @inline(__always)
  private func clipped(_ column: Double, _ row: Double) -> CellIndex {
    guard column >= 0, row >= 0, column < Double(size.width), row < Double(size.height),
      let column = Int32(exactly: column), let row = Int32(exactly: row)
    else { return .outside }
    return CellIndex(column: column, row: row)
  }
}
