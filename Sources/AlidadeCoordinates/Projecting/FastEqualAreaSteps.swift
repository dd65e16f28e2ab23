import Glibc

/// Latitudes on the sphere with the area of an ellipsoid: J. P. Snyder, Map projections, 1987, section 3. A sphere is one
/// of eccentricity 0.
private struct AuthalicSphere: Sendable {
  private let eccentricity: Double
  private let square: Double
  /// q at the pole.
  let polarQ: Double
  private let toLatitude: SineCoefficients

  /// Beyond this sine of an authalic latitude, 1.35 radians, its cosine is too coarse for what may follow.
  private static let sineLimit = 0.976

  init(_ ellipsoid: ReferenceEllipsoid, _ method: InverseMethod) {
    square = ellipsoid.eccentricity2
    eccentricity = square.squareRoot()
    toLatitude = method == .exact ? ellipsoid.latitudeFromAuthalic : ellipsoid.shortLatitudeFromAuthalic
    polarQ = Self.q(sine: 1, square)
  }

  /// Equation 3-12 at the sine of a latitude.
  func q(sine: Double) -> Double { Self.q(sine: sine, square) }

  /// Written as PROJ has it: where the parallels of a cone are near to each other, all hangs on how it is rounded.
  private static func q(sine: Double, _ square: Double) -> Double {
    if square == 0 { return sine + sine }
    let eccentricity = square.squareRoot()
    let product = eccentricity * sine
    return (1 - square)
      * (sine / (1 - product * product) - (0.5 / eccentricity) * log((1 - product) / (1 + product)))
  }

  @inline(__always)
  func q(sine: Lanes) -> Lanes {
    if eccentricity == 0 { return sine + sine }
    let logarithm = smallArtanh(eccentricity * sine) * (1 / eccentricity)
    return (1 - square) * (sine / (1.0 - square * (sine * sine)) + logarithm)
  }

  /// The latitude whose authalic latitude has a sine. Those near the poles are marked.
  @inline(__always)
  func latitude(authalicSine sine: Lanes, _ block: LaneBlock, _ index: Int) -> Lanes {
    block.require(Self.sineLimit - sine.magnitudes, at: index)
    let cosine = ((1.0 - sine) * (1.0 + sine)).squareRoot()
    return angleToTheRight(y: sine, x: cosine)
      + sineSeries(toLatitude, 2.0 * (sine * cosine), 1.0 - 2.0 * (sine * sine))
  }
}

extension ReferenceEllipsoid {
  /// In powers of the third flattening: C. F. F. Karney, On auxiliary latitudes, Survey Review 56 (2024), equation A19.
  var latitudeFromAuthalic: SineCoefficients {
    let n = third
    return SineCoefficients(
      c1: Self.series(
        n, 1, 4.0 / 3, 4.0 / 45, -16.0 / 35, -2582.0 / 14175, 60136.0 / 467_775, 28_112_932.0 / 212_837_625),
      c2: Self.series(n, 2, 46.0 / 45, 152.0 / 945, -11966.0 / 14175, -21016.0 / 51975, 251_310_128.0 / 638_512_875),
      c3: Self.series(n, 3, 3044.0 / 2835, 3802.0 / 14175, -94388.0 / 66825, -8_797_648.0 / 10_945_935),
      c4: Self.series(n, 4, 6059.0 / 4725, 41072.0 / 93555, -1_472_637_812.0 / 638_512_875),
      c5: Self.series(n, 5, 768_272.0 / 467_775, 455_935_736.0 / 638_512_875),
      c6: Self.series(n, 6, 4_210_684_958.0 / 1_915_538_625))
  }

  /// In powers of the eccentricity, three terms: Snyder, equation 3-18.
  fileprivate var shortLatitudeFromAuthalic: SineCoefficients {
    let e2 = eccentricity2
    let (e4, e6) = (e2 * e2, e2 * e2 * e2)
    return SineCoefficients(
      c1: e2 / 3 + e4 * 31 / 180 + e6 * 517 / 5040, c2: e4 * 23 / 360 + e6 * 251 / 3780, c3: e6 * 761 / 45360, c4: 0,
      c5: 0, c6: 0)
  }
}

/// Albers' equal-area conic projection: Snyder, section 14.
struct FastAlbers: FastProjection {
  let origin: FastOrigin
  let isInverse: Bool
  private let sphere: AuthalicSphere
  /// The cone's constant: negative if its apex is over the south pole.
  private let cone: Double
  private let c: Double
  /// Metres: the semi-major axis over the cone's constant, signed like it.
  private let scale: Double
  /// Metres: the northing of the apex.
  private let apex: Double

