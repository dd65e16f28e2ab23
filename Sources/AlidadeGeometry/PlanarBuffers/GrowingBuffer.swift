import AlidadeBase
import Glibc

/// A list of trivial values that grows as needed and throws where memory runs out.
///
/// Right to share: who shares it says which thread writes it when.
final class GrowingBuffer<Value>: @unchecked Sendable {
  private(set) var values: UnsafeMutableBufferPointer<Value>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 16) throws(EngineError) {
    self.capacity = max(1, capacity)
    values = try Self.allocate(self.capacity, nil)
  }

  deinit { free(values.baseAddress) }

  private static func allocate(
    _ capacity: Int, _ old: UnsafeMutablePointer<Value>?
  ) throws(EngineError) -> UnsafeMutableBufferPointer<Value> {
    let (size, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
    guard !overflow, let memory = realloc(old, size) else {
      throw EngineError(.outOfMemory, "Memory for \(capacity) values could not be had.")
    }
    return UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: Value.self, capacity: capacity), count: capacity)
  }

  /// Ensures capacity for `extra` more values.
  @inline(__always)
  func reserve(_ extra: Int) throws(EngineError) {
    if count &+ extra > capacity { try grow(extra) }
  }

  @inline(never)
  private func grow(_ extra: Int) throws(EngineError) {
    let wanted = max(count &+ extra, capacity &* 2)
    values = try Self.allocate(wanted, values.baseAddress)
    capacity = wanted
  }

  @inline(__always)
  func append(_ value: Value) throws(EngineError) {
    try reserve(1)
    values[count] = value
    count &+= 1
  }

  func append(contentsOf others: UnsafeMutableBufferPointer<Value>) throws(EngineError) {
    try reserve(others.count)
    for (index, value) in others.enumerated() { values[count &+ index] = value }
    count &+= others.count
  }

  /// Counts in values that are written later.
  func extend(by extra: Int) throws(EngineError) {
    try reserve(extra)
    count &+= extra
  }

  @inline(__always)
  func removeAll() { count = 0 }

  /// Forgets the values from `newCount` on.
  @inline(__always)
  func truncate(to newCount: Int) { count = min(count, max(0, newCount)) }

  /// The values that there are.
  @inline(__always)
  var filled: UnsafeMutableBufferPointer<Value> {
    UnsafeMutableBufferPointer(start: values.baseAddress, count: count)
  }
}
