/// A word, a number, a quoted text or a sign of SQL.
struct SQLToken: Equatable {
  enum Kind {
    /// A word that is not quoted: a keyword or a name.
    case word
    case number
    /// '...': a text.
    case text
    /// "...", `...` or [...]: a name.
    case name
    /// An operator, a bracket, a comma; of two characters where SQL has such.
    case sign
    case comment
    /// A quote that is not closed, or a character that SQL does not allow.
    case broken
    /// Behind the last one.
    case end
  }

  let kind: Kind
  /// Without its quotes.
  let text: String
  /// Where it begins in the text, in bytes from 0.
  var position = 0

  static func == (a: SQLToken, b: SQLToken) -> Bool { a.kind == b.kind && a.text == b.text }

  /// Whether this is a keyword.
  ///
  /// - Parameter word: in lower case.
  func isWord(_ word: String) -> Bool { kind == .word && SQLText.lowercased(text).elementsEqual(word.utf8) }

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}

/// Texts of SQL, byte by byte. Characters are no measure here: to Swift a quote is one character with the mark that
/// follows it, to SQLite it is a quote.
enum SQLText {
  /// A text in single quotes.
  static func literal(_ text: String) -> String { quoted(text, by: UInt8(ascii: "'")) }

  /// A name in double quotes.
  static func name(_ text: String) -> String { quoted(text, by: UInt8(ascii: "\"")) }

  private static func quoted(_ text: String, by quote: UInt8) -> String {
    var bytes = [quote]
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [quote], as: UTF8.self)
  }

  /// The bytes with ASCII letters in lower case: no others have a case for SQLite.
  static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Whether a text holds some bytes.
  static func holds(_ text: String, _ part: String) -> Bool {
    let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }

  /// Whether the last byte of a text is one.
  static func ends(_ text: String, with byte: UInt8) -> Bool { text.utf8.last == byte }
}

/// Takes SQL to pieces.
enum SQLTokens {
  static func read(_ statement: String) -> [SQLToken] {
    var reader = SQLReader(bytes: Array(statement.utf8))
    var tokens: [SQLToken] = []
    while let token = reader.next() { tokens.append(token) }
    return tokens
  }
}

private struct SQLReader {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private func at(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private func token(_ kind: SQLToken.Kind, from start: Int) -> SQLToken {
    SQLToken(kind: kind, text: String(decoding: bytes[start..<place], as: UTF8.self), position: start)
  }

  private static let blanks: Set<UInt8> = [9, 10, 12, 13, 32]
  private static let pairs: Set<[UInt8]> = Set(["<=", ">=", "<>", "!=", "==", "||"].map { Array($0.utf8) })

  /// nil: there is no more.
  mutating func next() -> SQLToken? {
    while Self.blanks.contains(at(place)), place < bytes.count { place &+= 1 }
    guard place < bytes.count else { return nil }
    let start = place
    switch bytes[place] {
    case UInt8(ascii: "-") where at(place &+ 1) == UInt8(ascii: "-"):
      while place < bytes.count, bytes[place] != 10 { place &+= 1 }
      return token(.comment, from: start)
    case UInt8(ascii: "/") where at(place &+ 1) == UInt8(ascii: "*"):
      place &+= 2
      while place < bytes.count, !(bytes[place] == UInt8(ascii: "*") && at(place &+ 1) == UInt8(ascii: "/")) {
        place &+= 1
      }
      place = min(bytes.count, place &+ 2)
      return token(.comment, from: start)
    case let quote where "'\"`[".utf8.contains(quote): return quoted(quote)
    case let byte where Self.isDigit(byte) || (byte == UInt8(ascii: ".") && Self.isDigit(at(place &+ 1))):
      return number()
    case let byte where Self.isPartOfWord(byte):
      while Self.isPartOfWord(at(place)) { place &+= 1 }
      return token(.word, from: start)
    default:
      let isPair = place &+ 1 < bytes.count && Self.pairs.contains(Array(bytes[place...(place &+ 1)]))
      place &+= isPair ? 2 : 1
      let isKnown = isPair || "+-*/%()<>=,.;!|&~?:@#$^{}]\\".utf8.contains(bytes[start])
      return token(isKnown ? .sign : .broken, from: start)
    }
  }

  private mutating func quoted(_ quote: UInt8) -> SQLToken {
    let start = place
    let end = quote == UInt8(ascii: "[") ? UInt8(ascii: "]") : quote
    place &+= 1
    var inside: [UInt8] = []
    var isClosed = false
    while place < bytes.count, !isClosed {
      if bytes[place] == end {
        if at(place &+ 1) == end, end != UInt8(ascii: "]") {
          inside.append(end)
          place &+= 2
        } else {
          place &+= 1
          isClosed = true
        }
      } else {
        inside.append(bytes[place])
        place &+= 1
      }
    }
    let kind: SQLToken.Kind = !isClosed ? .broken : quote == UInt8(ascii: "'") ? .text : .name
    return SQLToken(kind: kind, text: String(decoding: inside, as: UTF8.self), position: start)
  }

  /// Digits with a point and an exponent. Anything that follows directly makes the number broken, so that 0x10 is not
  /// 0.
  private mutating func number() -> SQLToken {
    let start = place
    while Self.isDigit(at(place)) { place &+= 1 }
    if at(place) == UInt8(ascii: ".") {
      place &+= 1
      while Self.isDigit(at(place)) { place &+= 1 }
    }
    if at(place) | 0x20 == UInt8(ascii: "e") {
      let isSigned = [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(at(place &+ 1))
      if Self.isDigit(at(place &+ (isSigned ? 2 : 1))) {
        place &+= isSigned ? 2 : 1
        while Self.isDigit(at(place)) { place &+= 1 }
      }
    }
    guard !Self.isPartOfWord(at(place)) else {
      while Self.isPartOfWord(at(place)) { place &+= 1 }
      return token(.broken, from: start)
    }
    return token(.number, from: start)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte >= 0x80
  }
}
