import AlidadeBase

/// Reads JSON (RFC 8259) step by step, without making values of it, and knows where it is: as a path from the top
/// ("$.features[3].geometry") and as line and character.
public struct JSONScanner: ~Copyable {
  var scanner: TextScanner
  /// What messages call the text.
  var title = "GeoJSON"
  private var path: [Step] = []
  /// The most numbers that one list of numbers held, of what was skipped since this was set to 0.
  var longestNumberList = 0

  /// Lists and objects within each other, at most.
  static let depthLimit = 128

  private enum Step {
    case name(String)
    case index(Int)
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) { scanner = TextScanner(bytes) }

  /// - Parameter title: what messages call the text.
  public init(_ bytes: UnsafeBufferPointer<UInt8>, title: String) {
    self.init(bytes)
    self.title = title
  }

  // MARK: Errors

  func failure(at place: Int? = nil, _ what: String) -> EngineError {
    var words = "$"
    for step in path {
      switch step {
      case .name(let name): words += ".\(Self.quoted(name))"
      case .index(let index): words += "[\(index)]"
      }
    }
    return EngineError(
      .invalidArgument, "\(title), \(words) (\(scanner.place(of: place ?? scanner.position))): \(what).")
  }

  /// A text of the input's, for a message: short, and escaped where it holds a NUL, which would end the message, or other
  /// control characters.
  static func quoted(_ text: String) -> String {
    let short = String(text.prefix(40))
    return short.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? short : JSON.text(short).jsonText
  }

  private func expected(_ what: String, at place: Int? = nil) -> EngineError {
    failure(at: place, "expected \(what), and found \(scanner.found(at: place ?? scanner.position))")
  }

  // MARK: Lists and objects

  /// What comes next: the first byte of a value.
  mutating func peek() -> UInt8? {
    scanner.skipBlanks()
    return scanner.next
  }

