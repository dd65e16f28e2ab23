import AlidadeCoordinates

/// What a geometry is made of. The numbers are those of `ald_geometry_kind`.
public enum GeometryKind: Int32, Sendable, CaseIterable {
  case point = 1
  case multipoint = 2
  case polyline = 3
  case polygon = 4
  case collection = 5
}

/// What else there is to say of a geometry. The numbers are those of `ald_geometry_flags`.
public struct GeometryFlags: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Vertices have a z.
  public static let hasZ = GeometryFlags(rawValue: 1)
  /// Vertices have a measure.
  public static let hasM = GeometryFlags(rawValue: 2)
  /// A polyline or polygon that is written as MULTILINESTRING or MULTIPOLYGON, however many parts it has.
  public static let isMulti = GeometryFlags(rawValue: 4)

  var dimensions: GeometryFlags { intersection([.hasZ, .hasM]) }
  /// Numbers per vertex: 2 to 4.
  var dimensionCount: Int { 2 &+ (contains(.hasZ) ? 1 : 0) &+ (contains(.hasM) ? 1 : 0) }
}

/// A vertex with all that it may have; NaN where it has none.
public struct Vertex: Sendable {
  public var point: Point
  public var z: Double
  public var m: Double

  public init(_ point: Point, z: Double = .nan, m: Double = .nan) {
    self.point = point
    self.z = z
    self.m = m
  }
}
