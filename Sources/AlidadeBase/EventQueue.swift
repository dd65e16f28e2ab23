/// Something that happened by itself.
public struct Event: Sendable {
  public enum Content: Sendable {
    /// A request without a completion has ended.
    case requestFinished(handle: UInt64, RequestState, Status, userData: UInt)
    /// A transformation became usable, or was lost, because the grid directories changed.
    case transformationChanged(handle: UInt64, isUsable: Bool)
    /// A line was added to the log; `dropped` lines before it were overwritten without an event.
    case log(LogLevel, ErrorDomain, code: Int32, number: UInt64, dropped: UInt64)
    /// The state of a view has changed. At most one such event waits for each view.
    case viewpointChanged(view: UInt64, identity: UInt64)
    /// A view can be read from now on.
    case viewReady(view: UInt64)
    /// Something begins to load, or that has ended; comes once for all changes since the last one was drained.
    case loadStatusChanged(LoadEvent)
    /// A layer is in another state in a view.
    case layerViewState(LayerStateEvent)
    /// A view has moved, or a gesture was recognised.
    case navigation(NavigationEvent)
  }

  /// Rises from event to event of a runtime.
  public internal(set) var sequence: UInt64 = 0
  /// `MonotonicTime`.
  public internal(set) var time: UInt64 = 0
  public let content: Content
}

/// Events that wait for the host, oldest first. One can be taken back by its sequence number.
struct EventQueue {
  private var events: [UInt64: Event] = [:]
  /// No event that waits has a lower number.
  private var head: UInt64 = 1
  private var lastSequence: UInt64 = 0

  var count: Int { events.count }

  /// Adds an event; returns its sequence number.
  mutating func append(_ content: Event.Content) -> UInt64 {
    lastSequence &+= 1
    events[lastSequence] = Event(sequence: lastSequence, time: MonotonicTime.now(), content: content)
    return lastSequence
  }

  /// A sequence number for an event that waits elsewhere.
  mutating func reserve() -> UInt64 {
    lastSequence &+= 1
    return lastSequence
  }

  /// The number of the oldest event.
  mutating func firstSequence() -> UInt64? {
    guard !events.isEmpty else {
      head = lastSequence &+ 1
      return nil
    }
    while head <= lastSequence {
      if events[head] != nil { return head }
      head &+= 1
    }
    return nil
  }

  /// Takes an event back; false if it no longer waits.
  @discardableResult
  mutating func remove(_ sequence: UInt64) -> Bool {
    if sequence == head { head &+= 1 }
    return events.removeValue(forKey: sequence) != nil
  }

  /// The oldest event.
  mutating func popFirst() -> Event? { firstSequence().flatMap { events.removeValue(forKey: $0) } }

  mutating func removeAll() { events = [:] }
}
