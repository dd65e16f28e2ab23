import AlidadeBase
import AlidadeCoordinates

/// A point of the grid on which outlines are united, in steps from the origin: at most 2^53 in size.
struct GridPoint: Hashable {
  var x: Int64
  var y: Int64

  /// By x, then by y.
  @inline(__always)
  static func < (a: GridPoint, b: GridPoint) -> Bool { a.x != b.x ? a.x < b.x : a.y < b.y }

  /// The sign of the cross product of the directions from `a` to `b` and to `c`: 1 if `c` lies to the left. Exact.
  @inline(__always)
  static func turn(_ a: GridPoint, _ b: GridPoint, _ c: GridPoint) -> Int {
    let (dx, dy, ex, ey) = (b.x &- a.x, b.y &- a.y, c.x &- a.x, c.y &- a.y)
    let (left, right) = (Double(dx) * Double(ey), Double(dy) * Double(ex))
    let cross = left - right
    // Each factor and product is rounded once.
    if cross.magnitude > 1e-15 * (left.magnitude + right.magnitude) { return cross > 0 ? 1 : -1 }
    // It is then less than 2^60, so that what overflows on the way does not matter.
    return Int(truncatingIfNeeded: (dx &* ey &- dy &* ex).signum())
  }
}

/// A product of differences between coordinates of the grid, or a difference of two: 128 bits.
private struct GridProduct {
  private var high: Int64
  private var low: UInt64

  init(_ a: Int64, times b: Int64) { (high, low) = a.multipliedFullWidth(by: b) }

  static func - (a: GridProduct, b: GridProduct) -> GridProduct {
    var result = a
    let (low, borrows) = a.low.subtractingReportingOverflow(b.low)
    result.low = low
    result.high = a.high &- b.high &- (borrows ? 1 : 0)
    return result
  }

  /// Of a number below 2^116 in size.
  var precise: DoubleDouble {
    DoubleDouble.sum(Double(high) * 0x1p64, Double(low >> 32) * 0x1p32) + DoubleDouble(Double(low & 0xFFFF_FFFF))
  }
}

/// A directed edge: to its left the winding number is higher by `weight` than to its right.
protocol WeightedEdge {
  var from: GridPoint { get }
  var to: GridPoint { get }
  var weight: Int32 { get }
}

/// A directed edge of outlines.
struct GridEdge: WeightedEdge {
  var from: GridPoint
  var to: GridPoint
  var weight: Int32 = 1
  /// Whether it is a part of an offset curve that is asked for.
  var isMarked = false
}

/// Edges cut where they meet and rounded to the grid, so that they meet in their ends alone.
///
/// This is snap rounding (Hobby 1999; Guibas and Marimont 1998): every end of an edge and every crossing has a pixel of
/// one step around it, and each edge gets a vertex in the middle of every such pixel that it passes. Then no edges cross
/// and none comes to lie on a vertex but its own; an edge is moved by less than a step.
struct SnapRounding {
  private let edges: [GridEdge]
  private let tree: GridTree
  private let policy: Policy
  private var cuts: [(edge: Int32, point: GridPoint)] = []
  private var crossings: [GridPoint] = []

  /// The edges with their net weights, each once, from the lower to the higher end, in order. Those without a weight are
  /// left out.
  ///
  /// - Parameter policy: bounds the memory that crossings take.
  static func rounded(_ edges: [GridEdge], _ policy: Policy) throws(EngineError) -> [NodedEdge] {
    var rounding = SnapRounding(edges, policy)
    try rounding.findPairs()
    try rounding.cutAtCrossings()
    return try rounding.pieces()
  }

  /// From `from`, the lower end, to `to`.
  struct NodedEdge: WeightedEdge {
    var from: GridPoint
    var to: GridPoint
    var weight: Int32
    /// Whether a marked edge runs from the lower end to the higher one, and back.
    var isMarked = false
    var isMarkedBack = false
    /// Whether it is a part of an edge that was cut, and so may be moved.
    var isMoved = false
  }

  private init(_ edges: [GridEdge], _ policy: Policy) {
    self.edges = edges
    self.policy = policy
    tree = GridTree(edges) { GridBox($0) }
  }

  private mutating func findPairs() throws(EngineError) {
    var found: [Int] = []
    for index in edges.indices {
      if index & 15 == 0 { try TimeLimit.check() }
      found.removeAll(keepingCapacity: true)
      tree.forEach(meeting: GridBox(edges[index]), from: index &+ 1) { found.append($0) }
      for (number, other) in found.enumerated() {
        if number & 255 == 255 { try TimeLimit.check() }
        compare(index, other)
      }
      try checkMemory()
    }
  }

