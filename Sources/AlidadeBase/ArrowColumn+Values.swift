extension ArrowColumn {
  /// Values of one size, "l" for Int64, "i" for Int32, "g" for Double; nil is null.
  public static func values<Value: BitwiseCopyable>(
    _ name: String, _ format: String, _ count: Int, _ policy: Policy, _ value: (Int) -> Value?
  ) throws(EngineError) -> ArrowColumn {
    try policy.check(bytes: count, MemoryLayout<Value>.stride)
    let memory = try HeapArray<Value>(count: count)
    // What a null covers is never read, but no memory is handed out that was not written.
    UnsafeMutableRawBufferPointer(memory.buffer).initializeMemory(as: UInt8.self, repeating: 0)
    let validity = try validity(count) { row in
      guard let value = value(row) else { return false }
      memory.buffer[row] = value
      return true
    }
    return ArrowColumn(name, format, length: count, validity: validity, buffers: [memory])
  }

  /// Texts; nil is null.
  public static func texts(
    _ name: String, _ count: Int, _ policy: Policy, _ text: (Int) -> String?
  ) throws(EngineError) -> ArrowColumn {
    try texts(name, count, policy) { row, visit in
      if var text = text(row) { text.withUTF8(visit) }
    }
  }

  /// The same for the bytes of texts.
  ///
  /// - Parameter visitText: hands out the bytes of a text, or does nothing for null; called twice for each.
  public static func texts(
    _ name: String, _ count: Int, _ policy: Policy, _ visitText: (Int, (UnsafeBufferPointer<UInt8>) -> Void) -> Void
  ) throws(EngineError) -> ArrowColumn {
    try policy.check(bytes: count &+ 1, MemoryLayout<Int64>.stride)
    let offsets = try HeapArray<Int64>(count: count &+ 1, repeating: 0)
    var size = 0
    let validity = try validity(count) { row in
      var isThere = false
      visitText(row) { bytes in
        isThere = true
        size &+= bytes.count
      }
      offsets.buffer[row &+ 1] = Int64(truncatingIfNeeded: size)
      return isThere
    }
    try policy.check(bytes: size &+ (count &+ 1) &* MemoryLayout<Int64>.stride)
    let all = try HeapArray<UInt8>(count: size)
    for row in 0..<count {
      let rest = UnsafeMutableBufferPointer(rebasing: all.buffer[Int(truncatingIfNeeded: offsets.buffer[row])...])
      visitText(row) { _ = rest.update(from: $0) }
    }
    return ArrowColumn(name, "U", length: count, validity: validity, buffers: [offsets, all])
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
