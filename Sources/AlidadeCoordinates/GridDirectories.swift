import AlidadeBase
import Synchronization

/// The folders in which a runtime looks for grid files before it looks where PROJ looks by itself.
///
/// A PROJ context remembers for ever whether a grid was there, so every change makes all contexts of before unusable for
/// new work: `generation` tells what belongs to which state.
final class GridDirectories: Sendable {
  private let directories = Lock<[String]>([])
  private let lastGeneration = Atomic<UInt64>(1)

  /// Goes up by one with every change.
  var generation: UInt64 { lastGeneration.load(ordering: .acquiring) }

  var all: [String] { directories.withLock { $0 } }

  /// Replaces the folders; answers whether that changes anything.
  func set(_ folders: [String]) -> Bool {
    let isChange = directories.withLock { directories in
      guard directories != folders else { return false }
      directories = folders
      return true
    }
    if isChange { touch() }
    return isChange
  }

  /// Makes everything look at the files anew.
  func touch() { lastGeneration.add(1, ordering: .acquiringAndReleasing) }
}