  /// The square of the radius of a parallel, in units of `scale`, from which a root is exact enough.
  private static let squareLimit = 5e-3

  /// The parallels in radians; nil for a cone that PROJ would refuse or that is nearly a cylinder.
  init?(
    _ ellipsoid: ReferenceEllipsoid, origin: FastOrigin, latitude: Double, parallels: (Double, Double), isInverse: Bool
  ) {
    self.origin = origin
    self.isInverse = isInverse
    let sphere = AuthalicSphere(ellipsoid, .exact)
    self.sphere = sphere
    let square = ellipsoid.eccentricity2
    // As PROJ has it, too.
    let m2 = { (phi: Double) -> Double in
      let m = cos(phi) / (1 - square * sin(phi) * sin(phi)).squareRoot()
      return m * m
    }
    let (first, second) = parallels
    guard first.magnitude < 1.57, second.magnitude < 1.57, latitude.magnitude <= .pi / 2 + 1e-12 else { return nil }
    let firstQ = sphere.q(sine: sin(first))
    cone =
      (first - second).magnitude < 1e-10
      ? sin(first) : (m2(first) - m2(second)) / (sphere.q(sine: sin(second)) - firstQ)
    guard cone.magnitude > 0.05, cone.magnitude < 1 else { return nil }
    c = m2(first) + cone * firstQ
    scale = ellipsoid.semiMajorAxis / cone
    let originSquare = c - cone * sphere.q(sine: sin(latitude))
    guard originSquare >= 0 else { return nil }
    apex = origin.falseNorthing + scale * originSquare.squareRoot()
  }

  var reach: FastReach? {
    guard isInverse else { return origin.reachOfAngles }
    let half = (scale * (c + cone.magnitude * sphere.polarQ).squareRoot()).magnitude
    return FastReach(middle: Point(x: origin.falseEasting, y: apex), half: Point(x: half, y: half))
  }

  func runForward(_ block: LaneBlock) {
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      block.require(FastAngles.latitudeLimit - latitude.magnitudes, at: index)
      let square = c - cone * sphere.q(sine: sineCosine(latitude).sine)
      block.require(square - Self.squareLimit, at: index)
      let radius = scale * square.squareRoot()
      let (s, c) = sineCosine(longitude * cone)
      block.x[index] = radius * s + origin.falseEasting
      block.y[index] = apex - radius * c
    }
  }

  func runInverse(_ block: LaneBlock) {
    let sign: Double = cone < 0 ? -1 : 1
    let (perScale, perCone, perQ) = (1 / scale, 1 / cone, 1 / (cone * sphere.polarQ))
    for index in 0..<block.count {
      let x = (block.x[index] - origin.falseEasting) * sign
      let y = (apex - block.y[index]) * sign
      let radius = (x * x + y * y).squareRoot() * perScale
      block.require(radius * radius - Self.squareLimit, at: index)
      block.y[index] = sphere.latitude(authalicSine: (c - radius * radius) * perQ, block, index)
      let turn = angle(y: x, x: y)
      // Behind the apex the side is decided by rounding.
      block.require((Double.pi - 1e-9) - turn.magnitudes, at: index)
      block.x[index] = origin.longitude(turn * perCone, block, index)
    }
  }
}

/// Lambert's equal-area azimuthal projection: Snyder, section 24.
struct FastLambertAzimuthal: FastProjection {
  let origin: FastOrigin
  let isInverse: Bool
  private let sphere: AuthalicSphere
  /// Of the authalic latitude of the centre.
  private let sine: Double
  private let cosine: Double
  /// 1 with the north pole in the centre, -1 with the south pole; 0: it is neither.
  private let pole: Double
  private let semiMajorAxis: Double
  /// Metres: what the sphere's coordinates are multiplied with.
  private let xScale: Double
  private let yScale: Double

  /// Beyond this sine of an authalic latitude, 82 degrees, its cosine is too coarse.
  private static let sineLimit = 0.99
  /// 1 + the cosine of the distance from the centre: nearer to the other side of the earth, positions are too coarse.
  private static let antipodeLimit = 0.3
  /// The square of the distance from a pole in the centre, in semi-major axes, from which a root is exact enough.
  private static let squareLimit = 5e-3

