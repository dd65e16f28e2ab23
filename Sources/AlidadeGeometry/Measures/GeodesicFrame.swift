import AlidadeBase
import AlidadeCoordinates

/// The longitudes and latitudes on which a spatial reference is based, in degrees, and the geodesics on its ellipsoid.
///
/// No datum is changed on the way, so nothing has to be said about accuracy.
public struct GeodesicFrame: Sendable {
  public let geodesic: Geodesic
  let reference: SpatialReference
  let earth: Earth
  /// nil: coordinates are longitudes and latitudes.
  private let toGlobe: PlaneInverse?
  private let toPlane: Projector?
  let degreesPerUnit: Double

  /// Longitudes of many turns have lost their digits.
  static let greatestLongitude = 1e6

  public init(_ reference: SpatialReference?) throws(EngineError) {
    guard let reference else {
      throw EngineError(
        .invalidArgument,
        "The geometry has no spatial reference, so its position on the earth is unknown. Create it with one, or choose the "
          + "planar measure.")
    }
    let base = try reference.geodeticBase()
    self.reference = reference
    geodesic = Geodesic(on: try ReferenceEllipsoid(of: base.system))
    earth = Earth(geodesic.ellipsoid)
    degreesPerUnit = base.system.degreesPerUnit
    if base === reference {
      (toGlobe, toPlane) = (nil, nil)
    } else {
      toGlobe = try PlaneInverse(reference)
      toPlane = try Projector.between(base, reference)
    }
  }

  /// Whether coordinates are longitudes and latitudes. If not, they are coordinates of a plane.
  var isGeographic: Bool { toGlobe == nil }

  /// The distance in x between two images of a position; nil where there is only one.
  var worldWidth: Double? { reference.system.worldWidth }

  // MARK: Onto the globe

  /// Converts coordinates into degrees, in place; NaN for points without a position on the earth.
  func toDegrees(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    try toGlobe?.places(of: points)
    for index in points.indices {
      if degreesPerUnit != 1 {
        points[index].x *= degreesPerUnit
        points[index].y *= degreesPerUnit
      }
      points[index] = place(points[index])
    }
  }

  /// The position in degrees of a point of the spatial reference; NaN if it has none.
  func degrees(_ point: Point) throws(EngineError) -> Point {
    var only = point
    if let toGlobe { only = try toGlobe.place(of: point) ?? .nan }
    return place(Point(x: only.x * degreesPerUnit, y: only.y * degreesPerUnit))
  }

  private func place(_ point: Point) -> Point {
    // A projection's inverse may err by a digit beyond a pole.
    let slack = isGeographic ? 0 : 1e-11
    guard point.y.magnitude <= 90 + slack, point.x.magnitude <= Self.greatestLongitude else { return .nan }
    return Point(x: point.x, y: max(-90, min(90, point.y)))
  }

  /// Vertices in degrees.
  func degrees(_ columns: GeometryColumns, _ vertices: Range<Int>) throws(EngineError) -> HeapArray<Point> {
    let points = try HeapArray<Point>(count: vertices.count)
    _ = points.buffer.update(from: UnsafeBufferPointer(rebasing: columns.points.buffer[vertices]))
    try toDegrees(points.buffer)
    if let bad = points.buffer.firstIndex(where: { $0.x.isNaN }) {
      throw nowhere(columns.points[vertices.lowerBound &+ bad])
    }
    return points
  }

  func nowhere(_ point: Point) -> EngineError {
    EngineError(
      .projectionFailed,
      "(\(NumberText.shortest(point.x)), \(NumberText.shortest(point.y))) in \(reference.name) has no position on the earth: "
        + "it has no longitude and latitude.")
  }

  // MARK: Back to the plane

  /// Turns degrees into coordinates, in place; NaN where there are none.
  func fromDegrees(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    if degreesPerUnit != 1 {
      for index in points.indices {
        points[index] = Point(x: points[index].x / degreesPerUnit, y: points[index].y / degreesPerUnit)
      }
    }
    try toPlane?.projectSlices(points)
  }

  /// The point of the spatial reference for a position in degrees.
  func point(_ place: Point) throws(EngineError) -> Point {
    let point = Point(x: place.x / degreesPerUnit, y: place.y / degreesPerUnit)
    guard let toPlane else { return point }
    guard let image = try toPlane.project(point) else { throw noImage(place) }
    return image
  }

  func noImage(_ place: Point) -> EngineError {
    EngineError(
      .projectionFailed,
      "The longitude and latitude \(NumberText.shortest(place.x)), \(NumberText.shortest(place.y)) cannot be projected to "
        + "\(reference.name).")
  }
}
