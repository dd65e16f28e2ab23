import Glibc
import Synchronization

/// The process's handles: from 64-bit ids to objects.
///
/// An id is, from the top: 8 bits kind, 8 bits epoch (see `ProcessGate.epoch`), 24 bits slot, 24 bits generation. A
/// slot's generation goes up when its handle dies, so an old id never names a new object; a slot whose generations are
/// used up is not used again. Slots are spread over shards with a lock each: calls on different objects rarely meet.
///
/// While the host owns an object its slot holds it strongly. When the host has released it, or if the host only ever
/// borrowed it, the slot holds it weakly: the id lives as long as the library has the object. (Weakly only then: an
/// object with weak references is slower to retain.)
///
/// A value that holds a pointer to memory that is never freed, so that passing it counts no references.
public struct HandleTable: @unchecked Sendable {  // right: shards are touched under their locks
  /// The process's table.
  public static var shared: HandleTable { current.pointee }

  /// Right to share: written only in the child of a fork, while it has a single thread. A pointer and not a variable,
  /// because Swift checks each use of a global variable for overlapping accesses.
  nonisolated(unsafe) private static let current: UnsafeMutablePointer<HandleTable> = {
    let pointer = UnsafeMutablePointer<HandleTable>.allocate(capacity: 1)
    pointer.initialize(to: HandleTable())
    return pointer
  }()

  /// Starts an empty table. The old one is left as it is: its locks may be held by threads that no longer exist, and
  /// its objects must not be destroyed, because that would call GDAL and PROJ.
  static func startAnewAfterFork() {
    current.pointee = HandleTable()
  }

  struct Slot {
    var generation: UInt32 = 1
    var isUsed = false
    /// The kind of the object. An id of another kind does not name it, even if everything in the id but the kind fits.
    var kind: UInt8 = 0
    var runtimeID: UInt64 = 0
    var owned: HandleObject?
    weak var lent: HandleObject?
    /// What the host calls the object; empty: nothing.
    var label = ""
    var nextFree: Int = -1
  }

  struct Shard {
    /// Slots in chunks that never move. Chunk c holds this shard's slots c * 1024 ..< (c + 1) * 1024.
    var chunks: [UnsafeMutablePointer<Slot>] = []
    var slotCount = 0
    var firstFree = -1

    static let chunkSize = 1024

    func slot(_ index: Int) -> UnsafeMutablePointer<Slot>? {
      guard index >= 0, index < slotCount else { return nil }
      return chunks[index / Self.chunkSize] + index % Self.chunkSize
    }

    /// The slot that an id names, if it is alive.
    func slot(_ id: ID) -> UnsafeMutablePointer<Slot>? {
      guard let slot = slot(id.indexInShard), slot.pointee.isUsed, slot.pointee.generation == id.generation,
        slot.pointee.kind == id.kind
      else { return nil }
      return slot
    }
  }

  static let shardBits = 6
  static let shardCount = 1 << shardBits
  private static let slotBits = 24
  private static let generationBits = 24
  private static let lastGeneration: UInt32 = (1 << 24) - 1

  /// Right to leave unmanaged: the locks are never released, because a table lives as long as the process.
  private let shards: UnsafeMutablePointer<Unmanaged<Lock<Shard>>>

  init() {
    shards = .allocate(capacity: Self.shardCount)
    for index in 0..<Self.shardCount {
      // Right: never released; a table lives as long as the process.
      (shards + index).initialize(to: Unmanaged.passRetained(Lock(Shard())))
    }
  }

  /// Runs `body` with a shard locked.
  @inline(__always)
  func withShard<Result>(_ index: Int, _ body: (inout Shard) -> Result) -> Result {
    // Right: the lock is never released, and an index is masked to the shards that there are.
    (shards + (index & (Self.shardCount &- 1))).pointee._withUnsafeGuaranteedRef { $0.withLock(body) }
  }

  // MARK: Ids

  struct ID {
    var kind: UInt8
    var epoch: UInt8
    var slot: Int
    var generation: UInt32

    init(kind: UInt8, epoch: UInt8, slot: Int, generation: UInt32) {
      self.kind = kind
      self.epoch = epoch
      self.slot = slot
      self.generation = generation
    }

