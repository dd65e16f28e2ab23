import AlidadeBase
import AlidadeCoordinates

// Geometries in Arrow arrays, as GeoArrow describes them: https://geoarrow.org/format.html and
// https://geoarrow.org/extension-types.html.

private let extensionName = "ARROW:extension:name"
private let extensionMetadata = "ARROW:extension:metadata"

extension GeometryArray {
  /// The geometries as an Arrow array that names their spatial reference.
  ///
  /// - Parameter isNull: for each geometry, whether there is none; nil: there are all.
  public func arrowColumn(
    _ name: String, _ encoding: ArrowEncoding, isNull: ((Int) -> Bool)? = nil
  ) throws(EngineError) -> ArrowColumn {
    let validity =
      try isNull.map { (isNull) throws(EngineError) in try ArrowColumn.validity(count) { !isNull($0) } } ?? nil
    let (column, type) =
      switch encoding {
      case .wkb: (try wkbColumn(validity), "wkb")
      case .geoArrow: try nativeColumn(validity)
      }
    return column.renamed(
      name, metadata: [(extensionName, "geoarrow.\(type)"), (extensionMetadata, try Self.metadata(spatialReference))])
  }

  /// The spatial reference as PROJJSON, or as WKT 2 where that cannot be written.
  private static func metadata(_ reference: SpatialReference?) throws(EngineError) -> String {
    guard let reference else { return "{}" }
    do throws(EngineError) {
      return "{\"crs\": \(try reference.text(.projJSON)), \"crs_type\": \"projjson\"}"
    } catch {
      guard error.status == .unsupported else { throw error }
      return "{\"crs\": \(JSON.text(try reference.text(.wkt2of2019)).jsonText), \"crs_type\": \"wkt2:2019\"}"
    }
  }

  private func wkbColumn(_ validity: ArrowValidity?) throws(EngineError) -> ArrowColumn {
    let size = wkbSize(.iso)
    try runtime.policy.check(bytes: size)
    let bytes = try HeapArray<UInt8>(count: size)
    let memory = UnsafeMutableRawBufferPointer(bytes.buffer)
    func column<Offset: FixedWidthInteger>(_ format: String, _ type: Offset.Type) throws(EngineError) -> ArrowColumn {
      let offsets = try HeapArray<Offset>(count: count &+ 1, repeating: 0)
      writeWKB(.iso, isBigEndian: false, to: memory) { row, end in
        offsets.buffer[row &+ 1] = Offset(truncatingIfNeeded: end)
      }
      return ArrowColumn("", format, length: count, validity: validity, buffers: [offsets, bytes])
    }
    return size > Int(truncatingIfNeeded: Int32.max) ? try column("Z", Int64.self) : try column("z", Int32.self)
  }

  // MARK: In columns

  private func nativeColumn(_ validity: ArrowValidity?) throws(EngineError) -> (ArrowColumn, String) {
    let kind = count == 0 ? .point : columns.kind(0)
    guard kind != .collection, (0..<count).allSatisfy({ columns.kind($0) == kind }) else {
      throw EngineError(
        .unsupported,
        "The geometries are of several types, or collections, and one Arrow column has one type. Export them as WKB.")
    }
    let isMulti = (0..<count).contains { columns.flags($0).contains(.isMulti) }
    let vertices = try coordinates()
    let toPaths = try offsets { columns.pathOffsets.number(columns.partOffsets.number($0)) }
    func toVertices(_ count: Int, _ path: (Int) -> Int) throws(EngineError) -> HeapArray<Int32> {
      try offsets(count) { columns.vertexOffsets.number(path($0)) }
    }
    func list(_ offsets: HeapArray<Int32>, _ child: ArrowColumn, _ validity: ArrowValidity? = nil) -> ArrowColumn {
      ArrowColumn(
        "", "+l", length: offsets.buffer.count &- 1, validity: validity, buffers: [offsets], children: [child])
    }
    let toParts = try offsets { columns.partOffsets.number($0) }
    let (partCount, pathCount) = (columns.pathOffsets.count &- 1, columns.vertexOffsets.count &- 1)
    switch kind {
    case .point: return (try points(validity), "point")
    case .multipoint:
      let all = try toVertices(count) { Int(truncatingIfNeeded: toPaths.buffer[$0]) }
      return (list(all, vertices.renamed("points"), validity), "multipoint")
    case .polyline where isMulti:
      let lines = list(try toVertices(partCount) { columns.pathOffsets.number($0) }, vertices.renamed("vertices"))
      return (list(toParts, lines.renamed("linestrings"), validity), "multilinestring")
    case .polyline:
      let all = try toVertices(count) { Int(truncatingIfNeeded: toPaths.buffer[$0]) }
      return (list(all, vertices.renamed("vertices"), validity), "linestring")
    default:
      let rings = list(try toVertices(pathCount) { $0 }, vertices.renamed("vertices"))
      if !isMulti { return (list(toPaths, rings.renamed("rings"), validity), "polygon") }
      let parts = list(try offsets(partCount) { columns.pathOffsets.number($0) }, rings.renamed("rings"))
      return (list(toParts, parts.renamed("polygons"), validity), "multipolygon")
    }
  }

