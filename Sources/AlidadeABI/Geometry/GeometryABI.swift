import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade
import Glibc

@_cdecl("ald_geometry_create_from_wkb") @implementation
public func ald_geometry_create_from_wkb(
  _ runtime: ald_runtime, _ wkb: In<UInt8>, _ wkb_size_bytes: Int, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_geometry, argument: 5, error) { (runtime) throws(EngineError) in
    let bytes = try inputBytes(wkb, wkb_size_bytes, runtime.policy, pointerArgument: 2)
    let reference = try resolveOptional(spatial_reference, 4, with: runtime)
    return try blaming(2, try Geometry.make(runtime: runtime, wkb: bytes, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_create_from_wkt") @implementation
public func ald_geometry_create_from_wkt(
  _ runtime: ald_runtime, _ wkt: In<CChar>, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_geometry, argument: 4, error) { (runtime) throws(EngineError) in
    let text = try inputText(wkt, "wkt", 2)
    let reference = try resolveOptional(spatial_reference, 3, with: runtime)
    return try blaming(2, try Geometry.make(runtime: runtime, wkt: text, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_create_from_geojson") @implementation
public func ald_geometry_create_from_geojson(
  _ runtime: ald_runtime, _ geojson: In<CChar>, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_geometry, argument: 4, error) { (runtime) throws(EngineError) in
    let text = try inputText(geojson, "geojson", 2)
    let reference = try resolveOptional(spatial_reference, 3, with: runtime)
    return try blaming(2, try Geometry.make(runtime: runtime, geoJSON: text, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_create") @implementation
public func ald_geometry_create(
  _ runtime: ald_runtime, _ columns: In<ald_geometry_columns>, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_geometry, argument: 4, error) { (runtime) throws(EngineError) in
    let raw = try rawColumns(columns, 2)
    let reference = try resolveOptional(spatial_reference, 3, with: runtime)
    return try blaming(2, try Geometry.make(runtime: runtime, raw, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_create_from_envelope") @implementation
public func ald_geometry_create_from_envelope(
  _ runtime: ald_runtime, _ envelope: ald_envelope, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_geometry, argument: 4, error) { (runtime) throws(EngineError) in
    let box = Envelope(xMin: envelope.x_min, yMin: envelope.y_min, xMax: envelope.x_max, yMax: envelope.y_max)
    let reference = try resolveOptional(spatial_reference, 3, with: runtime)
    return try blaming(2, try Geometry.make(runtime: runtime, envelope: box, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_get_info") @implementation
public func ald_geometry_get_info(
  _ geometry: ald_geometry, _ out_info: Out<ald_geometry_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(geometry, out_info, argument: 2, error) { (geometry) throws(EngineError) in
    let columns = geometry.columns
    let box = geometry.envelope
    return ald_geometry_info(
      struct_size: 0, kind: geometry.kind.rawValue, flags: cFlags(columns, geometry.row),
      part_count: UInt32(clamping: columns.parts(ofGeometry: geometry.row).count),
      path_count: UInt32(clamping: columns.paths(ofGeometry: geometry.row).count),
      vertex_count: UInt32(clamping: columns.vertexCount(geometry.row)),
      member_count: UInt32(clamping: columns.members(ofGeometry: geometry.row).count), reserved: 0,
      envelope: cEnvelope(box))
  }
}

@_cdecl("ald_geometry_get_columns") @implementation
public func ald_geometry_get_columns(
  _ geometry: ald_geometry, _ out_columns: Out<ald_geometry_columns>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(geometry, out_columns, argument: 2, error) { (geometry) throws(EngineError) in
    cColumns(geometry.columns, geometry.row..<(geometry.row &+ 1))
  }
}

@_cdecl("ald_geometry_get_spatial_reference") @implementation
public func ald_geometry_get_spatial_reference(
  _ geometry: ald_geometry, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(out_spatial_reference, argument: 2, error) { () throws(EngineError) in
    return try known(
      resolve(geometry, 1).spatialReference,
      or: EngineError(.notReady, "The geometry has no spatial reference; give one when it is made.", argument: 1))
  }
}

@_cdecl("ald_geometry_create_member") @implementation
public func ald_geometry_create_member(
  _ geometry: ald_geometry, _ index: UInt32, _ out_member: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_member, argument: 3, error) { (geometry) throws(EngineError) in
    try blaming(2, try geometry.member(Int(truncatingIfNeeded: index)))
  }
}

@_cdecl("ald_geometry_equals") @implementation
public func ald_geometry_equals(
  _ a: ald_geometry, _ b: ald_geometry, _ out_equal: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(a, out_equal, "out_equal", argument: 3, error) { (first) throws(EngineError) in
    let second = try resolve(b, 2, with: first)
    return try first.isEqual(to: second) ? 1 : 0
  }
}

// MARK: Texts and bytes

@_cdecl("ald_geometry_get_wkb") @implementation
public func ald_geometry_get_wkb(
  _ geometry: ald_geometry, _ flags: UInt32, _ buffer: Out<UInt8>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(geometry, error) { (geometry) throws(EngineError) in
    let (flavour, isBigEndian) = try wkbForm(flags, 2)
    let output = try OutputBytes(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    if let memory = try output.room(for: geometry.wkbSize(flavour)) {
      geometry.writeWKB(flavour, isBigEndian: isBigEndian, to: memory)
    }
  }
}

@_cdecl("ald_geometry_get_wkt") @implementation
public func ald_geometry_get_wkt(
  _ geometry: ald_geometry, _ options: In<ald_wkt_options>, _ buffer: Out<CChar>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(geometry, error) { (geometry) throws(EngineError) in
    let given = try read(options, "ald_wkt_options", 2, zero: ald_wkt_options())
    try requireFlags(given.flags, known: ALD_WKT_HAS_DECIMALS | ALD_WKT_EXTENDED, "ald_wkt_options.flags", 2)
    try requireFlags(given.reserved, known: 0, "ald_wkt_options.reserved", 2)
    let style = try numberStyle(
      given.flags & ALD_WKT_HAS_DECIMALS != 0, given.decimals, "ald_wkt_options.decimals", "ALD_WKT_HAS_DECIMALS", 2)
    let isExtended = given.flags & ALD_WKT_EXTENDED != 0
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    try copyOut(
      try geometry.wkt(style, isExtended: isExtended), buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

@_cdecl("ald_geometry_get_geojson") @implementation
public func ald_geometry_get_geojson(
  _ geometry: ald_geometry, _ options: In<ald_geojson_options>, _ buffer: Out<CChar>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(geometry, error) { (geometry) throws(EngineError) in
    var style = GeoJSONStyle()
    let name = "ald_geojson_options"
    let given = try read(options, name, 2, zero: ald_geojson_options())
    try requireFlags(given.flags, known: ALD_GEOJSON_HAS_DECIMALS | ALD_GEOJSON_CRS_MEMBER, "\(name).flags", 2)
    try requireFlags(given.reserved, known: 0, "\(name).reserved", 2)
    style.numbers = try numberStyle(
      given.flags & ALD_GEOJSON_HAS_DECIMALS != 0, given.decimals, "\(name).decimals", "ALD_GEOJSON_HAS_DECIMALS", 2)
    style.namesSpatialReference = given.flags & ALD_GEOJSON_CRS_MEMBER != 0
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    try copyOut(try geometry.geoJSON(style), buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

// MARK: Validity

@_cdecl("ald_geometry_get_validity") @implementation
public func ald_geometry_get_validity(
  _ geometry: ald_geometry, _ flags: UInt32, _ out_validity: Out<ald_geometry_validity>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(geometry, out_validity, argument: 3, error) { (geometry) throws(EngineError) in
    try requireFlags(flags, known: ALD_VALIDITY_TOUCHING_RINGS, "flags", 2)
    let found = try geometry.validity(allowsTouchingRings: flags & ALD_VALIDITY_TOUCHING_RINGS != 0)
    var validity = ald_geometry_validity()
    validity.is_valid = found.isValid ? 1 : 0
    validity.point = ald_point(found.place)
    copy(found.reason, into: &validity.reason)
    return validity
  }
}

@_cdecl("ald_geometry_create_repaired") @implementation
public func ald_geometry_create_repaired(
  _ geometry: ald_geometry, _ method: Int32, _ out_repaired: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry, out_repaired, argument: 3, error) { (geometry) throws(EngineError) in
    try geometry.repaired(try enumerator(method, "method", "ald_repair_method", 2))
  }
}

@_cdecl("ald_geometry_array_create_from_geometries") @implementation
public func ald_geometry_array_create_from_geometries(
  _ runtime: ald_runtime, _ geometries: In<ald_geometry>, _ count: Int, _ out_array: Out<ald_geometry_array>,
  _ out_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterMakingRelated(out_array, argument: 4, out_receipt, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let given = try list(geometries, count, runtime, 2)
    let made = try blaming(2, try GeometryArray.make(runtime: runtime, of: given))
    return Related(value: made.array, receipt: made.receipt)
  }
}

@_cdecl("ald_geometry_create_collection") @implementation
public func ald_geometry_create_collection(
  _ runtime: ald_runtime, _ geometries: In<ald_geometry>, _ count: Int, _ out_geometry: Out<ald_geometry>,
  _ out_receipt: Out<ald_projection_receipt>, _ error: Out<ald_error>
) -> ald_status {
  enterMakingRelated(out_geometry, argument: 4, out_receipt, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let given = try list(geometries, count, runtime, 2)
    let made = try blaming(2, try Geometry.makeCollection(runtime: runtime, of: given))
    return Related(value: made.geometry, receipt: made.receipt)
  }
}

/// The geometries of a list of handles. The count follows the pointer in the function's declaration.
private func list(
  _ handles: In<ald_geometry>, _ count: Int, _ runtime: Runtime, _ argument: Int32
) throws(EngineError) -> [Geometry] {
  try requireCapacity(count, argument &+ 1)
  try blamingAll(argument &+ 1) { () throws(EngineError) in
    try runtime.policy.check(points: count)
    try runtime.policy.check(bytes: count, MemoryLayout<Geometry>.stride)
  }
  guard count > 0 else { return [] }
  guard let handles else { throw missing("geometries", argument) }
  var geometries: [Geometry] = []
  geometries.reserveCapacity(min(count, 100_000))
  for index in 0..<count {
    do throws(EngineError) {
      let geometry = try resolve(handles[index], argument, with: runtime)
      geometries.append(geometry)
    } catch {
      var error = error
      error.message = "geometries[\(index)]: \(error.message)"
      throw error
    }
  }
  return geometries
}

// What the entry points of geometries and of geometry arrays share.

/// The flags of a geometry as C has them.
func cFlags(_ columns: GeometryColumns, _ row: Int) -> UInt32 {
  let flags = UInt32(truncatingIfNeeded: columns.flags(row).rawValue)
  return columns.isEmpty(row) ? flags | ALD_GEOMETRY_EMPTY : flags
}

func cEnvelope(_ envelope: Envelope?) -> ald_envelope {
  ald_envelope(envelope ?? Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan))
}

/// Bytes that come in. The count follows the pointer in the function's declaration.
func inputBytes(
  _ pointer: In<UInt8>, _ count: Int, _ policy: Policy, pointerArgument: Int32
) throws(EngineError) -> UnsafeRawBufferPointer {
  try requireCapacity(count, pointerArgument &+ 1)
  try blaming(pointerArgument &+ 1, try policy.check(bytes: count))
  guard let pointer else { throw missing("The array of bytes", pointerArgument) }
  return UnsafeRawBufferPointer(start: pointer, count: count)
}

/// A text that comes in and may be long: it is not copied, and lives as long as the call.
func inputText(
  _ pointer: In<CChar>, _ what: String, _ argument: Int32
) throws(EngineError) -> UnsafeBufferPointer<UInt8> {
  guard let pointer else { throw missing(what, argument) }
  let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)).bindMemory(to: UInt8.self)
  guard isUTF8(bytes) else { throw EngineError(.invalidArgument, "\(what) is not UTF-8.", argument: argument) }
  return bytes
}

private func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  // Mostly ASCII, of which nothing has to be decoded.
  if bytes.allSatisfy({ $0 < 0x80 }) { return true }
  var decoder = UTF8()
  var iterator = bytes.makeIterator()
  while true {
    switch decoder.decode(&iterator) {
    case .scalarValue: continue
    case .emptyInput: return true
    case .error: return false
    }
  }
}

/// How WKB is to be written.
func wkbForm(_ flags: UInt32, _ argument: Int32) throws(EngineError) -> (WKBWriter.Flavour, isBigEndian: Bool) {
  try requireFlags(flags, known: ALD_WKB_EXTENDED | ALD_WKB_BIG_ENDIAN, "wkb_flags", argument)
  return (flags & ALD_WKB_EXTENDED != 0 ? .extended : .iso, flags & ALD_WKB_BIG_ENDIAN != 0)
}

/// How numbers are written: with so many decimals if the host's bit says so, which is named `bit`.
private func numberStyle(
  _ hasDecimals: Bool, _ decimals: UInt32, _ name: String, _ bit: String, _ argument: Int32
) throws(EngineError) -> NumberStyle {
  guard try isGiven(hasDecimals, orZero: decimals == 0, name, bit, argument) else { return .shortest }
  let places = Int(truncatingIfNeeded: decimals)
  guard places <= NumberStyle.mostDecimals else {
    throw EngineError(
      .invalidArgument, "\(name) is \(decimals); it must be within 0 to \(NumberStyle.mostDecimals).",
      argument: argument)
  }
  return .decimals(places)
}

/// A buffer of the host's for bytes, with a size probe.
struct OutputBytes {
  private let buffer: Out<UInt8>
  private let capacity: Int
  private let size: Out<Int>
  private let bufferArgument: Int32

  /// Checks the arguments before anything is done. The capacity follows the buffer in the function's declaration.
  init(_ buffer: Out<UInt8>, _ capacity: Int, _ size: Out<Int>, bufferArgument: Int32) throws(EngineError) {
    if buffer == nil, capacity != 0 { throw missing("The buffer", bufferArgument) }
    if buffer == nil, size == nil {
      throw EngineError(
        .invalidArgument, "Neither the bytes nor their number is asked for.", argument: bufferArgument)
    }
    try requireCapacity(capacity, bufferArgument &+ 1)
    self.buffer = buffer
    self.capacity = capacity
    self.size = size
    self.bufferArgument = bufferArgument
  }

  /// Returns the size, and where the bytes go; nil if only the size is requested.
  func room(for needed: Int) throws(EngineError) -> UnsafeMutableRawBufferPointer? {
    size?.pointee = needed
    guard let buffer else { return nil }
    guard capacity >= needed else {
      throw EngineError(
        .bufferTooSmall, "\(needed) bytes are needed; the buffer has \(capacity).", argument: bufferArgument)
    }
    return UnsafeMutableRawBufferPointer(start: buffer, count: needed)
  }
}

// MARK: Columns

/// Columns from C: sizes and strides are checked here, what the columns say where they are read.
func rawColumns(_ pointer: In<ald_geometry_columns>, _ argument: Int32) throws(EngineError) -> RawColumns {
  guard let pointer else { throw missing("The columns", argument) }
  let given = try read(pointer, "ald_geometry_columns", argument, zero: ald_geometry_columns())
  try requireFlags(given.reserved, known: 0, "ald_geometry_columns.reserved", argument)
  var raw = RawColumns()
  if given.kind != 0 {
    raw.kind = try enumerator(given.kind, "ald_geometry_columns.kind", "ald_geometry_kind", argument)
  }
  if raw.kind != nil, given.kinds != nil {
    throw EngineError(.invalidArgument, "Both kind and kinds are given; one is needed.", argument: argument)
  }
  raw.kinds = given.kinds.map { UnsafeRawPointer($0) }
  raw.flags = given.geometry_flags.map { UnsafeRawPointer($0) }
  raw.geometryCount = Int(truncatingIfNeeded: given.geometry_count)
  raw.partCount = Int(truncatingIfNeeded: given.part_count)
  raw.pathCount = Int(truncatingIfNeeded: given.path_count)
  raw.vertexCount = Int(truncatingIfNeeded: given.vertex_count)
  raw.partOffsets = given.part_offsets.map { UnsafeRawPointer($0) }
  raw.pathOffsets = given.path_offsets.map { UnsafeRawPointer($0) }
  raw.vertexOffsets = given.vertex_offsets.map { UnsafeRawPointer($0) }
  raw.xy = try numbers(given.xy, given.xy_stride_bytes, size: 16, "xy_stride_bytes", argument)
  raw.z = try numbers(given.z, given.z_stride_bytes, size: 8, "z_stride_bytes", argument)
  raw.m = try numbers(given.m, given.m_stride_bytes, size: 8, "m_stride_bytes", argument)
  return raw
}

private func numbers(
  _ pointer: In<Double>, _ stride: UInt32, size: UInt32, _ name: String, _ argument: Int32
) throws(EngineError) -> RawColumns.Numbers? {
  guard stride == 0 || stride >= size else {
    throw EngineError(
      .invalidArgument, "ald_geometry_columns.\(name) is \(stride); it must be 0 or at least \(size).",
      argument: argument)
  }
  return pointer.map {
    RawColumns.Numbers(UnsafeRawPointer($0), stride: Int(truncatingIfNeeded: stride == 0 ? size : stride))
  }
}

/// The columns of rows that follow each other, as C sees them.
func cColumns(_ columns: GeometryColumns, _ rows: Range<Int>) -> ald_geometry_columns {
  let start = rows.lowerBound
  return ald_geometry_columns(
    struct_size: 0, kind: 0, geometry_count: UInt32(clamping: rows.count),
    part_count: UInt32(clamping: columns.pathOffsets.count &- 1),
    path_count: UInt32(clamping: columns.vertexOffsets.count &- 1),
    vertex_count: UInt32(clamping: columns.points.count), xy_stride_bytes: 16, z_stride_bytes: 8, m_stride_bytes: 8,
    reserved: 0, kinds: columns.kindBytes.baseAddress.map { $0 + start },
    geometry_flags: columns.flagBytes.baseAddress.map { $0 + start },
    part_offsets: columns.partOffsets.buffer.baseAddress.map { $0 + start },
    path_offsets: columns.pathOffsets.buffer.baseAddress, vertex_offsets: columns.vertexOffsets.buffer.baseAddress,
    xy: columns.points.buffer.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: Double.self) },
    z: columns.z?.buffer.baseAddress, m: columns.m?.buffer.baseAddress)
}
