import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A line of geodesics with all that its offsets take: circles around its vertices, directions of its segments.
///
/// What lies within a distance of the line is the union of a quad for each segment, as wide as the distance to both sides,
/// and a wedge of the circle for each vertex, on the outer side of its turn, or around the end. Neighbours share their
/// edges exactly: all vertices are on the circles around the line's own. Where the line hardly turns a quad ends at the
/// next one, without a wedge.
struct OffsetPath: Sendable {
  struct Node: Sendable {
    let place: Point
    let series: CircleSeries
    /// Vertices of a whole circle, so that its chords should be within the deviation.
    let vertexCount: Double
  }

  struct Segment: Sendable {
    var length: Double
    /// At both ends, onwards.
    var azimuth: Double
    var endAzimuth: Double
  }

  /// Two segments at a vertex.
  struct Joint {
    let node: Int
    /// The way's azimuth before the vertex, and how it turns there, degrees clockwise.
    let azimuth: Double
    let turn: Double
    /// The quads end at common vertices.
    let isSmooth: Bool
  }

  enum Side: CaseIterable {
    case left
    case right

    /// From ahead, degrees clockwise.
    var angle: Double { self == .left ? -90 : 90 }
  }

  let geodesic: Geodesic
  let earth: Earth
  /// Metres.
  let distance: Double
  let maximumDeviation: Double
  let nodes: [Node]
  /// Each from the node of its number to the next; the last one of a ring ends at the first node.
  let segments: [Segment]
  let isRing: Bool
  /// At most so much do straight edges on the map and lines at the distance bend against each other, per metre.
  let bend: Double

  /// Longer segments are cut, so that they do not come near a pole that is not near their ends.
  static let longestSegment = 500_000.0
  /// How much nearer the circles are than the poles, as for `CircleSeries`: up to here errors of chords of a 24th of a
  /// circle change by less than 30 % from one to the next.
  private static let greatestRatio = 0.2
  private static let fewestVertices = 24.0
  /// Radians of the earth: farther out radii are not as good as straight.
  private static let greatestAngle = 0.15
  /// Metres: below it rounding begins to matter.
  private static let leastDeviation = 1e-3
  /// What is left to the turns that have no wedge.
  private static let smoothShare = 0.1

  /// nil if another way must be taken: near poles, for great or tiny distances, and where longitudes go around the earth.
  ///
  /// - Parameter path: longitudes and latitudes; closed if the last point is the first.
  init?(
    _ geodesic: Geodesic, _ path: [Point], distance: Double, maximumDeviation: Double, workers: Workers?
  ) throws(EngineError) {
    let radius = geodesic.ellipsoid.leastRadius
    guard distance <= Self.greatestAngle * radius, maximumDeviation >= Self.leastDeviation,
      maximumDeviation <= distance / 20
    else { return nil }
    self.geodesic = geodesic
    earth = Earth(geodesic.ellipsoid)
    self.distance = distance
    self.maximumDeviation = maximumDeviation
    guard let parts = Self.parts(geodesic, path), parts.segments.count > 1 else { return nil }
    let segments = parts.segments
    var places = parts.places
    isRing = path.first == path.last
    // A ring's last node would be its first, a turn farther if it goes around a pole.
    if isRing {
      guard let first = places.first, let last = places.popLast(), first == last else { return nil }
    }
    self.segments = segments
    // No point of a segment is farther from its nearer end than half of its length.
    let half = segments.reduce(0) { max($0, $1.length) } / 2
    let greatest = places.reduce(0) { max($0, $1.y.magnitude) } + (distance + half) / radius * Earth.degrees
    guard greatest < 89.9 else { return nil }
    // A straight line in longitude and latitude has a curvature of tan(latitude) sin(A) (1 + cos(A)^2) / radius, at most
    // 1.09 times the tangent.
    bend = (1.15 * tan(greatest * Earth.radian) + tan(distance / radius)) / radius
    guard let nodes = try Self.nodes(geodesic, places, distance, maximumDeviation, workers) else { return nil }
    self.nodes = nodes
    // All around the earth, positions on the map would not be positions on the earth.
    var (west, east) = (Double.infinity, -Double.infinity)
    for node in nodes {
      let reach = node.series.greatestLongitude
      (west, east) = (min(west, node.place.x - reach), max(east, node.place.x + reach))
    }
    let slack = 2 * half / (radius * cos(greatest * Earth.radian)) * Earth.degrees
    guard east - west + slack < 350 else { return nil }
  }

