import AlidadeBase
import Glibc

/// The sine and cosine of an angle in radians.
struct UnitVector {
  var cosine: Double
  var sine: Double

  @inline(__always)
  init(_ angle: Double) { (cosine, sine) = (cos(angle), sin(angle)) }

  init(cosine: Double, sine: Double) { (self.cosine, self.sine) = (cosine, sine) }

  @inline(__always)
  func turned(by other: UnitVector) -> UnitVector {
    UnitVector(
      cosine: cosine * other.cosine - sine * other.sine, sine: sine * other.cosine + cosine * other.sine)
  }

  /// Turned by right angles, without rounding.
  @inline(__always)
  func turned(quarters: Int) -> UnitVector {
    switch quarters & 3 {
    case 0: return self
    case 1: return UnitVector(cosine: -sine, sine: cosine)
    case 2: return UnitVector(cosine: -cosine, sine: -sine)
    default: return UnitVector(cosine: sine, sine: -cosine)
    }
  }
}

func arcSine(_ value: Double) -> Double { asin(value) }
func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }

/// The directions of a circle's vertices, for some numbers of segments to a right angle.
///
/// Right to share: nothing changes after `init`.
final class DirectionTable: @unchecked Sendable {
  private var offsets: [Int: Int] = [:]
  private let directions: GrowingBuffer<UnitVector>

  /// Tables beyond this many entries are not made; their directions are computed one by one.
  private static let limit = 1 << 20

  init() throws(EngineError) { directions = try GrowingBuffer() }

  func add(segments: Int) throws(EngineError) {
    guard offsets[segments] == nil, directions.count &+ segments <= Self.limit else { return }
    offsets[segments] = directions.count
    for index in 0..<segments { try directions.append(Self.direction(index, of: segments)) }
  }

  /// Where the table for a number of segments begins; nil if there is none.
  func offset(segments: Int) -> Int? { offsets[segments] }

  /// The direction of a circle's vertex, counted from angle 0, which may be negative or beyond a turn.
  @inline(__always)
  func direction(_ number: Int, of segments: Int, at offset: Int?) -> UnitVector {
    var (quarters, index) = number.quotientAndRemainder(dividingBy: segments)
    if index < 0 { (quarters, index) = (quarters &- 1, index &+ segments) }
    let first = offset.map { directions.values[$0 &+ index] } ?? Self.direction(index, of: segments)
    return first.turned(quarters: quarters)
  }

  /// The directions of the first right angle; nil if there is no table of so many. Valid as long as this object.
  @inline(__always)
  func quadrant(segments: Int) -> UnsafeMutablePointer<UnitVector>? {
    guard let offset = offset(segments: segments), let base = directions.values.baseAddress else { return nil }
    return base + offset
  }

  @inline(__always)
  static func direction(_ index: Int, of segments: Int) -> UnitVector {
    UnitVector(Double(index) * (0.5 * .pi / Double(segments)))
  }
}
