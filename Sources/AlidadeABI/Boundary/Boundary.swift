import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeMap
import CAlidade
import Glibc

// What every entry point is made of. An entry point itself holds no logic: it turns C arguments into Swift ones, calls
// the engine, and turns the answer back.

/// Memory of the host that a call reads: a value, or the first of several.
public typealias In<Value> = UnsafePointer<Value>?
/// Memory of the host that a call writes.
public typealias Out<Value> = UnsafeMutablePointer<Value>?

/// Runs an entry point and turns what it throws into a status. The host's errno stays as it was, and how it rounds.
@inline(__always)
func enter(_ error: Out<ald_error>, _ body: () throws(EngineError) -> Void) -> ald_status {
  let hostsErrno = errno
  var hostsFloats = HostFloats.setAside()
  defer {
    hostsFloats?.restore()
    errno = hostsErrno
  }
  do throws(EngineError) {
    try body()
    return Status.ok.rawValue
  } catch let failure {
    write(failure, to: error)
    return failure.status.rawValue
  }
}

/// Runs an entry point of an object, the function's first argument.
@inline(__always)
func enter<Receiver: ObjectHandle>(
  _ receiver: Receiver, _ error: Out<ald_error>, _ body: (Receiver.Object) throws(EngineError) -> Void
) -> ald_status {
  enter(error) { () throws(EngineError) in try body(try resolve(receiver, 1)) }
}

/// Runs an entry point that creates an object: the out handle is null unless the host gets an object.
///
/// - Parameter finish: what follows once the host has the object, and cannot fail.
@inline(__always)
func enterMaking<Handle: ObjectHandle>(
  _ out: Out<Handle>, argument: Int32, _ error: Out<ald_error>, _ body: () throws(EngineError) -> Handle.Object,
  then finish: (Handle.Object) -> Void = { _ in }
) -> ald_status {
  out?.pointee = Handle(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out else { throw missing("The out handle", argument) }
    let object = try body()
    out.pointee = Handle(id: try HandleTable.shared.give(object))
    finish(object)
  }
}

/// The same for an entry point of an object.
@inline(__always)
func enterMaking<Receiver: ObjectHandle, Handle: ObjectHandle>(
  _ receiver: Receiver, _ out: Out<Handle>, argument: Int32, _ error: Out<ald_error>,
  _ body: (Receiver.Object) throws(EngineError) -> Handle.Object, then finish: (Handle.Object) -> Void = { _ in }
) -> ald_status {
  enterMaking(
    out, argument: argument, error, { () throws(EngineError) in try body(try resolve(receiver, 1)) }, then: finish)
}

/// Runs an entry point that gives a borrowed handle.
@inline(__always)
func enterLending<Handle: ObjectHandle>(
  _ out: Out<Handle>, argument: Int32, _ error: Out<ald_error>, _ body: () throws(EngineError) -> Handle.Object
) -> ald_status {
  out?.pointee = Handle(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out else { throw missing("The out handle", argument) }
    out.pointee = try lent(try body())
  }
}

/// The same for an entry point of an object.
@inline(__always)
func enterLending<Receiver: ObjectHandle, Handle: ObjectHandle>(
  _ receiver: Receiver, _ out: Out<Handle>, argument: Int32, _ error: Out<ald_error>,
  _ body: (Receiver.Object) throws(EngineError) -> Handle.Object
) -> ald_status {
  enterLending(out, argument: argument, error) { () throws(EngineError) in try body(try resolve(receiver, 1)) }
}

/// Runs an entry point that gives a value.
@inline(__always)
func enterGetting<Value>(
  _ out: Out<Value>, _ name: StaticString, argument: Int32, _ error: Out<ald_error>,
  _ body: () throws(EngineError) -> Value
) -> ald_status {
  enter(error) { () throws(EngineError) in
    guard let out else { throw missing("\(name)", argument) }
    out.pointee = try body()
  }
}

/// The same for an entry point of an object.
@inline(__always)
func enterGetting<Receiver: ObjectHandle, Value>(
  _ receiver: Receiver, _ out: Out<Value>, _ name: StaticString, argument: Int32, _ error: Out<ald_error>,
  _ body: (Receiver.Object) throws(EngineError) -> Value
) -> ald_status {
  enter(receiver, error) { (receiver) throws(EngineError) in
    guard let out else { throw missing("\(name)", argument) }
    out.pointee = try body(receiver)
  }
}

