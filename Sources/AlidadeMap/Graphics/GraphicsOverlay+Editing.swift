import AlidadeBase
import AlidadeGeometry

extension GraphicsOverlay {
  // MARK: Edits

  /// Adds a graphic for each geometry of the columns. Returns the id of the first; the ids of the others follow. 0
  /// without geometries.
  public func add(_ geometries: GeometryArray, _ columns: GraphicColumns? = nil) throws(EngineError) -> UInt64 {
    try add(geometries.columns, 0..<geometries.count, columns)
  }

  /// Adds one graphic and returns its id.
  public func add(_ geometry: Geometry, _ columns: GraphicColumns? = nil) throws(EngineError) -> UInt64 {
    try add(geometry.columns, geometry.row..<(geometry.row &+ 1), columns)
  }

  private func add(
    _ geometries: GeometryColumns, _ rows: Range<Int>, _ columns: GraphicColumns?
  ) throws(EngineError) -> UInt64 {
    try check(rows.count, columns)
    guard !rows.isEmpty else { return 0 }
    let (first, forgotten) = try state.withLock {
      (state) throws(EngineError) -> (UInt64, [EditStep]) in
      guard state.graphics.count &+ rows.count <= Self.graphicLimit else {
        throw EngineError(.limitExceeded, "An overlay has at most 16,777,216 graphics.")
      }
      let changes = try GraphicChanges(columns, &state.names)
      let first = state.nextID
      state.nextID = first &+ UInt64(truncatingIfNeeded: rows.count)
      let step = rows.enumerated().map { index, row in
        let id = first &+ UInt64(truncatingIfNeeded: index)
        return GraphicChange(id: id, before: nil, after: changes.graphic(index, id: id, geometries, row))
      }
      return (first, state.edit(step))
    }
    letGo(forgotten)
    return first
  }

  /// Changes graphics: the geometries if there are some, and what the columns name. If an id comes twice, the last
  /// counts.
  public func update(
    _ ids: [UInt64], geometries: GeometryArray? = nil, _ columns: GraphicColumns? = nil
  ) throws(EngineError) {
    try check(ids.count, columns)
    if let geometries, geometries.count != ids.count {
      throw EngineError(
        .invalidArgument, "There are \(geometries.count) geometries for \(ids.count) graphics.")
    }
    if geometries == nil, columns?.saysNothing ?? true { return try requireAll(ids) }
    let forgotten = try state.withLock { (state) throws(EngineError) -> [EditStep] in
      let order = try state.order(ids)
      let changes = try GraphicChanges(columns, &state.names)
      let step = order.map { graphic, index in
        GraphicChange(
          id: graphic.id, before: graphic, after: changes.changed(graphic, index, geometry: geometries?.columns))
      }
      return state.edit(step)
    }
    letGo(forgotten)
  }

  /// Changes the geometry of one graphic.
  public func setGeometry(_ geometry: Geometry, of id: UInt64) throws(EngineError) {
    let forgotten = try state.withLock { (state) throws(EngineError) -> [EditStep] in
      guard let before = state.graphics[id] else { throw Self.noGraphic(id) }
      let after = Graphic(
        id: id, columns: geometry.columns, row: geometry.row, zIndex: before.zIndex, isHidden: before.isHidden,
        symbol: before.symbol, attributes: before.attributes)
      return state.edit([GraphicChange(id: id, before: before, after: after)])
    }
    letGo(forgotten)
  }

  /// Removes graphics; an id may come twice.
  public func remove(_ ids: [UInt64]) throws(EngineError) {
    try runtime.policy.check(points: ids.count)
    let forgotten = try state.withLock { (state) throws(EngineError) -> [EditStep] in
      let order = try state.order(ids)
      return state.edit(order.map { GraphicChange(id: $0.graphic.id, before: $0.graphic, after: nil) })
    }
    letGo(forgotten)
  }

  public func removeAll() {
    let forgotten = state.withLock { state in
      state.edit(state.graphics.graphics.map { GraphicChange(id: $0.id, before: $0, after: nil) })
    }
    letGo(forgotten)
  }

  private func check(_ count: Int, _ columns: GraphicColumns?) throws(EngineError) {
    try runtime.policy.check(points: count)
    try runtime.policy.check(bytes: count, Self.bytesPerGraphic)
    guard let columns else { return }
    guard columns.count == count else {
      throw EngineError(.invalidArgument, "The columns are for \(columns.count) graphics; there are \(count).")
    }
    try columns.check()
  }

