import AlidadeCoordinates
import Glibc

/// Ways of constant azimuth: their lengths and ends (Bennett, Practical rhumb line calculations on the spheroid, Journal of
/// Navigation 49 (1996), 112-119).
///
/// Along a loxodrome the meridian's length m and the isometric latitude psi change in proportion; dm / dpsi is the radius of
/// the parallel. Differences are integrated where subtraction would lose digits.
struct Loxodrome {
  private let earth: Earth
  private let isometric: IsometricLatitude

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
    // Two places at one pole are one place.
    let isPole = max(first.y.magnitude, second.y.magnitude) >= 90
    let across = isPole ? 0 : turn * radius(first.y, second.y, along)
    let azimuth = atan2(across, along) * Earth.degrees
    return EarthWay(length: hypot(along, across), azimuth: azimuth, endAzimuth: azimuth)
  }

  /// Where a way ends; NaN beyond a pole, which it never reaches but along a meridian.
  func direct(from point: Point, azimuth: Double, distance: Double) -> Geodesic.Position {
    let (sine, cosine) = Earth.sineAndCosine(azimuth)
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
