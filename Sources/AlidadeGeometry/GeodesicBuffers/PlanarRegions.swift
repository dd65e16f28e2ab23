import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// GEOS geometries for the length of a computation: what is made here is destroyed with it.
final class PlanarRegions {
  private let session: GEOSSession
  private var kept: [OpaquePointer] = []
  private var handle: OpaquePointer { session.handle }
  /// What is taken off coordinates on the way in, and added on the way out. Where GEOS cannot do without, it snaps to
  /// 1e-12 of the largest coordinate: next to the origin that is little.
  private let origin: Point

  /// - Parameter box: where the regions lie, if that is known.
  init(in box: Envelope? = nil) throws(EngineError) {
    session = try GEOSSession()
    origin = box.map { Point(x: Self.origin($0.xMin, $0.xMax), y: Self.origin($0.yMin, $0.yMax)) } ?? Point(x: 0, y: 0)
  }

  /// A number of few digits in the middle, so that taking it off is exact; 0 where the middle is not far off.
  private static func origin(_ low: Double, _ high: Double) -> Double {
    let middle = low + (high - low) / 2
    guard middle.isFinite, high - low < middle.magnitude / 16 else { return 0 }
    let step = middle.binade.magnitude * 0x1p-20
    return (middle / step).rounded() * step
  }

  deinit { for geometry in kept { GEOSGeom_destroy_r(session.handle, geometry) } }

  private func keep(_ geometry: OpaquePointer?, _ what: String) throws(EngineError) -> OpaquePointer {
    guard let geometry else { throw session.failure(what) }
    kept.append(geometry)
    // GEOS itself cannot be stopped: its one way to do so stops all that the process does with it.
    try TimeLimit.check()
    return geometry
  }

  /// As GEOS has it, and as the host does.
  func relative(_ point: Point) -> Point { Point(x: point.x - origin.x, y: point.y - origin.y) }
  func absolute(_ point: Point) -> Point { Point(x: point.x + origin.x, y: point.y + origin.y) }

  private func inside(_ ring: [Point]) -> [Point] {
    origin.x == 0 && origin.y == 0 ? ring : ring.map { Point(x: $0.x - origin.x, y: $0.y - origin.y) }
  }

  /// A polygon inside a closed ring.
  func polygon(_ ring: [Point]) throws(EngineError) -> OpaquePointer {
    let sequence = inside(ring).withUnsafeBytes { bytes in
      GEOSCoordSeq_copyFromBuffer_r(
        handle, bytes.baseAddress?.assumingMemoryBound(to: Double.self), UInt32(truncatingIfNeeded: ring.count), 0, 0)
    }
    guard let sequence else { throw session.failure("A ring could not be made") }
    // GEOS takes over each of these, also when it refuses.
    guard let shell = GEOSGeom_createLinearRing_r(handle, sequence) else {
      throw session.failure("A ring could not be made")
    }
    return try keep(GEOSGeom_createPolygon_r(handle, shell, nil, 0), "A polygon could not be made")
  }

  /// A polygon of a shell and its holes.
  func polygon(_ rings: [[Point]]) throws(EngineError) -> OpaquePointer {
    guard rings.count > 1 else { return try polygon(rings.first ?? []) }
    var made: [OpaquePointer?] = []
    for ring in rings {
      let sequence = inside(ring).withUnsafeBytes { bytes in
        GEOSCoordSeq_copyFromBuffer_r(
          handle, bytes.baseAddress?.assumingMemoryBound(to: Double.self), UInt32(truncatingIfNeeded: ring.count), 0, 0)
      }
      guard let sequence, let line = GEOSGeom_createLinearRing_r(handle, sequence) else {
        for ring in made { GEOSGeom_destroy_r(handle, ring) }
        throw session.failure("A ring could not be made")
      }
      made.append(line)
    }
    var holes = Array(made.dropFirst())
    return try keep(
      GEOSGeom_createPolygon_r(handle, made[0], &holes, UInt32(truncatingIfNeeded: holes.count)),
      "A polygon could not be made")
  }

