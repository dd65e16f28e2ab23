/// Which area comes first at a place, by one look: the areas' edges cut the plane into cells, and inside of a cell the
/// answer is the same everywhere.
struct AreaTable: Sendable {
  /// In ascending order, each once; filled up with infinity to one less than a power of two, and one more.
  private let xEdges: [Double]
  private let yEdges: [Double]
  private let rowLength: Int
  /// Row by row; negative where no area is.
  private let cells: [Int32]

  /// Beyond so many the table would cost more than it saves.
  private static let areaLimit = 24

  /// - Parameter answer: the area at a place, found by looking at all.
  init?(_ areas: [OperationArea], _ answer: (Double, Double) -> Int?) {
    guard areas.count > 1, areas.count <= Self.areaLimit else { return nil }
    let x = Set(areas.flatMap { [$0.xMin, $0.xMax] }).sorted()
    let y = Set(areas.flatMap { [$0.yMin, $0.yMax] }).sorted()
    guard x.allSatisfy(\.isFinite), y.allSatisfy(\.isFinite) else { return nil }
    let xs = Self.insides(of: x)
    (xEdges, yEdges, rowLength) = (Self.filled(x), Self.filled(y), xs.count)
    cells = Self.insides(of: y).flatMap { y in xs.map { x in answer(x, y).map { Int32(clamping: $0) } ?? -1 } }
  }

  private static func filled(_ edges: [Double]) -> [Double] {
    var size = 1
    while size <= edges.count { size *= 2 }
    return edges + [Double](repeating: .infinity, count: size &- edges.count)
  }

  /// A place inside of each interval between edges, the two that have no end included.
  private static func insides(of edges: [Double]) -> [Double] {
    guard let first = edges.first, let last = edges.last else { return [] }
    return [first.nextDown] + zip(edges, edges.dropFirst()).map { $0 + ($1 - $0) / 2 } + [last.nextUp]
  }

  /// The area at a place, negative for none; nil on an edge, where both sides have to be asked.
  @inline(__always)
  func area(_ x: Double, _ y: Double) -> Int? {
    // Infinity would be found among what fills up.
    guard x.isFinite, y.isFinite, let column = Self.interval(x, xEdges), let row = Self.interval(y, yEdges) else {
      return nil
    }
    return Int(truncatingIfNeeded: cells[row &* rowLength &+ column])
  }

  /// How many edges are below a value; nil on an edge. Without branches: where points are scattered, each is a guess.
  @inline(__always)
  private static func interval(_ value: Double, _ edges: [Double]) -> Int? {
    var below = 0
    var step = (edges.count &+ 1) / 2
    while step > 0 {
      below &+= edges[below &+ step &- 1] < value ? step : 0
      step /= 2
    }
    return edges[below] == value ? nil : below
  }
}
