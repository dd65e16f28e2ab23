/// A finite number as decimal digits: 0.d1 d2 d3 ... x 10^exponent. Taken from the shortest decimal that reads back as
/// the same number, which Swift's own `description` is; independent of the host's locale.
///
/// The digits lie inside the value, without memory of their own: each identify makes several of these.
struct DecimalDigits {
  var isNegative = false
  /// Values 0 to 9, `count` of them, without zeros at either end. A Double's shortest decimal has at most 17.
  private var digits = InlineArray<20, UInt8>(repeating: 0)
  /// 0 for zero.
  private(set) var count = 0
  private(set) var exponent = 0

  /// Reads what `description` of a finite Float or Double writes: digits with an optional point, sign and exponent.
  init(description: String) {
    var description = description
    description.withUTF8 { bytes in read(bytes) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    // How many digits stand before the point, zeros at the beginning counted.
    var pointAt: Int?
    var seen = 0
    var leadingZeros = 0
    var power = 0
    var powerIsNegative = false
    var inPower = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "e"): inPower = true
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "-"): if inPower { powerIsNegative = true } else { isNegative = true }
      case UInt8(ascii: "."): pointAt = seen
      case _ where inPower: power = power &* 10 &+ Int(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
      default:
        seen &+= 1
        let digit = byte &- UInt8(ascii: "0")
        if count == 0, digit == 0 {
          leadingZeros &+= 1
        } else if count < digits.count {
          digits[count] = digit
          count &+= 1
        }
      }
    }
    exponent = (pointAt ?? seen) &- leadingZeros &+ (powerIsNegative ? 0 &- power : power)
    trimEnd()
  }

  private mutating func trimEnd() {
    while count > 0, digits[count &- 1] == 0 { count &-= 1 }
    if count == 0 { exponent = 0 }
  }

  /// Keeps `kept` digits, rounding half to even.
  mutating func roundToEven(digits kept: Int) {
    guard count > kept, kept > 0 else { return }
    let first = digits[kept]
    let restIsZero = count == kept &+ 1
    let isOdd = digits[kept &- 1] % 2 == 1
    count = kept
    if first > 5 || (first == 5 && (!restIsZero || isOdd)) { increment() } else { trimEnd() }
  }

  /// Rounds half to even to `places` digits behind the point.
  mutating func roundToEven(places: Int) {
    let kept = exponent &+ places
    if kept > 0 { return roundToEven(digits: kept) }
    // Below one unit of the last digit that is kept: more than its half becomes one, anything less becomes zero.
    let isOverHalf = kept == 0 && count > 0 && (digits[0] > 5 || (digits[0] == 5 && count > 1))
    digits[0] = 1
    count = isOverHalf ? 1 : 0
    exponent = isOverHalf ? 1 &- places : 0
  }

  /// Rounds away from zero to `places` digits behind the point.
  mutating func roundAway(places: Int) {
    let kept = exponent &+ places
    guard count > kept else { return }
    if kept <= 0 {
      // Smaller than the last digit that is kept, and not zero: it becomes one unit of that digit.
      digits[0] = 1
      count = 1
      exponent = 1 &- places
      return
    }
    count = kept
    increment()
  }

  /// Adds one to the last digit.
  private mutating func increment() {
    var index = count &- 1
    while index >= 0 {
      if digits[index] < 9 {
        digits[index] &+= 1
        trimEnd()
        return
      }
      digits[index] = 0
      index &-= 1
    }
    digits[0] = 1
    count = 1
    exponent &+= 1
  }

  /// The number without an exponent, as a person writes it: "0.001", "-12", "1250.5".
  var plainText: String {
    if count == 0 { return "0" }
    // Sign, "0.", zeros before or behind the digits, the digits, the point.
    let capacity = count &+ max(exponent, 0 &- exponent) &+ 4
    return String(unsafeUninitializedCapacity: capacity) { buffer in
      var length = 0
      func put(_ byte: UInt8) {
        buffer[length] = byte
        length &+= 1
      }
      if isNegative { put(UInt8(ascii: "-")) }
      if exponent <= 0 {
        put(UInt8(ascii: "0"))
        put(UInt8(ascii: "."))
        for _ in 0..<(0 &- exponent) { put(UInt8(ascii: "0")) }
      }
      for index in 0..<count {
        if index == exponent, index > 0 { put(UInt8(ascii: ".")) }
        put(digits[index] &+ UInt8(ascii: "0"))
      }
      if exponent > count { for _ in count..<exponent { put(UInt8(ascii: "0")) } }
      return length
    }
  }

  /// The number with an exponent: "1.5e+300", "2e-09".
  var scientificText: String {
    if count == 0 { return "0" }
    var text = isNegative ? "-" : ""
    text += String(digits[0])
    if count > 1 {
      text += "."
      for index in 1..<count { text += String(digits[index]) }
    }
    let power = exponent &- 1
    text += power < 0 ? "e-" : "e+"
    let magnitude = String(power.magnitude)
    return text + (magnitude.utf8.count < 2 ? "0" + magnitude : magnitude)
  }

  /// Plain unless that would be mostly zeros: from 0.0001 up to 16 digits before the point.
  var text: String {
    if count == 0 { return "0" }
    return exponent > 16 || exponent < -3 ? scientificText : plainText
  }
}

