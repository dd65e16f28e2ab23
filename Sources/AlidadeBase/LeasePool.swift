import Synchronization

/// Objects that are expensive to create and that one thread at a time may use, leased for the length of a call.
///
/// Nothing is kept per thread: a host's threads come and go. The object that came back last is used again first, while
/// it is warm. It lies in an atomic slot, so a host with one thread takes no lock. Inlinable throughout: a call across
/// modules into a generic class is not specialised, and these are on hot paths.
public final class LeasePool<Item: AnyObject>: @unchecked Sendable {  // right: one atomic slot, and a Lock
  /// The item that came back last, as a reference that this pool owns.
  @usableFromInline let warm = Atomic<UnsafeRawPointer?>(nil)
  @usableFromInline let free: Lock<[Item]>
  @usableFromInline let capacity: Int

  /// - Parameter capacity: how many idle items are kept; more are dropped when they come back.
  @inlinable
  public init(capacity: Int) {
    free = Lock([])
    self.capacity = capacity
  }

  deinit {
    if let pointer = warm.load(ordering: .acquiring) {
      // Right: the slot owns this reference.
      Unmanaged<Item>.fromOpaque(pointer).release()
    }
  }

  /// An idle item, if there is one. Give it back with `giveBack`, or drop it if it is damaged.
  @inlinable
  public func take() -> Item? {
    if let pointer = warm.exchange(nil, ordering: .acquiringAndReleasing) {
      // Right: the slot owned this reference, and only the thread that took it out has it now.
      return Unmanaged<Item>.fromOpaque(pointer).takeRetainedValue()
    }
    return free.withLock { items in items.popLast() }
  }

  @inlinable
  public func giveBack(_ item: Item) {
    // Right: the reference goes into the slot, or is given up below.
    let reference = Unmanaged.passRetained(item)
    let pointer = UnsafeRawPointer(reference.toOpaque())
    if warm.compareExchange(expected: nil, desired: pointer, ordering: .acquiringAndReleasing).exchanged { return }
    let item = reference.takeRetainedValue()
    // What is too many is destroyed after the lock is free.
    let surplus: Item? = free.withLock { items in
      if items.count >= capacity { return item }
      items.append(item)
      return nil
    }
    _ = surplus
  }
}

extension LeasePool {
  /// The number of idle objects at this moment.
  public var idleCount: Int {
    (warm.load(ordering: .relaxed) == nil ? 0 : 1) &+ free.withLock { $0.count }
  }
}
