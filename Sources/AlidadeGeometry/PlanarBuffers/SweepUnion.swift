import AlidadeBase
import AlidadeCoordinates

/// The union of what loops go around, on a grid of doubles: neighbours first, then neighbourhoods, on all cores.
struct SweepUnion {
  /// What is united: where the winding number of the loops is positive.
  struct Leaf: Sendable {
    var loops: [SweepLoop]
    /// Taken away: the union of these.
    var removed: [[SweepLoop]] = []
    /// The same in smaller leaves, neighbours one after the other, for when too much of it crosses; nil: it has none.
    var pieces: (@Sendable () -> [Leaf])?

    /// Its sum with others like it is positive where one of them is.
    fileprivate var isPositive: Bool { removed.isEmpty && loops.allSatisfy { $0.weight > 0 } }
    var pointCount: Int { loops.reduce(0) { $0 &+ $1.points.count } }
  }

  let workers: Workers
  let grid: OutlineGrid
  private let policy: Policy
  private let leaves: [Leaf]
  /// The leaves are pieces of larger ones: neighbours share edges, so that rounding is needed always.
  private let isPiecewise: Bool

  /// Edges that are united in one go at first, about.
  private var neighbourhood: Int { isPiecewise ? 1024 : 16384 }

  /// - Parameter leaves: neighbours follow each other.
  init(_ leaves: [Leaf], workers: Workers, policy: Policy) {
    self.leaves = leaves
    self.workers = workers
    self.policy = policy
    isPiecewise = false
    var largest = 0.0
    func note(_ loop: SweepLoop) {
      for point in loop.points { largest = max(largest, point.x.magnitude, point.y.magnitude) }
    }
    for leaf in leaves {
      leaf.loops.forEach(note)
      for loops in leaf.removed { loops.forEach(note) }
    }
    grid = OutlineGrid(largest: largest)
  }

  private init(pieces: [Leaf], of other: SweepUnion) {
    (leaves, isPiecewise) = (pieces, true)
    (workers, policy, grid) = (other.workers, other.policy, other.grid)
  }

  /// Where that is.
  func outline() throws(EngineError) -> GridOutline {
    var neighbourhoods: [Range<Int>] = []
    var count = Int.max
    for (number, leaf) in leaves.enumerated() {
      // A sum of what is positive needs no union of its own.
      if leaf.isPositive, count < neighbourhood {
        neighbourhoods[neighbourhoods.count &- 1] = neighbourhoods[neighbourhoods.count &- 1].lowerBound..<(number &+ 1)
      } else {
        neighbourhoods.append(number..<(number &+ 1))
        count = 0
      }
      count = leaf.isPositive ? count &+ leaf.pointCount : .max
    }
    let found = neighbourhoods
    return try united(found.count) { (index) throws(EngineError) in try outline(of: found[index]) }
  }

  /// For a point of what is united in one go: its edge, the box around it, and those around the boxes.
  static let bytesPerPoint = MemoryLayout<GridEdge>.stride &+ 2 &* MemoryLayout<GridBox>.stride

  private func edges(_ loops: [SweepLoop]) throws(EngineError) -> [GridEdge] {
    try policy.check(bytes: loops.reduce(0) { $0 &+ $1.points.count }, Self.bytesPerPoint)
    return grid.edges(loops)
  }

  /// Of leaves that are positive, or of one.
  private func outline(of range: Range<Int>) throws(EngineError) -> GridOutline {
    let leaf = leaves[range.lowerBound]
    if !leaf.removed.isEmpty { return try outline(ofDifference: leaf) }
    let edges = try edges(leaves[range].flatMap(\.loops))
    if isPiecewise { return try WindingOutline(edges, policy).outline }
    switch try CrossingOutline.of(edges, policy) {
    case .outline(let outline): return outline
    case .rough(let outline): return try rounded(outline)
    case .crowded where range.count > 1:
      let middle = range.lowerBound &+ range.count / 2
      return try united(
        outline(of: range.lowerBound..<middle), outline(of: middle..<range.upperBound))
    case .crowded where leaf.pieces != nil: return try SweepUnion(pieces: leaf.pieces?() ?? [], of: self).outline()
    case .crowded, .doubtful: return try WindingOutline(edges, policy).outline
    }
  }

