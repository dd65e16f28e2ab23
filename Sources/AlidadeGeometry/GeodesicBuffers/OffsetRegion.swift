import AlidadeBase
import AlidadeCoordinates
import Glibc
import Synchronization

/// What lies within a distance of lines, or of polygons, or inside of polygons by more than that, in longitude and
/// latitude.
///
/// The region is the union of the quads and wedges of `OffsetPath`. Of their sides only those chords are made that may
/// show; together with the parts of the map that these cut out (by GEOS), of which each is in or out as a whole, they give
/// the union's outline: chords that are left out lie inside on both sides.
struct OffsetRegion {
  private let paths: [OffsetPath]
  private let index: OffsetIndex
  private let workers: Workers?
  /// Shells and holes as straight lines on the map, within half of the distance of the polygons' own. The longitudes of
  /// each fit the longitudes of its path.
  private let interiors: [[[Point]]]
  private let isNegative: Bool

  private(set) var region = MapRegion(polygons: [], vertexCount: 0, achievedDeviation: 0)

  private static let slice = 128

  /// nil if another way must be taken.
  init?(
    _ paths: [OffsetPath], interiors: [[[Point]]], isNegative: Bool, vertexLimit: Int, workers: Workers?
  ) throws(EngineError) {
    guard let index = OffsetIndex(paths) else { return nil }
    (self.paths, self.index, self.workers) = (paths, index, workers)
    (self.interiors, self.isNegative) = (interiors, isNegative)
    guard let first = paths.first else { return nil }
    let budget = VertexBudget(
      limit: vertexLimit, distance: first.distance, maximumDeviation: first.maximumDeviation)
    var runs: [[Point]] = []
    for path in paths {
      let slices = (path.jointCount &+ Self.slice &- 1) / Self.slice
      let outlines = try (workers ?? Workers(threadCount: 1)).map(slices, slice: 1) { (number) throws(EngineError) in
        var outline = OffsetOutline(path, index, budget)
        try outline.add(number &* Self.slice..<min(path.jointCount, (number &+ 1) &* Self.slice))
        return outline
      }
      for outline in outlines ?? [] {
        runs += outline.runs
        region.achievedDeviation = max(region.achievedDeviation, outline.achievedDeviation)
      }
    }
    region.vertexCount = budget.count
    guard let found = try united(runs) else { return nil }
    region.polygons = found
  }

  private func united(_ runs: [[Point]]) throws(EngineError) -> [[[Point]]]? {
    let planar = try PlanarRegions(in: runs.box)
    let arrangement = LineArrangement(try planar.noded(runs)) { planar.orientation($0, $1, $2) }
    let faces = LineFaces(arrangement) { _ in true }
    // One point in each face represents all of it.
    let places = faces.rings.indices.map { faces.rings[$0].area > 0 ? planar.absolute(faces.inside($0)) : nil }
    let near = try (workers ?? Workers(threadCount: 1)).map(places.count, slice: 16) { (number) throws(EngineError) in
      try places[number].map { (place) throws(EngineError) in try isNear(place) } ?? false
    }
    guard let near else { return nil }
    // An outline that is not closed would leave out what it goes around.
    for path in paths {
      guard let place = path.nodes.first?.place, let face = faces.face(at: planar.relative(place)), near[face] else {
        return nil
      }
    }
    let isWanted = places.enumerated().map { number, place in
      guard let place else { return false }
      return isNegative ? !near[number] && isInside(place) : near[number] || isInside(place)
    }
    func counts(_ half: Int) -> Bool { faces.face(leftOf: half).map { isWanted[$0] } ?? false }
    let outline = LineFaces(arrangement) { counts(2 &* $0) != counts(2 &* $0 &+ 1) }
    let polygons = outline.polygons { $0.halves.first.map(counts) ?? false }
    // What hangs together has a buffer that does.
    if !isNegative, paths.count == 1 || interiors.count == 1, polygons.count != 1 { return nil }
    return polygons.map { $0.map { $0.map(planar.absolute) } }
  }

  // MARK: In or out

