import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Which way an edge takes from one point to the next.
public enum CurveType: Sendable, CaseIterable {
  /// The shortest way.
  case geodesic
  /// The way of constant azimuth, a straight line in Mercator's projection; of the two ways around the earth the shorter.
  case loxodrome
  /// In the plane of both points and the earth's centre.
  case greatElliptic
  /// In the plane of both points and the normal to the ellipsoid at the first.
  case normalSection
  /// The straight line in the coordinates as they are given, here longitude and latitude, of which one may be beyond 180.
  case shapePreserving
}

/// A way from a point to another, by a parameter from 0 to 1.
public struct EarthCurve: Sendable {
  private enum Form: Sendable {
    case geodesic(GeodesicLine, Double)
    /// Isometric latitudes at both ends, longitude of the first and its change.
    case loxodrome(IsometricLatitude, from: Double, to: Double, longitude: Double, change: Double)
    /// Unit vectors to the first point and at right angles to it, and the angle between the points at the centre.
    case greatElliptic(Vector, Vector, Double)
    /// The first point, the direction of the way and the normal there, the angle between the tangent and the chord.
    case normalSection(Vector, Vector, Vector, Double)
    /// In longitude and latitude; also between points in one place, which have no direction and need none.
    case straight
  }

  public let start: Point
  public let end: Point
  private let earth: Earth
  private let form: Form
  /// Into how many pieces to cut the curve before looking at its deviation.
  let pieces: Int

  public init(_ type: CurveType, on geodesic: Geodesic, from start: Point, to end: Point) throws(EngineError) {
    guard start.isFinite, end.isFinite, max(start.y.magnitude, end.y.magnitude) <= 90 else {
      throw EngineError(
        .invalidArgument, "No way leads from \(start.x), \(start.y) to \(end.x), \(end.y): degrees are needed.")
    }
    self.start = start
    self.end = end
    let earth = Earth(geodesic.ellipsoid)
    self.earth = earth
    let turn = (type == .shapePreserving ? end.x - start.x : remainder(end.x - start.x, 360)).magnitude
    let way = geodesic.inverse(from: start, to: end)
    let count = (max(way.length / 500_000, turn / 5)).rounded(.up) + 1
    guard count <= 1e6 else {
      throw EngineError(.invalidArgument, "The longitudes \(start.x) and \(end.x) lie too far apart.")
    }
    pieces = Int(exactly: count) ?? 1
    switch type {
    case .geodesic:
      form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth), way.length)
    case .loxodrome:
      let isometric = IsometricLatitude(geodesic.ellipsoid)
      // To and from a pole along the other end's meridian: no other way of constant azimuth gets there.
      let isPole = max(start.y.magnitude, end.y.magnitude) == 90
      form = .loxodrome(
        isometric, from: isometric.forward(start.y), to: isometric.forward(end.y),
        longitude: start.y.magnitude == 90 ? end.x : start.x, change: isPole ? 0 : remainder(end.x - start.x, 360))
    case .greatElliptic:
      form = try Self.greatElliptic(earth, start, end)
    case .normalSection:
      form = try Self.normalSection(earth, start, end)
    case .shapePreserving:
      form = .straight
    }
  }

  private static func greatElliptic(_ earth: Earth, _ start: Point, _ end: Point) throws(EngineError) -> Form {
    let (first, second) = (earth.position(start), earth.position(end))
    let u = first / first.length
    let aside = second - u * second.dot(u)
    let width = aside.length
    guard width > 0 else {
      if second.dot(u) < 0 { throw opposite(start, end) }
      return .straight
    }
    return .greatElliptic(u, aside / width, atan2(width, second.dot(u)))
  }

  private static func normalSection(_ earth: Earth, _ start: Point, _ end: Point) throws(EngineError) -> Form {
    let first = earth.position(start)
    let chord = earth.position(end) - first
    let (sine, cosine) = Earth.sineAndCosine(start.y)
    let (east, front) = Earth.sineAndCosine(start.x)
    let normal = Vector(cosine * front, cosine * east, sine)
    let depth = -chord.dot(normal)
    let aside = chord + normal * depth
    let width = aside.length
    guard width > 0 else {
      if depth > earth.a { throw opposite(start, end) }
      return .straight
    }
    return .normalSection(first, aside / width, normal, atan2(depth, width))
  }

  private static func opposite(_ start: Point, _ end: Point) -> EngineError {
    EngineError(
      .invalidArgument,
      "\(start.x), \(start.y) and \(end.x), \(end.y) lie opposite to each other: every plane through one holds the other."
    )
  }

  /// The point at a parameter, 0 at the start and 1 at the end.
  public func point(at t: Double) -> Point {
    // As they are given: longitudes of poles and beyond 180, and to the last bit.
    if t <= 0 { return start }
    if t >= 1 { return end }
    switch form {
    case .geodesic(let line, let length):
      return line.position(at: t * length).point
    case .loxodrome(let isometric, let from, let to, let longitude, let change):
      // Both change in proportion: no difference of nearly equal latitudes is divided by, so parallels are right too.
      return Point(x: longitude + t * change, y: isometric.inverse(from + t * (to - from)))
    case .greatElliptic(let u, let v, let angle):
      let direction = u * cos(t * angle) + v * sin(t * angle)
      return earth.point(direction / earth.scaled(direction).length)
    case .normalSection(let first, let ahead, let normal, let angle):
      // A chord of the section's ellipse, at an angle to its tangent. With W the ellipsoid's quadratic form, the point
      // first + s d is on it for s = -2 (first W d) / (d W d), and first W is along the normal.
      let direction = ahead * cos(t * angle) - normal * sin(t * angle)
      let (p, d) = (earth.scaled(first), earth.scaled(direction))
      return earth.point(first - direction * (2 * p.dot(d) / d.dot(d)))
    case .straight:
      return Point(x: start.x + t * (end.x - start.x), y: start.y + t * (end.y - start.y))
    }
  }

  /// Points along lines of curves, straight or geodesic between which it keeps within a deviation in metres of them.
  ///
  /// Longitudes hang together if the edges are straight.
  static func densified(
    _ path: [Point], _ type: CurveType, on geodesic: Geodesic, edges: ChordPath.Edges, maximumDeviation: Double,
    vertexLimit: Int = ChordPath.greatestCount
  ) throws(EngineError) -> ChordPath {
    var line = ChordPath(
      Earth(geodesic.ellipsoid), maximumDeviation: maximumDeviation, edges: edges, vertexLimit: vertexLimit)
    for (start, end) in zip(path, path.dropFirst()) where start != end {
      let curve = try EarthCurve(type, on: geodesic, from: start, to: end)
      try line.append(pieces: curve.pieces) { curve.point(at: $0) }
    }
    if line.points.isEmpty, let only = path.first { try line.append(pieces: 1) { _ in only } }
    return line
  }

  /// Points along a line of curves, straight in longitude and latitude between which it keeps within a deviation in metres
  /// of them, and the deviation achieved.
  public static func densified(
    _ path: [Point], _ type: CurveType, on geodesic: Geodesic, maximumDeviation: Double
  ) throws(EngineError) -> (points: [Point], achievedDeviation: Double) {
    let line = try densified(path, type, on: geodesic, edges: .straight, maximumDeviation: maximumDeviation)
    return (line.points, line.achievedDeviation)
  }
}

