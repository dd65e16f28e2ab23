import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// Which graphics of an overlay are in sight, and where on the screen. It is good as long as its table does not change.
struct OverlayLayout {
  private(set) var moment: OverlayMoment
  let table: OverlayTable
  let eye: Eye
  private let scale: SymbolScale
  /// What is drawn, in draw order; only so many are set.
  private let seen: HeapArray<Turns>
  private var seenCount = 0
  /// The slots of what is too far to be drawn.
  private var tooFar: [Int] = []
  /// Those that are drawn, with their final sizes and colours.
  private(set) var symbols: [Symbol] = []
  private(set) var counts = OverlayCounts()
  private(set) var size = OverlayItems.Place()

  /// - Parameter window: a box on the map; graphics that have nothing in it are left out, and there are no symbols then.
  ///   nil: all are looked at.
  init(
    _ table: OverlayTable, in frame: ViewFrame, keepsOutside: Bool, near window: Envelope? = nil
  ) throws(EngineError) {
    self.table = table
    moment = table.moment
    eye = Eye(frame, keepsOutside: keepsOutside)
    let reference = frame.map.referenceScale
    let factor = moment.options.scalesSymbols && reference > 0 ? reference / frame.scale : 1
    scale = SymbolScale(factor: factor, rotation: frame.rotation)
    let candidates = try table.candidates(eye, reach: table.palette.reach(factor: factor), near: window)
    seen = try HeapArray(count: candidates.buffer.count)
    try look(at: candidates, near: window)
  }

  /// Replaces the table's options; they do not change what is in sight.
  mutating func setOptions(_ options: GraphicsOverlayOptions) {
    moment = OverlayMoment(
      overlay: moment.overlay, options: options, generation: moment.generation, graphicCount: moment.graphicCount)
  }

  /// Finds out what becomes of each graphic, and how much there will be to write.
  private mutating func look(at candidates: HeapArray<UInt64>, near window: Envelope?) throws(EngineError) {
    // Locals: a field that is read in a loop costs more than all that is done with it.
    let (table, eye, factor, seen) = (self.table, self.eye, scale.factor, self.seen.buffer)
    let (slots, boxes, palette) = (table.slots.values, table.boxes.values, table.palette.symbols.values)
    let numbers = try HeapArray<Int32>(count: window == nil ? 2 &* palette.count : 0, repeating: -1)
    var (counts, size, seenCount) = (OverlayCounts(), OverlayItems.Place(), 0)
    for candidate in candidates.buffer {
      let slot = Int(truncatingIfNeeded: candidate & 0xFFFF_FFFF)
      let one = slots[slot]
      let symbol = Int(truncatingIfNeeded: one.symbol)
      let own = table.pieces(of: slot)
      let reach = palette[symbol].reach(factor: factor, isSelected: one.isSelected)
      if let window, !eye.comes(boxes[slot], reach, to: window) { continue }
      switch eye.sight(of: boxes[slot], own, reach, isFar: one.isFar) {
      case .outside: break
      case .tooFar: tooFar.append(slot)
      case .seen(var turns):
        turns.slot = slot
        if window == nil {
          let key = 2 &* symbol &+ (one.isSelected ? 1 : 0)
          if numbers.buffer[key] < 0 {
            numbers.buffer[key] = Int32(truncatingIfNeeded: symbols.count)
            let plain = palette[symbol].resolved(scale)
            symbols.append(one.isSelected ? plain.selected(moment.options.selectionColor) : plain)
          }
          turns.symbol = numbers.buffer[key]
        }
        seen[seenCount] = turns
        seenCount &+= 1
        if one.isBallpark { counts.ballpark &+= 1 }
        guard let sum = size.adding(own, times: turns.count) else { throw OverlayItems.tooMany }
        size = sum
      }
    }
    counts.drawn = seenCount
    counts.outside = table.count(.drawn) &- seenCount &- tooFar.count
    counts.failed = table.count(.failed) &+ tooFar.count
    (counts.hidden, counts.empty) = (table.count(.hidden), table.count(.empty))
    counts.unsymbolized = table.count(.unsymbolized)
    (self.counts, self.size, self.seenCount) = (counts, size, seenCount)
  }

  // MARK: Writing

  /// Writes the items that are in sight, and advances the position.
  func write(to items: OverlayItems, from place: inout OverlayItems.Place, overlay: Int, firstSymbol: Int) {
    var writer = OverlayItems.Writer(items, place, overlay: UInt32(clamping: overlay), eye: eye)
    let (seen, slots) = (seen.buffer, table.slots.values)
    for index in 0..<seenCount {
      let (turns, one) = (seen[index], slots[seen[index].slot])
      var flags: OverlayItemFlags = []
      if one.isSelected { flags.insert(.isSelected) }
      if one.isBallpark { flags.insert(.isBallpark) }
      let symbol = UInt32(clamping: firstSymbol &+ Int(truncatingIfNeeded: turns.symbol))
      let pieces = table.pieces(of: turns.slot)
      for turn in 0..<turns.count {
        let shift = eye.shift(turns.first + Double(turn))
        for (number, piece) in pieces.enumerated() {
          writer.write(
            piece, table.columns(turns.slot, number), shift, id: one.id, symbol: symbol, flags: flags)
        }
      }
    }
    place = writer.place
  }