/// Runs an entry point that fills in a struct with a size.
@inline(__always)
func enterFilling<Struct>(
  _ out: Out<Struct>, argument: Int32, _ error: Out<ald_error>, _ body: () throws(EngineError) -> Struct
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let out = try requireOut(out, argument)
    write(try body(), to: out)
  }
}

/// The same for an entry point of an object.
@inline(__always)
func enterFilling<Receiver: ObjectHandle, Struct>(
  _ receiver: Receiver, _ out: Out<Struct>, argument: Int32, _ error: Out<ald_error>,
  _ body: (Receiver.Object) throws(EngineError) -> Struct
) -> ald_status {
  enter(receiver, error) { (receiver) throws(EngineError) in
    let out = try requireOut(out, argument)
    write(try body(receiver), to: out)
  }
}

extension EngineError {
  init(
    _ status: Status, _ message: String, argument: Int32, domain: ErrorDomain = .alidade, domainCode: Int32 = 0
  ) {
    self.init(status, message, domain: domain, domainCode: domainCode)
    self.argument = argument
  }

  /// The same error, blamed on an argument.
  func blaming(argument: Int32) -> EngineError {
    var error = self
    error.argument = argument
    return error
  }
}

/// The error of an argument that is NULL and must not be.
func missing(_ what: String, _ argument: Int32) -> EngineError {
  EngineError(.invalidArgument, "\(what) is NULL.", argument: argument)
}

/// Writes an error, if there is one and the host wants it; its message is cut at a whole character.
func write(_ failure: EngineError?, to error: Out<ald_error>) {
  guard let failure, let error else { return }
  let raw = UnsafeMutableRawPointer(error)
  memset(raw, 0, MemoryLayout<ald_error>.size)
  error.pointee.status = failure.status.rawValue
  // The object comes first in each function.
  let isReceiver = failure.argument == 0 && failure.parameter == EngineError.receiver
  error.pointee.argument = isReceiver ? 1 : failure.argument
  error.pointee.domain = failure.domain.rawValue
  error.pointee.domain_code = failure.domainCode
  let start = MemoryLayout<ald_error>.offset(of: \.message) ?? 64
  copy(failure.message, to: raw + start, capacity: MemoryLayout<ald_error>.size &- start)
}

/// Copies a text with its final NUL, cut at a whole character if it does not fit. The rest is left alone.
func copy(_ text: String, to memory: UnsafeMutableRawPointer, capacity: Int) {
  var bytes = Array(text.utf8.prefix(capacity &- 1))
  if bytes.count < text.utf8.count {
    // Step back over the bytes that continue a character, and over its first one.
    while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
    if let last = bytes.last, last & 0x80 != 0 { bytes.removeLast() }
  }
  // A NUL inside would end the text.
  for index in bytes.indices where bytes[index] == 0 { bytes[index] = UInt8(ascii: " ") }
  bytes.append(0)
  bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
}

/// Copies a text into a field of a struct that goes out.
func copy<Field>(_ text: String, into field: inout Field) {
  withUnsafeMutableBytes(of: &field) { bytes in
    if let base = bytes.baseAddress { copy(text, to: base, capacity: bytes.count) }
  }
}

// MARK: Handles

/// A C handle type, and the class of what it names.
protocol ObjectHandle {
  associatedtype Object: HandleObject
  var id: UInt64 { get }
  init(id: UInt64)
  static var kind: HandleKind { get }
  /// What the host means by an object that is behind a handle of the kind.
  static func object(_ found: HandleObject, _ argument: Int32) throws(EngineError) -> Object
}

extension ObjectHandle {
  @inline(__always)
  static func object(_ found: HandleObject, _ argument: Int32) throws(EngineError) -> Object {
    // Right: for this kind the table returns only objects with this handleKind, and each class has its own.
    unsafeDowncast(found, to: Object.self)
  }
}

