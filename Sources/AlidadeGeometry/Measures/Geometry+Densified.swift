import AlidadeBase
import AlidadeCoordinates
import Glibc

/// How many vertices densifying adds.
public struct Density: Sendable {
  /// No segment is longer; nil: no limit. In the unit that is given with it.
  public var longestSegment: Double?
  /// The straight segments of the result keep within so much of the edges; nil: no limit. Geodesic measure alone.
  public var maximumDeviation: Double?

  public init(longestSegment: Double? = nil, maximumDeviation: Double? = nil) {
    self.longestSegment = longestSegment
    self.maximumDeviation = maximumDeviation
  }
}

extension Geometry {
  /// The geometry with vertices added along its edges. Those that there were stay, to the last bit.
  public func densified(_ density: Density, _ measure: Measure, unit: Unit?) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let densifier = try Densifier(spatialReference, density, measure, unit, runtime.policy)
      try densifier.rewriter.visitPaths(columns, row, densifier.plan)
      return try rewritten(densifier.rewriter)
    }
  }
}

extension GeometryArray {
  /// The geometries with vertices added along their edges.
  public func densified(_ density: Density, _ measure: Measure, unit: Unit?) throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let densifier = try Densifier(spatialReference, density, measure, unit, runtime.policy)
      try eachRow { (row) throws(EngineError) in
        try densifier.rewriter.visitPaths(columns, row, densifier.plan)
      }
      return try rewritten(densifier.rewriter)
    }
  }
}

extension Point {
  /// A point of the straight line to another one.
  func mixed(with other: Point, _ share: Double) -> Point {
    Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
  }
}

extension Vertex {
  /// A vertex at a point between this one and another; z and m by its share of the edge.
  func mixed(with other: Vertex, _ share: Double, at point: Point) -> Vertex {
    Vertex(point, z: z + share * (other.z - z), m: m + share * (other.m - m))
  }
}
