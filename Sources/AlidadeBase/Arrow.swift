import Glibc

// The structs of the Arrow C data interface, https://arrow.apache.org/docs/format/CDataInterface.html. They are laid out
// in memory as in C: a Swift test holds their sizes and offsets.

/// `struct ArrowSchema`: the type of an array.
public struct ArrowSchema: ArrowStruct {
  public var format: UnsafePointer<CChar>?
  public var name: UnsafePointer<CChar>?
  public var metadata: UnsafePointer<CChar>?
  public var flags: Int64 = 0
  public var childCount: Int64 = 0
  public var children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>?
  public var dictionary: UnsafeMutablePointer<ArrowSchema>?
  /// A `ArrowRelease`; nil: the struct has been released, or moved.
  public var release: UnsafeRawPointer?
  public var privateData: UnsafeMutableRawPointer?

  public init() {}
}

/// `struct ArrowArray`: the values of an array.
public struct ArrowArray: ArrowStruct {
  public var length: Int64 = 0
  /// -1: it is not known.
  public var nullCount: Int64 = 0
  public var offset: Int64 = 0
  public var bufferCount: Int64 = 0
  public var childCount: Int64 = 0
  public var buffers: UnsafeMutablePointer<UnsafeRawPointer?>?
  public var children: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>?
  public var dictionary: UnsafeMutablePointer<ArrowArray>?
  /// A `ArrowRelease`; nil: the struct has been released, or moved.
  public var release: UnsafeRawPointer?
  public var privateData: UnsafeMutableRawPointer?

  public init() {}
}

/// `struct ArrowArrayStream`: arrays of one type that come one after the other.
public struct ArrowArrayStream: ArrowStruct {
  var getSchema: UnsafeRawPointer?
  var getNext: UnsafeRawPointer?
  var getLastError: UnsafeRawPointer?
  /// A `ArrowRelease`; nil: the struct has been released, or moved.
  public var release: UnsafeRawPointer?
  var privateData: UnsafeMutableRawPointer?

  public init() {}

  private typealias Get = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

  /// The type of the arrays, for whoever reads the stream, and releases it; nil if it cannot be had.
  public mutating func readSchema() -> ArrowSchema? {
    guard let getSchema else { return nil }
    var schema = ArrowSchema()
    // Right: the interface says that this is what the pointer leads to.
    return unsafeBitCast(getSchema, to: Get.self)(&self, &schema) == 0 && schema.release != nil ? schema : nil
  }

  /// The next array, for whoever reads the stream, and releases it. It has no release function after the last one. nil if
  /// it cannot be had.
  public mutating func readArray() -> ArrowArray? {
    guard let getNext else { return nil }
    var array = ArrowArray()
    // Right: the interface says that this is what the pointer leads to.
    return unsafeBitCast(getNext, to: Get.self)(&self, &array) == 0 ? array : nil
  }
}

/// A struct that whoever received it releases.
public protocol ArrowStruct {
  var release: UnsafeRawPointer? { get }
}

extension ArrowStruct {
  /// Releases what a producer has given, if there is something left of it.
  public mutating func end() {
    // Right: the interface says that this is what the pointer leads to.
    guard let release else { return }
    withUnsafeMutablePointer(to: &self) { unsafeBitCast(release, to: ArrowRelease.self)($0) }
  }
}

/// What the structs are released by.
public typealias ArrowRelease = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// Memory that an array is handed out from.
public protocol ArrowBuffer: AnyObject {
  var start: UnsafeRawPointer? { get }
}

extension HeapArray: ArrowBuffer {
  public var start: UnsafeRawPointer? { UnsafeRawPointer(buffer.baseAddress) }
}

/// A bit for each value, 0 for null.
public typealias ArrowValidity = (bits: HeapArray<UInt8>, nullCount: Int)

/// An array that is handed out, with its name and type.
///
/// Right to share: nothing changes once it is made, and the buffers are kept.
public final class ArrowColumn: @unchecked Sendable {
  public let name: String
  /// What the interface calls the type: "l", "u", "+l", ...
  fileprivate let format: String
  fileprivate let metadata: [(key: String, value: String)]
  fileprivate let length: Int
  fileprivate let validity: ArrowValidity?
  private let buffers: [any ArrowBuffer]
  fileprivate let children: [ArrowColumn]

  /// - Parameters:
  ///   - validity: nil: there is no null.
  ///   - buffers: as the type has them, after the bits of validity.
  public init(
    _ name: String, _ format: String, length: Int, validity: ArrowValidity? = nil, buffers: [any ArrowBuffer],
    children: [ArrowColumn] = [], metadata: [(key: String, value: String)] = []
  ) {
    (self.name, self.format, self.length, self.metadata) = (name, format, length, metadata)
    (self.validity, self.buffers, self.children) = (validity, buffers, children)
  }

  /// Where the buffers begin, the bits of validity first.
  fileprivate var starts: [UnsafeRawPointer?] { [validity?.bits.start] + buffers.map(\.start) }

  /// The same array with another name and other metadata.
  public func renamed(_ name: String, metadata: [(key: String, value: String)] = []) -> ArrowColumn {
    ArrowColumn(
      name, format, length: length, validity: validity, buffers: buffers, children: children, metadata: metadata)
  }

