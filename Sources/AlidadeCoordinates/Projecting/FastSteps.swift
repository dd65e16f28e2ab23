import Glibc

/// A change of units: by a factor, or backwards by dividing, as PROJ does each.
struct FastUnitChange: FastStep {
  let factor: Double
  let divides: Bool
  let output: FastUnit

  func unit(after input: FastUnit) -> FastUnit { output }
  var keepsBoxes: Bool { factor > 0 }

  func backwards(_ reach: FastReach) -> FastReach? {
    let forward = divides ? 1 / factor : factor
    return FastReach(
      middle: Point(x: reach.middle.x / forward, y: reach.middle.y / forward),
      half: Point(x: reach.half.x / forward, y: reach.half.y / forward))
  }

  func run(_ block: LaneBlock) {
    if divides {
      for index in 0..<block.count {
        block.x[index] /= factor
        block.y[index] /= factor
      }
    } else {
      for index in 0..<block.count {
        block.x[index] *= factor
        block.y[index] *= factor
      }
    }
  }
}

/// The two axes exchanged.
struct FastAxisSwap: FastStep {
  func backwards(_ reach: FastReach) -> FastReach? {
    FastReach(
      middle: Point(x: reach.middle.y, y: reach.middle.x), half: Point(x: reach.half.y, y: reach.half.x))
  }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      let x = block.x[index]
      block.x[index] = block.y[index]
      block.y[index] = x
    }
  }
}

/// Offsets of longitude and latitude, in radians.
struct FastOffset: FastStep {
  let longitude: Double
  let latitude: Double

  var reach: FastReach? { FastAngles.reach }
  var keepsBoxes: Bool { true }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      block.require(3.14 - block.x[index].magnitudes, at: index)
      block.require(1.57 - block.y[index].magnitudes, at: index)
      block.x[index] += longitude
      block.y[index] += latitude
    }
  }
}

/// Longitudes from another prime meridian.
struct FastMeridian: FastStep {
  let origin: FastOrigin
  let isInverse: Bool

  var reach: FastReach? { isInverse ? FastAngles.reach : origin.reachOfAngles }
  var keepsBoxes: Bool { true }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      if isInverse {
        block.x[index] = origin.longitude(block.x[index], block, index)
      } else {
        block.require(1.57 - block.y[index].magnitudes, at: index)
        block.x[index] = origin.relativeLongitude(block, index)
      }
    }
  }
}

/// Where a projection's coordinates are counted from.
struct FastOrigin: Sendable {
  /// Radians east of Greenwich: the central meridian and the prime meridian.
  let longitude: Double
  /// Metres.
  let falseEasting: Double
  let falseNorthing: Double

  /// Longitudes this near to the seam, in radians, are PROJ's: rounding decides on which side they come out.
  private static let seam = 1e-9

  /// The longitudes of a block from the central meridian, between -pi and pi. Longitudes of more than a turn, and at
  /// the seam, are marked.
  @inline(__always)
  func relativeLongitude(_ block: LaneBlock, _ index: Int) -> Lanes {
    let given = block.x[index]
    block.require(FastAngles.longitudeLimit - given.magnitudes, at: index)
    return Self.wrapped(given - longitude, block, index)
  }

  /// The way back: from one relative to the central meridian to one between -pi and pi from Greenwich.
  @inline(__always)
  func longitude(_ relative: Lanes, _ block: LaneBlock, _ index: Int) -> Lanes {
    block.require(FastAngles.longitudeLimit - relative.magnitudes, at: index)
    return Self.wrapped(relative + longitude, block, index)
  }

  @inline(__always)
  private static func wrapped(_ angle: Lanes, _ block: LaneBlock, _ index: Int) -> Lanes {
    let turns = (angle * (0.5 / Double.pi)).rounded()
    let wrapped = angle - turns * (2 * Double.pi)
    block.require((Double.pi - seam) - wrapped.magnitudes, at: index)
    return wrapped
  }

  /// All longitudes, the central meridian in the middle, and all latitudes.
  var reachOfAngles: FastReach {
    FastReach(middle: Point(x: longitude, y: 0), half: FastAngles.reach.half)
  }

  func reach(_ middle: Point, half: Point) -> FastReach {
    FastReach(middle: Point(x: falseEasting + middle.x, y: falseNorthing + middle.y), half: half)
  }
}

