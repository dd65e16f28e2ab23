import AlidadeBase

/// Makes events of a navigator's notes.
final class NavigationOutlet: @unchecked Sendable {  // right: `view` is set once, before anybody else knows this object
  private let mailbox: Mailbox
  private let identity: UInt64
  private let layerStates: LayerStates
  /// Weak, because the view holds this.
  private weak var view: MapView?

  init(_ view: MapView) {
    mailbox = view.runtime.mailbox
    identity = view.identity
    layerStates = view.layerStates
    self.view = view
  }

  /// Reports that the view can be read from now on.
  func tellReady() { mailbox.post(.viewReady(view: view?.handleID ?? 0)) }

  /// Has the states of layers follow the view's scale.
  func look(at scale: Double) { layerStates.look(at: scale, view: view?.handleID ?? 0) }

  func tell(_ notes: [NavigationNote], isChanged: Bool) {
    // The view's handle is asked for now: the host may have it only after the view was made.
    let handle = view?.handleID ?? 0
    mailbox.post(notes.lazy.map { $0.event(view: handle) }, changed: isChanged ? (identity, handle) : nil)
  }
}

extension NavigationNote {
  func event(view: UInt64) -> NavigationEvent {
    var event = NavigationEvent(kind, view: view, cause: cause.rawValue)
    event.gesture = gesture?.rawValue ?? 0
    event.phase = phase.rawValue
    event.isInterrupted = isInterrupted
    event.userData = userData
    event.screen = (screen.x, screen.y)
    event.map = (map.x, map.y)
    return event
  }
}
