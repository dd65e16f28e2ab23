import AlidadeCoordinates

extension MapOfWorld {
  /// What a simple ring becomes on the map: itself where it crosses no side; else, cut there, its two parts; or in one
  /// piece, beginning within the world. nil where that takes more.
  func parts(of ring: [Point], isSplit: Bool) -> [[Point]]? {
    guard let extent = Envelope(around: ring), extent.xMax - extent.xMin < width else { return nil }
    let east = west + width
    if extent.xMin >= west, extent.xMax <= east { return [ring] }
    let shift = -width * ((extent.xMin - west) / width).rounded(.down)
    let moved = shift == 0 ? ring : ring.map { Point(x: $0.x + shift, y: $0.y) }
    if !isSplit || extent.xMax + shift <= east { return [moved] }
    return Self.cut(moved, at: east).map { [$0.west, $0.east.map { Point(x: $0.x - width, y: $0.y) }] }
  }

  /// The parts of a closed ring on both sides of a line from south to north; nil unless it crosses that just twice.
  private static func cut(_ ring: [Point], at x: Double) -> (west: [Point], east: [Point])? {
    var (west, east, crossings) = ([Point](), [Point](), 0)
    var side = ring.last { $0.x != x }.map { $0.x < x } ?? true
    for (index, point) in ring.dropLast().enumerated() {
      if point.x <= x { west.append(point) }
      if point.x >= x { east.append(point) }
      let next = ring[index &+ 1]
      if point.x == x {
        // It goes through, and not along or back.
        guard next.x != x, (next.x < x) != side else { return nil }
        (side, crossings) = (!side, crossings &+ 1)
      } else if next.x != x, (next.x < x) != side {
        let cut = Point(x: x, y: point.y + (next.y - point.y) * ((x - point.x) / (next.x - point.x)))
        west.append(cut)
        east.append(cut)
        (side, crossings) = (!side, crossings &+ 1)
      }
    }
    guard crossings == 2, let first = west.first, let other = east.first, west.count > 2, east.count > 2 else {
      return nil
    }
    return (west + [first], east + [other])
  }
}
