/// First in, first out.
public struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  public init() {}

  public var count: Int { elements.count &- head }
  public var isEmpty: Bool { count == 0 }

  /// The one that comes out next.
  public var first: Element? { head < elements.count ? elements[head] : nil }

  public mutating func append(_ element: Element) { elements.append(element) }

  public mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head].take()
    head &+= 1
    // What has been taken out is cleared away when it is half of all: each element is moved about once.
    if head &* 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

extension Queue: Sendable where Element: Sendable {}
