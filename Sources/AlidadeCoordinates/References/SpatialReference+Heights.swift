import AlidadeBase
import CPROJ

extension SpatialReference {
  /// The longitudes, latitudes and ellipsoidal heights in metres of its own datum.
  func geodeticSolid() throws(EngineError) -> SpatialReference {
    let base = try geodeticBase()
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let flat = try base.system.horizontalObject(in: session)
      guard let solid = ProjObject(proj_crs_promote_to_3D(session.context, nil, flat.pointer), in: session) else {
        throw session.failure(.projectionFailed, "PROJ gives no ellipsoidal heights to what \(name) is based on")
      }
      return try basis(solid, in: session)
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
