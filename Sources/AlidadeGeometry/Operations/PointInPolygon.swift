import AlidadeBase
import AlidadeCoordinates

/// Where a point lies with respect to a polygon.
enum PointPlace {
  case inside
  case boundary
  case outside
}

/// A ray from a point to the right. It crosses the outline of a polygon an odd number of times if the point is inside.
struct Ray {
  private let point: Point
  /// Where the point lies, by the edges so far; nil for coordinates so small that `ExactTurn` cannot compute with them.
  private(set) var place: PointPlace? = .outside

  init(from point: Point) { self.point = point }

  /// Passes an edge, without rounding. False if no other edge matters.
  @inline(__always)
  mutating func pass(_ a: Point, _ b: Point) -> Bool {
    if (a.y > point.y) != (b.y > point.y) {
      if a.x > point.x, b.x > point.x {
        cross()
      } else if a.x >= point.x || b.x >= point.x {
        if ExactTurn.isTooSmall(a) || ExactTurn.isTooSmall(b) || ExactTurn.isTooSmall(point) { return end(nil) }
        let turn = ExactTurn.sign(a, b, point)
        if turn == 0 { return end(.boundary) }
        if (turn > 0) == (b.y > a.y) { cross() }
      }
    } else if a.y == point.y || b.y == point.y {
      // The edge only touches the ray's line, or lies on it.
      if a == point || b == point { return end(.boundary) }
      if a.y == b.y, min(a.x, b.x) < point.x, max(a.x, b.x) > point.x { return end(.boundary) }
    }
    return true
  }

  @inline(__always)
  private mutating func cross() { place = place == .inside ? .outside : .inside }

  private mutating func end(_ place: PointPlace?) -> Bool {
    self.place = place
    return false
  }
}

extension GeometryColumns {
  /// Where a point lies with respect to a valid polygon, without rounding.
  ///
  /// - Returns: nil for coordinates so small that `ExactTurn` cannot compute with them.
  func place(of point: Point, inPolygon row: Int) -> PointPlace? {
    let vertices = points.buffer
    var ray = Ray(from: point)
    for path in paths(ofGeometry: row) {
      let ring = self.vertices(ofPath: path)
      guard var a = ring.isEmpty ? nil : vertices[ring.lowerBound] else { continue }
      for index in ring.dropFirst() {
        let b = vertices[index]
        if !ray.pass(a, b) { return ray.place }
        a = b
      }
    }
    return ray.place
  }

  /// Whether a polygon has one ring, and that ring plainly does not meet itself. If not, the polygon may still be valid:
  /// what rounding could change is not plain.
  func isPlainRing(_ row: Int) throws(EngineError) -> Bool {
    let ring = vertices(ofGeometry: row)
    guard paths(ofGeometry: row).count == 1, ring.count >= 4 else { return false }
    let vertices = UnsafeBufferPointer(rebasing: points.buffer[ring])
    let edgeCount = vertices.count &- 1
    guard vertices[0] == vertices[edgeCount] else { return false }
    func isPlain() throws(EngineError) -> Bool { try CrossingOutline.isPlain(Array(vertices.dropLast())) }
    if ring.count > Self.fewVertices { return try isPlain() }
    guard !vertices.contains(where: ExactTurn.isTooSmall) else { return false }
    // Edges turn left or right at each corner; half circles are counted to find out how often the ring goes around.
    var (leftCount, rightCount, halfCircles) = (0, 0, 0)
    var (before, a) = (vertices[edgeCount &- 1], vertices[0])
    for index in 1...edgeCount {
      let b = vertices[index]
      let turn = ExactTurn.sign(before, a, b)
      guard a != b, turn != 0 else { return try isPlain() }
      if turn > 0 { leftCount &+= 1 } else { rightCount &+= 1 }
      if Self.isUpward(before, a) != Self.isUpward(a, b) { halfCircles &+= 1 }
      (before, a) = (a, b)
    }
    let isConvex = (leftCount == 0 || rightCount == 0) && halfCircles == 2
    return isConvex || !hasMeetingEdges(vertices)
  }

  /// Of more, the edges are put in order before they are compared.
  private static let fewVertices = 65

  private static func isUpward(_ a: Point, _ b: Point) -> Bool { b.y > a.y || (b.y == a.y && b.x > a.x) }

  /// Whether two edges of a closed ring meet that do not follow each other.
  private func hasMeetingEdges(_ ring: UnsafeBufferPointer<Point>) -> Bool {
    let edgeCount = ring.count &- 1
    for i in 0..<edgeCount {
      let (a, b) = (ring[i], ring[i &+ 1])
      let (low, high) = (Point(x: min(a.x, b.x), y: min(a.y, b.y)), Point(x: max(a.x, b.x), y: max(a.y, b.y)))
      // The last edge is followed by the first one.
      for j in (i &+ 2)..<max(i &+ 2, i == 0 ? edgeCount &- 1 : edgeCount) {
        let (c, d) = (ring[j], ring[j &+ 1])
        if max(c.x, d.x) < low.x || min(c.x, d.x) > high.x || max(c.y, d.y) < low.y || min(c.y, d.y) > high.y {
          continue
        }
        if ExactTurn.sign(a, b, c) &* ExactTurn.sign(a, b, d) <= 0,
          ExactTurn.sign(c, d, a) &* ExactTurn.sign(c, d, b) <= 0
        {
          return true
        }
      }
    }
    return false
  }
}

extension ExactTurn {
  static func isTooSmall(_ point: Point) -> Bool { isTooSmall(point.x) || isTooSmall(point.y) }
}

extension Predicate {
  /// Whether it holds between a point and a polygon.
  func holds(_ place: PointPlace, isPointFirst: Bool) -> Bool {
    switch self {
    case .intersects: place != .outside
    case .disjoint: place == .outside
    case .touches: place == .boundary
    case .within: isPointFirst && place == .inside
    case .contains: !isPointFirst && place == .inside
    case .coveredBy: isPointFirst && place != .outside
    case .covers: !isPointFirst && place != .outside
    case .equals, .crosses, .overlaps: false
    }
  }
}
