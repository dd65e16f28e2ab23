/// Mercator's projection of a sphere or an ellipsoid, and Web Mercator, which takes the ellipsoid for a sphere.
struct FastMercator: FastStep {
  /// The frame of the projection: longitude of origin and false origin.
  let origin: FastOrigin
  /// Metres per radian of longitude: the semi-major axis times the scale factor.
  let radius: Double
  /// 0 on a sphere.
  let eccentricity: Double
  let toLatitude: SineCoefficients?
  let isInverse: Bool
  /// Radians. Near a pole the image runs away from what rounds a latitude; one that comes from the host as it is bears
  /// more than one that was computed.
  let latitudeLimit: Double

  /// How far an isometric latitude may be from 0 on the way back.
  private static let isometricLimit = 20.0

  var reach: FastReach? {
    isInverse
      ? origin.reach(Point(x: 0, y: 0), half: Point(x: radius * .pi, y: radius * 4)) : origin.reachOfAngles
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
      let (sine, cosine) = sineCosine(latitude)
      let psi = FastEllipsoid.isometricLatitude(sine, cosine, eccentricity)
      block.x[index] = longitude * radius + origin.falseEasting
      block.y[index] = psi * radius + origin.falseNorthing
    }
  }

  private func runInverse(_ block: LaneBlock) {
    let perMetre = 1 / radius
    for index in 0..<block.count {
      let psi = (block.y[index] - origin.falseNorthing) * perMetre
      block.require(Self.isometricLimit - psi.magnitudes, at: index)
      block.y[index] = FastEllipsoid.latitude(isometric: psi, toLatitude)
      block.x[index] = origin.longitude((block.x[index] - origin.falseEasting) * perMetre, block, index)
    }
  }
}
