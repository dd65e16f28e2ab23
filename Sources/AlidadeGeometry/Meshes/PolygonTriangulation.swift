import AlidadeBase
import AlidadeCoordinates

/// Splits polygons into triangles whose corners are the polygons' vertices.
///
/// A line sweeps over the plane from left to right. Of each interval of the line inside the polygon it keeps the chain
/// of vertices where the triangles on its left end; a chain is concave towards the right, so that a new vertex sees a
/// run of its edges. S. Hertel and K. Mehlhorn, Fast Triangulation of Simple Polygons, Foundations of Computation Theory
/// 1983. It takes n log n steps. All decisions are exact, so that rings may touch, and vertices may lie on edges or on
/// one line.
///
/// The arrays stay between polygons, for thousands of small ones.
public struct PolygonTriangulation {
  private var points = UnsafeBufferPointer<Point>(start: nil, count: 0)
  /// The vertices from left to right, one for each position.
  private var order: [UInt32] = []
  /// For each vertex, its position in `order`, with one number for all vertices at one position.
  private var ranks: [Int32] = []
  /// Vertices by rank.
  private var vertices: [UInt32] = []

  /// The edges, from left to right, by ranks. `next` links the edges that begin at one vertex.
  private var edges: [Edge] = []
  private var firstEdges: [Int32] = []
  private var active = ActiveEdges()
  /// At the vertex where the line is: the edges that end there, and those that begin, each the lowest first.
  private var ended: [Int32] = []
  private var begun: [Int32] = []
  /// The chains of the intervals, each with its lower edge.
  private var chains: [Chain] = []
  private var nodes: [Node] = []

  private struct Edge {
    var left: Int32
    var right: Int32
    var next: Int32
  }

  /// A vertex in a chain. -1: none.
  private struct Node {
    var vertex: UInt32
    var below: Int32
    var above: Int32
  }

  /// Nodes: the ends, and the one that is farthest to the right.
  private struct Chain {
    var bottom: Int32
    var top: Int32
    var right: Int32
  }

  public init() {}

  /// Appends the triangles of a polygon, counter-clockwise, as indexes into `points`.
  ///
  /// - Parameter rings: the vertices of each ring; the last vertex is not the first again.
  /// - Returns: whether the triangles fill the polygon. They do if it is valid.
  public mutating func append(
    _ points: UnsafeBufferPointer<Point>, rings: [Range<Int>], to triangles: inout [UInt32]
  ) throws(EngineError) -> Bool {
    self.points = points
    guard let first = rings.first?.lowerBound, let last = rings.last?.upperBound, last &- first >= 3 else {
      return false
    }
    sortVertices(first..<last)
    collectEdges(rings, first)
    let begin = triangles.count
    return try sweep(into: &triangles) && fills(rings, triangles[begin...])
  }

  private mutating func sortVertices(_ range: Range<Int>) {
    let points = points
    order.removeAll(keepingCapacity: true)
    for index in range { order.append(UInt32(truncatingIfNeeded: index)) }
    order.sort { a, b in
      let (p, q) = (points[at: a], points[at: b])
      return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b
    }
    ranks.removeAll(keepingCapacity: true)
    ranks.append(contentsOf: repeatElement(0, count: range.count))
    vertices.removeAll(keepingCapacity: true)
    var previous = Point.nan
    for vertex in order {
      let point = points[at: vertex]
      if point != previous { vertices.append(vertex) }
      previous = point
      ranks[Int(truncatingIfNeeded: vertex) &- range.lowerBound] = Int32(truncatingIfNeeded: vertices.count &- 1)
    }
  }

  private mutating func collectEdges(_ rings: [Range<Int>], _ first: Int) {
    edges.removeAll(keepingCapacity: true)
    firstEdges.removeAll(keepingCapacity: true)
    firstEdges.append(contentsOf: repeatElement(-1, count: vertices.count))
    for ring in rings {
      guard var before = ring.last.map({ ranks[$0 &- first] }) else { continue }
      for vertex in ring {
        let rank = ranks[vertex &- first]
        // Two vertices at one position are one.
        if rank != before { addEdge(min(rank, before), max(rank, before)) }
        before = rank
      }
    }
    active.removeAll()
    nodes.removeAll(keepingCapacity: true)
    chains.removeAll(keepingCapacity: true)
    chains.append(contentsOf: repeatElement(Chain(bottom: -1, top: -1, right: -1), count: edges.count))
  }

