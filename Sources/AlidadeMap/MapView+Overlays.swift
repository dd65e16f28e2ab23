import AlidadeBase
import AlidadeCoordinates

/// The graphics overlays of a view, the lowest in drawing order first.
///
/// A class of its own, so that they leave when the view ends.
final class OverlayStack: Sendable {
  let overlays = Lock<[GraphicsOverlay]>([])

  deinit {
    for overlay in overlays.withLock({ $0 }) { overlay.leave() }
  }
}

extension MapView {
  public var graphicsOverlays: [GraphicsOverlay] { overlayStack.overlays.withLock { $0 } }

  /// Puts an overlay on top.
  public func add(_ overlay: GraphicsOverlay) throws(EngineError) { try insert(overlay, at: nil) }

  /// Puts an overlay at a place among the others.
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

  /// Moves an overlay to another place.
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
  }

  /// What to draw of the view's overlays as view and overlays are now.
  ///
  /// - Parameters:
  ///   - overlay: the only one to draw; nil: all.
  ///   - keepsOutside: graphics that are not in sight are kept, too.
  public func overlayDrawing(
    of overlay: GraphicsOverlay? = nil, keepsOutside: Bool = false
  ) throws(EngineError) -> OverlayDrawing {
    var overlays = graphicsOverlays
    if let overlay {
      guard overlays.contains(where: { $0 === overlay }) else { throw Self.noMember }
      overlays = [overlay]
    }
    let frame = try frame()
    var moments: [OverlayMoment] = []
    for overlay in overlays { moments.append(try overlay.moment(in: frame.spatialReference, scale: frame.scale)) }
    return try OverlayDrawing(moments, in: frame, keepsOutside: keepsOutside)
  }

  private static var noMember: EngineError {
    EngineError(.notFound, "The overlay is not in this view. Add it there first.")
  }

  private static func noPlace(_ index: Int, _ last: Int) -> EngineError {
    EngineError(.notFound, "There is no place \(index) among the view's overlays; they go from 0 to \(last).")
  }
}
