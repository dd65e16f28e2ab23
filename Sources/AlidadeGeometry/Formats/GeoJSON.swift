import AlidadeBase
import AlidadeCoordinates

/// How GeoJSON is written.
public struct GeoJSONStyle: Sendable {
  public var numbers = NumberStyle.shortest
  /// Writes coordinates in any spatial reference as they are, and names it in a "crs" member as GeoJSON before RFC 7946
  /// did. Nothing is cut at the antimeridian then.
  public var namesSpatialReference = false

  public init() {}
}

extension GeoJSONReader {
  /// The spatial reference of the text, unless the caller gives one.
  fileprivate func spatialReference(
    given: SpatialReference?, _ runtime: Runtime
  ) throws(EngineError) -> SpatialReference? {
    if let given { return given }
    switch reference {
    case .unsaid: return try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
    case .none: return nil
    case .named(let name):
      do throws(EngineError) { return try SpatialReference.make(runtime: runtime, text: name) } catch {
        var error = error
        error.message = "GeoJSON, $.crs: \(error.message)"
        throw error
      }
    }
  }
}

extension Geometry {
  /// Reads the geometry of a GeoJSON geometry or feature.
  ///
  /// - Parameter spatialReference: the spatial reference of the coordinates; nil means WGS 84, or the "crs" member.
  public static func make(
    runtime: Runtime, geoJSON: UnsafeBufferPointer<UInt8>, spatialReference given: SpatialReference?
  ) throws(EngineError) -> Geometry {
    try runtime.policy.check(bytes: geoJSON.count)
    var reader = GeoJSONReader(geoJSON)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.readOne(into: builder)
    return try Geometry(runtime: runtime, builder, try reader.spatialReference(given: given, runtime))
  }

  /// The geometry as GeoJSON.
  public func geoJSON(_ style: GeoJSONStyle) throws(EngineError) -> String {
    try limited { [self] () throws(EngineError) -> String in
      var writer = GeoJSONWriter(runtime.policy, style.numbers)
      if style.namesSpatialReference {
        // Without it the text would be in WGS 84.
        var member = "null"
        if let reference = spatialReference {
          guard !reference.authority.isEmpty, !reference.code.isEmpty else {
            throw EngineError(
              .unsupported,
              "\(reference.name) has no code, so that no \"crs\" member can name it; project the geometry.")
          }
          let name = "urn:ogc:def:crs:\(reference.authority)::\(reference.code)"
          // An authority's name comes from a text of the host's, and may hold anything.
          member = "{\"type\":\"name\",\"properties\":{\"name\":\(JSON.text(name).jsonText)}}"
        }
        try writer.write(columns, row, crs: member)
        return writer.text()
      }
      if let reference = spatialReference {
        let wgs84 = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
        guard try reference.isEquivalent(to: wgs84) else {
          throw EngineError(
            .unsupported,
            "GeoJSON is in WGS 84, and the geometry in \(reference.name); project it first, or ask for a \"crs\" member."
          )
        }
      }
      if let cut = try cutAtAntimeridian() {
        try writer.write(cut, 0, crs: nil)
      } else {
        try writer.write(columns, row, crs: nil)
      }
      return writer.text()
    }
  }
}

extension GeometryArray {
  /// Reads the geometries of GeoJSON: of a collection of features, or of the one feature or geometry that it is. A
  /// feature without a geometry becomes an empty collection.
  public static func make(
    runtime: Runtime, geoJSON: UnsafeBufferPointer<UInt8>, spatialReference given: SpatialReference?
  ) throws(EngineError) -> GeometryArray {
    try runtime.policy.check(bytes: geoJSON.count)
    var reader = GeoJSONReader(geoJSON)
    let builder = try GeometryBuilder(policy: runtime.policy)
    try reader.readAll(into: builder)
    return GeometryArray(
      runtime: runtime, columns: try builder.finish(try reader.spatialReference(given: given, runtime)))
  }
}

