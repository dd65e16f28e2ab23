import AlidadeBase
import Glibc

/// How a local frame is made.
public struct EngineFrameOptions: Sendable {
  public var kind = EngineFrameKind.tangent
  public var axes = EngineAxes.eastNorthUp
  /// nil: what is usual for the axes.
  public var metresPerUnit: Double?

  public init() {}
}

/// A local frame at a place, for engines whose coordinates are small: an immutable value.
public final class EngineFrame: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let kind: EngineFrameKind
  public let axes: EngineAxes
  public let metresPerUnit: Double
  /// What it was made in.
  public let spatialReference: SpatialReference
  /// As it was given.
  public let origin: Point
  public let originHeight: Double
  /// The origin was brought to longitude and latitude by an operation that takes datums or heights as equal.
  public let isBallpark: Bool
  /// From the frame's coordinates to the world's and back. The world is earth-centred, or the spatial reference.
  public let toWorld: AffineMap
  public let toLocal: AffineMap
  /// The origin's longitude and latitude in degrees (of Greenwich) and its height above the ellipsoid in metres; NaN
  /// where they are not known.
  public let longitude: Double
  public let latitude: Double
  public let ellipsoidalHeight: Double
  public let distortion: MapDistortion
  /// Where coordinates are projected on their way into the frame.
  let reference: SpatialReference
  let geocentric: GeocentricSystem?

  public override var handleKind: HandleKind { .engineFrame }

  /// - Parameter height: in the unit of the vertical axis; metres without one.
  public init(
    at origin: Point, height: Double, in spatialReference: SpatialReference, _ options: EngineFrameOptions
  ) throws(EngineError) {
    kind = options.kind
    axes = options.axes
    metresPerUnit = options.metresPerUnit ?? options.axes.usualMetresPerUnit
    self.spatialReference = spatialReference
    self.origin = origin
    originHeight = height
    let system = spatialReference.system
    if options.kind == .planar, system.kind == .geographic {
      throw EngineError(
        .unsupported,
        "\(system.name) counts in degrees. A planar frame needs a projected spatial reference; or take a tangent one.")
    }
    var place = LocatedOrigin()
    // A local plane lies nowhere on the earth.
    if options.kind == .tangent || system.kind != .local {
      place = try LocatedOrigin(origin, height, in: spatialReference, needsHeight: options.kind == .tangent)
    }
    // Divided first: the largest longitudes stay finite.
    (longitude, latitude) = (place.place.longitude / .pi * 180, place.place.latitude / .pi * 180)
    isBallpark = place.isBallpark
    let directions = options.axes.directions
    let scale = metresPerUnit
    if options.kind == .tangent, let geocentric = place.geocentric, let solid = place.reference {
      ellipsoidalHeight = place.place.height
      self.geocentric = geocentric
      reference = solid
      distortion = MapDistortion(meridianScale: 1, parallelScale: 1, convergence: 0)
      let (east, north, up) = geocentric.axes(at: place.place)
      let solve = AffineMap(east, north, up, .zero)
      let center = geocentric.position(place.place)
      let (x, y, z) = (solve.direction(directions.x), solve.direction(directions.y), solve.direction(directions.z))
      toWorld = AffineMap(x * scale, y * scale, z * scale, center)
      let back = AffineMap(x / scale, y / scale, z / scale, .zero).transposed
      toLocal = AffineMap(back.columns.0, back.columns.1, back.columns.2, -back.direction(center))
    } else {
      ellipsoidalHeight = system.vertical?.isEllipsoidal == true ? height * system.metresUpPerVerticalUnit : .nan
      geocentric = nil
      reference = spatialReference
      distortion = try MapDistortion(of: spatialReference, at: place)
      let unit = SIMD3(system.metresPerUnit, system.metresPerUnit, system.metresUpPerVerticalUnit)
      let center = SIMD3(origin.x, origin.y, height)
      let (x, y, z) = directions
      toWorld = AffineMap(x * scale / unit, y * scale / unit, z * scale / unit, center)
      let back = AffineMap(x, y, z, .zero).transposed
      let (a, b, c, _) = back.columns
      let local = AffineMap(a * (unit.x / scale), b * (unit.y / scale), c * (unit.z / scale), .zero)
      toLocal = AffineMap(local.columns.0, local.columns.1, local.columns.2, -local.direction(center))
    }
    guard (toWorld.elements + toLocal.elements).allSatisfy(\.isFinite) else {
      throw EngineError(
        .invalidArgument, "The origin (\(origin.x), \(origin.y)), height \(height), is too far away for a frame.")
    }
    super.init(runtime: spatialReference.runtime)
  }
}

/// An origin as longitude, latitude and height above the ellipsoid.
struct LocatedOrigin {
  var place = GeodeticPlace(longitude: .nan, latitude: .nan, height: .nan)
  var isBallpark = false
  var geocentric: GeocentricSystem?
  /// Longitudes, latitudes and ellipsoidal heights of the datum.
  var reference: SpatialReference?

  /// Of a place that is not on the earth.
  init() {}

  init(
    _ origin: Point, _ height: Double, in spatialReference: SpatialReference, needsHeight: Bool
  ) throws(EngineError) {
    geocentric = GeocentricSystem(try ReferenceEllipsoid(of: spatialReference.system))
    let solid = try spatialReference.geodeticSolid()
    reference = solid
    var options = ProjectionOptions()
    options.ignoresVertical = !needsHeight
    let projector = try Projector.between(spatialReference, solid, options: options)
    let points = try HeapArray<Point>(count: 1)
    let heights = try HeapArray<Double>(count: 1)
    points.buffer[0] = origin
    heights.buffer[0] = height
    let outcome = try projector.project(CoordinateColumns(points: points, z: heights))
    guard outcome.statuses.buffer[0] == .ok else {
      throw EngineError(
        .projectionFailed,
        "The origin (\(origin.x), \(origin.y)), height \(height), of \(spatialReference.name) is no place on the earth."
      )
    }
    isBallpark = outcome.used.contains { projector.isBallpark(operation: $0.operation) }
    let factor = (outcome.heightsWent ? solid : spatialReference).system.metresUpPerVerticalUnit
    place = solid.system.geodeticPlace(points.buffer[0], height: heights.buffer[0] * factor)
  }
}

extension Projector {
  /// Whether an operation of the plan takes datums or heights as equal.
  func isBallpark(operation: Int) -> Bool { !isIdentity && plan.operations[operation].isBallpark }
}

extension CoordinateSystem {
  /// Of a geographic system: a point's longitude (of Greenwich) and latitude in radians.
  @inline(__always)
  func geodeticPlace(_ point: Point, height: Double) -> GeodeticPlace {
    GeodeticPlace(
      longitude: point.x * siPerUnit + primeMeridian * (.pi / 180), latitude: point.y * siPerUnit, height: height)
  }

  /// The way back; the longitude is within half a turn of the prime meridian.
  func point(_ place: GeodeticPlace) -> Point {
    let longitude = remainder(place.longitude - primeMeridian * (.pi / 180), 2 * .pi)
    return Point(x: longitude / siPerUnit, y: place.latitude / siPerUnit)
  }
}
