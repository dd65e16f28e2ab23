import Glibc
import Synchronization

/// Threads that do the work of requests, and help with large calls.
///
/// They are plain pthreads with 8 MB of stack (GEOS and XML recurse) and all signals blocked, started when the first
/// work comes that is worth it, as many as the work needs, and ended when none has come for a while. They never call the
/// host. Runtimes do not share them: one whose files are slow, or whose driver is stuck, must not keep another waiting.
public final class Workers: Sendable {
  /// The number of threads that may work on a call, including the caller's, and the number that may work on requests.
  public let threadCount: Int
  private let crew: Crew

  public init(threadCount: Int) {
    self.threadCount = max(1, threadCount)
    crew = Crew(limit: self.threadCount)
  }

  deinit { crew.dismiss() }

  /// The number of processors, which is the default number of threads.
  public static var processorCount: Int { max(1, sysconf(Int32(truncatingIfNeeded: _SC_NPROCESSORS_ONLN))) }

  /// Calls `body` with 0 ..< `count`, on the caller and on workers, in no particular order, and waits for all.
  ///
  /// After the first error no further index is begun; that error is thrown. The time limit of the caller's call holds
  /// for all threads, and is looked at before each index.
  ///
  /// - Parameter most: the most threads that work on it.
  public func forEach(
    _ count: Int, most: Int = .max, _ body: @Sendable (Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    if count <= 1 || threadCount == 1 {
      for index in 0..<max(0, count) {
        try TimeLimit.check()
        try body(index)
      }
      return
    }
    let failure: EngineError? = withoutActuallyEscaping(body) { body in
      let job = Job(count: count, body: body)
      crew.offer(job, helpers: min(threadCount, count, most) &- 1)
      job.work()
      crew.withdraw(job)
      return job.failure.withLock { $0 }
    }
    if let failure { throw failure }
  }

  /// Lets go of something on a worker, so that the caller does not wait while all that it consists of ends; on the
  /// caller's thread if the system gives no other.
  public func release<Load: Sendable>(_ load: consuming Load) {
    let held = Lock<Load?>(load)
    guard crew.hasThread() else { return }
    crew.submit {
      let load = held.withLock { $0.take() }
      _ = load
    }
  }

  /// How many threads there are.
  public var liveThreadCount: Int { crew.threadCount }

  /// Throws unless there is a thread for work that is submitted; starts the first one.
  func requireThread() throws(EngineError) {
    if !crew.hasThread() {
      throw EngineError(.outOfMemory, "The system gives no thread for the request's work.", domain: .system)
    }
  }

  /// Has work done on a worker, in the order of submission. `requireThread` must have succeeded before.
  func submit(_ work: @escaping @Sendable () -> Void) { crew.submit(work) }
}

/// A request that several threads work on.
private final class Job: Sendable {
  let count: Int
  let body: @Sendable (Int) throws(EngineError) -> Void
  let next = Atomic<Int>(0)
  let failure = Lock<EngineError?>(nil)
  /// The limits of the call which the work is for.
  let limit = TimeLimit.current
  let interest = Interest.current

  init(count: Int, body: @escaping @Sendable (Int) throws(EngineError) -> Void) {
    self.count = count
    self.body = body
  }

  func work() {
    do throws(EngineError) {
      if let interest {
        try Interest.run(while: interest.isWanted, workLimited)
      } else {
        try workLimited()
      }
    } catch {
      failure.withLock { first in if first == nil { first = error } }
      next.store(count, ordering: .relaxed)
    }
  }

  private func workLimited() throws(EngineError) {
    if let limit { try limit.run(workUnlimited) } else { try workUnlimited() }
  }

  private func workUnlimited() throws(EngineError) {
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      try TimeLimit.check()
      try body(index)
    }
  }
}

