/// How a request is made.
public struct RequestOptions: Sendable {
  /// Called once when the request has ended, inside `Mailbox.pump`. If nil, an event reports the end.
  public var completion: (@Sendable (Request) -> Void)?
  /// Handed back in the event; a pointer of the host's, as a number.
  public var userData: UInt = 0
  /// Requests with the same key, of one kind and on one object, replace each other; 0: replaces none.
  public var replaceKey: UInt64 = 0
  /// A replaced request still succeeds if a worker has already begun it.
  public var keepsBegun = false

  public init() {}
}

/// Names the requests that replace each other.
struct RequestChannel: Hashable, Sendable {
  let kind: RequestKind
  /// Identity of the object that they are made on.
  let owner: UInt64
  let key: UInt64
}

/// How a request has ended.
enum RequestOutcome: Sendable {
  case made(HandleObject)
  case taken
  case failure(EngineError)
  case cancelled

  var state: RequestState {
    switch self {
    case .made, .taken: .succeeded
    case .failure: .failed
    case .cancelled: .cancelled
    }
  }

  var status: Status {
    switch self {
    case .made, .taken: .ok
    case .failure(let error): error.status
    case .cancelled: .cancelled
    }
  }
}

/// What workers and the mailbox know of a request. Not the request itself: that goes with its handle.
///
/// Right to share: what changes is guarded by the mailbox's lock.
final class RequestProgress: @unchecked Sendable {
  typealias Work = @Sendable () throws(EngineError) -> HandleObject

  let options: RequestOptions
  let channel: RequestChannel?
  /// In the order of beginning, from 1; 0 before that.
  var number: UInt64 = 0
  /// nil once a worker has taken it, and for a wait for a load.
  var work: Work?
  /// What it waits for; nil unless it is in that load's books.
  var load: LoadProgress?
  /// nil while it is pending.
  var outcome: RequestOutcome?
  /// The handle's id, for the event.
  var handle: UInt64 = 0
  /// The event's number in the queue; 0 if there is none.
  var eventSequence: UInt64 = 0
  /// Kept for the completion; nil without one.
  var request: Request?

  init(options: RequestOptions, channel: RequestChannel?, work: Work?) {
    self.options = options
    self.channel = channel
    self.work = work
  }

  /// Of a thread that waits for a load.
  convenience init() { self.init(options: RequestOptions(), channel: nil, work: nil) }

  /// Whether a worker is on it, or has been.
  var isBegun: Bool { work == nil }
}

/// Work under way, or done. Ends once: succeeded, failed or cancelled.
public final class Request: RuntimeObject, @unchecked Sendable {  // right: constant fields; see RequestProgress
  public let kind: RequestKind
  private let progress: RequestProgress
  private let threads: Workers

  /// A request that has not begun; `start` begins it.
  ///
  /// - Parameters:
  ///   - owner: identity of the object that it is made on: only requests on one object replace each other.
  ///   - waitsForServer: the work takes none of the workers.
  ///   - work: runs on a worker; what it makes can be taken.
  public init(
    _ kind: RequestKind, runtime: Runtime, owner: UInt64, options: RequestOptions, waitsForServer: Bool = false,
    work: @escaping @Sendable () throws(EngineError) -> HandleObject
  ) throws(EngineError) {
    threads = waitsForServer ? runtime.fetchers : runtime.workers
    try threads.requireThread()
    self.kind = kind
    let key = options.replaceKey
    progress = RequestProgress(
      options: options, channel: key == 0 ? nil : RequestChannel(kind: kind, owner: owner, key: key), work: work)
    super.init(runtime: runtime)
  }

  /// A request that ends when a load does; `LoadableObject.start` begins it.
  init(waitingFor object: LoadableObject, owner: UInt64, options: RequestOptions) throws(EngineError) {
    threads = object.runtime.workers
    try threads.requireThread()
    kind = .load
    let key = options.replaceKey
    progress = RequestProgress(
      options: options, channel: key == 0 ? nil : RequestChannel(kind: .load, owner: owner, key: key), work: nil)
    super.init(runtime: object.runtime)
  }

  /// What a load has to know of the request.
  func loadWaiter(handle: UInt64) -> LoadWaiter {
    LoadWaiter(progress: progress, handle: handle, request: progress.options.completion == nil ? nil : self)
  }

  deinit { runtime.mailbox.forget(progress) }

