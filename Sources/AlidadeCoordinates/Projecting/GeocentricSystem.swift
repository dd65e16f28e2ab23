import AlidadeBase
import Glibc

/// A place by longitude and latitude, in radians, and height above the ellipsoid in metres.
struct GeodeticPlace {
  var longitude: Double
  var latitude: Double
  var height: Double
}

/// Earth-centred coordinates on an ellipsoid, in metres: x through longitude 0 on the equator, z through the north pole.
struct GeocentricSystem: Sendable {
  private let semiMajorAxis: Double
  private let semiMinorAxis: Double
  private let flattening: Double
  private let eccentricitySquared: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    semiMajorAxis = ellipsoid.semiMajorAxis
    semiMinorAxis = ellipsoid.semiMinorAxis
    flattening = ellipsoid.flattening
    eccentricitySquared = ellipsoid.eccentricitySquared
  }

  @inline(__always)
  func position(_ place: GeodeticPlace) -> SIMD3<Double> {
    let (sine, cosine) = (sin(place.latitude), cos(place.latitude))
    let normal = semiMajorAxis / (1 - eccentricitySquared * sine * sine).squareRoot()
    let outward = (normal + place.height) * cosine
    return SIMD3(
      outward * cos(place.longitude), outward * sin(place.longitude),
      (normal * (1 - eccentricitySquared) + place.height) * sine)
  }

  /// Nil near the middle of the earth, where a position has no one latitude: nearer than a tenth of the semi-major axis.
  ///
  /// B. R. Bowring, Transformation from spatial to geographical coordinates, Survey Review 23 (1976), iterated: each
  /// round multiplies the error by about the square of the eccentricity.
  func place(_ position: SIMD3<Double>) -> GeodeticPlace? {
    let outward = hypot(position.x, position.y)
    // A NaN fails this, too.
    guard hypot(outward, position.z) > 0.1 * semiMajorAxis else { return nil }
    let secondSquared = eccentricitySquared / (1 - eccentricitySquared)
    // The parametric latitude's tangent as a pair, so that the poles are no exception.
    var (up, out) = (position.z, (1 - flattening) * outward)
    var (sine, cosine) = (0.0, 1.0)
    for _ in 0..<20 {
      let length = hypot(up, out)
      let (s, c) = (up / length, out / length)
      let y = position.z + secondSquared * semiMinorAxis * s * s * s
      let x = max(0, outward - eccentricitySquared * semiMajorAxis * c * c * c)
      let norm = hypot(x, y)
      let (nextSine, nextCosine) = (y / norm, x / norm)
      let change = max((nextSine - sine).magnitude, (nextCosine - cosine).magnitude)
      (sine, cosine) = (nextSine, nextCosine)
      if change < 1e-16 { break }
      (up, out) = ((1 - flattening) * sine, cosine)
    }
    let height =
      outward * cosine + position.z * sine
      - semiMajorAxis * (1 - eccentricitySquared * sine * sine).squareRoot()
    return GeodeticPlace(longitude: atan2(position.y, position.x), latitude: atan2(sine, cosine), height: height)
  }

  /// East, north and up at a place, as directions of the earth-centred axes.
  func axes(at place: GeodeticPlace) -> (east: SIMD3<Double>, north: SIMD3<Double>, up: SIMD3<Double>) {
    let (sinLat, cosLat) = (sin(place.latitude), cos(place.latitude))
    let (sinLon, cosLon) = (sin(place.longitude), cos(place.longitude))
    return (
      SIMD3(-sinLon, cosLon, 0), SIMD3(-sinLat * cosLon, -sinLat * sinLon, cosLat),
      SIMD3(cosLat * cosLon, cosLat * sinLon, sinLat)
    )
  }

  /// The radii of curvature along the meridian and across it, in metres.
  func radii(latitude: Double) -> (meridian: Double, across: Double) {
    let sine = sin(latitude)
    let root = (1 - eccentricitySquared * sine * sine).squareRoot()
    return (semiMajorAxis * (1 - eccentricitySquared) / (root * root * root), semiMajorAxis / root)
  }
}
