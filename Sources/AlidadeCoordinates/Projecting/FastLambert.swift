import Glibc

/// Lambert's conformal conic projection with one or two standard parallels.
struct FastLambert: FastStep {
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
    _ ellipsoid: FastEllipsoid, origin: FastOrigin, latitude: Double, parallels: (Double, Double), scale: Double,
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

  func unit(after input: FastUnit) -> FastUnit { isInverse ? .radians(1) : .metres(1) }

  func run(_ block: LaneBlock) {
    if isInverse { runInverse(block) } else { runForward(block) }
  }

  private func runForward(_ block: LaneBlock) {
    let sign: Double = cone < 0 ? -1 : 1
    for index in 0..<block.count {
      let latitude = block.y[index]
      let longitude = origin.relativeLongitude(block, index)
      block.require(FastAngles.computedLatitudeLimit - latitude.magnitudes, at: index)
      let (sine, cosine) = sineCosine(latitude)
      let power = -cone * FastEllipsoid.isometricLatitude(sine, cosine, eccentricity)
      block.require(Self.radiusLimit - power, at: index)
      let radius = (equatorRadius * sign) * exponential(power)
      let (s, c) = sineCosine(longitude * cone)
      block.x[index] = radius * s + origin.falseEasting
      block.y[index] = apex - radius * c
    }
  }

  private func runInverse(_ block: LaneBlock) {
    let sign: Double = cone < 0 ? -1 : 1
    let perCone = 1 / cone
    for index in 0..<block.count {
      let x = (block.x[index] - origin.falseEasting) * sign
      let y = (apex - block.y[index]) * sign
      let radius = (x * x + y * y).squareRoot()
      let psi = logarithm(of: Lanes(repeating: equatorRadius), over: radius) * perCone
      block.require(Self.isometricLimit - psi.magnitudes, at: index)
      block.require(Self.radiusLimit + psi * cone, at: index)
      block.y[index] = FastEllipsoid.latitude(isometric: psi, toLatitude)
      let turn = angle(y: x, x: y)
      // Behind the apex the side is decided by rounding.
      block.require((Double.pi - 1e-9) - turn.magnitudes, at: index)
      block.x[index] = origin.longitude(turn * perCone, block, index)
    }
  }
}