/// Reads GeoJSON (RFC 7946): geometries, features and collections of features, of which it takes the geometries.
///
/// Members may come in any order, so an object is gone over first and its members are visited afterwards.
struct GeoJSONReader: ~Copyable {
  /// What the text says of its coordinates.
  enum Reference {
    /// Nothing: WGS 84.
    case unsaid
    /// "crs": null.
    case none
    /// The name in a "crs" member of GeoJSON before RFC 7946.
    case named(String)
  }

  private var json: JSONScanner
  private(set) var reference = Reference.unsaid

  init(_ bytes: UnsafeBufferPointer<UInt8>) { json = JSONScanner(bytes) }

  /// Where the members that mean something begin.
  private struct Members {
    var type = ""
    var typeAt = 0
    var places: [String: Int] = [:]
    var longestPosition = 0
  }

  private static let known: Set<String> = ["coordinates", "geometries", "geometry", "features", "crs"]

  /// Reads the one geometry of the text.
  mutating func readOne(into builder: GeometryBuilder) throws(EngineError) {
    let members = try readMembers()
    try readReference(members)
    switch members.type {
    case "FeatureCollection":
      throw json.failure(
        at: members.typeAt, "this is a collection of features. Create a geometry array from it instead of a geometry")
    case "Feature":
      var isThere = false
      try visit("geometry", members) { (reader: inout GeoJSONReader) throws(EngineError) in
        if reader.json.takeNull() { return }
        isThere = true
        try reader.readGeometry(try reader.readMembers(), builder)
      }
      if !isThere { throw json.failure(at: members.typeAt, "the feature has no geometry") }
    default: try readGeometry(members, builder)
    }
    try readEnd()
  }

  /// Reads all geometries of the text. A feature without a geometry becomes an empty collection, so that the others
  /// keep their numbers.
  mutating func readAll(into builder: GeometryBuilder) throws(EngineError) {
    let members = try readMembers()
    try readReference(members)
    switch members.type {
    case "FeatureCollection":
      try visit("features", members) { (reader: inout GeoJSONReader) throws(EngineError) in
        try reader.readList { (reader: inout GeoJSONReader) throws(EngineError) in
          let feature = try reader.readMembers()
          guard feature.type == "Feature" else {
            throw reader.json.failure(
              at: feature.typeAt, "the type is \"\(JSONScanner.quoted(feature.type))\"; it must be \"Feature\"")
          }
          try reader.readFeature(feature, builder)
        }
      }
    case "Feature": try readFeature(members, builder)
    default: try readGeometry(members, builder)
    }
    try readEnd()
  }

  private mutating func readFeature(_ members: Members, _ builder: GeometryBuilder) throws(EngineError) {
    try visit("geometry", members) { (reader: inout GeoJSONReader) throws(EngineError) in
      if reader.json.takeNull() {
        try builder.begin(.collection, [])
        try builder.end()
      } else {
        try reader.readGeometry(try reader.readMembers(), builder)
      }
    }
  }

  private mutating func readEnd() throws(EngineError) {
    if json.peek() != nil {
      throw json.failure("the text goes on behind its end: \(json.scanner.found(at: json.scanner.position))")
    }
  }

  // MARK: Objects

  private mutating func readMembers() throws(EngineError) -> Members {
    var members = Members()
    _ = json.peek()
    let start = json.scanner.position
    var hasType = false
    try json.readObject { (json: inout JSONScanner, name) throws(EngineError) in
      _ = json.peek()
      let place = json.scanner.position
      if name == "type" {
        if hasType { throw json.failure(at: place, "the member is there twice") }
        hasType = true
        members.typeAt = place
        members.type = try json.readString("a string")
        return
      }
      if Self.known.contains(name), members.places.updateValue(place, forKey: name) != nil {
        throw json.failure(at: place, "the member is there twice")
      }
      json.longestNumberList = 0
      try json.skipValue()
      if name == "coordinates" { members.longestPosition = json.longestNumberList }
    }
    if !hasType { throw json.failure(at: start, "the object has no \"type\"") }
    return members
  }