    init(_ bits: UInt64) {
      kind = UInt8(truncatingIfNeeded: bits >> 56)
      epoch = UInt8(truncatingIfNeeded: bits >> 48)
      slot = Int(truncatingIfNeeded: (bits >> 24) & 0xFF_FFFF)
      generation = UInt32(truncatingIfNeeded: bits & 0xFF_FFFF)
    }

    var bits: UInt64 {
      UInt64(truncatingIfNeeded: kind) << 56 | UInt64(truncatingIfNeeded: epoch) << 48
        | UInt64(truncatingIfNeeded: slot) << 24 | UInt64(truncatingIfNeeded: generation)
    }

    var shard: Int { slot & (HandleTable.shardCount &- 1) }
    var indexInShard: Int { slot >> HandleTable.shardBits }
  }

  // MARK: Issuing

  /// Gives the host an object that was just made. The host owns it from now on.
  public func give(_ object: HandleObject) throws(EngineError) -> UInt64 {
    let id = try reserveSlot(for: object, owned: true)
    object.handle.store(id, ordering: .releasing)
    return id
  }

  /// The id of an object that the library holds: the one that the host has, or one made now.
  public func lend(_ object: HandleObject) throws(EngineError) -> UInt64 {
    let known = object.handle.load(ordering: .acquiring)
    if known != 0 { return known }
    let id = try reserveSlot(for: object, owned: false)
    let (exchanged, original) = object.handle.compareExchange(
      expected: 0, desired: id, ordering: .acquiringAndReleasing)
    if exchanged { return id }
    forget(id)  // another thread was first
    return original
  }

  private enum Reservation {
    case id(UInt64)
    case shardIsFull
    case runtimeIsReleased
  }

  private func reserveSlot(for object: HandleObject, owned: Bool) throws(EngineError) -> UInt64 {
    let thread = pthread_self()
    let start = Int(truncatingIfNeeded: (thread >> 12) ^ (thread >> 20))
    for attempt in 0..<Self.shardCount {
      switch reserveSlot(for: object, owned: owned, shard: (start &+ attempt) & (Self.shardCount &- 1)) {
      case .id(let id): return id
      case .shardIsFull: continue
      case .runtimeIsReleased:
        throw EngineError(.invalidHandle, "The runtime was released while this call was under way.")
      }
    }
    throw EngineError(.outOfMemory, "All 16,777,216 handles are in use; release some.")
  }

  private func reserveSlot(for object: HandleObject, owned: Bool, shard shardIndex: Int) -> Reservation {
    withShard(shardIndex) { shard in
      // Asked with the shard locked: the runtime says so before `releaseAll` comes, which finds what is reserved by then.
      if object.isOfReleasedRuntime { return .runtimeIsReleased }
      guard let index = Self.freeSlot(in: &shard), let slot = shard.slot(index) else { return .shardIsFull }
      slot.pointee.isUsed = true
      slot.pointee.kind = object.handleKind.rawValue
      slot.pointee.runtimeID = object.runtimeID
      if owned { slot.pointee.owned = object } else { slot.pointee.lent = object }
      return .id(
        ID(
          kind: object.handleKind.rawValue, epoch: UInt8(truncatingIfNeeded: ProcessGate.shared.epoch),
          slot: index << Self.shardBits | shardIndex, generation: slot.pointee.generation
        ).bits)
    }
  }

