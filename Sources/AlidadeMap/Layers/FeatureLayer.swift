import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Synchronization

/// A layer that shows a source of features through a renderer.
public final class FeatureLayer: Layer, @unchecked Sendable {  // right: constants, and Locks
  /// Stands in drawings for what has no overlay.
  let stage: GraphicsOverlay
  /// Workers hold the lock's object and not the layer's.
  private let state: Lock<State>
  /// What was drawn last in each view, by their identities. The lock is held while a drawing is made.
  let tables = Lock<[UInt64: FeatureTable]>([:])
  /// For a service, what views want.
  let fetches = LayerFetches()
  /// What was read to identify.
  let tiles = FeatureTiles()
  /// The identity of a source whose attributes take more than a drawing keeps; 0: none is known.
  let heavySource = Atomic<UInt64>(0)
  /// What opens the source, with a definition expression.
  private let opening: @Sendable (String?) throws(EngineError) -> FeatureSource
  /// As the host gave it.
  private let path: String

  private struct State {
    /// Without content until the layer is loaded.
    var loaded = Loaded<FeatureSource>()
    /// The condition that features must meet, that of a source that is to be loaded, too; nil: none.
    var definition: String?
    /// The same file with the spatial reference that the layer was given.
    var placed: FeatureSource?
    var renderer: GraphicsRenderer?
    var rendererGeneration: UInt64 = 1
    var trouble: EngineError?
    /// Builds the index; ends with the layer.
    var indexing: Request?

    /// Lets go of what belongs to a source that is to be replaced; to be released after the lock is free.
    mutating func takeCompany() -> (placed: FeatureSource?, indexing: Request?) {
      trouble = nil
      return (placed.take(), indexing.take())
    }
  }

  /// A layer of an open source, loaded from the beginning. It has no renderer, and draws nothing until it has one. The
  /// source's index begins to be built, if it has none.
  public init(source: FeatureSource) throws(EngineError) {
    stage = try GraphicsOverlay(runtime: source.runtime)
    state = Lock(State(loaded: Loaded(source), definition: source.definition))
    path = source.facts.path
    opening = { (definition) throws(EngineError) in
      let fresh = source.hasChanged ? try source.reopened() : source
      return fresh.definition == definition ? fresh : try fresh.redefined(definition)
    }
    super.init(runtime: source.runtime, isLoaded: true)
    beginIndex(of: source)
  }

  /// A layer of a file. Touches no file.
  public init(
    runtime: Runtime, path: String, options: FeatureSourceOptions = FeatureSourceOptions()
  ) throws(EngineError) {
    stage = try GraphicsOverlay(runtime: runtime)
    state = Lock(State(definition: options.definition))
    self.path = path
    opening = try FeatureSource.opening(runtime: runtime, path: path, options: options)
    super.init(runtime: runtime, isLoaded: false)
  }

  /// Without a handle, and so without an event: what became of it is asked of the source.
  private func beginIndex(of source: FeatureSource) { Self.beginIndex(of: source, state, tell: telling) }

  /// Notifies the map that the extent is known, for which views may wait. Does not keep the layer.
  private var telling: @Sendable () -> Void { { [weak self] in self?.didChange() } }

  private static func beginIndex(
    of source: FeatureSource, _ state: Lock<State>, tell: @escaping @Sendable () -> Void
  ) {
    // A service would have to be read whole.
    guard source.facts.hasGeometry, !source.facts.isService, source.indexStatus.status == .none else { return }
    do throws(EngineError) {
      let request = try source.indexRequest(RequestOptions(), then: source.facts.isExtentKnown ? nil : tell)
      state.withLock { $0.indexing = request }
      request.start(handle: 0)
    } catch {
      // Queries go on without.
    }
  }

  public override var kind: LayerKind { .feature }

  // MARK: Loading

  public override var waitsForServer: Bool { FeatureSource.isService(path) }

  public override func loadWork(isRetry: Bool) -> LoadWork? {
    if isRetry { fetches.forgetFailures() }
    let (opening, state, tell) = (opening, state, telling)
    return { () throws(EngineError) in
      let definition = state.withLock { $0.definition }
      let source = try opening(definition)
      return { (attempt) in
        let outcome = state.withLock { state in
          // It may have been given another one while the file was opened.
          guard state.definition == definition else { return (isTaken: false, replaced: [AnyObject?]()) }
          let company = state.takeCompany()
          return (true, [state.loaded.put(source, by: attempt), company.placed, company.indexing])
        }
        if outcome.isTaken { Self.beginIndex(of: source, state, tell: tell) }
        return outcome.isTaken
      }
    }
  }

  /// A layer that can no longer be read is not read while it is loaded again.
  public override func loadDidBegin(_ attempt: UInt64) {
    _ = state.withLock { state -> [AnyObject?] in
      guard let old = state.loaded.drop(before: attempt) else { return [] }
      let company = state.takeCompany()
      return [old, company.placed, company.indexing]
    }
  }

  override func fetchWarnings(in view: UInt64?) -> [LayerWarning] { fetches.warnings(in: view) }

