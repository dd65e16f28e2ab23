extension Interpolation {
  /// How many cells on each side of a sample's own it needs.
  var margin: Int32 {
    switch self {
    case .nearest: 0
    case .bilinear: 1
    case .cubic: 2
    }
  }
}

/// How samples are taken.
public struct Sampling: Sendable {
  public var interpolation = Interpolation.nearest
  /// Scaled values instead of stored ones.
  public var isScaled = false

  public init(interpolation: Interpolation = .nearest, isScaled: Bool = false) {
    self.interpolation = interpolation
    self.isScaled = isScaled
  }
}

/// A position in a raster's grid, in cells; (0, 0) is the outer corner of the first cell.
public struct GridPlace: Sendable, Equatable {
  public var column: Double
  public var row: Double

  public init(column: Double, row: Double) {
    self.column = column
    self.row = row
  }

  var position: SIMD2<Double> { SIMD2(column, row) }

  static let nan = GridPlace(column: .nan, row: .nan)

  var isFinite: Bool { column.isFinite && row.isFinite }
}

/// One of the two axes of a sample: the cell whose middle lies before it, and how far beyond that middle it lies.
private struct Axis {
  let cell: Int32
  let fraction: Double

  /// - Parameter own: the cell that contains the position.
  @inline(__always)
  init(_ place: Double, own: Int32) {
    let beyondMiddle = place - 0.5 - Double(own)
    cell = beyondMiddle < 0 ? own &- 1 : own
    fraction = beyondMiddle < 0 ? beyondMiddle + 1 : beyondMiddle
  }

  /// The weight of the cell so many steps beyond `cell`, 0 or 1, by its distance.
  @inline(__always)
  func linearWeight(_ step: Int32) -> Double { step == 0 ? 1 - fraction : fraction }

  /// The weight of the cell so many steps beyond `cell`, -1 to 2, in cubic convolution with a = -0.5.
  @inline(__always)
  func cubicWeight(_ step: Int32) -> Double {
    let t = fraction
    switch step {
    case -1: return t * (t * (1 - 0.5 * t) - 0.5)
    case 0: return t * t * (1.5 * t - 2.5) + 1
    case 1: return t * (t * (2 - 1.5 * t) + 0.5)
    default: return t * t * (0.5 * t - 0.5)
    }
  }
}

extension CellBatch {
  /// The value at a position whose own cell has a value. The batch must have been read with the interpolation's margin.
  @inline(__always)
  func interpolated(band: Int, _ point: BatchPoint, at place: GridPlace, _ interpolation: Interpolation) -> Double {
    switch interpolation {
    case .nearest: value(band: band, at: point).value
    case .bilinear: bilinear(band: band, Axis(place.column, own: point.column), Axis(place.row, own: point.row))
    case .cubic: cubic(band: band, Axis(place.column, own: point.column), Axis(place.row, own: point.row))
    }
  }

  /// nil: not in the batch, and so, with its margin, not on the raster.
  @inline(__always)
  private func cell(band: Int, _ column: Int32, _ row: Int32) -> (value: Double, verdict: CellVerdict)? {
    neighbour(band: band, of: BatchPoint(index: 0, column: column, row: row), columns: 0, rows: 0)
  }

  /// Its own cell has a weight of at least 1/4, so that there is always something to divide by.
  private func bilinear(band: Int, _ x: Axis, _ y: Axis) -> Double {
    var sum = 0.0
    var weights = 0.0
    for row in 0...1 as ClosedRange<Int32> {
      for column in 0...1 as ClosedRange<Int32> {
        let weight = x.linearWeight(column) * y.linearWeight(row)
        // Without a weight a cell is not asked: 0 times infinity is not 0.
        guard weight > 0, let cell = cell(band: band, x.cell &+ column, y.cell &+ row), cell.verdict == .value else {
          continue
        }
        sum += weight * cell.value
        weights += weight
      }
    }
    return sum / weights
  }

  private func cubic(band: Int, _ x: Axis, _ y: Axis) -> Double {
    var sum = 0.0
    var weights = 0.0
    for row in -1...2 as ClosedRange<Int32> {
      for column in -1...2 as ClosedRange<Int32> {
        let weight = x.cubicWeight(column) * y.cubicWeight(row)
        guard weight != 0, let cell = cell(band: band, x.cell &+ column, y.cell &+ row) else { continue }
        guard cell.verdict == .value else { return bilinear(band: band, x, y) }
        sum += weight * cell.value
        weights += weight
      }
    }
    return sum / weights
  }
}
