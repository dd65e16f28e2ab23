import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// The grid of a raster as a frame of a view reaches it.
struct SightedGrid: Sendable {
  let raster: Raster
  let frame: ViewFrame
  let projector: Projector
  /// The grid that cells are wanted of: the raster's own, or an overview's.
  let size: BandFacts.Size
  /// The raster's own grid.
  private let native: BandFacts.Size
  /// Of the layer's spatial reference: how far apart the copies of the world lie in x.
  private let worldWidth: Double?

  init(_ raster: Raster, _ frame: ViewFrame, _ projector: Projector, _ overview: BandFacts.Size?) {
    self.raster = raster
    self.frame = frame
    self.projector = projector
    native = BandFacts.Size(width: raster.facts.width, height: raster.facts.height)
    size = overview ?? native
    worldWidth = projector.to?.worldWidth
  }

  /// A screen point's point in the map, in the copy of the world that can be projected.
  @inline(__always)
  func mapPoint(_ screen: Point) -> Point {
    let point = frame.mapPoint(screen)
    return projector.isIdentity ? point : projector.nearCopy(of: point)
  }

  /// The cell at a point in the raster's spatial reference.
  func cell(at point: Point) -> CellIndex {
    let index = raster.cellIndex(at: point, worldWidth: worldWidth)
    guard index.column >= 0, size != native, let place = place(of: point) else { return index }
    // A point on the raster is on its overviews, whatever rounding says.
    return CellIndex(
      column: Int32(clamping: Int(exactly: min(place.x.rounded(.down), Double(size.width) - 1)) ?? 0),
      row: Int32(clamping: Int(exactly: min(place.y.rounded(.down), Double(size.height) - 1)) ?? 0))
  }

  /// The position of a point in the raster's spatial reference, in cells: column, row.
  fileprivate func place(of point: Point) -> GridSurface.Place? {
    raster.facts.geotransform.place(of: raster.copy(of: point, worldWidth: worldWidth), in: native).map {
      GridSurface.Place(
        $0.column * Double(size.width) / Double(native.width), $0.row * Double(size.height) / Double(native.height))
    }
  }
}

/// Where the points of a rectangle of the screen lie in a raster's grid, nearly: a surface of second degree.
///
/// Over a small rectangle the position in the grid is a smooth function of the point, so it is projected at 5 x 5 points
/// only: the surface goes through those at the corners, the edges' middles and the rectangle's middle, and the other
/// sixteen show how far it is off. A point whose position on the surface lies nearer to a cell's border than four times
/// that far has to be projected itself; the cells of all others are right. Where a projection goes through a table
/// (`Projector.isPiecewise`), there is no surface.
///
/// Why four times: between its nodes the surface misses cubics by at most 1.03 times what it misses at the others, and it
/// misses a jump along a straight line, wherever that lies, by at most 3 times that. Where the world repeats itself the
/// rectangle is narrower than half of it, or all five points could lie on one spot of different worlds. (What the
/// surface cannot see is a function that leaves and comes back between two of the five points, such as a single point for
/// which PROJ finds no image.)
struct GridSurface: BitwiseCopyable, Sendable {
  /// A position in the grid whose cells are wanted, in cells: column, row.
  typealias Place = SIMD2<Double>
  /// Five distances from a side of the rectangle, the first 0: its fifth is the length.
  typealias Nodes = InlineArray<5, Double>

  /// A polynomial of second degree.
  struct Parabola: BitwiseCopyable, Sendable {
    let constant: Place
    let slope: Place
    let bend: Place

    @inline(__always)
    func at(_ t: Double) -> Place { constant + t * (slope + t * bend) }

    /// Whether it stays between two limits from 0 to an end; false as well if it does so by little.
    @inline(__always)
    func isWithin(_ low: Double, _ high: Place, upTo end: Double) -> Bool {
      let (reach, bow) = (slope * end, bend * (end * end))
      let least = constant + Self.lesser(reach, 0) + Self.lesser(bow, 0)
      let most = constant - Self.lesser(-reach, 0) - Self.lesser(-bow, 0)
      return least.x > low && least.y > low && most.x < high.x && most.y < high.y
    }

    @inline(__always)
    private static func lesser(_ place: Place, _ limit: Double) -> Place {
      Place(min(place.x, limit), min(place.y, limit))
    }
  }