  /// The host releases the request. Without a completion nobody can be notified of its end, so a pending request is
  /// cancelled at once, even if threads wait for it and keep it alive.
  public func abandon() {
    if progress.options.completion == nil { runtime.mailbox.abandon(progress) }
  }

  public override var handleKind: HandleKind { .request }

  public var userData: UInt { progress.options.userData }

  /// Begins the request. To be called once.
  ///
  /// - Parameter handle: the id that the event will name; 0: none, and no event.
  public func start(handle: UInt64) {
    let (mailbox, progress) = (runtime.mailbox, progress)
    mailbox.begin(progress, handle: handle, request: progress.options.completion == nil ? nil : self)
    threads.submit { mailbox.perform(progress) }
  }

  /// How far the request is, and what became of it; `notReady` while it is pending.
  public var standing: (state: RequestState, status: Status) { runtime.mailbox.standing(of: progress) }

  /// Sleeps until the request has ended; `pending` if the deadline passes first. Throws if the runtime is released.
  public func wait(until deadline: Deadline) throws(EngineError) -> RequestState {
    try runtime.mailbox.wait(for: progress, until: deadline)
  }

  /// Ends the request at once. A request that has ended does not change.
  public func cancel() { runtime.mailbox.cancel(progress) }

  /// Takes the result of the request, or throws why there is no result.
  public func take() throws(EngineError) -> HandleObject { try runtime.mailbox.result(of: progress, isTaken: true) }

  /// The result of the request, which can still be taken, or throws why there is no result.
  public func result() throws(EngineError) -> HandleObject { try runtime.mailbox.result(of: progress, isTaken: false) }
}

// MARK: Bookkeeping

/// What is no longer needed, to be dropped once the mailbox's lock is free: its end may take other locks, or that one.
struct RequestLeftovers {
  var works: [RequestProgress.Work] = []
  var loads: [LoadWork] = []
  var requests: [Request] = []
  var outcome: RequestOutcome? = .taken
}

extension Mailbox {
  /// Changes the state, notifies the waiters, and then drops what is left over.
  func change(_ body: (inout State, inout RequestLeftovers) -> Void) {
    var leftovers = RequestLeftovers()
    state.withLock { state in
      body(&state, &leftovers)
      state.updateWake()
    }
    changed.wakeAll()
  }

  /// Takes a request into the books and cancels what it replaces.
  fileprivate func begin(_ progress: RequestProgress, handle: UInt64, request: Request?) {
    change { state, leftovers in state.register(progress, handle: handle, request: request, &leftovers) }
  }

  /// Does the work of a request, on a worker.
  fileprivate func perform(_ progress: RequestProgress) {
    guard var outcome = outcome(of: progress) else { return }
    change { state, leftovers in
      guard progress.outcome == nil else { return }
      if let channel = progress.channel {
        for older in state.channels[channel] ?? [] where older.number < progress.number {
          state.end(older, with: .cancelled, &leftovers)
        }
      }
      // Moved and not copied: when the host is notified, nobody here holds the result.
      var ended: RequestOutcome = .cancelled
      swap(&ended, &outcome)
      state.end(progress, with: ended, &leftovers)
    }
  }

  /// What the work of a request comes to; nil if it has been cancelled. Holds nothing of the work when it returns.
  @inline(never)
  private func outcome(of progress: RequestProgress) -> RequestOutcome? {
    let work: RequestProgress.Work? = state.withLock { _ in progress.outcome == nil ? progress.work.take() : nil }
    guard let work else { return nil }
    do throws(EngineError) {
      return .made(
        try Interest.run(while: { [state] in state.withLock { _ in progress.outcome == nil } }, work))
    } catch {
      return .failure(error)
    }
  }

  fileprivate func standing(of progress: RequestProgress) -> (RequestState, Status) {
    state.withLock { _ in (progress.outcome?.state ?? .pending, progress.outcome?.status ?? .notReady) }
  }

  func wait(
    for progress: RequestProgress, until deadline: Deadline
  ) throws(EngineError) -> RequestState {
    let outcome: (isReleased: Bool, state: RequestState)? = state.wait(on: changed, until: deadline) { state in
      if state.isClosed { return (true, .pending) }
      return progress.outcome.map { (false, $0.state) }
    }
    guard let outcome else { return .pending }
    if outcome.isReleased { throw Self.released }
    return outcome.state
  }

