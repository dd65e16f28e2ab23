import AlidadeBase
import AlidadeCoordinates

/// Something that a view has done by itself, or because of a gesture or a call.
public struct NavigationEvent: Sendable {
  public enum Kind: Sendable {
    case began
    case ended
    case didEndPanning
    case didEndZooming
    case didEndRotating
    case gesture
  }

  public let kind: Kind
  public let cause: NavigationCause
  public let gesture: GestureKind?
  public internal(set) var phase = GesturePhase.atOnce
  public internal(set) var isInterrupted = false
  public internal(set) var userData: UInt = 0
  public internal(set) var screen = Point(x: 0, y: 0)
  public internal(set) var map = Point(x: 0, y: 0)
  /// The view's handle; 0 if it has none.
  public internal(set) var view: UInt64 = 0
  /// How many events like this were overwritten before it.
  public internal(set) var dropped: UInt64 = 0

  init(_ kind: Kind, _ cause: NavigationCause, _ gesture: GestureKind?) {
    self.kind = kind
    self.cause = cause
    self.gesture = gesture
  }
}

/// An event of a view; views are named by their handles.
public enum ViewEvent: EventContent {
  /// A view can be read from now on.
  case ready(view: UInt64)
  /// The state of a view has changed. At most one such event waits for each view.
  case viewpointChanged(view: UInt64)
  case navigation(NavigationEvent)
  /// A layer is in another state in a view.
  case layerState(LayerStateEvent)
}

/// The events of a runtime's views that wait, without the states of layers: the newest, so that a host that never looks
/// loses the oldest and no memory.
final class NavigationEvents: EventSource, @unchecked Sendable {  // right: the mailbox's lock guards it
  private static let capacity = 4096

  private struct Waiting<Content> {
    let sequence: UInt64
    let time: UInt64
    var content: Content

    func event(_ content: ViewEvent) -> Event { Event(sequence: sequence, time: time, content: .other(content)) }
  }

  private var events = Queue<Waiting<NavigationEvent>>()
  /// Views that can be read or have moved.
  private var news = Queue<Waiting<(identity: UInt64, handle: UInt64, hasMoved: Bool)>>()
  /// The identities of views that have moved.
  private var moved: Set<UInt64> = []
  private var dropped: UInt64 = 0

  static func of(_ runtime: Runtime) -> NavigationEvents {
    runtime.service(NavigationEvents.self) { NavigationEvents() }
  }

  func add(
    _ new: some Sequence<NavigationEvent>, moved view: (identity: UInt64, handle: UInt64)?,
    _ numbers: inout EventNumbers
  ) {
    let time = MonotonicTime.now()
    if let view, moved.insert(view.identity).inserted { tell(view.identity, view.handle, hasMoved: true, &numbers) }
    for event in new {
      events.append(Waiting(sequence: numbers.next(), time: time, content: event))
      if events.count > Self.capacity, events.popFirst() != nil { dropped &+= 1 }
    }
  }

  /// A view can be read from now on, or has moved.
  func tell(_ identity: UInt64, _ handle: UInt64, hasMoved: Bool, _ numbers: inout EventNumbers) {
    news.append(
      Waiting(sequence: numbers.next(), time: MonotonicTime.now(), content: (identity, handle, hasMoved)))
    if news.count > Self.capacity { _ = popNews() }
  }

  private func popNews() -> Event? {
    guard let first = news.popFirst() else { return nil }
    let (identity, handle, hasMoved) = first.content
    if hasMoved { moved.remove(identity) }
    return first.event(hasMoved ? .viewpointChanged(view: handle) : .ready(view: handle))
  }

  var waitingCount: Int { events.count &+ news.count }

  var firstSequence: UInt64? {
    guard let event = events.first else { return news.first?.sequence }
    return min(event.sequence, news.first?.sequence ?? .max)
  }

  func popFirst() -> Event? {
    if let first = news.first, first.sequence == firstSequence { return popNews() }
    guard var event = events.popFirst() else { return nil }
    event.content.dropped = dropped
    dropped = 0
    return event.event(.navigation(event.content))
  }
}

/// Where a view's navigator sends its events.
final class NavigationOutlet: @unchecked Sendable {  // right: `view` is set once, before anybody else knows this object
  private let mailbox: Mailbox
  private let events: NavigationEvents
  private let identity: UInt64
  private let layerStates: LayerStates
  /// Weak, because the view holds this.
  private weak var view: MapView?

  init(_ view: MapView) {
    mailbox = view.runtime.mailbox
    events = NavigationEvents.of(view.runtime)
    identity = view.identity
    layerStates = view.layerStates
    self.view = view
  }

  /// Asked for at each event: the host may have it only after the view was made.
  private var handle: UInt64 { view?.handleID ?? 0 }

  /// Reports that the view can be read from now on.
  func tellReady() {
    let handle = handle
    mailbox.update(events) { events.tell(identity, handle, hasMoved: false, &$0) }
  }

  /// Has the states of layers follow the view's scale.
  func look(at scale: Double?) { layerStates.look(at: scale, view: handle) }

  func tell(_ notes: [NavigationEvent], isChanged: Bool) {
    let handle = handle
    let named = notes.lazy.map { note in
      var event = note
      event.view = handle
      return event
    }
    mailbox.update(events) { events.add(named, moved: isChanged ? (identity, handle) : nil, &$0) }
  }
}
