import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import Synchronization

/// A raster with what a layer has to know of it. Never changes: a layer that is loaded again gets another one.
public final class RasterContent: Sendable {
  /// Identifies the content; never used twice in a process.
  let identity = RasterContent.lastIdentity.add(1, ordering: .relaxed).newValue
  private static let lastIdentity = Atomic<UInt64>(0)
  public let raster: Raster
  /// The names of the attributes that a cell has.
  let attributeNames: AttributeNames
  /// The same for each level of a service, the coarsest first; empty for a file.
  let levels: [RasterContent]
  /// What views lack of a service.
  let fetches: TileFetches

  /// Throws unless the raster can be placed on a map: it is never placed by guess.
  convenience init(_ raster: Raster) throws(EngineError) {
    let fetches = TileFetches()
    let levels = try raster.levels().map { (level) throws(EngineError) in try RasterContent(level, [], fetches) }
    try self.init(raster, levels, fetches)
  }

  private init(_ raster: Raster, _ levels: [RasterContent], _ fetches: TileFetches) throws(EngineError) {
    guard raster.facts.georeference == .affine, raster.facts.geotransform.isInvertible else {
      throw raster.notPlaceable()
    }
    self.raster = raster
    self.levels = levels
    self.fetches = fetches
    attributeNames = AttributeNames(raster.facts)
  }

  /// What is identified in a view: where the layer consists of pictures, what the view shows, otherwise the raster's own
  /// cells.
  func identified(in frame: ViewFrame, _ projection: LayerProjection) throws(EngineError) -> RasterContent {
    raster.isOfPictures ? try level(in: frame, projection) : self
  }

  /// What a view shows of it: of what a server has, the level whose cells come nearest to the size of a physical pixel in
  /// the middle of the view.
  ///
  /// At a pole of its spatial reference a pixel covers many times what it covers elsewhere. There the pixels in the middle
  /// of the view's quarters decide.
  func level(in frame: ViewFrame, _ projection: LayerProjection) throws(EngineError) -> RasterContent {
    guard let coarsest = levels.first else { return self }
    let step = 1 / frame.pixelDensity
    func pixel(_ x: Double, _ y: Double) throws(EngineError) -> Double? {
      let screen = Point(x: x * frame.width, y: y * frame.height)
      let sides = try SampleSize.sides(
        of: raster, frame, projection, at: screen, right: Point(x: screen.x + step, y: screen.y),
        below: Point(x: screen.x, y: screen.y + step))
      let size = sides.map { SampleSize($0.x, $0.y) }
      return size.map { ($0.shortest * $0.longest).squareRoot() }
    }
    let middle = try pixel(0.5, 0.5)
    var pixels = middle.map { [$0] } ?? []
    for (x, y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
      if let pixel = try pixel(x, y) { pixels.append(pixel) }
    }
    guard !pixels.isEmpty else { return coarsest }
    let usual = pixels.sorted()[pixels.count / 2]
    let wanted = middle.flatMap { $0 <= 2 * usual ? $0 : nil } ?? usual
    func misfit(_ content: RasterContent) -> Double {
      let forward = content.raster.facts.geotransform.forward
      let cell = (forward[1] * forward[5] - forward[2] * forward[4]).magnitude.squareRoot()
      return max(cell / wanted, wanted / cell)
    }
    let fits = levels.map { (content: $0, misfit: misfit($0)) }.filter { $0.misfit.isFinite }
    return fits.min { $0.misfit < $1.misfit }?.content ?? coarsest
  }

  /// The cell under a screen point.
  func cellIndex(
    at screen: Point, in frame: ViewFrame, _ projection: LayerProjection
  ) throws(EngineError) -> CellIndex {
    let finder = try frame.cellFinders.finder(self, projection, frame)
    if let index = finder?.cell(at: screen, self, projection, frame) { return index }
    let mapPoint = frame.mapPoint(screen)
    let width = projection.toLayer.to?.worldWidth
    if projection.toLayer.isIdentity { return raster.cellIndex(at: mapPoint, worldWidth: width) }
    guard let point = try projection.toLayer.project(projection.toLayer.nearCopy(of: mapPoint)) else {
      return .notProjectable
    }
    return raster.cellIndex(at: point, worldWidth: width)
  }
}

/// A layer that shows a raster through a renderer.
public final class RasterLayer: Layer, @unchecked Sendable {  // right: what changes is under a Lock
  /// An open raster, or a raster that loads.
  private let source: LoadableObject
  /// Workers hold the lock's object and not the layer's.
  private let state: Lock<State>
  /// A read has failed since the last successful read.
  private let hasTrouble = Atomic<Bool>(false)

