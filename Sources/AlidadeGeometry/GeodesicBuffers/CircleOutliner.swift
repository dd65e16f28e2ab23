import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Makes outlines of geodesic circles that keep clear of the poles: vertices at even azimuths, so many that the edges,
/// straight in longitude and latitude, keep within a deviation.
///
/// An edge errs most in its middle, where it is looked at: there the circle itself is known, at the azimuth halfway.
struct CircleOutliner {
  let geodesic: Geodesic
  let earth: Earth
  /// Angles of outlines made before; circles of one size have few different ones.
  private var angles: [Int: UnitCircle] = [:]

  /// A margin for the error of an edge away from its middle. Along an edge the error is u (1 - u) g(u); where g changes
  /// by 30 % that comes to 0.6 % more than in the middle.
  static let margin = 1.01
  /// What vertices may be off by themselves, metres.
  static let rounding = ChordPath.rounding + CircleSeries.tolerance
  /// Shorter edges might be turned round by the rounding of vertices, metres. On an outline whose edges are longer the
  /// vertices keep their order around the centre, so that it does not cross itself.
  static let shortestEdge = 10 * CircleSeries.tolerance
  static let fewestVertices = 12.0
  /// Of how many vertices outlines have their angles kept.
  private static let greatestKept = 2048
  private static let keptCount = 64

  init(_ geodesic: Geodesic) {
    self.geodesic = geodesic
    earth = Earth(geodesic.ellipsoid)
  }

  /// Replaces `points` by a closed outline that begins due north of the centre and runs clockwise, its longitudes around
  /// the centre's. Returns the deviation achieved, metres, or nil if another way must be taken: the circle is too near to
  /// a pole, too large, too small, or takes too many vertices.
  mutating func outline(
    centre: Point, radius: Double, maximumDeviation: Double, vertexLimit: Int, into points: inout [Point]
  ) -> Double? {
    let allowed = (maximumDeviation - Self.rounding) / Self.margin
    guard allowed > 0, let series = CircleSeries(geodesic, centre: centre, radius: radius) else { return nil }
    var wanted = Self.guess(geodesic, centre, radius, allowed)
    for _ in 0..<4 {
      wanted = max(Self.fewestVertices, (wanted / 4).rounded(.up) * 4)
      guard wanted < Double(vertexLimit), 2 * .pi * radius > wanted * Self.shortestEdge,
        let count = Int(exactly: wanted),
        let deviation = vertices(of: series, count: count, into: &points)
      else { return nil }
      if deviation <= allowed { return deviation * Self.margin + Self.rounding }
      wanted *= (deviation / allowed).squareRoot() * 1.005
    }
    return nil
  }

  /// How many vertices it should take: the sagitta of an edge is an eighth of the second derivative by the azimuth times
  /// the angle squared, and on a sphere in longitude and latitude that is greatest at the point nearest to a pole.
  static func guess(_ geodesic: Geodesic, _ centre: Point, _ radius: Double, _ allowed: Double) -> Double {
    let scale = geodesic.ellipsoid.semiMajorAxis
    let angle = radius / scale
    let bend = scale * sin(angle) * (cos(angle) + sin(angle) * tan(centre.y.magnitude * Earth.radian + angle).magnitude)
    return .pi * (bend / (2 * allowed)).squareRoot()
  }

