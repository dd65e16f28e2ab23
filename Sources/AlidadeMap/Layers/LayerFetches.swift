import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// What each view of a layer of a service wants to have, and how far that is: begun, failed, or short of what there is.
///
/// Only calls for a frame begin anything, and they never wait. What failed rests for a while, and is then asked for again
/// by the next such call.
final class LayerFetches: Sendable {
  /// A part of the map for a view.
  struct Wish: Sendable {
    let area: Envelope?
    let reference: SpatialReference
    /// What of a part is already there or on its way does not have to be asked for again.
    func holds(_ visible: Envelope?, _ other: SpatialReference) -> Bool {
      guard reference.system === other.system else { return false }
      guard let area else { return true }
      guard let visible else { return false }
      return visible.xMin >= area.xMin && visible.xMax <= area.xMax && visible.yMin >= area.yMin
        && visible.yMax <= area.yMax
    }
  }

  private struct Entry {
    weak var view: MapView?
    var wish: Wish
    /// Counts what was begun or given up: what an older number brings is dropped.
    var number: UInt64 = 0
    var isPending = false
    var failure: EngineError?
    var failureCount = 0
    var restsUntil: UInt64 = 0
    /// What is in sight is not all there is; empty: it is.
    var shortage = ""
  }

  private let entries = Lock<[UInt64: Entry]>([:])
  /// The newest last.
  private let kept = Lock<[FeatureTable]>([])
  private static let (mostKept, mostKeptBytes) = (16, 64 << 20)

  /// After the first, the second, ... failure in a row, in nanoseconds.
  private static let rests: [UInt64] = [1_000_000_000, 2_000_000_000, 4_000_000_000, 8_000_000_000, 16_000_000_000]

  /// How long to leave a server alone after a number of failures before the newest one, in nanoseconds.
  static func rest(after count: Int) -> UInt64 { rests[min(count, rests.count &- 1)] }

  /// A view wants a part that is not there.
  ///
  /// - Parameter visible: what the view shows of it.
  /// - Returns: the number of what is to be begun now; nil: nothing is.
  func want(_ wish: Wish, visible: Envelope?, in wishing: MapView) -> UInt64? {
    let view = wishing.identity
    return entries.withLock { entries in
      entries = entries.filter { $0.value.view != nil }
      var entry = entries[view] ?? Entry(view: wishing, wish: wish)
      let isKnown = entry.wish.holds(visible, wish.reference)
      if isKnown, entry.isPending || (entry.failure != nil && MonotonicTime.now() < entry.restsUntil) { return nil }
      // Elsewhere the server may be asked at once, unless it is the server that is gone.
      if !isKnown, entry.failure != nil, MonotonicTime.now() < entry.restsUntil {
        entry.wish = wish
        entries[view] = entry
        return nil
      }
      entry.wish = wish
      entry.number &+= 1
      entry.isPending = true
      entries[view] = entry
      return entry.number
    }
  }

  // MARK: What was there before

  /// Keeps features that a view has had, in place of those that were kept for the longest time if there are too many.
  func keep(_ table: FeatureTable) {
    let dropped = kept.withLock { kept -> [FeatureTable] in
      kept.removeAll { $0 === table }
      kept.append(table)
      var size = kept.reduce(0) { $0 &+ $1.byteCount }
      var dropped: [FeatureTable] = []
      while kept.count > Self.mostKept || (size > Self.mostKeptBytes && kept.count > 1) {
        size &-= kept[0].byteCount
        dropped.append(kept.removeFirst())
      }
      return dropped
    }
    // Freed with the lock free.
    _ = dropped
  }

  /// Features that were kept and are all that a frame shows in a box on the map; nil: there are none.
  func keptTable(_ source: FeatureSource, _ frame: ViewFrame, covering visible: Envelope?) -> FeatureTable? {
    kept.withLock { $0.last { $0.isOf(source, frame) && !$0.isShort && $0.covers(visible, frame) } }
  }

  // MARK: What is asked for

  /// What a view shows is there.
  ///
  /// - Returns: whether that changes how the layer stands.
  func settle(in view: UInt64) -> Bool {
    entries.withLock { entries in
      guard var entry = entries[view], entry.isPending || entry.failure != nil else { return false }
      entry.number &+= 1
      (entry.isPending, entry.failure) = (false, nil)
      entries[view] = entry
      return true
    }
  }

  /// Whether what was begun with a number is still wanted.
  func wants(_ number: UInt64, in view: UInt64) -> Bool { entries.withLock { $0[view]?.number == number } }

  /// What was begun has ended; false: it was not wanted any longer.
  func end(_ number: UInt64, in view: UInt64, failure: EngineError?, shortage: String = "") -> Bool {
    entries.withLock { entries in
      guard var entry = entries[view], entry.number == number else { return false }
      entry.isPending = false
      entry.failure = failure
      if failure == nil {
        (entry.failureCount, entry.shortage) = (0, shortage)
      } else {
        entry.restsUntil = MonotonicTime.now() &+ Self.rest(after: entry.failureCount)
        entry.failureCount &+= 1
      }
      entries[view] = entry
      return true
    }
  }

  /// Asks again at the next frame, whatever has failed.
  func forgetFailures() {
    entries.withLock { entries in
      for view in entries.keys { entries[view]?.restsUntil = 0 }
    }
  }

  /// Whether a view waits for something.
  func isPending(in view: UInt64) -> Bool { entries.withLock { $0[view]?.isPending ?? false } }

  /// How far the part is that the newest frame of a view shows: it counts as one.
  func progress(in view: UInt64) -> FetchProgress {
    entries.withLock { entries in
      guard let entry = entries[view] else { return FetchProgress() }
      let isThere = !entry.isPending && entry.failure == nil
      return FetchProgress(wanted: 1, there: isThere ? 1 : 0, failed: entry.failure == nil ? 0 : 1)
    }
  }

  /// What a view lacks; nil: what any view lacks.
  func warnings(in view: UInt64?) -> [LayerWarning] {
    let found = entries.withLock { entries in
      entries.filter { $0.value.view != nil && (view == nil || $0.key == view) }
        .sorted { $0.key < $1.key }.map { ($0.value.failure, $0.value.shortage) }
    }
    var warnings: [LayerWarning] = []
    if let failure = found.compactMap(\.0).first {
      warnings.append(LayerWarning(kind: .failedRequest, text: failure.message))
    }
    if let shortage = found.map(\.1).first(where: { !$0.isEmpty }) {
      warnings.append(LayerWarning(kind: .truncated, text: shortage))
    }
    return warnings
  }
}
