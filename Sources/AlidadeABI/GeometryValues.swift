import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade
import Glibc

// What the entry points of geometries and of geometry arrays share.

/// The flags of a geometry as C has them.
func cFlags(_ columns: GeometryColumns, _ row: Int) -> UInt32 {
  let flags = UInt32(truncatingIfNeeded: columns.flags(row).rawValue)
  return columns.isEmpty(row) ? flags | UInt32(truncatingIfNeeded: ALD_GEOMETRY_EMPTY) : flags
}

func cEnvelope(_ envelope: Envelope?) -> ald_envelope {
  ald_envelope(envelope ?? Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan))
}

/// Bytes that come in. The count follows the pointer in the function's declaration.
func inputBytes(
  _ pointer: UnsafePointer<UInt8>?, _ count: Int, _ policy: Policy, pointerArgument: Int32
) throws(EngineError) -> UnsafeRawBufferPointer {
  try requireCapacity(count, pointerArgument &+ 1)
  try blaming(pointerArgument &+ 1) { () throws(EngineError) in try policy.check(bytes: count) }
  guard let pointer else { throw missing("The array of bytes", pointerArgument) }
  return UnsafeRawBufferPointer(start: pointer, count: count)
}

/// A text that comes in and may be long: it is not copied, and lives as long as the call.
func inputText(
  _ pointer: UnsafePointer<CChar>?, _ what: String, _ argument: Int32
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
  let extended = UInt32(truncatingIfNeeded: ALD_WKB_EXTENDED)
  let bigEndian = UInt32(truncatingIfNeeded: ALD_WKB_BIG_ENDIAN)
  try requireFlags(flags, known: extended | bigEndian, "wkb_flags", argument)
  return (flags & extended != 0 ? .extended : .iso, flags & bigEndian != 0)
}

func numberStyle(_ decimals: UInt32, _ name: String, _ argument: Int32) throws(EngineError) -> NumberStyle {
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
  private let buffer: UnsafeMutablePointer<UInt8>?
  private let capacity: Int
  private let size: UnsafeMutablePointer<Int>?
  private let bufferArgument: Int32

  /// Checks the arguments before anything is done. The capacity follows the buffer in the function's declaration.
  init(
    _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int, _ size: UnsafeMutablePointer<Int>?, bufferArgument: Int32
  ) throws(EngineError) {
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

  /// Answers the size, and where the bytes go; nil if only the size is asked for.
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
func rawColumns(
  _ pointer: UnsafePointer<ald_geometry_columns>?, _ argument: Int32
) throws(EngineError) -> RawColumns {
  guard let pointer else { throw missing("The columns", argument) }
  let given = try read(pointer, "ald_geometry_columns", argument, zero: ald_geometry_columns())
  try requireFlags(given.reserved, known: 0, "ald_geometry_columns.reserved", argument)
  var raw = RawColumns()
  if given.kind != 0 {
    guard let kind = GeometryKind(rawValue: given.kind) else {
      throw EngineError(
        .invalidArgument, "ald_geometry_columns.kind is \(given.kind), which is no ald_geometry_kind.",
        argument: argument)
    }
    raw.kind = kind
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
  _ pointer: UnsafePointer<Double>?, _ stride: UInt32, size: UInt32, _ name: String, _ argument: Int32
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
