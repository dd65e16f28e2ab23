import AlidadeBase
import AlidadeCoordinates

/// Where edges of closed lines cross, if no end of an edge lies on another edge and no three edges meet in a point:
/// nothing has to be rounded then before it is known what lies where. Most outlines are like that.
///
/// A crossing is at most one step of the grid from where it is rounded to. So what holds for edges holds for what is made
/// of them, but where an end of an edge comes near another edge, within 4 steps, or three edges come near a point. What
/// lies where is decided exactly there, and the edges are listed as delicate.
struct EdgeCrossings {
  /// A crossing as one of both edges has it; the other has the number whose last bit is the other one.
  struct Crossing {
    /// On which edge it is, and how far along: 0 to 1.
    let edge: Int32
    /// The next one on the edge; -1: none.
    fileprivate(set) var next: Int32 = -1
    let along: Double
    // Both in one number: there are millions of crossings.
    private let signedReach: Double

    /// Within so much of the edge nothing else may cross it.
    var reach: Double { signedReach.magnitude }
    /// Whether the other edge crosses from the right to the left.
    var isLeftward: Bool { signedReach.sign == .minus }

    fileprivate init(edge: Int32, along: Double, reach: Double, isLeftward: Bool) {
      (self.edge, self.along) = (edge, along)
      signedReach = isLeftward ? -reach : reach
    }
  }

  private(set) var crossings: [Crossing] = []
  /// One for both of a pair.
  private(set) var points: [GridPoint] = []
  /// The first one on each edge; -1: none.
  private(set) var first: [Int32]
  private let edges: [GridEdge]
  private static let near = 4.0
  private static let nearSteps: Int64 = 4
  /// Where more edges meet, parts that are united one by one have less to look at; and where more meet than it is worth
  /// to round all at once.
  private static let (pairsPerEdge, roundedPairsPerEdge) = (32, 4)

  /// Edges that are near each other, all of which have to be in an outline for rounding to matter: two, the last of them
  /// twice, or three.
  private(set) var delicate: [(Int32, Int32, Int32)] = []
  /// Otherwise what was found is of no use.
  private(set) var isClear = true
  /// More edges meet than it is worth to look at.
  private(set) var isCrowded = false

  /// - Parameters:
  ///   - edges: of loops of three edges or more, each where the one before ends.
  ///   - following: the edge that follows each.
  ///   - policy: bounds the memory that crossings take.
  init(_ edges: [GridEdge], following: [Int32], _ policy: Policy?) throws(EngineError) {
    try policy?.check(bytes: edges.count, SweepUnion.bytesPerPoint)
    self.edges = edges
    first = [Int32](repeating: -1, count: edges.count)
    let pairCount = try comparePairs(following, policy)
    if isClear { isClear = try putInOrder() }
    isCrowded = isCrowded || (!isClear && pairCount > Self.roundedPairsPerEdge &* edges.count)
  }

  /// Compares edges that are near each other, and returns how many pairs there are. Their memory is free afterwards.
  private mutating func comparePairs(_ following: [Int32], _ policy: Policy?) throws(EngineError) -> Int {
    let tree = GridTree(edges) { GridBox($0).grown(by: Self.nearSteps) }
    // Half of the memory may be theirs; while their array grows there are two of it.
    let most = min(Self.pairsPerEdge &* edges.count, (policy?.maxRequestBytes).map { Int(clamping: $0 / 64) } ?? .max)
    guard let pairs = try tree.meetingPairs(atMost: most) else {
      (isClear, isCrowded) = (false, true)
      return 0
    }
    try policy?.check(bytes: pairs.count, 16)
    isClear = compareNext(following)
    if isClear { isClear = try compare(pairs, following, policy) }
    return pairs.count
  }

  /// Each edge with the one after it.
  private mutating func compareNext(_ following: [Int32]) -> Bool {
    crossings.reserveCapacity(edges.count)
    for j in edges.indices.dropFirst() {
      let i = j &- 1
      guard following[i] == Int32(truncatingIfNeeded: j) ? compareCorner(i, j) : compare(i, j) else { return false }
    }
    return true
  }

  private mutating func compare(
    _ pairs: [(Int32, Int32)], _ following: [Int32], _ policy: Policy?
  ) throws(EngineError) -> Bool {
    for (number, (a, b)) in pairs.enumerated() {
      if number & 4095 == 0 {
        try TimeLimit.check()
        try checkMemory(policy)
      }
      let (i, j) = (Int(truncatingIfNeeded: a), Int(truncatingIfNeeded: b))
      guard following[j] == a ? compareCorner(j, i) : compare(i, j) else { return false }
    }
    try checkMemory(policy)
    return true
  }

