import AlidadeBase

extension JSON {
  /// Reads a JSON text (RFC 8259) into a value. Numbers become `real`; of members of the same name the last one counts.
  ///
  /// - Parameters:
  ///   - title: what messages call the text.
  ///   - policy: a text whose values would need more memory than it allows is refused.
  public static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, title: String, _ policy: Policy
  ) throws(EngineError) -> JSON {
    // The shortest number in a list takes two bytes of text; its value takes less than these.
    try policy.check(bytes: bytes.count, 48)
    var scanner = JSONScanner(bytes)
    scanner.title = title
    let value = try scanner.readValue()
    if scanner.peek() != nil { throw scanner.failure("the text goes on behind its end") }
    return value
  }

  /// The value of a member; nil if this is no object or has none of that name, or null.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self, let value = members.last(where: { $0.name == name })?.value else {
      return nil
    }
    if case .null = value { return nil }
    return value
  }

  public var number: Double? {
    if case .real(let value) = self { return value }
    return nil
  }

  public var text: String? {
    if case .text(let value) = self { return value }
    return nil
  }

  public var items: [JSON]? {
    if case .list(let values) = self { return values }
    return nil
  }
}

extension JSONScanner {
  fileprivate mutating func readValue() throws(EngineError) -> JSON {
    switch peek() {
    case UInt8(ascii: "{"):
      var members: [(name: String, value: JSON)] = []
      try readObject { (json: inout JSONScanner, name) throws(EngineError) in
        members.append((name, try json.readValue()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSON] = []
      try readList { (json: inout JSONScanner, _) throws(EngineError) in values.append(try json.readValue()) }
      return .list(values)
    case UInt8(ascii: "\""): return .text(try readString("a string"))
    case UInt8(ascii: "n"):
      if takeNull() { return .null }
    case UInt8(ascii: "t"):
      if take("true") { return .bool(true) }
    case UInt8(ascii: "f"):
      if take("false") { return .bool(false) }
    default: return .real(try readNumber())
    }
    throw failure("expected a value")
  }
}
