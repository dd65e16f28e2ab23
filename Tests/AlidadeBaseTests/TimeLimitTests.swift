import Glibc
import Testing

@testable import AlidadeBase

@Suite struct TimeLimitTests {
  /// Sleeps, so that threads of a busy machine take turns.
  private func nap(milliseconds: UInt32) { usleep(milliseconds &* 1000) }

  @Test func workersStopWhenTheCallersTimeIsUp() throws {
    let workers = Workers(threadCount: 4)
    let done = Lock(0)
    let error = #expect(throws: EngineError.self) {
      try TimeLimit(milliseconds: 30).run { () throws(EngineError) in
        try workers.forEach(10_000) { (_) throws(EngineError) in
          nap(milliseconds: 5)
          done.withLock { $0 += 1 }
        }
      }
    }
    #expect(error?.status == .limitExceeded)
    #expect(error?.message.contains("30 ms") == true)
    #expect(done.withLock { $0 } < 1000)
    // The threads are free of it afterwards, and so is this one.
    #expect(TimeLimit.current == nil)
    try workers.forEach(100) { (_) throws(EngineError) in
      #expect(TimeLimit.current == nil)
      try TimeLimit.check()
    }
  }

  @Test func loopsWithinAWorkerSeeTheLimit() {
    let error = #expect(throws: EngineError.self) {
      try TimeLimit(milliseconds: 20).run { () throws(EngineError) in
        try Workers(threadCount: 2).forEach(2) { (_) throws(EngineError) in
          while true {
            nap(milliseconds: 1)
            try TimeLimit.check()
          }
        }
      }
    }
    #expect(error?.status == .limitExceeded)
  }

  @Test func withoutALimitNothingIsChecked() throws {
    #expect(TimeLimit.current == nil)
    try TimeLimit.check()
    let result = try TimeLimit(milliseconds: 600_000).run { () throws(EngineError) -> Int in
      try TimeLimit.check()
      #expect(TimeLimit.current != nil)
      return 7
    }
    #expect(result == 7)
    #expect(TimeLimit.current == nil)
  }
}
