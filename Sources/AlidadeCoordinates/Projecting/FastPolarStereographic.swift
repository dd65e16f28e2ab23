import Glibc

/// The stereographic projection with a pole in the centre: J. P. Snyder, Map projections, 1987, equations 21-33 to 21-36.
struct FastPolarStereographic: FastProjection {
  let origin: FastOrigin
  let isInverse: Bool
  /// 1 with the north pole in the centre, -1 with the south pole.
  private let pole: Double
  private let eccentricity: Double
  private let method: InverseMethod
  private let toLatitude: SineCoefficients
  /// Metres: the radius of a parallel where the tangent of half its conformal distance from the pole is 1.
  private let scale: Double

  /// Radians towards the other pole.
  private static let latitudeLimit = 1.0
  /// The tangent of half the distance from the pole that belongs to it, and some more.
  private static let tangentLimit = 4.0
  /// The square of the tangent from which latitudes of a sphere are good: PROJ takes them from their sines.
  private static let squareLimitOnSphere = 1e-4

  /// - Parameters:
  ///   - scaleFactor: at the pole.
  ///   - parallel: the radians of the parallel of true scale, which then replaces the scale factor.
  init?(
    _ ellipsoid: ReferenceEllipsoid, origin: FastOrigin, isNorth: Bool, scaleFactor: Double, parallel: Double?,
    _ method: InverseMethod, isInverse: Bool
  ) {
    self.origin = origin
    self.isInverse = isInverse
    pole = isNorth ? 1 : -1
    let e = ellipsoid.eccentricity2.squareRoot()
    eccentricity = e
    self.method = method
    toLatitude = ellipsoid.latitudeFromConformal
    if let parallel, (parallel.magnitude - .pi / 2).magnitude >= 1e-10 {
      guard parallel.magnitude < .pi / 2, parallel != 0 else { return nil }
      let (s, c) = (sin(parallel.magnitude), cos(parallel.magnitude))
      let m = c / (1 - ellipsoid.eccentricity2 * s * s).squareRoot()
      scale = ellipsoid.semiMajorAxis * m / (c / (1 + s) * exp(e * atanh(e * s)))
    } else {
      scale = ellipsoid.semiMajorAxis * 2 * scaleFactor / (pow(1 + e, 1 + e) * pow(1 - e, 1 - e)).squareRoot()
    }
  }

  var reach: FastReach? {
    guard isInverse else { return origin.reachOfAngles }
    let half = scale * Self.tangentLimit
    return origin.reach(Point(x: 0, y: 0), half: Point(x: half, y: half))
  }

  func runForward(_ block: LaneBlock) {
    for index in 0..<block.count {
      let latitude = block.y[index] * pole
      let longitude = origin.relativeLongitude(block, index)
      block.require(Self.latitudeLimit + latitude, at: index)
      block.require(.pi / 2 - latitude, at: index)
      let (sine, cosine) = sineCosine(latitude)
      let power = eccentricity == 0 ? Lanes(repeating: 0) : eccentricity * smallArtanh(eccentricity * sine)
      let onSphere = (cosine / (1.0 + sine)) * scale
      let radius = onSphere + onSphere * smallExponential(power)
      let (s, c) = sineCosine(longitude)
      block.x[index] = radius * s + origin.falseEasting
      block.y[index] = radius * c * -pole + origin.falseNorthing
    }
  }

  func runInverse(_ block: LaneBlock) {
    let perScale = 1 / scale
    for index in 0..<block.count {
      let x = (block.x[index] - origin.falseEasting) * perScale
      let y = (block.y[index] - origin.falseNorthing) * (perScale * -pole)
      // The tangent of half the distance from the pole, and its square.
      let square = x * x + y * y
      let tangent = square.squareRoot()
      block.require(square - (eccentricity == 0 ? Self.squareLimitOnSphere : 1e-18), at: index)
      block.require(Self.tangentLimit - tangent, at: index)
      let latitude =
        method == .exact ? exactLatitude(tangent, square) : steppedLatitude(tangent, square, block, index)
      block.y[index] = latitude * pole
      let turn = angle(y: x, x: y)
      block.require((Double.pi - 1e-9) - turn.magnitudes, at: index)
      block.x[index] = origin.longitude(turn, block, index)
    }
  }

  /// From the tangent of half the conformal distance from the pole, and its square.
  @inline(__always)
  private func exactLatitude(_ tangent: Lanes, _ square: Lanes) -> Lanes {
    let perSquare = 1.0 / (1.0 + square)
    let (sine, cosine) = ((1.0 - square) * perSquare, 2.0 * tangent * perSquare)
    return angleToTheRight(y: sine, x: cosine)
      + sineSeries(toLatitude, 2.0 * (sine * cosine), 1.0 - 2.0 * (sine * sine))
  }

  /// The same in steps, each from the latitude before, which end when one is small: Snyder, equation 7-9.
  @inline(__always)
  private func steppedLatitude(_ tangent: Lanes, _ square: Lanes, _ block: LaneBlock, _ index: Int) -> Lanes {
    var sine = (1.0 - square) / (1.0 + square)
    // The first step is always one, since PROJ begins on the other side of the pole.
    var last = Lanes(repeating: 10)
    var result = last
    var isDone = LaneBits.zero
    for _ in 0..<Self.mostSteps {
      let growth = smallExponential(-eccentricity * smallArtanh(eccentricity * sine))
      let latitude = .pi / 2 - 2.0 * angleToTheRight(y: tangent + tangent * growth, x: Lanes(repeating: 1))
      result = Lanes.choose(isDone, result, latitude)
      let step = (latitude - last).magnitudes
      // Whether a step counts as small must not hang on the last digits.
      block.require(Lanes.choose(isDone, Lanes(repeating: 1), (step - Self.smallStep).magnitudes - 1e-14), at: index)
      isDone |= (step - Self.smallStep).negativeMask
      if isDone == ~LaneBits.zero { break }
      last = latitude
      sine = sineCosine(latitude).sine
    }
    block.require(Lanes.choose(isDone, Lanes(repeating: 1), Lanes(repeating: -1)), at: index)
    return result
  }

  private static let mostSteps = 8
  /// Radians.
  private static let smallStep = 1e-10
}
