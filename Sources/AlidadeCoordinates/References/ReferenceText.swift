import AlidadeBase
import Glibc

/// The kind of a text that should describe a spatial reference, found before PROJ reads it.
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
    // PROJ would end the text there.
    guard !given.utf8.contains(0) else {
      throw EngineError(.invalidArgument, "The text of a spatial reference has a NUL, U+0000, in it.")
    }
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
    // A name may contain a round bracket, but not directly after its first word. "NAD83(CSRS)" is such a name.
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
  /// Operations that PROJ would take for coordinate systems with +type=crs.
  private static let operations: Set<String> = [
    "pipeline", "noop", "push", "pop", "set", "affine", "axisswap", "defmodel", "deformation", "geogoffset",
    "gridshift", "helmert", "hgridshift", "horner", "molobadekas", "molodensky", "tinshift", "topocentric",
    "unitconvert", "vertoffset", "vgridshift", "xyzgridshift",
  ]

  /// The parameters of a PROJ string, without their "+"; nil if the text is not a PROJ string.
  private static func projParameters(_ text: String, first: UInt8) -> [Substring]? {
    let words = text.split { $0.isWhitespace }
    let parameters = words.map { $0.first == "+" ? $0.dropFirst() : $0 }
    let isOne = first == UInt8(ascii: "+") || parameters.contains { $0.hasPrefix("proj=") || $0.hasPrefix("init=") }
    return isOne ? parameters : nil
  }

  /// The PROJ string of a coordinate system, which PROJ takes for one only if it says so.
  private static func coordinateSystem(_ text: String, _ parameters: [Substring]) throws(EngineError) -> String {
    // +init=FILE:NAME makes PROJ open any file. Blanks around the sign are PROJ's to close up, so they are closed here.
    if text.filter({ !$0.isWhitespace }).contains("init=") {
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

/// The limits of texts that PROJ reads.
public enum ReferenceLimits {
  /// See `ReferenceText`.
  public static let longest = ReferenceText.longest
  public static let deepest = ReferenceText.deepest
}

/// The rules for the text of a spatial reference or a transformation, from any source: a host, or a file that GDAL is
/// about to open. Grids and parameter files are named without a folder and are found in the grid directories. A path
/// would make PROJ open any file, and a pipe would make it wait for ever.
public struct ReferenceTextFilter: Sendable {
  private let runtime: Runtime
  private var policy: Policy { runtime.policy }
  /// Where files may be named by their paths.
  private let folders: [String]

  public init(runtime: Runtime) {
    self.runtime = runtime
    let grids = CoordinateService.of(runtime).grids.all
    folders = grids + ProjSession.projFolders(runtime.options) + runtime.policy.dataDirectories
  }

  /// The rule's name in refusals.
  public static let rule = "spatial-reference-text"

  // MARK: Rules

  /// Throws if a text of a file must not reach GDAL or PROJ, or is the name of another file.
  ///
  /// - Parameter file: where the text stands, for messages.
  public func check(_ text: String, named file: String) throws(EngineError) {
    try checkText(text, named: file)
    try checkPath(text.trimmed, Self.subject(file))
  }

  /// The same for a text that nothing takes for a name.
  public func checkText(_ text: String, named file: String) throws(EngineError) {
    try Self.checkLimits(text, Self.subject(file))
    try checkFiles(text, Self.subject(file))
  }

  /// The same for a part of a text, or for a text that may not be a spatial reference. Checks only the files in it.
  public func checkFiles(_ text: String, named file: String) throws(EngineError) {
    try checkFiles(text, Self.subject(file))
  }

  /// Throws if a JSON text is nested more deeply than that of a spatial reference may be.
  public func checkNesting(_ json: String, named file: String) throws(EngineError) {
    try ReferenceText.checkNesting(json, escape: UInt8(ascii: "\\"), Self.subject(file))
  }

  private static func subject(_ file: String) -> String { "The spatial reference in \"\(file)\"" }

  /// Throws if a text of the host's must not reach PROJ.
  func check(_ text: String) throws(EngineError) {
    try policy.check(bytes: text.utf8.count)
    try Self.checkLimits(text, "The text")
    try checkFiles(text, "The text")
  }

  /// Throws if the parser of PROJ would take too long for a text, or too deep a stack.
  static func checkLimits(_ text: String, _ subject: String) throws(EngineError) {
    guard text.utf8.count <= ReferenceText.longest else {
      throw EngineError(
        .limitExceeded,
        "\(subject) has \(text.utf8.count) bytes; \(ReferenceText.longest) are allowed (rule: \(rule)). "
          + "No spatial reference needs as many; take out what describes something else.")
    }
    let isJSON = text.utf8.first { !$0.isSpace } == UInt8(ascii: "{")
    try ReferenceText.checkNesting(text, escape: isJSON ? UInt8(ascii: "\\") : nil, subject)
    // In well-known text and PROJJSON an equals sign stands within quotes, of a PROJ string mostly. A PROJ string by itself
    // may have parameters without a value.
    let isPlain = !isJSON && !text.utf8.contains(UInt8(ascii: "["))
    var (signs, words, isInWord) = (0, 0, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") { signs &+= 1 }
      if isPlain, !byte.isSpace, !isInWord { words &+= 1 }
      isInWord = !byte.isSpace
    }
    let parameters = max(signs, words)
    guard parameters <= ReferenceText.mostParameters else {
      throw EngineError(
        .limitExceeded,
        "\(subject) has \(parameters) parameters of PROJ strings; \(ReferenceText.mostParameters) are allowed "
          + "(rule: \(rule)).")
    }
    for (west, east) in ReferenceTextAreas.longitudes(in: text, isJSON: isJSON)
    where !(west < east) && !(west < 180 && east > -180) {
      throw EngineError(
        .invalidArgument,
        "\(subject) has an area from \(NumberText.shortest(west)) to \(NumberText.shortest(east)) degrees of longitude "
          + "(rule: \(rule)). The west of an area is below 180 and its east above -180.")
    }
  }

  /// Throws if a text names a file that it may not.
  private func checkFiles(_ text: String, _ subject: String) throws(EngineError) {
    for name in ReferenceTextNames.files(in: text) { try checkName(name, subject) }
  }

  private func checkName(_ name: String, _ subject: String) throws(EngineError) {
    let shown = name.count <= 160 ? name : "\(name.prefix(100))...\(name.suffix(50))"
    if name.contains("://") {
      if policy.allowsNetwork { return }
      throw EngineError(
        .policyRefused,
        "\(subject) names the grid \"\(shown)\", which leads to the network (rule: \(Self.rule)). Set "
          + "the policy flag ALLOW_NETWORK to allow it.")
    }
    if name.utf8.contains(UInt8(ascii: "/")) || name.hasPrefix("~") {
      if GridFiles.lies(name, in: folders) { return }
      throw EngineError(
        .policyRefused,
        "\(subject) names the grid file \"\(shown)\" by a path (rule: \(Self.rule)). Put the file into a grid directory "
          + "and name it without a folder, or name its folder in data_directories to allow it.")
    }
    // PROJ looks into the working folder in the end.
    if Self.isPipeOrDevice(name) {
      throw EngineError(
        .policyRefused,
        "\(subject) names the grid \"\(shown)\", which is no file in the working folder but a pipe or a device (rule: "
          + "\(Self.rule)). Take it away from there.")
    }
  }

  /// Throws if GDAL would take a text for the name of a file that holds a spatial reference.
  private func checkPath(_ text: String, _ subject: String) throws(EngineError) {
    guard text.utf8.count < Int(PATH_MAX) else { return }
    let lower = text.lowercased()
    let isDictionary = lower.hasPrefix("dict:") && text.utf8.contains(UInt8(ascii: "/"))
    let isPath = ["/", "./", "../", "~"].contains(where: text.hasPrefix)
    guard isDictionary || isPath || Self.isPipeOrDevice(text) || (lower.contains("/") && access(text, F_OK) == 0)
    else { return }
    throw EngineError(
      .policyRefused,
      "\(subject) is the name of another file, \"\(text.prefix(100))\" (rule: \(Self.rule)). Write the spatial "
        + "reference itself, such as EPSG:4326.")
  }

  // MARK: Grids from the network

  /// Throws if reading coordinates from one system into another would need a file that is not on this machine. For PROJ
  /// contexts that fetch such files although the policy forbids the network, and that are not ours to change.
  ///
  /// - Parameter texts: the systems, as a file writes them.
  public func requireLocalGrids(between texts: [String], named file: String) throws(EngineError) {
    for text in texts { try requireLocalFiles(in: text, named: file) }
    var systems: [SpatialReference] = []
    for text in Set(texts) {
      do throws(EngineError) {
        systems.append(try SpatialReference.make(runtime: runtime, text: text))
      } catch {
        throw fetching(file, "for a spatial reference of which that is not known")
      }
    }
    for from in systems {
      for to in systems where from !== to {
        var options = CatalogueOptions()
        options.includesSuperseded = true
        for item in try TransformationList.make(from: from, to: to, options: options).items {
          let missing = try item.transformation.steps().flatMap(\.grids).first { !$0.isAvailable }
          if let missing { throw fetching(file, "such as \(missing.name)") }
        }
      }
    }
  }

  /// Throws if a text names a file that is not on this machine, for contexts as above.
  public func requireLocalFiles(in text: String, named file: String) throws(EngineError) {
    for name in ReferenceTextNames.files(in: text) where name != "null" {
      // +init=epsg:4326 is looked up in the database.
      let part = name.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init) ?? name
      if name != part, Self.authorities.contains(part.lowercased()) { continue }
      let isThere = folders.contains { access("\($0)/\(name)", R_OK) == 0 || access("\($0)/\(part)", R_OK) == 0 }
      if !isThere, access(name, R_OK) != 0 { throw fetching(file, "such as \(part)") }
    }
  }

  private static let authorities: Set<String> = ["epsg", "esri", "ignf", "ogc", "iau_2015", "nkg"]

  private func fetching(_ file: String, _ what: String) -> EngineError {
    EngineError(
      .policyRefused,
      "\"\(file)\" needs grids that are not on this machine, \(what), and PROJ would fetch them, since its network "
        + "is on in this process (rule: network). Set the policy flag ALLOW_NETWORK to allow it, or turn PROJ_NETWORK "
        + "off.")
  }

  private static func isPipeOrDevice(_ path: String) -> Bool {
    var status = stat()
    guard !path.isEmpty, stat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && kind != S_IFDIR
  }
}

/// The areas of use in a text. PROJ 9.1 cuts an area that crosses the antimeridian into two there. If the area begins or
/// ends there, it cuts again and again, until the stack is full.
private enum ReferenceTextAreas {
  /// West and east of each area; of PROJJSON more pairs, because its members may have any order and stand there twice.
  static func longitudes(in text: String, isJSON: Bool) -> [(west: Double, east: Double)] {
    isJSON ? longitudes(inJSON: Array(text.utf8)) : longitudes(inPlain: Array(text.utf8))
  }

  /// BBOX[south, west, north, east].
  private static func longitudes(inPlain bytes: [UInt8]) -> [(west: Double, east: Double)] {
    let keyword = Array("bbox".utf8)
    var found: [(west: Double, east: Double)] = []
    for start in bytes.indices.dropLast(keyword.count) where bytes[start] | 0x20 == keyword[0] {
      let end = start &+ keyword.count
      guard bytes[start..<end].elementsEqual(keyword, by: { $0 | 0x20 == $1 }) else { continue }
      let inside = bytes[end...].drop { $0.isSpace }.dropFirst()
        .prefix { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: ")") }
      let values = inside.split(separator: UInt8(ascii: ",")).map {
        Double(String(decoding: $0, as: UTF8.self).trimmed)
      }
      if values.count == 4, let west = values[1], let east = values[3] { found.append((west, east)) }
    }
    return found
  }

  private static func longitudes(inJSON bytes: [UInt8]) -> [(west: Double, east: Double)] {
    var reader = JSONStrings(bytes)
    var found: [(west: Double, east: Double)] = []
    var (west, east): (Double?, Double?)
    while let string = reader.next() {
      let isWest = string.bytes.elementsEqual("west_longitude".utf8)
      guard string.isKey, isWest || string.bytes.elementsEqual("east_longitude".utf8) else { continue }
      let digits = reader.rest.drop { $0.isSpace || $0 == UInt8(ascii: ":") }.prefix { byte in
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      }
      let value = Double(String(decoding: digits, as: UTF8.self))
      if isWest { west = value } else { east = value }
      if let west, let east { found.append((west, east)) }
    }
    return found
  }
}

