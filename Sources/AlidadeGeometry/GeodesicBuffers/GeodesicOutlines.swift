import AlidadeBase
import AlidadeCoordinates
import Glibc

/// An ellipse on the earth. In each direction from the centre, its outline is as far away as the outline of the planar
/// ellipse.
public struct GeodesicEllipse: Sendable {
  /// The centre, in the spatial reference.
  public var centre: Point
  /// The semi-axes along the axis direction and across it.
  public var semiAxis1: Double
  public var semiAxis2: Double
  /// The direction of the first axis, degrees clockwise from north.
  public var azimuth: Double

  public init(centre: Point, semiAxis1: Double, semiAxis2: Double, azimuth: Double) {
    (self.centre, self.semiAxis1, self.semiAxis2, self.azimuth) = (centre, semiAxis1, semiAxis2, azimuth)
  }
}

/// A sector on the earth: the area within a distance of the centre, between two directions.
public struct GeodesicSector: Sendable {
  /// The centre, in the spatial reference.
  public var centre: Point
  public var radius: Double
  /// The direction in which the sector begins, degrees clockwise from north.
  public var azimuth: Double
  /// The angle from there, clockwise, more than 0 and at most 360 degrees.
  public var angle: Double

  public init(centre: Point, radius: Double, azimuth: Double, angle: Double) {
    (self.centre, self.radius, self.azimuth, self.angle) = (centre, radius, azimuth, angle)
  }
}

extension Geometry {
  /// - Parameter maximumDeviation: the allowed deviation of the outline on the ground; nil means a thousandth of the
  /// longer semi-axis.
  /// - Returns: the polygon, and the largest deviation of its outline in metres.
  public static func make(
    _ ellipse: GeodesicEllipse, in reference: SpatialReference, unit: Unit?, maximumDeviation: Double?
  ) throws(EngineError) -> (geometry: Geometry, achievedDeviation: Double) {
    let size = max(ellipse.semiAxis1, ellipse.semiAxis2)
    let maker = try OutlineMaker(reference, ellipse.centre, unit, size, maximumDeviation)
    let (a, b) = (try maker.metres(ellipse.semiAxis1, "semi-axis"), try maker.metres(ellipse.semiAxis2, "semi-axis"))
    let azimuth = try maker.azimuth(ellipse.azimuth)
    return try maker.geometry { (path) throws(EngineError) in
      // Counter-clockwise.
      try path.append(pieces: 64) { t in
        let (sine, cosine) = sineAndCosine(degrees: -360 * t)
        let (x, y) = (a * cosine, b * sine)
        return maker.place(azimuth + atan2(y, x) * Earth.degrees, hypot(x, y))
      }
    }
  }

  /// - Parameter maximumDeviation: the allowed deviation of the outline on the ground; nil means a thousandth of the
  /// radius.
  /// - Returns: the polygon, and the largest deviation of its outline in metres.
  public static func make(
    _ sector: GeodesicSector, in reference: SpatialReference, unit: Unit?, maximumDeviation: Double?
  ) throws(EngineError) -> (geometry: Geometry, achievedDeviation: Double) {
    guard sector.angle > 0, sector.angle <= 360 else {
      throw EngineError(
        .invalidArgument, "The angle is \(sector.angle): it must be more than 0 and at most 360 degrees.")
    }
    let maker = try OutlineMaker(reference, sector.centre, unit, sector.radius, maximumDeviation)
    let radius = try maker.metres(sector.radius, "radius")
    let start = try maker.azimuth(sector.azimuth)
    let end = start + sector.angle
    return try maker.geometry { (path) throws(EngineError) in
      let isWhole = sector.angle == 360
      let legs = Int(exactly: (radius / 500_000).rounded(.up)) ?? 1
      if !isWhole { try path.append(pieces: legs) { maker.place(end, $0 * radius) } }
      let arcs = Int(exactly: (sector.angle / 6).rounded(.up)) ?? 1
      try path.append(pieces: arcs) { maker.place(end - $0 * sector.angle, radius) }
      if !isWhole { try path.append(pieces: legs) { maker.place(start, (1 - $0) * radius) } }
    }
  }
}