  /// Longitudes that hang together, and the geodesics between; nil if there is none between two of them.
  private static func parts(_ geodesic: Geodesic, _ path: [Point]) -> (places: [Point], segments: [Segment])? {
    guard var last = path.first else { return nil }
    var (places, segments) = ([last], [Segment]())
    places.reserveCapacity(path.count)
    segments.reserveCapacity(path.count)
    for point in path.dropFirst() where point != last {
      let next = point.unwrapped(near: last.x, width: 360)
      let way = geodesic.inverse(from: last, to: next)
      if way.length == 0 { continue }
      guard way.length.isFinite, (next.x - last.x).magnitude < 120 else { return nil }
      let count = (way.length / longestSegment).rounded(.up)
      if count <= 1 {
        segments.append(Segment(length: way.length, azimuth: way.azimuth, endAzimuth: way.endAzimuth))
      } else {
        let line = geodesic.line(from: last, azimuth: way.azimuth)
        var azimuth = way.azimuth
        for part in 1...(Int(exactly: count) ?? 1) {
          let isLast = Double(part) == count
          let position = line.position(at: way.length * Double(part) / count)
          let end = isLast ? way.endAzimuth : position.azimuth
          segments.append(Segment(length: way.length / count, azimuth: azimuth, endAzimuth: end))
          if !isLast { places.append(position.point.unwrapped(near: last.x, width: 360)) }
          azimuth = end
        }
      }
      places.append(next)
      last = next
    }
    return (places, segments)
  }

  private static func nodes(
    _ geodesic: Geodesic, _ places: [Point], _ distance: Double, _ maximumDeviation: Double, _ workers: Workers?
  ) throws(EngineError) -> [Node]? {
    let angle = distance / geodesic.ellipsoid.leastRadius
    let allowed = Self.allowed(maximumDeviation)
    return try (workers ?? Workers(threadCount: 1)).map(places.count, slice: 256) { (index) throws(EngineError) in
      let place = places[index]
      guard tan(angle / 2) < greatestRatio * tan((90 - place.y.magnitude) / 2 * Earth.radian),
        let series = CircleSeries(geodesic, centre: place, radius: distance)
      else { return nil }
      let wanted = CircleOutliner.guess(geodesic, place, distance, allowed)
      return Node(place: place, series: series, vertexCount: max(fewestVertices, wanted))
    }
  }

  /// What chords of circles may err in their middles.
  private static func allowed(_ maximumDeviation: Double) -> Double {
    (maximumDeviation - CircleOutliner.rounding) / CircleOutliner.margin
  }

  // MARK: Joints

  var jointCount: Int { isRing ? segments.count : segments.count &+ 1 }

  /// Where a segment begins; of a line the one after the last is its end.
  func joint(_ node: Int) -> Joint {
    let before = node > 0 ? segments[node &- 1] : isRing ? segments[segments.count &- 1] : nil
    let after = node < segments.count ? segments[node] : nil
    guard let before else { return Joint(node: node, azimuth: (after?.azimuth ?? 0) + 180, turn: 180, isSmooth: false) }
    guard let after else { return Joint(node: node, azimuth: before.endAzimuth, turn: 180, isSmooth: false) }
    let turn = remainder(after.azimuth - before.endAzimuth, 360)
    let half = turn.magnitude / 2 * Earth.radian
    let isSmooth =
      distance * half * half / 2 < Self.smoothShare * maximumDeviation
      && distance * half < min(before.length, after.length) / 4
    return Joint(node: node, azimuth: before.endAzimuth, turn: turn, isSmooth: isSmooth)
  }

  /// What a smooth joint's vertices are off, metres.
  private func deviation(_ joint: Joint) -> Double {
    let half = joint.turn / 2 * Earth.radian
    return joint.isSmooth ? distance * half * half / 2 : 0
  }

  /// The vertex on the circle around a node.
  func vertex(_ node: Int, azimuth: Double) -> Point {
    let (sine, cosine) = sineAndCosine(degrees: azimuth)
    let node = nodes[node]
    let offset = node.series.offset(cosine: cosine, sine: sine)
    return Point(x: node.place.x + offset.y, y: node.place.y + offset.x)
  }

  /// The line's own end at a node, or beginning, seen from the line's start: the joint's turn is a whole cap there.
  private func isCap(_ joint: Joint) -> Bool { !isRing && (joint.node == 0 || joint.node == segments.count) }

  /// Where the quad before a joint ends, and the one after it begins.
  func vertices(_ joint: Joint, _ side: Side) -> (before: Point, after: Point) {
    if joint.isSmooth {
      let both = vertex(joint.node, azimuth: joint.azimuth + joint.turn / 2 + side.angle)
      return (both, both)
    }
    return (
      vertex(joint.node, azimuth: joint.azimuth + side.angle),
      vertex(joint.node, azimuth: joint.azimuth + joint.turn + side.angle)
    )
  }

  // MARK: Sides of segments