  private func outline(ofDifference leaf: Leaf) throws(EngineError) -> GridOutline {
    var removed = try SweepUnion(pieces: leaf.removed.map { Leaf(loops: $0) }, of: self).outline().edges
    for index in removed.indices { removed[index].weight = -1 }
    return try outline(of: edges(leaf.loops) + removed)
  }

  /// By crossings, or where these are in doubt with everything rounded.
  private func outline(of edges: [GridEdge]) throws(EngineError) -> GridOutline {
    switch isPiecewise ? .doubtful : try CrossingOutline.of(edges, policy) {
    case .outline(let outline): return outline
    case .rough(let outline): return try rounded(outline)
    case .crowded, .doubtful: return try WindingOutline(edges, policy).outline
    }
  }

  private func rounded(_ rough: GridOutline) throws(EngineError) -> GridOutline {
    var outline = try WindingOutline(rough.edges, policy).outline
    outline.moved += rough.moved
    return outline
  }

  private func united(_ first: GridOutline, _ second: GridOutline) throws(EngineError) -> GridOutline {
    try first.united(with: second) { (edges) throws(EngineError) in try outline(of: edges) }
  }

  /// The outline of everything in one go; nil if it takes rounding.
  func outlineWithoutRounding() throws(EngineError) -> GridOutline? {
    try CrossingOutline.ofClear(edges(leaves.flatMap(\.loops)), policy)
  }

  private func united(
    _ count: Int, _ make: @Sendable (Int) throws(EngineError) -> GridOutline
  ) throws(EngineError) -> GridOutline {
    var level = try inParallel(count, make)
    while level.count > 1 {
      let below = level
      level = try inParallel((below.count &+ 1) / 2) { (index) throws(EngineError) in
        let first = 2 &* index
        return first &+ 1 == below.count ? below[first] : try united(below[first], below[first &+ 1])
      }
    }
    return level.first ?? GridOutline()
  }

  private func inParallel(
    _ count: Int, _ make: @Sendable (Int) throws(EngineError) -> GridOutline
  ) throws(EngineError) -> [GridOutline] {
    if count == 1 { return [try make(0)] }
    let made = Lock([GridOutline](repeating: GridOutline(), count: count))
    try workers.forEach(count) { (number) throws(EngineError) in
      let outline = try make(number)
      made.withLock { $0[number] = outline }
    }
    return made.withLock { $0 }
  }
}

/// The grid of doubles on which outlines are united.
struct OutlineGrid {
  /// A power of two.
  private let step: Double
  private let stepsPerUnit: Double

  /// - Parameter largest: the coordinate that is farthest from 0. All are whole numbers of steps then, below 2^53.
  init(largest: Double) {
    let exponent = largest > 0 ? Int(truncatingIfNeeded: largest.exponent) &- 52 : 0
    step = Double(sign: .plus, exponent: max(-1000, exponent), significand: 1)
    stepsPerUnit = 1 / step
  }

  func edges(_ loops: [SweepLoop]) -> [GridEdge] {
    var edges: [GridEdge] = []
    edges.reserveCapacity(loops.reduce(0) { $0 &+ $1.points.count })
    for loop in loops {
      guard var last = loop.points.last.map(rounded) else { continue }
      for (index, point) in loop.points.enumerated() {
        let next = rounded(point)
        if next != last {
          let number = index > 0 ? index &- 1 : loop.points.count &- 1
          edges.append(GridEdge(from: last, to: next, weight: loop.weight, isMarked: loop.marks.contains(number)))
        }
        last = next
      }
    }
    return edges
  }

  func rounded(_ point: Point) -> GridPoint { GridPoint(x: rounded(point.x), y: rounded(point.y)) }
  private func rounded(_ value: Double) -> Int64 { Int64(exactly: (value * stepsPerUnit).rounded()) ?? 0 }

