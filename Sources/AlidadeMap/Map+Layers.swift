import AlidadeBase

extension Map {
  /// The operational layers, the lowest in drawing order first. They lie above the basemap.
  public var layers: [Layer] { forest.withLock { operational.layers } }

  /// The layers of the basemap, the lowest in drawing order first.
  public var basemapLayers: [Layer] { forest.withLock { basemap.layers } }

  /// All layers that are no groups, the lowest in drawing order first.
  public var leaves: [Layer] {
    forest.withLock {
      var all: [Layer] = []
      for layer in basemap.layers + operational.layers { layer.addLeaves(to: &all) }
      return all
    }
  }

  /// The lowest of those layers that are loaded and have a spatial reference, up to the first that has not ended loading.
  func leavesThatCanBePlaced(atMost limit: Int = .max) -> [Layer] {
    forest.withLock {
      var all: [Layer] = []
      _ = basemap.addPlaceable(to: &all, atMost: limit) && operational.addPlaceable(to: &all, atMost: limit)
      return all
    }
  }

  /// Puts a layer on top of the operational layers.
  public func add(_ layer: Layer) throws(EngineError) { try insert(layer, at: nil, into: operational) }

  /// Inserts a layer at an index among the operational layers.
  public func insert(_ layer: Layer, at index: Int) throws(EngineError) {
    try insert(layer, at: index, into: operational)
  }

  /// Puts a layer on top of the basemap.
  public func addBasemapLayer(_ layer: Layer) throws(EngineError) { try insert(layer, at: nil, into: basemap) }

  /// Inserts a layer at an index among the layers of the basemap.
  public func insertBasemapLayer(_ layer: Layer, at index: Int) throws(EngineError) {
    try insert(layer, at: index, into: basemap)
  }

  private func insert(_ layer: Layer, at index: Int?, into list: LayerList) throws(EngineError) {
    try forest.withLock { () throws(EngineError) in try list.insert(layer, at: index) }
    layerDidJoin(layer)
  }

  /// Moves a layer to another index in its list: the layers of the basemap, or the operational layers.
  public func move(_ layer: Layer, to index: Int) throws(EngineError) {
    try forest.withLock { () throws(EngineError) in
      guard let list = list(with: layer) else { throw notHere(layer) }
      try list.move(layer, to: index)
    }
    layersDidMove()
  }

  /// Removes a layer. The spatial reference of the map stays.
  public func remove(_ layer: Layer) throws(EngineError) {
    try forest.withLock { () throws(EngineError) in
      guard let list = list(with: layer), list.remove(layer) else { throw notHere(layer) }
    }
    layerDidLeave(layer)
  }

  /// Inside the forest's lock.
  private func list(with layer: Layer) -> LayerList? {
    layer.container === basemap || layer.container === operational ? layer.container : nil
  }

  private func notHere(_ layer: Layer) -> EngineError {
    let isInGroup = layer.container.map { $0.root === basemap || $0.root === operational } ?? false
    return EngineError(
      .notFound,
      isInGroup ? "The layer is in a group of this map. Ask the group." : "The layer is not in this map.")
  }

  /// To be called after a layer, or a group with all in it, has come into the map, with no lock held.
  func layerDidJoin(_ layer: Layer) {
    findSpatialReference()
    wakeWaitingViews()
    tellWatchers(of: layer.withRelatives)
    loadIfNeeded(layer)
  }

  /// Call this after the order of layers has changed, without a lock.
  func layersDidMove() { findSpatialReference() }

  /// To be called after a layer, or a group with all in it, has left the map, with no lock held.
  ///
  /// - Parameter groups: those in the map that it was in.
  func layerDidLeave(_ layer: Layer, from groups: [Layer] = []) {
    findSpatialReference()
    tellWatchers(of: layer.withRelatives + groups)
    endLoadIfDone(without: layer.leaves.map(\.identity))?()
  }

  /// Call this after anything of a layer has changed that views show or report, without a lock.
  func layerDidChange(_ layer: Layer) {
    findSpatialReference()
    wakeWaitingViews()
    tellWatchers(of: layer.withRelatives)
  }
}
