import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

/// The index of a source, as far as it is.
struct IndexState: Sendable {
  var status = IndexStatus.none
  var index: FeatureIndex?
  var failure: EngineError?
}

/// Geometries by the indexes of features in the file's order.
final class FeatureShapes: Sendable {
  private let columns: GeometryColumns
  /// The row for each index; -1 without a geometry.
  private let rows: Column<Int32>
  let byteCount: Int

  init(_ columns: GeometryColumns, _ rows: Column<Int32>) {
    self.columns = columns
    self.rows = rows
    byteCount = columns.byteCount &+ rows.count &* MemoryLayout<Int32>.stride
  }

  func geometry(_ place: Int, _ runtime: Runtime) -> Geometry? {
    let row = Int(truncatingIfNeeded: rows[place])
    return row < 0 ? nil : Geometry(runtime: runtime, columns: columns, row: row)
  }
}

extension FeatureSource {
  /// How far the index is, and why it failed.
  public var indexStatus: (status: IndexStatus, failure: EngineError?) {
    indexState.withLock { ($0.status, $0.failure) }
  }

  /// nil until it is built.
  public var index: FeatureIndex? { indexState.withLock { $0.index } }

  /// Builds the index, unless there is one. A second thread that asks meanwhile builds one too, and one of them stays.
  public func buildIndex() throws(EngineError) {
    let isReady = indexState.withLock { state in
      if state.status == .ready { return true }
      state.status = .building
      state.failure = nil
      return false
    }
    if isReady { return }
    do throws(EngineError) {
      let made = try makeIndex()
      indexState.withLock { state in
        guard state.index == nil else { return }
        state.index = made
        state.status = .ready
      }
    } catch {
      indexState.withLock { state in
        guard state.index == nil else { return }
        state.status = .failed
        state.failure = error
      }
      throw error
    }
  }

  /// A request that builds the index and has no result to take. `start` begins it.
  ///
  /// - Parameter told: called on the worker when the request has ended.
  public func indexRequest(
    _ request: RequestOptions, then told: (@Sendable () -> Void)? = nil
  ) throws(EngineError) -> Request {
    try Request(
      .buildIndex, runtime: runtime, owner: identity, options: request, waitsForServer: facts.isService
    ) { () throws(EngineError) in
      defer { told?() }
      try self.buildIndex()
      return self
    }
  }