  /// A point of the grid in the coordinates of the loops.
  func point(_ point: GridPoint) -> Point { Point(x: Double(point.x) * step, y: Double(point.y) * step) }
}

/// Finds where the winding number of edges is positive, and the outline of that.
private struct WindingOutline {
  private let edges: [SnapRounding.NodedEdge]
  private var nodes: [GridPoint] = []
  /// The node where each half begins. Edge i has two: 2i runs from its lower end to its higher one, 2i + 1 back.
  private var origins: [Int32] = []
  /// Where each node's halves begin in `leaving`, which has them counterclockwise; and where each half is in there.
  private var offsets: [Int32] = []
  private var leaving: [Int32] = []
  private var places: [Int32] = []
  /// The winding number to the left of each half.
  private var windings: [Int32] = []
  /// Halves with the region to their left and none to their right, in the order of the outline.
  private var cycles: [[Int]] = []

  /// - Parameter edges: of closed outlines, in any order.
  init(_ edges: [GridEdge], _ policy: Policy) throws(EngineError) {
    self.edges = try SnapRounding.rounded(edges, policy)
    try TimeLimit.check()
    var points: [GridPoint] = []
    points.reserveCapacity(2 &* self.edges.count)
    for edge in self.edges {
      points.append(edge.from)
      points.append(edge.to)
    }
    points.sort { $0 < $1 }
    for point in points where point != nodes.last { nodes.append(point) }
    try TimeLimit.check()
    collectHalves()
    try findWindings()
    try trace()
  }

  // MARK: Halves

  /// The number of the node at a point, from one on.
  private func node(_ point: GridPoint, from first: Int) -> Int32 {
    var (low, high) = (first, nodes.count)
    while low < high {
      let middle = (low &+ high) / 2
      if nodes[middle] < point { low = middle &+ 1 } else { high = middle }
    }
    return Int32(truncatingIfNeeded: low)
  }

  private mutating func collectHalves() {
    origins.reserveCapacity(2 &* edges.count)
    // Edges come in the order of their lower ends, and all higher ends are beyond.
    var lower = 0
    for edge in edges {
      while nodes[lower] != edge.from { lower &+= 1 }
      origins.append(Int32(truncatingIfNeeded: lower))
      origins.append(node(edge.to, from: lower))
    }
    offsets = [Int32](repeating: 0, count: nodes.count &+ 1)
    for origin in origins { offsets[Int(truncatingIfNeeded: origin) &+ 1] &+= 1 }
    for index in nodes.indices { offsets[index &+ 1] &+= offsets[index] }
    leaving = [Int32](repeating: 0, count: origins.count)
    var next = offsets
    for (half, origin) in origins.enumerated() {
      let node = Int(truncatingIfNeeded: origin)
      leaving[Int(truncatingIfNeeded: next[node])] = Int32(truncatingIfNeeded: half)
      next[node] &+= 1
    }
    for node in nodes.indices where halves(node).count > 2 {
      let centre = nodes[node]
      let range = halves(node)
      leaving[range] = ArraySlice(
        leaving[range].sorted { first, second in
          let a = target(Int(truncatingIfNeeded: first))
          let b = target(Int(truncatingIfNeeded: second))
          let (isEast, isOtherEast) = (centre < a, centre < b)
          if isEast != isOtherEast { return isEast }
          return GridPoint.turn(centre, a, b) > 0
        })
    }
    places = [Int32](repeating: 0, count: origins.count)
    for (place, half) in leaving.enumerated() {
      places[Int(truncatingIfNeeded: half)] = Int32(truncatingIfNeeded: place)
    }
  }

  private func halves(_ node: Int) -> Range<Int> {
    Int(truncatingIfNeeded: offsets[node])..<Int(truncatingIfNeeded: offsets[node &+ 1])
  }

  private func origin(_ half: Int) -> Int { Int(truncatingIfNeeded: origins[half]) }
  private func target(_ half: Int) -> GridPoint { half & 1 == 0 ? edges[half / 2].to : edges[half / 2].from }
  private func weight(_ half: Int) -> Int32 { half & 1 == 0 ? edges[half / 2].weight : 0 &- edges[half / 2].weight }

