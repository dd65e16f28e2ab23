/// Indexes in an order, each at most once. Any of them can be removed at once, without a trace.
struct PlaceOrder {
  private struct Link {
    var before = -1
    var after = -1
    var isIn = false
  }

  private var links: [Link] = []
  /// -1: there is none.
  private var firstPlace = -1
  private var lastPlace = -1
  private(set) var count = 0

  var first: Int? { firstPlace < 0 ? nil : firstPlace }

  /// Puts an index at the end, unless it is already in the order.
  mutating func append(_ place: Int) {
    while links.count <= place { links.append(Link()) }
    guard !links[place].isIn else { return }
    links[place] = Link(before: lastPlace, after: -1, isIn: true)
    if lastPlace < 0 { firstPlace = place } else { links[lastPlace].after = place }
    lastPlace = place
    count &+= 1
  }

  /// Removes an index, if it is in the order.
  mutating func remove(_ place: Int) {
    guard links.indices.contains(place), links[place].isIn else { return }
    let link = links[place]
    if link.before < 0 { firstPlace = link.after } else { links[link.before].after = link.after }
    if link.after < 0 { lastPlace = link.before } else { links[link.after].before = link.before }
    links[place] = Link()
    count &-= 1
  }
}
