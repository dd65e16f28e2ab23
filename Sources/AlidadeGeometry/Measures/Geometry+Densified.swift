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
    try runtime.limited { () throws(EngineError) -> Geometry in
      let densifier = try Densifier(spatialReference, density, measure, unit, runtime.policy)
      return try rewritten(PathRewriter(kinds: [.polyline, .polygon], path: densifier.densify))
    }
  }
}

extension GeometryArray {
  /// The geometries with vertices added along their edges.
  public func densified(_ density: Density, _ measure: Measure, unit: Unit?) throws(EngineError) -> GeometryArray {
    try runtime.limited { () throws(EngineError) -> GeometryArray in
      let densifier = try Densifier(spatialReference, density, measure, unit, runtime.policy)
      return try rewritten(PathRewriter(kinds: [.polyline, .polygon], path: densifier.densify))
    }
  }
}

/// Adds vertices along edges.
struct Densifier {
  private let frame: GeodesicFrame?
  private let curve: CurveType
  /// Metres, or the coordinates' own unit.
  private let longest: Double
  private let maximumDeviation: Double?
  private let policy: Policy

  init(
    _ reference: SpatialReference?, _ density: Density, _ measure: Measure, _ unit: Unit?, _ policy: Policy
  ) throws(EngineError) {
    self.policy = policy
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

  func densify(_ columns: GeometryColumns, _ vertices: Range<Int>, _ builder: GeometryBuilder) throws(EngineError) {
    let places = try frame?.degrees(columns, vertices)
    var before = columns.vertex(vertices.lowerBound)
    try builder.append(before)
    for index in vertices.dropFirst() {
      let next = columns.vertex(index)
      if next.point != before.point {
        if let frame, let places {
          let number = index &- vertices.lowerBound
          let edge = Edge(start: before, end: next, from: places.buffer[number &- 1], to: places.buffer[number])
          try addGeodesic(edge, frame, builder)
        } else {
          try addPlanar(before, next, builder)
        }
      }
      try builder.append(next)
      before = next
    }
  }

  /// Into how many pieces a length is cut.
  private func pieces(_ length: Double, _ builder: GeometryBuilder) throws(EngineError) -> Int {
    // Rounding shall not make two pieces of one.
    let wanted = (length / longest * (1 - 1e-12)).rounded(.up)
    guard wanted.isFinite, let count = Int(exactly: min(wanted, 1e15)) else {
      throw EngineError(.unsupported, "An edge is longer than a double holds: its coordinates are too large.")
    }
    try policy.check(points: builder.points.count &+ count)
    return max(1, count)
  }

  private func addPlanar(_ start: Vertex, _ end: Vertex, _ builder: GeometryBuilder) throws(EngineError) {
    let count = try pieces(hypot(end.point.x - start.point.x, end.point.y - start.point.y), builder)
    for piece in 1..<count {
      let t = Double(piece) / Double(count)
      try builder.append(start.mixed(with: end, t, at: start.point.mixed(with: end.point, t)))
    }
  }

  fileprivate struct Edge {
    let start: Vertex
    let end: Vertex
    /// In degrees.
    let from: Point
    let to: Point
  }

  private func addGeodesic(_ edge: Edge, _ frame: GeodesicFrame, _ builder: GeometryBuilder) throws(EngineError) {
    if curve == .shapePreserving { return try addStraight(edge, frame, builder) }
    let way = try WayAlong(frame.geodesic, curve, from: edge.from, to: edge.to)
    let count = try pieces(way.length, builder)
    var shares = (1..<count).map { Double($0) / Double(count) }
    if let maximumDeviation {
      let search = DeviationSearch(frame: frame, way: way, maximumDeviation: maximumDeviation)
      shares = try search.refined(shares, from: edge.start.point, to: edge.end.point) { (more) throws(EngineError) in
        try policy.check(points: builder.points.count &+ more)
      }
    }
    guard !shares.isEmpty else { return }
    let points = try EdgeImages(frame: frame).images(of: shares, along: way, edge.start.point, edge.end.point)
    for (index, share) in shares.enumerated() {
      try builder.append(edge.start.mixed(with: edge.end, share, at: points.buffer[index]))
    }
  }

  /// Adds vertices to an edge that is straight in its coordinates, so that no segment is longer on the earth than it may.
  private func addStraight(_ edge: Edge, _ frame: GeodesicFrame, _ builder: GeometryBuilder) throws(EngineError) {
    guard longest.isFinite else { return }
    let measure = EdgeMeasure(frame: frame, curve: curve)
    let whole = try measure.length(from: (edge.from, edge.start.point), to: (edge.to, edge.end.point))
    var count = try pieces(whole, builder)
    // Even pieces of the line are uneven ones on the earth.
    for _ in 0..<16 {
      var before = (place: edge.from, point: edge.start.point)
      var greatest = 0.0
      for piece in 1...count {
        let point = piece == count ? edge.end.point : edge.point(Double(piece) / Double(count))
        let next = (place: try frame.degrees(point), point: point)
        guard next.place.isFinite else { throw frame.nowhere(point) }
        greatest = max(greatest, try measure.length(from: before, to: next))
        before = next
      }
      if greatest <= longest * (1 + 1e-12) { break }
      count = max(count &+ 1, try pieces(Double(count) * greatest, builder))
    }
    for piece in 1..<count {
      let share = Double(piece) / Double(count)
      try builder.append(edge.start.mixed(with: edge.end, share, at: edge.point(share)))
    }
  }
}

extension Densifier.Edge {
  fileprivate func point(_ share: Double) -> Point { start.point.mixed(with: end.point, share) }
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
