import AlidadeBase

/// What is still to be looked at in a search for what is nearest; in a heap the nearest comes first.
struct NearestEntry: HeapItem {
  let distance: Double
  /// Of the tree; -1: a feature whose distance is exact.
  let level: Int
  /// The node of the tree, or the feature's index in its file.
  let node: Int

  /// At equal distances, boxes come before what is exact, so that all that is as near is known; then the earlier in the
  /// file.
  func isBefore(_ other: NearestEntry) -> Bool {
    if distance != other.distance { return distance < other.distance }
    if (level < 0) != (other.level < 0) { return level >= 0 }
    return node < other.node
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
