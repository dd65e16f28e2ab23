import Glibc

/// Memory for many values, freed with this object.
///
/// For sizes that a host's request decides: Swift's own arrays end the process when memory runs out, this one throws.
/// The values must be trivial (numbers and structs of numbers): none is initialised or destroyed.
///
/// Right to share: who shares the memory says which thread writes which part.
public final class HeapArray<Value>: @unchecked Sendable {
  public let buffer: UnsafeMutableBufferPointer<Value>

  public init(count: Int) throws(EngineError) {
    let (size, overflow) = max(1, count).multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
    var memory: UnsafeMutableRawPointer?
    guard !overflow, size > 0, posix_memalign(&memory, max(16, MemoryLayout<Value>.alignment), size) == 0, let memory
    else { throw EngineError(.outOfMemory, "\(size) bytes of memory could not be had.") }
    buffer = UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: Value.self, capacity: max(1, count)), count: max(0, count))
  }

  public convenience init(count: Int, repeating value: Value) throws(EngineError) {
    try self.init(count: count)
    buffer.initialize(repeating: value)
  }

  deinit { free(buffer.baseAddress) }
}
