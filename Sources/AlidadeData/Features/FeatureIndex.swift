import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// Where features are: a tree of their boxes, with their ids. Immutable.
public final class FeatureIndex: Sendable {
  /// What is indexed, while it is being collected.
  struct Collector {
    var boxes = Column<Envelope>()
    var ids = Column<Int64>()
    let budget: MemoryBudget

    func reserve(_ count: Int) throws(EngineError) {
      try boxes.reserve(count, budget)
      try ids.reserve(count, budget)
    }

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
  /// Boxes are numbered in the file's order.
  private let tree: BoxTree
  /// The geometries of what is no point, where they cannot be found by their ids.
  let shapes: FeatureShapes?
  /// Whether the boxes say all of where features are.
  let hasOnlyPoints: Bool
  /// A service did not return all of its features.
  let isIncomplete: Bool
  /// The memory of the index in bytes, including its shapes.
  public let byteCount: Int
  private let memory: IndexMemory

  public var count: Int { ids.count }

  /// The box around all; nil: there is nothing.
  public var bounds: Envelope? { count == 0 ? nil : tree.bounds }

  init(
    _ collector: Collector, _ shapes: FeatureShapes?, _ idOrder: IDOrder, _ memory: IndexMemory,
    isIncomplete: Bool = false
  ) throws(EngineError) {
    self.isIncomplete = isIncomplete
    let budget = collector.budget
    tree = try BoxTree(collector.boxes.buffer, isChangeable: false) { (bytes) throws(EngineError) in
      try budget.take(bytes)
    }
    hasOnlyPoints = collector.boxes.buffer.allSatisfy { $0.isPoint }
    collector.ids.trim(budget)
    ids = collector.ids
    self.shapes = shapes
    self.idOrder = idOrder
    byteCount = tree.byteCount &+ ids.count &* MemoryLayout<Int64>.stride &+ (shapes?.byteCount ?? 0)
    self.memory = memory
    memory.add(byteCount)
  }

  deinit { memory.add(-byteCount) }

  // MARK: Searching

  /// Calls `body` with the numbers, in the file's order, of the features whose boxes meet a box; in any order.
  func forEachNumber(meeting box: Envelope, _ body: (Int) -> Void) {
    tree.forEach(meeting: box) { number in
      body(number)
      return true
    }
  }

  /// The ids of features whose boxes meet one of some boxes, in the file's order; nil if there are more than `most`.
  public func ids(meeting boxes: [Envelope], most: Int = .max) throws(EngineError) -> HeapArray<Int64>? {
    let found = Column<UInt32>()
    let budget = collectorBudget
    var isTooMany = false
    try tree.forEach(meeting: boxes) { (place) throws(EngineError) in
      if found.count >= most {
        isTooMany = true
        return false
      }
      try found.append(UInt32(truncatingIfNeeded: place), budget)
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
    try tree.nearest(most: most, within: limit, pointsAreExact: pointsAreExact, bound: bound) {
      (place, box) throws(EngineError) in try exact(ids[place], place, box)
    }.map { Neighbour(id: ids[$0.number], distance: $0.distance) }
  }
}

extension Envelope {
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
