import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Builds valid polygons from the rings of discretised arcs.
///
/// Chords of arcs on the boundary never cross: a crossing chord would have an end inside a circle. Rounding can make
/// them cross only where vertices come as near to each other as it moves them. So such vertices are merged where
/// rounding does not distinguish them, and rings are cut where they pass a vertex twice. Where others come nearly as
/// near, or rings of one polygon share vertices, GEOS looks at the polygons (`PolygonRepair`).
struct RingCleaning {
  private let boundary: CircleBoundary
  private let buffers: PolygonBuffers
  private let isDelicate: HeapArray<Bool>
  private let workers: Workers
  private let policy: Policy

  /// - Parameter isDelicate: for each vertex whether rounding may bring it over a chord.
  init(
    _ boundary: CircleBoundary, _ buffers: PolygonBuffers, _ isDelicate: HeapArray<Bool>, _ workers: Workers,
    _ policy: Policy
  ) {
    self.workers = workers
    self.policy = policy
    self.boundary = boundary
    self.buffers = buffers
    self.isDelicate = isDelicate
  }

  /// How near vertices are to be looked at.
  ///
  /// A chord of length l and a vertex at its side, as far away as rounding moves them, u, meet within 2 u r / l of the
  /// chord's end, and within l: so within the root of 2 u r.
  static func reach(unit: Double, radius: Double) -> Double { (6 * unit * radius).squareRoot() }

  func cleaned() throws(EngineError) -> PolygonBuffers {
    var count = (all: 0, delicate: 0)
    var (unit, radius) = (0.0, 0.0)
    let needsCare = try HeapArray<Bool>(count: boundary.polygonCount)
    for polygon in 0..<boundary.polygonCount {
      needsCare.buffer[polygon] = false
      for ring in buffers.rings(of: polygon) {
        let marks = isDelicate.buffer[vertices(of: ring)]
        guard marks.contains(true) else { continue }
        needsCare.buffer[polygon] = true
        count.delicate &+= marks.count { $0 }
        for arc in boundary.ringOffsets[ring]..<boundary.ringOffsets[ring &+ 1] {
          (unit, radius) = (max(unit, boundary.arcs[arc].unit), max(radius, boundary.arcs[arc].radius))
        }
      }
      if needsCare.buffer[polygon] {
        for ring in buffers.rings(of: polygon) { count.all &+= vertices(of: ring).count }
      }
    }
    let result = MarkedPolygons(polygons: try PolygonBuffers(), isDelicate: try GrowingBuffer())
    let isDoubtful = try GrowingBuffer<Bool>()
    let cutting = try RingCutting(count: count.all, delicate: count.delicate, unit: unit)
    for polygon in 0..<buffers.polygonCount {
      let before = result.polygons.polygonCount
      if needsCare.buffer[polygon] {
        try cutting.cut(buffers, buffers.rings(of: polygon), isDelicate, unit: self.unit(of: polygon), into: result)
      } else {
        for ring in buffers.rings(of: polygon) {
          try result.append(ring: buffers.vertices(of: ring), marks(of: ring))
        }
        try result.polygons.endPolygon()
      }
      for _ in before..<result.polygons.polygonCount { try isDoubtful.append(needsCare.buffer[polygon]) }
    }
    let check = try ClosenessCheck(
      result, isDoubtful, delicate: count.delicate, unit: unit, radius: radius)
    guard try check.find() > 0 else { return result.polygons }
    return try PolygonRepair.repaired(result, isDoubtful, workers, policy)
  }

  private func vertices(of ring: Int) -> Range<Int> {
    buffers.ringOffsets.values[ring]..<buffers.ringOffsets.values[ring &+ 1]
  }

  private func marks(of ring: Int) -> UnsafeMutableBufferPointer<Bool> {
    UnsafeMutableBufferPointer(rebasing: isDelicate.buffer[vertices(of: ring)])
  }

  private func unit(of polygon: Int) -> Double {
    var unit = 0.0
    for ring in boundary.polygonOffsets[polygon]..<boundary.polygonOffsets[polygon &+ 1] {
      for arc in boundary.ringOffsets[ring]..<boundary.ringOffsets[ring &+ 1] {
        unit = max(unit, boundary.arcs[arc].unit)
      }
    }
    return unit
  }
}

/// Polygons as they are written, and for each vertex whether it is delicate.
struct MarkedPolygons {
  let polygons: PolygonBuffers
  let isDelicate: GrowingBuffer<Bool>

