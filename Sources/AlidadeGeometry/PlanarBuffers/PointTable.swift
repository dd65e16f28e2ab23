import AlidadeBase
import AlidadeCoordinates

/// Points that are found again by where they lie: an open hash table of cells.
struct PointTable {
  private let slots: HeapArray<Int32>
  private let mask: Int
  let points: GrowingBuffer<Point>

  /// - Parameter count: how many points will be added at most.
  init(count: Int) throws(EngineError) {
    var size = 64
    while size < 2 &* count { size &*= 2 }
    slots = try HeapArray(count: size)
    slots.buffer.update(repeating: -1)
    mask = size &- 1
    points = try GrowingBuffer(capacity: max(16, count))
  }

  /// Adds a point in the cell of a size that it lies in.
  func add(_ point: Point, cell: Double) throws(EngineError) -> Int {
    var slot = place(point.x, point.y, cell)
    while slots.buffer[slot] >= 0 { slot = (slot &+ 1) & mask }
    slots.buffer[slot] = Int32(truncatingIfNeeded: points.count)
    try points.append(point)
    return points.count &- 1
  }

  /// The first point within a distance, less than half of a cell, for which a condition holds.
  func first(near point: Point, within distance: Double, cell: Double, where holds: (Int) -> Bool) -> Int? {
    let (left, right) = ((point.x - distance) / cell, (point.x + distance) / cell)
    let (low, high) = ((point.y - distance) / cell, (point.y + distance) / cell)
    let wide = left.rounded(.down) == right.rounded(.down) ? 1 : 2
    let tall = low.rounded(.down) == high.rounded(.down) ? 1 : 2
    for row in 0..<tall {
      for column in 0..<wide {
        var slot = place(
          column == 0 ? point.x - distance : point.x + distance, row == 0 ? point.y - distance : point.y + distance,
          cell)
        while slots.buffer[slot] >= 0 {
          let index = Int(truncatingIfNeeded: slots.buffer[slot])
          let other = points.values[index]
          if abs(other.x - point.x) <= distance, abs(other.y - point.y) <= distance, holds(index) { return index }
          slot = (slot &+ 1) & mask
        }
      }
    }
    return nil
  }

  private func place(_ x: Double, _ y: Double, _ cell: Double) -> Int {
    // Zero has two bit patterns; the sum has one.
    var bits = ((x / cell).rounded(.down) + 0).bitPattern &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 29)) &+ ((y / cell).rounded(.down) + 0).bitPattern
    bits = (bits ^ (bits >> 32)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 29)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits >> 20) & mask
  }
}