extension Earth {
  /// Brings the ellipsoid to the unit sphere.
  func scaled(_ vector: Vector) -> Vector {
    let b = a * (1 - e2).squareRoot()
    return Vector(vector.x / a, vector.y / a, vector.z / b)
  }
}

/// The latitude of Mercator's projection: Snyder, Map projections (USGS PP 1395), equation 3-7.
struct IsometricLatitude: Sendable {
  private let e2: Double
  private let e: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    e2 = ellipsoid.eccentricitySquared
    e = e2.magnitude.squareRoot()
  }

  /// e atanh(e x), which is real for prolate ellipsoids, too.
  private func flattened(_ x: Double) -> Double { e2 < 0 ? -e * atan(e * x) : e * atanh(e * x) }

  /// Of a latitude in degrees, radians; finite at the poles, whose tangent is that of the double nearest to 90 degrees.
  func forward(_ latitude: Double) -> Double {
    let phi = latitude * Earth.radian
    return asinh(tan(phi)) - flattened(sin(phi))
  }

  /// The same with all digits near the poles; infinite at them.
  func precise(_ latitude: Double) -> Double {
    let (sine, cosine) = Earth.sineAndCosine(latitude)
    return asinh(sine / cosine) - flattened(sine)
  }

  /// Degrees. Newton's method after Karney, Transverse Mercator with an accuracy of a few nanometers, J. Geodesy 85
  /// (2011), 475-485, equations 19 to 21.
  func inverse(_ isometric: Double) -> Double { latitude(conformalTangent: sinh(isometric)) }

  /// Degrees, from the tangent of the conformal latitude.
  func latitude(conformalTangent goal: Double) -> Double {
    // Near the poles the tangent is proportional to the goal.
    var tangent = goal.magnitude > 70 ? goal * exp(flattened(1)) : goal / (1 - e2)
    for _ in 0..<6 {
      let secant = hypot(1, tangent)
      let sigma = sinh(flattened(tangent / secant))
      let value = tangent * hypot(1, sigma) - sigma * secant
      let step = (goal - value) / hypot(1, value) * (1 + (1 - e2) * tangent * tangent) / ((1 - e2) * secant)
      tangent += step
      if !(step.magnitude > 1e-16 * max(1, tangent.magnitude)) { break }
    }
    return atan(tangent) * Earth.degrees
  }
}