/// The files that a text makes PROJ open: well-known text, PROJJSON and PROJ strings, also within each other.
private enum ReferenceTextNames {
  static func files(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    guard bytes.first(where: { !$0.isSpace }) == UInt8(ascii: "{") else { return files(inPlain: bytes) }
    var found: [String] = []
    var reader = JSONStrings(bytes)
    var key: [UInt8] = []
    while let string = reader.next() {
      if string.isKey {
        key = string.bytes
      } else if key.elementsEqual("value".utf8) {
        // A parameter whose value is no number names a file.
        found += names(string.bytes[...])
      }
      found += files(inPlain: string.bytes)
    }
    return found
  }

  /// Of well-known text or a PROJ string.
  private static func files(inPlain given: [UInt8]) -> [String] {
    guard given.contains(UInt8(ascii: "=")) || given.contains(UInt8(ascii: "[")) || given.contains(UInt8(ascii: "("))
    else { return [] }
    let bytes = closedUp(given)
    let lower = bytes.map { $0 >= 65 && $0 <= 90 ? $0 &+ 32 : $0 }
    var found: [String] = []
    for sign in bytes.indices where bytes[sign] == UInt8(ascii: "=") {
      let start = lower[..<sign].lastIndex { !$0.isLetter && !$0.isDigit && $0 != UInt8(ascii: "_") }
      let key = String(decoding: lower[(start.map { $0 &+ 1 } ?? 0)..<sign], as: UTF8.self)
      if key.hasSuffix("grids") || ["init", "file", "model", "catalog"].contains(key) {
        found += names(value(of: bytes[(sign &+ 1)...]))
      }
    }
    for (mark, hasName) in [("parameterfile", true), ("proj4_grids", false)] {
      let wanted = Array(mark.utf8)
      for start in lower.indices where lower[start] == UInt8(ascii: "p") && lower[start...].starts(with: wanted) {
        let rest = bytes[(start &+ wanted.count)...]
        var isQuoted = !hasName
        let end = rest.firstIndex { byte in
          if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
          return !isQuoted && (byte == UInt8(ascii: "]") || byte == UInt8(ascii: ")"))
        }
        let values = rest[..<(end ?? rest.endIndex)].split(
          separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for value in values.dropFirst() { found += names(value) }
      }
    }
    return found
  }

  /// Without blanks around equals signs and commas, as PROJ closes strings up, and with plain quotes for printed ones,
  /// which PROJ takes as well.
  private static func closedUp(_ given: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(given.count)
    var blanks = 0
    var position = 0
    while position < given.count {
      var byte = given[position]
      if byte == 0xE2, position &+ 2 < given.count, given[position &+ 1] == 0x80,
        given[position &+ 2] == 0x9C || given[position &+ 2] == 0x9D
      {
        byte = UInt8(ascii: "\"")
        position &+= 2
      }
      position &+= 1
      if byte.isSpace || byte == 0 {
        blanks &+= 1
        continue
      }
      let isSign = byte == UInt8(ascii: "=") || byte == UInt8(ascii: ",")
      let followsSign = bytes.last == UInt8(ascii: "=") || bytes.last == UInt8(ascii: ",")
      if blanks > 0, !isSign, !followsSign { bytes.append(UInt8(ascii: " ")) }
      blanks = 0
      bytes.append(byte)
    }
    return bytes
  }

  /// The value of a parameter of a PROJ string.
  private static func value(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let value = rest.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
    let isQuoted = value.count < rest.count
    return value.prefix { $0 != UInt8(ascii: "\"") && (isQuoted || !$0.isSpace) }
  }

  /// The names in a list with commas, each perhaps with an @ for "if it is there".
  private static func names(_ list: ArraySlice<UInt8>) -> [String] {
    list.split(separator: UInt8(ascii: ",")).compactMap { part in
      let bare = part.drop { $0.isSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "@") }
      let end = bare.lastIndex { !$0.isSpace && $0 != UInt8(ascii: "\"") }
      guard let end else { return nil }
      return String(decoding: bare[...end], as: UTF8.self)
    }
  }
}

