import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension GEOSSession {
  /// Several lines or polygons as one object of GEOS's.
  func object(_ rows: [BufferInput.Row]) throws(EngineError) -> GEOSObject {
    if rows.count == 1, let only = rows.first { return try object(only.columns, only.row) }
    let made = try collect(GEOS_GEOMETRYCOLLECTION, rows.indices) { (index) throws(EngineError) in
      try make(rows[index].columns, rows[index].row)
    }
    guard let object = GEOSObject(made, in: self) else {
      throw failure("Geometries could not be handed to GEOS")
    }
    return object
  }

  /// Throws unless polygons are valid: GEOS takes a wrong side of a ring that crosses itself, and loses parts.
  func requireValid(_ object: borrowing GEOSObject) throws(EngineError) {
    var words: UnsafeMutablePointer<CChar>?
    var location: OpaquePointer?
    let answer = GEOSisValidDetail_r(handle, object.pointer, 0, &words, &location)
    defer {
      GEOSFree_r(handle, words)
      GEOSGeom_destroy_r(handle, location)
    }
    if answer == 1 { return }
    guard answer == 0 else { throw failure("Whether a polygon is valid could not be told") }
    var (x, y) = (Double.nan, Double.nan)
    if let location {
      _ = GEOSGeomGetX_r(handle, location, &x)
      _ = GEOSGeomGetY_r(handle, location, &y)
    }
    throw EngineError(
      .invalidArgument,
      "The polygon is not valid at (\(x), \(y)): \(words.map { String(cString: $0) } ?? ""). Repair it first, with "
        + "ald_geometry_create_repaired.", argument: 1, domain: .geos)
  }

  /// - Parameters:
  ///   - distance: negative and with a side: to the right.
  ///   - isSingleSided: whether lines are buffered on one side only.
  func buffer(
    _ object: borrowing GEOSObject, _ distance: Double, _ style: PlanarBufferStyle, segments: Int, isSingleSided: Bool
  ) throws(EngineError) -> GEOSObject {
    guard let parameters = GEOSBufferParams_create_r(handle) else {
      throw failure("A buffer could not be prepared")
    }
    defer { GEOSBufferParams_destroy_r(handle, parameters) }
    let caps: [PlanarBufferStyle.Cap: GEOSBufCapStyles] = [
      .round: GEOSBUF_CAP_ROUND, .flat: GEOSBUF_CAP_FLAT, .square: GEOSBUF_CAP_SQUARE,
    ]
    let joins: [PlanarBufferStyle.Join: GEOSBufJoinStyles] = [
      .round: GEOSBUF_JOIN_ROUND, .mitre: GEOSBUF_JOIN_MITRE, .bevel: GEOSBUF_JOIN_BEVEL,
    ]
    let cap = caps[style.cap] ?? GEOSBUF_CAP_ROUND
    let join = joins[style.join] ?? GEOSBUF_JOIN_ROUND
    guard
      // First of all: it resets the join.
      GEOSBufferParams_setQuadrantSegments_r(handle, parameters, Int32(clamping: segments)) == 1,
      GEOSBufferParams_setEndCapStyle_r(handle, parameters, Int32(truncatingIfNeeded: cap.rawValue)) == 1,
      GEOSBufferParams_setJoinStyle_r(handle, parameters, Int32(truncatingIfNeeded: join.rawValue)) == 1,
      GEOSBufferParams_setMitreLimit_r(handle, parameters, style.mitreLimit) == 1,
      GEOSBufferParams_setSingleSided_r(handle, parameters, isSingleSided ? 1 : 0) == 1
    else { throw failure("A buffer could not be prepared") }
    guard let made = GEOSObject(GEOSBufferWithParams_r(handle, object.pointer, parameters, distance), in: self) else {
      // Such as where the sides of a mitre coincide, far beyond the size of the geometry.
      var error = failure("GEOS cannot make a buffer of \(distance)")
      error.status = .unsupported
      throw error
    }
    return made
  }

  /// Adds the polygons in an object of GEOS's to the polygon that a builder is at: shells counterclockwise, holes
  /// clockwise. Lines and points in it are left out.
  func readPolygons(_ object: OpaquePointer, into builder: GeometryBuilder) throws(EngineError) {
    switch GEOSGeomTypeId_r(handle, object) {
    case Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue):
      guard GEOSisEmpty_r(handle, object) == 0, let shell = GEOSGetExteriorRing_r(handle, object) else { return }
      try readRing(shell, isHole: false, into: builder)
      for hole in 0..<GEOSGetNumInteriorRings_r(handle, object) {
        guard let ring = GEOSGetInteriorRingN_r(handle, object, hole) else { continue }
        try readRing(ring, isHole: true, into: builder)
      }
      try builder.endPart()
    case Int32(truncatingIfNeeded: GEOS_MULTIPOLYGON.rawValue),
      Int32(truncatingIfNeeded: GEOS_GEOMETRYCOLLECTION.rawValue):
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let part = GEOSGetGeometryN_r(handle, object, member) { try readPolygons(part, into: builder) }
      }
    default: return
    }
  }

  private func readRing(_ ring: OpaquePointer, isHole: Bool, into builder: GeometryBuilder) throws(EngineError) {
    var size: UInt32 = 0
    guard let sequence = GEOSGeom_getCoordSeq_r(handle, ring), GEOSCoordSeq_getSize_r(handle, sequence, &size) == 1
    else { throw failure("GEOS does not show the vertices of a ring") }
    let room = try builder.extend(by: Int(truncatingIfNeeded: size)).points
    guard let base = room.baseAddress else { return }
    // A Point is two doubles.
    let numbers = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Double.self)
    guard GEOSCoordSeq_copyToBuffer_r(handle, sequence, numbers, 0, 0) == 1, room.allSatisfy({ $0.isFinite }) else {
      throw failure("GEOS does not show the vertices of a ring")
    }
    if (room[...].shoelace.area < 0) != isHole { reverse(room) }
    try builder.endPath()
  }

  private func reverse(_ points: UnsafeMutableBufferPointer<Point>) {
    var points = points
    points.reverse()
  }

  /// The union of polygons, which are taken over.
  func united(_ polygons: consuming [OpaquePointer?]) throws(EngineError) -> GEOSObject {
    var parts = polygons
    let made = GEOSGeom_createCollection_r(
      handle, Int32(truncatingIfNeeded: GEOS_GEOMETRYCOLLECTION.rawValue), &parts, UInt32(clamping: parts.count))
    guard let all = GEOSObject(made, in: self) else { throw failure("Polygons could not be gathered") }
    guard let union = GEOSObject(GEOSUnaryUnion_r(handle, all.pointer), in: self) else {
      throw failure("Buffers could not be united")
    }
    return union
  }
}
