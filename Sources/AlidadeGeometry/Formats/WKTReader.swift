import AlidadeBase
import AlidadeCoordinates

/// Reads well-known text: OGC's and ISO's ("POINT Z (1 2 3)", "POINTZ(1 2 3)"), the older form without a mark ("POINT (1
/// 2 3)": z, and m if there are four numbers), and PostGIS's "SRID=4326;" in front.
struct WKTReader: ~Copyable {
  private var scanner: TextScanner
  /// The SRID in front; nil if there is none, or 0.
  private(set) var srid: Int32?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { scanner = TextScanner(bytes) }

  /// Reads the one geometry that the text is.
  mutating func read(into builder: GeometryBuilder) throws(EngineError) {
    try readSRID()
    try readGeometry(into: builder)
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw failure(expected: "the end of the text") }
  }

  private mutating func readSRID() throws(EngineError) {
    scanner.skipBlanks()
    let start = scanner.position
    guard takeWord() == "SRID" else {
      scanner.position = start
      return
    }
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: "=")) else { throw failure(expected: "\"=\" after SRID") }
    scanner.skipBlanks()
    let numberAt = scanner.position
    guard let number = try? scanner.takeNumber(isJSON: false), let code = Int32(exactly: number), code >= 0 else {
      throw failure(at: numberAt, expected: "a whole number as SRID")
    }
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: ";")) else { throw failure(expected: "\";\" after the SRID") }
    srid = code == 0 ? nil : code
  }

  // MARK: Words

  /// Takes letters, in capitals.
  private mutating func takeWord() -> String {
    scanner.skipBlanks()
    var letters: [UInt8] = []
    // The longest word that means something has 19 letters; a longer one must not take memory.
    while let byte = scanner.next, (byte | 0x20) >= UInt8(ascii: "a"), (byte | 0x20) <= UInt8(ascii: "z"),
      letters.count < 32
    {
      letters.append(byte & 0xDF)
      scanner.position &+= 1
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Takes a word if it comes next.
  private mutating func take(word: String) -> Bool {
    let start = scanner.position
    if takeWord() == word { return true }
    scanner.position = start
    return false
  }

  private enum Form {
    case point, line, ring, polygon, multipoint, multiline, multipolygon, collection
  }

  private static let forms: [String: Form] = [
    "POINT": .point, "LINESTRING": .line, "LINEARRING": .ring, "POLYGON": .polygon, "MULTIPOINT": .multipoint,
    "MULTILINESTRING": .multiline, "MULTIPOLYGON": .multipolygon, "GEOMETRYCOLLECTION": .collection,
  ]
  private static let unsupported: Set<String> = [
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE", "CURVE", "SURFACE",
    "POLYHEDRALSURFACE", "TIN", "TRIANGLE",
  ]
  private static let marks: [String: GeometryFlags] = ["Z": [.hasZ], "M": [.hasM], "ZM": [.hasZ, .hasM]]

  private mutating func readForm() throws(EngineError) -> (Form, GeometryFlags?) {
    scanner.skipBlanks()
    let start = scanner.position
    let word = takeWord()
    if let form = Self.forms[word] {
      let markAt = scanner.position
      if let mark = Self.marks[takeWord()] { return (form, mark) }
      scanner.position = markAt
      return (form, nil)
    }
    // The mark may hang on the word.
    for (letters, mark) in [("ZM", GeometryFlags([.hasZ, .hasM])), ("Z", [.hasZ]), ("M", [.hasM])] {
      if word.hasSuffix(letters), let form = Self.forms[String(word.dropLast(letters.utf8.count))] {
        return (form, mark)
      }
    }
    for mark in ["", "ZM", "Z", "M"] where word.hasSuffix(mark) {
      if Self.unsupported.contains(String(word.dropLast(mark.utf8.count))) {
        throw EngineError(
          .unsupported, "WKT, \(scanner.place(of: start)): \(word) is not read; curves and surfaces are not.")
      }
    }
    throw failure(at: start, expected: "POINT, LINESTRING, POLYGON, MULTI... or GEOMETRYCOLLECTION")
  }

  // MARK: Geometries

  private mutating func readGeometry(into builder: GeometryBuilder) throws(EngineError) {
    let start = scanner.position
    let (form, mark) = try readForm()
    let isEmpty = take(word: "EMPTY")
    var flags = mark ?? []
    if mark == nil, !isEmpty { flags = try flagsOfFirstVertex(form) }
    switch form {
    case .point:
      try builder.begin(.point, flags)
      if !isEmpty {
        try open()
        try readVertex(builder)
        try close()
        try builder.endPath()
        try builder.endPart()
      }
    case .line:
      try builder.begin(.polyline, flags)
      if !isEmpty { try readLine(builder) }
    case .ring:
      try builder.begin(.polyline, flags)
      if !isEmpty { try readRing(builder) }
    case .polygon:
      try builder.begin(.polygon, flags)
      if !isEmpty { try readPolygon(builder) }
    case .multipoint:
      try builder.begin(.multipoint, flags)
      if !isEmpty { try readPoints(builder) }
    case .multiline:
      try builder.begin(.polyline, flags.union(.isMulti))
      if !isEmpty { try readList { (reader: inout WKTReader) throws(EngineError) in try reader.readLine(builder) } }
    case .multipolygon:
      try builder.begin(.polygon, flags.union(.isMulti))
      if !isEmpty { try readList { (reader: inout WKTReader) throws(EngineError) in try reader.readPolygon(builder) } }
    case .collection:
      try builder.begin(.collection, flags)
      if !isEmpty {
        let members = try at(start) { () throws(EngineError) in try builder.members() }
        try readList { (reader: inout WKTReader) throws(EngineError) in try reader.readGeometry(into: members) }
      }
    }
    try builder.end()
  }

  /// How many numbers the first vertex has, where no mark says it.
  private mutating func flagsOfFirstVertex(_ form: Form) throws(EngineError) -> GeometryFlags {
    if case .collection = form { return [] }
    let start = scanner.position
    defer { scanner.position = start }
    while true {
      scanner.skipBlanks()
      if take(word: "EMPTY") { continue }
      guard let byte = scanner.next, byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: ",")
      else { break }
      scanner.position &+= 1
    }
    var count = 0
    while count < 5, (try? takeNumber()) != nil { count &+= 1 }
    switch count {
    case 3: return [.hasZ]
    case 4: return [.hasZ, .hasM]
    default: return []
    }
  }

  private mutating func readPoints(_ builder: GeometryBuilder) throws(EngineError) {
    let before = builder.points.count
    try readList { (reader: inout WKTReader) throws(EngineError) in
      // A member that is empty adds no point.
      if reader.take(word: "EMPTY") { return }
      reader.scanner.skipBlanks()
      let isInBrackets = reader.scanner.take(UInt8(ascii: "("))
      try reader.readVertex(builder)
      if isInBrackets { try reader.close() }
    }
    if builder.points.count > before {
      try builder.endPath()
      try builder.endPart()
    }
  }

  private mutating func readLine(_ builder: GeometryBuilder) throws(EngineError) {
    try readPath(builder)
    try builder.endPart()
  }

  /// A line that is closed.
  private mutating func readRing(_ builder: GeometryBuilder) throws(EngineError) {
    scanner.skipBlanks()
    let (start, first) = (scanner.position, builder.points.count)
    try readLine(builder)
    let last = builder.points.count &- 1
    guard last &- first >= 3 || last < first else {
      throw failure(at: start, expected: "a ring of four vertices or more")
    }
    guard last < first || builder.points[first] == builder.points[last] else {
      throw failure(at: start, expected: "a ring whose last vertex is its first")
    }
  }

  private mutating func readPolygon(_ builder: GeometryBuilder) throws(EngineError) {
    if !take(word: "EMPTY") {
      try readList { (reader: inout WKTReader) throws(EngineError) in try reader.readPath(builder) }
    }
    try builder.endPart()
  }

  private mutating func readPath(_ builder: GeometryBuilder) throws(EngineError) {
    scanner.skipBlanks()
    let start = scanner.position
    if !take(word: "EMPTY") {
      try readList { (reader: inout WKTReader) throws(EngineError) in try reader.readVertex(builder) }
    }
    try at(start) { () throws(EngineError) in try builder.endPath() }
  }

  private mutating func readVertex(_ builder: GeometryBuilder) throws(EngineError) {
    scanner.skipBlanks()
    let start = scanner.position
    var vertex = Vertex(Point(x: try readNumber("x"), y: try readNumber("y")))
    if builder.flags.contains(.hasZ) { vertex.z = try readNumber("z") }
    if builder.flags.contains(.hasM) { vertex.m = try readNumber("m") }
    scanner.skipBlanks()
    guard let byte = scanner.next, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")") else {
      throw failure(expected: "\",\" or \")\" after the \(builder.flags.dimensionCount) numbers of a vertex")
    }
    try at(start) { () throws(EngineError) in try builder.append(vertex) }
  }

  // MARK: Parts of texts

  /// Reads "(item, item)".
  private mutating func readList(
    _ readItem: (inout WKTReader) throws(EngineError) -> Void
  ) throws(EngineError) {
    try open()
    repeat {
      try readItem(&self)
      scanner.skipBlanks()
    } while scanner.take(UInt8(ascii: ","))
    try close()
  }

  private mutating func open() throws(EngineError) {
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: "(")) else { throw failure(expected: "\"(\" or EMPTY") }
  }

  private mutating func close() throws(EngineError) {
    scanner.skipBlanks()
    guard scanner.take(UInt8(ascii: ")")) else { throw failure(expected: "\",\" or \")\"") }
  }

  private mutating func readNumber(_ name: String) throws(EngineError) -> Double {
    scanner.skipBlanks()
    let start = scanner.position
    do throws(TextScanner.NumberError) {
      return try takeNumber()
    } catch {
      guard error == .outOfRange else { throw failure(at: start, expected: "a number (\(name))") }
      throw EngineError(.invalidArgument, "WKT, \(scanner.place(of: start)): the number is too large for a double.")
    }
  }

  /// A number, or "nan", which z and m may be.
  private mutating func takeNumber() throws(TextScanner.NumberError) -> Double {
    scanner.skipBlanks()
    let start = scanner.position
    if let byte = scanner.next, byte | 0x20 == UInt8(ascii: "n"), takeWord() == "NAN" { return .nan }
    scanner.position = start
    return try scanner.takeNumber(isJSON: false)
  }

  // MARK: Errors

  private func failure(at place: Int? = nil, expected: String) -> EngineError {
    let place = place ?? scanner.position
    return EngineError(
      .invalidArgument,
      "WKT, \(scanner.place(of: place)): expected \(expected), and found \(scanner.found(at: place)).")
  }

  /// Says where in the text something is that the builder refuses.
  private func at<Result>(
    _ place: Int, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    do throws(EngineError) { return try body() } catch {
      guard error.status == .invalidArgument else { throw error }
      throw EngineError(.invalidArgument, "WKT, \(scanner.place(of: place)): \(error.message).")
    }
  }
}
