import AlidadeBase
import AlidadeCoordinates

/// How map points lie on the ground: distances between them on the ellipsoid of the map's spatial reference, without any
/// change of datum.
final class GroundFrame: Sendable {
  private let projector: Projector
  private let geodesic: Geodesic
  private let degreesPerUnit: Double
  /// Metres per unit of a local plane, which has no ellipsoid.
  private let planarUnit: Double?

  init(_ reference: SpatialReference) throws(EngineError) {
    if reference.kind == .local {
      projector = try Projector.between(reference, reference)
      geodesic = Geodesic(on: try ReferenceEllipsoid(semiMajorAxis: 1, inverseFlattening: 0))
      degreesPerUnit = 1
      planarUnit = reference.metresPerUnit
      return
    }
    let base = try reference.geodeticBase()
    projector = try Projector.between(reference, base)
    geodesic = Geodesic(on: try ReferenceEllipsoid(of: base.system))
    degreesPerUnit = base.system.siPerUnit * 180 / .pi
    planarUnit = nil
  }

  var isCurrent: Bool { projector.isCurrent }

  /// Replaces map points by their positions on the earth; NaN for a point that has none.
  func locate(_ points: inout [Point]) throws(EngineError) {
    try points.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try projector.project(points) }
  }

  /// The metres between two positions; NaN if one of them is not known.
  func distance(_ a: Point, _ b: Point) -> Double {
    guard a.isFinite, b.isFinite else { return .nan }
    if let planarUnit {
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      return (dx * dx + dy * dy).squareRoot() * planarUnit
    }
    return geodesic.distance(
      from: Point(x: a.x * degreesPerUnit, y: a.y * degreesPerUnit),
      to: Point(x: b.x * degreesPerUnit, y: b.y * degreesPerUnit))
  }

  /// The metres along a line of map points, each of which is near to the next.
  func length(_ line: [Point]) throws(EngineError) -> Double {
    var places = line
    try places.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try projector.project(points) }
    for (point, place) in zip(line, places) where !place.isFinite {
      throw EngineError(
        .projectionFailed, "The map point (\(point.x), \(point.y)) has no position on the earth: \(projector.way).")
    }
    if let planarUnit {
      return zip(places, places.dropFirst()).reduce(0) { sum, pair in
        let (dx, dy) = (pair.1.x - pair.0.x, pair.1.y - pair.0.y)
        return sum + (dx * dx + dy * dy).squareRoot() * planarUnit
      }
    }
    return geodesic.length(of: places.map { Point(x: $0.x * degreesPerUnit, y: $0.y * degreesPerUnit) })
  }
}
