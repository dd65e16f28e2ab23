import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc

/// Where features are: a packed tree of their boxes in the order of a Hilbert curve. Immutable.
///
/// The leaves are the features' boxes in that order; each node above holds the box around up to 16 that follow each
/// other, level by level, the root last.
public final class FeatureIndex: Sendable {
  static let nodeSize = 16

  /// What is indexed, while it is being collected.
  struct Collector {
    var boxes = Column<Envelope>()
    var ids = Column<Int64>()
    let budget: MemoryBudget

    func append(_ id: Int64, _ box: Envelope) throws(EngineError) {
      try boxes.append(box, budget)
      try ids.append(id, budget)
    }

    /// The same in another order: for each position the row that belongs there.
    func reordered(_ rows: HeapArray<Int>) throws(EngineError) -> Collector {
      Collector(boxes: try boxes.reordered(rows, budget), ids: try ids.reordered(rows, budget), budget: budget)
    }
  }

  /// In the file's order.
  private let ids: Column<Int64>
  /// The order of the ids of all features, including features without a position.
  let idOrder: IDOrder
  /// Of leaves and nodes, level by level.
  private let boxes: HeapArray<Envelope>
  /// For each leaf the index of its feature in the file's order.
  private let places: HeapArray<UInt32>
  /// Where each level begins, and where the last one ends.
  private let levels: [Int]
  /// The geometries of what is no point, where they cannot be found by their ids.
  let shapes: FeatureShapes?
  /// Whether the boxes say all of where features are.
  let hasOnlyPoints: Bool
  /// The memory of the index in bytes, including its shapes.
  public let byteCount: Int
  private let memory: IndexMemory

  public var count: Int { ids.count }

  /// The box around all; nil: there is nothing.
  public var bounds: Envelope? { count == 0 ? nil : boxes.buffer[boxes.buffer.count &- 1] }

  init(
    _ collector: Collector, _ shapes: FeatureShapes?, _ idOrder: IDOrder, _ memory: IndexMemory
  ) throws(EngineError) {
    let count = collector.ids.count
    let budget = collector.budget
    guard UInt32(exactly: count) != nil else {
      throw EngineError(.limitExceeded, "An index holds at most 4,294,967,295 features.")
    }
    var levels = [0, count]
    var width = count
    while width > 1 {
      width = (width &+ Self.nodeSize &- 1) / Self.nodeSize
      levels.append((levels.last ?? 0) &+ width)
    }
    let total = levels.last ?? 0
    let size = total &* MemoryLayout<Envelope>.stride &+ count &* MemoryLayout<UInt32>.stride
    // In addition to what is kept, sorting takes twice a key with its index for each feature.
    try budget.take(size &+ count &* 16)
    let boxes = try HeapArray<Envelope>(count: total)
    self.boxes = boxes
    let (given, leaves) = (collector.boxes.buffer, boxes.buffer)
    let places = try Self.sorted(given)
    self.places = places
    var hasOnlyPoints = true
    for (leaf, place) in places.buffer.enumerated() {
      let box = given[Int(truncatingIfNeeded: place)]
      leaves[leaf] = box
      if !box.isPoint { hasOnlyPoints = false }
    }
    self.hasOnlyPoints = hasOnlyPoints
    for level in levels.indices.dropFirst().dropLast() {
      let (start, end) = (levels[level &- 1], levels[level])
      for (node, first) in stride(from: start, to: end, by: Self.nodeSize).enumerated() {
        var box = boxes.buffer[first]
        for child in first..<min(end, first &+ Self.nodeSize) { box.extend(around: boxes.buffer[child]) }
        boxes.buffer[end &+ node] = box
      }
    }
    collector.ids.trim(budget)
    ids = collector.ids
    self.levels = levels
    self.shapes = shapes
    self.idOrder = idOrder
    byteCount = size &+ count &* MemoryLayout<Int64>.stride &+ (shapes?.byteCount ?? 0)
    self.memory = memory
    memory.add(byteCount)
  }

  deinit { memory.add(-byteCount) }

  // MARK: Sorting

