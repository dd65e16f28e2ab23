import AlidadeCoordinates
import AlidadeData
import CAlidade

// Plain values, from C and to C.

extension Point {
  init(_ point: ald_point) { self.init(x: point.x, y: point.y) }
}

extension ald_point {
  init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension Envelope {
  init(_ envelope: ald_envelope) {
    self.init(xMin: envelope.x_min, yMin: envelope.y_min, xMax: envelope.x_max, yMax: envelope.y_max)
  }
}

extension ald_envelope {
  init(_ envelope: Envelope) {
    self.init(x_min: envelope.xMin, y_min: envelope.yMin, x_max: envelope.xMax, y_max: envelope.yMax)
  }
}

extension ald_rgba {
  init(_ color: RGBA) { self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha) }
}

extension ald_cell {
  init(_ cell: Cell) {
    self.init(column: cell.index.column, row: cell.index.row, verdict: cell.verdict.rawValue, reserved: 0)
  }
}

extension ald_band_value {
  init(_ value: BandValue) {
    self.init(
      type: value.type.rawValue, verdict: value.verdict.rawValue, value: value.value, imaginary: value.imaginary,
      integer: value.integer, scaled: value.scaled, scaled_imaginary: value.scaledImaginary,
      color: ald_rgba(value.color), category: value.category, table_row: value.tableRow, reserved: 0)
  }
}

/// Four points as C's array of four.
func four(_ points: [Point]) -> (ald_point, ald_point, ald_point, ald_point) {
  func at(_ index: Int) -> ald_point { ald_point(index < points.count ? points[index] : .nan) }
  return (at(0), at(1), at(2), at(3))
}

/// Five points as C's array of five; NaN without points.
func five(_ points: [Point]?) -> (ald_point, ald_point, ald_point, ald_point, ald_point) {
  func at(_ index: Int) -> ald_point {
    guard let points, index < points.count else { return ald_point(.nan) }
    return ald_point(points[index])
  }
  return (at(0), at(1), at(2), at(3), at(4))
}
