import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Pieces of a geometry, looking along the line that has cut it.
public struct CutPieces: Sendable {
  /// First the pieces on the left, then the pieces on the right, then the pieces that lie on neither side.
  public let array: GeometryArray
  public let leftCount: Int
  public let rightCount: Int
}

extension Geometry {
  /// The pieces into which a polyline cuts this polyline or polygon.
  public func cut(by cutter: Geometry) throws(EngineError) -> Related<CutPieces> {
    try runtime.limited { [self] () throws(EngineError) -> Related<CutPieces> in
      guard kind == .polyline || kind == .polygon, cutter.kind == .polyline else {
        throw EngineError(
          .unsupported, "Only polylines and polygons can be cut, and only by polylines.",
          parameter: cutter.kind == .polyline ? EngineError.receiver : "cutter")
      }
      try requireUsable()
      let (matched, receipt) = try cutter.projected(toMatch: spatialReference)
      try matched.requireUsable()
      let knife = Knife(matched)
      let parts = try GeometryBuilder(policy: runtime.policy)
      let sides =
        kind == .polygon
        ? try PolygonCut(self, matched, knife).write(into: parts)
        : try LineCut(self, matched, knife).write(into: parts)
      let columns = try parts.finish(spatialReference)
      let builder = try GeometryBuilder(policy: runtime.policy)
      for side in CutSide.allCases {
        for row in 0..<columns.count where sides[row] == side { try builder.copy(columns, row) }
      }
      let array = GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
      let pieces = CutPieces(
        array: array, leftCount: sides.count { $0 == .left }, rightCount: sides.count { $0 == .right })
      return Related(value: pieces, receipt: receipt)
    }
  }
}

/// Where a piece lies, looking along the line that has cut it.
enum CutSide: CaseIterable {
  case left, right, neither

  /// The side that all points agree on where the piece was cut.
  init(votes: Set<CutSide>) { self = votes.count == 1 ? votes.first ?? .neither : .neither }
}

/// The line that cuts.
struct Knife {
  let points: UnsafeBufferPointer<Point>
  /// Keeps the points.
  private let columns: GeometryColumns
  let runs: [SegmentRun]
  /// The distance that doubles hardly distinguish from 0 at the coordinates.
  let hair: Double

  init(_ geometry: Geometry) {
    columns = geometry.columns
    points = columns.points.buffer
    runs = SegmentRun.all(of: columns, paths: columns.paths(ofGeometry: geometry.row))
    let box = geometry.envelope ?? Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
    hair = max(abs(box.xMin), abs(box.yMin), abs(box.xMax), abs(box.yMax)) * 1e-14
  }

  /// The segment nearest to a point. Of several, such as at a corner, the one with the largest sideways distance.
  private func nearest(to place: Point) -> (a: Point, b: Point, distance: Double)? {
    var found: (a: Point, b: Point, distance: Double, beside: Double)?
    for run in runs where run.box.distance(to: place) <= found?.distance ?? .infinity {
      for index in run.vertices.dropLast() {
        let (a, b) = (points[index], points[index &+ 1])
        guard a != b else { continue }
        let distance = place.distance(toSegment: a, b)
        let reach = found?.distance ?? .infinity
        if distance > reach * (1 + 1e-9) { continue }
        let beside = abs(place.cross(a, b)) / a.distance(to: b)
        if distance < reach * (1 - 1e-9) || beside > found?.beside ?? -1 { found = (a, b, distance, beside) }
      }
    }
    return found.map { ($0.a, $0.b, $0.distance) }
  }

  /// Whether a point lies on the line.
  func holds(_ place: Point) -> Bool { nearest(to: place).map { $0.distance <= hair } ?? false }

  /// On which side a point lies; neither if it lies on the line.
  func side(of place: Point) -> CutSide {
    guard let segment = nearest(to: place), segment.distance > hair else { return .neither }
    let cross = place.cross(segment.a, segment.b)
    return cross > 0 ? .left : cross < 0 ? .right : .neither
  }

  /// On which side lies what is on the left of a stretch of this line, which goes with it or against it.
  func side(leftOf start: Point, _ end: Point) -> CutSide {
    let middle = Point(x: start.x + (end.x - start.x) / 2, y: start.y + (end.y - start.y) / 2)
    guard let segment = nearest(to: middle) else { return .neither }
    let along =
      (end.x - start.x) * (segment.b.x - segment.a.x) + (end.y - start.y) * (segment.b.y - segment.a.y)
    return along > 0 ? .left : along < 0 ? .right : .neither
  }
}

/// Some segments that follow each other, and their box.
struct SegmentRun {
  /// The range includes the last vertex.
  let vertices: Range<Int>
  let box: Envelope
  private static let length = 32

  static func all(of columns: GeometryColumns, paths: Range<Int>) -> [SegmentRun] {
    paths.flatMap { all(of: columns, vertices: columns.vertices(ofPath: $0)) }
  }

