import AlidadeBase
import AlidadeCoordinates
import Glibc

/// How far the planar buffer of a point differs from the geodesic buffer: the distance in metres from the point to the
/// planar outline, minus the buffer's distance. Negative where the planar outline is too near.
public struct PlanarBufferError: Sendable {
  public private(set) var minimum: Double
  public private(set) var maximum: Double
  /// The mean over all directions of the plane.
  public private(set) var mean: Double
  /// The direction of the largest difference, degrees clockwise from north at the point, 0 to 360.
  public private(set) var worstAzimuth: Double
  /// The point of the planar outline in that direction, in the spatial reference.
  public private(set) var worstPlace: Point
  /// The areas on the ground in square metres.
  public private(set) var planarArea: Double
  public private(set) var geodesicArea: Double

  /// - Parameters:
  ///   - place: the point, in the spatial reference.
  ///   - distance: metres.
  public static func measure(
    _ reference: SpatialReference, at place: Point, distance: Double
  ) throws(EngineError) -> PlanarBufferError {
    let geodesic = Geodesic(on: try ReferenceEllipsoid(of: reference.system))
    try GeodesicBuffer(geodesic).check(distance: distance)
    let circle = try PlanarCircle(reference, geodesic, place: place, distance: distance)
    return try PlanarBufferError(circle, distance: distance)
  }

  private init(_ circle: PlanarCircle, distance: Double) throws(EngineError) {
    let count = 720
    let step = 2 * Double.pi / Double(count)
    var ways: [Geodesic.Way] = []
    for index in 0..<count { ways.append(try circle.way(Double(index) * step)) }
    let errors = ways.map { $0.length - distance }
    // Errors change smoothly with the direction: each extreme lies next to the sample that is nearest to it.
    func extreme(_ sign: Double) throws(EngineError) -> (angle: Double, error: Double) {
      let best = errors.indices.max { sign * errors[$0] < sign * errors[$1] } ?? 0
      var (low, high) = (Double(best &- 1) * step, Double(best &+ 1) * step)
      for _ in 0..<40 {
        let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
        if sign * (try circle.way(a).length) < sign * (try circle.way(b).length) { low = a } else { high = b }
      }
      let middle = (low + high) / 2
      let refined = try circle.way(middle).length - distance
      return sign * refined > sign * errors[best] ? (middle, refined) : (Double(best) * step, errors[best])
    }
    let (least, most) = (try extreme(-1), try extreme(1))
    minimum = least.error
    maximum = most.error
    mean = errors.reduce(0, +) / Double(count)
    let worst = least.error.magnitude > most.error.magnitude ? least : most
    worstPlace = circle.point(worst.angle)
    let azimuth = try circle.way(worst.angle).azimuth
    worstAzimuth = azimuth < 0 ? azimuth + 360 : azimuth
    // The area is the integral over azimuths of the integral of the reduced length. Steps twice as long give the error,
    // which falls with the square of the step.
    let sectors = ways.map { circle.sector($0.azimuth, $0.length) }
    func area(every skip: Int) -> Double {
      var sum = 0.0
      for index in stride(from: 0, to: count, by: skip) {
        let next = (index &+ skip) % count
        let turn = remainder(ways[next].azimuth - ways[index].azimuth, 360) * Earth.radian
        sum += (sectors[index] + sectors[next]) / 2 * turn
      }
      return sum.magnitude
    }
    planarArea = (4 * area(every: 1) - area(every: 2)) / 3
    let directions = 72
    geodesicArea = (0..<directions).reduce(0) {
      $0 + circle.sector(360 * Double($1) / Double(directions), distance) * 2 * .pi / Double(directions)
    }
  }
}

/// A circle in the plane of the coordinates.
private struct PlanarCircle {
  private let geodesic: Geodesic
  private let plane: EarthPlane?
  /// Degrees per unit of a geographic spatial reference.
  private let scale: Double
  private let place: Point
  /// On the earth, degrees.
  private let centre: Point
  /// In the unit of the spatial reference.
  private let radius: Double

  init(_ reference: SpatialReference, _ geodesic: Geodesic, place: Point, distance: Double) throws(EngineError) {
    self.geodesic = geodesic
    self.place = place
    plane = try EarthPlane.make(reference)
    scale = plane == nil ? reference.system.degreesPerUnit : 1
    radius = distance / reference.system.metresPerUnit
    if let width = reference.system.worldWidth, radius > width / 2 {
      throw EngineError(
        .projectionFailed, "The planar buffer is \(2 * radius) \(reference.unitName) wide, and the world only \(width)."
      )
    }
    centre = plane?.place(of: place) ?? Point(x: place.x * scale, y: place.y * scale)
    guard place.isFinite, plane != nil || (centre.y.magnitude <= 90 && centre.x.magnitude <= 1e6) else {
      throw EngineError(.invalidArgument, "(\(place.x), \(place.y)) is not a position on the earth.")
    }
    guard centre.isFinite else {
      throw EngineError(
        .projectionFailed, "(\(place.x), \(place.y)) in \(reference.name) has no position on the earth.")
    }
  }

  /// - Parameter angle: radians counter-clockwise from the x axis.
  func point(_ angle: Double) -> Point {
    Point(x: place.x + radius * cos(angle), y: place.y + radius * sin(angle))
  }

  /// The geodesic from the centre to the outline.
  func way(_ angle: Double) throws(EngineError) -> Geodesic.Way {
    let point = point(angle)
    let there = plane?.place(of: point) ?? Point(x: point.x * scale, y: point.y * scale)
    let way = geodesic.inverse(from: centre, to: there)
    guard way.length.isFinite else {
      throw EngineError(
        .projectionFailed, "The planar buffer reaches (\(point.x), \(point.y)), which lies nowhere on the earth.")
    }
    return way
  }

  /// The integral of the reduced length, from the centre in a direction to a distance: the area per radian. Gauss and
  /// Legendre's rule with 8 nodes: for what is as smooth as half a wave of a sine good to 1e-10.
  func sector(_ azimuth: Double, _ length: Double) -> Double {
    let nodes = [0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363]
    let weights = [0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763]
    let line = geodesic.line(from: centre, azimuth: azimuth, hasReducedLength: true)
    var sum = 0.0
    for (node, weight) in zip(nodes, weights) {
      for side in [-1.0, 1] {
        let s = length / 2 * (1 + side * node)
        sum += weight * line.reducedLength(at: s)
      }
    }
    return sum * length / 2
  }
}
