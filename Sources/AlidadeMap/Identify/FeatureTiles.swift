import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// A square of a map, one of a grid over all of it.
struct FeatureTile: Hashable {
  /// In map units, a power of two.
  let side: Double
  private let column: Double
  private let row: Double

  /// The smallest square with its middle near that of a box, that is as large as the box and `least` DIP wide; nil if
  /// no such square differs from its neighbours.
  init?(around box: Envelope, least: Double, in frame: ViewFrame) {
    let size = max(box.xMax - box.xMin, box.yMax - box.yMin, least * frame.unitsPerDip)
    guard size.isNormal else { return nil }
    side = Double(sign: .plus, exponent: size.exponent, significand: 1) * (size.significand > 1 ? 2 : 1)
    guard side.isFinite else { return nil }
    column = ((box.xMin + (box.xMax - box.xMin) / 2) / side).rounded(.down)
    row = ((box.yMin + (box.yMax - box.yMin) / 2) / side).rounded(.down)
    guard column.magnitude < 0x1p48, row.magnitude < 0x1p48 else { return nil }
    if let world = frame.spatialReference.system.worldWidth, surroundings.xMax - surroundings.xMin >= world / 3 {
      return nil
    }
  }

  /// The square, and half of its side around it: all of a box whose middle is in the square.
  var surroundings: Envelope {
    Envelope(
      xMin: (column - 0.5) * side, yMin: (row - 0.5) * side, xMax: (column + 1.5) * side, yMax: (row + 1.5) * side)
  }
}

/// What was read of a feature layer to identify: tables of the features in and around squares of the map. A second
/// identify near the same point reads no file.
final class FeatureTiles: Sendable {
  /// The greatest number of features that are read where a few would do.
  static let featureLimit = 256
  /// Squares are so many DIP wide, at least; smaller ones where features lie close together.
  private static let sides = [64.0, 16, 0]
  private static let tileLimit = 512
  private static let byteLimit = 32 << 20
  /// The largest table that is kept, in bytes.
  private static let tableByteLimit = 4 << 20

  private struct Entry {
    let table: FeatureTable
    var lastUse: UInt64
  }

  private struct State {
    var entries: [FeatureTile: Entry] = [:]
    /// Squares whose features take too much memory to be kept.
    var tooLarge: Set<FeatureTile> = []
    var byteCount = 0
    var useCount: UInt64 = 0
  }

  private let state = Lock(State())

  /// The squares that can be read for what lies in a box, the largest first.
  static func tiles(around box: Envelope, in frame: ViewFrame) -> [FeatureTile] {
    var tiles: [FeatureTile] = []
    for side in sides {
      if let tile = FeatureTile(around: box, least: side, in: frame), tile != tiles.last { tiles.append(tile) }
    }
    return tiles
  }

  func table(_ tile: FeatureTile) -> FeatureTable? {
    state.withLock { state in
      guard let table = state.entries[tile]?.table else { return nil }
      state.useCount &+= 1
      state.entries[tile]?.lastUse = state.useCount
      return table
    }
  }

  func isTooLarge(_ tile: FeatureTile) -> Bool { state.withLock { $0.tooLarge.contains(tile) } }

  func noteTooLarge(_ tile: FeatureTile) {
    state.withLock { state in
      if state.tooLarge.count >= Self.tileLimit { state.tooLarge = [] }
      state.tooLarge.insert(tile)
    }
  }

  /// Keeps a table in place of what was kept for the square, and in place of those that were not used for the longest
  /// time if there is too much.
  func keep(_ table: FeatureTable, for tile: FeatureTile) {
    guard table.byteCount <= Self.tableByteLimit else { return noteTooLarge(tile) }
    let dropped = state.withLock { state -> [FeatureTable] in
      var dropped: [FeatureTable] = []
      func drop(_ tile: FeatureTile?) {
        guard let tile, let old = state.entries.removeValue(forKey: tile) else { return }
        state.byteCount &-= old.table.byteCount
        dropped.append(old.table)
      }
      drop(tile)
      while state.entries.count >= Self.tileLimit
        || (state.byteCount &+ table.byteCount > Self.byteLimit && !state.entries.isEmpty)
      {
        drop(state.entries.min { $0.value.lastUse < $1.value.lastUse }?.key)
      }
      state.useCount &+= 1
      state.entries[tile] = Entry(table: table, lastUse: state.useCount)
      state.byteCount &+= table.byteCount
      return dropped
    }
    // Freed with the lock free.
    _ = dropped
  }
}
