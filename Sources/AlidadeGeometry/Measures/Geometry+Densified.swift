import AlidadeBase
import AlidadeCoordinates
import Glibc

/// How many vertices densifying adds.
public struct Density: Sendable {
  /// No segment is longer; nil: no limit. In the unit that is given with it.
  public var longestSegment: Double?
  /// The straight segments of the result keep within so much of the edges; nil: no limit. Geodesic measure alone.
  public var maximumDeviation: Double?

  public init(longestSegment: Double? = nil, maximumDeviation: Double? = nil) {
    self.longestSegment = longestSegment
    self.maximumDeviation = maximumDeviation
  }
}

extension Geometry {
  /// The geometry with vertices added along its edges. Those that there were stay, to the last bit.
  public func densified(_ density: Density, _ measure: Measure, unit: Unit?) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let densifier = try Densifier(spatialReference, density, measure, unit, runtime.policy)
      try densifier.rewriter.visitPaths(columns, row, densifier.plan)
      return try rewritten(densifier.rewriter)
    }
  }
}

extension GeometryArray {
  /// The geometries with vertices added along their edges.
  public func densified(_ density: Density, _ measure: Measure, unit: Unit?) throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let densifier = try Densifier(spatialReference, density, measure, unit, runtime.policy)
      try eachRow { (row) throws(EngineError) in
        try densifier.rewriter.visitPaths(columns, row, densifier.plan)
      }
      return try rewritten(densifier.rewriter)
    }
  }
}

extension Point {
  /// A point of the straight line to another one.
  func mixed(with other: Point, _ share: Double) -> Point {
    Point(x: x + share * (other.x - x), y: y + share * (other.y - y))
  }
}

extension Vertex {
  /// A vertex at a point between this one and another; z and m by its share of the edge.
  func mixed(with other: Vertex, _ share: Double, at point: Point) -> Vertex {
    Vertex(point, z: z + share * (other.z - z), m: m + share * (other.m - m))
  }
}

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
  /// The stretches of all edges that get vertices, in the order of the edges.
  private let planned = Column<(edge: Int, stretch: EvenStretch)>()
  /// The number of vertices of the result, as far as it is planned.
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
    let path = try EarthCurve(curve, on: frame.geodesic, from: from, to: to)
    guard let maximumDeviation else { return [EvenStretch(end: 1, pieces: try pieces(path.length))] }
    let search = DeviationSearch(frame: frame, curve: path, maximumDeviation: maximumDeviation, longest: longest)
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
      let path = try EarthCurve(curve, on: frame.geodesic, from: from, to: to)
      let images = EdgeImages(frame: frame, curve: path, start: edge.start.point, end: edge.end.point)
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

/// A stretch of an edge's curve that is cut into even pieces.
struct EvenStretch {
  /// Where it ends: a share of the curve, at most 1. It begins where the one before it ends.
  let end: Double
  let pieces: Int
}

/// Finds where a curve needs vertices to keep near it, if edges are straight in the spatial reference.
struct DeviationSearch {
  let frame: GeodesicFrame
  let curve: EarthCurve
  /// Metres.
  let maximumDeviation: Double
  /// Metres; no piece is longer.
  let longest: Double

  /// A margin for what lies between the points that are examined.
  private static let margin = 1.05
  private static let places = 8
  /// How unevenly a stretch may bend, from its middle to an end, of which the bend is known and not looked for.
  private static let greatestSlope = 0.5
  /// How far the deviations at its quarters may differ from the deviations of a circle, as a share.
  private static let greatestError = 0.005
  /// So that the pieces that are looked at are not just above what is allowed.
  private static let slack = 1.01

  private typealias End = (share: Double, point: Point)

  /// How far a stretch of the curve lies from the straight edge between its ends.
  private struct Bow {
    /// Metres, with the margin.
    var greatest: Double
    /// By how much more the curve bends at an end than in the middle, where it bends nearly as a circle does; otherwise
    /// nil.
    var slope: Double?
  }

  /// Stretches of the whole curve, one after the other.
  ///
  /// Where the curve bends evenly, the deviation falls with the square of the pieces' number, so this follows from that of
  /// the stretch: what it takes to find the stretches does not grow with the number of vertices.
  ///
  /// - Parameter check: throws if there are too many stretches.
  func stretches(
    from start: Point, to end: Point, _ check: (Int) throws(EngineError) -> Void
  ) throws(EngineError) -> [EvenStretch] {
    // Along a long curve the deviation of the whole may vanish by chance.
    let least = max(1, Int(exactly: (curve.length / 500_000).rounded(.up)) ?? 1)
    var found: [EvenStretch] = []
    var from: End = (0, start)
    for cell in 1...least {
      var open = [cell == least ? 1 : Double(cell) / Double(least)]
      while let share = open.last {
        try TimeLimit.check()
        let to: End = (share, share == 1 ? end : try image(share, near: from.point))
        if let pieces = try pieces(from: from, to: to) {
          found.append(EvenStretch(end: share, pieces: pieces))
          from = to
          open.removeLast()
        } else {
          open.append(from.share + (share - from.share) / 2)
        }
        try check(found.count &+ open.count)
      }
    }
    return found
  }

