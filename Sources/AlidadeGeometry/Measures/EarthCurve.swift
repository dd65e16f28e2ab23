import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A path from a point to another: by a parameter from 0 to 1, or by shares of its length.
public struct EarthCurve: Sendable {
  private enum Form: Sendable {
    /// A geodesic; also between equal points, which have no direction.
    case geodesic(GeodesicLine)
    /// Great ellipses and normal sections, with the angle between the ends.
    case section(PlaneSection, Double)
    case loxodrome(LoxodromePath)
    /// In longitude and latitude.
    case straight
  }

  public let start: Point
  public let end: Point
  /// Metres; NaN for a curve that preserves the shape, which is a matter of coordinates.
  let length: Double
  let earth: Earth
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
    earth = Earth(geodesic.ellipsoid)
    let turn = (type == .shapePreserving ? end.x - start.x : remainder(end.x - start.x, 360)).magnitude
    let shortest = geodesic.inverse(from: start, to: end)
    let count = (max(shortest.length / 500_000, turn / 5)).rounded(.up) + 1
    guard count <= 1e6 else {
      throw EngineError(.invalidArgument, "The longitudes \(start.x) and \(end.x) lie too far apart.")
    }
    pieces = Int(exactly: count) ?? 1
    switch type {
    case .shapePreserving:
      (form, length) = (.straight, .nan)
      return
    case .loxodrome:
      let path = LoxodromePath(geodesic, from: start, to: end)
      (form, length) = (.loxodrome(path), path.length)
    case .greatElliptic, .normalSection:
      let (first, second) = (earth.position(start), earth.position(end))
      if let section = PlaneSection(type, earth, at: start, first, to: second) {
        let angle = section.angle(of: second)
        (form, length) = (.section(section, angle), section.length(to: angle))
        break
      }
      guard first == second else { throw Self.opposite(start, end) }
      fallthrough
    case .geodesic:
      (form, length) = (.geodesic(geodesic.line(from: start, azimuth: shortest.azimuth)), shortest.length)
    }
    guard length.isFinite else { throw Self.opposite(start, end) }
  }

  static func opposite(_ start: Point, _ end: Point) -> EngineError {
    EngineError(
      .invalidArgument,
      "\(start.x), \(start.y) and \(end.x), \(end.y) lie opposite to each other: no one way of this kind joins them.")
  }

  /// The point at a parameter, 0 at the start and 1 at the end. The parameter is the one that is fastest to compute,
  /// not proportional to the length.
  public func point(at t: Double) -> Point {
    // As they are given: longitudes of poles and beyond 180, and to the last bit.
    if t <= 0 { return start }
    if t >= 1 { return end }
    switch form {
    case .geodesic(let line): return line.position(at: t * length).point
    case .section(let section, let angle): return earth.point(section.position(at: t * angle))
    case .loxodrome(let path): return path.point(at: t)
    case .straight: return Point(x: start.x + t * (end.x - start.x), y: start.y + t * (end.y - start.y))
    }
  }

  /// The point in degrees at a share of the length, 0 to 1.
  func place(_ share: Double) -> Point {
    switch form {
    case .section(let section, _): return earth.point(section.position(at: section.angle(at: share * length)))
    case .loxodrome(let path): return path.place(at: share * length)
    case .geodesic(let line): return line.position(at: share * length).point
    case .straight: return .nan
    }
  }

  /// Whether a point takes iterations.
  var isSlow: Bool { if case .geodesic = form { false } else { true } }

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

  /// Points along a line of curves. Straight lines between the points, in longitude and latitude, stay within a
  /// deviation in metres of the curves. Also returns the achieved deviation.
  public static func densified(
    _ path: [Point], _ type: CurveType, on geodesic: Geodesic, maximumDeviation: Double
  ) throws(EngineError) -> (points: [Point], achievedDeviation: Double) {
    let line = try densified(path, type, on: geodesic, edges: .straight, maximumDeviation: maximumDeviation)
    return (line.points, line.achievedDeviation)
  }
}

