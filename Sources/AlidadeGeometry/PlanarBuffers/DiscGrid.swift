import AlidadeBase

/// Circles sorted into cells by where their centres lie, so that those near by are found without a look at the rest.
///
/// Radii may differ by many orders of magnitude. So there is one grid for each power of two of the radius, its cells a
/// bit wider than the widest circle in it. A circle is searched in its own level and in the levels of larger circles:
/// whatever may touch it there lies in nine cells.
///
/// Right to share: nothing changes after `init`.
final class DiscGrid: @unchecked Sendable {
  /// All circles: level by level, the smallest first, and row by row within a level.
  let discs: UnsafeMutableBufferPointer<Disc>
  let levels: [Level]
  /// Each `DiscBlock.size` circles in a row, the last ones of all fewer.
  let blocks: UnsafeMutableBufferPointer<DiscBlock>
  private let memory: (HeapArray<Disc>, HeapArray<DiscBlock>)

  struct Level {
    /// Positions in `discs`.
    let range: Range<Int>
    let cell: Double
    let xMin: Double
    let yMin: Double
    let columns: Int
    let rows: Int
    /// Cells' first positions, one more than cells; empty where there are far more cells than circles.
    let starts: HeapArray<Int32>?
    /// The circles' cells, in order.
    let keys: HeapArray<Int>

    func column(_ x: Double) -> Int { Int(exactly: ((x - xMin) / cell).rounded(.down)) ?? 0 }
    func row(_ y: Double) -> Int { Int(exactly: ((y - yMin) / cell).rounded(.down)) ?? 0 }

    /// The positions of the circles in the cells of a row, both ends included.
    @inline(__always)
    func positions(row: Int, from first: Int, through last: Int) -> Range<Int> {
      guard row >= 0, row < rows, first < columns, last >= 0 else { return 0..<0 }
      let low = row &* columns &+ max(0, first)
      let high = row &* columns &+ min(columns &- 1, last)
      if let starts {
        return Int(truncatingIfNeeded: starts.buffer[low])..<Int(truncatingIfNeeded: starts.buffer[high &+ 1])
      }
      return lowerBound(low)..<lowerBound(high &+ 1)
    }

    private func lowerBound(_ key: Int) -> Int {
      var (low, high) = (range.lowerBound, range.upperBound)
      while low < high {
        let middle = (low &+ high) / 2
        if keys.buffer[middle &- range.lowerBound] < key { low = middle &+ 1 } else { high = middle }
      }
      return low
    }
  }

  init(_ input: UnsafeMutableBufferPointer<Disc>) throws(EngineError) {
    let size = DiscBlock.size
    memory = (try HeapArray(count: input.count), try HeapArray(count: (input.count &+ size &- 1) / size))
    (discs, blocks) = (memory.0.buffer, memory.1.buffer)
    // Circles by level.
    var counts: [Int: (count: Int, radius: Double)] = [:]
    var box: (xMin: Double, yMin: Double, xMax: Double, yMax: Double) = (.infinity, .infinity, -.infinity, -.infinity)
    for disc in input {
      let exponent = Int(truncatingIfNeeded: disc.radius.exponent)
      let old = counts[exponent] ?? (0, 0)
      counts[exponent] = (old.count &+ 1, max(old.radius, disc.radius))
      box = (min(box.xMin, disc.x), min(box.yMin, disc.y), max(box.xMax, disc.x), max(box.yMax, disc.y))
    }
    let extent = max(box.xMax - box.xMin, box.yMax - box.yMin)
    let byLevel = try HeapArray<Disc>(count: input.count)
    var next: [Int: Int] = [:]
    var first = 0
    let exponents = counts.keys.sorted()
    for exponent in exponents {
      next[exponent] = first
      first &+= counts[exponent]?.count ?? 0
    }
    for disc in input {
      let exponent = Int(truncatingIfNeeded: disc.radius.exponent)
      guard let place = next[exponent] else { continue }
      byLevel.buffer[place] = disc
      next[exponent] = place &+ 1
    }
    var levels: [Level] = []
    first = 0
    for exponent in exponents {
      guard let (count, radius) = counts[exponent] else { continue }
      // 2^30 cells each way at most: positions in cells stay exact, and a cell's number fits.
      let cell = max(2.01 * radius, extent * 0x1p-30)
      levels.append(
        try Self.level(
          from: byLevel.buffer, into: discs, first..<(first &+ count), cell: cell, xMin: box.xMin, yMin: box.yMin,
          xMax: box.xMax, yMax: box.yMax))
      first &+= count
    }
    self.levels = levels
    for block in blocks.indices {
      blocks[block] = DiscBlock(
        of: UnsafeMutableBufferPointer(rebasing: discs[positions(of: block, in: discs.indices)]))
    }
  }

