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

  /// The polygon between a line around a pole and that pole's side of the map, clockwise. nil where the line does not run
  /// all around in one direction: then it may cross itself, or a side more than once.
  ///
  /// - Parameters:
  ///   - line: ends where it began, a turn farther.
  ///   - turns: 1 eastwards around the north pole, -1 westwards around the south pole.
  func cap(around line: [Point], turns: Double) -> [Point]? {
    guard let pole = turns > 0 ? north : south else { return nil }
    let eastwards = turns > 0 ? line : line.reversed()
    guard let start = eastwards.first else { return nil }
    for (point, next) in zip(eastwards, eastwards.dropFirst()) {
      guard next.x > point.x, (next.y - pole).magnitude > 1e-9 * width else { return nil }
    }
    // The west side of the world, as often to the east as it takes to lie on the line.
    let side = west + width * ((start.x - west) / width).rounded(.up)
    guard let index = eastwards.lastIndex(where: { $0.x <= side }), index &+ 1 < eastwards.count else { return nil }
    let (from, to) = (eastwards[index], eastwards[index &+ 1])
    let y = from.y + (to.y - from.y) * ((side - from.x) / (to.x - from.x))
    let east = west + width
    var ring = [Point(x: west, y: pole), Point(x: east, y: pole)]
    // From the east side back to the west: first what is beyond a turn, then what is left of it.
    ring.append(Point(x: east, y: y))
    let before = eastwards[..<index] + (from.x < side ? [from] : [])
    for point in before.reversed() { ring.append(Point(x: point.x - side + east, y: point.y)) }
    for point in eastwards[(index &+ 1)...].dropLast().reversed() {
      ring.append(Point(x: point.x - side + west, y: point.y))
    }
    ring.append(Point(x: west, y: y))
    // Clockwise with the north pole's side first; the south pole's is the other way round.
    let closed = ring + [ring[0]]
    return turns > 0 ? closed : closed.reversed()
  }
}
