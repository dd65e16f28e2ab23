import AlidadeBase

/// Takes down the numbers of boxes.
protocol BoxMarks {
  /// False: no more are of use.
  @discardableResult mutating func mark(_ number: Int) -> Bool
}

/// A bit for each box: for many of them.
struct BoxBits: BoxMarks {
  private let memory: HeapArray<UInt64>
  let words: UnsafeMutableBufferPointer<UInt64>

  init(count: Int) throws(EngineError) {
    memory = try HeapArray(count: count / 64 &+ 1)
    words = memory.buffer
    for word in words.indices { words[word] = 0 }
  }

  @inline(__always) @discardableResult
  func mark(_ number: Int) -> Bool {
    words[number >> 6] |= 1 << UInt64(truncatingIfNeeded: number & 63)
    return true
  }
}

/// A list: for few boxes of very many.
struct BoxList: BoxMarks {
  private static let most = 4096
  private var numbers: [Int32] = []
  /// There were more than a list is good for.
  private(set) var isOverfull = false

  /// As many as a tap usually finds.
  init() { numbers.reserveCapacity(32) }

  @discardableResult
  mutating func mark(_ number: Int) -> Bool {
    if numbers.count < Self.most { numbers.append(Int32(truncatingIfNeeded: number)) } else { isOverfull = true }
    return !isOverfull
  }

  /// Calls `body` with each number once, rising.
  mutating func forEach(_ body: (Int) -> Void) {
    numbers.sort()
    var last = Int32(-1)
    for number in numbers where number != last {
      last = number
      body(Int(truncatingIfNeeded: number))
    }
  }
}
