import AlidadeBase
import AlidadeCoordinates
import CGDAL

/// A data set inside a file that holds several.
public struct ContainedDataset: Sendable {
  /// The name that opens it.
  public let name: String
  /// The driver's description; may be empty.
  public var description: String
}

/// A raster: anything that GDAL reads, opened read-only. Its facts never change; any number of threads may read.
public final class Raster: LoadableObject, @unchecked Sendable {  // right: constant fields and a pool with its own lock
  public let facts: RasterFacts
  /// nil if the file has none that can be used, and none was given.
  public let spatialReference: SpatialReference?
  /// The box around the raster in its own spatial reference.
  let extent: Envelope
  /// Why the file's own spatial reference cannot be used; nil if it can, or there is none.
  private let spatialReferenceProblem: String?
  /// The plan that reads all bands.
  let allBands: PlanePlan
  /// What single cells are read from.
  let recent: RecentCells
  /// Open data sets, by pool slot. GDAL keeps decoded blocks per data set, so each block is always read through the
  /// data sets of one slot: when it is read again, it is already decoded.
  let shelves: [LeasePool<DatasetHandle>]
  /// Stands in for the file's own spatial reference; nil: nothing does.
  private let givenReference: SpatialReference?
  /// Where the file is, whatever the host's working folder is by now.
  private let absolutePath: String
  /// Notices when a file that belongs to the raster has changed.
  private let freshness: Freshness
  /// The tiles that the raster consists of if a server has it; nil for a file.
  public let tiles: TileLevel?
  /// The file that a server has; nil for another one.
  private let ranged: RangedFile?
  /// Whether reading may open other files (sidecars, or what the driver finds in the file), so that it needs the
  /// policy's options too.
  private let readsUnderOptions: Bool

  private init(
    runtime: Runtime, facts: RasterFacts, spatialReference: SpatialReference?, spatialReferenceProblem: String?,
    givenReference: SpatialReference?, firstDataset: DatasetHandle, absolutePath: String, files: ScannedFiles,
    readsUnderOptions: Bool, ranged: RangedFile?
  ) {
    self.givenReference = givenReference
    self.absolutePath = absolutePath
    freshness = Freshness(files)
    tiles = nil
    self.ranged = ranged
    self.readsUnderOptions = readsUnderOptions
    self.facts = facts
    extent = Envelope(around: facts.corners) ?? Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
    self.spatialReference = spatialReference
    self.spatialReferenceProblem = spatialReferenceProblem
    allBands = PlanePlan(facts, bands: Array(facts.bands.indices))
    recent = RecentCells(facts, allBands)
    shelves = (0..<runtime.workers.threadCount).map { _ in LeasePool(capacity: 2) }
    super.init(runtime: runtime, isLoaded: true)
    shelves.first?.giveBack(firstDataset)
  }

  /// A level of the tiles of a service.
  ///
  /// - Parameter spatialReference: stands in for the service's own; nil: nothing does.
  public init(runtime: Runtime, _ level: TileLevel, spatialReference: SpatialReference? = nil) {
    facts = level.pyramid.levels[level.number]
    tiles = level
    ranged = nil
    self.spatialReference = spatialReference ?? level.pyramid.spatialReference
    givenReference = spatialReference
    spatialReferenceProblem = nil
    absolutePath = facts.path
    freshness = Freshness(ScannedFiles())
    readsUnderOptions = false
    extent = Envelope(around: facts.corners) ?? Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
    allBands = level.pyramid.plan
    recent = RecentCells(facts, allBands)
    // There are no data sets: the pools only say how work is shared.
    shelves = (0..<runtime.workers.threadCount).map { _ in LeasePool(capacity: 2) }
    super.init(runtime: runtime, isLoaded: true)
  }

  /// Whether cells have to be waited for, because a server has them.
  public var isRemote: Bool { tiles != nil || ranged != nil }

  /// Whether the raster consists of pictures for a screen, at several resolutions, rather than of cells that have values
  /// of their own.
  public var isOfPictures: Bool { tiles?.pyramid.isOfPictures ?? false }

  /// The rasters of all levels of what a server has, the coarsest first; empty for a file of this machine.
  public func levels() -> [Raster] {
    guard let pyramid = tiles?.pyramid ?? ranged.map({ (_) in RangedTiles.pyramid(self) }) else { return [] }
    return pyramid.levels.indices.map { number in
      Raster(runtime: runtime, TileLevel(pyramid: pyramid, number: number), spatialReference: givenReference)
    }
  }

  public override var handleKind: HandleKind { .raster }

