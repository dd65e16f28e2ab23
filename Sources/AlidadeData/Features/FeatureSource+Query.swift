import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

extension FeatureSource {
  /// Reads features.
  public func query(_ query: FeatureQuery = FeatureQuery()) throws(EngineError) -> FeatureSet {
    try runtime.limited { [self] () throws(EngineError) -> FeatureSet in
      try check(query)
      let fields = query.fields ?? Array(facts.fields.indices)
      let withGeometry = facts.hasGeometry && !query.withoutGeometry
      let maker = try FeatureSetMaker(self, fields: fields, spare: query.spareFields, withGeometry: withGeometry)
      let area = try area(of: query)
      if area != nil || query.area == nil {
        try withDataset(reading: area, most: query.mostRead(filter)) { (dataset, words) throws(EngineError) in
          var pass = FeaturePass(self, dataset, words, limit: query.limit, offset: query.offset)
          try pass.run(query, area, reads: fields, withGeometry: withGeometry) { (feature) throws(EngineError) in
            try maker.add(feature)
          }
          maker.trouble.isIncomplete = pass.isIncomplete
          if maker.trouble.firstReason.isEmpty { maker.trouble.firstReason = pass.reason }
        }
      }
      note(maker.trouble)
      return try maker.finish(query.spatialReference)
    }
  }

  /// A request that reads features. `start` begins it.
  public func queryRequest(_ query: FeatureQuery, request: RequestOptions) throws(EngineError) -> Request {
    try check(query)
    return try Request(
      .queryFeatures, runtime: runtime, owner: identity, options: request, waitsForServer: facts.isService
    ) { () throws(EngineError) in
      try self.query(query)
    }
  }

  /// How many features a query would read. What it says of fields, limits and projecting does not matter.
  public func count(_ query: FeatureQuery = FeatureQuery()) throws(EngineError) -> Int64 {
    try runtime.limited { [self] () throws(EngineError) -> Int64 in
      try check(query)
      let area = try area(of: query)
      if area == nil, query.area != nil { return 0 }
      return try withDataset(reading: area) { (dataset, words) throws(EngineError) in
        var pass = FeaturePass(self, dataset, words, limit: nil, offset: 0)
        var count: Int64 = 0
        try pass.run(query, area, reads: [], withGeometry: area != nil) { (_) throws(EngineError) in count &+= 1 }
        if pass.isIncomplete {
          throw EngineError(.readFailed, "\"\(facts.path)\" cannot be read to its end: \(pass.reason)", domain: .gdal)
        }
        return count
      }
    }
  }

  /// Where the features of a query are; nil without an area in it, or if nothing can be there.
  private func area(of query: FeatureQuery) throws(EngineError) -> FeatureArea? {
    guard facts.hasGeometry, let wanted = query.area else { return nil }
    return try FeatureArea(wanted, of: self)
  }

  /// Throws if a query cannot be meant.
  private func check(_ query: FeatureQuery) throws(EngineError) {
    if let condition = query.condition { try FeatureSQL.check(condition: condition, "condition", runtime.policy) }
    for field in query.fields ?? [] where !facts.fields.indices.contains(field) {
      throw EngineError(.notFound, "There is no field \(field); there are \(facts.fields.count), from 0.")
    }
    if query.spatialReference != nil, spatialReference == nil { throw withoutSpatialReference() }
    if let ids = query.ids { try runtime.policy.check(points: ids.count) }
    if case .envelope(let box, _) = query.area {
      guard [box.xMin, box.yMin, box.xMax, box.yMax].allSatisfy(\.isFinite) else {
        throw EngineError(.invalidArgument, "The envelope has a coordinate that is not finite.")
      }
    }
  }

  /// Why features without a spatial reference cannot be placed.
  public func withoutSpatialReference() -> EngineError {
    FileSpatialReference.missing(in: facts.path, spatialReferenceProblem)
  }
}

/// A way through the features of a layer. Use it inside the guard.
struct FeaturePass {
  private let source: FeatureSource
  private let dataset: FeatureDataset
  private let words: UnsafePointer<GDALWords>
  private var left: Int
  private var skipped: Int
  /// GDAL has failed before the last feature.
  private(set) var isIncomplete = false
  private(set) var reason = ""

  /// So many ids stand in one condition.
  private static let idsPerCondition = 500

  init(
    _ source: FeatureSource, _ dataset: FeatureDataset, _ words: UnsafePointer<GDALWords>, limit: Int?, offset: Int
  ) {
    self.source = source
    self.dataset = dataset
    self.words = words
    left = limit ?? .max
    skipped = offset
  }