  static func all(of columns: GeometryColumns, vertices: Range<Int>) -> [SegmentRun] {
    var runs: [SegmentRun] = []
    var start = vertices.lowerBound
    while start &+ 1 < vertices.upperBound {
      let run = start..<min(vertices.upperBound, start &+ length &+ 1)
      if let box = Envelope(around: Array(columns.points.buffer[run])) {
        runs.append(SegmentRun(vertices: run, box: box))
      }
      start = run.upperBound &- 1
    }
    return runs
  }
}

extension Envelope {
  /// The box around two points.
  init(_ a: Point, _ b: Point) {
    self.init(xMin: min(a.x, b.x), yMin: min(a.y, b.y), xMax: max(a.x, b.x), yMax: max(a.y, b.y))
  }
}

extension Point {
  /// Above 0 if this point lies on the left of the line from one to another.
  fileprivate func cross(_ a: Point, _ b: Point) -> Double {
    (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
  }
}

/// Cuts lines where they meet another one; z and m are interpolated there.
struct LineCut: ~Copyable {
  private let line: Geometry
  private let cutter: Geometry
  private let knife: Knife
  private let session: GEOSSession

  init(_ line: Geometry, _ cutter: Geometry, _ knife: Knife) throws(EngineError) {
    let session = try GEOSSession()
    self.line = line
    self.cutter = cutter
    self.knife = knife
    self.session = session
  }

  /// A position along a path: a vertex, or a point between it and the next.
  private struct Cut {
    let index: Int
    let share: Double
    let vertex: Vertex
  }

  func write(into builder: GeometryBuilder) throws(EngineError) -> [CutSide] {
    var sides: [CutSide] = []
    for path in line.columns.paths(ofGeometry: line.row) {
      let vertices = line.columns.vertices(ofPath: path)
      if vertices.isEmpty { continue }
      for piece in try pieces(vertices, try cuts(vertices)) {
        try TimeLimit.check()
        try builder.begin(.polyline, line.flags.dimensions)
        for vertex in piece.vertices { try builder.append(vertex) }
        try builder.endPathAndPart()
        try builder.end()
        sides.append(side(of: piece))
      }
    }
    return sides
  }

  /// What a cut takes in arrays that grow by doubling, and the piece that begins there.
  private static let bytesPerCut = 4 &* MemoryLayout<Cut>.stride &+ 2 &* MemoryLayout<Piece>.stride &+ 128

  /// The points at which a path meets the cutter, in order. Where they share a stretch, the points at which a segment
  /// of one of them begins or ends.
  private func cuts(_ vertices: Range<Int>) throws(EngineError) -> [Cut] {
    let columns = line.columns
    var cuts: [Cut] = []
    for run in SegmentRun.all(of: columns, vertices: vertices) {
      for other in knife.runs where run.box.meets(other.box) {
        for index in run.vertices.dropLast() {
          try TimeLimit.check()
          for place in try meetings(columns.points[index], columns.points[index &+ 1], other) {
            if let cut = cut(index, place) { cuts.append(cut) }
          }
          try line.runtime.policy.check(bytes: cuts.count, Self.bytesPerCut)
        }
      }
    }
    cuts.sort { ($0.index, $0.share) < ($1.index, $1.share) }
    var different: [Cut] = []
    for cut in cuts where different.last.map({ $0.index != cut.index || $0.share != cut.share }) ?? true {
      different.append(cut)
    }
    return different
  }

  /// The points at which a segment meets the segments of a run of the cutter.
  private func meetings(_ a: Point, _ b: Point, _ run: SegmentRun) throws(EngineError) -> [Point] {
    if a == b { return [] }
    var places: [Point] = []
    for index in run.vertices.dropLast() {
      let (c, d) = (knife.points[index], knife.points[index &+ 1])
      if c == d || !Envelope(a, b).meets(Envelope(c, d)) { continue }
      let sides = (try turn(a, b, c), try turn(a, b, d), try turn(c, d, a), try turn(c, d, b))
      if sides.0 == 0 { places.append(c) }
      if sides.1 == 0 { places.append(d) }
      if sides.2 == 0 { places.append(a) }
      if sides.3 == 0 { places.append(b) }
      guard sides.0 &* sides.1 < 0, sides.2 &* sides.3 < 0 else { continue }
      var place = Point.nan
      let answer = GEOSSegmentIntersection_r(
        session.handle, a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y, &place.x, &place.y)
      guard answer == 1 else { throw session.refusal("A cut") }
      places.append(place)
    }
    return places
  }

  /// 1 if a point lies on the left of the line from one to another, -1 on the right, 0 on it; exactly.
  private func turn(_ a: Point, _ b: Point, _ point: Point) throws(EngineError) -> Int32 {
    let answer = GEOSOrientationIndex_r(session.handle, a.x, a.y, b.x, b.y, point.x, point.y)
    guard (-1...1).contains(answer) else { throw session.refusal("A cut") }
    return answer
  }

