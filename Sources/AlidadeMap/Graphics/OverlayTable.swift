import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// A geometry of one kind that is no collection.
struct OverlayPiece {
  var kind: UInt8
  var row: Int
  /// The images of its vertices.
  var points: UnsafePointer<Point>?
  var vertexCount: Int
  var partCount: Int
  var pathCount: Int

  /// Around its vertices.
  var box: Envelope {
    var box = Envelope.nothing
    for point in UnsafeBufferPointer(start: points, count: vertexCount) {
      box.extend(around: Envelope(xMin: point.x, yMin: point.y, xMax: point.x, yMax: point.y))
    }
    return box
  }
}

/// The pieces of a collection that its symbol draws.
final class OverlayMembers {
  let pieces: HeapArray<OverlayPiece>
  let columns: [GeometryColumns]

  init(_ pieces: [OverlayPiece], _ columns: [GeometryColumns]) throws(EngineError) {
    self.pieces = try HeapArray(count: pieces.count)
    for (index, piece) in pieces.enumerated() { self.pieces.buffer[index] = piece }
    self.columns = columns
  }
}

/// The graphics of an overlay on a map, whatever the view shows: with their images and symbols, and an index of the
/// boxes around them. It follows the overlay: only what has changed is examined again.
///
/// Graphics have slots. The first slots are in the index, by rising ids. Graphics that were added since follow, and are
/// examined one by one until the index is built again.
///
/// Right to share: it is used by whoever holds the lock of the view's tables, or has just made it, and keeps all memory
/// that its pointers lead to.
final class OverlayTable: @unchecked Sendable {
  enum Verdict: UInt8, CaseIterable {
    case drawn, hidden, empty, unsymbolized, failed
    /// The graphic was removed.
    case gone
  }

  struct Slot {
    var id: UInt64
    var zIndex: Int32
    /// The number of its symbol.
    var symbol: Int32 = -1
    var verdict = Verdict.gone
    var isBallpark = false
    var isSelected = false
    /// Its pieces are in `members`.
    var isCollection = false
    /// Its box is not in the index: it reaches too far for that.
    var isFar = false
  }

  /// How far a table has come.
  struct Progress: Sendable {
    let position: UInt64
    let generation: UInt64
    let rendererGeneration: UInt64
    let gridGeneration: UInt64
  }

  let target: SpatialReference
  private let rendererGeneration: UInt64
  private let gridGeneration: UInt64
  /// In the overlay's log.
  private var position: UInt64
  private(set) var moment: OverlayMoment
  /// False while a change is under way, and for good after a change that failed.
  private var isWhole = false

  let slots: TableColumn<Slot>
  /// Around the images of all pieces of each slot.
  let boxes: TableColumn<Envelope>
  let pieces: TableColumn<OverlayPiece>
  // Unchecked, here and below: one thread at a time is here, and nothing calls back. The checks would cost more than all
  // that is done with a slot.
  /// What keeps the points.
  @exclusivity(unchecked) var graphics: [Graphic?] = []
  @exclusivity(unchecked) var batches: [ImageBatch?] = []
  @exclusivity(unchecked) var members: [Int: OverlayMembers] = [:]
  @exclusivity(unchecked) var palette: SymbolPalette
  @exclusivity(unchecked) var failures: [Int: GraphicImage.Failure] = [:]
  @exclusivity(unchecked) var counts = [Int](repeating: 0, count: Verdict.allCases.count)
  @exclusivity(unchecked) var zIndexes = ZIndexes()
  /// What was let go of: it ends when no lock is held, because PROJ may have to be called for that.
  @exclusivity(unchecked) var dropped: [AnyObject] = []

  @exclusivity(unchecked) var tree: BoxTree
  /// How many slots are in the tree.
  @exclusivity(unchecked) var indexedCount = 0
  /// Slots whose boxes reach too far for the tree.
  @exclusivity(unchecked) var far: Set<Int> = []
  /// The slots of graphics that came after the tree was built.
  var later: [UInt64: Int] = [:]
  /// Slots are in the order of ids.
  @exclusivity(unchecked) var isRising = true
  /// How many boxes of the tree have changed.
  @exclusivity(unchecked) var movedCount = 0
  /// How many graphics were looked at, for tests.
  @exclusivity(unchecked) private(set) var lookCount = 0