  /// Whether a name leads to a server.
  public static func isService(_ name: String) -> Bool { HTTPAddress.isAddress(name) }

  /// How far apart the copies of the world lie in x; nil where the raster's spatial reference does not repeat it.
  public var worldWidth: Double? { spatialReference?.system.worldWidth }

  /// Opens a raster.
  ///
  /// - Parameters:
  ///   - path: a file's path, or another name that GDAL understands and the policy allows.
  ///   - spatialReference: stands in for the file's own, present or not.
  public static func open(
    runtime: Runtime, path: String, spatialReference: SpatialReference? = nil
  ) throws(EngineError) -> Raster {
    try open(
      runtime: runtime, path: path, absolutePath: FileIdentity.absolutePath(path), spatialReference: spatialReference)
  }

  /// The rasters in a file, by the names that open them: its subdatasets, otherwise the file itself if it has bands. For
  /// the address of a WMS or WMTS: its layers.
  ///
  /// - Parameter path: as for `open`.
  public static func datasets(runtime: Runtime, path: String) throws(EngineError) -> [ContainedDataset] {
    try runtime.limited { () throws(EngineError) -> [ContainedDataset] in
      if isService(path) { return try RasterService.datasets(path, runtime) }
      let absolutePath = FileIdentity.absolutePath(path)
      try FileAccess.checkFile(path, at: absolutePath, runtime.policy)
      return try GDALGuard.call(for: runtime) { (words) throws(EngineError) in
        let options = ThreadOptions(runtime.options)
        let (dataset, _) = try scanAndOpen(absolutePath, path, nil, runtime, words)
        defer { GDALClose(dataset) }
        let inside = RasterFacts.subdatasets(dataset)
        let hasBands = GDALGetRasterCount(dataset) > 0
        _ = consume options
        return inside.isEmpty && hasBands ? [ContainedDataset(name: path, description: "")] : inside
      }
    }
  }

  /// A request that opens a raster. `start` begins it.
  public static func openRequest(
    runtime: Runtime, path: String, spatialReference: SpatialReference? = nil, request: RequestOptions
  ) throws(EngineError) -> Request {
    try FileAccess.requireName(path)
    // The host may change its working folder before a worker comes to it.
    let absolutePath = FileIdentity.absolutePath(path, force: FileAccess.looksLikePath(path))
    return try Request(
      .openRaster, runtime: runtime, owner: runtime.identity, options: request, waitsForServer: isService(path)
    ) {
      () throws(EngineError) in
      try open(runtime: runtime, path: path, absolutePath: absolutePath, spatialReference: spatialReference)
    }
  }

  /// The same raster once more, as its files are now.
  public func reopened() throws(EngineError) -> Raster {
    try Self.open(
      runtime: runtime, path: facts.path, absolutePath: absolutePath, spatialReference: givenReference)
  }

  static func open(
    runtime: Runtime, path: String, absolutePath: String, spatialReference: SpatialReference?
  ) throws(EngineError) -> Raster {
    try runtime.limited { () throws(EngineError) -> Raster in
      var ranged: RangedFile?
      if isService(path) {
        switch try RasterService.open(path, runtime) {
        case .tiles(let pyramid):
          let finest = TileLevel(pyramid: pyramid, number: pyramid.levels.count &- 1)
          return Raster(runtime: runtime, finest, spatialReference: spatialReference)
        case .file(let file): ranged = file
        }
      }
      let absolutePath = ranged == nil ? absolutePath : path
      if ranged == nil { try FileAccess.checkFile(path, at: absolutePath, runtime.policy) }
      var hasCompanions = false
      let (facts, dataset, files) = try GDALGuard.call(for: runtime) { (words) throws(EngineError) in
        let options = ThreadOptions(runtime.options)
        let (dataset, files) = try scanAndOpen(absolutePath, path, ranged, runtime, words)
        hasCompanions = ranged == nil && fileCount(dataset) != 1
        let facts: RasterFacts
        do throws(EngineError) {
          facts = try RasterFacts(path: path, dataset: dataset, runtime.policy)
        } catch {
          GDALClose(dataset)
          throw error
        }
        let handle = try DatasetHandle(dataset, facts: facts)
        if ranged == nil { warnOfOldSidecars(path, absolutePath, dataset, runtime) }
        _ = consume options
        return (facts, handle, files)
      }
      let found = FileSpatialReference(spatialReference, wkt: facts.wkt, of: path, runtime)
      return Raster(
        runtime: runtime, facts: facts, spatialReference: found.reference, spatialReferenceProblem: found.problem,
        givenReference: spatialReference, firstDataset: dataset, absolutePath: absolutePath, files: files,
        readsUnderOptions: hasCompanions || ["GPKG", "MBTiles"].contains(facts.driver)
          || ReferenceScan.namingDrivers[facts.driver] != nil || ReferenceScan.namingFiles[facts.driver] != nil
          || !FileAccess.defaultDrivers.contains(facts.driver), ranged: ranged)
    }
  }