  override func fetchProgress(in view: UInt64) -> FetchProgress { fetches.progress(in: view) }

  override func isFetching(in view: UInt64) -> Bool { fetches.isPending(in: view) }

  // MARK: Definition expression

  /// The condition that features must meet; nil: none.
  public var definition: String? { state.withLock { $0.definition } }

  /// Sets the condition that features must meet; nil removes it. A loaded layer stays loaded and shows another source
  /// of the same file from then on. A layer that is not loaded is loaded with the condition, and loading fails if the
  /// condition cannot be used. If a loaded layer cannot use the condition, nothing changes.
  public func setDefinition(_ definition: String?) throws(EngineError) {
    var options = FeatureSourceOptions()
    options.definition = definition
    try FeatureSource.check(options, runtime.policy)
    while true {
      let (known, before) = state.withLock { ($0.loaded.content, $0.definition) }
      guard before != definition else { return }
      let source = try known.map { (known) throws(EngineError) in try known.redefined(definition) }
      let outcome = state.withLock { state in
        guard state.loaded.content === known, state.definition == before else {
          return (isTaken: false, replaced: [AnyObject?]())
        }
        state.definition = definition
        guard let source else { return (true, []) }
        let company = state.takeCompany()
        return (true, [state.loaded.replace(by: source), company.placed, company.indexing])
      }
      // Otherwise it was loaded, or given another one, meanwhile.
      guard outcome.isTaken else { continue }
      if let source {
        beginIndex(of: source)
        updateWarnings(source)
      }
      return didChange()
    }
  }

  public override var trouble: EngineError? { state.withLock { $0.trouble } }

  /// Keeps that a source's file cannot be read, until it can.
  func note(_ trouble: EngineError?, _ source: FeatureSource) {
    // What a server does not return now it may return the next time.
    guard !source.facts.isService else { return }
    let hasChanged = state.withLock { state in
      // A read of a source that was replaced meanwhile says nothing about what is shown now.
      guard state.loaded.content === source, state.trouble != trouble else { return false }
      state.trouble = trouble
      return true
    }
    if hasChanged { didChange() }
  }

  /// The source that the layer shows; nil if it is not loaded.
  public var source: FeatureSource? { state.withLock { $0.loaded.content } }

  /// The source that the layer shows, or an error that says how to load it.
  public func requireSource() throws(EngineError) -> FeatureSource {
    if let source { return source }
    throw notLoaded
  }

  public override var notLoaded: EngineError { notLoaded("layer", path: path) }

  // MARK: Positions

  public override var ownSpatialReference: SpatialReference? { source?.spatialReference }

  public override var lackOfSpatialReference: String? {
    guard let source, source.facts.hasGeometry, source.spatialReference == nil else { return nil }
    return "\"\(source.facts.path)\" has no spatial reference that can be used."
  }

  /// The layer's source in the spatial reference of the layer: its own, or the one that the host set.
  func placed(_ source: FeatureSource) throws(EngineError) -> FeatureSource {
    let reference = try requireSpatialReference()
    if source.spatialReference === reference { return source }
    if let placed = state.withLock({ $0.placed }), placed.spatialReference === reference { return placed }
    let placed = try source.reopened(spatialReference: reference)
    _ = state.withLock { state -> FeatureSource? in
      guard state.loaded.content === source else { return nil }
      defer { state.placed = placed }
      return state.placed
    }
    return placed
  }

  public override func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? {
    let source = try requireSource()
    guard let box = try source.extent() else { return nil }
    guard let target else { return box }
    return try box.projected(from: try requireSpatialReference(), to: target).envelope
  }

  public override func outline(in target: SpatialReference) throws(EngineError) -> [Point] {
    guard let box = try fullExtent(in: target) else { return [] }
    let width = box.xMin > box.xMax ? target.system.worldWidth ?? 0 : 0
    let (left, right) = (box.xMin, box.xMax + width)
    return [
      Point(x: left, y: box.yMin), Point(x: right, y: box.yMin), Point(x: right, y: box.yMax),
      Point(x: left, y: box.yMax), Point(x: left, y: box.yMin),
    ]
  }

  // MARK: Renderer

  public var renderer: GraphicsRenderer? { state.withLock { $0.renderer } }

  /// Sets how features are drawn; nil: not at all. What a renderer looks at and the source has no field for is null.
  public func setRenderer(_ renderer: GraphicsRenderer?) {
    _ = state.withLock { state in
      state.rendererGeneration &+= 1
      defer { state.renderer = renderer }
      return state.renderer
    }
    didChange()
  }

  var styled: (renderer: GraphicsRenderer?, generation: UInt64) {
    state.withLock { ($0.renderer, $0.rendererGeneration) }
  }

  /// Reports what is wrong with the source's features and its index.
  func updateWarnings(_ source: FeatureSource) {
    let trouble = source.trouble
    let isWhole = trouble.unreadableCount == 0 && (!trouble.isIncomplete || source.facts.isService)
    setWarning(.unreadableFeatures, isWhole ? nil : source.warning)
    setWarning(.noIndex, source.indexStatus.failure.map { "There is no index: \($0.message)" })
  }
}