/// Numbers as a person would read them, the same in every locale.
public enum NumberText {
  /// The shortest decimal that reads back as the same Double: "0.1", "12", "1.5e+300", "nan", "inf", "-inf".
  public static func shortest(_ value: Double) -> String {
    guard value.isFinite else { return nonFinite(value) }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
    // Swift writes these without an exponent, as we do.
    if value.magnitude >= 0.0001, value.magnitude < 0x1p53 { return value.description }
    return DecimalDigits(description: value.description).text
  }

  /// The shortest decimal that reads back as the same Float.
  public static func shortest(_ value: Float) -> String {
    guard value.isFinite else { return nonFinite(Double(value)) }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 24 { return String(whole) }
    // As above.
    if value.magnitude >= 0.0001, value.magnitude < 0x1p24 { return value.description }
    return DecimalDigits(description: value.description).text
  }

  /// A computed value: the shortest decimal, rounded to 15 significant digits, so that 8123 * 0.0001 reads 0.8123.
  public static func computed(_ value: Double) -> String {
    guard value.isFinite else { return nonFinite(value) }
    if let whole = Int(exactly: value), whole.magnitude < 1_000_000_000_000_000 { return String(whole) }
    var digits = DecimalDigits(description: value.description)
    digits.roundToEven(digits: 15)
    return digits.text
  }

  /// The shortest decimal, rounded away from zero to 0.001, without zeros at its end: 0.001 stays "0.001", 0.0011
  /// becomes "0.002".
  public static func roundedAwayToThousandth(_ value: Double) -> String {
    guard value.isFinite else { return nonFinite(value) }
    if let text = roundedAwayByArithmetic(value) { return text }
    var digits = DecimalDigits(description: value.description)
    digits.roundAway(places: 3)
    return digits.plainText
  }

  /// The same without making all digits; nil for numbers whose thousandths a Double does not count.
  ///
  /// Below 1e12 a decimal of thousandths has 15 digits at most. The nearest Double of such a decimal has it as its shortest
  /// decimal, and division rounds to that Double. Of any other Double the shortest decimal lies between the same two
  /// thousandths as the Double itself.
  private static func roundedAwayByArithmetic(_ value: Double) -> String? {
    let nearest = (value.magnitude * 1000).rounded()
    guard value.magnitude < 1e12, var rest = UInt(exactly: nearest) else { return nil }
    if value.magnitude > nearest / 1000 { rest &+= 1 }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { bytes in
      // From the last digit to the first.
      var start = bytes.count
      func put(_ byte: UInt8) {
        start &-= 1
        bytes[start] = byte
      }
      for place in 0..<24 where place < 4 || rest > 0 {
        if place == 3, start < bytes.count { put(UInt8(ascii: ".")) }
        let digit = UInt8(truncatingIfNeeded: rest % 10)
        // Zeros at the end of the decimals are left out.
        if place >= 3 || digit > 0 || start < bytes.count { put(UInt8(ascii: "0") &+ digit) }
        rest /= 10
      }
      if value < 0 { put(UInt8(ascii: "-")) }
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[start...]), as: UTF8.self)
    }
  }

  /// The shortest decimal, rounded half to even to `places` decimals, without zeros at its end and without an exponent.
  public static func rounded(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return nonFinite(value) }
    var digits = DecimalDigits(description: value.description)
    digits.roundToEven(places: places)
    return digits.plainText
  }

  /// Decimal digits, with zeros before them up to a width. For numbers that are not negative.
  public static func padded(_ value: some BinaryInteger, width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width &- text.count)) + text
  }

  private static func nonFinite(_ value: Double) -> String {
    value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
  }
}
