import AlidadeBase
import AlidadeCoordinates

/// An overlay as of one moment, ready to be drawn.
struct OverlayMoment: Sendable {
  let overlay: GraphicsOverlay
  let options: GraphicsOverlayOptions
  let generation: UInt64
  let selection: Set<UInt64>
  /// nil: the overlay is not drawn at this scale, or hidden; its graphics are counted all the same.
  let prepared: PreparedOverlay?
  let graphicCount: Int
}

extension GraphicsOverlay {
  /// The overlay as it is now, for a map and a scale.
  func moment(in target: SpatialReference, scale: Double) throws(EngineError) -> OverlayMoment {
    let (state, kept) = self.state.withLock { ($0, $0.prepared) }
    var prepared: PreparedOverlay?
    if state.options.isShown(at: scale) {
      if let kept, kept.isGood(for: target, state.contentGeneration) {
        prepared = kept
      } else {
        prepared = try prepare(state, in: target)
      }
    }
    return OverlayMoment(
      overlay: self, options: state.options, generation: state.generation, selection: state.selection,
      prepared: prepared, graphicCount: state.graphics.count)
  }

  /// Projects what has no image yet, chooses symbols, and keeps both for the next frames.
  private func prepare(_ state: State, in target: SpatialReference) throws(EngineError) -> PreparedOverlay {
    let graphics = state.graphics.inDrawOrder
    var images = self.state.withLock { _ in graphics.map(\.image) }
    // Neither projecting nor choosing is done with the lock held.
    let missing = images.indices.filter { !(images[$0]?.batch.isGood(for: target) ?? false) }
    if !missing.isEmpty {
      let made = try GraphicImages(target: target).images(of: missing.map { graphics[$0] })
      for (index, image) in zip(missing, made) { images[index] = image }
      self.state.withLock { _ in
        for (index, image) in zip(missing, made) { graphics[index].image = image }
      }
    }
    let prepared = try PreparedOverlay(
      graphics, images.compactMap { $0 }, state.renderer, state.names, contentGeneration: state.contentGeneration,
      target: target)
    // One that is too old already is used this once.
    let replaced = self.state.withLock { now -> PreparedOverlay? in
      guard now.contentGeneration == prepared.contentGeneration else { return nil }
      let old = now.prepared
      now.prepared = prepared
      return old
    }
    _ = replaced
    return prepared
  }
}
