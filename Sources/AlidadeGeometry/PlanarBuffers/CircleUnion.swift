import AlidadeBase
import AlidadeCoordinates

/// The union of circles.
///
/// For each circle, what the others cover of it is found as intervals of directions; what is left over are the arcs of
/// the boundary, joined to rings where two circles meet. Doubles decide where they surely can, integers of many words
/// everywhere else (`CircleLattice`), so rings always close, however many circles meet at one point.
public enum CircleUnion {
  /// The smallest circle's radius may be this power of two of the largest number in the input.
  private static let range = 100
  /// Areas of what is larger, or all smaller, would be beyond doubles.
  private static let largestExponent = 300

  /// The exact boundary of a union.
  ///
  /// - Parameters:
  ///   - radii: one for each centre, or one for all. A circle of radius 0 adds nothing.
  public static func boundary(
    centres: UnsafeBufferPointer<Point>, radii: UnsafeBufferPointer<Double>, workers: Workers
  ) throws(EngineError) -> CircleBoundary {
    let (discs, lattice, scale) = try input(centres, radii)
    guard discs.count > 0 else { return try empty() }
    defer { withExtendedLifetime(discs) {} }
    let grid = try CirclePruning(workers: workers, lattice: lattice).pruned(discs.filled)
    let found = try arcs(grid, lattice, workers)
    return try RingAssembly(grid, found).boundary(centres, radii, scale: scale)
  }

  private static func empty() throws(EngineError) -> CircleBoundary {
    let rings = try HeapArray<Int>(count: 1)
    let polygons = try HeapArray<Int>(count: 1)
    rings.buffer[0] = 0
    polygons.buffer[0] = 0
    let touches = try PerCircle<Double>([], counts: try HeapArray(count: 1, repeating: 0))
    return CircleBoundary(try HeapArray(count: 0), rings, polygons, touches)
  }

  /// Checks the input and brings it onto a lattice, its largest number to about 1: so no square overflows.
  ///
  /// - Returns: the circles except circles of radius 0, times `scale`, a power of two.
  private static func input(
    _ centres: UnsafeBufferPointer<Point>, _ radii: UnsafeBufferPointer<Double>
  ) throws(EngineError) -> (GrowingBuffer<Disc>, CircleLattice, scale: Double) {
    guard centres.count < Int(truncatingIfNeeded: Int32.max) else {
      throw EngineError(.limitExceeded, "\(centres.count) circles are more than one union takes.", parameter: "centres")
    }
    guard radii.count == centres.count || radii.count == 1 else {
      throw EngineError(
        .invalidArgument, "There are \(centres.count) centres and \(radii.count) radii; give one each, or one for all.",
        parameter: "radii")
    }
    var top = -1100
    for (index, centre) in centres.enumerated() {
      let radius = radii.count == 1 ? radii[0] : radii[index]
      guard centre.isFinite else {
        throw EngineError(
          .invalidArgument, "The centre of circle \(index) is (\(centre.x), \(centre.y)), which is not a point.",
          parameter: "centres")
      }
      guard radius.isFinite, radius >= 0 else {
        throw EngineError(
          .invalidArgument, "The radius of circle \(index) is \(radius); give 0 or a finite positive number.",
          parameter: "radii")
      }
      if radius > 0 {
        let largest = max(abs(centre.x), abs(centre.y), radius)
        top = max(top, Int(truncatingIfNeeded: largest.exponent))
      }
    }
    guard top <= largestExponent, top >= 0 &- largestExponent || top == -1100 else {
      throw EngineError(
        .invalidArgument,
        "The largest coordinate or radius is about 2^\(top); unions are computed up to 2^\(largestExponent), and down to "
          + "2^-\(largestExponent).", parameter: "centres")
    }
    return try discs(centres, radii, top: top)
  }

