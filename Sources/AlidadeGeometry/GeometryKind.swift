import AlidadeCoordinates

extension GeometryFlags {
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