  /// Reads a member that must be there.
  private mutating func visit(
    _ name: String, _ members: Members, _ body: (inout GeoJSONReader) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let place = members.places[name] else {
      throw json.failure(at: members.typeAt, "the \(JSONScanner.quoted(members.type)) has no \"\(name)\"")
    }
    let end = json.scanner.position
    json.enter(name, at: place)
    try body(&self)
    json.leave(to: end)
  }

  private mutating func readList(
    _ readItem: (inout GeoJSONReader) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard try json.beginList() else { return }
    var index = 0
    repeat {
      json.enter(index)
      try readItem(&self)
      json.leave()
      index &+= 1
    } while try json.nextItem()
  }

  /// Reads the "crs" member of GeoJSON before RFC 7946.
  private mutating func readReference(_ members: Members) throws(EngineError) {
    guard members.places["crs"] != nil else { return }
    try visit("crs", members) { (reader: inout GeoJSONReader) throws(EngineError) in
      if reader.json.takeNull() {
        reader.reference = .none
        return
      }
      var type = ""
      var name: String?
      try reader.json.readObject { (json: inout JSONScanner, member) throws(EngineError) in
        switch member {
        case "type": type = try json.readString("a string")
        case "properties":
          try json.readObject { (json: inout JSONScanner, property) throws(EngineError) in
            if property == "name" { name = try json.readString("a string") } else { try json.skipValue() }
          }
        default: try json.skipValue()
        }
      }
      guard type == "name", let name else {
        throw EngineError(
          .unsupported,
          "GeoJSON, $.crs: only {\"type\": \"name\", \"properties\": {\"name\": ...}} is read; give the "
            + "spatial reference.")
      }
      reader.reference = .named(name)
    }
  }

  // MARK: Geometries

  private mutating func readGeometry(_ members: Members, _ builder: GeometryBuilder) throws(EngineError) {
    let flags: GeometryFlags = members.longestPosition > 2 ? [.hasZ] : []
    switch members.type {
    case "Point":
      try coordinates(members, .point, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        try reader.readPosition(builder)
        try builder.endPathAndPart()
      }
    case "MultiPoint", "LineString":
      let kind: GeometryKind = members.type == "MultiPoint" ? .multipoint : .polyline
      try coordinates(members, kind, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        try reader.readPath(builder)
        try builder.endPart()
      }
    case "MultiLineString":
      let flags = flags.union(.isMulti)
      try coordinates(members, .polyline, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        try reader.readList { (reader: inout GeoJSONReader) throws(EngineError) in
          try reader.readPath(builder)
          try builder.endPart()
        }
      }
    case "Polygon":
      try coordinates(members, .polygon, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        try reader.readPolygon(builder)
      }
    case "MultiPolygon":
      let flags = flags.union(.isMulti)
      try coordinates(members, .polygon, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        try reader.readList { (reader: inout GeoJSONReader) throws(EngineError) in try reader.readPolygon(builder) }
      }
    case "GeometryCollection":
      try builder.begin(.collection, [])
      try visit("geometries", members) { (reader: inout GeoJSONReader) throws(EngineError) in
        let inner = try reader.located { () throws(EngineError) in try builder.members() }
        try reader.readList { (reader: inout GeoJSONReader) throws(EngineError) in
          try reader.readGeometry(try reader.readMembers(), inner)
        }
      }
      try builder.end()
    default:
      throw json.failure(
        at: members.typeAt,
        "the type is \"\(JSONScanner.quoted(members.type))\", which is not a geometry type of GeoJSON")
    }
  }

