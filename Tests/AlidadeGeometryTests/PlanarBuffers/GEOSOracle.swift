import AlidadeCoordinates
import AlidadeGeometry
import CGEOS
import Glibc

/// What GEOS thinks of polygons.
final class GEOSOracle {
  private let handle = GEOS_init_r()
  private var geometries: [OpaquePointer?] = []

  deinit {
    for geometry in geometries { GEOSGeom_destroy_r(handle, geometry) }
    GEOS_finish_r(handle)
  }

  private func keep(_ geometry: OpaquePointer?) -> OpaquePointer? {
    geometries.append(geometry)
    return geometry
  }

  /// Numbers of parts and of holes, and the area.
  struct Facts: Equatable {
    var parts: Int
    var holes: Int
    var area: Double
  }

  private func ring(_ points: UnsafeBufferPointer<Point>) -> OpaquePointer? {
    // A Point is two doubles, x and y.
    let coordinates = UnsafeRawPointer(points.baseAddress)?.assumingMemoryBound(to: Double.self)
    let sequence = GEOSCoordSeq_copyFromBuffer_r(handle, coordinates, UInt32(points.count), 0, 0)
    return GEOSGeom_createLinearRing_r(handle, sequence)
  }

  /// A multipolygon.
  func geometry(_ polygons: CirclePolygons) -> OpaquePointer? {
    var parts: [OpaquePointer?] = (0..<polygons.polygonCount).map { polygon in
      let rings = polygons.rings(of: polygon)
      var holes: [OpaquePointer?] = rings.dropFirst().map { ring(UnsafeBufferPointer(rebasing: polygons.ring($0))) }
      let shell = ring(UnsafeBufferPointer(rebasing: polygons.ring(rings.lowerBound)))
      return GEOSGeom_createPolygon_r(handle, shell, &holes, UInt32(holes.count))
    }
    return keep(
      GEOSGeom_createCollection_r(handle, Int32(GEOS_MULTIPOLYGON.rawValue), &parts, UInt32(parts.count)))
  }

  /// Why a geometry is not valid; nil if it is.
  func fault(_ geometry: OpaquePointer?) -> String? {
    if GEOSisValid_r(handle, geometry) == 1 { return nil }
    guard let reason = GEOSisValidReason_r(handle, geometry) else { return "no answer" }
    defer { GEOSFree_r(handle, reason) }
    return String(cString: reason)
  }

  /// The union of polygons of 1024 corners on the circles, whose radii are first changed by `growth`.
  func union(_ circles: Circles, growth: Double = 0) -> OpaquePointer? {
    var parts: [OpaquePointer?] = zip(circles.centres, circles.radii).compactMap { centre, radius in
      guard radius + growth > 0, radius > 0 else { return nil }
      let corners = (0...1024).map { index in
        let angle = 2 * Double.pi * Double(index % 1024) / 1024
        return Point(x: centre.x + (radius + growth) * cos(angle), y: centre.y + (radius + growth) * sin(angle))
      }
      return GEOSGeom_createPolygon_r(handle, corners.withUnsafeBufferPointer { ring($0) }, nil, 0)
    }
    let all = keep(
      GEOSGeom_createCollection_r(handle, Int32(GEOS_MULTIPOLYGON.rawValue), &parts, UInt32(parts.count)))
    return keep(GEOSUnaryUnion_r(handle, all))
  }

  /// The area of what lies in one of two geometries and not in the other; nil if GEOS fails.
  func difference(_ a: OpaquePointer?, _ b: OpaquePointer?) -> Double? {
    guard let a, let b, let difference = keep(GEOSSymDifference_r(handle, a, b)) else { return nil }
    return facts(difference).area
  }

  func facts(_ geometry: OpaquePointer?) -> Facts {
    var area = 0.0
    GEOSArea_r(handle, geometry, &area)
    var facts = Facts(parts: 0, holes: 0, area: area)
    for index in 0..<max(0, GEOSGetNumGeometries_r(handle, geometry)) {
      guard let part = GEOSGetGeometryN_r(handle, geometry, index), GEOSisEmpty_r(handle, part) == 0 else { continue }
      facts.parts += 1
      facts.holes += Int(GEOSGetNumInteriorRings_r(handle, part))
    }
    return facts
  }
}
