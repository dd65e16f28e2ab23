import AlidadeBase
import AlidadeCoordinates
import Glibc
import Synchronization

/// Points, lines and polygons in longitude and latitude, or in the plane of a projected spatial reference.
public struct GeodesicFigure: Sendable {
  public var points: [Point]
  public var lines: [[Point]]
  /// Each polygon is a shell and its holes, in either direction. A ring around a pole encloses the smaller part of the
  /// earth.
  public var polygons: [[[Point]]]

  public init(points: [Point] = [], lines: [[Point]] = [], polygons: [[[Point]]] = []) {
    self.points = points
    self.lines = lines
    self.polygons = polygons
  }

  /// The point, if that is all.
  var onlyPoint: Point? { points.count == 1 && lines.isEmpty && polygons.isEmpty ? points.first : nil }
}

/// Polygons in longitude and latitude or in a plane, their edges straight there.
public struct GeodesicRegion: Sendable {
  /// Each polygon is a closed shell, counterclockwise, and its holes, clockwise. In longitude and latitude, a pole
  /// inside a polygon is the line of latitude 90 or -90.
  public var polygons: [[[Point]]]
  /// The achieved deviation in metres. Points nearer than the distance minus this deviation are inside, and points
  /// farther than the distance plus this deviation are outside.
  public var achievedDeviation: Double

  init(polygons: [[[Point]]], achievedDeviation: Double) {
    self.polygons = polygons.map(\.oriented)
    self.achievedDeviation = achievedDeviation
  }
}

/// How a geodesic buffer is computed. Circles that do not prove themselves are outlined as what has no circles alone is.
enum BufferStrategy {
  /// A single point: chords of its circle (`CircleBuffer`).
  case circle
  /// Points: the exact union of circles in a conformal map (`GeodesicCircleUnion`).
  case circleUnion
  /// Round buffers: whole lines and polygons (`OffsetMaker`), which a plane gets an image of (`PlaneImage`), or their
  /// segments one by one (`SegmentOutline`) if the result does not pass its check.
  case offsets
  /// Flat and square ends, mitres and bevels (`CorridorOutline`).
  case corridors
}

/// The area within a geodesic distance.
///
/// Each segment's buffer is outlined by points that lie exactly at the distance: abeam of the segment, and on circles
/// around its ends. These outlines are combined by GEOS in longitude and latitude, or in the plane: a point that is
/// outside each outline by at most the deviation is also outside their union by at most the deviation. At a pole,
/// outlines are led along the side of the map. In a plane that shows the pole as a point, they simply go around it.
public struct GeodesicBuffer: Sendable {
  public let geodesic: Geodesic
  /// The allowed deviation in metres, at least 1e-7; nil means a thousandth of each distance, but at least 1e-7.
  public var maximumDeviation: Double?
  /// The curves of the edges of lines and polygons. Curves other than geodesics are first replaced by geodesics, to
  /// within a quarter of the deviation.
  public var curve = CurveType.geodesic
  /// The ends of lines. Ends and corners that are not round require that `curve` is the geodesic.
  public var cap = BufferCap.round
  public var join = BufferJoin.round
  /// The longest mitre, as a multiple of the distance.
  public var mitreLimit = 5.0
  /// True if the buffer is cut at the antimeridian, with longitudes from -180 to 180. False if it is in one piece where
  /// the map can be cut open elsewhere.
  public var isSplit = true
  /// The plane of figures and regions; nil means longitude and latitude in degrees.
  public var plane: EarthPlane?
  /// The largest number of vertices of all outlines together.
  public var vertexLimit = 20_000_000
  /// The workers that help with unions; nil means none.
  public var workers: Workers?
  /// The policy that limits the memory of unions.
  public var policy = Policy()

  /// The smallest distance in metres: longitudes and latitudes have steps of 3e-9 m.
  public static let leastDistance = 1e-6
  public static let leastDeviation = 1e-7

  public init(_ geodesic: Geodesic, maximumDeviation: Double? = nil) {
    self.geodesic = geodesic
    self.maximumDeviation = maximumDeviation
  }

