import AlidadeBase
import CGEOS

/// Geometries of GEOS's that wait to be united.
final class GEOSPile {
  private var parts: [OpaquePointer?] = []
  private let handle: OpaquePointer

  /// The session must outlive it.
  init(_ session: borrowing GEOSSession) { handle = session.handle }

  deinit { for part in parts { GEOSGeom_destroy_r(handle, part) } }

  var count: Int { parts.count }
  var first: OpaquePointer? { parts.first ?? nil }

  func append(_ part: consuming GEOSObject) { parts.append(part.release()) }

  /// Gives all away.
  func take() -> [OpaquePointer?] {
    defer { parts = [] }
    return parts
  }
}

extension GEOSSession {
  /// Polygons as an object of GEOS's.
  func object(_ polygons: CirclePolygons) throws(EngineError) -> GEOSObject {
    let made = try collect(GEOS_MULTIPOLYGON, 0..<polygons.polygonCount) { (polygon) throws(EngineError) in
      var rings: [OpaquePointer?] = []
      for ring in polygons.polygonOffsets[polygon]..<polygons.polygonOffsets[polygon &+ 1] {
        let vertices = UnsafeBufferPointer(
          rebasing: polygons.vertices[polygons.ringOffsets[ring]..<polygons.ringOffsets[ring &+ 1]])
        // A Point is two doubles.
        let numbers = UnsafeRawPointer(vertices.baseAddress)?.assumingMemoryBound(to: Double.self)
        guard
          let sequence = GEOSCoordSeq_copyFromBuffer_r(handle, numbers, UInt32(clamping: vertices.count), 0, 0),
          let made = GEOSGeom_createLinearRing_r(handle, sequence)
        else {
          for ring in rings { GEOSGeom_destroy_r(handle, ring) }
          throw failure("A ring could not be handed to GEOS")
        }
        rings.append(made)
      }
      let shell = rings.removeFirst()
      return GEOSGeom_createPolygon_r(handle, shell, &rings, UInt32(clamping: rings.count))
    }
    guard let object = GEOSObject(made, in: self) else { throw failure("Polygons could not be handed to GEOS") }
    return object
  }
}