/// What is common to steps that take longitudes and latitudes.
enum FastAngles {
  /// Radians. PROJ refuses longitudes of more than 10.
  static let longitudeLimit = 6.5
  /// Radians: as near to a pole as sines and cosines bear, from a latitude that is the host's own.
  static let latitudeLimit = Double.pi / 2 - 1e-6
  /// Radians: the same from a latitude that was computed, where a projection stretches what rounded it.
  static let computedLatitudeLimit = 1.5

  static let reach = FastReach(middle: Point(x: 0, y: 0), half: Point(x: .pi, y: .pi / 2))
}

/// From longitude and latitude at height 0 to geocentric coordinates in metres.
struct FastToGeocentric: FastStep {
  let ellipsoid: ReferenceEllipsoid

  var reach: FastReach? { FastAngles.reach }
  func unit(after input: FastUnit) -> FastUnit { .metres(1) }

  func run(_ block: LaneBlock) {
    let square = ellipsoid.eccentricity2
    for index in 0..<block.count {
      block.require(FastAngles.longitudeLimit - block.x[index].magnitudes, at: index)
      block.require(FastAngles.latitudeLimit - block.y[index].magnitudes, at: index)
      let (sine, cosine) = sineCosine(block.y[index])
      let (sineLongitude, cosineLongitude) = sineCosine(block.x[index])
      let normal = ellipsoid.semiMajorAxis / (1.0 - square * (sine * sine)).squareRoot()
      block.x[index] = normal * cosine * cosineLongitude
      block.y[index] = normal * cosine * sineLongitude
      block.z[index] = normal * (1 - square) * sine
    }
  }
}

/// Back to longitude and latitude; the height is left out. B. R. Bowring, Transformation from spatial to geographical
/// coordinates, Survey Review 23 (1976): as PROJ does it, so that what his formula leaves out is left out alike.
struct FastFromGeocentric: FastStep {
  let ellipsoid: ReferenceEllipsoid
  func unit(after input: FastUnit) -> FastUnit { .radians(1) }

  func run(_ block: LaneBlock) {
    let a = ellipsoid.semiMajorAxis
    let b = ellipsoid.semiMinorAxis
    let square = ellipsoid.eccentricity2
    let alongAxis = square / (1 - square) * b
    let acrossAxis = square * a
    for index in 0..<block.count {
      let (x, y, z) = (block.x[index], block.y[index], block.z[index])
      let distance = (x * x + y * y).squareRoot()
      let s = z * a
      let c = distance * b
      let perNorm = 1.0 / (s * s + c * c).squareRoot()
      let (sine, cosine) = (s * perNorm, c * perNorm)
      let up = z + alongAxis * (sine * sine * sine)
      let out = distance - acrossAxis * (cosine * cosine * cosine)
      // Not so near to the axis that the longitude is uncertain.
      block.require(distance - 1000.0, at: index)
      let longitude = angle(y: y, x: x)
      block.require((Double.pi - 1e-9) - longitude.magnitudes, at: index)
      block.x[index] = longitude
      block.y[index] = angleToTheRight(y: up, x: out)
    }
  }
}

/// An affine map of geocentric coordinates: a Helmert transformation, forward or backwards.
struct FastHelmert: FastStep {
  /// The rows of a matrix; the shift in metres.
  let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  let shift: SIMD3<Double>

  /// Shifts in metres, rotations in radians, the scale as parts per million.
  init(
    shift: SIMD3<Double>, rotation: SIMD3<Double>, scale: Double, isExact: Bool, isPositionVector: Bool,
    isInverse: Bool
  ) {
    var (x, y, z) = Self.rotationRows(rotation, isExact: isExact)
    // The rows belong to a coordinate frame rotation, and the position vector's matrix is its transpose. So is the
    // inverse in PROJ, even for the small-angle matrix.
    if isPositionVector != isInverse { (x, y, z) = Self.transposed(x, y, z) }
    let factor = 1 + scale * 1e-6
    if isInverse {
      rows = (x / factor, y / factor, z / factor)
      self.shift = -SIMD3((rows.0 * shift).sum(), (rows.1 * shift).sum(), (rows.2 * shift).sum())
    } else {
      rows = (x * factor, y * factor, z * factor)
      self.shift = shift
    }
  }