  /// Into how many even pieces a stretch must be cut; nil if it bends too unevenly for that.
  private func pieces(from: End, to: End) throws(EngineError) -> Int? {
    let byLength = PieceCount.of(curve.length * (to.share - from.share), longest: longest) ?? 1
    let allowed = maximumDeviation - ChordPath.rounding
    let whole = try bow(from: from, to: to)
    if whole.greatest <= allowed { return byLength }
    guard to.share - from.share > 1e-13, whole.greatest.isFinite else {
      throw EngineError(
        .projectionFailed,
        "Between \(curve.start.x), \(curve.start.y) and \(curve.end.x), \(curve.end.y) (longitude and latitude) no straight "
          + "edges in \(frame.reference.name) keep near the curve: the map is cut open there, or ends.")
    }
    guard let slope = whole.slope,
      let wanted = Int(exactly: (whole.greatest * (1 + slope) * Self.slack / allowed).squareRoot().rounded(.up))
    else { return nil }
    let count = max(2, wanted, byLength)
    // Trust, and look.
    for number in Set([0, count / 2, count &- 1]) {
      let piece = try part(number, of: count, from: from, to: to)
      guard try bow(from: piece.from, to: piece.to).greatest <= allowed else { return nil }
    }
    return count
  }

  private func part(_ number: Int, of count: Int, from: End, to: End) throws(EngineError) -> (from: End, to: End) {
    func end(_ number: Int, near: Point) throws(EngineError) -> End {
      if number == 0 { return from }
      if number == count { return to }
      let share = from.share + (to.share - from.share) * (Double(number) / Double(count))
      return (share, try image(share, near: near))
    }
    let first = try end(number, near: from.point)
    return (first, try end(number &+ 1, near: first.point))
  }

  private func image(_ share: Double, near: Point) throws(EngineError) -> Point {
    let image = try frame.point(curve.place(share))
    return frame.worldWidth.map { image.unwrapped(near: near.x, width: $0) } ?? image
  }

  private func bow(from: End, to: End) throws(EngineError) -> Bow {
    var end = to.point
    if let width = frame.worldWidth { end = end.unwrapped(near: from.point.x, width: width) }
    func deviation(_ u: Double) throws(EngineError) -> Double {
      let target = frame.earth.position(curve.place(from.share + u * (to.share - from.share)))
      return try distance(of: target, from: from.point, to: end, near: u)
    }
    let (first, middle, third) = (try deviation(0.25), try deviation(0.5), try deviation(0.75))
    var greatest = max(first, middle, third)
    guard greatest.isFinite else { return Bow(greatest: .infinity) }
    // A circle lies three quarters as far off at the quarters; twelve times the share by which they differ is that by
    // which it bends more at one end than at the other.
    let slope = 6 * ((first - third) / (first + third)).magnitude
    let isEven = ((first + third) / 1.5 / middle - 1).magnitude <= Self.greatestError && slope <= Self.greatestSlope
    if !isEven {
      for index in stride(from: 1, to: Self.places, by: 2) {
        greatest = max(greatest, try deviation(Double(index) / Double(Self.places)))
        guard greatest.isFinite else { return Bow(greatest: .infinity) }
      }
    }
    return Bow(greatest: greatest * Self.margin, slope: isEven ? slope : nil)
  }

  /// The distance of a position from a straight edge in metres; infinite where the edge has no position on the earth.
  private func distance(
    of target: Vector, from start: Point, to end: Point, near guess: Double
  ) throws(EngineError) -> Double {
    func position(_ u: Double) throws(EngineError) -> Vector {
      let place = try frame.degrees(start.mixed(with: end, u))
      return place.isFinite ? frame.earth.position(place) : Vector(repeating: .nan)
    }
    var u = guess
    var best = Double.infinity
    for _ in 0..<5 {
      let foot = try position(u)
      let away = target - foot
      let distance = away.length
      guard distance.isFinite else { return .infinity }
      best = min(best, distance)
      let step = u < 0.5 ? 1e-4 : -1e-4
      let ahead = (try position(u + step) - foot) / step
      let square = ahead.dot(ahead)
      guard square > 0, square.isFinite else { break }
      let next = min(1, max(0, u + ahead.dot(away) / square))
      if (next - u).magnitude * square.squareRoot() < 1e-2 * distance { break }
      u = next
    }
    return best
  }
}

