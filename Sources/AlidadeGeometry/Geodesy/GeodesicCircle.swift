import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The points at one geodesic distance from a centre.
///
/// As a function of the azimuth they are smooth and periodic, so in three dimensions a few exact points and
/// trigonometric interpolation give all of them (Trefethen, Spectral Methods in MATLAB, chapter 3: the error falls
/// geometrically with their number). The circle is its own image in the centre's meridian: half of the exact points do,
/// with cosines alone for the components in the meridian's plane and sines alone for the one across it.
public struct GeodesicCircle: Sendable {
  public let geodesic: Geodesic
  public let centre: Point
  /// Metres.
  public let radius: Double
  /// How many exact points, all around, the circle was made from.
  public let exactPointCount: Int
  let earth: Earth
  /// The centre, in the frame whose x axis lies in the centre's meridian.
  private let origin: Vector
  /// Offsets from the centre in metres: x (outwards) and z (north) times the cosine, y (east) times the sine of m times
  /// the azimuth.
  private let harmonics: [Vector]

  /// What the interpolation may err by, metres. Positions in degrees are rounded by some 2e-9 m besides.
  static let tolerance = 2e-9
  private static let pointCounts = [16, 24, 32, 48, 64, 96, 128]

  /// The greatest radius of circles on an ellipsoid, metres: below it every point of the circle is nearest to the centre
  /// the way that it was reached. Farther out, near the antipode, ways begin to cross. 19,970 km on the earth.
  public static func greatestRadius(on ellipsoid: ReferenceEllipsoid) -> Double {
    .pi * ellipsoid.curvatureRadii.lowerBound
  }

  public init(_ geodesic: Geodesic, centre: Point, radius: Double) throws(EngineError) {
    guard centre.isFinite, centre.y.magnitude <= 90 else {
      throw EngineError(
        .invalidArgument, "A circle's centre is \(centre.x), \(centre.y): longitude and latitude in degrees are needed."
      )
    }
    let greatest = Self.greatestRadius(on: geodesic.ellipsoid)
    guard radius > 0, radius <= greatest else {
      throw EngineError(
        .invalidArgument,
        "A geodesic circle has a radius of \(radius) m: it must be more than 0 and at most \(greatest) m.")
    }
    self.geodesic = geodesic
    self.centre = centre
    self.radius = radius
    let earth = Earth(geodesic.ellipsoid)
    self.earth = earth
    origin = earth.position(Point(x: 0, y: centre.y))
    // Few points are enough for small circles: these are the counts that do on the earth. The check decides.
    let axis = geodesic.ellipsoid.semiMajorAxis
    let least = radius < 0.05 * axis ? 16 : radius < axis ? 24 : 32
    var harmonics: [Vector] = []
    var count = 0
    for candidate in Self.pointCounts where candidate >= least && (count == 0 || !Self.hasConverged(harmonics)) {
      count = candidate
      harmonics = Self.harmonics(geodesic, earth, latitude: centre.y, radius: radius, count: candidate)
    }
    guard Self.hasConverged(harmonics) else {
      throw EngineError(
        .unsupported,
        "The geodesic circle of \(radius) m around \(centre.x), \(centre.y) cannot be had to a nanometre on an "
          + "ellipsoid of \(axis) m.")
    }
    self.harmonics = harmonics
    exactPointCount = count
  }

  /// The last harmonics tell the error: they fall off at least by half each.
  private static func hasConverged(_ harmonics: [Vector]) -> Bool {
    harmonics.suffix(3).allSatisfy { max($0.x.magnitude, $0.y.magnitude, $0.z.magnitude) < tolerance }
  }

