import Glibc

/// What waits for a runtime's host: events, completions, and the log.
///
/// One lock guards all of it, and the states of the runtime's requests too, so that a request ends, its host is
/// notified and its waiters wake in one step, and everything comes in the order in which it happened.
public final class Mailbox: Sendable {
  let state = Lock(State())
  let changed = Condition()
  private let lowestLevel: LogLevel
  private let epoch = ProcessGate.shared.epoch

  struct State {
    var events = EventQueue()
    var completions = Queue<Completion>()
    /// Requests that have not ended, by number.
    var pending: [UInt64: RequestProgress] = [:]
    /// Pending requests that replace each other, oldest first.
    var channels: [RequestChannel: [RequestProgress]] = [:]
    var lastRequest: UInt64 = 0
    /// Loads under way, by identity.
    var loads: [UInt64: LoadProgress] = [:]
    /// Those whose event waits.
    var loadEvents: [UInt64: LoadProgress] = [:]
    /// Threads that are inside `pump`.
    var pumping: [pthread_t] = []
    /// The runtime is released: nothing comes after this, and nobody waits.
    var isClosed = false
    /// The sources whose events wait; and how many events those are in all.
    fileprivate(set) var sources: [ObjectIdentifier: any EventSource] = [:]
    fileprivate var sourceCount = 0
    fileprivate var log = LogRing()
    /// The sequence number of the event of each line that is kept, at (number - 1) % capacity.
    fileprivate var logSequences: [UInt64] = []
    fileprivate var droppedLines: UInt64 = 0
    fileprivate var wake: WakeDescriptor?

    /// How many events wait.
    var eventCount: Int { events.count &+ sourceCount }

    var isWaiting: Bool { eventCount > 0 || !completions.isEmpty }

    /// Makes the wake descriptor say what is true. To be called after each change of what waits.
    mutating func updateWake() { wake?.set(isWaiting || isClosed) }
  }

  /// A completion function with what it needs.
  struct Completion: Sendable {
    let call: @Sendable () -> Void
  }

  init(lowestLevel: LogLevel) { self.lowestLevel = lowestLevel }

  /// The error of a call that waited for something of a runtime that was released meanwhile.
  static var released: EngineError {
    EngineError(.invalidHandle, "The runtime was released.", parameter: EngineError.receiver)
  }

  /// Whether this is the child of a fork, and the mailbox its parent's: its lock must not be touched.
  var isInherited: Bool { ProcessGate.shared.epoch != epoch }

  // MARK: Events

  /// How much waits, and how much is kept.
  public var waiting: (requests: Int, completions: Int, events: Int, logLines: UInt64) {
    state.withLock { ($0.pending.count, $0.completions.count, $0.eventCount, $0.log.count) }
  }

  /// How many events wait.
  public var eventCount: Int { state.withLock { $0.eventCount } }

  /// Removes up to `limit` events from the queue, oldest first.
  public func nextEvents(limit: Int, _ body: (Int, Event) -> Void) -> Int {
    var taken: [Event] = []
    state.withLock { state in
      while taken.count < limit, let event = state.popFirst() { taken.append(state.completed(event)) }
      state.updateWake()
    }
    for (index, event) in taken.enumerated() { body(index, event) }
    return taken.count
  }

  /// Adds an event.
  public func post(_ content: Event.Content) {
    state.withLock { state in
      guard !state.isClosed else { return }
      _ = state.events.append(content)
      state.updateWake()
    }
    changed.wakeAll()
  }

  /// Runs `body` with the lock held that guards event sources.
  public func read<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

  /// Runs `body`, which changes a source and takes numbers for its new events, with the lock held.
  public func update<Result>(_ source: some EventSource, _ body: (inout EventNumbers) -> Result) -> Result {
    let (result, wakes) = state.withLock { state in
      let before = source.waitingCount
      let result = body(&state.events.numbers)
      guard !state.isClosed else { return (result, false) }
      return (result, state.count(source, before) > 0)
    }
    if wakes { changed.wakeAll() }
    return result
  }

  /// The source has ended: its waiting events are dropped.
  public func forget(_ source: some EventSource) {
    guard !isInherited else { return }
    // Released once the lock is free.
    _ = state.withLock { state -> (any EventSource)? in
      guard let kept = state.sources.removeValue(forKey: ObjectIdentifier(source)) else { return nil }
      state.sourceCount &-= kept.waitingCount
      state.updateWake()
      return kept
    }
  }

  /// Sleeps until something waits; false if the deadline passes first. Throws if the runtime is released.
  public func wait(until deadline: Deadline) throws(EngineError) -> Bool {
    let outcome: Bool? = state.wait(on: changed, until: deadline) { state in
      state.isClosed ? false : state.isWaiting ? true : nil
    }
    if outcome == false { throw Self.released }
    return outcome ?? false
  }