  /// The blocks that have circles of a range.
  @inline(__always)
  func blocks(of range: Range<Int>) -> Range<Int> {
    range.lowerBound / DiscBlock.size..<(range.upperBound &+ DiscBlock.size &- 1) / DiscBlock.size
  }

  /// The positions of a block's circles that are in a range.
  @inline(__always)
  func positions(of block: Int, in range: Range<Int>) -> Range<Int> {
    let first = block &* DiscBlock.size
    return max(first, range.lowerBound)..<min(first &+ DiscBlock.size, range.upperBound)
  }

  private static func level(
    from source: UnsafeMutableBufferPointer<Disc>, into discs: UnsafeMutableBufferPointer<Disc>, _ range: Range<Int>,
    cell: Double, xMin: Double, yMin: Double, xMax: Double, yMax: Double
  ) throws(EngineError) -> Level {
    let columns = (Int(exactly: ((xMax - xMin) / cell).rounded(.down)) ?? 0) &+ 1
    let rows = (Int(exactly: ((yMax - yMin) / cell).rounded(.down)) ?? 0) &+ 1
    let cells = columns &* rows
    let keys = try HeapArray<Int>(count: range.count)
    let isDense = cells <= 8 &* range.count &+ 1024
    let starts = isDense ? try HeapArray<Int32>(count: cells &+ 1) : nil
    let level = Level(
      range: range, cell: cell, xMin: xMin, yMin: yMin, columns: columns, rows: rows, starts: starts, keys: keys)
    if let starts {
      starts.buffer.update(repeating: 0)
      for index in range {
        let key = level.row(source[index].y) &* columns &+ level.column(source[index].x)
        keys.buffer[index &- range.lowerBound] = key
        starts.buffer[key &+ 1] &+= 1
      }
      starts.buffer[0] = Int32(truncatingIfNeeded: range.lowerBound)
      for index in 0..<cells { starts.buffer[index &+ 1] &+= starts.buffer[index] }
      // Backwards and with the ends counted down, so that the order within a cell stays, and the starts come back.
      let ends = try HeapArray<Int32>(count: cells)
      for index in 0..<cells { ends.buffer[index] = starts.buffer[index &+ 1] }
      for index in range.reversed() {
        let key = keys.buffer[index &- range.lowerBound]
        ends.buffer[key] &-= 1
        discs[Int(truncatingIfNeeded: ends.buffer[key])] = source[index]
      }
      for index in range {
        keys.buffer[index &- range.lowerBound] =
          level.row(discs[index].y) &* columns &+ level.column(discs[index].x)
      }
    } else {
      let order = try HeapArray<(key: Int, place: Int)>(count: range.count)
      for index in range {
        order.buffer[index &- range.lowerBound] = (
          level.row(source[index].y) &* columns &+ level.column(source[index].x), index
        )
      }
      var sorted = order.buffer
      sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.place < $1.place }
      for index in 0..<range.count {
        keys.buffer[index] = order.buffer[index].key
        discs[index &+ range.lowerBound] = source[order.buffer[index].place]
      }
    }
    sortFullCells(keys.buffer, UnsafeMutableBufferPointer(rebasing: discs[range]))
    return level
  }

  /// Sorts the circles of each cell that has many along the longer side of what they take, so that blocks are small.
  private static func sortFullCells(_ keys: UnsafeMutableBufferPointer<Int>, _ discs: UnsafeMutableBufferPointer<Disc>)
  {
    var first = 0
    while first < discs.count {
      var end = first &+ 1
      while end < discs.count, keys[end] == keys[first] { end &+= 1 }
      if end &- first > 2 &* DiscBlock.size {
        var cell = UnsafeMutableBufferPointer(rebasing: discs[first..<end])
        let box = DiscBlock(of: cell)
        if box.xMax - box.xMin > box.yMax - box.yMin {
          cell.sort { ($0.x, $0.y) < ($1.x, $1.y) }
        } else {
          cell.sort { ($0.y, $0.x) < ($1.y, $1.x) }
        }
      }
      first = end
    }
  }

  /// Calls `body` with ranges of positions that contain all circles of a level within its cells' width of a point.
  @inline(__always)
  func forEachRange(
    around disc: Disc, in level: Level, _ body: (Range<Int>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let column = level.column(disc.x)
    let row = level.row(disc.y)
    for offset in -1...1 {
      let range = level.positions(row: row &+ offset, from: column &- 1, through: column &+ 1)
      if !range.isEmpty { try body(range) }
    }
  }
}

/// What some circles of a grid have in common, so that many are passed over at once.
struct DiscBlock {
  static let size = 32

  /// The box of the centres.
  private(set) var xMin = Double.infinity
  private(set) var yMin = Double.infinity
  private(set) var xMax = -Double.infinity
  private(set) var yMax = -Double.infinity
  private(set) var smallestRadius = Double.infinity
  private(set) var largestRadius = 0.0
  /// Whether each two of the circles surely overlap.
  private(set) var hangsTogether = false

