/// A rectangle of cells.
struct CellWindow {
  var column: Int32
  var row: Int32
  var width: Int32
  var height: Int32

  var cellCount: Int { Int(truncatingIfNeeded: width) &* Int(truncatingIfNeeded: height) }

}

extension CellWindow {
  init?(around points: [BatchPoint]) {
    guard let first = points.first else { return nil }
    var (left, right, top, bottom) = (first.column, first.column, first.row, first.row)
    for point in points {
      left = min(left, point.column)
      right = max(right, point.column)
      top = min(top, point.row)
      bottom = max(bottom, point.row)
    }
    column = left
    row = top
    width = right &- left &+ 1
    height = bottom &- top &+ 1
  }

  /// The window with a margin, as far as the raster goes: where its columns go around the world, to both sides without
  /// end.
  func grown(by margin: Int32, in grid: BandFacts.Size, goesAround: Bool) -> CellWindow {
    guard margin > 0 else { return self }
    let beyondRight = goesAround ? margin : grid.width &- column &- width
    let beyondBottom = grid.height &- row &- height
    var grown = self
    grown.column = goesAround ? column &- margin : max(0, column &- margin)
    grown.row = max(0, row &- margin)
    grown.width = width &+ (column &- grown.column) &+ min(margin, beyondRight)
    grown.height = height &+ (row &- grown.row) &+ min(margin, beyondBottom)
    return grown
  }
}
