import AlidadeBase

/// How numbers are written in texts of geometries.
public enum NumberStyle: Sendable {
  /// The shortest decimal that reads back as the same double.
  case shortest
  /// Rounded half to even to so many places behind the point, zeros at the end left out.
  case decimals(Int)

  /// The most places that can be asked for: what lies behind is nothing that a double of a coordinate holds.
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