  private typealias Rows = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  private static func transposed(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) -> Rows {
    (SIMD3(x.x, y.x, z.x), SIMD3(x.y, y.y, z.y), SIMD3(x.z, y.z, z.z))
  }

  private static func rotationRows(_ angle: SIMD3<Double>, isExact: Bool) -> Rows {
    guard isExact else {
      return (SIMD3(1, angle.z, -angle.y), SIMD3(-angle.z, 1, angle.x), SIMD3(angle.y, -angle.x, 1))
    }
    let (sx, cx) = (sin(angle.x), cos(angle.x))
    let (sy, cy) = (sin(angle.y), cos(angle.y))
    let (sz, cz) = (sin(angle.z), cos(angle.z))
    return (
      SIMD3(cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz),
      SIMD3(-cy * sz, cx * cz - sx * sy * sz, sx * cz + cx * sy * sz),
      SIMD3(sy, -sx * cy, cx * cy)
    )
  }

  func run(_ block: LaneBlock) {
    for index in 0..<block.count {
      let (x, y, z) = (block.x[index], block.y[index], block.z[index])
      block.x[index] = (x * rows.0.x + y * rows.0.y + z * rows.0.z) + shift.x
      block.y[index] = (x * rows.1.x + y * rows.1.y + z * rows.1.z) + shift.y
      block.z[index] = (x * rows.2.x + y * rows.2.y + z * rows.2.z) + shift.z
    }
  }
}

/// Mercator's projection of a sphere or an ellipsoid, and Web Mercator, which takes the ellipsoid for a sphere.
struct FastMercator: FastProjection {
  /// The frame of the projection: longitude of origin and false origin.
  let origin: FastOrigin
  /// Metres per radian of longitude: the semi-major axis times the scale factor.
  let radius: Double
  /// 0 on a sphere.
  let eccentricity: Double
  let toLatitude: SineCoefficients?
  let isInverse: Bool
  /// Radians. Near a pole the image changes faster than latitudes are rounded. A latitude that comes from the host
  /// unchanged bears more than a computed one.
  let latitudeLimit: Double

  /// How far an isometric latitude may be from 0 on the way back.
  private static let isometricLimit = 20.0

  var reach: FastReach? {
    isInverse
      ? origin.reach(Point(x: 0, y: 0), half: Point(x: radius * .pi, y: radius * 4)) : origin.reachOfAngles
  }

  var keepsBoxes: Bool { radius > 0 }

  func runForward(_ block: LaneBlock) {
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      block.require(latitudeLimit - latitude.magnitudes, at: index)
      let (sine, cosine) = sineCosine(latitude)
      let psi = ReferenceEllipsoid.isometricLatitude(sine, cosine, eccentricity)
      block.x[index] = longitude * radius + origin.falseEasting
      block.y[index] = psi * radius + origin.falseNorthing
    }
  }

  func runInverse(_ block: LaneBlock) {
    let perMetre = 1 / radius
    for index in 0..<block.count {
      let psi = (block.y[index] - origin.falseNorthing) * perMetre
      block.require(Self.isometricLimit - psi.magnitudes, at: index)
      block.y[index] = ReferenceEllipsoid.latitude(isometric: psi, toLatitude)
      block.x[index] = origin.longitude((block.x[index] - origin.falseEasting) * perMetre, block, index)
    }
  }
}

/// Lambert's conformal conic projection with one or two standard parallels.
struct FastLambert: FastProjection {
  let origin: FastOrigin
  let isInverse: Bool
  private let eccentricity: Double
  private let toLatitude: SineCoefficients?
  /// The cone's constant: negative if its apex is over the south pole.
  private let cone: Double
  /// Metres: the radius of the equator, positive.
  private let equatorRadius: Double
  /// Metres: the northing of the apex.
  private let apex: Double

  /// How far an isometric latitude may be from 0.
  private static let isometricLimit = 3.1
  /// The radius of a parallel, as a power of e times that of the equator: beyond, doubles are too coarse.
  private static let radiusLimit = 1.0

