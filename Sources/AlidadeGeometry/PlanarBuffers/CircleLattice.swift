/// A circle under work: in input coordinates times a power of two.
struct Disc {
  var x: Double
  var y: Double
  var radius: Double
  /// The circle's index in the input.
  var index: Int32
}

/// Exact decisions about circles: which meet, and whether the point where two meet lies inside a third.
///
/// All coordinates are taken as integers on one lattice, fine enough to hold doubles as they are down to 2^-107 of the
/// largest. So the decisions never contradict each other, which keeps rings closed whatever the input.
///
/// Three circles through one point are distinguished by symbolic perturbation: each circle is thought to be smaller by
/// an infinitesimal amount of its own, the earlier in order the larger by all measures. Circles that touch from outside
/// are therefore apart.
struct CircleLattice: Sendable {
  /// The lattice's step is 2 to this.
  let stepExponent: Int
  /// Whether coordinates are so few steps that the predicates fit into half as many words, which is the usual case.
  private let isNarrow: Bool

  /// - Parameters:
  ///   - lowestBit: the exponent of the lowest bit that is set in any coordinate or radius.
  ///   - exponent: the largest exponent of any.
  init(lowestBit: Int, exponent: Int) {
    stepExponent = max(lowestBit, exponent &- 159)
    isNarrow = 6 &* (exponent &+ 1 &- stepExponent) &+ 15 <= 8 &* 64
  }

  /// The exponent of the lowest bit of a double other than 0.
  static func lowestBit(_ value: Double) -> Int {
    guard value.isNormal else { return -1074 }
    let bits = value.significandBitPattern
    return Int(truncatingIfNeeded: value.exponent) &- (bits == 0 ? 0 : 52 &- bits.trailingZeroBitCount)
  }

  /// The relation of a circle to another circle of the same size or larger.
  enum Relation { case apart, crossing, inside }

  func relation(_ small: Disc, _ large: Disc) -> Relation {
    isNarrow ? relation(small, large, WideInteger<8>.self) : relation(small, large, WideInteger<17>.self)
  }

  private func relation<let words: Int>(
    _ small: Disc, _ large: Disc, _: WideInteger<words>.Type
  ) -> Relation {
    func wide(_ value: Double) -> WideInteger<words> { WideInteger(value, stepExponent: stepExponent) }
    let x = wide(large.x) - wide(small.x)
    let y = wide(large.y) - wide(small.y)
    let r = wide(small.radius)
    let s = wide(large.radius)
    let square = x * x + y * y
    if (square - (r + s) * (r + s)).sign >= 0 { return .apart }
    return (square - (s - r) * (s - r)).sign <= 0 ? .inside : .crossing
  }

  /// The sign of the cross product of the directions from a circle's centre to two others': 1 if counterclockwise.
  func turn(_ i: Disc, _ j: Disc, _ k: Disc) -> Int {
    func wide(_ value: Double) -> WideInteger<17> { WideInteger(value, stepExponent: stepExponent) }
    let x = wide(i.x)
    let y = wide(i.y)
    return ((wide(j.x) - x) * (wide(k.y) - y) - (wide(j.y) - y) * (wide(k.x) - x)).sign
  }

  /// Whether the point where circle `i`, followed counterclockwise, enters (`side` -1) or leaves (`side` 1) circle `j`
  /// lies inside of `k`. The ranks are the circles' order.
  func isCrossing(
    of i: Disc, _ j: Disc, side: Int, inside k: Disc, ranks: (i: Int32, j: Int32, k: Int32)
  ) -> Bool {
    CrossingPower(of: i, j, seenFrom: k).isInside(side: side)
      ?? (isNarrow
        ? isCrossingExactly(of: i, j, side, k, ranks, WideInteger<8>.self)
        : isCrossingExactly(of: i, j, side, k, ranks, WideInteger<17>.self))
  }

