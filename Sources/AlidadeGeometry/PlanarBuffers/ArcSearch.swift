import AlidadeBase
import AlidadeCoordinates
import Glibc
import Synchronization

/// An arc of the boundary, as it is found.
struct FoundArc {
  var circle: Int32
  /// The circle that it comes from and the one that it goes to; -1 for a whole circle.
  var previous: Int32
  var next: Int32
  /// The direction of its begin, radians, and how far it goes counterclockwise.
  var angle: Double
  var sweep: Double
  /// The start of the arc; the previous circle ends at exactly this point.
  var start: Point
}

/// A point where a circle comes out from under others or goes in.
struct ArcEnd {
  var direction: Double
  var error: Double
  /// The number of the crossing in the circle's list.
  var crossing: Int
  /// Whether an arc begins here, and not ends.
  var isBegin: Bool
}

/// Finds the arcs of one circle after the other.
final class ArcSearch {
  let grid: DiscGrid
  let pairs: CrossLevelPairs
  let lattice: CircleLattice
  let components: DisjointSets
  private let crossings: GrowingBuffer<Crossing>
  private let ends: GrowingBuffer<ArcEnd>
  private let coverage: Coverage
  /// What the gaps of the circle's first crossings lie in.
  private let gapReaches: GrowingBuffer<Disc>

  init(
    _ grid: DiscGrid, _ pairs: CrossLevelPairs, _ lattice: CircleLattice, _ components: DisjointSets
  ) throws(EngineError) {
    self.grid = grid
    self.pairs = pairs
    self.lattice = lattice
    self.components = components
    crossings = try GrowingBuffer(capacity: 64)
    ends = try GrowingBuffer(capacity: 64)
    coverage = try Coverage()
    gapReaches = try GrowingBuffer()
  }

  /// Adds the arcs of a circle of a level, counterclockwise, and of a circle that has any the directions in which it
  /// comes close to touching others, in radians, sorted.
  func addArcs(
    of index: Int, in level: DiscGrid.Level, to arcs: GrowingBuffer<FoundArc>, touches: GrowingBuffer<Double>
  ) throws(EngineError) {
    let (arcsBefore, touchesBefore) = (arcs.count, touches.count)
    try findCrossings(of: index, in: level, touches)
    let circle = Int32(truncatingIfNeeded: index)
    if crossings.count == 0 {
      let disc = grid.discs[index]
      let start = Point(x: disc.x + disc.radius, y: disc.y)
      try arcs.append(FoundArc(circle: circle, previous: -1, next: -1, angle: 0, sweep: 2 * .pi, start: start))
    } else if try coverCompletely() == false {
      try findEnds(of: index)
      // A circle that crosses others and has no ends is covered all round.
      if ends.count > 0 {
        sortEnds(of: index)
        try addArcs(between: index, to: arcs)
      }
    }
    if arcs.count == arcsBefore {
      touches.truncate(to: touchesBefore)
    } else {
      var own = touches.filled[touchesBefore...]
      own.sort()
    }
  }

  /// Finds the gaps that the crossings leave. Whether there are none.
  private func coverCompletely() throws(EngineError) -> Bool {
    coverage.removeAll()
    for crossing in crossings.filled { try coverage.add(crossing) }
    return try coverage.isComplete()
  }

  private func findCrossings(
    of index: Int, in level: DiscGrid.Level, _ touches: GrowingBuffer<Double>
  ) throws(EngineError) {
    crossings.removeAll()
    let discs = grid.discs
    let disc = discs[index]
    if let partners = pairs.partners(of: index) {
      for place in partners {
        let place = Int(truncatingIfNeeded: place)
        if try isCrossing(disc, index, discs[place], place, touches) { try addCrossing(of: disc, with: place) }
      }
    }
    var count = 0
    try grid.forEachRange(around: disc, in: level) { (range) in count &+= range.count }
    if count > 3 &* DiscBlock.size { return try findCrossingsAmongMany(of: index, in: level, touches) }
    try grid.forEachRange(around: disc, in: level) { (range) throws(EngineError) in
      for place in range where place != index {
        if try isCrossing(disc, index, discs[place], place, touches) { try addCrossing(of: disc, with: place) }
      }
    }
  }