  private mutating func coordinates(
    _ members: Members, _ kind: GeometryKind, _ flags: GeometryFlags, _ builder: GeometryBuilder,
    _ body: (inout GeoJSONReader) throws(EngineError) -> Void
  ) throws(EngineError) {
    try builder.begin(kind, flags)
    try visit("coordinates", members) { (reader: inout GeoJSONReader) throws(EngineError) in
      if !flags.contains(.isMulti), try reader.isEmptyList() { return }
      try body(&reader)
    }
    try builder.end()
  }

  private mutating func readPolygon(_ builder: GeometryBuilder) throws(EngineError) {
    try readList { (reader: inout GeoJSONReader) throws(EngineError) in try reader.readPath(builder) }
    try builder.endPart()
  }

  private mutating func readPath(_ builder: GeometryBuilder) throws(EngineError) {
    _ = json.peek()
    let start = json.scanner.position
    try readList { (reader: inout GeoJSONReader) throws(EngineError) in try reader.readPosition(builder) }
    try located(at: start) { () throws(EngineError) in try builder.endPath() }
  }

  /// Whether the coordinates are "[]"; then they are read.
  private mutating func isEmptyList() throws(EngineError) -> Bool {
    let start = json.scanner.position
    if try json.beginList() {
      json.scanner.position = start
      return false
    }
    return true
  }

  /// A position: x, y, perhaps z; RFC 7946 lets further numbers be ignored.
  private mutating func readPosition(_ builder: GeometryBuilder) throws(EngineError) {
    _ = json.peek()
    let start = json.scanner.position
    var vertex = Vertex(.nan)
    var count = 0
    if try json.beginList() {
      repeat {
        let number = try json.readNumber()
        switch count {
        case 0: vertex.point.x = number
        case 1: vertex.point.y = number
        case 2: vertex.z = number
        default: break
        }
        count &+= 1
      } while try json.nextItem()
    }
    guard count >= 2 else { throw json.failure(at: start, "a position has \(count) numbers; it needs two or more") }
    try located(at: start) { () throws(EngineError) in try builder.append(vertex) }
  }

  /// Says where in the text something is that the builder refuses.
  private func located<Result>(
    at place: Int? = nil, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    do throws(EngineError) { return try body() } catch {
      throw error.status == .invalidArgument ? json.failure(at: place, error.message) : error
    }
  }
}

/// Writes geometries as GeoJSON (RFC 7946): shells counterclockwise, holes clockwise, z as third number; GeoJSON has no
/// m, so it is left out.
struct GeoJSONWriter: ~Copyable {
  private var sink: TextSink
  private let style: NumberStyle

  init(_ policy: Policy, _ style: NumberStyle) {
    sink = TextSink(policy)
    self.style = style
  }

  mutating func put(_ text: String) throws(EngineError) { try sink.put(text) }

  consuming func text() -> String { sink.text() }

  /// - Parameter crs: the value of a "crs" member, as JSON; nil: none is written.
  mutating func write(_ columns: GeometryColumns, _ row: Int, crs: String?) throws(EngineError) {
    let flags = columns.flags(row)
    let parts = columns.parts(ofGeometry: row)
    let isMulti = flags.contains(.isMulti)
    switch columns.kind(row) {
    case .point:
      try begin("Point", crs)
      let vertices = columns.vertices(ofGeometry: row)
      if let vertex = vertices.first { try position(columns, vertex, flags) } else { try put("[]") }
    case .multipoint:
      try begin("MultiPoint", crs)
      try positions(columns, columns.vertices(ofGeometry: row), flags)
    case .polyline:
      try begin(isMulti ? "MultiLineString" : "LineString", crs)
      try list(parts, isMulti) { (writer: inout GeoJSONWriter, part) throws(EngineError) in
        try writer.line(columns, part, flags)
      }
    case .polygon:
      try begin(isMulti ? "MultiPolygon" : "Polygon", crs)
      try list(parts, isMulti) { (writer: inout GeoJSONWriter, part) throws(EngineError) in
        try writer.polygon(columns, part, flags)
      }
    case .collection:
      try begin("GeometryCollection", crs, content: "geometries")
      let inner = columns.members
      try list(columns.members(ofGeometry: row)) { (writer: inout GeoJSONWriter, member) throws(EngineError) in
        if let inner { try writer.write(inner, member, crs: nil) }
      }
    }
    try put("}")
  }

