// What is alive: for a host that looks for what it forgot to release.

/// A live handle.
public struct HandleReport: Sendable {
  public var id: UInt64
  public var kind: HandleKind
  /// True if the host owns the handle; false if the handle is borrowed and the library keeps the object.
  public var isOwned: Bool
  /// The host's label for the object; empty without a label.
  public var label: String
}

extension HandleTable {
  /// How many handles of a runtime are alive.
  public func count(runtimeID: UInt64) -> Int {
    var count = 0
    forEachSlot(of: runtimeID) { _, _ in count &+= 1 }
    return count
  }

  /// The live handles of a runtime, in no particular order.
  public func report(runtimeID: UInt64) -> [HandleReport] {
    var reports: [HandleReport] = []
    forEachSlot(of: runtimeID) { slot, id in
      guard let kind = HandleKind(rawValue: slot.kind) else { return }
      reports.append(HandleReport(id: id, kind: kind, isOwned: slot.owned != nil, label: slot.label))
    }
    return reports
  }

  /// Names the object of a handle. Throws if the handle is stale, or of another runtime.
  public func setLabel(_ label: String, id: UInt64, runtimeID: UInt64) throws(EngineError) {
    guard let kind = HandleKind(rawValue: ID(id).kind) else {
      throw EngineError(.invalidHandle, "The id is no handle's.")
    }
    let object = try object(id, kind)
    guard object.runtimeID == runtimeID else {
      throw EngineError(.invalidArgument, "The object is of another runtime.")
    }
    withShard(ID(id).shard) { shard in shard.slot(ID(id))?.pointee.label = label }
  }

  private func forEachSlot(of runtimeID: UInt64, _ body: (Slot, UInt64) -> Void) {
    for shardIndex in 0..<Self.shardCount {
      withShard(shardIndex) { shard in
        for index in 0..<shard.slotCount {
          guard let slot = shard.slot(index), slot.pointee.isUsed, slot.pointee.runtimeID == runtimeID else { continue }
          let id = ID(
            kind: slot.pointee.kind, epoch: UInt8(truncatingIfNeeded: ProcessGate.shared.epoch),
            slot: index << Self.shardBits | shardIndex, generation: slot.pointee.generation)
          body(slot.pointee, id.bits)
        }
      }
    }
  }
}
