import Testing

@testable import AlidadeBase

@Suite struct LeasePoolTests {
  private final class Item {}

  @Test func lendsAgainWhatCameBackLast() {
    let pool = LeasePool<Item>(capacity: 2)
    #expect(pool.take() == nil)
    let first = Item()
    let second = Item()
    pool.giveBack(first)
    pool.giveBack(second)
    // One lies in the slot, the other in the list; both come out, once.
    let taken = [pool.take(), pool.take()]
    #expect(taken.contains { $0 === first })
    #expect(taken.contains { $0 === second })
    #expect(pool.take() == nil)
  }

  @Test func oneItemNeedsNoLock() {
    let pool = LeasePool<Item>(capacity: 2)
    pool.giveBack(Item())
    for _ in 0..<3 {
      guard let item = pool.take() else {
        Issue.record("the item is gone")
        return
      }
      pool.giveBack(item)
      #expect(pool.free.withLock { $0.isEmpty })
    }
  }

  @Test func dropsWhatIsTooMany() {
    let pool = LeasePool<Item>(capacity: 1)
    weak var dropped: Item?
    do {
      let items = [Item(), Item(), Item()]
      dropped = items[2]
      for item in items { pool.giveBack(item) }
    }
    #expect(dropped == nil)
  }

  @Test func endsWithItsItems() {
    weak var kept: Item?
    do {
      let pool = LeasePool<Item>(capacity: 1)
      let item = Item()
      kept = item
      pool.giveBack(item)
    }
    #expect(kept == nil)
  }
}
