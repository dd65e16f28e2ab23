import AlidadeBase
import AlidadeCoordinates
import CGEOS

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

  /// A place along a path: a vertex, or one between it and the next.
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
        try builder.endPath()
        try builder.endPart()
        try builder.end()
        sides.append(side(of: piece))
      }
    }
    return sides
  }

  /// The places at which a path meets the cutter, in order; where they share a stretch, those at which a segment of one
  /// of them begins or ends.
  private func cuts(_ vertices: Range<Int>) throws(EngineError) -> [Cut] {
    let columns = line.columns
    var cuts: [Cut] = []
    for run in SegmentRun.all(of: columns, vertices: vertices) {
      for other in knife.runs where !run.box.isApart(from: other.box) {
        for index in run.vertices.dropLast() {
          try TimeLimit.check()
          for place in try meetings(columns.points[index], columns.points[index &+ 1], other) {
            if let cut = cut(index, place) { cuts.append(cut) }
          }
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

  /// Where a segment meets those of a run of the cutter.
  private func meetings(_ a: Point, _ b: Point, _ run: SegmentRun) throws(EngineError) -> [Point] {
    if a == b { return [] }
    var places: [Point] = []
    for index in run.vertices.dropLast() {
      let (c, d) = (knife.points[index], knife.points[index &+ 1])
      if c == d || Envelope(a, b).isApart(from: Envelope(c, d)) { continue }
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

  /// A place on the segment behind a vertex; nil if it is not there, or is the next vertex, which is a place itself.
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
