import AlidadeBase
import AlidadeCoordinates

/// The union of what loops go around, on a grid of doubles: neighbours first, then neighbourhoods, on all cores.
struct SweepUnion {
  /// What is united: where the winding number of the loops is positive.
  struct Leaf {
    var loops: [SweepLoop]
    /// Taken away: the union of these.
    var removed: [[SweepLoop]] = []
  }

  let workers: Workers
  private let policy: Policy
  /// The grid's step; a power of two.
  private let step: Double
  private let leaves: [Leaf]

  /// Edges that are united in one go at first.
  private static let neighbourhood = 1024

  /// - Parameter leaves: neighbours follow each other.
  init(_ leaves: [Leaf], workers: Workers, policy: Policy) {
    self.leaves = leaves
    self.workers = workers
    self.policy = policy
    var largest = 0.0
    for leaf in leaves {
      for loop in leaf.loops + leaf.removed.joined() {
        for point in loop.points { largest = max(largest, point.x.magnitude, point.y.magnitude) }
      }
    }
    // So that all coordinates are whole numbers of steps below 2^53.
    let exponent = largest > 0 ? Int(truncatingIfNeeded: largest.exponent) &- 52 : 0
    step = Double(sign: .plus, exponent: max(-1074, exponent), significand: 1)
  }

  /// Where that is.
  func outline() throws(EngineError) -> WindingOutline {
    var first: [[GridEdge]] = [[]]
    for leaf in leaves {
      let edges = try self.edges(leaf)
      // A sum of what is positive needs no union of its own.
      let joins = leaf.loops.allSatisfy { $0.weight > 0 } && first[first.count &- 1].count < Self.neighbourhood
      if joins { first[first.count &- 1] += edges } else { first.append(edges) }
    }
    return try united(first)
  }

  private func united(_ leaves: [[GridEdge]]) throws(EngineError) -> WindingOutline {
    var level = try inParallel(leaves.count) { (index) throws(EngineError) in try WindingOutline(leaves[index], policy)
    }
    while level.count > 1 {
      let below = level
      level = try inParallel((below.count &+ 1) / 2) { (index) throws(EngineError) in
        let first = 2 &* index
        if first &+ 1 == below.count { return below[first] }
        return try WindingOutline(below[first].outline + below[first &+ 1].outline, policy)
      }
    }
    guard let last = level.first else { return try WindingOutline([], policy) }
    return last
  }

  private func inParallel(
    _ count: Int, _ make: @Sendable (Int) throws(EngineError) -> WindingOutline
  ) throws(EngineError) -> [WindingOutline] {
    let made = Lock([WindingOutline?](repeating: nil, count: count))
    try workers.forEach(count) { (number) throws(EngineError) in
      let outline = try make(number)
      made.withLock { $0[number] = outline }
    }
    return made.withLock { $0 }.compactMap { $0 }
  }

  /// The edges of a leaf, of which all that is inside has a positive winding number.
  private func edges(_ leaf: Leaf) throws(EngineError) -> [GridEdge] {
    let own = leaf.loops.flatMap(edges)
    guard !leaf.removed.isEmpty else {
      return leaf.loops.allSatisfy { $0.weight > 0 } ? own : try WindingOutline(own, policy).outline
    }
    var removed = try united(leaf.removed.map { $0.flatMap(edges) }).outline
    for index in removed.indices { removed[index].weight = -1 }
    return try WindingOutline(own + removed, policy).outline
  }

  // MARK: The grid

  private func edges(_ loop: SweepLoop) -> [GridEdge] {
    guard var last = loop.points.last.map(round) else { return [] }
    var edges: [GridEdge] = []
    edges.reserveCapacity(loop.points.count)
    for (index, point) in loop.points.enumerated() {
      let next = round(point)
      if next != last {
        let number = index > 0 ? index &- 1 : loop.points.count &- 1
        edges.append(GridEdge(from: last, to: next, weight: loop.weight, isMarked: loop.marks.contains(number)))
      }
      last = next
    }
    return edges
  }

  private func round(_ point: Point) -> GridPoint { GridPoint(x: round(point.x), y: round(point.y)) }
  private func round(_ value: Double) -> Int64 { Int64(exactly: (value / step).rounded()) ?? 0 }

  /// A point of the grid in the coordinates of the loops.
  func point(_ point: GridPoint) -> Point { Point(x: Double(point.x) * step, y: Double(point.y) * step) }
}
