import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Builds valid polygons from the rings of discretised arcs.
///
/// Chords of arcs on the boundary never cross: a crossing chord would have an end inside a circle. Rounding can make
/// them cross only where vertices come as near to each other as it moves them. So vertices of such rings are merged
/// where rounding does not distinguish them, and rings are cut where they pass a vertex twice. Where others come nearly
/// as near, or rings share vertices, GEOS looks at the polygons (`PolygonRepair`).
struct RingCleaning {
  private let boundary: CircleBoundary
  private let buffers: PolygonBuffers
  private let isDelicate: HeapArray<Bool>
  private let workers: Workers
  private let policy: Policy

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

  /// What is known of the polygons that need care.
  private struct Care {
    var polygons = 0
    var vertices = 0
    /// The coarsest step of coordinates, and the largest radius.
    var unit = 0.0
    var radius = 0.0
  }

  func cleaned() throws(EngineError) -> PolygonBuffers {
    let needsCare = try HeapArray<Bool>(count: boundary.polygonCount)
    let isRingDelicate = try HeapArray<Bool>(count: boundary.ringCount)
    let care = findCare(needsCare, isRingDelicate)
    guard care.polygons > 0 else { return buffers }
    let result = try PolygonBuffers()
    let isDoubtful = try GrowingBuffer<Bool>()
    let toCheck = try GrowingBuffer<Bool>()
    let cutting = try RingCutting(count: care.vertices, unit: care.unit)
    for polygon in 0..<buffers.polygonCount {
      let before = result.polygonCount
      if needsCare.buffer[polygon] {
        try cutting.cut(
          buffers, buffers.rings(of: polygon), isRingDelicate, unit: unit(of: polygon), into: result, marks: toCheck)
      } else {
        try result.append(polygon: polygon, of: buffers)
        for _ in buffers.rings(of: polygon) { try toCheck.append(false) }
      }
      for _ in before..<result.polygonCount { try isDoubtful.append(needsCare.buffer[polygon]) }
    }
    // A chord of length l and a vertex at its side, as far away as rounding moves them, u, meet within 2 u r / l of the
    // chord's end, and within l: so within the root of 2 u r.
    let reach = (6 * care.unit * care.radius).squareRoot()
    let check = try ClosenessCheck(result, isDoubtful, toCheck, reach: reach)
    guard try check.find() > 0 else { return result }
    return try PolygonRepair.repaired(result, isDoubtful, workers, policy)
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

  private func findCare(_ needsCare: HeapArray<Bool>, _ isRingDelicate: HeapArray<Bool>) -> Care {
    var care = Care()
    for polygon in 0..<boundary.polygonCount {
      let rings = boundary.polygonOffsets[polygon]..<boundary.polygonOffsets[polygon &+ 1]
      needsCare.buffer[polygon] = false
      for ring in rings {
        let arcs = boundary.ringOffsets[ring]..<boundary.ringOffsets[ring &+ 1]
        isRingDelicate.buffer[ring] = arcs.contains { isDelicate.buffer[$0] }
        guard isRingDelicate.buffer[ring] else { continue }
        needsCare.buffer[polygon] = true
        care.vertices &+= buffers.vertices(of: ring).count
        for arc in arcs {
          care.unit = max(care.unit, boundary.arcs[arc].unit)
          care.radius = max(care.radius, boundary.arcs[arc].radius)
        }
      }
      if needsCare.buffer[polygon] { care.polygons &+= 1 }
    }
    return care
  }
}

/// Finds polygons that come nearer to themselves or to each other than chords may without a closer look.
struct ClosenessCheck {
  private let polygons: PolygonBuffers
  private let isDoubtful: GrowingBuffer<Bool>
  private let toCheck: GrowingBuffer<Bool>
  private let reach: Double
  private let table: PointTable
  /// For each point of the table its neighbours in its ring.
  private let neighbours: GrowingBuffer<(before: Point, after: Point)>

  /// - Parameters:
  ///   - isDoubtful: which polygons to look at; changed into which are too near.
  ///   - toCheck: which of all rings to look at.
  init(
    _ polygons: PolygonBuffers, _ isDoubtful: GrowingBuffer<Bool>, _ toCheck: GrowingBuffer<Bool>, reach: Double
  ) throws(EngineError) {
    self.polygons = polygons
    self.isDoubtful = isDoubtful
    self.toCheck = toCheck
    self.reach = reach
    var count = 0
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      for ring in polygons.rings(of: polygon) where toCheck.values[ring] { count &+= polygons.vertices(of: ring).count }
    }
    table = try PointTable(count: count)
    neighbours = try GrowingBuffer(capacity: max(16, count))
  }

