import AlidadeBase
import AlidadeCoordinates
import Synchronization

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
  /// Tells layers apart; never used twice in a process.
  let identity: UInt64
  let forest: LayerForest
  /// The list that the layer is in. Read and written under the forest's lock.
  var container: LayerList?
  private let state = Lock(State())
  private static let lastIdentity = Atomic<UInt64>(0)

  private struct State {
    var properties = LayerProperties()
    /// Written under the forest's lock, too.
    var standing = LayerStanding()
    var generation: UInt64 = 0
    /// The last one that was asked for: a layer is in one map.
    var projection: LayerProjection?
  }

  public override init(runtime: Runtime) {
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    forest = LayerForest.of(runtime)
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .layer }

  open var kind: LayerKind { .raster }

  /// The spatial reference of the layer's data.
  open var spatialReference: SpatialReference? { nil }

  /// The outline of the layer's data in a spatial reference, as a closed ring.
  open func outline(in target: SpatialReference) throws(EngineError) -> [Point] { [] }

  /// The box around the layer's data; nil if there are none. It may go over the antimeridian, with xMin > xMax.
  ///
  /// - Parameter target: nil: the layer's own spatial reference.
  open func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? { nil }

  /// A layer as it is now.
  public var info: LayerInfo {
    let place = forest.withLock {
      let root = container?.root
      return (
        group: container?.group, map: root?.map, depth: container?.depth ?? 0, isInBasemap: root?.owner == .basemap,
        state: state.withLock { $0 }
      )
    }
    let (properties, standing) = (place.state.properties, place.state.standing)
    return LayerInfo(
      isVisible: properties.isVisible, isShown: standing.isShown, opacity: properties.opacity,
      effectiveOpacity: standing.opacity, range: properties.range, effectiveRange: standing.range, group: place.group,
      map: place.map, isInBasemap: place.isInBasemap, depth: place.depth, generation: place.state.generation)
  }

  // MARK: Changes

  func read<Result>(_ body: (LayerProperties) -> Result) -> Result { state.withLock { body($0.properties) } }

  /// Changes what concerns nobody but the layer.
  @discardableResult
  func change<Result>(_ body: (inout LayerProperties) -> Result) -> Result {
    state.withLock { state in
      state.generation &+= 1
      return body(&state.properties)
    }
  }

  /// Changes what those below the layer inherit.
  func changeStanding(_ body: (inout LayerProperties) -> Void) {
    let isChanged = forest.withLock {
      let (before, generation) = state.withLock { state in
        let before = state.standing
        body(&state.properties)
        return (before, state.generation)
      }
      inherit(container?.standing ?? LayerStanding())
      return state.withLock { state in
        state.generation = generation &+ 1
        return state.standing != before
      }
    }
    if isChanged { didChange() }
  }

  /// To be called after the layer's status or anything else has changed that views show or tell of, with no lock held.
  func didChange() {
    let map = forest.withLock { container?.root.map }
    map?.layerDidChange(self)
  }

  // MARK: The tree

  /// What the layer is where it is.
  var standing: LayerStanding { state.withLock { $0.standing } }

  /// Takes over what comes from above, and hands it on. Inside the forest's lock.
  func inherit(_ above: LayerStanding) {
    state.withLock { state in
      let own = state.properties
      state.generation &+= 1
      state.standing = LayerStanding(
        mapIdentity: above.mapIdentity, isShown: above.isShown && own.isVisible, opacity: above.opacity * own.opacity,
        range: above.range.intersection(own.range))
    }
  }

  /// Adds the layers that are no groups, the lowest first. Inside the forest's lock.
  func addLeaves(to leaves: inout [Layer]) { leaves.append(self) }

  /// Adds the layer and all in it. Inside the forest's lock.
  func addSubtree(to layers: inout [Layer]) { layers.append(self) }

  /// The layer, or those in it that are no groups.
  var leaves: [Layer] {
    forest.withLock {
      var all: [Layer] = []
      addLeaves(to: &all)
      return all
    }
  }

  // MARK: Projecting

  /// What the layer is in the map with this identity, nil if it is not in there; and its last projection.
  func status(in mapIdentity: UInt64) -> (standing: LayerStanding?, projection: LayerProjection?) {
    state.withLock { ($0.standing.mapIdentity == mapIdentity ? $0.standing : nil, $0.projection) }
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
}