  // MARK: Winding numbers

  private static let unknown = Int32.min

  private mutating func findWindings() throws(EngineError) {
    windings = [Int32](repeating: Self.unknown, count: origins.count)
    var rows: EdgeRows?
    for node in nodes.indices {
      let range = halves(node)
      guard let some = range.first.map({ Int(truncatingIfNeeded: leaving[$0]) }), windings[some] == Self.unknown else {
        continue
      }
      // The lowest node of what hangs together: its halves lead eastwards, and west of the last one is the face around.
      var last = some
      for place in range.dropFirst() {
        let half = Int(truncatingIfNeeded: leaving[place])
        if GridPoint.turn(nodes[node], target(last), target(half)) > 0 { last = half }
      }
      var around: Int32 = 0
      if node > 0 {
        let known = rows ?? EdgeRows(edges.lazy.map { ($0.from, $0.to) })
        rows = known
        around = known.winding(westOf: nodes[node], edges)
      }
      try TimeLimit.check()
      windings[last] = around
      try spread(from: last)
    }
  }

  /// The winding numbers of all that hangs together with a half whose one is known.
  private mutating func spread(from half: Int) throws(EngineError) {
    var open = [half]
    var count = 0
    while let known = open.popLast() {
      count &+= 1
      if count & 4095 == 0 { try TimeLimit.check() }
      let range = halves(origin(known))
      var winding = windings[known]
      let start = Int(truncatingIfNeeded: places[known])
      for step in 1...range.count {
        let place = start &+ step < range.upperBound ? start &+ step : start &+ step &- range.count
        let half = Int(truncatingIfNeeded: leaving[place])
        winding &+= weight(half)
        guard windings[half] == Self.unknown || windings[half] == winding else { throw Self.contradiction }
        windings[half] = winding
        let other = winding &- weight(half)
        if windings[half ^ 1] == Self.unknown {
          windings[half ^ 1] = other
          open.append(half ^ 1)
        } else if windings[half ^ 1] != other {
          throw Self.contradiction
        }
      }
    }
  }

  private static let contradiction = EngineError(
    .internal, "Outlines of a buffer do not close. This is an error of the library's.")

  // MARK: The outline

  private func isOutline(_ half: Int) -> Bool { windings[half] > 0 && windings[half ^ 1] <= 0 }

  private mutating func trace() throws(EngineError) {
    var isTaken = [Bool](repeating: false, count: origins.count)
    for first in origins.indices where !isTaken[first] && isOutline(first) {
      var (cycle, half) = ([Int](), first)
      while !isTaken[half] {
        isTaken[half] = true
        cycle.append(half)
        guard let next = successor(half) else { throw Self.contradiction }
        half = next
      }
      cycles.append(cycle)
    }
  }

  /// The half of the outline that follows one around the face to its left.
  private func successor(_ half: Int) -> Int? {
    let range = halves(origin(half ^ 1))
    var place = Int(truncatingIfNeeded: places[half ^ 1])
    for _ in range {
      place = place > range.lowerBound ? place &- 1 : range.upperBound &- 1
      let next = Int(truncatingIfNeeded: leaving[place])
      if isOutline(next) { return next }
    }
    return nil
  }

  private func isMarked(_ half: Int) -> Bool {
    half & 1 == 0 ? edges[half / 2].isMarked : edges[half / 2].isMarkedBack
  }

  /// The outline that was found.
  var outline: GridOutline {
    var outline = GridOutline()
    outline.cycles.reserveCapacity(cycles.count)
    // The last cycle that came by each node.
    var visits = [Int32](repeating: -1, count: nodes.count)
    for (number, cycle) in cycles.enumerated() {
      var made = GridOutline.Cycle(box: GridBox(nodes[origin(cycle[0])]))
      made.points.reserveCapacity(cycle.count)
      for half in cycle {
        let node = origin(half)
        if visits[node] == number { made.touchesItself = true }
        visits[node] = Int32(truncatingIfNeeded: number)
        made.points.append(nodes[node])
        made.box.grow(around: nodes[node])
        if edges[half / 2].isMoved { outline.moved.append(GridBox(nodes[node], target(half))) }
      }
      if cycle.contains(where: isMarked) { made.marks = cycle.map(isMarked) }
      outline.cycles.append(made)
    }
    return outline
  }
}

