import AlidadeBase
import AlidadeCoordinates

/// The edges of a polygon in a tree, to test predicates with points, polylines and other polygons where that is plain:
/// edges of the two cross, or have at most points in common in which one of them ends. Outlines that follow each other,
/// and other cases in doubt, are left to exact relations.
///
/// Right to share: nothing changes after `init`.
struct PreparedOutline: Sendable {
  private let edges: HeapArray<Edge>
  private let tree: BoxTree
  private let ringCount: Int

  private struct Edge {
    let from: Point
    let to: Point
    /// Whether it is the first one of its ring.
    let isFirst: Bool
  }

  /// What is known of another geometry: how its paths lie to the polygon, and the polygon's rings to it.
  private struct Relation {
    var crosses = false
    var hasPathInside = false
    var hasPathOutside = false
    var ringsInside = 0
    /// A vertex of the one lies on an edge of the other.
    var touches = false
    /// Nothing is plain.
    var isUnclear = false
  }

  /// How two edges lie to each other.
  private enum Contact {
    case apart
    case crossing
    /// They have one point in common, where one of them ends.
    case touching(Point)
    /// They lie on one line and have a point in common.
    case overlapping
    /// Coordinates are too small to know.
    case unclear
  }

  /// So many edges of the polygon are compared one by one; more are looked up for each edge of the other geometry.
  private static let few = 48
  /// Of rings of the polygon times vertices of the other geometry: more are left to exact relations, which index both.
  private static let mostPlaces = 1 << 16

  /// nil: the geometry is no polygon, is empty, or has coordinates that are too small.
  init?(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    guard columns.kind(row) == .polygon, columns.hasLinework(row) else { return nil }
    let all = columns.points.buffer
    let vertices = columns.vertices(ofGeometry: row)
    guard !all[vertices].contains(where: ExactTurn.isTooSmall) else { return nil }
    let memory = try GrowingBuffer<Edge>(capacity: vertices.count)
    var count = 0
    for path in columns.paths(ofGeometry: row) {
      let before = memory.count
      for index in columns.vertices(ofPath: path).dropFirst() where all[index] != all[index &- 1] {
        try memory.append(Edge(from: all[index &- 1], to: all[index], isFirst: memory.count == before))
      }
      if memory.count > before { count &+= 1 }
    }
    ringCount = count
    edges = try HeapArray(count: memory.count)
    let boxes = try HeapArray<Envelope>(count: memory.count)
    for (index, edge) in memory.filled.enumerated() {
      edges.buffer[index] = edge
      boxes.buffer[index] = Envelope(edge.from, edge.to)
    }
    tree = try BoxTree(UnsafeBufferPointer(boxes.buffer), isChangeable: false)
  }

  /// Whether a predicate holds between the polygon, which is the first, and another geometry; nil where this is not
  /// plain.
  ///
  /// - Parameters:
  ///   - box: the box around the other geometry.
  ///   - grid: what `makeGrid()` made, to look there first.
  func holds(
    _ predicate: Predicate, _ others: GeometryColumns, _ row: Int, _ box: Envelope, _ grid: PolygonCells?
  ) throws(EngineError) -> Bool? {
    switch others.kind(row) {
    case .point:
      guard let vertex = others.vertices(ofGeometry: row).first else { return nil }
      let place = grid?.place(of: box) ?? place(of: others.points[vertex])
      return place.map { predicate.holds($0, isPointFirst: false) }
    case .polyline, .polygon:
      let isPolygon = others.kind(row) == .polygon
      guard others.hasLinework(row) else { return nil }
      // All vertices of a path of a polyline may be the same; that is left to the comparison.
      if isPolygon, let place = grid?.place(of: box) {
        let relation = Relation(hasPathInside: place == .inside, hasPathOutside: place == .outside)
        return holds(predicate, relation, isPolygon: true)
      }
      guard var relation = try compared(others, row, box, stopsAtTouch: predicate.takesCollections) else { return nil }
      if predicate.takesCollections, relation.crosses || relation.touches || relation.hasPathInside {
        return predicate == .intersects
      }
      guard relation.crosses || countRings(in: others, row, box, &relation) else { return nil }
      // Between rings that touch each other twice may be a gap of which neither ring lies in the other polygon.
      if relation.touches, isPolygon, ringCount > 1, covers(relation) { return nil }
      return holds(predicate, relation, isPolygon: isPolygon)
    case .multipoint, .collection: return nil
    }
  }

  /// A grid over the polygon, from which most results are known; nil where no grid is possible.
  func makeGrid() throws(EngineError) -> PolygonCells? {
    try PolygonCells(
      tree.bounds, edgeCount: edges.buffer.count,
      edges: { (edges.buffer[$0].from, edges.buffer[$0].to) }, place: { place(of: $0) })
  }

