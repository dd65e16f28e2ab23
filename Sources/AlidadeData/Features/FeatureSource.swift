import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL
import Synchronization

/// Features of a file: anything of features that GDAL reads, opened read-only. Its facts never change; any number of
/// threads may read.
public final class FeatureSource: RuntimeObject, @unchecked Sendable {  // right: constants, pools and Locks
  public let facts: FeatureFacts
  /// nil if the file has none that can be used, and none was given.
  public let spatialReference: SpatialReference?
  /// Why the file's own spatial reference cannot be used; nil if it can, or there is none.
  let spatialReferenceProblem: String?
  public let definition: String?
  /// What the definition wants of features.
  let filter: LayerFilter
  /// What is left to do with the rows of a statement's result; nil: nothing.
  let rows: RowFilter?
  let curveTolerance: Double
  /// Identifies the source; never used twice in a process.
  public let identity: UInt64
  private static let lastIdentity = Atomic<UInt64>(0)

  private let datasets: LeasePool<FeatureDataset>
  private let location: Location
  private let freshness: Freshness
  /// nil for a file.
  let service: FeatureService?
  /// The worst that a reading has met.
  private let worst = Lock(ReadingTrouble())
  /// nil until it is built.
  let indexState = Lock(IndexState())
  /// Of boxes in its spatial reference; see `MatchSpace`.
  let discs = DiscCache()
  /// What joins have read of it; nil: nothing yet, or too much.
  let joinTable = Lock<JoinTable?>(nil)

  /// Where the features are.
  private struct Location: Sendable {
    /// As the host gave it, and whatever the working folder is by now.
    let given: String
    let path: String
    var options: FeatureSourceOptions

    init(_ given: String, _ path: String, _ options: FeatureSourceOptions) {
      (self.given, self.path, self.options) = (given, path, options)
    }

    /// For opening later: the host may change its working folder before that.
    init(later given: String, _ options: FeatureSourceOptions, _ policy: Policy) throws(EngineError) {
      try FileAccess.requireName(given)
      try FeatureSource.check(options, policy)
      self.init(given, FileIdentity.absolutePath(given, force: FileAccess.looksLikePath(given)), options)
    }
  }

  /// What is known once the file is open.
  private struct Opened {
    let dataset: FeatureDataset
    let facts: FeatureFacts
    let filter: LayerFilter
    var rows: RowFilter?
    /// As for `GDALWords`.
    var remarkOnValues: String?
    let files: ScannedFiles
    var service: FeatureService?
  }

  private init(
    runtime: Runtime, _ opened: Opened, _ location: Location, spatialReference: SpatialReference?, problem: String?
  ) {
    facts = opened.facts
    self.location = location
    self.spatialReference = spatialReference
    spatialReferenceProblem = problem
    definition = location.options.definition
    (filter, rows) = (opened.filter, opened.rows)
    curveTolerance = location.options.curveTolerance
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    freshness = Freshness(opened.files)
    service = opened.service
    datasets = LeasePool(capacity: runtime.workers.threadCount)
    super.init(runtime: runtime)
    datasets.giveBack(opened.dataset)
    note(opened.remarkOnValues)
  }

  public override var handleKind: HandleKind { .featureSource }

  // MARK: Opening

  /// Opens a source.
  ///
  /// - Parameter path: a file's or folder's path, or another name that GDAL understands and the policy allows.
  public static func open(
    runtime: Runtime, path: String, options: FeatureSourceOptions = FeatureSourceOptions()
  ) throws(EngineError) -> FeatureSource {
    try open(runtime: runtime, Location(path, FileIdentity.absolutePath(path), options))
  }

  /// A request that opens a source. `start` begins it.
  public static func openRequest(
    runtime: Runtime, path: String, options: FeatureSourceOptions, request: RequestOptions
  ) throws(EngineError) -> Request {
    let location = try Location(later: path, options, runtime.policy)
    return try Request(
      .openFeatureSource, runtime: runtime, owner: runtime.identity, options: request, waitsForServer: isService(path)
    ) { () throws(EngineError) in
      try open(runtime: runtime, location)
    }
  }

