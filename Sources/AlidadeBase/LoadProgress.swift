import Synchronization

extension LoadStatus {
  /// It has been loaded, or it has been found out that it cannot be.
  public var hasEnded: Bool { self == .loaded || self == .failed }
}

/// The work of loading. Runs on a worker without a lock. It must not keep the object that loads, because that may be
/// released meanwhile and must end at once. Returns the function that stores the result.
public typealias LoadWork = @Sendable () throws(EngineError) -> LoadCommit

/// Stores the result of an attempt; not called if the load was cancelled. Receives the attempt's number. Returns false
/// if the result is out of date: then the work is done once more.
public typealias LoadCommit = @Sendable (_ attempt: UInt64) -> Bool

/// The result of loading, with the attempt that brought it. Keep it under a lock.
///
/// An attempt is announced after others know of it. By then it may have been cancelled, and a later attempt may have
/// stored its own result.
public struct Loaded<Content> {
  public private(set) var content: Content?
  private var attempt: UInt64 = 0

  /// - Parameter content: what is there from the beginning.
  public init(_ content: Content? = nil) { self.content = content }

  /// Drops what attempts before this one have brought.
  ///
  /// - Returns: what was dropped, to be released after the lock is free.
  public mutating func drop(before attempt: UInt64) -> Content? {
    self.attempt < attempt ? content.take() : nil
  }

  /// Puts in what an attempt has brought.
  ///
  /// - Returns: what it replaces, to be released after the lock is free.
  public mutating func put(_ content: Content, by attempt: UInt64) -> Content? {
    let old = self.content
    self.content = content
    self.attempt = attempt
    return old
  }

  /// Puts in what stands for the same, without another attempt.
  ///
  /// - Returns: what it replaces, to be released after the lock is free.
  public mutating func replace(by content: Content) -> Content? { put(content, by: attempt) }
}

extension Loaded: Sendable where Content: Sendable {}

/// The load state of an object, as the host sees it.
public struct LoadInfo: Sendable {
  public var status: LoadStatus
  /// Why the last attempt failed; of a loaded layer its trouble.
  public var error: EngineError?
  /// How often loading was begun.
  public var attemptCount: UInt32
  /// When the status became what it is: `MonotonicTime`.
  public var since: UInt64
}

/// A change of a load status, as an event reports it.
public struct LoadEvent: Sendable {
  /// Names the load; never used twice in a process.
  let identity: UInt64
  /// A layer, a map or a raster.
  public let kind: HandleKind
  public let handle: UInt64
  public var status: LoadStatus
  /// Why it failed.
  public var failure: Status
}

/// What workers and the mailbox know of something that loads. Not the thing itself: that goes with its handle.
///
/// Right to share: what changes is guarded by the mailbox's lock.
final class LoadProgress: @unchecked Sendable {
  /// Never used twice in a process.
  let identity: UInt64
  var status: LoadStatus
  /// `status` and `toldStatus` for readers without the lock.
  let mirror: Atomic<Int32>
  let toldMirror: Atomic<Int32>
  var error: EngineError?
  var since = MonotonicTime.now()
  var attemptCount: UInt32 = 0
  /// Names the attempt that is under way: what another one brings is dropped.
  var attempt: UInt64 = 0
  /// The result of the attempt is being stored: too late to cancel it.
  var isCommitting = false
  /// The status has changed, and the library's own observers are being notified. The host is notified after them, so
  /// that what follows from the change has happened by then.
  var isSettling = false {
    didSet { toldMirror.store(toldStatus.rawValue, ordering: .releasing) }
  }
  /// nil once a worker has taken it, and for what loads by others' loading.
  var work: LoadWork?
  /// The waiters that are notified of the end of the attempt, by number.
  var waiters: [UInt64: RequestProgress] = [:]
  /// The handle's id when it was last looked at, for the event; 0: there is none.
  var handle: UInt64 = 0
  /// The number of the event that waits; 0 if there is none.
  var eventSequence: UInt64 = 0
  /// What loads is gone.
  var isForgotten = false

  private static let lastIdentity = Atomic<UInt64>(0)

  init(isLoaded: Bool) {
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    status = isLoaded ? .loaded : .notLoaded
    mirror = Atomic(status.rawValue)
    toldMirror = Atomic(status.rawValue)
  }

  /// The status that the host knows.
  var toldStatus: LoadStatus { isSettling ? .loading : status }

  func set(_ status: LoadStatus, _ error: EngineError? = nil) {
    self.status = status
    self.error = error
    mirror.store(status.rawValue, ordering: .releasing)
    toldMirror.store(toldStatus.rawValue, ordering: .releasing)
  }
}
