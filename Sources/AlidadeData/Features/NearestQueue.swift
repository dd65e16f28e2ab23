/// What is still to be looked at in a search for what is nearest: a heap, the nearest first.
struct NearestQueue {
  struct Entry {
    let distance: Double
    /// Of the tree; -1: a feature whose distance is exact.
    let level: Int
    /// The node of the tree, or the feature's index in its file.
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
struct HilbertCurve {
  /// How the curve lies in a square: 1: transposed (x and y exchanged), 2: mirrored (in both directions).
  ///
  /// For each of these, four bits of x and four of y: eight bits of the distance, and above them how the curve lies in
  /// the square that they name.
  private let steps: [UInt16]

  init() {
    var steps: [UInt16] = []
    for lie: UInt16 in 0..<4 {
      for x: UInt16 in 0..<16 {
        for y: UInt16 in 0..<16 { steps.append(Self.step(lie, x, y)) }
      }
    }
    self.steps = steps
  }

  /// Four bits one after the other, the highest first.
  private static func step(_ first: UInt16, _ x: UInt16, _ y: UInt16) -> UInt16 {
    var (lie, distance): (UInt16, UInt16) = (first, 0)
    for bit: UInt16 in [3, 2, 1, 0] {
      var (right, upper) = ((x >> bit) & 1 ^ lie >> 1, (y >> bit) & 1 ^ lie >> 1)
      if lie & 1 == 1 { swap(&right, &upper) }
      distance = distance << 2 | (3 &* right) ^ upper
      // In the lower squares it is turned over, and in the right one of these mirrored.
      if upper == 0 { lie ^= 1 | right << 1 }
    }
    return lie << 8 | distance
  }

  /// How far along the curve a square lies.
  func distance(_ x: UInt32, _ y: UInt32) -> UInt32 {
    var (lie, distance): (UInt32, UInt32) = (0, 0)
    for shift: UInt32 in [12, 8, 4, 0] {
      let place = lie << 8 | ((x >> shift) & 15) << 4 | (y >> shift) & 15
      let step = UInt32(truncatingIfNeeded: steps[Int(truncatingIfNeeded: place)])
      distance = distance << 8 | step & 255
      lie = step >> 8
    }
    return distance
  }
}
