import AlidadeBase
import AlidadeCoordinates
import Synchronization

/// The first viewpoint of a map's views.
public struct InitialViewpoint: Sendable {
  /// WGS 84, degrees.
  public var latitude: Double
  public var longitude: Double
  /// The denominator of the nominal scale.
  public var scale: Double

  public init(latitude: Double, longitude: Double, scale: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.scale = scale
  }
}

/// Layers in an order, in one spatial reference.
public final class Map: LoadableObject, LayersLoader, @unchecked Sendable {  // right: what changes is under a Lock
  /// Identifies the map; never used twice in a process.
  let identity: UInt64
  let forest: LayerForest
  let basemap: LayerList
  let operational: LayerList
  let state: Lock<State>
  /// What the map's loading waits for.
  let pending = PendingLayers()
  /// Views of the map that could not be read when they were last looked at, by identity.
  let waitingViews = Lock<[UInt64: WeakView]>([:])
  /// Views that hear of the map's layers, by identity.
  let watchers = Lock<[UInt64: WeakView]>([:])
  private static let lastIdentity = Atomic<UInt64>(0)

  struct State {
    var spatialReference: SpatialReference?
    var referenceScale = 0.0
    var initialViewpoint: Viewpoint?
    var bookmarks: [Bookmark] = []
    /// Made when it is first asked for.
    var ground: GroundFrame?
    /// How many views look at the map: as long as there are any, its layers load by themselves.
    var viewCount = 0
    var texts = HostTexts()
    /// What all views keep to.
    var limits = MapLimits.none
    /// As it was given.
    var maxExtent: MapExtent?
    var maxExtentGeneration: UInt64 = 0
  }

  /// - Parameter spatialReference: the spatial reference for the whole life of the map; nil means that of the first
  /// layer that loads.
  public init(runtime: Runtime, spatialReference: SpatialReference? = nil) {
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    forest = LayerForest.of(runtime)
    basemap = LayerList(LayerStanding(mapIdentity: identity), of: .basemap)
    operational = LayerList(LayerStanding(mapIdentity: identity), of: .map)
    state = Lock(State(spatialReference: spatialReference))
    super.init(runtime: runtime, isLoaded: false)
    basemap.map = self
    operational.map = self
  }

  deinit {
    // They end, if nobody else has them, after the lock is free.
    _ = forest.withLock { basemap.removeAll() + operational.removeAll() }
  }

  public override var handleKind: HandleKind { .map }

  /// A loaded map may have layers that are not loaded.
  public override var needsReload: Bool { leaves.contains { $0.isToBeRetried } }

  /// A map loads by loading its layers. A retry loads the layers again that have failed or have trouble.
  public override func loadParts(isRetry: Bool) {
    pending.reset()
    for layer in leaves { layer.beginLoading(isRetry: isRetry && layer.isToBeRetried) }
    endLoadIfDone()?()
  }

  /// The spatial reference of the map; nil until it is set or taken from a layer. See `layerDidChange`.
  public var spatialReference: SpatialReference? { state.withLock { $0.spatialReference } }

  /// The map's spatial reference, or an error that says how to give it one.
  public func requireSpatialReference() throws(EngineError) -> SpatialReference {
    if let reference = spatialReference { return reference }
    throw EngineError(
      .notReady,
      "The map has no spatial reference yet. Give it one when making it, or add a layer that has one and load it.")
  }

  // MARK: Reference scale

  /// The scale at which symbols that grow with the map have their given size; 0 without a reference scale.
  public var referenceScale: Double { state.withLock { $0.referenceScale } }

  public func setReferenceScale(_ scale: Double) throws(EngineError) {
    guard scale == 0 || MapView.scales.contains(scale) else {
      throw EngineError(.invalidArgument, "The reference scale 1 : \(scale) is not within 1 : 1e-6 to 1 : 1e15.")
    }
    state.withLock { $0.referenceScale = scale }
  }

  // MARK: Viewpoints

  /// The first viewpoint of this map's views; nil means the lowest layer.
  public var initialViewpoint: Viewpoint? { state.withLock { $0.initialViewpoint } }

  /// Sets the first viewpoint of this map's views.
  public func setInitialViewpoint(_ viewpoint: InitialViewpoint) throws(EngineError) {
    try setInitialViewpoint(
      try Viewpoint(
        latitude: viewpoint.latitude, longitude: viewpoint.longitude, scale: viewpoint.scale, runtime: runtime))
  }

  func keepInitialViewpoint(_ viewpoint: Viewpoint?) {
    state.set(\.initialViewpoint, to: viewpoint)
    wakeWaitingViews()
  }

  /// The bookmarks, in the order in which they were added.
  public var bookmarks: [Bookmark] { state.withLock { $0.bookmarks } }

  func changeBookmarks<Result>(_ body: (inout [Bookmark]) -> Result) -> Result {
    state.withLock { body(&$0.bookmarks) }
  }

  /// How map points lie on the ground.
  func groundFrame(_ reference: SpatialReference) throws(EngineError) -> GroundFrame {
    if let known = state.withLock({ $0.ground }), known.isCurrent { return known }
    let made = try GroundFrame(reference)
    state.set(\.ground, to: made)
    return made
  }
}
