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
  /// The seconds since the last change; 0 if it has never changed.
  public var secondsSinceChange: Double { changedAt > 0 ? Double(MonotonicTime.now() &- changedAt) / 1e9 : 0 }
  /// The hidden layer: the layer itself or the nearest hidden group around it.
  public var hiddenBy: Layer?
  /// The layer that is out of its scale range: the layer itself or the nearest such group around it.
  public var outOfScaleBy: Layer?
  /// The factor by which to multiply the view's scale to reach the nearest end of the scale range; 1 inside it.
  public var scaleFactor = 1.0
  /// Why it has the error flag, or the warning flag.
  public var error: EngineError?
}

/// How a layer stands in a map, and why.
struct LayerReport: Sendable {
  let identity: UInt64
  let handle: UInt64
  let status: LayerStatus
  /// nil: the layer is not in the map.
  let range: ScaleRange?
  let causes: LayerCauses

  init(_ layer: Layer, in mapIdentity: UInt64, viewIdentity: UInt64) {
    (identity, handle) = (layer.identity, layer.handleID)
    let standing = layer.status(in: mapIdentity).standing
    range = standing?.range
    guard let standing else {
      (status, causes) = (LayerStatus(), LayerCauses())
      return
    }
    var (status, error) = layer.viewStatus(in: viewIdentity)
    status.isShown = standing.isShown
    self.status = status
    causes = LayerCauses(hiddenBy: standing.hiddenBy, ranges: standing.ranges, error: error)
  }
}

/// The states of a map's layers in a view. The host is notified of their changes.
final class LayerStates: Sendable {
  private let source: LayerStateSource
  private let mailbox: Mailbox
  /// Held from the look at layers until the table knows: whoever comes last saw the newest.
  private let updating = Lock(())
  /// The view hears of changes in its map.
  let isWatching = Atomic<Bool>(false)

  /// - Parameter notifies: the host is notified of changes.
  init(_ mailbox: Mailbox, notifies: Bool) {
    source = LayerStateSource(notifies: notifies)
    self.mailbox = mailbox
  }

  deinit { mailbox.forget(source) }

  /// - Parameter view: its handle.
  func look(at scale: Double?, view: UInt64) {
    mailbox.update(source) { numbers in
      source.table.setView(view)
      source.table.look(at: scale, &numbers)
    }
  }

  /// Takes over how layers stand now.
  ///
  /// - Parameters:
  ///   - view: its handle.
  ///   - viewIdentity: that of the view.
  func update(_ layers: [Layer], in mapIdentity: UInt64, view: UInt64, viewIdentity: UInt64) {
    updating.withLock { _ in
      let reports = layers.map { LayerReport($0, in: mapIdentity, viewIdentity: viewIdentity) }
      mailbox.update(source) { numbers in
        source.table.setView(view)
        for report in reports { source.table.update(report, &numbers) }
      }
    }
  }

  private func read<Result>(_ body: (borrowing LayerStateTable) -> Result) -> Result {
    mailbox.read { body(source.table) }
  }

  func flags(of layer: Layer) -> LayerViewFlags { read { $0.entry(of: layer.identity)?.entry.flags ?? [] } }

  func history(of layer: Layer) -> [LayerStateTransition] {
    read { table in
      guard let (place, entry) = table.entry(of: layer.identity), entry.isMember else { return [] }
      return table.transitions(at: place)
    }
  }

  /// The state of a layer and its causes; nil if the layer is not in the map.
  func state(of layer: Layer) -> LayerViewState? {
    let found = read { table -> (state: LayerViewState, causes: LayerCauses, scale: Double?)? in
      guard let (place, entry) = table.entry(of: layer.identity), entry.isMember else { return nil }
      var state = LayerViewState()
      state.flags = entry.flags
      state.changeCount = entry.changeCount
      if let last = table.lastTransition(at: place) { (state.previous, state.changedAt) = (last.previous, last.time) }
      return (state, table.causes(at: place), table.scale)
    }
    guard let found else { return nil }
    var state = found.state
    let (causes, scale) = (found.causes, found.scale)
    state.error = causes.error
    let outer = scale.flatMap { scale in causes.ranges.first { !$0.range.contains(scale) } }
    if causes.hiddenBy == nil, outer == nil { return state }
    let above = layer.withGroups
    if let identity = causes.hiddenBy {
      // A group that it is no longer in has nothing in it.
      guard let hiding = above.first(where: { $0.identity == identity }) else { return nil }
      state.hiddenBy = hiding
    }
    if let scale, let outer {
      guard let limiting = above.first(where: { $0.identity == outer.layerIdentity }) else { return nil }
      state.outOfScaleBy = limiting
      state.scaleFactor = outer.range.nearest(to: scale) / scale
    }
    return state
  }
}

extension MapView {
  // MARK: Reading

  /// The current state of a layer in this view.
  public func layerState(of layer: Layer) -> LayerViewState {
    bringUpToDate([layer])
    return layerStates.state(of: layer) ?? LayerViewState()
  }

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
    if magnification == nil { noticeWhereItLooksAtFirst(reference) }
    layerStates.update(layers, in: map.identity, view: handleID, viewIdentity: identity)
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
  /// What the layer's state is in a view, apart from the scale and from what hides it; and why it has the error flag, or
  /// the warning flag.
  func viewStatus(in view: UInt64) -> (status: LayerStatus, error: EngineError?) {
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
      if isFetching(in: view) { status.flags.insert(.loading) }
      status.isReady = true
    }
    // What is in a group loads for itself, and the group can be used meanwhile.
    if kind == .group { status.isReady = true }
    let warnings = warnings(in: view)
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
    case .noIndex, .truncated: .limitExceeded
    }
  }
}
