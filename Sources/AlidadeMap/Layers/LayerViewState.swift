import AlidadeBase
import AlidadeCoordinates
import Synchronization

/// What a layer's state is in every view, apart from the scale.
struct LayerStatus: Sendable {
  /// Of loading, error and warning.
  var flags: LayerViewFlags = []
  /// There is something to show.
  var isReady = false
  /// It and all above it are visible.
  var isShown = true
  /// Of the error or the warning.
  var status = Status.ok
}

/// The state of a layer in a view.
public struct LayerViewState: Sendable {
  public var flags: LayerViewFlags = []
  /// Before the last change.
  public var previous: LayerViewFlags = []
  /// How often the state has changed since the layer came into the view's map.
  public var changeCount: UInt64 = 0
  /// When it changed last, `MonotonicTime`; 0: never.
  public var changedAt: UInt64 = 0
  /// The hidden layer: the layer itself or the nearest hidden group around it.
  public var hiddenBy: Layer?
  /// The layer that is out of its scale range: the layer itself or the nearest such group around it.
  public var outOfScaleBy: Layer?
  /// The factor that takes the view's scale to the nearest end of the scale range; 1 inside the range.
  public var scaleFactor = 1.0
  /// Why it has the error flag, or the warning flag.
  public var error: EngineError?
}

/// The states of a map's layers in a view, and the queue that notifies the host.
final class LayerStates: Sendable {
  private let table = Lock(LayerStateTable())
  /// nil if nobody is notified.
  private let queue: LayerStateQueue?
  private let mailbox: Mailbox
  /// The view hears of changes in its map.
  let isWatching = Atomic<Bool>(false)

  /// - Parameter view: its identity.
  init(of view: UInt64, _ mailbox: Mailbox, tells: Bool) {
    queue = tells ? LayerStateQueue(identity: view) : nil
    self.mailbox = mailbox
  }

  deinit { if let queue { mailbox.forget(queue) } }

  /// Changes the table and reports the changes. With the table's lock held, so that the last report is true.
  ///
  /// - Parameter view: its handle.
  private func change(view: UInt64, _ body: (inout LayerStateTable) -> Void) {
    table.withLock { table in
      body(&table)
      let changes = table.takeChanges()
      guard !changes.isEmpty else { return }
      table.free(
        queue.map { mailbox.post(changes, to: $0, view: view) } ?? changes.filter(\.isGone).map(\.place))
    }
  }

  func look(at scale: Double?, view: UInt64) { change(view: view) { $0.look(at: scale) } }

  /// Takes over how layers stand now. They are looked at with the lock held: whoever comes last saw the newest.
  func update(_ layers: [Layer], in mapIdentity: UInt64, view: UInt64) {
    change(view: view) { table in
      for layer in layers { table.update(layer, layer.status(in: mapIdentity).standing) }
    }
  }

  func flags(of layer: Layer) -> LayerViewFlags {
    table.withLock { $0.entry(of: layer.identity)?.entry.flags ?? [] }
  }

  func history(of layer: Layer) -> [LayerStateTransition] {
    table.withLock { table in
      guard let (place, entry) = table.entry(of: layer.identity), entry.isMember else { return [] }
      return table.transitions(at: place)
    }
  }

  /// The state without its causes, and the view's scale.
  func state(of layer: Layer) -> (state: LayerViewState, scale: Double?) {
    table.withLock { table in
      var state = LayerViewState()
      guard let (place, entry) = table.entry(of: layer.identity), entry.isMember else { return (state, table.scale) }
      state.flags = entry.flags
      state.changeCount = entry.changeCount
      state.error = table.error(at: place)
      if let last = table.lastTransition(at: place) { (state.previous, state.changedAt) = (last.previous, last.time) }
      return (state, table.scale)
    }
  }
}

extension MapView {
  // MARK: Reading

  /// The current state of a layer in this view.
  public func layerState(of layer: Layer) -> LayerViewState {
    var state = LayerViewState()
    // What hides a layer is found after its flags. Another thread may show it in between: then they are of no use.
    for _ in 0..<Self.looks {
      bringUpToDate([layer])
      guard layer.status(in: map.identity).standing != nil else { return LayerViewState() }
      let found = layerStates.state(of: layer)
      state = found.state
      let chain = layer.withGroups
      if state.flags.contains(.notVisible) {
        state.hiddenBy = chain.first { !$0.isVisible }
        if state.hiddenBy == nil { continue }
      }
      guard state.flags.contains(.outOfScale), let scale = found.scale else { break }
      for layer in chain where state.outOfScaleBy == nil {
        let range = layer.scaleRange
        if range.contains(scale) { continue }
        state.outOfScaleBy = layer
        state.scaleFactor = range.nearest(to: scale) / scale
      }
      if state.outOfScaleBy != nil { break }
    }
    return state
  }

  /// How often the state of a layer is looked at anew that changes all the time.
  private static let looks = 1000

  /// The current flags of layers in this view.
  public func layerFlags(of layers: [Layer]) -> [LayerViewFlags] {
    bringUpToDate(layers)
    return layers.map { layerStates.flags(of: $0) }
  }