  /// - Parameter withShapes: keeps shapes even if features are found by their ids.
  private func makeIndex(withShapes: Bool = false) throws(EngineError) -> FeatureIndex {
    try runtime.limited { [self] () throws(EngineError) -> FeatureIndex in
      guard facts.hasGeometry else {
        throw EngineError(.unsupported, "\"\(facts.path)\" has no geometries that could be indexed.")
      }
      if let index = try makePointIndex() { return index }
      let collector = FeatureIndex.Collector(budget: MemoryBudget(runtime.policy))
      let needsShapes = withShapes || !facts.findsByID
      let builder = try GeometryBuilder(budget: collector.budget)
      let reader = GeometryReader(curveTolerance: curveTolerance, policy: runtime.policy)
      let rows = Column<Int32>()
      var shapeCount: Int32 = 0
      var hasOnlyPoints = true
      var ids = IDCheck()
      var trouble = ReadingTrouble()
      try withDataset { (dataset, words) throws(EngineError) in
        var pass = FeaturePass(self, dataset, words, limit: nil, offset: 0)
        try pass.run(FeatureQuery(), nil, reads: [], withGeometry: true) { (feature) throws(EngineError) in
          let id = Int64(truncatingIfNeeded: OGR_F_GetFID(feature))
          ids.see(id)
          guard let geometry = OGR_F_GetGeometryRef(feature), OGR_G_IsEmpty(geometry) == 0 else {
            return try ids.keep(id, collector.budget)
          }
          var box = OGREnvelope()
          OGR_G_GetEnvelope(geometry, &box)
          guard box.MinX.isFinite, box.MinY.isFinite, box.MaxX.isFinite, box.MaxY.isFinite else {
            trouble.unreadableCount &+= 1
            if trouble.firstReason.isEmpty {
              trouble.firstReason = "The geometry of feature \(id) cannot be read: a coordinate is not finite."
            }
            return try ids.keep(id, collector.budget)
          }
          try collector.append(id, Envelope(xMin: box.MinX, yMin: box.MinY, xMax: box.MaxX, yMax: box.MaxY))
          // A box without a size is a point.
          let isPoint = box.MinX == box.MaxX && box.MinY == box.MaxY
          if !isPoint { hasOnlyPoints = false }
          guard needsShapes else { return }
          var row: Int32 = -1
          if !isPoint {
            do throws(EngineError) {
              try reader.read(geometry, into: builder)
              row = shapeCount
              shapeCount &+= 1
            } catch {
              guard error.status == .invalidArgument || error.status == .unsupported else { throw error }
            }
          }
          try rows.append(row, collector.budget)
        }
        trouble.isIncomplete = pass.isIncomplete
        if trouble.firstReason.isEmpty { trouble.firstReason = pass.reason }
      }
      note(trouble)
      let idOrder = try ids.result(collector.ids, collector.budget)
      // One of these would be found instead of the other.
      if idOrder == .ambiguous, !needsShapes, !hasOnlyPoints { return try makeIndex(withShapes: true) }
      let budget = collector.budget
      let order = facts.order.isByID ? try RowOrder.byID(collector.ids, budget) : nil
      let collected = try order.map { (rows) throws(EngineError) in try collector.reordered(rows) } ?? collector
      var shapes: FeatureShapes?
      if needsShapes, !hasOnlyPoints {
        let shapeRows = try order.map { (order) throws(EngineError) in try rows.reordered(order, budget) } ?? rows
        shapeRows.trim(budget)
        shapes = FeatureShapes(try builder.finish(spatialReference), shapeRows)
      }
      return try FeatureIndex(
        collected, shapes, idOrder, IndexMemory.of(runtime), isIncomplete: trouble.isIncomplete)
    }
  }

  /// The index of a file of nothing but points, of which GDAL gives many at once. nil if this is no such file, or not
  /// all is as it should be.
  private func makePointIndex() throws(EngineError) -> FeatureIndex? {
    // The driver of which the tests compare the stream with the features.
    guard facts.driver == "FlatGeobuf", facts.geometryKind == .point, facts.layerIndex != nil, filter.isEmpty,
      let count = facts.featureCount, let capacity = Int(exactly: count)
    else { return nil }
    let collector = FeatureIndex.Collector(budget: MemoryBudget(runtime.policy))
    do throws(EngineError) { try collector.reserve(capacity) } catch {
      // The file may say what it likes. What it holds counts.
      return nil
    }
    var ids = IDCheck()
    let isWhole = try withDataset { (dataset, words) throws(EngineError) in
      let pass = FeaturePass(self, dataset, words, limit: nil, offset: 0)
      return try pass.readPoints(count) { (id, point) throws(EngineError) in
        ids.see(id)
        try collector.append(id, Envelope(xMin: point.x, yMin: point.y, xMax: point.x, yMax: point.y))
      }
    }
    guard isWhole, try ids.result(collector.ids, collector.budget) == .rising else { return nil }
    return try FeatureIndex(collector, nil, .rising, IndexMemory.of(runtime))
  }

  // MARK: Asking

  /// The ids of features whose boxes meet one, in the file's order.
  public func ids(in area: FeatureQuery.Area) throws(EngineError) -> HeapArray<Int64> {
    try runtime.limited { [self] () throws(EngineError) -> HeapArray<Int64> in
      let index = try requireIndex()
      try checkUnchanged()
      guard let area = try FeatureArea(area, of: self), let ids = try index.ids(meeting: area.boxes) else {
        return try HeapArray<Int64>(count: 0)
      }
      return ids
    }
  }