  /// A crossing is in lists that double as they grow, on both edges, with its point, its winding number, and the pieces
  /// of the outline before and after it.
  private func checkMemory(_ policy: Policy?) throws(EngineError) { try policy?.check(bytes: crossings.count, 128) }

  /// A point against the line through an edge.
  private struct Side {
    /// Twice the area between both; positive: to the left.
    let area: Double
    /// Below this it is near.
    let limit: Double

    @inline(__always)
    init(_ edge: SIMD2<Double>, _ point: SIMD2<Double>) {
      let (left, right) = (edge.x * point.y, edge.y * point.x)
      area = left - right
      limit = EdgeCrossings.near * (edge.x.magnitude + edge.y.magnitude) + 1e-15 * (left.magnitude + right.magnitude)
    }

    @inline(__always)
    var isNear: Bool { area.magnitude <= limit }
  }

  @inline(__always)
  private static func way(_ from: GridPoint, _ to: GridPoint) -> SIMD2<Double> {
    SIMD2(Double(to.x &- from.x), Double(to.y &- from.y))
  }

  /// False if an edge turns back along the one before it.
  @inline(__always)
  private mutating func compareCorner(_ i: Int, _ j: Int) -> Bool {
    let (e, f) = (Self.way(edges[i].from, edges[i].to), Self.way(edges[j].from, edges[j].to))
    if e.x * f.x + e.y * f.y >= 0 || !(Side(e, f).isNear || Side(f, e).isNear) { return true }
    return addDelicate(i, j) && GridPoint.turn(edges[i].from, edges[i].to, edges[j].to) != 0
  }

  /// False if there are too many for a coincidence.
  private mutating func addDelicate(_ i: Int, _ j: Int, _ k: Int? = nil) -> Bool {
    delicate.append(
      (Int32(truncatingIfNeeded: i), Int32(truncatingIfNeeded: j), Int32(truncatingIfNeeded: k ?? j)))
    return delicate.count < mostDelicate
  }

  private var mostDelicate: Int { 64 &+ edges.count / 256 }

  /// False if one meets the other's end; adds their crossing if there is one.
  private mutating func compare(_ i: Int, _ j: Int) -> Bool {
    let (e, f) = (edges[i], edges[j])
    let (alongE, alongF) = (Self.way(e.from, e.to), Self.way(f.from, f.to))
    let (a, b) = (Side(alongE, Self.way(e.from, f.from)), Side(alongE, Self.way(e.from, f.to)))
    if !a.isNear, !b.isNear, (a.area > 0) == (b.area > 0) { return true }
    let (c, d) = (Side(alongF, Self.way(f.from, e.from)), Side(alongF, Self.way(f.from, e.to)))
    if !c.isNear, !d.isNear, (c.area > 0) == (d.area > 0) { return true }
    if a.isNear || b.isNear || c.isNear || d.isNear {
      guard addDelicate(i, j) else { return false }
      let (a, b) = (GridPoint.turn(e.from, e.to, f.from), GridPoint.turn(e.from, e.to, f.to))
      let (c, d) = (GridPoint.turn(f.from, f.to, e.from), GridPoint.turn(f.from, f.to, e.to))
      if a &* b > 0 || c &* d > 0 { return true }
      guard a &* b < 0, c &* d < 0 else { return false }
    }
    let (onE, onF) = (c.area / (c.area - d.area), a.area / (a.area - b.area))
    let (lengthE, lengthF) = (alongE.x.magnitude + alongE.y.magnitude, alongF.x.magnitude + alongF.y.magnitude)
    // What of an edge the other one is near to, on each side of their crossing, and by what rounding has moved that.
    let width = 2 * Self.near + 1e-14 * max(lengthE, lengthF)
    let area = (c.area - d.area).magnitude
    let (reachOnE, reachOnF) = (width * lengthF / area, width * lengthE / area)
    let isLeftward = GridPoint.turn(e.from, e.to, f.to) > 0
    // Rounding moves the crossing of short edges by less than half a step.
    let isExact = 4e-15 * max(lengthE, lengthF) * lengthE * lengthF < 0.5 * area
    if isExact, let x = Int64(exactly: (onE * alongE.x).rounded()), let y = Int64(exactly: (onE * alongE.y).rounded()) {
      points.append(GridPoint(x: e.from.x &+ x, y: e.from.y &+ y))
    } else {
      points.append(SnapRounding.crossing(e, f))
    }
    crossings.append(
      Crossing(edge: Int32(truncatingIfNeeded: i), along: onE, reach: reachOnE, isLeftward: isLeftward))
    crossings.append(
      Crossing(edge: Int32(truncatingIfNeeded: j), along: onF, reach: reachOnF, isLeftward: !isLeftward))
    return true
  }