  /// Overviews and statistics in files that are older than the raster: GDAL uses them whatever has become of it since.
  /// What was copied may be older and right, so they are not refused. Call inside the guard.
  private static func warnOfOldSidecars(
    _ path: String, _ absolutePath: String, _ dataset: GDALDatasetH, _ runtime: Runtime
  ) {
    guard let band = GDALGetRasterBand(dataset, 1) else { return }
    let (overviews, statistics) = ("\(absolutePath).ovr", "\(absolutePath).aux.xml")
    if FileIdentity.isOlder(overviews, than: absolutePath), GDALGetOverviewCount(band) > 0 {
      runtime.mailbox.log(
        LogLine(
          level: .warning,
          text: "The overviews next to \"\(path)\" (.ovr) were written before it and may not show what it holds. They "
            + "are used where overviews are asked for. Build them again, or remove the file."))
    }
    if FileIdentity.isOlder(statistics, than: absolutePath),
      GDALGetRasterStatistics(band, 1, 0, nil, nil, nil, nil) == CE_None
    {
      runtime.mailbox.log(
        LogLine(
          level: .warning,
          text: "The statistics next to \"\(path)\" (.aux.xml) were written before it and are not used: the range of "
            + "its values is taken from its cells. Compute them again, or remove the file."))
    }
  }

  /// Whether GDAL's statistics of the raster may be older than the raster.
  var hasOldStatistics: Bool { FileIdentity.isOlder("\(absolutePath).aux.xml", than: absolutePath) }

  /// The number of files of a data set, as far as GDAL reports them. Call inside the guard.
  private static func fileCount(_ dataset: GDALDatasetH) -> Int {
    guard let files = GDALGetFileList(dataset) else { return 0 }
    defer { CSLDestroy(files) }
    var count = 0
    while files[count] != nil { count &+= 1 }
    return count
  }

  /// Opens a file after its names have been checked against the policy. Call inside the guard, under the options.
  ///
  /// - Parameter given: the name as the host gave it, for messages.
  private static func scanAndOpen(
    _ path: String, _ given: String, _ ranged: RangedFile?, _ runtime: Runtime, _ words: UnsafePointer<GDALWords>
  ) throws(EngineError) -> (GDALDatasetH, ScannedFiles) {
    if let ranged { return (try ranged.open(words), ScannedFiles()) }
    let bounds = try FolderBounds(of: path, runtime)
    var scan = try ReferenceScan.run(path, runtime, bounds.folders)
    let dataset = try scan.open(path, words)
    do throws(EngineError) {
      // What GDAL opened must be what was looked at.
      if let changed = scan.files.changed() { throw Freshness.failure(given, changed) }
      if scan.driver == "GPKG" || scan.driver == "MBTiles" { try DatabaseGuard.requireWatched(path) }
    } catch {
      GDALClose(dataset)
      throw error
    }
    _ = consume bounds
    return (dataset, scan.files)
  }

  // MARK: Leasing

  var shelfCount: Int { shelves.count }

  /// Calls `body` for each pool slot, on several threads. No worker waits for a server.
  func forEachShelf(_ body: @Sendable (Int) throws(EngineError) -> Void) throws(EngineError) {
    if isRemote { try runtime.fetchEach(shelfCount, body) } else { try runtime.workers.forEach(shelfCount, body) }
  }

  /// The pool slot that a block is read from. Neighbouring blocks share one: some formats decode them together.
  @inline(__always)
  func shelf(ofBlock block: Int) -> Int { (block >> 2) % shelves.count }

  /// The number of the block that holds a cell, row by row.
  @inline(__always)
  func block(of cell: CellIndex) -> Int {
    let band = facts.bands[0]
    let perRow = Int(truncatingIfNeeded: (facts.width &- 1) / band.blockWidth &+ 1)
    return Int(truncatingIfNeeded: cell.row / band.blockHeight) &* perRow
      &+ Int(truncatingIfNeeded: cell.column / band.blockWidth)
  }