enum PieceCount {
  /// Into how many pieces a length is cut, so that none is longer; nil if the length is not finite.
  static func of(_ length: Double, longest: Double) -> Int? {
    // Rounding shall not make two pieces of one.
    let wanted = (length / longest * (1 - 1e-12)).rounded(.up)
    guard wanted.isFinite, let count = Int(exactly: min(wanted, 1e15)) else { return nil }
    return max(1, count)
  }
}

/// Part of a curve as a polynomial in three dimensions, which takes a tenth of the time where a point takes iterations.
///
/// It goes through exact positions at Chebyshev's points; the error falls geometrically with their number (Trefethen,
/// Approximation theory and approximation practice, chapter 8), and is looked at between them.
struct CurveSeries {
  private let earth: Earth
  private let start: Double
  private let end: Double
  private let coefficients: [Vector]

  private static let count = 12
  /// Metres. Positions in degrees are rounded by some 2e-9 m, and positions from iterations by some more.
  private static let tolerance = 1e-8

  /// Fewer points are found faster one by one.
  static let leastCount = 64

  /// For this number of points; nil where it is of no use, and where the curve bends too much for it.
  init?(of curve: EarthCurve, from start: Double, to end: Double, count places: Int) {
    guard curve.isSlow, places >= Self.leastCount, end > start else { return nil }
    let earth = curve.earth
    func position(_ share: Double) -> Vector { earth.position(curve.place(share)) }
    (self.earth, self.start, self.end) = (earth, start, end)
    let count = Self.count
    let exact = (0..<count).map { index in
      position(start + (end - start) * (1 + cos(.pi * (Double(index) + 0.5) / Double(count))) / 2)
    }
    coefficients = (0..<count).map { order in
      var sum = Vector.zero
      for (index, place) in exact.enumerated() {
        sum += place * cos(.pi * Double(order) * (Double(index) + 0.5) / Double(count))
      }
      return sum * ((order == 0 ? 1 : 2) / Double(count))
    }
    for u in [0, 0.11, 0.52, 0.87, 1] {
      let share = start + u * (end - start)
      guard (self.position(share) - position(share)).length <= Self.tolerance else { return nil }
    }
  }

  /// By Clenshaw's recurrence.
  private func position(_ share: Double) -> Vector {
    let t = (share - start) / (end - start) * 2 - 1
    var (first, second) = (Vector.zero, Vector.zero)
    for order in stride(from: coefficients.count &- 1, to: 0, by: -1) {
      (first, second) = (coefficients[order] + 2 * t * first - second, first)
    }
    return coefficients[0] + t * first - second
  }

  func place(_ share: Double) -> Point { earth.point(position(share)) }
}

/// The positions along an edge in a spatial reference whose world repeats itself.
struct EdgeImages {
  let frame: GeodesicFrame
  let curve: EarthCurve
  /// In the spatial reference.
  let start: Point
  let end: Point

  /// How many points are computed between two looks at the time, at most.
  private static let chunk = 1024

  /// Writes the points at shares of the curve. If its ends are less than half the world apart, the points stay
  /// connected between them. Otherwise the edge goes in the other direction, and so do they: up to the antimeridian
  /// near the start, then near the end.
  func write(_ points: UnsafeMutableBufferPointer<Point>, at share: (Int) -> Double) throws(EngineError) {
    var first = 0
    // No longer than a series is good for.
    let fitting = Int(exactly: (500_000 / curve.length * Double(points.count)).rounded(.down)) ?? Self.chunk
    let chunk = min(Self.chunk, max(CurveSeries.leastCount, fitting))
    while first < points.count {
      let last = min(points.count, first &+ chunk)
      try TimeLimit.check()
      if let series = CurveSeries(of: curve, from: share(first), to: share(last &- 1), count: last &- first) {
        for index in first..<last { points[index] = series.place(share(index)) }
      } else {
        for index in first..<last { points[index] = curve.place(share(index)) }
      }
      let slice = UnsafeMutableBufferPointer(rebasing: points[first..<last])
      try frame.fromDegrees(slice)
      if let bad = slice.firstIndex(where: { !$0.isFinite }) { throw frame.noImage(curve.place(share(first &+ bad))) }
      first = last
    }
    if let width = frame.worldWidth { join(points, width) }
  }

  private func join(_ points: UnsafeMutableBufferPointer<Point>, _ width: Double) {
    var seam: Int?
    var before = start
    var raw = start.x
    for index in points.indices {
      let image = points[index]
      if index > 0, seam == nil, (image.x - raw).magnitude > width / 2 { seam = index }
      raw = image.x
      points[index] = image.unwrapped(near: before.x, width: width)
      before = points[index]
    }
    let shift = end.x - end.unwrapped(near: before.x, width: width).x
    guard shift != 0 else { return }
    for index in (seam ?? points.count)..<points.count { points[index].x += shift }
  }
}
