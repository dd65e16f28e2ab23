import AlidadeBase

/// Numbers for the features of a service whose ids are not numbers from 0, next to features whose ids are.
struct FeatureNumbers {
  /// Ids from here on are given to features; a service rarely has them.
  private static let firstGiven: Int64 = 1 << 62
  /// So many texts are kept at least. A service that returns other texts each time would fill the memory.
  private static let mostTexts = 500_000

  /// The texts of the last time, and those before them.
  private var texts: [String: Int64] = [:]
  private var olderTexts: [String: Int64] = [:]
  private let first: Int64
  private var next: Int64
  /// Ids of the service's own from `first` on.
  private var stored: Set<Int64> = []

  /// - Parameter isAlone: no feature has a number as its id.
  init(isAlone: Bool) {
    first = isAlone ? 1 : Self.firstGiven
    next = first
  }

  /// The number for a text, the same each time.
  mutating func number(of text: String) -> Int64 {
    if let known = texts[text] { return known }
    let number: Int64
    if let known = olderTexts[text] {
      number = known
    } else {
      while stored.contains(next) { next &+= 1 }
      number = next
      next &+= 1
    }
    if texts.count >= Self.mostTexts { (olderTexts, texts) = (texts, [:]) }
    texts[text] = number
    return number
  }

  /// The id of a feature that the service has a number for: that number, unless another feature was given it before.
  mutating func number(stored id: Int64) -> Int64 {
    guard id >= first, !stored.contains(id) else { return id }
    if id < next { return number(of: "\0number \(id)") }
    stored.insert(id)
    return id
  }

  /// The id in the JSON of a feature as it is written, without the rounding to a double; nil: it has none.
  ///
  /// - Parameter json: valid JSON.
  static func writtenID(in json: UnsafeBufferPointer<UInt8>) -> String? {
    var (depth, index, isNext) = (0, 0, false)
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\""):
        let start = index &+ 1
        index = start
        while index < json.count, json[index] != UInt8(ascii: "\"") {
          index &+= json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        isNext = depth == 1 && json[min(start, json.count)..<min(index, json.count)].elementsEqual("id".utf8)
      case UInt8(ascii: ":") where isNext:
        let value = json[(index &+ 1)...].drop { $0 <= 32 }.prefix { ![44, 93, 125].contains($0) && $0 > 32 }
        return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth &-= 1
      case UInt8(ascii: ","): isNext = false
      default: break
      }
      index &+= 1
    }
    return nil
  }
}