  /// A crossing makes four cuts in the end; each is kept twice, as are the pieces and halves of an outline between them.
  private func checkMemory() throws(EngineError) { try policy.check(bytes: cuts.count, 96) }

  private mutating func compare(_ i: Int, _ j: Int) {
    let (e, f) = (edges[i], edges[j])
    cut(i, at: f.from)
    cut(i, at: f.to)
    cut(j, at: e.from)
    cut(j, at: e.to)
    let (a, b) = (GridPoint.turn(e.from, e.to, f.from), GridPoint.turn(e.from, e.to, f.to))
    guard a &* b < 0 else { return }
    let (c, d) = (GridPoint.turn(f.from, f.to, e.from), GridPoint.turn(f.from, f.to, e.to))
    guard c &* d < 0 else { return }
    let crossing = Self.crossing(e, f)
    crossings.append(crossing)
    add(i, crossing)
    add(j, crossing)
  }

  private mutating func cut(_ index: Int, at point: GridPoint) {
    let edge = edges[index]
    if point != edge.from, point != edge.to, Self.passes(edge, point) { add(index, point) }
  }

  private mutating func add(_ index: Int, _ point: GridPoint) {
    cuts.append((Int32(truncatingIfNeeded: index), point))
  }

  /// Whether an edge passes the pixel around a point: from half a step to the left and below, included, to half a step
  /// to the right and above, left out.
  private static func passes(_ edge: GridEdge, _ p: GridPoint) -> Bool {
    let (a, b) = (edge.from, edge.to)
    guard min(a.x, b.x) <= p.x, p.x <= max(a.x, b.x), min(a.y, b.y) <= p.y, p.y <= max(a.y, b.y) else { return false }
    let (dx, dy, ex, ey) = (b.x &- a.x, b.y &- a.y, p.x &- a.x, p.y &- a.y)
    let (left, right) = (Double(dx) * Double(ey), Double(dy) * Double(ex))
    let reach = Double(dx.magnitude) + Double(dy.magnitude)
    if (left - right).magnitude > reach + 1e-15 * (left.magnitude + right.magnitude) { return false }
    // Less than 2^61, so that what overflows on the way does not matter.
    let twice = 2 &* (dx &* ey &- dy &* ex)
    let size = Int64(clamping: dx.magnitude) &+ Int64(clamping: dy.magnitude)
    // The corners' cross products are this far around that of the middle; only the lower left one counts in.
    return (twice < size && twice > 0 &- size) || twice == dx &- dy
  }

  /// The point of the grid in whose pixel two edges cross.
  static func crossing(_ e: GridEdge, _ f: GridEdge) -> GridPoint {
    func cross(_ p: GridPoint) -> GridProduct {
      GridProduct(f.to.x &- f.from.x, times: p.y &- f.from.y) - GridProduct(f.to.y &- f.from.y, times: p.x &- f.from.x)
    }
    let (first, last) = (cross(e.from), cross(e.to))
    let share = first.precise / (first - last).precise
    func coordinate(_ from: Int64, _ to: Int64) -> Int64 {
      let way = share * DoubleDouble(Double(to &- from))
      let whole = way.high.rounded(.down)
      let rest = ((way.high - whole) + way.low + 0.5).rounded(.down)
      let found = from &+ (Int64(exactly: whole) ?? 0) &+ (Int64(exactly: rest) ?? 0)
      return min(max(found, min(from, to)), max(from, to))
    }
    let nearest = GridPoint(x: coordinate(e.from.x, e.to.x), y: coordinate(e.from.y, e.to.y))
    if passes(e, nearest), passes(f, nearest) { return nearest }
    // Next to the side of a pixel rounding may have taken the wrong one.
    for x in [nearest.x, nearest.x &- 1, nearest.x &+ 1] {
      for y in [nearest.y, nearest.y &- 1, nearest.y &+ 1] {
        let other = GridPoint(x: x, y: y)
        if passes(e, other), passes(f, other) { return other }
      }
    }
    return nearest
  }

  private mutating func cutAtCrossings() throws(EngineError) {
    crossings.sort { $0 < $1 }
    var last: GridPoint?
    var found: [Int] = []
    for (number, point) in crossings.enumerated() where point != last {
      if number & 63 == 0 { try TimeLimit.check() }
      last = point
      found.removeAll(keepingCapacity: true)
      tree.forEach(meeting: GridBox(point), from: 0) { found.append($0) }
      for index in found { cut(index, at: point) }
      if number & 63 == 0 { try checkMemory() }
    }
  }

