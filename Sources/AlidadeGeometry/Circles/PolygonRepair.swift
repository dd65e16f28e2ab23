import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Has GEOS look at polygons whose sides rounding may have made cross, and mend those where it has.
enum PolygonRepair {
  /// - Parameter isDoubtful: which polygons to look at.
  /// - Returns: the other polygons, then those, mended together if they are not valid.
  static func repaired(
    _ polygons: PolygonBuffers, _ isDoubtful: GrowingBuffer<Bool>
  ) throws(EngineError) -> PolygonBuffers {
    let session = try GEOSSession()
    var parts: [OpaquePointer?] = []
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      do throws(EngineError) {
        parts.append(try make(polygon, of: polygons, session))
      } catch {
        for part in parts { GEOSGeom_destroy_r(session.handle, part) }
        throw error
      }
    }
    let count = UInt32(truncatingIfNeeded: parts.count)
    let type = Int32(truncatingIfNeeded: GEOS_MULTIPOLYGON.rawValue)
    guard let all = GEOSGeom_createCollection_r(session.handle, type, &parts, count) else {
      throw session.failure("Polygons could not be gathered")
    }
    defer { GEOSGeom_destroy_r(session.handle, all) }
    if GEOSisValid_r(session.handle, all) == 1 { return polygons }
    // Each part by itself first: the union wants valid ones.
    guard let valid = GEOSMakeValid_r(session.handle, all) else {
      throw session.failure("The polygons of a union could not be mended")
    }
    defer { GEOSGeom_destroy_r(session.handle, valid) }
    guard let union = GEOSUnaryUnion_r(session.handle, valid) else {
      throw session.failure("The mended polygons could not be united")
    }
    defer { GEOSGeom_destroy_r(session.handle, union) }
    let result = try PolygonBuffers()
    for polygon in 0..<polygons.polygonCount where !isDoubtful.values[polygon] {
      try result.append(polygon: polygon, of: polygons)
    }
    try append(union, to: result, session)
    return result
  }

  private static func make(
    _ polygon: Int, of polygons: PolygonBuffers, _ session: borrowing GEOSSession
  ) throws(EngineError) -> OpaquePointer {
    var rings: [OpaquePointer?] = []
    for index in polygons.rings(of: polygon) {
      let vertices = polygons.vertices(of: index)
      // A Point is two doubles, x and y.
      let coordinates = UnsafeRawPointer(vertices.baseAddress)?.assumingMemoryBound(to: Double.self)
      guard
        let sequence = GEOSCoordSeq_copyFromBuffer_r(
          session.handle, coordinates, UInt32(truncatingIfNeeded: vertices.count), 0, 0),
        let ring = GEOSGeom_createLinearRing_r(session.handle, sequence)
      else {
        for ring in rings { GEOSGeom_destroy_r(session.handle, ring) }
        throw session.failure("A ring could not be made")
      }
      rings.append(ring)
    }
    let shell = rings.removeFirst()
    let count = UInt32(truncatingIfNeeded: rings.count)
    guard let made = GEOSGeom_createPolygon_r(session.handle, shell, &rings, count) else {
      throw session.failure("A polygon could not be made")
    }
    return made
  }

  /// Adds the polygons of a GEOS geometry; lines and points, which mending leaves of slivers, are left out.
  private static func append(
    _ geometry: OpaquePointer, to result: PolygonBuffers, _ session: borrowing GEOSSession
  ) throws(EngineError) {
    if GEOSGeomTypeId_r(session.handle, geometry) == Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue) {
      guard GEOSisEmpty_r(session.handle, geometry) == 0 else { return }
      try append(ring: GEOSGetExteriorRing_r(session.handle, geometry), isHole: false, to: result, session)
      for index in 0..<GEOSGetNumInteriorRings_r(session.handle, geometry) {
        try append(ring: GEOSGetInteriorRingN_r(session.handle, geometry, index), isHole: true, to: result, session)
      }
      return try result.endPolygon()
    }
    guard GEOSGeomTypeId_r(session.handle, geometry) > Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue) else { return }
    for index in 0..<GEOSGetNumGeometries_r(session.handle, geometry) {
      guard let part = GEOSGetGeometryN_r(session.handle, geometry, index) else { continue }
      try append(part, to: result, session)
    }
  }

  private static func append(
    ring: OpaquePointer?, isHole: Bool, to result: PolygonBuffers, _ session: borrowing GEOSSession
  ) throws(EngineError) {
    var size: UInt32 = 0
    guard let ring, let sequence = GEOSGeom_getCoordSeq_r(session.handle, ring),
      GEOSCoordSeq_getSize_r(session.handle, sequence, &size) == 1
    else { throw session.failure("A mended ring could not be read") }
    let points = try HeapArray<Point>(count: Int(truncatingIfNeeded: size))
    for index in 0..<size {
      var (x, y) = (0.0, 0.0)
      guard GEOSCoordSeq_getXY_r(session.handle, sequence, index, &x, &y) == 1 else {
        throw session.failure("A mended ring's vertex could not be read")
      }
      points.buffer[Int(truncatingIfNeeded: index)] = Point(x: x, y: y)
    }
    var vertices = points.buffer
    if (vertices[...].shoelace.area < 0) != isHole { vertices.reverse() }
    try result.append(ring: vertices)
  }
}
