import AlidadeBase

/// What a text that should describe a spatial reference is, told before PROJ sees it.
///
/// PROJ reads texts of strangers too, and some of them cost it seconds or lead it to files: hence the limits here. They
/// were measured with PROJ 9.1: a derived system within a derived system within ... doubles its time with each level,
/// 30,000 parameters of a PROJ string take 12 s, 60,000 identifiers in WKT take 3 s.
struct ReferenceText {
  enum Form {
    case json
    case wellKnownText
    case projString
    /// "EPSG:3857", "EPSG:4326+5773", a URN or an address of the OGC's.
    case code
    case name
  }

  /// The longest text that is read, in bytes. What PROJ writes for the largest systems of its database is below 20 kB.
  static let longest = 1 << 18
  /// How many brackets may be open at once. PROJ itself ends at 16 in well-known text.
  static let deepest = 16
  /// How many parameters a PROJ string may have.
  static let mostParameters = 1000

  let form: Form
  /// Well-known text that PROJ also takes where it may be of any form: with a square bracket behind its first keyword.
  let isPlain: Bool
  /// The text as PROJ gets it.
  let text: String

  /// - Throws: `limitExceeded` for what is too long or too deep, `policyRefused` for what names files by their paths,
  ///   `invalidArgument` for what describes no spatial reference.
  init(_ given: String, _ runtime: Runtime) throws(EngineError) {
    try runtime.policy.check(bytes: given.utf8.count)
    try ReferenceTextFilter.checkLimits(given, "The text")
    let trimmed = given.trimmed
    let keyword = trimmed.utf8.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    isPlain = trimmed.utf8.dropFirst(keyword.count).first == UInt8(ascii: "[")
    guard let first = trimmed.utf8.first else {
      throw EngineError(.invalidArgument, "The text is empty; a spatial reference was expected.")
    }
    if first == UInt8(ascii: "{") {
      form = .json
      text = trimmed
    } else if Self.isWellKnownText(trimmed) {
      form = .wellKnownText
      text = trimmed
    } else if let parameters = Self.projParameters(trimmed, first: first) {
      form = .projString
      text = try Self.coordinateSystem(trimmed, parameters)
    } else {
      form = Self.isCode(trimmed) ? .code : .name
      text = form == .code ? Self.inProjsWords(trimmed) : trimmed
    }
    try ReferenceTextFilter(runtime: runtime).check(given)
  }

  /// A keyword and a bracket: GEOGCS[...]; WKT 2 may have round brackets.
  private static func isWellKnownText(_ text: String) -> Bool {
    let rest = text.utf8.drop { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    guard rest.count < text.utf8.count, let next = rest.first(where: { !$0.isSpace }) else { return false }
    // A name may hold a round bracket, but not right behind its first word: "NAD83(CSRS)" is one that does.
    if next == UInt8(ascii: "[") { return true }
    guard next == UInt8(ascii: "("), let inner = rest.dropFirst().first(where: { !$0.isSpace }) else { return false }
    return inner == UInt8(ascii: "\"")
  }

  /// Throws if too many brackets are open at once, outside of quotes.
  static func checkNesting(
    _ text: String, escape: UInt8?, _ subject: String = "The text"
  ) throws(EngineError) {
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == escape {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"): depth &+= 1
        case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"): depth &-= 1
        default: break
        }
        if depth > deepest {
          throw EngineError(
            .limitExceeded,
            "\(subject) has more than \(deepest) brackets open at once (rule: \(ReferenceTextFilter.rule)). No spatial "
              + "reference needs as many.")
        }
      }
    }
  }

  /// Authority and code, or a URN or address: letters, digits and the like before the first colon.
  private static func isCode(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.utf8.startIndex else { return false }
    return text.utf8[..<colon].allSatisfy {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
  }

  /// WMS says CRS:84 for what PROJ's database has as OGC:CRS84; of the others the same.
  private static func inProjsWords(_ given: String) -> String {
    // Blanks behind the colon, as people write them.
    let parts = given.split(separator: ":", omittingEmptySubsequences: false).map { String($0).trimmed }
    let code = parts.joined(separator: ":")
    return switch code.lowercased() {
    case "crs:84": "OGC:CRS84"
    case "crs:83": "OGC:CRS83"
    case "crs:27": "OGC:CRS27"
    default: code
    }
  }
}

// MARK: PROJ strings

extension ReferenceText {
  /// Operations of PROJ's that it would take for coordinate systems when told so.
  private static let operations: Set<String> = [
    "pipeline", "noop", "push", "pop", "set", "affine", "axisswap", "defmodel", "deformation", "geogoffset",
    "gridshift", "helmert", "hgridshift", "horner", "molobadekas", "molodensky", "tinshift", "topocentric",
    "unitconvert", "vertoffset", "vgridshift", "xyzgridshift",
  ]

  /// The parameters of a PROJ string, without their "+"; nil if the text is none.
  private static func projParameters(_ text: String, first: UInt8) -> [Substring]? {
    let words = text.split { $0.isWhitespace }
    let parameters = words.map { $0.first == "+" ? $0.dropFirst() : $0 }
    let isOne = first == UInt8(ascii: "+") || parameters.contains { $0.hasPrefix("proj=") || $0.hasPrefix("init=") }
    return isOne ? parameters : nil
  }

  /// The PROJ string of a coordinate system, which PROJ takes for one only if it says so.
  private static func coordinateSystem(_ text: String, _ parameters: [Substring]) throws(EngineError) -> String {
    // +init=FILE:NAME makes PROJ open any file. Blanks around the sign are PROJ's to close up, so they are closed here.
    if text.split(whereSeparator: \.isWhitespace).joined().contains("init=") {
      throw EngineError(
        .invalidArgument,
        "PROJ strings with +init= name a file and are not read; give the code alone, such as EPSG:4326.")
    }
    let isOperation = parameters.contains { parameter in
      parameter == "step" || (parameter.hasPrefix("proj=") && operations.contains(String(parameter.dropFirst(5))))
    }
    if isOperation {
      throw EngineError(
        .invalidArgument, "The PROJ string describes an operation on coordinates and no coordinate system: \(text)")
    }
    if parameters.contains("type=crs") { return text }
    return text + (text.hasPrefix("+") ? " +type=crs" : " type=crs")
  }
}

// MARK: Bytes of ASCII

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isLetter: Bool {
    (self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z")) || (self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z"))
  }
}

extension String {
  /// Without blanks and line ends around it.
  var trimmed: String {
    let start = utf8.firstIndex { !$0.isSpace } ?? utf8.endIndex
    let end = utf8.lastIndex { !$0.isSpace }.map { utf8.index(after: $0) } ?? start
    return String(self[start..<end])
  }
}