extension ald_raster {
  /// For a raster that loads, the open raster.
  static func object(_ found: HandleObject, _ argument: Int32) throws(EngineError) -> Raster {
    // Right, here and below: the two classes are final and are compared; there is no third with such handles.
    if type(of: found) == Raster.self { return unsafeDowncast(found, to: Raster.self) }
    return try blaming(argument, try unsafeDowncast(found, to: LoadableRaster.self).requireRaster())
  }
}

extension HandleKind {
  /// The name of the handle type.
  var typeName: String { "ald_" + String(name.map { $0 == " " ? "_" : $0 }) }
}

/// What a release function does; the runtime and requests have more to end.
func release<Handle: ObjectHandle>(_ handle: Handle) {
  HandleTable.shared.release(handle.id, Handle.kind)
}

/// The object behind a handle.
@inline(__always)
func resolve<Handle: ObjectHandle>(_ handle: Handle, _ argument: Int32) throws(EngineError) -> Handle.Object {
  let found: HandleObject
  do throws(EngineError) { found = try HandleTable.shared.object(handle.id, Handle.kind) } catch {
    throw error.blaming(argument: argument)
  }
  return try Handle.object(found, argument)
}

/// The object behind a handle that may be null.
func resolveOptional<Handle: ObjectHandle>(
  _ handle: Handle, _ argument: Int32
) throws(EngineError) -> Handle.Object? {
  handle.id == 0 ? nil : try resolve(handle, argument)
}

/// The object behind a handle, which must hang on the runtime of another object.
@inline(__always)
func resolve<Handle: ObjectHandle>(
  _ handle: Handle, _ argument: Int32, with other: HandleObject
) throws(EngineError) -> Handle.Object {
  let object = try resolve(handle, argument)
  try requireSameRuntime(other, object, argument)
  return object
}

/// The same for a handle that may be null.
func resolveOptional<Handle: ObjectHandle>(
  _ handle: Handle, _ argument: Int32, with other: HandleObject
) throws(EngineError) -> Handle.Object? {
  handle.id == 0 ? nil : try resolve(handle, argument, with: other)
}

/// A layer that must be a raster layer.
func resolveRasterLayer(_ handle: ald_layer, _ argument: Int32) throws(EngineError) -> RasterLayer {
  let layer = try resolve(handle, argument)
  guard type(of: layer) == RasterLayer.self else {
    throw EngineError(.invalidArgument, "The layer is no raster layer.", argument: argument)
  }
  // Right: the class is final and was just compared; a dynamic cast would cost 60 ns on the way to each cell.
  return unsafeDowncast(layer, to: RasterLayer.self)
}

/// The handle that an object is borrowed by; null without an object.
func lent<Handle: ObjectHandle>(_ object: Handle.Object?) throws(EngineError) -> Handle {
  guard let object else { return Handle(id: 0) }
  return Handle(id: try HandleTable.shared.lend(object))
}

/// Throws if two objects hang on different runtimes.
func requireSameRuntime(_ a: HandleObject, _ b: HandleObject?, _ argument: Int32) throws(EngineError) {
  if let b, a.runtimeID != b.runtimeID {
    throw EngineError(.invalidArgument, "The objects are of two runtimes.", argument: argument)
  }
}

/// Blames what a call throws on a parameter.
func blaming<Result>(
  _ argument: Int32, _ call: @autoclosure () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  do throws(EngineError) { return try call() } catch { throw error.blaming(argument: argument) }
}

/// The same for several steps, or a call that takes several lines.
func blamingAll<Result>(
  _ argument: Int32, _ body: () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  try blaming(argument, try body())
}

/// Says which arguments they are that the engine blames by their words. An error without such a word stays as it is.
func blaming<Result>(
  _ arguments: @autoclosure () -> KeyValuePairs<String, Int32>, _ call: @autoclosure () throws(EngineError) -> Result
) throws(EngineError) -> Result {
  do throws(EngineError) { return try call() } catch {
    guard error.argument == 0, let known = arguments().first(where: { $0.key == error.parameter }) else { throw error }
    throw error.blaming(argument: known.value)
  }
}

// MARK: Texts

/// A text that comes in.
func string(_ pointer: In<CChar>, _ what: String, _ argument: Int32) throws(EngineError) -> String {
  guard let pointer else { throw missing(what, argument) }
  guard let text = String(validatingCString: pointer) else {
    throw EngineError(.invalidArgument, "\(what) is not UTF-8.", argument: argument)
  }
  return text
}

