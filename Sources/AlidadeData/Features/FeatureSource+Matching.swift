import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

extension FeatureSource {
  /// The features that have to do with a geometry: by a relation in the file's order, by a distance the nearest first.
  ///
  /// The features are the first, and the geometry is the second of a relation. It is projected to the spatial reference
  /// of the source, vertex by vertex.
  public func matches(_ geometry: Geometry, _ condition: MatchCondition) throws(EngineError) -> MatchSet {
    try runtime.limited { [self] () throws(EngineError) -> MatchSet in
      let space = try MatchSpace(condition, in: spatialReference, discs: discs)
      try requireGeometry()
      let probe = try GeometryProbe(geometry, space)
      var list = MatchList()
      guard case .distance(_, let most, _, _) = condition else {
        if let probe { list = try related(probe, condition) }
        return try MatchSet(list, runtime: runtime, isJoin: false, hasDistances: false)
      }
      if let probe { list = try near(probe, space, most: most) }
      return try MatchSet(list, runtime: runtime, isJoin: false, hasDistances: true)
    }
  }

  private func requireGeometry() throws(EngineError) {
    guard facts.hasGeometry else {
      throw EngineError(.unsupported, "\"\(facts.path)\" has no geometries that could be compared.")
    }
  }

  private func related(_ probe: GeometryProbe, _ condition: MatchCondition) throws(EngineError) -> MatchList {
    var query = FeatureQuery()
    query.fields = []
    if !condition.holdsApart {
      // A hair wider, so that GDAL's rounding leaves nothing out.
      let box = probe.box
      let x = max(box.xMin.magnitude, box.xMax.magnitude) * 1e-12
      let y = max(box.yMin.magnitude, box.yMax.magnitude) * 1e-12
      query.area = .envelope(
        Envelope(xMin: box.xMin - x, yMin: box.yMin - y, xMax: box.xMax + x, yMax: box.yMax + y), nil)
    }
    let set = try self.query(query)
    var list = MatchList()
    guard let columns = set.geometries?.columns else { return list }
    for row in 0..<set.count {
      try TimeLimit.check()
      let id = set.ids[row]
      guard Self.isThere(set, row, &list) else { continue }
      do throws(EngineError) {
        if try probe.holds(columns, row, isFirst: false) { list.add(id) }
      } catch {
        try list.skip("Feature \(id)", error)
      }
    }
    return list
  }

  /// Whether a feature has a geometry to compare. An unreadable geometry is counted.
  private static func isThere(_ set: FeatureSet, _ row: Int, _ list: inout MatchList) -> Bool {
    let flags = FeatureFlags(rawValue: set.flags[row])
    if flags.contains(.isUnreadable) { list.skip("Feature \(set.ids[row]): its geometry cannot be read") }
    return flags.isEmpty
  }

  private func near(_ probe: GeometryProbe, _ space: MatchSpace, most: Int) throws(EngineError) -> MatchList {
    try buildIndex()
    guard let index else { throw EngineError(.internal, "An index was built and is not there.") }
    var list = MatchList()
    func exact(
      _ id: Int64, _ box: Envelope, _ shape: () throws(EngineError) -> (GeometryColumns, Int)?
    ) throws(EngineError) -> Double? {
      do throws(EngineError) {
        if box.isPoint { return try probe.distance(to: Point(x: box.xMin, y: box.yMin)) }
        guard let (columns, row) = try shape() else {
          list.skip("Feature \(id): its geometry cannot be read")
          return nil
        }
        return try probe.distance(columns, row)
      } catch {
        try list.skip("Feature \(id)", error)
        return nil
      }
    }
    let found: [FeatureIndex.Neighbour]
    if index.hasOnlyPoints || index.shapes != nil {
      try checkFreshness()
      found = try index.nearest(
        most: most, within: space.limit, pointsAreExact: false,
        bound: { (box, isOfOne) throws(EngineError) in try probe.bound(box, isOfOne: isOfOne) }
      ) { (id, place, box) throws(EngineError) in
        try exact(id, box) { () throws(EngineError) in
          index.shapes?.geometry(place, runtime).map { ($0.columns, $0.row) }
        }
      }
    } else {
      let reader = GeometryReader(curveTolerance: curveTolerance, policy: runtime.policy)
      found = try withDataset { (dataset, _) throws(EngineError) in
        try index.nearest(
          most: most, within: space.limit, pointsAreExact: false,
          bound: { (box, isOfOne) throws(EngineError) in try probe.bound(box, isOfOne: isOfOne) }
        ) { (id, _, box) throws(EngineError) in
          try exact(id, box) { () throws(EngineError) in
            guard let feature = OGR_L_GetFeature(dataset.layer, GIntBig(id)) else { return nil }
            defer { OGR_F_Destroy(feature) }
            guard let geometry = OGR_F_GetGeometryRef(feature) else { return nil }
            let builder = try GeometryBuilder(policy: runtime.policy)
            try reader.read(geometry, into: builder)
            return (try builder.finish(spatialReference), 0)
          }
        }
      }
    }
    try runtime.policy.check(points: found.count)
    for one in found { list.add(one.id, distance: one.distance / space.perUnit) }
    return list
  }

  // MARK: Two sources

