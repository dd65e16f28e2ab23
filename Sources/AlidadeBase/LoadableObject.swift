/// An object that loads: a layer, a map or a raster.
///
/// Loading starts once, whoever requests it, and everyone who waits is notified once. It blocks only callers that wait.
open class LoadableObject: RuntimeObject, @unchecked Sendable {  // right: see LoadProgress
  private let progress: LoadProgress

  /// - Parameter isLoaded: there is nothing left to load.
  public init(runtime: Runtime, isLoaded: Bool) {
    progress = LoadProgress(isLoaded: isLoaded)
    super.init(runtime: runtime)
  }

  deinit { runtime.mailbox.forget(progress) }

  // MARK: For subclasses

  /// The work of loading, for a worker; nil for an object that loads by loading its parts: see `loadParts`.
  open func loadWork(isRetry: Bool) -> LoadWork? { nil }

  /// Loads the parts; once they have ended `endLoad` is to be called.
  open func loadParts(isRetry: Bool) {}

  /// Whether something is wrong with what was loaded, so that a retry is to load it again.
  open var needsReload: Bool { false }

  /// Whether a load, and not a retry alone, is to begin anew although the last one succeeded: parts may have come since.
  open var loadsAnew: Bool { false }

  /// An attempt has begun. Others may have begun and ended it, and begun another one, by the time this is called: what
  /// is dropped here has to be older than the attempt. See `Loaded`.
  open func loadDidBegin(_ attempt: UInt64) {}

  /// The status has changed. Called without a lock, before the host is notified.
  open func loadStatusDidChange() {}

  /// The work to do after the host has been notified of the end; nil without work. It must not keep the object that
  /// loads: the host may release the object as soon as it is notified, and expects it to end.
  open func afterTelling() -> (@Sendable () -> Void)? { nil }

  /// Ends the current attempt, if there is one, of an object without `loadWork`.
  ///
  /// - Parameter isCancelled: those who wait are notified that the load was cancelled, whatever the status is now.
  /// - Returns: a function that notifies the host, to be called when the object is no longer kept; nil if nothing has
  ///   ended.
  public func endLoad(error: EngineError?, isCancelled: Bool = false) -> (@Sendable () -> Void)? {
    let (mailbox, progress) = (runtime.mailbox, progress)
    guard mailbox.end(progress, attempt: nil, error: error) else { return nil }
    loadStatusDidChange()
    let (handle, after) = (handleID, afterTelling())
    return {
      mailbox.settle(progress, handle: handle, isCancelled: isCancelled)
      after?()
    }
  }

  // MARK: Status

  /// How far it is.
  open var loadStatus: LoadStatus { LoadStatus(rawValue: progress.mirror.load(ordering: .acquiring)) ?? .failed }

  /// The status that the host knows: everything that follows from it has happened by then.
  open var toldLoadStatus: LoadStatus {
    LoadStatus(rawValue: progress.toldMirror.load(ordering: .acquiring)) ?? .failed
  }

  /// The load state, as the host sees it.
  open var loadInfo: LoadInfo { runtime.mailbox.info(of: progress) }

  /// Why it failed to load; nil unless it did.
  public var loadError: EngineError? {
    let info = loadInfo
    return info.status == .failed ? info.error : nil
  }

  /// Why the last attempt failed. Known before the host is notified.
  public var failure: EngineError? { runtime.mailbox.error(of: progress) }

  /// Whether loading waits for a server: then it takes none of the workers.
  open var waitsForServer: Bool { false }

  // MARK: Loading

  /// Begins loading, unless that has been done, and does not wait. A retry tries what failed again.
  open func beginLoading(isRetry: Bool = false) {
    if loadStatus == .notLoaded || isRetry { begin(isRetry: isRetry, telling: nil) }
  }

  /// Loads, and waits for the end. Throws why it failed, now or earlier: what failed is not tried again.
  public func load() throws(EngineError) { try wait(isRetry: false) }

  /// Loads, and waits for the end; what failed is tried again.
  public func retryLoad() throws(EngineError) { try wait(isRetry: true) }

  /// A request that ends when the load does, for `start`. Cancelling it leaves the load alone.
  public func loadRequest(options: RequestOptions = RequestOptions()) throws(EngineError) -> Request {
    try Request(waitingFor: self, owner: progress.identity, options: options)
  }