  /// One more offset than there are things; by default than there are geometries.
  private func offsets(_ things: Int? = nil, _ offset: (Int) -> Int) throws(EngineError) -> HeapArray<Int32> {
    let things = things ?? count
    try runtime.policy.check(bytes: things &+ 1, 4)
    let all = try HeapArray<Int32>(count: things &+ 1)
    for index in 0...things { all.buffer[index] = Int32(truncatingIfNeeded: offset(index)) }
    return all
  }

  private var dimensions: (hasZ: Bool, hasM: Bool) {
    (
      (0..<count).contains { columns.flags($0).contains(.hasZ) },
      (0..<count).contains { columns.flags($0).contains(.hasM) }
    )
  }

  /// All vertices, each with its numbers side by side. Without z and m nothing is copied.
  private func coordinates() throws(EngineError) -> ArrowColumn {
    let (total, (hasZ, hasM)) = (columns.points.count, dimensions)
    if !hasZ, !hasM { return Self.tuples(columns.points, count: total, "xy") }
    return try tuples(count: total, hasZ, hasM) { columns.vertex($0) }
  }

  /// A vertex for each point; NaN for an empty one.
  private func points(_ validity: ArrowValidity?) throws(EngineError) -> ArrowColumn {
    let (hasZ, hasM) = dimensions
    let all = try tuples(count: count, hasZ, hasM) { row in
      columns.vertices(ofGeometry: row).first.map { columns.vertex($0) } ?? Vertex(.nan)
    }
    return all.nullable(validity)
  }

  private func tuples(
    count: Int, _ hasZ: Bool, _ hasM: Bool, _ vertex: (Int) -> Vertex
  ) throws(EngineError) -> ArrowColumn {
    let size = 2 &+ (hasZ ? 1 : 0) &+ (hasM ? 1 : 0)
    try runtime.policy.check(bytes: count, size, 8)
    let numbers = try HeapArray<Double>(count: count &* size)
    var next = 0
    for index in 0..<count {
      let one = vertex(index)
      for number in [one.point.x, one.point.y] + (hasZ ? [one.z] : []) + (hasM ? [one.m] : []) {
        numbers.buffer[next] = number
        next &+= 1
      }
    }
    return Self.tuples(numbers, count: count, "xy" + (hasZ ? "z" : "") + (hasM ? "m" : ""))
  }

  /// - Parameter name: a letter for each number of a tuple.
  private static func tuples(_ memory: any ArrowBuffer, count: Int, _ name: String) -> ArrowColumn {
    let size = name.utf8.count
    let numbers = ArrowColumn(name, "g", length: count &* size, buffers: [memory])
    return ArrowColumn("", "+w:\(size)", length: count, buffers: [], children: [numbers])
  }

  // MARK: Reading