  private mutating func begin(_ type: String, _ crs: String?, content: String = "coordinates") throws(EngineError) {
    try put("{\"type\":\"\(type)\",")
    if let crs { try put("\"crs\":\(crs),") }
    try put("\"\(content)\":")
  }

  private mutating func line(_ columns: GeometryColumns, _ part: Int, _ flags: GeometryFlags) throws(EngineError) {
    let paths = columns.paths(ofPart: part)
    try positions(columns, paths.first.map { columns.vertices(ofPath: $0) } ?? 0..<0, flags)
  }

  private mutating func polygon(_ columns: GeometryColumns, _ part: Int, _ flags: GeometryFlags) throws(EngineError) {
    let paths = columns.paths(ofPart: part)
    try list(paths) { (writer: inout GeoJSONWriter, path) throws(EngineError) in
      let vertices = columns.vertices(ofPath: path)
      let isShell = path == paths.lowerBound
      let area = columns.signedArea(vertices)
      // Rings without an area have no direction.
      if area == 0 || (area > 0) == isShell {
        try writer.positions(columns, vertices, flags)
      } else {
        try writer.positions(columns, vertices, flags, isReversed: true)
      }
    }
  }

  private mutating func positions(
    _ columns: GeometryColumns, _ vertices: Range<Int>, _ flags: GeometryFlags, isReversed: Bool = false
  ) throws(EngineError) {
    try list(vertices) { (writer: inout GeoJSONWriter, vertex) throws(EngineError) in
      let taken = isReversed ? vertices.upperBound &- 1 &- (vertex &- vertices.lowerBound) : vertex
      try writer.position(columns, taken, flags)
    }
  }

  private mutating func position(
    _ columns: GeometryColumns, _ index: Int, _ flags: GeometryFlags
  ) throws(EngineError) {
    let vertex = columns.vertex(index)
    try put("[" + style.text(vertex.point.x) + "," + style.text(vertex.point.y))
    // JSON has no NaN; a position without a z says the same.
    if flags.contains(.hasZ), !vertex.z.isNaN { try put("," + style.text(vertex.z)) }
    try put("]")
  }

  /// A list of parts, or the only one by itself.
  private mutating func list(
    _ parts: Range<Int>, _ isMulti: Bool, _ writePart: (inout GeoJSONWriter, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    if isMulti { return try list(parts, writePart) }
    if let part = parts.first { try writePart(&self, part) } else { try put("[]") }
  }

  private mutating func list(
    _ items: Range<Int>, _ writeItem: (inout GeoJSONWriter, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    try put("[")
    for item in items {
      if item & 255 == 255 { try TimeLimit.check() }
      if item != items.lowerBound { try put(",") }
      try writeItem(&self, item)
    }
    try put("]")
  }
}

extension GeometryColumns {
  /// Twice the area of a ring, or a part of it, above 0 if it runs counterclockwise. Relative to its first vertex, so that no digits are
  /// lost far from the origin.
  func signedArea(_ vertices: Range<Int>) -> Double {
    guard let first = vertices.first else { return 0 }
    let origin = points[first]
    // Without a scale, products of coordinates far beyond any earth would be infinite.
    var scale = 1.0
    for index in vertices where max(points[index].x.magnitude, points[index].y.magnitude) > 1e150 { scale = 0x1p-600 }
    var sum = 0.0
    for index in vertices.dropFirst() {
      let (ax, ay) = (points[index &- 1].x * scale - origin.x * scale, points[index &- 1].y * scale - origin.y * scale)
      let (bx, by) = (points[index].x * scale - origin.x * scale, points[index].y * scale - origin.y * scale)
      sum += ax * by - bx * ay
    }
    return sum
  }
}