  /// Whether a point that is not near is in one of the polygons.
  private func isInside(_ point: Point) -> Bool { interiors.contains { Self.holds($0, point) } }

  /// Whether a point that is on no outline is in the union of quads and wedges.
  private func isNear(_ point: Point) throws(EngineError) -> Bool {
    guard let earth = paths.first?.earth else { return false }
    switch index.place(earth.position(point)) {
    case .inside: return true
    case .outside: return false
    case .between(let pieces):
      // Where outlines run within their deviation of each other, what has been drawn decides.
      var seen = Set<SIMD2<Int>>()
      for (number, segment) in pieces where seen.insert(SIMD2(number, segment)).inserted {
        if try holds(paths[number], segment, point) { return true }
      }
      return false
    }
  }

  /// Whether a segment's quad or one of the wedges at its ends holds a point.
  private func holds(_ path: OffsetPath, _ number: Int, _ point: Point) throws(EngineError) -> Bool {
    let next = path.isRing && number &+ 1 == path.segments.count ? 0 : number &+ 1
    let (right, left) = (try path.abeam(number, .right).points, try path.abeam(number, .left).points)
    let start = path.nodes[number].place
    let end = path.nodes[next].place
    if Self.holds([[start] + right + [end] + left.reversed() + [start]], point) { return true }
    for node in [number, next] {
      guard let arc = path.wedge(path.joint(node)) else { continue }
      let centre = path.nodes[node].place
      if Self.holds([[centre] + arc.points() + [centre]], point) { return true }
    }
    return false
  }

  /// Whether a polygon of closed rings, or its shell without its holes, holds a point of the map.
  private static func holds(_ rings: [[Point]], _ point: Point) -> Bool {
    guard let shell = rings.first, crosses(shell, point) else { return false }
    return !rings.dropFirst().contains { crosses($0, point) }
  }

  /// Whether a ray from a point crosses a ring an odd number of times.
  private static func crosses(_ ring: [Point], _ point: Point) -> Bool {
    var isInside = false
    ring.withUnsafeBufferPointer { ring in
      guard var a = ring.first else { return }
      for b in ring.dropFirst() {
        if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) {
          isInside.toggle()
        }
        a = b
      }
    }
    return isInside
  }
}

extension [[Point]] {
  /// The box around all lines; nil if there are none.
  fileprivate var box: Envelope? {
    var box: Envelope?
    for line in self {
      guard let other = Envelope(around: line) else { continue }
      if box?.extend(around: other) == nil { box = other }
    }
    return box
  }
}

/// Makes regions around whole lines and polygons, where nothing speaks against it: in a plane of their own
/// (`LocalPlaneBuffer`) if they are small against the earth, otherwise on the earth (`OffsetRegion`).
struct OffsetMaker {
  private let settings: GeodesicBuffer
  /// Metres.
  private let distance: Double
  private let maximumDeviation: Double
  private let vertexLimit: Int

  /// Wider rings might hold the greater part of the earth, degrees.
  private static let widest = 170.0

  init(_ settings: GeodesicBuffer, distance: Double, maximumDeviation: Double, vertexLimit: Int) {
    self.settings = settings
    self.distance = distance
    self.maximumDeviation = maximumDeviation
    self.vertexLimit = vertexLimit
  }

  private var plane: LocalPlaneBuffer {
    LocalPlaneBuffer(settings, distance: distance, maximumDeviation: maximumDeviation, vertexLimit: vertexLimit)
  }

  private func path(_ places: [Point]) throws(EngineError) -> OffsetPath? {
    try OffsetPath(
      settings.geodesic, places, distance: distance, maximumDeviation: maximumDeviation, workers: settings.workers)
  }

  /// What lies within the distance of a line of geodesics; nil if another way must be taken.
  func region(_ line: [Point]) throws(EngineError) -> MapRegion? {
    if let region = try plane.region(line) { return region }
    guard let path = try path(line) else { return nil }
    return try OffsetRegion(
      [path], interiors: [], isNegative: false, vertexLimit: vertexLimit, workers: settings.workers)?.region
  }