  /// Calls `body` with each feature that a query asks for: in the file's order, or in any if that is the order of ids and
  /// there is no limit; who needs the order sorts then.
  mutating func run(
    _ query: FeatureQuery, _ area: FeatureArea?, reads fields: [Int], withGeometry: Bool,
    _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    let isLimited = left < .max || skipped > 0
    let order = source.facts.order
    // A database looks for an index that has all that is read; none has geometries.
    let addsGeometry = isLimited && order.isLostByConditions && source.facts.hasGeometry
    let readsGeometry = withGeometry || area != nil || addsGeometry
    let hasCondition = try filter(of: query).gdal != nil || source.facts.layerIndex == nil || !readsGeometry
    let isLost = (order.isLostByBoxes && area != nil) || (order.isLostByConditions && hasCondition)
    guard isLimited, order.isByID, isLost else {
      return try read(query, area, fields, readsGeometry, body)
    }
    let ids = try idsWithinLimits(query, area)
    (left, skipped) = (.max, 0)
    if source.facts.findsByID {
      for id in ids { try find(id, nil, body) }
    } else {
      try scan(LayerFilter(), nil, nil, fields, withGeometry, only: Set(ids), body)
    }
  }

  /// The ids of what a query asks for within its limits, rising.
  private mutating func idsWithinLimits(_ query: FeatureQuery, _ area: FeatureArea?) throws(EngineError) -> [Int64] {
    let found = Column<Int64>()
    let budget = MemoryBudget(source.runtime.policy)
    var all = FeaturePass(source, dataset, words, limit: nil, offset: 0)
    try all.read(query, area, [], area != nil) { (feature) throws(EngineError) in
      try found.append(Int64(truncatingIfNeeded: OGR_F_GetFID(feature)), budget)
    }
    (isIncomplete, reason) = (all.isIncomplete, all.reason)
    try budget.take(found.count &* MemoryLayout<Int64>.stride)
    return Array(found.buffer.sorted().dropFirst(skipped).prefix(left))
  }

  /// All that a feature must meet.
  private func filter(of query: FeatureQuery) throws(EngineError) -> LayerFilter {
    let theirs = try query.condition.map { (condition) throws(EngineError) in
      try FeatureSQL.filter(
        condition, "condition", dataset.layer, isTable: source.isTable, source.rows, source.runtime.policy)
    }
    return source.filter.and(theirs)
  }

  private mutating func read(
    _ query: FeatureQuery, _ area: FeatureArea?, _ fields: [Int], _ withGeometry: Bool,
    _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let area else { return try read(query, nil, nil, fields, withGeometry, body) }
    try area.withTest { (test) throws(EngineError) in
      try read(query, area, test, fields, true, body)
    }
  }

  private mutating func read(
    _ query: FeatureQuery, _ area: FeatureArea?, _ test: FeatureTest?, _ fields: [Int], _ withGeometry: Bool,
    _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (filter, box) = (try filter(of: query), area?.box)
    guard let ids = query.ids.map({ Set($0) }) else {
      // The definition was looked at when the index was built.
      guard query.condition == nil, let area, let near = source.fewCandidates(area) else {
        return try scan(filter, box, test, fields, withGeometry, body)
      }
      for id in near where left > 0 { try find(id, test, body) }
      return
    }
    if filter.isEmpty, let all = source.findable(ids) {
      for id in all where left > 0 { try find(id, test, body) }
      return
    }
    guard source.facts.idStability == .stored, source.facts.order.isLostByConditions else {
      return try scan(filter, box, test, fields, withGeometry, only: ids, body)
    }
    let all = ids.sorted()
    for start in stride(from: 0, to: all.count, by: Self.idsPerCondition) where left > 0 {
      let some = all[start..<min(all.count, start &+ Self.idsPerCondition)]
      let theirs = FeatureSQL.condition(ids: some, column: source.facts.idColumn)
      try scan(filter.and(LayerFilter(gdal: theirs)), box, test, fields, withGeometry, body)
    }
  }

  /// Reads one feature by its id.
  private mutating func find(
    _ id: Int64, _ test: FeatureTest?, _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    CPLErrorReset()
    guard let feature = OGR_L_GetFeature(dataset.layer, GIntBig(id)) else {
      // That there is none is no failure; GDAL's drivers do not agree on whether to say so.
      return
    }
    defer { OGR_F_Destroy(feature) }
    try pass(feature, test, body)
  }

  /// Reads features one after the other.
  ///
  /// - Parameter ids: those that are wanted; nil: all.
  private mutating func scan(
    _ filter: LayerFilter, _ box: Envelope?, _ test: FeatureTest?, _ fields: [Int], _ withGeometry: Bool,
    only ids: Set<Int64>? = nil, _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let service = source.service else {
      return try scanLayer(filter, box, test, fields, withGeometry, only: ids, body)
    }
    for page in dataset.pages.list where left > 0 {
      try dataset.read(page, of: service, words) { () throws(EngineError) in
        try scanLayer(filter, box, test, fields, withGeometry, only: ids, body)
        return left > 0
      }
    }
    for reason in [dataset.remark, dataset.pages.shortage] where !reason.isEmpty {
      (isIncomplete, self.reason) = (true, reason)
    }
  }

