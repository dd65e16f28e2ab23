import AlidadeBase
import AlidadeCoordinates

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
    byPrevious = try HeapArray(count: found.arcs.buffer.count)
    let arcs = found.arcs.buffer
    for index in arcs.indices { byPrevious.buffer[index] = Int32(truncatingIfNeeded: index) }
    for circle in grid.discs.indices {
      let range = found.offsets.buffer[circle]..<found.offsets.buffer[circle &+ 1]
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
    var (low, high) = (found.offsets.buffer[circle], found.offsets.buffer[circle &+ 1])
    while low < high {
      let middle = (low &+ high) / 2
      if found.arcs.buffer[Int(truncatingIfNeeded: byPrevious.buffer[middle])].previous < arc.circle {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    guard low < found.offsets.buffer[circle &+ 1] else { throw Self.contradiction }
    let index = Int(truncatingIfNeeded: byPrevious.buffer[low])
    guard found.arcs.buffer[index].previous == arc.circle else { throw Self.contradiction }
    return index
  }

  func boundary(
    _ centres: UnsafeBufferPointer<Point>, _ radii: UnsafeBufferPointer<Double>, scale: Double
  ) throws(EngineError) -> CircleBoundary {
    let arcs = found.arcs.buffer
    let order = try HeapArray<Int32>(count: arcs.count)
    let isTaken = try HeapArray<Bool>(count: arcs.count)
    isTaken.buffer.update(repeating: false)
    let rings = try GrowingBuffer<Ring>()
    var count = 0
    let circles = try circlesInInputOrder(centres.count)
    defer { withExtendedLifetime(circles) {} }
    for circle in circles.buffer {
      for first in found.offsets.buffer[
        Int(truncatingIfNeeded: circle)]..<found.offsets.buffer[Int(truncatingIfNeeded: circle) &+ 1]
      where !isTaken.buffer[first] {
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

  /// The kept circles by their place in the input: so the result's order does not hang on the grid.
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
        let arc = found.arcs.buffer[Int(truncatingIfNeeded: order.buffer[rings[index].firstArc &+ offset])]
        let input = grid.discs[Int(truncatingIfNeeded: arc.circle)].index
        arcs.buffer[place] = CircleArc(
          circle: input, centre: centres[Int(truncatingIfNeeded: input)],
          radius: radii.count == 1 ? radii[0] : radii[Int(truncatingIfNeeded: input)],
          fromAngle: arc.angle, toAngle: arc.angle + arc.sweep,
          start: Point(x: arc.start.x / scale, y: arc.start.y / scale),
          isClose: found.isClose.buffer[Int(truncatingIfNeeded: arc.circle)])
        place &+= 1
      }
    }
    ringOffsets.buffer[rings.count] = place
    return CircleBoundary(arcs, ringOffsets, polygonOffsets)
  }

  private static let contradiction = EngineError(
    .internal, "Arcs of circles do not join to rings. This is an error of the library's.")
}
