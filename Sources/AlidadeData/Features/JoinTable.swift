import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// The geometries of a source in one spatial reference, and how to find them. Good on any thread.
///
/// A source keeps its own, so that the next join reads no file.
final class JoinTable: Sendable {
  fileprivate let ids: Column<Int64>
  fileprivate let geometries: GeometryArray
  /// A 1 for each that can be compared.
  fileprivate let there: HeapArray<UInt8>
  /// Those that cannot.
  fileprivate let skipped: MatchList
  private let found: Lock<(usable: HeapArray<UInt8>?, index: FeatureIndex?)> = Lock((nil, nil))
  private let memory: IndexMemory

  /// More bytes are not kept; nor more than an eighth of the policy's limit.
  private static let mostKept: UInt64 = 64 << 20

  private init(_ source: FeatureSource, in reference: SpatialReference?) throws(EngineError) {
    var query = FeatureQuery()
    query.fields = []
    if reference !== source.spatialReference { query.spatialReference = reference }
    let set = try source.query(query)
    guard let geometries = set.geometries else {
      throw EngineError(.unsupported, "\"\(source.facts.path)\" has no geometries that could be compared.")
    }
    let there = try HeapArray<UInt8>(count: set.count, repeating: 1)
    var skipped = MatchList()
    skipped.skipRest(ifCutShort: set.trouble.isIncomplete, source.facts.path)
    for row in 0..<set.count {
      let flags = FeatureFlags(rawValue: set.flags[row])
      if !flags.isEmpty || geometries.columns.isEmpty(row) { there.buffer[row] = 0 }
      let id = set.ids[row]
      if flags.contains(.isUnreadable) { skipped.skip("Feature \(id): its geometry cannot be read") }
      if flags.contains(.isNotProjectable) { skipped.skip("Feature \(id): it cannot be projected to the other layer") }
    }
    (ids, self.geometries, self.there, self.skipped) = (set.ids, geometries, there, skipped)
    memory = IndexMemory.of(source.runtime)
    memory.add(byteCount)
  }

  deinit { memory.add(-byteCount) }

  private var byteCount: Int { geometries.columns.byteCount &+ ids.count &* 10 }

  /// That of a source, read or kept.
  static func of(_ source: FeatureSource, in reference: SpatialReference?) throws(EngineError) -> JoinTable {
    guard !source.facts.isService, try areAlike(source.spatialReference, reference) else {
      return try JoinTable(source, in: reference)
    }
    if let known = source.joinTable.withLock({ $0 }) {
      try source.checkFreshness()
      return known
    }
    let made = try JoinTable(source, in: source.spatialReference)
    let limit = min(mostKept, source.runtime.policy.maxRequestBytes / 8)
    if UInt64(clamping: made.byteCount) <= limit { source.joinTable.withLock { $0 = made } }
    return made
  }

  /// Whether coordinates in two spatial references are the same.
  private static func areAlike(_ a: SpatialReference?, _ b: SpatialReference?) throws(EngineError) -> Bool {
    guard let a, let b, a !== b else { return a === b }
    var flat = ProjectionOptions()
    flat.ignoresVertical = true
    return try Projector.between(a, b, options: flat).isIdentity
  }

  /// A 1 for each that operations accept, so that this is not found out again for each pair.
  fileprivate func usable() throws(EngineError) -> HeapArray<UInt8> {
    if let known = found.withLock({ $0.usable }) { return known }
    let made = try geometries.usableRows()
    found.withLock { $0.usable = made }
    return made
  }

  /// An index that numbers features by their rows.
  func index() throws(EngineError) -> FeatureIndex {
    if let known = found.withLock({ $0.index }) { return known }
    let collector = FeatureIndex.Collector(budget: MemoryBudget(geometries.runtime.policy))
    for row in 0..<ids.count {
      let box = there.buffer[row] == 1 ? geometries.columns.envelope(row) : nil
      try collector.append(ids[row], box ?? .nothing)
    }
    let made = try FeatureIndex(collector, nil, .rising, memory)
    found.withLock { $0.index = made }
    return made
  }
}