  fileprivate func cancel(_ progress: RequestProgress) {
    change { state, leftovers in
      if progress.outcome == nil { state.end(progress, with: .cancelled, &leftovers) }
    }
  }

  fileprivate func result(of progress: RequestProgress, isTaken: Bool) throws(EngineError) -> HandleObject {
    var found: RequestOutcome? = .taken
    let isPending = state.withLock { _ in
      guard let outcome = progress.outcome else { return true }
      if isTaken, case .made = outcome { swap(&found, &progress.outcome) } else { found = outcome }
      return false
    }
    if isPending {
      throw EngineError(
        .notReady, "The request has not ended yet. Wait for it, or for its completion or event.",
        parameter: EngineError.receiver)
    }
    switch found {
    case .made(let object): return object
    case .failure(let error): throw error.blaming(EngineError.receiver)
    case .cancelled:
      throw EngineError(
        .cancelled, "The request was cancelled, or replaced by a newer one.", parameter: EngineError.receiver)
    case .taken, nil:
      throw EngineError(.invalidState, "What the request made has been taken already.", parameter: EngineError.receiver)
    }
  }

  /// Cancels a request that the host has let go of, and takes its event back.
  fileprivate func abandon(_ progress: RequestProgress) {
    change { state, leftovers in
      if progress.outcome == nil { state.end(progress, with: .cancelled, &leftovers) }
      if progress.eventSequence != 0 { state.events.remove(progress.eventSequence) }
    }
  }

  /// The same for a request that nobody holds: its result is dropped too.
  fileprivate func forget(_ progress: RequestProgress) {
    guard !isInherited else {
      // In the child of a fork: the lock may be held by a thread that does not exist there, and what was made must not
      // be destroyed. Right: never released; the child keeps it until it ends.
      _ = Unmanaged.passRetained(progress)
      return
    }
    change { state, leftovers in
      if progress.outcome == nil { state.end(progress, with: .cancelled, &leftovers) }
      if progress.eventSequence != 0 { state.events.remove(progress.eventSequence) }
      // A worker that has just ended it may hold the progress still; what was made goes now.
      swap(&progress.outcome, &leftovers.outcome)
    }
  }

  /// Ends everything: pending requests are cancelled, what waits is dropped, and whoever waits is woken.
  func close() {
    var completions = Queue<Completion>()
    change { state, leftovers in
      state.isClosed = true
      for progress in state.pending.values { state.end(progress, with: .cancelled, &leftovers) }
      for load in state.loads.values { state.dropWork(of: load, &leftovers) }
      swap(&completions, &state.completions)
      state.dropEvents()
    }
  }
}

extension Mailbox.State {
  /// Takes a request into the books and cancels what it replaces.
  mutating func register(
    _ progress: RequestProgress, handle: UInt64, request: Request?, _ leftovers: inout RequestLeftovers
  ) {
    lastRequest &+= 1
    progress.number = lastRequest
    progress.handle = handle
    progress.request = request
    if let channel = progress.channel {
      for older in channels[channel] ?? [] where !(older.options.keepsBegun && older.isBegun) {
        end(older, with: .cancelled, &leftovers)
      }
      channels[channel, default: []].append(progress)
    }
    pending[progress.number] = progress
    if isClosed { end(progress, with: .cancelled, &leftovers) }
  }

  /// Ends a pending request: takes it out of the books, and queues its completion or event.
  mutating func end(
    _ progress: RequestProgress, with outcome: consuming RequestOutcome, _ leftovers: inout RequestLeftovers
  ) {
    let (state, status) = (outcome.state, outcome.status)
    progress.outcome = outcome
    if let work = progress.work.take() { leftovers.works.append(work) }
    if let load = progress.load.take() { load.waiters[progress.number] = nil }
    pending[progress.number] = nil
    if let channel = progress.channel {
      channels[channel]?.removeAll { $0 === progress }
      if channels[channel]?.isEmpty ?? false { channels[channel] = nil }
    }
    if let request = progress.request.take() {
      if let completion = progress.options.completion, !isClosed {
        completions.append(Mailbox.Completion { completion(request) })
      } else {
        leftovers.requests.append(request)
      }
    } else if progress.handle != 0, !isClosed {
      progress.eventSequence = events.append(
        .requestFinished(handle: progress.handle, state, status, userData: progress.options.userData))
    }
  }
}