/// A text that may be NULL.
func optionalString(_ pointer: In<CChar>, _ what: String, _ argument: Int32) throws(EngineError) -> String? {
  pointer == nil ? nil : try string(pointer, what, argument)
}

/// The texts of a list that comes in.
func strings(
  _ list: In<In<CChar>>, _ count: UInt32, _ what: String, _ argument: Int32
) throws(EngineError) -> [String] {
  guard count > 0 else { return [] }
  guard let list else { throw missing(what, argument) }
  guard count <= 10_000 else {
    throw EngineError(.invalidArgument, "\(what) has \(count) entries; 10,000 are allowed.", argument: argument)
  }
  var texts: [String] = []
  for index in 0..<Int(truncatingIfNeeded: count) {
    texts.append(try string(list[index], "An entry of \(what)", argument))
  }
  return texts
}

/// Texts in their C form, which live as long as this object.
final class CTexts: Sendable {
  /// Where each text begins; the texts follow in the same memory. Right to share: written once, in init.
  nonisolated(unsafe) private let starts: UnsafeMutablePointer<UnsafePointer<CChar>>
  let count: Int

  convenience init(_ texts: [String]) { self.init { visit in for text in texts { visit(text) } } }

  /// - Parameter forEachText: calls its argument with one text after the other; called twice.
  init(_ forEachText: ((String) -> Void) -> Void) {
    var (count, size) = (0, 0)
    forEachText { text in
      count &+= 1
      size &+= text.utf8.count &+ 1
    }
    let tableSize = count &* MemoryLayout<UnsafePointer<CChar>>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, tableSize &+ size), alignment: MemoryLayout<UnsafePointer<CChar>>.alignment)
    self.count = count
    starts = memory.bindMemory(to: UnsafePointer<CChar>.self, capacity: count)
    var start = starts
    var position = (memory + tableSize).bindMemory(to: CChar.self, capacity: size)
    forEachText { text in
      start.initialize(to: UnsafePointer(position))
      start += 1
      position = Self.write(text, at: position)
    }
  }

  /// Writes a text with its final NUL; returns where the next one goes.
  private static func write(_ text: String, at start: UnsafeMutablePointer<CChar>) -> UnsafeMutablePointer<CChar> {
    var text = text
    return text.withUTF8 { bytes in
      if let first = bytes.baseAddress { memcpy(start, first, bytes.count) }
      // A NUL inside a text would end it; no file's text may hide what follows it.
      var rest = start
      while let zero = memchr(rest, 0, start + bytes.count - rest) {
        rest = zero.assumingMemoryBound(to: CChar.self)
        rest.pointee = CChar(bitPattern: UInt8(ascii: " "))
      }
      (start + bytes.count).initialize(to: 0)
      return start + bytes.count + 1
    }
  }

  deinit { UnsafeMutableRawPointer(starts).deallocate() }

  subscript(index: Int) -> UnsafePointer<CChar>? { index >= 0 && index < count ? starts[index] : nil }
}

/// Throws unless the text or its size is asked for. For texts that cost time, so that this is said first.
func requireTextRoom(
  _ buffer: Out<CChar>, _ capacity: Int, _ outSize: Out<Int>, bufferArgument: Int32
) throws(EngineError) {
  if buffer == nil, capacity != 0 { throw missing("The buffer", bufferArgument) }
  if buffer == nil, outSize == nil {
    throw EngineError(.invalidArgument, "Neither the text nor its size is asked for.", argument: bufferArgument)
  }
  try requireCapacity(capacity, bufferArgument &+ 1)
}

/// Copies a text out, with a size probe.
func copyOut(
  _ text: String, _ buffer: Out<CChar>, _ capacity: Int, _ outSize: Out<Int>, bufferArgument: Int32
) throws(EngineError) {
  try requireTextRoom(buffer, capacity, outSize, bufferArgument: bufferArgument)
  let size = text.utf8.count &+ 1
  outSize?.pointee = size
  guard let buffer else { return }
  guard capacity >= size else {
    throw EngineError(
      .bufferTooSmall, "The text needs \(size) bytes; the buffer has \(capacity).", argument: bufferArgument)
  }
  copy(text, to: UnsafeMutableRawPointer(buffer), capacity: size)
}