  /// Reads geometries from an Arrow array with an extension type of GeoArrow, or of WKB without one. The array stays its
  /// owner's. A null becomes an empty geometry.
  ///
  /// - Parameter given: the spatial reference of the coordinates; nil means that of the array's metadata.
  public static func make(
    runtime: Runtime, schema: UnsafePointer<ArrowSchema>, array: UnsafePointer<ArrowArray>,
    spatialReference given: SpatialReference?
  ) throws(EngineError) -> GeometryArray {
    guard schema.pointee.release != nil, array.pointee.release != nil else {
      throw EngineError(.invalidArgument, "The Arrow array has been released, or moved.")
    }
    let found = try ArrowNode(schema.pointee, array.pointee).geometries()
    let builder = try GeometryBuilder(policy: runtime.policy)
    try runtime.policy.check(points: found.node.length)
    try found.node.read(found.type, into: builder)
    var reference = given
    if reference == nil { reference = try found.node.spatialReference(runtime) }
    return GeometryArray(runtime: runtime, columns: try builder.finish(reference))
  }
}

/// An array of a host's: its type, its values, and where in them it begins.
private struct ArrowNode {
  let schema: ArrowSchema
  let array: ArrowArray
  /// Of the array's own buffers.
  let offset: Int
  let length: Int
  let format: String
  /// The structs that it is a column of: where one of them is null, so is it.
  private let tables: [ArrowNode]

  /// Far more than there can be memory for, so that no sum or product of such numbers overflows.
  private static let most = Int.max / 256

  /// - Parameters:
  ///   - offset: where the parent begins in it.
  ///   - length: how long the parent takes it to be; nil: as long as it is.
  init(
    _ schema: ArrowSchema, _ array: ArrowArray, offset: Int = 0, length: Int? = nil, in tables: [ArrowNode] = []
  ) throws(EngineError) {
    (self.schema, self.array, self.tables) = (schema, array, tables)
    guard let text = schema.format, let start = Int(exactly: array.offset), let size = Int(exactly: array.length),
      start >= 0, size >= offset, offset >= 0, start <= Self.most, size <= Self.most,
      schema.childCount == array.childCount
    else { throw Self.broken("its type, length or children do not fit together") }
    format = String(cString: text)
    self.offset = start &+ offset
    self.length = length ?? size &- offset
    guard self.length <= size &- offset else { throw Self.broken("a list reaches beyond its child") }
  }

  static func broken(_ what: String) -> EngineError {
    EngineError(.invalidArgument, "The Arrow array cannot be read: \(what).")
  }

  // MARK: Types

  /// The texts that come with the type.
  private var metadata: [String: String] {
    guard let memory = schema.metadata.map({ UnsafeRawPointer($0) }) else { return [:] }
    var position = 0
    func number() -> Int {
      defer { position &+= 4 }
      return max(0, Int(truncatingIfNeeded: (memory + position).loadUnaligned(as: Int32.self)))
    }
    func text() -> String {
      let size = number()
      defer { position &+= size }
      return String(decoding: UnsafeRawBufferPointer(start: memory + position, count: size), as: UTF8.self)
    }
    var found: [String: String] = [:]
    for _ in 0..<number() {
      let key = text()
      found[key] = text()
    }
    return found
  }