  /// The latitude in radians; nil for a centre that PROJ would refuse.
  init?(
    _ ellipsoid: ReferenceEllipsoid, origin: FastOrigin, latitude: Double, _ method: InverseMethod, isInverse: Bool
  ) {
    self.origin = origin
    self.isInverse = isInverse
    let sphere = AuthalicSphere(ellipsoid, method)
    self.sphere = sphere
    semiMajorAxis = ellipsoid.semiMajorAxis
    let fromPole = latitude.magnitude - .pi / 2
    guard fromPole < 1e-10 else { return nil }
    pole = fromPole > -1e-10 ? (latitude < 0 ? -1 : 1) : 0
    // Near a pole its cosine is too coarse.
    guard pole != 0 || fromPole < -0.02 else { return nil }
    sine = sphere.q(sine: sin(latitude)) / sphere.polarQ
    cosine = ((1 - sine) * (1 + sine)).squareRoot()
    let radius = (sphere.polarQ / 2).squareRoot()
    let m = cos(latitude) / (1 - ellipsoid.eccentricity2 * sin(latitude) * sin(latitude)).squareRoot()
    let stretch = pole == 0 ? m / (radius * cosine) : 1
    xScale = semiMajorAxis * radius * stretch
    yScale = semiMajorAxis * radius / stretch
  }

  var reach: FastReach? {
    guard isInverse else { return origin.reachOfAngles }
    return origin.reach(Point(x: 0, y: 0), half: Point(x: 2 * xScale, y: 2 * yScale))
  }

  func runForward(_ block: LaneBlock) {
    if pole != 0 { return runPolarForward(block) }
    let perQ = 1 / sphere.polarQ
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      let s = sphere.q(sine: sineCosine(latitude).sine) * perQ
      block.require(Self.sineLimit - s.magnitudes, at: index)
      let c = ((1.0 - s) * (1.0 + s)).squareRoot()
      let (sineLongitude, cosineLongitude) = sineCosine(longitude)
      let ahead = c * cosineLongitude
      let opposite = 1.0 + (sine * s + cosine * ahead)
      block.require(opposite - Self.antipodeLimit, at: index)
      let factor = (2.0 / opposite).squareRoot()
      block.x[index] = xScale * factor * (c * sineLongitude) + origin.falseEasting
      block.y[index] = yScale * factor * (cosine * s - sine * ahead) + origin.falseNorthing
    }
  }

  private func runPolarForward(_ block: LaneBlock) {
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      block.require(FastAngles.latitudeLimit - latitude.magnitudes, at: index)
      let square = sphere.polarQ - pole * sphere.q(sine: sineCosine(latitude).sine)
      block.require(square - Self.squareLimit, at: index)
      let radius = semiMajorAxis * square.squareRoot()
      let (s, c) = sineCosine(longitude)
      block.x[index] = radius * s + origin.falseEasting
      block.y[index] = radius * c * -pole + origin.falseNorthing
    }
  }

  func runInverse(_ block: LaneBlock) {
    if pole != 0 { return runPolarInverse(block) }
    let (perX, perY) = (1 / xScale, 1 / yScale)
    for index in 0..<block.count {
      let x = (block.x[index] - origin.falseEasting) * perX
      let y = (block.y[index] - origin.falseNorthing) * perY
      // Twice the sine of half the distance from the centre.
      let square = x * x + y * y
      block.require(square - 1e-12, at: index)
      block.require((4 - 2 * Self.antipodeLimit) - square, at: index)
      let c = 1.0 - 0.5 * square
      // The sine of the distance over the radius.
      let perRadius = (1.0 - 0.25 * square).squareRoot()
      block.y[index] = sphere.latitude(authalicSine: c * sine + y * perRadius * cosine, block, index)
      let turn = angle(y: x * perRadius, x: cosine * c - y * perRadius * sine)
      block.require((Double.pi - 1e-9) - turn.magnitudes, at: index)
      block.x[index] = origin.longitude(turn, block, index)
    }
  }

  private func runPolarInverse(_ block: LaneBlock) {
    let perAxis = 1 / semiMajorAxis
    let perQ = 1 / sphere.polarQ
    for index in 0..<block.count {
      let x = (block.x[index] - origin.falseEasting) * perAxis
      let y = (block.y[index] - origin.falseNorthing) * perAxis
      let square = x * x + y * y
      block.require(square - Self.squareLimit, at: index)
      block.y[index] = sphere.latitude(authalicSine: pole * (1.0 - square * perQ), block, index)
      let turn = angle(y: x, x: y * -pole)
      block.require((Double.pi - 1e-9) - turn.magnitudes, at: index)
      block.x[index] = origin.longitude(turn, block, index)
    }
  }
}
