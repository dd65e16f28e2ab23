import AlidadeBase

/// Drops circles that add nothing to a union, so that the costly part has less to do.
///
/// What is dropped lies inside of circles that stay, so the union stays what it is.
struct CirclePruning {
  let workers: Workers
  let lattice: CircleLattice

  /// How many circles are held against each other at a time.
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

  /// Drops circles that others of their cell cover. Those are told in groups, then in groups of what is left, and so on:
  /// a hundred thousand circles in one place take no longer than as many that are spread.
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
              if isContained { return }
              for place in range where place != index && contains(discs[place], disc) {
                isContained = true
                return
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