  /// Finds the crossings that matter: first those with circles next to it in the grid's order, then those with what
  /// reaches the gaps that they leave. Which circles hang together is noted of all.
  private func findCrossingsAmongMany(
    of index: Int, in level: DiscGrid.Level, _ touches: GrowingBuffer<Double>
  ) throws(EngineError) {
    let discs = grid.discs
    let disc = discs[index]
    let near = max(level.range.lowerBound, index &- 8)..<min(level.range.upperBound, index &+ 9)
    for place in near where place != index {
      if try isCrossing(disc, index, discs[place], place, touches) { try addCrossing(of: disc, with: place) }
    }
    try findGapReaches(of: disc)
    try grid.forEachRange(around: disc, in: level) { (range) throws(EngineError) in
      for number in grid.blocks(of: range) {
        let block = grid.blocks[number]
        let (most, least) = (disc.radius + block.largestRadius, disc.radius + block.smallestRadius)
        if block.squareFrom(disc.x, disc.y) > most * most * (1 + 2.1 * Disc.closeness) { continue }
        if block.hangsTogether, !reachesGap(block),
          block.farthestSquareFrom(disc.x, disc.y) < least * least * (1 - 2.1 * Disc.closeness)
        {
          components.join(
            Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: number &* DiscBlock.size))
          continue
        }
        for place in grid.positions(of: number, in: range) where place != index && !near.contains(place) {
          let other = discs[place]
          if try isCrossing(disc, index, other, place, touches), reachesGap(other) {
            try addCrossing(of: disc, with: place)
          }
        }
      }
    }
  }

  /// Encloses the gaps that the crossings leave by discs, a bit larger.
  private func findGapReaches(of disc: Disc) throws(EngineError) {
    gapReaches.removeAll()
    if try coverCompletely() { return }
    // As far as ends of crossings may be wrong, and coordinates of the gaps.
    let pad = 1e-6 * disc.radius + 4 * max(abs(disc.x), abs(disc.y)).ulp
    for gap in coverage.gaps.filled {
      let middle = UnitVector(pseudoAngle: 0.5 * (gap.from + gap.to))
      let end = UnitVector(pseudoAngle: gap.from)
      let other = UnitVector(pseudoAngle: gap.to)
      let square = max(middle.squareFrom(end), middle.squareFrom(other))
      try gapReaches.append(
        Disc(
          x: disc.x + disc.radius * middle.cosine, y: disc.y + disc.radius * middle.sine,
          radius: disc.radius * square.squareRoot() + pad, index: 0))
    }
  }

  @inline(__always)
  private func reachesGap(_ disc: Disc) -> Bool {
    for gap in gapReaches.filled {
      let (dx, dy, reach) = (disc.x - gap.x, disc.y - gap.y, disc.radius + gap.radius)
      if dx * dx + dy * dy <= reach * reach { return true }
    }
    return false
  }

  @inline(__always)
  private func reachesGap(_ block: DiscBlock) -> Bool {
    for gap in gapReaches.filled {
      let reach = block.largestRadius + gap.radius
      if block.squareFrom(gap.x, gap.y) <= reach * reach { return true }
    }
    return false
  }

  /// Whether two circles cross. Notes that they hang together, or where they come close to touching.
  @inline(__always)
  private func isCrossing(
    _ disc: Disc, _ index: Int, _ other: Disc, _ place: Int, _ touches: GrowingBuffer<Double>
  ) throws(EngineError) -> Bool {
    let (ax, ay) = (other.x - disc.x, other.y - disc.y)
    let square = ax * ax + ay * ay
    let sum = disc.radius + other.radius
    let limit = sum * sum
    if square > limit * (1 + 2.1 * Disc.closeness) { return false }
    if square > limit * (1 - 2.1 * Disc.closeness) { try touches.append(atan2(ay, ax)) }
    if square > limit * (1 - 1e-13) {
      if square > limit * (1 + 1e-13) { return false }
      let isSmaller = disc.radius <= other.radius
      guard lattice.relation(isSmaller ? disc : other, isSmaller ? other : disc) == .crossing else { return false }
    }
    if place < index { components.join(Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: place)) }
    return true
  }

  @inline(__always)
  private func addCrossing(of disc: Disc, with place: Int) throws(EngineError) {
    let other = grid.discs[place]
    let (ax, ay) = (other.x - disc.x, other.y - disc.y)
    try crossings.append(
      Crossing(
        of: disc, with: other, at: Int32(truncatingIfNeeded: place), ax: ax, ay: ay,
        distance: (ax * ax + ay * ay).squareRoot()))
  }

  /// Finds those ends of the covered parts that no other circle covers.
  private func findEnds(of index: Int) throws(EngineError) {
    ends.removeAll()
    for (number, crossing) in crossings.filled.enumerated() {
      for isBegin in [false, true] {
        let direction = isBegin ? crossing.end : crossing.start
        guard isInGap(direction, crossing.error) else { continue }
        if !isCovered(index, number, direction, isBegin) {
          try ends.append(
            ArcEnd(direction: direction, error: crossing.error, crossing: number, isBegin: isBegin))
        }
      }
    }
  }

  @inline(__always)
  private func isInGap(_ direction: Double, _ error: Double) -> Bool {
    for gap in coverage.gaps.filled {
      if direction + error >= gap.from, direction - error <= gap.to { return true }
      if direction + error >= gap.from + 4 || direction - error <= gap.to - 4 { return true }
    }
    return false
  }

  private func isCovered(_ index: Int, _ number: Int, _ direction: Double, _ isBegin: Bool) -> Bool {
    let own = crossings.values[number]
    var isDoubtful = false
    for (place, crossing) in crossings.filled.enumerated() where place != number {
      switch crossing.covers(direction, own.error) {
      case true?: return true
      case false?: break
      case nil: isDoubtful = true
      }
    }
    guard isDoubtful else { return false }
    let i = Int32(truncatingIfNeeded: index)
    for (place, crossing) in crossings.filled.enumerated()
    where place != number && crossing.covers(direction, own.error) == nil {
      let isInside = lattice.isCrossing(
        of: grid.discs[index], grid.discs[Int(truncatingIfNeeded: own.other)], side: isBegin ? 1 : -1,
        inside: grid.discs[Int(truncatingIfNeeded: crossing.other)], ranks: (i, own.other, crossing.other))
      if isInside { return true }
    }
    return false
  }

  /// Brings the ends into their order round the circle. The first is one after a gap.
  private func sortEnds(of index: Int) {
    var list = ends.filled
    list.sort { $0.direction < $1.direction }
    // From the widest gap on, so that no two ends that are hard to distinguish are at both ends of the list.
    var widest = list[0].direction + 4 - list[list.count &- 1].direction
    var first = 0
    for place in list.indices.dropFirst() {
      let gap = list[place].direction - list[place &- 1].direction
      if gap > widest { (widest, first) = (gap, place) }
    }
    for place in 0..<first { list[place].direction += 4 }
    list[..<first].reverse()
    list[first...].reverse()
    list.reverse()
    // Ends that doubles cannot distinguish.
    for place in list.indices.dropFirst() {
      var lower = place
      while lower > 0, list[lower].direction - list[lower &- 1].direction <= list[lower].error + list[lower &- 1].error,
        precedes(list[lower], list[lower &- 1], on: index)
      {
        list.swapAt(lower, lower &- 1)
        // The order is what is known; directions must not contradict it further down.
        let direction = list[lower].direction
        list[lower].direction = list[lower &- 1].direction
        list[lower &- 1].direction = direction
        lower &-= 1
      }
    }
  }

  /// Which of two ends comes first, if doubles cannot distinguish them.
  ///
  /// Both are outside of all other circles, also of each other's. So where one ends a covered part and the other begins
  /// one, the first comes first, unless both parts are tiny. Then the parts lie in the order of their middles, which
  /// are the directions of the centres.
  private func precedes(_ a: ArcEnd, _ b: ArcEnd, on index: Int) -> Bool {
    let (own, other) = (crossings.values[a.crossing], crossings.values[b.crossing])
    let (isSmall, isOtherSmall) = (own.length < 1, other.length < 1)
    if isSmall && isOtherSmall {
      if a.crossing == b.crossing { return !a.isBegin && b.isBegin }
      let turn = lattice.turn(
        grid.discs[index], grid.discs[Int(truncatingIfNeeded: own.other)],
        grid.discs[Int(truncatingIfNeeded: other.other)])
      return turn != 0 ? turn > 0 : !a.isBegin && b.isBegin
    }
    if isSmall { return !b.isBegin }
    if isOtherSmall { return a.isBegin }
    return a.isBegin && !b.isBegin
  }

  private func addArcs(between index: Int, to arcs: GrowingBuffer<FoundArc>) throws(EngineError) {
    let list = ends.filled
    let disc = grid.discs[index]
    let begin = list[0].isBegin ? 0 : 1
    guard list.count % 2 == 0 else { throw Self.contradiction }
    for number in 0..<(list.count / 2) {
      let from = list[(begin &+ 2 &* number) % list.count]
      let place = (begin &+ 2 &* number &+ 1) % list.count
      let to = list[place]
      guard from.isBegin, !to.isBegin else { throw Self.contradiction }
      let previous = crossings.values[from.crossing].other
      let next = crossings.values[to.crossing].other
      let start = disc.wayToCrossing(with: grid.discs[Int(truncatingIfNeeded: previous)], side: 1)
      let end = disc.wayToCrossing(with: grid.discs[Int(truncatingIfNeeded: next)], side: -1)
      let angle = atan2(start.y, start.x)
      var sweep = atan2(end.y, end.x) - angle
      if sweep < 0 { sweep += 2 * .pi }
      // The order of the ends distinguishes next to nothing from next to all.
      let wraps = place < (begin &+ 2 &* number) % list.count
      let turn = to.direction - from.direction + (wraps ? 4 : 0)
      if turn < 1, sweep > Double.pi { sweep = 0 }
      if turn > 3, sweep < Double.pi { sweep = 2 * .pi }
      try arcs.append(
        FoundArc(
          circle: Int32(truncatingIfNeeded: index), previous: previous, next: next, angle: angle, sweep: sweep,
          start: position(of: index, previous, start)))
    }
  }

  /// Where a circle leaves another one: the same to the last bit, whichever of the two asks.
  private func position(of index: Int, _ other: Int32, _ way: PreciseWay) -> Point {
    if index < Int(truncatingIfNeeded: other) { return way.end(from: grid.discs[index]) }
    let disc = grid.discs[Int(truncatingIfNeeded: other)]
    return disc.wayToCrossing(with: grid.discs[index], side: -1).end(from: disc)
  }

  private static let contradiction = EngineError(
    .internal, "The ends of arcs on a circle contradict each other. This is an error of the library's.")
}

