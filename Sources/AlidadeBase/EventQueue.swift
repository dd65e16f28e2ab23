/// What happened, as a module above this one says it.
public protocol EventContent: Sendable {}

/// Something that happened by itself.
public struct Event: Sendable {
  public enum Content: Sendable {
    /// A request without a completion has ended.
    case requestFinished(handle: UInt64, RequestState, Status, userData: UInt)
    /// A transformation became usable, or was lost, because the grid directories changed.
    case transformationChanged(handle: UInt64, isUsable: Bool)
    /// A line was added to the log; `dropped` lines before it were overwritten without an event.
    case log(LogLevel, ErrorDomain, code: Int32, number: UInt64, dropped: UInt64)
    /// Something begins to load, or that has ended; comes once for all changes since the last one was drained.
    case loadStatusChanged(LoadEvent)
    case other(any EventContent)
  }

  /// Rises from event to event of a runtime.
  public let sequence: UInt64
  /// `MonotonicTime`.
  public let time: UInt64
  public let content: Content

  public init(sequence: UInt64, time: UInt64, content: Content) {
    self.sequence = sequence
    self.time = time
    self.content = content
  }
}

/// The numbers of a runtime's events, in the order in which they happened.
public struct EventNumbers {
  fileprivate var last: UInt64 = 0

  public mutating func next() -> UInt64 {
    last &+= 1
    return last
  }
}

/// Something that keeps its own events until the host takes them, because of each of its things only the newest state
/// counts, or because it keeps the newest events alone. It is guarded by the lock of the mailbox, which calls it and
/// which runs what changes it (`Mailbox.update`): it must not take a lock itself.
public protocol EventSource: AnyObject, Sendable {
  /// How many of its events wait.
  var waitingCount: Int { get }
  /// The number of the oldest of them.
  var firstSequence: UInt64? { get }
  /// Takes the oldest of them out.
  func popFirst() -> Event?
}

/// Events that wait for the host, oldest first. One can be taken back by its sequence number.
struct EventQueue {
  private var events: [UInt64: Event] = [:]
  /// No event that waits has a lower number.
  private var head: UInt64 = 1
  var numbers = EventNumbers()

  var count: Int { events.count }

  /// Adds an event; returns its sequence number.
  mutating func append(_ content: Event.Content) -> UInt64 {
    let sequence = numbers.next()
    events[sequence] = Event(sequence: sequence, time: MonotonicTime.now(), content: content)
    return sequence
  }

  /// The number of the oldest event.
  mutating func firstSequence() -> UInt64? {
    guard !events.isEmpty else {
      head = numbers.last &+ 1
      return nil
    }
    while head <= numbers.last {
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