/// The distance from one point to another, and the directions at both: degrees clockwise from north, -180 to 180.
public struct EarthWay: Sendable, Equatable {
  /// Metres.
  public var length: Double
  public var azimuth: Double
  /// The direction at the end, onwards.
  public var endAzimuth: Double

  static let none = EarthWay(length: .nan, azimuth: .nan, endAzimuth: .nan)
}

extension Geodesic {
  /// The path of a type between two points. NaN if there is no such path: a point is not on the earth, or the points
  /// are opposite to each other, so that every plane through one contains the other.
  ///
  /// - Parameter curve: any type except `.shapePreserving`, which depends on coordinates.
  public func way(_ curve: CurveType, from first: Point, to second: Point) -> EarthWay {
    guard first.isFinite, second.isFinite, max(first.y.magnitude, second.y.magnitude) <= 90 else { return .none }
    switch curve {
    case .shapePreserving: return .none
    case .loxodrome: return Loxodrome(self).inverse(from: first, to: second)
    case .geodesic:
      let way = inverse(from: first, to: second)
      return EarthWay(length: way.length, azimuth: way.azimuth, endAzimuth: way.endAzimuth)
    case .greatElliptic, .normalSection:
      let earth = Earth(ellipsoid)
      let (start, end) = (earth.position(first), earth.position(second))
      if start == end {
        let way = inverse(from: first, to: second)
        return EarthWay(length: 0, azimuth: way.azimuth, endAzimuth: way.endAzimuth)
      }
      guard let section = PlaneSection(curve, earth, at: first, start, to: end) else { return .none }
      let angle = section.angle(of: end)
      return EarthWay(
        length: section.length(to: angle), azimuth: earth.azimuth(of: section.velocity(at: 0), at: first),
        endAzimuth: earth.azimuth(of: section.velocity(at: angle), at: second))
    }
  }

  /// Goes a distance in metres along a path of a type that begins in a direction. NaN if there is no such path: a
  /// loxodrome would go on beyond a pole, or an argument is NaN.
  public func position(
    _ curve: CurveType, from point: Point, azimuth: Double, distance: Double
  ) -> Position {
    let nowhere = Position(point: .nan, azimuth: .nan)
    guard point.isFinite, point.y.magnitude <= 90, azimuth.isFinite, distance.isFinite else { return nowhere }
    switch curve {
    case .shapePreserving: return nowhere
    case .geodesic: return direct(from: point, azimuth: azimuth, distance: distance)
    case .loxodrome: return Loxodrome(self).direct(from: point, azimuth: azimuth, distance: distance)
    case .greatElliptic, .normalSection:
      let earth = Earth(ellipsoid)
      let start = earth.position(point)
      let (east, north, up) = earth.frame(at: point)
      let (sine, cosine) = sineAndCosine(degrees: azimuth)
      let direction = east * sine + north * cosine
      let other = curve == .greatElliptic ? start : up
      guard let section = PlaneSection(earth, through: start, towards: direction, and: other) else { return nowhere }
      let angle = section.angle(at: distance)
      let end = earth.point(section.position(at: angle))
      return Position(point: end, azimuth: earth.azimuth(of: section.velocity(at: angle), at: end))
    }
  }
}

/// Paths between many pairs of points of a spatial reference, on all cores.
public struct EarthWays: Sendable {
  private let frame: GeodesicFrame
  private let curve: CurveType
  private let runtime: Runtime

  /// How many points are worked on at once.
  private static let slice = 1024

  public init(_ reference: SpatialReference, _ curve: CurveType) throws(EngineError) {
    guard curve != .shapePreserving else {
      throw EngineError(
        .unsupported, "A shape-preserving way is straight in coordinates, and none on the earth: measure it as a line.")
    }
    frame = try GeodesicFrame(reference)
    self.curve = curve
    runtime = reference.runtime
  }

