/// Hilbert's curve over 65,536 x 65,536 squares.
public struct HilbertCurve: Sendable {
  /// How the curve lies in a square: 1: transposed (x and y exchanged), 2: mirrored (in both directions).
  ///
  /// For each of these, four bits of x and four of y: eight bits of the distance, and above them how the curve lies in
  /// the square that they name.
  @usableFromInline let steps: [UInt16]

  /// The table takes longer to make than a small index.
  public static let shared = HilbertCurve()

  private init() {
    var steps: [UInt16] = []
    for lie: UInt16 in 0..<4 {
      for x: UInt16 in 0..<16 {
        for y: UInt16 in 0..<16 { steps.append(Self.step(lie, x, y)) }
      }
    }
    self.steps = steps
  }

  /// Four bits one after the other, the highest first.
  private static func step(_ first: UInt16, _ x: UInt16, _ y: UInt16) -> UInt16 {
    var (lie, distance): (UInt16, UInt16) = (first, 0)
    for bit: UInt16 in [3, 2, 1, 0] {
      var (right, upper) = ((x >> bit) & 1 ^ lie >> 1, (y >> bit) & 1 ^ lie >> 1)
      if lie & 1 == 1 { swap(&right, &upper) }
      distance = distance << 2 | (3 &* right) ^ upper
      // In the lower squares it is turned over, and in the right one of these mirrored.
      if upper == 0 { lie ^= 1 | right << 1 }
    }
    return lie << 8 | distance
  }

  /// How far along the curve a square lies.
  @inlinable
  public func distance(_ x: UInt32, _ y: UInt32) -> UInt32 {
    var (lie, distance): (UInt32, UInt32) = (0, 0)
    for shift: UInt32 in [12, 8, 4, 0] {
      let place = lie << 8 | ((x >> shift) & 15) << 4 | (y >> shift) & 15
      let step = UInt32(truncatingIfNeeded: steps[Int(truncatingIfNeeded: place)])
      distance = distance << 8 | step & 255
      lie = step >> 8
    }
    return distance
  }
}
