import AlidadeBase
import AlidadeCoordinates

extension OverlayTable {
  /// Coordinates beyond it are too far for the tree; the view's own limits lie far within.
  private static let farthest = 1e250

  /// The box of a slot as the tree has it: in the middle world, where the world repeats itself. nil: it is too far.
  private func treeBox(_ slot: Int) -> Envelope? {
    let box = boxes[slot]
    guard box.xMin <= box.xMax else { return slots[slot].verdict == .drawn ? nil : .nothing }
    guard box.xMin > -Self.farthest, box.yMin > -Self.farthest, box.xMax < Self.farthest, box.yMax < Self.farthest
    else { return nil }
    guard let world = target.system.worldWidth else { return box }
    guard box.xMin > -Eye.farthest, box.xMax < Eye.farthest else { return nil }
    let shift = ((box.xMin + (box.xMax - box.xMin) / 2) / world).rounded() * world
    // What rounding may do to it.
    let slack = max(box.xMin.magnitude, box.xMax.magnitude) * 0x1p-50
    return Envelope(
      xMin: box.xMin - shift - slack, yMin: box.yMin, xMax: box.xMax - shift + slack, yMax: box.yMax)
  }

  /// Puts a slot's box into the index.
  func place(_ slot: Int) {
    let box = treeBox(slot)
    slots[slot].isFar = box == nil
    if box == nil { far.insert(slot) } else if !far.isEmpty { far.remove(slot) }
    guard slot < indexedCount else { return }
    tree.set(slot, box ?? .nothing)
    movedCount &+= 1
  }

  var needsIndex: Bool {
    slots.count &- indexedCount > 256 &+ indexedCount / 16 || movedCount > 4096 &+ indexedCount &* 2
      || hasOldSymbols
  }

  /// So many symbols that most are of graphics that have others now.
  private var hasOldSymbols: Bool { palette.symbols.count > 4096 &+ slots.count &* 2 }

  private func dropSymbols() throws(EngineError) {
    var isUsed = [Bool](repeating: false, count: palette.symbols.count)
    for slot in slots.values where slot.symbol >= 0 { isUsed[Int(truncatingIfNeeded: slot.symbol)] = true }
    let numbers = try palette.keep(isUsed)
    for slot in 0..<slots.count where slots[slot].symbol >= 0 {
      slots[slot].symbol = numbers[Int(truncatingIfNeeded: slots[slot].symbol)]
    }
  }

  /// Builds the index of all slots anew.
  func index() throws(EngineError) {
    if count(.gone) > 0 || !isRising { try tidy() }
    if hasOldSymbols { try dropSymbols() }
    let all = try HeapArray<Envelope>(count: slots.count)
    for slot in 0..<slots.count { all.buffer[slot] = treeBox(slot) ?? .nothing }
    tree = try BoxTree(UnsafeBufferPointer(all.buffer), isChangeable: true)
    indexedCount = slots.count
    later = [:]
    isRising = true
    movedCount = 0
  }

  /// Drops the slots of graphics that are gone, and puts the others in the order of their ids.
  private func tidy() throws(EngineError) {
    var kept = (0..<slots.count).filter { slots[$0].verdict != .gone }
    if !isRising { kept.sort { slots[$0].id < slots[$1].id } }
    try slots.keep(kept)
    try boxes.keep(kept)
    try pieces.keep(kept)
    graphics = kept.map { graphics[$0] }
    batches = kept.map { batches[$0] }
    if !members.isEmpty || !failures.isEmpty || !far.isEmpty {
      let (oldMembers, oldFailures, oldFar) = (members, failures, far)
      (members, failures, far) = ([:], [:], [])
      for (slot, old) in kept.enumerated() {
        if let member = oldMembers[old] { members[slot] = member }
        if let failure = oldFailures[old] { failures[slot] = failure }
        if oldFar.contains(old) { far.insert(slot) }
      }
    }
    counts[Int(truncatingIfNeeded: Verdict.gone.rawValue)] = 0
  }
}
