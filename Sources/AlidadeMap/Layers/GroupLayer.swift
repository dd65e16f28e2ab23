import AlidadeBase
import AlidadeCoordinates

/// A layer of layers. What it says of visibility, opacity and scales counts for all in it.
public final class GroupLayer: Layer, LayersLoader, @unchecked Sendable {  // right: the list is under the forest's lock
  let list = LayerList(LayerStanding(), of: .group)
  /// What the group's own loading waits for.
  private let pending = PendingLayers()

  public init(runtime: Runtime) {
    super.init(runtime: runtime, isLoaded: true)
    list.group = self
  }

  deinit {
    // They end, if nobody else has them, after the lock is free.
    _ = forest.withLock { list.removeAll() }
  }

  public override var kind: LayerKind { .group }

  /// The layers in the group, the lowest in drawing order first.
  public var layers: [Layer] { forest.withLock { list.layers } }

  /// Puts a layer on top of the others.
  public func add(_ layer: Layer) throws(EngineError) { try insert(layer, at: nil) }

  /// Inserts a layer at an index among the others; nil means on top.
  public func insert(_ layer: Layer, at index: Int?) throws(EngineError) {
    let map = try forest.withLock { () throws(EngineError) in
      try list.insert(layer, at: index)
      return list.root.map
    }
    for case let group as GroupLayer in withGroups where group.isLoadingLayers {
      layer.beginLoading(for: group)
    }
    map?.layerDidJoin(layer)
  }

  /// Moves a layer to another index among the others.
  public func move(_ layer: Layer, to index: Int) throws(EngineError) {
    let map = try forest.withLock { () throws(EngineError) in
      try list.move(layer, to: index)
      return list.root.map
    }
    map?.layersDidMove()
  }

  /// Removes a layer.
  public func remove(_ layer: Layer) throws(EngineError) {
    let outcome: (isRemoved: Bool, map: Map?) = forest.withLock { (list.remove(layer), list.root.map) }
    guard outcome.isRemoved else { throw EngineError(.notFound, "The layer is not in this group.") }
    let (groups, gone) = (withGroups, layer.leaves.map(\.identity))
    outcome.map?.layerDidLeave(layer, from: groups)
    for case let group as GroupLayer in groups { group.endLoadIfDone(without: gone)?() }
  }

  // MARK: Loading

  /// The sum of the load states of its layers. Their failures remain their own.
  public override var loadStatus: LoadStatus { list.loadingCount.load(ordering: .relaxed) > 0 ? .loading : .loaded }

  public override var toldLoadStatus: LoadStatus { loadStatus }

  public override var loadInfo: LoadInfo {
    var info = super.loadInfo
    (info.status, info.error) = (loadStatus, nil)
    return info
  }

  /// True even if no layer loads: the status is the sum of the layers' states.
  var isLoadingLayers: Bool { super.loadStatus == .loading }

  /// There is something to load, or to wait for.
  public override var loadsAnew: Bool { leaves.contains { !$0.toldLoadStatus.hasEnded } }

  public override var needsReload: Bool { leaves.contains { $0.isToBeRetried } }

  /// A group loads by loading the layers in it. A retry tries those again that have failed.
  public override func loadParts(isRetry: Bool) {
    pending.reset()
    beginLeaves(isRetry: isRetry)
    endLoadIfDone()?()
  }

  public override func beginLoading(isRetry: Bool = false) { beginLeaves(isRetry: isRetry) }

  private func beginLeaves(isRetry: Bool) {
    for leaf in leaves { leaf.beginLoading(isRetry: isRetry && leaf.isToBeRetried) }
  }

  /// Cancels loading in the group. This does not make the group fail, but its layers. Everyone who waits for the group
  /// is notified.
  public override func cancelLoad() {
    let tell = endLoad(error: nil, isCancelled: true)
    for leaf in leaves { leaf.cancelLoad() }
    tell?()
  }

  func endLoadIfDone(without gone: [UInt64] = []) -> (@Sendable () -> Void)? {
    guard isLoadingLayers, pending.haveEnded(without: gone, { leaves }) else { return nil }
    return endLoad(error: nil)
  }

  override var countedLoading: Int { list.loadingCount.load(ordering: .relaxed) }

  override func countLoading() -> Int { countedLoading }

  // MARK: The tree

  override func inherit(_ above: LayerStanding) {
    super.inherit(above)
    list.standing = standing
    for layer in list.layers { layer.inherit(list.standing) }
  }

  override func addPlaceable(to placeable: inout [Layer], atMost limit: Int) -> Bool {
    list.addPlaceable(to: &placeable, atMost: limit)
  }

  override var isSpent: Bool { list.isSpent }

  override func addLeaves(to leaves: inout [Layer]) {
    for layer in list.layers { layer.addLeaves(to: &leaves) }
  }

  override func addSubtree(to layers: inout [Layer]) {
    super.addSubtree(to: &layers)
    for layer in list.layers { layer.addSubtree(to: &layers) }
  }

  /// The envelope of its layers that have an envelope.
  public override func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? {
    guard let target else {
      throw EngineError(
        .notReady, "A group has no spatial reference of its own. Give the spatial reference for its extent.")
    }
    return try Self.fullExtent(of: leaves, in: target)
  }
}