  /// Whether a name is the address of a service.
  public static func isService(_ name: String) -> Bool { HTTPAddress.isAddress(name) }

  /// Throws if the options cannot be meant, whatever the file is.
  public static func check(_ options: FeatureSourceOptions, _ policy: Policy) throws(EngineError) {
    let named = [options.layerName != nil, options.layerIndex != nil, options.statement != nil]
    guard named.filter({ $0 }).count <= 1 else {
      throw EngineError(.invalidArgument, "A layer's name, a layer's index and a statement exclude each other.")
    }
    guard options.curveTolerance >= 0, options.curveTolerance.isFinite else {
      throw EngineError(
        .invalidArgument, "The curve tolerance is \(options.curveTolerance); it must be 0 or a positive distance.")
    }
    if let statement = options.statement { try FeatureSQL.check(statement: statement, policy) }
    if let definition = options.definition {
      try FeatureSQL.check(condition: definition, "definition expression", policy)
    }
  }

  private static func open(runtime: Runtime, _ location: Location) throws(EngineError) -> FeatureSource {
    try runtime.limited { () throws(EngineError) -> FeatureSource in
      try check(location.options, runtime.policy)
      let service = try service(location, runtime)
      if service == nil { try FileAccess.checkFile(location.given, at: location.path, runtime.policy) }
      let opened = try GDALGuard.call(for: runtime) { (words) throws(EngineError) in
        let options = ThreadOptions(runtime.options)
        var opened: Opened
        if let service {
          opened = try open(service, location, FeatureDataset(service, words), runtime.policy, words)
        } else {
          opened = try open(location, runtime, words, findsExtent: true)
        }
        opened.remarkOnValues = words.pointee.remarkOnValues
        _ = consume options
        return opened
      }
      let found = FileSpatialReference(
        location.options.spatialReference, wkt: opened.facts.wkt, of: location.given, runtime)
      return FeatureSource(
        runtime: runtime, opened, location, spatialReference: found.reference, problem: found.problem)
    }
  }

  /// The service that a name leads to; nil for the name of a file. Outside of the guard.
  private static func service(_ location: Location, _ runtime: Runtime) throws(EngineError) -> FeatureService? {
    guard isService(location.given) else { return nil }
    let options = location.options
    guard options.statement == nil, options.layerName == nil, options.layerIndex == nil else {
      throw EngineError(
        .unsupported, "A service has neither statements nor layers to choose from: its address names one layer.")
    }
    return try FeatureService(location.given, runtime)
  }

  /// Opens a service of which it is known what it is. Call inside the guard, under the options.
  private static func open(
    _ service: FeatureService, _ location: Location, _ dataset: FeatureDataset, _ policy: Policy,
    _ words: UnsafePointer<GDALWords>
  ) throws(EngineError) -> Opened {
    let driver = service.driver
    let filter = try setDefinition(location.options.definition, dataset.layer, isTable: false, nil, policy, words)
    let facts = FeatureFacts(
      path: location.given, driver: driver, dataset: dataset.dataset, layer: dataset.layer, index: 0, statement: nil,
      filter: filter, service: service)
    return Opened(dataset: dataset, facts: facts, filter: filter, files: ScannedFiles(), service: service)
  }

