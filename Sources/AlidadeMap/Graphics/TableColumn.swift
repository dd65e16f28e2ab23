import AlidadeBase

/// Trivial values (numbers and structs of numbers) that grow at their end. Where memory runs out it throws, which
/// Swift's arrays do not.
///
/// Nothing here is called back while it changes something, so that the checks of exclusive access, which cost more than
/// all that is done with a value, can find nothing.
final class TableColumn<Value> {
  @exclusivity(unchecked) private var memory: HeapArray<Value>
  @exclusivity(unchecked) private(set) var count = 0

  init(capacity: Int = 0) throws(EngineError) { memory = try HeapArray(count: max(16, capacity)) }

  /// Good until the column grows.
  @inline(__always)
  var values: UnsafeMutableBufferPointer<Value> { UnsafeMutableBufferPointer(rebasing: memory.buffer[0..<count]) }

  /// Good until the column grows.
  @inline(__always)
  var start: UnsafeMutablePointer<Value>? { memory.buffer.baseAddress }

  subscript(index: Int) -> Value {
    @inline(__always) get { memory.buffer[index] }
    @inline(__always) set { memory.buffer[index] = newValue }
  }

  func append(_ value: Value) throws(EngineError) {
    if count == memory.buffer.count {
      let larger = try HeapArray<Value>(count: count &+ count / 2 &+ 16)
      for index in 0..<count { larger.buffer[index] = memory.buffer[index] }
      memory = larger
    }
    memory.buffer[count] = value
    count &+= 1
  }

  /// Keeps the values at some indexes, in that order.
  func keep(_ places: [Int]) throws(EngineError) {
    let kept = try HeapArray<Value>(count: max(16, places.count))
    for (index, place) in places.enumerated() { kept.buffer[index] = memory.buffer[place] }
    memory = kept
    count = places.count
  }
}
