import Glibc
import Synchronization

/// The gate that every call into GDAL or PROJ passes, so that `fork` and `exit` find nobody inside them.
///
/// GDAL and PROJ guard their own state with locks. A child process that is forked while another thread holds one of
/// them can never take it, and the destructors that run at `exit` tear down what another thread still uses. So calls
/// hold the gate in shared mode, `fork` closes it for its own length (waiting at most 50 ms for those inside), and
/// `exit` closes it for good (waiting at most 250 ms).
///
/// A value that holds pointers to memory that is never freed, so that passing it counts no references.
public struct ProcessGate: Sendable {
  public static let shared = ProcessGate()

  private static let forkPatience: UInt64 = 50_000_000
  private static let exitPatience: UInt64 = 250_000_000

  /// How many threads are inside, spread over cache lines so that threads do not meet on one counter.
  /// Right to share: the memory is written through atomics only and never freed.
  nonisolated(unsafe) private let insiders: UnsafeMutablePointer<Atomic<Int>>
  /// Right to share: the same.
  nonisolated(unsafe) private let state: UnsafeMutablePointer<State>
  /// Serialises forks: held from `prepare` to `parent`, and made anew in the child.
  /// Right to share: it is a mutex, and never freed.
  nonisolated(unsafe) private let forkMutex: UnsafeMutablePointer<pthread_mutex_t>
  /// How deep the calling thread is inside the gate.
  private let depthKey: pthread_key_t

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
  }

  private static let shardCount = 16
  /// 64 bytes between counters.
  private static let shardStride = 8

  private init() {
    insiders = .allocate(capacity: Self.shardCount * Self.shardStride)
    for index in 0..<(Self.shardCount * Self.shardStride) { (insiders + index).initialize(to: Atomic<Int>(0)) }
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    forkMutex = .allocate(capacity: 1)
    forkMutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(forkMutex, nil)
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    depthKey = key
  }

  // MARK: Passing

  /// Goes up by one in every child process: what was made under another epoch belongs to an ancestor.
  public var epoch: UInt32 { state.pointee.epoch.load(ordering: .relaxed) }

  /// True in a child that was forked while GDAL or PROJ were in use: they cannot be trusted in it.
  public var isUnusableAfterFork: Bool { state.pointee.forkedUncleanly.load(ordering: .relaxed) }

  /// Goes in. Calls nest. Throws `shuttingDown` once the process is ending.
  public func enter() throws(EngineError) {
    let depth = threadDepth
    if depth > 0 {
      threadDepth = depth &+ 1
      return
    }
    let counter = ownCounter
    while true {
      // The order matters: first be counted, then look. A closer first closes, then counts.
      counter.pointee.add(1, ordering: .sequentiallyConsistent)
      if !state.pointee.closedForFork.load(ordering: .sequentiallyConsistent),
        !state.pointee.closedForExit.load(ordering: .sequentiallyConsistent)
      {
        threadDepth = 1
        return
      }
      counter.pointee.subtract(1, ordering: .sequentiallyConsistent)
      if state.pointee.closedForExit.load(ordering: .relaxed) {
        throw EngineError(.shuttingDown, "The process is ending; GDAL and PROJ are no longer called.")
      }
      Self.nap()
    }
  }

  /// Goes out again.
  public func leave() {
    let depth = threadDepth
    threadDepth = depth &- 1
    if depth == 1 { ownCounter.pointee.subtract(1, ordering: .releasing) }
  }

  /// Runs `body` inside the gate.
  @inlinable
  public func pass<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    try enter()
    defer { leave() }
    return try body()
  }

  /// Runs `body` inside the gate, or not at all once the process is ending: for cleaning up.
  @inlinable
  public func passUnlessEnding(_ body: () -> Void) {
    do throws(EngineError) { try enter() } catch { return }
    body()
    leave()
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
  }

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
    // Only the forking thread lives on: the others' counts died with them, and so did their hold on the mutex.
    for shard in 0..<Self.shardCount { insiders[shard &* Self.shardStride].store(0, ordering: .relaxed) }
    if threadDepth > 0 { ownCounter.pointee.store(1, ordering: .relaxed) }
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
    state.pointee.closedForExit.store(true, ordering: .sequentiallyConsistent)
    _ = waitUntilEmpty(patience: Self.exitPatience)
  }

  /// Waits until nobody but the calling thread is inside; false if `patience` (ns) ran out.
  private func waitUntilEmpty(patience: UInt64) -> Bool {
    let own = threadDepth > 0 ? 1 : 0
    let deadline = MonotonicTime.now() &+ patience
    while true {
      var count = 0
      for shard in 0..<Self.shardCount {
        count &+= insiders[shard &* Self.shardStride].load(ordering: .sequentiallyConsistent)
      }
      if count <= own { return true }
      if MonotonicTime.now() >= deadline { return false }
      Self.nap()
    }
  }

  // MARK: Small parts

  private var threadDepth: Int {
    get { Int(bitPattern: pthread_getspecific(depthKey)) }
    nonmutating set { pthread_setspecific(depthKey, UnsafeRawPointer(bitPattern: newValue)) }
  }

  private var ownCounter: UnsafeMutablePointer<Atomic<Int>> {
    // Threads' descriptors lie pages apart; the bits above a page tell them apart.
    let thread = pthread_self()
    let shard = Int(truncatingIfNeeded: (thread >> 12) ^ (thread >> 20)) & (Self.shardCount &- 1)
    return insiders + shard &* Self.shardStride
  }

  private static func nap() {
    var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
    nanosleep(&pause, nil)
  }
}
