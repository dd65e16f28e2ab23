/// The graphics of an overlay by rising ids, which is the order in which they were added.
struct GraphicList: Sendable {
  private(set) var graphics: [Graphic] = []

  var count: Int { graphics.count }

  /// The position of a graphic, or the position where it would be.
  private func place(_ id: UInt64) -> Int {
    // Mostly behind the last.
    guard let last = graphics.last, last.id >= id else { return graphics.count }
    var (low, high) = (0, graphics.count)
    while low < high {
      let middle = (low &+ high) / 2
      if graphics[middle].id < id { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  subscript(id: UInt64) -> Graphic? {
    let place = place(id)
    return place < graphics.count && graphics[place].id == id ? graphics[place] : nil
  }

  /// Changes to so few graphics are made one by one; more go through the whole list once.
  private static let few = 32

  /// Makes changes, which come by rising ids.
  mutating func apply(_ changes: [GraphicChange]) {
    if changes.count <= Self.few { return applyEach(changes) }
    if changes.allSatisfy({ $0.before == nil }), (graphics.last?.id ?? 0) < (changes.first?.id ?? 0) {
      graphics.append(contentsOf: changes.lazy.compactMap(\.after))
      return
    }
    var merged: [Graphic] = []
    merged.reserveCapacity(graphics.count &+ changes.count)
    var next = 0
    for change in changes {
      while next < graphics.count, graphics[next].id < change.id {
        merged.append(graphics[next])
        next &+= 1
      }
      if next < graphics.count, graphics[next].id == change.id { next &+= 1 }
      if let after = change.after { merged.append(after) }
    }
    merged.append(contentsOf: graphics[next...])
    graphics = merged
  }

  private mutating func applyEach(_ changes: [GraphicChange]) {
    for change in changes {
      let place = place(change.id)
      let isThere = place < graphics.count && graphics[place].id == change.id
      switch (change.after, isThere) {
      case (let after?, true): graphics[place] = after
      case (let after?, false): graphics.insert(after, at: place)
      case (nil, true): graphics.remove(at: place)
      case (nil, false): break
      }
    }
  }

  /// The graphics in draw order: by z-index, then as they were added.
  var inDrawOrder: [Graphic] {
    guard let first = graphics.first, graphics.contains(where: { $0.zIndex != first.zIndex }) else { return graphics }
    return graphics.sorted { ($0.zIndex, $0.id) < ($1.zIndex, $1.id) }
  }
}
