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

/// A local frame around an origin, for engines whose coordinates are small: an immutable value.
public final class EngineFrame: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let kind: EngineFrameKind
  public let axes: EngineAxes
  public let metresPerUnit: Double
  /// The spatial reference in which the frame was created.
  public let spatialReference: SpatialReference
  /// As it was given.
  public let origin: Point
  public let originHeight: Double
  /// The origin was brought to longitude and latitude by an operation that takes datums or heights as equal.
  public let isBallpark: Bool
  /// The maps from the frame's coordinates to the world's and back. The world is earth-centred, or the spatial
  /// reference.
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

  /// For an origin that is not on the earth.
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
        "The origin (\(origin.x), \(origin.y)), height \(height), of \(spatialReference.name) has no position on the earth."
      )
    }
    isBallpark = outcome.tally.used.contains { projector.isBallpark(operation: $0.operation) }
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

extension EngineAxes {
  /// The engine's x, y and z as directions in east, north and up.
  public var directions: (x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    let (east, north, up) = (SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1))
    return switch self {
    case .eastNorthUp: (east, north, up)
    case .unreal: (east, -north, up)
    case .unity: (east, up, north)
    case .godot: (east, up, -north)
    }
  }

  public var isLeftHanded: Bool { self == .unreal || self == .unity }

  /// The usual unit of the engine: a centimetre or a metre.
  public var usualMetresPerUnit: Double { self == .unreal ? 0.01 : 1 }
}

/// An affine map of space, y = x * columns.0 + y * columns.1 + z * columns.2 + columns.3.
public struct AffineMap: Sendable {
  public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  public init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>, _ shift: SIMD3<Double>) {
    columns = (x, y, z, shift)
  }

  @inline(__always)
  public func image(_ point: SIMD3<Double>) -> SIMD3<Double> {
    direction(point) + columns.3
  }

  /// The image without the shift.
  @inline(__always)
  public func direction(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    columns.0 * vector.x + columns.1 * vector.y + columns.2 * vector.z
  }

  /// The three rows of the linear part as columns.
  var transposed: AffineMap {
    let (a, b, c, _) = columns
    return AffineMap(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z), .zero)
  }

  /// The sixteen numbers of a 4x4 matrix, column by column.
  public var elements: [Double] {
    let (a, b, c, d) = columns
    return [a.x, a.y, a.z, 0, b.x, b.y, b.z, 0, c.x, c.y, c.z, 0, d.x, d.y, d.z, 1]
  }
}

/// A position by longitude and latitude, in radians, and height above the ellipsoid in metres.
struct GeodeticPlace {
  var longitude: Double
  var latitude: Double
  var height: Double
}

/// Earth-centred coordinates on an ellipsoid, in metres: x through longitude 0 on the equator, z through the north pole.
struct GeocentricSystem: Sendable {
  private let semiMajorAxis: Double
  private let semiMinorAxis: Double
  private let flattening: Double
  private let eccentricitySquared: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    semiMajorAxis = ellipsoid.semiMajorAxis
    semiMinorAxis = ellipsoid.semiMinorAxis
    flattening = ellipsoid.flattening
    eccentricitySquared = ellipsoid.eccentricitySquared
  }

  @inline(__always)
  func position(_ place: GeodeticPlace) -> SIMD3<Double> {
    let (sine, cosine) = (sin(place.latitude), cos(place.latitude))
    let normal = semiMajorAxis / (1 - eccentricitySquared * sine * sine).squareRoot()
    let outward = (normal + place.height) * cosine
    return SIMD3(
      outward * cos(place.longitude), outward * sin(place.longitude),
      (normal * (1 - eccentricitySquared) + place.height) * sine)
  }

  /// Nil near the middle of the earth, where a position has no one latitude: nearer than a tenth of the semi-major axis.
  ///
  /// B. R. Bowring, Transformation from spatial to geographical coordinates, Survey Review 23 (1976), iterated: each
  /// round multiplies the error by about the square of the eccentricity.
  func place(_ position: SIMD3<Double>) -> GeodeticPlace? {
    let outward = hypot(position.x, position.y)
    // A NaN fails this, too.
    guard hypot(outward, position.z) > 0.1 * semiMajorAxis else { return nil }
    let secondSquared = eccentricitySquared / (1 - eccentricitySquared)
    // The parametric latitude's tangent as a pair, so that the poles are no exception.
    var (up, out) = (position.z, (1 - flattening) * outward)
    var (sine, cosine) = (0.0, 1.0)
    for _ in 0..<20 {
      let length = hypot(up, out)
      let (s, c) = (up / length, out / length)
      let y = position.z + secondSquared * semiMinorAxis * s * s * s
      let x = max(0, outward - eccentricitySquared * semiMajorAxis * c * c * c)
      let norm = hypot(x, y)
      let (nextSine, nextCosine) = (y / norm, x / norm)
      let change = max((nextSine - sine).magnitude, (nextCosine - cosine).magnitude)
      (sine, cosine) = (nextSine, nextCosine)
      if change < 1e-16 { break }
      (up, out) = ((1 - flattening) * sine, cosine)
    }
    let height =
      outward * cosine + position.z * sine
      - semiMajorAxis * (1 - eccentricitySquared * sine * sine).squareRoot()
    return GeodeticPlace(longitude: atan2(position.y, position.x), latitude: atan2(sine, cosine), height: height)
  }

  /// East, north and up at a position, as directions of the earth-centred axes.
  func axes(at place: GeodeticPlace) -> (east: SIMD3<Double>, north: SIMD3<Double>, up: SIMD3<Double>) {
    let (sinLat, cosLat) = (sin(place.latitude), cos(place.latitude))
    let (sinLon, cosLon) = (sin(place.longitude), cos(place.longitude))
    return (
      SIMD3(-sinLon, cosLon, 0), SIMD3(-sinLat * cosLon, -sinLat * sinLon, cosLat),
      SIMD3(cosLat * cosLon, cosLat * sinLon, sinLat)
    )
  }

  /// The radii of curvature along the meridian and across it, in metres.
  func radii(latitude: Double) -> (meridian: Double, across: Double) {
    let sine = sin(latitude)
    let root = (1 - eccentricitySquared * sine * sine).squareRoot()
    return (semiMajorAxis * (1 - eccentricitySquared) / (root * root * root), semiMajorAxis / root)
  }
}

/// How a map differs from the ground at a point.
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

  /// NaN within 0.12 degrees of a pole, where the map ends, and where a position on the earth is not known.
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