  /// - Parameter snapshot: of all graphics.
  init(_ snapshot: OverlaySnapshot, in target: SpatialReference) throws(EngineError) {
    self.target = target
    rendererGeneration = snapshot.rendererGeneration
    gridGeneration = snapshot.gridGeneration
    position = snapshot.to
    moment = snapshot.moment
    let changes = snapshot.changes ?? []
    slots = try TableColumn(capacity: changes.count)
    boxes = try TableColumn(capacity: changes.count)
    pieces = try TableColumn(capacity: changes.count)
    palette = try SymbolPalette(snapshot.renderer, snapshot.names)
    tree = try BoxTree(UnsafeBufferPointer(start: nil, count: 0), isChangeable: true)
    graphics.reserveCapacity(changes.count)
    batches.reserveCapacity(changes.count)
    // They come by rising ids.
    for change in changes {
      try TimeLimit.check()
      try set(append(change.id), change)
    }
    try index()
    isWhole = true
  }

  // MARK: Keeping up

  /// nil: something went wrong, and it cannot be used.
  var progress: Progress? {
    guard isWhole else { return nil }
    return Progress(
      position: position, generation: moment.generation, rendererGeneration: rendererGeneration,
      gridGeneration: gridGeneration)
  }

  /// Catches up with a snapshot, or is farther already. False if it cannot.
  func follow(_ snapshot: OverlaySnapshot) throws(EngineError) -> Bool {
    guard isWhole, gridGeneration == snapshot.gridGeneration else { return false }
    if moment.generation >= snapshot.moment.generation { return true }
    guard let from = snapshot.from, position >= from, position <= snapshot.to,
      rendererGeneration == snapshot.rendererGeneration
    else { return false }
    isWhole = false
    palette.learn(snapshot.names)
    for change in snapshot.changes ?? [] {
      if let known = slot(of: change.id) {
        try set(known, change)
      } else if change.graphic != nil {
        let slot = try append(change.id)
        later[change.id] = slot
        try set(slot, change)
      }
    }
    if needsIndex { try index() }
    position = snapshot.to
    moment = snapshot.moment
    isWhole = true
    return true
  }

  /// What was let go of since the last time.
  func takeDropped() -> [AnyObject] {
    let taken = dropped
    dropped = []
    return taken
  }

  // MARK: Reading

  func count(_ verdict: Verdict) -> Int { counts[Int(truncatingIfNeeded: verdict.rawValue)] }

  @inline(__always)
  func pieces(of slot: Int) -> UnsafeBufferPointer<OverlayPiece> {
    if slots[slot].isCollection {
      return members[slot].map { UnsafeBufferPointer($0.pieces.buffer) } ?? UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: pieces.start.map { $0 + slot }, count: 1)
  }

  /// The columns of a piece of a slot.
  func columns(_ slot: Int, _ piece: Int) -> GeometryColumns? {
    slots[slot].isCollection ? members[slot]?.columns[piece] : graphics[slot]?.columns
  }

  // MARK: Slots

  func slot(of id: UInt64) -> Int? {
    var (low, high) = (0, indexedCount)
    while low < high {
      let middle = (low &+ high) / 2
      if slots[middle].id < id { low = middle &+ 1 } else { high = middle }
    }
    return low < indexedCount && slots[low].id == id ? low : later[id]
  }

  private func append(_ id: UInt64) throws(EngineError) -> Int {
    let slot = slots.count
    if slot > 0, slots[slot &- 1].id >= id { isRising = false }
    try slots.append(Slot(id: id, zIndex: 0))
    try boxes.append(.nothing)
    try pieces.append(OverlayPiece(kind: 0, row: 0, points: nil, vertexCount: 0, partCount: 0, pathCount: 0))
    graphics.append(nil)
    batches.append(nil)
    counts[Int(truncatingIfNeeded: Verdict.gone.rawValue)] &+= 1
    return slot
  }

