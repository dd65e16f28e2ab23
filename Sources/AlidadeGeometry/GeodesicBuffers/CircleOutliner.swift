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

  /// For what an edge may err beside its middle. Along an edge the error is u (1 - u) g(u); where g changes by 30 % that
  /// comes to 0.6 % more than in the middle.
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
