import AlidadeBase

/// Boxes packed into a tree. It finds the boxes that meet others, and the boxes that are nearest to something.
///
/// Boxes are numbered from 0 in the order in which they are given. The leaves are the boxes in the order in which a
/// Hilbert curve passes their centres. Each node above holds the box around up to 16 that follow each other, level by
/// level, the root last. A box may change: then the boxes around it are computed anew, which keeps all results right.
/// Many changes make searches slower, until the tree is built again.
///
/// Right to share as long as no box changes: who changes one holds a lock that keeps all searches away.
public final class BoxTree: Sendable {
  @inlinable static var nodeSize: Int { 16 }

  /// Of leaves and nodes, level by level.
  @usableFromInline let boxes: HeapArray<Envelope>
  /// Where each level begins, and where the last one ends.
  @usableFromInline let levels: [Int]
  /// The number of the box of each leaf.
  @usableFromInline let numbers: HeapArray<UInt32>
  /// The leaf of each box; nil: boxes are not expected to change.
  private let leaves: HeapArray<UInt32>?

  /// - Parameters:
  ///   - given: finite boxes, and `Envelope.nothing`.
  ///   - isChangeable: boxes will change. This takes memory for finding them.
  ///   - reserve: called with the bytes that building takes at most, before they are taken.
  public init(
    _ given: UnsafeBufferPointer<Envelope>, isChangeable: Bool,
    reserve: (Int) throws(EngineError) -> Void = { (_) throws(EngineError) in }
  ) throws(EngineError) {
    let count = given.count
    guard UInt32(exactly: count) != nil else {
      throw EngineError(.limitExceeded, "An index holds at most 4,294,967,295 boxes.")
    }
    var levels = [0, count]
    var (width, total) = (count, count)
    while width > 1 {
      width = (width &+ Self.nodeSize &- 1) / Self.nodeSize
      total &+= width
      levels.append(total)
    }
    self.levels = levels
    let tableCount = isChangeable ? 2 : 1
    // In addition to what is kept, sorting takes twice a key with its number for each box.
    try reserve(
      total &* MemoryLayout<Envelope>.stride &+ count &* (tableCount &* MemoryLayout<UInt32>.stride &+ 16))
    boxes = try HeapArray(count: total)
    leaves = try isChangeable ? HeapArray(count: count) : nil
    numbers = try Self.sorted(given)
    for (leaf, number) in numbers.buffer.enumerated() {
      let number = Int(truncatingIfNeeded: number)
      boxes.buffer[leaf] = given[number]
      leaves?.buffer[number] = UInt32(truncatingIfNeeded: leaf)
    }
    for level in levels.indices.dropFirst().dropLast() {
      for node in levels[level]..<levels[level &+ 1] { boxes.buffer[node] = around(level, node) }
    }
  }

  /// The numbers of boxes in the order of their centres on a Hilbert curve.
  private static func sorted(_ boxes: UnsafeBufferPointer<Envelope>) throws(EngineError) -> HeapArray<UInt32> {
    let numbers = try HeapArray<UInt32>(count: boxes.count)
    let sorted = numbers.buffer
    guard boxes.count > nodeSize else {
      // All are in one node.
      for number in sorted.indices { sorted[number] = UInt32(truncatingIfNeeded: number) }
      return numbers
    }
    var all = Envelope.nothing
    for box in boxes { all.extend(around: box) }
    // Of halves, because the whole range of numbers has no width.
    let (stepX, stepY) = (65_535 / (all.xMax / 2 - all.xMin / 2), 65_535 / (all.yMax / 2 - all.yMin / 2))
    let curve = HilbertCurve.shared
    // A key, and below it the number.
    let keys = try HeapArray<UInt64>(count: boxes.count)
    for (number, box) in boxes.enumerated() {
      let x = step((box.xMin / 4 + box.xMax / 4 - all.xMin / 2) * stepX)
      let y = step((box.yMin / 4 + box.yMax / 4 - all.yMin / 2) * stepY)
      keys.buffer[number] = UInt64(truncatingIfNeeded: curve.distance(x, y)) << 32 | UInt64(truncatingIfNeeded: number)
    }
    try sortByUpperHalf(keys.buffer)
    for (leaf, key) in keys.buffer.enumerated() { sorted[leaf] = UInt32(truncatingIfNeeded: key) }
    return numbers
  }