  private func requireAll(_ ids: [UInt64]) throws(EngineError) {
    let graphics = state.withLock { $0.graphics }
    for id in ids where graphics[id] == nil { throw Self.noGraphic(id) }
  }

  /// Ends what an edit has made the history forget, now that the lock is free. A large step ends on a worker: whoever moves
  /// one graphic shall not wait for the end of a step that has added a hundred thousand.
  private func letGo(_ forgotten: consuming [EditStep]) {
    if forgotten.contains(where: { $0.size > 1000 }) { runtime.workers.release(forgotten) }
  }

  /// What a graphic takes without its geometry, attributes and symbol.
  static let bytesPerGraphic = 160

  // MARK: Undo

  /// Opens a group: all edits up to its end are one step for undo, in which each graphic has what it was before and what
  /// it is last.
  public func beginUndoGroup() throws(EngineError) {
    guard state.withLock({ $0.history.beginGroup() }) else {
      throw EngineError(.invalidState, "A group of edits is open already. End it first.")
    }
  }

  public func endUndoGroup() throws(EngineError) {
    guard state.withLock({ $0.history.endGroup() }) else {
      throw EngineError(.invalidState, "No group of edits is open. Begin one first.")
    }
  }

  /// Undoes the last edit, or the edits of an open group. Returns the number of graphics that changed; 0 if there was
  /// nothing to undo.
  public func undo() -> Int { apply { $0.undo() } }

  /// Does the edit again that was undone last.
  public func redo() -> Int { apply { $0.redo() } }

  private func apply(_ take: (inout EditHistory) -> [GraphicChange]?) -> Int {
    state.withLock { state in
      guard let step = take(&state.history) else { return 0 }
      state.apply(step)
      return step.count
    }
  }

  public func clearHistory() {
    let forgotten = state.withLock { state in
      if !state.history.undoable.isEmpty || !state.history.redoable.isEmpty { state.generation &+= 1 }
      return state.history.clear()
    }
    _ = forgotten
  }

  // MARK: Selection

  public func select(_ ids: [UInt64], isSelected: Bool = true) throws(EngineError) {
    try runtime.policy.check(points: ids.count)
    try state.withLock { (state) throws(EngineError) in
      for id in ids where state.graphics[id] == nil { throw Self.noGraphic(id) }
      let before = state.selection.count
      for id in ids { if isSelected { state.selection.insert(id) } else { state.selection.remove(id) } }
      guard state.selection.count != before else { return }
      state.generation &+= 1
      state.log.note(ids, of: state.graphics.count)
    }
  }

  public func clearSelection() {
    state.withLock { state in
      guard !state.selection.isEmpty else { return }
      state.generation &+= 1
      state.log.note(state.selection, of: state.graphics.count)
      state.selection = []
    }
  }
}

extension GraphicsOverlay.State {
  /// The graphics with the ids, each once, by rising ids, with the index where the id came last.
  fileprivate func order(_ ids: [UInt64]) throws(EngineError) -> [(graphic: Graphic, index: Int)] {
    var found: [(graphic: Graphic, index: Int)] = []
    found.reserveCapacity(ids.count)
    for (index, id) in ids.enumerated() {
      guard let graphic = graphics[id] else { throw GraphicsOverlay.noGraphic(id) }
      found.append((graphic, index))
    }
    let isRising = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
    if isRising { return found }
    found.sort { ($0.graphic.id, $0.index) < ($1.graphic.id, $1.index) }
    var each: [(graphic: Graphic, index: Int)] = []
    for one in found {
      if each.last?.graphic.id == one.graphic.id { each.removeLast() }
      each.append(one)
    }
    return each
  }

  /// Does an edit, and keeps it for undo. Returns what is forgotten: it ends when the lock is free.
  fileprivate mutating func edit(_ step: [GraphicChange]) -> [EditStep] {
    guard !step.isEmpty else { return [] }
    apply(step)
    return options.undoLimit == 0 ? [EditStep(forgotten: step)] : history.add(step)
  }

  fileprivate mutating func apply(_ step: [GraphicChange]) {
    graphics.apply(step)
    if !selection.isEmpty { for change in step where change.after == nil { selection.remove(change.id) } }
    generation &+= 1
    log.note(step.lazy.map(\.id), of: graphics.count)
  }
}
