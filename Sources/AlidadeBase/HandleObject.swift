import Synchronization

/// An object that may have a handle. It knows its handle, so that a getter returns the id that the host already holds,
/// and the id turns stale when the object ends.
///
/// Right to share between threads: `handle` is atomic, and each subclass keeps what changes under a `Lock`.
open class HandleObject: @unchecked Sendable {
  /// The handle's id; 0 while there is none.
  let handle = Atomic<UInt64>(0)
  /// The id of the handle that the host holds, for events; 0 while there is none.
  public var handleID: UInt64 { handle.load(ordering: .relaxed) }

  /// See `attachment(make:)`; holds a reference, which ends with this object.
  @usableFromInline let attached = Atomic<UnsafeRawPointer?>(nil)

  public init() {}

  deinit {
    let id = handle.load(ordering: .relaxed)
    if id != 0 { HandleTable.shared.forget(id) }
    if let pointer = attached.load(ordering: .acquiring) {
      // Right: this is the reference that attachment(make:) retained.
      Unmanaged<AnyObject>.fromOpaque(pointer).release()
    }
  }

  /// An object that lives as long as this one, made at the first call: the boundary keeps the C form of texts there.
  /// All callers must ask for the same type.
  ///
  /// `make` may run twice when two threads come first together; one object is then dropped.
  @inlinable
  public func attachment<Attachment: AnyObject & Sendable>(make: () -> Attachment) -> Attachment {
    if let pointer = attached.load(ordering: .acquiring) {
      // Right: the pointer was stored below, by a call for the same type.
      return Unmanaged<Attachment>.fromOpaque(pointer).takeUnretainedValue()
    }
    let made = make()
    // Right: the reference is kept by `attached`, or given up if another thread was first.
    let reference = Unmanaged.passRetained(made)
    let (exchanged, original) = attached.compareExchange(
      expected: nil, desired: UnsafeRawPointer(reference.toOpaque()), ordering: .acquiringAndReleasing)
    if exchanged { return made }
    reference.release()
    guard let original else { return made }
    // Right: as above.
    return Unmanaged<Attachment>.fromOpaque(original).takeUnretainedValue()
  }

  /// The kind of this object's handles.
  open var handleKind: HandleKind { .runtime }

  /// The identity of the object's runtime: equal for all objects of one runtime.
  open var runtimeID: UInt64 { 0 }

  /// Whether the host has released the runtime: then the object no longer gets a handle.
  var isOfReleasedRuntime: Bool { false }
}

/// An object that hangs on a runtime.
open class RuntimeObject: HandleObject, @unchecked Sendable {  // right: `runtime` never changes
  public let runtime: Runtime

  public init(runtime: Runtime) {
    self.runtime = runtime
    super.init()
  }

  open override var runtimeID: UInt64 { runtime.identity }

  override var isOfReleasedRuntime: Bool { runtime.isOfReleasedRuntime }
}