  /// Sets a slot to the current state of a graphic.
  private func set(_ slot: Int, _ change: OverlaySnapshot.Change) throws(EngineError) {
    let old = slots[slot]
    lookCount &+= 1
    counts[Int(truncatingIfNeeded: old.verdict.rawValue)] &-= 1
    if old.verdict != .gone {
      if old.verdict == .failed { failures[slot] = nil }
      if old.isCollection, let ended = members.removeValue(forKey: slot) { dropped.append(ended) }
      if let ended = graphics[slot] { dropped.append(ended) }
      if let ended = batches[slot] { dropped.append(ended) }
      zIndexes.remove(old.zIndex)
    }
    graphics[slot] = change.graphic
    batches[slot] = change.image?.batch
    var new = Slot(id: change.id, zIndex: 0)
    boxes[slot] = .nothing
    if let graphic = change.graphic, let image = change.image {
      new.zIndex = graphic.zIndex
      new.isBallpark = image.isBallpark
      new.isSelected = change.isSelected
      zIndexes.insert(new.zIndex)
      try judge(slot, graphic, image, &new)
    }
    counts[Int(truncatingIfNeeded: new.verdict.rawValue)] &+= 1
    slots[slot] = new
    place(slot)
  }

  private func judge(
    _ slot: Int, _ graphic: Graphic, _ image: GraphicImage, _ new: inout Slot
  ) throws(EngineError) {
    if graphic.isHidden {
      new.verdict = .hidden
    } else if graphic.columns.isEmpty(graphic.row) {
      new.verdict = .empty
    } else if let number = try palette.number(for: graphic) {
      new.symbol = number
      var failure = image.failure
      if failure == nil {
        let isDrawn = try addPieces(slot, graphic, image, &new)
        if !isDrawn { failure = GraphicImage.Failure(.wrongSymbol) }
      }
      new.verdict = failure == nil ? .drawn : .failed
      if let failure { failures[slot] = failure }
    } else {
      new.verdict = .unsymbolized
    }
  }

  /// False if the symbol draws nothing of the graphic.
  private func addPieces(
    _ slot: Int, _ graphic: Graphic, _ image: GraphicImage, _ new: inout Slot
  ) throws(EngineError) -> Bool {
    let symbol = palette.symbols[Int(truncatingIfNeeded: new.symbol)]
    if graphic.columns.kind(graphic.row) != .collection {
      guard let piece = Self.piece(graphic.columns, graphic.row, symbol, image.batch, image.start) else { return false }
      pieces[slot] = piece
      boxes[slot] = piece.box
      return true
    }
    new.isCollection = true
    var (found, columns) = ([OverlayPiece](), [GeometryColumns]())
    var (next, box) = (image.start, Envelope.nothing)
    try graphic.columns.forEachSimple(graphic.row) { (owner, row) throws(EngineError) in
      let start = next
      next &+= owner.vertices(ofGeometry: row).count
      guard let piece = Self.piece(owner, row, symbol, image.batch, start) else { return }
      found.append(piece)
      columns.append(owner)
      box.extend(around: piece.box)
    }
    if !found.isEmpty { members[slot] = try OverlayMembers(found, columns) }
    boxes[slot] = box
    return !found.isEmpty
  }

  /// - Parameter start: where its vertices begin in the batch, if that has some.
  private static func piece(
    _ columns: GeometryColumns, _ row: Int, _ symbol: Symbol, _ batch: ImageBatch, _ start: Int
  ) -> OverlayPiece? {
    let (vertices, kind) = (columns.vertices(ofGeometry: row), columns.kind(row))
    guard !vertices.isEmpty, symbol.draws(kind) else { return nil }
    let points: UnsafePointer<Point>
    if let projected = batch.points?.buffer.baseAddress {
      points = UnsafePointer(projected + start)
    } else if let own = columns.points.buffer.baseAddress {
      points = own + vertices.lowerBound
    } else {
      return nil
    }
    return OverlayPiece(
      kind: UInt8(truncatingIfNeeded: kind.rawValue), row: row, points: points, vertexCount: vertices.count,
      partCount: columns.parts(ofGeometry: row).count, pathCount: columns.paths(ofGeometry: row).count)
  }
}