/// One of the two sources of a join.
struct JoinSide: Sendable {
  let table: JoinTable
  private let runtime: Runtime
  private let ids: Column<Int64>
  /// In the spatial reference of the join.
  private let geometries: GeometryArray
  private let there: HeapArray<UInt8>
  private let usable: HeapArray<UInt8>

  /// - Parameters:
  ///   - isChecked: finds out which geometries operations accept.
  ///   - list: receives what cannot be compared.
  init(
    _ source: FeatureSource, in reference: SpatialReference?, isChecked: Bool, _ list: inout MatchList
  ) throws(EngineError) {
    table = try JoinTable.of(source, in: reference)
    (runtime, ids, there) = (source.runtime, table.ids, table.there)
    usable = try isChecked ? table.usable() : HeapArray(count: ids.count, repeating: 0)
    geometries = reference.map { [table] in table.geometries.labelled($0) } ?? table.geometries
    list.append(table.skipped)
  }

  private func isThere(_ row: Int) -> Bool { there.buffer[row] == 1 }
  private func isUsable(_ row: Int) -> Bool { usable.buffer[row] == 1 }

  /// On all cores.
  func pairs(
    with others: JoinSide, _ index: FeatureIndex, _ space: MatchSpace
  ) throws(EngineError) -> MatchList {
    let slice = 256
    let count = (ids.count &+ slice &- 1) / slice
    let lists = Lock([MatchList?](repeating: nil, count: count))
    let (policy, total) = (runtime.policy, ids.count)
    let found = Lock(0)
    let relation = PointRelation(space)
    try runtime.workers.forEach(count) { (number) throws(EngineError) in
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
    Geometry(runtime: runtime, columns: geometries.columns, row: row)
  }

  private func findNear(
    _ row: Int, _ others: JoinSide, _ index: FeatureIndex, _ space: MatchSpace, _ list: inout MatchList
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
    _ probe: PointRelation.Probe, _ relation: PointRelation, _ row: Int, _ others: JoinSide, _ index: FeatureIndex,
    _ space: MatchSpace, _ candidates: inout [JoinCandidate], _ list: inout MatchList
  ) throws(EngineError) {
    guard let bounds = index.bounds else { return }
    candidates.removeAll(keepingCapacity: true)
    probe.forEachImage(within: bounds) { turn, box in
      index.forEachNumber(meeting: box) { candidates.append(JoinCandidate(row: $0, turn: turn)) }
    }
    candidates.sort()
    let (mine, columns) = (geometries.columns, others.geometries.columns)
    // A prepared geometry costs more than a few candidates, and less than many with a large polygon.
    let isLarge = mine.vertexCount(row) &* candidates.count > Self.mostPlainSteps
    var full: GeometryProbe?
    var last = (row: -1, holds: false, isAsked: false)
    for (number, found) in candidates.enumerated() {
      if number & 63 == 63 { try TimeLimit.check() }
      if found.row != last.row { last = (found.row, false, false) }
      // Another image of the same, or all images at once were asked.
      if last.holds || last.isAsked { continue }
      if !isLarge, others.isUsable(found.row),
        let known = relation.holds(probe, mine, turn: found.turn, columns, found.row)
      {
        last.holds = known
      } else {
        last.isAsked = true
        do throws(EngineError) {
          if full == nil { full = try GeometryProbe(geometry(row), space, isKnownUsable: true) }
          last.holds = try full?.holds(columns, found.row, isFirst: true) ?? false
        } catch {
          try list.skip("Feature \(others.ids[found.row]) for feature \(ids[row])", error)
        }
      }
      if last.holds { list.add(ids[row], other: others.ids[found.row]) }
    }
  }

  /// Vertices of a geometry times candidates, up to which no geometry is prepared.
  private static let mostPlainSteps = 20_000

  private func findRelated(
    _ row: Int, _ others: JoinSide, _ index: FeatureIndex, _ space: MatchSpace, _ candidates: inout [JoinCandidate],
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
      for other in 0..<others.ids.count where others.isThere(other) {
        if other & 63 == 63 { try TimeLimit.check() }
        try test(other)
      }
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