  /// The parallels in radians; nil for a cone that PROJ would refuse or that is nearly a cylinder or a plane.
  init?(
    _ ellipsoid: ReferenceEllipsoid, origin: FastOrigin, latitude: Double, parallels: (Double, Double), scale: Double,
    isInverse: Bool
  ) {
    self.origin = origin
    self.isInverse = isInverse
    let e = ellipsoid.eccentricity2.squareRoot()
    eccentricity = e
    toLatitude = e == 0 ? nil : ellipsoid.latitudeFromConformal
    let (first, second) = parallels
    // Where the parallels are near to each other all hangs on how these two are rounded: they are J. P. Snyder's m and
    // t (Map projections, 1987, equations 14-15 and 15-9), written as PROJ has them.
    let square = ellipsoid.eccentricity2
    let m = { (phi: Double) in cos(phi) / (1 - square * sin(phi) * sin(phi)).squareRoot() }
    let t = { (phi: Double) -> Double in
      let (s, c) = (sin(phi), cos(phi))
      return exp(e * atanh(e * s)) * (s > 0 ? c / (1 + s) : (1 - s) / c)
    }
    cone = (first - second).magnitude < 1e-10 ? sin(first) : log(m(first) / m(second)) / log(t(first) / t(second))
    guard first.magnitude < 1.5, second.magnitude < 1.5, latitude.magnitude <= .pi / 2 + 1e-12,
      cone.magnitude > 0.05, cone.magnitude < 0.999
    else { return nil }
    // Signed like the cone's constant.
    let equator = m(first) * pow(t(first), -cone) / cone
    let atPole = (latitude.magnitude - .pi / 2).magnitude < 1e-10
    // A pole that is not the apex is infinitely far.
    if atPole && (latitude < 0) != (cone < 0) { return nil }
    let originRadius = atPole ? 0 : equator * pow(t(latitude), cone)
    equatorRadius = (equator * scale * ellipsoid.semiMajorAxis).magnitude
    apex = origin.falseNorthing + originRadius * scale * ellipsoid.semiMajorAxis
    guard equatorRadius.isFinite, apex.isFinite else { return nil }
  }

  var reach: FastReach? {
    guard isInverse else { return origin.reachOfAngles }
    let half = equatorRadius * 1.5
    return FastReach(middle: Point(x: origin.falseEasting, y: apex), half: Point(x: half, y: half))
  }

  func runForward(_ block: LaneBlock) {
    let sign: Double = cone < 0 ? -1 : 1
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      block.require(FastAngles.computedLatitudeLimit - latitude.magnitudes, at: index)
      let (sine, cosine) = sineCosine(latitude)
      let power = -cone * ReferenceEllipsoid.isometricLatitude(sine, cosine, eccentricity)
      block.require(Self.radiusLimit - power, at: index)
      let radius = (equatorRadius * sign) * exponential(power)
      let (s, c) = sineCosine(longitude * cone)
      block.x[index] = radius * s + origin.falseEasting
      block.y[index] = apex - radius * c
    }
  }

  func runInverse(_ block: LaneBlock) {
    let sign: Double = cone < 0 ? -1 : 1
    let perCone = 1 / cone
    for index in 0..<block.count {
      let x = (block.x[index] - origin.falseEasting) * sign
      let y = (apex - block.y[index]) * sign
      let radius = (x * x + y * y).squareRoot()
      let psi = logarithm(of: Lanes(repeating: equatorRadius), over: radius) * perCone
      block.require(Self.isometricLimit - psi.magnitudes, at: index)
      block.require(Self.radiusLimit + psi * cone, at: index)
      block.y[index] = ReferenceEllipsoid.latitude(isometric: psi, toLatitude)
      let turn = angle(y: x, x: y)
      // Behind the apex the side is decided by rounding.
      block.require((Double.pi - 1e-9) - turn.magnitudes, at: index)
      block.x[index] = origin.longitude(turn * perCone, block, index)
    }
  }
}

/// The transverse Mercator projection, by the series of Engsager and Poder (see `ReferenceEllipsoid.latitudeFromConformal`).
struct FastTransverseMercator: FastProjection {
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

  init(_ ellipsoid: ReferenceEllipsoid, origin: FastOrigin, latitude: Double, scale: Double, isInverse: Bool) {
    self.init(ellipsoid, origin, latitude, scale, isInverse, latitudeLimit: FastAngles.latitudeLimit)
  }

