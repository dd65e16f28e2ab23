import AlidadeBase

/// How many metres, radians or square metres a unit has: numerator / denominator x 2^exponent, times pi if it says so.
/// Exact.
public struct UnitFactor: Sendable, Equatable {
  public let numerator: UInt64
  public let denominator: UInt64
  public let hasPi: Bool
  let exponent: Int

  init(numerator: UInt64, denominator: UInt64, hasPi: Bool) {
    self.numerator = numerator
    self.denominator = denominator
    self.hasPi = hasPi
    exponent = 0
  }

  /// What a positive double says, taken at its word.
  init(positive factor: Double) {
    numerator = factor.wholeSignificand
    denominator = 1
    hasPi = false
    exponent = factor.wholeExponent
  }

  /// The nearest double.
  var double: Double { (try? converted(1, to: .one)) ?? .nan }

  private static let one = UnitFactor(numerator: 1, denominator: 1, hasPi: false)

  /// A value of this unit in another of the same kind: the double nearest to the true quotient, ties to even. With pi
  /// in one of the two, pi has 128 bits.
  func converted(_ value: Double, to other: UnitFactor) throws(EngineError) -> Double {
    guard value.isFinite else { throw EngineError(.invalidArgument, "The value is \(value), which is not finite.") }
    // The same unit changes nothing; and 0 keeps its sign.
    if value == 0 || self == other { return value }
    var above = Natural(value.magnitude.wholeSignificand) * Natural(numerator) * Natural(other.denominator)
    var below = Natural(denominator) * Natural(other.numerator)
    var scale = value.magnitude.wholeExponent &+ exponent &- other.exponent
    if hasPi != other.hasPi {
      if hasPi { above = above * Natural.pi } else { below = below * Natural.pi }
      scale = hasPi ? scale &- Natural.piScale : scale &+ Natural.piScale
    }
    let result = Natural.quotient(above, below, scale: scale)
    guard result.isFinite else {
      throw EngineError(.invalidArgument, "\(value) is too large to be converted: the result would be infinite.")
    }
    return value < 0 ? -result : result
  }
}

extension Double {
  /// The significand of a positive number as a whole number, which is the number divided by 2^wholeExponent.
  fileprivate var wholeSignificand: UInt64 {
    isNormal ? significandBitPattern | 1 << 52 : significandBitPattern
  }

  fileprivate var wholeExponent: Int { isNormal ? Int(truncatingIfNeeded: exponent) &- 52 : -1074 }
}

/// A natural number of any size: the products of four 64-bit numbers have to be exact.
private struct Natural {
  /// The lowest first; the highest is not 0.
  private var limbs: [UInt64]

  init(_ value: UInt64) { limbs = value == 0 ? [] : [value] }

  private init(limbs: [UInt64]) {
    self.limbs = limbs
    while self.limbs.last == 0 { self.limbs.removeLast() }
  }

  /// Pi times 2^piScale, cut off.
  static let pi = Natural(limbs: [0xC4C6_628B_80DC_1CD1, 0xC90F_DAA2_2168_C234])
  static let piScale = 126

  private var bitWidth: Int {
    limbs.last.map { limbs.count &* 64 &- $0.leadingZeroBitCount } ?? 0
  }

