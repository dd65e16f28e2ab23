import AlidadeBase
import AlidadeCoordinates

extension SpatialReference {
  /// The EPSG code, which EWKB and EWKT call SRID; nil if there is none.
  var srid: UInt32? { authority == "EPSG" ? UInt32(code, radix: 10) : nil }
}

/// What the coordinates of a text or of bytes are in: what the caller says, or else what an SRID in them says.
func spatialReference(
  given: SpatialReference?, srid: Int32?, _ runtime: Runtime
) throws(EngineError) -> SpatialReference? {
  if let given { return given }
  guard let srid else { return nil }
  do throws(EngineError) {
    return try SpatialReference.make(runtime: runtime, authority: "EPSG", code: srid)
  } catch {
    guard error.status == .notFound || error.status == .unsupported else { throw error }
    throw EngineError(
      error.status,
      "The SRID \(srid) is no spatial reference of EPSG's for maps; give the spatial reference. "
        + error.message, domain: error.domain, domainCode: error.domainCode)
  }
}

extension Geometry {
  /// Reads WKB.
  ///
  /// - Parameter spatialReference: the spatial reference of the coordinates; nil means that of the SRID, if the WKB has
  ///   one.
  public static func make(
    runtime: Runtime, wkb: UnsafeRawBufferPointer, spatialReference given: SpatialReference?
  ) throws(EngineError) -> Geometry {
    try runtime.policy.check(bytes: wkb.count)
    var reader = WKBReader(wkb)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.read(into: builder)
    let reference = try AlidadeGeometry.spatialReference(given: given, srid: reader.srid, runtime)
    return try Geometry(runtime: runtime, builder, reference)
  }

  /// Reads well-known text.
  public static func make(
    runtime: Runtime, wkt: UnsafeBufferPointer<UInt8>, spatialReference given: SpatialReference?
  ) throws(EngineError) -> Geometry {
    try runtime.policy.check(bytes: wkt.count)
    var reader = WKTReader(wkt)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.read(into: builder)
    let reference = try AlidadeGeometry.spatialReference(given: given, srid: reader.srid, runtime)
    return try Geometry(runtime: runtime, builder, reference)
  }

  /// A box as a polygon of one ring, counterclockwise from its lower left corner.
  public static func make(
    runtime: Runtime, envelope: Envelope, spatialReference: SpatialReference?
  ) throws(EngineError) -> Geometry {
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax else {
      throw EngineError(
        .invalidArgument,
        "The envelope (\(envelope.xMin), \(envelope.yMin), \(envelope.xMax), \(envelope.yMax)) ends before it begins.")
    }
    return try make(runtime: runtime, ring: envelope.corners, spatialReference: spatialReference)
  }

  /// The size of the geometry's WKB in bytes.
  public func wkbSize(_ flavour: WKBWriter.Flavour) -> Int { WKBWriter.size(columns, row..<(row &+ 1), flavour) }

  /// Writes well-known binary into memory of at least `wkbSize` bytes.
  public func writeWKB(_ flavour: WKBWriter.Flavour, isBigEndian: Bool, to memory: UnsafeMutableRawBufferPointer) {
    var writer = WKBWriter(columns, flavour, isBigEndian: isBigEndian, memory: memory)
    writer.write(row)
  }

  /// The geometry as well-known text.
  ///
  /// - Parameter isExtended: puts "SRID=4326;" in front, if the spatial reference has an EPSG code.
  public func wkt(_ style: NumberStyle, isExtended: Bool) throws(EngineError) -> String {
    try limited { [self] () throws(EngineError) -> String in
      var writer = WKTWriter(runtime.policy, style)
      if isExtended, let srid = spatialReference?.srid { try writer.put("SRID=\(srid);") }
      try writer.write(columns, row)
      return writer.text()
    }
  }
}

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
        try builder.endPathAndPart()
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
    if builder.points.count > before { try builder.endPathAndPart() }
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

