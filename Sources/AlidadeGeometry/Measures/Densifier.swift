import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Adds vertices along edges, in two passes over the same paths: `plan` finds how many each edge gets, and refuses what
/// the policy does not allow before any of them is made; then the rewriter makes them.
final class Densifier {
  private let frame: GeodesicFrame?
  private let curve: CurveType
  /// Metres, or the coordinates' own unit.
  private let longest: Double
  private let maximumDeviation: Double?
  private let policy: Policy
  private let budget: MemoryBudget
  /// Those of all edges that get vertices, in the order of the edges.
  private let planned = Column<(edge: Int, stretch: EvenStretch)>()
  /// Of the result, as far as it is planned.
  private var vertexCount = 0
  private var plannedEdges = 0
  private var writtenEdges = 0
  private var writtenStretches = 0

  init(
    _ reference: SpatialReference?, _ density: Density, _ measure: Measure, _ unit: Unit?, _ policy: Policy
  ) throws(EngineError) {
    self.policy = policy
    budget = MemoryBudget(policy)
    guard density.longestSegment != nil || density.maximumDeviation != nil else {
      throw EngineError(.invalidArgument, "Neither the longest segment nor the maximum deviation is given.")
    }
    let given = density.longestSegment ?? .infinity
    guard given > 0 else {
      throw EngineError(.invalidArgument, "The longest segment is \(given): it must be more than 0.")
    }
    switch measure {
    case .planar:
      guard density.maximumDeviation == nil else {
        throw EngineError(
          .invalidArgument, "Edges in the plane are straight: give the longest segment, or choose the geodesic measure."
        )
      }
      (frame, curve, maximumDeviation) = (nil, .geodesic, nil)
      longest = given * (try Measurer.planarLength(reference, unit))
    case .geodesic(let kind):
      (frame, curve) = (try GeodesicFrame(reference), kind)
      let metresPerUnit = try Measurer.metres(unit)
      longest = given * metresPerUnit
      maximumDeviation = density.maximumDeviation.map { $0 * metresPerUnit }
      if let deviation = maximumDeviation {
        guard deviation >= GeodesicBuffer.leastDeviation, deviation.isFinite else {
          throw EngineError(
            .invalidArgument,
            "The maximum deviation is \(deviation) m: it must be at least \(GeodesicBuffer.leastDeviation) m.")
        }
      }
    }
  }

  /// Writes what was planned.
  var rewriter: PathRewriter { PathRewriter(kinds: [.polyline, .polygon], path: write) }

  private struct Edge {
    let start: Vertex
    let end: Vertex
    /// In degrees; nil in the plane.
    let from: Point?
    let to: Point?

    func point(_ share: Double) -> Point { start.point.mixed(with: end.point, share) }
  }

  /// Calls with each edge that has a length, and its number in the path, from 0.
  private func forEachEdge(
    _ columns: GeometryColumns, _ vertices: Range<Int>, _ places: HeapArray<Point>?,
    _ body: (Int, Edge) throws(EngineError) -> Void
  ) throws(EngineError) {
    for number in 0..<(vertices.count &- 1) {
      let index = vertices.lowerBound &+ number
      let (start, end) = (columns.vertex(index), columns.vertex(index &+ 1))
      guard start.point != end.point else { continue }
      try body(number, Edge(start: start, end: end, from: places?.buffer[number], to: places?.buffer[number &+ 1]))
    }
  }

  // MARK: Planning

  /// Finds how many vertices the edges of a path get.
  func plan(_ columns: GeometryColumns, _ vertices: Range<Int>) throws(EngineError) {
    vertexCount = vertexCount &+ vertices.count
    let places = try frame?.degrees(columns, vertices)
    try forEachEdge(columns, vertices, places) { (number, edge) throws(EngineError) in
      if number % 64 == 0 { try TimeLimit.check() }
      var added = 0
      let found = try stretches(edge)
      for stretch in found {
        added = added.addingReportingOverflow(stretch.pieces).overflow ? .max : added &+ stretch.pieces
      }
      guard added > 1 else { return }
      let (sum, overflow) = vertexCount.addingReportingOverflow(added &- 1)
      try policy.check(points: overflow ? .max : sum)
      try policy.check(bytes: sum, MemoryLayout<Point>.size)
      vertexCount = sum
      for stretch in found { try planned.append((plannedEdges &+ number, stretch), budget) }
    }
    plannedEdges = plannedEdges &+ vertices.count &- 1
  }

  private func stretches(_ edge: Edge) throws(EngineError) -> [EvenStretch] {
    guard let frame, let from = edge.from, let to = edge.to else {
      let (dx, dy) = (edge.end.point.x - edge.start.point.x, edge.end.point.y - edge.start.point.y)
      return [EvenStretch(end: 1, pieces: try pieces(hypot(dx, dy)))]
    }
    if curve == .shapePreserving {
      guard longest.isFinite else { return [] }
      return [EvenStretch(end: 1, pieces: try straightPieces(edge, frame, from, to))]
    }
    let way = try WayAlong(frame.geodesic, curve, from: from, to: to)
    guard let maximumDeviation else { return [EvenStretch(end: 1, pieces: try pieces(way.length))] }
    let search = DeviationSearch(frame: frame, way: way, maximumDeviation: maximumDeviation, longest: longest)
    return try search.stretches(from: edge.start.point, to: edge.end.point) { (more) throws(EngineError) in
      try policy.check(points: vertexCount &+ more)
    }
  }