  private init(
    _ ellipsoid: ReferenceEllipsoid, _ origin: FastOrigin, _ latitude: Double, _ scale: Double, _ isInverse: Bool,
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

  func runForward(_ block: LaneBlock) {
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

  func runInverse(_ block: LaneBlock) {
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

/// Coefficients of sin 2k(phi), k from 1 to 6.
struct SineCoefficients: Sendable {
  var c1, c2, c3, c4, c5, c6: Double
}

extension ReferenceEllipsoid {
  /// The square of the eccentricity as PROJ rounds it, with which fast paths agree to the last digits.
  var eccentricity2: Double { 2 * flattening - flattening * flattening }
  /// The third flattening, by which the series go.
  var third: Double { flattening / (2 - flattening) }

  /// Nil if it is no ellipsoid like the Earth's: the bounds of the series hold for flattenings up to 1/150.
  init?(semiMajorAxis: Double, flattening: Double) {
    guard semiMajorAxis > 1e6, semiMajorAxis < 1e8, flattening >= 0, flattening < 1.0 / 150 else { return nil }
    self.semiMajorAxis = semiMajorAxis
    self.flattening = flattening
  }

  /// By a name of PROJ; nil for a name that is not in this table.
  init?(named name: Substring) {
    guard let (axis, shape) = Self.table[String(name)] else { return nil }
    // Above 1000 it is the semi-minor axis, otherwise the inverse flattening.
    self.init(
      semiMajorAxis: axis, flattening: shape == 0 ? 0 : shape > 1000 ? (axis - shape) / axis : 1 / shape)
  }

  /// Semi-major axis with inverse flattening or semi-minor axis, as EPSG and PROJ's manual have them.
  private static let table: [String: (Double, Double)] = [
    "WGS84": (6_378_137, 298.257223563), "GRS80": (6_378_137, 298.257222101), "WGS72": (6_378_135, 298.26),
    "WGS66": (6_378_145, 298.25), "GRS67": (6_378_160, 298.2471674270), "aust_SA": (6_378_160, 298.25),
    "airy": (6_377_563.396, 299.3249646), "mod_airy": (6_377_340.189, 299.3249373654873),
    "bessel": (6_377_397.155, 299.1528128), "bess_nam": (6_377_483.865, 299.1528128),
    "clrk66": (6_378_206.4, 6_356_583.8), "clrk80": (6_378_249.145, 293.4663),
    "clrk80ign": (6_378_249.2, 293.4660212936269), "evrst30": (6_377_276.345, 300.8017),
    "helmert": (6_378_200, 298.3), "intl": (6_378_388, 297), "krass": (6_378_245, 298.3),
    "sphere": (6_370_997, 0),
  ]

  /// ln tan(pi/4 + phi/2) - e artanh(e sin phi): the isometric latitude, from the sine and cosine of a latitude.
  @inline(__always)
  static func isometricLatitude(_ sine: Lanes, _ cosine: Lanes, _ eccentricity: Double) -> Lanes {
    let onSphere = logarithm(of: 1.0 + sine.magnitudes, over: cosine).signed(like: sine)
    if eccentricity == 0 { return onSphere }
    return onSphere - eccentricity * smallArtanh(eccentricity * sine)
  }

  /// The latitude of an isometric latitude of |psi| <= 20, by way of the conformal latitude.
  @inline(__always)
  static func latitude(isometric psi: Lanes, _ toLatitude: SineCoefficients?) -> Lanes {
    // tan chi = sinh |psi| = (e^2 - 1) / 2e, and the sine and cosine of 2 chi by the tangent's half.
    let e = exponential(psi.magnitudes)
    let conformal = angleToTheRight(y: e * e - 1.0, x: e + e).signed(like: psi)
    guard let toLatitude else { return conformal }
    let sech = 2.0 * e / (e * e + 1.0)
    let tanh = ((e * e - 1.0) / (e * e + 1.0)).signed(like: psi)
    return conformal + sineSeries(toLatitude, 2.0 * (tanh * sech), 2.0 * (sech * sech) - 1.0)
  }

  /// The series between latitudes, and between the sphere's and the ellipsoid's transverse Mercator projection, in
  /// powers of the third flattening n up to the sixth: K. E. Engsager and K. Poder, A highly accurate world wide
  /// algorithm for the transverse Mercator mapping (almost), ICC 2007; the same in C. F. F. Karney, Transverse Mercator
  /// with an accuracy of a few nanometers, J. Geodesy 85 (2011), equations 35 and 36. What is left out is below 1e-17.
  var latitudeFromConformal: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, 2, -2.0 / 3, -2, 116.0 / 45, 26.0 / 45, -2854.0 / 675),
      c2: Self.series(n, 2, 7.0 / 3, -8.0 / 5, -227.0 / 45, 2704.0 / 315, 2323.0 / 945),
      c3: Self.series(n, 3, 56.0 / 15, -136.0 / 35, -1262.0 / 105, 73814.0 / 2835),
      c4: Self.series(n, 4, 4279.0 / 630, -332.0 / 35, -399_572.0 / 14175),
      c5: Self.series(n, 5, 4174.0 / 315, -144_838.0 / 6237),
      c6: Self.series(n, 6, 601_676.0 / 22275))
  }

  var conformalFromLatitude: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, -2, 2.0 / 3, 4.0 / 3, -82.0 / 45, 32.0 / 45, 4642.0 / 4725),
      c2: Self.series(n, 2, 5.0 / 3, -16.0 / 15, -13.0 / 9, 904.0 / 315, -1522.0 / 945),
      c3: Self.series(n, 3, -26.0 / 15, 34.0 / 21, 8.0 / 5, -12686.0 / 2835),
      c4: Self.series(n, 4, 1237.0 / 630, -12.0 / 5, -24832.0 / 14175),
      c5: Self.series(n, 5, -734.0 / 315, 109_598.0 / 31185),
      c6: Self.series(n, 6, 444_337.0 / 155_925))
  }

  var ellipsoidFromSphere: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, 0.5, -2.0 / 3, 5.0 / 16, 41.0 / 180, -127.0 / 288, 7891.0 / 37800),
      c2: Self.series(n, 2, 13.0 / 48, -3.0 / 5, 557.0 / 1440, 281.0 / 630, -1_983_433.0 / 1_935_360),
      c3: Self.series(n, 3, 61.0 / 240, -103.0 / 140, 15061.0 / 26880, 167_603.0 / 181_440),
      c4: Self.series(n, 4, 49561.0 / 161_280, -179.0 / 168, 6_601_661.0 / 7_257_600),
      c5: Self.series(n, 5, 34729.0 / 80640, -3_418_889.0 / 1_995_840),
      c6: Self.series(n, 6, 212_378_941.0 / 319_334_400))
  }

  var sphereFromEllipsoid: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(n, 1, -0.5, 2.0 / 3, -37.0 / 96, 1.0 / 360, 81.0 / 512, -96199.0 / 604_800),
      c2: Self.series(n, 2, -1.0 / 48, -1.0 / 15, 437.0 / 1440, -46.0 / 105, 1_118_711.0 / 3_870_720),
      c3: Self.series(n, 3, -17.0 / 480, 37.0 / 840, 209.0 / 4480, -5569.0 / 90720),
      c4: Self.series(n, 4, -4397.0 / 161_280, 11.0 / 504, 830_251.0 / 7_257_600),
      c5: Self.series(n, 5, -4583.0 / 161_280, 108_847.0 / 3_991_680),
      c6: Self.series(n, 6, -20_648_693.0 / 638_668_800))
  }

  /// The radius of the circle as long as the meridian, in units of the semi-major axis.
  var rectifyingRadius: Double {
    let n = third
    return (1 + n * n * (0.25 + n * n * (1.0 / 64 + n * n / 256))) / (1 + n)
  }

  /// n^power times a polynomial in n.
  static func series(_ n: Double, _ power: Int, _ coefficients: Double...) -> Double {
    var sum = 0.0
    for coefficient in coefficients.reversed() { sum = coefficient + n * sum }
    for _ in 0..<power { sum *= n }
    return sum
  }
}

extension SineCoefficients {
  /// The sum at one angle.
  func sum(at angle: Double) -> Double {
    c1 * sin(2 * angle) + c2 * sin(4 * angle) + c3 * sin(6 * angle) + c4 * sin(8 * angle) + c5 * sin(10 * angle)
      + c6 * sin(12 * angle)
  }
}
