/// Things that one thread at a time may use and that are dear to make, lent out for the length of a call.
///
/// Nothing is kept per thread: a host's threads come and go. What comes back is used again first, while it is warm.
public final class LeasePool<Item>: Sendable {
  private let free: Lock<[Item]>
  private let capacity: Int

  /// - Parameter capacity: how many idle items are kept; more are dropped when they come back.
  public init(capacity: Int) {
    free = Lock([])
    self.capacity = capacity
  }

  /// An idle item, if there is one. Give it back with `giveBack`, or drop it if it is damaged.
  public func take() -> Item? {
    free.withLock { items in items.popLast() }
  }

  public func giveBack(_ item: Item) {
    // What is too many is destroyed after the lock is free.
    let surplus: Item? = free.withLock { items in
      if items.count >= capacity { return item }
      items.append(item)
      return nil
    }
    _ = surplus
  }

  /// Takes out all idle items.
  public func drain() -> [Item] {
    free.withLock { items in
      let all = items
      items = []
      return all
    }
  }
}
