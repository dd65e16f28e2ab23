import AlidadeBase
import AlidadeCoordinates

/// An overlay as of one moment, but for its graphics.
struct OverlayMoment: Sendable {
  let overlay: GraphicsOverlay
  let options: GraphicsOverlayOptions
  let generation: UInt64
  let graphicCount: Int
}

/// What a table of an overlay needs to catch up with a moment.
struct OverlaySnapshot: Sendable {
  struct Change: Sendable {
    let id: UInt64
    /// nil: it is gone.
    var graphic: Graphic?
    /// nil as long as it is not known, or if the graphic is gone.
    var image: GraphicImage?
    var isSelected: Bool
  }

  let moment: OverlayMoment
  /// Of the overlay's log: where the table has to be at least, and where it is afterwards; nil: all graphics follow.
  let from: UInt64?
  let to: UInt64
  let rendererGeneration: UInt64
  let renderer: GraphicsRenderer?
  let names: AttributeNameTable
  /// The grids with which images were made, or newer ones.
  let gridGeneration: UInt64
  /// nil: the overlay is not drawn.
  var changes: [Change]?
}

extension GraphicsOverlay {
  /// What a table needs, with all images.
  ///
  /// - Parameters:
  ///   - scale: the overlay is drawn only if it is shown at this scale; nil: whatever its options say.
  ///   - known: how far the table is; nil: there is none.
  func snapshot(
    in target: SpatialReference, scale: Double?, since known: OverlayTable.Progress?
  ) throws(EngineError) -> OverlaySnapshot {
    let grids = Coordinates.gridGeneration(of: runtime)
    var (snapshot, all) = state.withLock { state in state.snapshot(of: self, scale: scale, since: known, grids) }
    guard snapshot.changes != nil else { return snapshot }
    try project(&snapshot, all, into: target)
    return snapshot
  }

  /// Finds the images, and projects what has none yet.
  private func project(
    _ snapshot: inout OverlaySnapshot, _ all: AllGraphics?, into target: SpatialReference
  ) throws(EngineError) {
    var changes = snapshot.changes ?? []
    snapshot.changes = nil
    if let all { changes = state.withLock { _ in all.changes } }
    // Projecting is not done with the lock held.
    var (places, graphics) = ([Int](), [Graphic]())
    var good: ImageBatch?
    for (place, change) in changes.enumerated() {
      guard let graphic = change.graphic else { continue }
      if let batch = change.image?.batch {
        // Mostly the one of the graphic before.
        if batch === good { continue }
        if batch.isGood(for: target) {
          good = batch
          continue
        }
      }
      places.append(place)
      graphics.append(graphic)
    }
    if !places.isEmpty {
      let made = try GraphicImages(target: target).images(of: graphics)
      for (place, image) in zip(places, made) { changes[place].image = image }
      // What they replace ends after the lock is free.
      let replaced = state.withLock { _ in
        zip(graphics, made).map { graphic, image in
          let old = graphic.image
          graphic.image = image
          return old
        }
      }
      _ = replaced
    }
    snapshot.changes = changes
  }

  /// The table has come so far: what was before is needed no more.
  func tableHasReached(_ position: UInt64) { state.withLock { $0.log.trim(before: position) } }
}

/// All graphics of an overlay, and which are selected.
private struct AllGraphics {
  let graphics: [Graphic]
  let selection: Set<UInt64>

  /// With the overlay's lock held, for the sake of the images.
  var changes: [OverlaySnapshot.Change] {
    graphics.map {
      OverlaySnapshot.Change(
        id: $0.id, graphic: $0, image: $0.image, isSelected: !selection.isEmpty && selection.contains($0.id))
    }
  }
}

extension GraphicsOverlay.State {
  fileprivate func snapshot(
    of overlay: GraphicsOverlay, scale: Double?, since known: OverlayTable.Progress?, _ grids: UInt64
  ) -> (OverlaySnapshot, AllGraphics?) {
    var known = known
    // Another renderer, or other grids, concern all graphics.
    if known?.rendererGeneration != rendererGeneration || known?.gridGeneration != grids { known = nil }
    let entries = known.flatMap { log.entries(from: $0.position) }
    let isShown = scale.map { options.isShown(at: $0) } ?? true
    let snapshot = OverlaySnapshot(
      moment: OverlayMoment(
        overlay: overlay, options: options, generation: generation, graphicCount: graphics.count),
      from: entries == nil ? nil : known?.position, to: log.end, rendererGeneration: rendererGeneration,
      renderer: renderer, names: names, gridGeneration: grids,
      changes: !isShown
        ? nil
        : (entries ?? []).map { id in
          let graphic = graphics[id]
          return OverlaySnapshot.Change(
            id: id, graphic: graphic, image: graphic?.image, isSelected: selection.contains(id))
        })
    let needsAll = isShown && entries == nil
    return (snapshot, needsAll ? AllGraphics(graphics: graphics.graphics, selection: selection) : nil)
  }
}