  /// How many polygons are too near.
  func find() throws(EngineError) -> Int {
    let cell = 4 * reach
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      for ring in polygons.rings(of: polygon) where toCheck.values[ring] {
        let vertices = polygons.vertices(of: ring)
        let last = vertices.count &- 1
        for index in 0..<last {
          _ = try table.add(vertices[index], cell: cell)
          try neighbours.append((vertices[index == 0 ? last &- 1 : index &- 1], vertices[index &+ 1]))
        }
      }
    }
    var count = 0
    var place = 0
    for polygon in 0..<polygons.polygonCount where isDoubtful.values[polygon] {
      var isNear = false
      // Rings that share two vertices may cut off a part of the polygon.
      var shared = 0
      for ring in polygons.rings(of: polygon) where toCheck.values[ring] {
        for _ in 1..<polygons.vertices(of: ring).count {
          isNear = isNear || hasNear(place, cell)
          if shared < 4, isShared(place, cell) { shared &+= 1 }
          place &+= 1
        }
      }
      isNear = isNear || shared == 4
      isDoubtful.values[polygon] = isNear
      if isNear { count &+= 1 }
    }
    return count
  }

  /// Whether a vertex is one of another ring, too.
  private func isShared(_ index: Int, _ cell: Double) -> Bool {
    let point = table.points.values[index]
    return table.first(near: point, within: reach, cell: cell) { $0 != index && table.points.values[$0] == point }
      != nil
  }

  private func hasNear(_ index: Int, _ cell: Double) -> Bool {
    let point = table.points.values[index]
    let own = neighbours.values[index]
    return table.first(near: point, within: reach, cell: cell) { other in
      let place = table.points.values[other]
      guard place == point else { return place != own.before && place != own.after }
      if other == index { return false }
      // Rings may touch in a vertex; they may not share a side.
      let others = neighbours.values[other]
      return own.before == others.before || own.before == others.after || own.after == others.before
        || own.after == others.after
    } != nil
  }
}

/// Merges vertices that rounding does not distinguish, and cuts rings where they pass a vertex twice.
final class RingCutting {
  private let table: PointTable
  private let cell: Double
  /// Where each merged vertex is on the way that is followed; -1 if it is not.
  private let positions: HeapArray<Int32>
  private let way: GrowingBuffer<Int32>
  /// The rings of the polygon under work, closed, and where they begin.
  private let vertices: GrowingBuffer<Point>
  private let rings: GrowingBuffer<CutRing>

  private struct CutRing {
    var first: Int
    var count: Int
    var area: Double
    var isDelicate: Bool
  }

  /// - Parameters:
  ///   - count: of all vertices that will come.
  ///   - unit: the coarsest step of their coordinates.
  init(count: Int, unit: Double) throws(EngineError) {
    table = try PointTable(count: count)
    cell = 4096 * 16 * unit
    positions = try HeapArray(count: count)
    positions.buffer.update(repeating: -1)
    way = try GrowingBuffer()
    vertices = try GrowingBuffer()
    rings = try GrowingBuffer()
  }

  /// Adds what becomes of a polygon: none, one or several. Rings that are not delicate stay as they are.
  ///
  /// - Parameter marks: gets for each ring that is added whether it is delicate.
  func cut(
    _ source: PolygonBuffers, _ range: Range<Int>, _ isDelicate: HeapArray<Bool>, unit: Double,
    into result: PolygonBuffers, marks: GrowingBuffer<Bool>
  ) throws(EngineError) {
    vertices.removeAll()
    rings.removeAll()
    for ring in range {
      guard isDelicate.buffer[ring] else {
        let points = source.vertices(of: ring)
        try rings.append(
          CutRing(first: vertices.count, count: points.count, area: points[...].shoelace.area, isDelicate: false))
        try vertices.append(contentsOf: points)
        continue
      }
      way.removeAll()
      for point in source.vertices(of: ring).dropLast() {
        let index = try merged(point, within: 16 * unit)
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
    try group(into: result, marks)
  }

  private func merged(_ point: Point, within distance: Double) throws(EngineError) -> Int32 {
    if let known = table.first(near: point, within: distance, cell: cell, where: { _ in true }) {
      return Int32(truncatingIfNeeded: known)
    }
    let index = try table.add(point, cell: cell)
    return Int32(truncatingIfNeeded: index)
  }

  /// Creates a ring from the path from a position on; only the vertex there stays on the path.
  private func endRing(at position: Int, _ unit: Double) throws(EngineError) {
    let count = way.count &- position
    let first = vertices.count
    for index in way.values[position..<way.count] {
      try vertices.append(table.points.values[Int(truncatingIfNeeded: index)])
    }
    for index in way.values[(position &+ 1)..<way.count] { positions.buffer[Int(truncatingIfNeeded: index)] = -1 }
    way.truncate(to: position &+ 1)
    try vertices.append(vertices.values[first])
    let (area, length) = vertices.values[first..<vertices.count].shoelace
    // Rings of two vertices, and those that rounding may have turned over.
    if count < 3 || abs(area) <= 2 * unit * length {
      vertices.truncate(to: first)
    } else {
      try rings.append(CutRing(first: first, count: count &+ 1, area: area, isDelicate: true))
    }
  }

  /// Puts each hole behind the smallest outer ring around it.
  private func group(into result: PolygonBuffers, _ marks: GrowingBuffer<Bool>) throws(EngineError) {
    let all = rings.filled
    let outers = all.filter { $0.area > 0 }
    for (number, outer) in outers.enumerated() {
      try result.append(ring: points(outer))
      try marks.append(outer.isDelicate)
      for hole in all where hole.area < 0 {
        guard outers.count == 1 || owner(of: hole, among: outers) == number else { continue }
        try result.append(ring: points(hole))
        try marks.append(hole.isDelicate)
      }
      try result.endPolygon()
    }
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
  /// - Parameter isDoubtful: which polygons to look at.
  /// - Returns: the other polygons, then the union of those if they are not valid.
  static func repaired(
    _ polygons: PolygonBuffers, _ isDoubtful: GrowingBuffer<Bool>, _ workers: Workers,
    _ policy: Policy
  ) throws(EngineError) -> PolygonBuffers {
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
}
