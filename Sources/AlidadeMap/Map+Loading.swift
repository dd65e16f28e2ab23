import AlidadeBase
import AlidadeCoordinates

extension Map {
  /// Takes the spatial reference of the lowest layer that is loaded and has one, once all layers below it have ended
  /// loading, if none is known. To be called after anything has changed that this may depend on, with no lock held.
  func findSpatialReference() {
    guard spatialReference == nil else { return }
    let found = leavesThatHaveEnded.lazy.compactMap { $0.loadStatus == .loaded ? $0.spatialReference : nil }.first
    guard let found else { return }
    state.withLock { if $0.spatialReference == nil { $0.spatialReference = found } }
  }

  // MARK: Loading

  /// Begins to load a layer, or those in a group, if a view looks at the map or the map itself is being loaded. One that
  /// has failed is not tried again.
  func loadIfNeeded(_ layer: Layer) {
    guard state.withLock({ $0.viewCount }) > 0 || loadStatus == .loading else { return }
    for leaf in layer.leaves { leaf.beginLoading() }
  }

  func viewDidAppear() {
    state.withLock { $0.viewCount &+= 1 }
    for layer in leaves { layer.beginLoading() }
  }

  func viewDidDisappear() { state.withLock { $0.viewCount &-= 1 } }

  /// Does not wait for a layer, or those in a group, any more.
  func endLoad(without layer: Layer) {
    guard loadStatus == .loading else { return }
    let gone = layer.leaves.map(\.identity)
    state.withLock { $0.pendingLayers.subtract(gone) }
    endLoadIfDone()?()
  }

  /// Ends the map's loading once all of its layers have ended theirs, and their waiters were told.
  ///
  /// - Parameter identity: of a layer that has ended.
  /// - Returns: see `endLoad`.
  func endLoadIfDone(without identity: UInt64? = nil) -> (@Sendable () -> Void)? {
    guard loadStatus == .loading else { return nil }
    let mayBeDone = state.withLock { state in
      if let identity { state.pendingLayers.remove(identity) }
      return state.pendingLayers.isEmpty
    }
    // With many layers, all are looked at only now and then.
    guard mayBeDone, !waits(for: leaves) else { return nil }
    return endLoad(error: spatialReference == nil ? lackOfSpatialReference : nil)
  }

  /// Notes which of some layers have not ended; answers whether there are any.
  private func waits(for layers: [Layer]) -> Bool {
    var open = layers.filter { !$0.toldLoadStatus.hasEnded }
    while !open.isEmpty {
      state.withLock { $0.pendingLayers.formUnion(open.map(\.identity)) }
      // One that has ended since, before it was noted, does not come again.
      let missed = open.filter { $0.toldLoadStatus.hasEnded }
      if missed.isEmpty { return true }
      let isOver = state.withLock { state in
        state.pendingLayers.subtract(missed.map(\.identity))
        return state.pendingLayers.isEmpty
      }
      if !isOver { return true }
      open = leaves.filter { !$0.toldLoadStatus.hasEnded }
    }
    return false
  }

  private var lackOfSpatialReference: EngineError {
    let reason = leaves.isEmpty ? "no layer that could give it one" : "none of its layers has loaded and has one"
    return EngineError(
      .notReady,
      "The map has no spatial reference, and \(reason). Give it one when making it, or add a layer that has one "
        + "(ald_layer_set_spatial_reference gives a layer one), and retry.")
  }
}