  private static func discs(
    _ centres: UnsafeBufferPointer<Point>, _ radii: UnsafeBufferPointer<Double>, top: Int
  ) throws(EngineError) -> (GrowingBuffer<Disc>, CircleLattice, scale: Double) {
    let isTame = abs(top) <= 100
    let scale = isTame ? 1 : Double(sign: .plus, exponent: 0 &- top, significand: 1)
    let exponent = isTame ? top : 0
    // Only what is finer than the lattice can be is rounded.
    let bit = exponent &- 159
    let step = Double(sign: .plus, exponent: bit, significand: 1)
    var lowest = Int.max
    let discs = try GrowingBuffer<Disc>(capacity: centres.count)
    for (index, centre) in centres.enumerated() {
      let radius = radii.count == 1 ? radii[0] : radii[index]
      guard radius > 0 else { continue }
      guard Int(truncatingIfNeeded: radius.exponent) >= top &- range else {
        throw EngineError(
          .invalidArgument,
          "The radius of circle \(index), \(radius), is less than 2^-\(range) of the largest coordinate or radius. "
            + "Compute with circles of so different sizes apart.", parameter: "radii")
      }
      var disc = Disc(
        x: centre.x * scale, y: centre.y * scale, radius: radius * scale, index: Int32(truncatingIfNeeded: index))
      lowest = min(lowest, settle(&disc.x, bit, step), settle(&disc.y, bit, step), settle(&disc.radius, bit, step))
      try discs.append(disc)
    }
    return (discs, CircleLattice(lowestBit: lowest, exponent: exponent), scale)
  }

  /// Rounds a number to the lattice if it has finer bits. The exponent of its lowest bit.
  @inline(__always)
  private static func settle(_ value: inout Double, _ bit: Int, _ step: Double) -> Int {
    guard value != 0 else { return Int.max }
    let lowest = CircleLattice.lowestBit(value)
    if lowest >= bit { return lowest }
    value = (value / step).rounded() * step
    return value == 0 ? Int.max : CircleLattice.lowestBit(value)
  }

  /// The arcs of all circles, in the grid's order.
  private static func arcs(
    _ grid: DiscGrid, _ lattice: CircleLattice, _ workers: Workers
  ) throws(EngineError) -> FoundArcs {
    let pairs = try CrossLevelPairs(grid, workers: workers)
    let components = try DisjointSets(count: grid.discs.count)
    let chunk = 256
    let blockCount = grid.blocks.count
    try workers.forEach((blockCount &+ chunk &- 1) / chunk) { (part: Int) in
      for block in part &* chunk..<min(blockCount, (part &+ 1) &* chunk) where grid.blocks[block].hangsTogether {
        let positions = grid.positions(of: block, in: grid.discs.indices)
        for position in positions {
          components.join(Int32(truncatingIfNeeded: positions.lowerBound), Int32(truncatingIfNeeded: position))
        }
      }
    }
    var parts: [(level: DiscGrid.Level, range: Range<Int>)] = []
    for level in grid.levels {
      for first in stride(from: level.range.lowerBound, to: level.range.upperBound, by: chunk) {
        parts.append((level, first..<min(level.range.upperBound, first &+ chunk)))
      }
    }
    let tasks = parts
    let arcs = try tasks.map { _ throws(EngineError) in try GrowingBuffer<FoundArc>(capacity: 64) }
    let touches = try tasks.map { _ throws(EngineError) in try GrowingBuffer<Double>() }
    let arcCounts = try HeapArray<Int>(count: grid.discs.count &+ 1, repeating: 0)
    let touchCounts = try HeapArray<Int>(count: grid.discs.count &+ 1, repeating: 0)
    try workers.forEach(tasks.count) { (part: Int) throws(EngineError) in
      let search = try ArcSearch(grid, pairs, lattice, components)
      let (arcs, touches) = (arcs[part], touches[part])
      for index in tasks[part].range {
        let before = (arcs.count, touches.count)
        try search.addArcs(of: index, in: tasks[part].level, to: arcs, touches: touches)
        arcCounts.buffer[index] = arcs.count &- before.0
        touchCounts.buffer[index] = touches.count &- before.1
      }
    }
    return FoundArcs(
      arcs: try PerCircle(arcs, counts: arcCounts), touches: try PerCircle(touches, counts: touchCounts),
      components: components)
  }
}