/// Writes well-known text as ISO has it: "POINT ZM (1 2 3 4)".
struct WKTWriter: ~Copyable {
  private var sink: TextSink
  private let style: NumberStyle

  init(_ policy: Policy, _ style: NumberStyle) {
    sink = TextSink(policy)
    self.style = style
  }

  mutating func put(_ text: String) throws(EngineError) { try sink.put(text) }

  consuming func text() -> String { sink.text() }

  mutating func write(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    let flags = columns.flags(row)
    let isMulti = flags.contains(.isMulti)
    let parts = columns.parts(ofGeometry: row)
    let mark: String =
      switch (flags.contains(.hasZ), flags.contains(.hasM)) {
      case (true, true): " ZM"
      case (true, false): " Z"
      case (false, true): " M"
      case (false, false): ""
      }
    switch columns.kind(row) {
    case .point:
      try put("POINT\(mark) ")
      try list(columns.vertices(ofGeometry: row), columns, flags)
    case .multipoint:
      try put("MULTIPOINT\(mark) ")
      try list(columns.vertices(ofGeometry: row)) { (writer: inout WKTWriter, vertex) throws(EngineError) in
        try writer.list(vertex..<(vertex &+ 1), columns, flags)
      }
    case .polyline where isMulti:
      try put("MULTILINESTRING\(mark) ")
      try list(parts) { (writer: inout WKTWriter, part) throws(EngineError) in
        try writer.line(part, columns, flags)
      }
    case .polyline:
      try put("LINESTRING\(mark) ")
      if let part = parts.first { try line(part, columns, flags) } else { try put("EMPTY") }
    case .polygon where isMulti:
      try put("MULTIPOLYGON\(mark) ")
      try list(parts) { (writer: inout WKTWriter, part) throws(EngineError) in
        try writer.polygon(part, columns, flags)
      }
    case .polygon:
      try put("POLYGON\(mark) ")
      if let part = parts.first { try polygon(part, columns, flags) } else { try put("EMPTY") }
    case .collection:
      try put("GEOMETRYCOLLECTION\(mark) ")
      guard let members = columns.members else { return try put("EMPTY") }
      try list(columns.members(ofGeometry: row)) { (writer: inout WKTWriter, member) throws(EngineError) in
        try writer.write(members, member)
      }
    }
  }

  private mutating func line(_ part: Int, _ columns: GeometryColumns, _ flags: GeometryFlags) throws(EngineError) {
    let paths = columns.paths(ofPart: part)
    guard let path = paths.first else { return try put("EMPTY") }
    try list(columns.vertices(ofPath: path), columns, flags)
  }

  private mutating func polygon(_ part: Int, _ columns: GeometryColumns, _ flags: GeometryFlags) throws(EngineError) {
    try list(columns.paths(ofPart: part)) { (writer: inout WKTWriter, ring) throws(EngineError) in
      try writer.list(columns.vertices(ofPath: ring), columns, flags)
    }
  }

  /// "(1 2, 3 4)", or "EMPTY".
  private mutating func list(
    _ vertices: Range<Int>, _ columns: GeometryColumns, _ flags: GeometryFlags
  ) throws(EngineError) {
    try list(vertices) { (writer: inout WKTWriter, index) throws(EngineError) in
      let vertex = columns.vertex(index)
      try writer.put(writer.style.text(vertex.point.x))
      try writer.put(" ")
      try writer.put(writer.style.text(vertex.point.y))
      if flags.contains(.hasZ) { try writer.put(" " + writer.style.text(vertex.z)) }
      if flags.contains(.hasM) { try writer.put(" " + writer.style.text(vertex.m)) }
    }
  }

  private mutating func list(
    _ items: Range<Int>, _ writeItem: (inout WKTWriter, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    if items.isEmpty { return try put("EMPTY") }
    for item in items {
      if item & 255 == 255 { try TimeLimit.check() }
      try put(item == items.lowerBound ? "(" : ", ")
      try writeItem(&self, item)
    }
    try put(")")
  }
}
