import AlidadeBase
import AlidadeCoordinates

/// The buffer of a polygon without holes that is a star: from a point in it, its eye, all of it is seen.
///
/// Then all of the buffer is seen from there, too, and its outline is in each direction what lies farthest from the eye
/// of the ring moved outwards (`OffsetSweep.ring`). So stretches of that ring are merged in the order of their
/// directions, instead of comparing all edges with each other; where the moved ring is a star itself, it is the outline.
///
/// Directions and crossings are rounded: a wrong decision swaps two edges that are equally far from the eye to within
/// rounding. That the result is a closed ring that is seen from the eye as a whole, and so does not cross itself, is
/// checked without rounding.
struct StarBuffer {
  /// A vertex, from the eye.
  private struct Vertex {
    var place: Point
    /// In right angles, counted from the direction of the farthest vertex: 0 to 4.
    var direction: Double
  }

  /// Where directions are counted from.
  private var zero = 0.0
  /// The outline so far, in the order of directions.
  private var outline: [Vertex] = []
  private var merged: [Vertex] = []

  /// Above this the eye takes longer to find than it saves.
  private static let mostVertices = 256

  /// The outline of the buffer, closed and counterclockwise; nil if the ring is no star, or if that is in doubt.
  ///
  /// - Parameters:
  ///   - ring: closed, in any direction.
  ///   - scale: what lengths are multiplied by, a power of two; the distance of `sweep` is multiplied already.
  static func outline(of ring: UnsafeBufferPointer<Point>, scale: Double, _ sweep: OffsetSweep) -> [Point]? {
    guard ring.count >= 4, ring.count <= mostVertices, ring[0] == ring[ring.count &- 1] else { return nil }
    let scaled = ring.map { Point(x: $0.x * scale, y: $0.y * scale) }
    guard let (eye, isCounterclockwise) = eye(of: scaled) else { return nil }
    var path = scaled.map { Point(x: $0.x - eye.x, y: $0.y - eye.y) }
    if !isCounterclockwise { path.reverse() }
    let moved = sweep.ring(path).points
    // A star hides nothing of itself: the moved ring of a convex polygon is one, and that of most round polygons.
    if leadsForward(moved), let outline = checked(moved, from: eye, scale) { return outline }
    var buffer = StarBuffer()
    return buffer.merge(moved) ? checked(buffer.outline.lazy.map(\.place), from: eye, scale) : nil
  }

  /// Whether all edges of a ring but the closing one lead counterclockwise around the eye, to within rounding.
  private static func leadsForward(_ ring: [Point]) -> Bool {
    for index in ring.indices.dropLast() {
      let (a, b) = (ring[index], ring[index &+ 1])
      guard a.x * b.y > a.y * b.x else { return false }
    }
    return true
  }

  /// The closed outline in the caller's coordinates; nil if not all of it is seen from the eye.
  ///
  /// - Parameter places: seen from the eye, which is at the origin.
  private static func checked(_ places: some Sequence<Point>, from eye: Point, _ scale: Double) -> [Point]? {
    var outline = places.map { Point(x: $0.x + eye.x, y: $0.y + eye.y) }
    if let first = outline.first, outline.last != first { outline.append(first) }
    guard isSeen(outline, from: eye, isCounterclockwise: true) else { return nil }
    for index in outline.indices { outline[index] = Point(x: outline[index].x / scale, y: outline[index].y / scale) }
    return outline
  }

  // MARK: The eye

  /// A point from which all of a ring is seen, and the ring's direction; nil if none was found.
  private static func eye(of ring: [Point]) -> (Point, isCounterclockwise: Bool)? {
    var (twice, x, y) = (0.0, 0.0, 0.0)
    let origin = ring[0]
    for (a, b) in zip(ring, ring.dropFirst()) {
      let cross = (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x)
      twice += cross
      x += cross * (a.x - origin.x + b.x - origin.x)
      y += cross * (a.y - origin.y + b.y - origin.y)
    }
    guard twice != 0 else { return nil }
    // The centroid mostly is one.
    let centroid = Point(x: origin.x + x / (3 * twice), y: origin.y + y / (3 * twice))
    if isSeen(ring, from: centroid, isCounterclockwise: twice > 0) { return (centroid, twice > 0) }
    guard let eye = middleOfKernel(ring, isCounterclockwise: twice > 0),
      isSeen(ring, from: eye, isCounterclockwise: twice > 0)
    else { return nil }
    return (eye, twice > 0)
  }

