import AlidadeBase
import AlidadeCoordinates
import Glibc
import Synchronization

/// Points, lines and polygons in longitude and latitude, or in the plane of a projected spatial reference.
public struct GeodesicFigure: Sendable {
  public var points: [Point]
  public var lines: [[Point]]
  /// Each a shell and its holes, in either direction. A ring around a pole encloses the smaller part of the earth.
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
  /// Each a closed shell, clockwise as GEOS makes them, and its holes. In longitude and latitude a pole inside is the line
  /// of latitude 90 or -90.
  public var polygons: [[[Point]]]
  /// Metres. All that is nearer than the distance by more than this is inside, and nothing that is farther by more.
  public var achievedDeviation: Double
}

/// What lies within a geodesic distance.
///
/// Each segment's buffer is outlined by points that lie exactly at the distance: abeam of the segment, and on circles
/// around its ends. These outlines are combined by GEOS in longitude and latitude, or in the plane: what is outside of
/// each of them by no more than the deviation is so for all of them together. At a pole, outlines are led along the side
/// of the map. In a plane that shows the pole as a point, they simply go around it.
public struct GeodesicBuffer: Sendable {
  public let geodesic: Geodesic
  /// Metres, at least 1e-7; nil: a thousandth of each distance, but no less than that.
  public var maximumDeviation: Double?
  /// What the edges of lines and polygons are. Other curves than geodesics are first replaced by geodesics, to within a
  /// quarter of the deviation.
  public var curve = CurveType.geodesic
  /// Other ends and corners than round ones take `curve` to be geodesics.
  public var cap = BufferCap.round
  public var join = BufferJoin.round
  /// How many times the distance a mitre may be long.
  public var mitreLimit = 5.0
  /// Cut at the antimeridian, longitudes -180 to 180. Otherwise in one piece where the map can be cut open beside it.
  public var isSplit = true
  /// What figures and regions are in; nil: longitude and latitude in degrees.
  public var plane: EarthPlane?
  /// How many vertices all outlines together may have.
  public var vertexLimit = 20_000_000
  /// Who helps with unions; nil: nobody.
  public var workers: Workers?
  /// Of whose memory unions may take a share.
  public var policy = Policy()

  /// The smallest distance, metres: longitudes and latitudes are in steps of 3e-9 m.
  public static let leastDistance = 1e-6
  public static let leastDeviation = 1e-7

  public init(_ geodesic: Geodesic, maximumDeviation: Double? = nil) {
    self.geodesic = geodesic
    self.maximumDeviation = maximumDeviation
  }

  /// Whether a buffer is all that lies within the distance.
  var isRound: Bool { cap == .round && join == .round }

  /// All that is within the distance of the figure; with a negative one all of its polygons that is farther than that
  /// from their boundaries.
  public func buffer(_ figure: GeodesicFigure, distance: Double) throws(EngineError) -> GeodesicRegion {
    if let point = figure.onlyPoint {
      var (outliner, ring) = (CircleOutliner(geodesic), [Point]())
      if let (parts, deviation) = try outline(of: point, distance: distance, outliner: &outliner, in: &ring) {
        return GeodesicRegion(polygons: parts.map { [$0] }, achievedDeviation: deviation)
      }
    }
    return try union([(figure, distance)])
  }

  /// The whole buffer of a point as one clockwise ring, or two where it is cut, and the deviation, metres. nil if it takes
  /// more than that: at poles, and wherever something is not valid.
  ///
  /// - Parameter ring: memory to work in.
  func outline(
    of point: Point, distance: Double, outliner: inout CircleOutliner, in ring: inout [Point]
  ) throws(EngineError) -> (parts: [[Point]], deviation: Double)? {
    guard cap == .round, distance >= Self.leastDistance, point.isFinite, plane != nil || point.x.magnitude <= 1e6 else {
      return nil
    }
    let place = plane?.place(of: point) ?? point
    let centre = Point(x: place.x.magnitude > 180 ? remainder(place.x, 360) : place.x, y: place.y)
    let deviation = try outliner.outline(
      in: plane, centre: centre, radius: distance, maximumDeviation: try allowedDeviation(for: distance),
      vertexLimit: vertexLimit, into: &ring)
    guard let deviation else { return try wideOutline(of: centre, distance: distance) }
    guard let world = plane.map(\.world) ?? MapOfWorld.degrees else { return ([ring], deviation) }
    return world.parts(of: ring, isSplit: isSplit).map { ($0, deviation) }
  }

