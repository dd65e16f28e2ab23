import AlidadeBase
import Synchronization

/// The folders in which a runtime looks for grid files before it looks where PROJ looks by itself.
///
/// A PROJ context remembers for ever whether a grid was there, so every change makes all contexts of before unusable for
/// new work: `generation` tells what belongs to which state.
final class GridDirectories: Sendable {
  private let state = Lock(GridFolders(folders: [], generation: 1))
  /// The generation of `state`, for who asks for each point.
  private let lastGeneration = Atomic<UInt64>(1)

  /// Goes up by one with every change.
  var generation: UInt64 { lastGeneration.load(ordering: .acquiring) }

  /// The folders and the generation that they belong to.
  var current: GridFolders { state.withLock { $0 } }

  var all: [String] { current.folders }

  /// Changes the folders. What depends on grids looks at the files anew, even if the folders stay the same.
  func change(_ body: (inout [String]) -> Void) {
    state.withLock { state in
      body(&state.folders)
      state.generation &+= 1
      lastGeneration.store(state.generation, ordering: .releasing)
    }
  }
}

/// The grid directories of one moment. A plan and all sessions that carry it out look in the same ones: a session with
/// other folders would find another grid, or none, for an operation that was chosen by those of before.
struct GridFolders: Sendable {
  var folders: [String]
  var generation: UInt64
}
