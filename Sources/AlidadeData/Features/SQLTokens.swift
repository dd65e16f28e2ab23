/// A word, a quoted text or a sign of SQL.
struct SQLToken: Equatable {
  enum Kind {
    /// A word that is not quoted: a keyword, a name or a number.
    case word
    /// '...': a text.
    case text
    /// "...", `...` or [...]: a name.
    case name
    case sign
    case comment
  }

  let kind: Kind
  /// Without its quotes.
  let text: String

  /// Whether this is a keyword.
  ///
  /// - Parameter word: in lower case.
  func isWord(_ word: String) -> Bool { kind == .word && text.lowercased() == word }
}

/// Takes SQL to pieces, far enough to see which tables it names.
enum SQLTokens {
  static func read(_ statement: String) -> [SQLToken] {
    let bytes = Array(statement.utf8)
    var tokens: [SQLToken] = []
    var place = 0
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func at(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case 9, 10, 12, 13, 32: place &+= 1
      case UInt8(ascii: "-") where at(place &+ 1) == UInt8(ascii: "-"):
        while place < bytes.count, bytes[place] != 10 { place &+= 1 }
        tokens.append(SQLToken(kind: .comment, text: text(start..<place)))
      case UInt8(ascii: "/") where at(place &+ 1) == UInt8(ascii: "*"):
        place &+= 2
        while place < bytes.count, !(bytes[place] == UInt8(ascii: "*") && at(place &+ 1) == UInt8(ascii: "/")) {
          place &+= 1
        }
        place = min(bytes.count, place &+ 2)
        tokens.append(SQLToken(kind: .comment, text: text(start..<place)))
      case let quote where "'\"`[".utf8.contains(quote):
        let end = quote == UInt8(ascii: "[") ? UInt8(ascii: "]") : quote
        place &+= 1
        var inside: [UInt8] = []
        while place < bytes.count {
          if bytes[place] == end {
            guard at(place &+ 1) == end, end != UInt8(ascii: "]") else { break }
            place &+= 1
          }
          inside.append(bytes[place])
          place &+= 1
        }
        place = min(bytes.count, place &+ 1)
        let kind: SQLToken.Kind = quote == UInt8(ascii: "'") ? .text : .name
        tokens.append(SQLToken(kind: kind, text: String(decoding: inside, as: UTF8.self)))
      case let byte where isPartOfWord(byte):
        while place < bytes.count, isPartOfWord(bytes[place]) { place &+= 1 }
        tokens.append(SQLToken(kind: .word, text: text(start..<place)))
      default:
        place &+= 1
        tokens.append(SQLToken(kind: .sign, text: text(start..<place)))
      }
    }
    return tokens
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte >= 0x80
  }
}