  /// The same in longitude and latitude for a circle that is large, or near a pole or around it: chords one by one.
  private func wideOutline(
    of centre: Point, distance: Double
  ) throws(EngineError) -> (parts: [[Point]], deviation: Double)? {
    guard plane == nil, centre.y.magnitude <= 90 else { return nil }
    try check(distance: distance)
    var outline = SegmentOutline(
      geodesic, distance: distance, maximumDeviation: try allowedDeviation(for: distance), plane: nil,
      vertexLimit: vertexLimit)
    try outline.add(centre)
    guard outline.regions.count == 1, let region = outline.regions.first, !region.isComplement else { return nil }
    if region.turns != 0 {
      let cap = MapOfWorld.degrees.cap(around: region.line, turns: region.turns)
      return cap.map { ([$0], outline.achievedDeviation) }
    }
    let ring: [Point] = region.line.reversed()
    guard CircleOutliner.isStar(ring, around: centre) else { return nil }
    return MapOfWorld.degrees.parts(of: ring, isSplit: isSplit).map { ($0, outline.achievedDeviation) }
  }

  /// A polygon with a clockwise shell and counter-clockwise holes, whether GEOS has overlaid it or not.
  private static func turned(_ polygon: [[Point]]) -> [[Point]] {
    polygon.enumerated().map { index, ring in
      (EarthRegion.signedArea(ring) > 0) == (index == 0) ? ring.reversed() : ring
    }
  }

  /// Throws unless a buffer can have that distance, metres.
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

  /// What a buffer of so many metres may deviate by, metres.
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

  /// The buffers of many figures as one region.
  public func union(_ figures: [(figure: GeodesicFigure, distance: Double)]) throws(EngineError) -> GeodesicRegion {
    if let region = try unionOfCircles(figures) { return region }
    let plans = try plans(figures)
    let map = plane.map(\.world) ?? MapOfWorld.degrees
    let frame = map.map { RegionFrame(for: plans.flatMap(\.regions), in: $0) }
    let union = RegionUnion(
      frame: frame, plane: plane, isSplit: isSplit, workers: workers ?? Workers(threadCount: 1),
      policy: policy)
    return GeodesicRegion(
      polygons: try union.polygons(plans.flatMap(\.pieces)).map(Self.turned),
      achievedDeviation: plans.reduce(0) { max($0, $1.achievedDeviation) })
  }

  /// The union if figures are points alone; nil if it takes more than circles.
  private func unionOfCircles(
    _ figures: [(figure: GeodesicFigure, distance: Double)]
  ) throws(EngineError) -> GeodesicRegion? {
    guard plane == nil, cap == .round, figures.allSatisfy({ $0.figure.lines.isEmpty && $0.figure.polygons.isEmpty })
    else {
      return nil
    }
    var circles: [GeodesicCircleUnion.Circle] = []
    for (figure, distance) in figures where distance > 0 {
      try check(distance: distance)
      let allowed = try allowedDeviation(for: distance)
      for point in figure.points {
        guard point.isFinite, point.x.magnitude <= 1e6, point.y.magnitude < 90 else { return nil }
        let x = point.x.magnitude > 180 ? remainder(point.x, 360) : point.x
        circles.append(GeodesicCircleUnion.Circle(centre: Point(x: x, y: point.y), radius: distance, allowed: allowed))
      }
    }
    guard
      let region = try GeodesicCircleUnion(geodesic: geodesic, workers: workers, vertexLimit: vertexLimit).region(
        circles)
    else { return nil }
    return GeodesicRegion(
      polygons: region.polygons.map(Self.turned), achievedDeviation: region.achievedDeviation)
  }

  /// The outlines of each figure.
  private func plans(
    _ figures: [(figure: GeodesicFigure, distance: Double)]
  ) throws(EngineError) -> [BufferPlan] {
    let vertices = Atomic<Int>(0)
    @Sendable func plan(_ figure: GeodesicFigure, _ distance: Double) throws(EngineError) -> BufferPlan {
      try TimeLimit.check()
      let plan = try BufferPlan(self, figure, distance: distance, vertexLimit: vertexLimit)
      let sum = vertices.add(plan.vertexCount, ordering: .relaxed).newValue
      guard sum <= vertexLimit else {
        throw EngineError(
          .limitExceeded,
          "The outlines of the geodesic buffers have \(sum) vertices or more, more than \(vertexLimit). Allow a greater "
            + "deviation, or raise max_request_points and max_request_bytes.")
      }
      return plan
    }
    guard let workers, figures.count > 1 else {
      var plans: [BufferPlan] = []
      for (figure, distance) in figures { plans.append(try plan(figure, distance)) }
      return plans
    }
    let slice = 32
    let made = Lock([[BufferPlan]](repeating: [], count: (figures.count &+ slice &- 1) / slice))
    try workers.forEach((figures.count &+ slice &- 1) / slice) { (index) throws(EngineError) in
      var plans: [BufferPlan] = []
      for (figure, distance) in figures[(index &* slice)..<min(figures.count, (index &+ 1) &* slice)] {
        plans.append(try plan(figure, distance))
      }
      made.withLock { $0[index] = plans }
    }
    return made.withLock { $0.flatMap { $0 } }
  }
}
