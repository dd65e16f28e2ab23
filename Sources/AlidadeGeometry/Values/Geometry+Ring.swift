import AlidadeBase
import AlidadeCoordinates

extension Geometry {
  /// A polygon of one ring, which need not be closed.
  public static func make(
    runtime: Runtime, ring: [Point], spatialReference: SpatialReference?
  ) throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try builder.begin(.polygon, [])
    for point in ring { try builder.append(Vertex(point)) }
    try builder.endPath(openRings: .closed)
    try builder.endPart()
    try builder.end()
    return try Geometry(runtime: runtime, builder, spatialReference)
  }
}