  /// Reads a list; `readItem` reads each item.
  public mutating func readList(
    _ readItem: (inout JSONScanner, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard try beginList() else { return }
    var index = 0
    repeat {
      enter(index)
      try readItem(&self, index)
      leave()
      index &+= 1
    } while try nextItem()
  }

  /// Reads an object; `readMember` reads each value.
  public mutating func readObject(
    _ readMember: (inout JSONScanner, String) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard peek() == UInt8(ascii: "{") else { throw expected("an object") }
    scanner.position &+= 1
    try requireDepth()
    if peek() == UInt8(ascii: "}") {
      scanner.position &+= 1
      return
    }
    while true {
      scanner.skipBlanks()
      let name = try readString("the name of a member")
      scanner.skipBlanks()
      guard scanner.take(UInt8(ascii: ":")) else { throw expected("\":\"") }
      path.append(.name(name))
      try readMember(&self, name)
      path.removeLast()
      scanner.skipBlanks()
      if scanner.take(UInt8(ascii: "}")) { return }
      guard scanner.take(UInt8(ascii: ",")) else { throw expected("\",\" or \"}\"") }
    }
  }

  private func requireDepth() throws(EngineError) {
    if path.count >= Self.depthLimit { throw failure("lists and objects are nested more than \(Self.depthLimit) deep") }
  }

  // For a reader that keeps a scanner and walks lists and objects itself.

  /// Begins a list; whether there is an item. Without one the list is read.
  mutating func beginList() throws(EngineError) -> Bool {
    guard peek() == UInt8(ascii: "[") else { throw expected("a list") }
    scanner.position &+= 1
    try requireDepth()
    if peek() != UInt8(ascii: "]") { return true }
    scanner.position &+= 1
    return false
  }

  /// Goes on to the next item of a list; whether there is one. Without one the list is read.
  mutating func nextItem() throws(EngineError) -> Bool {
    scanner.skipBlanks()
    if scanner.take(UInt8(ascii: "]")) { return false }
    guard scanner.take(UInt8(ascii: ",")) else { throw expected("\",\" or \"]\"") }
    return true
  }

  mutating func enter(_ index: Int) { path.append(.index(index)) }

  /// Goes to a value that was skipped.
  mutating func enter(_ name: String, at position: Int) {
    path.append(.name(name))
    scanner.position = position
  }

  mutating func leave() { path.removeLast() }

  mutating func leave(to position: Int) {
    path.removeLast()
    scanner.position = position
  }

  // MARK: Values

  /// Reads a number.
  mutating func readNumber() throws(EngineError) -> Double {
    scanner.skipBlanks()
    let start = scanner.position
    do throws(TextScanner.NumberError) { return try scanner.takeNumber(isJSON: true) } catch {
      guard error == .missing else { throw failure(at: start, "the number is too large for a double") }
      throw expected("a number", at: start)
    }
  }

  /// Takes "null" if it comes next.
  mutating func takeNull() -> Bool {
    scanner.skipBlanks()
    return take("null")
  }

  mutating func take(_ word: StaticString) -> Bool {
    let end = scanner.position &+ word.utf8CodeUnitCount
    guard end <= scanner.bytes.count else { return false }
    for index in 0..<word.utf8CodeUnitCount where scanner.bytes[scanner.position &+ index] != word.utf8Start[index] {
      return false
    }
    scanner.position = end
    return true
  }

  /// Goes over a value of any kind, and checks that it is one.
  public mutating func skipValue() throws(EngineError) {
    switch peek() {
    case UInt8(ascii: "{"):
      try readObject { (json: inout JSONScanner, _) throws(EngineError) in try json.skipValue() }
    case UInt8(ascii: "["):
      var numbers = 0
      try readList { (json: inout JSONScanner, index) throws(EngineError) in
        if let byte = json.peek(), byte == UInt8(ascii: "-") || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
        {
          numbers = index &+ 1
        }
        try json.skipValue()
      }
      longestNumberList = max(longestNumberList, numbers)
    case UInt8(ascii: "\""): _ = try readString("a string")
    default:
      if take("true") || take("false") || take("null") { return }
      if let byte = scanner.next, byte == UInt8(ascii: "-") || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      {
        let start = scanner.position
        do throws(TextScanner.NumberError) { _ = try scanner.takeNumber(isJSON: true) } catch {
          // Too large for a double is nothing to a member that is not looked at.
          if error == .missing { throw expected("a value", at: start) }
        }
        return
      }
      throw expected("a value")
    }
  }

  /// Reads a string, its escapes resolved.
  mutating func readString(_ what: String) throws(EngineError) -> String {
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: "\"")) else { throw expected(what) }
    var text: [UInt8] = []
    let start = scanner.position
    while let byte = scanner.next {
      scanner.position &+= 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try readEscape(into: &text)
      case 0..<0x20: throw failure(at: scanner.position &- 1, "a string holds a control character")
      default: text.append(byte)
      }
    }
    throw failure(at: start &- 1, "a string does not end")
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]

  private mutating func readEscape(into text: inout [UInt8]) throws(EngineError) {
    let start = scanner.position &- 1
    let letter = scanner.next
    if let letter, let byte = Self.escapes[letter] {
      scanner.position &+= 1
      text.append(byte)
      return
    }
    guard letter == UInt8(ascii: "u"), var code = takeHex() else {
      throw failure(at: start, "an escape is not valid in JSON")
    }
    if code & 0xFC00 == 0xD800 {
      // The first half of a pair.
      guard scanner.take(UInt8(ascii: "\\")), scanner.next == UInt8(ascii: "u"), let second = takeHex(),
        second & 0xFC00 == 0xDC00
      else { throw failure(at: start, "an escape is half of a pair") }
      code = 0x10000 &+ ((code & 0x3FF) << 10) &+ (second & 0x3FF)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure(at: start, "an escape is half of a pair") }
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// Takes "u" and four hexadecimal digits.
  private mutating func takeHex() -> UInt32? {
    var code: UInt32 = 0
    scanner.position &+= 1
    for _ in 0..<4 {
      guard let byte = scanner.next, let digit = Self.hexValue(byte) else { return nil }
      code = code << 4 | digit
      scanner.position &+= 1
    }
    return code
  }

  private static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(truncatingIfNeeded: byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(truncatingIfNeeded: byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }
}

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
    var scanner = JSONScanner(bytes, title: title)
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

  public var isTrue: Bool { if case .bool(true) = self { true } else { false } }

  public var items: [JSON]? {
    if case .list(let values) = self { return values }
    return nil
  }
}

extension JSONScanner {
  /// Reads a value of any kind.
  public mutating func readValue() throws(EngineError) -> JSON {
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
