import Glibc

/// How long a call may take by the policy. It goes with the thread that makes the call, and with those that help it.
public struct TimeLimit: Sendable {
  /// MonotonicTime.
  private let end: UInt64
  private let milliseconds: UInt32

  /// Holds the limit for the work of a thread, on that thread's stack; nil if the system has no memory for it.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  private init(end: UInt64, milliseconds: UInt32) {
    self.end = end
    self.milliseconds = milliseconds
  }

  public init(milliseconds: UInt32) {
    end = MonotonicTime.now() &+ UInt64(truncatingIfNeeded: milliseconds) &* 1_000_000
    self.milliseconds = milliseconds
  }

  /// Whether the call that this thread is at has a limit.
  public static var isSet: Bool { current != nil }

  /// That of the call that this thread is at; nil: none.
  static var current: TimeLimit? {
    guard let key, let held = pthread_getspecific(key) else { return nil }
    return held.load(as: TimeLimit.self)
  }

  /// Has work done under the limit.
  func run<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    guard let key = Self.key else {
      throw EngineError(.outOfMemory, "The system has no key left for the time limit of a call.", domain: .system)
    }
    return try withUnsafePointer(to: self) { (held) throws(EngineError) in
      let before = pthread_getspecific(key)
      pthread_setspecific(key, held)
      defer { pthread_setspecific(key, before) }
      return try body()
    }
  }

  /// Has work done within a quarter of the time that is left, if there is a limit: for work that may stay undone.
  public static func inQuarter<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    guard let current else { return try body() }
    let now = MonotonicTime.now()
    let left = current.end > now ? current.end &- now : 0
    return try TimeLimit(end: now &+ left / 4, milliseconds: current.milliseconds).run(body)
  }

  /// The same; what is done but took longer is an error.
  fileprivate func whole<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    try run { () throws(EngineError) in
      let result = try body()
      try check()
      return result
    }
  }

  /// Until when a caller waits for work that should have looked at the time.
  fileprivate var patience: Deadline {
    Deadline(time: end &+ UInt64(clamping: min(1000, max(10, milliseconds))) &* 1_000_000)
  }

  fileprivate func failure(_ remark: String = "") -> EngineError {
    EngineError(
      .limitExceeded,
      "The call takes longer than \(milliseconds) ms, which the policy allows at most. Ask for less at a time, or raise "
        + "max_request_ms.\(remark)")
  }

  private var hasPassed: Bool { MonotonicTime.now() >= end }

  private func check() throws(EngineError) { if hasPassed { throw failure() } }

  /// Whether the call that this thread is at takes longer than it may.
  public static var hasPassed: Bool { current?.hasPassed ?? false }

  /// Throws if the call that this thread is at takes longer than it may. Costs some 5 ns without a limit, 30 with one.
  public static func check() throws(EngineError) {
    if let current { try current.check() }
  }
}

extension Runtime {
  /// Runs a call within the time that the policy allows. A call that took longer fails, even if its work is complete:
  /// whether a call succeeds does not depend on where it checks the time.
  ///
  /// With a limit, another thread does the work. Work that checks the time ends soon after the limit. Other work, such
  /// as a driver that decodes a block, is abandoned: the caller returns, and the work goes on until it ends by itself.
  public func limited<Result: Sendable>(
    _ body: @escaping @Sendable () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    guard hasTimeLimit, !TimeLimit.isSet else { return try body() }
    let call = LimitedCall(TimeLimit(milliseconds: policy.maxRequestMilliseconds), body)
    try callers.requireThread()
    callers.submit { call.work() }
    return try call.wait()
  }

  /// The same for work that fills memory of the caller's: what may be given up fills memory of its own.
  public func limited<First, Second>(
    filling first: UnsafeMutableBufferPointer<First>, _ second: UnsafeMutableBufferPointer<Second>,
    _ body:
      @escaping @Sendable (UnsafeMutableBufferPointer<First>, UnsafeMutableBufferPointer<Second>)
      throws(EngineError) -> Void
  ) throws(EngineError) {
    guard hasTimeLimit, !TimeLimit.isSet else { return try body(first, second) }
    let (ours, others) = (try HeapArray<First>(count: first.count), try HeapArray<Second>(count: second.count))
    try limited { () throws(EngineError) in try body(ours.buffer, others.buffer) }
    _ = first.update(from: ours.buffer)
    _ = second.update(from: others.buffer)
  }

  /// The same on the caller's thread, for work that looks at the time often, or needs the host's memory.
  public func limitedHere<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    guard hasTimeLimit, !TimeLimit.isSet else { return try body() }
    return try TimeLimit(milliseconds: policy.maxRequestMilliseconds).whole(body)
  }
}

/// A call that another thread works on for a caller who may give up.
private final class LimitedCall<Value: Sendable>: Sendable {
  private typealias Body = @Sendable () throws(EngineError) -> Value
  private struct State {
    /// nil once a thread has taken it, or the caller has given up.
    var body: Body?
    var outcome: Result<Value, EngineError>?
    var isGivenUp = false
  }

  private let limit: TimeLimit
  /// Of the caller's own work.
  private let interest = Interest.current
  private let state: Lock<State>
  private let ended = Condition()

  init(_ limit: TimeLimit, _ body: @escaping @Sendable () throws(EngineError) -> Value) {
    self.limit = limit
    state = Lock(State(body: body))
  }

  func work() {
    guard let body = state.withLock({ $0.body.take() }) else { return }
    var outcome: Result<Value, EngineError>
    let (state, interest) = (state, interest)
    do throws(EngineError) {
      outcome = .success(
        try Interest.run(while: { !state.withLock { $0.isGivenUp } && interest?.isWanted() ?? true }) {
          () throws(EngineError) in try limit.whole(body)
        })
    } catch {
      outcome = .failure(error)
    }
    state.withLock { if !$0.isGivenUp { $0.outcome = outcome } }
    ended.wakeAll()
  }

  func wait() throws(EngineError) -> Value {
    if let outcome = state.wait(on: ended, until: limit.patience, { $0.outcome.take() }) { return try outcome.get() }
    // What nobody has begun is dropped after the lock is free.
    let (outcome, body) = state.withLock { state in
      state.isGivenUp = true
      return (state.outcome.take(), state.body.take())
    }
    if let outcome { return try outcome.get() }
    throw limit.failure(
      body == nil ? " What it is at cannot be interrupted, and goes on without it." : " It had to wait for such calls.")
  }
}