  private func forEachSlice(
    of count: Int, _ body: @Sendable (Range<Int>) throws(EngineError) -> Void
  ) throws(EngineError) {
    try runtime.workers.forEach((count &+ Self.slice &- 1) / Self.slice) { (index) throws(EngineError) in
      try body((index &* Self.slice)..<min(count, (index &+ 1) &* Self.slice))
    }
  }

  /// Points in degrees; NaN for points without a position.
  private func places(
    _ range: Range<Int>, _ point: (Int) -> Point
  ) throws(EngineError) -> HeapArray<Point> {
    let points = try HeapArray<Point>(count: range.count)
    for (index, number) in range.enumerated() { points.buffer[index] = point(number) }
    try frame.toDegrees(points.buffer)
    return points
  }

  /// - Parameters:
  ///   - from, to: the points of a pair, by its number; called on any thread.
  ///   - store: receives the paths; called on any thread, once for each pair.
  public func inverse(
    count: Int, from: @Sendable (Int) -> Point, to: @Sendable (Int) -> Point,
    _ store: @Sendable (Int, EarthWay) -> Void
  ) throws(EngineError) {
    try forEachSlice(of: count) { (range) throws(EngineError) in
      let (first, second) = (try places(range, from), try places(range, to))
      for (index, number) in range.enumerated() {
        store(number, frame.geodesic.way(curve, from: first.buffer[index], to: second.buffer[index]))
      }
    }
  }

  /// - Parameters:
  ///   - start: the start, the direction and the length of a path; called on any thread.
  ///   - store: receives the ends in the spatial reference; called on any thread, once for each path.
  public func direct(
    count: Int, from: @Sendable (Int) -> Point, _ course: @Sendable (Int) -> (azimuth: Double, distance: Double),
    _ store: @Sendable (Int, Point, Double) -> Void
  ) throws(EngineError) {
    try forEachSlice(of: count) { (range) throws(EngineError) in
      let points = try places(range, from)
      let azimuths = try HeapArray<Double>(count: range.count)
      for (index, number) in range.enumerated() {
        let (azimuth, distance) = course(number)
        let end = frame.geodesic.position(curve, from: points.buffer[index], azimuth: azimuth, distance: distance)
        (points.buffer[index], azimuths.buffer[index]) = (end.point, end.azimuth)
      }
      try frame.fromDegrees(points.buffer)
      for (index, number) in range.enumerated() {
        let point = points.buffer[index]
        let isPlace = point.isFinite
        store(number, isPlace ? point : .nan, isPlace ? azimuths.buffer[index] : .nan)
      }
    }
  }
}

/// The ellipse in which a plane cuts an ellipsoid, from a point on it in a direction: great ellipses and normal sections.
///
/// Scaled to the unit sphere the ellipse is a circle, so it is followed by an angle, and its length is an integral.
struct PlaneSection {
  private let earth: Earth
  private let semiMinorAxis: Double
  /// The centre of the circle, on the unit sphere.
  private let centre: Vector
  /// Radii of the circle: to the start, and ahead of it.
  private let start: Vector
  private let ahead: Vector

  /// - Parameters:
  ///   - direction: along the surface, or nearly; it says which way round the ellipse is followed.
  ///   - other: a second direction that spans the plane with the first.
  /// - Returns: nil if the two directions are the same.
  init?(_ earth: Earth, through place: Vector, towards direction: Vector, and other: Vector) {
    self.earth = earth
    semiMinorAxis = earth.a * (1 - earth.e2).squareRoot()
    let normal = (direction / direction.length).cross(other / other.length)
    let scales = Vector(earth.a, earth.a, semiMinorAxis)
    let scaledNormal = normal * scales
    let size = scaledNormal.length
    guard size > 0 else { return nil }
    let unit = scaledNormal / size
    let foot = unit * (normal.dot(place) / size)
    let radius = place / scales - foot
    guard radius.length > 0 else { return nil }
    let across = unit.cross(radius)
    (centre, start) = (foot, radius)
    ahead = (across * scales).dot(direction) < 0 ? -across : across
  }

  private func unscaled(_ vector: Vector) -> Vector { vector * Vector(earth.a, earth.a, semiMinorAxis) }