  private struct State {
    /// Without content until the layer is loaded.
    var loaded = Loaded<RasterContent>()
    var renderer = RasterRenderer()
    /// Value ranges that were found, by band.
    var ranges: [Int: (minimum: Double, maximum: Double)] = [:]
    var trouble: EngineError?

    /// What was found out about the content before is of no use for another one.
    mutating func forgetContent() {
      ranges = [:]
      trouble = nil
    }
  }

  /// A layer of an open raster, loaded from the beginning. Throws unless the raster can be placed on a map.
  public convenience init(raster: Raster) throws(EngineError) {
    try self.init(raster: raster, source: raster)
  }

  /// A layer of a raster that may have to be loaded first.
  public convenience init(source: LoadableRaster) throws(EngineError) {
    if let raster = source.raster {
      try self.init(raster: raster, source: source)
    } else {
      self.init(unloaded: source)
    }
  }

  /// A layer of a file. Touches no file.
  ///
  /// - Parameter spatialReference: stands in for the file's own, present or not.
  public convenience init(
    runtime: Runtime, path: String, spatialReference: SpatialReference? = nil
  ) throws(EngineError) {
    self.init(unloaded: try LoadableRaster(runtime: runtime, path: path, spatialReference: spatialReference))
  }

  private init(raster: Raster, source: LoadableObject) throws(EngineError) {
    let content = try RasterContent(raster)
    guard raster.spatialReference != nil else { throw raster.withoutSpatialReference() }
    self.source = source
    state = Lock(State(loaded: Loaded(content)))
    super.init(runtime: raster.runtime, isLoaded: true)
  }

  private init(unloaded source: LoadableRaster) {
    self.source = source
    state = Lock(State())
    super.init(runtime: source.runtime, isLoaded: false)
  }

  // MARK: Loading

  public override var waitsForServer: Bool { source.waitsForServer }

  override func fetchWarnings(in view: UInt64?) -> [LayerWarning] { loadedContent?.fetches.warnings(in: view) ?? [] }

  override func isFetching(in view: UInt64) -> Bool { loadedContent?.fetches.isPending(in: view) ?? false }

  override func fetchProgress(in view: UInt64) -> FetchProgress {
    loadedContent?.fetches.progress(in: view) ?? FetchProgress()
  }

  public override func loadWork(isRetry: Bool) -> LoadWork? {
    if isRetry { loadedContent?.fetches.forgetFailures() }
    let (source, state) = (source, state)
    return { () throws(EngineError) in
      let content = try RasterContent(try Self.raster(of: source, isRetry: isRetry))
      try state.withLock({ $0.renderer }).check(content.raster.facts)
      let ranges = try Self.rangesKnownAtLoad(content.raster)
      return { (attempt) in
        // What it replaces ends after the lock is free: GDAL has to be called for that.
        _ = state.withLock { state in
          state.forgetContent()
          state.ranges = ranges
          return state.loaded.put(content, by: attempt)
        }
        return true
      }
    }
  }

  /// The ranges of a file that a server has: a frame must not wait for them.
  private static func rangesKnownAtLoad(
    _ raster: Raster
  ) throws(EngineError) -> [Int: (minimum: Double, maximum: Double)] {
    guard raster.isRemote, !raster.isOfPictures else { return [:] }
    var ranges: [Int: (minimum: Double, maximum: Double)] = [:]
    for band in raster.facts.bands.indices { ranges[band] = Self.usable(try raster.valueRange(band: band)) }
    return ranges
  }

  /// A range with two ends, as a ramp needs them.
  private static func usable(_ found: (minimum: Double, maximum: Double)?) -> (minimum: Double, maximum: Double) {
    var range = found ?? (minimum: 0, maximum: 1)
    if !(range.minimum < range.maximum) { range.maximum = range.minimum + 1 }
    return range.minimum < range.maximum ? range : (0, 1)
  }

  private static func raster(of source: LoadableObject, isRetry: Bool) throws(EngineError) -> Raster {
    if let source = source as? LoadableRaster { try source.loadHere(isRetry: isRetry) }
    guard let raster = openRaster(source) else {
      throw EngineError(.internal, "The raster of a layer was loaded and is not open.")
    }
    // A raster stays as it was when it was opened: for its files as they are now it takes another one.
    return isRetry && raster.hasChanged ? try raster.reopened() : raster
  }