  private func pieces() throws(EngineError) -> [NodedEdge] {
    var starts = [Int](repeating: 0, count: edges.count &+ 1)
    for cut in cuts { starts[Int(truncatingIfNeeded: cut.edge) &+ 1] &+= 1 }
    for index in edges.indices { starts[index &+ 1] &+= starts[index] }
    var sorted = [GridPoint](repeating: GridPoint(x: 0, y: 0), count: cuts.count)
    var places = starts
    for cut in cuts {
      let edge = Int(truncatingIfNeeded: cut.edge)
      sorted[places[edge]] = cut.point
      places[edge] &+= 1
    }
    var pieces: [NodedEdge] = []
    pieces.reserveCapacity(edges.count &+ cuts.count)
    for (index, edge) in edges.enumerated() {
      if index & 63 == 0 { try TimeLimit.check() }
      let range = starts[index]..<starts[index &+ 1]
      if range.count > 1 {
        // An edge passes pixels in the order of both coordinates.
        let (east, north) = (edge.from.x <= edge.to.x, edge.from.y <= edge.to.y)
        sorted[range].sort { $0.x != $1.x ? ($0.x < $1.x) == east : $0.y != $1.y && ($0.y < $1.y) == north }
      }
      var from = edge.from
      for place in range where sorted[place] != from {
        pieces.append(Self.piece(edge, from, sorted[place], isMoved: true))
        from = sorted[place]
      }
      if from != edge.to { pieces.append(Self.piece(edge, from, edge.to, isMoved: !range.isEmpty)) }
    }
    return Self.merged(pieces)
  }

  private static func piece(_ edge: GridEdge, _ from: GridPoint, _ to: GridPoint, isMoved: Bool) -> NodedEdge {
    from < to
      ? NodedEdge(from: from, to: to, weight: edge.weight, isMarked: edge.isMarked, isMoved: isMoved)
      : NodedEdge(from: to, to: from, weight: 0 &- edge.weight, isMarkedBack: edge.isMarked, isMoved: isMoved)
  }

  private static func merged(_ pieces: [NodedEdge]) -> [NodedEdge] {
    // Numbers are moved instead of edges, which are ten times as large.
    var order = (0..<Int32(truncatingIfNeeded: pieces.count)).map { $0 }
    pieces.withUnsafeBufferPointer { pieces in
      order.sort { first, second in
        let a = pieces[Int(truncatingIfNeeded: first)]
        let b = pieces[Int(truncatingIfNeeded: second)]
        return a.from != b.from ? a.from < b.from : a.to < b.to
      }
    }
    var merged: [NodedEdge] = []
    merged.reserveCapacity(pieces.count)
    for number in order {
      let piece = pieces[Int(truncatingIfNeeded: number)]
      guard let last = merged.last, last.from == piece.from, last.to == piece.to else {
        // What the one before came to.
        if merged.last?.weight == 0 { merged.removeLast() }
        merged.append(piece)
        continue
      }
      let end = merged.count &- 1
      merged[end].weight &+= piece.weight
      merged[end].isMarked = last.isMarked || piece.isMarked
      merged[end].isMarkedBack = last.isMarkedBack || piece.isMarkedBack
      merged[end].isMoved = last.isMoved || piece.isMoved
    }
    if merged.last?.weight == 0 { merged.removeLast() }
    return merged
  }
}

// MARK: Boxes

/// A box of the grid, sides included.
struct GridBox {
  var low: GridPoint
  var high: GridPoint

  init(_ a: GridPoint, _ b: GridPoint) {
    low = GridPoint(x: min(a.x, b.x), y: min(a.y, b.y))
    high = GridPoint(x: max(a.x, b.x), y: max(a.y, b.y))
  }

  init(_ edge: GridEdge) { self.init(edge.from, edge.to) }
  init(_ point: GridPoint) { (low, high) = (point, point) }

  func grown(by steps: Int64) -> GridBox {
    var box = self
    box.low = GridPoint(x: low.x &- steps, y: low.y &- steps)
    box.high = GridPoint(x: high.x &+ steps, y: high.y &+ steps)
    return box
  }

  mutating func grow(around point: GridPoint) { grow(around: GridBox(point)) }

  mutating func grow(around other: GridBox) {
    low = GridPoint(x: min(low.x, other.low.x), y: min(low.y, other.low.y))
    high = GridPoint(x: max(high.x, other.high.x), y: max(high.y, other.high.y))
  }

  @inline(__always)
  func meets(_ other: GridBox) -> Bool {
    low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y
  }
}

