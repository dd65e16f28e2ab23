// The progress of loads. All of it happens under the mailbox's lock, so that a load ends, the host is notified and
// waiters wake in one step.

extension Mailbox {
  /// Joins a waiter to a load, and begins an attempt if none is under way and one is due.
  ///
  /// - Parameters:
  ///   - work: of the attempt, should it begin; nil if others do it.
  ///   - isRetry: a load that failed is due once more.
  ///   - reloads: so is a load that succeeded.
  ///   - waiter: nil if nobody waits.
  /// - Returns: the attempt's number, if it has begun.
  func begin(
    _ load: LoadProgress, _ work: LoadWork?, handle: UInt64, isRetry: Bool, reloads: Bool, waiter: LoadWaiter?
  ) -> UInt64? {
    var attempt: UInt64?
    change { state, leftovers in
      load.handle = handle
      if let waiter { state.register(waiter.progress, handle: waiter.handle, request: waiter.request, &leftovers) }
      if load.toldStatus != .loading {
        let isDue = load.status == .notLoaded || (isRetry && (load.status == .failed || reloads))
        if isDue, !state.isClosed, !load.isForgotten {
          load.attempt &+= 1
          load.attemptCount = load.attemptCount == .max ? .max : load.attemptCount &+ 1
          load.since = MonotonicTime.now()
          load.set(.loading)
          load.work = work
          state.loads[load.identity] = load
          state.tell(of: load)
          attempt = load.attempt
        }
      }
      guard let waiter, waiter.progress.outcome == nil else { return }
      if load.toldStatus == .loading {
        waiter.progress.load = load
        load.waiters[waiter.progress.number] = waiter.progress
      } else {
        state.end(waiter.progress, with: load.outcome, &leftovers)
      }
    }
    return attempt
  }

  /// Takes the work of an attempt, to do it; nil if somebody else has, or it was cancelled.
  func claim(_ load: LoadProgress, attempt: UInt64? = nil) -> (work: LoadWork, attempt: UInt64)? {
    state.withLock { _ in
      guard attempt == nil || attempt == load.attempt, let work = load.work.take() else { return nil }
      return (work, load.attempt)
    }
  }

  /// Whether the result of an attempt is still of use.
  func wants(_ load: LoadProgress, attempt: UInt64) -> Bool {
    state.withLock { _ in load.attempt == attempt && load.status == .loading && !load.isForgotten }
  }

  /// Announces that the result of an attempt is stored now; false if it is no longer wanted.
  func beginCommit(_ load: LoadProgress, attempt: UInt64) -> Bool {
    state.withLock { _ in
      guard load.attempt == attempt, load.status == .loading, !load.isForgotten else { return false }
      load.isCommitting = true
      return true
    }
  }

  /// Announces that the result of an attempt was not stored: its work is done once more.
  func takeBackCommit(_ load: LoadProgress, attempt: UInt64) {
    state.withLock { _ in
      if load.attempt == attempt { load.isCommitting = false }
    }
  }

  /// Ends an attempt. Waiters are notified by `settle`, which must follow.
  ///
  /// - Parameter attempt: nil means the current attempt, unless its result is being stored.
  /// - Returns: false if it has ended already.
  func end(_ load: LoadProgress, attempt: UInt64?, error: EngineError?) -> Bool {
    var hasEnded = false
    change { state, leftovers in
      guard load.status == .loading, !load.isForgotten else { return }
      guard attempt == load.attempt || (attempt == nil && !load.isCommitting) else { return }
      load.isSettling = true
      state.end(load, error, &leftovers)
      hasEnded = true
    }
    return hasEnded
  }

  /// Notifies the host, and the waiters, of how an attempt has ended.
  ///
  /// - Parameters:
  ///   - handle: the current handle; nil if it is not known.
  ///   - isCancelled: waiters are notified that the load was cancelled.
  func settle(_ load: LoadProgress, handle: UInt64?, isCancelled: Bool = false) {
    change { state, leftovers in
      guard !load.isForgotten else { return }
      load.isSettling = false
      if let handle { load.handle = handle }
      state.tell(of: load)
      state.endWaiters(of: load, with: isCancelled ? .cancelled : load.outcome, &leftovers)
    }
  }