  /// A point on the segment after a vertex; nil if it is not there, or is the next vertex, which has an entry of its
  /// own.
  private func cut(_ index: Int, _ place: Point) -> Cut? {
    let (start, end) = (line.columns.vertex(index), line.columns.vertex(index &+ 1))
    let (a, b) = (start.point, end.point)
    // What lies on the line through the segment, but beyond its ends, is no meeting.
    guard place.distance(toSegment: a, b) <= knife.hair else { return nil }
    if place.distance(to: a) <= knife.hair { return Cut(index: index, share: 0, vertex: start) }
    if place.distance(to: b) <= knife.hair { return Cut(index: index &+ 1, share: 0, vertex: end) }
    let share = place.distance(to: a) / a.distance(to: b)
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Cut(
      index: index, share: share, vertex: Vertex(place, z: between(start.z, end.z), m: between(start.m, end.m)))
  }

  private struct Piece {
    var vertices: [Vertex]
    /// Whether its ends are cuts.
    var startIsCut: Bool
    var endIsCut: Bool
  }

  private func pieces(_ vertices: Range<Int>, _ cuts: [Cut]) throws(EngineError) -> [Piece] {
    let last = vertices.upperBound &- 1
    let startIsCut = cuts.first.map { $0.index == vertices.lowerBound && $0.share == 0 } ?? false
    let endIsCut = cuts.last.map { $0.index == last } ?? false
    var pieces: [Piece] = []
    var current = Piece(vertices: [], startIsCut: startIsCut, endIsCut: false)
    var next = cuts[...]
    for index in vertices {
      let isEnd = index == vertices.lowerBound || index == last
      if let cut = next.first, cut.index == index, cut.share == 0 {
        next = next.dropFirst()
        if !isEnd {
          current.vertices.append(cut.vertex)
          current.endIsCut = true
          pieces.append(current)
          current = Piece(vertices: [], startIsCut: true, endIsCut: false)
        }
      }
      current.vertices.append(line.columns.vertex(index))
      while let cut = next.first, cut.index == index {
        next = next.dropFirst()
        current.vertices.append(cut.vertex)
        current.endIsCut = true
        pieces.append(current)
        current = Piece(vertices: [cut.vertex], startIsCut: true, endIsCut: false)
      }
    }
    current.endIsCut = endIsCut
    pieces.append(current)
    pieces = try joined(pieces)
    // A closed line goes on where it begins, unless it is cut there.
    let isClosed = line.columns.points[vertices.lowerBound] == line.columns.points[last]
    if isClosed, !startIsCut, !endIsCut, pieces.count > 1, let end = pieces.popLast() {
      pieces[0].vertices = end.vertices + pieces[0].vertices.dropFirst()
      pieces[0].startIsCut = true
    }
    return pieces
  }

  /// Puts pieces together again that follow each other along the cutter.
  private func joined(_ pieces: [Piece]) throws(EngineError) -> [Piece] {
    var joined: [Piece] = []
    for piece in pieces {
      try TimeLimit.check()
      guard let last = joined.last, liesOnCutter(last), liesOnCutter(piece) else {
        joined.append(piece)
        continue
      }
      joined[joined.count &- 1].vertices += piece.vertices.dropFirst()
      joined[joined.count &- 1].endIsCut = piece.endIsCut
    }
    return joined
  }

  /// Whether a piece, in which the two meet nowhere new, lies on the cutter: its first stretch does.
  private func liesOnCutter(_ piece: Piece) -> Bool {
    let points = piece.vertices.map(\.point)
    guard let start = points.first, let next = points.first(where: { $0 != start }) else { return false }
    return knife.holds(Point(x: (start.x + next.x) / 2, y: (start.y + next.y) / 2))
  }

  /// What is said near the ends that are cuts.
  private func side(of piece: Piece) -> CutSide {
    var votes: Set<CutSide> = []
    func vote(_ end: Point, _ neighbour: Point?) {
      guard let neighbour else { return }
      let share = 1.0 / 64
      votes.insert(
        knife.side(
          of: Point(x: end.x + (neighbour.x - end.x) * share, y: end.y + (neighbour.y - end.y) * share)))
    }
    let points = piece.vertices.map(\.point)
    if piece.startIsCut, let start = points.first { vote(start, points.first { $0 != start }) }
    if piece.endIsCut, let end = points.last { vote(end, points.last { $0 != end }) }
    return CutSide(votes: votes)
  }
}

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

  /// Adds the pieces; returns the side of each.
  func write(into builder: GeometryBuilder) throws(EngineError) -> [CutSide] {
    let whole = try session.object(polygon.columns, polygon.row)
    let line = try session.object(cutter.columns, cutter.row)
    if try write(faces(of: whole, cutBy: line), of: whole, into: builder) { return try sides(builder) }
    // GEOS is confused by points that are nearer to each other than doubles distinguish: there the line is laid on the
    // polygon.
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
      let noded = GEOSObject(session.overlay(.union, rings.pointer, line.pointer, 0), in: session)
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
