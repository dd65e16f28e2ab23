import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade
import Glibc

// What the entry points of geometries and of geometry arrays share.

extension ald_geometry: ObjectHandle {
  typealias Object = Geometry
  static var kind: HandleKind { .geometry }
}

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