/// Values of circles, a number of them for each.
///
/// Right to share: nothing changes after `init`.
final class PerCircle<Value>: @unchecked Sendable {
  private let memory: HeapArray<Value>
  /// Where each circle's values begin, and the end of the last one's.
  private let offsets: HeapArray<Int>
  var values: UnsafeMutableBufferPointer<Value> { memory.buffer }

  /// - Parameters:
  ///   - parts: the values in the circles' order.
  ///   - counts: how many there are for each circle, and a 0; turned into the offsets.
  init(_ parts: [GrowingBuffer<Value>], counts: HeapArray<Int>) throws(EngineError) {
    memory = try HeapArray(count: parts.reduce(0) { $0 &+ $1.count })
    guard memory.buffer.count < Int(truncatingIfNeeded: Int32.max) else {
      throw EngineError(
        .limitExceeded, "The boundary has \(memory.buffer.count) arcs or touching points, more than a union takes.")
    }
    var place = 0
    for part in parts {
      for value in part.filled {
        memory.buffer[place] = value
        place &+= 1
      }
    }
    var total = 0
    for index in counts.buffer.indices {
      let count = counts.buffer[index]
      counts.buffer[index] = total
      total &+= count
    }
    offsets = counts
  }

  @inline(__always)
  func range(of circle: Int) -> Range<Int> { offsets.buffer[circle]..<offsets.buffer[circle &+ 1] }
}

/// The arcs of all circles, not joined yet.
struct FoundArcs: Sendable {
  let arcs: PerCircle<FoundArc>
  /// In which directions a circle that has arcs comes close to touching others, in radians, sorted.
  let touches: PerCircle<Double>
  let components: DisjointSets
}

/// An arc of the boundary of a union of circles, counterclockwise round its circle: the union lies to its left.
public struct CircleArc: Sendable {
  /// The circle's index in the input.
  public var circle: Int32
  public var centre: Point
  public var radius: Double
  /// Where it begins, in radians counterclockwise from east, -pi ... pi.
  public var fromAngle: Double
  /// Where it ends: `fromAngle` ... `fromAngle` + 2 pi. A whole circle goes from 0 to 2 pi.
  public var toAngle: Double
  /// Its first point. The arc before it in its ring ends at exactly this point.
  public var start: Point
  /// The positions of its circle's touching points in the boundary's touches.
  var touches: Range<Int32>
}

/// The exact boundary of a union of circles: polygons whose rings are made of arcs.
///
/// Outer rings go counterclockwise, holes clockwise (along arcs that each go counterclockwise round their circle).
/// Circles that touch from outside in one point count as apart. Polygons come in the order of the first circle that
/// shows in one of their rings; so do the holes of each.
///
/// Right to share: nothing changes once it is built.
public final class CircleBoundary: @unchecked Sendable {
  /// The arcs, ring by ring.
  public let arcs: UnsafeBufferPointer<CircleArc>
  /// Where each ring begins in `arcs`, and the end of the last one.
  public let ringOffsets: UnsafeBufferPointer<Int>
  /// Where each polygon begins in the rings, its outer ring first, then its holes; and the end of the last one.
  public let polygonOffsets: UnsafeBufferPointer<Int>
  /// In which directions circles come close to touching others, so that doubles may not hold what keeps them apart; in
  /// radians, sorted for each circle.
  let touches: UnsafeMutableBufferPointer<Double>
  private let memory: (HeapArray<CircleArc>, HeapArray<Int>, HeapArray<Int>, PerCircle<Double>)

  public var polygonCount: Int { polygonOffsets.count &- 1 }
  public var ringCount: Int { ringOffsets.count &- 1 }