  func append(
    ring: UnsafeMutableBufferPointer<Point>, _ marks: UnsafeMutableBufferPointer<Bool>
  ) throws(EngineError) {
    try polygons.append(ring: ring)
    try isDelicate.append(contentsOf: marks)
  }

  /// A ring's vertices that are delicate, as numbers in the ring; not the last one, which is the first one again.
  func delicateVertices(of ring: Int) -> [Int] {
    let first = polygons.ringOffsets.values[ring]
    let count = polygons.ringOffsets.values[ring &+ 1] &- first &- 1
    return (0..<count).filter { isDelicate.values[first &+ $0] }
  }
}

/// Finds polygons that come nearer to themselves or to each other than chords may without a closer look.
struct ClosenessCheck {
  private let marked: MarkedPolygons
  private let isDoubtful: GrowingBuffer<Bool>
  private let reach: Double
  private let unit: Double
  private let table: PointTable
  /// For each point of the table its neighbours in its ring, and the ring.
  private let neighbours: GrowingBuffer<(before: Point, after: Point, ring: Int)>

  /// - Parameters:
  ///   - isDoubtful: which polygons to look at; changed into which are too near.
  ///   - delicate: how many delicate vertices there are at most.
  ///   - unit: the coarsest step of their coordinates.
  ///   - radius: the largest radius of the arcs that they are on.
  init(
    _ marked: MarkedPolygons, _ isDoubtful: GrowingBuffer<Bool>, delicate: Int, unit: Double, radius: Double
  ) throws(EngineError) {
    self.marked = marked
    self.isDoubtful = isDoubtful
    self.unit = unit
    reach = RingCleaning.reach(unit: unit, radius: radius)
    table = try PointTable(count: delicate)
    neighbours = try GrowingBuffer(capacity: max(16, delicate))
  }

  /// How many polygons are too near.
  func find() throws(EngineError) -> Int {
    let cell = 4 * reach
    let polygons = marked.polygons
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      for ring in polygons.rings(of: polygon) {
        let vertices = polygons.vertices(of: ring)
        let last = vertices.count &- 1
        for index in marked.delicateVertices(of: ring) {
          _ = try table.add(vertices[index], cell: cell)
          try neighbours.append((vertices[index == 0 ? last &- 1 : index &- 1], vertices[index &+ 1], ring))
        }
      }
    }
    // The rings of a polygon hang together in vertices that they share; if they do so in a cycle, it cuts off a part.
    let links = try DisjointSets(count: neighbours.count &+ polygons.ringOffsets.count)
    var count = 0
    var place = 0
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      let rings = polygons.rings(of: polygon)
      var isNear = false
      while place < neighbours.count, rings.contains(neighbours.values[place].ring) {
        isNear = isNear || hasNear(place, cell) || (rings.count > 1 && closesCycle(place, rings, links, cell))
        place &+= 1
      }
      isDoubtful.values[polygon] = isNear
      if isNear { count &+= 1 }
    }
    return count
  }

  /// Links a vertex's ring to the vertex. Whether they were linked before.
  private func closesCycle(_ index: Int, _ rings: Range<Int>, _ links: DisjointSets, _ cell: Double) -> Bool {
    let point = table.points.values[index]
    let same = table.first(near: point, within: reach, cell: cell) {
      table.points.values[$0] == point && rings.contains(neighbours.values[$0].ring)
    }
    let node = Int32(truncatingIfNeeded: same ?? index)
    let ring = Int32(truncatingIfNeeded: neighbours.count &+ neighbours.values[index].ring)
    if links.root(node) == links.root(ring) { return true }
    links.join(node, ring)
    return false
  }

  private func hasNear(_ index: Int, _ cell: Double) -> Bool {
    let point = table.points.values[index]
    let own = neighbours.values[index]
    return table.first(near: point, within: reach, cell: cell) { other in
      let place = table.points.values[other]
      let others = neighbours.values[other]
      guard place == point else {
        return place != own.before && place != own.after
          && (isBeside(place, point, own.before) || isBeside(place, point, own.after)
            || isBeside(point, place, others.before) || isBeside(point, place, others.after))
      }
      // Rings may touch in a vertex; they may not share a side.
      return other != index
        && (own.before == others.before || own.before == others.after || own.after == others.before
          || own.after == others.after)
    } != nil
  }

  /// Whether a point is so near a chord that rounding, and vertices that were merged, may have moved it there.
  private func isBeside(_ point: Point, _ start: Point, _ end: Point) -> Bool {
    let (cx, cy) = (end.x - start.x, end.y - start.y)
    let (px, py) = (point.x - start.x, point.y - start.y)
    let length = cx * cx + cy * cy
    let share = length > 0 ? min(max((px * cx + py * cy) / length, 0), 1) : 0
    let (dx, dy) = (px - share * cx, py - share * cy)
    return dx * dx + dy * dy <= 64 * 64 * unit * unit
  }
}