  private static func openRaster(_ source: LoadableObject) -> Raster? {
    (source as? Raster) ?? (source as? LoadableRaster)?.raster
  }

  /// A layer that can no longer be read is not read while it is loaded again.
  public override func loadDidBegin(_ attempt: UInt64) {
    _ = state.withLock { state in
      let old = state.loaded.drop(before: attempt)
      if old != nil {
        state.forgetContent()
        hasTrouble.store(false, ordering: .releasing)
      }
      return old
    }
  }

  public override var notLoaded: EngineError {
    let path = (source as? LoadableRaster)?.path ?? Self.openRaster(source)?.facts.path ?? ""
    return notLoaded("layer", path: path)
  }

  /// The raster that the layer shows now; nil if it is not loaded.
  public var raster: Raster? { loadedContent?.raster }

  /// The raster that a host gets for the layer: the raster from which the layer was created, unless its files have
  /// changed and the layer was loaded again.
  public var lentRaster: LoadableObject {
    guard let raster, raster !== Self.openRaster(source) else { return source }
    return raster
  }

  private var loadedContent: RasterContent? { state.withLock { $0.loaded.content } }

  /// The current content of the layer, or an error that says how to load it.
  public func content() throws(EngineError) -> RasterContent {
    if let content = loadedContent { return content }
    throw notLoaded
  }

  /// The raster that the layer shows now, or an error that says how to load it.
  public func requireRaster() throws(EngineError) -> Raster { try content().raster }

  public override var ownSpatialReference: SpatialReference? { raster?.spatialReference }

  public override var lackOfSpatialReference: String? {
    guard let raster, raster.spatialReference == nil else { return nil }
    return raster.lackOfSpatialReference
  }

  public override func outline(in target: SpatialReference) throws(EngineError) -> [Point] {
    let reference = try requireSpatialReference()
    return try content().raster.outline(in: target, from: reference, segmentsPerEdge: 32)
  }

  public override func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? {
    guard let box = Envelope(around: try content().raster.facts.corners) else { return nil }
    guard let target else { return box }
    return try box.projected(from: try requireSpatialReference(), to: target).envelope
  }

  // MARK: Trouble

  public override var trouble: EngineError? { state.withLock { $0.trouble } }

  /// Runs what reads cells of the layer's content. That the file cannot be read is kept until it can.
  @inline(__always)
  func reading<Result>(
    _ content: RasterContent, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    do throws(EngineError) {
      let result = try body()
      if hasTrouble.load(ordering: .relaxed) { note(nil, content) }
      return result
    } catch {
      if error.status == .readFailed { note(error, content) }
      throw error
    }
  }

  private func note(_ trouble: EngineError?, _ content: RasterContent) {
    let hasChanged = state.withLock { state in
      // A read that was under way when loading began again says nothing about what is loaded now.
      guard state.loaded.content === content else { return false }
      hasTrouble.store(trouble != nil, ordering: .relaxed)
      let hasChanged = state.trouble != trouble
      state.trouble = trouble
      return hasChanged
    }
    if hasChanged { didChange() }
  }

  // MARK: Renderer

  /// Sets how the layer is drawn. A layer that is not loaded fails to load if the renderer does not fit the raster.
  public func setRenderer(_ renderer: RasterRenderer) throws(EngineError) {
    try renderer.checkNumbers()
    if let raster { try renderer.check(raster.facts) }
    state.withLock { $0.renderer = renderer }
  }

  /// How the layer is drawn, with everything filled in that was left open. Finding the range of a stretch may read
  /// cells the first time.
  public func resolvedRenderer() throws(EngineError) -> ResolvedRenderer { try resolvedRenderer(of: try content()) }

  func resolvedRenderer(of content: RasterContent) throws(EngineError) -> ResolvedRenderer {
    let renderer = state.withLock { $0.renderer }
    return try ResolvedRenderer(renderer, content.raster, metresPerUnit: spatialReference?.metresPerUnit) {
      (band) throws(EngineError) in try range(ofBand: band, content)
    }
  }

  private func range(
    ofBand band: Int, _ content: RasterContent
  ) throws(EngineError) -> (minimum: Double, maximum: Double) {
    if let known = state.withLock({ $0.loaded.content === content ? $0.ranges[band] : nil }) { return known }
    let found = try reading(content) { () throws(EngineError) in try content.raster.valueRange(band: band) }
    let range = Self.usable(found)
    state.withLock { if $0.loaded.content === content { $0.ranges[band] = range } }
    return range
  }
}
