import AlidadeBase
import AlidadeCoordinates

/// Where a point lies with respect to a polygon.
enum PointPlace {
  case inside
  case boundary
  case outside
}

extension GeometryColumns {
  /// Where a point lies with respect to a valid polygon, without rounding. A ray from the point to the right crosses the
  /// outline an odd number of times if the point is inside.
  ///
  /// - Returns: nil for coordinates so small that `ExactTurn` cannot compute with them.
  func place(of point: Point, inPolygon row: Int) -> PointPlace? {
    let vertices = points.buffer
    var isInside = false
    for path in paths(ofGeometry: row) {
      let ring = self.vertices(ofPath: path)
      guard var a = ring.isEmpty ? nil : vertices[ring.lowerBound] else { continue }
      for index in ring.dropFirst() {
        let b = vertices[index]
        if (a.y > point.y) != (b.y > point.y) {
          if a.x > point.x, b.x > point.x {
            isInside.toggle()
          } else if a.x >= point.x || b.x >= point.x {
            if ExactTurn.isTooSmall(a) || ExactTurn.isTooSmall(b) || ExactTurn.isTooSmall(point) { return nil }
            let turn = ExactTurn.sign(a, b, point)
            if turn == 0 { return .boundary }
            if (turn > 0) == (b.y > a.y) { isInside.toggle() }
          }
        } else if a.y == point.y || b.y == point.y {
          // The edge only touches the ray's line, or lies on it.
          if a == point || b == point { return .boundary }
          if a.y == b.y, min(a.x, b.x) < point.x, max(a.x, b.x) > point.x { return .boundary }
        }
        a = b
      }
    }
    return isInside ? .inside : .outside
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
