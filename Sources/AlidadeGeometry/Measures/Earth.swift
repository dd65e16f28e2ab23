import AlidadeCoordinates
import Glibc

/// Metres along the three axes of an earth-centred frame: z to the north pole, x to longitude 0 on the equator.
typealias Vector = SIMD3<Double>

extension SIMD3<Double> {
  @inline(__always) func dot(_ other: Self) -> Double { (self * other).sum() }
  @inline(__always) var length: Double { dot(self).squareRoot() }
  @inline(__always) func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}

/// The surface of an ellipsoid in three dimensions.
struct Earth {
  static let radian = Double.pi / 180
  /// Degrees per radian.
  static let degrees = 180 / Double.pi

  let a: Double
  let e2: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    a = ellipsoid.semiMajorAxis
    e2 = ellipsoid.eccentricitySquared
  }

  /// The position of a point at height 0.
  func position(_ point: Point) -> Vector {
    let (sine, cosine) = sineAndCosine(degrees: point.y)
    let (east, front) = sineAndCosine(degrees: point.x)
    let n = a / (1 - e2 * sine * sine).squareRoot()
    return Vector(n * cosine * front, n * cosine * east, n * (1 - e2) * sine)
  }

  /// The point at height 0 of a position on the surface. Longitude -180 to 180.
  func point(_ position: Vector) -> Point {
    let radius = (position.x * position.x + position.y * position.y).squareRoot()
    return Point(
      x: atan2(position.y, position.x) * Self.degrees, y: atan2(position.z, (1 - e2) * radius) * Self.degrees)
  }

  /// Metres per radian of latitude, and per radian of longitude.
  func metresPerRadian(latitude: Double) -> (meridian: Double, parallel: Double) {
    let (sine, cosine) = sineAndCosine(degrees: latitude)
    let w = 1 - e2 * sine * sine
    let n = a / w.squareRoot()
    return (n * (1 - e2) / w, n * cosine)
  }

  /// Unit vectors to the east, to the north and upwards.
  func frame(at place: Point) -> (east: Vector, north: Vector, up: Vector) {
    let (sine, cosine) = sineAndCosine(degrees: place.y)
    let (east, front) = sineAndCosine(degrees: place.x)
    return (
      Vector(-east, front, 0), Vector(-sine * front, -sine * east, cosine), Vector(cosine * front, cosine * east, sine)
    )
  }

  /// The direction of a vector at a point, degrees clockwise from north, -180 to 180.
  func azimuth(of direction: Vector, at place: Point) -> Double {
    let (east, north, _) = frame(at: place)
    return atan2(direction.dot(east), direction.dot(north)) * Self.degrees
  }
}
