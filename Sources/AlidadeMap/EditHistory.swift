/// A graphic that comes, goes or changes.
struct GraphicChange: Sendable {
  let id: UInt64
  /// nil: it was not there.
  let before: Graphic?
  /// nil: it is gone.
  let after: Graphic?
}

/// The edits of an overlay that can be undone, and done again.
struct EditHistory: Sendable {
  /// What one call did, by rising ids.
  typealias Step = [GraphicChange]

  private(set) var undoable: [Step] = []
  private(set) var redoable: [Step] = []
  /// How many steps are kept.
  var limit = Self.defaultLimit
  /// How many graphics all steps hold.
  private var size = 0

  static let defaultLimit = 100
  static let largestLimit = 10_000
  /// How many graphics steps hold at most; the last step is kept whatever it holds.
  static let sizeLimit = 4_194_304

  /// Adds an edit. Answers what is forgotten for it: the caller lets go of that when its lock is free.
  mutating func add(_ step: Step) -> [Step] {
    var forgotten = redoable
    for step in redoable { size &-= step.count }
    redoable = []
    undoable.append(step)
    size &+= step.count
    forgotten += trim()
    return forgotten
  }

  /// Forgets the oldest edits that are beyond the limits.
  mutating func trim() -> [Step] {
    var excess = max(0, undoable.count &+ redoable.count &- limit)
    var rest = size
    for step in undoable.prefix(excess) { rest &-= step.count }
    while rest > Self.sizeLimit, excess < undoable.count &- 1 {
      rest &-= undoable[excess].count
      excess &+= 1
    }
    let forgotten = Array(undoable.prefix(excess))
    undoable.removeFirst(forgotten.count)
    var all = forgotten
    // A lower limit can reach what has been undone, too: what was undone first is the farthest away.
    while undoable.count &+ redoable.count > limit, let first = redoable.first {
      all.append(first)
      redoable.removeFirst()
    }
    for step in all { size &-= step.count }
    return all
  }

  mutating func clear() -> [Step] {
    let forgotten = undoable + redoable
    (undoable, redoable, size) = ([], [], 0)
    return forgotten
  }

  /// The changes that undo the last edit.
  mutating func undo() -> Step? {
    guard let step = undoable.popLast() else { return nil }
    redoable.append(step)
    return step.map { GraphicChange(id: $0.id, before: $0.after, after: $0.before) }
  }

  /// The changes that do the edit again that was undone last.
  mutating func redo() -> Step? {
    guard let step = redoable.popLast() else { return nil }
    undoable.append(step)
    return step
  }
}