  func position(at angle: Double) -> Vector { unscaled(centre + start * cos(angle) + ahead * sin(angle)) }

  /// Metres per radian, along the ellipse.
  func velocity(at angle: Double) -> Vector { unscaled(ahead * cos(angle) - start * sin(angle)) }

  /// The angle of a point on the ellipse that is ahead by about half a turn at most.
  func angle(of place: Vector) -> Double {
    let scaled = Vector(place.x / earth.a, place.y / earth.a, place.z / semiMinorAxis) - centre
    let angle = atan2(scaled.dot(ahead), scaled.dot(start))
    // What rounding puts just behind the start lies there, and not a whole turn ahead.
    return angle < -.pi / 2 ? angle + 2 * .pi : max(0, angle)
  }

  /// Metres from the start.
  func length(to angle: Double) -> Double {
    Quadrature.integral(from: 0, to: angle, pieces: .pi / 4) { velocity(at: $0).length }
  }

  /// The angle at a distance in metres from the start, behind it if negative.
  func angle(at distance: Double) -> Double {
    let around = length(to: 2 * .pi)
    let part = fmod(distance, around)
    var angle = part / around * 2 * .pi
    for _ in 0..<8 {
      let step = (part - length(to: angle)) / velocity(at: angle).length
      angle += step
      if !(step.magnitude > 1e-16) { break }
    }
    return angle
  }
}

extension PlaneSection {
  /// From a point to another: the great ellipse, or for any other type the normal section at the first point; nil if
  /// the points are equal or opposite to each other.
  init?(_ curve: CurveType, _ earth: Earth, at place: Point, _ first: Vector, to second: Vector) {
    let chord = second - first
    let up = curve == .greatElliptic ? first / first.length : earth.frame(at: place).up
    // What of the chord is not upwards leads ahead.
    let ahead = chord - up * chord.dot(up)
    let isOnePlane =
      curve == .greatElliptic
      ? first.cross(chord).length > 1e-15 * first.length * chord.length : ahead.length > 1e-15 * chord.length
    guard chord.length > 0, isOnePlane else { return nil }
    self.init(earth, through: first, towards: ahead, and: up)
  }
}

/// Ways of constant azimuth: their lengths and ends (Bennett, Practical rhumb line calculations on the spheroid, Journal of
/// Navigation 49 (1996), 112-119).
///
/// Along a loxodrome the meridian's length m and the isometric latitude psi change in proportion; dm / dpsi is the radius of
/// the parallel. Differences are integrated where subtraction would lose digits.
struct Loxodrome {
  private let earth: Earth
  fileprivate let isometric: IsometricLatitude

  init(_ geodesic: Geodesic) {
    earth = Earth(geodesic.ellipsoid)
    isometric = IsometricLatitude(geodesic.ellipsoid)
  }

  /// Metres along a meridian between two latitudes in degrees.
  func meridian(from first: Double, to second: Double) -> Double {
    Quadrature.integral(from: first, to: second, pieces: 20) { latitude in
      earth.metresPerRadian(latitude: latitude).meridian * Earth.radian
    }
  }

  /// Change of the isometric latitude, radians; infinite to a pole.
  func isometricDifference(from first: Double, to second: Double) -> Double {
    if max(first.magnitude, second.magnitude) >= 90 {
      return first == second ? 0 : (second > first ? .infinity : -.infinity)
    }
    let difference = isometric.precise(second) - isometric.precise(first)
    if difference.magnitude > 0.05 { return difference }
    return Quadrature.integral(from: first, to: second) { latitude in
      let (meridian, parallel) = earth.metresPerRadian(latitude: latitude)
      return meridian / parallel * Earth.radian
    }
  }

  /// Metres per radian of longitude along the way: the mean radius of the parallels, as it counts for it.
  private func radius(_ first: Double, _ second: Double, _ along: Double) -> Double {
    if first == second { return earth.metresPerRadian(latitude: first).parallel }
    return along / isometricDifference(from: first, to: second)
  }

