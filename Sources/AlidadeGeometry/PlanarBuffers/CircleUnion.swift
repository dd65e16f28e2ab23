import AlidadeBase
import AlidadeCoordinates

/// The union of circles.
///
/// For each circle, what the others cover of it is found as intervals of directions; what is left over are the arcs of
/// the boundary, joined to rings where two circles meet. Doubles decide where they surely can, integers of many words
/// everywhere else (`CircleLattice`), so rings always close, however many circles meet in one place.
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
    return CircleBoundary(try HeapArray(count: 0), rings, polygons)
  }

  /// Checks the input and brings it onto a lattice, its largest number to about 1: so no square overflows.
  ///
  /// - Returns: the circles but those of radius 0, times `scale`, a power of two.
  private static func input(
    _ centres: UnsafeBufferPointer<Point>, _ radii: UnsafeBufferPointer<Double>
  ) throws(EngineError) -> (GrowingBuffer<Disc>, CircleLattice, scale: Double) {
    guard centres.count < Int(truncatingIfNeeded: Int32.max) else {
      throw EngineError(.limitExceeded, "\(centres.count) circles are more than one union takes.", argument: 1)
    }
    guard radii.count == centres.count || radii.count == 1 else {
      throw EngineError(
        .invalidArgument, "There are \(centres.count) centres and \(radii.count) radii; give one each, or one for all.",
        argument: 2)
    }
    var top = -1100
    for (index, centre) in centres.enumerated() {
      let radius = radii.count == 1 ? radii[0] : radii[index]
      guard centre.isFinite else {
        throw EngineError(
          .invalidArgument, "The centre of circle \(index) is (\(centre.x), \(centre.y)), not a place.", argument: 1)
      }
      guard radius.isFinite, radius >= 0 else {
        throw EngineError(
          .invalidArgument, "The radius of circle \(index) is \(radius); give 0 or a finite positive number.",
          argument: 2)
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
          + "2^-\(largestExponent).", argument: 1)
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
            + "Compute with circles of so different sizes apart.", argument: 2)
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
    let isClose = try HeapArray<Bool>(count: grid.discs.count)
    let counts = try HeapArray<Int>(count: grid.discs.count &+ 1)
    let chunk = 256
    var parts: [(level: DiscGrid.Level, range: Range<Int>)] = []
    for level in grid.levels {
      for first in stride(from: level.range.lowerBound, to: level.range.upperBound, by: chunk) {
        parts.append((level, first..<min(level.range.upperBound, first &+ chunk)))
      }
    }
    let tasks = parts
    let found = try tasks.map { _ throws(EngineError) in try GrowingBuffer<FoundArc>(capacity: 64) }
    try workers.forEach(tasks.count) { (part: Int) throws(EngineError) in
      let search = try ArcSearch(grid, pairs, lattice, components)
      let list = found[part]
      for index in tasks[part].range {
        let before = list.count
        isClose.buffer[index] = try search.addArcs(of: index, in: tasks[part].level, to: list)
        counts.buffer[index] = list.count &- before
      }
    }
    return try FoundArcs(found, counts: counts, isClose: isClose, components: components)
  }
}

/// The arcs of all circles, not joined yet.
///
/// Right to share: nothing changes after `init`.
final class FoundArcs: @unchecked Sendable {
  let arcs: HeapArray<FoundArc>
  /// Where each circle's arcs begin, and the end of the last one's.
  let offsets: HeapArray<Int>
  /// Whether a circle comes close to touching another one.
  let isClose: HeapArray<Bool>
  let components: DisjointSets

  init(
    _ parts: [GrowingBuffer<FoundArc>], counts: HeapArray<Int>, isClose: HeapArray<Bool>, components: DisjointSets
  ) throws(EngineError) {
    arcs = try HeapArray(count: parts.reduce(0) { $0 &+ $1.count })
    guard arcs.buffer.count < Int(truncatingIfNeeded: Int32.max) else {
      throw EngineError(.limitExceeded, "The boundary has \(arcs.buffer.count) arcs, more than a union takes.")
    }
    var place = 0
    for part in parts {
      for arc in part.filled {
        arcs.buffer[place] = arc
        place &+= 1
      }
    }
    var total = 0
    for index in counts.buffer.indices {
      let count = index &+ 1 < counts.buffer.count ? counts.buffer[index] : 0
      counts.buffer[index] = total
      total &+= count
    }
    offsets = counts
    self.isClose = isClose
    self.components = components
  }
}
