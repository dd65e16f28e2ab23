import AlidadeBase
import AlidadeCoordinates

/// Neighbouring cells of one row: columns `start` to `end` - 1.
struct CellSpan {
  var start: Int32
  var end: Int32
}

/// Where a polygon lies in a raster's grid, in a world that repeats itself.
struct PolygonCopy: Sendable {
  /// From where it was given to here, in columns and rows.
  var shift = SIMD2<Double>.zero
  /// The columns and rows of the raster that belong to this copy, up to `high`; the rest is another copy's.
  var low = SIMD2<Double>.zero
  var high: SIMD2<Double>

  func moved(_ place: GridPlace) -> GridPlace {
    shift == .zero ? place : GridPlace(column: place.column + shift.x, row: place.row + shift.y)
  }
}

/// The cells of a polygon, row by row, as spans: what a mask would say, in the memory of its edges alone.
struct PolygonCells {
  /// An edge in the raster's grid, its upper end first. Each edge is used in one direction only, so that polygons on its
  /// two sides see the same numbers.
  private struct Edge {
    let x0: Double, y0: Double, x1: Double, y1: Double

    init(_ a: GridPlace, _ b: GridPlace) {
      let isDown = (a.row, a.column) <= (b.row, b.column)
      let (upper, lower) = isDown ? (a, b) : (b, a)
      (x0, y0, x1, y1) = (upper.column, upper.row, lower.column, lower.row)
    }

    /// Where it crosses a height between its ends.
    @inline(__always)
    func x(at y: Double) -> Double {
      if y <= y0 { return x0 }
      if y >= y1 { return x1 }
      return x0 + (y - y0) * (x1 - x0) / (y1 - y0)
    }

    /// The rows whose middle it crosses: half open, its upper end counts and its lower one not.
    var middleRows: Range<Int> { PolygonCells.range((y0 - 0.5).rounded(.up), (y1 - 0.5).rounded(.up)) }

    /// The rows that it has a point in common with, including their edges.
    var touchedRows: Range<Int> { PolygonCells.range(y0.rounded(.up) - 1, y1.rounded(.down) + 1) }

    /// The columns of a row that it has a point in common with: whole numbers, the last one left out.
    func touchedColumns(row: Double) -> (start: Double, end: Double) {
      let (a, b) = y0 == y1 ? (x0, x1) : (x(at: max(y0, row)), x(at: min(y1, row + 1)))
      return (min(a, b).rounded(.up) - 1, max(a, b).rounded(.down) + 1)
    }
  }

  /// The farthest that a polygon may reach, in cells: beyond it, rounding would decide.
  private static let farthest = 1_099_511_627_776.0

  /// Cells on the raster.
  private(set) var insideCount: UInt64 = 0
  /// Cells that would be on the raster if it went on.
  private(set) var outsideCount: UInt64 = 0
  /// The rows of the raster that may have cells.
  let rows: Range<Int>
  /// The spans of each of the rows lie together; `starts` says where.
  private let spans: HeapArray<CellSpan>
  private let starts: HeapArray<Int>
  private let counts: HeapArray<Int32>

  /// The spans of a row of the raster, rising and apart from each other.
  func spans(row: Int) -> UnsafeBufferPointer<CellSpan> {
    guard rows.contains(row) else { return UnsafeBufferPointer(start: nil, count: 0) }
    let index = row &- rows.lowerBound
    let start = starts.buffer[index]
    return UnsafeBufferPointer(rebasing: spans.buffer[start..<(start &+ Int(truncatingIfNeeded: counts.buffer[index]))])
  }

