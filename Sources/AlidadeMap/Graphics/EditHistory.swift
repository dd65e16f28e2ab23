/// A graphic that comes, goes or changes.
struct GraphicChange: Sendable {
  let id: UInt64
  /// nil: it was not there.
  let before: Graphic?
  /// nil: it is gone.
  var after: Graphic?

  /// It came and went within the step.
  fileprivate var isNothing: Bool { before == nil && after == nil }
}

/// What one call did, or all calls of a group, by rising ids.
struct EditStep: Sendable {
  /// By rising ids. Some may no longer be a change.
  private var sorted: [GraphicChange]
  /// What single edits have added since, so that none of them moves what is sorted.
  private var added: [UInt64: GraphicChange] = [:]
  private var nothings = 0
  /// What the history keeps alive for undo, and for redo, in bytes.
  private(set) var undoBytes: Int
  private(set) var redoBytes: Int

  init(_ changes: [GraphicChange]) {
    sorted = changes
    (undoBytes, redoBytes) = (0, 0)
    for change in changes { count(change) }
  }

  /// What is only to be let go of.
  init(forgotten changes: [GraphicChange]) {
    sorted = changes
    (undoBytes, redoBytes) = (0, 0)
  }

  /// How many changes it keeps.
  var size: Int { sorted.count &+ added.count }

  var isEmpty: Bool { sorted.count == nothings && added.isEmpty }

  /// By rising ids.
  var changes: [GraphicChange] {
    if added.isEmpty && nothings == 0 { return sorted }
    var (merged, rest) = ([GraphicChange](), added.values.sorted { $0.id < $1.id }[...])
    merged.reserveCapacity(sorted.count &+ added.count)
    for change in sorted where !change.isNothing {
      while let next = rest.first, next.id < change.id { merged.append(rest.removeFirst()) }
      merged.append(change)
    }
    return merged + rest
  }

  private mutating func count(_ change: GraphicChange) {
    undoBytes = undoBytes.addingClamped(Self.bytes(change.before, beside: change.after))
    redoBytes = redoBytes.addingClamped(Self.bytes(change.after, beside: change.before))
  }

  /// A change without its geometry, attributes and symbol.
  static let bytesPerChange = GraphicsOverlay.bytesPerGraphic &+ 40

  /// What a graphic takes beyond what the other has in common with it, as if its geometry were alone in its array.
  private static func bytes(_ graphic: Graphic?, beside other: Graphic?) -> Int {
    guard let graphic else { return bytesPerChange }
    var sum = bytesPerChange
    if let other, graphic.columns === other.columns, graphic.row == other.row {
      // The geometry would be kept anyway.
    } else {
      let perVertex = 16 &+ (graphic.columns.z == nil ? 0 : 8) &+ (graphic.columns.m == nil ? 0 : 8)
      // As projected, too. A vertex count is below 2^31.
      sum &+= graphic.columns.vertexCount(graphic.row) &* (perVertex &+ 16)
    }
    for attribute in graphic.attributes { sum = sum.addingClamped(attribute.bytes) }
    return sum
  }

  /// Adds later changes: for each graphic, its first state and its last state are kept. Returns the states in between
  /// that are dropped.
  mutating func merge(_ later: [GraphicChange]) -> [GraphicChange] {
    if later.count == 1, let change = later.first { return merge(change) }
    var (merged, dropped, rest) = ([GraphicChange](), [GraphicChange](), later[...])
    merged.reserveCapacity(changes.count &+ later.count)
    for change in changes {
      while let next = rest.first, next.id < change.id { merged.append(rest.removeFirst()) }
      guard let next = rest.first, next.id == change.id else {
        merged.append(change)
        continue
      }
      rest = rest.dropFirst()
      dropped.append(GraphicChange(id: change.id, before: change.after, after: nil))
      // What came and went within the step was never there.
      if change.before == nil, next.after == nil { continue }
      merged.append(GraphicChange(id: change.id, before: change.before, after: next.after))
    }
    self = EditStep(merged + rest)
    return dropped
  }