  /// Whether a buffer is all that lies within the distance.
  var isRound: Bool { cap == .round && join == .round }

  /// The area within the distance of the figure. With a negative distance, the area of its polygons that is farther
  /// than this from their boundaries.
  public func buffer(_ figure: GeodesicFigure, distance: Double) throws(EngineError) -> GeodesicRegion {
    try union([(figure, distance)])
  }

  /// The union of the buffers of many figures.
  public func union(_ figures: [(figure: GeodesicFigure, distance: Double)]) throws(EngineError) -> GeodesicRegion {
    // Circles that cannot prove themselves, such as some near a pole, are left to the outlines.
    switch strategy(for: figures) {
    case .circle:
      var circle = CircleBuffer(self)
      if let first = figures.first, let point = first.figure.onlyPoint,
        let (parts, deviation) = try circle.outline(of: point, distance: first.distance)
      {
        return GeodesicRegion(polygons: parts.map { [$0] }, achievedDeviation: deviation)
      }
    case .circleUnion:
      if let region = try GeodesicCircleUnion(self).region(figures) { return region }
    case .offsets, .corridors: break
    }
    return try OutlineBuffer(settings: self, strategy: outlineStrategy).region(figures)
  }

  /// Decides, alone, how a buffer is computed.
  private func strategy(for figures: [(figure: GeodesicFigure, distance: Double)]) -> BufferStrategy {
    if cap == .round, figures.allSatisfy({ $0.figure.lines.isEmpty && $0.figure.polygons.isEmpty }) {
      if figures.count == 1, figures.first?.figure.onlyPoint != nil { return .circle }
      if plane == nil { return .circleUnion }
    }
    return outlineStrategy
  }

  private var outlineStrategy: BufferStrategy { isRound ? .offsets : .corridors }

  /// Throws unless a buffer can have that distance in metres.
  public func check(distance: Double) throws(EngineError) {
    let greatest =
      isRound
      ? GeodesicCircle.greatestRadius(on: geodesic.ellipsoid)
      : CorridorOutline.greatestDistance(on: geodesic.ellipsoid)
    guard distance.magnitude >= Self.leastDistance, distance.magnitude <= greatest else {
      throw EngineError(
        .invalidArgument,
        "A geodesic buffer's distance is \(distance) m: it must be \(Self.leastDistance) m to \(greatest) m"
          + (isRound ? "." : " unless ends and corners are round."))
    }
  }

  /// Throws unless the ends and corners can be made along the curve.
  func checkEnds() throws(EngineError) {
    guard isRound || curve == .geodesic else {
      throw EngineError(
        .invalidArgument,
        "Only along geodesics can ends be flat or square and corners mitres or bevels. Densify the geometry along its "
          + "curves first, and buffer that with geodesics.")
    }
    try BufferJoin.check(mitreLimit: mitreLimit)
  }

  private var smallestDeviation: Double { isRound ? Self.leastDeviation : CorridorOutline.leastDeviation }

  /// The allowed deviation in metres for a buffer of that distance in metres.
  public func allowedDeviation(for distance: Double) throws(EngineError) -> Double {
    guard let maximumDeviation else { return max(smallestDeviation, distance.magnitude / 1000) }
    guard maximumDeviation >= smallestDeviation, maximumDeviation.isFinite else {
      throw EngineError(
        .invalidArgument,
        "The maximum deviation is \(maximumDeviation) m: it must be at least \(smallestDeviation) m"
          + (isRound ? "." : " unless ends and corners are round."))
    }
    return maximumDeviation
  }
}

/// Buffers of any figures: outlines of each, united on the map.
private struct OutlineBuffer: Sendable {
  let settings: GeodesicBuffer
  let strategy: BufferStrategy