  /// The discrete cosine and sine transforms of the exact points on the eastern half.
  private static func harmonics(
    _ geodesic: Geodesic, _ earth: Earth, latitude: Double, radius: Double, count: Int
  ) -> [Vector] {
    let half = count / 2
    let table = UnitCircle(count: count)
    // Longitude 0 keeps the rounding of small differences of longitude small.
    let start = Point(x: 0, y: latitude)
    let origin = earth.position(start)
    let exact = (0...half).map { index in
      let azimuth = 180 * Double(index) / Double(half)
      return earth.position(geodesic.direct(from: start, azimuth: azimuth, distance: radius).point) - origin
    }
    return (0...half).map { order in
      var sum = Vector.zero
      var place = 0
      for (index, value) in exact.enumerated() {
        let end = index == 0 || index == half
        let weight = end ? 0.5 : 1
        let (cosine, sine) = (weight * table.cosines[place], end ? 0 : table.sines[place])
        sum += value * Vector(cosine, sine, cosine)
        place &+= order
        if place >= count { place &-= count }
      }
      let scale = (order == 0 || order == half ? 1 : 2) / Double(half)
      return sum * Vector(scale, 2 / Double(half), scale)
    }
  }

  /// Offset from the centre at an azimuth in degrees, in the frame of the centre's meridian.
  private func offset(azimuth: Double) -> Vector {
    let (sine, cosine) = Earth.sineAndCosine(azimuth)
    // Multiple angles by the recurrence of the rotation, good to some 1e-16 for as few harmonics as there are.
    var (c, s) = (1.0, 0.0)
    var sum = Vector.zero
    for harmonic in harmonics {
      sum += harmonic * Vector(c, s, c)
      (c, s) = (c * cosine - s * sine, s * cosine + c * sine)
    }
    return sum
  }

  /// The point of the circle at an azimuth, degrees clockwise from north as seen from the centre. Its longitude is
  /// within 180 of the centre's.
  public func point(azimuth: Double) -> Point {
    let point = earth.point(origin + offset(azimuth: azimuth))
    return Point(x: centre.x + point.x, y: point.y)
  }

  /// Fills a buffer with points at evenly spaced azimuths, the first one due north, clockwise.
  ///
  /// Longitudes hang together: each is within 180 degrees of the one before, beyond 180 if need be. Around one pole the
  /// last and the first lie a turn apart.
  ///
  /// - Parameter angles: The sines and cosines of as many angles as there are points.
  public func fill(_ points: UnsafeMutableBufferPointer<Point>, angles: UnitCircle) {
    let count = min(points.count, angles.count)
    guard count > 0, let points = points.baseAddress else { return }
    // Due south beyond the pole: there the eastern half ends half a turn away from the centre's meridian.
    let turn = (origin + offset(azimuth: 180)).x < 0 ? 360.0 : 0
    let order = harmonics.count
    harmonics.withUnsafeBufferPointer { harmonics in
      angles.cosines.withUnsafeBufferPointer { cosines in
        angles.sines.withUnsafeBufferPointer { sines in
          for index in 0...(count / 2) {
            var place = 0
            var (x, y, z) = (0.0, 0.0, 0.0)
            for m in 0..<order {
              let (harmonic, cosine, sine) = (harmonics[m], cosines[place], sines[place])
              x += harmonic.x * cosine
              y += harmonic.y * sine
              z += harmonic.z * cosine
              place &+= index
              if place >= count { place &-= count }
            }
            // The half is east of the meridian: rounding must not put its ends to the west of it.
            let point = earth.point(Vector(origin.x + x, max(y, 0), origin.z + z))
            points[index] = Point(x: centre.x + point.x, y: point.y)
            let mirrored = count &- index
            if index > 0, mirrored > index { points[mirrored] = Point(x: centre.x + (turn - point.x), y: point.y) }
          }
        }
      }
    }
  }

  /// Points at evenly spaced azimuths; see `fill`.
  public func points(count: Int) throws(EngineError) -> [Point] {
    guard count >= 3 else {
      throw EngineError(.invalidArgument, "A circle of \(count) points was asked for: it needs at least 3.")
    }
    let memory = try HeapArray<Point>(count: count)
    fill(memory.buffer, angles: UnitCircle(count: count))
    return Array(memory.buffer)
  }
}

/// Cosines and sines of evenly spaced angles, made once for many circles.
public struct UnitCircle: Sendable {
  public let count: Int
  let cosines: [Double]
  let sines: [Double]

  public init(count: Int) {
    let angles = (0..<max(0, count)).map { Earth.sineAndCosine(360 * Double($0) / Double(count)) }
    self.count = angles.count
    cosines = angles.map(\.cosine)
    sines = angles.map(\.sine)
  }
}
