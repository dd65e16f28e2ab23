import AlidadeBase
import Glibc

/// The memory that a geometry, or another growing result, may still take within the policy.
public final class MemoryBudget {
  private let policy: Policy
  private var used = 0

  public init(_ policy: Policy) { self.policy = policy }

  /// Throws if `bytes` more exceed the limit.
  public func take(_ bytes: Int) throws(EngineError) {
    let (sum, overflow) = used.addingReportingOverflow(bytes)
    try policy.check(bytes: overflow ? .max : sum)
    used = sum
  }

  func giveBack(_ bytes: Int) { used &-= bytes }

  func check(points: Int) throws(EngineError) { try policy.check(points: points) }
}

/// A column of numbers that grows while a `GeometryBuilder` (or another maker of columns) fills it, and never changes
/// afterwards.
///
/// Swift's own arrays end the process when memory runs out; this one throws. The values must be trivial (numbers and
/// structs of numbers): none is initialised or destroyed.
///
/// Right to share: only the builder, and threads that write parts of their own for it, write before anyone else has the
/// column.
public final class Column<Value>: @unchecked Sendable {
  // Accesses are not checked for overlap at run time: none is passed on, and a check costs as much as an append.
  @exclusivity(unchecked) private var memory: UnsafeMutablePointer<Value>?
  @exclusivity(unchecked) private var capacity = 0
  @exclusivity(unchecked) public private(set) var count = 0

  public init() {}

  deinit { free(memory) }

  /// The values. Valid as long as the column.
  public var buffer: UnsafeBufferPointer<Value> { UnsafeBufferPointer(start: memory, count: count) }

  /// A value; the index must be below `count`.
  @inline(__always)
  public subscript(index: Int) -> Value { buffer[index] }

  /// Adds `more` values and returns the memory for them. The caller writes them all.
  public func extend(by more: Int, _ budget: MemoryBudget) throws(EngineError) -> UnsafeMutableBufferPointer<Value> {
    let (needed, overflow) = count.addingReportingOverflow(more)
    guard !overflow, more >= 0 else { throw Self.tooLarge }
    if needed > capacity || memory == nil { try grow(to: max(needed, capacity &+ capacity / 2, 8), budget) }
    guard let memory else { throw Self.tooLarge }
    let room = UnsafeMutableBufferPointer(start: memory + count, count: more)
    count = needed
    return room
  }

  @inline(__always)
  public func append(_ value: Value, _ budget: MemoryBudget) throws(EngineError) {
    if count < capacity, let memory {
      memory[count] = value
      count &+= 1
      return
    }
    try extend(by: 1, budget)[0] = value
  }

  /// Reserves the capacity for all values of the column, so that it does not grow step by step.
  public func reserve(_ total: Int, _ budget: MemoryBudget) throws(EngineError) {
    if total > capacity { try grow(to: total, budget) }
  }

  /// Takes the last value off.
  func removeLast() { if count > 0 { count &-= 1 } }

  /// Takes off all values from `size` on.
  func cut(to size: Int) { if size < count { count = max(0, size) } }

  /// Changes the last value.
  func replaceLast(_ value: Value) { if count > 0 { memory?[count &- 1] = value } }

  /// Frees the capacity that is not needed.
  public func trim(_ budget: MemoryBudget) {
    guard count > 0, count < capacity, let smaller = realloc(memory, count &* MemoryLayout<Value>.stride) else {
      return
    }
    memory = smaller.assumingMemoryBound(to: Value.self)
    budget.giveBack((capacity &- count) &* MemoryLayout<Value>.stride)
    capacity = count
  }

  private func grow(to size: Int, _ budget: MemoryBudget) throws(EngineError) {
    let (bytes, overflow) = size.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
    guard !overflow else { throw Self.tooLarge }
    try budget.take(bytes &- capacity &* MemoryLayout<Value>.stride)
    guard let larger = realloc(memory, bytes) else {
      throw EngineError(.outOfMemory, "\(bytes) bytes of memory could not be had.")
    }
    memory = larger.assumingMemoryBound(to: Value.self)
    capacity = size
  }

  private static var tooLarge: EngineError { EngineError(.outOfMemory, "A column of a geometry is too large.") }
}

extension Column: ArrowBuffer {
  public var start: UnsafeRawPointer? { UnsafeRawPointer(memory) }
}

extension Column<Int32> {
  /// An offset; the index must be below `count`.
  @inline(__always)
  func number(_ index: Int) -> Int { Int(truncatingIfNeeded: self[index]) }

  /// The last offset; columns of offsets begin with a 0.
  var last: Int { number(count &- 1) }
}