/// Merges vertices that rounding does not distinguish, and cuts rings where they pass a vertex twice.
final class RingCutting {
  private let table: PointTable
  private let cell: Double
  /// For each vertex of the table whether it is delicate.
  private let isDelicate: GrowingBuffer<Bool>
  /// Where each vertex of the table is on the way that is followed; -1 if it is not.
  private let positions: HeapArray<Int32>
  private let way: GrowingBuffer<Int32>
  /// The rings of the polygon under work, closed, and where they begin.
  private let vertices: GrowingBuffer<Point>
  private let marks: GrowingBuffer<Bool>
  private let rings: GrowingBuffer<CutRing>

  private struct CutRing {
    var first: Int
    var count: Int
    var area: Double
  }

  /// - Parameters:
  ///   - count: of all vertices that will come.
  ///   - delicate: how many of these are delicate.
  ///   - unit: the coarsest step of their coordinates.
  init(count: Int, delicate: Int, unit: Double) throws(EngineError) {
    table = try PointTable(count: delicate)
    cell = 4096 * 16 * unit
    isDelicate = try GrowingBuffer(capacity: count)
    positions = try HeapArray(count: count, repeating: -1)
    way = try GrowingBuffer()
    vertices = try GrowingBuffer()
    marks = try GrowingBuffer()
    rings = try GrowingBuffer()
  }

  /// Adds what becomes of a polygon: none, one or several. Vertices that are not delicate stay as they are.
  func cut(
    _ source: PolygonBuffers, _ range: Range<Int>, _ delicate: HeapArray<Bool>, unit: Double,
    into result: MarkedPolygons
  ) throws(EngineError) {
    vertices.removeAll()
    marks.removeAll()
    rings.removeAll()
    for ring in range {
      let first = source.ringOffsets.values[ring]
      let own = delicate.buffer[first..<source.ringOffsets.values[ring &+ 1]]
      guard own.contains(true) else {
        let points = source.vertices(of: ring)
        try rings.append(CutRing(first: vertices.count, count: points.count, area: points[...].shoelace.area))
        try vertices.append(contentsOf: points)
        try marks.append(contentsOf: UnsafeMutableBufferPointer(rebasing: own))
        continue
      }
      way.removeAll()
      for (offset, point) in source.vertices(of: ring).dropLast().enumerated() {
        let index = try index(of: point, isDelicate: delicate.buffer[first &+ offset], within: 16 * unit)
        if positions.buffer[Int(truncatingIfNeeded: index)] >= 0 {
          try endRing(at: Int(truncatingIfNeeded: positions.buffer[Int(truncatingIfNeeded: index)]), unit)
        } else {
          positions.buffer[Int(truncatingIfNeeded: index)] = Int32(truncatingIfNeeded: way.count)
          try way.append(index)
        }
      }
      if way.count > 0 { try endRing(at: 0, unit) }
      for index in way.filled { positions.buffer[Int(truncatingIfNeeded: index)] = -1 }
    }
    try group(into: result)
  }

  /// The number of a vertex in the table; if it is delicate and merged with another vertex, the other's number.
  private func index(of point: Point, isDelicate delicate: Bool, within distance: Double) throws(EngineError) -> Int32 {
    if delicate, let known = table.first(near: point, within: distance, cell: cell, where: { _ in true }) {
      return Int32(truncatingIfNeeded: known)
    }
    try isDelicate.append(delicate)
    if delicate { return Int32(truncatingIfNeeded: try table.add(point, cell: cell)) }
    try table.points.append(point)
    return Int32(truncatingIfNeeded: table.points.count &- 1)
  }