/// The outline of a region on the grid: closed lines that touch each other, and themselves, in points at most.
struct GridOutline: Sendable {
  struct Cycle: Sendable {
    /// In their order, with the region to their left; the last is not the first one again.
    var points: [GridPoint] = []
    /// Whether the edge that begins at each point is marked; empty: none is.
    var marks: [Bool] = []
    var box: GridBox
    /// It comes by a point twice.
    var touchesItself = false

    mutating func append(_ point: GridPoint) {
      points.append(point)
      box.grow(around: point)
    }

    var edges: [GridEdge] {
      points.indices.map { index in
        let next = index &+ 1 < points.count ? index &+ 1 : 0
        return GridEdge(from: points[index], to: points[next], isMarked: !marks.isEmpty && marks[index])
      }
    }
  }

  fileprivate(set) var cycles: [Cycle] = []
  /// The boxes of edges that rounding may have moved.
  fileprivate var moved: [GridBox] = []

  mutating func noteMoved(_ box: GridBox) { moved.append(box) }

  mutating func append(_ cycle: Cycle) { cycles.append(cycle) }

  var edges: [GridEdge] { cycles.flatMap(\.edges) }

  /// The union with another region. Only cycles whose boxes meet are united; what is around one of them is then among
  /// them too, so that the winding numbers are right. What rounding has moved may touch other cycles: with these, it is
  /// done again.
  ///
  /// - Parameter outline: finds the outline of what edges go around.
  fileprivate func united(
    with other: GridOutline, _ outline: ([GridEdge]) throws(EngineError) -> GridOutline
  ) throws(EngineError) -> GridOutline {
    let all = cycles + other.cycles
    var takesPart = [Bool](repeating: false, count: all.count)
    let tree = GridTree(other.cycles.map(\.box))
    for (number, cycle) in cycles.enumerated() {
      if number & 255 == 0 { try TimeLimit.check() }
      tree.forEach(meeting: cycle.box, from: 0) { found in
        takesPart[number] = true
        takesPart[cycles.count &+ found] = true
      }
    }
    while true {
      let united = try outline(all.indices.filter { takesPart[$0] }.flatMap { all[$0].edges })
      let rest = all.indices.filter { !takesPart[$0] }
      let tree = GridTree(rest.map { all[$0].box })
      var isDone = true
      for box in united.moved {
        tree.forEach(meeting: box, from: 0) { found in
          takesPart[rest[found]] = true
          isDone = false
        }
      }
      if isDone { return GridOutline(cycles: united.cycles + rest.map { all[$0] }) }
    }
  }

  /// The stretches of the outline that are marked, in its direction, and closed where all of a cycle is.
  var marked: [[GridPoint]] {
    var lines: [[GridPoint]] = []
    for cycle in cycles.map(\.edges) {
      guard let gap = cycle.firstIndex(where: { !$0.isMarked }) else {
        lines.append(cycle.map(\.from) + [cycle[0].from])
        continue
      }
      var line: [GridPoint] = []
      for edge in cycle[gap...] + cycle[..<gap] {
        if edge.isMarked {
          if line.isEmpty { line.append(edge.from) }
          line.append(edge.to)
        } else if !line.isEmpty {
          lines.append(line)
          line = []
        }
      }
      if !line.isEmpty { lines.append(line) }
    }
    return lines
  }

  // MARK: Polygons