  func region(
    _ figures: [(figure: GeodesicFigure, distance: Double)]
  ) throws(EngineError) -> GeodesicRegion {
    let plans = try plans(figures)
    let map = settings.plane.map(\.world) ?? MapOfWorld.degrees
    let frame = map.map { RegionFrame(for: plans.flatMap(\.regions), in: $0) }
    let union = RegionUnion(
      frame: frame, plane: settings.plane, isSplit: settings.isSplit,
      workers: settings.workers ?? Workers(threadCount: 1),
      policy: settings.policy)
    return GeodesicRegion(
      polygons: try union.polygons(plans.flatMap(\.pieces)),
      achievedDeviation: plans.reduce(0) { max($0, $1.achievedDeviation) })
  }

  /// The outlines of each figure.
  private func plans(
    _ figures: [(figure: GeodesicFigure, distance: Double)]
  ) throws(EngineError) -> [BufferPlan] {
    let vertices = Atomic<Int>(0)
    @Sendable func plan(_ figure: GeodesicFigure, _ distance: Double) throws(EngineError) -> BufferPlan {
      try TimeLimit.check()
      let plan = try BufferPlan(settings, strategy, figure, distance: distance)
      let sum = vertices.add(plan.vertexCount, ordering: .relaxed).newValue
      guard sum <= settings.vertexLimit else {
        throw EngineError(
          .limitExceeded,
          "The outlines of the geodesic buffers have \(sum) vertices or more, more than \(settings.vertexLimit). Allow a greater "
            + "deviation, or raise max_request_points and max_request_bytes.")
      }
      return plan
    }
    if figures.count == 1, let only = figures.first { return [try plan(only.figure, only.distance)] }
    let plans = try (settings.workers ?? Workers(threadCount: 1)).map(figures.count, slice: 32) {
      (index) throws(EngineError) in try plan(figures[index].figure, figures[index].distance)
    }
    return plans ?? []
  }
}

/// The pieces that a buffer is combined from.
struct BufferPlan {
  /// What can be united by itself.
  private(set) var pieces: [BufferPiece] = []
  private(set) var achievedDeviation = 0.0
  /// Of all outlines.
  private(set) var vertexCount = 0

  var regions: [EarthRegion] {
    pieces.flatMap { $0.interiors.joined() + $0.boundary }.filter { !$0.line.isEmpty }
  }

  init(
    _ settings: GeodesicBuffer, _ strategy: BufferStrategy, _ figure: GeodesicFigure, distance: Double
  ) throws(EngineError) {
    let (geodesic, vertexLimit) = (settings.geodesic, settings.vertexLimit)
    let (isNegative, size) = (distance < 0, distance.magnitude)
    try settings.check(distance: distance)
    let allowed = try settings.allowedDeviation(for: distance)
    var edges = EdgePaths(settings, share: allowed / 4)
    let maximumDeviation = allowed - edges.maximumDeviation
    var segments = SegmentOutline(
      geodesic, distance: size, maximumDeviation: maximumDeviation, plane: settings.plane, vertexLimit: vertexLimit)
    var corridor =
      strategy == .corridors
      ? CorridorOutline(settings, distance: size, maximumDeviation: maximumDeviation, vertexLimit: vertexLimit) : nil
    func outline(_ path: [Point]) throws(EngineError) {
      if try corridor?.add(path) == nil { try Self.add(path, to: &segments) }
    }
    var polygons: [(corners: [[Point]], rings: [[Point]])] = []
    for polygon in figure.polygons {
      let corners = polygon.filter { !$0.isEmpty }
      var rings: [[Point]] = []
      for ring in corners { rings.append(try edges.geodesics(ring + ring.prefix(1))) }
      polygons.append((corners, rings))
    }
    let whole = strategy == .offsets ? WholeOutlines(settings, distance: size, maximumDeviation: maximumDeviation) : nil
    for (corners, rings) in polygons {
      if let region = try whole?.region([rings], isNegative: isNegative) {
        add(region)
        continue
      }
      // The inside's own edges are covered by the buffer of the boundary: they need not be exact, but within it.
      let inside = min(maximumDeviation, max(size / 2, GeodesicBuffer.leastDeviation))
      var regions: [EarthRegion] = []
      let (first, firstOfCorridor) = (segments.regions.count, corridor?.regions.count ?? 0)
      for (corners, ring) in zip(corners, rings) {
        regions.append(
          settings.curve == .shapePreserving
            ? try Self.interior(ofStraight: corners)
            : try Self.interior(of: ring, geodesic, maximumDeviation: inside, settings.plane))
        try outline(ring)
      }
      // Polygons may overlap: each loses what is near its own boundary.
      let own = isNegative ? segments.regions[first...] + (corridor?.regions[firstOfCorridor...] ?? []) : []
      pieces.append(BufferPiece(isNegative: isNegative, interiors: [regions], boundary: Array(own)))
    }
    if !isNegative {
      for point in figure.points { try outline([edges.place(of: point)]) }
      for line in figure.lines {
        let path = try edges.geodesics(line)
        if let region = try whole?.region(path) { add(region) } else { try outline(path) }
      }
    }
    if !isNegative { pieces += (segments.regions + (corridor?.regions ?? [])).map { BufferPiece(boundary: [$0]) } }
    vertexCount &+= segments.vertexCount &+ (corridor?.vertexCount ?? 0)
    achievedDeviation =
      max(achievedDeviation, segments.achievedDeviation, corridor?.achievedDeviation ?? 0) + edges.achievedDeviation
  }