  /// The coefficients of a line from the left to the right, as functions of its distance from the top.
  private let constant: Parabola
  private let slope: Parabola
  private let bend: Parabola
  /// The greatest error at the points that the surface does not go through, in cells.
  private(set) var error = 0.0

  static let nodeCount = 25
  /// A surface that is farther off than this, in cells, is of no use.
  static let largestError = 0.05
  /// How much farther off than at its nodes the surface may be.
  static let safety = 4.0
  /// The effect of rounding on a position, in cells.
  private static let rounding = 1e-6

  /// How near to a cell's border a position must not be.
  var margin: Double { error * Self.safety + Self.rounding }

  /// nil if one of its nodes has no image, or one far away, or the rectangle is as wide as half of a world.
  ///
  /// - Parameters:
  ///   - points: memory for `nodeCount` points.
  ///   - screen: the screen point at a distance from the left and from the top.
  init?(
    _ grid: SightedGrid, _ columns: Nodes, _ rows: Nodes, _ points: UnsafeMutableBufferPointer<Point>,
    _ screen: (Double, Double) -> Point
  ) throws(EngineError) {
    let corners = [0, 4].flatMap { row in [0, 4].map { grid.frame.mapPoint(screen(columns[$0], rows[row])).x } }
    let (left, right) = (corners.min() ?? .nan, corners.max() ?? .nan)
    if let world = grid.frame.spatialReference.system.worldWidth, !(right - left < world / 2) { return nil }
    for node in 0..<Self.nodeCount { points[node] = grid.mapPoint(screen(columns[node % 5], rows[node / 5])) }
    try grid.projector.project(UnsafeMutableBufferPointer(rebasing: points[0..<Self.nodeCount]))
    var places = InlineArray<25, Place>(repeating: .zero)
    for node in 0..<Self.nodeCount {
      // So that a Double has columns and rows to a thousandth of a cell.
      guard !points[node].x.isNaN, let place = grid.place(of: points[node]), place.x.magnitude < 0x1p40,
        place.y.magnitude < 0x1p40
      else { return nil }
      places[node] = place
    }
    self.init(places, columns, rows)
  }

  /// - Parameter places: line by line.
  private init(_ places: InlineArray<25, Place>, _ columns: Nodes, _ rows: Nodes) {
    func line(_ line: Int) -> Parabola {
      let first = line &* 5
      return Parabola(through: (places[first], places[first &+ 2], places[first &+ 4]), columns)
    }
    let (top, middle, bottom) = (line(0), line(2), line(4))
    constant = Parabola(through: (top.constant, middle.constant, bottom.constant), rows)
    slope = Parabola(through: (top.slope, middle.slope, bottom.slope), rows)
    bend = Parabola(through: (top.bend, middle.bend, bottom.bend), rows)
    for node in 0..<Self.nodeCount {
      let off = self.line(rows[node / 5]).at(columns[node % 5]) - places[node]
      error = max(error, off.x.magnitude, off.y.magnitude)
    }
  }

  /// The parabola along a line at a distance from the top.
  @inline(__always)
  func line(_ row: Double) -> Parabola {
    Parabola(constant: constant.at(row), slope: slope.at(row), bend: bend.at(row))
  }

  /// The cell at a distance from the left and from the top; nil if the point has to be projected.
  @inline(__always)
  func cell(_ x: Double, _ y: Double, of size: BandFacts.Size) -> CellIndex? {
    let place = line(y).at(x)
    let (right, bottom) = (Double(size.width), Double(size.height))
    if place.x < -margin || place.y < -margin || place.x > right + margin || place.y > bottom + margin {
      return .outside
    }
    let (column, row) = (place.x.fastFloor, place.y.fastFloor)
    let (offX, offY) = (place.x - Double(column), place.y - Double(row))
    guard min(offX, offY) > margin, max(offX, offY) < 1 - margin else { return nil }
    return CellIndex(column: column, row: row)
  }
}

extension GridSurface.Parabola {
  /// The parabola through three values, by Newton's divided differences.
  fileprivate init(
    through values: (GridSurface.Place, GridSurface.Place, GridSurface.Place), _ nodes: GridSurface.Nodes
  ) {
    let (middle, end) = (nodes[2], nodes[4])
    let first = (values.1 - values.0) / middle
    constant = values.0
    bend = ((values.2 - values.1) / (end - middle) - first) / end
    slope = first - bend * middle
  }
}
