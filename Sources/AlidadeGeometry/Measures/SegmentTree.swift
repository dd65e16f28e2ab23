import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Geodesic segments in a tree of discs.
struct SegmentTree {
  let segments: [GeodesicSegment]
  private let discs: [EarthDisc]
  private let tree: BallTree
  private let sphere: ParametricSphere
  private let geodesic: Geodesic
  private let measure: SegmentDistance

  init(_ segments: [GeodesicSegment], _ geodesic: Geodesic, _ sphere: ParametricSphere) throws(EngineError) {
    self.segments = segments
    self.geodesic = geodesic
    self.sphere = sphere
    measure = SegmentDistance(geodesic)
    var discs: [EarthDisc] = []
    discs.reserveCapacity(segments.count)
    for (index, segment) in segments.enumerated() {
      if index & 63 == 63 { try TimeLimit.check() }
      discs.append(segment.disc(geodesic, sphere))
    }
    self.discs = discs
    tree = try BallTree(discs, sphere)
  }

  /// The segment nearest to a point, by its number, and where it is nearest; nil if no segment is nearer than the
  /// limit.
  func nearest(
    to place: Point, below greatest: Double = .infinity
  ) -> (number: Int, found: SegmentDistance.Found)? {
    let vector = sphere.vector(place)
    var best: (number: Int, found: SegmentDistance.Found)?
    var limit = greatest
    func bound(_ disc: EarthDisc) -> Double { sphere.lowerBound(vector, disc.vector) - disc.radius }
    var open: [(node: Int, bound: Double)] = tree.nodes.isEmpty ? [] : [(0, 0)]
    while let (number, least) = open.popLast() {
      if least >= limit { continue }
      let node = tree.nodes[number]
      if node.isLeaf {
        for item in node.items {
          let number = tree.order[item]
          guard bound(discs[number]) < limit,
            let found = measure.nearest(segments[number], to: place, below: limit)
          else { continue }
          best = (number, found)
          limit = found.distance
        }
      } else {
        let (first, second) = (bound(tree.nodes[node.first].disc), bound(tree.nodes[node.second].disc))
        // The nearer one is looked at first.
        open.append(first < second ? (node.second, second) : (node.first, first))
        open.append(first < second ? (node.first, first) : (node.second, second))
      }
    }
    return best
  }

  /// No segment comes nearer to a disc than this.
  func bound(_ other: EarthDisc) -> Double {
    func bound(_ disc: EarthDisc) -> Double {
      sphere.lowerBound(other.vector, disc.vector) - disc.radius - other.radius
    }
    var best = Double.infinity
    var open: [(node: Int, bound: Double)] = tree.nodes.isEmpty ? [] : [(0, bound(tree.nodes[0].disc))]
    while let (number, least) = open.popLast() {
      if least >= best { continue }
      let node = tree.nodes[number]
      if node.isLeaf {
        for item in node.items { best = min(best, bound(discs[tree.order[item]])) }
        if best <= 0 { return 0 }
        continue
      }
      let (first, second) = (bound(tree.nodes[node.first].disc), bound(tree.nodes[node.second].disc))
      open.append(first < second ? (node.second, second) : (node.first, first))
      open.append(first < second ? (node.first, first) : (node.second, second))
    }
    return best
  }

  /// Two points that are as near to each other as any two of two trees' segments.
  struct Pair {
    var distance: Double
    var first: Point
    var second: Point
  }