  /// Rings of the region, closed: each polygon's shell first, counterclockwise, then its holes, clockwise.
  ///
  /// What is narrower than a step is left out: it comes of rounding.
  func polygons() throws(EngineError) -> [[[GridPoint]]] {
    var (polygons, holes) = ([[[GridPoint]]](), [[GridPoint]]())
    for (number, cycle) in cycles.enumerated() {
      if number & 255 == 0 { try TimeLimit.check() }
      let rings = Self.rings(Self.loops(cycle))
      if let shell = rings.shell { polygons.append([shell] + rings.holes) } else { holes += rings.holes }
    }
    var shells = holes.isEmpty ? nil : Shells(polygons.map { $0[0] })
    for hole in holes {
      try TimeLimit.check()
      // Without one the shell was narrower than a step.
      if let number = shells?.smallest(around: hole) { polygons[number].append(hole) }
    }
    return polygons
  }

  /// A cycle cut into loops that come by no point twice.
  private static func loops(_ cycle: Cycle) -> [[GridPoint]] {
    guard cycle.touchesItself else { return [cycle.points] }
    var (loops, open, depths) = ([[GridPoint]](), [GridPoint](), [GridPoint: Int]())
    for point in cycle.points {
      if let depth = depths[point] {
        loops.append(Array(open[depth...]))
        for other in open[depth...] { depths[other] = nil }
        open.removeSubrange(depth...)
      }
      depths[point] = open.count
      open.append(point)
    }
    if !open.isEmpty { loops.append(open) }
    return loops
  }

  private static func rings(_ loops: [[GridPoint]]) -> (shell: [GridPoint]?, holes: [[GridPoint]]) {
    var (shell, holes) = ([GridPoint]?.none, [[GridPoint]]())
    for loop in loops where isWide(loop) {
      let ring = loop + loop.prefix(1)
      if isCounterclockwise(loop) { shell = ring } else { holes.append(ring) }
    }
    return (shell, holes)
  }

  /// Without rounding: by the corner at the lowest point.
  private static func isCounterclockwise(_ loop: [GridPoint]) -> Bool {
    guard let lowest = loop.indices.min(by: { loop[$0] < loop[$1] }) else { return false }
    let before = loop[lowest > 0 ? lowest &- 1 : loop.count &- 1]
    return GridPoint.turn(before, loop[lowest], loop[lowest &+ 1 < loop.count ? lowest &+ 1 : 0]) > 0
  }

  private static func isWide(_ loop: [GridPoint]) -> Bool {
    var length = 0.0
    for index in loop.indices {
      let (a, b) = (loop[index], loop[index &+ 1 < loop.count ? index &+ 1 : 0])
      let (x, y) = (Double(b.x &- a.x), Double(b.y &- a.y))
      length += (x * x + y * y).squareRoot()
    }
    return loop.count > 2 && area(loop) > 0.5 * length
  }

  /// Within a ring, closed or not.
  fileprivate static func area(_ ring: [GridPoint]) -> Double {
    guard let first = ring.first, var last = ring.last else { return 0 }
    var area = 0.0
    for next in ring {
      area +=
        Double(last.x &- first.x) * Double(next.y &- first.y) - Double(next.x &- first.x) * Double(last.y &- first.y)
      last = next
    }
    return area.magnitude / 2
  }
}

/// The shells of polygons, for finding the one that a hole lies in, which touches it in vertices at most.
private struct Shells {
  private let rings: [[GridPoint]]
  private let areas: [Double]
  private let tree: GridTree
  /// Of the shells that have been looked at.
  private var rows: [Int: EdgeRows] = [:]

  init(_ rings: [[GridPoint]]) {
    self.rings = rings
    areas = rings.map(GridOutline.area)
    tree = GridTree(rings.map { ring in ring.reduce(into: GridBox(ring[0])) { $0.grow(around: $1) } })
  }

  /// The smallest shell around a hole; of several the first.
  mutating func smallest(around hole: [GridPoint]) -> Int? {
    var around: [Int] = []
    tree.forEach(meeting: GridBox(hole[0]), from: 0) { around.append($0) }
    // What lies in the hole and touches it in all of its vertices is smaller.
    let area = GridOutline.area(hole)
    return around.filter { areas[$0] > area && contains(hole, $0) }
      .min { areas[$0] != areas[$1] ? areas[$0] < areas[$1] : $0 < $1 }
  }

