import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Has GEOS look at polygons whose sides rounding may have made cross, and unites them anew where it has.
enum PolygonRepair {
  /// - Parameter isDoubtful: which polygons to look at.
  /// - Returns: the other polygons, then the union of those if they are not valid.
  static func repaired(
    _ polygons: PolygonBuffers, _ isDoubtful: GrowingBuffer<Bool>, _ workers: Workers,
    _ policy: Policy
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
    let loops = (0..<polygons.polygonCount).filter { isDoubtful.values[$0] }.map { polygon in
      polygons.rings(of: polygon).map { SweepLoop(points: Array(polygons.vertices(of: $0).dropLast())) }
    }
    let union = SweepUnion(loops.map { SweepUnion.Leaf(loops: $0) }, workers: workers, policy: policy)
    let result = try PolygonBuffers()
    for polygon in 0..<polygons.polygonCount where !isDoubtful.values[polygon] {
      try result.append(polygon: polygon, of: polygons)
    }
    for rings in try union.outline().polygons() {
      for ring in rings {
        var points = ring.map(union.point)
        try points.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try result.append(ring: points) }
      }
      try result.endPolygon()
    }
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
}