  private static func freeSlot(in shard: inout Shard) -> Int? {
    if shard.firstFree >= 0, let slot = shard.slot(shard.firstFree) {
      let index = shard.firstFree
      shard.firstFree = slot.pointee.nextFree
      return index
    }
    guard shard.slotCount < 1 << (slotBits &- shardBits) else { return nil }
    if shard.slotCount % Shard.chunkSize == 0 {
      let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: Shard.chunkSize)
      for offset in 0..<Shard.chunkSize { (chunk + offset).initialize(to: Slot()) }
      shard.chunks.append(chunk)
    }
    shard.slotCount &+= 1
    return shard.slotCount &- 1
  }

  // MARK: Looking up

  /// The object behind an id, or the reason why there is none.
  public func object(_ id: UInt64, _ kind: HandleKind) throws(EngineError) -> HandleObject {
    let parts = ID(id)
    // Before any lock: in a forked child an old id must not touch what other threads held.
    guard parts.kind == kind.rawValue, parts.epoch == UInt8(truncatingIfNeeded: ProcessGate.shared.epoch) else {
      throw Self.explain(id, kind)
    }
    let found: HandleObject? = withShard(parts.shard) { shard in
      guard let slot = shard.slot(parts) else { return nil }
      return slot.pointee.owned ?? slot.pointee.lent
    }
    guard let found else { throw Self.explain(id, kind) }
    return found
  }

  /// Says what is wrong with an id that names no object of the kind.
  private static func explain(_ id: UInt64, _ kind: HandleKind) -> EngineError {
    if id == 0 {
      return EngineError(.invalidHandle, "The \(kind.name) handle is null.")
    }
    let parts = ID(id)
    guard let actual = HandleKind(rawValue: parts.kind) else {
      return EngineError(
        .invalidHandle, "\(hexadecimal(id)) is no handle; it was not made by this library.")
    }
    let epoch = UInt8(truncatingIfNeeded: ProcessGate.shared.epoch)
    if parts.epoch < epoch {
      return EngineError(
        .forked,
        "The \(actual.name) handle was created before this process was forked. Create a new runtime in the child, or "
          + "spawn instead of fork.")
    }
    if actual != kind {
      return EngineError(
        .invalidHandle, "The handle is one of a \(actual.name), not of a \(kind.name).")
    }
    return EngineError(
      .invalidHandle,
      "The \(kind.name) handle \(hexadecimal(id)) is stale: it, or its runtime, was released.")
  }

  private static func hexadecimal(_ id: UInt64) -> String { "0x" + String(id, radix: 16) }

  // MARK: Letting go

  /// Ends the host's ownership. Does nothing if the id is null, stale or of another kind, or the host does not own it.
  public func release(_ id: UInt64, _ kind: HandleKind) {
    let parts = ID(id)
    guard parts.kind == kind.rawValue, parts.epoch == UInt8(truncatingIfNeeded: ProcessGate.shared.epoch) else {
      return
    }
    // The object is destroyed here, after the lock is free: its end may take other locks, this one too.
    let released: HandleObject? = withShard(parts.shard) { shard in
      guard let slot = shard.slot(parts) else { return nil }
      if isKnownUniquelyReferenced(&slot.pointee.owned) {
        let object = slot.pointee.owned
        object?.handle.store(0, ordering: .relaxed)
        Self.free(slot, parts.indexInShard, in: &shard)
        return object
      }
      let object = slot.pointee.owned
      if let object { slot.pointee.lent = object }
      slot.pointee.owned = nil
      return object
    }
    _ = released
  }

  /// Ends every handle of a runtime, which says from before this on that it is released.
  func releaseAll(runtimeID: UInt64) {
    for index in 0..<Self.shardCount {
      let released: [HandleObject] = withShard(index) { shard in
        var objects: [HandleObject] = []
        for index in 0..<shard.slotCount {
          guard let slot = shard.slot(index), slot.pointee.isUsed, slot.pointee.runtimeID == runtimeID else { continue }
          if let object = slot.pointee.owned { objects.append(object) }
          Self.free(slot, index, in: &shard)
        }
        return objects
      }
      _ = released
    }
  }

  /// Called when an object ends: its id is stale from now on.
  func forget(_ id: UInt64) {
    let parts = ID(id)
    guard parts.epoch == UInt8(truncatingIfNeeded: ProcessGate.shared.epoch) else { return }
    withShard(parts.shard) { shard in
      guard let slot = shard.slot(parts) else { return }
      Self.free(slot, parts.indexInShard, in: &shard)
    }
  }

  private static func free(_ slot: UnsafeMutablePointer<Slot>, _ index: Int, in shard: inout Shard) {
    slot.pointee.isUsed = false
    slot.pointee.runtimeID = 0
    slot.pointee.owned = nil
    slot.pointee.lent = nil
    slot.pointee.label = ""
    guard slot.pointee.generation < lastGeneration else { return }  // used up: never again
    slot.pointee.generation &+= 1
    slot.pointee.nextFree = shard.firstFree
    shard.firstFree = index
  }
}
