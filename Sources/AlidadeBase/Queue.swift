/// First in, first out.
struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count &- head }
  var isEmpty: Bool { count == 0 }

  /// The one that comes out next.
  var first: Element? { head < elements.count ? elements[head] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
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