  /// Lines cut where they meet, so that they meet in their ends alone, and each stretch once; relative to the origin.
  func noded(_ lines: [[Point]]) throws(EngineError) -> [[Point]] {
    var made: [OpaquePointer?] = []
    for line in lines {
      let sequence = inside(line).withUnsafeBytes { bytes in
        GEOSCoordSeq_copyFromBuffer_r(
          handle, bytes.baseAddress?.assumingMemoryBound(to: Double.self), UInt32(truncatingIfNeeded: line.count), 0, 0)
      }
      guard let sequence, let line = GEOSGeom_createLineString_r(handle, sequence) else {
        for line in made { GEOSGeom_destroy_r(handle, line) }
        throw session.failure("A line could not be made")
      }
      made.append(line)
    }
    let count = UInt32(truncatingIfNeeded: made.count)
    let all = try keep(
      GEOSGeom_createCollection_r(
        handle, Int32(truncatingIfNeeded: GEOS_MULTILINESTRING.rawValue), &made, count),
      "Lines could not be collected")
    let united = try keep(GEOSUnaryUnion_r(handle, all), "Lines could not be cut where they meet")
    var found: [[Point]] = []
    for index in 0..<max(0, GEOSGetNumGeometries_r(handle, united)) {
      if let line = GEOSGetGeometryN_r(handle, united, index) { found.append(try relativePoints(line)) }
    }
    return found
  }

  /// 1 where the third point lies to the left of the line from the first to the second, -1 to its right, without rounding.
  func orientation(_ a: Point, _ b: Point, _ c: Point) -> Int32 {
    GEOSOrientationIndex_r(handle, a.x, a.y, b.x, b.y, c.x, c.y)
  }

  func box(_ xMin: Double, _ yMin: Double, _ xMax: Double, _ yMax: Double) throws(EngineError) -> OpaquePointer {
    try keep(
      GEOSGeom_createRectangle_r(handle, xMin - origin.x, yMin - origin.y, xMax - origin.x, yMax - origin.y),
      "A box could not be made")
  }

  func intersection(_ first: OpaquePointer, _ second: OpaquePointer) throws(EngineError) -> OpaquePointer {
    try polygonal(keep(GEOSIntersection_r(handle, first, second), "Two regions could not be intersected"))
  }

  func difference(_ first: OpaquePointer, _ second: OpaquePointer) throws(EngineError) -> OpaquePointer {
    try polygonal(keep(GEOSDifference_r(handle, first, second), "A region could not be taken out of another"))
  }

  /// Whether polygons are valid, also together.
  func areValid(_ polygons: [OpaquePointer]) throws(EngineError) -> Bool {
    GEOSisValid_r(handle, try collected(polygons, GEOS_MULTIPOLYGON)) == 1
  }

  /// A ring that rounding has made touch or cross itself is put right (GEOS's linework method: what is enclosed counts).
  func valid(_ region: OpaquePointer) throws(EngineError) -> OpaquePointer {
    if GEOSisValid_r(handle, region) == 1 { return region }
    return try polygonal(keep(GEOSMakeValid_r(handle, region), "A region could not be put right"))
  }

  /// The polygons alone: overlays leave behind points and lines where regions touch, and take no such collections.
  private func polygonal(_ region: OpaquePointer) throws(EngineError) -> OpaquePointer {
    guard GEOSGeomTypeId_r(handle, region) == Int32(truncatingIfNeeded: GEOS_GEOMETRYCOLLECTION.rawValue) else {
      return region
    }
    var parts: [OpaquePointer] = []
    for index in 0..<max(0, GEOSGetNumGeometries_r(handle, region)) {
      guard let part = GEOSGetGeometryN_r(handle, region, index), GEOSGeom_getDimensions_r(handle, part) == 2 else {
        continue
      }
      parts.append(part)
    }
    return try union(parts)
  }

  /// Of more vertices parts are united first, so that the time is looked at in between.
  private static let unionSize = 20_000

