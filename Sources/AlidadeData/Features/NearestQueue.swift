/// What is still to be looked at in a search for what is nearest: a heap, the nearest first.
struct NearestQueue {
  struct Entry {
    let distance: Double
    /// Of the tree; -1: a feature whose distance is exact.
    let level: Int
    /// Of the tree, or the feature's place in its file.
    let node: Int

    /// At equal distances, boxes come before what is exact, so that all that is as near is known; then the earlier in the
    /// file.
    func isBefore(_ other: Entry) -> Bool {
      if distance != other.distance { return distance < other.distance }
      if (level < 0) != (other.level < 0) { return level >= 0 }
      return node < other.node
    }
  }

  private var heap: [Entry] = []

  mutating func push(_ entry: Entry) {
    heap.append(entry)
    var index = heap.count &- 1
    while index > 0 {
      let parent = (index &- 1) / 2
      guard heap[index].isBefore(heap[parent]) else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  mutating func pop() -> Entry? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 &* index &+ 1, 2 &* index &+ 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      if least == index { return first }
      heap.swapAt(index, least)
      index = least
    }
  }
}

/// How far away what is nearest may still be: as far as the last of so many points that are known.
struct NearestReach {
  private(set) var distance: Double
  private let most: Int
  /// Rising; at most `most`.
  private var known: [Double] = []

  /// More points are not kept in order, and only the limit counts.
  private static let mostKnown = 64

  init(limit: Double, most: Int) {
    distance = limit
    self.most = most
  }

  /// Takes the distance of a point in, which must not be above `distance`.
  mutating func add(_ new: Double) {
    guard most <= Self.mostKnown else { return }
    var index = known.count
    while index > 0, known[index &- 1] > new { index &-= 1 }
    known.insert(new, at: index)
    if known.count > most { known.removeLast() }
    if known.count == most, let last = known.last { distance = min(distance, last) }
  }
}

/// Hilbert's curve over 65,536 x 65,536 squares.
enum HilbertCurve {
  /// How far along the curve a square lies.
  static func distance(_ x: UInt32, _ y: UInt32) -> UInt32 {
    var (x, y) = (x, y)
    var distance: UInt32 = 0
    var side: UInt32 = 1 << 15
    while side > 0 {
      let (right, upper): (UInt32, UInt32) = (x & side != 0 ? 1 : 0, y & side != 0 ? 1 : 0)
      distance = distance &+ side &* side &* ((3 &* right) ^ upper)
      if upper == 0 {
        if right == 1 {
          x = 65535 &- x
          y = 65535 &- y
        }
        swap(&x, &y)
      }
      side >>= 1
    }
    return distance
  }
}