  init(of discs: UnsafeMutableBufferPointer<Disc>) {
    for disc in discs {
      (xMin, xMax) = (min(xMin, disc.x), max(xMax, disc.x))
      (yMin, yMax) = (min(yMin, disc.y), max(yMax, disc.y))
      (smallestRadius, largestRadius) = (min(smallestRadius, disc.radius), max(largestRadius, disc.radius))
    }
    let (width, height) = (xMax - xMin, yMax - yMin)
    hangsTogether = width * width + height * height < 3.99 * smallestRadius * smallestRadius
  }

  /// The square of the distance of a point from the box.
  @inline(__always)
  func squareFrom(_ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (max(xMin - x, 0, x - xMax), max(yMin - y, 0, y - yMax))
    return dx * dx + dy * dy
  }

  /// The square of the distance of a point from the farthest corner of the box.
  @inline(__always)
  func farthestSquareFrom(_ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (max(x - xMin, xMax - x), max(y - yMin, yMax - y))
    return dx * dx + dy * dy
  }
}

/// For each circle the circles of other levels of a grid that it meets or nearly touches.
///
/// The smaller circle of two finds the larger one; the larger one would have to look at too many cells.
///
/// Right to share: nothing changes after `init`.
final class CrossLevelPairs: @unchecked Sendable {
  private let offsets: HeapArray<Int>?
  private let partners: HeapArray<Int32>?

  /// More pairs than this would need gigabytes.
  private static let limit = 1 << 28

  init(_ grid: DiscGrid, workers: Workers) throws(EngineError) {
    guard grid.levels.count > 1 else {
      (offsets, partners) = (nil, nil)
      return
    }
    let chunk = 512
    let parts = (grid.discs.count &+ chunk &- 1) / chunk
    let found = try (0..<parts).map { _ throws(EngineError) in try GrowingBuffer<(small: Int32, large: Int32)>() }
    try workers.forEach(parts) { (part: Int) throws(EngineError) in
      let discs = grid.discs
      let pairs = found[part]
      for index in part &* chunk..<min(discs.count, (part &+ 1) &* chunk) {
        let disc = discs[index]
        for level in grid.levels where level.range.lowerBound > index {
          try grid.forEachRange(around: disc, in: level) { (range) throws(EngineError) in
            for place in range where disc.mayTouch(discs[place]) {
              try pairs.append((Int32(truncatingIfNeeded: index), Int32(truncatingIfNeeded: place)))
            }
          }
        }
        guard pairs.count < Self.limit else {
          throw EngineError(.limitExceeded, "More than \(Self.limit) pairs of circles overlap.")
        }
      }
    }
    let offsets = try HeapArray<Int>(count: grid.discs.count &+ 1)
    offsets.buffer.update(repeating: 0)
    var count = 0
    for pairs in found {
      count &+= pairs.count
      guard count < Self.limit else {
        throw EngineError(.limitExceeded, "More than \(Self.limit) pairs of circles overlap.")
      }
      for pair in pairs.filled {
        offsets.buffer[Int(truncatingIfNeeded: pair.small)] &+= 1
        offsets.buffer[Int(truncatingIfNeeded: pair.large)] &+= 1
      }
    }
    var total = 0
    for index in offsets.buffer.indices {
      total &+= offsets.buffer[index]
      offsets.buffer[index] = total
    }
    let partners = try HeapArray<Int32>(count: 2 &* count)
    for pairs in found {
      for pair in pairs.filled {
        offsets.buffer[Int(truncatingIfNeeded: pair.small)] &-= 1
        partners.buffer[offsets.buffer[Int(truncatingIfNeeded: pair.small)]] = pair.large
        offsets.buffer[Int(truncatingIfNeeded: pair.large)] &-= 1
        partners.buffer[offsets.buffer[Int(truncatingIfNeeded: pair.large)]] = pair.small
      }
    }
    self.offsets = offsets
    self.partners = partners
  }

  @inline(__always)
  func partners(of index: Int) -> UnsafeMutableBufferPointer<Int32>.SubSequence? {
    guard let offsets, let partners else { return nil }
    return partners.buffer[offsets.buffer[index]..<offsets.buffer[index &+ 1]]
  }
}

extension Disc {
  /// The share of their radii by which circles may be apart or overlap and yet count as close to touching.
  static let closeness = 1e-6

  /// Whether two circles meet, or miss each other by next to nothing.
  @inline(__always)
  func mayTouch(_ other: Disc) -> Bool {
    let (dx, dy) = (other.x - x, other.y - y)
    let sum = radius + other.radius
    return dx * dx + dy * dy <= sum * sum * (1 + 2.1 * Disc.closeness)
  }
}
