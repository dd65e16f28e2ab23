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
      let mine = try JoinTable(self, in: reference, isChecked: !hasDistances, &list)
      let others = try JoinTable(other, in: reference, isChecked: !hasDistances, &list)
      list.append(try mine.pairs(with: others, try others.index(), space))
      return try MatchSet(list, runtime: runtime, isJoin: true, hasDistances: hasDistances)
    }
  }
}

/// The features of a source in one spatial reference, to be joined with another source.
private struct JoinTable: Sendable {
  let source: FeatureSource
  let ids: Column<Int64>
  let geometries: GeometryArray
  /// A 1 for each that can be compared.
  private let there: HeapArray<UInt8>
  /// A 1 for each that operations accept, so that this is not found out again for each pair.
  private let usable: HeapArray<UInt8>
  /// Numbers features as they are numbered here; nil: it is to be built.
  private let known: FeatureIndex?

  init(
    _ source: FeatureSource, in reference: SpatialReference?, isChecked: Bool, _ list: inout MatchList
  ) throws(EngineError) {
    self.source = source
    if let index = source.index, try Self.areAlike(source.spatialReference, reference),
      let geometries = try index.geometries(source.runtime, source.spatialReference)
    {
      try source.checkFreshness()
      (ids, known) = (index.ids, index)
      there = try HeapArray(count: ids.count, repeating: 1)
      usable = try isChecked ? geometries.usableRows() : HeapArray(count: ids.count, repeating: 0)
      self.geometries = reference.map { geometries.labelled($0) } ?? geometries
      return
    }
    var query = FeatureQuery()
    query.fields = []
    if reference !== source.spatialReference { query.spatialReference = reference }
    let set = try source.query(query)
    guard let geometries = set.geometries else {
      throw EngineError(.unsupported, "\"\(source.facts.path)\" has no geometries that could be compared.")
    }
    there = try HeapArray(count: set.count, repeating: 1)
    for row in 0..<set.count {
      let flags = FeatureFlags(rawValue: set.flags[row])
      if !flags.isEmpty || geometries.columns.isEmpty(row) { there.buffer[row] = 0 }
      let id = set.ids[row]
      if flags.contains(.isUnreadable) { list.skip("Feature \(id): its geometry cannot be read") }
      if flags.contains(.isNotProjectable) { list.skip("Feature \(id): it cannot be projected to the other layer") }
    }
    (ids, self.geometries, known) = (set.ids, geometries, nil)
    usable = try isChecked ? geometries.usableRows() : HeapArray(count: set.count, repeating: 0)
  }

  /// Whether coordinates in two spatial references are the same.
  private static func areAlike(_ a: SpatialReference?, _ b: SpatialReference?) throws(EngineError) -> Bool {
    guard let a, let b, a !== b else { return a === b }
    var flat = ProjectionOptions()
    flat.ignoresVertical = true
    return try Projector.between(a, b, options: flat).isIdentity
  }

  private func isThere(_ row: Int) -> Bool { there.buffer[row] == 1 }
  private func isUsable(_ row: Int) -> Bool { usable.buffer[row] == 1 }

  /// An index that numbers features by their rows.
  func index() throws(EngineError) -> FeatureIndex {
    if let known { return known }
    let collector = FeatureIndex.Collector(budget: MemoryBudget(source.runtime.policy))
    for row in 0..<ids.count {
      let box = isThere(row) ? geometries.columns.envelope(row) : nil
      try collector.append(ids[row], box ?? .nothing)
    }
    return try FeatureIndex(collector, nil, .rising, IndexMemory.of(source.runtime))
  }