  /// Creates a ring from the path from a position on; only the vertex there stays on the path.
  private func endRing(at position: Int, _ unit: Double) throws(EngineError) {
    let count = way.count &- position
    let first = vertices.count
    for index in way.values[position..<way.count] {
      try vertices.append(table.points.values[Int(truncatingIfNeeded: index)])
      try marks.append(isDelicate.values[Int(truncatingIfNeeded: index)])
    }
    for index in way.values[(position &+ 1)..<way.count] { positions.buffer[Int(truncatingIfNeeded: index)] = -1 }
    way.truncate(to: position &+ 1)
    try vertices.append(vertices.values[first])
    try marks.append(marks.values[first])
    let (area, length) = vertices.values[first..<vertices.count].shoelace
    // Rings of two vertices, and those that rounding may have turned over.
    if count < 3 || abs(area) <= 2 * unit * length {
      vertices.truncate(to: first)
      marks.truncate(to: first)
    } else {
      try rings.append(CutRing(first: first, count: count &+ 1, area: area))
    }
  }

  /// Puts each hole behind the smallest outer ring around it.
  private func group(into result: MarkedPolygons) throws(EngineError) {
    let all = rings.filled
    let outers = all.filter { $0.area > 0 }
    for (number, outer) in outers.enumerated() {
      try append(outer, to: result)
      for hole in all where hole.area < 0 {
        guard outers.count == 1 || owner(of: hole, among: outers) == number else { continue }
        try append(hole, to: result)
      }
      try result.polygons.endPolygon()
    }
  }

  private func append(_ ring: CutRing, to result: MarkedPolygons) throws(EngineError) {
    try result.append(
      ring: points(ring), UnsafeMutableBufferPointer(rebasing: marks.values[ring.first..<(ring.first &+ ring.count)]))
  }

  private func owner(of hole: CutRing, among outers: [CutRing]) -> Int? {
    var best: Int?
    for (number, outer) in outers.enumerated() where best.map({ outer.area < outers[$0].area }) ?? true {
      let ring = points(outer)
      // A vertex of the hole that is not a vertex of the ring decides.
      let isInside = points(hole).lazy.compactMap { ring.side(of: $0) }.first
      if isInside == true { best = number }
    }
    return best
  }

  private func points(_ ring: CutRing) -> UnsafeMutableBufferPointer<Point> {
    UnsafeMutableBufferPointer(rebasing: vertices.values[ring.first..<(ring.first &+ ring.count)])
  }
}

extension UnsafeMutableBufferPointer<Point>.SubSequence {
  /// The area within a closed ring, positive if it goes counterclockwise, and its length.
  var shoelace: (area: Double, length: Double) {
    guard let first else { return (0, 0) }
    var (area, length) = (0.0, 0.0)
    for index in startIndex..<(endIndex &- 1) {
      let (a, b) = (self[index], self[index &+ 1])
      area += (a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y)
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      length += (dx * dx + dy * dy).squareRoot()
    }
    return (0.5 * area, length)
  }
}

extension UnsafeMutableBufferPointer<Point> {
  /// Whether a point lies within a closed ring; nil if it is one of its vertices.
  fileprivate func side(of point: Point) -> Bool? {
    var isInside = false
    for index in 0..<(count &- 1) {
      let (a, b) = (self[index], self[index &+ 1])
      if a == point { return nil }
      guard (a.y > point.y) != (b.y > point.y) else { continue }
      let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
      if (turn > 0) == (b.y > a.y) { isInside.toggle() }
    }
    return isInside
  }
}

/// Points that are found again by where they lie: an open hash table of cells.
struct PointTable {
  private let slots: HeapArray<Int32>
  private let mask: Int
  let points: GrowingBuffer<Point>

  /// - Parameter count: how many points will be added at most.
  init(count: Int) throws(EngineError) {
    var size = 64
    while size < 2 &* count { size &*= 2 }
    slots = try HeapArray(count: size)
    slots.buffer.update(repeating: -1)
    mask = size &- 1
    points = try GrowingBuffer(capacity: max(16, count))
  }

  /// Adds a point in the cell of a size that it lies in.
  func add(_ point: Point, cell: Double) throws(EngineError) -> Int {
    var slot = place(point.x, point.y, cell)
    while slots.buffer[slot] >= 0 { slot = (slot &+ 1) & mask }
    slots.buffer[slot] = Int32(truncatingIfNeeded: points.count)
    try points.append(point)
    return points.count &- 1
  }