  /// The last changes of a layer's state in this view, the oldest first.
  public func layerStateHistory(of layer: Layer) -> [LayerStateTransition] {
    bringUpToDate([layer])
    return layerStates.history(of: layer)
  }

  /// The attributions of the active layers, each once, the lowest layer first.
  public var attributions: [String] {
    let layers = map.leaves
    var found: [String] = []
    for (layer, flags) in zip(layers, layerFlags(of: layers)) where flags.contains(.active) {
      let text = layer.text(.attribution)
      if !text.isEmpty, !found.contains(text) { found.append(text) }
    }
    return found
  }

  // MARK: Following

  /// Begins to hear of layers that come, go and change, and of the map's limits. Called once the host can have the view's handle.
  func watchLayers() {
    guard !layerStates.isWatching.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // First onto the list, then a look: the view is notified of changes in between.
    map.addWatcher(self)
    keepMapLimits()
    if magnification == nil { updateLayerStates(map.allLayers) }
  }

  /// Layers have come, gone or changed. A magnifier's view forgets those that have left, and looks at the others when it
  /// is asked.
  func layersDidChange(_ layers: [Layer]) {
    guard magnification != nil else { return updateLayerStates(layers) }
    let gone = layers.filter { $0.status(in: map.identity).standing == nil }
    if !gone.isEmpty { updateLayerStates(gone) }
  }

  func updateLayerStates(_ layers: [Layer]) {
    let reference = map.spatialReference
    for layer in layers where layer.status(in: map.identity).standing != nil { layer.checkPlacement(on: reference) }
    layerStates.update(layers, in: map.identity, view: handleID)
  }

  private func bringUpToDate(_ layers: [Layer]) {
    watchLayers()
    if magnification != nil {
      // It is not notified of what the magnified view does.
      layerStates.look(at: (try? frame())?.scale, view: 0)
    } else {
      // Reading states looks at the map: the view takes the initial viewpoint of the map.
      if awaitsCamera { _ = try? frame() }
    }
    updateLayerStates(layers)
  }
}

extension ScaleRange {
  /// The end that lies nearest to a scale outside.
  func nearest(to scale: Double) -> Double { minScale != 0 && scale > minScale ? minScale : maxScale }
}

extension Layer {
  /// The layer, and the groups above it, the innermost first.
  var withGroups: [Layer] {
    forest.withLock {
      var all = [self]
      var list = container
      while let outer = list {
        // Kept by the array, which leaves the lock: a group must not end inside.
        if let group = outer.group { all.append(group) }
        list = outer.outer
      }
      return all
    }
  }

  /// The layer with all in it, and the groups above it.
  var withRelatives: [Layer] {
    var all = withGroups
    all.removeFirst()
    forest.withLock { addSubtree(to: &all) }
    return all
  }
}

extension Map {
  /// All layers, groups too.
  var allLayers: [Layer] {
    forest.withLock {
      var all: [Layer] = []
      for layer in basemap.layers + operational.layers { layer.addSubtree(to: &all) }
      return all
    }
  }

  /// A view wants to hear of layers.
  func addWatcher(_ view: MapView) { watchers.withLock { $0[view.identity] = WeakView(view) } }

  func removeWatcher(_ view: MapView) {
    let identity = view.identity
    watchers.withLock { $0[identity] = nil }
  }

  /// Has the views find out how layers stand. With no lock held.
  func tellWatchers(of layers: [Layer]) {
    let views = watchers.withLock { watchers in watchers.values.compactMap(\.view) }
    for view in views { view.layersDidChange(layers) }
  }
}

extension Layer {
  /// What the layer's state is in every view, apart from the scale and from what hides it; and why it has the error
  /// flag, or the warning flag.
  var viewStatus: (status: LayerStatus, error: EngineError?) {
    var status = LayerStatus()
    var error: EngineError?
    switch loadStatus {
    case .notLoaded, .loading: status.flags.insert(.loading)
    case .failed:
      error = failure
      // Without a failure it has been tried again meanwhile.
      status.flags.insert(error == nil ? .loading : .error)
    case .loaded:
      error = trouble ?? placementFailure
      if error != nil { status.flags.insert(.error) }
      status.isReady = true
    }
    // What is in a group loads for itself, and the group can be used meanwhile.
    if kind == .group { status.isReady = true }
    let warnings = warnings
    if let warning = warnings.first {
      status.flags.insert(.warning)
      if error == nil { error = EngineError(warning.status, warning.text) }
      // What cannot be placed is neither drawn nor identified.
      if warnings.contains(where: { $0.kind == .noSpatialReference }) { status.isReady = false }
    }
    status.status = error?.status ?? .ok
    return (status, error)
  }
}

extension LayerWarning {
  /// What calls would answer that need what is missing.
  fileprivate var status: Status {
    switch kind {
    case .noSpatialReference: .notReady
    case .unreadableFeatures, .failedRequest: .readFailed
    case .noIndex: .limitExceeded
    }
  }
}
