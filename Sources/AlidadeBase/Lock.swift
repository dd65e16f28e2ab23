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