  /// The features nearest to a point, the nearest first.
  ///
  /// - Parameters:
  ///   - reference: the spatial reference of the point; nil means that of the source.
  ///   - limit: the largest distance, in the unit of the source's spatial reference.
  public func nearest(
    to given: Point, in reference: SpatialReference?, most: Int, within limit: Double
  ) throws(EngineError) -> [FeatureIndex.Neighbour] {
    try runtime.limited { [self] () throws(EngineError) -> [FeatureIndex.Neighbour] in
      let index = try requireIndex()
      guard given.isFinite else {
        throw EngineError(.invalidArgument, "The point (\(given.x), \(given.y)) is not finite.")
      }
      try runtime.policy.check(points: most)
      var point = given
      if let reference {
        guard let own = spatialReference else { throw withoutSpatialReference() }
        guard let image = try Projector.between(reference, own).project(given) else {
          throw EngineError(
            .projectionFailed, "The point (\(given.x), \(given.y)) cannot be projected to \(own.name).")
        }
        point = image
      }
      // Of a point whose digits do not say where in the world it is there are no images.
      let world = spatialReference.flatMap { $0.isLost(point.x) ? nil : $0.system.worldWidth }
      if index.hasOnlyPoints {
        try checkUnchanged()
        return try index.nearest(to: point, world: world, most: most, within: limit) { (_, _) throws(EngineError) in nil
        }
      }
      if let shapes = index.shapes {
        try checkUnchanged()
        return try index.nearest(to: point, world: world, most: most, within: limit) {
          (_, place) throws(EngineError) in
          guard let shape = shapes.geometry(place, runtime), let box = shape.envelope else { return nil }
          return try nearest(box, point, world) { (image) throws(EngineError) in
            try probe(image).distance(to: shape, .planar, unit: nil).value.distance
          }
        }
      }
      return try withDataset { (dataset, _) throws(EngineError) in
        guard let probe = OGR_G_CreateGeometry(wkbPoint) else {
          throw EngineError(.outOfMemory, "Memory for a point could not be had.")
        }
        defer { OGR_G_DestroyGeometry(probe) }
        return try index.nearest(to: point, world: world, most: most, within: limit) {
          (id, _) throws(EngineError) in
          guard let feature = OGR_L_GetFeature(dataset.layer, GIntBig(id)) else { return nil }
          defer { OGR_F_Destroy(feature) }
          guard let geometry = OGR_F_GetGeometryRef(feature) else { return nil }
          var its = OGREnvelope()
          OGR_G_GetEnvelope(geometry, &its)
          let box = Envelope(xMin: its.MinX, yMin: its.MinY, xMax: its.MaxX, yMax: its.MaxY)
          return try nearest(box, point, world) { (image) throws(EngineError) in
            OGR_G_SetPoint_2D(probe, 0, image.x, image.y)
            let distance = OGR_G_Distance(probe, geometry)
            return distance >= 0 ? distance : nil
          }
        }
      }
    }
  }

  /// The least distance of what a box is around from the images of a point.
  private func nearest(
    _ box: Envelope, _ point: Point, _ world: Double?, _ exact: (Point) throws(EngineError) -> Double?
  ) throws(EngineError) -> Double? {
    var least: Double?
    for turn in box.turns(of: point, world: world) {
      let image = turn == 0 ? point : Point(x: point.x + turn * (world ?? 0), y: point.y)
      if let least, box.distance(to: image) >= least { continue }
      guard let distance = try exact(image) else { continue }
      least = min(distance, least ?? distance)
    }
    return least
  }

  private func probe(_ point: Point) throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try builder.begin(.point, [])
    try builder.append(Vertex(point))
    try builder.endPath()
    try builder.endPart()
    try builder.end()
    return Geometry(runtime: runtime, columns: try builder.finish(spatialReference), row: 0)
  }

  private func requireIndex() throws(EngineError) -> FeatureIndex {
    if let index { return index }
    let (status, failure) = indexStatus
    if let failure { throw failure }
    let what = status == .building ? "is being built" : "has not been built"
    throw EngineError(
      .notReady, "The index of \"\(facts.path)\" \(what). Build it first.")
  }
}
