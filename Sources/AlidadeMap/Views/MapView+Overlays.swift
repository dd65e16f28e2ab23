import AlidadeBase
import AlidadeCoordinates

/// The graphics overlays of a view, the lowest in drawing order first.
///
/// A class of its own, so that they leave when the view ends.
final class OverlayStack: Sendable {
  let overlays = Lock<[GraphicsOverlay]>([])
  /// What the overlays are on the map, by their identities. The lock is held while a drawing is made: there is one at a
  /// time. Inside it an overlay's own lock is never taken.
  let tables = Lock<[UInt64: OverlayTable]>([:])

  deinit {
    for overlay in overlays.withLock({ $0 }) { overlay.leave() }
  }
}

extension MapView {
  public var graphicsOverlays: [GraphicsOverlay] { overlayStack.overlays.withLock { $0 } }

  /// Puts an overlay on top.
  public func add(_ overlay: GraphicsOverlay) throws(EngineError) { try insert(overlay, at: nil) }

  /// Inserts an overlay at an index among the others.
  public func insert(_ overlay: GraphicsOverlay, at index: Int) throws(EngineError) {
    try insert(overlay, at: Optional(index))
  }

  private func insert(_ overlay: GraphicsOverlay, at index: Int?) throws(EngineError) {
    // The overlay's lock is taken inside the view's, here and below, and never the other way round.
    try overlayStack.overlays.withLock { (overlays) throws(EngineError) in
      let place = index ?? overlays.count
      guard place >= 0, place <= overlays.count else { throw Self.noPlace(place, overlays.count) }
      guard overlay.join(identity) else {
        throw EngineError(.invalidState, "The overlay is in a view already. Remove it there first.")
      }
      overlays.insert(overlay, at: place)
    }
  }

  /// Moves an overlay to another index.
  public func move(_ overlay: GraphicsOverlay, to index: Int) throws(EngineError) {
    try overlayStack.overlays.withLock { (overlays) throws(EngineError) in
      guard let place = overlays.firstIndex(where: { $0 === overlay }) else { throw Self.noMember }
      guard overlays.indices.contains(index) else { throw Self.noPlace(index, overlays.count &- 1) }
      overlays.insert(overlays.remove(at: place), at: index)
    }
  }

  public func remove(_ overlay: GraphicsOverlay) throws(EngineError) {
    try overlayStack.overlays.withLock { (overlays) throws(EngineError) in
      guard let place = overlays.firstIndex(where: { $0 === overlay }) else { throw Self.noMember }
      overlays.remove(at: place)
      overlay.leave()
    }
    let table = overlayStack.tables.withLock { $0.removeValue(forKey: overlay.identity) }
    _ = table
  }

  /// The drawing of the view's overlays in the current state of view and overlays.
  ///
  /// - Parameters:
  ///   - overlay: the only overlay to draw; nil means all.
  ///   - keepsOutside: keeps graphics that are not in sight.
  public func overlayDrawing(
    of overlay: GraphicsOverlay? = nil, keepsOutside: Bool = false
  ) throws(EngineError) -> OverlayDrawing {
    let all = graphicsOverlays
    if let overlay { try requireMember(overlay) }
    let frame = try frame()
    return try runtime.limitedHere { () throws(EngineError) -> OverlayDrawing in
      try withLayouts(of: overlay.map { [$0] } ?? all, in: frame, keepsOutside: keepsOutside) {
        (sources) throws(EngineError) in try OverlayDrawing(sources, in: frame)
      }
    }
  }

  /// Throws unless an overlay is in the view.
  func requireMember(_ overlay: GraphicsOverlay) throws(EngineError) {
    if !graphicsOverlays.contains(where: { $0 === overlay }) { throw Self.noMember }
  }