  /// The same of polygons, or what lies inside of them by more than the distance.
  ///
  /// - Parameter polygons: shells and holes, closed, of geodesics.
  func region(_ polygons: [[[Point]]], isNegative: Bool) throws(EngineError) -> MapRegion? {
    guard settings.curve != .shapePreserving else { return nil }
    if let region = try plane.region(polygons, isNegative: isNegative) { return region }
    var (paths, interiors) = ([OffsetPath](), [[[Point]]]())
    for rings in polygons {
      var interior: [[Point]] = []
      var west: Double?
      for ring in rings {
        guard let path = try path(moved(ring, eastOf: west)), path.isRing, let inside = inside(path) else { return nil }
        guard let box = Envelope(around: inside), box.xMax - box.xMin < Self.widest else { return nil }
        if west == nil { west = box.xMin }
        paths.append(path)
        interior.append(inside)
      }
      if !interior.isEmpty { interiors.append(interior) }
    }
    guard !paths.isEmpty else { return nil }
    return try OffsetRegion(
      paths, interiors: interiors, isNegative: isNegative, vertexLimit: vertexLimit, workers: settings.workers)?.region
  }

  /// A hole where its shell is, which may be beyond 180 degrees.
  private func moved(_ ring: [Point], eastOf west: Double?) -> [Point] {
    guard let west, let first = ring.first else { return ring }
    let turns = ((first.x - west) / 360).rounded(.down)
    return turns == 0 ? ring : ring.map { Point(x: $0.x - 360 * turns, y: $0.y) }
  }

  /// A ring on the map, if straight edges are near enough.
  private func inside(_ path: OffsetPath) -> [Point]? {
    let longest = path.segments.reduce(0) { max($0, $1.length) }
    guard longest * longest / 8 * path.bend < distance / 4, let first = path.nodes.first else { return nil }
    return path.nodes.map(\.place) + [first.place]
  }
}

/// The sides of quads and wedges as far as they may show: what certainly lies inside is left out.
struct OffsetOutline: Sendable {
  let path: OffsetPath
  let index: OffsetIndex
  /// Chords that follow each other.
  private(set) var runs: [[Point]] = []
  private var vertexCount = 0
  private let budget: VertexBudget
  /// Metres.
  private(set) var achievedDeviation = 0.0

  /// Arcs are looked at from here on, degrees.
  private static let widest = 45.0

  /// A vertex, on the map and in three dimensions.
  private struct Vertex {
    var point: Point
    var position: Vector
  }

  init(_ path: OffsetPath, _ index: OffsetIndex, _ budget: VertexBudget) {
    (self.path, self.index, self.budget) = (path, index, budget)
  }

  private func vertex(_ point: Point) -> Vertex { Vertex(point: point, position: path.earth.position(point)) }

  /// The sides of some segments, and the wedges and ends of quads at the joints where they begin.
  mutating func add(_ numbers: Range<Int>) throws(EngineError) {
    for side in OffsetPath.Side.allCases {
      for number in numbers {
        let joint = path.joint(number)
        if let overlap = path.overlap(joint) {
          if overlap == side { add(overlap: joint, side) } else { add(wedge: joint) }
        } else if side == .left {
          add(wedge: joint)
        }
        if number < path.segments.count { try add(abeam: number, side) }
        try budget.spend(vertexCount)
        vertexCount = 0
      }
    }
  }

  /// An edge, or the parts of it that may show.
  ///
  /// - Parameter bend: how far it is off from the straight line in three dimensions, per square metre of its length.
  private mutating func add(_ first: Vertex, _ last: Vertex, bend: Double) {
    let way = last.position - first.position
    let length = way.dot(way).squareRoot()
    // What is short against the distance is either in or out.
    let shortest = max(path.distance / 8, length / 64)
    var (from, to) = (Point.nan, Point.nan)
    var open = [(first, last, length)]
    while let (a, b, length) = open.popLast() {
      if index.covers(a.position, b.position, bend: length * length * bend * 1.05) { continue }
      let middle = vertex(Point(x: (a.point.x + b.point.x) / 2, y: (a.point.y + b.point.y) / 2))
      if length > shortest, [a, middle, b].contains(where: { index.covers($0.position, $0.position, bend: 0) }) {
        open.append((middle, b, length / 2))
        open.append((a, middle, length / 2))
      } else if a.point == to {
        to = b.point
      } else {
        if from.isFinite { append(from, to) }
        (from, to) = (a.point, b.point)
      }
    }
    if from.isFinite { append(from, to) }
  }

