import AlidadeBase
import Glibc

/// What is measured of a projected spatial reference, or of one with a pole of its own.
public struct PlaneFacts: Sendable {
  /// Whether what runs counterclockwise on the earth runs clockwise in the plane, as with axes to the south and west.
  public let isMirrored: Bool
  /// PROJ's way back to longitude and latitude is off by more than geodesics are: up to 1 mm for equal areas on an
  /// ellipsoid, whose series for the authalic latitude has three terms.
  let isInverseOff: Bool

  /// - Parameters:
  ///   - places: in the units of the longitudes and latitudes, of which some have an image in the plane.
  ///   - turn: a small angle in these units.
  fileprivate init(_ places: [Point], turn: Double, _ toPlane: Projector, _ toGlobe: Projector) throws(EngineError) {
    var (isMirrored, error): (Bool?, Double) = (nil, 0)
    for place in places {
      guard let here = try toPlane.project(place), let back = try toGlobe.project(here) else { continue }
      error = max(error, (back.y - place.y).magnitude)
      if isMirrored != nil { continue }
      guard let east = try toPlane.project(Point(x: place.x + turn, y: place.y)),
        let north = try toPlane.project(Point(x: place.x, y: place.y + turn))
      else { continue }
      let area = (east.x - here.x) * (north.y - here.y) - (north.x - here.x) * (east.y - here.y)
      if area != 0, area.isFinite { isMirrored = area < 0 }
    }
    self.isMirrored = isMirrored ?? false
    // More than rounding makes; what is off by more than that is no projection that goes both ways.
    isInverseOff = error > 1e-11 && error < 1e-6
  }
}

extension SpatialReference {
  /// Measured once.
  public func planeFacts() throws(EngineError) -> PlaneFacts {
    if let known = plane.withLock({ $0 }) { return known }
    let globe = try geodeticBase()
    let unit = globe.system.degreesPerUnit
    let facts = try PlaneFacts(
      somePlaces.map { Point(x: $0.x / unit, y: $0.y / unit) }, turn: 1e-3 / unit, try .between(globe, self),
      try .between(self, globe))
    plane.withLock { $0 = facts }
    return facts
  }

  /// In degrees: in the area of use, and all over the earth.
  private var somePlaces: [Point] {
    var places: [Point] = []
    if let area = system.areaOfUse, !area.west.isNaN {
      let east = area.east < area.west ? area.east + 360 : area.east
      for share in [0.5, 0.2, 0.8] {
        let x = area.west + share * (east - area.west)
        places.append(Point(x: x > 180 ? x - 360 : x, y: area.south + share * (area.north - area.south)))
      }
    }
    for y in [10.0, 35, -50, 80, -80] {
      for x in stride(from: -160.0, to: 180, by: 80) { places.append(Point(x: x, y: y)) }
    }
    return places
  }
}

/// The way from a plane back to longitudes and latitudes, as exact as the way there.
public struct PlaneInverse: Sendable {
  private let toGlobe: Projector
  private let toPlane: Projector
  private let isRefined: Bool
  /// Between two images of a position; nil where there is only one.
  private let worldWidth: Double?

  /// - Parameter reference: projected, or with a pole of its own.
  public init(_ reference: SpatialReference) throws(EngineError) {
    let globe = try reference.geodeticBase()
    (toGlobe, toPlane) = (try .between(reference, globe), try .between(globe, reference))
    isRefined = try reference.planeFacts().isInverseOff
    worldWidth = reference.system.worldWidth
  }

  /// The position of a point; nil if it has none.
  public func place(of point: Point) throws(EngineError) -> Point? {
    guard let place = try toGlobe.project(point) else { return nil }
    // The way there is exact: the way back starts as far from the point as the image is, on the other side.
    guard isRefined, let image = try toPlane.project(place) else { return place }
    return try toGlobe.project(start(point, image)) ?? place
  }

  /// The positions of points, in place; NaN for a point that has none.
  public func places(of points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    guard isRefined else { return try toGlobe.projectSlices(points) }
    let (places, images) = (try HeapArray<Point>(count: points.count), try HeapArray<Point>(count: points.count))
    _ = places.buffer.update(from: UnsafeBufferPointer(points))
    try toGlobe.projectSlices(places.buffer)
    _ = images.buffer.update(from: UnsafeBufferPointer(places.buffer))
    try toPlane.projectSlices(images.buffer)
    for index in points.indices { points[index] = start(points[index], images.buffer[index]) }
    try toGlobe.projectSlices(points)
    for index in points.indices where points[index].x.isNaN { points[index] = places.buffer[index] }
  }

  private func start(_ point: Point, _ image: Point) -> Point {
    let miss = point.x - image.x
    return Point(x: point.x + (worldWidth.map { remainder(miss, $0) } ?? miss), y: 2 * point.y - image.y)
  }
}