  /// The same array, with nulls.
  public func nullable(_ validity: ArrowValidity?) -> ArrowColumn {
    ArrowColumn(
      name, format, length: length, validity: validity, buffers: buffers, children: children, metadata: metadata)
  }

  /// A bit for each value; nil if all are valid.
  public static func validity(_ count: Int, _ isValid: (Int) -> Bool) throws(EngineError) -> ArrowValidity? {
    let bits = try HeapArray<UInt8>(count: count / 8 &+ 1, repeating: 0)
    var nullCount = 0
    for index in 0..<count {
      if isValid(index) {
        bits.buffer[index >> 3] |= 1 << UInt8(truncatingIfNeeded: index & 7)
      } else {
        nullCount &+= 1
      }
    }
    return nullCount == 0 ? nil : (bits, nullCount)
  }

  /// A struct of columns of one length: a table's batch.
  public static func table(_ columns: [ArrowColumn], length: Int) -> ArrowColumn {
    ArrowColumn("", "+s", length: length, buffers: [], children: columns)
  }

  // MARK: Handing out

  /// Writes the type and the values into structs of the receiver's, who releases both. Nothing is copied.
  public func export(
    _ schema: UnsafeMutablePointer<ArrowSchema>, _ array: UnsafeMutablePointer<ArrowArray>
  ) throws(EngineError) {
    try exportSchema(schema)
    do throws(EngineError) { try exportArray(array) } catch {
      Self.releaseSchema(schema)
      throw error
    }
  }

  private func exportSchema(_ out: UnsafeMutablePointer<ArrowSchema>) throws(EngineError) {
    let held = try ArrowSchemaMemory(self)
    var schema = ArrowSchema()
    schema.format = UnsafePointer(held.format)
    schema.name = UnsafePointer(held.name)
    schema.metadata = UnsafePointer(held.metadata)
    // Nullable: whoever reads it asks the array whether there are nulls.
    schema.flags = 2
    for (index, child) in children.enumerated() { try child.exportSchema(held.children.item(index)) }
    schema.childCount = Int64(truncatingIfNeeded: children.count)
    schema.children = held.children.pointers
    // Right, here and below: what is stored as a pointer is called with the same type.
    schema.release = unsafeBitCast(Self.releaseSchema, to: UnsafeRawPointer.self)
    // Right: given back by `releaseSchema`, which the interface has called once.
    schema.privateData = Unmanaged.passRetained(held).toOpaque()
    out.initialize(to: schema)
  }

  private func exportArray(_ out: UnsafeMutablePointer<ArrowArray>) throws(EngineError) {
    let held = try ArrowArrayMemory(self)
    var array = ArrowArray()
    array.length = Int64(truncatingIfNeeded: length)
    array.nullCount = Int64(truncatingIfNeeded: validity?.nullCount ?? 0)
    array.bufferCount = Int64(truncatingIfNeeded: held.buffers.buffer.count)
    array.buffers = held.buffers.buffer.baseAddress
    for (index, child) in children.enumerated() { try child.exportArray(held.children.item(index)) }
    array.childCount = Int64(truncatingIfNeeded: children.count)
    array.children = held.children.pointers
    // Right: as above.
    array.release = unsafeBitCast(Self.releaseArray, to: UnsafeRawPointer.self)
    // Right: given back by `releaseArray`, which the interface has called once.
    array.privateData = Unmanaged.passRetained(held).toOpaque()
    out.initialize(to: array)
  }

  /// Writes a stream with this array alone into a struct of the receiver's, who releases it.
  public func export(_ out: UnsafeMutablePointer<ArrowArrayStream>) {
    var stream = ArrowArrayStream()
    // Right: as above.
    stream.getSchema = unsafeBitCast(Self.streamSchema, to: UnsafeRawPointer.self)
    // Right: as above.
    stream.getNext = unsafeBitCast(Self.streamNext, to: UnsafeRawPointer.self)
    // Right: as above.
    stream.getLastError = unsafeBitCast(Self.streamLastError, to: UnsafeRawPointer.self)
    // Right: as above.
    stream.release = unsafeBitCast(Self.releaseStream, to: UnsafeRawPointer.self)
    // Right: given back by `releaseStream`, which the interface has called once.
    stream.privateData = Unmanaged.passRetained(ArrowStreamMemory(self)).toOpaque()
    out.initialize(to: stream)
  }

  private typealias StreamCall = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

