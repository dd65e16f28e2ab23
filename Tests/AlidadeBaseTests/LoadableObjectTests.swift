import Glibc
import Testing

@testable import AlidadeBase

/// Something that loads as long as the test wants it to.
private final class Slow: LoadableObject, @unchecked Sendable {  // right: what changes is under a Lock
  final class Stage: Sendable {
    struct State {
      var isOpen = false
      var entered = 0
      var committed = 0
      var failure: EngineError?
    }
    let state = Lock(State())
    let changed = Condition()

    func change(_ body: (inout State) -> Void) {
      state.withLock { body(&$0) }
      changed.wakeAll()
    }

    func wait(until isRight: (State) -> Bool) -> Bool {
      let deadline = Deadline(milliseconds: 20_000)
      return state.wait(on: changed, until: deadline) { isRight($0) ? true : nil } ?? false
    }

    var committed: Int { state.withLock { $0.committed } }
  }

  let stage: Stage

  init(_ runtime: Runtime, _ stage: Stage) {
    self.stage = stage
    super.init(runtime: runtime, isLoaded: false)
  }

  override var handleKind: HandleKind { .layer }

  override func loadWork(isRetry: Bool) -> LoadWork? {
    let stage = stage
    return { () throws(EngineError) in
      stage.change { $0.entered += 1 }
      guard stage.wait(until: \.isOpen) else { throw EngineError(.internal, "The test has forgotten the worker.") }
      if let failure = stage.state.withLock({ $0.failure }) { throw failure }
      return { (_) in
        stage.change { $0.committed += 1 }
        return true
      }
    }
  }
}

/// Keeps the number of the attempt that loaded it. Whoever begins the first one is held up before it drops what is there.
private final class HeldUp: LoadableObject, @unchecked Sendable {  // right: what changes is under a Lock
  let content = Lock(Loaded<UInt64>())
  let stage = Slow.Stage()
  /// How often what the work has brought is out of date.
  let outdated: Lock<Int>

  init(_ runtime: Runtime, outdated: Int = 0) {
    self.outdated = Lock(outdated)
    super.init(runtime: runtime, isLoaded: false)
  }

  override var handleKind: HandleKind { .layer }

  override func loadDidBegin(_ attempt: UInt64) {
    if attempt == 1 {
      stage.change { $0.entered += 1 }
      _ = stage.wait(until: \.isOpen)
    }
    content.withLock { _ = $0.drop(before: attempt) }
  }

  override func loadWork(isRetry: Bool) -> LoadWork? {
    let (content, outdated) = (content, outdated)
    return { () throws(EngineError) in
      { (attempt) in
        let isOutdated = outdated.withLock { count in
          count -= 1
          return count >= 0
        }
        if !isOutdated { content.withLock { _ = $0.put(attempt, by: attempt) } }
        return !isOutdated
      }
    }
  }
}

@Suite struct LoadableObjectTests {
  private let stage = Slow.Stage()

  private func runtime(threads: Int = 2) -> Runtime {
    var options = RuntimeOptions()
    options.threadCount = threads
    return Runtime(options: options)
  }

  private func begin(_ object: Slow) throws -> Request {
    let request = try object.loadRequest()
    object.start(request, handle: 0, isRetry: false)
    return request
  }

  @Test func whatACancelledWorkerBringsIsDropped() throws {
    let object = Slow(runtime(), stage)
    let request = try begin(object)
    #expect(stage.wait { $0.entered == 1 })
    object.cancelLoad()
    #expect(object.loadStatus == .failed && object.loadError?.status == .cancelled)
    #expect(request.standing.state == .cancelled)
    // A second attempt begins while the first worker is not back yet, and is the one that counts.
    let second = try object.loadRequest()
    object.start(second, handle: 0, isRetry: true)
    #expect(stage.wait { $0.entered == 2 })
    stage.change { $0.isOpen = true }
    #expect(try second.wait(until: .never) == .succeeded)
    #expect(object.loadStatus == .loaded && stage.committed == 1 && object.loadInfo.attemptCount == 2)
    // The first worker no longer has anything to bring.
    usleep(20_000)
    #expect(stage.committed == 1)
  }