extension Crossing {
  /// Whether a direction lies in the covered part; nil where doubles cannot decide.
  @inline(__always)
  func covers(_ direction: Double, _ otherError: Double) -> Bool? {
    let both = error + otherError
    var offset = direction - start
    if offset < 0 { offset += 4 }
    if offset > both, offset < length - both { return true }
    if offset > length + both, offset < 4 - both { return false }
    return nil
  }
}

/// Where a circle enters and leaves another one, followed counterclockwise.
///
/// Directions are pseudo-angles: 0 ..< 4, growing with the angle, right angles at whole numbers. They need no
/// trigonometry and never change faster than the angle in radians.
struct Crossing {
  /// The position of the other circle.
  var other: Int32
  /// Where the part inside the other circle begins.
  var start: Double
  /// Its length, 0 ... 4.
  var length: Double
  /// By how much start and end may each be wrong.
  var error: Double

  var end: Double {
    let end = start + length
    return end >= 4 ? end - 4 : end
  }

  /// For circles that cross, or may cross within the precision of doubles.
  @inline(__always)
  init(of i: Disc, with j: Disc, at other: Int32, ax: Double, ay: Double, distance d: Double) {
    self.other = other
    let ri = i.radius
    let difference = (ri - j.radius) * (ri + j.radius) / d
    let t = 0.5 * (d + difference)
    let square = (ri - t) * (ri + t)
    let h = square > 0 ? square.squareRoot() : 0
    // The cosine of half the part, t / ri, is wrong by this at most.
    let unit = 0x1p-53
    let delta = 8 * unit * (d + abs(difference)) / ri
    let sine = h / ri
    error = (sine * sine > 4 * delta ? 2 * delta / sine : 4 * delta.squareRoot()) + 32 * unit
    let (tx, ty, hx, hy) = (ax * t, ay * t, ax * h, ay * h)
    start = pseudoAngle(tx + hy, ty - hx)
    let end = pseudoAngle(tx - hy, ty + hx)
    length = end - start
    if length < 0 { length += 4 }
    // Parts next to nothing or next to all, whose ends rounding may have exchanged.
    if sine < 1e-6 {
      if t > 0, length > 2 { length = 0 }
      if t < 0, length < 2 { length = 4 }
    }
  }
}

