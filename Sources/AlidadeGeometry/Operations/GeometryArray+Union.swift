import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension GeometryArray {
  /// All geometries united: polygons where they overlap or touch along a line, lines cut where they meet and each stretch
  /// once, points once and only where nothing else is. Members of collections count as geometries.
  ///
  /// - Parameter gridSize: all coordinates of the result are multiples of it; 0: they are as precise as they come.
  public func united(gridSize: Double = 0) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      try requireUsable()
      try GridSize.require(gridSize, for: [columns.envelope])
      let leaves = UnionLeaves(columns)
      let session = try GEOSSession()
      let (area, rest) = try SweptUnion.united(leaves, gridSize, runtime)
      let pieces = try PolygonUnion(runtime, rest, gridSize).united(session)
      let builder = try GeometryBuilder(policy: runtime.policy)
      if leaves.others.isEmpty {
        try builder.begin(leaves.kind, leaves.hasZ ? [.hasZ] : [])
        try builder.append(polygons: area)
        for piece in pieces { try session.readPart(piece.pointer, .polygon, leaves.hasZ, builder) }
        try builder.end()
      } else {
        // With lines and points: what lies in a polygon is no line or point of its own.
        var parts = GEOSParts(in: session)
        for rings in area { parts.append(try session.polygon(rings)) }
        for piece in pieces { parts.append(try session.copy(of: piece)) }
        for leaf in leaves.others { parts.append(try session.object(leaf.columns, leaf.row)) }
        let all = try session.collect(&parts, GEOS_GEOMETRYCOLLECTION)
        let union = try session.unaryUnion(all.pointer, gridSize)
        try session.read(union.pointer, hasZ: leaves.hasZ, into: builder)
      }
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

/// A point, line or polygon that goes into a union; polygons part by part.
struct UnionLeaf: Sendable {
  let columns: GeometryColumns
  let row: Int
  /// Of a polygon.
  let part: Int
}

extension [UnionLeaf] {
  /// Polygons along a Hilbert curve: neighbours in the list are neighbours in space.
  fileprivate func inSpace() -> [UnionLeaf] {
    HilbertCurve.sorted(self) {
      let box = $0.columns.envelope(ofPart: $0.part)
      return Point(x: (box.xMin + box.xMax) / 2, y: (box.yMin + box.yMax) / 2)
    }
  }
}

/// What goes into a union. What is empty is left out.
private struct UnionLeaves {
  var polygons: [UnionLeaf] = []
  /// Points and lines.
  var others: [UnionLeaf] = []
  var hasZ = false
  /// The kind with the most dimensions that is there: what the union of nothing is an empty one of.
  var kind = GeometryKind.collection

  init(_ columns: GeometryColumns) { for row in 0..<columns.count { add(columns, row) } }

  private mutating func add(_ columns: GeometryColumns, _ row: Int) {
    if columns.flags(row).contains(.hasZ) { hasZ = true }
    let own = columns.kind(row)
    if own == .collection {
      guard let inner = columns.members else { return }
      for member in columns.members(ofGeometry: row) { add(inner, member) }
      return
    }
    if kind == .collection || own.rawValue > kind.rawValue { kind = own }
    if columns.vertices(ofGeometry: row).isEmpty { return }
    guard own == .polygon else { return others.append(UnionLeaf(columns: columns, row: row, part: 0)) }
    for part in columns.parts(ofGeometry: row) where !columns.paths(ofPart: part).isEmpty {
      polygons.append(UnionLeaf(columns: columns, row: row, part: part))
    }
  }
}

/// Polygons that are united without GEOS, which now and then takes the whole of one for the inside or the outside of
/// another, without an error. Vertices stay what they are.
private enum SweptUnion {
  /// - Parameter leaves: valid.
  /// - Returns: polygons of the union, each a shell and its holes, and what has to be united otherwise. No polygon of the
  ///   first touches one of the second.
  static func united(
    _ leaves: UnionLeaves, _ gridSize: Double, _ runtime: Runtime
  ) throws(EngineError) -> (area: [[[Point]]], rest: [UnionLeaf]) {
    let polygons = leaves.polygons
    // GEOS gives crossings a height, and keeps a grid.
    guard gridSize == 0, !leaves.hasZ else { return ([], polygons) }
    let groups = BoxGroups(polygons.map { $0.columns.envelope(ofPart: $0.part) }).groups
    let made = try runtime.workers.map(groups.count, slice: 16) { (number) throws(EngineError) in
      Group(polygons: try united(groups[number].map { polygons[$0] }, runtime))
    }
    var (area, rest) = ([[[Point]]](), [UnionLeaf]())
    for (group, members) in zip(made ?? [], groups) {
      if let united = group.polygons { area += united } else { rest += members.map { polygons[$0] } }
    }
    return (area, rest)
  }

  private struct Group: Sendable {
    /// nil: its union has to be found otherwise.
    var polygons: [[[Point]]]?
  }

  private static func united(_ leaves: [UnionLeaf], _ runtime: Runtime) throws(EngineError) -> [[[Point]]]? {
    // Alone it is its own union: that it is valid is known.
    if leaves.count == 1 { return [leaves[0].columns.rings(ofPart: leaves[0].part)] }
    let polygons = leaves.inSpace().map { $0.columns.orientedRings(ofPart: $0.part) }
    let loops = polygons.map { SweepUnion.Leaf(loops: $0.map { SweepLoop(points: $0.dropLast()) }) }
    let union = SweepUnion(loops, workers: runtime.workers, policy: runtime.policy)
    guard !polygons.joined().contains(where: { union.grid.collapses($0) }) else { return nil }
    let clear = try union.outlineWithoutRounding()
    let outline = if let clear { clear } else { try union.outline() }
    var vertices: [GridPoint: Point] = [:]
    for point in polygons.joined().joined() {
      let place = union.grid.rounded(point)
      if union.grid.point(place) != point { vertices[place] = point }
    }
    if clear == nil, !vertices.isEmpty {
      for place in try outline.tightPoints() { vertices[place] = nil }
    }
    return try outline.polygons().map { $0.map { $0.map { vertices[$0] ?? union.grid.point($0) } } }
  }
}

extension OutlineGrid {
  /// Whether nothing of a closed ring would be left.
  fileprivate func collapses(_ ring: [Point]) -> Bool {
    var distinct: [GridPoint] = []
    for point in ring {
      let place = rounded(point)
      if distinct.contains(place) { continue }
      distinct.append(place)
      if distinct.count == 3 { return false }
    }
    return true
  }
}

extension GridOutline {
  /// Points and ends of edges that are so near to each other that both could come to cross if each were moved by half
  /// a step. Where two points are one, nothing can.
  fileprivate func tightPoints() throws(EngineError) -> Set<GridPoint> {
    let edges = edges
    let tree = GridTree(edges) { GridBox($0) }
    var tight: Set<GridPoint> = []
    for (number, edge) in edges.enumerated() {
      if number & 255 == 0 { try TimeLimit.check() }
      let point = edge.from
      tree.forEach(meeting: GridBox(point).grown(by: 2), from: 0) { found in
        let other = edges[found]
        if point == other.from || point == other.to || !other.comesNear(point) { return }
        tight.formUnion([point, other.from, other.to])
      }
    }
    return tight
  }
}

extension GridEdge {
  /// Whether the line through the edge may be nearer to a point than two steps: surely if it is.
  fileprivate func comesNear(_ point: GridPoint) -> Bool {
    let (dx, dy) = (Double(to.x &- from.x), Double(to.y &- from.y))
    let (left, right) = (dx * Double(point.y &- from.y), dy * Double(point.x &- from.x))
    return (left - right).magnitude <= 2 * (dx.magnitude + dy.magnitude) + 1e-15 * (left.magnitude + right.magnitude)
  }
}

/// A geometry of GEOS's that several hold; it ends with the last of them.
///
/// Right to share: nobody changes it, and GEOS keeps no state in it but its envelope, which is computed before it is
/// shared.
final class GEOSShared: @unchecked Sendable {
  let pointer: OpaquePointer
  private let session: GEOSSession

  init(_ object: consuming GEOSObject) throws(EngineError) {
    session = try GEOSSession()
    pointer = object.release()
  }

  deinit { GEOSGeom_destroy_r(session.handle, pointer) }
}

extension GEOSSession {
  func copy(of piece: UnionPiece) throws(EngineError) -> GEOSObject {
    try taken(GEOSGeom_clone_r(handle, piece.pointer), "A polygon could not be copied")
  }

  func collect(_ parts: inout GEOSParts, _ type: GEOSGeomTypes) throws(EngineError) -> GEOSObject {
    try taken(parts.collection(type), "Geometries could not be collected")
  }

  func unaryUnion(_ object: OpaquePointer, _ gridSize: Double) throws(EngineError) -> GEOSObject {
    let made = gridSize == 0 ? GEOSUnaryUnion_r(handle, object) : GEOSUnaryUnionPrec_r(handle, object, gridSize)
    guard let union = GEOSObject(made, in: self) else { throw refusal("A union") }
    return union
  }
}

/// A polygon of a union under way.
struct UnionPiece: Sendable {
  /// What it is a part of, and lives as long as.
  let owner: GEOSShared
  /// Right to share: it is only read, and its owner is kept.
  nonisolated(unsafe) let pointer: OpaquePointer
  let box: Envelope
}

/// The union of many polygons: neighbours are united first, on all cores, and then the unions of neighbourhoods; of those
/// only the polygons that may touch each other go through GEOS again.
struct PolygonUnion {
  private let runtime: Runtime
  private let leaves: [UnionLeaf]
  private let gridSize: Double
  /// Polygons that are united in one go at first.
  private static let neighbourhood = 64

  init(_ runtime: Runtime, _ leaves: [UnionLeaf], _ gridSize: Double) {
    self.runtime = runtime
    self.leaves = leaves
    self.gridSize = gridSize
  }

  /// The polygons of the union: they touch each other in points at most.
  func united(_ session: borrowing GEOSSession) throws(EngineError) -> [UnionPiece] {
    let order = leaves.inSpace()
    let count = (order.count &+ Self.neighbourhood &- 1) / Self.neighbourhood
    var level = try inParallel(count) { (number, session) throws(EngineError) in
      let first = number &* Self.neighbourhood
      return try neighbourhood(order[first..<min(order.count, first &+ Self.neighbourhood)], session)
    }
    while level.count > 1 {
      let below = level
      level = try inParallel((below.count &+ 1) / 2) { (number, session) throws(EngineError) in
        let first = number &* 2
        return first &+ 1 < below.count ? try merge(below[first], below[first &+ 1], session) : below[first]
      }
    }
    return level.first ?? []
  }

  private func inParallel(
    _ count: Int, _ make: @Sendable (Int, borrowing GEOSSession) throws(EngineError) -> [UnionPiece]
  ) throws(EngineError) -> [[UnionPiece]] {
    let made = Lock([[UnionPiece]](repeating: [], count: count))
    try runtime.workers.forEach(count) { (number) throws(EngineError) in
      let pieces = try make(number, try GEOSSession())
      made.withLock { $0[number] = pieces }
    }
    return made.withLock { $0 }
  }

  // MARK: Neighbours

  private func neighbourhood(
    _ leaves: ArraySlice<UnionLeaf>, _ session: borrowing GEOSSession
  ) throws(EngineError) -> [UnionPiece] {
    var parts = GEOSParts(in: session)
    for leaf in leaves { parts.append(try session.polygon(leaf.columns, leaf.row, leaf.part)) }
    let all = try session.collect(&parts, GEOS_MULTIPOLYGON)
    if gridSize > 0, leaves.count == 1 {
      // GEOS's unary union hands back a polygon that is alone as it is, off the grid; its overlay does not.
      let nothing = GEOSObject(GEOSGeom_createEmptyPolygon_r(session.handle), in: session)
      guard let nothing,
        let made = GEOSObject(
          session.overlay(.union, all.pointer, nothing.pointer, gridSize), in: session)
      else { throw session.refusal("A union") }
      return try pieces(of: made, session)
    }
    return try pieces(of: try session.unaryUnion(all.pointer, gridSize), session)
  }

  // MARK: Neighbourhoods

  private func merge(
    _ a: [UnionPiece], _ b: [UnionPiece], _ session: borrowing GEOSSession
  ) throws(EngineError) -> [UnionPiece] {
    let (meeting, others) = Self.meeting(a, b)
    let (meetingOfB, othersOfB) = Self.meeting(b, a)
    if meeting.isEmpty || meetingOfB.isEmpty { return a + b }
    let first = try multipolygon(meeting, session)
    let second = try multipolygon(meetingOfB, session)
    guard let union = GEOSObject(session.overlay(.union, first.pointer, second.pointer, gridSize), in: session) else {
      throw session.refusal("A union")
    }
    return try pieces(of: union, session) + others + othersOfB
  }

  /// Which of `a` have a box that meets that of one of `b`, and which have not.
  private static func meeting(_ a: [UnionPiece], _ b: [UnionPiece]) -> ([UnionPiece], [UnionPiece]) {
    guard let first = b.first else { return ([], a) }
    let whole = b.reduce(into: first.box) { $0.extend(around: $1.box) }
    let sorted = b.map(\.box).sorted { $0.xMin < $1.xMin }
    // The largest xMax up to each: behind it none reaches back.
    var reach: [Double] = []
    for box in sorted { reach.append(max(reach.last ?? box.xMax, box.xMax)) }
    var meeting: [UnionPiece] = []
    var others: [UnionPiece] = []
    for piece in a {
      let meets = piece.box.meets(whole) && Self.meets(piece.box, sorted, reach)
      if meets { meeting.append(piece) } else { others.append(piece) }
    }
    return (meeting, others)
  }

  private static func meets(_ box: Envelope, _ sorted: [Envelope], _ reach: [Double]) -> Bool {
    // The first that begins right of the box.
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low &+ high) / 2
      if sorted[middle].xMin <= box.xMax { low = middle &+ 1 } else { high = middle }
    }
    var index = low &- 1
    while index >= 0, reach[index] >= box.xMin {
      if sorted[index].meets(box) { return true }
      index &-= 1
    }
    return false
  }

  private func multipolygon(
    _ pieces: [UnionPiece], _ session: borrowing GEOSSession
  ) throws(EngineError) -> GEOSObject {
    var parts = GEOSParts(in: session)
    for piece in pieces { parts.append(try session.copy(of: piece)) }
    return try session.collect(&parts, GEOS_MULTIPOLYGON)
  }

  /// The polygons of a union. On a grid also lines may be left of what was narrower than a cell; they are no area.
  private func pieces(
    of union: consuming GEOSObject, _ session: borrowing GEOSSession
  ) throws(EngineError) -> [UnionPiece] {
    let owner = try GEOSShared(union)
    var pieces: [UnionPiece] = []
    for number in 0..<GEOSGetNumGeometries_r(session.handle, owner.pointer) {
      guard let part = GEOSGetGeometryN_r(session.handle, owner.pointer, number),
        GEOSGeomTypeId_r(session.handle, part) == Int32(truncatingIfNeeded: GEOS_POLYGON.rawValue),
        GEOSisEmpty_r(session.handle, part) == 0
      else { continue }
      pieces.append(UnionPiece(owner: owner, pointer: part, box: try session.envelope(part)))
    }
    return pieces
  }
}