  /// - Parameters:
  ///   - pieces: of the boundary, all straight.
  ///   - first: where the polygon is.
  ///   - others: where else it is.
  init(
    _ pieces: [GridPiece], _ first: PolygonCopy, _ others: [PolygonCopy], _ rule: PolygonRule, _ raster: Raster
  ) throws(EngineError) {
    let policy = raster.runtime.policy
    let scan = try Scan(pieces, first, rule, policy)
    let otherScans = try others.map { (copy) throws(EngineError) in try Scan(pieces, copy, rule, policy) }
    let onRaster = 0..<Int(truncatingIfNeeded: raster.facts.height)
    let all = otherScans.map { $0.rows.clamped(to: onRaster) }.reduce(scan.rows) {
      $1.isEmpty ? $0 : min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    rows = all.clamped(to: onRaster)
    starts = try HeapArray(count: rows.count)
    counts = try HeapArray(count: rows.count)
    var room = 0
    for row in rows {
      starts.buffer[row &- rows.lowerBound] = room
      room &+= otherScans.reduce(scan.mostSpans(row: row)) { $0 &+ $1.mostSpans(row: row) }
    }
    try policy.check(bytes: room, MemoryLayout<CellSpan>.stride)
    spans = try HeapArray(count: room)
    let inside = try HeapArray<UInt64>(count: all.count)
    let beyond = try HeapArray<Double>(count: all.count)
    let (spans, starts, counts, rows) = (spans, starts, counts, rows)
    // Right to share: each row is written by the one thread that works on it.
    try raster.runtime.workers.forEach((all.count &+ Self.slice &- 1) / Self.slice) { slice in
      for index in (slice &* Self.slice)..<min(all.count, (slice &+ 1) &* Self.slice) {
        let row = all.lowerBound &+ index
        let isOnRaster = rows.contains(row)
        let room = isOnRaster ? starts.buffer[row &- rows.lowerBound] : 0
        var next = room
        var total = 0.0
        var within = 0.0
        func add(_ start: Double, _ end: Double, _ copy: PolygonCopy) {
          let (left, right) = (max(start, copy.low.x), min(end, copy.high.x))
          guard isOnRaster, Double(row) >= copy.low.y, Double(row) < copy.high.y, left < right,
            let left32 = Int32(exactly: left), let right32 = Int32(exactly: right)
          else { return }
          within += right - left
          spans.buffer[next] = CellSpan(start: left32, end: right32)
          next &+= 1
        }
        scan.forEachSpan(row: row) { start, end in
          total += end - start
          add(start, end, first)
        }
        for (scan, copy) in zip(otherScans, others) { scan.forEachSpan(row: row) { add($0, $1, copy) } }
        beyond.buffer[index] = total - within
        inside.buffer[index] = UInt64(exactly: within) ?? 0
        if !others.isEmpty {
          let merged = Self.merged(UnsafeMutableBufferPointer(rebasing: spans.buffer[room..<next]))
          next = room &+ merged.spanCount
          inside.buffer[index] = merged.cellCount
        }
        if isOnRaster { counts.buffer[row &- rows.lowerBound] = Int32(truncatingIfNeeded: next &- room) }
      }
    }
    insideCount = inside.buffer.reduce(0, &+)
    // What sticks out in one row may be on the raster in another.
    outsideCount = UInt64(exactly: max(0, beyond.buffer.reduce(0, +))) ?? .max
  }

  /// Sorts the spans of several copies, and makes one of those that touch each other: the copies of a polygon that is
  /// wider than the world overlap.
  private static func merged(_ spans: UnsafeMutableBufferPointer<CellSpan>) -> (spanCount: Int, cellCount: UInt64) {
    var spans = spans
    spans.sort { $0.start < $1.start }
    var count = 0
    for span in spans {
      if count > 0, span.start <= spans[count &- 1].end {
        spans[count &- 1].end = max(spans[count &- 1].end, span.end)
      } else {
        spans[count] = span
        count &+= 1
      }
    }
    return (count, spans.prefix(count).reduce(0) { $0 &+ UInt64(clamping: $1.end &- $1.start) })
  }

  /// Rows in slices of this size are filled on all cores.
  private static let slice = 256

  /// Whole numbers that are not far away as a range; empty if the second is not above the first.
  private static func range(_ start: Double, _ end: Double) -> Range<Int> {
    guard let start = Int(exactly: start), let end = Int(exactly: end), start < end else { return 0..<0 }
    return start..<end
  }

  /// The crossings of a polygon's edges with the rows of a grid.
  private struct Scan: Sendable {
    let rows: Range<Int>
    /// Where edges cross the middle of a row, row by row.
    private let crossings: HeapArray<Double>
    private let crossingStarts: HeapArray<Int>
    /// What edges touch of a row; none for cell centres.
    private let touches: HeapArray<Touch>
    private let touchStarts: HeapArray<Int>

    struct Touch {
      var start: Double
      var end: Double
    }

    init(
      _ pieces: [GridPiece], _ copy: PolygonCopy, _ rule: PolygonRule, _ policy: Policy
    ) throws(EngineError) {
      let edges = try HeapArray<Edge>(count: pieces.count)
      var top = Double.infinity
      var bottom = -Double.infinity
      var isFar = pieces.isEmpty
      for (index, piece) in pieces.enumerated() {
        let edge = Edge(copy.moved(piece.from), copy.moved(piece.to))
        edges.buffer[index] = edge
        top = min(top, edge.y0)
        bottom = max(bottom, edge.y1)
        // Written so that a NaN is too far.
        let isNear = [edge.x0, edge.y0, edge.x1, edge.y1].allSatisfy { $0.magnitude <= PolygonCells.farthest }
        isFar = isFar || !isNear
      }
      guard !isFar else {
        throw EngineError(
          .limitExceeded,
          "The polygon reaches farther than 2^40 cells from the raster. Cut it to the raster's extent.")
      }
      let rows = PolygonCells.range(top.rounded(.up) - 1, bottom.rounded(.down) + 1)
      self.rows = rows
      try policy.check(points: rows.count)
      try policy.check(bytes: rows.count, MemoryLayout<Int>.stride &* 8)
      let isTouched = rule == .allTouched
      crossingStarts = try Self.starts(edges, rows, policy, MemoryLayout<Double>.stride) { $0.middleRows }
      touchStarts = try Self.starts(edges, rows, policy, MemoryLayout<Touch>.stride) {
        isTouched ? $0.touchedRows : 0..<0
      }
      crossings = try HeapArray(count: crossingStarts.buffer[rows.count])
      touches = try HeapArray(count: touchStarts.buffer[rows.count])
      let nextCrossing = try HeapArray<Int>(count: rows.count)
      let nextTouch = try HeapArray<Int>(count: rows.count)
      for index in 0..<rows.count {
        nextCrossing.buffer[index] = crossingStarts.buffer[index]
        nextTouch.buffer[index] = touchStarts.buffer[index]
      }
      for edge in edges.buffer {
        for row in edge.middleRows {
          let index = row &- rows.lowerBound
          crossings.buffer[nextCrossing.buffer[index]] = edge.x(at: Double(row) + 0.5)
          nextCrossing.buffer[index] &+= 1
        }
        guard isTouched else { continue }
        for row in edge.touchedRows {
          let index = row &- rows.lowerBound
          let columns = edge.touchedColumns(row: Double(row))
          touches.buffer[nextTouch.buffer[index]] = Touch(start: columns.start, end: columns.end)
          nextTouch.buffer[index] &+= 1
        }
      }
    }

    /// Where the entries of each row begin, and where the last row's end, by counting them.
    private static func starts(
      _ edges: HeapArray<Edge>, _ rows: Range<Int>, _ policy: Policy, _ size: Int, _ range: (Edge) -> Range<Int>
    ) throws(EngineError) -> HeapArray<Int> {
      let starts = try HeapArray<Int>(count: rows.count &+ 1)
      starts.buffer.initialize(repeating: 0)
      for edge in edges.buffer {
        let own = range(edge)
        guard !own.isEmpty else { continue }
        starts.buffer[own.lowerBound &- rows.lowerBound] &+= 1
        starts.buffer[own.upperBound &- rows.lowerBound] &-= 1
      }
      // Now each entry is the number of entries of a row minus that of the row before.
      var here = 0
      var total = 0
      for index in 0...rows.count {
        here &+= starts.buffer[index]
        starts.buffer[index] = total
        // Each of fewer than 2^31 edges enters each of fewer than 2^31 rows at most once: it cannot overflow.
        total &+= here
      }
      try policy.check(bytes: total, size)
      return starts
    }

    /// How many spans a row can have at most.
    func mostSpans(row: Int) -> Int {
      guard rows.contains(row) else { return 0 }
      let index = row &- rows.lowerBound
      let crossingCount = crossingStarts.buffer[index &+ 1] &- crossingStarts.buffer[index]
      return crossingCount / 2 &+ touchStarts.buffer[index &+ 1] &- touchStarts.buffer[index]
    }

    /// The spans of a row, rising and apart from each other, as whole numbers. One thread at a time may ask for a row.
    func forEachSpan(row: Int, _ body: (Double, Double) -> Void) {
      guard rows.contains(row) else { return }
      let index = row &- rows.lowerBound
      var xs = UnsafeMutableBufferPointer(
        rebasing: crossings.buffer[crossingStarts.buffer[index]..<crossingStarts.buffer[index &+ 1]])
      var touched = UnsafeMutableBufferPointer(
        rebasing: touches.buffer[touchStarts.buffer[index]..<touchStarts.buffer[index &+ 1]])
      xs.sort()
      touched.sort { $0.start < $1.start }
      var open: Touch?
      func add(_ span: Touch) {
        guard span.start < span.end else { return }
        guard let last = open, span.start <= last.end else {
          if let open { body(open.start, open.end) }
          open = span
          return
        }
        open = Touch(start: last.start, end: max(last.end, span.end))
      }
      var touch = 0
      // Inside is from each crossing of odd number to the next; a middle at the left one counts, one at the right not.
      for pair in stride(from: 0, to: xs.count &- 1, by: 2) {
        let span = Touch(start: (xs[pair] - 0.5).rounded(.up), end: (xs[pair &+ 1] - 0.5).rounded(.up))
        while touch < touched.count, touched[touch].start <= span.start {
          add(touched[touch])
          touch &+= 1
        }
        add(span)
      }
      while touch < touched.count {
        add(touched[touch])
        touch &+= 1
      }
      if let open { body(open.start, open.end) }
    }
  }
}
