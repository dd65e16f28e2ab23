import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension GeometryBuilder {
  /// Adds a geometry of other columns as it is.
  func copy(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    let kind = columns.kind(row)
    try begin(kind, columns.flags(row))
    if kind == .collection {
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) { try members().copy(inner, member) }
      }
      return try end()
    }
    for part in columns.parts(ofGeometry: row) {
      for path in columns.paths(ofPart: part) {
        for index in columns.vertices(ofPath: path) { try append(columns.vertex(index)) }
        try endPath()
      }
      try endPart()
    }
    try end()
  }
}

extension GEOSSession {
  /// Adds those lines or polygons of a geometry of GEOS's that are of a kind; what is of another dimension is left out.
  ///
  /// - Parameter isMulti: the result is marked as one of several parts, however many it has.
  func read(
    _ object: OpaquePointer, only kind: GeometryKind, isMulti: Bool, hasZ: Bool, into builder: GeometryBuilder
  ) throws(EngineError) {
    var flags: GeometryFlags = hasZ ? [.hasZ] : []
    if isMulti { flags.insert(.isMulti) }
    try builder.begin(kind, flags)
    try readParts(object, kind, hasZ, builder)
    try builder.end()
  }

  private func readParts(
    _ object: OpaquePointer, _ kind: GeometryKind, _ hasZ: Bool, _ builder: GeometryBuilder
  ) throws(EngineError) {
    let type = GEOSGeomTypes(UInt32(truncatingIfNeeded: max(0, GEOSGeomTypeId_r(handle, object))))
    switch type {
    case GEOS_LINESTRING, GEOS_LINEARRING:
      if kind == .polyline, GEOSisEmpty_r(handle, object) == 0 { try readPart(object, kind, hasZ, builder) }
    case GEOS_POLYGON:
      if kind == .polygon, GEOSisEmpty_r(handle, object) == 0 { try readPart(object, kind, hasZ, builder) }
    case GEOS_MULTIPOLYGON, GEOS_MULTILINESTRING, GEOS_GEOMETRYCOLLECTION:
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let one = GEOSGetGeometryN_r(handle, object, member) { try readParts(one, kind, hasZ, builder) }
      }
    default: break
    }
  }
}

extension GeometryArray {
  /// An array of what `write` makes of each geometry, on all cores. The geometries are usable, and `write` writes one
  /// for each.
  func mapped(
    _ write:
      @Sendable (
        _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, _ builder: GeometryBuilder
      ) throws(EngineError) -> Void
  ) throws(EngineError) -> GeometryArray {
    let slices = Lock<[Int: GeometryColumns]>([:])
    try forEachSlice { (rows) throws(EngineError) in
      let session = try GEOSSession()
      let builder = try GeometryBuilder(policy: runtime.policy)
      for row in rows {
        try TimeLimit.check()
        do throws(EngineError) { try write(columns, row, session, builder) } catch {
          throw EngineError(
            error.status, "Geometry \(row): \(error.message)", argument: error.argument, domain: error.domain)
        }
      }
      let made = try builder.finish(spatialReference)
      slices.withLock { $0[rows.lowerBound] = made }
    }
    let builder = try GeometryBuilder(policy: runtime.policy)
    for (_, columns) in slices.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      for row in 0..<columns.count { try builder.copy(columns, row) }
    }
    return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
  }
}
