import AlidadeBase
import AlidadeCoordinates

/// The heights of a raster's band around some positions, as a surface.
///
/// A position is in cells from the middle of the first cell: at whole numbers lies the middle of a cell. Between the
/// middles of four cells the surface is bilinear. Where one of the four has no value, there is no surface. The outer half
/// of the raster's outer cells continues the surface without a slope.
struct HeightField: Sendable {
  /// The cells in memory.
  private let window: CellWindow
  private let values: HeapArray<Double>
  /// The first and the last column and row that have cells.
  private let columns: ClosedRange<Int32>
  private let rows: ClosedRange<Int32>
  /// Metres upwards per value.
  let metresPerHeight: Double

  /// Reads the cells in a box of positions and around it.
  ///
  /// - Parameter box: positions in cells, from the outer corner of the first cell.
  init(
    of raster: Raster, band: Int, metresPerBandUnit: Double?, around box: (low: SIMD2<Double>, high: SIMD2<Double>)
  ) throws(EngineError) {
    var options = HeightOptions()
    options.band = band
    options.metresPerBandUnit = metresPerBandUnit
    let ownUnit = raster.spatialReference?.system.metresUpPerVerticalUnit ?? 1
    let perValue = try raster.metresPerValue(options).0
    metresPerHeight = ownUnit
    let goesAround = raster.columnsAround != nil
    let far = Int32(1) << 30
    columns = goesAround ? -far...far : 0...(raster.facts.width &- 1)
    rows = 0...(raster.facts.height &- 1)
    func bound(_ position: Double, _ margin: Int32, in range: ClosedRange<Int32>) -> Int32 {
      let cell = Int32(exactly: max(-1e9, min(1e9, position)).rounded(.down)) ?? 0
      return min(max(cell &+ margin, range.lowerBound), range.upperBound)
    }
    let (left, right) = (bound(box.low.x, -2, in: columns), bound(box.high.x, 2, in: columns))
    let (top, bottom) = (bound(box.low.y, -2, in: rows), bound(box.high.y, 2, in: rows))
    window = CellWindow(column: left, row: top, width: right &- left &+ 1, height: bottom &- top &+ 1)
    let count = window.cellCount
    try raster.runtime.policy.check(points: count)
    try raster.runtime.policy.check(bytes: count, 9)
    values = try HeapArray<Double>(count: count)
    try Self.read(raster, band, window, into: values)
    let factor = perValue / ownUnit
    for index in values.buffer.indices {
      let height = values.buffer[index] * factor
      values.buffer[index] = height.isFinite ? height : .nan
    }
  }

  /// Reads in strips: what a strip needs in addition to its values is small. Where columns go around the world, also from
  /// where they begin anew.
  private static func read(
    _ raster: Raster, _ band: Int, _ window: CellWindow, into values: HeapArray<Double>
  ) throws(EngineError) {
    var column = window.column
    let end = window.column &+ window.width
    while column < end {
      var (first, count) = (column, end &- column)
      if let around = raster.columnsAround {
        first = column % around < 0 ? column % around &+ around : column % around
        count = min(count, around &- first)
      }
      let rows = max(1, min(window.height, Int32(truncatingIfNeeded: 1 << 20) / max(1, count)))
      var row: Int32 = 0
      while row < window.height {
        let strip = CellWindow(
          column: first, row: window.row &+ row, width: count, height: min(rows, window.height &- row))
        let heights = try read(raster, band, strip)
        for line in 0..<strip.height {
          let from = Int(truncatingIfNeeded: line) &* Int(truncatingIfNeeded: count)
          let to =
            Int(truncatingIfNeeded: row &+ line) &* Int(truncatingIfNeeded: window.width)
            &+ Int(truncatingIfNeeded: column &- window.column)
          let width = Int(truncatingIfNeeded: count)
          _ = UnsafeMutableBufferPointer(rebasing: values.buffer[to..<(to &+ width)]).update(
            fromContentsOf: heights.buffer[from..<(from &+ width)])
        }
        row &+= strip.height
      }
      column &+= count
    }
  }

  private static func read(_ raster: Raster, _ band: Int, _ strip: CellWindow) throws(EngineError) -> HeapArray<Double>
  {
    let heights = try HeapArray<Double>(count: strip.cellCount)
    let verdicts = try HeapArray<UInt8>(count: strip.cellCount)
    var part = RasterWindow()
    (part.left, part.top) = (Double(strip.column), Double(strip.row))
    (part.width, part.height) = (Double(strip.width), Double(strip.height))
    (part.columns, part.rows) = (strip.width, strip.height)
    try raster.readWindow(
      part, band: band, Sampling(interpolation: .nearest, isScaled: true), into: heights.buffer,
      verdicts: verdicts.buffer)
    return heights
  }