  /// A number from 0 to 65,535 as 16 bits; 0 for NaN, where there is no width.
  private static func step(_ value: Double) -> UInt32 {
    value > 0 ? UInt32(exactly: min(value, 65_535).rounded(.down)) ?? 0 : 0
  }

  // MARK: Boxes

  public var count: Int { numbers.buffer.count }

  /// The memory of the tree.
  public var byteCount: Int {
    let tableCount = leaves == nil ? 1 : 2
    return boxes.buffer.count &* MemoryLayout<Envelope>.stride &+ count &* tableCount &* MemoryLayout<UInt32>.stride
  }

  /// The box around all.
  public var bounds: Envelope { count == 0 ? .nothing : boxes.buffer[boxes.buffer.count &- 1] }

  /// Changes a box. In a tree that is not changeable, this looks at all leaves.
  public func set(_ number: Int, _ box: Envelope) {
    let wanted = UInt32(truncatingIfNeeded: number)
    let leaf = leaves.map { Int(truncatingIfNeeded: $0.buffer[number]) } ?? numbers.buffer.firstIndex(of: wanted)
    guard var node = leaf, boxes.buffer[node] != box else { return }
    boxes.buffer[node] = box
    for level in levels.indices.dropFirst().dropLast() {
      node = parent(level &- 1, node)
      let new = around(level, node)
      if boxes.buffer[node] == new { return }
      boxes.buffer[node] = new
    }
  }

  /// The box around the children of a node.
  private func around(_ level: Int, _ node: Int) -> Envelope {
    var box = Envelope.nothing
    for child in children(level, node) { box.extend(around: boxes.buffer[child]) }
    return box
  }

  @inlinable
  func children(_ level: Int, _ node: Int) -> Range<Int> {
    let first = levels[level &- 1] &+ (node &- levels[level]) &* Self.nodeSize
    return first..<min(levels[level], first &+ Self.nodeSize)
  }

  @inlinable
  func parent(_ level: Int, _ node: Int) -> Int { levels[level &+ 1] &+ (node &- levels[level]) / Self.nodeSize }

  // MARK: What meets

  /// Calls `body` with the numbers of the boxes that meet one, in any order, until it returns false.
  @inlinable
  public func forEach<Failure: Error>(
    meeting area: Envelope, _ body: (Int) throws(Failure) -> Bool
  ) throws(Failure) {
    try forEach(where: { $0.meets(area) }, body)
  }

  /// Calls `body` with the number of each box that meets one of some boxes, in any order, until it returns false.
  @inlinable
  public func forEach<Failure: Error>(
    meeting areas: [Envelope], _ body: (Int) throws(Failure) -> Bool
  ) throws(Failure) {
    try forEach(where: { box in areas.contains { $0.meets(box) } }, body)
  }

  /// - Parameter meets: true for a box if it is true for a box inside.
  @inlinable
  func forEach<Failure: Error>(
    where meets: (Envelope) -> Bool, _ body: (Int) throws(Failure) -> Bool
  ) throws(Failure) {
    let (boxes, numbers, top) = (boxes.buffer, numbers.buffer, levels.count &- 2)
    // The next node to look at, and where its siblings end.
    var (level, node, end) = (top, levels[top], levels[top &+ 1])
    while true {
      if node == end {
        if level == top { return }
        // All children of a node were looked at. The siblings after it are next.
        let last = parent(level, node &- 1)
        level &+= 1
        node = last &+ 1
        end = level == top ? node : children(level &+ 1, parent(level, last)).upperBound
      } else if !meets(boxes[node]) {
        node &+= 1
      } else if level > 0 {
        let inside = children(level, node)
        level &-= 1
        (node, end) = (inside.lowerBound, inside.upperBound)
      } else {
        guard try body(Int(truncatingIfNeeded: numbers[node])) else { return }
        node &+= 1
      }
    }
  }

  // MARK: What is nearest

