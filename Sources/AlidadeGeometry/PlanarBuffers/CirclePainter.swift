import AlidadeBase
import AlidadeCoordinates

/// Writes the vertices of circles: counterclockwise from due east, the last the first again.
///
/// They are what GEOS has for the buffer of a point, but that those of four quadrants mirror each other to the last bit.
struct CirclePainter: Sendable {
  private let table: DirectionTable

  /// - Parameter segments: to a right angle, of any circle that will come.
  init(segments: some Sequence<Int>) throws(EngineError) {
    table = try DirectionTable()
    for count in segments { try table.add(segments: count) }
  }

  static func vertexCount(segments: Int) -> Int { 4 &* segments &+ 1 }

  /// Calls `put` with each vertex's number and place.
  @inline(__always)
  func paint(_ centre: Point, _ radius: Double, segments: Int, _ put: (Int, Point) -> Void) {
    let directions = table.quadrant(segments: segments)
    for index in 0..<segments {
      let direction = directions.map { $0[index] } ?? DirectionTable.direction(index, of: segments)
      let (x, y) = (radius * direction.cosine, radius * direction.sine)
      put(index, Point(x: centre.x + x, y: centre.y + y))
      put(index &+ segments, Point(x: centre.x - y, y: centre.y + x))
      put(index &+ 2 &* segments, Point(x: centre.x - x, y: centre.y - y))
      put(index &+ 3 &* segments, Point(x: centre.x + y, y: centre.y - x))
    }
    put(4 &* segments, Point(x: centre.x + radius, y: centre.y))
  }

  /// Whether a circle's vertices lie so far apart that rounding cannot make their ring cross itself.
  ///
  /// Each vertex is moved by a step of its coordinates at most; as long as that is less than an eighth of the chord, the
  /// directions from the centre keep their order.
  static func isDistinct(_ centre: Point, _ radius: Double, segments: Int) -> Bool {
    let step = (max(abs(centre.x), abs(centre.y)) + radius).ulp
    return radius / Double(segments) > 8 * step
  }
}
