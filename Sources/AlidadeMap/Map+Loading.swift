import AlidadeBase
import AlidadeCoordinates

extension Map {
  /// Takes the spatial reference of the lowest layer that is loaded and has one, once all layers below it have ended
  /// loading, if none is known. To be called after anything has changed that this may depend on, with no lock held.
  func findSpatialReference() {
    guard spatialReference == nil else { return }
    let found = leavesThatCanBePlaced(atMost: 1).first?.spatialReference
    guard let found else { return }
    state.withLock { if $0.spatialReference == nil { $0.spatialReference = found } }
    placeMaxExtent()
    // Whether a layer can be placed on the map is known only now.
    tellWatchers(of: allLayers)
  }

  // MARK: Loading

  /// Begins to load a layer, or the layers in a group, if a view looks at the map or the map itself is being loaded. A
  /// layer that has failed is not loaded again.
  func loadIfNeeded(_ layer: Layer) {
    if isLoadingLayers {
      layer.beginLoading(for: self)
    } else if state.withLock({ $0.viewCount }) > 0 {
      for leaf in layer.leaves { leaf.beginLoading() }
    }
  }

  func viewDidAppear() {
    state.withLock { $0.viewCount &+= 1 }
    for layer in leaves { layer.beginLoading() }
  }

  func viewDidDisappear() { state.withLock { $0.viewCount &-= 1 } }

  var isLoadingLayers: Bool { loadStatus == .loading }

  func endLoadIfDone(without gone: [UInt64] = []) -> (@Sendable () -> Void)? {
    guard isLoadingLayers, pending.haveEnded(without: gone, { leaves }) else { return nil }
    return endLoad(error: spatialReference == nil ? lackOfSpatialReference : nil)
  }

  private var lackOfSpatialReference: EngineError {
    let reason = leaves.isEmpty ? "no layer that could give it one" : "none of its layers has loaded and has one"
    return EngineError(
      .notReady,
      "The map has no spatial reference, and \(reason). Give it one when making it, or add a layer that has one "
        + "or is given one, and retry.")
  }
}
