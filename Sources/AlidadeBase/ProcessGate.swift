import CLinux
import Glibc
import Synchronization

/// The gate that every call into GDAL or PROJ passes, so that `fork` and `exit` find nobody inside them.
///
/// GDAL and PROJ guard their own state with locks. A child process that is forked while another thread holds one of
/// them can never take it, and the destructors that run at `exit` tear down what another thread still uses. So calls
/// hold the gate in shared mode, `fork` closes it for its own length, and `exit` closes it for good. Both wait for
/// those inside: a short time for a call that waits for something, and longer as long as those inside compute, because
/// on a busy machine they may be off the processor most of the time. If somebody is still inside when the process ends,
/// it ends without GDAL's and PROJ's destructors.
///
/// A value that holds pointers to memory that is never freed, so that passing it counts no references.
public struct ProcessGate: Sendable {
  public static let shared = ProcessGate()

  /// How long those inside are waited for, in nanoseconds.
  private struct Patience {
    /// While they do not get on: they wait for something.
    var stuck: UInt64
    /// In all.
    var most: UInt64
  }

  private static let forkPatience = Patience(stuck: 50_000_000, most: 500_000_000)
  private static let exitPatience = Patience(stuck: 250_000_000, most: 5_000_000_000)
  /// Those inside get on if they have had this much of a processor while they were waited for.
  private static let progress: UInt64 = 500_000

  /// A thread that has passed the gate. Threads come and go; their records stay and are used again.
  private struct Visitor: ~Copyable {
    /// How deep the thread is inside. Written by it alone.
    let depth = Atomic<Int>(0)
    /// The clock of the thread's own processor time.
    let clock = Atomic<Int32>(0)
    /// The thread's number in the system.
    let thread = Atomic<Int32>(0)
    /// What that clock said when a closer last looked.
    let timeSeen = Atomic<UInt64>(0)
    /// How often a thread with this record has left.
    let passes = Atomic<UInt64>(0)
    let isTaken = Atomic<Bool>(true)
    let next = Atomic<UInt>(0)
  }

  private typealias Record = UnsafeMutablePointer<Visitor>

  /// Right to share: the memory is written through atomics only and never freed.
  nonisolated(unsafe) private let state: UnsafeMutablePointer<State>
  /// Serialises forks: held from `prepare` to `parent`, and made anew in the child.
  /// Right to share: it is a mutex, and never freed.
  nonisolated(unsafe) private let forkMutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The calling thread's record.
  private let recordKey: pthread_key_t

  private struct State: ~Copyable {
    let closedForFork = Atomic<Bool>(false)
    let closedForExit = Atomic<Bool>(false)
    /// Whether the fork under way found the gate empty; guarded by `forkMutex`.
    let forkIsClean = Atomic<Bool>(true)
    let forkedUncleanly = Atomic<Bool>(false)
    let epoch = Atomic<UInt32>(0)
    /// What else the child of a fork must make anew; set once, before the handlers are registered.
    let childHook = Atomic<UInt>(0)
    let handlersRegistered = Atomic<Bool>(false)
    let exitHandlerRegistered = Atomic<Bool>(false)
    /// How many threads that had passed the gate have ended.
    let threadEnds = Atomic<UInt64>(0)
    /// The address of the first record.
    let records = Atomic<UInt>(0)
    /// The address of the first thing that was left alone because the process was ending.
    let leftAlone = Atomic<UInt>(0)
  }

