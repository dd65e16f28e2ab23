import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The ellipse in which a plane cuts an ellipsoid, from a point on it in a direction: great ellipses and normal sections.
///
/// Scaled to the unit sphere the ellipse is a circle, so it is followed by an angle, and its length is an integral.
struct PlaneSection {
  private let earth: Earth
  private let semiMinorAxis: Double
  /// Of the circle, on the unit sphere.
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

  /// The angle at which a place on the ellipse lies, 0 up to a whole turn.
  func angle(of place: Vector) -> Double {
    let scaled = Vector(place.x / earth.a, place.y / earth.a, place.z / semiMinorAxis) - centre
    let angle = atan2(scaled.dot(ahead), scaled.dot(start))
    return angle < 0 ? angle + 2 * .pi : angle
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
  /// The great ellipse from a point to another; nil if they are in one place or opposite to each other.
  static func greatEllipse(_ earth: Earth, from first: Vector, to second: Vector) -> PlaneSection? {
    let chord = second - first
    guard chord.length > 0, first.cross(chord).length > 1e-15 * first.length * chord.length else { return nil }
    // What of the chord is not along the first radius leads ahead.
    let radial = first / first.length
    return PlaneSection(earth, through: first, towards: chord - radial * chord.dot(radial), and: radial)
  }

  /// The normal section at a point to another one; nil if they are in one place, or one below the other.
  static func normalSection(_ earth: Earth, at place: Point, _ first: Vector, to second: Vector) -> PlaneSection? {
    let chord = second - first
    let (_, _, normal) = earth.frame(at: place)
    let direction = chord - normal * chord.dot(normal)
    guard direction.length > 1e-15 * chord.length, chord.length > 0 else { return nil }
    return PlaneSection(earth, through: first, towards: direction, and: normal)
  }
}

extension Earth {
  /// Unit vectors to the east, to the north and upwards.
  func frame(at place: Point) -> (east: Vector, north: Vector, up: Vector) {
    let (sine, cosine) = Self.sineAndCosine(place.y)
    let (east, front) = Self.sineAndCosine(place.x)
    return (
      Vector(-east, front, 0), Vector(-sine * front, -sine * east, cosine), Vector(cosine * front, cosine * east, sine)
    )
  }

  /// The direction of a vector at a place, degrees clockwise from north, -180 to 180.
  func azimuth(of direction: Vector, at place: Point) -> Double {
    let (east, north, _) = frame(at: place)
    return atan2(direction.dot(east), direction.dot(north)) * Self.degrees
  }
}
