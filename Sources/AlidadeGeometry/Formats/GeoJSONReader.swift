import AlidadeBase
import AlidadeCoordinates

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
        at: members.typeAt, "this is a collection of features, which makes a geometry array and no single geometry")
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
        if try reader.isEmptyList() { return }
        try reader.readPosition(builder)
        try builder.endPath()
        try builder.endPart()
      }
    case "MultiPoint":
      try coordinates(members, .multipoint, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        if try reader.isEmptyList() { return }
        try reader.readPath(builder)
        try builder.endPart()
      }
    case "LineString":
      try coordinates(members, .polyline, flags, builder) { (reader: inout GeoJSONReader) throws(EngineError) in
        if try reader.isEmptyList() { return }
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
        if try reader.isEmptyList() { return }
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
        at: members.typeAt, "the type is \"\(JSONScanner.quoted(members.type))\", which is none of GeoJSON's here")
    }
  }

  private mutating func coordinates(
    _ members: Members, _ kind: GeometryKind, _ flags: GeometryFlags, _ builder: GeometryBuilder,
    _ body: (inout GeoJSONReader) throws(EngineError) -> Void
  ) throws(EngineError) {
    try builder.begin(kind, flags)
    try visit("coordinates", members, body)
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