  /// The indexes of boxes in the order of their centres on a Hilbert curve.
  private static func sorted(_ boxes: UnsafeBufferPointer<Envelope>) throws(EngineError) -> HeapArray<UInt32> {
    let count = boxes.count
    let places = try HeapArray<UInt32>(count: count)
    guard count > 0 else { return places }
    var all = boxes[0]
    for box in boxes { all.extend(around: box) }
    let (width, height) = (all.xMax - all.xMin, all.yMax - all.yMin)
    let curve = HilbertCurve()
    // A key, and below it the index.
    let keys = try HeapArray<UInt64>(count: count)
    for (place, box) in boxes.enumerated() {
      let x = part((box.xMin / 2 + box.xMax / 2 - all.xMin) / width)
      let y = part((box.yMin / 2 + box.yMax / 2 - all.yMin) / height)
      let key = UInt64(truncatingIfNeeded: curve.distance(x, y))
      keys.buffer[place] = key << 32 | UInt64(truncatingIfNeeded: place)
    }
    try sortByUpperHalf(keys.buffer)
    let sorted = places.buffer
    for (index, key) in keys.buffer.enumerated() { sorted[index] = UInt32(truncatingIfNeeded: key) }
    return places
  }

  /// A part of the whole as 16 bits.
  private static func part(_ fraction: Double) -> UInt32 {
    fraction > 0 ? UInt32(exactly: min(fraction * 65535, 65535).rounded(.down)) ?? 0 : 0
  }

  // MARK: Searching

  /// The ids of features whose boxes meet one of some boxes, in the file's order; nil if there are more than `most`.
  public func ids(meeting boxes: [Envelope], most: Int = .max) throws(EngineError) -> HeapArray<Int64>? {
    let found = Column<UInt32>()
    let budget = collectorBudget
    var isTooMany = false
    try forEachLeaf(meeting: boxes) { (leaf) throws(EngineError) in
      if found.count >= most {
        isTooMany = true
        return false
      }
      try found.append(places.buffer[leaf], budget)
      return true
    }
    if isTooMany { return nil }
    let order = try HeapArray<UInt32>(count: found.count)
    _ = order.buffer.update(from: found.buffer)
    var sorting = order.buffer
    sorting.sort()
    let answer = try HeapArray<Int64>(count: found.count)
    for (index, place) in order.buffer.enumerated() { answer.buffer[index] = ids[Int(truncatingIfNeeded: place)] }
    return answer
  }

  /// What an answer may take: never more than the index itself.
  private var collectorBudget: MemoryBudget {
    var policy = Policy()
    policy.maxRequestBytes = .max
    return MemoryBudget(policy)
  }

  /// Calls `body` with leaves that meet one of some boxes, until it returns false.
  private func forEachLeaf(
    meeting areas: [Envelope], _ body: (Int) throws(EngineError) -> Bool
  ) throws(EngineError) {
    guard count > 0 else { return }
    var stack: [(level: Int, node: Int)] = [(levels.count &- 2, boxes.buffer.count &- 1)]
    while let (level, node) = stack.popLast() {
      let box = boxes.buffer[node]
      guard areas.contains(where: { box.meets($0) }) else { continue }
      if level == 0 {
        guard try body(node) else { return }
        continue
      }
      for child in children(level, node).reversed() { stack.append((level &- 1, child)) }
    }
  }

  private func children(_ level: Int, _ node: Int) -> Range<Int> {
    let first = levels[level &- 1] &+ (node &- levels[level]) &* Self.nodeSize
    return first..<min(levels[level], first &+ Self.nodeSize)
  }

  /// A feature near a point.
  public struct Neighbour: Sendable, Equatable {
    public let id: Int64
    /// In the unit of the source's spatial reference, on the plane.
    public let distance: Double
  }

  /// The features nearest to a point, the nearest first; features that are equally near in the order of the file.
  ///
  /// - Parameters:
  ///   - world: the width of a world that repeats itself; nil if it does not.
  ///   - exact: the distance from a feature that is not a point, by its id and its index in the file's order. It is at
  ///     least the distance from its box; nil if the feature has no distance.
  func nearest(
    to point: Point, world: Double?, most: Int, within limit: Double,
    exact: (Int64, Int) throws(EngineError) -> Double?
  ) throws(EngineError) -> [Neighbour] {
    try nearest(most: most, within: limit, pointsAreExact: true) { (box, _) throws(EngineError) in
      box.distance(to: point, world: world)
    } exact: { (id, place, _) throws(EngineError) in
      try exact(id, place)
    }
  }

