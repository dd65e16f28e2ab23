import AlidadeBase

extension Map {
  /// Notifies a view that cannot be read yet when the map changes.
  func enlist(_ view: MapView) { waitingViews.withLock { $0[view.identity] = WeakView(view) } }

  func strike(_ view: MapView) {
    let identity = view.identity
    waitingViews.withLock { $0[identity] = nil }
  }

  /// Lets views that cannot be read yet find out whether they can by now. To be called after the map has got a spatial
  /// reference or an initial viewpoint, and after a layer has loaded.
  func wakeWaitingViews() {
    let views = waitingViews.withLock { waiting in waiting.values.compactMap(\.view) }
    for view in views { view.noticeReadiness() }
  }
}

/// Weak, because a view keeps its map.
final class WeakView: @unchecked Sendable {  // right: set once, in init; weak references are safe to load on any thread
  weak var view: MapView?
  init(_ view: MapView) { self.view = view }
}