/// Boxes, and boxes around each eight that follow each other, and so on: edges of a line that follow each other are
/// neighbours.
struct GridTree: Sendable {
  /// All levels, the lowest first.
  private var boxes: [GridBox]
  /// Where each level begins, and where the last one ends.
  private var starts = [0]
  private static let widthBits = 3
  private static let width = 1 << widthBits

  init(_ lowest: [GridBox]) { self.init(lowest) { $0 } }

  init<Items: RandomAccessCollection>(_ items: Items, _ box: (Items.Element) -> GridBox) {
    boxes = []
    boxes.reserveCapacity(items.count &+ items.count / 4 &+ 8)
    for item in items { boxes.append(box(item)) }
    starts.append(boxes.count)
    var level = 0..<boxes.count
    while level.count > Self.width {
      for first in stride(from: level.lowerBound, to: level.upperBound, by: Self.width) {
        var box = boxes[first]
        for other in first..<min(level.upperBound, first &+ Self.width) { box.grow(around: boxes[other]) }
        boxes.append(box)
      }
      level = level.upperBound..<boxes.count
      starts.append(boxes.count)
    }
  }

  /// Calls `body` with the numbers, from one on, of the boxes that meet one.
  @inline(__always)
  func forEach(meeting box: GridBox, from first: Int, _ body: (Int) -> Void) {
    boxes.withUnsafeBufferPointer { boxes in
      starts.withUnsafeBufferPointer { starts in
        let top = starts.count &- 2
        Self.search(boxes, starts, top, 0..<(starts[top &+ 1] &- starts[top]), box, first, body)
      }
    }
  }

  /// The pairs of boxes that meet, the lower number first, but for those that follow each other; nil if there are more
  /// than a number.
  func meetingPairs(atMost limit: Int) throws(EngineError) -> [(Int32, Int32)]? {
    var pairs: [(Int32, Int32)] = []
    pairs.reserveCapacity(min(limit, 4 &* starts[1]))
    let top = starts.count &- 2
    for first in 0..<(starts[top &+ 1] &- starts[top]) {
      for second in first..<(starts[top &+ 1] &- starts[top]) where pairs.count <= limit {
        try boxes.withUnsafeBufferPointer { (boxes) throws(EngineError) in
          try starts.withUnsafeBufferPointer { (starts) throws(EngineError) in
            if boxes[starts[top] &+ first].meets(boxes[starts[top] &+ second]) {
              try Self.join(boxes, starts, top, first, second, limit, &pairs)
            }
          }
        }
      }
    }
    return pairs.count <= limit ? pairs : nil
  }

  /// - Parameter i: a box of the level that meets `j`, which is the same or a later one.
  private static func join(
    _ boxes: UnsafeBufferPointer<GridBox>, _ starts: UnsafeBufferPointer<Int>, _ level: Int, _ i: Int, _ j: Int,
    _ limit: Int, _ pairs: inout [(Int32, Int32)]
  ) throws(EngineError) {
    if level == 2 { try TimeLimit.check() }
    if level == 0 {
      if i &+ 1 < j { pairs.append((Int32(truncatingIfNeeded: i), Int32(truncatingIfNeeded: j))) }
      return
    }
    let (below, count) = (starts[level &- 1], starts[level] &- starts[level &- 1])
    let least = level == 1 ? 2 : 0
    let other = boxes[starts[level] &+ j]
    for a in (i &* width)..<min(count, i &* width &+ width) where boxes[below &+ a].meets(other) {
      let box = boxes[below &+ a]
      for b in max(a &+ least, j &* width)..<max(a &+ least, min(count, j &* width &+ width))
      where boxes[below &+ b].meets(box) {
        if pairs.count <= limit { try join(boxes, starts, level &- 1, a, b, limit, &pairs) }
      }
    }
  }

  /// - Parameter range: of the level.
  private static func search(
    _ boxes: UnsafeBufferPointer<GridBox>, _ starts: UnsafeBufferPointer<Int>, _ level: Int, _ range: Range<Int>,
    _ box: GridBox, _ first: Int, _ body: (Int) -> Void
  ) {
    let lowest = max(range.lowerBound, first >> (widthBits &* level))
    for index in lowest..<max(lowest, range.upperBound) where boxes[starts[level] &+ index].meets(box) {
      if level == 0 {
        body(index)
      } else {
        let start = index &* width
        let end = min(starts[level] &- starts[level &- 1], start &+ width)
        search(boxes, starts, level &- 1, start..<end, box, first, body)
      }
    }
  }
}
