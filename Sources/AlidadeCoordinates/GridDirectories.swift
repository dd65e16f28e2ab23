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

  /// Changes the folders. What depends on grids looks at the files anew, also if the folders stay the same.
  func change(_ body: (inout [String]) -> Void) {
    directories.withLock { body(&$0) }
    lastGeneration.add(1, ordering: .acquiringAndReleasing)
  }
}