  init(
    _ arcs: HeapArray<CircleArc>, _ ringOffsets: HeapArray<Int>, _ polygonOffsets: HeapArray<Int>,
    _ touches: PerCircle<Double>
  ) {
    memory = (arcs, ringOffsets, polygonOffsets, touches)
    self.touches = touches.values
    self.arcs = UnsafeBufferPointer(arcs.buffer)
    self.ringOffsets = UnsafeBufferPointer(ringOffsets.buffer)
    self.polygonOffsets = UnsafeBufferPointer(polygonOffsets.buffer)
  }

  /// The area within the arcs, by Green's theorem.
  public var area: Double {
    var total = 0.0
    for polygon in 0..<polygonCount {
      let rings = polygonOffsets[polygon]..<polygonOffsets[polygon &+ 1]
      // From the polygon's first point: far from the origin, products of coordinates would drown the area.
      let origin = arcs[ringOffsets[rings.lowerBound]].start
      for arc in arcs[ringOffsets[rings.lowerBound]..<ringOffsets[rings.upperBound]] {
        let (x, y, r) = (arc.centre.x - origin.x, arc.centre.y - origin.y, arc.radius)
        let (from, to) = (UnitVector(arc.fromAngle), UnitVector(arc.toAngle))
        total +=
          0.5 * r * (r * (arc.toAngle - arc.fromAngle) + x * (to.sine - from.sine) - y * (to.cosine - from.cosine))
      }
    }
    return total
  }

  /// The length of all arcs.
  public var length: Double { arcs.reduce(0) { $0 + $1.radius * ($1.toAngle - $1.fromAngle) } }
}

/// Drops circles that add nothing to a union, so that the costly part has less to do.
///
/// What is dropped lies inside of circles that stay, so the union stays what it is.
struct CirclePruning {
  let workers: Workers
  let lattice: CircleLattice

  /// The number of circles that are compared with each other at a time.
  private static let groupSize = 40

  /// The circles that stay, sorted into cells.
  func pruned(_ input: UnsafeMutableBufferPointer<Disc>) throws(EngineError) -> DiscGrid {
    let sorted = try DiscGrid(input)
    let isKept = try HeapArray<Bool>(count: input.count)
    isKept.buffer.update(repeating: true)
    try dropCovered(in: sorted, isKept)
    let uncovered = try remaining(sorted, isKept)
    defer { withExtendedLifetime(uncovered) {} }
    let fewer = try DiscGrid(uncovered.buffer)
    isKept.buffer.update(repeating: true)
    try dropContained(in: fewer, isKept)
    let last = try remaining(fewer, isKept)
    defer { withExtendedLifetime(last) {} }
    return last.buffer.count == fewer.discs.count ? fewer : try DiscGrid(last.buffer)
  }

  private func remaining(_ grid: DiscGrid, _ isKept: HeapArray<Bool>) throws(EngineError) -> HeapArray<Disc> {
    var count = 0
    for index in grid.discs.indices where isKept.buffer[index] { count &+= 1 }
    let result = try HeapArray<Disc>(count: count)
    count = 0
    for index in grid.discs.indices where isKept.buffer[index] {
      result.buffer[count] = grid.discs[index]
      count &+= 1
    }
    return result
  }

  /// Drops circles that others of their cell cover. Covered circles are found in groups, then in groups of the
  /// remaining circles, and so on: a hundred thousand circles at one point take no longer than as many that are spread.
  private func dropCovered(in grid: DiscGrid, _ isKept: HeapArray<Bool>) throws(EngineError) {
    for level in grid.levels {
      let range = level.range
      let chunk = 2048
      try workers.forEach((range.count &+ chunk &- 1) / chunk) { (part: Int) throws(EngineError) in
        let keys = level.keys.buffer
        let coverage = try Coverage()
        let group = try GrowingBuffer<Int32>()
        // Cells that begin in this chunk.
        var place = part &* chunk
        let end = min(range.count, place &+ chunk)
        if place > 0 { while place < end, keys[place] == keys[place &- 1] { place &+= 1 } }
        while place < end {
          var next = place &+ 1
          while next < range.count, keys[next] == keys[place] { next &+= 1 }
          if next &- place >= 4 {
            group.removeAll()
            for index in place..<next { try group.append(Int32(truncatingIfNeeded: index &+ range.lowerBound)) }
            try thin(group, grid, isKept, coverage)
          }
          place = next
        }
      }
    }
  }

