import AlidadeBase
import AlidadeCoordinates

/// A polygon: rings that are closed by themselves; what lies inside an odd number of them is inside.
public struct PolygonRings: Sendable {
  /// The vertices of all rings, one ring after the other, finite.
  public let vertices: HeapArray<Point>
  /// The index of the first vertex of each ring, from 0; each ring has at least 3 vertices.
  public let starts: [Int]

  public init(vertices: HeapArray<Point>, starts: [Int]) {
    self.vertices = vertices
    self.starts = starts
  }

  /// The ends of all edges, two by two. An edge is always given in the same direction, whichever ring it belongs to:
  /// divided on its way into a raster's grid, it then gets the same points on both sides.
  fileprivate func edges() throws(EngineError) -> HeapArray<Point> {
    let edges = try HeapArray<Point>(count: vertices.buffer.count &* 2)
    for (ring, start) in starts.enumerated() {
      let end = ring &+ 1 < starts.count ? starts[ring &+ 1] : vertices.buffer.count
      for index in start..<end {
        let a = vertices.buffer[index]
        let b = vertices.buffer[index &+ 1 < end ? index &+ 1 : start]
        let isFirst = (a.x, a.y) <= (b.x, b.y)
        edges.buffer[index &* 2] = isFirst ? a : b
        edges.buffer[index &* 2 &+ 1] = isFirst ? b : a
      }
    }
    return edges
  }
}

extension Raster {
  /// Statistics of a band's cells in a polygon.
  ///
  /// - Parameters:
  ///   - source: the spatial reference of the rings; nil means that of the raster.
  ///   - band: from 0.
  public func statistics(
    in rings: PolygonRings, _ source: SpatialReference?, band: Int, _ rule: PolygonRule, isScaled: Bool
  ) throws(EngineError) -> PolygonStatistics {
    try runtime.limited { [self] () throws(EngineError) -> PolygonStatistics in
      let cells = try cells(in: rings, source, rule)
      let reader = try PolygonReader(self, band: band, cells)
      let scaling = BandScaling(facts.bands[band], isWanted: isScaled)
      let parts = try HeapArray<PolygonStatistics>(count: reader.windowCount)
      // Right to share: each part is written by the one thread that reads its window.
      try reader.read { (number, batch) throws(EngineError) in
        let values = try HeapArray<Double>(
          count: Int(truncatingIfNeeded: batch.width) &* Int(truncatingIfNeeded: batch.height))
        var count = 0
        var part = PolygonStatistics()
        try reader.forEachSpan(in: batch) { row, start, end in
          for column in start..<end {
            let (stored, verdict) = batch.value(band: 0, atPosition: batch.position(column: column, row: row))
            let value = scaling.apply(stored)
            guard verdict == .value, !value.isNaN else {
              part.countEmpty()
              continue
            }
            part.bound(value, column, row)
            values.buffer[count] = value
            count &+= 1
          }
        }
        part.add(values: UnsafeBufferPointer(rebasing: values.buffer[..<count]))
        parts.buffer[number] = part
      }
      // In the order of the windows, so that rounding does not depend on which thread was first.
      var result = PolygonStatistics()
      for part in parts.buffer { result.merge(part) }
      result.outsideCount = cells.outsideCount
      return result
    }
  }

  /// How often each stored value of an integer band occurs in a polygon, by rising value.
  public func classes(
    in rings: PolygonRings, _ source: SpatialReference?, band: Int, _ rule: PolygonRule
  ) throws(EngineError) -> [ClassCount] {
    try runtime.limited { [self] () throws(EngineError) -> [ClassCount] in
      let type = facts.bands[band].type
      guard type.isInteger else {
        throw EngineError(
          .unsupported, "Band \(band &+ 1) does not store integers: its values are no classes.")
      }
      let reader = try PolygonReader(self, band: band, try cells(in: rings, source, rule))
      let policy = runtime.policy
      let totals = Lock<[Int64: UInt64]>([:])
      try reader.read { (_, batch) throws(EngineError) in
        var counts: [Int64: UInt64] = [:]
        // Neighbours are often alike: a run of equal values is looked up once.
        var last: Int64 = 0
        var run: UInt64 = 0
        try reader.forEachSpan(in: batch) { row, start, end in
          for column in start..<end {
            let position = batch.position(column: column, row: row)
            guard batch.value(band: 0, atPosition: position).verdict == .value else { continue }
            let integer = batch.stored(plane: batch.plan.bands[0].value, at: position).integer
            if integer != last {
              if run > 0 { counts[last, default: 0] &+= run }
              (last, run) = (integer, 0)
            }
            run &+= 1
          }
        }
        if run > 0 { counts[last, default: 0] &+= run }
        let classCount = totals.withLock { totals in
          totals.merge(counts) { $0 &+ $1 }
          return totals.count
        }
        // An entry of the table, which is at most half full, and of the list that is made of it.
        try policy.check(bytes: classCount, 64)
      }
      let isUnsigned = type == .uint64
      return totals.withLock { totals in
        totals.map { integer, count in
          ClassCount(
            value: isUnsigned ? Double(UInt64(bitPattern: integer)) : Double(integer), integer: integer,
            cellCount: count)
        }
      }.sorted {
        isUnsigned ? UInt64(bitPattern: $0.integer) < UInt64(bitPattern: $1.integer) : $0.integer < $1.integer
      }
    }
  }

