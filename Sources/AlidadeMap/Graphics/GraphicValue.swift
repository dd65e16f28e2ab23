import AlidadeBase

/// The value of an attribute of a graphic.
public enum GraphicValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// What values are compared by: numbers by value, whether integer or real; NaN is equal to nothing.
enum GraphicKey: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(TextBytes)

  /// nil for NaN.
  init?(_ value: GraphicValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number):
      if number.isNaN { return nil }
      if let whole = Int64(exactly: number) { self = .integer(whole) } else { self = .real(number) }
    case .text(let text): self = .text(TextBytes(text))
    }
  }
}

/// A text that is compared byte by byte. Swift's own texts are equal if they look the same.
struct TextBytes: Hashable {
  private let bytes: [UInt8]
  init(_ text: String) { bytes = Array(text.utf8) }
}

extension GraphicValue {
  /// The value is a number.
  var isNumber: Bool {
    switch self {
    case .integer: true
    case .real(let number): !number.isNaN
    case .null, .text: false
    }
  }

  /// Whether the value is a number below a finite one. Nothing is rounded: an integer may have more digits than a double
  /// holds.
  func isBelow(_ bound: Double) -> Bool {
    switch self {
    case .integer(let number):
      // Below a bound is below the first whole number that is not below it.
      let whole = bound.rounded(.up)
      return Int64(exactly: whole).map { number < $0 } ?? (whole > 0)
    case .real(let number): return number < bound
    case .null, .text: return false
    }
  }

  /// Whether the value is a number above a finite one.
  func isAbove(_ bound: Double) -> Bool {
    switch self {
    case .integer(let number):
      let whole = bound.rounded(.down)
      return Int64(exactly: whole).map { number > $0 } ?? (whole < 0)
    case .real(let number): return number > bound
    case .null, .text: return false
    }
  }
}

/// The names of an overlay's attributes, and their numbers. It only grows.
struct AttributeNameTable: Sendable {
  private(set) var names: [String] = []
  private var numbers: [[UInt8]: Int32] = [:]

  /// How many names an overlay may have.
  static let limit = 65_536

  func number(_ name: String) -> Int32? { numbers[Array(name.utf8)] }

  mutating func intern(_ name: String) throws(EngineError) -> Int32 {
    let key = Array(name.utf8)
    if let known = numbers[key] { return known }
    guard names.count < Self.limit, let number = Int32(exactly: names.count) else {
      throw EngineError(.limitExceeded, "An overlay's graphics have at most 65,536 different attributes.")
    }
    names.append(name)
    numbers[key] = number
    return number
  }
}

/// An attribute of a graphic; its name is in the overlay's table.
struct GraphicAttribute: Sendable {
  let name: Int32
  let value: GraphicValue
}