  /// Links the crossings of each edge. False if three edges meet in a point.
  private mutating func putInOrder() throws(EngineError) -> Bool {
    for number in crossings.indices {
      let edge = Int(truncatingIfNeeded: crossings[number].edge)
      crossings[number].next = first[edge]
      first[edge] = Int32(truncatingIfNeeded: number)
    }
    var own: [(along: Double, number: Int)] = []
    var swaps = 0
    for edge in edges.indices where first[edge] >= 0 {
      if edge & 4095 == 0 { try TimeLimit.check() }
      own.removeAll(keepingCapacity: true)
      var next = first[edge]
      while next >= 0 {
        let crossing = crossings[Int(truncatingIfNeeded: next)]
        own.append((crossing.along, Int(truncatingIfNeeded: next)))
        next = crossing.next
      }
      if own.count == 1 { continue }
      own.sort { $0.along < $1.along }
      for end in own.indices.dropFirst() {
        var place = end
        while place > 0, order(own[place &- 1].number, own[place].number) > 0 {
          own.swapAt(place &- 1, place)
          place &-= 1
          swaps &+= 1
          guard swaps < mostDelicate else { return false }
        }
      }
      first[edge] = Int32(truncatingIfNeeded: own[0].number)
      for ((_, number), (_, after)) in zip(own, own.dropFirst()) {
        if !areApart(number, after) {
          guard order(number, after) < 0, addDelicate(edge, other(number), other(after)) else { return false }
        }
        crossings[number].next = Int32(truncatingIfNeeded: after)
      }
      crossings[own[own.count &- 1].number].next = -1
    }
    return true
  }

  /// The edge that crosses another one.
  private func other(_ number: Int) -> Int { Int(truncatingIfNeeded: crossings[number ^ 1].edge) }

  private func areApart(_ number: Int, _ other: Int) -> Bool {
    let (a, b) = (crossings[number], crossings[other])
    return (b.along - a.along).magnitude > a.reach + b.reach
  }

  /// The order of two crossings along their edge: negative if the first one comes first.
  private func order(_ first: Int, _ second: Int) -> Int {
    if areApart(first, second) { return crossings[first].along < crossings[second].along ? -1 : 1 }
    let edge = edges[Int(truncatingIfNeeded: crossings[first].edge)]
    let (a, b) = (ExactShare(of: edge, to: edges[other(first)]), ExactShare(of: edge, to: edges[other(second)]))
    return (a.part * b.whole - b.part * a.whole).sign &* a.whole.sign &* b.whole.sign
  }

  /// How much of an edge comes before what crosses it.
  private struct ExactShare {
    let part: WideInteger<8>
    let whole: WideInteger<8>

    init(of edge: GridEdge, to other: GridEdge) {
      func wide(_ value: Int64) -> WideInteger<8> { WideInteger(Double(value), stepExponent: 0) }
      func cross(_ point: GridPoint) -> WideInteger<8> {
        wide(other.to.x &- other.from.x) * wide(point.y &- other.from.y)
          - wide(other.to.y &- other.from.y) * wide(point.x &- other.from.x)
      }
      part = cross(edge.from)
      whole = part - cross(edge.to)
    }
  }
}

/// The outline of where the winding number of closed lines is positive, found by going along each of them: at every
/// crossing the winding number to the right of a line changes by what crosses.
struct CrossingOutline {
  private let edges: [GridEdge]
  private var loops: [Range<Int>] = []
  /// The edge that follows each, and the loop that it is of.
  private var following: [Int32] = []
  private var owners: [Int32] = []
  private let found: EdgeCrossings
  /// The winding number to the right of what follows each crossing, and of each loop without any.
  private var right: [Int32] = []
  private var lone: [Int32] = []
  private static let unknown = Int32.min

  enum Answer {
    case outline(GridOutline)
    /// An outline that may cross itself where parts of it are near each other: these have to be rounded.
    case rough(GridOutline)
    /// Three edges meet in a point, or the edges are no closed lines: all of them have to be rounded.
    case doubtful
    /// More edges meet than it is worth to look at.
    case crowded
  }

