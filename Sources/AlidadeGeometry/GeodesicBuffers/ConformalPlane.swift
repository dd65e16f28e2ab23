import AlidadeCoordinates
import Glibc

/// The stereographic map of the conformal sphere (Snyder, Map projections, USGS PP 1395, equations 3-1 and 21-1): circles
/// of the sphere are circles in it, and those of the ellipsoid nearly so. In metres, the scale 1 at the centre.
struct ConformalPlane: Sendable {
  private let isometric: IsometricLatitude
  private let diameter: Double
  private let longitude: Double
  private let sine: Double
  private let cosine: Double

  /// nil if the places lie all around the earth.
  init?(_ ellipsoid: ReferenceEllipsoid, around places: [Point]) {
    let isometric = IsometricLatitude(ellipsoid)
    var sum = Vector.zero
    for place in places {
      let (sine, cosine) = Self.conformal(isometric, place.y)
      let (east, front) = Earth.sineAndCosine(place.x)
      sum += Vector(cosine * front, cosine * east, sine)
    }
    let length = sum.length
    guard length > 0.5 * Double(places.count) else { return nil }
    sum /= length
    self.isometric = isometric
    diameter = 2 * ellipsoid.semiMajorAxis
    longitude = atan2(sum.y, sum.x) * Earth.degrees
    sine = sum.z
    cosine = (sum.x * sum.x + sum.y * sum.y).squareRoot()
  }

  private static func conformal(_ isometric: IsometricLatitude, _ latitude: Double) -> (sine: Double, cosine: Double) {
    let value = isometric.precise(latitude)
    return (tanh(value), 1 / cosh(value))
  }

  /// NaN far beyond the hemisphere around the centre, where the map grows without bounds.
  func image(_ place: Point) -> Point {
    let (s, c) = Self.conformal(isometric, place.y)
    let (east, front) = Earth.sineAndCosine(place.x - longitude)
    let up = sine * s + cosine * c * front
    guard up > -0.2 else { return .nan }
    let scale = diameter / (1 + up)
    return Point(x: scale * c * east, y: scale * (cosine * s - sine * c * front))
  }

  /// In degrees; the longitude is within 180 of the centre's.
  func place(_ image: Point) -> Point {
    let (x, y) = (image.x / diameter, image.y / diameter)
    let square = x * x + y * y
    let (up, scale) = ((1 - square) / (1 + square), 2 / (1 + square))
    let (east, north) = (scale * x, scale * y)
    let front = cosine * up - sine * north
    let flat = (east * east + front * front).squareRoot()
    let latitude = isometric.latitude(conformalTangent: (sine * up + cosine * north) / flat)
    return Point(x: longitude + atan2(east, front) * Earth.degrees, y: latitude)
  }
}
