/// Places in an order, each at most once. Any of them goes out at once and leaves nothing behind.
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

  /// Puts a place at the end, unless it is in already.
  mutating func append(_ place: Int) {
    while links.count <= place { links.append(Link()) }
    guard !links[place].isIn else { return }
    links[place] = Link(before: lastPlace, after: -1, isIn: true)
    if lastPlace < 0 { firstPlace = place } else { links[lastPlace].after = place }
    lastPlace = place
    count &+= 1
  }

  /// Takes a place out, if it is in.
  mutating func remove(_ place: Int) {
    guard links.indices.contains(place), links[place].isIn else { return }
    let link = links[place]
    if link.before < 0 { firstPlace = link.after } else { links[link.before].after = link.after }
    if link.after < 0 { lastPlace = link.before } else { links[link.after].before = link.before }
    links[place] = Link()
    count &-= 1
  }
}