  /// The cells of a polygon.
  private func cells(
    in rings: PolygonRings, _ source: SpatialReference?, _ rule: PolygonRule
  ) throws(EngineError) -> PolygonCells {
    let edges = try rings.edges()
    let path = try GridPath(edges, in: source, of: self, isWrapped: false)
    if let piece = path.pieces.first(where: { $0.kind != .straight }) {
      let index = Int(truncatingIfNeeded: piece.segment) &* 2
      let (a, b) = (edges.buffer[index], edges.buffer[index &+ 1])
      let reason =
        piece.kind == .seam
        ? "crosses a seam of the raster's spatial reference; cut the polygon there"
        : "cannot be projected into the raster's spatial reference"
      throw EngineError(.projectionFailed, "The edge from (\(a.x), \(a.y)) to (\(b.x), \(b.y)) \(reason).")
    }
    let (first, others) = copies(of: path.pieces)
    return try PolygonCells(path.pieces, first, others, rule, self)
  }

  /// The position of a polygon on the raster: in the copy of the world where most of it is on the raster. Parts that stick
  /// out to the west or east are in the neighbouring copies. So a polygon across the seam of a raster of the whole world
  /// has cells on both sides.
  private func copies(of pieces: [GridPiece]) -> (first: PolygonCopy, others: [PolygonCopy]) {
    let size = SIMD2(Double(facts.width), Double(facts.height))
    var first = PolygonCopy(high: size)
    guard let world = worldStep, let piece = pieces.first else { return (first, []) }
    let step = world.cells
    var (low, high) = (piece.from.position, piece.from.position)
    for end in pieces.lazy.flatMap({ [$0.from.position, $0.to.position] }) {
      (low, high) = (pointwiseMin(low, end), pointwiseMax(high, end))
    }
    func overlap(_ shift: SIMD2<Double>) -> Double {
      let sides = pointwiseMin(high + shift, size) - pointwiseMax(low + shift, .zero)
      // A polygon without an area may touch cells, too.
      return sides.min() < 0 ? 0 : (sides.x + 1) * (sides.y + 1)
    }
    let near = world.whole((size - low - high) / 2)
    for shift in [near, near - step, near + step] where overlap(shift) > overlap(first.shift) { first.shift = shift }
    // On a grid that is turned, but not by right angles, the copies do not lie side by side.
    let axis = step.x.magnitude >= step.y.magnitude ? 0 : 1
    guard step[1 - axis].magnitude < 1e-6 else { return (first, []) }
    let (around, count) = (step[axis].magnitude, size[axis])
    func other(by shift: Double, _ cells: (from: Double, to: Double)) -> PolygonCopy {
      var copy = first
      copy.shift[axis] += shift
      (copy.low[axis], copy.high[axis]) = cells
      return copy
    }
    var others: [PolygonCopy] = []
    // A cell is another copy's if its middle lies beyond the raster in the first one. The edge itself counts, which a
    // polygon may touch.
    if low[axis] + first.shift[axis] <= 0, low[axis] + first.shift[axis] + around <= count {
      others.append(other(by: around, (0, min(count, (around - 0.5).rounded(.up)))))
    }
    if high[axis] + first.shift[axis] >= count, high[axis] + first.shift[axis] - around >= 0 {
      others.append(other(by: -around, (max(0, (count - around - 0.5).rounded(.up)), count)))
    }
    return (first, others)
  }
}