/// Creates a polygon from an outline around a centre.
private struct OutlineMaker {
  private let reference: SpatialReference
  private let frame: GeodesicFrame
  private let plane: EarthPlane?
  private let centre: Point
  private let metresPerUnit: Double
  private let maximumDeviation: Double

  init(
    _ reference: SpatialReference, _ centre: Point, _ unit: Unit?, _ size: Double, _ maximumDeviation: Double?
  ) throws(EngineError) {
    self.reference = reference
    frame = try GeodesicFrame(reference)
    guard frame.isGeographic || reference.kind == .projected else {
      throw EngineError(
        .unsupported,
        "\(reference.name) has a pole of its own, so its coordinates are not longitudes and "
          + "latitudes on the earth. Create the polygon in another geographic spatial reference."
      )
    }
    plane = frame.isGeographic ? nil : try EarthPlane(reference)
    guard centre.isFinite else {
      throw EngineError(.invalidArgument, "The centre is (\(centre.x), \(centre.y)), which is not finite.")
    }
    self.centre = try frame.degrees(centre)
    guard self.centre.isFinite else { throw frame.nowhere(centre) }
    metresPerUnit = try Measurer.metres(unit)
    let wanted = (maximumDeviation ?? size / 1000) * metresPerUnit
    self.maximumDeviation = maximumDeviation == nil ? max(GeodesicBuffer.leastDeviation, wanted) : wanted
    guard self.maximumDeviation >= GeodesicBuffer.leastDeviation, self.maximumDeviation.isFinite else {
      throw EngineError(
        .invalidArgument,
        "The maximum deviation is \(self.maximumDeviation) m: it must be at least \(GeodesicBuffer.leastDeviation) m.")
    }
  }

  func metres(_ length: Double, _ what: String) throws(EngineError) -> Double {
    let metres = length * metresPerUnit
    let greatest = GeodesicCircle.greatestRadius(on: frame.geodesic.ellipsoid)
    guard metres >= GeodesicBuffer.leastDistance, metres <= greatest else {
      throw EngineError(
        .invalidArgument,
        "A \(what) is \(metres) m: it must be \(GeodesicBuffer.leastDistance) m to \(greatest) m.")
    }
    return metres
  }

  func azimuth(_ azimuth: Double) throws(EngineError) -> Double {
    guard azimuth.isFinite else { throw EngineError(.invalidArgument, "The azimuth is \(azimuth): it must be finite.") }
    return remainder(azimuth, 360)
  }

  func place(_ azimuth: Double, _ distance: Double) -> Point {
    frame.geodesic.direct(from: centre, azimuth: azimuth, distance: distance).point
  }

  func geometry(
    _ outline: (inout ChordPath) throws(EngineError) -> Void
  ) throws(EngineError) -> (Geometry, Double) {
    var path = ChordPath(
      frame.earth, maximumDeviation: maximumDeviation, edges: plane.map { .planar($0) } ?? .straight)
    try outline(&path)
    let turns = try path.close()
    let region = try EarthRegion(
      leftOf: path.points, turns: turns, isLarge: true, in: plane.map { ($0, frame.earth, maximumDeviation) })
    let world = plane.map(\.world) ?? MapOfWorld.degrees
    let union = RegionUnion(
      frame: world.map { RegionFrame(for: [region], in: $0) }, plane: plane, isSplit: true,
      workers: reference.runtime.workers, policy: reference.runtime.policy)
    let builder = try GeometryBuilder(policy: reference.runtime.policy)
    try builder.begin(.polygon, [])
    for polygon in try union.polygons([BufferPiece(boundary: [region])]) {
      for ring in polygon.oriented {
        for point in ring { try builder.append(Vertex(plane == nil ? try frame.point(point) : point)) }
        try builder.endPath()
      }
      try builder.endPart()
    }
    try builder.end()
    return (try Geometry(runtime: reference.runtime, builder, reference), path.achievedDeviation)
  }
}