  private func thin(
    _ members: GrowingBuffer<Int32>, _ grid: DiscGrid, _ isKept: HeapArray<Bool>, _ coverage: Coverage
  ) throws(EngineError) {
    while true {
      let before = members.count
      var kept = 0
      var first = 0
      while first < before {
        let last = min(before, first &+ Self.groupSize)
        for place in first..<last where try isCovered(place, members, first..<last, grid, isKept, coverage) {
          isKept.buffer[Int(truncatingIfNeeded: members.values[place])] = false
        }
        for place in first..<last where isKept.buffer[Int(truncatingIfNeeded: members.values[place])] {
          members.values[kept] = members.values[place]
          kept &+= 1
        }
        first = last
      }
      members.truncate(to: kept)
      if before <= Self.groupSize || kept > before &- before / 8 { return }
    }
  }

  /// Whether others of a group surely cover a circle, both its edge and its inside.
  private func isCovered(
    _ place: Int, _ members: GrowingBuffer<Int32>, _ group: Range<Int>, _ grid: DiscGrid, _ isKept: HeapArray<Bool>,
    _ coverage: Coverage
  ) throws(EngineError) -> Bool {
    let disc = grid.discs[Int(truncatingIfNeeded: members.values[place])]
    coverage.removeAll()
    for index in group where index != place {
      let position = members.values[index]
      guard isKept.buffer[Int(truncatingIfNeeded: position)] else { continue }
      let other = grid.discs[Int(truncatingIfNeeded: position)]
      let (ax, ay) = (other.x - disc.x, other.y - disc.y)
      let square = ax * ax + ay * ay
      // Only circles that hold the centre count: with its edge, they cover all ways from the centre to the edge.
      guard square < other.radius * other.radius * (1 - 1e-12) else { continue }
      if square == 0, other.radius == disc.radius {
        if other.index < disc.index { return true }
        continue
      }
      let distance = square.squareRoot()
      let difference = other.radius - disc.radius
      if distance < difference * (1 - 1e-12) { return true }
      if distance > abs(difference) * (1 + 1e-12) {
        try coverage.add(Crossing(of: disc, with: other, at: position, ax: ax, ay: ay, distance: distance))
      }
    }
    return coverage.pieces.count > 1 ? try coverage.isComplete() : false
  }

  /// Drops circles that lie inside of another one, and all but the first of equal ones.
  private func dropContained(in grid: DiscGrid, _ isKept: HeapArray<Bool>) throws(EngineError) {
    for (number, level) in grid.levels.enumerated() {
      let chunk = 512
      try workers.forEach((level.range.count &+ chunk &- 1) / chunk) { (part: Int) throws(EngineError) in
        let discs = grid.discs
        let first = level.range.lowerBound &+ part &* chunk
        for index in first..<min(level.range.upperBound, first &+ chunk) {
          let disc = discs[index]
          var isContained = false
          for other in grid.levels[number...] where !isContained {
            try grid.forEachRange(around: disc, in: other) { (range) throws(EngineError) in
              for block in grid.blocks(of: range) where !isContained {
                let most = grid.blocks[block].largestRadius - disc.radius
                guard most >= 0, grid.blocks[block].squareFrom(disc.x, disc.y) <= most * most * (1 + 1e-13) else {
                  continue
                }
                for place in grid.positions(of: block, in: range) where place != index && contains(discs[place], disc) {
                  isContained = true
                  break
                }
              }
            }
          }
          if isContained { isKept.buffer[index] = false }
        }
      }
    }
  }

  @inline(__always)
  private func contains(_ large: Disc, _ small: Disc) -> Bool {
    let difference = large.radius - small.radius
    guard difference >= 0 else { return false }
    let (x, y) = (large.x - small.x, large.y - small.y)
    let square = x * x + y * y
    let limit = difference * difference
    if square > limit * (1 + 1e-13) { return false }
    if square < limit * (1 - 1e-13) { return true }
    return lattice.relation(small, large) == .inside && (difference > 0 || large.index < small.index)
  }
}

