import AlidadeBase
import AlidadeCoordinates

/// How map points become points of a layer's data and back.
final class LayerProjection: Sendable {
  let mapSystem: CoordinateSystem
  let toLayer: Projector
  let toMap: Projector

  init(mapSystem: CoordinateSystem, toLayer: Projector, toMap: Projector) {
    self.mapSystem = mapSystem
    self.toLayer = toLayer
    self.toMap = toMap
  }
}

/// What a map shows.
open class Layer: RuntimeObject, @unchecked Sendable {  // right: what changes is under a Lock
  private let state = Lock(State())

  private struct State {
    var isVisible = true
    /// Identity of the map that holds the layer; 0: none.
    var mapIdentity: UInt64 = 0
    /// The last one that was asked for: a layer is in one map.
    var projection: LayerProjection?
  }

  public override var handleKind: HandleKind { .layer }

  /// The spatial reference of the layer's data.
  open var spatialReference: SpatialReference? { nil }

  /// The outline of the layer's data in a spatial reference, as a closed ring.
  open func outline(in target: SpatialReference) throws(EngineError) -> [Point] { [] }

  /// A hidden layer is not identified and draws nothing.
  public var isVisible: Bool {
    get { state.withLock { $0.isVisible } }
    set { state.withLock { $0.isVisible = newValue } }
  }

  /// Whether the layer is in the map with this identity, whether it is visible, and its last projection.
  func status(in mapIdentity: UInt64) -> (isMember: Bool, isVisible: Bool, projection: LayerProjection?) {
    state.withLock { ($0.mapIdentity == mapIdentity, $0.isVisible, $0.projection) }
  }

  /// How points of a map in `mapReference` become points of the layer's data and back.
  ///
  /// - Parameter known: the last projection, if the caller has it.
  func projection(
    for mapReference: SpatialReference, known: LayerProjection?
  ) throws(EngineError) -> LayerProjection {
    if let known, known.mapSystem === mapReference.system, known.toLayer.isCurrent { return known }
    guard let own = spatialReference else { throw EngineError(.notReady, "The layer has no spatial reference.") }
    let made = LayerProjection(
      mapSystem: mapReference.system, toLayer: try Projector.between(mapReference, own),
      toMap: try Projector.between(own, mapReference))
    // What the new one replaces ends after the lock is free: PROJ has to be called for that.
    let replaced = state.withLock { state in
      let old = state.projection
      state.projection = made
      return old
    }
    _ = replaced
    return made
  }

  /// Joins a map; false if the layer is in one already.
  func join(_ mapIdentity: UInt64) -> Bool {
    state.withLock { state in
      guard state.mapIdentity == 0 else { return false }
      state.mapIdentity = mapIdentity
      return true
    }
  }

  /// Leaves a map; false if the layer is not in it.
  func leave(_ mapIdentity: UInt64) -> Bool {
    state.withLock { state in
      guard state.mapIdentity == mapIdentity else { return false }
      state.mapIdentity = 0
      return true
    }
  }
}
