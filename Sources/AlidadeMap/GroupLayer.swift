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