  func union(_ regions: [OpaquePointer]) throws(EngineError) -> OpaquePointer {
    if regions.count == 1, let only = regions.first { return only }
    if regions.count > 2, regions.reduce(0, { $0 &+ vertexCount($1) }) > Self.unionSize {
      let half = regions.count / 2
      let parts = [try union(Array(regions[..<half])), try union(Array(regions[half...]))]
      let all = try union(parts)
      for part in parts where !regions.contains(part) { discard(part) }
      return all
    }
    let all = try collected(regions, GEOS_GEOMETRYCOLLECTION)
    let united = try keep(GEOSUnaryUnion_r(handle, all), "Regions could not be united")
    discard(all)
    return united
  }

  private func vertexCount(_ region: OpaquePointer) -> Int {
    max(0, Int(truncatingIfNeeded: GEOSGetNumCoordinates_r(handle, region)))
  }

  /// Gives up what was made here and is of no more use.
  private func discard(_ geometry: OpaquePointer) {
    guard let index = kept.lastIndex(of: geometry) else { return }
    kept.remove(at: index)
    GEOSGeom_destroy_r(handle, geometry)
  }

  private func collected(_ regions: [OpaquePointer], _ type: GEOSGeomTypes) throws(EngineError) -> OpaquePointer {
    var copies: [OpaquePointer?] = []
    for region in regions {
      guard let copy = GEOSGeom_clone_r(handle, region) else {
        for copy in copies { GEOSGeom_destroy_r(handle, copy) }
        throw session.failure("A region could not be copied")
      }
      copies.append(copy)
    }
    let count = UInt32(truncatingIfNeeded: copies.count)
    return try keep(
      GEOSGeom_createCollection_r(handle, Int32(truncatingIfNeeded: type.rawValue), &copies, count),
      "Regions could not be collected")
  }

  func isEmpty(_ region: OpaquePointer) -> Bool { GEOSisEmpty_r(handle, region) != 0 }

  /// The rings of each polygon, the shell first; lines and points, which overlays leave behind, are left out.
  func polygons(_ region: OpaquePointer) throws(EngineError) -> [[[Point]]] {
    let count = GEOSGetNumGeometries_r(handle, region)
    var found: [[[Point]]] = []
    for index in 0..<max(0, count) {
      guard let part = GEOSGetGeometryN_r(handle, region, index) else { continue }
      let type = GEOSGeomTypeId_r(handle, part)
      if type == Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue) {
        if GEOSisEmpty_r(handle, part) == 0 { found.append(try rings(part)) }
      } else if type > Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue) {
        found += try polygons(part)
      }
    }
    return found
  }

  private func rings(_ polygon: OpaquePointer) throws(EngineError) -> [[Point]] {
    guard let shell = GEOSGetExteriorRing_r(handle, polygon) else { throw session.failure("A polygon has no shell") }
    var rings = [try points(shell)]
    for index in 0..<max(0, GEOSGetNumInteriorRings_r(handle, polygon)) {
      guard let hole = GEOSGetInteriorRingN_r(handle, polygon, index) else {
        throw session.failure("A polygon's hole is missing")
      }
      rings.append(try points(hole))
    }
    return rings
  }

  private func points(_ ring: OpaquePointer) throws(EngineError) -> [Point] {
    let points = try relativePoints(ring)
    return origin.x == 0 && origin.y == 0 ? points : points.map(absolute)
  }

  private func relativePoints(_ ring: OpaquePointer) throws(EngineError) -> [Point] {
    var count: UInt32 = 0
    guard let sequence = GEOSGeom_getCoordSeq_r(handle, ring), GEOSCoordSeq_getSize_r(handle, sequence, &count) == 1
    else { throw session.failure("A ring could not be read") }
    var points = [Point](repeating: .nan, count: Int(truncatingIfNeeded: count))
    let copied = points.withUnsafeMutableBytes {
      GEOSCoordSeq_copyToBuffer_r(handle, sequence, $0.baseAddress?.assumingMemoryBound(to: Double.self), 0, 0)
    }
    guard copied == 1 else { throw session.failure("A ring could not be read") }
    return points
  }
}