  private mutating func addEdge(_ left: Int32, _ right: Int32) {
    edges.append(Edge(left: left, right: right, next: firstEdges[at: left]))
    firstEdges[at: left] = Int32(truncatingIfNeeded: edges.count &- 1)
  }

  @inline(__always)
  private func point(rank: Int32) -> Point { points[at: vertices[Int(truncatingIfNeeded: rank)]] }

  /// On which side of an edge, seen from left to right, a vertex lies.
  @inline(__always)
  private func side(of edge: Int32, _ rank: Int32, _ point: Point) -> Int {
    let edge = edges[at: edge]
    return edge.right == rank
      ? 0 : orientation(self.point(rank: edge.left), self.point(rank: edge.right), point)
  }

  /// - Returns: false if edges cross each other.
  private mutating func sweep(into triangles: inout [UInt32]) throws(EngineError) -> Bool {
    for rank in 0..<Int32(truncatingIfNeeded: vertices.count) {
      if rank & 1023 == 1023 { try TimeLimit.check() }
      let point = point(rank: rank)
      let below = active.firstIndex { side(of: $0, rank, point) <= 0 }
      // The edges that end here. An edge on which the vertex lies ends here and begins anew.
      ended.removeAll(keepingCapacity: true)
      while let edge = active.edge(below &+ ended.count), side(of: edge, rank, point) == 0 {
        ended.append(edge)
        let right = edges[at: edge].right
        if right != rank {
          addEdge(rank, right)
          chains.append(Chain(bottom: -1, top: -1, right: -1))
        }
      }
      findBegun(at: rank)
      pass(rank, below: below, &triangles)
      active.replace(below, count: ended.count, with: begun)
      // Edges that cross are neighbours before.
      guard areOrdered(below &- 1), begun.isEmpty || areOrdered(below &+ begun.count &- 1) else { return false }
    }
    return true
  }

  /// Whether an active edge and the one above it stay in this order until the first of them ends.
  private func areOrdered(_ index: Int) -> Bool {
    guard index >= 0, let low = active.edge(index), let high = active.edge(index &+ 1) else { return true }
    let (lowEnd, highEnd) = (edges[at: low].right, edges[at: high].right)
    return lowEnd <= highEnd
      ? side(of: high, lowEnd, point(rank: lowEnd)) <= 0 : side(of: low, highEnd, point(rank: highEnd)) >= 0
  }

  /// Finds the edges that begin at a vertex.
  private mutating func findBegun(at rank: Int32) {
    begun.removeAll(keepingCapacity: true)
    var edge = firstEdges[at: rank]
    let origin = point(rank: rank)
    while edge >= 0 {
      let end = point(rank: edges[at: edge].right)
      var place = begun.count
      while place > 0, orientation(origin, point(rank: edges[at: begun[place &- 1]].right), end) < 0 { place &-= 1 }
      begun.insert(edge, at: place)
      edge = edges[at: edge].next
    }
  }

  /// Triangulates what a vertex sees, and renews the chains. Between active edges 0 and 1, 2 and 3, ... is the inside.
  private mutating func pass(_ rank: Int32, below: Int, _ triangles: inout [UInt32]) {
    let vertex = vertices[at: rank]
    // What begins and ends is paired from the bottom; a pair is an interval that begins or ends here.
    var (firstEnded, firstBegun) = (0, 0)
    if below & 1 == 1, let lower = active.edge(below &- 1) {
      // The interval below the vertex contains the vertex, or its upper edge ends here.
      var under = chains[at: lower]
      if ended.isEmpty {
        guard let last = begun.last, begun.count & 1 == 0 else { return }  // not with valid rings
        let parts = split(under, at: vertex, &triangles)
        chains[at: lower] = parts.lower
        chains[at: last] = parts.upper
        return startPairs(from: 1, vertex)
      }
      pushTop(vertex, &under, &triangles)
      chains[at: lower] = under
      firstEnded = 1
      if ended.count & 1 == 1 {
        firstBegun = 1
      } else if let above = ended.last {
        // So does the interval above it, by its lower edge.
        var over = chains[at: above]
        pushBottom(vertex, &over, &triangles)
        if let last = begun.last {
          chains[at: last] = over
          firstBegun = 1
        } else {
          chains[at: lower] = joined(under, over)
        }
      }
    } else if ended.count & 1 == 1, let above = ended.last, let last = begun.last {
      var over = chains[at: above]
      pushBottom(vertex, &over, &triangles)
      chains[at: last] = over
    }
    while firstEnded &+ 1 < ended.count {
      var chain = chains[at: ended[firstEnded]]
      close(&chain, at: vertex, &triangles)
      firstEnded &+= 2
    }
    startPairs(from: firstBegun, vertex)
  }

