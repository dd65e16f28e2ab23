import AlidadeBase
import AlidadeCoordinates

/// A layer of layers. What it says of visibility, opacity and scales counts for all in it.
public final class GroupLayer: Layer, @unchecked Sendable {  // right: the list is under the forest's lock
  let list = LayerList(LayerStanding(), of: .group)

  public init(runtime: Runtime) {
    super.init(runtime: runtime, isLoaded: true)
    list.group = self
  }

  deinit {
    // They end, if nobody else has them, after the lock is free.
    let layers = forest.withLock { list.removeAll() }
    _ = layers
  }

  public override var kind: LayerKind { .group }

  /// The layers in the group, the lowest in drawing order first.
  public var layers: [Layer] { forest.withLock { list.layers } }

  /// Puts a layer on top of the others.
  public func add(_ layer: Layer) throws(EngineError) { try insert(layer, at: nil) }

  /// Puts a layer at a place among the others; nil: on top.
  public func insert(_ layer: Layer, at index: Int?) throws(EngineError) {
    let map = try forest.withLock { () throws(EngineError) in
      try list.insert(layer, at: index)
      return list.root.map
    }
    map?.layerDidJoin(layer)
  }

  /// Moves a layer to another place among the others.
  public func move(_ layer: Layer, to index: Int) throws(EngineError) {
    let map = try forest.withLock { () throws(EngineError) in
      try list.move(layer, to: index)
      return list.root.map
    }
    map?.layersDidMove()
  }

  /// Takes a layer out.
  public func remove(_ layer: Layer) throws(EngineError) {
    let outcome: (isRemoved: Bool, map: Map?) = forest.withLock { (list.remove(layer), list.root.map) }
    guard outcome.isRemoved else { throw EngineError(.notFound, "The layer is not in this group.") }
    outcome.map?.layerDidLeave(layer)
  }

  // MARK: Loading

  /// That of the sum: the failures of its layers are theirs.
  public override var loadStatus: LoadStatus { list.loadingCount.load(ordering: .relaxed) > 0 ? .loading : .loaded }

  public override var toldLoadStatus: LoadStatus { loadStatus }

  public override var loadInfo: LoadInfo {
    var info = super.loadInfo
    (info.status, info.error) = (loadStatus, nil)
    return info
  }

  /// There is something to load, or to wait for.
  public override var loadsAnew: Bool { leaves.contains { !$0.toldLoadStatus.hasEnded } }

  public override var needsReload: Bool { leaves.contains { $0.loadStatus == .failed || $0.needsReload } }

  /// A group loads by loading the layers in it. A retry tries those again that have failed.
  public override func loadParts(isRetry: Bool) {
    beginLeaves(isRetry: isRetry)
    endLoadIfDone()?()
  }

  public override func beginLoading(isRetry: Bool = false) { beginLeaves(isRetry: isRetry) }

  private func beginLeaves(isRetry: Bool) {
    for leaf in leaves { leaf.beginLoading(isRetry: isRetry && (leaf.loadStatus == .failed || leaf.needsReload)) }
  }

  /// Cancels what loads in the group.
  public override func cancelLoad() {
    for leaf in leaves { leaf.cancelLoad() }
    endLoadIfDone()?()
  }

  /// Ends the group's own load, if somebody has asked for one, once all layers in it have ended theirs.
  func endLoadIfDone() -> (@Sendable () -> Void)? {
    guard super.loadStatus == .loading, leaves.allSatisfy({ $0.toldLoadStatus.hasEnded }) else { return nil }
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

  override func visitLeaves(_ body: (Layer) -> Bool) -> Bool { list.layers.allSatisfy { $0.visitLeaves(body) } }

  override func addLeaves(to leaves: inout [Layer]) {
    for layer in list.layers { layer.addLeaves(to: &leaves) }
  }

  override func addSubtree(to layers: inout [Layer]) {
    super.addSubtree(to: &layers)
    for layer in list.layers { layer.addSubtree(to: &layers) }
  }

  /// The box around those of its layers that have one.
  public override func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? {
    guard let target else {
      throw EngineError(
        .notReady, "A group has no spatial reference of its own. Name the one that its extent is wanted in.")
    }
    var boxes: [Envelope] = []
    for leaf in leaves {
      if let box = try leaf.fullExtent(in: target) { boxes.append(box.eastward(target.system.worldWidth)) }
    }
    guard var all = boxes.first else { return nil }
    for box in boxes {
      all.xMin = min(all.xMin, box.xMin)
      all.yMin = min(all.yMin, box.yMin)
      all.xMax = max(all.xMax, box.xMax)
      all.yMax = max(all.yMax, box.yMax)
    }
    return all
  }
}

/// Weak, because what is done once the host was told of a load must hold nothing that loads.
final class WeakGroup: @unchecked Sendable {  // right: set once, in init; weak loads are safe on any thread
  private weak var layer: Layer?
  init(_ layer: Layer) { self.layer = layer }

  func endLoadIfDone() -> (@Sendable () -> Void)? { (layer as? GroupLayer)?.endLoadIfDone() }
}
