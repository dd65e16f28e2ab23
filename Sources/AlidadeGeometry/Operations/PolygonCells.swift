import AlidadeBase
import AlidadeCoordinates

/// A grid of cells over the bounds of a polygon: which cells lie inside as a whole, and which outside. It is made when
/// many geometries are compared with the polygon: most of them then need neither a ray nor a look at an edge.
///
/// Right to share: nothing changes after `init`.
final class PolygonCells: Sendable {
  private enum Cell: UInt8 {
    /// No edge passes, and what lies there was not looked up.
    case unknown
    case inside
    case outside
    /// An edge may pass.
    case mixed
  }

  private let bounds: Envelope
  private let cellsPerUnit: (x: Double, y: Double)
  /// Along both axes.
  private let sideCount: Int
  private let cells: HeapArray<Cell>

  /// Cells of a box along an axis: for larger boxes, edges are compared.
  private static let most = 4
  /// A share of a cell, far more than rounding moves a point, see `init`.
  private static let slack = 1e-3
  private static let largestSide = 512
  /// How often a cell may be marked on average. Edges that run side by side for long mark the same cells again and again.
  private static let mostMarks = 8

  /// nil: the bounds are so narrow or so far away that rounding could move a point to another cell, or edges pass through
  /// too many cells.
  ///
  /// - Parameter place: where a point lies; nil if that cannot be computed.
  init?(
    _ bounds: Envelope, edgeCount: Int, edges: (Int) -> (Point, Point), place: (Point) -> PointPlace?
  ) throws(EngineError) {
    let (width, height) = (bounds.xMax - bounds.xMin, bounds.yMax - bounds.yMin)
    let farthest = max(abs(bounds.xMin), abs(bounds.xMax), abs(bounds.yMin), abs(bounds.yMax))
    // Then a point is off by at most 2e-16 * 1e6 * `largestSide` cells, which `slack` exceeds by far.
    guard min(width, height) > farthest * 1e-6, width > 1e-100, height > 1e-100 else { return nil }
    self.bounds = bounds
    // 16 cells for each edge: enough that few are mixed, and fewer than what takes longer to fill than to go without.
    let side = min(max(16, Int(exactly: (4 * Double(edgeCount).squareRoot()).rounded()) ?? 0), Self.largestSide)
    sideCount = side
    cellsPerUnit = (Double(side) / width, Double(side) / height)
    cells = try HeapArray(count: side &* side, repeating: .unknown)
    var left = Self.mostMarks &* side &* side
    for index in 0..<edgeCount {
      if index & 255 == 255 { try TimeLimit.check() }
      let (from, to) = edges(index)
      left &-= mark(scaled(from), scaled(to))
      guard left >= 0 else { return nil }
    }
    try look(place)
  }

  /// Where all of a box lies; nil if that is not known from the grid.
  func place(of box: Envelope) -> PointPlace? {
    let (left, right) = (column(box.xMin), column(box.xMax))
    let (low, high) = (row(box.yMin), row(box.yMax))
    guard right &- left < Self.most, high &- low < Self.most else { return nil }
    // Where no cell is mixed, cells side by side lie on the same side of the outline.
    let first = cells.buffer[low &* sideCount &+ left]
    for row in low...high {
      for column in left...right where cells.buffer[row &* sideCount &+ column] != first { return nil }
    }
    switch first {
    case .inside: return .inside
    case .outside: return .outside
    case .mixed, .unknown: return nil
    }
  }

  // Neither falls as the coordinate grows, so that what lies in a box lies in its cells. What lies beyond the bounds counts
  // to the cells at their rim: if no edge passes there, these are outside.
  private func column(_ x: Double) -> Int { clamped((x - bounds.xMin) * cellsPerUnit.x) }
  private func row(_ y: Double) -> Int { clamped((y - bounds.yMin) * cellsPerUnit.y) }

  @inline(__always)
  private func clamped(_ value: Double) -> Int {
    // From 2^52 on the last bit of a double is 1. This rounds half a cell lower, faster than `rounded(.down)`.
    Int(truncatingIfNeeded: (min(max(0, value - 0.5), Double(sideCount &- 1)) + 0x1p52).bitPattern & 0xFFFF)
  }

  private func scaled(_ point: Point) -> Point {
    Point(x: (point.x - bounds.xMin) * cellsPerUnit.x, y: (point.y - bounds.yMin) * cellsPerUnit.y)
  }

  /// Marks the cells through which an edge passes, row by row, and those that it nearly meets. Returns how many.
  private func mark(_ a: Point, _ b: Point) -> Int {
    var count = 0
    let (lower, upper) = a.y <= b.y ? (a, b) : (b, a)
    let isFlat = upper.y - lower.y < Self.slack
    let slope = isFlat ? 0 : (upper.x - lower.x) / (upper.y - lower.y)
    let ends = (min(a.x, b.x), max(a.x, b.x))
    for row in clamped(lower.y - Self.slack)...clamped(upper.y + Self.slack) {
      var (left, right) = ends
      if !isFlat {
        let entry = lower.x + (max(Double(row) - Self.slack, lower.y) - lower.y) * slope
        let exit = lower.x + (min(Double(row &+ 1) + Self.slack, upper.y) - lower.y) * slope
        (left, right) = (max(left, min(entry, exit)), min(right, max(entry, exit)))
      }
      let columns = clamped(left - Self.slack)...clamped(right + Self.slack)
      for column in columns { cells.buffer[row &* sideCount &+ column] = .mixed }
      count &+= columns.count
    }
    return count
  }

  /// Finds out where the cells lie through which no edge passes.
  private func look(_ place: (Point) -> PointPlace?) throws(EngineError) {
    for row in 0..<sideCount {
      try TimeLimit.check()
      for column in 0..<sideCount {
        let index = row &* sideCount &+ column
        guard cells.buffer[index] == .unknown else { continue }
        // There is no edge between two cells side by side of which neither is mixed.
        if column > 0, cells.buffer[index &- 1] != .mixed {
          cells.buffer[index] = cells.buffer[index &- 1]
        } else if row > 0, cells.buffer[index &- sideCount] != .mixed {
          cells.buffer[index] = cells.buffer[index &- sideCount]
        } else {
          let center = Point(
            x: bounds.xMin + (Double(column) + 0.5) / cellsPerUnit.x,
            y: bounds.yMin + (Double(row) + 0.5) / cellsPerUnit.y)
          switch place(center) {
          case .inside?: cells.buffer[index] = .inside
          case .outside?: cells.buffer[index] = .outside
          case .boundary?, nil: cells.buffer[index] = .mixed
          }
        }
      }
    }
  }
}
