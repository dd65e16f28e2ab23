import AlidadeBase
import Synchronization

/// Sets that are joined by many threads at once. The smallest member stands for each set, whoever joined first.
///
/// Right to share: all is atomic.
final class DisjointSets: @unchecked Sendable {
  private let parents: UnsafeMutablePointer<Atomic<Int32>>
  private let memory: HeapArray<Int32>

  init(count: Int) throws(EngineError) {
    memory = try HeapArray(count: count)
    for index in 0..<count { memory.buffer[index] = Int32(truncatingIfNeeded: index) }
    guard let base = memory.buffer.baseAddress else { throw EngineError(.outOfMemory, "There is no memory.") }
    // An Atomic<Int32> has the layout of an Int32 and needs no initialising of its own.
    parents = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Atomic<Int32>.self)
  }

  func root(_ member: Int32) -> Int32 {
    var member = member
    while true {
      let parent = parents[Int(truncatingIfNeeded: member)].load(ordering: .relaxed)
      if parent == member { return member }
      let next = parents[Int(truncatingIfNeeded: parent)].load(ordering: .relaxed)
      // Halves the way for those who come later; if another thread was faster, so much the better.
      if next != parent {
        _ = parents[Int(truncatingIfNeeded: member)].weakCompareExchange(
          expected: parent, desired: next, ordering: .relaxed)
      }
      member = next
    }
  }

  func join(_ a: Int32, _ b: Int32) {
    var (a, b) = (root(a), root(b))
    while a != b {
      let (low, high) = (min(a, b), max(a, b))
      if parents[Int(truncatingIfNeeded: high)].compareExchange(expected: high, desired: low, ordering: .relaxed)
        .exchanged
      {
        return
      }
      (a, b) = (root(low), root(high))
    }
  }
}