  private mutating func contains(_ hole: [GridPoint], _ shell: Int) -> Bool {
    for point in hole {
      if let isInside = isInside(point, shell) { return isInside }
    }
    return true
  }

  /// Whether a point is inside of a shell, by the parity of the edges to its right; nil if it is a vertex.
  private mutating func isInside(_ point: GridPoint, _ shell: Int) -> Bool? {
    let ring = rings[shell]
    let found = rows[shell] ?? EdgeRows(ring.indices.dropLast().lazy.map { (ring[$0], ring[$0 &+ 1]) })
    rows[shell] = found
    var isInside = false
    for entry in found.entries(at: point.y) {
      let (a, b) = (ring[Int(truncatingIfNeeded: entry)], ring[Int(truncatingIfNeeded: entry) &+ 1])
      if a == point { return nil }
      if (a.y > point.y) != (b.y > point.y), (GridPoint.turn(a, b, point) > 0) == (b.y > a.y) { isInside.toggle() }
    }
    return isInside
  }
}

/// Edges by the rows of the plane that they cross.
struct EdgeRows {
  private var offsets: [Int] = []
  private var entries: [Int32] = []
  private let south: Int64
  private let height: Int64
  private let count: Int

  init(_ edges: some Collection<(GridPoint, GridPoint)>) {
    let low = edges.reduce(Int64.max) { min($0, $1.0.y, $1.1.y) }
    let high = edges.reduce(Int64.min) { max($0, $1.0.y, $1.1.y) }
    // Where most edges cross all of the rows, many rows would only take memory.
    let heights = edges.reduce(0.0) { $0 + Double(($1.1.y &- $1.0.y).magnitude) }
    let worthwhile = min(4096, 64 * Double(edges.count) * Double(high &- low) / max(1, heights))
    count = max(1, min(Int(exactly: worthwhile.rounded(.down)) ?? 1, edges.count / 8 &+ 1))
    south = low
    height = max(1, (high &- low) / Int64(clamping: count) &+ 1)
    offsets = [Int](repeating: 0, count: count &+ 1)
    for edge in edges { for row in rows(edge) { offsets[row &+ 1] &+= 1 } }
    for row in 0..<count { offsets[row &+ 1] &+= offsets[row] }
    entries = [Int32](repeating: 0, count: offsets[count])
    var next = offsets
    for (index, edge) in edges.enumerated() {
      for row in rows(edge) {
        entries[next[row]] = Int32(truncatingIfNeeded: index)
        next[row] &+= 1
      }
    }
  }

  private func row(_ y: Int64) -> Int { min(count &- 1, max(0, Int(truncatingIfNeeded: (y &- south) / height))) }

  private func rows(_ edge: (GridPoint, GridPoint)) -> ClosedRange<Int> {
    row(min(edge.0.y, edge.1.y))...row(max(edge.0.y, edge.1.y))
  }

  /// The numbers of the edges that may reach a height.
  func entries(at y: Int64) -> ArraySlice<Int32> {
    let row = row(y)
    return entries[offsets[row]..<offsets[row &+ 1]]
  }

  /// The winding number to the west of a node, which is on no edge there.
  func winding(westOf point: GridPoint, _ edges: [some WeightedEdge]) -> Int32 {
    var winding: Int32 = 0
    for entry in entries(at: point.y) {
      let edge = edges[Int(truncatingIfNeeded: entry)]
      guard min(edge.from.x, edge.to.x) <= point.x, (edge.from.y > point.y) != (edge.to.y > point.y) else { continue }
      let isUpward = edge.to.y > edge.from.y
      // To the right of what goes up, to the left of what goes down.
      guard (GridPoint.turn(edge.from, edge.to, point) < 0) == isUpward,
        GridPoint.turn(edge.from, edge.to, point) != 0
      else { continue }
      winding &+= isUpward ? 0 &- edge.weight : edge.weight
    }
    return winding
  }
}