  private mutating func append(_ first: Point, _ last: Point) {
    vertexCount &+= 1
    if runs.last?.last == first {
      runs[runs.count &- 1].append(last)
    } else {
      runs.append([first, last])
    }
  }

  private mutating func add(abeam number: Int, _ side: OffsetPath.Side) throws(EngineError) {
    let (points, deviation) = try path.abeam(number, side)
    guard let first = points.first else { return }
    achievedDeviation = max(achievedDeviation, deviation)
    // The straight line on the map bends against a geodesic, which bends against the straight line in space.
    let bend = (path.bend + 1 / path.geodesic.ellipsoid.leastRadius) / 8
    var last = vertex(first)
    for point in points.dropFirst() where point != last.point {
      let next = vertex(point)
      add(last, next, bend: bend)
      last = next
    }
  }

  /// The ends of two quads that overlap: to the vertex of the line and back. Near that they are inside.
  private mutating func add(overlap joint: OffsetPath.Joint, _ side: OffsetPath.Side) {
    let ends = path.vertices(joint, side)
    let start = path.nodes[joint.node].place
    for point in [ends.before, ends.after] {
      let share = max(0.5, 1 - 4 * path.maximumDeviation / path.distance)
      let inner = Point(x: start.x + share * (point.x - start.x), y: start.y + share * (point.y - start.y))
      let bend = (path.bend + 1 / path.geodesic.ellipsoid.leastRadius) / 8
      add(vertex(start), vertex(inner), bend: bend)
      add(vertex(inner), vertex(point), bend: bend)
    }
  }

  private mutating func add(wedge joint: OffsetPath.Joint) {
    guard let arc = path.wedge(joint) else { return }
    // An arc's chords bend less than the arc; of a circle of this curvature.
    let bend = path.distance / path.geodesic.ellipsoid.leastRadius
    let curvature = path.distance * (1 + bend * bend)
    add(arc, 0, vertex(arc.point(0)), arc.count, vertex(arc.point(arc.count)), curvature)
  }

  private mutating func add(
    _ arc: OffsetArc, _ from: Int, _ first: Vertex, _ to: Int, _ last: Vertex, _ curvature: Double
  ) {
    let width = arc.step.magnitude * Double(to &- from)
    if width <= Self.widest {
      let angle = width * Earth.radian
      let bend = curvature * angle * angle / 8 + path.maximumDeviation
      if index.covers(first.position, last.position, bend: bend) { return }
    }
    guard to &- from > 1 else {
      var points = [first.point]
      achievedDeviation = max(achievedDeviation, arc.appendChords(from: from, to: last.point, into: &points))
      for (a, b) in zip(points, points.dropFirst()) { append(a, b) }
      return
    }
    let half = from &+ (to &- from) / 2
    let middle = vertex(arc.point(half))
    add(arc, from, first, half, middle, curvature)
    add(arc, half, middle, to, last, curvature)
  }
}

/// How many vertices all outlines of a buffer may have.
final class VertexBudget: Sendable {
  private let spent = Atomic<Int>(0)
  private let limit: Int
  private let distance: Double
  private let maximumDeviation: Double

  /// - Parameters:
  ///   - distance: metres, for the error.
  ///   - maximumDeviation: the same.
  init(limit: Int, distance: Double, maximumDeviation: Double) {
    self.limit = limit
    self.distance = distance
    self.maximumDeviation = maximumDeviation
  }

  var count: Int { spent.load(ordering: .relaxed) }

