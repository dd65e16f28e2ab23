import AlidadeBase
import CPROJ

extension SpatialReference {
  /// The longitudes, latitudes and ellipsoidal heights in metres of its own datum.
  func geodeticSolid() throws(EngineError) -> SpatialReference {
    let base = try geodeticBase()
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let flat = try base.system.horizontalObject(in: session)
      guard let solid = ProjObject(proj_crs_promote_to_3D(session.context, nil, flat.pointer), in: session),
        let text = proj_as_projjson(session.context, solid.pointer, nil)
      else {
        throw session.failure(.internal, "PROJ gives no ellipsoidal heights to what \(name) is based on")
      }
      return SpatialReference(
        runtime: runtime, system: try CoordinateSystem(solid, definition: String(cString: text)))
    }
  }
}

extension CoordinateSystem {
  /// What turns a number of the vertical axis into metres upwards; 1 without a vertical part, where heights are metres.
  public var metresUpPerVerticalUnit: Double {
    guard let vertical else { return 1 }
    return vertical.isDepth ? -vertical.metresPerUnit : vertical.metresPerUnit
  }
}