  /// The height in the middle of a cell; next to the raster, that of its nearest cell. NaN without a height.
  @inline(__always)
  private func node(_ column: Int32, _ row: Int32) -> Double {
    let (nearColumn, nearRow) = (
      min(max(column, columns.lowerBound), columns.upperBound), min(max(row, rows.lowerBound), rows.upperBound)
    )
    let (x, y) = (nearColumn &- window.column, nearRow &- window.row)
    guard x >= 0, y >= 0, x < window.width, y < window.height, abs(nearColumn &- column) <= 1, abs(nearRow &- row) <= 1
    else { return .nan }
    return values.buffer[
      Int(truncatingIfNeeded: y) &* Int(truncatingIfNeeded: window.width) &+ Int(truncatingIfNeeded: x)]
  }

  /// Whether a position is on the raster. Its border belongs to it.
  private func contains(_ position: SIMD2<Double>) -> Bool {
    let slack = 0.5 + 1e-6
    return position.x >= Double(columns.lowerBound) - slack && position.x <= Double(columns.upperBound) + slack
      && position.y >= Double(rows.lowerBound) - slack && position.y <= Double(rows.upperBound) + slack
  }

  /// The height of the surface; NaN where there is none.
  func height(_ position: SIMD2<Double>) -> Double {
    // A NaN fails this, too.
    guard contains(position), position.x.magnitude < 1e9, position.y.magnitude < 1e9,
      let square = Square(position, of: self)
    else { return .nan }
    return square.height(position)
  }

  /// The surface between the middles of four cells.
  fileprivate struct Square {
    let column: Double
    let row: Double
    /// The heights at the corners: their names are the steps in x and y.
    let h00: Double, h10: Double, h01: Double, h11: Double

    @inline(__always)
    init?(_ position: SIMD2<Double>, of field: HeightField) {
      (column, row) = (position.x.rounded(.down), position.y.rounded(.down))
      guard let x = Int32(exactly: column), let y = Int32(exactly: row) else { return nil }
      let (isOnColumn, isOnRow) = (position.x == column, position.y == row)
      h00 = field.node(x, y)
      // On a line between middles, the cells on its other side do not matter.
      h10 = isOnColumn ? h00 : field.node(x &+ 1, y)
      h01 = isOnRow ? h00 : field.node(x, y &+ 1)
      h11 = isOnColumn ? h01 : isOnRow ? h10 : field.node(x &+ 1, y &+ 1)
    }

    /// How much the surface bends along its diagonals.
    var twist: Double { h00 - h10 - h01 + h11 }

    @inline(__always)
    func height(_ position: SIMD2<Double>) -> Double {
      let (x, y) = (position.x - column, position.y - row)
      let low = h00 + (h10 - h00) * x
      let high = h01 + (h11 - h01) * x
      return low + (high - low) * y
    }
  }
}

/// How far a triangle is off a surface.
struct SurfaceDeviation {
  /// The largest vertical distance, in the unit of the heights. Above the limit, a lower bound of it.
  var largest = 0.0
  /// A part of the triangle is where there is no surface.
  var hasGap = false
  /// A part of the triangle is where there is a surface.
  var hasSurface = false
}

extension HeightField {
  /// How far a triangle in space, whose corners are on the surface, is off the surface between them.
  ///
  /// The difference between a plane and a bilinear surface is largest at a corner of a square of the surface, where an
  /// edge of the triangle enters a square, or on an edge within a square, where it is a parabola. All of these are
  /// looked at, so the result is exact.
  ///
  /// - Parameters:
  ///   - a: position and height.
  ///   - limit: the search ends above this.
  func deviation(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, limit: Double) -> SurfaceDeviation {
    var found = SurfaceDeviation()
    if a.z.isNaN || b.z.isNaN || c.z.isNaN { found.hasGap = true }
    for (from, to) in [(a, b), (b, c), (c, a)] {
      follow(from, to, limit, &found)
      if found.largest > limit || (found.hasGap && found.hasSurface) { return found }
    }
    scan(a, b, c, limit, &found)
    return found
  }

  /// The part of an edge near the cells in memory, as parts of it; nil if there is none.
  private func part(of a: SIMD3<Double>, _ step: SIMD3<Double>) -> (from: Double, to: Double)? {
    var (from, to) = (0.0, 1.0)
    let low = SIMD2(Double(window.column) - 1, Double(window.row) - 1)
    let high = low + SIMD2(Double(window.width), Double(window.height)) + 1
    for (start, step, low, high) in [(a.x, step.x, low.x, high.x), (a.y, step.y, low.y, high.y)] {
      if step == 0 {
        guard start >= low, start <= high else { return nil }
        continue
      }
      let (p, q) = ((low - start) / step, (high - start) / step)
      from = max(from, min(p, q))
      to = min(to, max(p, q))
    }
    return from < to ? (from, to) : nil
  }