extension UnitVector {
  /// The direction that a number in 0 ... 4 stands for.
  fileprivate init(pseudoAngle: Double) {
    let x = pseudoAngle <= 2 ? 1 - pseudoAngle : pseudoAngle - 3
    let y = (pseudoAngle <= 2 ? 1 : -1) * (1 - abs(x))
    let length = (x * x + y * y).squareRoot()
    self.init(cosine: x / length, sine: y / length)
  }

  fileprivate func squareFrom(_ other: UnitVector) -> Double {
    let (x, y) = (cosine - other.cosine, sine - other.sine)
    return x * x + y * y
  }
}

/// The direction of (x, y) as a number in 0 ..< 4.
@inline(__always)
func pseudoAngle(_ x: Double, _ y: Double) -> Double {
  let part = x / (abs(x) + abs(y))
  let value = y >= 0 ? 1 - part : 3 + part
  return value >= 4 ? 0 : value
}

/// The parts of a circle that are surely covered by others, and the gaps between them.
final class Coverage {
  /// Pieces from ... to, in 0 ... 4.
  let pieces: GrowingBuffer<(from: Double, to: Double)>
  /// What no piece covers, in order; a gap across 0 counts as two.
  let gaps: GrowingBuffer<(from: Double, to: Double)>

  init() throws(EngineError) {
    pieces = try GrowingBuffer(capacity: 64)
    gaps = try GrowingBuffer(capacity: 64)
  }

