import Glibc

/// The oblique Mercator projection of Switzerland (and of Hungary), whose line of true scale crosses the meridian of the
/// centre at a right angle: M. Rosenmund, Die Änderung des Projektionssystems der schweizerischen Landesvermessung, 1903.
/// The ellipsoid goes to a sphere conformally, and the turned sphere to Mercator's plane.
struct FastSwissMercator: FastProjection {
  let origin: FastOrigin
  let isInverse: Bool
  private let eccentricity: Double
  private let toLatitude: SineCoefficients
  /// From the ellipsoid to the sphere: longitudes and isometric latitudes times this, and
  private let factor: Double
  /// to isometric latitudes this is added.
  private let constant: Double
  /// Of the latitude of the centre on the sphere.
  private let sine: Double
  private let cosine: Double
  /// Metres: of the sphere, times the scale factor.
  private let radius: Double

  /// Radians of longitude from the centre on the sphere, before and after it is turned.
  private static let longitudeLimit = 1.2
  /// The cosine of the distance from the centre: PROJ takes longitudes from their sines, which are coarse far away.
  private static let frontLimit = 0.4
  /// The sine of a latitude on the turned sphere.
  private static let sineLimit = 0.95
  /// The northing that belongs to it, in radii, and a little less.
  private static let northingLimit = 1.8

  /// The latitude in radians; nil for a centre near a pole.
  init?(_ ellipsoid: ReferenceEllipsoid, origin: FastOrigin, latitude: Double, scale: Double, isInverse: Bool) {
    guard latitude.magnitude < 1.4 else { return nil }
    self.origin = origin
    self.isInverse = isInverse
    let square = ellipsoid.eccentricity2
    let e = square.squareRoot()
    eccentricity = e
    toLatitude = ellipsoid.latitudeFromConformal
    let (s, c) = (sin(latitude), cos(latitude))
    factor = (1 + square * c * c * c * c / (1 - square)).squareRoot()
    sine = s / factor
    cosine = ((1 - sine) * (1 + sine)).squareRoot()
    constant = atanh(sine) - factor * (atanh(s) - e * atanh(e * s))
    radius = ellipsoid.semiMajorAxis * scale * (1 - square).squareRoot() / (1 - square * s * s)
  }

  var reach: FastReach? {
    guard isInverse else { return origin.reachOfAngles }
    return origin.reach(
      Point(x: 0, y: 0), half: Point(x: radius * Self.longitudeLimit, y: radius * Self.northingLimit))
  }

  func runForward(_ block: LaneBlock) {
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index) * factor
      block.require(FastAngles.computedLatitudeLimit - latitude.magnitudes, at: index)
      block.require(Self.longitudeLimit - longitude.magnitudes, at: index)
      let (s, c) = sineCosine(latitude)
      let psi = ReferenceEllipsoid.isometricLatitude(s, c, eccentricity) * factor + constant
      let (onSphere, across) = Self.sphere(isometric: psi)
      let (sineLongitude, cosineLongitude) = sineCosine(longitude)
      let ahead = across * cosineLongitude
      let turned = cosine * onSphere - sine * ahead
      block.require(Self.sineLimit - turned.magnitudes, at: index)
      let front = cosine * ahead + sine * onSphere
      block.require(front - Self.frontLimit, at: index)
      block.x[index] = angleToTheRight(y: across * sineLongitude, x: front) * radius + origin.falseEasting
      block.y[index] = 0.5 * logarithm(of: 1.0 + turned, over: 1.0 - turned) * radius + origin.falseNorthing
    }
  }

  func runInverse(_ block: LaneBlock) {
    let (perMetre, perFactor) = (1 / radius, 1 / factor)
    for index in 0..<block.count {
      let easting = (block.x[index] - origin.falseEasting) * perMetre
      let northing = (block.y[index] - origin.falseNorthing) * perMetre
      block.require(Self.longitudeLimit - easting.magnitudes, at: index)
      block.require(Self.northingLimit - northing.magnitudes, at: index)
      let (turned, across) = Self.sphere(isometric: northing)
      let (sineEasting, cosineEasting) = sineCosine(easting)
      let ahead = across * cosineEasting
      let onSphere = cosine * turned + sine * ahead
      block.require(Self.sineLimit - onSphere.magnitudes, at: index)
      let front = cosine * ahead - sine * turned
      block.require(front - Self.frontLimit, at: index)
      let psi = (0.5 * logarithm(of: 1.0 + onSphere, over: 1.0 - onSphere) - constant) * perFactor
      block.y[index] = ReferenceEllipsoid.latitude(isometric: psi, toLatitude)
      let longitude = angleToTheRight(y: across * sineEasting, x: front)
      block.x[index] = origin.longitude(longitude * perFactor, block, index)
    }
  }

  /// The sine and the cosine of the latitude on a sphere.
  @inline(__always)
  private static func sphere(isometric psi: Lanes) -> (sine: Lanes, cosine: Lanes) {
    let e = exponential(psi.magnitudes)
    let perSum = 1.0 / (e * e + 1.0)
    return (((e * e - 1.0) * perSum).signed(like: psi), 2.0 * e * perSum)
  }
}
