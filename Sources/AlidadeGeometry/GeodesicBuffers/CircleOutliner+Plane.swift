import AlidadeBase
import AlidadeCoordinates
import Glibc

extension CircleOutliner {
  /// Replaces `points` by a closed outline that begins due north of the centre and runs clockwise, in the plane, where its
  /// edges are straight. Returns the deviation achieved, metres on the ground, or nil if another way must be taken, as
  /// above and where the plane breaks the circle off, turns it round or bends it much.
  ///
  /// - Parameters:
  ///   - plane: nil: longitude and latitude.
  ///   - centre: longitude and latitude in degrees.
  mutating func outline(
    in plane: EarthPlane?, centre: Point, radius: Double, maximumDeviation: Double, vertexLimit: Int,
    into points: inout [Point]
  ) throws(EngineError) -> Double? {
    guard let plane else {
      return outline(
        centre: centre, radius: radius, maximumDeviation: maximumDeviation, vertexLimit: vertexLimit, into: &points)
    }
    let allowed = (maximumDeviation - Self.rounding) / Self.margin
    guard allowed > 0, let series = CircleSeries(geodesic, centre: centre, radius: radius),
      let middle = try plane.imageIfAny(of: centre)
    else { return nil }
    try TimeLimit.check()
    // The sagitta in a plane that keeps shapes.
    var wanted = .pi * (radius / (2 * allowed)).squareRoot()
    for _ in 0..<4 {
      wanted = max(Self.fewestVertices, (wanted / 4).rounded(.up) * 4)
      guard wanted < Double(vertexLimit), 2 * .pi * radius > wanted * Self.shortestEdge,
        let count = Int(exactly: wanted),
        let found = try errors(of: series, in: plane, count: count, into: &points)
      else { return nil }
      let deviation = found.edges * Self.margin + found.vertices
      if deviation <= maximumDeviation - Self.rounding {
        return Self.isStar(points, around: middle) ? deviation + Self.rounding : nil
      }
      guard found.vertices < 0.1 * allowed else { return nil }
      wanted *= (found.edges / (allowed - found.vertices / Self.margin)).squareRoot() * 1.005
    }
    return nil
  }

  /// What the outline errs in the middles of its edges, and at its vertices, metres: both are brought back to the ground
  /// and held against the circle. nil if something is not in the plane, or errors change too fast.
  private mutating func errors(
    of series: CircleSeries, in plane: EarthPlane, count: Int, into points: inout [Point]
  ) throws(EngineError) -> (edges: Double, vertices: Double)? {
    let centre = series.centre
    let metric = OutlineMetric(earth, series)
    // Vertices and what lies halfway between them, in turn.
    let (circle, ground) = (try HeapArray<Point>(count: 2 &* count), try HeapArray<Point>(count: 2 &* count))
    let around = circle.buffer
    series.walk(steps: count, angles(count: 2 &* count)) { step, offset in
      around[step] = Point(x: centre.x + offset.y, y: centre.y + offset.x)
      if step > 0, step < count { around[2 &* count &- step] = Point(x: centre.x - offset.y, y: centre.y + offset.x) }
    }
    points.removeAll(keepingCapacity: true)
    for index in 0..<count { points.append(around[2 &* index]) }
    points.append(around[0])
    let images = try HeapArray<Point>(count: points.count)
    _ = images.buffer.update(from: points)
    try plane.images(of: images.buffer)
    points.replaceSubrange(points.indices, with: images.buffer)
    // On a map that is cut open a ring may end elsewhere than it began, or a turn farther on; it is closed exactly.
    guard let first = points.first, let last = points.popLast() else { return nil }
    let scale = max(first.x.magnitude, first.y.magnitude)
    guard max((last.x - first.x).magnitude, (last.y - first.y).magnitude) <= 1e-12 * scale else { return nil }
    points.append(first)
    let back = ground.buffer
    for index in 0..<count {
      let (from, to) = (points[index], points[index &+ 1])
      back[2 &* index] = from
      back[2 &* index &+ 1] = Point(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
    }
    try plane.places(of: back)
    // Squares of errors, metres.
    func error(_ index: Int) -> Double {
      let (place, exact) = (back[index], around[index])
      let difference = SIMD2(place.y - exact.y, remainder(place.x - exact.x, 360))
      return metric.square(difference, at: SIMD2(exact.y - centre.y, 0))
    }
    var (edges, vertices, before, isSmooth) = (0.0, 0.0, error(2 &* count &- 1), true)
    let noise = ChordPath.rounding * ChordPath.rounding
    for index in 0..<(2 &* count) {
      let error = error(index)
      // What is no number, the first comparison takes.
      if index & 1 == 0 {
        vertices = error <= vertices ? vertices : error
      } else {
        if max(error, before) > noise, min(error, before) < 0.5 * max(error, before) { isSmooth = false }
        edges = error <= edges ? edges : error
        before = error
      }
    }
    guard isSmooth, edges.isFinite, vertices.isFinite else { return nil }
    return (edges.squareRoot(), vertices.squareRoot())
  }

  /// Whether a closed line goes once around a place, clockwise and never back: then it does not cross itself.
  static func isStar(_ ring: [Point], around place: Point) -> Bool {
    var crossings = 0
    for (a, b) in zip(ring, ring.dropFirst()) {
      let (ax, ay, bx, by) = (a.x - place.x, a.y - place.y, b.x - place.x, b.y - place.y)
      guard ax * by - bx * ay < 0 else { return false }
      if ay < 0, by >= 0 { crossings &+= 1 }
    }
    return crossings == 1
  }
}
