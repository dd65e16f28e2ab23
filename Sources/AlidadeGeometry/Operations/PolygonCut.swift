import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Cuts a polygon: its rings and the line are noded, and what they enclose is put together anew.
struct PolygonCut: ~Copyable {
  private let polygon: Geometry
  private let cutter: Geometry
  private let knife: Knife
  private let session: GEOSSession

  init(_ polygon: Geometry, _ cutter: Geometry, _ knife: Knife) throws(EngineError) {
    let session = try GEOSSession()
    self.polygon = polygon
    self.cutter = cutter
    self.knife = knife
    self.session = session
  }

  /// Adds the pieces; answers the side of each.
  func write(into builder: GeometryBuilder) throws(EngineError) -> [CutSide] {
    let whole = try session.object(polygon.columns, polygon.row)
    let line = try session.object(cutter.columns, cutter.row)
    if try write(faces(of: whole, cutBy: line), of: whole, into: builder) { return try sides(builder) }
    // What is nearer to each other than doubles can tell confuses GEOS: there the line is laid on the polygon.
    let reach = knife.hair * 100
    guard let laid = GEOSObject(GEOSSnap_r(session.handle, line.pointer, whole.pointer, reach), in: session) else {
      throw session.refusal("A cut")
    }
    if try write(faces(of: whole, cutBy: laid), of: whole, into: builder) { return try sides(builder) }
    throw GEOSSession.contradiction("A cut could not be computed")
  }

  /// What the polygon's rings and a line enclose.
  private func faces(
    of whole: borrowing GEOSObject, cutBy line: borrowing GEOSObject
  ) throws(EngineError) -> GEOSObject {
    let handle = session.handle
    guard let rings = GEOSObject(GEOSBoundary_r(handle, whole.pointer), in: session),
      let noded = GEOSObject(GEOSUnion_r(handle, rings.pointer, line.pointer), in: session)
    else { throw session.refusal("A cut") }
    var input: OpaquePointer? = noded.pointer
    guard let faces = GEOSObject(GEOSPolygonize_r(handle, &input, 1), in: session) else {
      throw session.refusal("A cut")
    }
    return faces
  }

  /// Adds those faces that lie in the polygon; false, and nothing is added, if they do not make it up.
  private func write(
    _ faces: consuming GEOSObject, of whole: borrowing GEOSObject, into builder: GeometryBuilder
  ) throws(EngineError) -> Bool {
    let handle = session.handle
    guard let prepared = GEOSPrepare_r(handle, whole.pointer) else { throw session.refusal("A cut") }
    defer { GEOSPreparedGeom_destroy_r(handle, prepared) }
    var pieces: [OpaquePointer] = []
    var area = 0.0
    for number in 0..<GEOSGetNumGeometries_r(handle, faces.pointer) {
      guard let face = GEOSGetGeometryN_r(handle, faces.pointer, number),
        let inner = GEOSObject(GEOSPointOnSurface_r(handle, face), in: session)
      else { throw session.refusal("A cut") }
      // Holes are faces, too.
      guard try session.truth(GEOSPreparedIntersects_r(handle, prepared, inner.pointer)) else { continue }
      area += try self.area(face)
      pieces.append(face)
    }
    let expected = try self.area(whole.pointer)
    guard abs(area - expected) <= expected * 1e-6 else { return false }
    let hasZ = polygon.flags.contains(.hasZ)
    for piece in pieces { try session.read(piece, only: .polygon, isMulti: false, hasZ: hasZ, into: builder) }
    return true
  }

  private func area(_ object: OpaquePointer) throws(EngineError) -> Double {
    var area = 0.0
    guard GEOSArea_r(session.handle, object, &area) == 1 else { throw session.refusal("An area") }
    return area
  }

  private struct Edge: Hashable {
    let numbers: SIMD4<UInt64>
    init(_ a: Point, _ b: Point) {
      numbers = SIMD4(a.x.bitPattern, a.y.bitPattern, b.x.bitPattern, b.y.bitPattern)
    }
  }

  /// An edge that two pieces share is one of the line's; it says on which side of the line each of the two lies.
  private func sides(_ builder: GeometryBuilder) throws(EngineError) -> [CutSide] {
    let pieces = builder.partOffsets.count &- 1
    var edges: Set<Edge> = []
    for piece in 0..<pieces { Self.forEachEdge(builder, piece) { edges.insert(Edge($0, $1)) } }
    return (0..<pieces).map { piece in
      var votes: Set<CutSide> = []
      Self.forEachEdge(builder, piece) { start, end in
        if edges.contains(Edge(end, start)) { votes.insert(knife.side(leftOf: start, end)) }
      }
      return CutSide(votes: votes)
    }
  }

  /// The edges of a piece, each with the piece on its left.
  private static func forEachEdge(_ builder: GeometryBuilder, _ piece: Int, _ body: (Point, Point) -> Void) {
    let parts = builder.partOffsets.number(piece)..<builder.partOffsets.number(piece &+ 1)
    for part in parts {
      let paths = builder.pathOffsets.number(part)..<builder.pathOffsets.number(part &+ 1)
      for path in paths {
        let ring = builder.points.buffer[
          builder.vertexOffsets.number(path)..<builder.vertexOffsets.number(path &+ 1)]
        guard let origin = ring.first else { continue }
        var area = 0.0
        for (a, b) in zip(ring, ring.dropFirst()) {
          area += (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x)
        }
        let isForward = (area > 0) == (path == paths.lowerBound)
        for (a, b) in zip(ring, ring.dropFirst()) { if isForward { body(a, b) } else { body(b, a) } }
      }
    }
  }
}