/// The threads, and the work that waits for them. Lives until the last thread has gone.
///
/// Right to share: everything below `mutex` is touched with it held and only then.
private final class Crew: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Jobs whose callers work on them and want help.
  private var openings: [(job: Job, wanted: Int, working: Int)] = []
  /// Work that nobody waits for at once.
  private var submitted = Queue<@Sendable () -> Void>()
  /// The most threads there may be; all work shares them.
  private let limit: Int
  private var threads = 0
  /// Those that wait for work, or have just been started and are about to look for it.
  private var idle = 0
  /// When a thread was last asked for.
  private var lastAsked: UInt64 = 0
  private var isDismissed = false

  init(limit: Int) {
    self.limit = limit
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    pthread_cond_destroy(changed)
    changed.deallocate()
  }

  /// Asks for `helpers` threads to work on a job.
  func offer(_ job: Job, helpers: Int) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    openings.append((job, helpers, 0))
    startMissingThreads()
    pthread_cond_broadcast(changed)
  }

  /// Adds work at the end of the queue.
  func submit(_ work: @escaping @Sendable () -> Void) {
    pthread_mutex_lock(mutex)
    submitted.append(work)
    startMissingThreads()
    pthread_cond_broadcast(changed)
    // The thread that was there when `hasThread` was asked has gone since, and the system gives no other one.
    let abandoned = threads == 0 ? submitted.popFirst() : nil
    pthread_mutex_unlock(mutex)
    abandoned?()
  }

  /// Whether there is a thread; starts one if there is none. It stays for a while.
  func hasThread() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    lastAsked = MonotonicTime.now()
    return threads > 0 || startThread()
  }

  var threadCount: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return threads
  }

  /// Starts threads for work that no idle one can take. Where the system gives none, those that there are take longer.
  private func startMissingThreads() {
    let wanted = openings.reduce(submitted.count) { $0 &+ $1.wanted }
    let missing = min(wanted &- idle, limit &- threads)
    if missing > 0 { for _ in 0..<missing where !startThread() { break } }
  }

  /// Takes a job back and waits until nobody works on it.
  func withdraw(_ job: Job) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let index = openings.firstIndex(where: { $0.job === job }) { openings[index].wanted = 0 }
    while let index = openings.firstIndex(where: { $0.job === job }) {
      if openings[index].working == 0 {
        openings.remove(at: index)
        return
      }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Sends the threads home. Does not wait: no job is under way when this is called, and a thread that is just waking
  /// up holds the crew until it has gone.
  func dismiss() {
    pthread_mutex_lock(mutex)
    isDismissed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  private func startThread() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 8 << 20)
    pthread_attr_setdetachstate(&attributes, Int32(truncatingIfNeeded: PTHREAD_CREATE_DETACHED))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    // Right: the reference is taken over by the thread below, or given up if there is none.
    let reference = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        // Right: this is the reference that startThread retained.
        Unmanaged<Crew>.fromOpaque(argument).takeRetainedValue().live()
        return nil
      }, reference.toOpaque())
    if status != 0 {
      reference.release()
      return false  // the caller works alone: slower, and the same result
    }
    threads &+= 1
    idle &+= 1
    return true
  }

  /// What a thread does.
  private func live() {
    // A thread begins with the rounding and the traps of the thread that started it, which is the host's.
    _ = HostFloats.setAside()
    pthread_mutex_lock(mutex)
    idle &-= 1
    var isNeeded = true
    while !isDismissed, isNeeded {
      // A caller who works along waits for jobs; nobody does for submitted work.
      if let index = openings.firstIndex(where: { $0.wanted > 0 }) {
        help(openings[index].job, at: index)
      } else if let work = submitted.popFirst() {
        pthread_mutex_unlock(mutex)
        work()
        pthread_mutex_lock(mutex)
      } else {
        idle &+= 1
        isNeeded = waitForWork()
        idle &-= 1
      }
    }
    threads &-= 1
    pthread_mutex_unlock(mutex)
  }

  /// How long a thread waits for work before it ends, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000

  /// Waits until something has changed. Called, and returns, with the mutex held.
  ///
  /// - Returns: false if nothing has come for so long that the thread may end. Work that came at the last moment is seen.
  private func waitForWork() -> Bool {
    let end = MonotonicTime.now() &+ Self.patience
    var deadline = timespec(
      tv_sec: Int(truncatingIfNeeded: end / 1_000_000_000), tv_nsec: Int(truncatingIfNeeded: end % 1_000_000_000))
    guard pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT else { return true }
    let isAsked = MonotonicTime.now() &- lastAsked < Self.patience
    return isAsked || !submitted.isEmpty || openings.contains { $0.wanted > 0 }
  }

  /// Works on a job. Called, and returns, with the mutex held.
  private func help(_ job: Job, at index: Int) {
    openings[index].wanted &-= 1
    openings[index].working &+= 1
    pthread_mutex_unlock(mutex)
    job.work()
    pthread_mutex_lock(mutex)
    if let index = openings.firstIndex(where: { $0.job === job }) { openings[index].working &-= 1 }
    pthread_cond_broadcast(changed)
  }
}