  /// Looks along an edge, square by square.
  private func follow(
    _ start: SIMD3<Double>, _ end: SIMD3<Double>, _ limit: Double, _ found: inout SurfaceDeviation
  ) {
    guard let part = part(of: start, end - start) else {
      found.hasGap = true
      return
    }
    // Beyond the cells there is no surface, however far that is.
    if part.from > 0 || part.to < 1 { found.hasGap = true }
    let a = start + (end - start) * part.from
    let step = (end - start) * (part.to - part.from)
    // Where the edge meets the next line between columns, and between rows.
    var across = Crossings(from: a.x, step: step.x)
    var down = Crossings(from: a.y, step: step.y)
    var t = 0.0
    var off = 0.0
    while t < 1 {
      let end = min(1, across.next, down.next)
      if across.next <= end { across.advance() }
      if down.next <= end { down.advance() }
      defer { t = end }
      guard end > t else { continue }
      let middle = a + step * ((t + end) / 2)
      guard contains(SIMD2(middle.x, middle.y)), let square = Square(SIMD2(middle.x, middle.y), of: self),
        square.twist.isFinite
      else {
        found.hasGap = true
        if found.hasSurface { return }
        off = .nan
        continue
      }
      found.hasSurface = true
      if found.hasGap { return }
      let last = a + step * end
      let next = square.height(SIMD2(last.x, last.y)) - last.z
      if off.isNaN { off = 0 }
      // off + linear * s + bend * s^2 with s from 0 to the length of the piece.
      let length = end - t
      let bend = square.twist * step.x * step.y
      let linear = (next - off) / length - bend * length
      let turn = -linear / (2 * bend)
      if turn > 0, turn < length { found.largest = max(found.largest, (off + turn * (linear + bend * turn)).magnitude) }
      found.largest = max(found.largest, next.magnitude)
      if found.largest > limit { return }
      off = next
    }
  }

  /// Where a line meets whole numbers, as parts of it.
  private struct Crossings {
    private let start: Double
    private let step: Double
    private var number: Double
    var next: Double

    init(from start: Double, step: Double) {
      (self.start, self.step) = (start, step)
      number = step > 0 ? start.rounded(.down) + 1 : start.rounded(.up) - 1
      next = step == 0 || !step.isFinite ? .infinity : (number - start) / step
    }

    mutating func advance() {
      number += step > 0 ? 1 : -1
      next = (number - start) / step
    }
  }

  /// Looks at the middles of cells inside a triangle.
  private func scan(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, _ limit: Double, _ found: inout SurfaceDeviation
  ) {
    let (ab, ac) = (b - a, c - a)
    let area = ab.x * ac.y - ab.y * ac.x
    guard area != 0, area.isFinite else { return }
    let slopeX = (ab.z * ac.y - ac.z * ab.y) / area
    let slopeY = (ac.z * ab.x - ab.z * ac.x) / area
    // Only near the cells in memory: the rest is a gap, which the corners or the edges say.
    let columns = (window.column &- 1)...(window.column &+ window.width)
    let rows = (window.row &- 1)...(window.row &+ window.height)
    func clamped(_ position: Double, to range: ClosedRange<Int32>) -> Int32 {
      Int32(exactly: min(max(position, Double(range.lowerBound)), Double(range.upperBound))) ?? range.lowerBound
    }
    let (top, bottom) = (min(a.y, b.y, c.y).rounded(.up), max(a.y, b.y, c.y).rounded(.down))
    guard top <= bottom, top <= Double(rows.upperBound), bottom >= Double(rows.lowerBound) else { return }
    let (first, last) = (clamped(top, to: rows), clamped(bottom, to: rows))
    for row in first...last {
      // Who asks for the deviation looks at the time, too, and throws.
      if row & 63 == 63, TimeLimit.hasPassed { return }
      let y = Double(row)
      var (low, high) = (Double.infinity, -Double.infinity)
      for (p, q) in [(a, b), (b, c), (c, a)] where (p.y <= y) != (q.y <= y) || p.y == y {
        let x = p.y == y ? p.x : p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y))
        (low, high) = (min(low, x), max(high, x))
      }
      (low, high) = (low.rounded(.up), high.rounded(.down))
      guard low <= high, low <= Double(columns.upperBound), high >= Double(columns.lowerBound) else { continue }
      let (begin, end) = (clamped(low, to: columns), clamped(high, to: columns))
      let onRow = a.z + slopeY * (y - a.y) - slopeX * a.x
      for column in begin...end {
        let height = node(column, row)
        if height.isNaN {
          found.hasGap = true
          if found.hasSurface { return }
          continue
        }
        let off = (height - (onRow + slopeX * Double(column))).magnitude
        if off > found.largest { found.largest = off }
        found.hasSurface = true
        if found.hasGap { return }
      }
      if found.largest > limit { return }
    }
  }
}