  /// On all cores.
  func pairs(
    with others: JoinTable, _ index: FeatureIndex, _ space: MatchSpace
  ) throws(EngineError) -> MatchList {
    let slice = 256
    let count = (ids.count &+ slice &- 1) / slice
    let lists = Lock([MatchList?](repeating: nil, count: count))
    let (policy, total) = (source.runtime.policy, ids.count)
    let found = Lock(0)
    let relation = PointRelation(space)
    try source.runtime.workers.forEach(count) { (number) throws(EngineError) in
      var list = MatchList()
      var candidates: [JoinCandidate] = []
      for row in number &* slice..<min(total, (number &+ 1) &* slice) where isThere(row) {
        try TimeLimit.check()
        do throws(EngineError) {
          if case .distance = space.condition {
            try findNear(row, others, index, space, &list)
          } else if isUsable(row), let relation, let probe = relation.probe(geometries.columns, row) {
            try find(probe, relation, row, others, index, space, &candidates, &list)
          } else {
            try findRelated(row, others, index, space, &candidates, &list)
          }
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
    var list = MatchList()
    for one in lists.withLock({ $0 }) { if let one { list.append(one) } }
    return list
  }

  private func geometry(_ row: Int) -> Geometry {
    Geometry(runtime: source.runtime, columns: geometries.columns, row: row)
  }

  private func findNear(
    _ row: Int, _ others: JoinTable, _ index: FeatureIndex, _ space: MatchSpace, _ list: inout MatchList
  ) throws(EngineError) {
    guard case .distance(_, let most, _, _) = space.condition, let probe = try GeometryProbe(geometry(row), space)
    else { return }
    let (id, columns) = (ids[row], others.geometries.columns)
    var skipped = MatchList()
    let found = try index.nearest(
      most: most, within: space.limit, pointsAreExact: false,
      bound: { (box, isOfOne) throws(EngineError) in try probe.bound(box, isOfOne: isOfOne) }
    ) { (other, place, _) throws(EngineError) in
      do throws(EngineError) { return try probe.distance(columns, place) } catch {
        try skipped.skip("Feature \(other) for feature \(id)", error)
        return nil
      }
    }
    list.append(skipped)
    for one in found { list.add(id, other: one.id, distance: one.distance / space.perUnit) }
  }

  /// A point or a polygon among points and polygons.
  ///
  /// - Parameter candidates: memory for what the index finds.
  private func find(
    _ probe: PointRelation.Probe, _ relation: PointRelation, _ row: Int, _ others: JoinTable, _ index: FeatureIndex,
    _ space: MatchSpace, _ candidates: inout [JoinCandidate], _ list: inout MatchList
  ) throws(EngineError) {
    guard let bounds = index.bounds else { return }
    candidates.removeAll(keepingCapacity: true)
    probe.forEachImage(within: bounds) { turn, box in
      index.forEachNumber(meeting: box) { candidates.append(JoinCandidate(row: $0, turn: turn)) }
    }
    candidates.sort()
    let (mine, columns) = (geometries.columns, others.geometries.columns)
    var full: GeometryProbe?
    var last = (row: -1, holds: false)
    for found in candidates {
      // Another image of the same.
      if found.row == last.row, last.holds { continue }
      var answer = false
      if others.isUsable(found.row),
        let known = relation.holds(probe, mine, turn: found.turn, columns, found.row)
      {
        answer = known
      } else if found.row != last.row {
        do throws(EngineError) {
          if full == nil { full = try GeometryProbe(geometry(row), space, isKnownUsable: true) }
          answer = try full?.holds(columns, found.row, isFirst: true) ?? false
        } catch {
          try list.skip("Feature \(others.ids[found.row]) for feature \(ids[row])", error)
        }
      }
      last = (found.row, answer)
      if answer { list.add(ids[row], other: others.ids[found.row]) }
    }
  }

  private func findRelated(
    _ row: Int, _ others: JoinTable, _ index: FeatureIndex, _ space: MatchSpace, _ candidates: inout [JoinCandidate],
    _ list: inout MatchList
  ) throws(EngineError) {
    guard let probe = try GeometryProbe(geometry(row), space, isKnownUsable: isUsable(row)) else { return }
    let columns = others.geometries.columns
    func test(_ other: Int) throws(EngineError) {
      do throws(EngineError) {
        if try probe.holds(columns, other, isFirst: true) { list.add(ids[row], other: others.ids[other]) }
      } catch {
        try list.skip("Feature \(others.ids[other]) for feature \(ids[row])", error)
      }
    }
    if space.condition.holdsApart {
      for other in 0..<others.ids.count where others.isThere(other) { try test(other) }
      return
    }
    guard let bounds = index.bounds else { return }
    candidates.removeAll(keepingCapacity: true)
    for box in probe.boxes(within: bounds) {
      index.forEachNumber(meeting: box) { candidates.append(JoinCandidate(row: $0, turn: 0)) }
    }
    candidates.sort()
    var last = -1
    // Several images may meet a wide one.
    for found in candidates where found.row != last {
      last = found.row
      try test(last)
    }
  }
}

/// A feature whose box meets the box of another one's image.
private struct JoinCandidate: Comparable {
  let row: Int
  /// How many worlds to the east the image lies.
  let turn: Double

  static func < (a: JoinCandidate, b: JoinCandidate) -> Bool { (a.row, a.turn) < (b.row, b.turn) }
}