  /// The nearest pair; nil if there is no segment in one of them.
  ///
  /// On a surface that is curved everywhere like a ball, two geodesics are nearest to each other where they cross, or
  /// at an end of one of them: between two points inside, at right angles to both, a parallel path next to it would be
  /// shorter. So the search covers crossings and the distances of ends.
  func nearestPair(_ other: SegmentTree) throws(EngineError) -> Pair? {
    guard !tree.nodes.isEmpty, !other.tree.nodes.isEmpty else { return nil }
    var best = Pair(distance: .infinity, first: .nan, second: .nan)
    var open = [(first: 0, second: 0, bound: 0.0)]
    func bound(_ a: EarthDisc, _ b: EarthDisc) -> Double { sphere.lowerBound(a.vector, b.vector) - a.radius - b.radius }
    while let (i, j, least) = open.popLast() {
      if least >= best.distance { continue }
      try TimeLimit.check()
      let (first, second) = (tree.nodes[i], other.tree.nodes[j])
      if first.isLeaf, second.isLeaf {
        for item in first.items {
          for another in second.items {
            let (number, otherNumber) = (tree.order[item], other.tree.order[another])
            let least = bound(discs[number], other.discs[otherNumber])
            if least < best.distance {
              improve(&best, segments[number], other.segments[otherNumber], mayCross: least <= 0)
            }
            if best.distance == 0 { return best }
          }
        }
        continue
      }
      // The larger one is halved.
      let isFirst = second.isLeaf || (!first.isLeaf && first.disc.radius >= second.disc.radius)
      let halves = isFirst ? [(first.first, j), (first.second, j)] : [(i, second.first), (i, second.second)]
      var next = halves.map {
        (first: $0.0, second: $0.1, bound: bound(tree.nodes[$0.0].disc, other.tree.nodes[$0.1].disc))
      }
      // The nearer pair is looked at first.
      if next[0].bound < next[1].bound { next.swapAt(0, 1) }
      open += next
    }
    return best
  }

  private func improve(_ best: inout Pair, _ first: GeodesicSegment, _ second: GeodesicSegment, mayCross: Bool) {
    if mayCross, let along = measure.crossing(first, second) {
      let place = geodesic.direct(from: first.start, azimuth: first.azimuth, distance: along).point
      best = Pair(distance: 0, first: place, second: place)
      return
    }
    for end in first.length > 0 ? [first.start, first.end] : [first.start] {
      if let found = measure.nearest(second, to: end, below: best.distance) {
        best = Pair(distance: found.distance, first: end, second: place(second, found))
      }
    }
    for end in second.length > 0 ? [second.start, second.end] : [second.start] {
      if let found = measure.nearest(first, to: end, below: best.distance) {
        best = Pair(distance: found.distance, first: place(first, found), second: end)
      }
    }
  }

  /// Where on a segment something was found.
  func place(_ segment: GeodesicSegment, _ found: SegmentDistance.Found) -> Point {
    if found.along <= 0 { return segment.start }
    if found.along >= segment.length { return segment.end }
    return geodesic.direct(from: segment.start, azimuth: segment.azimuth, distance: found.along).point
  }
}

/// Points on an ellipsoid as unit vectors of their parametric latitudes.
///
/// Between two points the angle is at least their distance divided by the greater semi-axis and at most divided by the
/// smaller one: along each meridian and parallel the sphere is the ellipsoid shrunk by a factor between the two.
struct ParametricSphere {
  private let ratio: Double
  /// Metres per radian, at most and at least.
  let greatest: Double
  let smallest: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    ratio = 1 - ellipsoid.flattening
    greatest = max(ellipsoid.semiMajorAxis, ellipsoid.semiMinorAxis)
    smallest = min(ellipsoid.semiMajorAxis, ellipsoid.semiMinorAxis)
  }

  func vector(_ place: Point) -> Vector {
    let (sine, cosine) = sineAndCosine(degrees: place.y)
    let (east, front) = sineAndCosine(degrees: place.x)
    let size = hypot(cosine, ratio * sine)
    return Vector(cosine * front, cosine * east, ratio * sine) / size
  }

  func place(_ vector: Vector) -> Point {
    Point(
      x: atan2(vector.y, vector.x) * Earth.degrees,
      y: atan2(vector.z, ratio * hypot(vector.x, vector.y)) * Earth.degrees)
  }

  private static func angle(_ a: Vector, _ b: Vector) -> Double { 2 * asin(min(1, (a - b).length / 2)) }

  /// Two points are no farther apart than this.
  func upperBound(_ a: Vector, _ b: Vector) -> Double { greatest * Self.angle(a, b) * (1 + 1e-14) + 1e-8 }
  /// And no nearer.
  func lowerBound(_ a: Vector, _ b: Vector) -> Double { smallest * Self.angle(a, b) * (1 - 1e-14) - 1e-8 }
}