  /// - Parameter edges: loops one after the other.
  static func of(_ edges: [GridEdge], _ policy: Policy) throws(EngineError) -> Answer {
    guard var outline = try CrossingOutline(edges, policy) else { return .doubtful }
    if outline.found.isCrowded { return .crowded }
    guard outline.found.isClear, try outline.findWindings() else { return .doubtful }
    let (traced, passed) = outline.traced()
    let isRough = outline.found.delicate.contains { passed[$0] && passed[$1] && passed[$2] }
    return isRough ? .rough(traced) : .outline(traced)
  }

  /// The same where nothing is near to anything; nil otherwise.
  static func ofClear(_ edges: [GridEdge], _ policy: Policy) throws(EngineError) -> GridOutline? {
    guard var outline = try CrossingOutline(edges, policy), outline.found.isClear, outline.found.delicate.isEmpty,
      try outline.findWindings()
    else { return nil }
    return outline.traced().outline
  }

  /// Whether a closed line neither crosses nor comes near itself.
  ///
  /// - Parameter ring: the last point is not the first one again.
  static func isPlain(_ ring: [Point]) throws(EngineError) -> Bool { try arePlain([ring]) }

  /// Whether closed lines neither cross nor come near themselves or each other.
  static func arePlain(_ rings: [[Point]]) throws(EngineError) -> Bool {
    let largest = rings.joined().reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) }
    let edges = OutlineGrid(largest: largest).edges(rings.map { SweepLoop(points: $0) })
    // Between points that are one on the grid anything may be.
    let distinct = rings.reduce(0) { count, ring in
      count &+ ring.indices.count { ring[$0] != ring[$0 > 0 ? $0 &- 1 : ring.count &- 1] }
    }
    guard edges.count == distinct else { return false }
    guard let outline = try CrossingOutline(edges, nil) else { return false }
    return outline.loops.count == rings.count && outline.found.isClear && outline.found.crossings.isEmpty
      && outline.found.delicate.isEmpty
  }

  /// nil if edges are no closed lines, each with one weight, 1 or -1.
  private init?(_ edges: [GridEdge], _ policy: Policy?) throws(EngineError) {
    var own = edges
    var start = 0
    following.reserveCapacity(edges.count)
    owners.reserveCapacity(edges.count)
    while start < edges.count {
      var end = start &+ 1
      while end < edges.count, edges[end &- 1].to == edges[end].from, edges[end &- 1].to != edges[start].from {
        end &+= 1
      }
      let weight = edges[start].weight
      guard end &- start > 2, edges[end &- 1].to == edges[start].from, weight.magnitude == 1,
        edges[start..<end].allSatisfy({ $0.weight == weight && (weight > 0 || !$0.isMarked) })
      else { return nil }
      if weight < 0 {
        // The same as the loop that runs the other way.
        for index in start..<end {
          let edge = edges[start &+ end &- 1 &- index]
          own[index] = GridEdge(from: edge.to, to: edge.from)
        }
      }
      for index in start..<end {
        following.append(Int32(truncatingIfNeeded: index &+ 1 < end ? index &+ 1 : start))
        owners.append(Int32(truncatingIfNeeded: loops.count))
      }
      loops.append(start..<end)
      start = end
    }
    self.edges = own
    found = try EdgeCrossings(own, following: following, policy)
  }

  // MARK: Winding numbers

  private func following(_ edge: Int) -> Int { Int(truncatingIfNeeded: following[edge]) }

  /// False if they contradict each other.
  private mutating func findWindings() throws(EngineError) -> Bool {
    right = [Int32](repeating: Self.unknown, count: found.crossings.count)
    lone = [Int32](repeating: Self.unknown, count: loops.count)
    var isKnown = [Bool](repeating: false, count: loops.count)
    let corners = loops.map { loop in loop.min { edges[$0].from < edges[$1].from } ?? loop.lowerBound }
    guard let west = loops.indices.min(by: { edges[corners[$0]].from < edges[corners[$1]].from }) else { return true }
    var rows: EdgeRows?
    for number in 0..<loops.count {
      // The one that is farthest west first: nothing lies around it.
      let loop = number == 0 ? west : number == west ? 0 : number
      if isKnown[loop] { continue }
      try TimeLimit.check()
      let corner = corners[loop]
      var around: Int32 = 0
      if loop != west {
        let all = rows ?? EdgeRows(edges.lazy.map { ($0.from, $0.to) })
        rows = all
        around = all.winding(westOf: edges[corner].from, edges)
      }
      let before = corner > loops[loop].lowerBound ? corner &- 1 : loops[loop].upperBound &- 1
      let turn = GridPoint.turn(edges[before].from, edges[before].to, edges[corner].to)
      guard spread(from: corner, turn > 0 ? around : around &- 1, &isKnown) else { return false }
    }
    return true
  }

  /// Along a loop from the beginning of an edge, and along all loops that hang together with it.
  private mutating func spread(from edge: Int, _ winding: Int32, _ isKnown: inout [Bool]) -> Bool {
    let loop = Int(truncatingIfNeeded: owners[edge])
    isKnown[loop] = true
    // The first crossing from there on.
    var start = edge
    while found.first[start] < 0 {
      start = following(start)
      if start == edge {
        lone[loop] = winding
        return true
      }
    }
    var open = [(crossing: Int(truncatingIfNeeded: found.first[start]), winding: winding)]
    while let (crossing, before) = open.popLast() {
      var (number, winding) = (crossing, before)
      repeat {
        let other = number ^ 1
        let owner = Int(truncatingIfNeeded: owners[Int(truncatingIfNeeded: found.crossings[other].edge)])
        // To the right of what crosses, beyond the crossing, is what was to the right here before it.
        if right[other] != Self.unknown, right[other] != winding { return false }
        if !isKnown[owner] {
          isKnown[owner] = true
          open.append((other, found.crossings[other].isLeftward ? winding &+ 1 : winding &- 1))
        }
        winding &+= found.crossings[number].isLeftward ? -1 : 1
        right[number] = winding
        number = following(crossing: number)
      } while number != crossing
      guard winding == before else { return false }
    }
    return true
  }

  /// The next crossing along a loop.
  private func following(crossing number: Int) -> Int {
    let crossing = found.crossings[number]
    if crossing.next >= 0 { return Int(truncatingIfNeeded: crossing.next) }
    var edge = following(Int(truncatingIfNeeded: crossing.edge))
    while found.first[edge] < 0 { edge = following(edge) }
    return Int(truncatingIfNeeded: found.first[edge])
  }

  // MARK: The outline

  /// What has 0 to its right, and so 1 to its left. At a crossing the outline goes on along the other line.
  private func traced() -> (outline: GridOutline, passed: PassedEdges) {
    var outline = GridOutline()
    var passed = PassedEdges(count: found.delicate.isEmpty ? 0 : edges.count)
    let hasMarks = edges.contains { $0.isMarked }
    var isTaken = [Bool](repeating: false, count: right.count)
    for first in right.indices where right[first] == 0 && !isTaken[first] {
      var cycle = GridOutline.Cycle(box: GridBox(found.points[first / 2]))
      if edges.count < 512 { cycle.points.reserveCapacity(edges.count) }
      var number = first
      repeat {
        isTaken[number] = true
        let crossing = found.crossings[number]
        var edge = Int(truncatingIfNeeded: crossing.edge)
        var next = crossing.next
        var last = found.points[number / 2]
        passed.insert(edge)
        cycle.append(last)
        if hasMarks { cycle.marks.append(edges[edge].isMarked) }
        var isCut = true
        while next < 0 {
          edge = following(edge)
          passed.insert(edge)
          next = found.first[edge]
          if isCut { outline.noteMoved(GridBox(last, edges[edge].from)) }
          isCut = false
          last = edges[edge].from
          cycle.append(last)
          if hasMarks { cycle.marks.append(edges[edge].isMarked) }
        }
        number = Int(truncatingIfNeeded: next) ^ 1
        outline.noteMoved(GridBox(last, found.points[number / 2]))
      } while number != first
      outline.append(cycle)
    }
    for (number, loop) in loops.enumerated() where lone[number] == 0 {
      var cycle = GridOutline.Cycle(box: GridBox(edges[loop.lowerBound].from))
      for edge in edges[loop] { cycle.append(edge.from) }
      for edge in loop { passed.insert(edge) }
      if hasMarks { cycle.marks = edges[loop].map(\.isMarked) }
      outline.append(cycle)
    }
    return (outline, passed)
  }

  /// Edges that the outline passes; none are kept where nothing is near to anything.
  private struct PassedEdges {
    private var flags: [Bool]

    init(count: Int) { flags = [Bool](repeating: false, count: count) }

    @inline(__always)
    mutating func insert(_ edge: Int) { if !flags.isEmpty { flags[edge] = true } }
    subscript(_ edge: Int32) -> Bool { flags[Int(truncatingIfNeeded: edge)] }
  }
}