  /// Brings the tables of overlays up to date and calls `body` with what there is to draw of each. The tables' lock is
  /// held meanwhile, and the layouts are good no longer than that.
  ///
  /// - Parameters:
  ///   - includesHidden: overlays that are not drawn have layouts, too.
  ///   - window: see `OverlayLayout.init`.
  func withLayouts<Result>(
    of overlays: [GraphicsOverlay], in frame: ViewFrame, keepsOutside: Bool = false, includesHidden: Bool = false,
    near window: Envelope? = nil, _ body: ([OverlayDrawing.Source]) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let all = graphicsOverlays
    var rounds = 0
    while true {
      // A round is lost when another thread draws in between and a table is not what it was. All graphics always fit.
      let steps = try steps(overlays, frame, includesHidden: includesHidden, fromScratch: rounds > 2)
      rounds &+= 1
      let (result, dropped) = try overlayStack.tables.withLock {
        (tables) throws(EngineError) -> (Result?, [AnyObject]) in
        var dropped: [AnyObject] = []
        let sources = try Self.sources(steps, &tables, &dropped, in: frame, keepsOutside: keepsOutside, near: window)
        // An overlay may have left while its last drawing was made.
        if tables.count > all.count {
          for (identity, table) in tables where !all.contains(where: { $0.identity == identity }) {
            dropped.append(table)
            tables[identity] = nil
          }
        }
        let result = try sources.map(body)
        for table in tables.values { dropped += table.takeDropped() }
        return (result, dropped)
      }
      _ = dropped
      guard let result else { continue }
      for step in steps where step.snapshot.changes != nil {
        step.snapshot.moment.overlay.tableHasReached(step.snapshot.to)
      }
      return result
    }
  }

  /// What an overlay's table has to do before it can be drawn.
  private struct Step {
    let snapshot: OverlaySnapshot
    /// A new one; nil: that of the view goes on.
    let table: OverlayTable?
  }

  private func steps(
    _ overlays: [GraphicsOverlay], _ frame: ViewFrame, includesHidden: Bool, fromScratch: Bool
  ) throws(EngineError) -> [Step] {
    let known = fromScratch ? [:] : overlayStack.tables.withLock { $0.compactMapValues(\.progress) }
    var steps: [Step] = []
    for overlay in overlays {
      let snapshot = try overlay.snapshot(
        in: frame.spatialReference, scale: includesHidden ? nil : frame.scale, since: known[overlay.identity])
      let isNew = snapshot.changes != nil && snapshot.from == nil
      steps.append(
        Step(snapshot: snapshot, table: isNew ? try OverlayTable(snapshot, in: frame.spatialReference) : nil))
    }
    return steps
  }

  /// Brings the tables up to date; nil if one has become another one meanwhile. Inside the tables' lock.
  private static func sources(
    _ steps: [Step], _ tables: inout [UInt64: OverlayTable], _ dropped: inout [AnyObject], in frame: ViewFrame,
    keepsOutside: Bool, near window: Envelope?
  ) throws(EngineError) -> [OverlayDrawing.Source]? {
    var sources: [OverlayDrawing.Source] = []
    for step in steps {
      let moment = step.snapshot.moment
      guard step.snapshot.changes != nil else {
        sources.append(.hidden(moment))
        continue
      }
      let identity = moment.overlay.identity
      var isReady = try tables[identity]?.follow(step.snapshot) ?? false
      if !isReady, let made = step.table {
        if let old = tables.updateValue(made, forKey: identity) { dropped.append(old) }
        isReady = true
      }
      guard isReady, let table = tables[identity] else { return nil }
      sources.append(.layout(try OverlayLayout(table, in: frame, keepsOutside: keepsOutside, near: window)))
    }
    return sources
  }

  private static var noMember: EngineError {
    EngineError(.notFound, "The overlay is not in this view. Add it there first.")
  }

  private static func noPlace(_ index: Int, _ last: Int) -> EngineError {
    EngineError(.notFound, "There is no index \(index) among the view's overlays; the indexes go from 0 to \(last).")
  }
}
