/// Which graphics of an overlay have changed, in the order of the changes: what has been prepared for drawing catches up
/// with them.
struct ChangeLog: Sendable {
  /// Entries have numbers, from 0 on; those before this one are gone.
  private var start: UInt64 = 0
  private var ids: [UInt64] = []

  /// The number of the next entry.
  var end: UInt64 { start &+ UInt64(truncatingIfNeeded: ids.count) }

  /// With so many changes, going through all graphics is as good.
  private static func limit(_ graphicCount: Int) -> Int { max(256, graphicCount / 8) }

  mutating func note(_ changed: some Collection<UInt64>, of graphicCount: Int) {
    if ids.count &+ changed.count > Self.limit(graphicCount) { forget() } else { ids.append(contentsOf: changed) }
  }

  /// Whoever has not come so far yet has to look at all graphics.
  private mutating func forget() {
    start = end &+ 1
    ids = []
  }

  /// The ids from an entry on; nil if they are no longer kept.
  func entries(from position: UInt64) -> ArraySlice<UInt64>? {
    guard position >= start, position <= end else { return nil }
    return ids.dropFirst(Int(truncatingIfNeeded: position &- start))
  }

  /// Drops the entries before one, which nobody needs.
  mutating func trim(before position: UInt64) {
    guard let rest = entries(from: position) else { return }
    ids = Array(rest)
    start = position
  }
}