/// Joins arcs to rings, and rings to polygons.
struct RingAssembly {
  private let grid: DiscGrid
  private let found: FoundArcs
  /// Each circle's arcs, sorted by the circle that they come from.
  private let byPrevious: HeapArray<Int32>

  private struct Ring {
    var firstArc: Int
    var count: Int
    var isHole: Bool
    /// The one circle that stands for all that hang together with it.
    var component: Int32
  }

  init(_ grid: DiscGrid, _ found: FoundArcs) throws(EngineError) {
    self.grid = grid
    self.found = found
    byPrevious = try HeapArray(count: found.arcs.values.count)
    let arcs = found.arcs.values
    for index in arcs.indices { byPrevious.buffer[index] = Int32(truncatingIfNeeded: index) }
    for circle in grid.discs.indices {
      let range = found.arcs.range(of: circle)
      if range.count > 1 {
        byPrevious.buffer[range].sort {
          arcs[Int(truncatingIfNeeded: $0)].previous < arcs[Int(truncatingIfNeeded: $1)].previous
        }
      }
    }
  }

  /// The arc that goes on where another one ends.
  private func successor(of arc: FoundArc) throws(EngineError) -> Int {
    let circle = Int(truncatingIfNeeded: arc.next)
    let range = found.arcs.range(of: circle)
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low &+ high) / 2
      if found.arcs.values[Int(truncatingIfNeeded: byPrevious.buffer[middle])].previous < arc.circle {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    guard low < range.upperBound else { throw Self.contradiction }
    let index = Int(truncatingIfNeeded: byPrevious.buffer[low])
    guard found.arcs.values[index].previous == arc.circle else { throw Self.contradiction }
    return index
  }

  func boundary(
    _ centres: UnsafeBufferPointer<Point>, _ radii: UnsafeBufferPointer<Double>, scale: Double
  ) throws(EngineError) -> CircleBoundary {
    let arcs = found.arcs.values
    let order = try HeapArray<Int32>(count: arcs.count)
    let isTaken = try HeapArray<Bool>(count: arcs.count)
    isTaken.buffer.update(repeating: false)
    let rings = try GrowingBuffer<Ring>()
    var count = 0
    let circles = try circlesInInputOrder(centres.count)
    defer { withExtendedLifetime(circles) {} }
    for circle in circles.buffer {
      for first in found.arcs.range(of: Int(truncatingIfNeeded: circle)) where !isTaken.buffer[first] {
        let start = count
        var turn = 0.0
        var index = first
        repeat {
          guard !isTaken.buffer[index] else { throw Self.contradiction }
          isTaken.buffer[index] = true
          order.buffer[count] = Int32(truncatingIfNeeded: index)
          count &+= 1
          let arc = arcs[index]
          turn += arc.sweep
          if arc.next < 0 { break }
          index = try successor(of: arc)
          turn += Self.turn(from: arc, to: arcs[index])
        } while index != first
        try rings.append(
          Ring(
            firstArc: start, count: count &- start, isHole: turn < 0,
            component: found.components.root(arcs[first].circle)))
      }
    }
    return try polygons(rings.filled, order, centres, radii, scale)
  }

  /// The change of direction where one arc ends and the next begins: never to the left, -pi ... 0.
  ///
  /// Directions change by 2 pi round an outer ring and by -2 pi round a hole, whatever the size.
  private static func turn(from arc: FoundArc, to next: FoundArc) -> Double {
    let turn = (next.angle - arc.angle - arc.sweep).remainder(dividingBy: 2 * .pi)
    // Next to -pi the remainder may say pi.
    return turn > 1 ? turn - 2 * .pi : turn
  }