  func spend(_ count: Int) throws(EngineError) {
    try TimeLimit.check()
    guard spent.add(count, ordering: .relaxed).newValue > limit else { return }
    throw EngineError(
      .limitExceeded,
      "The outlines of a geodesic buffer of \(distance) m to within \(maximumDeviation) m have more than \(limit) "
        + "vertices. Allow a greater deviation, or raise max_request_points and max_request_bytes.")
  }
}

/// Pieces of geodesic lines as chords in three dimensions, in a tree of boxes, for what lies within a distance of any.
///
/// A chord in three dimensions is no longer than the geodesic over it, and by Schur's theorem no shorter than that of an
/// arc of the same length on the sphere of the greatest curvature.
struct OffsetIndex: Sendable {
  private struct Piece {
    var from: Vector
    var along: Vector
    /// One over the square of its length.
    var scale: Double
    var path: Int32
    var segment: Int32
  }

  private struct Node {
    var low: Vector
    var high: Vector
    var pieces: Range<Int32>
    /// The second child; the first one follows the node. 0 at a leaf.
    var second: Int32
  }

  private var pieces: [Piece] = []
  private var nodes: [Node] = []
  /// The radius of the sphere of the greatest curvature.
  private let radius: Double
  /// How far pieces lie from their chords, metres.
  private let sag: Double
  /// Chords of what is certainly inside, and certainly outside.
  private let inside: Double
  private let outside: Double

  private static let leafSize = 6
  private static let greatestCount = 2_000_000.0

  /// nil if it takes too many pieces.
  init?(_ paths: [OffsetPath]) {
    guard let first = paths.first else { return nil }
    let (distance, deviation) = (first.distance, first.maximumDeviation)
    let radius = first.geodesic.ellipsoid.leastRadius
    // Coarser pieces leave more to be decided by what is drawn, finer ones are more of them.
    let sag = max(deviation / 8, distance / 1000)
    self.radius = radius
    self.sag = sag
    let longest = (8 * radius * sag).squareRoot() * 0.99
    var count = 0.0
    for path in paths { for segment in path.segments { count += (segment.length / longest).rounded(.up) } }
    guard count <= Self.greatestCount else { return nil }
    pieces.reserveCapacity(Int(exactly: count) ?? 0)
    // For the rounding of positions.
    let slack = sag + 1e-6
    inside = Self.chord(distance - deviation, radius) - slack
    outside = distance + deviation + slack
    for (number, path) in paths.enumerated() { append(path, Int32(truncatingIfNeeded: number), longest) }
    guard !pieces.isEmpty, inside > 0 else { return nil }
    nodes.reserveCapacity(pieces.count)
    build(0..<pieces.count)
  }

  /// Of an arc of a sphere.
  private static func chord(_ length: Double, _ radius: Double) -> Double { 2 * radius * sin(length / (2 * radius)) }

  private mutating func append(_ path: OffsetPath, _ number: Int32, _ longest: Double) {
    for (index, segment) in path.segments.enumerated() {
      let next = index &+ 1 < path.nodes.count ? index &+ 1 : 0
      let end = path.earth.position(path.nodes[next].place)
      var from = path.earth.position(path.nodes[index].place)
      let count = (segment.length / longest).rounded(.up)
      let line = count > 1 ? path.geodesic.line(from: path.nodes[index].place, azimuth: segment.azimuth) : nil
      for part in 1...max(1, Int(exactly: count) ?? 1) {
        let share = Double(part) / count
        let to =
          line.map { share < 1 ? path.earth.position($0.position(at: segment.length * share).point) : end } ?? end
        let square = (to - from).dot(to - from)
        pieces.append(
          Piece(
            from: from, along: to - from, scale: square > 0 ? 1 / square : 0, path: number,
            segment: Int32(truncatingIfNeeded: index)))
        from = to
      }
    }
  }

