import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

extension FeatureLayer {
  /// The features of the layer that have to do with a geometry; see `FeatureSource.matches`.
  public func matches(_ geometry: Geometry, _ condition: MatchCondition) throws(EngineError) -> MatchSet {
    let source = try compared()
    return try reading(source) { () throws(EngineError) in try source.matches(geometry, condition) }
  }

  /// A request that creates a `MatchSet`. `start` begins it. It uses the layer's source at this moment.
  public func matchRequest(
    _ geometry: Geometry, _ condition: MatchCondition, request: RequestOptions
  ) throws(EngineError) -> Request {
    try condition.check()
    let source = try compared()
    return try Request(.queryMatches, runtime: runtime, owner: identity, options: request) { () throws(EngineError) in
      try source.matches(geometry, condition)
    }
  }

  /// The pairs of a feature of this layer and one of another that have to do with each other.
  public func pairs(with other: FeatureLayer, _ condition: MatchCondition) throws(EngineError) -> MatchSet {
    let (mine, others) = (try compared(), try other.compared())
    return try mine.pairs(with: others, condition)
  }

  public func pairRequest(
    with other: FeatureLayer, _ condition: MatchCondition, request: RequestOptions
  ) throws(EngineError) -> Request {
    try condition.check()
    let (mine, others) = (try compared(), try other.compared())
    return try Request(.queryMatches, runtime: runtime, owner: identity, options: request) { () throws(EngineError) in
      try mine.pairs(with: others, condition)
    }
  }

  /// The layer's source in the layer's spatial reference; as it is if there is none.
  private func compared() throws(EngineError) -> FeatureSource {
    let source = try requireSource()
    return spatialReference == nil ? source : try placed(source)
  }

  /// Keeps that the file cannot be read, until it can.
  private func reading<Result>(
    _ source: FeatureSource, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    do throws(EngineError) {
      let result = try body()
      note(nil, source)
      return result
    } catch {
      if error.status == .readFailed { note(error, source) }
      throw error
    }
  }
}

extension GraphicsOverlay {
  /// The graphics that have to do with a geometry, hidden ones too: by a relation in the order of their ids, by a
  /// distance the nearest first. They are projected to the spatial reference of the geometry, vertex by vertex.
  public func matches(_ geometry: Geometry, _ condition: MatchCondition) throws(EngineError) -> MatchSet {
    try matcher(geometry, condition)()
  }

  /// A request that creates a `MatchSet`. `start` begins it. It uses the graphics at this moment.
  public func matchRequest(
    _ geometry: Geometry, _ condition: MatchCondition, request: RequestOptions
  ) throws(EngineError) -> Request {
    try Request(
      .queryMatches, runtime: runtime, owner: identity, options: request, work: try matcher(geometry, condition))
  }

  private func matcher(
    _ geometry: Geometry, _ condition: MatchCondition
  ) throws(EngineError) -> @Sendable () throws(EngineError) -> MatchSet {
    try condition.check()
    let (graphics, runtime) = (graphicsNow, runtime)
    return { () throws(EngineError) in
      try runtime.limited { () throws(EngineError) in
        try MatchSet(
          try Self.matches(graphics, geometry, condition), runtime: runtime, isJoin: false,
          hasDistances: condition.isDistance)
      }
    }
  }

  private static func matches(
    _ graphics: [Graphic], _ geometry: Geometry, _ condition: MatchCondition
  ) throws(EngineError) -> MatchList {
    let reference = geometry.spatialReference
    var list = MatchList()
    let space = try MatchSpace(condition, in: reference)
    guard let probe = try GeometryProbe(geometry, space) else { return list }
    /// How far away each is at least, and where it is.
    var near: [(bound: Double, id: UInt64, geometry: Geometry)] = []
    for graphic in graphics {
      try TimeLimit.check()
      do throws(EngineError) {
        let its = Geometry(runtime: geometry.runtime, columns: graphic.columns, row: graphic.row)
        let image = try its.projected(toMatch: reference).geometry
        guard let box = image.envelope else { continue }
        if case .distance = condition {
          let bound = try probe.bound(box, isOfOne: true) ?? 0
          if bound <= space.limit { near.append((bound, graphic.id, image)) }
        } else if try probe.holds(image.columns, image.row, isFirst: false) {
          list.add(Int64(bitPattern: graphic.id))
        }
      } catch {
        try list.skip("Graphic \(graphic.id)", error)
      }
    }
    guard case .distance(_, let most, _, _) = condition else { return list }
    near.sort { ($0.bound, $0.id) < ($1.bound, $1.id) }
    var found = NearestList<UInt64>(most: most)
    for (bound, id, image) in near {
      if bound > min(found.limit, space.limit) { break }
      try TimeLimit.check()
      do throws(EngineError) {
        guard let distance = try probe.distance(image.columns, image.row), distance <= space.limit else { continue }
        found.add(id, distance)
      } catch {
        try list.skip("Graphic \(id)", error)
      }
    }
    for (distance, id) in found.sorted { list.add(Int64(bitPattern: id), distance: distance / space.perUnit) }
    return list
  }
}

/// The nearest items, up to a count. Among equally near ones, those that come first in their own order.
private struct NearestList<Item: Comparable> {
  private struct Entry: HeapItem {
    let distance: Double
    let item: Item

    /// The farthest is the first that others displace.
    func isBefore(_ other: Entry) -> Bool { (distance, item) > (other.distance, other.item) }
  }

  let most: Int
  private var heap = BinaryHeap<Entry>()

  init(most: Int) { self.most = most }

  /// Items that are farther away do not belong to the nearest.
  var limit: Double { heap.elements.count < most ? .infinity : heap.elements.first?.distance ?? .infinity }

  var sorted: [(distance: Double, item: Item)] {
    heap.elements.map { ($0.distance, $0.item) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }

  mutating func add(_ item: Item, _ distance: Double) {
    heap.push(Entry(distance: distance, item: item))
    if heap.elements.count > most { _ = heap.pop() }
  }
}