  /// The features nearest to something, the nearest first; of equally near ones the earlier in the file.
  ///
  /// - Parameters:
  ///   - pointsAreExact: the bound of a box that is a point is the distance of what is there.
  ///   - bound: all in a box is at least so far away, by the box and whether it is that of a feature; nil: no farther than
  ///     the box around it.
  ///   - exact: the distance from a feature, by its id, its index in the file's order and its box; nil without one.
  func nearest(
    most: Int, within limit: Double, pointsAreExact: Bool, bound: (Envelope, Bool) throws(EngineError) -> Double?,
    exact: (Int64, Int, Envelope) throws(EngineError) -> Double?
  ) throws(EngineError) -> [Neighbour] {
    guard count > 0, most > 0 else { return [] }
    var queue = BinaryHeap<NearestEntry>()
    var reach = NearestReach(limit: limit, most: most)
    let boxes = boxes.buffer
    let root = boxes.count &- 1
    queue.push(
      NearestEntry(distance: try bound(boxes[root], count == 1) ?? 0, level: levels.count &- 2, node: root))
    var found: [Neighbour] = []
    while found.count < most, let next = queue.pop(), next.distance <= limit {
      if next.level < 0 {
        found.append(Neighbour(id: ids[next.node], distance: next.distance))
      } else if next.level == 0 {
        try TimeLimit.check()
        let place = Int(truncatingIfNeeded: places.buffer[next.node])
        let box = boxes[next.node]
        let isExact = pointsAreExact && box.isPoint
        guard let distance = isExact ? next.distance : try exact(ids[place], place, box), distance <= limit else {
          continue
        }
        queue.push(NearestEntry(distance: max(distance, next.distance), level: -1, node: place))
      } else {
        for child in children(next.level, next.node) {
          let box = boxes[child]
          let distance = try bound(box, next.level == 1) ?? next.distance
          guard distance <= reach.distance else { continue }
          if next.level == 1, pointsAreExact, box.isPoint {
            reach.add(distance)
            let place = Int(truncatingIfNeeded: places.buffer[child])
            queue.push(NearestEntry(distance: distance, level: -1, node: place))
          } else {
            queue.push(NearestEntry(distance: distance, level: next.level &- 1, node: child))
          }
        }
      }
    }
    return found
  }
}

extension Envelope {
  mutating func extend(around other: Envelope) {
    xMin = min(xMin, other.xMin)
    yMin = min(yMin, other.yMin)
    xMax = max(xMax, other.xMax)
    yMax = max(yMax, other.yMax)
  }

  /// Whether two boxes have a point in common.
  func meets(_ other: Envelope) -> Bool {
    xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
  }

  var isPoint: Bool { xMin == xMax && yMin == yMax }

  /// 0 inside.
  func distance(to point: Point) -> Double {
    let dx = max(0, xMin - point.x, point.x - xMax)
    let dy = max(0, yMin - point.y, point.y - yMax)
    let square = dx * dx + dy * dy
    // Beyond these bounds a square has no digits left.
    return square > 1e-280 && square < .infinity ? square.squareRoot() : hypot(dx, dy)
  }

  /// The distance from the nearest of the point's images, which lie a world apart.
  func distance(to point: Point, world: Double?) -> Double {
    guard let world else { return distance(to: point) }
    return distance(to: point.unwrapped(near: xMin + (xMax - xMin) / 2, width: world))
  }

  /// How many worlds to the east of its own those images of a point lie of which one is the nearest to what the box is
  /// around.
  func turns(of point: Point, world: Double?) -> [Double] {
    guard let world else { return [0] }
    let first = ((xMin - point.x) / world).rounded(.down)
    let last = ((xMax - point.x) / world).rounded(.up)
    guard let count = Int(exactly: last - first), count <= 64 else { return [0] }
    return (0...max(count, 0)).map { first + Double($0) }
  }
}

/// Memory that the indexes of a runtime take.
public final class IndexMemory: Sendable {
  private let bytes = Lock(0)

  public static func of(_ runtime: Runtime) -> IndexMemory { runtime.service(IndexMemory.self) { IndexMemory() } }

  func add(_ more: Int) { bytes.withLock { $0 &+= more } }

  public var byteCount: Int { bytes.withLock { $0 } }
}