  /// An image of a graphic that is in sight.
  struct Image {
    let slot: Int
    /// How far it lies to the east of the graphic's own world, on the map.
    let shift: Double
    /// As it is drawn while the graphic is not selected.
    let footprint: Footprint
  }

  /// Calls `body` with the images that are in sight, the topmost first; the images of a graphic follow each other.
  func forEachImage(_ body: (Image) throws(EngineError) -> Void) throws(EngineError) {
    let (slots, palette) = (table.slots.values, table.palette.symbols.values)
    var footprint = (symbol: Int32(-1), value: Footprint(Symbol()))
    for index in stride(from: seenCount &- 1, through: 0, by: -1) {
      let turns = seen.buffer[index]
      let number = slots[turns.slot].symbol
      if footprint.symbol != number {
        footprint = (number, Footprint(palette[Int(truncatingIfNeeded: number)].resolved(scale)))
      }
      for turn in 0..<turns.count {
        try body(
          Image(slot: turns.slot, shift: eye.shift(turns.first + Double(turn)), footprint: footprint.value))
      }
    }
  }

  /// The graphic of a slot is too far to be drawn.
  func isTooFar(_ slot: Int) -> Bool { tooFar.contains(slot) }

  /// What is not drawn and should be, in draw order.
  func failures(overlay: Int) -> [OverlayFailure] {
    if table.failures.isEmpty, tooFar.isEmpty { return [] }
    var all = table.failures
    for slot in tooFar { all[slot] = GraphicImage.Failure(.tooFar) }
    let slots = table.slots.values
    let found = all.map { (slot: slots[$0.key], failure: $0.value) }
      .sorted { ($0.slot.zIndex, $0.slot.id) < ($1.slot.zIndex, $1.slot.id) }
    return found.map { slot, failure in
      OverlayFailure(
        overlayIndex: overlay, graphicID: slot.id, reason: failure.reason, pointStatus: failure.status,
        vertex: failure.vertex)
    }
  }
}

extension OverlayTable {
  /// The slots of graphics that may be in sight, in draw order: in the lower halves of numbers.
  fileprivate func candidates(
    _ eye: Eye, reach: Double, near window: Envelope?
  ) throws(EngineError) -> HeapArray<UInt64> {
    let found: HeapArray<UInt64>
    if let few = try few(eye, reach: reach, near: window) {
      found = few
    } else {
      found = try many(eye, reach: reach, near: window)
    }
    if !isRising {
      let slots = slots.values
      func id(_ number: UInt64) -> UInt64 { slots[Int(truncatingIfNeeded: number & 0xFFFF_FFFF)].id }
      var numbers = found.buffer
      numbers.sort { id($0) < id($1) }
    }
    if !zIndexes.areEqual { try sortByUpperHalf(found.buffer) }
    return found
  }

  /// The candidates near a window; nil: there is none, or there are many.
  private func few(_ eye: Eye, reach: Double, near window: Envelope?) throws(EngineError) -> HeapArray<UInt64>? {
    guard window != nil else { return nil }
    var list = BoxList()
    guard eye.mark(tree, reach, near: window, in: &list) else { return nil }
    for slot in indexedCount..<slots.count { list.mark(slot) }
    for slot in far { list.mark(slot) }
    if list.isOverfull { return nil }
    let slots = slots.values
    var count = 0
    list.forEach { slot in
      if slots[slot].verdict == .drawn { count &+= 1 }
    }
    let found = try HeapArray<UInt64>(count: count)
    var next = 0
    list.forEach { slot in
      guard slots[slot].verdict == .drawn else { return }
      found.buffer[next] = key(slot)
      next &+= 1
    }
    return found
  }

  private func many(_ eye: Eye, reach: Double, near window: Envelope?) throws(EngineError) -> HeapArray<UInt64> {
    let slots = slots.values
    var bits = try BoxBits(count: slots.count)
    if eye.mark(tree, reach, near: window, in: &bits) {
      for slot in indexedCount..<slots.count { bits.mark(slot) }
      for slot in far { bits.mark(slot) }
    } else {
      for slot in slots.indices { bits.mark(slot) }
    }
    var count = 0
    forEach(in: bits.words) { _ in count &+= 1 }
    let found = try HeapArray<UInt64>(count: count)
    var next = 0
    forEach(in: bits.words) { slot in
      found.buffer[next] = key(slot)
      next &+= 1
    }
    return found
  }

  /// A slot with its z-index in the upper half. Flipping the sign makes the order of the bits that of the numbers.
  @inline(__always)
  private func key(_ slot: Int) -> UInt64 {
    let z = UInt32(bitPattern: slots[slot].zIndex) ^ 0x8000_0000
    return UInt64(truncatingIfNeeded: z) << 32 | UInt64(truncatingIfNeeded: slot)
  }

  /// The marked slots that are drawn if they are in sight.
  @inline(__always)
  private func forEach(in bits: UnsafeMutableBufferPointer<UInt64>, _ body: (Int) -> Void) {
    let slots = slots.values
    for (word, marked) in bits.enumerated() {
      var rest = marked
      while rest != 0 {
        let slot = word &* 64 &+ rest.trailingZeroBitCount
        rest &= rest &- 1
        if slots[slot].verdict == .drawn { body(slot) }
      }
    }
  }
}