  private mutating func build(_ range: Range<Int>) {
    var (low, high) = (Vector(repeating: .infinity), Vector(repeating: -.infinity))
    for piece in pieces[range] {
      low = pointwiseMin(low, pointwiseMin(piece.from, piece.from + piece.along))
      high = pointwiseMax(high, pointwiseMax(piece.from, piece.from + piece.along))
    }
    let number = nodes.count
    nodes.append(
      Node(
        low: low, high: high,
        pieces: Int32(truncatingIfNeeded: range.lowerBound)..<Int32(truncatingIfNeeded: range.upperBound), second: 0))
    guard range.count > Self.leafSize else { return }
    let size = high - low
    let axis = size.x >= max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2
    // Lines come in order, so that a sort mostly finds its work done.
    pieces[range].sort { 2 * $0.from[axis] + $0.along[axis] < 2 * $1.from[axis] + $1.along[axis] }
    let middle = range.lowerBound &+ range.count / 2
    build(range.lowerBound..<middle)
    nodes[number].second = Int32(truncatingIfNeeded: nodes.count)
    build(middle..<range.upperBound)
  }

  @inline(__always)
  private static func square(_ place: Vector, _ piece: Piece) -> Double {
    let away = place - piece.from
    let share = min(1, max(0, away.dot(piece.along) * piece.scale))
    let rest = away - share * piece.along
    return rest.dot(rest)
  }

  /// As pointwiseMax, which is a call.
  @inline(__always)
  private static func larger(_ a: Vector, _ b: Vector) -> Vector { a.replacing(with: b, where: b .> a) }

  /// Squares of the smallest and the largest distance of a point from a box.
  @inline(__always)
  private static func bounds(_ place: Vector, _ node: Node) -> (least: Double, greatest: Double) {
    let (low, high) = (node.low - place, place - node.high)
    let outside = larger(larger(low, high), .zero)
    let farthest = larger(-low, -high)
    return (outside.dot(outside), farthest.dot(farthest))
  }

  /// Whether an edge lies so far inside that no outline of it shows.
  ///
  /// Distance from a chord is convex along a straight edge: what holds of both ends does between them.
  ///
  /// - Parameter bend: how far the edge is off from the straight line between its ends, metres.
  func covers(_ first: Vector, _ second: Vector, bend: Double) -> Bool {
    let limit = inside - bend
    guard limit > 0 else { return false }
    let square = limit * limit
    // Halves of halves of at most 2 million pieces wait at a time.
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { open in
      open[0] = 0
      var count = 1
      while count > 0 {
        count &-= 1
        let number = open[count]
        let node = nodes[Int(truncatingIfNeeded: number)]
        let (a, b) = (Self.bounds(first, node), Self.bounds(second, node))
        if max(a.least, b.least) > square { continue }
        if max(a.greatest, b.greatest) <= square { return true }
        if node.second != 0, count &+ 2 <= open.count {
          open[count] = node.second
          open[count &+ 1] = number &+ 1
          count &+= 2
          continue
        }
        for index in node.pieces {
          let piece = pieces[Int(truncatingIfNeeded: index)]
          if Self.square(first, piece) <= square, Self.square(second, piece) <= square { return true }
        }
      }
      return false
    }
  }

  enum Place {
    case inside
    case outside
    /// Within the deviation of the outline of these segments, the nearest first, or inside of it.
    case between([(path: Int, segment: Int)])
  }

  func place(_ position: Vector) -> Place {
    var near: [(square: Double, path: Int, segment: Int)] = []
    let (least, greatest) = (inside * inside, outside * outside)
    var open: [Int32] = [0]
    while let number = open.popLast() {
      let node = nodes[Int(truncatingIfNeeded: number)]
      let bounds = Self.bounds(position, node)
      if bounds.least > greatest { continue }
      if bounds.greatest <= least { return .inside }
      if node.second != 0 {
        open.append(node.second)
        open.append(number &+ 1)
        continue
      }
      for index in node.pieces {
        let piece = pieces[Int(truncatingIfNeeded: index)]
        let square = Self.square(position, piece)
        if square <= least { return .inside }
        guard square <= greatest else { continue }
        let (path, segment) = (Int(truncatingIfNeeded: piece.path), Int(truncatingIfNeeded: piece.segment))
        near.append((square, path, segment))
      }
    }
    if near.isEmpty { return .outside }
    near.sort { $0.square < $1.square }
    return .between(near.map { ($0.path, $0.segment) })
  }
}
