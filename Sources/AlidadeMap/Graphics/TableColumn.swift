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

/// Sorts numbers by their upper 32 bits; equal ones stay in their order.
func sortByUpperHalf(_ numbers: UnsafeMutableBufferPointer<UInt64>) throws(EngineError) {
  let scratch = try HeapArray<UInt64>(count: numbers.count)
  var (from, to) = (numbers, UnsafeMutableBufferPointer(rebasing: scratch.buffer[0..<numbers.count]))
  guard let first = numbers.first else { return }
  var places = [Int](repeating: 0, count: 256)
  for shift in stride(from: UInt64(32), to: 64, by: 8) {
    for digit in places.indices { places[digit] = 0 }
    for number in from { places[Int(truncatingIfNeeded: (number >> shift) & 255)] &+= 1 }
    // A digit that all have in common sorts nothing.
    if places[Int(truncatingIfNeeded: (first >> shift) & 255)] == numbers.count { continue }
    var sum = 0
    for digit in places.indices { (places[digit], sum) = (sum, sum &+ places[digit]) }
    for number in from {
      let digit = Int(truncatingIfNeeded: (number >> shift) & 255)
      to[places[digit]] = number
      places[digit] &+= 1
    }
    swap(&from, &to)
  }
  if from.baseAddress != numbers.baseAddress { for (index, number) in from.enumerated() { numbers[index] = number } }
}
