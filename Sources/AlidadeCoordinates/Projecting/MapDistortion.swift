import AlidadeBase
import Glibc

/// How a map differs from the ground at a place.
public struct MapDistortion: Sendable {
  /// Metres on the map per metre on the ellipsoid, along the meridian and along the parallel.
  public var meridianScale: Double
  public var parallelScale: Double
  /// Degrees from true north to the direction of rising y, clockwise.
  public var convergence: Double

  static let unknown = MapDistortion(meridianScale: .nan, parallelScale: .nan, convergence: .nan)

  init(meridianScale: Double, parallelScale: Double, convergence: Double) {
    self.meridianScale = meridianScale
    self.parallelScale = parallelScale
    self.convergence = convergence
  }

  /// Radians. Differences over some hundred metres lose nothing to rounding, and their formula nothing to the step: the
  /// fifth derivative times its fourth power.
  private static let step = 1e-4
  /// Nearer to a pole, in radians, parallels are too narrow for steps along them.
  private static let poleMargin = 0.002

  /// Unknown within 0.12 degrees of a pole, where the map ends, and where a place on the earth is not known.
  init(of map: SpatialReference, at origin: LocatedOrigin) throws(EngineError) {
    self = .unknown
    guard let geocentric = origin.geocentric, let reference = origin.reference, map.kind == .projected else { return }
    let place = origin.place
    guard place.latitude.magnitude < .pi / 2 - Self.poleMargin else { return }
    let projector = try Projector.between(reference, map)
    // As far on the ground along the parallel as along the meridian.
    let across = Self.step / cos(place.latitude)
    let points = try HeapArray<Point>(count: 8)
    for (index, factor) in ([-2, -1, 1, 2] as [Double]).enumerated() {
      var moved = place
      moved.latitude = place.latitude + factor * Self.step
      points.buffer[index] = reference.system.point(moved)
      moved = place
      moved.longitude = place.longitude + factor * across
      points.buffer[index &+ 4] = reference.system.point(moved)
    }
    try projector.projectOnAllCores(points)
    if let width = map.system.worldWidth {
      let first = points.buffer[0].x
      for index in 1..<8 { points.buffer[index] = points.buffer[index].unwrapped(near: first, width: width) }
    }
    let (north, east) = (Self.derivative(points.buffer, 0, Self.step), Self.derivative(points.buffer, 4, across))
    let (meridian, normal) = geocentric.radii(latitude: place.latitude)
    let unit = map.metresPerUnit
    meridianScale = hypot(north.x, north.y) * unit / meridian
    parallelScale = hypot(east.x, east.y) * unit / (normal * cos(place.latitude))
    convergence = -atan2(north.x, north.y) * 180 / .pi
  }

  /// Of the five-point formula.
  private static func derivative(_ points: UnsafeMutableBufferPointer<Point>, _ first: Int, _ step: Double) -> Point {
    func difference(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      (8 * (c - b) - (d - a)) / (12 * step)
    }
    let (a, b, c, d) = (points[first], points[first &+ 1], points[first &+ 2], points[first &+ 3])
    return Point(x: difference(a.x, b.x, c.x, d.x), y: difference(a.y, b.y, c.y, d.y))
  }
}