  private func isCrossingExactly<let words: Int>(
    of i: Disc, _ j: Disc, _ side: Int, _ k: Disc, _ ranks: (i: Int32, j: Int32, k: Int32), _: WideInteger<words>.Type
  ) -> Bool {
    func wide(_ value: Double) -> WideInteger<words> { WideInteger(value, stepExponent: stepExponent) }
    // With P seen from the centre of i, a and b the ways to the centres of j and k:
    //   2 |a|^2 P = A a + side sqrt(D) a', a' the normal of a, A = |a|^2 + ri^2 - rj^2, D = 4 |a|^2 ri^2 - A^2,
    // and P lies inside of k where 2 b.P > B = |b|^2 + ri^2 - rk^2, that is where X + side Y sqrt(D) > 0 with
    //   X = A a.b - B |a|^2, Y = a x b.
    let (ax, ay) = (wide(j.x) - wide(i.x), wide(j.y) - wide(i.y))
    let (bx, by) = (wide(k.x) - wide(i.x), wide(k.y) - wide(i.y))
    let (ri, rj, rk) = (wide(i.radius), wide(j.radius), wide(k.radius))
    let wi = ri * ri
    let aa = ax * ax + ay * ay
    let bb = bx * bx + by * by
    let ab = ax * bx + ay * by
    let powerA = aa + wi - rj * rj
    let powerB = bb + wi - rk * rk
    let x = powerA * ab - powerB * aa
    let y = ax * by - ay * bx
    let signOfY = side &* y.sign
    if x.sign != 0 || signOfY != 0 {
      if x.sign >= 0, signOfY >= 0 { return true }
      if x.sign <= 0, signOfY <= 0 { return false }
      // X^2 - Y^2 D is |a|^2 times this:
      let product = powerA * powerB * ab
      let wy = wi * y * y
      let twice = wy + wy
      let excess = powerA * powerA * bb - (product + product) + powerB * powerB * aa - (twice + twice)
      if excess.sign != 0 { return x.sign > 0 ? excess.sign > 0 : excess.sign < 0 }
    }
    // P lies on k. The circle that comes first decides: it shrinks, the others stay.
    if ranks.k < ranks.i, ranks.k < ranks.j { return false }
    let normals: Int  // the sign of nj x nk if i shrinks, of nk x ni if j does; n the normals in P
    if ranks.i < ranks.j {
      let z = ab - aa
      normals = y.isZero ? side &* z.sign : (y * y * (aa + aa - powerA) - x * z).sign &* y.sign
    } else {
      normals = y.isZero ? side &* (0 &- ab.sign) : (powerA * y * y + x * ab).sign &* y.sign
    }
    // Where normals are parallel, two of the circles touch in P, and it leaves the third along the other.
    return normals &* side < 0
  }
}

/// Whether the points where two circles meet lie inside a third one, by numbers of twice a double's precision: far
/// faster than integers of many words, and nearly always enough. The terms are the same as in
/// `CircleLattice.isCrossing`.
struct CrossingPower {
  private let x: DoubleDouble
  private let y: DoubleDouble
  private let excess: DoubleDouble
  /// By how much each may be wrong.
  private let errors: (x: Double, y: Double, excess: Double)

  init(of i: Disc, _ j: Disc, seenFrom k: Disc) {
    let (ax, ay) = (DoubleDouble.sum(j.x, -i.x), DoubleDouble.sum(j.y, -i.y))
    let (bx, by) = (DoubleDouble.sum(k.x, -i.x), DoubleDouble.sum(k.y, -i.y))
    let wi = DoubleDouble.product(i.radius, i.radius)
    let wj = DoubleDouble.product(j.radius, j.radius)
    let wk = DoubleDouble.product(k.radius, k.radius)
    let aa = ax * ax + ay * ay
    let bb = bx * bx + by * by
    let ab = ax * bx + ay * by
    let powerA = aa + wi - wj
    let powerB = bb + wi - wk
    x = powerA * ab - powerB * aa
    y = ax * by - ay * bx
    let product = powerA * powerB * ab
    let wy = wi * y * y
    let twice = wy + wy
    excess = powerA * powerA * bb - (product + product) + powerB * powerB * aa - (twice + twice)
    // Each step is wrong by 2^-100 of the largest terms at most; there are less than 32 steps.
    let unit = 0x1p-95
    let largestA = aa.high + wi.high + wj.high
    let largestB = bb.high + wi.high + wk.high
    let largestAB = (aa.high * bb.high).squareRoot()
    let sums = largestA * bb.high.squareRoot() + largestB * aa.high.squareRoot()
    errors = (
      unit * (largestA * largestAB + largestB * aa.high), unit * largestAB,
      unit * (sums * sums + 4 * wi.high * aa.high * bb.high)
    )
  }

  /// For the point where the first circle leaves (1) or enters (-1) the second one; nil if this cannot decide.
  func isInside(side: Int) -> Bool? {
    // Far below, the rounding error of doubles is no longer a share of the terms.
    guard errors.excess > 1e-280, abs(x.high) > errors.x, abs(y.high) > errors.y else { return nil }
    let isRight = (y.high > 0) == (side > 0)
    if (x.high > 0) == isRight { return isRight }
    guard abs(excess.high) > errors.excess else { return nil }
    return (x.high > 0) == (excess.high > 0)
  }
}

/// An integer of some words of 64 bits: sign and magnitude, no memory of its own.
///
/// 17 words are enough for the sixth-degree predicates of circles whose coordinates have 160 bits (`CircleLattice`),
/// which need 6 x 160 + 15 bits. Sums and products are exact within that; what lies beyond is cut off, and no predicate
/// gets there.
struct WideInteger<let capacity: Int> {
  /// -1, 0 or 1.
  private(set) var sign: Int
  private var count: Int
  private var words: InlineArray<capacity, UInt64>

