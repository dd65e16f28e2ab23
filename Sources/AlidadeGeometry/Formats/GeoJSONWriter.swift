import AlidadeBase
import AlidadeCoordinates

/// Writes geometries as GeoJSON (RFC 7946): shells counterclockwise, holes clockwise, z as third number; m has no place
/// there, and is left out.
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
      if isMulti {
        try list(parts) { (writer: inout GeoJSONWriter, part) throws(EngineError) in
          try writer.line(columns, part, flags)
        }
      } else if let part = parts.first {
        try line(columns, part, flags)
      } else {
        try put("[]")
      }
    case .polygon:
      try begin(isMulti ? "MultiPolygon" : "Polygon", crs)
      if isMulti {
        try list(parts) { (writer: inout GeoJSONWriter, part) throws(EngineError) in
          try writer.polygon(columns, part, flags)
        }
      } else if let part = parts.first {
        try polygon(columns, part, flags)
      } else {
        try put("[]")
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
    // Products of coordinates that are no place on any earth would be infinite.
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
