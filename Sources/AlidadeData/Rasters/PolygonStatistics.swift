import AlidadeBase

/// Statistics of cells.
public struct PolygonStatistics: Sendable {
  public fileprivate(set) var valueCount: UInt64 = 0
  public fileprivate(set) var emptyCount: UInt64 = 0
  public internal(set) var outsideCount: UInt64 = 0
  public fileprivate(set) var minimum = Double.nan
  public fileprivate(set) var maximum = Double.nan
  public fileprivate(set) var minimumCell = CellIndex.outside
  public fileprivate(set) var maximumCell = CellIndex.outside
  fileprivate var total = CompensatedSum()
  /// The mean of `valueCount` values, and the sum of the squares of their distances from it.
  public fileprivate(set) var mean = Double.nan
  fileprivate var squares = 0.0

  public var sum: Double { total.value }
  public var standardDeviation: Double { valueCount == 0 ? .nan : (squares / Double(valueCount)).squareRoot() }

  init() {}
}

/// A sum whose error does not grow with the number of terms (Neumaier).
struct CompensatedSum: Sendable {
  private var sum = 0.0
  private var lost = 0.0

  var value: Double { lost.isFinite ? sum + lost : sum }

  @inline(__always)
  mutating func add(_ term: Double) {
    let next = sum + term
    lost += sum.magnitude >= term.magnitude ? (sum - next) + term : (term - next) + sum
    sum = next
  }

  mutating func add(_ other: CompensatedSum) {
    add(other.sum)
    lost += other.lost
  }
}

extension PolygonStatistics {
  /// Adds the values of one window.
  ///
  /// - Parameter values: in the order of `cells`.
  mutating func add(values: UnsafeBufferPointer<Double>) {
    guard !values.isEmpty else { return }
    for value in values { total.add(value) }
    let count = Double(values.count)
    mean = sum / count
    var deviations = CompensatedSum()
    for value in values { deviations.add((value - mean) * (value - mean)) }
    squares = deviations.value
    valueCount = UInt64(clamping: values.count)
  }

  @inline(__always)
  mutating func countEmpty() { emptyCount &+= 1 }

  /// Takes a value into account for minimum and maximum; cells come row by row.
  @inline(__always)
  mutating func bound(_ value: Double, _ column: Int32, _ row: Int32) {
    // Written so that the first value goes in, where the bound is NaN.
    if !(value >= minimum) {
      minimum = value
      minimumCell = CellIndex(column: column, row: row)
    }
    if !(value <= maximum) {
      maximum = value
      maximumCell = CellIndex(column: column, row: row)
    }
  }

  /// Adds the statistics of other cells.
  mutating func merge(_ other: PolygonStatistics) {
    emptyCount &+= other.emptyCount
    guard other.valueCount > 0 else { return }
    guard valueCount > 0 else {
      let (empty, outside) = (emptyCount, outsideCount)
      self = other
      (emptyCount, outsideCount) = (empty, outside)
      return
    }
    let (own, others) = (Double(valueCount), Double(other.valueCount))
    let distance = other.mean - mean
    // Chan, Golub and LeVeque 1979.
    squares += other.squares + distance * distance * (own * others / (own + others))
    total.add(other.total)
    valueCount &+= other.valueCount
    mean = sum / Double(valueCount)
    if other.minimum < minimum || (other.minimum == minimum && other.minimumCell.comes(before: minimumCell)) {
      (minimum, minimumCell) = (other.minimum, other.minimumCell)
    }
    if other.maximum > maximum || (other.maximum == maximum && other.maximumCell.comes(before: maximumCell)) {
      (maximum, maximumCell) = (other.maximum, other.maximumCell)
    }
  }
}

extension CellIndex {
  fileprivate func comes(before other: CellIndex) -> Bool { (row, column) < (other.row, other.column) }
}

/// How often a stored value occurs.
public struct ClassCount: Sendable {
  public var value: Double
  /// Exact; of UInt64 its bits.
  public var integer: Int64
  public var cellCount: UInt64
}