  private mutating func startPairs(from first: Int, _ vertex: UInt32) {
    var index = first
    while index &+ 1 < begun.count {
      let node = makeNode(vertex)
      chains[at: begun[index]] = Chain(bottom: node, top: node, right: node)
      index &+= 2
    }
  }

  private mutating func makeNode(_ vertex: UInt32) -> Int32 {
    nodes.append(Node(vertex: vertex, below: -1, above: -1))
    return Int32(truncatingIfNeeded: nodes.count &- 1)
  }

  @inline(__always)
  private func isConvex(_ a: UInt32, _ b: UInt32, _ c: UInt32) -> Bool {
    orientation(points[at: a], points[at: b], points[at: c]) > 0
  }

  /// Puts a vertex below a chain's lowest, and cuts off the triangles between the two.
  private mutating func pushBottom(_ vertex: UInt32, _ chain: inout Chain, _ triangles: inout [UInt32]) {
    guard chain.bottom >= 0 else { return }
    while true {
      let lowest = nodes[at: chain.bottom]
      guard lowest.above >= 0 else { break }
      let next = nodes[at: lowest.above].vertex
      guard isConvex(lowest.vertex, vertex, next) else { break }
      triangles.append(lowest.vertex)
      triangles.append(vertex)
      triangles.append(next)
      chain.bottom = lowest.above
    }
    let node = makeNode(vertex)
    nodes[at: node].above = chain.bottom
    nodes[at: chain.bottom].below = node
    chain.bottom = node
    chain.right = node
  }

  /// Puts a vertex above a chain's highest, and cuts off the triangles between the two.
  private mutating func pushTop(_ vertex: UInt32, _ chain: inout Chain, _ triangles: inout [UInt32]) {
    guard chain.top >= 0 else { return }
    while true {
      let highest = nodes[at: chain.top]
      guard highest.below >= 0 else { break }
      let next = nodes[at: highest.below].vertex
      guard isConvex(highest.vertex, next, vertex) else { break }
      triangles.append(highest.vertex)
      triangles.append(next)
      triangles.append(vertex)
      chain.top = highest.below
    }
    let node = makeNode(vertex)
    nodes[at: node].below = chain.top
    nodes[at: chain.top].above = node
    chain.top = node
    chain.right = node
  }

  /// A vertex inside an interval sees the vertex of the chain that is farthest to the right. There the chain ends and
  /// begins anew.
  private mutating func split(
    _ chain: Chain, at vertex: UInt32, _ triangles: inout [UInt32]
  ) -> (lower: Chain, upper: Chain) {
    guard chain.right >= 0 else { return (chain, chain) }
    let right = nodes[at: chain.right]
    let copy = makeNode(right.vertex)
    nodes[at: copy].above = right.above
    if right.above >= 0 { nodes[at: right.above].below = copy }
    nodes[at: chain.right].above = -1
    var lower = Chain(bottom: chain.bottom, top: chain.right, right: chain.right)
    var upper = Chain(bottom: copy, top: right.above >= 0 ? chain.top : copy, right: copy)
    pushTop(vertex, &lower, &triangles)
    pushBottom(vertex, &upper, &triangles)
    return (lower, upper)
  }

  /// Two chains that meet in a vertex, the highest of the one and the lowest of the other.
  private mutating func joined(_ under: Chain, _ over: Chain) -> Chain {
    guard under.top >= 0, over.bottom >= 0 else { return under }
    let above = nodes[at: over.bottom].above
    nodes[at: under.top].above = above
    if above >= 0 { nodes[at: above].below = under.top }
    return Chain(bottom: under.bottom, top: above >= 0 ? over.top : under.top, right: under.top)
  }

  /// The vertex where an interval ends sees all of its chain.
  private mutating func close(_ chain: inout Chain, at vertex: UInt32, _ triangles: inout [UInt32]) {
    var node = chain.bottom
    while node >= 0 {
      let (low, above) = (nodes[at: node].vertex, nodes[at: node].above)
      if above >= 0 {
        triangles.append(low)
        triangles.append(vertex)
        triangles.append(nodes[at: above].vertex)
      }
      node = above
    }
  }