/// Throws if a size of the host's is more than memory can hold: beyond PTRDIFF_MAX it arrives as a negative number.
func requireCapacity<Element>(
  _ capacity: Int, of type: Element.Type = UInt8.self, _ argument: Int32
) throws(EngineError) {
  if capacity < 0 || capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride).overflow {
    throw EngineError(
      .invalidArgument, "The size \(UInt(bitPattern: capacity)) is more than memory can hold.", argument: argument)
  }
}

// MARK: Structs with a size
//
// The names of fields are put together only for a message: the texts cost more than the checks.

/// The largest struct_size that is believed.
private let largestStruct: UInt32 = 4096

/// Reads a struct that comes in: what the host's version of it has, and zeros for the rest. Zero is the default of every
/// field, so NULL reads as zeros.
///
/// - Parameter firstSize: the size that the struct had in version 0.1.
func read<Struct>(
  _ pointer: In<Struct>, _ name: String, _ argument: Int32, zero: Struct, firstSize: Int = MemoryLayout<Struct>.size
) throws(EngineError) -> Struct {
  guard let pointer else { return zero }
  let raw = UnsafeRawPointer(pointer)
  let size = try checkedSize(raw, name, argument, firstSize: firstSize)
  let known = MemoryLayout<Struct>.size
  if size > known {
    for offset in known..<size where (raw + offset).load(as: UInt8.self) != 0 {
      throw EngineError(
        .invalidArgument,
        "\(name) has a field at byte \(offset) that this version of the library does not know; leave it zero.",
        argument: argument)
    }
  }
  var value = zero
  withUnsafeMutableBytes(of: &value) {
    $0.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: min(size, known)))
  }
  return value
}

/// Throws unless a struct that goes out is there and says its size.
func requireOut<Struct>(
  _ pointer: Out<Struct>, _ argument: Int32, firstSize: Int = MemoryLayout<Struct>.size
) throws(EngineError) -> UnsafeMutablePointer<Struct> {
  guard let pointer else { throw missing("The \(Struct.self)", argument) }
  _ = try checkedSize(UnsafeRawPointer(pointer), "\(Struct.self)", argument, firstSize: firstSize)
  return pointer
}

/// The same for a struct that may be NULL: it is not wanted.
func optionalOut<Struct>(
  _ pointer: Out<Struct>, _ argument: Int32
) throws(EngineError) -> UnsafeMutablePointer<Struct>? {
  pointer == nil ? nil : try requireOut(pointer, argument)
}

/// Writes a struct that goes out, as much of it as the host's version has. Its struct_size stays. NULL: it is not wanted.
func write<Struct>(_ value: Struct, to pointer: Out<Struct>) {
  guard let pointer else { return }
  let raw = UnsafeMutableRawPointer(pointer)
  let size = min(Int(truncatingIfNeeded: raw.loadUnaligned(as: UInt32.self)), MemoryLayout<Struct>.size)
  let start = MemoryLayout<UInt32>.size
  withUnsafeBytes(of: value) { bytes in
    (raw + start).copyMemory(from: (bytes.baseAddress ?? UnsafeRawPointer(raw)) + start, byteCount: size &- start)
  }
}

private func checkedSize(
  _ raw: UnsafeRawPointer, _ name: @autoclosure () -> String, _ argument: Int32, firstSize: Int
) throws(EngineError) -> Int {
  let size = raw.loadUnaligned(as: UInt32.self)
  guard size <= largestStruct, Int(truncatingIfNeeded: size) >= firstSize else {
    throw EngineError(
      .invalidArgument,
      "\(name()).struct_size is \(size), which is no size of that struct. Initialise it with its ..._INIT macro.",
      argument: argument)
  }
  return Int(truncatingIfNeeded: size)
}

/// What a number of the host's stands for.
func enumerator<Value: RawRepresentable>(
  _ number: Value.RawValue, _ name: @autoclosure () -> String, _ what: @autoclosure () -> String, _ argument: Int32
) throws(EngineError) -> Value {
  guard let value = Value(rawValue: number) else {
    throw EngineError(.invalidArgument, "\(name()) is \(number), which is no \(what()).", argument: argument)
  }
  return value
}