  /// Who has begun an attempt drops what older ones brought, however late it comes to that.
  @Test func whatALaterAttemptHasBroughtIsNotDropped() throws {
    let runtime = runtime()
    let object = HeldUp(runtime)
    runtime.workers.submit { object.beginLoading() }
    #expect(object.stage.wait { $0.entered == 1 })
    object.cancelLoad()
    try object.retryLoad()
    #expect(object.content.withLock { $0.content } == 2)
    object.stage.change { $0.isOpen = true }
    // The worker is free again once it has begun the next load.
    let next = Slow(runtime, stage)
    stage.change { $0.isOpen = true }
    try next.load()
    try Slow(runtime, stage).load()
    usleep(20_000)
    #expect(object.loadStatus == .loaded && object.content.withLock { $0.content } == 2)
  }

  /// Nor what its own attempt has brought, if somebody else has done the work meanwhile.
  @Test func whatTheSameAttemptHasBroughtIsNotDropped() throws {
    let runtime = runtime()
    let object = HeldUp(runtime)
    runtime.workers.submit { object.beginLoading() }
    #expect(object.stage.wait { $0.entered == 1 })
    try object.loadHere(isRetry: false)
    #expect(object.content.withLock { $0.content } == 1)
    object.stage.change { $0.isOpen = true }
    usleep(50_000)
    #expect(object.loadStatus == .loaded && object.content.withLock { $0.content } == 1)
  }

  @Test func whatIsOutOfDateIsLoadedOnceMore() throws {
    let object = HeldUp(runtime(), outdated: 3)
    object.stage.change { $0.isOpen = true }
    try object.load()
    #expect(object.content.withLock { $0.content } == 1 && object.loadInfo.attemptCount == 1)
    #expect(object.outdated.withLock { $0 } == -1)
  }

  @Test func whoeverWaitsForWhatGoesIsTold() throws {
    let runtime = runtime()
    var object: Slow? = Slow(runtime, stage)
    weak let remains: Slow? = object
    let request = try begin(try #require(object))
    #expect(stage.wait { $0.entered == 1 })
    object = nil
    #expect(remains == nil)
    #expect(request.standing.state == .cancelled)
    stage.change { $0.isOpen = true }
    usleep(20_000)
    #expect(stage.committed == 0)
  }

  @Test func failuresStayUntilRetried() throws {
    let object = Slow(runtime(), stage)
    let failure = EngineError(.readFailed, "Broken.")
    stage.change { state in
      state.isOpen = true
      state.failure = failure
    }
    #expect(throws: failure) { try object.load() }
    stage.change { $0.failure = nil }
    #expect(throws: failure) { try object.load() }
    #expect(object.loadError == failure && object.loadInfo.attemptCount == 1)
    try object.retryLoad()
    #expect(object.loadStatus == .loaded && object.loadError == nil && object.loadInfo.attemptCount == 2)
    try object.retryLoad()
    #expect(stage.committed == 1)
  }

  /// A worker that needs what waits for a worker does it itself: with one worker it would wait for ever.
  @Test func workThatIsQueuedIsDoneByWhoNeedsIt() throws {
    let runtime = runtime(threads: 1)
    let busy = Slow(runtime, stage)
    let needed = Slow(runtime, Slow.Stage())
    needed.stage.change { $0.isOpen = true }
    let first = try begin(busy)
    #expect(stage.wait { $0.entered == 1 })
    let second = try begin(needed)
    #expect(second.standing.state == .pending)
    try needed.loadHere(isRetry: false)
    #expect(second.standing.state == .succeeded && needed.stage.committed == 1)
    stage.change { $0.isOpen = true }
    #expect(try first.wait(until: .never) == .succeeded)
    // The worker came to what was done already.
    try busy.load()
    usleep(20_000)
    #expect(needed.stage.committed == 1 && needed.loadInfo.attemptCount == 1)
  }

  @Test func releasedRuntimesEndWaiting() throws {
    let runtime = runtime(threads: 1)
    let object = Slow(runtime, stage)
    let request = try begin(object)
    #expect(stage.wait { $0.entered == 1 })
    runtime.releaseHandles()
    #expect(request.standing.state == .cancelled)
    #expect(throws: EngineError.self) { try object.load() }
    stage.change { $0.isOpen = true }
  }
}
