import Glibc

/// State that one thread at a time may touch: the only kind of lock in the library.
///
/// It is a `pthread_mutex_t` on the heap, because a mutex must not move. It is not recursive: `body` must not call
/// anything that takes the same lock, and must neither read files nor call into the host.
public final class Lock<State>: @unchecked Sendable {  // right: `state` is touched with `mutex` held and only then
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  public init(_ initial: State) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    state = .allocate(capacity: 1)
    state.initialize(to: initial)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` with the lock held. 3 ns when nobody else wants it; inlinable because a call across modules into a
  /// generic class costs six times that.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}

extension Lock {
  /// Sets a part of the state. The old value ends after the lock is free: that may take calls into PROJ or GDAL, or its
  /// handles may be the last ones.
  public func set<Value>(_ part: WritableKeyPath<State, Value>, to value: Value) {
    var value = value
    withLock { swap(&$0[keyPath: part], &value) }
  }
}

/// Where threads sleep until the state of a `Lock` has changed.
///
/// Right to share: a condition variable is made for that; it is on the heap, because it must not move.
public final class Condition: @unchecked Sendable {
  fileprivate let variable: UnsafeMutablePointer<pthread_cond_t>

  public init() {
    variable = .allocate(capacity: 1)
    variable.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Deadlines must not move when somebody sets the clock.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(variable, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(variable)
    variable.deallocate()
  }

  public func wakeAll() { pthread_cond_broadcast(variable) }
}

extension Lock {
  /// Sleeps until `body`, which is run with the lock held, has an answer; nil if the deadline passes first. Whoever
  /// changes what `body` looks at wakes the condition.
  public func wait<Result>(
    on condition: Condition, until deadline: Deadline, _ body: (inout State) -> Result?
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state.pointee) { return result }
      guard let time = deadline.time else {
        pthread_cond_wait(condition.variable, mutex)
        continue
      }
      if deadline.hasPassed { return nil }
      var moment = timespec(
        tv_sec: Int(truncatingIfNeeded: time / 1_000_000_000), tv_nsec: Int(truncatingIfNeeded: time % 1_000_000_000))
      pthread_cond_timedwait(condition.variable, mutex, &moment)
    }
  }
}
