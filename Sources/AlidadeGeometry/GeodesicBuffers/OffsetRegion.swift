import AlidadeBase
import AlidadeCoordinates

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
  /// Shells and holes as straight lines on the map, within half of the distance of the polygons' own; the longitudes of
  /// each fit those of its path.
  private let interiors: [[[Point]]]
  private let isNegative: Bool

  /// Polygons on the map, shells first.
  private(set) var polygons: [[[Point]]] = []
  private(set) var vertexCount = 0
  private(set) var achievedDeviation = 0.0

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
        achievedDeviation = max(achievedDeviation, outline.achievedDeviation)
      }
    }
    vertexCount = budget.count
    guard let found = try united(runs) else { return nil }
    polygons = found
  }

  private func united(_ runs: [[Point]]) throws(EngineError) -> [[[Point]]]? {
    let planar = try PlanarRegions(in: runs.box)
    let arrangement = LineArrangement(try planar.noded(runs)) { planar.orientation($0, $1, $2) }
    let faces = LineFaces(arrangement) { _ in true }
    // A point in each face tells of all of it.
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
      box = box.map { $0.around(other) } ?? other
    }
    return box
  }
}