  /// Runs `body` with a data set of a pool slot that nobody else uses, inside the guard.
  @inline(__always)
  func withDataset<Result>(
    shelf: Int,
    _ body: (DatasetHandle, UnsafePointer<GDALWords>) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try GDALGuard.call(for: runtime) { (words) throws(EngineError) -> Result in
      if readsUnderOptions {
        let options = ThreadOptions(runtime.options)
        let bounds = try FolderBounds(of: absolutePath, runtime)
        let result = try lease(shelf, words, body)
        try DatabaseGuard.checkRefusals(facts.path)
        _ = consume bounds
        _ = consume options
        return result
      }
      return try lease(shelf, words, body)
    }
  }

  /// Throws if a file of the raster has changed since it was opened: the bytes that were just read may belong to the
  /// new state, and GDAL's caches to the old one.
  ///
  /// - Parameter sure: look now. Otherwise only if the last look is a while ago, because every read of a single cell
  ///   calls this.
  @inline(__always)
  func checkFreshness(sure: Bool) throws(EngineError) {
    guard sure || freshness.isDue() else { return }
    if let file = freshness.changed() { throw Freshness.failure(facts.path, file) }
  }

  /// Whether a file of the raster is not as it was when it was opened.
  public var hasChanged: Bool { freshness.changed() != nil }

  @inline(__always)
  private func lease<Result>(
    _ shelf: Int, _ words: UnsafePointer<GDALWords>,
    _ body: (DatasetHandle, UnsafePointer<GDALWords>) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let handle: DatasetHandle
    let datasets = shelves[shelf]
    if let idle = datasets.take() { handle = idle } else { handle = try reopen(words) }
    guard let ranged else {
      defer { datasets.giveBack(handle) }
      return try read(handle, words, body)
    }
    do throws(EngineError) {
      _ = ranged.takeFailure()
      let result = try body(handle, words)
      datasets.giveBack(handle)
      return result
    } catch {
      // The data set may remember that it could not be read. GDAL does not know why.
      throw ranged.takeFailure() ?? error
    }
  }

  @inline(__always)
  private func read<Result>(
    _ handle: DatasetHandle, _ words: UnsafePointer<GDALWords>,
    _ body: (DatasetHandle, UnsafePointer<GDALWords>) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    do throws(EngineError) {
      return try body(handle, words)
    } catch {
      // If the file has changed, that is the reason, whatever GDAL stumbled over.
      try checkFreshness(sure: true)
      throw error
    }
  }

  /// Opens the raster once more, for one more thread. Call inside the guard.
  private func reopen(_ words: UnsafePointer<GDALWords>) throws(EngineError) -> DatasetHandle {
    try checkFreshness(sure: true)
    let options = ThreadOptions(runtime.options)
    let dataset: GDALDatasetH
    let files: ScannedFiles
    do throws(EngineError) {
      (dataset, files) = try Self.scanAndOpen(absolutePath, facts.path, ranged, runtime, words)
    } catch {
      // Whatever the reason, for a caller with an open raster it means that the raster cannot be read.
      throw EngineError(.readFailed, error.message, domain: error.domain, domainCode: error.domainCode)
    }
    _ = consume options
    guard GDALGetRasterXSize(dataset) == facts.width, GDALGetRasterYSize(dataset) == facts.height,
      Int(truncatingIfNeeded: GDALGetRasterCount(dataset)) == facts.bands.count,
      gdalText(GDALGetDriverShortName(GDALGetDatasetDriver(dataset))) == facts.driver, files == freshness.files
    else {
      GDALClose(dataset)
      throw Freshness.failure(facts.path, facts.path)
    }
    return try DatasetHandle(dataset, facts: facts)
  }

  // MARK: Positions

  /// The raster's outline, each of its four edges cut into `segmentsPerEdge` segments before it is projected; the last
  /// point equals the first.
  ///
  /// A point without an image, such as a pole in Web Mercator, is taken along its column towards the middle row until it
  /// has one; if the whole column has none, along its row.
  ///
  /// - Parameters:
  ///   - target: nil: the raster's own spatial reference.
  ///   - source: stands in for the raster's own spatial reference; nil: nothing does.
  public func outline(
    in target: SpatialReference?, from source: SpatialReference? = nil, segmentsPerEdge: Int
  ) throws(EngineError) -> [Point] {
    guard facts.georeference == .affine else { throw notPlaceable() }
    let corners = facts.corners
    var points: [Point] = []
    for edge in 0..<4 {
      let from = corners[edge]
      let to = corners[(edge + 1) % 4]
      for step in 0..<segmentsPerEdge {
        let t = Double(step) / Double(segmentsPerEdge)
        points.append(Point(x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t))
      }
    }
    points.append(corners[0])
    if let target { points = try project(points, from: source ?? spatialReference, to: target) }
    return points
  }

