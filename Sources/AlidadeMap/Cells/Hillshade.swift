import AlidadeData
import Glibc

/// A power, for gamma.
@inline(__always)
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// Heights lit from a side.
///
/// The gradient is Horn's (1981): weights 1, 2, 1 over the eight neighbours. The rules at the rim are the rules of
/// `gdaldem hillshade -compute_edges`: beyond the raster's edge heights go on straight (2a - b), and a neighbour
/// without a value is as high as the cell itself. The geotransform may rotate, shear or mirror the grid.
struct Hillshade: Sendable {
  private let sineOfAltitude: Double
  /// Towards the light, along x and y, times the cosine of the altitude.
  private let lightX: Double
  private let lightY: Double
  /// The inverse of the geotransform's linear part times the z factor: from steps per cell to slopes.
  private let xPerColumn: Double, xPerRow: Double, yPerColumn: Double, yPerRow: Double

  init(_ renderer: ResolvedRenderer, _ geotransform: Geotransform) {
    let altitude = renderer.altitude * .pi / 180
    let azimuth = renderer.azimuth * .pi / 180
    sineOfAltitude = sin(altitude)
    lightX = sin(azimuth) * cos(altitude)
    lightY = cos(azimuth) * cos(altitude)
    let g = geotransform.forward
    let determinant = g[1] * g[5] - g[2] * g[4]
    let factor = renderer.zFactor / determinant
    xPerColumn = g[5] * factor
    xPerRow = -g[4] * factor
    yPerColumn = -g[2] * factor
    yPerRow = g[1] * factor
  }

  /// - Parameter cellSize: the size of the level's cells in native cells.
  func shade(_ batch: borrowing CellBatch, _ point: BatchPoint, cellSize: Double) -> RGBA {
    func height(_ columns: Int32, _ rows: Int32) -> Double? {
      guard let near = batch.neighbour(band: 0, of: point, columns: columns, rows: rows) else { return nil }
      return near.verdict == .value ? near.value : .nan
    }
    guard let center = height(0, 0), !center.isNaN else { return .clear }
    let isFirstOrLastRow = height(0, -1) == nil || height(0, 1) == nil
    /// A neighbour's height by the rules at the rim.
    func at(_ columns: Int32, _ rows: Int32) -> Double {
      if let found = height(columns, rows) { return found.isNaN ? center : found }
      // Beyond the edge. In the first and last row GDAL does not go on sideways: it takes the column at the edge.
      let isBeyondColumn = height(columns, 0) == nil
      let column = isBeyondColumn && isFirstOrLastRow ? 0 : columns
      if let found = height(column, rows) { return found.isNaN ? center : found }
      // Straight on from the two cells inside.
      let inward = (columns: height(column, 0) == nil ? 0 &- column : 0, rows: height(0, rows) == nil ? 0 &- rows : 0)
      guard let near = height(column &+ inward.columns, rows &+ inward.rows),
        let far = height(column &+ 2 &* inward.columns, rows &+ 2 &* inward.rows)
      else { return center }
      return near.isNaN || far.isNaN ? center : 2 * near - far
    }
    let (nw, n, ne) = (at(-1, -1), at(0, -1), at(1, -1))
    let (w, e) = (at(-1, 0), at(1, 0))
    let (sw, s, se) = (at(-1, 1), at(0, 1), at(1, 1))
    let perColumn = ((ne + 2 * e + se) - (nw + 2 * w + sw)) / 8 / cellSize
    let perRow = ((sw + 2 * s + se) - (nw + 2 * n + ne)) / 8 / cellSize
    let slopeX = perColumn * xPerColumn + perRow * xPerRow
    let slopeY = perColumn * yPerColumn + perRow * yPerRow
    let light =
      (sineOfAltitude - slopeX * lightX - slopeY * lightY) / (1 + slopeX * slopeX + slopeY * slopeY).squareRoot()
    // 1 to 255: 0 is left to what has no value.
    let gray = CellPainter.byte(light <= 0 ? 1 : 1 + 254 * light)
    return RGBA(red: gray, green: gray, blue: gray, alpha: 255)
  }
}