  private static func memory(_ stream: UnsafeMutableRawPointer?) -> ArrowStreamMemory? {
    // Right: `releaseStream` has not given it back yet.
    stream?.assumingMemoryBound(to: ArrowArrayStream.self).pointee.privateData.map {
      Unmanaged<ArrowStreamMemory>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static let streamSchema: StreamCall = { stream, out in
    guard let held = memory(stream), let out else { return EINVAL }
    do throws(EngineError) {
      try held.column.exportSchema(out.assumingMemoryBound(to: ArrowSchema.self))
      return 0
    } catch { return ENOMEM }
  }

  private static let streamNext: StreamCall = { stream, out in
    guard let held = memory(stream), let array = out?.assumingMemoryBound(to: ArrowArray.self) else { return EINVAL }
    array.initialize(to: ArrowArray())
    if held.isRead { return 0 }
    do throws(EngineError) {
      try held.column.exportArray(array)
      held.isRead = true
      return 0
    } catch { return ENOMEM }
  }

  private static let streamLastError: @convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<CChar>? = { _ in nil }

  private static let releaseStream: ArrowRelease = { pointer in
    guard let stream = pointer?.assumingMemoryBound(to: ArrowArrayStream.self), let held = stream.pointee.privateData
    else { return }
    // Right: taken over from `export`.
    Unmanaged<ArrowStreamMemory>.fromOpaque(held).release()
    (stream.pointee.release, stream.pointee.privateData) = (nil, nil)
  }

  private static let releaseSchema: ArrowRelease = { pointer in
    guard let schema = pointer?.assumingMemoryBound(to: ArrowSchema.self), let held = schema.pointee.privateData else {
      return
    }
    // Right: taken over from `exportSchema`.
    Unmanaged<ArrowSchemaMemory>.fromOpaque(held).release()
    (schema.pointee.release, schema.pointee.privateData) = (nil, nil)
  }

  private static let releaseArray: ArrowRelease = { pointer in
    guard let array = pointer?.assumingMemoryBound(to: ArrowArray.self), let held = array.pointee.privateData else {
      return
    }
    // Right: taken over from `exportArray`.
    Unmanaged<ArrowArrayMemory>.fromOpaque(held).release()
    (array.pointee.release, array.pointee.privateData) = (nil, nil)
  }
}

/// The structs of children, which are released with their parent unless the receiver has moved them.
private final class ArrowChildren<Struct> {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Struct>?>?
  private let array: HeapArray<UnsafeMutablePointer<Struct>?>
  private let items: HeapArray<Struct>
  private let release: (UnsafeMutablePointer<Struct>) -> UnsafeRawPointer?

  init(
    count: Int, empty: Struct, _ release: @escaping (UnsafeMutablePointer<Struct>) -> UnsafeRawPointer?
  ) throws(EngineError) {
    array = try HeapArray(count: count)
    items = try HeapArray(count: count, repeating: empty)
    for index in 0..<count { array.buffer[index] = items.buffer.baseAddress.map { $0 + index } }
    pointers = count == 0 ? nil : array.buffer.baseAddress
    self.release = release
  }

  func item(_ index: Int) throws(EngineError) -> UnsafeMutablePointer<Struct> {
    guard let item = array.buffer[index] else {
      throw EngineError(.internal, "A child of an Arrow array has no memory.")
    }
    return item
  }

  deinit {
    for item in array.buffer {
      guard let item, let function = release(item) else { continue }
      // Right: only functions of this type are stored there.
      unsafeBitCast(function, to: ArrowRelease.self)(item)
    }
  }
}

private final class ArrowSchemaMemory {
  let format: UnsafeMutablePointer<CChar>?
  let name: UnsafeMutablePointer<CChar>?
  let metadata: UnsafeMutablePointer<CChar>?
  let children: ArrowChildren<ArrowSchema>

  init(_ column: ArrowColumn) throws(EngineError) {
    children = try ArrowChildren(count: column.children.count, empty: ArrowSchema()) { $0.pointee.release }
    format = strdup(column.format)
    name = strdup(column.name)
    metadata = Self.encoded(column.metadata)
    guard format != nil, name != nil, column.metadata.isEmpty || metadata != nil else {
      throw EngineError(.outOfMemory, "The memory for an Arrow type could not be had.")
    }
  }

  deinit { for text in [format, name, metadata] { free(text) } }

  /// Counts and texts in the order of bytes of the machine; nil for none.
  private static func encoded(_ metadata: [(key: String, value: String)]) -> UnsafeMutablePointer<CChar>? {
    if metadata.isEmpty { return nil }
    var bytes: [UInt8] = []
    func put(_ number: Int) { withUnsafeBytes(of: Int32(clamping: number)) { bytes += Array($0) } }
    put(metadata.count)
    for (key, value) in metadata {
      for text in [key, value] {
        put(text.utf8.count)
        bytes += Array(text.utf8)
      }
    }
    guard let memory = malloc(bytes.count) else { return nil }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory.assumingMemoryBound(to: CChar.self)
  }
}

/// One thread reads a stream, as the interface has it.
private final class ArrowStreamMemory {
  let column: ArrowColumn
  var isRead = false

  init(_ column: ArrowColumn) { self.column = column }
}

private final class ArrowArrayMemory {
  let buffers: HeapArray<UnsafeRawPointer?>
  let children: ArrowChildren<ArrowArray>
  /// Keeps the buffers.
  private let column: ArrowColumn

  init(_ column: ArrowColumn) throws(EngineError) {
    self.column = column
    let starts = column.starts
    buffers = try HeapArray(count: starts.count)
    _ = buffers.buffer.initialize(fromContentsOf: starts)
    children = try ArrowChildren(count: column.children.count, empty: ArrowArray()) { $0.pointee.release }
  }
}