  /// With fewer questions than one for 64 edges, the grid takes longer than it saves; with very few questions, always.
  func isWorthGrid(questions: Int) -> Bool { questions >= max(64, edges.buffer.count / 64) }

  /// Whether the polygon covers the other geometry, if each gap of the polygon that lies in the other one is bounded by
  /// whole rings.
  private func covers(_ relation: Relation) -> Bool {
    !relation.crosses && !relation.hasPathOutside && relation.ringsInside == 0
  }

  /// Outlines that touch have no stretch in common: `compared` leaves those to exact relations.
  private func holds(_ predicate: Predicate, _ relation: Relation, isPolygon: Bool) -> Bool {
    let interiorsMeet = relation.crosses || relation.hasPathInside || relation.ringsInside > 0
    let meets = interiorsMeet || relation.touches
    let covers = covers(relation)
    let isCovered = isPolygon && !relation.crosses && !relation.hasPathInside && relation.ringsInside == ringCount
    return switch predicate {
    case .disjoint: !meets
    case .intersects: meets
    case .contains, .covers: covers
    case .within, .coveredBy: isCovered
    case .overlaps: isPolygon && interiorsMeet && !covers && !isCovered
    case .crosses: !isPolygon && (relation.crosses || (relation.hasPathInside && relation.hasPathOutside))
    case .touches: relation.touches && !interiorsMeet
    case .equals: false
    }
  }