  /// The kept circles by their index in the input, so that the result's order does not depend on the grid.
  private func circlesInInputOrder(_ inputCount: Int) throws(EngineError) -> HeapArray<Int32> {
    let places = try HeapArray<Int32>(count: inputCount)
    places.buffer.update(repeating: -1)
    for (index, disc) in grid.discs.enumerated() {
      places.buffer[Int(truncatingIfNeeded: disc.index)] = Int32(truncatingIfNeeded: index)
    }
    let result = try HeapArray<Int32>(count: grid.discs.count)
    var count = 0
    for place in places.buffer where place >= 0 {
      result.buffer[count] = place
      count &+= 1
    }
    return result
  }

  /// Puts holes behind the outer ring that they lie in: that of the circles that hang together with theirs.
  private func polygons(
    _ rings: UnsafeMutableBufferPointer<Ring>, _ order: HeapArray<Int32>, _ centres: UnsafeBufferPointer<Point>,
    _ radii: UnsafeBufferPointer<Double>, _ scale: Double
  ) throws(EngineError) -> CircleBoundary {
    // A polygon's number, by its component; then how many rings each has, and where its next hole goes.
    let numbers = try HeapArray<Int32>(count: grid.discs.count)
    numbers.buffer.update(repeating: -1)
    var count = 0
    for ring in rings where numbers.buffer[Int(truncatingIfNeeded: ring.component)] < 0 {
      numbers.buffer[Int(truncatingIfNeeded: ring.component)] = Int32(truncatingIfNeeded: count)
      count &+= 1
    }
    let polygonOffsets = try HeapArray<Int>(count: count &+ 1)
    polygonOffsets.buffer.update(repeating: 0)
    for ring in rings {
      polygonOffsets.buffer[Int(truncatingIfNeeded: numbers.buffer[Int(truncatingIfNeeded: ring.component)]) &+ 1] &+= 1
    }
    for index in 0..<count { polygonOffsets.buffer[index &+ 1] &+= polygonOffsets.buffer[index] }
    let nextHole = try HeapArray<Int>(count: count)
    let places = try HeapArray<Int>(count: rings.count)
    places.buffer.update(repeating: -1)
    for index in 0..<count { nextHole.buffer[index] = polygonOffsets.buffer[index] &+ 1 }
    for (index, ring) in rings.enumerated() {
      let polygon = Int(truncatingIfNeeded: numbers.buffer[Int(truncatingIfNeeded: ring.component)])
      let place = ring.isHole ? nextHole.buffer[polygon] : polygonOffsets.buffer[polygon]
      guard place < polygonOffsets.buffer[polygon &+ 1], places.buffer[place] < 0 else { throw Self.contradiction }
      places.buffer[place] = index
      if ring.isHole { nextHole.buffer[polygon] = place &+ 1 }
    }
    let arcs = try HeapArray<CircleArc>(count: order.buffer.count)
    let ringOffsets = try HeapArray<Int>(count: rings.count &+ 1)
    var place = 0
    for (number, index) in places.buffer.enumerated() {
      ringOffsets.buffer[number] = place
      for offset in 0..<rings[index].count {
        let arc = found.arcs.values[Int(truncatingIfNeeded: order.buffer[rings[index].firstArc &+ offset])]
        let input = grid.discs[Int(truncatingIfNeeded: arc.circle)].index
        let touches = found.touches.range(of: Int(truncatingIfNeeded: arc.circle))
        arcs.buffer[place] = CircleArc(
          circle: input, centre: centres[Int(truncatingIfNeeded: input)],
          radius: radii.count == 1 ? radii[0] : radii[Int(truncatingIfNeeded: input)],
          fromAngle: arc.angle, toAngle: arc.angle + arc.sweep,
          start: Point(x: arc.start.x / scale, y: arc.start.y / scale),
          touches: Int32(truncatingIfNeeded: touches.lowerBound)..<Int32(truncatingIfNeeded: touches.upperBound))
        place &+= 1
      }
    }
    ringOffsets.buffer[rings.count] = place
    return CircleBoundary(arcs, ringOffsets, polygonOffsets, found.touches)
  }

  private static let contradiction = EngineError(
    .internal, "Arcs of circles do not join to rings. This is an error of the library's.")
}