  /// Begins a request that `loadRequest` has made.
  ///
  /// - Parameter handle: the request's, for the event; 0: none, and no event.
  public func start(_ request: Request, handle: UInt64, isRetry: Bool) {
    begin(isRetry: isRetry, telling: request.loadWaiter(handle: handle))
  }

  /// Ends a load that is under way: it fails with `cancelled`. What a worker brings later is dropped.
  open func cancelLoad() { endLoad(error: .cancelledLoad)?() }

  /// Does what is left of loading on this thread, which is a worker's: it must not wait for others that wait for it.
  public func loadHere(isRetry: Bool) throws(EngineError) {
    let ticket = RequestProgress()
    begin(isRetry: isRetry, telling: LoadWaiter(progress: ticket), submits: false)
    let mailbox = runtime.mailbox
    Self.perform(progress, attempt: nil, mailbox) { self }
    try finish(ticket)
  }

  private func wait(isRetry: Bool) throws(EngineError) {
    let ticket = RequestProgress()
    begin(isRetry: isRetry, telling: LoadWaiter(progress: ticket))
    try finish(ticket)
  }

  private func finish(_ ticket: RequestProgress) throws(EngineError) {
    let mailbox = runtime.mailbox
    _ = try mailbox.wait(for: ticket, until: .never)
    if let failure = mailbox.failure(of: ticket) { throw failure }
  }

  /// - Parameter submits: a worker does the work; otherwise the caller does.
  private func begin(isRetry: Bool, telling waiter: LoadWaiter?, submits: Bool = true) {
    let (mailbox, progress) = (runtime.mailbox, progress)
    let isDue = loadStatus == .notLoaded || isRetry
    let work = isDue ? loadWork(isRetry: isRetry) : nil
    let loadsAnew = loadsAnew
    let attempt = mailbox.begin(
      progress, work, handle: handleID, isRetry: isRetry || loadsAnew, reloads: loadsAnew || (isRetry && needsReload),
      waiter: waiter)
    guard let attempt else { return }
    loadDidBegin(attempt)
    loadStatusDidChange()
    guard work != nil else { return loadParts(isRetry: isRetry) }
    guard submits else { return }
    let threads = waitsForServer ? runtime.fetchers : runtime.workers
    do throws(EngineError) {
      try threads.requireThread()
    } catch {
      endLoad(error: error)?()
      return
    }
    threads.submit { [weak self] in Self.perform(progress, attempt: attempt, mailbox) { self } }
  }

  /// Does an attempt's work, unless another thread does. When the host is notified, nothing here holds what has loaded.
  ///
  /// - Parameters:
  ///   - attempt: nil means the current attempt.
  ///   - owner: the object that loads, if it still exists.
  private static func perform(
    _ progress: LoadProgress, attempt: UInt64?, _ mailbox: Mailbox, owner: () -> LoadableObject?
  ) {
    guard work(on: progress, attempt: attempt, mailbox) else { return }
    let (handle, after) = announce(owner)
    mailbox.settle(progress, handle: handle)
    after?()
  }

  /// - Returns: whether the attempt has ended by it.
  @inline(never)
  private static func work(on progress: LoadProgress, attempt: UInt64?, _ mailbox: Mailbox) -> Bool {
    guard let claim = mailbox.claim(progress, attempt: attempt) else { return false }
    var failure: EngineError?
    do throws(EngineError) {
      while true {
        let commit = try Interest.run(while: { mailbox.wants(progress, attempt: claim.attempt) }, claim.work)
        guard mailbox.beginCommit(progress, attempt: claim.attempt) else { return false }
        if commit(claim.attempt) { break }
        mailbox.takeBackCommit(progress, attempt: claim.attempt)
      }
    } catch {
      failure = error
    }
    return mailbox.end(progress, attempt: claim.attempt, error: failure)
  }

  @inline(never)
  private static func announce(_ owner: () -> LoadableObject?) -> (handle: UInt64?, after: (@Sendable () -> Void)?) {
    guard let owner = owner() else { return (nil, nil) }
    owner.loadStatusDidChange()
    return (owner.handleID, owner.afterTelling())
  }
}