  @inline(__always)
  static var zero: WideInteger { WideInteger(sign: 0, count: 0, words: InlineArray(repeating: 0)) }

  private init(sign: Int, count: Int, words: InlineArray<capacity, UInt64>) {
    self.sign = sign
    self.count = count
    self.words = words
  }

  /// `value` in steps of 2^`exponent`, rounded to the nearest if it is no multiple of that.
  init(_ value: Double, stepExponent exponent: Int) {
    self = .zero
    guard value.isFinite, value != 0 else { return }
    var bits = value.significandBitPattern
    var shift = Int(truncatingIfNeeded: value.exponent) &- 52 &- exponent
    if value.isNormal { bits |= 1 << 52 } else { shift = -1074 &- exponent }
    if shift < 0 {
      // The half that is added rounds; a shift beyond the word leaves nothing.
      if shift < -54 { return }
      let places = UInt64(truncatingIfNeeded: 0 &- shift)
      bits = (bits &+ (1 &<< (places &- 1))) &>> places
      shift = 0
    }
    guard bits != 0 else { return }
    let word = shift / 64
    let inner = UInt64(truncatingIfNeeded: shift % 64)
    guard word &+ 1 < capacity else { return }
    words[word] = bits &<< inner
    if inner > 0 { words[word &+ 1] = bits &>> (64 &- inner) }
    count = words[word &+ 1] != 0 ? word &+ 2 : word &+ 1
    sign = value < 0 ? -1 : 1
  }

  var isZero: Bool { sign == 0 }

  static prefix func - (value: WideInteger) -> WideInteger {
    WideInteger(sign: 0 &- value.sign, count: value.count, words: value.words)
  }

  static func + (a: WideInteger, b: WideInteger) -> WideInteger {
    if a.sign == 0 { return b }
    if b.sign == 0 { return a }
    if a.sign == b.sign { return sum(a, b, sign: a.sign) }
    let order = compare(a, b)
    if order == 0 { return .zero }
    return order > 0 ? difference(a, b, sign: a.sign) : difference(b, a, sign: b.sign)
  }

  static func - (a: WideInteger, b: WideInteger) -> WideInteger { a + (-b) }

  static func * (a: WideInteger, b: WideInteger) -> WideInteger {
    if a.sign == 0 || b.sign == 0 { return .zero }
    var result = WideInteger.zero
    for i in 0..<a.count {
      var carry: UInt64 = 0
      for j in 0..<b.count where i &+ j < capacity {
        let (high, low) = a.words[i].multipliedFullWidth(by: b.words[j])
        let (first, overflow) = low.addingReportingOverflow(carry)
        let (second, overflow2) = first.addingReportingOverflow(result.words[i &+ j])
        result.words[i &+ j] = second
        carry = high &+ (overflow ? 1 : 0) &+ (overflow2 ? 1 : 0)
      }
      if i &+ b.count < capacity { result.words[i &+ b.count] = carry }
    }
    result.count = min(capacity, a.count &+ b.count)
    result.trim()
    result.sign = result.count == 0 ? 0 : a.sign &* b.sign
    return result
  }

  /// The magnitudes' order.
  private static func compare(_ a: WideInteger, _ b: WideInteger) -> Int {
    if a.count != b.count { return a.count > b.count ? 1 : -1 }
    var index = a.count &- 1
    while index >= 0 {
      if a.words[index] != b.words[index] { return a.words[index] > b.words[index] ? 1 : -1 }
      index &-= 1
    }
    return 0
  }

  private static func sum(_ a: WideInteger, _ b: WideInteger, sign: Int) -> WideInteger {
    var result = WideInteger.zero
    var carry: UInt64 = 0
    let count = max(a.count, b.count)
    for index in 0..<count {
      let (first, overflow) = a.words[index].addingReportingOverflow(b.words[index])
      let (second, overflow2) = first.addingReportingOverflow(carry)
      result.words[index] = second
      carry = (overflow ? 1 : 0) &+ (overflow2 ? 1 : 0)
    }
    result.count = count
    if carry != 0, count < capacity {
      result.words[count] = carry
      result.count = count &+ 1
    }
    result.sign = sign
    return result
  }

  /// The magnitude of `a`, the larger one, less that of `b`.
  private static func difference(_ a: WideInteger, _ b: WideInteger, sign: Int) -> WideInteger {
    var result = WideInteger.zero
    var borrow: UInt64 = 0
    for index in 0..<a.count {
      let (first, overflow) = a.words[index].subtractingReportingOverflow(b.words[index])
      let (second, overflow2) = first.subtractingReportingOverflow(borrow)
      result.words[index] = second
      borrow = (overflow ? 1 : 0) &+ (overflow2 ? 1 : 0)
    }
    result.count = a.count
    result.trim()
    result.sign = sign
    return result
  }

  private mutating func trim() {
    while count > 0, words[count &- 1] == 0 { count &-= 1 }
  }
}