  /// Returns the greatest error in the middle of an edge, metres; nil if errors change too fast from one to the next.
  private mutating func vertices(of series: CircleSeries, count: Int, into points: inout [Point]) -> Double? {
    let centre = series.centre
    let metric = OutlineMetric(earth, series)
    points.removeAll(keepingCapacity: true)
    points.append(contentsOf: repeatElement(centre, count: count &+ 1))
    var (last, middle) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    // Squares of errors, metres.
    var (greatest, before, isSmooth) = (0.0, -1.0, true)
    let noise = ChordPath.rounding * ChordPath.rounding
    let table = angles(count: 2 &* count)
    points.withUnsafeMutableBufferPointer { points in
      series.walk(steps: count, table) { step, offset in
        guard step & 1 == 0 else {
          middle = offset
          return
        }
        let index = step / 2
        points[index] = Point(x: centre.x + offset.y, y: centre.y + offset.x)
        points[count &- index] = Point(x: centre.x - offset.y, y: centre.y + offset.x)
        if step > 0 {
          let error = metric.square(middle - 0.5 * (last + offset), at: middle)
          if before >= 0, max(error, before) > noise, min(error, before) < 0.5 * max(error, before) { isSmooth = false }
          // max() would look over what is no number.
          greatest = error <= greatest ? greatest : error
          before = error
        }
        last = offset
      }
    }
    return isSmooth && greatest.isFinite ? greatest.squareRoot() : nil
  }

  mutating func angles(count: Int) -> UnitCircle? {
    guard count <= 2 &* Self.greatestKept else { return nil }
    if let known = angles[count] { return known }
    if angles.count >= Self.keptCount { angles.removeAll(keepingCapacity: true) }
    let made = UnitCircle(count: count)
    angles[count] = made
    return made
  }
}

/// Metres on the ground from small differences of latitude and longitude in degrees.
struct OutlineMetric {
  private let earth: Earth
  private let latitude: Double
  /// Metres per degree of latitude and longitude, of which none on the circle are greater; nil where they change much.
  private let greatest: SIMD2<Double>?

  init(_ earth: Earth, _ series: CircleSeries) {
    self.earth = earth
    latitude = series.centre.y
    let ends = [series.offset(cosine: 1, sine: 0).x, series.offset(cosine: -1, sine: 0).x]
    let scales = ends.map { Self.scale(earth, series.centre.y + $0) }
    let isOneSided = (latitude + ends[0]) * (latitude + ends[1]) > 0
    let (low, high) = (pointwiseMin(scales[0], scales[1]), pointwiseMax(scales[0], scales[1]))
    // Both are monotonous from the equator to the poles.
    greatest = isOneSided && low.y > 0.98 * high.y && low.x > 0.98 * high.x ? high : nil
  }

  private static func scale(_ earth: Earth, _ latitude: Double) -> SIMD2<Double> {
    let scale = earth.metresPerRadian(latitude: latitude)
    return SIMD2(scale.meridian, scale.parallel) * Earth.radian
  }

  @inline(__always)
  func square(_ difference: SIMD2<Double>, at offset: SIMD2<Double>) -> Double {
    let metres = difference * (greatest ?? Self.scale(earth, latitude + offset.x))
    return (metres * metres).sum()
  }
}

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

  /// The errors of the outline in the middles of its edges, and at its vertices, in metres: both are converted back to
  /// the ground and compared with the circle. nil if a point is not in the plane, or errors change too fast.
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

  /// Whether a closed line goes once around a point, clockwise and never back: then it does not cross itself.
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

/// A geodesic circle that keeps clear of the poles, as longitude and latitude by the azimuth.
///
/// There both are smooth and periodic, so trigonometric interpolation between a few exact points gives all others without
/// a single arc tangent: the latitude by cosines, the longitude by sines, for the circle is its own image in the centre's
/// meridian. Their coefficients fall off geometrically: on a sphere, in the stereographic map around the centre, by how
/// much nearer the circle is than the pole. `GeodesicCircle` has all other circles, in three dimensions.
struct CircleSeries {
  let centre: Point
  /// Degrees from the centre: of the latitude by cosines (x), of the longitude by sines (y), of multiples of the azimuth.
  private let terms: [SIMD2<Double>]
  let exactPointCount: Int