  private init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    forkMutex = .allocate(capacity: 1)
    forkMutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(forkMutex, nil)
    var key = pthread_key_t()
    // When a thread ends, its record may be another's.
    pthread_key_create(&key) {
      $0?.assumingMemoryBound(to: Visitor.self).pointee.isTaken.store(false, ordering: .releasing)
    }
    recordKey = key
  }

  // MARK: Passing

  /// Goes up by one in every child process: what was made under another epoch belongs to an ancestor.
  public var epoch: UInt32 { state.pointee.epoch.load(ordering: .relaxed) }

  /// True in a child that was forked while GDAL or PROJ were in use: they cannot be trusted in it.
  public var isUnusableAfterFork: Bool { state.pointee.forkedUncleanly.load(ordering: .relaxed) }

  /// Goes in. Calls nest. Throws `shuttingDown` once the process is ending.
  public func enter() throws(EngineError) {
    let own = ownRecord
    let depth = own.pointee.depth.load(ordering: .relaxed)
    if depth > 0 {
      own.pointee.depth.store(depth &+ 1, ordering: .relaxed)
      return
    }
    while true {
      if !isClosed {
        // The order matters: first say so, then look again. A closer first closes, then looks who is inside.
        own.pointee.depth.store(1, ordering: .sequentiallyConsistent)
        if !isClosed { return }
        own.pointee.depth.store(0, ordering: .releasing)
      }
      if state.pointee.closedForExit.load(ordering: .relaxed) {
        throw EngineError(.shuttingDown, "The process is ending; GDAL and PROJ are no longer called.")
      }
      Self.nap()
    }
  }

  private var isClosed: Bool {
    state.pointee.closedForFork.load(ordering: .sequentiallyConsistent)
      || state.pointee.closedForExit.load(ordering: .sequentiallyConsistent)
  }

  /// Goes out again.
  public func leave() {
    let own = ownRecord
    let depth = own.pointee.depth.load(ordering: .relaxed)
    if depth == 1 {
      let passes = own.pointee.passes.load(ordering: .relaxed) &+ 1
      own.pointee.passes.store(passes, ordering: .relaxed)
      // After the 1st, 2nd, 4th, ... time; inside still, so that no fork finds the C library's list of handlers locked.
      if passes & (passes &- 1) == 0 { renewExitHandler() }
    }
    own.pointee.depth.store(depth &- 1, ordering: .releasing)
  }

  /// Runs `body` inside the gate.
  @inlinable
  public func pass<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    try enter()
    defer { leave() }
    return try body()
  }

  /// Goes out for the length of `body`, from however deep inside, and comes back: for a call of GDAL's that waits for a
  /// server by way of code of ours. Neither a fork nor the end of the process waits for it, and it does not come back
  /// into a GDAL that is no longer there.
  public func outside<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    let own = ownRecord
    let depth = own.pointee.depth.load(ordering: .relaxed)
    own.pointee.depth.store(0, ordering: .releasing)
    defer { comeBack(own, depth) }
    return try body()
  }

  private func comeBack(_ own: Record, _ depth: Int) {
    guard depth > 0 else { return }
    while true {
      own.pointee.depth.store(depth, ordering: .sequentiallyConsistent)
      if !isClosed { return }
      own.pointee.depth.store(0, ordering: .releasing)
      // The end of the process ends this thread.
      Self.nap()
    }
  }

  /// Cleans up: gives an object of PROJ's to `destroy` inside the gate. Once the process is ending it is left alone
  /// instead, and stays reachable: a host's leak checker, which runs last of all, sees that nobody has lost it.
  public func destroyUnlessEnding(_ object: OpaquePointer, _ destroy: (OpaquePointer) -> Void) {
    do throws(EngineError) { try enter() } catch { return leaveAlone(object) }
    destroy(object)
    leave()
  }

  private func leaveAlone(_ object: OpaquePointer) {
    let link = UnsafeMutablePointer<(object: OpaquePointer, next: UInt)>.allocate(capacity: 1)
    var first = state.pointee.leftAlone.load(ordering: .acquiring)
    while true {
      link.initialize(to: (object, first))
      let (exchanged, original) = state.pointee.leftAlone.compareExchange(
        expected: first, desired: UInt(bitPattern: link), ordering: .acquiringAndReleasing)
      if exchanged { return }
      first = original
    }
  }

  // MARK: Fork and exit

  /// Registers the fork handlers, once per process. `childHook` runs in each child after the gate is open again.
  public func registerForkHandlers(childHook hook: @escaping @convention(c) () -> Void) {
    guard !state.pointee.handlersRegistered.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Right: a C function pointer is an address, and comes back as the same type in resumeChild.
    state.pointee.childHook.store(
      UInt(bitPattern: unsafeBitCast(hook, to: UnsafeRawPointer.self)), ordering: .releasing)
    _ = pthread_atfork(
      { ProcessGate.shared.prepareFork() }, { ProcessGate.shared.resumeParent() }, { ProcessGate.shared.resumeChild() })
  }

  /// Registers the exit handler, once per process. To be called after GDAL's drivers are registered and proj.db is
  /// open: handlers run in reverse order, so this one then runs before the destructors of what those two made.
  public func registerExitHandler() {
    guard !state.pointee.exitHandlerRegistered.exchange(true, ordering: .acquiringAndReleasing) else { return }
    atexit { ProcessGate.shared.closeForExit() }
    // Where there is no memory for it, patience has to do.
    _ = alidade_before_libraries_end { ProcessGate.shared.endIfSomebodyIsInside(status: $0) }
  }

  /// Registers the exit handler once more, so that it runs before the destructors of what PROJ and GDAL have made since:
  /// their functions make sets and tables when they first run (PROJ's parser of WKT does, at the first WKT).
  private func renewExitHandler() {
    guard state.pointee.exitHandlerRegistered.load(ordering: .relaxed) else { return }
    atexit { ProcessGate.shared.closeForExit() }
  }

  /// Registers the exit handler once more when a thread that has passed the gate calls `exit`: what others who are inside
  /// have made since they came in would otherwise be destroyed before they are waited for. The C library runs what a
  /// thread has at its end before the exit handlers.
  ///
  /// It also runs when a thread just ends, and a handler cannot be taken back: so there is a limit, and then it is after
  /// the 1st, 2nd, 4th, ... thread that ends, and always for the main thread, which ends by `exit` as a rule.
  private func renewExitHandlerAtThreadEnd() {
    let ends = state.pointee.threadEnds.add(1, ordering: .relaxed).newValue
    if getpid() == gettid() || ends <= Self.mostRenewals || ends & (ends &- 1) == 0 { renewExitHandler() }
  }

  private static let mostRenewals: UInt64 = 256

  private func prepareFork() {
    pthread_mutex_lock(forkMutex)
    state.pointee.closedForFork.store(true, ordering: .sequentiallyConsistent)
    state.pointee.forkIsClean.store(waitUntilEmpty(patience: Self.forkPatience), ordering: .relaxed)
  }

  private func resumeParent() {
    state.pointee.closedForFork.store(false, ordering: .sequentiallyConsistent)
    pthread_mutex_unlock(forkMutex)
  }

  private func resumeChild() {
    // Only the forking thread lives on: the others' records are free, and so is the mutex.
    let own = knownRecord
    forEachRecord { record in
      if record == own { return }
      record.pointee.depth.store(0, ordering: .relaxed)
      record.pointee.isTaken.store(false, ordering: .relaxed)
    }
    own?.pointee.clock.store(Self.ownClock(), ordering: .relaxed)
    own?.pointee.thread.store(gettid(), ordering: .relaxed)
    pthread_mutex_init(forkMutex, nil)
    if !state.pointee.forkIsClean.load(ordering: .relaxed) {
      state.pointee.forkedUncleanly.store(true, ordering: .relaxed)
    }
    state.pointee.epoch.add(1, ordering: .relaxed)
    state.pointee.closedForFork.store(false, ordering: .sequentiallyConsistent)
    let address = state.pointee.childHook.load(ordering: .acquiring)
    if let pointer = UnsafeRawPointer(bitPattern: address) {
      // Right: registerForkHandlers stored a function of this type.
      unsafeBitCast(pointer, to: (@convention(c) () -> Void).self)()
    }
  }

  private func closeForExit() {
    guard !state.pointee.closedForExit.exchange(true, ordering: .sequentiallyConsistent) else { return }
    if epoch > 0 { SharedOffsets.leave() }
    _ = waitUntilEmpty(patience: Self.exitPatience)
  }

  /// Ends the process at once if somebody has stayed inside for longer than patience: the destructors that come next would
  /// take down what that thread uses.
  private func endIfSomebodyIsInside(status: Int32) {
    if insiderCount(but: knownRecord) > 0 { alidade_end_process(status) }
  }

  /// Waits until nobody but the calling thread is inside; false if patience ran out.
  private func waitUntilEmpty(patience: Patience) -> Bool {
    let own = knownRecord
    let start = MonotonicTime.now()
    var deadline = start &+ patience.stuck
    _ = haveInsidersGotOn(but: own)
    var before = insiderCount(but: own)
    while true {
      let count = insiderCount(but: own)
      if count == 0 { return true }
      let now = MonotonicTime.now()
      if now &- start >= patience.most { return false }
      if now >= deadline {
        // Nobody can enter, so fewer than before is progress too.
        let getOn = haveInsidersGotOn(but: own)
        guard getOn || count < before else { return false }
        (deadline, before) = (now &+ patience.stuck, count)
      }
      Self.nap()
    }
  }

  private func insiderCount(but own: Record?) -> Int {
    var count = 0
    forEachRecord { if $0 != own, $0.pointee.depth.load(ordering: .sequentiallyConsistent) > 0 { count &+= 1 } }
    return count
  }

  /// Whether one of those inside has had a share of a processor since this was last asked, or wants one.
  private func haveInsidersGotOn(but own: Record?) -> Bool {
    var haveGotOn = false
    forEachRecord { record in
      guard record != own, record.pointee.depth.load(ordering: .acquiring) > 0 else { return }
      let time = Self.time(of: record.pointee.clock.load(ordering: .relaxed))
      let before = record.pointee.timeSeen.exchange(time, ordering: .relaxed)
      if time >= before &+ Self.progress || Self.isAtWork(record.pointee.thread.load(ordering: .relaxed)) {
        haveGotOn = true
      }
    }
    return haveGotOn
  }

  // MARK: Records

  /// The calling thread's record, if it has passed the gate before.
  private var knownRecord: Record? { pthread_getspecific(recordKey)?.assumingMemoryBound(to: Visitor.self) }

  private var ownRecord: Record { knownRecord ?? takeRecord() }

  private func takeRecord() -> Record {
    var taken: Record?
    forEachRecord { record in
      if taken == nil,
        record.pointee.isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
          .exchanged
      {
        taken = record
      }
    }
    let record = taken ?? makeRecord()
    record.pointee.clock.store(Self.ownClock(), ordering: .relaxed)
    record.pointee.thread.store(gettid(), ordering: .relaxed)
    pthread_setspecific(recordKey, record)
    // Where there is no memory for it, the handlers that are registered by now have to do.
    _ = alidade_at_thread_end { _ in ProcessGate.shared.renewExitHandlerAtThreadEnd() }
    return record
  }

  private func makeRecord() -> Record {
    // A cache line of its own: threads that pass do not meet.
    let line = max(64, MemoryLayout<Visitor>.stride)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: line, alignment: 64)
    let record = memory.bindMemory(to: Visitor.self, capacity: 1)
    record.initialize(to: Visitor())
    var first = state.pointee.records.load(ordering: .acquiring)
    while true {
      record.pointee.next.store(first, ordering: .relaxed)
      let (exchanged, original) = state.pointee.records.compareExchange(
        expected: first, desired: UInt(bitPattern: record), ordering: .acquiringAndReleasing)
      if exchanged { return record }
      first = original
    }
  }

  private func forEachRecord(_ body: (Record) -> Void) {
    var record = Record(bitPattern: state.pointee.records.load(ordering: .acquiring))
    while let current = record {
      body(current)
      record = Record(bitPattern: current.pointee.next.load(ordering: .relaxed))
    }
  }

  // MARK: Time

  private static func ownClock() -> Int32 {
    var clock = clockid_t()
    return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : CLOCK_MONOTONIC
  }

  /// Whether a thread runs, or would if there were a processor for it, or waits for a disk: proc(5), state R or D.
  private static func isAtWork(_ thread: Int32) -> Bool {
    let file = open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The state follows the thread's name, which is in brackets and may have any characters, but no more than 15.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { text in
      let count = read(file, text.baseAddress, text.count)
      guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end &+ 2 < count else { return false }
      return text[end &+ 2] == UInt8(ascii: "R") || text[end &+ 2] == UInt8(ascii: "D")
    }
  }

  private static func nap() {
    var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
    nanosleep(&pause, nil)
  }

  /// What a clock says, in nanoseconds.
  private static func time(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }
}