/// A disc on the ellipsoid: all points within a distance in metres of a centre.
struct EarthDisc {
  var vector: Vector
  var radius: Double
}

/// Discs within discs, for finding what is near.
struct BallTree {
  struct Node {
    var disc: EarthDisc
    /// The items, in the tree's order.
    var items: Range<Int>
    /// The two halves; 0 at a leaf.
    var first = 0
    var second = 0

    var isLeaf: Bool { first == 0 }
  }

  private(set) var nodes: [Node] = []
  /// The items in the tree's order.
  private(set) var order: [Int]
  private let discs: [EarthDisc]
  private let sphere: ParametricSphere

  private static let leafSize = 4

  init(_ discs: [EarthDisc], _ sphere: ParametricSphere) throws(EngineError) {
    self.discs = discs
    self.sphere = sphere
    order = Array(discs.indices)
    if !discs.isEmpty { _ = try build(order.indices) }
  }

  private mutating func build(_ items: Range<Int>) throws(EngineError) -> Int {
    if items.count > 64 { try TimeLimit.check() }
    var (low, high) = (Vector(repeating: .infinity), Vector(repeating: -.infinity))
    var sum = Vector.zero
    for item in items {
      let vector = discs[order[item]].vector
      low = pointwiseMin(low, vector)
      high = pointwiseMax(high, vector)
      sum += vector
    }
    // All around the sphere the mean may be its centre, and any point is right.
    let centre = sum.length > 1e-3 * Double(items.count) ? sum / sum.length : discs[order[items.lowerBound]].vector
    let radius = items.reduce(0) { radius, item in
      let disc = discs[order[item]]
      return max(radius, sphere.upperBound(centre, disc.vector) + disc.radius)
    }
    let number = nodes.count
    nodes.append(Node(disc: EarthDisc(vector: centre, radius: radius), items: items))
    guard items.count > Self.leafSize else { return number }
    let size = high - low
    let axis = size.x >= max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2
    let middle = items.lowerBound &+ items.count / 2
    split(items, at: middle, axis)
    nodes[number].first = try build(items.lowerBound..<middle)
    nodes[number].second = try build(middle..<items.upperBound)
    return number
  }

  /// Puts the items with the smaller coordinates before a position (Hoare's selection).
  private mutating func split(_ items: Range<Int>, at middle: Int, _ axis: Int) {
    func key(_ index: Int) -> Double { discs[order[index]].vector[axis] }
    var (low, high) = (items.lowerBound, items.upperBound &- 1)
    while low < high {
      // The median of three keeps sorted input from taking long.
      let (a, b, c) = (key(low), key(low &+ (high &- low) / 2), key(high))
      let pivot = max(min(a, b), min(max(a, b), c))
      var (i, j) = (low, high)
      while i <= j {
        while key(i) < pivot { i = i &+ 1 }
        while key(j) > pivot { j = j &- 1 }
        if i <= j {
          order.swapAt(i, j)
          i = i &+ 1
          j = j &- 1
        }
      }
      if middle <= j { high = j } else if middle >= i { low = i } else { return }
    }
  }
}

/// A geodesic between two vertices, or a piece of one, or a point.
struct GeodesicSegment {
  let start: Point
  let end: Point
  /// Metres; 0 for a point.
  let length: Double
  /// At the start.
  let azimuth: Double
  /// Which vertex of the columns it begins at.
  let vertex: Int

  /// So long that two of them that touch lie in a part of the earth where geodesics cross but once.
  static let longest = 1e6

  init(point: Point, vertex: Int) {
    (start, end, length, azimuth, self.vertex) = (point, point, 0, 0, vertex)
  }

