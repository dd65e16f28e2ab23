import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Whether a geometry is valid, and if not, why and where.
public struct GeometryValidity: Sendable {
  public var isValid: Bool
  /// GEOS's words; empty if it is valid.
  public var reason: String
  /// NaN if it is valid.
  public var place: Point
}

/// How invalid geometries are repaired.
public enum RepairMethod: Sendable {
  /// Keeps all lines and builds polygons of what they enclose an odd number of times.
  case linework
  /// Takes shells for shells and holes for holes: shells are united, holes are taken away.
  case structure
  /// The same, and what has no area any more is kept as a line or a point.
  case structureKeepingCollapsed
}

extension Geometry {
  /// Whether the geometry is valid in the sense of OGC.
  ///
  /// - Parameter allowsTouchingRings: takes a ring that touches itself in a point, and so forms a hole, for valid, as
  ///   Esri's polygons have it.
  public func validity(allowsTouchingRings: Bool) throws(EngineError) -> GeometryValidity {
    try limited { [self] () throws(EngineError) -> GeometryValidity in
      let session = try GEOSSession()
      let object = try session.object(columns, row)
      return try session.validity(object, allowsTouchingRings: allowsTouchingRings)
    }
  }

  /// A valid geometry that is as near to this one as GEOS makes it; this one itself if it is valid.
  public func repaired(_ method: RepairMethod) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let session = try GEOSSession()
      let object = try session.object(columns, row)
      if try session.validity(object, allowsTouchingRings: false).isValid {
        return Geometry(runtime: runtime, columns: columns, row: row)
      }
      guard let parameters = GEOSMakeValidParams_create_r(session.handle) else {
        throw session.failure("A geometry could not be repaired")
      }
      defer { GEOSMakeValidParams_destroy_r(session.handle, parameters) }
      let isStructure = method != .linework
      guard
        GEOSMakeValidParams_setMethod_r(
          session.handle, parameters, isStructure ? GEOS_MAKE_VALID_STRUCTURE : GEOS_MAKE_VALID_LINEWORK) == 1,
        // Linework keeps everything, and GEOS refuses to be told otherwise.
        !isStructure
          || GEOSMakeValidParams_setKeepCollapsed_r(
            session.handle, parameters, method == .structureKeepingCollapsed ? 1 : 0) == 1
      else { throw session.failure("A geometry could not be repaired") }
      guard let mended = GEOSObject(GEOSMakeValidWithParams_r(session.handle, object.pointer, parameters), in: session)
      else { throw session.failure("A geometry could not be repaired") }
      let builder = try GeometryBuilder(policy: runtime.policy)
      try session.read(mended.pointer, hasZ: flags.contains(.hasZ), into: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

extension GEOSSession {
  func validity(
    _ object: borrowing GEOSObject, allowsTouchingRings: Bool
  ) throws(EngineError) -> GeometryValidity {
    var words: UnsafeMutablePointer<CChar>?
    var location: OpaquePointer?
    let flags =
      allowsTouchingRings ? Int32(truncatingIfNeeded: GEOSVALID_ALLOW_SELFTOUCHING_RING_FORMING_HOLE.rawValue) : 0
    let answer = GEOSisValidDetail_r(handle, object.pointer, flags, &words, &location)
    defer {
      GEOSFree_r(handle, words)
      GEOSGeom_destroy_r(handle, location)
    }
    switch answer {
    case 1: return GeometryValidity(isValid: true, reason: "", place: .nan)
    case 0:
      var place = Point.nan
      if let location {
        _ = GEOSGeomGetX_r(handle, location, &place.x)
        _ = GEOSGeomGetY_r(handle, location, &place.y)
      }
      return GeometryValidity(isValid: false, reason: words.map { String(cString: $0) } ?? "", place: place)
    default: throw failure("Whether a geometry is valid could not be told")
    }
  }
}