/// Throws if flags have bits that mean nothing.
func requireFlags(_ flags: UInt32, known: UInt32, _ name: @autoclosure () -> String, _ argument: Int32)
  throws(EngineError)
{
  if flags & ~known != 0 {
    throw EngineError(
      .invalidArgument, "\(name()) has unknown bits: 0x\(String(flags & ~known, radix: 16)).", argument: argument)
  }
}

/// Whether a field is given that counts only with a bit. Throws if it has a value and not the bit: the host has forgotten
/// it.
///
/// - Parameter isZero: the field is as the INIT macro leaves it.
func isGiven(
  _ hasBit: Bool, orZero isZero: Bool, _ field: @autoclosure () -> String, _ bit: @autoclosure () -> String,
  _ argument: Int32
) throws(EngineError) -> Bool {
  guard hasBit || isZero else {
    throw EngineError(
      .invalidArgument, "\(field()) is given without \(bit()). Set the bit, or leave the field 0.", argument: argument)
  }
  return hasBit
}

/// Whether a box is as an INIT macro leaves it.
func isZero(_ box: ald_envelope) -> Bool { box.x_min == 0 && box.y_min == 0 && box.x_max == 0 && box.y_max == 0 }

/// Throws if a number that the host gives is not finite or not in a range.
func requireRange(
  _ value: Double, _ range: ClosedRange<Double>, _ name: @autoclosure () -> String, _ argument: Int32
) throws(EngineError) {
  guard range.contains(value) else {
    let (least, most) = (range.lowerBound, NumberText.shortest(range.upperBound))
    let rule =
      least == .leastNonzeroMagnitude
      ? "greater than 0 and at most \(most)" : "within \(NumberText.shortest(least)) to \(most)"
    throw EngineError(
      .invalidArgument, "\(name()) is \(NumberText.shortest(value)); it must be \(rule).", argument: argument)
  }
}

/// The same for a whole number.
func requireRange(
  _ value: some BinaryInteger, _ range: ClosedRange<Int>, _ name: @autoclosure () -> String, _ argument: Int32
) throws(EngineError) {
  try requireRange(Double(value), Double(range.lowerBound)...Double(range.upperBound), name(), argument)
}

/// Throws if a number that the host gives is negative or not finite.
func requireNotNegative(_ value: Double, _ name: @autoclosure () -> String, _ argument: Int32) throws(EngineError) {
  guard value >= 0, value.isFinite else {
    throw EngineError(
      .invalidArgument, "\(name()) is \(value); it must be 0 or more, and finite.", argument: argument)
  }
}

/// Throws unless an array of the host's can hold what is written to it. NULL: it is not wanted.
func requireRoom<Element>(
  _ array: Out<Element>, _ capacity: Int, for needed: Int, _ what: String, _ name: String, _ argument: Int32
) throws(EngineError) {
  try requireCapacity(capacity, argument)
  guard array == nil || capacity >= needed else {
    throw EngineError(
      .bufferTooSmall, "\(needed) \(what) are needed; \(name) can hold \(capacity).", argument: argument)
  }
}

/// Throws if a number that the host gives is not finite.
func requireFinite(_ value: Double, _ name: @autoclosure () -> String, _ argument: Int32) throws(EngineError) {
  guard value.isFinite else {
    throw EngineError(.invalidArgument, "\(name()) is \(value), which is not finite.", argument: argument)
  }
}

/// A number of the host's that means yes or no.
func switched(_ number: some BinaryInteger, _ name: @autoclosure () -> String, _ argument: Int32) throws(EngineError)
  -> Bool
{
  guard number == 0 || number == 1 else {
    throw EngineError(.invalidArgument, "\(name()) is \(number); it must be 0 or 1.", argument: argument)
  }
  return number == 1
}

/// Throws if a point that the host gives is not finite.
func requireFinite(_ point: ald_point, _ name: @autoclosure () -> String, _ argument: Int32) throws(EngineError) {
  guard point.x.isFinite, point.y.isFinite else {
    throw EngineError(
      .invalidArgument, "\(name()) is (\(point.x), \(point.y)), which is not finite.", argument: argument)
  }
}
