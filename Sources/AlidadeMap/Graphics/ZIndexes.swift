/// How many graphics have which z-index.
struct ZIndexes {
  private var counts: [Int32: Int] = [:]
  /// The graphics with the z-index that all had at first, which usually are all graphics.
  private var common: Int32 = 0
  private var commonCount = 0

  /// All graphics have the same.
  var areEqual: Bool { counts.isEmpty || (commonCount == 0 && counts.count == 1) }

  mutating func insert(_ z: Int32) {
    if commonCount == 0, counts.isEmpty { common = z }
    if z == common { commonCount &+= 1 } else { counts[z, default: 0] &+= 1 }
  }

  mutating func remove(_ z: Int32) {
    if z == common {
      commonCount &-= 1
    } else if let count = counts[z] {
      counts[z] = count > 1 ? count &- 1 : nil
    }
  }
}