extension GEOSSession {
  /// The box around a geometry that is not empty.
  func envelope(_ object: OpaquePointer) throws(EngineError) -> Envelope {
    var box = Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
    guard GEOSGeom_getXMin_r(handle, object, &box.xMin) == 1, GEOSGeom_getYMin_r(handle, object, &box.yMin) == 1,
      GEOSGeom_getXMax_r(handle, object, &box.xMax) == 1, GEOSGeom_getYMax_r(handle, object, &box.yMax) == 1
    else { throw failure("GEOS could not compute the envelope of a geometry") }
    return box
  }
}

extension GeometryColumns {
  /// The box around a part that has vertices.
  func envelope(ofPart part: Int) -> Envelope {
    let paths = paths(ofPart: part)
    let range = vertexOffsets.number(paths.lowerBound)..<vertexOffsets.number(paths.upperBound)
    let first = points[range.lowerBound]
    var box = Envelope(xMin: first.x, yMin: first.y, xMax: first.x, yMax: first.y)
    for point in UnsafeBufferPointer(rebasing: points.buffer[range]) {
      box.xMin = min(box.xMin, point.x)
      box.yMin = min(box.yMin, point.y)
      box.xMax = max(box.xMax, point.x)
      box.yMax = max(box.yMax, point.y)
    }
    return box
  }
}

extension HilbertCurve {
  /// Items in the order in which the curve passes their positions.
  static func sorted<Item>(_ items: [Item], at place: (Item) -> Point) -> [Item] {
    let points = items.map(place)
    guard let all = Envelope(around: points) else { return items }
    let width = max(all.xMax - all.xMin, .leastNormalMagnitude)
    let height = max(all.yMax - all.yMin, .leastNormalMagnitude)
    let curve = HilbertCurve.shared
    let keys = points.map { curve.distance(cell(($0.x - all.xMin) / width), cell(($0.y - all.yMin) / height)) }
    return items.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { items[$0] }
  }

  private static func cell(_ value: Double) -> UInt32 { UInt32(exactly: (value * 65535).rounded(.down)) ?? 0 }
}