  /// What the interpolation may be off from exact points between its nodes, metres.
  static let tolerance = 9e-9
  /// The largest allowed size of the last terms in metres: they estimate what is left out.
  private static let leastTerm = 3e-9
  /// The greatest ratio of terms that follow each other: beyond it there are too many.
  private static let greatestRatio = 0.6
  private static let nodes = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 56, 80].map { UnitCircle(count: 2 &* $0) }

  /// nil where the series would be long, or does not prove itself.
  init?(_ geodesic: Geodesic, centre: Point, radius: Double) {
    let ellipsoid = geodesic.ellipsoid
    let angle = radius / ellipsoid.curvatureRadii.lowerBound
    guard centre.isFinite, centre.y.magnitude < 90, radius > 0, angle < .pi / 2 else { return nil }
    let ratio = tan(angle / 2) / tan((90 - centre.y.magnitude) / 2 * Earth.radian)
    guard ratio < Self.greatestRatio else { return nil }
    let metres = ellipsoid.semiMajorAxis * Earth.radian
    let needed = log(metres * Earth.degrees / 1e-9) / -log(ratio) + 1.5
    guard let circle = Self.nodes.first(where: { Double($0.count) >= 2 * needed }) else { return nil }
    let fan = GeodesicFan(geodesic, latitude: centre.y, distance: radius)
    func offset(_ point: Point) -> SIMD2<Double> { SIMD2(point.y - centre.y, point.x.magnitude) }
    let half = circle.count / 2
    var points = [Point](repeating: .nan, count: half &+ 1)
    points.withUnsafeMutableBufferPointer { points in
      circle.sines.withUnsafeBufferPointer { sines in
        circle.cosines.withUnsafeBufferPointer { cosines in fan.fill(points, sines: sines, cosines: cosines) }
      }
    }
    self.centre = centre
    terms = Self.terms(points.map(offset), circle)
    exactPointCount = circle.count
    for term in terms.suffix(2) where !(max(term.x.magnitude, term.y.magnitude) * metres < Self.leastTerm) {
      return nil
    }
    // Halfway between nodes an interpolation errs most, and most of all towards a pole.
    let (sine, cosine) = (sin(.pi / 2 / Double(half)), cos(.pi / 2 / Double(half)))
    for cosine in [cosine, -cosine] {
      let error = offset(fan.end(sine: sine, cosine: cosine)) - self.offset(cosine: cosine, sine: sine)
      guard (error * error).sum().squareRoot() * metres < Self.tolerance else { return nil }
    }
  }

  /// The discrete cosine and sine transforms of exact points on the eastern half.
  private static func terms(_ exact: [SIMD2<Double>], _ circle: UnitCircle) -> [SIMD2<Double>] {
    let (count, half) = (circle.count, circle.count / 2)
    return circle.cosines.withUnsafeBufferPointer { cosines in
      circle.sines.withUnsafeBufferPointer { sines in
        exact.withUnsafeBufferPointer { exact in
          (0...half).map { order in
            var sum = SIMD2(order & 1 == 0 ? exact[0].x + exact[half].x : exact[0].x - exact[half].x, 0) * 0.5
            var place = order
            for index in 1..<half {
              sum += exact[index] * SIMD2(cosines[place], sines[place])
              place &+= order
              if place >= count { place &-= count }
            }
            return sum * SIMD2((order == 0 || order == half ? 1 : 2) / Double(half), 2 / Double(half))
          }
        }
      }
    }
  }

  /// Degrees from the centre, of the latitude and the longitude, by Clenshaw's recurrence.
  @inline(__always)
  private static func sum(
    _ terms: UnsafeBufferPointer<SIMD2<Double>>, _ cosine: Double, _ sine: Double
  ) -> SIMD2<Double> {
    let twice = SIMD2(repeating: 2 * cosine)
    var (last, next) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var order = terms.count &- 1
    while order > 0 {
      (last, next) = (terms[order] + twice * last - next, last)
      order &-= 1
    }
    return SIMD2(terms[0].x + last.x * cosine - next.x, last.y * sine)
  }

  /// Degrees from the centre that no point of the circle exceeds.
  var greatestLongitude: Double { terms.reduce(0) { $0 + $1.y.magnitude } }

  func offset(cosine: Double, sine: Double) -> SIMD2<Double> {
    terms.withUnsafeBufferPointer { Self.sum($0, cosine, sine) }
  }

  /// Calls `put` with the offsets at 0 to 180 degrees in so many steps.
  ///
  /// - Parameter angles: the sines and cosines of these and of as many more angles; nil: they are computed.
  @inline(__always)
  func walk(steps: Int, _ angles: UnitCircle?, _ put: (Int, SIMD2<Double>) -> Void) {
    terms.withUnsafeBufferPointer { terms in
      guard let angles, angles.count == 2 &* steps else {
        for index in 0...steps {
          let (sine, cosine) = sineAndCosine(degrees: 180 * Double(index) / Double(steps))
          put(index, Self.sum(terms, cosine, sine))
        }
        return
      }
      angles.cosines.withUnsafeBufferPointer { cosines in
        angles.sines.withUnsafeBufferPointer { sines in
          for index in 0...steps { put(index, Self.sum(terms, cosines[index], sines[index])) }
        }
      }
    }
  }
}

