import Synchronization

/// How a runtime is set up.
public struct RuntimeOptions: Sendable {
  /// The number of threads that may work at once, including the caller's; nil means one per processor.
  public var threadCount: Int?
  public var policy = Policy()
  /// The folder that holds proj.db; nil: where PROJ looks by itself.
  public var projDirectory: String?
  /// The folder that holds GDAL's support files; nil: where GDAL looks by itself.
  public var gdalDirectory: String?
  /// The lowest severity of lines that the log keeps.
  public var logLevel = LogLevel.warning

  public init() {}
}

/// The owner of all other objects: workers, policy, search paths, and the services of the modules above.
///
/// A Swift host creates one with `Engine.makeRuntime` in AlidadeMap, which also prepares GDAL and PROJ.
public final class Runtime: HandleObject, @unchecked Sendable {  // right: what changes is under a Lock
  public let options: RuntimeOptions
  public let workers: Workers
  /// Whether the policy says how long a call may take.
  public let hasTimeLimit: Bool
  /// Threads that do calls with a time limit for their callers. No workers: those that are given up may stay long.
  let callers: Workers
  /// Threads that wait for servers: a server that stalls keeps no worker.
  /// Many, because some may wait for a slow host while others use a fast one.
  let fetchers = Workers(threadCount: 64)
  /// Events, completions and the log, which wait for the host.
  public let mailbox: Mailbox
  /// Identifies the runtime; never used twice in a process.
  public let identity: UInt64
  private let services = Lock<[ObjectIdentifier: any Sendable]>([:])

  private let isReleased = Atomic<Bool>(false)
  private static let lastIdentity = Atomic<UInt64>(0)

  public init(options: RuntimeOptions) {
    self.options = options
    workers = Workers(threadCount: options.threadCount ?? Workers.processorCount)
    hasTimeLimit = options.policy.maxRequestMilliseconds > 0
    callers = Workers(threadCount: 16 &+ workers.threadCount)
    mailbox = Mailbox(lowestLevel: options.logLevel)
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    super.init()
    ProcessGate.shared.registerForkHandlers { HandleTable.startAnewAfterFork() }
  }

  public override var handleKind: HandleKind { .runtime }
  public override var runtimeID: UInt64 { identity }
  override var isOfReleasedRuntime: Bool { isReleased.load(ordering: .acquiring) }

  public var policy: Policy { options.policy }

  /// The runtime's one instance of a module's service, made at the first call.
  ///
  /// `make` may run twice when two threads come first together; one instance is then dropped.
  public func service<Service: Sendable>(_ type: Service.Type, make: () -> Service) -> Service {
    let key = ObjectIdentifier(type)
    if let known = services.withLock({ $0[key] }) as? Service { return known }
    let made = make()
    return services.withLock { services in
      if let first = services[key] as? Service { return first }
      services[key] = made
      return made
    }
  }

  /// Has work done that waits for servers, within the time that the policy allows for a call. Work that nobody wants any
  /// longer ends with `cancelled`.
  public func fetch(
    while isWanted: @escaping @Sendable () -> Bool, _ work: @escaping @Sendable () throws(EngineError) -> Void,
    failed: @escaping @Sendable (EngineError) -> Void, finally: @escaping @Sendable () -> Void = {}
  ) {
    fetchers.submit { [self] in
      defer { finally() }
      do throws(EngineError) {
        try Interest.run(while: { [self] in !isOfReleasedRuntime && isWanted() }) { () throws(EngineError) in
          try limitedHere(work)
        }
      } catch {
        failed(error)
      }
    }
  }

  /// How many threads there are that may wait for servers.
  public var fetcherCount: Int { fetchers.liveThreadCount }

  /// Calls `body` with 0 ..< `count`, as `Workers.forEach` does, on threads that may wait for servers.
  public func fetchEach(
    _ count: Int, _ body: @Sendable (Int) throws(EngineError) -> Void
  ) throws(EngineError) { try fetchers.forEach(count, most: 8, body) }

  /// Does work that waits for servers on the caller's thread. It ends with `cancelled` once the runtime is released.
  public func whileUnreleased<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let outer = Interest.current
    return try Interest.run(while: { [self] in !isOfReleasedRuntime && (outer?.isWanted() ?? true) }, body)
  }

  /// Throws once the host has released the runtime: for calls that wait.
  public func requireUnreleased() throws(EngineError) {
    if isOfReleasedRuntime { throw EngineError(.invalidHandle, "The runtime was released meanwhile.") }
  }

  /// Makes all handles of the runtime stale for ever, cancels its requests, and ends all waits. Calls under way keep
  /// what they use until they end; they get no handles for the objects that they create.
  public func releaseHandles() {
    isReleased.store(true, ordering: .releasing)
    mailbox.close()
    HandleTable.shared.releaseAll(runtimeID: identity)
  }
}