  private init(_ start: Point, _ end: Point, _ length: Double, _ azimuth: Double, _ vertex: Int) {
    (self.start, self.end, self.length, self.azimuth, self.vertex) = (start, end, length, azimuth, vertex)
  }

  /// The pieces of an edge; none if its ends coincide.
  static func pieces(
    _ geodesic: Geodesic, from start: Point, to end: Point, vertex: Int, _ add: (GeodesicSegment) -> Void
  ) {
    let way = geodesic.inverse(from: start, to: end)
    guard way.length > 0 else { return }
    let count = Int(exactly: (way.length / longest).rounded(.up)) ?? 1
    if count == 1 { return add(GeodesicSegment(start, end, way.length, way.azimuth, vertex)) }
    let line = geodesic.line(from: start, azimuth: way.azimuth)
    let piece = way.length / Double(count)
    var (from, azimuth) = (start, way.azimuth)
    for number in 1...count {
      let next = line.position(at: Double(number) * piece)
      let to = number == count ? end : next.point
      add(GeodesicSegment(from, to, piece, azimuth, vertex))
      (from, azimuth) = (to, next.azimuth)
    }
  }

  /// The disc around it.
  func disc(_ geodesic: Geodesic, _ sphere: ParametricSphere) -> EarthDisc {
    guard length > 0 else { return EarthDisc(vector: sphere.vector(start), radius: 1e-8) }
    let middle = geodesic.direct(from: start, azimuth: azimuth, distance: length / 2).point
    return EarthDisc(vector: sphere.vector(middle), radius: length / 2 + 1e-8)
  }
}

/// Distances between points and geodesic segments.
///
/// The distance d of a point from a position s metres along a geodesic has the second derivative sin^2(A) M / m, with A
/// the angle between the geodesic and the path to the point, m the reduced length and M the geodesic scale of that path
/// (Karney 2013, section 3). M is positive up to about a quarter of the meridian, and negative beyond. So d is convex
/// where it is small, and has one minimum, and concave where it is large, and is least at an end. Only between the two,
/// within some hundred kilometres of 10,000 km, has one to look more closely.
struct SegmentDistance {
  let geodesic: Geodesic
  private let convexLimit: Double
  private let concaveLimit: Double
  private let radius: Double

  /// Where nothing else is known, distances are right to this, metres.
  static let coarse = 1e-3

  init(_ geodesic: Geodesic) {
    self.geodesic = geodesic
    let radii = geodesic.ellipsoid.curvatureRadii
    convexLimit = 0.99 * .pi / 2 * radii.lowerBound
    concaveLimit = 1.01 * .pi / 2 * radii.upperBound
    radius = geodesic.ellipsoid.semiMajorAxis
  }

  struct Found {
    var distance: Double
    /// Metres from the segment's start.
    var along: Double
  }

  /// The nearest point of a segment to a point, if it is nearer than a limit.
  func nearest(_ segment: GeodesicSegment, to place: Point, below limit: Double) -> Found? {
    let first = geodesic.distance(from: segment.start, to: place)
    var best = Found(distance: limit, along: .nan)
    if first < best.distance { best = Found(distance: first, along: 0) }
    if segment.length > 0 {
      let last = geodesic.distance(from: segment.end, to: place)
      if last < best.distance { best = Found(distance: last, along: segment.length) }
      // No point between is nearer than this: the triangle's inequality.
      let least = (first + last - segment.length) / 2
      if least < best.distance, least < concaveLimit {
        let line = geodesic.line(from: segment.start, azimuth: segment.azimuth)
        if (first + last + segment.length) / 2 < convexLimit {
          descend(line, segment.length, place, &best)
        } else {
          search(line, (0, first), (segment.length, last), place, &best)
        }
      }
    }
    return best.along.isNaN ? nil : best
  }

  /// The slope of the distance along a line, and the distance.
  private func slope(_ line: GeodesicLine, _ along: Double, _ place: Point) -> (slope: Double, distance: Double) {
    let foot = line.position(at: along)
    let way = geodesic.inverse(from: foot.point, to: place)
    return (-sineAndCosine(degrees: way.azimuth - foot.azimuth).cosine, way.length)
  }