/// The strings of a JSON text, without their escapes. What is no JSON gives what strings it has.
public struct JSONStrings {
  private let bytes: [UInt8]
  private var position = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// What stands behind the last string.
  var rest: ArraySlice<UInt8> { bytes[min(position, bytes.count)...] }

  /// The next string, and whether it is the key of a member.
  public mutating func next() -> (bytes: [UInt8], isKey: Bool)? {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position &+= 1 }
    guard position < bytes.count else { return nil }
    position &+= 1
    var string: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\"), position &+ 1 < bytes.count {
        position &+= 1
        string += unescaped()
      } else {
        string.append(bytes[position])
      }
      position &+= 1
    }
    position &+= 1
    let following = bytes[min(position, bytes.count)...].first { !$0.isSpace }
    return (string, following == UInt8(ascii: ":"))
  }

  /// What stands behind a backslash.
  private mutating func unescaped() -> [UInt8] {
    switch bytes[position] {
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "b"), UInt8(ascii: "f"): return [32]
    case UInt8(ascii: "u"):
      let digits = bytes[(position &+ 1)...].prefix(4)
      guard digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else { return [] }
      position &+= 4
      // Halves of pairs stand in no name that matters here.
      return Array(String(Unicode.Scalar(code) ?? "?").utf8)
    default: return [bytes[position]]
    }
  }
}
