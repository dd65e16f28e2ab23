import AlidadeBase
import AlidadeCoordinates

extension MapView {
  /// Notifies the host that the view can be read, if it can be read now and the host does not know it yet. Call this
  /// after a change outside the view that may have provided what was missing.
  public func noticeReadiness() {
    guard magnification == nil else { return }
    // First onto the list, then a look: what the map gets in between wakes the view.
    map.enlist(self)
    watchLayers()
    let now = state.withLock { $0 }
    if !now.isKnownReady, now.width > 0, let reference = map.spatialReference,
      let camera = cameraAtFirst(now, reference)
    {
      state.withLock { state in
        state.noteReadiness(whereItLooksAtFirst: true)
        // The states of layers are those that the view will find when it is read.
        if state.camera == nil { state.outlet?.look(at: camera.scale) }
      }
    }
    if state.withLock({ $0.isKnownReady }) { map.strike(self) }
  }

  /// The view's camera, or the camera that it would take from the map's initial viewpoint. It does not take it now:
  /// until the view is read, the map may get a better initial viewpoint.
  private func cameraAtFirst(_ state: State, _ reference: SpatialReference) -> Camera? {
    if let camera = state.camera { return camera }
    var copy = state
    copy.outlet = nil
    copy.recorder = nil
    do throws(EngineError) {
      try copy.take(map.firstTarget(in: reference), reference.system)
    } catch {
      return nil
    }
    return copy.camera
  }
}

extension Map {
  /// Views that cannot be read yet are notified when the map changes.
  func enlist(_ view: MapView) { waitingViews.withLock { $0[view.identity] = WeakView(view) } }

  func strike(_ view: MapView) {
    let identity = view.identity
    waitingViews.withLock { $0[identity] = nil }
  }

  /// Lets views that cannot be read yet find out whether they can be read now. Call this after the map has got a
  /// spatial reference or an initial viewpoint, and after a layer has loaded.
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