  func removeAll() { pieces.removeAll() }

  /// Adds what a crossing surely covers.
  @inline(__always)
  func add(_ crossing: Crossing) throws(EngineError) {
    let length = crossing.length - 2 * crossing.error
    guard length > 0 else { return }
    var from = crossing.start + crossing.error
    if from >= 4 { from -= 4 }
    let to = from + length
    if to <= 4 {
      try pieces.append((from, to))
    } else {
      try pieces.append((from, 4))
      try pieces.append((0, to - 4))
    }
  }

  /// Finds the gaps. Whether there are none.
  func isComplete() throws(EngineError) -> Bool {
    gaps.removeAll()
    var sorted = pieces.filled
    if sorted.count <= 64 {
      for index in sorted.indices.dropFirst() {
        let piece = sorted[index]
        var place = index
        while place > 0, sorted[place &- 1].from > piece.from {
          sorted[place] = sorted[place &- 1]
          place &-= 1
        }
        sorted[place] = piece
      }
    } else {
      sorted.sort { $0.from < $1.from }
    }
    var covered = 0.0
    for piece in sorted {
      if piece.from > covered { try gaps.append((covered, piece.from)) }
      covered = max(covered, piece.to)
    }
    if covered < 4 { try gaps.append((covered, 4)) }
    return gaps.count == 0
  }
}

/// Sets that are joined by many threads at once. The smallest member stands for each set, whoever joined first.
///
/// Right to share: all is atomic.
final class DisjointSets: @unchecked Sendable {
  private let parents: UnsafeMutablePointer<Atomic<Int32>>
  private let memory: HeapArray<Int32>

  init(count: Int) throws(EngineError) {
    memory = try HeapArray(count: count)
    for index in 0..<count { memory.buffer[index] = Int32(truncatingIfNeeded: index) }
    guard let base = memory.buffer.baseAddress else { throw EngineError(.outOfMemory, "There is no memory.") }
    // An Atomic<Int32> has the layout of an Int32 and needs no initialising of its own.
    parents = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Atomic<Int32>.self)
  }

  func root(_ member: Int32) -> Int32 {
    var member = member
    while true {
      let parent = parents[Int(truncatingIfNeeded: member)].load(ordering: .relaxed)
      if parent == member { return member }
      let next = parents[Int(truncatingIfNeeded: parent)].load(ordering: .relaxed)
      // Halves the way for those who come later; if another thread was faster, so much the better.
      if next != parent {
        _ = parents[Int(truncatingIfNeeded: member)].weakCompareExchange(
          expected: parent, desired: next, ordering: .relaxed)
      }
      member = next
    }
  }

  func join(_ a: Int32, _ b: Int32) {
    var (a, b) = (root(a), root(b))
    while a != b {
      let (low, high) = (min(a, b), max(a, b))
      if parents[Int(truncatingIfNeeded: high)].compareExchange(expected: high, desired: low, ordering: .relaxed)
        .exchanged
      {
        return
      }
      (a, b) = (root(low), root(high))
    }
  }
}
