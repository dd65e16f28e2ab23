import Glibc

/// The transverse Mercator projection, by the series of Engsager and Poder (see `FastEllipsoid`).
struct FastTransverseMercator: FastStep {
  let origin: FastOrigin
  let isInverse: Bool
  /// Radians.
  let latitudeLimit: Double
  /// Metres per radian of the rectifying sphere: of northing and easting.
  private let radius: Double
  /// What the northing of the equator is, in metres.
  private let equator: Double
  private let toConformal: SineCoefficients
  private let toLatitude: SineCoefficients
  private let toEllipsoid: SineCoefficients
  private let toSphere: SineCoefficients

  /// From the central meridian, in radians: 60 degrees.
  private static let longitudeLimit = 1.0472
  /// The easting that belongs to that at the equator, in radians of the rectifying sphere.
  private static let eastingLimit = 1.3
  /// The northing, likewise.
  private static let northingLimit = 1.5

  init(_ ellipsoid: FastEllipsoid, origin: FastOrigin, latitude: Double, scale: Double, isInverse: Bool) {
    self.init(ellipsoid, origin, latitude, scale, isInverse, latitudeLimit: FastAngles.latitudeLimit)
  }

  private init(
    _ ellipsoid: FastEllipsoid, _ origin: FastOrigin, _ latitude: Double, _ scale: Double, _ isInverse: Bool,
    latitudeLimit: Double
  ) {
    self.origin = origin
    self.isInverse = isInverse
    self.latitudeLimit = latitudeLimit
    toConformal = ellipsoid.conformalFromLatitude
    toLatitude = ellipsoid.latitudeFromConformal
    toEllipsoid = ellipsoid.ellipsoidFromSphere
    toSphere = ellipsoid.sphereFromEllipsoid
    radius = scale * ellipsoid.rectifyingRadius * ellipsoid.semiMajorAxis
    let conformal = latitude + toConformal.sum(at: latitude)
    equator = origin.falseNorthing - radius * (conformal + toEllipsoid.sum(at: conformal))
  }

  var reach: FastReach? {
    guard isInverse else { return origin.reachOfAngles }
    return FastReach(
      middle: Point(x: origin.falseEasting, y: equator),
      half: Point(x: radius * Self.eastingLimit, y: radius * Self.northingLimit))
  }

  func unit(after input: FastUnit) -> FastUnit { isInverse ? .radians(1) : .metres(1) }

  func run(_ block: LaneBlock) {
    if isInverse { runInverse(block) } else { runForward(block) }
  }

  private func runForward(_ block: LaneBlock) {
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      block.require(latitudeLimit - latitude.magnitudes, at: index)
      block.require(Self.longitudeLimit - longitude.magnitudes, at: index)
      // To the conformal latitude: the sphere.
      let (sine, cosine) = sineCosine(latitude)
      let shift = sineSeries(toConformal, 2.0 * (sine * cosine), 1.0 - 2.0 * (sine * sine))
      let (s, c) = turned(sine, cosine, by: shift)
      // To the sphere's transverse projection: with u = sin lambda cos chi its easting is artanh u, its northing the
      // angle of (cos lambda cos chi, sin chi), and the two squares add up to 1 - u^2.
      let (sineLongitude, cosineLongitude) = sineCosine(longitude)
      let u = sineLongitude * c
      let v = cosineLongitude * c
      let perSquare = 1.0 / (s * s + v * v)
      let northing = angleToTheRight(y: s, x: v)
      let easting = 0.5 * logarithm(of: 1.0 + u, over: 1.0 - u)
      // To the ellipsoid's.
      let sum = sineSeries(
        toEllipsoid, 2.0 * (s * v) * perSquare, 2.0 * (v * v) * perSquare - 1.0, 2.0 * u * perSquare,
        2.0 * perSquare - 1.0)
      block.x[index] = (easting + sum.imaginary) * radius + origin.falseEasting
      block.y[index] = (northing + sum.real) * radius + equator
    }
  }

  private func runInverse(_ block: LaneBlock) {
    let perMetre = 1 / radius
    for index in 0..<block.count {
      let easting = (block.x[index] - origin.falseEasting) * perMetre
      let northing = (block.y[index] - equator) * perMetre
      block.require(Self.eastingLimit - easting.magnitudes, at: index)
      block.require(Self.northingLimit - northing.magnitudes, at: index)
      // To the sphere's transverse projection.
      let (sine, cosine) = sineCosine(northing)
      let e = exponential(easting)
      let square = e * e
      let perSquare = 1.0 / square
      let sum = sineSeries(
        toSphere, 2.0 * (sine * cosine), 1.0 - 2.0 * (sine * sine), 0.5 * (square - perSquare),
        0.5 * (square + perSquare))
      let (s, c) = turned(sine, cosine, by: sum.real)
      let grown = e + e * smallExponential(sum.imaginary)
      let sinh = 0.5 * (grown - 1.0 / grown)
      // To the sphere: tan lambda = sinh / cos, and the conformal latitude by its sine and cosine.
      let perLength2 = 1.0 / (1.0 + sinh * sinh)
      let modulus = (sinh * sinh + c * c).squareRoot()
      let conformal = angleToTheRight(y: s, x: modulus)
      let shift = sineSeries(
        toLatitude, 2.0 * (s * modulus) * perLength2, 2.0 * (modulus * modulus) * perLength2 - 1.0)
      block.y[index] = conformal + shift
      block.x[index] = origin.longitude(angleToTheRight(y: sinh, x: c), block, index)
    }
  }
}
