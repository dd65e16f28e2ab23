import AlidadeCoordinates
import Glibc

/// The marks of a text that names files.
enum ReferenceMarks {
  private static let words: [[UInt8]] = ["init=", "grids", "parameterfile", "file=", "model=", "init ="].map {
    Array($0.utf8)
  }

  /// Whether a mark ends with the byte at a position, in either case of letters.
  static func ends(at position: Int, in bytes: [UInt8]) -> Bool {
    // Most letters are decided by the one before.
    let before = position > 0 ? bytes[position &- 1] | 0x20 : 0
    switch bytes[position] | 0x20 {
    case UInt8(ascii: "s"): if before != UInt8(ascii: "d") { return false }
    case UInt8(ascii: "e"): if before != UInt8(ascii: "l") { return false }
    default: break
    }
    return words.contains { word in
      let start = position &- word.count &+ 1
      guard start >= 0 else { return false }
      for index in word.indices {
        let byte = bytes[start &+ index]
        let lower = byte >= 65 && byte <= 90 ? byte &+ 32 : byte
        if lower != word[index] { return false }
      }
      return true
    }
  }

  static func areIn(_ bytes: [UInt8]) -> Bool {
    for position in bytes.indices {
      let byte = bytes[position] | 0x20
      guard byte == UInt8(ascii: "=") | 0x20 || byte == UInt8(ascii: "s") || byte == UInt8(ascii: "e") else { continue }
      if ends(at: position, in: bytes) { return true }
    }
    return false
  }

  /// What makes GDAL project coordinates, in lower case.
  private static let projecting: [StaticString] = ["warp", "transformer", "ogrvrtunionlayer"]

  /// Whether an XML document has anything in it for which it should be read.
  static func mayMatter(xml bytes: [UInt8]) -> Bool {
    let lower = bytes.map { $0 >= 65 && $0 <= 90 ? $0 &+ 32 : $0 }
    if projecting.contains(where: { !positions(of: $0, in: lower).isEmpty }) { return true }
    var (depth, signs, start) = (0, 0, 0)
    // What a text or a value begins with; blanks do not count.
    var isAtBeginning = false
    for position in bytes.indices {
      let byte = bytes[position]
      if isAtBeginning, byte != 32, byte < 9 || byte > 13 {
        isAtBeginning = false
        // A path, perhaps, or DICT:.
        let rest = lower[position...]
        let isEnd = rest.starts(with: "/>".utf8)
        if !isEnd, ["/", "./", "../", "~", "dict:"].contains(where: { rest.starts(with: $0.utf8) }) { return true }
      }
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { isAtBeginning = true }
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: ">"):
        // A long text, or many parameters.
        let length = position &- start
        if length > ReferenceLimits.longest || (signs > 0 && length > 1000) { return true }
        (depth, signs, start) = (0, 0, position)
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("):
        depth &+= 1
        if depth > ReferenceLimits.deepest { return true }
      case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"): depth &-= 1
      // A letter as a number.
      case UInt8(ascii: "#"): if position > 0, bytes[position &- 1] == UInt8(ascii: "&") { return true }
      case UInt8(ascii: "="), UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        if byte == UInt8(ascii: "=") { signs &+= 1 }
        if ends(at: position, in: bytes) { return true }
      default: break
      }
    }
    return false
  }

  /// Whether a part of a JSON text writes ASCII letters, digits or underscores as numbers.
  static func hasEscapedLetters(_ bytes: [UInt8]) -> Bool {
    positions(of: "\\u00", in: bytes).contains { start in
      guard start &+ 6 <= bytes.count,
        let code = UInt8(String(decoding: bytes[(start &+ 4)..<(start &+ 6)], as: UTF8.self), radix: 16)
      else { return false }
      return (65...90).contains(code) || (97...122).contains(code) || code == 95
    }
  }

  static func positions(of mark: StaticString, in bytes: [UInt8]) -> [Int] {
    var found: [Int] = []
    guard mark.utf8CodeUnitCount > 0 else { return found }
    let (first, length) = (Int32(truncatingIfNeeded: mark.utf8Start.pointee), mark.utf8CodeUnitCount)
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      while start <= bytes.count &- length, let place = memchr(base + start, first, bytes.count &- length &- start &+ 1)
      {
        let position = UnsafeRawPointer(place) - base
        if memcmp(base + position, mark.utf8Start, length) == 0 { found.append(position) }
        start = position &+ 1
      }
    }
    return found
  }
}