  /// The array with geometries, and what GeoArrow calls their type. Of a table that is the first such column.
  func geometries() throws(EngineError) -> (node: ArrowNode, type: String) {
    if let name = metadata[extensionName] {
      let known = ["wkb", "wkt", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon"]
      let type = name == "ogc.wkb" ? "wkb" : String(name.dropFirst("geoarrow.".utf8.count))
      guard name == "ogc.wkb" || name.hasPrefix("geoarrow."), known.contains(type) else {
        throw EngineError(
          .unsupported, "Geometries of the Arrow type \"\(name)\" are not read; write them as geoarrow.wkb.")
      }
      return (self, type)
    }
    if format == "+s" {
      for index in 0..<childCount {
        let child = try child(index)
        if child.metadata[extensionName] != nil { return try child.geometries() }
      }
      throw EngineError(
        .invalidArgument,
        "None of the \(childCount) columns of the Arrow table says that it has geometries: pass that column.")
    }
    if ["z", "Z", "vz"].contains(format) { return (self, "wkb") }
    throw EngineError(
      .unsupported,
      "An Arrow array of the format \"\(format)\" without an extension type of GeoArrow has no geometries.")
  }

  func spatialReference(_ runtime: Runtime) throws(EngineError) -> SpatialReference? {
    guard let text = metadata[extensionMetadata], !text.isEmpty else { return nil }
    let parsed = try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(EngineError) in
      try JSON.read(bytes, title: "The Arrow metadata", runtime.policy)
    }
    switch parsed["crs"] {
    case .none, .null: return nil
    case .text(let code): return try SpatialReference.make(runtime: runtime, text: code)
    case .some(let definition): return try SpatialReference.make(runtime: runtime, text: definition.jsonText)
    }
  }

  // MARK: Values

  var name: String { schema.name.map { String(cString: $0) } ?? "" }

  var isList: Bool { format == "+l" || format == "+L" }

  var childCount: Int { Int(clamping: max(0, array.childCount)) }

  func child(_ index: Int) throws(EngineError) -> ArrowNode {
    guard index < childCount, let schema = schema.children?[index], let array = array.children?[index],
      schema.pointee.release != nil
    else { throw Self.broken("a child is missing") }
    // A struct and a list of a fixed size begin where their own offset says.
    let isStruct = format == "+s"
    return try ArrowNode(
      schema.pointee, array.pointee, offset: isStruct ? offset : 0, length: isStruct ? length : nil,
      in: isStruct ? tables + [self] : [])
  }

  private func buffer(_ index: Int) throws(EngineError) -> UnsafeRawPointer {
    guard index < Int(clamping: array.bufferCount), let buffer = array.buffers?[index] else {
      throw Self.broken("a buffer is missing")
    }
    return buffer
  }

  func isNull(_ index: Int) -> Bool { isOwnNull(index) || tables.contains { $0.isOwnNull(index) } }

  private func isOwnNull(_ index: Int) -> Bool {
    guard array.nullCount != 0, array.bufferCount > 0, let bits = array.buffers?[0] else { return false }
    let position = offset &+ index
    return bits.load(fromByteOffset: position >> 3, as: UInt8.self) & (1 << UInt8(truncatingIfNeeded: position & 7))
      == 0
  }

  /// The numbers of a column of doubles, of which there must be so many.
  func doubles(count: Int) throws(EngineError) -> UnsafeRawPointer {
    guard format == "g", count <= length else { throw Self.broken("its coordinates are no doubles, or too few") }
    return try buffer(1) + offset &* 8
  }

  /// The entries of a list in its child.
  func items(_ index: Int) throws(EngineError) -> Range<Int> { try range(index, format == "+L") }

  /// The entries of the one child, or the bytes, that an item has.
  private func range(_ index: Int, _ isLarge: Bool) throws(EngineError) -> Range<Int> {
    let (offsets, position) = (try buffer(1), offset &+ index)
    let (start, end) =
      isLarge
      ? (
        Int(truncatingIfNeeded: (offsets + position &* 8).loadUnaligned(as: Int64.self)),
        Int(truncatingIfNeeded: (offsets + (position &+ 1) &* 8).loadUnaligned(as: Int64.self))
      )
      : (
        Int(truncatingIfNeeded: (offsets + position &* 4).loadUnaligned(as: Int32.self)),
        Int(truncatingIfNeeded: (offsets + (position &+ 1) &* 4).loadUnaligned(as: Int32.self))
      )
    guard start >= 0, start <= end else { throw Self.broken("its offsets do not rise") }
    return start..<end
  }