/// Buffers of points: whole circles, cut at the sides of the map. It keeps what several have in common.
struct CircleBuffer {
  private let settings: GeodesicBuffer
  private var outliner: CircleOutliner
  private var ring: [Point] = []

  init(_ settings: GeodesicBuffer) {
    self.settings = settings
    outliner = CircleOutliner(settings.geodesic)
  }

  /// The buffer of a point as one clockwise ring, or two where it is cut, and the deviation, metres. nil if it takes more
  /// than that: at poles, and wherever something is not valid.
  mutating func outline(
    of point: Point, distance: Double
  ) throws(EngineError) -> (parts: [[Point]], deviation: Double)? {
    let plane = settings.plane
    guard settings.cap == .round, distance >= GeodesicBuffer.leastDistance, point.isFinite,
      plane != nil || point.x.magnitude <= 1e6
    else { return nil }
    let place = plane?.place(of: point) ?? point
    let centre = Point(x: place.x.magnitude > 180 ? remainder(place.x, 360) : place.x, y: place.y)
    let deviation = try outliner.outline(
      in: plane, centre: centre, radius: distance, maximumDeviation: try settings.allowedDeviation(for: distance),
      vertexLimit: settings.vertexLimit, into: &ring)
    guard let deviation else { return try wideOutline(of: centre, distance: distance) }
    guard let world = plane.map(\.world) ?? MapOfWorld.degrees else { return ([ring], deviation) }
    return world.parts(of: ring, isSplit: settings.isSplit).map { ($0, deviation) }
  }

  /// The same in longitude and latitude for a circle that is large, or near a pole or around it: chords one by one.
  private func wideOutline(
    of centre: Point, distance: Double
  ) throws(EngineError) -> (parts: [[Point]], deviation: Double)? {
    guard settings.plane == nil, centre.y.magnitude <= 90 else { return nil }
    try settings.check(distance: distance)
    var outline = SegmentOutline(
      settings.geodesic, distance: distance, maximumDeviation: try settings.allowedDeviation(for: distance), plane: nil,
      vertexLimit: settings.vertexLimit)
    try outline.add(centre)
    guard outline.regions.count == 1, let region = outline.regions.first, !region.isComplement else { return nil }
    if region.turns != 0 {
      let cap = MapOfWorld.degrees.cap(around: region.line, turns: region.turns)
      return cap.map { ([$0], outline.achievedDeviation) }
    }
    let ring: [Point] = region.line.reversed()
    guard CircleOutliner.isStar(ring, around: centre) else { return nil }
    return MapOfWorld.degrees.parts(of: ring, isSplit: settings.isSplit).map { ($0, outline.achievedDeviation) }
  }
}
