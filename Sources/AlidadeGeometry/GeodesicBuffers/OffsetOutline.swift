import AlidadeBase
import AlidadeCoordinates
import Synchronization

/// The sides of quads and wedges as far as they may show: what certainly lies inside is left out.
struct OffsetOutline: Sendable {
  let path: OffsetPath
  let index: OffsetIndex
  /// Chords that follow each other.
  private(set) var runs: [[Point]] = []
  private var vertexCount = 0
  private let budget: VertexBudget
  /// Metres.
  private(set) var achievedDeviation = 0.0

  /// Arcs are looked at from here on, degrees.
  private static let widest = 45.0

  /// A vertex, on the map and in three dimensions.
  private struct Vertex {
    var point: Point
    var position: Vector
  }

  init(_ path: OffsetPath, _ index: OffsetIndex, _ budget: VertexBudget) {
    (self.path, self.index, self.budget) = (path, index, budget)
  }

  private func vertex(_ point: Point) -> Vertex { Vertex(point: point, position: path.earth.position(point)) }

  /// The sides of some segments, and the wedges and ends of quads at the joints where they begin.
  mutating func add(_ numbers: Range<Int>) throws(EngineError) {
    for side in OffsetPath.Side.allCases {
      for number in numbers {
        let joint = path.joint(number)
        if let overlap = path.overlap(joint) {
          if overlap == side { add(overlap: joint, side) } else { add(wedge: joint) }
        } else if side == .left {
          add(wedge: joint)
        }
        if number < path.segments.count { try add(abeam: number, side) }
        try budget.spend(vertexCount)
        vertexCount = 0
      }
    }
  }

  /// An edge, or the parts of it that may show.
  ///
  /// - Parameter bend: how far it is off from the straight line in three dimensions, per square metre of its length.
  private mutating func add(_ first: Vertex, _ last: Vertex, bend: Double) {
    let way = last.position - first.position
    let length = way.dot(way).squareRoot()
    // What is short against the distance is either in or out.
    let shortest = max(path.distance / 8, length / 64)
    var (from, to) = (Point.nan, Point.nan)
    var open = [(first, last, length)]
    while let (a, b, length) = open.popLast() {
      if index.covers(a.position, b.position, bend: length * length * bend * 1.05) { continue }
      let middle = vertex(Point(x: (a.point.x + b.point.x) / 2, y: (a.point.y + b.point.y) / 2))
      if length > shortest, [a, middle, b].contains(where: { index.covers($0.position, $0.position, bend: 0) }) {
        open.append((middle, b, length / 2))
        open.append((a, middle, length / 2))
      } else if a.point == to {
        to = b.point
      } else {
        if from.isFinite { append(from, to) }
        (from, to) = (a.point, b.point)
      }
    }
    if from.isFinite { append(from, to) }
  }

  private mutating func append(_ first: Point, _ last: Point) {
    vertexCount &+= 1
    if runs.last?.last == first {
      runs[runs.count &- 1].append(last)
    } else {
      runs.append([first, last])
    }
  }

  private mutating func add(abeam number: Int, _ side: OffsetPath.Side) throws(EngineError) {
    let (points, deviation) = try path.abeam(number, side)
    guard let first = points.first else { return }
    achievedDeviation = max(achievedDeviation, deviation)
    // The straight line on the map bends against a geodesic, which bends against the straight line in space.
    let bend = (path.bend + 1 / path.geodesic.ellipsoid.leastRadius) / 8
    var last = vertex(first)
    for point in points.dropFirst() where point != last.point {
      let next = vertex(point)
      add(last, next, bend: bend)
      last = next
    }
  }

  /// The ends of two quads that overlap: to the vertex of the line and back. Near that they are inside.
  private mutating func add(overlap joint: OffsetPath.Joint, _ side: OffsetPath.Side) {
    let ends = path.vertices(joint, side)
    let start = path.nodes[joint.node].place
    for point in [ends.before, ends.after] {
      let share = max(0.5, 1 - 4 * path.maximumDeviation / path.distance)
      let inner = Point(x: start.x + share * (point.x - start.x), y: start.y + share * (point.y - start.y))
      let bend = (path.bend + 1 / path.geodesic.ellipsoid.leastRadius) / 8
      add(vertex(start), vertex(inner), bend: bend)
      add(vertex(inner), vertex(point), bend: bend)
    }
  }

  private mutating func add(wedge joint: OffsetPath.Joint) {
    guard let arc = path.wedge(joint) else { return }
    // An arc's chords bend less than the arc; of a circle of this curvature.
    let bend = path.distance / path.geodesic.ellipsoid.leastRadius
    let curvature = path.distance * (1 + bend * bend)
    add(arc, 0, vertex(arc.point(0)), arc.count, vertex(arc.point(arc.count)), curvature)
  }

  private mutating func add(
    _ arc: OffsetArc, _ from: Int, _ first: Vertex, _ to: Int, _ last: Vertex, _ curvature: Double
  ) {
    let width = arc.step.magnitude * Double(to &- from)
    if width <= Self.widest {
      let angle = width * Earth.radian
      let bend = curvature * angle * angle / 8 + path.maximumDeviation
      if index.covers(first.position, last.position, bend: bend) { return }
    }
    guard to &- from > 1 else {
      var points = [first.point]
      achievedDeviation = max(achievedDeviation, arc.appendChords(from: from, to: last.point, into: &points))
      for (a, b) in zip(points, points.dropFirst()) { append(a, b) }
      return
    }
    let half = from &+ (to &- from) / 2
    let middle = vertex(arc.point(half))
    add(arc, from, first, half, middle, curvature)
    add(arc, half, middle, to, last, curvature)
  }
}

/// How many vertices all outlines of a buffer may have.
final class VertexBudget: Sendable {
  private let spent = Atomic<Int>(0)
  private let limit: Int
  private let distance: Double
  private let maximumDeviation: Double

  /// - Parameters:
  ///   - distance: metres, for the error.
  ///   - maximumDeviation: the same.
  init(limit: Int, distance: Double, maximumDeviation: Double) {
    self.limit = limit
    self.distance = distance
    self.maximumDeviation = maximumDeviation
  }

  var count: Int { spent.load(ordering: .relaxed) }

  func spend(_ count: Int) throws(EngineError) {
    try TimeLimit.check()
    guard spent.add(count, ordering: .relaxed).newValue > limit else { return }
    throw EngineError(
      .limitExceeded,
      "The outlines of a geodesic buffer of \(distance) m to within \(maximumDeviation) m have more than \(limit) "
        + "vertices. Allow a greater deviation, or raise max_request_points and max_request_bytes.")
  }
}
