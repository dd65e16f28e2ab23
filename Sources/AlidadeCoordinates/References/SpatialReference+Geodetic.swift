import AlidadeBase
import CPROJ

extension SpatialReference {
  /// The longitudes and latitudes of its own datum, which lie on its ellipsoid; itself if it has them. A geographic system
  /// that is derived from another one, such as one with a pole of its own, is based on that. Made once.
  public func geodeticBase() throws(EngineError) -> SpatialReference {
    let known = base.withLock { $0 }
    if known.isKnown { return known.reference ?? self }
    let found = try CoordinateService.of(runtime).withSession(runtime) {
      (session) throws(EngineError) -> SpatialReference? in
      var part = try system.horizontalObject(in: session)
      var isItself = kind == .geographic
      if let geodetic = ProjObject(proj_crs_get_geodetic_crs(session.context, part.pointer), in: session), !isItself {
        part = geodetic
      }
      while proj_crs_is_derived(session.context, part.pointer) != 0 {
        guard let source = ProjObject(proj_get_source_crs(session.context, part.pointer), in: session) else { break }
        isItself = false
        part = source
      }
      if isItself { return nil }
      guard kind != .local, proj_get_type(part.pointer) != PJ_TYPE_PROJECTED_CRS else {
        throw EngineError(.unsupported, "\(name) has no longitudes and latitudes: it lies nowhere on the earth.")
      }
      return try basis(part, in: session)
    }
    base.withLock { $0 = (true, found) }
    return found ?? self
  }
}