  /// The step of a drag, again and again: it takes no longer however many graphics the step has.
  private mutating func merge(_ later: GraphicChange) -> [GraphicChange] {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low &+ high) / 2
      if sorted[middle].id < later.id { low = middle &+ 1 } else { high = middle }
    }
    let index = low < sorted.count && sorted[low].id == later.id ? low : nil
    let known = index.map { sorted[$0] } ?? added[later.id]
    var change = later
    if let known, !known.isNothing {
      undoBytes &-= Self.bytes(known.before, beside: known.after)
      redoBytes &-= Self.bytes(known.after, beside: known.before)
      change = GraphicChange(id: later.id, before: known.before, after: later.after)
    }
    if !change.isNothing { count(change) }
    if let index {
      nothings &+= (change.isNothing ? 1 : 0) &- (sorted[index].isNothing ? 1 : 0)
      sorted[index] = change
    } else {
      added[later.id] = change.isNothing ? nil : change
    }
    guard let known, !known.isNothing else { return [] }
    return [GraphicChange(id: later.id, before: known.after, after: nil)]
  }
}

/// The edits of an overlay that can be undone, and done again.
struct EditHistory: Sendable {
  private(set) var undoable: [EditStep] = []
  private(set) var redoable: [EditStep] = []
  /// How many steps are kept.
  var limit = Self.defaultLimit
  /// How much memory all steps may take; the last step is kept whatever it takes.
  var byteLimit = Int.max
  /// A group is open: what is done now is one step.
  private(set) var isGrouping = false
  /// The last step is that of the open group.
  private var hasGroupStep = false

  static let defaultLimit = 100
  static let largestLimit = 10_000

  private var bytes: Int {
    let undo = undoable.reduce(0) { $0.addingClamped($1.undoBytes) }
    return redoable.reduce(undo) { $0.addingClamped($1.redoBytes) }
  }

  /// Adds an edit. Returns what is forgotten for it: the caller releases that when its lock is free.
  mutating func add(_ changes: [GraphicChange]) -> [EditStep] {
    var forgotten = redoable
    redoable = []
    if hasGroupStep, !undoable.isEmpty {
      let last = undoable.count &- 1
      forgotten.append(EditStep(forgotten: undoable[last].merge(changes)))
      if undoable[last].isEmpty {
        undoable.removeLast()
        hasGroupStep = false
      }
    } else {
      undoable.append(EditStep(changes))
      hasGroupStep = isGrouping
    }
    return forgotten + trim()
  }

  /// Forgets the oldest edits that are beyond the limits.
  mutating func trim() -> [EditStep] {
    var excess = min(undoable.count, max(0, undoable.count &+ redoable.count &- limit))
    var rest = bytes
    for step in undoable.prefix(excess) { rest &-= step.undoBytes }
    while rest > byteLimit, excess < undoable.count &- 1 {
      rest &-= undoable[excess].undoBytes
      excess &+= 1
    }
    var forgotten = Array(undoable.prefix(excess))
    undoable.removeFirst(excess)
    if undoable.isEmpty { hasGroupStep = false }
    // A lower limit can reach what has been undone, too: what was undone first is the farthest away.
    while undoable.count &+ redoable.count > limit, let first = redoable.first {
      forgotten.append(first)
      redoable.removeFirst()
    }
    return forgotten
  }

  mutating func clear() -> [EditStep] {
    let forgotten = undoable + redoable
    (undoable, redoable, hasGroupStep) = ([], [], false)
    return forgotten
  }

  /// The changes that undo the last edit, or what an open group has done so far.
  mutating func undo() -> [GraphicChange]? {
    guard let step = undoable.popLast() else { return nil }
    hasGroupStep = false
    redoable.append(step)
    return step.changes.map { GraphicChange(id: $0.id, before: $0.after, after: $0.before) }
  }

  /// The changes that do the edit again that was undone last.
  mutating func redo() -> [GraphicChange]? {
    guard let step = redoable.popLast() else { return nil }
    hasGroupStep = false
    undoable.append(step)
    return step.changes
  }

  /// False if a group is open already.
  mutating func beginGroup() -> Bool {
    guard !isGrouping else { return false }
    isGrouping = true
    return true
  }

  /// False if there is no open group.
  mutating func endGroup() -> Bool {
    guard isGrouping else { return false }
    (isGrouping, hasGroupStep) = (false, false)
    return true
  }
}

extension Int {
  /// The sum of two numbers that are not negative; the largest number if it is larger.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension GraphicAttribute {
  /// About what it takes, its text included.
  fileprivate var bytes: Int {
    let own = 32
    if case .text(let text) = value { return own &+ text.utf8.count }
    return own
  }
}
