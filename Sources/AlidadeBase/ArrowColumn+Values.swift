extension ArrowColumn {
  /// Values of one size, "l" for Int64, "i" for Int32, "g" for Double; nil is null.
  public static func values<Value: BitwiseCopyable>(
    _ name: String, _ format: String, _ values: [Value?], _ policy: Policy
  ) throws(EngineError) -> ArrowColumn {
    try policy.check(bytes: values.count, MemoryLayout<Value>.stride)
    let memory = try HeapArray<Value>(count: values.count)
    // What a null covers is never read, but no memory is handed out that was not written.
    UnsafeMutableRawBufferPointer(memory.buffer).initializeMemory(as: UInt8.self, repeating: 0)
    for (row, value) in values.enumerated() { if let value { memory.buffer[row] = value } }
    return ArrowColumn(
      name, format, length: values.count, validity: try validity(values.count) { values[$0] != nil },
      buffers: [UnsafeRawPointer(memory.buffer.baseAddress)], owners: [memory])
  }

  /// Texts; nil is null.
  public static func texts(_ name: String, _ texts: [String?], _ policy: Policy) throws(EngineError) -> ArrowColumn {
    let size = texts.reduce(0) { $0 &+ ($1?.utf8.count ?? 0) }
    try policy.check(bytes: size &+ (texts.count &+ 1) &* MemoryLayout<Int64>.stride)
    let (offsets, bytes) = (try HeapArray<Int64>(count: texts.count &+ 1), try HeapArray<UInt8>(count: size))
    var end = 0
    offsets.buffer[0] = 0
    for (row, text) in texts.enumerated() {
      for byte in (text ?? "").utf8 {
        bytes.buffer[end] = byte
        end &+= 1
      }
      offsets.buffer[row &+ 1] = Int64(truncatingIfNeeded: end)
    }
    return ArrowColumn(
      name, "U", length: texts.count, validity: try validity(texts.count) { texts[$0] != nil },
      buffers: [UnsafeRawPointer(offsets.buffer.baseAddress), UnsafeRawPointer(bytes.buffer.baseAddress)],
      owners: [offsets, bytes])
  }
}

/// The names of a table's columns, each of which stands once.
public struct ArrowNames {
  private var taken: Set<String> = []

  public init() {}

  /// The name, with a number at its end if it is taken.
  public mutating func free(_ name: String) -> String {
    var (candidate, number) = (name, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(name)_\(number)"
      number &+= 1
    }
    return candidate
  }
}