  /// The first point within a distance, less than half of a cell, for which a condition holds.
  func first(near point: Point, within distance: Double, cell: Double, where holds: (Int) -> Bool) -> Int? {
    let (left, right) = ((point.x - distance) / cell, (point.x + distance) / cell)
    let (low, high) = ((point.y - distance) / cell, (point.y + distance) / cell)
    let wide = left.rounded(.down) == right.rounded(.down) ? 1 : 2
    let tall = low.rounded(.down) == high.rounded(.down) ? 1 : 2
    for row in 0..<tall {
      for column in 0..<wide {
        var slot = place(
          column == 0 ? point.x - distance : point.x + distance, row == 0 ? point.y - distance : point.y + distance,
          cell)
        while slots.buffer[slot] >= 0 {
          let index = Int(truncatingIfNeeded: slots.buffer[slot])
          let other = points.values[index]
          if abs(other.x - point.x) <= distance, abs(other.y - point.y) <= distance, holds(index) { return index }
          slot = (slot &+ 1) & mask
        }
      }
    }
    return nil
  }

  private func place(_ x: Double, _ y: Double, _ cell: Double) -> Int {
    // Zero has two bit patterns; the sum has one.
    var bits = ((x / cell).rounded(.down) + 0).bitPattern &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 29)) &+ ((y / cell).rounded(.down) + 0).bitPattern
    bits = (bits ^ (bits >> 32)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 29)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits >> 20) & mask
  }
}

/// Has GEOS look at polygons whose sides rounding may have made cross, and unites them anew where it has.
enum PolygonRepair {
  /// - Parameter isDoubtful: which polygons to look at; changed into which are united.
  /// - Returns: the other polygons, then the union of those if they are not valid.
  static func repaired(
    _ marked: MarkedPolygons, _ isDoubtful: GrowingBuffer<Bool>, _ workers: Workers, _ policy: Policy
  ) throws(EngineError) -> PolygonBuffers {
    let polygons = marked.polygons
    let session = try GEOSSession()
    var parts = GEOSParts(in: session)
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      var rings = GEOSParts(in: session)
      for ring in polygons.rings(of: polygon) {
        rings.append(try session.ring(UnsafeBufferPointer(polygons.vertices(of: ring))))
      }
      parts.append(try session.taken(rings.polygon(), "A polygon could not be made"))
    }
    let all = try session.taken(parts.collection(GEOS_MULTIPOLYGON), "Polygons could not be gathered")
    if GEOSisValid_r(session.handle, all.pointer) == 1 { return polygons }
    try addTouching(marked, isDoubtful)
    let loops = (0..<polygons.polygonCount).filter { isDoubtful.values[$0] }.map { polygon in
      polygons.rings(of: polygon).map { SweepLoop(points: Array(polygons.vertices(of: $0).dropLast())) }
    }
    let union = SweepUnion(loops.map { SweepUnion.Leaf(loops: $0) }, workers: workers, policy: policy)
    let result = try PolygonBuffers()
    for polygon in 0..<polygons.polygonCount where !isDoubtful.values[polygon] {
      try result.append(polygon: polygon, of: polygons)
    }
    for rings in try union.outline().polygons() {
      for ring in rings {
        var points = ring.map(union.grid.point)
        try points.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try result.append(ring: points) }
      }
      try result.endPolygon()
    }
    return result
  }

  /// Adds polygons that share a vertex with those that are doubtful, or with what is added: the union moves vertices, and
  /// the polygons would no longer touch there, but cross.
  private static func addTouching(
    _ marked: MarkedPolygons, _ isDoubtful: GrowingBuffer<Bool>
  ) throws(EngineError) {
    let polygons = marked.polygons
    let touching = try DisjointSets(count: polygons.polygonCount)
    var owners: [SIMD2<Double>: Int32] = [:]
    for polygon in 0..<polygons.polygonCount {
      let number = Int32(truncatingIfNeeded: polygon)
      for ring in polygons.rings(of: polygon) {
        let vertices = polygons.vertices(of: ring)
        for index in marked.delicateVertices(of: ring) {
          // -0 is 0.
          let place = SIMD2(vertices[index].x + 0, vertices[index].y + 0)
          if let owner = owners[place] { touching.join(number, owner) } else { owners[place] = number }
        }
      }
    }
    let doubtful = (0..<polygons.polygonCount).filter { isDoubtful.values[$0] }
    let roots = Set(doubtful.map { touching.root(Int32(truncatingIfNeeded: $0)) })
    for polygon in 0..<polygons.polygonCount where roots.contains(touching.root(Int32(truncatingIfNeeded: polygon))) {
      isDoubtful.values[polygon] = true
    }
  }
}