  /// Into how many pieces a length is cut.
  private func pieces(_ length: Double) throws(EngineError) -> Int {
    guard let count = PieceCount.of(length, longest: longest) else {
      throw EngineError(.unsupported, "An edge is longer than a double holds: its coordinates are too large.")
    }
    return count
  }

  /// From so many pieces on, that of the longest one follows from so many longer ones.
  private static let sampledPieces = 1024

  /// Into how many even pieces an edge that is straight in its coordinates is cut, so that no segment is longer on the
  /// earth than it may. Even pieces of the line are uneven ones on the earth.
  private func straightPieces(
    _ edge: Edge, _ frame: GeodesicFrame, _ from: Point, _ to: Point
  ) throws(EngineError) -> Int {
    let measure = EdgeMeasure(frame: frame, curve: curve)
    var count = try pieces(try measure.length(from: (from, edge.start.point), to: (to, edge.end.point)))
    for _ in 0..<16 {
      // Even so many could not be had.
      try policy.check(points: vertexCount &+ count)
      let looked = min(count, Self.sampledPieces)
      var before = (place: from, point: edge.start.point)
      var (greatest, last) = (0.0, 0.0)
      for piece in 1...looked {
        if piece % 64 == 0 { try TimeLimit.check() }
        let point = piece == looked ? edge.end.point : edge.point(Double(piece) / Double(looked))
        let next = (place: try frame.degrees(point), point: point)
        guard next.place.isFinite else { throw frame.nowhere(point) }
        let length = try measure.length(from: before, to: next)
        // Within a longer piece lengths change by half as much as from it to the next.
        let slope = looked < count && piece > 1 ? (length - last).magnitude : 0
        greatest = max(greatest, max(length, last) + slope)
        (before, last) = (next, length)
      }
      let wanted = try pieces(greatest * Double(looked))
      if looked < count { return max(count, wanted) }
      if greatest <= longest * (1 + 1e-12) { return count }
      count = max(count &+ 1, wanted)
    }
    return count
  }

  // MARK: Writing

  /// Appends a path with the vertices that were planned.
  private func write(
    _ columns: GeometryColumns, _ vertices: Range<Int>, _ builder: GeometryBuilder
  ) throws(EngineError) {
    let firstEdge = writtenEdges
    writtenEdges = writtenEdges &+ vertices.count &- 1
    // What is next may belong to another path.
    var places: HeapArray<Point>?
    if let frame, curve != .shapePreserving, writtenStretches < planned.count,
      planned[writtenStretches].edge < writtenEdges
    {
      places = try frame.degrees(columns, vertices)
    }
    try builder.append(columns.vertex(vertices.lowerBound))
    for number in 0..<(vertices.count &- 1) {
      let index = vertices.lowerBound &+ number
      if writtenStretches < planned.count, planned[writtenStretches].edge == firstEdge &+ number {
        try writeStretches(
          of: Edge(
            start: columns.vertex(index), end: columns.vertex(index &+ 1), from: places?.buffer[number],
            to: places?.buffer[number &+ 1]), builder)
      }
      try builder.append(columns.vertex(index &+ 1))
    }
  }

  /// Appends what lies between the ends of the next edge that gets vertices.
  private func writeStretches(of edge: Edge, _ builder: GeometryBuilder) throws(EngineError) {
    let first = writtenStretches
    var count = 0
    while writtenStretches < planned.count, planned[writtenStretches].edge == planned[first].edge {
      count = count &+ planned[writtenStretches].stretch.pieces
      writtenStretches = writtenStretches &+ 1
    }
    let shares = try HeapArray<Double>(count: count)
    var (begin, at) = (0.0, 0)
    for number in first..<writtenStretches {
      let stretch = planned[number].stretch
      for piece in 1...stretch.pieces {
        let share = begin + (stretch.end - begin) * (Double(piece) / Double(stretch.pieces))
        shares.buffer[at] = piece == stretch.pieces ? stretch.end : share
        at = at &+ 1
      }
      begin = stretch.end
    }
    // The last one is the edge's end.
    try write(edge, shares.buffer[..<(count &- 1)], builder)
  }

  private func write(
    _ edge: Edge, _ shares: Slice<UnsafeMutableBufferPointer<Double>>, _ builder: GeometryBuilder
  ) throws(EngineError) {
    let room = try builder.extend(by: shares.count)
    if let frame, let from = edge.from, let to = edge.to {
      let way = try WayAlong(frame.geodesic, curve, from: from, to: to)
      let images = EdgeImages(frame: frame, way: way, start: edge.start.point, end: edge.end.point)
      try images.write(room.points) { shares[$0] }
    } else {
      for index in shares.indices {
        if index % 4096 == 0 { try TimeLimit.check() }
        room.points[index] = edge.point(shares[index])
      }
    }
    if let z = room.z, builder.flags.contains(.hasZ) { try mix(edge.start.z, edge.end.z, shares, into: z) }
    if let m = room.m, builder.flags.contains(.hasM) { try mix(edge.start.m, edge.end.m, shares, into: m) }
  }

  private func mix(
    _ start: Double, _ end: Double, _ shares: Slice<UnsafeMutableBufferPointer<Double>>,
    into values: UnsafeMutableBufferPointer<Double>
  ) throws(EngineError) {
    guard !(end - start).isInfinite else {
      throw EngineError(.unsupported, "An edge's z or m are farther apart than a double holds.")
    }
    for index in shares.indices { values[index] = start + shares[index] * (end - start) }
  }
}