  /// Whether triangles have the area that the rings enclose, and none is turned over.
  private func fills(_ rings: [Range<Int>], _ triangles: ArraySlice<UInt32>) -> Bool {
    guard let origin = rings.first.map({ points[$0.lowerBound] }) else { return false }
    func cross(_ a: Point, _ b: Point) -> Double {
      (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x)
    }
    // The first ring is the shell, the others are its holes, whatever their directions.
    var (area, scale, extent) = (0.0, 0.0, 0.0)
    for (number, ring) in rings.enumerated() {
      guard var before = ring.last.map({ points[$0] }) else { continue }
      var sum = 0.0
      for index in ring {
        sum += cross(before, points[index])
        before = points[index]
        extent = max(extent, (before.x - origin.x).magnitude, (before.y - origin.y).magnitude)
      }
      area += number == 0 ? sum.magnitude : -sum.magnitude
      scale += sum.magnitude
    }
    var covered = 0.0
    var index = triangles.startIndex
    while index &+ 2 < triangles.endIndex {
      let (a, b, c) = (
        points[at: triangles[index]], points[at: triangles[index &+ 1]], points[at: triangles[index &+ 2]]
      )
      let double = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      if double <= 0, orientation(a, b, c) <= 0 { return false }
      covered += double
      index &+= 3
    }
    // The area of a sliver is small next to what its sum rounds off.
    let rounding = 1e-15 * Double(triangles.count) * extent * extent
    return area > 0 && (covered - area).magnitude <= 1e-9 * scale + rounding
  }
}

/// The edges that the sweeping line crosses, the lowest first. In blocks, so that an edge comes and goes in the time of
/// a block, not of all.
private struct ActiveEdges {
  private static let capacity = 512
  private var blocks: [[Int32]] = [[]]

  mutating func removeAll() {
    if blocks.count == 1 {
      blocks[0].removeAll(keepingCapacity: true)
    } else {
      blocks = [[]]
    }
  }

  /// The index of the first edge that meets a condition, which holds for all edges above it, too.
  @inline(__always)
  func firstIndex(_ condition: (Int32) -> Bool) -> Int {
    var before = 0
    var number = 0
    if blocks.count > 1 {
      // The last block that begins below; the block before the first that begins above.
      var (low, high) = (1, blocks.count)
      while low < high {
        let middle = (low &+ high) / 2
        if condition(blocks[middle][0]) { high = middle } else { low = middle &+ 1 }
      }
      number = low &- 1
      for block in blocks[..<number] { before &+= block.count }
    }
    var (low, high) = (0, blocks[number].count)
    while low < high {
      let middle = (low &+ high) / 2
      if condition(blocks[number][middle]) { high = middle } else { low = middle &+ 1 }
    }
    return before &+ low
  }

  @inline(__always)
  func edge(_ index: Int) -> Int32? {
    if blocks.count == 1 { return index >= 0 && index < blocks[0].count ? blocks[0][index] : nil }
    return edge(amongBlocks: index)
  }

  private func edge(amongBlocks index: Int) -> Int32? {
    var rest = index
    for block in blocks {
      if rest < block.count { return rest >= 0 ? block[rest] : nil }
      rest &-= block.count
    }
    return nil
  }

  mutating func replace(_ index: Int, count: Int, with new: [Int32]) {
    if blocks.count == 1, index &+ count <= blocks[0].count {
      // Mostly an edge ends where the next edge of its ring begins.
      if count == 1, new.count == 1 {
        blocks[0][index] = new[0]
        return
      }
      blocks[0].replaceSubrange(index..<(index &+ count), with: new)
    } else {
      for _ in 0..<count { remove(index) }
      for edge in new.reversed() { insert(edge, index) }
    }
    if blocks.count == 1, blocks[0].count > Self.capacity { split(0) }
  }

  private mutating func remove(_ index: Int) {
    var rest = index
    for number in blocks.indices {
      if rest < blocks[number].count {
        blocks[number].remove(at: rest)
        if blocks[number].isEmpty, blocks.count > 1 { blocks.remove(at: number) }
        return
      }
      rest &-= blocks[number].count
    }
  }

  private mutating func insert(_ edge: Int32, _ index: Int) {
    var rest = index
    for number in blocks.indices {
      if rest <= blocks[number].count {
        blocks[number].insert(edge, at: rest)
        if blocks[number].count > Self.capacity { split(number) }
        return
      }
      rest &-= blocks[number].count
    }
  }

  private mutating func split(_ number: Int) {
    let half = blocks[number].count / 2
    let upper = Array(blocks[number][half...])
    blocks[number].removeSubrange(half...)
    blocks.insert(upper, at: number &+ 1)
  }
}
