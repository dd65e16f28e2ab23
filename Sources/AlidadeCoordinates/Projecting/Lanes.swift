/// Four numbers that the same is done with. The kernels work on these alone, so that a point's image depends neither on
/// its lane nor on its neighbours, and is the same bit for bit in debug and release builds: each operation is one of
/// IEEE 754, and nothing is contracted, because the baseline has no FMA.
typealias Lanes = SIMD4<Double>
typealias LaneBits = SIMD4<UInt64>

extension Lanes {
  static let signBit: UInt64 = 1 << 63
  /// Adding it rounds a number of less than 2^51 to the nearest integer, which is then in the low bits.
  static let rounder = 0x1.8p52

  @inline(__always)
  var bits: LaneBits {
    // Right: both are four 64-bit numbers, and every pattern is a value of each.
    unsafeBitCast(self, to: LaneBits.self)
  }

  @inline(__always)
  init(bits: LaneBits) {
    // Right: both are four 64-bit numbers, and every pattern is a value of each.
    self = unsafeBitCast(bits, to: Lanes.self)
  }

  @inline(__always)
  var magnitudes: Lanes { Lanes(bits: bits & ~Lanes.signBit) }

  /// These magnitudes with the signs of others.
  @inline(__always)
  func signed(like other: Lanes) -> Lanes { Lanes(bits: bits | (other.bits & Lanes.signBit)) }

  /// Ones where a lane has its sign bit set, else zeros.
  @inline(__always)
  var negativeMask: LaneBits {
    LaneBits(truncatingIfNeeded: SIMD4<Int64>(truncatingIfNeeded: bits) &>> 63)
  }

  /// The one where the mask is ones, else the other.
  @inline(__always)
  static func choose(_ mask: LaneBits, _ one: Lanes, _ other: Lanes) -> Lanes {
    Lanes(bits: (one.bits & mask) | (other.bits & ~mask))
  }

  @inline(__always)
  func rounded() -> Lanes { (self + Lanes.rounder) - Lanes.rounder }
}

/// Points of one block on their way through the steps, in columns.
struct LaneBlock {
  /// 16 times four points.
  static let capacity = 16
  static let pointCapacity = capacity * 4

  let x: UnsafeMutablePointer<Lanes>
  let y: UnsafeMutablePointer<Lanes>
  /// Of geocentric coordinates only.
  let z: UnsafeMutablePointer<Lanes>
  /// The sign bit is set of a point that lies outside what a step is proven for.
  let outside: UnsafeMutablePointer<LaneBits>
  /// In fours of points.
  let count: Int

  /// Takes note of where a margin is negative. Where it is NaN, the result is NaN too, which is looked for at the end.
  @inline(__always)
  func require(_ margin: Lanes, at index: Int) { outside[index] |= margin.bits }
}

/// One operation of a pipeline, on a block in place.
protocol FastStep: Sendable {
  func run(_ block: LaneBlock)
  /// A parallelogram in the step's own input that covers what it takes for itself; nil if any place will do as well.
  var reach: FastReach? { get }
  /// What one unit of the output is in metres or radians, given that of the input.
  func unit(after input: FastUnit) -> FastUnit
  /// The step backwards where it is affine, to carry a reach to the front of a pipeline.
  func backwards(_ reach: FastReach) -> FastReach?
}

extension FastStep {
  var reach: FastReach? { nil }
  func unit(after input: FastUnit) -> FastUnit { input }
  func backwards(_ reach: FastReach) -> FastReach? { nil }
}

/// What the coordinates at a place of a pipeline are.
enum FastUnit: Equatable {
  case metres(Double)
  case radians(Double)
}

/// A box: its middle and half of its sizes.
struct FastReach {
  var middle: Point
  var half: Point
}