  /// A line on one side of a segment, and how far it is off, metres.
  func abeam(_ number: Int, _ side: Side) throws(EngineError) -> (points: [Point], deviation: Double) {
    let segment = segments[number]
    let (first, last) = (joint(number), joint(isRing && number &+ 1 == segments.count ? 0 : number &+ 1))
    let (from, to) = (start(first, side), end(last, side))
    // Smooth joints move the ends along: inside of a turn backwards.
    let shifts = [first, last].map { joint in
      joint.isSmooth ? distance * tan(joint.turn / 2 * Earth.radian) * (side == .right ? 1 : -1) : 0
    }
    let (low, high) = (shifts[0], segment.length - shifts[1])
    let slack = max(deviation(first), deviation(last))
    let length = segment.length + shifts[0].magnitude + shifts[1].magnitude
    let simple = length * length / 8 * bend * 1.05 + slack + CircleOutliner.rounding
    if simple < 0.15 * maximumDeviation { return ([from, to], simple) }
    let line = geodesic.line(from: nodes[number].place, azimuth: segment.azimuth)
    var path = ChordPath(earth, maximumDeviation: maximumDeviation - slack)
    let pieces = Int(exactly: (length / 200_000).rounded(.up)) ?? 1
    try path.append(pieces: pieces) { t in
      if t <= 0 { return from }
      if t >= 1 { return to }
      let foot = line.position(at: low + t * (high - low))
      return geodesic.direct(from: foot.point, azimuth: foot.azimuth + side.angle, distance: distance).point
    }
    return (path.points, path.achievedDeviation + slack)
  }

  private func start(_ joint: Joint, _ side: Side) -> Point {
    // The cap of the start is seen from ahead of it.
    isCap(joint) ? vertex(joint.node, azimuth: joint.azimuth + 180 + side.angle) : vertices(joint, side).after
  }

  private func end(_ joint: Joint, _ side: Side) -> Point { vertices(joint, side).before }

  // MARK: Wedges

  /// The arc of the wedge at a joint, if it has one.
  func wedge(_ joint: Joint) -> OffsetArc? {
    if isCap(joint) {
      let isStart = joint.node == 0
      return OffsetArc(
        self, joint.node, from: joint.azimuth - 90, to: joint.azimuth + 90,
        first: isStart ? start(joint, .right) : end(joint, .left),
        last: isStart ? start(joint, .left) : end(joint, .right))
    }
    guard !joint.isSmooth else { return nil }
    let outside = joint.turn > 0 ? Side.left : .right
    let ends = vertices(joint, outside)
    let start = joint.azimuth + outside.angle
    return OffsetArc(self, joint.node, from: start, to: start + joint.turn, first: ends.before, last: ends.after)
  }

  /// The side on which quads at a joint overlap: their ends are edges there.
  func overlap(_ joint: Joint) -> Side? {
    isCap(joint) || joint.isSmooth ? nil : joint.turn > 0 ? .right : .left
  }

  var allowedInMiddle: Double { Self.allowed(maximumDeviation) }
}

/// An arc of a circle around a node as chords.
struct OffsetArc {
  let path: OffsetPath
  let node: Int
  /// Degrees.
  let from: Double
  let step: Double
  let count: Int
  private let metric: OutlineMetric
  /// Exactly where the neighbouring quads end.
  private let first: Point
  private let last: Point

  /// - Parameters:
  ///   - from, to: azimuths in degrees, in either order.
  init(_ path: OffsetPath, _ node: Int, from: Double, to: Double, first: Point, last: Point) {
    (self.first, self.last) = (first, last)
    self.path = path
    self.node = node
    self.from = from
    let wanted = (path.nodes[node].vertexCount * (to - from).magnitude / 360).rounded(.up)
    count = max(1, Int(exactly: wanted) ?? 1)
    step = (to - from) / Double(count)
    metric = OutlineMetric(path.earth, path.nodes[node].series)
  }

  func point(_ index: Int) -> Point {
    index == 0 ? first : index == count ? last : path.vertex(node, azimuth: from + step * Double(index))
  }

  /// Adds the chords from a vertex to the next, more than one where that one errs too much, and returns what they err.
  func appendChords(from index: Int, to last: Point, into points: inout [Point]) -> Double {
    guard let first = points.last else { return .infinity }
    var deviation = 0.0
    var open = [(from + step * Double(index), first, from + step * Double(index &+ 1), last)]
    while let (low, a, high, b) = open.popLast() {
      let azimuth = low + (high - low) / 2
      let (sine, cosine) = sineAndCosine(degrees: azimuth)
      let circle = path.nodes[node]
      let offset = circle.series.offset(cosine: cosine, sine: sine)
      let middle = SIMD2(
        (a.y + b.y) / 2 - circle.place.y - offset.x, (a.x + b.x) / 2 - circle.place.x - offset.y)
      let error = metric.square(middle, at: offset).squareRoot()
      if error <= path.allowedInMiddle || (high - low).magnitude < 1e-7 {
        deviation = max(deviation, error * CircleOutliner.margin + CircleOutliner.rounding)
        points.append(b)
        continue
      }
      let place = Point(x: circle.place.x + offset.y, y: circle.place.y + offset.x)
      open.append((azimuth, place, high, b))
      open.append((low, a, azimuth, place))
    }
    return deviation
  }

  /// All of it.
  func points() -> [Point] {
    var points = [point(0)]
    for index in 0..<count { _ = appendChords(from: index, to: point(index &+ 1), into: &points) }
    return points
  }
}
