import AlidadeBase
import AlidadeCoordinates

/// Makes valid polygons of the rings of discretised arcs.
///
/// Chords of arcs on the boundary never cross: one that did would have an end inside of a circle. Rounding can make them
/// cross only where vertices come as near to each other as it moves them. So vertices of rings that have such places are
/// merged where rounding does not tell them apart, and rings are cut where they pass a vertex twice. Where others come
/// nearly as near, or rings share vertices, GEOS looks at the polygons (`PolygonRepair`).
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
