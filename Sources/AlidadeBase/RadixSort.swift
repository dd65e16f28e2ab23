/// Sorts numbers by their upper 32 bits. Numbers whose upper bits are equal stay in their order.
public func sortByUpperHalf(_ numbers: UnsafeMutableBufferPointer<UInt64>) throws(EngineError) {
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