  /// The descriptor that is readable while something waits, made at the first call.
  public func wakeDescriptor() throws(EngineError) -> Int32 {
    try state.withLock { (state) throws(EngineError) -> Int32 in
      if state.isClosed { throw Self.released }
      if let known = state.wake { return known.descriptor }
      let made = try WakeDescriptor()
      state.wake = made
      state.updateWake()
      return made.descriptor
    }
  }

  // MARK: Completions

  /// The result of a pump.
  public struct PumpReport: Sendable {
    public var called = 0
    public var waitingCompletions = 0
    public var waitingEvents = 0
  }

  /// Calls the completions that wait now, oldest first, on this thread, until the deadline passes.
  public func pump(until deadline: Deadline) throws(EngineError) -> PumpReport {
    let thread = pthread_self()
    let waiting: Int? = state.withLock { state in
      guard !state.pumping.contains(where: { pthread_equal($0, thread) != 0 }) else { return nil }
      state.pumping.append(thread)
      return state.completions.count
    }
    guard let waiting else {
      throw EngineError(
        .invalidState, "A completion function must not pump; what waits comes with the next pump.",
        parameter: EngineError.receiver)
    }
    var report = PumpReport()
    while report.called < waiting, report.called == 0 || !deadline.hasPassed {
      guard let completion = nextCompletion() else { break }
      completion.call()
      report.called &+= 1
      if isInherited {
        throw EngineError(
          .forked,
          "A completion function has forked and returned in the child, where nothing of the parent's runtime can be used. "
            + "End such a child with _exit or exec.", parameter: EngineError.receiver)
      }
    }
    state.withLock { state in
      state.pumping.removeAll { pthread_equal($0, thread) != 0 }
      report.waitingCompletions = state.completions.count
      report.waitingEvents = state.eventCount
    }
    return report
  }

  private func nextCompletion() -> Completion? {
    state.withLock { state in
      let first = state.completions.popFirst()
      state.updateWake()
      return first
    }
  }

  // MARK: Log

  /// Whether lines of a level are kept: texts that nobody keeps need not be made.
  public func keeps(_ level: LogLevel) -> Bool { level.rawValue <= lowestLevel.rawValue && level != .off }

  /// Adds a line to the log.
  public func log(_ line: LogLine) {
    guard keeps(line.level) else { return }
    state.withLock { state in
      guard !state.isClosed else { return }
      state.append(line)
      state.updateWake()
    }
    changed.wakeAll()
  }

  /// The oldest line that is kept and whose number is not below `number`.
  public func logLine(from number: UInt64) -> LogLine? { state.withLock { $0.log.line(from: number) } }
}

extension Mailbox.State {
  /// Counts the waiting events of a source anew; returns how many more there are.
  @discardableResult
  fileprivate mutating func count(_ source: some EventSource, _ before: Int) -> Int {
    let after = source.waitingCount
    guard after != before else { return 0 }
    sourceCount &+= after &- before
    if before == 0 || after == 0 { sources[ObjectIdentifier(source)] = after > 0 ? source : nil }
    updateWake()
    return after &- before
  }

  /// Takes out the oldest of all events.
  fileprivate mutating func popFirst() -> Event? {
    var oldest = events.firstSequence() ?? .max
    var source: (any EventSource)?
    for candidate in sources.values {
      if let sequence = candidate.firstSequence, sequence < oldest { (oldest, source) = (sequence, candidate) }
    }
    guard let source else { return events.popFirst() }
    let before = source.waitingCount
    let event = source.popFirst()
    count(source, before)
    return event
  }

  /// Nothing waits any longer.
  mutating func dropEvents() {
    events.removeAll()
    loadEvents.removeAll()
    sources = [:]
    sourceCount = 0
  }

  fileprivate mutating func append(_ line: LogLine) {
    let number = log.append(line)
    let sequence = events.append(.log(line.level, line.domain, code: line.code, number: number, dropped: 0))
    let index = Int(truncatingIfNeeded: (number &- 1) % LogRing.capacity)
    if index < logSequences.count {
      // The line that was there is overwritten; if its event waits still, it goes with it.
      if events.remove(logSequences[index]) { droppedLines &+= 1 }
      logSequences[index] = sequence
    } else {
      logSequences.append(sequence)
    }
  }

  /// An event as it is handed out, with the number of lost events before it.
  fileprivate mutating func completed(_ event: Event) -> Event {
    switch event.content {
    case .log(let level, let domain, let code, let number, _):
      defer { droppedLines = 0 }
      return Event(
        sequence: event.sequence, time: event.time,
        content: .log(level, domain, code: code, number: number, dropped: droppedLines))
    case .loadStatusChanged(let content):
      return Event(sequence: event.sequence, time: event.time, content: .loadStatusChanged(completed(content)))
    case .requestFinished, .transformationChanged, .other: return event
    }
  }
}