  /// The boxes nearest to something, the nearest first; equally near ones in the order of their numbers.
  ///
  /// - Parameters:
  ///   - pointsAreExact: the bound of a box that is a point is the distance of what is there.
  ///   - bound: all in a box is at least so far away, by the box and whether it is one of those given; nil: no farther
  ///     than the box around it.
  ///   - exact: the distance of what a box is around, by its number and the box; nil without one.
  @inlinable
  public func nearest(
    most: Int, within limit: Double, pointsAreExact: Bool, bound: (Envelope, Bool) throws(EngineError) -> Double?,
    exact: (Int, Envelope) throws(EngineError) -> Double?
  ) throws(EngineError) -> [(number: Int, distance: Double)] {
    guard count > 0, most > 0 else { return [] }
    var queue = BinaryHeap<NearestEntry>(capacity: 64)
    var reach = NearestReach(limit: limit, most: most)
    let (boxes, numbers, root) = (boxes.buffer, numbers.buffer, boxes.buffer.count &- 1)
    // What lies nearest in the leaf that seems nearest keeps most of the other nodes out of the queue.
    if most == 1, pointsAreExact { reach.add(try least(bound, below: limit)) }
    queue.push(NearestEntry(distance: try bound(boxes[root], count == 1) ?? 0, level: levels.count &- 2, node: root))
    var found: [(number: Int, distance: Double)] = []
    while found.count < most, let next = queue.pop(), next.distance <= limit {
      if next.level < 0 {
        found.append((next.node, next.distance))
      } else if next.level == 0 {
        try TimeLimit.check()
        let (number, box) = (Int(truncatingIfNeeded: numbers[next.node]), boxes[next.node])
        let isExact = pointsAreExact && box.isPoint
        guard let distance = isExact ? next.distance : try exact(number, box), distance <= limit else { continue }
        queue.push(NearestEntry(distance: max(distance, next.distance), level: -1, node: number))
      } else {
        for child in children(next.level, next.node) {
          let box = boxes[child]
          let distance = try bound(box, next.level == 1) ?? next.distance
          guard distance <= reach.distance else { continue }
          if next.level == 1, pointsAreExact, box.isPoint {
            reach.add(distance)
            let number = Int(truncatingIfNeeded: numbers[child])
            queue.push(NearestEntry(distance: distance, level: -1, node: number))
          } else {
            queue.push(NearestEntry(distance: distance, level: next.level &- 1, node: child))
          }
        }
      }
    }
    return found
  }

  /// The least distance of the points in the leaf to which the nearest child leads, each time; at most `limit`.
  @inlinable
  func least(
    _ bound: (Envelope, Bool) throws(EngineError) -> Double?, below limit: Double
  ) throws(EngineError) -> Double {
    let boxes = boxes.buffer
    var node = boxes.count &- 1
    for level in stride(from: levels.count &- 2, to: 0, by: -1) {
      var (least, nearest) = (Double.infinity, -1)
      for child in children(level, node) where level > 1 || boxes[child].isPoint {
        guard let distance = try bound(boxes[child], level == 1), distance < least else { continue }
        (least, nearest) = (distance, child)
      }
      guard nearest >= 0 else { return limit }
      if level == 1 { return min(least, limit) }
      node = nearest
    }
    return limit
  }
}

/// What is still to be looked at in a search for what is nearest; in a heap the nearest comes first.
@usableFromInline
struct NearestEntry: HeapItem {
  @usableFromInline let distance: Double
  /// Of the tree; -1: a box whose distance is exact.
  @usableFromInline let level: Int
  /// The node of the tree, or the number of the box.
  @usableFromInline let node: Int

  @inlinable
  init(distance: Double, level: Int, node: Int) {
    self.distance = distance
    self.level = level
    self.node = node
  }

  /// At equal distances, nodes come before what is exact, so that all that is as near is known; then the lower number.
  @inlinable
  func isBefore(_ other: NearestEntry) -> Bool {
    if distance != other.distance { return distance < other.distance }
    if (level < 0) != (other.level < 0) { return level >= 0 }
    return node < other.node
  }
}

/// How far away what is nearest may still be: as far as the last of so many points that are known.
@usableFromInline
struct NearestReach {
  @usableFromInline private(set) var distance: Double
  private let most: Int
  /// Rising; at most `most`.
  private var known: [Double] = []

  /// More points are not kept in order, and only the limit counts.
  private static let mostKnown = 64

  @usableFromInline
  init(limit: Double, most: Int) {
    distance = limit
    self.most = most
  }

  /// Takes the distance of a point in, which must not be above `distance`.
  @usableFromInline
  mutating func add(_ new: Double) {
    guard most <= Self.mostKnown else { return }
    var index = known.count
    while index > 0, known[index &- 1] > new { index &-= 1 }
    known.insert(new, at: index)
    if known.count > most { known.removeLast() }
    if known.count == most, let last = known.last { distance = min(distance, last) }
  }
}