  private mutating func add(_ region: MapRegion) {
    pieces += region.polygons.compactMap { EarthRegion($0) }.map { BufferPiece(boundary: [$0]) }
    vertexCount &+= region.vertexCount
    achievedDeviation = max(achievedDeviation, region.achievedDeviation)
  }

  private static func add(_ path: [Point], to outline: inout SegmentOutline) throws(EngineError) {
    guard let first = path.first else { return }
    if path.allSatisfy({ $0 == first }) { return try outline.add(first) }
    for (point, next) in zip(path, path.dropFirst()) where point != next { try outline.add(point, next) }
  }

  /// What a ring encloses whose edges are straight on the map: it may be more than half of the earth.
  private static func interior(ofStraight corners: [Point]) throws(EngineError) -> EarthRegion {
    let ring = corners + corners.prefix(1)
    guard corners.count > 2 else { return try EarthRegion(leftOf: [], turns: 0, isLarge: false, in: nil) }
    return try EarthRegion(leftOf: ring, turns: 0, isLarge: false, in: nil)
  }

  /// What a ring of geodesics encloses.
  private static func interior(
    of ring: [Point], _ geodesic: Geodesic, maximumDeviation: Double, _ plane: EarthPlane?
  ) throws(EngineError) -> EarthRegion {
    let (area, perimeter) = geodesic.areaAndPerimeter(of: ring)
    // Counter-clockwise around the smaller part.
    let corners = area < 0 ? ring.reversed() : ring
    var path = ChordPath(
      Earth(geodesic.ellipsoid), maximumDeviation: maximumDeviation, edges: plane.map { .planar($0) } ?? .straight)
    for (index, corner) in corners.enumerated() {
      let next = corners[index &+ 1 < corners.count ? index &+ 1 : 0]
      let way = geodesic.inverse(from: corner, to: next)
      if way.length == 0 { continue }
      let line = geodesic.line(from: corner, azimuth: way.azimuth)
      let pieces = Int(exactly: (way.length / 500_000).rounded(.up)) ?? 1
      try path.append(pieces: pieces) { line.position(at: $0 * way.length).point }
    }
    let turns = try path.close()
    guard path.points.count > 2 else { return try EarthRegion(leftOf: [], turns: 0, isLarge: false, in: nil) }
    // What holds both poles has an outline that goes from one to the other and back. A ring as thin as rounding runs
    // in no direction.
    let isWide = area.magnitude > 1e-6 * perimeter
    let poleToPole = 2 * .pi * geodesic.ellipsoid.curvatureRadii.lowerBound * 0.95
    return try EarthRegion(
      leftOf: path.points, turns: turns, isLarge: isWide && (plane != nil || perimeter > poleToPole),
      in: plane.map { ($0, Earth(geodesic.ellipsoid), maximumDeviation) })
  }
}

/// Buffers of whole lines and polygons of geodesics, on the map that the result is on.
private struct WholeOutlines {
  private let offsets: OffsetMaker
  private let image: PlaneImage?