  /// Of the two ways around the earth the shorter; to and from a pole along the other end's meridian.
  func inverse(from first: Point, to second: Point) -> EarthWay {
    let turn = remainder(second.x - first.x, 360) * Earth.radian
    let along = meridian(from: first.y, to: second.y)
    // Two points at one pole are the same point.
    let isPole = max(first.y.magnitude, second.y.magnitude) >= 90
    let across = isPole ? 0 : turn * radius(first.y, second.y, along)
    let azimuth = atan2(across, along) * Earth.degrees
    return EarthWay(length: hypot(along, across), azimuth: azimuth, endAzimuth: azimuth)
  }

  /// Where a way ends; NaN beyond a pole, which it never reaches but along a meridian.
  func direct(from point: Point, azimuth: Double, distance: Double) -> Geodesic.Position {
    let (sine, cosine) = sineAndCosine(degrees: azimuth)
    let along = distance * cosine
    let pole = along < 0 ? -90.0 : 90
    let room = meridian(from: point.y, to: pole)
    let course = remainder(azimuth, 360)
    let nowhere = Geodesic.Position(point: .nan, azimuth: course)
    guard along.magnitude <= room.magnitude + 1e-9, point.y.magnitude <= 90 else { return nowhere }
    if along.magnitude >= room.magnitude, along != 0 {
      return sine == 0 ? Geodesic.Position(point: Point(x: point.x, y: pole), azimuth: course) : nowhere
    }
    var latitude = point.y + along / room * (pole - point.y)
    if along == 0 { latitude = point.y }
    for _ in 0..<12 where along != 0 {
      let slope = earth.metresPerRadian(latitude: latitude).meridian * Earth.radian
      let step = (along - meridian(from: point.y, to: latitude)) / slope
      latitude = max(-90, min(90, latitude + step))
      if !(step.magnitude > 1e-15 * max(1, latitude.magnitude)) { break }
    }
    var turn = 0.0
    if sine != 0 {
      turn = distance * sine / radius(point.y, latitude, meridian(from: point.y, to: latitude)) * Earth.degrees
    }
    return Geodesic.Position(point: Point(x: remainder(point.x + turn, 360), y: latitude), azimuth: course)
  }
}

/// A loxodrome between two points.
private struct LoxodromePath: Sendable {
  private let loxodrome: Loxodrome
  private let start: Point
  private let azimuth: Double
  /// Metres.
  let length: Double
  /// Isometric latitudes at both ends, and the change of the longitude, degrees.
  private let from: Double
  private let to: Double
  private let change: Double

  init(_ geodesic: Geodesic, from start: Point, to end: Point) {
    loxodrome = Loxodrome(geodesic)
    let way = loxodrome.inverse(from: start, to: end)
    (length, azimuth) = (way.length, way.azimuth)
    // To and from a pole along the other end's meridian: no other way of constant azimuth gets there.
    self.start = start.y.magnitude == 90 ? Point(x: end.x, y: start.y) : start
    let isPole = max(start.y.magnitude, end.y.magnitude) == 90
    change = isPole ? 0 : remainder(end.x - start.x, 360)
    from = loxodrome.isometric.forward(start.y)
    to = loxodrome.isometric.forward(end.y)
  }

  /// Both change in proportion: no difference of nearly equal latitudes is divided by, so parallels are right too.
  func point(at t: Double) -> Point {
    Point(x: start.x + t * change, y: loxodrome.isometric.inverse(from + t * (to - from)))
  }

  func place(at distance: Double) -> Point {
    loxodrome.direct(from: start, azimuth: azimuth, distance: distance).point
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

  /// The isometric latitude of a latitude in degrees, radians; finite at the poles, because of the double nearest to 90
  /// degrees.
  func forward(_ latitude: Double) -> Double {
    let phi = latitude * Earth.radian
    return asinh(tan(phi)) - flattened(sin(phi))
  }

  /// The same with all digits near the poles; infinite at them.
  func precise(_ latitude: Double) -> Double {
    let (sine, cosine) = sineAndCosine(degrees: latitude)
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