  /// The middle of what lies inside of all edges.
  private static func middleOfKernel(_ ring: [Point], isCounterclockwise: Bool) -> Point? {
    guard let box = Envelope(around: ring) else { return nil }
    var kernel = box.corners
    for (a, b) in zip(ring, ring.dropFirst()) {
      let (from, to) = isCounterclockwise ? (a, b) : (b, a)
      kernel = kernel.clipped { point in
        (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
      }
    }
    guard !kernel.isEmpty else { return nil }
    let count = Double(kernel.count)
    return Point(x: kernel.reduce(0) { $0 + $1.x } / count, y: kernel.reduce(0) { $0 + $1.y } / count)
  }

  /// Whether a ring is closed and goes around a point once, always in one direction. It does not meet itself then.
  private static func isSeen(_ ring: [Point], from eye: Point, isCounterclockwise: Bool) -> Bool {
    let sign = isCounterclockwise ? 1 : -1
    guard ring.first == ring.last, !ExactTurn.isTooSmall(eye) else { return false }
    var turns = 0
    for index in 1..<max(1, ring.count) {
      let (a, b) = (ring[index &- 1], ring[index])
      guard !ExactTurn.isTooSmall(b), ExactTurn.sign(eye, a, b) == sign else { return false }
      // Once around, it passes upwards once.
      if a.y < eye.y, b.y >= eye.y { turns &+= 1 }
    }
    return turns == 1
  }

  // MARK: Merging

  /// Merges all stretches of a ring that lead forward, counterclockwise as seen from the eye. False: the outline is in
  /// doubt.
  private mutating func merge(_ ring: [Point]) -> Bool {
    guard let start = ring.indices.max(by: { ring[$0].square < ring[$1].square }) else { return false }
    let farthest = ring[start]
    zero = farthest.direction
    // All around, from the farthest vertex to itself, with directions that go on growing beyond a turn.
    var vertices: [Vertex] = []
    vertices.reserveCapacity(ring.count &+ 1)
    var (direction, before) = (0.0, zero)
    for index in 0...ring.count {
      let place = ring[start &+ index < ring.count ? start &+ index : start &+ index &- ring.count]
      let here = place.direction
      direction += Self.change(from: before, to: here)
      vertices.append(Vertex(place: place, direction: direction))
      before = here
    }
    guard (direction - 4).magnitude < 1 else { return false }
    vertices[ring.count].direction = 4
    outline.reserveCapacity(vertices.count)
    // Stretches that lead across the direction of the farthest vertex, which none can hide.
    var others: [[Vertex]] = []
    var first = 0
    for index in 1...vertices.count
    where index == vertices.count || vertices[index].direction <= vertices[index &- 1].direction {
      guard add(vertices[first..<index], farthest, &others) else { return false }
      first = index
    }
    guard outline.last?.direction == 4 else { return false }
    for other in others where !merge(other[...]) { return false }
    // Where the outline steps nearer, what should hide that is missing.
    for index in outline.indices.dropFirst() where outline[index &- 1].direction >= outline[index].direction {
      return false
    }
    return true
  }

  /// The smaller angle between two directions.
  @inline(__always)
  private static func change(from a: Double, to b: Double) -> Double {
    let change = b - a
    return change > 2 ? change - 4 : change < -2 ? change + 4 : change
  }

  /// Merges what of a stretch lies within one turn from the farthest vertex on, and keeps the rest for later, turned by a
  /// whole turn.
  private mutating func add(_ stretch: ArraySlice<Vertex>, _ farthest: Point, _ others: inout [[Vertex]]) -> Bool {
    guard let first = stretch.first, let last = stretch.last, stretch.count > 1 else { return true }
    if first.direction >= 0, last.direction <= 4 { return merge(stretch) }
    let cut = first.direction < 0 ? 0.0 : 4.0
    guard first.direction > cut - 4, last.direction < cut + 4 else { return false }
    let after = stretch.firstIndex { $0.direction > cut } ?? stretch.endIndex
    var (low, high) = (stretch[..<after], stretch[after...])
    if let end = low.last, let begin = high.first {
      guard let middle = Self.crossing(end.place, begin.place, Point(x: 0, y: 0), farthest) else { return false }
      low.append(Vertex(place: middle, direction: cut))
      high.insert(Vertex(place: middle, direction: cut), at: high.startIndex)
    }
    let (inside, outside) = cut == 0 ? (high, low) : (low, high)
    others.append(outside.map { Vertex(place: $0.place, direction: $0.direction + (cut == 0 ? 4 : -4)) })
    return inside.count < 2 || merge(inside)
  }

  /// Merges a stretch into the outline: what of the two is farther away. Where one of them begins or ends in sight, the
  /// outline steps nearer or farther in that direction, until another stretch hides the step. False: there is a gap.
  private mutating func merge(_ stretch: ArraySlice<Vertex>) -> Bool {
    guard let first = stretch.first, stretch.count > 1 else { return true }
    guard let end = outline.last else {
      outline += stretch
      return first.direction == 0
    }
    guard first.direction < end.direction else { return false }
    var i = outline.count &- 2
    while i > 0, outline[i].direction > first.direction { i &-= 1 }
    let kept = i &+ 1
    var j = stretch.startIndex
    merged.removeAll(keepingCapacity: true)
    var isFarther = Self.turn(outline[i], outline[kept], first) < 0
    if isFarther {
      guard step(to: first, along: outline[i], outline[kept]) else { return false }
      merged.append(first)
    }
    // Looks at each vertex of both, in the order of directions.
    while true {
      let (vertex, other) = (outline[i &+ 1], stretch[j &+ 1])
      let isOwn = vertex.direction <= other.direction
      let isFartherNow = isOwn ? Self.turn(stretch[j], other, vertex) > 0 : Self.turn(outline[i], vertex, other) < 0
      if isFartherNow != isFarther {
        guard cross(outline[i], vertex, stretch[j], other) else { return false }
        isFarther = isFartherNow
      }
      if isOwn {
        if !isFarther { merged.append(vertex) }
        i &+= 1
        guard i == outline.count &- 1 else { continue }
        if !isFarther, other.direction > vertex.direction {
          guard step(to: vertex, along: stretch[j], other) else { return false }
          isFarther = true
        }
        if isFarther || j < stretch.endIndex &- 2 { merged += stretch[(j &+ 1)...] }
        break
      }
      if isFarther { merged.append(other) }
      j &+= 1
      guard j == stretch.endIndex &- 1 else { continue }
      if isFarther {
        guard step(to: other, along: outline[i], vertex) else { return false }
      }
      break
    }
    outline.replaceSubrange(kept..<(i &+ 1), with: merged)
    return true
  }

  /// Appends the point of an edge in the direction of a vertex. False: that is nowhere.
  private mutating func step(to vertex: Vertex, along a: Vertex, _ b: Vertex) -> Bool {
    guard let place = Self.crossing(a.place, b.place, Point(x: 0, y: 0), vertex.place) else { return false }
    merged.append(Vertex(place: place, direction: vertex.direction))
    return true
  }

  /// Appends where two edges cross. False: they are parallel.
  private mutating func cross(_ a: Vertex, _ b: Vertex, _ c: Vertex, _ d: Vertex) -> Bool {
    guard let place = Self.crossing(a.place, b.place, c.place, d.place) else { return false }
    let low = max(a.direction, c.direction)
    let direction = low + Self.change(from: low, to: place.direction - zero)
    merged.append(Vertex(place: place, direction: min(max(low, direction), b.direction, d.direction)))
    return true
  }

  /// Above 0: `c` lies to the left of the edge from `a` to `b`, nearer to the eye.
  @inline(__always)
  private static func turn(_ a: Vertex, _ b: Vertex, _ c: Vertex) -> Double {
    (b.place.x - a.place.x) * (c.place.y - a.place.y) - (b.place.y - a.place.y) * (c.place.x - a.place.x)
  }

  /// Where two edges cross, to within rounding; nil if they are parallel.
  private static func crossing(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Point? {
    let (x, y) = (b.x - a.x, b.y - a.y)
    let parallel = x * (d.y - c.y) - y * (d.x - c.x)
    let share = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / parallel
    guard share.isFinite else { return nil }
    let within = min(1, max(0, share))
    return Point(x: a.x + within * x, y: a.y + within * y)
  }
}

extension Point {
  fileprivate var square: Double { x * x + y * y }

  /// From the origin, 0 to 4, in the order of angles: along the square that stands on a corner.
  fileprivate var direction: Double {
    let share = y / (x.magnitude + y.magnitude)
    if x < 0 { return 2 - share }
    return share < 0 ? share + 4 : share
  }
}