  /// What the way into a plane may have of the deviation.
  private static let imageShare = 0.25

  init(_ settings: GeodesicBuffer, distance: Double, maximumDeviation: Double) {
    var settings = settings
    let share = settings.plane == nil ? 0 : Self.imageShare * maximumDeviation
    image = settings.plane.map { plane in
      // What is straight in the plane consists of geodesics by now.
      settings.curve = .geodesic
      return PlaneImage(
        plane: plane, earth: Earth(settings.geodesic.ellipsoid), maximumDeviation: share,
        vertexLimit: settings.vertexLimit)
    }
    settings.plane = nil
    offsets = OffsetMaker(
      settings, distance: distance, maximumDeviation: maximumDeviation - share, vertexLimit: settings.vertexLimit)
  }

  func region(_ line: [Point]) throws(EngineError) -> MapRegion? { try onMap(try offsets.region(line)) }

  func region(_ polygons: [[[Point]]], isNegative: Bool) throws(EngineError) -> MapRegion? {
    try onMap(try offsets.region(polygons, isNegative: isNegative))
  }

  private func onMap(_ region: MapRegion?) throws(EngineError) -> MapRegion? {
    guard let image, let region else { return region }
    return try image.region(region)
  }
}

/// Lines of any curves as lines of geodesics.
private struct EdgePaths {
  private let settings: GeodesicBuffer
  private let earth: Earth
  /// What geodesics may be off from the curves that they stand for, metres.
  let maximumDeviation: Double
  private(set) var achievedDeviation = 0.0

  init(_ settings: GeodesicBuffer, share: Double) {
    self.settings = settings
    earth = Earth(settings.geodesic.ellipsoid)
    maximumDeviation = settings.curve == .geodesic ? 0 : share
  }

  /// Where on the earth a vertex is.
  func place(of vertex: Point) throws(EngineError) -> Point {
    guard let plane = settings.plane else {
      guard vertex.isFinite, vertex.y.magnitude <= 90, vertex.x.magnitude <= 1e6 else {
        throw EngineError(.invalidArgument, "\(vertex.x), \(vertex.y) is no longitude and latitude in degrees.")
      }
      return vertex
    }
    let place = plane.place(of: vertex)
    guard place.isFinite else {
      throw EngineError(
        .projectionFailed, "The vertex (\(vertex.x), \(vertex.y)) of \(plane.name) has no position on the earth.")
    }
    return place
  }

  /// - Parameter path: vertices in the plane, if there is one.
  mutating func geodesics(_ path: [Point]) throws(EngineError) -> [Point] {
    var places: [Point] = []
    places.reserveCapacity(path.count)
    for vertex in path { places.append(try place(of: vertex)) }
    if settings.curve != .shapePreserving, settings.plane == nil {
      for (from, to) in zip(places, places.dropFirst()) where (to.x - from.x).magnitude >= 360 {
        throw EngineError(
          .invalidArgument,
          "The edge from \(from.x), \(from.y) to \(to.x), \(to.y) goes all around the earth, and the curve between the "
            + "two does not. Give vertices between them, or the curve type that preserves the shape.")
      }
    }
    if settings.curve == .geodesic { return places }
    let geodesic = settings.geodesic
    var line: ChordPath
    if let plane = settings.plane, settings.curve == .shapePreserving {
      line = ChordPath(
        earth, maximumDeviation: maximumDeviation, edges: .geodesic(geodesic), vertexLimit: settings.vertexLimit)
      for (from, to) in zip(path, path.dropFirst()) where from != to {
        try line.append(pieces: 8) {
          plane.place(of: Point(x: from.x + $0 * (to.x - from.x), y: from.y + $0 * (to.y - from.y)))
        }
      }
      if line.points.isEmpty { return places }
    } else {
      line = try EarthCurve.densified(
        places, settings.curve, on: geodesic, edges: .geodesic(geodesic), maximumDeviation: maximumDeviation,
        vertexLimit: settings.vertexLimit)
    }
    achievedDeviation = max(achievedDeviation, line.achievedDeviation)
    return line.points
  }
}