  private func bytes(_ index: Int) throws(EngineError) -> UnsafeRawBufferPointer {
    if format.hasPrefix("v") {
      // A view: short ones lie in it, others in one of the buffers after the first two.
      let view = try buffer(1) + (offset &+ index) &* 16
      let size = Int(truncatingIfNeeded: view.loadUnaligned(as: Int32.self))
      guard size >= 0 else { throw Self.broken("a size is negative") }
      if size <= 12 { return UnsafeRawBufferPointer(start: view + 4, count: size) }
      let (number, start) = (
        Int(truncatingIfNeeded: (view + 8).loadUnaligned(as: Int32.self)),
        Int(truncatingIfNeeded: (view + 12).loadUnaligned(as: Int32.self))
      )
      // The last buffer has the sizes of those that views lie in.
      let last = Int(clamping: array.bufferCount) &- 1
      guard number >= 0, start >= 0, number < last &- 2 else { throw Self.broken("a view has no buffer") }
      let limit = try buffer(last).loadUnaligned(fromByteOffset: number &* 8, as: Int64.self)
      guard start &+ size <= limit else { throw Self.broken("a view reaches beyond its buffer") }
      return UnsafeRawBufferPointer(start: try buffer(2 &+ number) + start, count: size)
    }
    let range = try range(index, format == "Z" || format == "U")
    if range.isEmpty { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: try buffer(2) + range.lowerBound, count: range.count)
  }

  func read(_ type: String, into builder: GeometryBuilder) throws(EngineError) {
    let lists = type == "wkb" || type == "wkt" ? nil : try ArrowLists(self, type)
    for index in 0..<length {
      do throws(EngineError) {
        if let lists { try lists.read(index, into: builder) } else { try readText(index, type == "wkb", into: builder) }
      } catch {
        throw error.status == .invalidArgument
          ? EngineError(.invalidArgument, "Geometry \(index): \(error.message)") : error
      }
    }
  }

  private func readText(_ index: Int, _ isWKB: Bool, into builder: GeometryBuilder) throws(EngineError) {
    guard (isWKB ? ["z", "Z", "vz"] : ["u", "U", "vu"]).contains(format) else {
      throw Self.broken("\"\(format)\" is no format of \(isWKB ? "WKB" : "WKT")")
    }
    if isNull(index) {
      try builder.begin(.collection, [])
      return try builder.end()
    }
    let bytes = try bytes(index)
    if isWKB {
      var reader = WKBReader(bytes)
      try reader.read(into: builder)
    } else {
      var reader = WKTReader(bytes.bindMemory(to: UInt8.self))
      try reader.read(into: builder)
    }
  }
}

/// Geometries in columns: lists down to the coordinates.
private struct ArrowLists {
  private let kind: GeometryKind
  private let isMulti: Bool
  /// From the geometries down; none for points.
  private let lists: [ArrowNode]
  private let geometries: ArrowNode
  private let coordinates: ArrowCoordinates

  init(_ node: ArrowNode, _ type: String) throws(EngineError) {
    isMulti = type.hasPrefix("multi")
    let depth: Int
    switch type {
    case "point": (kind, depth) = (.point, 0)
    case "multipoint": (kind, depth) = (.multipoint, 1)
    case "linestring": (kind, depth) = (.polyline, 1)
    case "multilinestring": (kind, depth) = (.polyline, 2)
    case "polygon": (kind, depth) = (.polygon, 2)
    default: (kind, depth) = (.polygon, 3)
    }
    var (lists, last): ([ArrowNode], ArrowNode) = ([], node)
    // A list that is its own child would have no end.
    while last.isList, lists.count <= depth {
      lists.append(last)
      last = try last.child(0)
    }
    guard lists.count == depth else {
      throw ArrowNode.broken("geoarrow.\(type) has \(lists.count) lists, not \(depth)")
    }
    (self.lists, geometries, coordinates) = (lists, node, try ArrowCoordinates(last))
  }

  func read(_ index: Int, into builder: GeometryBuilder) throws(EngineError) {
    try builder.begin(kind, coordinates.flags.union(isMulti && kind != .multipoint ? .isMulti : []))
    if !geometries.isNull(index) { try readValue(index, builder) }
    try builder.end()
  }

