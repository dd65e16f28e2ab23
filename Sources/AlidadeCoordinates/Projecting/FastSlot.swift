import AlidadeBase

/// Where an operation keeps its fast path, if it has one. Found out when PROJ's object is first made for it, and shared
/// by all that use the operation afterwards.
final class FastSlot: Sendable {
  private enum State {
    case unknown
    case known(FastPath?)
  }

  private let state = Lock(State.unknown)

  /// The path, if it has been proven by now.
  var path: FastPath? { known ?? nil }

  /// What has been found out: the path or that there is none; nil if nothing has been.
  var known: FastPath?? {
    state.withLock { state -> FastPath?? in
      if case .known(let path) = state { return .some(path) }
      return .none
    }
  }

  /// Makes and proves the path of a pipeline, once. Call inside the gate.
  func prove(_ pipeline: String, against operation: ProjObject) -> FastPath? {
    if let path = known { return path }
    // Not under the lock, because PROJ is called; two threads that come at once find the same.
    var made = FastPath(pipeline: pipeline)
    if let path = made, !path.isProven(against: operation) { made = nil }
    let found = made
    state.withLock { $0 = .known(found) }
    return found
  }

}