  /// The pairs of a feature of this source and one of another that have to do with each other: in this file's order, and
  /// for each feature as `matches` finds them. The other one's features are projected to this source's spatial reference,
  /// vertex by vertex.
  public func pairs(with other: FeatureSource, _ condition: MatchCondition) throws(EngineError) -> MatchSet {
    try runtime.limited { [self] () throws(EngineError) -> MatchSet in
      try condition.check()
      try requireGeometry()
      try other.requireGeometry()
      try MatchSpace.requireAlike(spatialReference, other.spatialReference)
      var (reference, hasDistances) = (spatialReference, false)
      if case .distance(_, _, let measure, _) = condition {
        hasDistances = true
        // On the earth, boxes are in longitudes and latitudes.
        if measure != .planar { reference = try reference?.geodeticBase() }
      }
      let space = try MatchSpace(condition, in: reference)
      var list = MatchList()
      let mine = try FeatureTableOfShapes(self, in: reference, &list)
      let others = try FeatureTableOfShapes(other, in: reference, &list)
      let index = try others.index()
      list.append(try mine.pairs(with: others, index, space))
      return try MatchSet(list, runtime: runtime, isJoin: true, hasDistances: hasDistances)
    }
  }
}

/// The shapes of all features of a source, in one spatial reference.
private struct FeatureTableOfShapes: Sendable {
  let source: FeatureSource
  let ids: Column<Int64>
  let geometries: GeometryArray
  /// A 1 for each that can be compared.
  let isThere: HeapArray<UInt8>

  init(_ source: FeatureSource, in reference: SpatialReference?, _ list: inout MatchList) throws(EngineError) {
    self.source = source
    var query = FeatureQuery()
    query.fields = []
    if reference !== source.spatialReference { query.spatialReference = reference }
    let set = try source.query(query)
    guard let geometries = set.geometries else {
      throw EngineError(.unsupported, "\"\(source.facts.path)\" has no geometries that could be compared.")
    }
    (ids, self.geometries) = (set.ids, geometries)
    isThere = try HeapArray<UInt8>(count: set.count)
    for row in 0..<set.count {
      let flags = FeatureFlags(rawValue: set.flags[row])
      isThere.buffer[row] = flags.isEmpty && !geometries.columns.isEmpty(row) ? 1 : 0
      let id = set.ids[row]
      if flags.contains(.isUnreadable) { list.skip("Feature \(id): its geometry cannot be read") }
      if flags.contains(.isNotProjectable) { list.skip("Feature \(id): it cannot be projected to the other layer") }
    }
  }

  /// An index of rows instead of ids.
  func index() throws(EngineError) -> FeatureIndex {
    let collector = FeatureIndex.Collector(budget: MemoryBudget(source.runtime.policy))
    for row in 0..<ids.count where isThere.buffer[row] == 1 {
      if let box = geometries.columns.envelope(row) { try collector.append(Int64(clamping: row), box) }
    }
    return try FeatureIndex(collector, nil, .rising, IndexMemory.of(source.runtime))
  }

  /// On all cores.
  func pairs(
    with others: FeatureTableOfShapes, _ index: FeatureIndex, _ space: MatchSpace
  ) throws(EngineError) -> MatchList {
    let slice = 64
    let count = (ids.count &+ slice &- 1) / slice
    let lists = Lock<[Int: MatchList]>([:])
    let (policy, total) = (source.runtime.policy, ids.count)
    let found = Lock(0)
    try source.runtime.workers.forEach(count) { (number) throws(EngineError) in
      var list = MatchList()
      for row in number &* slice..<min(total, (number &+ 1) &* slice) where isThere.buffer[row] == 1 {
        try TimeLimit.check()
        let geometry = Geometry(runtime: source.runtime, columns: geometries.columns, row: row)
        do throws(EngineError) {
          guard let probe = try GeometryProbe(geometry, space) else { continue }
          try match(row, probe, others, index, space, &list)
        } catch {
          try list.skip("Feature \(ids[row])", error)
        }
      }
      let (some, all) = (list.ids.count, list)
      let sum = found.withLock { known in
        known &+= some
        return known
      }
      try policy.check(points: sum)
      lists.withLock { $0[number] = all }
    }
    let all = lists.withLock { $0 }
    var list = MatchList()
    for number in 0..<count { if let one = all[number] { list.append(one) } }
    return list
  }

  private func match(
    _ row: Int, _ probe: GeometryProbe, _ others: FeatureTableOfShapes, _ index: FeatureIndex, _ space: MatchSpace,
    _ list: inout MatchList
  ) throws(EngineError) {
    let (id, columns) = (ids[row], others.geometries.columns)
    guard case .distance(_, let most, _, _) = space.condition else {
      func test(_ other: Int) throws(EngineError) {
        do throws(EngineError) {
          if try probe.holds(columns, other, isFirst: true) { list.add(id, other: others.ids[other]) }
        } catch {
          try list.skip("Feature \(others.ids[other]) for feature \(id)", error)
        }
      }
      if space.condition.holdsApart {
        for other in 0..<others.ids.count where others.isThere.buffer[other] == 1 { try test(other) }
      } else if let bounds = index.bounds, let rows = try index.ids(meeting: probe.boxes(within: bounds)) {
        for other in rows.buffer { try test(Int(clamping: other)) }
      }
      return
    }
    var skipped = MatchList()
    let found = try index.nearest(
      most: most, within: space.limit, pointsAreExact: false,
      bound: { (box, isOfOne) throws(EngineError) in try probe.bound(box, isOfOne: isOfOne) }
    ) { (other, _, _) throws(EngineError) in
      do throws(EngineError) { return try probe.distance(columns, Int(clamping: other)) } catch {
        try skipped.skip("Feature \(others.ids[Int(clamping: other)]) for feature \(id)", error)
        return nil
      }
    }
    list.append(skipped)
    for one in found {
      list.add(id, other: others.ids[Int(clamping: one.id)], distance: one.distance / space.perUnit)
    }
  }
}