  /// Opens a file after its names have been checked against the policy. Call inside the guard, under the options.
  ///
  /// - Parameter findsExtent: features may be read to find their extent, where the file does not say it.
  private static func open(
    _ location: Location, _ runtime: Runtime, _ words: UnsafePointer<GDALWords>, findsExtent: Bool
  ) throws(EngineError) -> Opened {
    let policy = runtime.policy
    let bounds = try FolderBounds(of: location.path, runtime)
    var scan = try ReferenceScan.run(location.path, runtime, bounds.folders, for: .vector)
    if let driver = scan.driver { try VectorFiles.checkSize(location.path, driver: driver, policy) }
    let dataset = try scan.open(location.path, words)
    let driver = gdalText(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)))
    let handle: FeatureDataset
    let chosen: ChosenLayer
    do throws(EngineError) {
      chosen = try chooseLayer(dataset, location, words, policy)
      handle = FeatureDataset(dataset, layer: chosen.layer, isResult: chosen.index == nil)
    } catch {
      GDALClose(dataset)
      throw error
    }
    // From here on the handle closes it.
    let isTable = chosen.index != nil && LayerNames.databases.contains(driver)
    let filter = try setDefinition(
      location.options.definition, handle.layer, isTable: isTable, chosen.rows, policy, words)
    var facts = FeatureFacts(
      path: location.given, driver: driver, dataset: dataset, layer: handle.layer, index: chosen.index,
      statement: location.options.statement, filter: filter, rows: chosen.rows, isSummary: chosen.isSummary)
    // A statement's result may take long to read.
    if findsExtent, chosen.index != nil, !facts.isExtentKnown {
      facts.readExtent = ReadExtent(handle.layer, driver: driver, filter: filter.gdal, count: facts.featureCount)
    }
    // What GDAL opened must be what was looked at.
    if let changed = scan.files.changed() { throw Freshness.failure(location.given, changed) }
    try DatabaseGuard.requireWatched(location.path)
    try DatabaseGuard.checkLimits()
    _ = consume bounds
    return Opened(dataset: handle, facts: facts, filter: filter, rows: chosen.rows, files: scan.files)
  }

  /// The layer that is read.
  private struct ChosenLayer {
    let layer: OGRLayerH
    /// nil: it is the result of a statement.
    let index: Int?
    /// What is left to do with the rows of a result; nil: nothing.
    var rows: RowFilter?
    /// The result sums up a layer. Counting it would open the file once more, whatever the policy says of it.
    var isSummary = false
  }

  /// Runs a statement.
  private static func run(
    _ text: String, _ dataset: GDALDatasetH, _ location: Location, _ words: UnsafePointer<GDALWords>, _ policy: Policy
  ) throws(EngineError) -> ChosenLayer {
    func layer(_ text: String, _ dialect: String) throws(EngineError) -> OGRLayerH {
      guard let layer = GDALDatasetExecuteSQL(dataset, text, nil, dialect) else {
        throw words.pointee.failure(.invalidArgument, "The statement cannot be run on \"\(location.given)\"")
      }
      return layer
    }
    if policy.allowsSQL { return ChosenLayer(layer: try layer(text, "OGRSQL"), index: nil) }
    let statement = try SelectStatement(text)
    guard let table = GDALDatasetGetLayerByName(dataset, statement.table) else {
      throw unknown(statement.table, dataset, location)
    }
    // GDAL's own SQL rounds integers, forgets conditions on ids and sorts numbers as texts where it sums up.
    if statement.isSummary {
      let driver = gdalText(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)))
      let text = try statement.summary(of: table, isVirtual: !LayerNames.databases.contains(driver))
      return ChosenLayer(
        layer: try DatabaseGuard.withStatement { () throws(EngineError) in try layer(text, "SQLITE") }, index: nil,
        isSummary: true)
    }
    let result = try layer(try statement.rows(of: table), "OGRSQL")
    do throws(EngineError) {
      return ChosenLayer(layer: result, index: nil, rows: try statement.rest(of: table, in: result))
    } catch {
      GDALDatasetReleaseResultSet(dataset, result)
      throw error
    }
  }

  private static func unknown(_ name: String, _ dataset: GDALDatasetH, _ location: Location) -> EngineError {
    let names = (0..<max(0, GDALDatasetGetLayerCount(dataset))).prefix(16).compactMap { number in
      GDALDatasetGetLayer(dataset, number).map { gdalText(OGR_L_GetName($0)) }
    }
    return EngineError(
      .notFound,
      "\"\(location.given)\" has no layer \(ReferenceRule.short(name)); it has "
        + "\(ReferenceRule.short(names.joined(separator: ", "))).")
  }

  private static func chooseLayer(
    _ dataset: GDALDatasetH, _ location: Location, _ words: UnsafePointer<GDALWords>, _ policy: Policy
  ) throws(EngineError) -> ChosenLayer {
    let options = location.options
    if let statement = options.statement { return try run(statement, dataset, location, words, policy) }
    let count = max(0, GDALDatasetGetLayerCount(dataset))
    let layers = (0..<count).compactMap { number in
      GDALDatasetGetLayer(dataset, number).map { (index: Int(truncatingIfNeeded: number), layer: $0) }
    }
    guard let first = layers.first else {
      throw EngineError(.unsupported, "\"\(location.given)\" holds no layer of features. \(DataContent.raster.remedy)")
    }
    if let name = options.layerName {
      let names = layers.map { gdalText(OGR_L_GetName($0.layer)) }
      guard let place = names.firstIndex(of: name) else { throw unknown(name, dataset, location) }
      return ChosenLayer(layer: layers[place].layer, index: layers[place].index)
    }
    if let index = options.layerIndex {
      guard let found = layers.first(where: { $0.index == index }) else {
        throw EngineError(
          .notFound, "\"\(location.given)\" has no layer \(index); it has \(layers.count), from 0.")
      }
      return ChosenLayer(layer: found.layer, index: index)
    }
    let chosen = layers.first { OGR_L_GetGeomType($0.layer) != wkbNone } ?? first
    return ChosenLayer(layer: chosen.layer, index: chosen.index)
  }

  /// Sets a definition expression on a layer, as far as GDAL is to look at it. Call inside the guard.
  ///
  /// - Parameters: as for `FeatureSQL.filter`.
  private static func setDefinition(
    _ definition: String?, _ layer: OGRLayerH, isTable: Bool, _ rows: RowFilter?, _ policy: Policy,
    _ words: UnsafePointer<GDALWords>
  ) throws(EngineError) -> LayerFilter {
    guard let definition else { return LayerFilter() }
    let what = "definition expression"
    let filter = try FeatureSQL.filter(definition, what, layer, isTable: isTable, rows, policy)
    if let gdal = filter.gdal { try setFilter(gdal, what, isTable: isTable, layer, words) }
    if !filter.own.isEmpty { _ = try ConditionTest(filter.own, what, policy) }
    return filter
  }

  /// Sets a condition on a layer. Call inside the guard.
  static func setFilter(
    _ condition: String, _ what: String, isTable: Bool, _ layer: OGRLayerH, _ words: UnsafePointer<GDALWords>
  ) throws(EngineError) {
    func failure() -> EngineError { words.pointee.failure(.invalidArgument, "The \(what) cannot be used") }
    // A database takes what is behind a condition without brackets (LIMIT) with it, and looks when it is first read.
    guard OGR_L_SetAttributeFilter(layer, "(\(condition))") == OGRERR_NONE else { throw failure() }
    guard isTable else { return }
    CPLErrorReset()
    OGR_L_ResetReading(layer)
    if let feature = OGR_L_GetNextFeature(layer) {
      OGR_F_Destroy(feature)
    } else if CPLGetLastErrorType() == CE_Failure {
      throw failure()
    }
    OGR_L_ResetReading(layer)
  }

  /// The layer is a table or a view of an SQLite database, and no result of a statement.
  var isTable: Bool { facts.layerIndex != nil && !facts.isService && LayerNames.databases.contains(facts.driver) }

  // MARK: Leasing

  /// Runs `body` with a data set that nobody else uses, inside the guard and under the policy's options. The files must
  /// be as they were, before and after.
  ///
  /// - Parameters:
  ///   - area: where the features are that `body` reads, as far as it is known.
  ///   - most: how many of them `body` reads, if it is known.
  func withDataset<Result>(
    reading area: FeatureArea? = nil, most: Int = .max,
    _ body: (FeatureDataset, UnsafePointer<GDALWords>) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try checkFreshness()
    return try runtime.limitedHere { () throws(EngineError) in
      let pages = try service?.pages(near: area, most: most)
      return try GDALGuard.call(for: runtime) { (words) throws(EngineError) in
        let options = ThreadOptions(runtime.options)
        let bounds = service == nil ? try FolderBounds(of: location.path, runtime) : nil
        let dataset: FeatureDataset
        if let idle = datasets.take() { dataset = idle } else { dataset = try reopen(words) }
        if let pages { dataset.take(pages) }
        defer {
          dataset.take(FeatureService.Pages())
          datasets.giveBack(dataset)
        }
        let result: Result
        do throws(EngineError) {
          result = try body(dataset, words)
        } catch {
          // If the file has changed, that is the reason, whatever GDAL stumbled over.
          try checkFreshness()
          throw error
        }
        note(words.pointee.remarkOnValues)
        try checkFreshness()
        try DatabaseGuard.checkRefusals(facts.path)
        _ = consume bounds
        _ = consume options
        return result
      }
    }
  }

  /// Whether a file of the source is not as it was when it was opened.
  public var hasChanged: Bool { freshness.changed() != nil }

  /// The same layer of the file as it is now.
  ///
  /// - Parameter reference: stands in for the file's own; nil: as at the first opening.
  public func reopened(spatialReference reference: SpatialReference? = nil) throws(EngineError) -> FeatureSource {
    var there = location
    if let reference { there.options.spatialReference = reference }
    guard let service else { return try Self.open(runtime: runtime, there) }
    // The service does not have to say again what it is.
    let opened = try GDALGuard.call(for: runtime) { (words) throws(EngineError) in
      try Self.open(service, there, FeatureDataset(service, words), runtime.policy, words)
    }
    return FeatureSource(
      runtime: runtime, opened, there, spatialReference: reference ?? spatialReference,
      problem: spatialReferenceProblem)
  }

  /// The same layer with another definition expression. As much of the file is read as shows that it can be used.
  public func redefined(_ definition: String?) throws(EngineError) -> FeatureSource {
    try runtime.limited { [self] () throws(EngineError) -> FeatureSource in
      var there = location
      there.options.definition = definition
      try Self.check(there.options, runtime.policy)
      try checkFreshness()
      let opened = try GDALGuard.call(for: runtime) { (words) throws(EngineError) in
        let options = ThreadOptions(runtime.options)
        let bounds = service == nil ? try FolderBounds(of: location.path, runtime) : nil
        let dataset: FeatureDataset
        if let idle = datasets.take() { dataset = idle } else { dataset = try reopen(words) }
        let filter: LayerFilter
        do throws(EngineError) {
          OGR_L_SetAttributeFilter(dataset.layer, nil)
          filter = try Self.setDefinition(definition, dataset.layer, isTable: isTable, rows, runtime.policy, words)
          try checkFreshness()
        } catch {
          // As it was, for whoever has the data set next.
          OGR_L_SetAttributeFilter(dataset.layer, self.filter.gdal)
          OGR_L_ResetReading(dataset.layer)
          datasets.giveBack(dataset)
          try checkFreshness()
          throw error
        }
        var facts = FeatureFacts(
          path: facts.path, driver: facts.driver, dataset: dataset.dataset, layer: dataset.layer,
          index: facts.layerIndex, statement: there.options.statement, filter: filter, rows: rows,
          isSummary: facts.isSummary, service: service)
        facts.readExtent = self.facts.readExtent
        _ = consume bounds
        _ = consume options
        return Opened(
          dataset: dataset, facts: facts, filter: filter, rows: rows, files: freshness.files, service: service)
      }
      return FeatureSource(
        runtime: runtime, opened, there, spatialReference: spatialReference, problem: spatialReferenceProblem)
    }
  }

  /// A function that opens a source later, with a definition expression, even if the host has changed its working
  /// folder meanwhile.
  public static func opening(
    runtime: Runtime, path: String, options: FeatureSourceOptions
  ) throws(EngineError) -> @Sendable (String?) throws(EngineError) -> FeatureSource {
    let location = try Location(later: path, options, runtime.policy)
    return { (definition) throws(EngineError) in
      var location = location
      location.options.definition = definition
      return try open(runtime: runtime, location)
    }
  }

  /// Throws if a file of the source is not as it was when it was opened. Looks every 10 ms at most.
  public func checkUnchanged() throws(EngineError) {
    if freshness.isDue() { try checkFreshness() }
  }

  func checkFreshness() throws(EngineError) {
    if let file = freshness.changed() { throw Freshness.failure(facts.path, file) }
  }

  /// Opens the source once more, for one more thread. Call inside the guard, under the options.
  private func reopen(_ words: UnsafePointer<GDALWords>) throws(EngineError) -> FeatureDataset {
    if let service {
      let dataset = try FeatureDataset(service, words)
      OGR_L_SetAttributeFilter(dataset.layer, filter.gdal)
      return dataset
    }
    let opened: Opened
    do throws(EngineError) {
      opened = try Self.open(location, runtime, words, findsExtent: false)
    } catch {
      // Whatever the reason, for a caller with an open source it means that the source cannot be read.
      throw EngineError(.readFailed, error.message, domain: error.domain, domainCode: error.domainCode)
    }
    guard opened.facts.driver == facts.driver, opened.facts.layerName == facts.layerName,
      opened.facts.fields == facts.fields, opened.files == freshness.files
    else { throw Freshness.failure(facts.path, facts.path) }
    return opened.dataset
  }

  // MARK: Trouble

  /// The worst that a reading has met.
  public var trouble: ReadingTrouble { worst.withLock { $0 } }

  /// Keeps what a reading met, if it is worse than what is known.
  func note(_ trouble: ReadingTrouble) {
    // What a service did not return at one time says nothing about the next.
    if facts.isService { return worst.withLock { $0 = trouble } }
    guard trouble != ReadingTrouble() else { return }
    worst.withLock { worst in
      worst.unreadableCount = max(worst.unreadableCount, trouble.unreadableCount)
      worst.isIncomplete = worst.isIncomplete || trouble.isIncomplete
      if worst.firstReason.isEmpty { worst.firstReason = trouble.firstReason }
    }
  }

  /// Keeps what GDAL said of values that it has changed.
  private func note(_ remarkOnValues: String?) {
    guard let remarkOnValues else { return }
    var trouble = ReadingTrouble()
    trouble.firstReason = "Some values do not fit the type of their field, and were changed: \(remarkOnValues)."
    note(trouble)
  }

  /// A description of what is wrong with a source that can still be used; empty if nothing is wrong.
  public var warning: String {
    var parts: [String] = []
    if facts.hasGeometry, spatialReference == nil { parts.append(withoutSpatialReference().message) }
    let trouble = trouble
    if trouble.unreadableCount > 0 {
      parts.append("\(trouble.unreadableCount) features have geometries that cannot be read.")
    }
    if trouble.isIncomplete, !facts.isService { parts.append("The file cannot be read to its end.") }
    if !trouble.firstReason.isEmpty { parts.append(trouble.firstReason) }
    return parts.joined(separator: " ")
  }

  /// How many data sets of the source are open and idle.
  public var idleDatasetCount: Int { datasets.idleCount }
}