  static func * (a: Natural, b: Natural) -> Natural {
    var product = [UInt64](repeating: 0, count: a.limbs.count &+ b.limbs.count)
    for (i, x) in a.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, y) in b.limbs.enumerated() {
        // (2^64 - 1)^2 + 2 (2^64 - 1) is below 2^128: nothing is lost.
        let (high, low) = x.multipliedFullWidth(by: y)
        let (sum, overflow) = product[i &+ j].addingReportingOverflow(low)
        let (sum2, overflow2) = sum.addingReportingOverflow(carry)
        product[i &+ j] = sum2
        carry = high &+ (overflow ? 1 : 0) &+ (overflow2 ? 1 : 0)
      }
      product[i &+ b.limbs.count] = carry
    }
    return Natural(limbs: product)
  }

  private func shifted(left count: Int) -> Natural {
    let (whole, part) = (count / 64, UInt64(truncatingIfNeeded: count % 64))
    var shifted = [UInt64](repeating: 0, count: whole)
    var carry: UInt64 = 0
    for limb in limbs {
      shifted.append(limb << part | carry)
      // A smart shift: by 64 it gives 0.
      carry = limb >> (64 &- part)
    }
    shifted.append(carry)
    return Natural(limbs: shifted)
  }

  private mutating func double() {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let next = limbs[index] >> 63
      limbs[index] = limbs[index] << 1 | carry
      carry = next
    }
    if carry != 0 { limbs.append(carry) }
  }

  private func isLess(than b: Natural) -> Bool {
    if limbs.count != b.limbs.count { return limbs.count < b.limbs.count }
    for (x, y) in zip(limbs, b.limbs).reversed() where x != y { return x < y }
    return false
  }

  /// Not less than 0: `b` is at most this.
  private mutating func subtract(_ b: Natural) {
    var borrow: UInt64 = 0
    for index in limbs.indices {
      let (difference, overflow) = limbs[index].subtractingReportingOverflow(index < b.limbs.count ? b.limbs[index] : 0)
      let (difference2, overflow2) = difference.subtractingReportingOverflow(borrow)
      limbs[index] = difference2
      borrow = overflow || overflow2 ? 1 : 0
    }
    while limbs.last == 0 { limbs.removeLast() }
  }

  /// above / below x 2^scale as the nearest double, ties to even; infinity if it is too large. Neither is 0.
  static func quotient(_ above: Natural, _ below: Natural, scale: Int) -> Double {
    // So many more bits above that the whole quotient has 62 or 63.
    let lead = 62 &- (above.bitWidth &- below.bitWidth)
    var rest = lead > 0 ? above.shifted(left: lead) : above
    // Bit by bit, from 2^63 down: instead of the divisor's multiple getting smaller, the rest doubles.
    let part = (lead < 0 ? below.shifted(left: 0 &- lead) : below).shifted(left: 63)
    var quotient: UInt64 = 0
    for _ in 0..<64 {
      quotient <<= 1
      if !rest.isLess(than: part) {
        rest.subtract(part)
        quotient |= 1
      }
      rest.double()
    }
    return rounded(quotient, isExact: rest.limbs.isEmpty, scale: scale &- lead)
  }

  /// A whole number of 62 or 63 bits x 2^scale, with something beyond its last bit unless it is exact.
  private static func rounded(_ whole: UInt64, isExact: Bool, scale: Int) -> Double {
    let width = 64 &- whole.leadingZeroBitCount
    let top = width &- 1 &+ scale  // The result is at least 2^top and below 2^(top + 1).
    if top > 1023 { return .infinity }
    // 53 bits; near 0 fewer, down to the last one of 2^-1074.
    let kept = min(53, top &+ 1075)
    if kept < 0 { return 0 }
    let dropped = width &- kept
    var significand = whole >> UInt64(truncatingIfNeeded: dropped)
    let half: UInt64 = 1 << UInt64(truncatingIfNeeded: dropped &- 1)
    let rest = whole & (half << 1 &- 1)
    if rest > half || (rest == half && (!isExact || significand & 1 == 1)) { significand &+= 1 }
    // Exact: the significand has the bits that a double has at this scale.
    return Double(significand).timesTwo(toThe: scale &+ dropped)
  }
}

extension Double {
  /// Times a power of two, in steps that a double can hold.
  fileprivate func timesTwo(toThe exponent: Int) -> Double {
    var (result, left) = (self, exponent)
    while left < -1000 {
      result *= 0x1p-500
      left = left &+ 500
    }
    while left > 1000 {
      result *= 0x1p500
      left = left &- 500
    }
    return result * Double(sign: .plus, exponent: left, significand: 1)
  }
}
