import Glibc
import Synchronization
import Testing

@testable import AlidadeBase

@Suite struct WorkersTests {
  @Test(arguments: [1, 2, 8], [0, 1, 2, 1000])
  func callsEachIndexOnce(threads: Int, count: Int) throws {
    let calls = Lock([Int](repeating: 0, count: count))
    try Workers(threadCount: threads).forEach(count) { (index) throws(EngineError) in
      calls.withLock { $0[index] += 1 }
    }
    #expect(calls.withLock { $0 } == [Int](repeating: 1, count: count))
  }

  @Test func throwsTheFirstErrorAndStops() {
    let begun = Atomic<Int>(0)
    #expect(throws: EngineError(.readFailed, "three")) {
      try Workers(threadCount: 4).forEach(100_000) { (index) throws(EngineError) in
        begun.add(1, ordering: .relaxed)
        if index == 3 { throw EngineError(.readFailed, "three") }
      }
    }
    #expect(begun.load(ordering: .relaxed) < 100_000)
  }

  @Test func servesRequestsInsideRequests() throws {
    let workers = Workers(threadCount: 3)
    let calls = Atomic<Int>(0)
    try workers.forEach(10) { (_) throws(EngineError) in
      try workers.forEach(10) { (_) throws(EngineError) in calls.add(1, ordering: .relaxed) }
    }
    #expect(calls.load(ordering: .relaxed) == 100)
  }

  @Test func letsGoOnAWorker() {
    final class Load: Sendable {
      let ends: Lock<[pthread_t]>
      init(_ ends: Lock<[pthread_t]>) { self.ends = ends }
      deinit { ends.withLock { $0.append(pthread_self()) } }
    }
    let (workers, ends) = (Workers(threadCount: 1), Lock<[pthread_t]>([]))
    workers.release([Load(ends), Load(ends)])
    for _ in 0..<1000 where ends.withLock({ $0.count }) < 2 { usleep(10_000) }
    let threads = ends.withLock { $0 }
    #expect(threads.count == 2)
    #expect(threads.allSatisfy { pthread_equal($0, pthread_self()) == 0 })
  }

  @Test func policyCountsWithoutOverflow() {
    var policy = Policy()
    policy.maxRequestBytes = 1000
    #expect(throws: Never.self) { try policy.check(bytes: 10, 100) }
    #expect(throws: EngineError.self) { try policy.check(bytes: 10, 101) }
    #expect(throws: EngineError.self) { try policy.check(bytes: .max, .max, 16) }
    #expect(throws: EngineError.self) { try policy.check(points: -1) }
  }

  @Test func theGateNests() throws {
    let result = try ProcessGate.shared.pass { () throws(EngineError) in
      try ProcessGate.shared.pass { () throws(EngineError) in 7 }
    }
    #expect(result == 7)
  }
}