  /// The one minimum where the distance is convex.
  private func descend(_ line: GeodesicLine, _ length: Double, _ place: Point, _ best: inout Found) {
    var (low, high) = (0.0, length)
    let (atStart, atEnd) = (slope(line, 0, place), slope(line, length, place))
    // The ends have been looked at.
    guard atStart.slope < 0, atEnd.slope > 0 else { return }
    // By the spherical triangle with a right angle at the foot; halving where that leads out of the bracket.
    var along = step(from: 0, atStart)
    for _ in 0..<60 {
      if !(along > low && along < high) { along = low + (high - low) / 2 }
      let here = slope(line, along, place)
      if here.distance < best.distance { best = Found(distance: here.distance, along: along) }
      if here.slope < 0 { low = along } else { high = along }
      let next = step(from: along, here)
      if (next - along).magnitude < 1e-8 || high - low < 1e-8 || here.distance < 1e-9 { return }
      along = next
    }
  }

  private func step(from along: Double, _ here: (slope: Double, distance: Double)) -> Double {
    along + radius * atan(tan(here.distance / radius) * -here.slope)
  }

  /// Where the distance may be convex or concave: halving, down to where it is as good as straight.
  private func search(
    _ line: GeodesicLine, _ from: (along: Double, distance: Double), _ to: (along: Double, distance: Double),
    _ place: Point, _ best: inout Found
  ) {
    // Within the belt between the limits the second derivative is at most this, per metre.
    let bend = 0.1 / radius
    var open = [(from, to)]
    while let (from, to) = open.popLast() {
      let length = to.along - from.along
      let least = (from.distance + to.distance - length) / 2
      if least >= best.distance || least >= concaveLimit { continue }
      if (from.distance + to.distance + length) / 2 < convexLimit {
        let part = line.position(at: from.along)
        var found = Found(distance: best.distance, along: .nan)
        descend(geodesic.line(from: part.point, azimuth: part.azimuth), length, place, &found)
        if !found.along.isNaN { best = Found(distance: found.distance, along: from.along + found.along) }
        continue
      }
      let sag = length * length / 8 * bend
      if sag < Self.coarse { continue }
      // All of it in the belt: then it is nowhere lower than the chord by more than that.
      let isInBelt = least > 0.98 * convexLimit && (from.distance + to.distance + length) / 2 < 1.02 * concaveLimit
      if isInBelt, min(from.distance, to.distance) - sag >= best.distance { continue }
      let along = from.along + length / 2
      let distance = geodesic.distance(from: line.position(at: along).point, to: place)
      if distance < best.distance { best = Found(distance: distance, along: along) }
      open.append(((along, distance), to))
      open.append((from, (along, distance)))
    }
  }

  // MARK: Crossings

  /// Where two segments that lie in one part of the earth cross: metres along the first; nil if they do not.
  func crossing(_ first: GeodesicSegment, _ second: GeodesicSegment) -> Double? {
    guard first.length > 0, second.length > 0 else { return nil }
    let line = geodesic.line(from: first.start, azimuth: first.azimuth)
    func side(_ place: Point, of segment: GeodesicSegment) -> Double {
      let way = geodesic.inverse(from: segment.start, to: place)
      return way.length == 0 ? 0 : sineAndCosine(degrees: segment.azimuth - way.azimuth).sine
    }
    let (c, d) = (side(second.start, of: first), side(second.end, of: first))
    guard (c < 0 && d > 0) || (c > 0 && d < 0) else { return nil }
    let (a, b) = (side(first.start, of: second), side(first.end, of: second))
    guard (a < 0 && b > 0) || (a > 0 && b < 0) else { return nil }
    var (low, high) = (0.0, first.length)
    for _ in 0..<60 where high - low > 1e-9 {
      let middle = low + (high - low) / 2
      let here = side(line.position(at: middle).point, of: second)
      if (here < 0) == (a < 0) { low = middle } else { high = middle }
    }
    return low
  }
}
