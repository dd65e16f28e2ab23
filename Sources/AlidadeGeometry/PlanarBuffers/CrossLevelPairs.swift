import AlidadeBase

/// For each circle those of other levels of a grid that it meets or nearly touches.
///
/// The smaller circle of two finds the larger one; the larger one would have to look at too many cells.
///
/// Right to share: nothing changes after `init`.
final class CrossLevelPairs: @unchecked Sendable {
  private let offsets: HeapArray<Int>?
  private let partners: HeapArray<Int32>?

  /// More pairs than this would need gigabytes.
  private static let limit = 1 << 28

  init(_ grid: DiscGrid, workers: Workers) throws(EngineError) {
    guard grid.levels.count > 1 else {
      (offsets, partners) = (nil, nil)
      return
    }
    let chunk = 512
    let parts = (grid.discs.count &+ chunk &- 1) / chunk
    let found = try (0..<parts).map { _ throws(EngineError) in try GrowingBuffer<(small: Int32, large: Int32)>() }
    try workers.forEach(parts) { (part: Int) throws(EngineError) in
      let discs = grid.discs
      let pairs = found[part]
      for index in part &* chunk..<min(discs.count, (part &+ 1) &* chunk) {
        let disc = discs[index]
        for level in grid.levels where level.range.lowerBound > index {
          try grid.forEachRange(around: disc, in: level) { (range) throws(EngineError) in
            for place in range where disc.mayTouch(discs[place]) {
              try pairs.append((Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: place)))
            }
          }
        }
        guard pairs.count < Self.limit else {
          throw EngineError(.limitExceeded, "More than \(Self.limit) pairs of circles overlap.")
        }
      }
    }
    let offsets = try HeapArray<Int>(count: grid.discs.count &+ 1)
    offsets.buffer.update(repeating: 0)
    var count = 0
    for pairs in found {
      count &+= pairs.count
      guard count < Self.limit else {
        throw EngineError(.limitExceeded, "More than \(Self.limit) pairs of circles overlap.")
      }
      for pair in pairs.filled {
        offsets.buffer[Int(truncatingIfNeeded: pair.small)] &+= 1
        offsets.buffer[Int(truncatingIfNeeded: pair.large)] &+= 1
      }
    }
    var total = 0
    for index in offsets.buffer.indices {
      total &+= offsets.buffer[index]
      offsets.buffer[index] = total
    }
    let partners = try HeapArray<Int32>(count: 2 &* count)
    for pairs in found {
      for pair in pairs.filled {
        offsets.buffer[Int(truncatingIfNeeded: pair.small)] &-= 1
        partners.buffer[offsets.buffer[Int(truncatingIfNeeded: pair.small)]] = pair.large
        offsets.buffer[Int(truncatingIfNeeded: pair.large)] &-= 1
        partners.buffer[offsets.buffer[Int(truncatingIfNeeded: pair.large)]] = pair.small
      }
    }
    self.offsets = offsets
    self.partners = partners
  }

  @inline(__always)
  func partners(of index: Int) -> UnsafeMutableBufferPointer<Int32>.SubSequence? {
    guard let offsets, let partners else { return nil }
    return partners.buffer[offsets.buffer[index]..<offsets.buffer[index &+ 1]]
  }
}

extension Disc {
  /// The share of their radii by which circles may be apart or overlap and yet count as close to touching.
  static let closeness = 1e-6

  /// Whether two circles meet, or miss each other by next to nothing.
  @inline(__always)
  func mayTouch(_ other: Disc) -> Bool {
    let (dx, dy) = (other.x - x, other.y - y)
    let sum = radius + other.radius
    return dx * dx + dy * dy <= sum * sum * (1 + 2.1 * Disc.closeness)
  }
}
