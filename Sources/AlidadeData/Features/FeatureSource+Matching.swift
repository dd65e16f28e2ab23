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
    list.skipRest(ifCutShort: set.trouble.isIncomplete, facts.path)
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
    list.skipRest(ifCutShort: index.isIncomplete, facts.path)
    func nearest(
      _ shape: (_ id: Int64, _ place: Int) throws(EngineError) -> (GeometryColumns, Int)?
    ) throws(EngineError) -> [FeatureIndex.Neighbour] {
      try index.nearest(
        most: most, within: space.limit, pointsAreExact: false,
        bound: { (box, isOfOne) throws(EngineError) in try probe.bound(box, isOfOne: isOfOne) }
      ) { (id, place, box) throws(EngineError) -> Double? in
        do throws(EngineError) {
          if box.isPoint { return try probe.distance(to: Point(x: box.xMin, y: box.yMin)) }
          if let (columns, row) = try shape(id, place) { return try probe.distance(columns, row) }
          list.skip("Feature \(id): its geometry cannot be read")
        } catch {
          try list.skip("Feature \(id)", error)
        }
        return nil
      }
    }
    let found: [FeatureIndex.Neighbour]
    if index.hasOnlyPoints || index.shapes != nil {
      try checkUnchanged()
      found = try nearest { (_, place) throws(EngineError) in
        index.shapes?.geometry(place, runtime).map { ($0.columns, $0.row) }
      }
    } else {
      let reader = GeometryReader(curveTolerance: curveTolerance, policy: runtime.policy)
      found = try withDataset { (dataset, _) throws(EngineError) in
        try nearest { (id, _) throws(EngineError) in
          guard let feature = OGR_L_GetFeature(dataset.layer, GIntBig(id)) else { return nil }
          defer { OGR_F_Destroy(feature) }
          guard let geometry = OGR_F_GetGeometryRef(feature) else { return nil }
          let builder = try GeometryBuilder(policy: runtime.policy)
          try reader.read(geometry, into: builder)
          return (try builder.finish(spatialReference), 0)
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
      let mine = try JoinSide(self, in: reference, isChecked: !hasDistances, &list)
      let others = try JoinSide(other, in: reference, isChecked: !hasDistances, &list)
      list.append(try mine.pairs(with: others, try others.table.index(), space))
      return try MatchSet(list, runtime: runtime, isJoin: true, hasDistances: hasDistances)
    }
  }
}