  private mutating func scanLayer(
    _ filter: LayerFilter, _ box: Envelope?, _ test: FeatureTest?, _ fields: [Int], _ withGeometry: Bool,
    only ids: Set<Int64>?, _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (layer, standing, policy) = (dataset.layer, source.filter.gdal, source.runtime.policy)
    let own = filter.own.isEmpty ? nil : try ConditionTest(filter.own, "condition", policy)
    var rows = try source.rows.map { (rows) throws(EngineError) in try RowScan(rows, policy) }
    defer {
      // As it was, for whoever has the data set next.
      OGR_L_SetSpatialFilter(layer, nil)
      OGR_L_SetIgnoredFields(layer, nil)
      if filter.gdal != standing { OGR_L_SetAttributeFilter(layer, standing) }
      OGR_L_ResetReading(layer)
    }
    if let condition = filter.gdal, condition != standing {
      try FeatureSource.setFilter(condition, "condition", isTable: source.isTable, layer, words)
    }
    // The limits of a statement are meant before a box is.
    if let box = box.flatMap(source.searched), source.facts.order.allowsBoxes, rows?.hasLimits != true {
      OGR_L_SetSpatialFilterRect(layer, box.xMin, box.yMin, box.xMax, box.yMax)
    }
    // GDAL's own look at a condition may be at any field.
    if filter.gdal == nil { ignore(allBut: fields + (own?.fields ?? []) + (rows?.fields ?? []), withGeometry) }
    OGR_L_ResetReading(layer)
    while left > 0 {
      try TimeLimit.check()
      CPLErrorReset()
      guard let feature = OGR_L_GetNextFeature(layer) else {
        try DatabaseGuard.checkLimits()
        if CPLGetLastErrorType() == CE_Failure {
          isIncomplete = true
          if reason.isEmpty { reason = gdalText(CPLGetLastErrorMsg()) }
        }
        return
      }
      defer { OGR_F_Destroy(feature) }
      switch try rows?.sight(of: feature) {
      case .past: return
      case .passedOver: continue
      case .wanted, nil: break
      }
      if let ids, !ids.contains(Int64(truncatingIfNeeded: OGR_F_GetFID(feature))) { continue }
      guard try own?.holds(feature) ?? true else { continue }
      try pass(feature, test, body)
    }
  }

  /// Calls `body` with the ids and positions of a layer of points. False if not all is as it should be: then the
  /// features are to be read.
  ///
  /// - Parameter count: how many features there are, as the file says.
  func readPoints(
    _ count: Int64, _ body: (Int64, Point) throws(EngineError) -> Void
  ) throws(EngineError) -> Bool {
    // As it was, for whoever has the data set next.
    defer { OGR_L_SetIgnoredFields(dataset.layer, nil) }
    ignore(allBut: [], true)
    return try PointStream.read(dataset.layer, count: count, body)
  }

  private mutating func pass(
    _ feature: OGRFeatureH, _ test: FeatureTest?, _ body: (OGRFeatureH) throws(EngineError) -> Void
  ) throws(EngineError) {
    if let test {
      guard let geometry = OGR_F_GetGeometryRef(feature), try test.holds(geometry) else { return }
    }
    if skipped > 0 {
      skipped &-= 1
      return
    }
    left &-= 1
    try body(feature)
  }

  /// Lets GDAL ignore what is not requested.
  ///
  /// - Parameter fields: those that are, GDAL's special fields among them, which stand for geometries.
  private func ignore(allBut fields: [Int], _ withGeometry: Bool) {
    guard OGR_L_TestCapability(dataset.layer, OLCIgnoreFields) != 0 else { return }
    let wanted = Set(fields)
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    defer { CSLDestroy(names) }
    let all = source.facts.fields
    for (index, field) in all.enumerated() where !wanted.contains(index) {
      // GDAL goes by names, and takes the first of two that are the same.
      if all.filter({ $0.name.lowercased() == field.name.lowercased() }).count > 1 { continue }
      names = CSLAddString(names, field.name)
    }
    if !withGeometry, !wanted.contains(where: { $0 > all.count }) { names = CSLAddString(names, "OGR_GEOMETRY") }
    guard let names else { return }
    let list = UnsafeMutableRawPointer(names).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    _ = OGR_L_SetIgnoredFields(dataset.layer, list)
  }
}

/// A way through the rows of a statement's result. Use it inside the guard.
private struct RowScan {
  private let test: ConditionTest?
  private var left: Int
  private var skipped: Int
  let hasLimits: Bool

  init(_ rows: RowFilter, _ policy: Policy) throws(EngineError) {
    test = try rows.condition.map { (condition) throws(EngineError) in
      try ConditionTest([condition], "statement", policy)
    }
    (left, skipped) = (rows.limit ?? .max, rows.offset)
    hasLimits = rows.limit != nil || skipped > 0
  }

  var fields: [Int] { test?.fields ?? [] }

  enum Sight {
    case wanted, passedOver
    /// There are no more.
    case past
  }

  mutating func sight(of feature: OGRFeatureH) throws(EngineError) -> Sight {
    if left == 0 { return .past }
    guard try test?.holds(feature) ?? true else { return .passedOver }
    if skipped > 0 {
      skipped &-= 1
      return .passedOver
    }
    left &-= 1
    return .wanted
  }
}