  private func project(
    _ points: [Point], from source: SpatialReference?, to target: SpatialReference
  ) throws(EngineError) -> [Point] {
    guard let spatialReference = source else { throw withoutSpatialReference() }
    let projector = try Projector.between(spatialReference, target)
    var images = points
    try images.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in
      try projector.project(buffer)
    }
    guard let bad = images.firstIndex(where: { !$0.isFinite }) else { return images }
    // Such as the poles in Web Mercator: there the image ends where that of the whole raster does.
    let limits = try? extent.projected(from: spatialReference, to: target).envelope
    for index in images.indices where !images[index].isFinite {
      images[index] = try imageInside(points[index], projector, limits) ?? images[index]
    }
    guard let some = images.lastIndex(where: \.isFinite) else {
      throw EngineError(
        .projectionFailed,
        "The outline's point (\(points[bad].x), \(points[bad].y)) cannot be projected from \(spatialReference.name) to "
          + "\(target.name), nor can any other.")
    }
    // Where a whole column and row have no image, the outline goes straight on to the next that has one.
    var last = images[some]
    for index in images.indices {
      if images[index].isFinite { last = images[index] } else { images[index] = last }
    }
    return images
  }

  /// The first position with an image on the path from a point of the outline along its column to the raster's middle
  /// row, otherwise along its row to the middle column; nil if no position has an image.
  ///
  /// - Parameter limits: the box around the image of the raster, which the result does not leave.
  private func imageInside(
    _ point: Point, _ projector: Projector, _ limits: Envelope?
  ) throws(EngineError) -> Point? {
    guard let place = facts.geotransform.place(of: point, in: facts.size) else { return nil }
    let middle = (column: Double(facts.width) / 2, row: Double(facts.height) / 2)
    if let image = try imageInside(place, (place.column, middle.row), projector, limits) { return image }
    return try imageInside(place, (middle.column, place.row), projector, limits)
  }

  private func imageInside(
    _ place: (column: Double, row: Double), _ end: (column: Double, row: Double), _ projector: Projector,
    _ limits: Envelope?
  ) throws(EngineError) -> Point? {
    func image(_ t: Double) throws(EngineError) -> Point? {
      let (column, row) = (place.column + (end.column - place.column) * t, place.row + (end.row - place.row) * t)
      guard let image = try projector.project(facts.geotransform.point(column: column, row: row)) else { return nil }
      return limits.map { ($0.yMin...$0.yMax).contains(image.y) } ?? true ? image : nil
    }
    var (outer, inner) = (0.0, Double.nan)
    var found: Point?
    for step in 1...Self.stepsToMiddle where found == nil {
      inner = Double(step) / Double(Self.stepsToMiddle)
      found = try image(inner)
      if found == nil { outer = inner }
    }
    guard var best = found else { return nil }
    for _ in 0..<Self.halvings {
      let half = (outer + inner) / 2
      if let image = try image(half) { (inner, best) = (half, image) } else { outer = half }
    }
    return best
  }

  /// The number of steps in which a position with an image is searched, and how often the last step is halved then.
  private static let stepsToMiddle = 64
  private static let halvings = 48

  /// Why a raster without a geotransform is refused: it is never placed by guess.
  public func notPlaceable() -> EngineError {
    let warp = "Warp it (gdalwarp) to a raster with a geotransform."
    let give = "Give it a geotransform, with a world file next to it or with gdal_translate -a_ullr."
    let (reason, remedy) =
      switch facts.georeference {
      case .controlPoints:
        ("it is placed by ground control points (it has \(facts.controlPointCount))", warp)
      case .rationalPolynomial: ("it is placed by rational polynomial coefficients", warp)
      case .geolocationArrays: ("it is placed by geolocation arrays", "Warp it (gdalwarp -geoloc).")
      case .none: ("it has no georeference", give)
      case .affine: ("its geotransform cannot be inverted", give)
      }
    return EngineError(.unsupported, "\"\(facts.path)\" cannot be placed on a map: \(reason). \(remedy)")
  }

  /// Why a raster without a spatial reference cannot be placed.
  public func withoutSpatialReference() -> EngineError {
    FileSpatialReference.missing(in: facts.path, spatialReferenceProblem)
  }

  /// The reason why a raster has no usable spatial reference.
  public var lackOfSpatialReference: String { FileSpatialReference.lack(of: facts.path, spatialReferenceProblem) }
}
