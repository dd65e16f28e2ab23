import AlidadeBase
import AlidadeCoordinates
import Synchronization

/// How map points become points of a layer's data and back.
final class LayerProjection: Sendable {
  /// Identifies the projection; never used twice in a process.
  let identity = LayerProjection.lastIdentity.add(1, ordering: .relaxed).newValue
  private static let lastIdentity = Atomic<UInt64>(0)
  let mapSystem: CoordinateSystem
  let toLayer: Projector
  let toMap: Projector

  init(mapSystem: CoordinateSystem, toLayer: Projector, toMap: Projector) {
    self.mapSystem = mapSystem
    self.toLayer = toLayer
    self.toMap = toMap
  }
}

/// Whether a layer can be placed on a map in a spatial reference.
struct LayerPlacement {
  let mapSystem: CoordinateSystem
  /// nil: it can be.
  let failure: EngineError?
}

/// A part of what a map shows.
///
/// A layer that loads provides its work with `loadWork`. A layer that is created from an open object is loaded from the
/// beginning.
open class Layer: LoadableObject, @unchecked Sendable {  // right: what changes is under a Lock
  /// Identifies the layer; never used twice in a process.
  let identity: UInt64
  let forest: LayerForest
  /// The list that the layer is in. Read and written under the forest's lock.
  var container: LayerList?
  /// Whether the lists above count the layer as loading. Read and written under the forest's lock.
  private var isCountedAsLoading = false
  /// Whether the list that the layer is in passes it over. Read and written under the forest's lock.
  var isPassedOver = false
  let lateLoaders = LateLoaders()
  private let state = Lock(State())
  private static let lastIdentity = Atomic<UInt64>(0)

  private struct State {
    var properties = LayerProperties()
    /// Written under the forest's lock, too.
    var standing = LayerStanding()
    var generation: UInt64 = 0
    /// The last projection that was requested: a layer is in one map.
    var projection: LayerProjection?
    /// Rises when the layer's spatial reference may have changed: what was computed before is of no use then.
    var referenceGeneration: UInt64 = 0
    /// Stands in for the data's own.
    var givenReference: SpatialReference?
    /// The last look at whether the layer can be placed on a map.
    var placement: LayerPlacement?
    /// In the order of their kinds' numbers.
    var warnings: [LayerWarning] = []
  }

  public override init(runtime: Runtime, isLoaded: Bool = true) {
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    forest = LayerForest.of(runtime)
    super.init(runtime: runtime, isLoaded: isLoaded)
  }

  public override var handleKind: HandleKind { .layer }

  open var kind: LayerKind { .raster }

  /// The spatial reference of the layer's own data; nil as well while the layer is not loaded.
  open var ownSpatialReference: SpatialReference? { nil }

  /// The warning of a loaded layer whose data has no spatial reference; nil if it needs none.
  open var lackOfSpatialReference: String? { nil }

  /// The outline of the layer's data in a spatial reference, as a closed ring; empty if there is none.
  open func outline(in target: SpatialReference) throws(EngineError) -> [Point] { [] }

  /// Why the layer cannot be used while it is not loaded.
  open var notLoaded: EngineError { EngineError(.notReady, "The layer is not loaded. Load it first.") }

  /// Why the last read failed; nil if it did not. A layer with trouble is loaded again by `retryLoad`.
  open var trouble: EngineError? { nil }

  /// What a view lacks of the layer's data because a server did not return it; nil: what any view lacks.
  func fetchWarnings(in view: UInt64?) -> [LayerWarning] { [] }

  /// How much of what a view shows is there.
  func fetchProgress(in view: UInt64) -> FetchProgress { FetchProgress() }

  /// Whether a view waits for a server.
  func isFetching(in view: UInt64) -> Bool { false }

  open override var needsReload: Bool { trouble != nil }

  open override var loadInfo: LoadInfo {
    var info = super.loadInfo
    if info.status == .loaded { info.error = trouble }
    return info
  }

  open override func loadStatusDidChange() {
    forgetProjection()
    didChange()
  }

  open override func afterTelling() -> (@Sendable () -> Void)? {
    // The objects that contain it find out whether their own loading has ended, the groups first.
    let loaders = loadersAbove.map { WeakLoader($0) }
    return { [identity, lateLoaders] in
      for loader in loaders + lateLoaders.takeAll() { loader.endLoadIfDone(without: identity) }
    }
  }

  /// The groups that the layer is in, the innermost first, and its map.
  private var loadersAbove: [any LayersLoader] {
    let groups = withGroups.dropFirst().compactMap { $0 as? GroupLayer }
    return groups + (forest.withLock { container?.root.map }.map { [$0] } ?? [])
  }

  /// Whether the layer is in a map, by itself or in a group.
  var isInAMap: Bool { forest.withLock { container?.root.map } != nil }

  /// Whether a retry of the objects that contain the layer loads it again.
  var isToBeRetried: Bool { loadStatus == .failed || needsReload }

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