  /// The object that loads has ended: waiters are notified that the load was cancelled.
  func forget(_ load: LoadProgress) {
    guard !isInherited else {
      // In the child of a fork: the lock may be held by a thread that does not exist there. Right: never released; the
      // child keeps it until it ends.
      _ = Unmanaged.passRetained(load)
      return
    }
    // Nobody can begin it after this, and most loads have long ended: there is nothing to do for them.
    let isQuiet = state.withLock { _ in load.waiters.isEmpty && load.eventSequence == 0 && !load.isUnderWay }
    if isQuiet { return }
    change { state, leftovers in
      load.isForgotten = true
      if load.status == .loading { state.end(load, .cancelledLoad, &leftovers) }
      load.isSettling = false
      state.takeBackEvent(of: load)
      state.endWaiters(of: load, with: .cancelled, &leftovers)
    }
  }

  /// The load state, as the host sees it.
  func info(of load: LoadProgress) -> LoadInfo {
    state.withLock { _ in
      LoadInfo(
        status: load.toldStatus, error: load.isSettling ? nil : load.error, attemptCount: load.attemptCount,
        since: load.since)
    }
  }

  /// Why the last attempt failed; nil if it did not, or is under way.
  func error(of load: LoadProgress) -> EngineError? { state.withLock { _ in load.error } }

  /// How a waiter's wait has ended: nil without an error.
  func failure(of waiter: RequestProgress) -> EngineError? {
    state.withLock { _ in
      switch waiter.outcome {
      case .failure(let error): error
      case .cancelled: .cancelledLoad
      case .made, .taken, nil: nil
      }
    }
  }
}

/// A waiter that is notified of the end of a load.
struct LoadWaiter {
  let progress: RequestProgress
  /// The request's handle; 0: none.
  var handle: UInt64 = 0
  /// Kept for its completion.
  var request: Request?
}

extension LoadProgress {
  /// The outcome for those who wait, once the load has ended.
  fileprivate var outcome: RequestOutcome {
    guard let error else { return .taken }
    return error.status == .cancelled ? .cancelled : .failure(error)
  }

  fileprivate var isUnderWay: Bool { status == .loading || isSettling }
}

extension EngineError {
  static var cancelledLoad: EngineError { EngineError(.cancelled, "The load was cancelled. Retry it to load again.") }
}

extension Mailbox.State {
  fileprivate mutating func end(_ load: LoadProgress, _ error: EngineError?, _ leftovers: inout RequestLeftovers) {
    load.set(error == nil ? .loaded : .failed, error)
    load.since = MonotonicTime.now()
    load.isCommitting = false
    dropWork(of: load, &leftovers)
  }

  /// Forgets an attempt's work.
  mutating func dropWork(of load: LoadProgress, _ leftovers: inout RequestLeftovers) {
    if let work = load.work.take() { leftovers.loads.append(work) }
    loads[load.identity] = nil
  }

  fileprivate mutating func endWaiters(
    of load: LoadProgress, with outcome: RequestOutcome, _ leftovers: inout RequestLeftovers
  ) {
    // In the order in which they came.
    for waiter in load.waiters.values.sorted(by: { $0.number < $1.number }) { end(waiter, with: outcome, &leftovers) }
  }

  /// Adds the event of a change of status, unless one still waits: a waiting event has the newest status when it is
  /// drained.
  fileprivate mutating func tell(of load: LoadProgress) {
    guard !isClosed, load.eventSequence == 0, load.handle != 0 else { return }
    let kind = HandleKind(rawValue: UInt8(truncatingIfNeeded: load.handle >> 56)) ?? .layer
    load.eventSequence = events.append(
      .loadStatusChanged(
        LoadEvent(identity: load.identity, kind: kind, handle: load.handle, status: load.toldStatus, failure: .ok)))
    loadEvents[load.identity] = load
  }

  fileprivate mutating func takeBackEvent(of load: LoadProgress) {
    if load.eventSequence != 0 { events.remove(load.eventSequence) }
    load.eventSequence = 0
    loadEvents[load.identity] = nil
  }

  /// An event with what is true now.
  mutating func completed(_ event: LoadEvent) -> LoadEvent {
    guard let load = loadEvents.removeValue(forKey: event.identity) else { return event }
    load.eventSequence = 0
    var event = event
    event.status = load.toldStatus
    event.failure = load.isSettling ? .ok : load.error?.status ?? .ok
    return event
  }
}
