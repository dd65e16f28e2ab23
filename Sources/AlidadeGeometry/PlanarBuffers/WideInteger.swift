/// An integer of up to 1088 bits: sign and magnitude, no memory of its own.
///
/// Wide enough for the sixth-degree predicates of circles whose coordinates have 160 bits (`CircleLattice`), which need
/// 6 x 160 + 15 bits. Sums and products are exact within that; what lies beyond is cut off, and no predicate gets there.
struct WideInteger {
  static let capacity = 17
  /// -1, 0 or 1.
  private(set) var sign: Int
  private var count: Int
  private var words: InlineArray<17, UInt64>

  static let zero = WideInteger(sign: 0, count: 0, words: InlineArray(repeating: 0))

  private init(sign: Int, count: Int, words: InlineArray<17, UInt64>) {
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
    guard word &+ 1 < Self.capacity else { return }
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