  /// Call this after the layer's status, or anything else that views show or report, has changed. Call it without a
  /// lock.
  public func didChange() {
    state.withLock { $0.generation &+= 1 }
    let map = forest.withLock {
      let before = countedLoading
      container?.addLoading(countLoading() &- before)
      if isPassedOver, !isSpent { container?.passOverNone() }
      return container?.root.map
    }
    map?.layerDidChange(self)
  }

  /// How many layers the lists above count as loading for this one. Inside the forest's lock.
  var countedLoading: Int { isCountedAsLoading ? 1 : 0 }

  /// Counts anew. Inside the forest's lock.
  func countLoading() -> Int {
    isCountedAsLoading = loadStatus == .loading
    return countedLoading
  }

  // MARK: The tree

  /// What the layer is where it is.
  var standing: LayerStanding { state.withLock { $0.standing } }

  /// Takes over what comes from above, and hands it on. Inside the forest's lock.
  func inherit(_ above: LayerStanding) {
    state.withLock { state in
      state.generation &+= 1
      state.standing = above.inherited(by: identity, state.properties)
    }
  }

  /// Adds the layers that are not groups, are loaded and have a spatial reference, the lowest first, up to the first
  /// layer that has not ended loading or until there are enough. Returns whether to go on. Inside the forest's lock.
  func addPlaceable(to placeable: inout [Layer], atMost limit: Int) -> Bool {
    let status = loadStatus
    if status == .loaded, spatialReference != nil { placeable.append(self) }
    return status.hasEnded && placeable.count < limit
  }

  /// Has ended loading, and cannot be placed, nor can anything in it. Inside the forest's lock.
  var isSpent: Bool {
    let status = loadStatus
    return status == .failed || (status == .loaded && spatialReference == nil)
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

  /// The inherited state of the layer in the map with this identity, nil if it is not in there; and its last
  /// projection.
  func status(in mapIdentity: UInt64) -> (standing: LayerStanding?, projection: LayerProjection?) {
    state.withLock { ($0.standing.mapIdentity == mapIdentity ? $0.standing : nil, $0.projection) }
  }

  /// Goes up with every change of the layer.
  var generation: UInt64 { state.withLock { $0.generation } }

  /// Stands in for the data's own spatial reference.
  var givenReference: SpatialReference? { state.withLock { $0.givenReference } }

  func keepGivenReference(_ reference: SpatialReference?) {
    state.set(\.givenReference, to: reference)
  }

  /// The last projection is no longer of use.
  func forgetProjection() {
    // It ends after the lock is free.
    _ = state.withLock { state in
      state.placement = nil
      state.referenceGeneration &+= 1
      return state.projection.take()
    }
  }

  /// How points of a map in `mapReference` become points of the layer's data and back.
  ///
  /// - Parameter known: the last projection, if the caller has it.
  func projection(
    for mapReference: SpatialReference, known: LayerProjection?
  ) throws(EngineError) -> LayerProjection {
    if let known, known.mapSystem === mapReference.system, known.toLayer.isCurrent { return known }
    let generation = state.withLock { $0.referenceGeneration }
    let own = try requireSpatialReference()
    let made = LayerProjection(
      mapSystem: mapReference.system, toLayer: try Projector.between(mapReference, own),
      toMap: try Projector.between(own, mapReference))
    // What the new one replaces ends after the lock is free: PROJ has to be called for that.
    _ = state.withLock { state -> LayerProjection? in
      guard state.referenceGeneration == generation else { return nil }
      defer { state.projection = made }
      return state.projection
    }
    return made
  }

  /// Finds out whether the layer can be placed on its map, if both have a spatial reference and it is not known yet. With
  /// no lock held: PROJ is asked.
  func checkPlacement(on mapReference: SpatialReference?) {
    guard let mapReference else {
      state.withLock { $0.placement = nil }
      return
    }
    guard kind != .group, loadStatus == .loaded else { return }
    let (known, generation) = state.withLock { ($0.placement, $0.referenceGeneration) }
    if known?.mapSystem === mapReference.system { return }
    guard let own = spatialReference else { return }
    var failure: EngineError?
    do throws(EngineError) {
      _ = (try Projector.between(mapReference, own), try Projector.between(own, mapReference))
    } catch {
      failure = error
    }
    let found = LayerPlacement(mapSystem: mapReference.system, failure: failure)
    state.withLock { state in
      if state.referenceGeneration == generation { state.placement = found }
    }
  }

  /// Why the layer cannot be placed on its map; nil if it can, or that is not known.
  var placementFailure: EngineError? { state.withLock { $0.placement?.failure } }

  // MARK: Warnings

  var keptWarnings: [LayerWarning] { state.withLock { $0.warnings } }

  func changeWarnings(_ body: (inout [LayerWarning]) -> Bool) -> Bool { state.withLock { body(&$0.warnings) } }
}
