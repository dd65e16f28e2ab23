import AlidadeBase
import AlidadeCoordinates

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