  /// What the edges of another geometry and its paths are to the polygon, up to the first that crosses; nil: that is not
  /// plain.
  ///
  /// - Parameter stopsAtTouch: the first that touches suffices.
  private func compared(
    _ others: GeometryColumns, _ row: Int, _ box: Envelope, stopsAtTouch: Bool
  ) throws(EngineError) -> Relation? {
    var relation = Relation()
    let isPolygon = others.kind(row) == .polygon
    try withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.few) { (near) throws(EngineError) in
      var count = 0
      tree.forEach(meeting: box) { number in
        if count < Self.few { near[count] = number }
        count &+= 1
        return count <= Self.few
      }
      let few = count <= Self.few ? UnsafeMutableBufferPointer(rebasing: near[..<count]) : nil
      for path in others.paths(ofGeometry: row) {
        let vertices = others.vertices(ofPath: path)
        guard let first = vertices.first else { continue }
        if !isPolygon, others.points.buffer[vertices].allSatisfy({ $0 == others.points[first] }) {
          relation.isUnclear = true
          return
        }
        if count > 0 {
          var (touches, edge, edgeTouches) = (false, (others.points[first], others.points[first]), false)
          try forEachContact(others, vertices, few) { (from, to, contact) in
            if edge != (from, to) {
              if relation.crosses { return false }
              (edge, edgeTouches) = ((from, to), false)
            }
            switch contact {
            case .apart: break
            case .crossing: relation.crosses = true
            case .touching: (touches, edgeTouches) = (true, true)
            case .overlapping:
              (touches, edgeTouches) = (true, true)
              relation.isUnclear = !stopsAtTouch
            case .unclear: relation.isUnclear = true
            }
            if isPolygon || stopsAtTouch {
              if relation.crosses || (touches && stopsAtTouch) { return false }
            } else if relation.crosses, edgeTouches {
              // Where two rings touch, a line may cross both and still be on the same side.
              relation.isUnclear = true
            }
            return !relation.isUnclear
          }
          relation.touches = relation.touches || touches
          if relation.crosses || relation.isUnclear || (touches && stopsAtTouch) { return }
          if touches {
            try noteStretches(others, vertices, few, &relation)
            continue
          }
        }
        note(place(of: others.points[first]), &relation)
      }
    }
    return relation.isUnclear ? nil : relation
  }

  /// Counts the rings of the polygon that lie inside of another one, whose outline they do not meet. False: that is not
  /// plain.
  private func countRings(
    in others: GeometryColumns, _ row: Int, _ box: Envelope, _ relation: inout Relation
  ) -> Bool {
    guard others.kind(row) == .polygon else { return true }
    var left = Self.mostPlaces / max(1, others.vertices(ofGeometry: row).count) &+ 1
    var (isPlain, ringsInside) = (true, 0)
    tree.forEach(meeting: box) { number in
      let edge = edges.buffer[number]
      guard edge.isFirst, box.meets(Envelope(edge.from, edge.from)) else { return true }
      left &-= 1
      switch others.place(of: edge.from, inPolygon: row) {
      case .inside?: ringsInside &+= 1
      case .outside?: break
      case .boundary?, nil: isPlain = false
      }
      isPlain = isPlain && left > 0
      return isPlain
    }
    relation.ringsInside = ringsInside
    return isPlain
  }

  /// Calls `body` with each edge of a path and what it is to the edges that are near, until `body` returns false.
  @inline(__always)
  private func forEachContact(
    _ others: GeometryColumns, _ vertices: Range<Int>, _ few: UnsafeMutableBufferPointer<Int>?,
    _ body: (Point, Point, Contact) -> Bool
  ) throws(EngineError) {
    let points = others.points.buffer
    for index in vertices.dropFirst() where points[index] != points[index &- 1] {
      if index & 63 == 0 { try TimeLimit.check() }
      let (from, to) = (points[index &- 1], points[index])
      let box = Envelope(from, to)
      if let few {
        for number in few where !body(from, to, contact(edges.buffer[number], from, to, box)) { return }
      } else {
        var goesOn = true
        tree.forEach(meeting: box) {
          goesOn = body(from, to, contact(edges.buffer[$0], from, to, box))
          return goesOn
        }
        guard goesOn else { return }
      }
    }
  }

  /// Notes where the stretches of a path lie that touches the polygon, but neither crosses nor follows its outline.
  ///
  /// A stretch leads from one point of contact to the next. If no edge has two of them, a vertex lies on each stretch,
  /// and where that vertex lies, all of it lies.
  private func noteStretches(
    _ others: GeometryColumns, _ vertices: Range<Int>, _ few: UnsafeMutableBufferPointer<Int>?,
    _ relation: inout Relation
  ) throws(EngineError) {
    var (edge, met): ((from: Point, to: Point)?, Point?) = (nil, nil)
    var isNoted = false
    var found = relation
    // Passes an edge of which all contacts are known.
    func pass() {
      guard let edge else { return }
      if edge.from == met {
        isNoted = false
      } else if !isNoted {
        note(place(of: edge.from), &found)
        isNoted = true
      }
      guard met != nil else { return }
      isNoted = edge.to != met
      if isNoted { note(place(of: edge.to), &found) }
    }
    try forEachContact(others, vertices, few) { (from, to, contact) in
      if edge?.from != from || edge?.to != to {
        pass()
        (edge, met) = ((from, to), nil)
      }
      if case .touching(let point) = contact {
        found.isUnclear = found.isUnclear || (met != nil && met != point)
        met = point
      }
      return !found.isUnclear
    }
    pass()
    relation = found
  }

  private func note(_ place: PointPlace?, _ relation: inout Relation) {
    switch place {
    case .inside?: relation.hasPathInside = true
    case .outside?: relation.hasPathOutside = true
    case .boundary?, nil: relation.isUnclear = true
    }
  }

  @inline(__always)
  private func contact(_ edge: Edge, _ from: Point, _ to: Point, _ box: Envelope) -> Contact {
    guard box.meets(Envelope(edge.from, edge.to)) else { return .apart }
    if ExactTurn.isTooSmall(from) || ExactTurn.isTooSmall(to) { return .unclear }
    let (a, b) = (ExactTurn.sign(edge.from, edge.to, from), ExactTurn.sign(edge.from, edge.to, to))
    if a &* b > 0 { return .apart }
    let (c, d) = (ExactTurn.sign(from, to, edge.from), ExactTurn.sign(from, to, edge.to))
    if c &* d > 0 { return .apart }
    if a == 0, b == 0 { return .overlapping }
    if a == 0 || b == 0 { return .touching(a == 0 ? from : to) }
    if c == 0 || d == 0 { return .touching(c == 0 ? edge.from : edge.to) }
    return .crossing
  }

  /// Where a point lies; nil for coordinates that are too small.
  private func place(of point: Point) -> PointPlace? {
    // To the nearer side; to the left in a mirror.
    if point.x < tree.bounds.xMin / 2 + tree.bounds.xMax / 2 {
      var ray = Ray(from: point.mirrored)
      tree.forEach(meeting: Envelope(xMin: -.infinity, yMin: point.y, xMax: point.x, yMax: point.y)) {
        ray.pass(edges.buffer[$0].from.mirrored, edges.buffer[$0].to.mirrored)
      }
      return ray.place
    }
    var ray = Ray(from: point)
    tree.forEach(meeting: Envelope(xMin: point.x, yMin: point.y, xMax: .infinity, yMax: point.y)) {
      ray.pass(edges.buffer[$0].from, edges.buffer[$0].to)
    }
    return ray.place
  }
}

extension Point {
  fileprivate var mirrored: Point { Point(x: -x, y: y) }
}
