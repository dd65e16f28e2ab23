import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// Which graphics of an overlay are in sight, and where on the screen.
struct OverlayLayout {
  private let prepared: PreparedOverlay
  private let moment: OverlayMoment
  private let frame: ViewFrame
  private let turns: HeapArray<Turns>
  /// By the numbers of items.
  private var tooFar: [Int] = []
  private let visible: Envelope
  /// As they are drawn; those of selected graphics follow the others, if there is a selection.
  let symbols: [Symbol]
  private(set) var counts = OverlayCounts()
  private(set) var size = OverlayItems.Place()

  init(
    _ prepared: PreparedOverlay, _ moment: OverlayMoment, in frame: ViewFrame, keepsOutside: Bool
  ) throws(EngineError) {
    self.prepared = prepared
    self.moment = moment
    self.frame = frame
    let screen = Envelope(xMin: 0, yMin: 0, xMax: frame.width, yMax: frame.height)
    visible = Envelope(around: frame.visibleArea) ?? screen
    let reference = frame.map.referenceScale
    let factor = moment.options.scalesSymbols && reference > 0 ? reference / frame.scale : 1
    let scale = SymbolScale(factor: factor, rotation: frame.rotation)
    let plain = prepared.symbols.map { $0.resolved(scale) }
    symbols =
      moment.selection.isEmpty ? plain : plain + plain.map { $0.selected(moment.options.selectionColor) }
    turns = try HeapArray(count: prepared.items.buffer.count)
    try look(keepsOutside)
  }

  /// Finds out what becomes of each item, and how much there will be to write.
  private mutating func look(_ keepsOutside: Bool) throws(EngineError) {
    // Locals: a field that is read in a loop costs more than all that is done with it.
    let (turns, pieces) = (turns.buffer, prepared.pieces.buffer)
    let eye = Eye(frame, visible, keepsOutside: keepsOutside)
    let reaches = symbols.map(\.reach)
    let (selection, plainCount) = (moment.selection, prepared.symbols.count)
    var (counts, size, tooFar) = (OverlayCounts(), OverlayItems.Place(), [Int]())
    for (index, item) in prepared.items.buffer.enumerated() {
      turns[index] = Turns()
      switch item.verdict {
      case .hidden: counts.hidden &+= 1
      case .empty: counts.empty &+= 1
      case .unsymbolized: counts.unsymbolized &+= 1
      case .failed: counts.failed &+= 1
      case .drawn:
        let own = UnsafeBufferPointer(rebasing: pieces[item.firstPiece..<(item.firstPiece &+ item.pieceCount)])
        let isSelected = !selection.isEmpty && selection.contains(item.id)
        let symbol = Int(truncatingIfNeeded: item.symbol) &+ (isSelected ? plainCount : 0)
        switch eye.sight(of: item.envelope, own, reaches[symbol]) {
        case .outside: counts.outside &+= 1
        case .tooFar:
          counts.failed &+= 1
          tooFar.append(index)
        case .seen(var seen):
          seen.symbol = Int32(truncatingIfNeeded: symbol)
          seen.isSelected = isSelected
          turns[index] = seen
          counts.drawn &+= 1
          if item.isBallpark { counts.ballpark &+= 1 }
          guard let sum = size.adding(own, times: seen.count) else { throw OverlayItems.tooMany }
          size = sum
        }
      }
    }
    (self.counts, self.size, self.tooFar) = (counts, size, tooFar)
  }

  // MARK: Writing

  /// Writes the items that are in sight, and moves the place on.
  func write(to items: OverlayItems, from place: inout OverlayItems.Place, overlay: Int, firstSymbol: Int) {
    var writer = OverlayItems.Writer(items, place, overlay: UInt32(clamping: overlay), eye: Eye(frame, visible))
    let (turns, pieces, all) = (turns.buffer, prepared.pieces.buffer, prepared.items.buffer)
    for index in all.indices where turns[index].count > 0 {
      let (item, seen) = (all[index], turns[index])
      var flags: OverlayItemFlags = []
      if seen.isSelected { flags.insert(.isSelected) }
      if item.isBallpark { flags.insert(.isBallpark) }
      let symbol = UInt32(clamping: firstSymbol &+ Int(truncatingIfNeeded: seen.symbol))
      for turn in 0..<seen.count {
        let shift = writer.eye.shift(seen.first + Double(turn))
        for number in item.firstPiece..<(item.firstPiece &+ item.pieceCount) {
          writer.write(pieces[number], prepared.columns, shift, id: item.id, symbol: symbol, flags: flags)
        }
      }
    }
    place = writer.place
  }

  /// What is not drawn and should be, in draw order.
  func failures(overlay: Int) -> [OverlayFailure] {
    var all = prepared.failures
    for index in tooFar { all[index] = GraphicImage.Failure(.tooFar) }
    return all.sorted { $0.key < $1.key }.map { index, failure in
      OverlayFailure(
        overlayIndex: overlay, graphicID: prepared.items.buffer[index].id, reason: failure.reason,
        pointStatus: failure.status, vertex: failure.vertex)
    }
  }
}
