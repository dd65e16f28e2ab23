import Glibc

/// Whether somebody still wants what a thread is working on. It goes with the thread, as `TimeLimit` does.
public struct Interest: Sendable {
  let isWanted: @Sendable () -> Bool

  /// Holds the question for the work of a thread, on that thread's stack; nil if the system has no memory for it.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  static var current: Interest? {
    guard let key, let held = pthread_getspecific(key) else { return nil }
    return held.load(as: Interest.self)
  }

  /// Has work done that somebody may lose interest in.
  static func run<Result>(
    while isWanted: @escaping @Sendable () -> Bool, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    guard let key else { return try body() }
    return try withUnsafePointer(to: Interest(isWanted: isWanted)) { (held) throws(EngineError) in
      let before = pthread_getspecific(key)
      pthread_setspecific(key, held)
      defer { pthread_setspecific(key, before) }
      return try body()
    }
  }

  /// Throws `cancelled` if nobody wants the result of this thread's work. Takes a lock: for those who wait, not for loops.
  public static func check() throws(EngineError) {
    if let current, !current.isWanted() {
      throw EngineError(.cancelled, "Nobody waits for the result any longer.")
    }
  }
}
