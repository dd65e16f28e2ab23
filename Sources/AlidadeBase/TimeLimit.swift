import Glibc

/// How long a call may take by the policy. It goes with the thread that makes the call, and with those that help it.
public struct TimeLimit: Sendable {
  /// MonotonicTime.
  private let end: UInt64
  private let milliseconds: UInt32

  /// Holds the limit of what a thread is at, on that thread's stack; nil if the system has no room for it.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

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

  private func check() throws(EngineError) {
    guard MonotonicTime.now() >= end else { return }
    throw EngineError(
      .limitExceeded,
      "The call takes longer than \(milliseconds) ms, which the policy allows at most. Ask for less at a time, or raise "
        + "max_request_ms.")
  }

  /// Throws if the call that this thread is at takes longer than it may. Costs some 5 ns without a limit, 30 with one.
  public static func check() throws(EngineError) {
    if let current { try current.check() }
  }
}

extension Runtime {
  /// Has a call done within the time that the policy allows. What is done but took longer is an error, too: whether a
  /// call succeeds does not depend on where it looks at the time.
  public func limited<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    guard policy.maxRequestMilliseconds > 0, TimeLimit.current == nil else { return try body() }
    return try TimeLimit(milliseconds: policy.maxRequestMilliseconds).run { () throws(EngineError) in
      let result = try body()
      try TimeLimit.check()
      return result
    }
  }
}
