/// A finite number as decimal digits: 0.d1 d2 d3 ... x 10^exponent. Taken from the shortest decimal that reads back as
/// the same number, which Swift's own `description` is; independent of the host's locale.
struct DecimalDigits {
  var isNegative = false
  /// Values 0 to 9, without zeros at either end; empty for zero.
  var digits: [UInt8] = []
  var exponent = 0

  /// Reads what `description` of a finite Float or Double writes: digits with an optional point, sign and exponent.
  init(description: String) {
    var pointAt: Int?
    var written = 0
    var power = 0
    var powerIsNegative = false
    var inPower = false
    for byte in description.utf8 {
      switch byte {
      case UInt8(ascii: "e"): inPower = true
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "-"): if inPower { powerIsNegative = true } else { isNegative = true }
      case UInt8(ascii: "."): pointAt = written
      case _ where inPower: power = power &* 10 &+ Int(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
      default:
        digits.append(byte &- UInt8(ascii: "0"))
        written &+= 1
      }
    }
    exponent = (pointAt ?? written) &+ (powerIsNegative ? 0 &- power : power)
    let leadingZeros = digits.prefix(while: { $0 == 0 }).count
    digits.removeFirst(leadingZeros)
    exponent &-= leadingZeros
    trimEnd()
  }

  private mutating func trimEnd() {
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { exponent = 0 }
  }

  /// Keeps `count` digits, rounding half to even.
  mutating func roundToEven(digits count: Int) {
    guard digits.count > count else { return }
    let first = digits[count]
    let restIsZero = digits.count == count &+ 1
    let isOdd = count > 0 && digits[count &- 1] % 2 == 1
    let up = first > 5 || (first == 5 && (!restIsZero || isOdd))
    digits.removeLast(digits.count &- count)
    if up { increment() } else { trimEnd() }
  }

  /// Rounds away from zero to `places` digits behind the point.
  mutating func roundAway(places: Int) {
    let kept = exponent &+ places
    guard digits.count > kept else { return }
    if kept < 0 {
      // Smaller than the last place that is kept, and not zero: it becomes one unit of that place.
      digits = [1]
      exponent = 1 &- places
      return
    }
    digits.removeLast(digits.count &- kept)
    if kept == 0 {
      digits = [1]
      exponent = 1 &- places
      return
    }
    increment()
  }

  /// Adds one to the last digit.
  private mutating func increment() {
    var index = digits.count &- 1
    while index >= 0 {
      if digits[index] < 9 {
        digits[index] &+= 1
        trimEnd()
        return
      }
      digits[index] = 0
      index &-= 1
    }
    digits = [1]
    exponent &+= 1
  }

  /// The number without an exponent, as a person writes it: "0.001", "-12", "1250.5".
  var plainText: String {
    if digits.isEmpty { return "0" }
    var text: [UInt8] = []
    text.reserveCapacity(digits.count &+ 8)
    if isNegative { text.append(UInt8(ascii: "-")) }
    if exponent <= 0 {
      text.append(UInt8(ascii: "0"))
      text.append(UInt8(ascii: "."))
      for _ in 0..<(0 &- exponent) { text.append(UInt8(ascii: "0")) }
    }
    for (index, digit) in digits.enumerated() {
      if index == exponent, index > 0 { text.append(UInt8(ascii: ".")) }
      text.append(digit &+ UInt8(ascii: "0"))
    }
    if exponent > digits.count { for _ in digits.count..<exponent { text.append(UInt8(ascii: "0")) } }
    return String(decoding: text, as: UTF8.self)
  }

  /// The number with an exponent: "1.5e+300", "2e-09".
  var scientificText: String {
    guard let first = digits.first else { return "0" }
    var text = isNegative ? "-" : ""
    text += String(first)
    if digits.count > 1 {
      text += "."
      for digit in digits.dropFirst() { text += String(digit) }
    }
    let power = exponent &- 1
    text += power < 0 ? "e-" : "e+"
    let magnitude = String(power.magnitude)
    return text + (magnitude.utf8.count < 2 ? "0" + magnitude : magnitude)
  }

  /// Plain unless that would be mostly zeros: from 0.0001 up to 16 digits before the point.
  var text: String {
    if digits.isEmpty { return "0" }
    return exponent > 16 || exponent < -3 ? scientificText : plainText
  }
}

/// Numbers as a person would read them, the same in every locale.
public enum NumberText {
  /// The shortest decimal that reads back as the same Double: "0.1", "12", "1.5e+300", "nan", "inf", "-inf".
  public static func shortest(_ value: Double) -> String {
    guard value.isFinite else { return nonFinite(value) }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
    return DecimalDigits(description: value.description).text
  }

  /// The shortest decimal that reads back as the same Float.
  public static func shortest(_ value: Float) -> String {
    guard value.isFinite else { return nonFinite(Double(value)) }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 24 { return String(whole) }
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
    var digits = DecimalDigits(description: value.description)
    digits.roundAway(places: 3)
    return digits.plainText
  }

  private static func nonFinite(_ value: Double) -> String {
    value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
  }
}