  private func readValue(_ index: Int, _ builder: GeometryBuilder) throws(EngineError) {
    if lists.isEmpty {
      let vertex = try coordinates.vertex(index)
      guard !vertex.point.x.isNaN || !vertex.point.y.isNaN else { return }
      try builder.append(vertex)
      try endPath(builder)
      return try builder.endPart()
    }
    let parts = try items(0, index)
    switch (kind, isMulti) {
    case (.polygon, true): for part in parts { try readRings(try items(1, part), builder) }
    case (.polygon, false): try readRings(parts, builder)
    case (.polyline, true):
      for part in parts { try readPart(try items(1, part), builder) }
    default: if kind == .polyline || !parts.isEmpty { try readPart(parts, builder) }
    }
  }

  private func readRings(_ rings: Range<Int>, _ builder: GeometryBuilder) throws(EngineError) {
    for ring in rings { try readPath(try items(lists.count &- 1, ring), builder) }
    try builder.endPart()
  }

  private func readPart(_ vertices: Range<Int>, _ builder: GeometryBuilder) throws(EngineError) {
    try readPath(vertices, builder)
    try builder.endPart()
  }

  private func readPath(_ vertices: Range<Int>, _ builder: GeometryBuilder) throws(EngineError) {
    for index in vertices { try builder.append(try coordinates.vertex(index)) }
    try endPath(builder)
  }

  private func endPath(_ builder: GeometryBuilder) throws(EngineError) { try builder.endPath(openRings: .closed) }

  /// What a list of a level has on the next one.
  private func items(_ level: Int, _ index: Int) throws(EngineError) -> Range<Int> {
    let range = try lists[level].items(index)
    let limit = level &+ 1 < lists.count ? lists[level &+ 1].length : coordinates.count
    guard range.upperBound <= limit else { throw ArrowNode.broken("a list reaches beyond its child") }
    return range
  }
}

/// Numbers side by side, or in a column for each axis.
private struct ArrowCoordinates {
  let count: Int
  private(set) var flags: GeometryFlags = []
  /// Where the numbers of each axis begin: x, y, and z and m if they are there.
  private var axes: [UnsafeRawPointer] = []
  /// In bytes.
  private let stride: Int

  init(_ node: ArrowNode) throws(EngineError) {
    count = node.length
    var names: [String]
    if node.format == "+s" {
      stride = 8
      names = try (0..<node.childCount).map { (index) throws(EngineError) in try node.child(index).name }
      // Without any there need not be a buffer.
      for axis in 0..<names.count where count > 0 { axes.append(try node.child(axis).doubles(count: count)) }
    } else if let size = (2...4).first(where: { node.format == "+w:\($0)" }) {
      stride = 8 &* size
      let plain = try node.child(0)
      names = (plain.name.utf8.count == size ? plain.name : String("xyzm".prefix(size))).map { String($0) }
      if count > 0 {
        let base = try plain.doubles(count: (node.offset &+ count) &* size) + node.offset &* stride
        for axis in 0..<size { axes.append(base + axis &* 8) }
      }
    } else {
      throw ArrowNode.broken("\"\(node.format)\" has no coordinates")
    }
    let known = [["x", "y"], ["x", "y", "z"], ["x", "y", "m"], ["x", "y", "z", "m"]]
    guard known.contains(names) else { throw ArrowNode.broken("its coordinates are \(names.joined()), not x and y") }
    if names.contains("z") { flags.insert(.hasZ) }
    if names.contains("m") { flags.insert(.hasM) }
  }

  /// The index must be below `count`.
  func vertex(_ index: Int) throws(EngineError) -> Vertex {
    guard index >= 0, index < count else { throw ArrowNode.broken("a list reaches beyond its coordinates") }
    func number(_ axis: Int) -> Double { (axes[axis] + index &* stride).loadUnaligned(as: Double.self) }
    var vertex = Vertex(Point(x: number(0), y: number(1)))
    if flags.contains(.hasZ) { vertex.z = number(2) }
    if flags.contains(.hasM) { vertex.m = number(axes.count &- 1) }
    return vertex
  }
}
