/// Something of which one comes before another.
public protocol HeapItem {
  func isBefore(_ other: Self) -> Bool
}

/// The item that comes first of all, again and again.
public struct BinaryHeap<Item: HeapItem> {
  @usableFromInline var items: [Item] = []

  /// - Parameter capacity: so many items need no more memory than is taken at once.
  @inlinable
  public init(capacity: Int = 0) { items.reserveCapacity(capacity) }

  /// All items; the first comes before all others.
  @inlinable
  public var elements: [Item] { items }

  @inlinable
  public mutating func push(_ item: Item) {
    items.append(item)
    var index = items.count &- 1
    while index > 0 {
      let parent = (index &- 1) / 2
      guard items[index].isBefore(items[parent]) else { return }
      items.swapAt(index, parent)
      index = parent
    }
  }

  @inlinable
  public mutating func pop() -> Item? {
    guard let first = items.first else { return nil }
    let last = items.removeLast()
    if items.isEmpty { return first }
    items[0] = last
    var index = 0
    while true {
      var child = index &* 2 &+ 1
      guard child < items.count else { return first }
      if child &+ 1 < items.count, items[child &+ 1].isBefore(items[child]) { child &+= 1 }
      guard items[child].isBefore(items[index]) else { return first }
      items.swapAt(index, child)
      index = child
    }
  }
}
