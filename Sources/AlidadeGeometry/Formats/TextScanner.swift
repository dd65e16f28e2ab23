import AlidadeBase

/// Takes a text apart from its beginning, byte by byte, and knows line and column for errors.
///
/// The bytes are UTF-8 and the caller's; they outlive the scanner.
struct TextScanner: ~Copyable {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  /// A byte order mark in front is no part of the text: RFC 8259 has readers ignore it.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  var isAtEnd: Bool { position >= bytes.count }

  /// The byte at the position; nil at the end.
  @inline(__always)
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) { position &+= 1 }
  }

  /// Takes a byte if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position &+= 1
    return true
  }

  /// Line and column from 1; columns count characters.
  func place(of position: Int) -> String {
    var line = 1
    // A byte order mark takes no column.
    var column = bytes.starts(with: Self.byteOrderMark) && position >= Self.byteOrderMark.count ? 0 : 1
    for byte in bytes.prefix(position) {
      if byte == 0x0A {
        line &+= 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column &+= 1
      }
    }
    return line == 1 ? "character \(column)" : "line \(line), character \(column)"
  }

  /// What stands at a position, for a message.
  func found(at position: Int) -> String {
    guard position < bytes.count else { return "the end of the text" }
    let end = min(bytes.count, position &+ 40)
    let rest = String(decoding: UnsafeBufferPointer(rebasing: bytes[position..<end]), as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" || $0 == "+" }
    return "\"\(word.isEmpty ? rest.prefix(1) : word.prefix(20))\""
  }

  // MARK: Numbers

  enum NumberError: Error {
    case missing
    case outOfRange
  }

  /// Takes a decimal number: digits with an optional sign, point and exponent. The nearest double, as if read exactly.
  ///
  /// - Parameter isJSON: refuses what JSON does not allow: a plus sign, leading zeros, a point without digits.
  mutating func takeNumber(isJSON: Bool) throws(NumberError) -> Double {
    let start = position
    var isNegative = false
    if take(UInt8(ascii: "-")) {
      isNegative = true
    } else if !isJSON {
      _ = take(UInt8(ascii: "+"))
    }
    var mantissa: UInt64 = 0
    var power = 0
    let whole = takeDigits(&mantissa)
    let firstDigit = position &- whole
    var fraction = 0
    if take(UInt8(ascii: ".")) {
      fraction = takeDigits(&mantissa)
      power = 0 &- fraction
      if isJSON, fraction == 0 { throw .missing }
    }
    guard whole &+ fraction > 0, !isJSON || whole == 1 || (whole > 0 && bytes[firstDigit] != UInt8(ascii: "0")) else {
      throw .missing
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      var powerIsNegative = false
      if take(UInt8(ascii: "-")) { powerIsNegative = true } else { _ = take(UInt8(ascii: "+")) }
      var exponent: UInt64 = 0
      let digits = takeDigits(&exponent)
      guard digits > 0 else { throw .missing }
      // Beyond what a Double holds; the text itself decides below.
      let magnitude = digits > 6 ? 1_000_000 : Int(truncatingIfNeeded: exponent)
      power &+= powerIsNegative ? 0 &- magnitude : magnitude
    }
    // Exact in double arithmetic: both are whole numbers below 2^53, and one operation rounds once.
    if whole &+ fraction <= 15, power >= -22, power <= 22 {
      let value = Double(mantissa)
      let scaled = power < 0 ? value / Self.powersOfTen[0 &- power] : value * Self.powersOfTen[power]
      return isNegative ? -scaled : scaled
    }
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    guard let value = Double(text), value.isFinite else { throw .outOfRange }
    return value
  }

  /// Takes digits; how many there were. Beyond 19 digits the number wraps, and is not used.
  private mutating func takeDigits(_ number: inout UInt64) -> Int {
    let start = position
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      number = number &* 10 &+ UInt64(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
      position &+= 1
    }
    return position &- start
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

/// How numbers are written in texts of geometries.
public enum NumberStyle: Sendable {
  /// The shortest decimal that reads back as the same double.
  case shortest
  /// Rounded half to even to this number of decimals, without zeros at the end.
  case decimals(Int)

  /// The largest number of decimals. A double of a coordinate has no digits beyond it.
  public static let mostDecimals = 20

  func text(_ value: Double) -> String {
    // NumberText has no zero with a sign.
    if value == 0 { return value.sign == .minus ? "-0" : "0" }
    return switch self {
    case .shortest: NumberText.shortest(value)
    case .decimals(let places): NumberText.rounded(value, places: places)
    }
  }
}

/// A text that grows, as bytes, within the policy's limit.
struct TextSink: ~Copyable {
  private let column = Column<UInt8>()
  private let budget: MemoryBudget

  init(_ policy: Policy) { budget = MemoryBudget(policy) }

  mutating func put(_ text: String) throws(EngineError) {
    let room = try column.extend(by: text.utf8.count, budget)
    _ = room.update(fromContentsOf: text.utf8)
  }

  /// Swift keeps its own copy: for a moment there are two.
  consuming func text() -> String { String(decoding: column.buffer, as: UTF8.self) }
}
