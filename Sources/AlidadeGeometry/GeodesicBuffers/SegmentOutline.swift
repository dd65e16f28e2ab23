import AlidadeBase
import AlidadeCoordinates

/// Regions within a distance of a point and of a geodesic segment.
struct SegmentOutline {
  let geodesic: Geodesic
  let earth: Earth
  /// Metres.
  let distance: Double
  let maximumDeviation: Double
  /// The plane of the outlines; nil means longitude and latitude.
  let plane: EarthPlane?
  let vertexLimit: Int
  private(set) var regions: [EarthRegion] = []
  private(set) var vertexCount = 0
  private(set) var achievedDeviation = 0.0
  private var outliner: CircleOutliner
  /// Ends of segments that have their circles.
  private var circled: Set<SIMD2<Double>> = []

  /// Up to here the points at the distance abeam of a segment are outline: the ways to them do not cross one another.
  /// They first do at a quarter of a turn on the sphere of the greatest curvature, 9,985 km on the earth; some less,
  /// because short of that the outline's vertices crowd.
  private let greatestOffset: Double
  /// From here on the circles around the ends are outline alone: what lies farther away than this from a point is
  /// convex, so a way between two points of it does not leave it.
  private let leastHull: Double

  /// Pieces that a circle begins with; the deviation decides about more. On a plane the sagitta of an nth of a circle is
  /// radius * (pi / n)^2 / 2.
  private let piecesOfCircle: Double
  private static let longestPiece = 500_000.0

  init(_ geodesic: Geodesic, distance: Double, maximumDeviation: Double, plane: EarthPlane?, vertexLimit: Int) {
    self.plane = plane
    self.vertexLimit = vertexLimit
    self.geodesic = geodesic
    outliner = CircleOutliner(geodesic)
    self.earth = Earth(geodesic.ellipsoid)
    self.distance = distance
    self.maximumDeviation = maximumDeviation
    let enough = .pi * (distance / (1.9 * maximumDeviation)).squareRoot()
    piecesOfCircle = distance > geodesic.ellipsoid.semiMajorAxis / 4 ? 32 : min(max(enough.rounded(.up), 8), 1e6)
    let radii = geodesic.ellipsoid.curvatureRadii
    greatestOffset = 0.98 * .pi / 2 * radii.lowerBound
    leastHull = 1.002 * .pi / 2 * radii.upperBound
  }

  mutating func add(_ point: Point) throws(EngineError) {
    var ring: [Point] = []
    if let deviation = try outliner.outline(
      in: plane, centre: point, radius: distance, maximumDeviation: maximumDeviation,
      vertexLimit: vertexLimit &- vertexCount, into: &ring)
    {
      vertexCount &+= ring.count
      regions.append(try EarthRegion(leftOf: ring.reversed(), turns: 0, isLarge: false, in: nil))
      return achievedDeviation = max(achievedDeviation, deviation)
    }
    let circle = try GeodesicCircle(geodesic, centre: point, radius: distance)
    var path = path
    try path.append(circle, from: 360, to: 0, pieces: piecesOfCircle)
    try finish(&path, length: 0)
  }

  /// The geodesic between two points.
  mutating func add(_ first: Point, _ second: Point) throws(EngineError) {
    let way = geodesic.inverse(from: first, to: second)
    guard way.length.isFinite else {
      throw EngineError(
        .invalidArgument, "No geodesic leads from \(first.x), \(first.y) to \(second.x), \(second.y).")
    }
    if way.length == 0 { return try add(first) }
    if distance >= leastHull {
      for point in [first, second] where circled.insert(SIMD2(point.x, point.y)).inserted { try add(point) }
    } else if distance > greatestOffset {
      try addCircles(from: first, way)
    } else {
      try addStadium(first, second, way)
    }
  }

  /// To the right of the segment, around its end, back to the left of it, and around its start: counter-clockwise.
  private mutating func addStadium(_ first: Point, _ second: Point, _ way: Geodesic.Way) throws(EngineError) {
    let line = geodesic.line(from: first, azimuth: way.azimuth)
    let (geodesic, distance) = (geodesic, distance)
    func abeam(_ along: Double, _ side: Double) -> Point {
      let foot = line.position(at: along)
      return geodesic.direct(from: foot.point, azimuth: foot.azimuth + side, distance: distance).point
    }
    // The ends as the line has them: at a pole the azimuth belongs to the longitude.
    let start = line.position(at: 0)
    let end = line.position(at: way.length)
    let atStart = try GeodesicCircle(geodesic, centre: start.point, radius: distance)
    let atEnd = try GeodesicCircle(geodesic, centre: end.point, radius: distance)
    let pieces = (way.length / Self.longestPiece).rounded(.up) + 1
    let count = Int(exactly: pieces) ?? 1
    var path = path
    try path.append(pieces: count) { abeam($0 * way.length, 90) }
    try path.append(atEnd, from: end.azimuth + 90, to: end.azimuth - 90, pieces: piecesOfCircle)
    try path.append(pieces: count) { abeam((1 - $0) * way.length, -90) }
    try path.append(atStart, from: start.azimuth - 90, to: start.azimuth - 270, pieces: piecesOfCircle)
    try finish(&path, length: way.length)
  }

  /// Where outlines of segments have their focal points, circles around points of the segment stand for them: there they
  /// are nearly straight, so that little is missing between them.
  ///
  /// What is nearest to a point between the ends lies abeam of it. So of the circles between the ends only sectors on both
  /// sides are needed, and of these only what lies farther out than the outline of a lesser distance, which has no focal
  /// points.
  private mutating func addCircles(from first: Point, _ way: Geodesic.Way) throws(EngineError) {
    // Sagitta = curvature * spacing^2 / 8, the curvature at most that of a circle on the sphere of the other radius.
    let radii = geodesic.ellipsoid.curvatureRadii
    let angle = distance / radii.lowerBound
    let curvature = max(0, .pi / 2 - distance / radii.upperBound, angle - .pi / 2) * 1.01 / radii.lowerBound
    let missing = maximumDeviation / 4
    let spacing = (8 * missing / max(curvature, 1e-30)).squareRoot() / 2
    let wanted = max(1, (way.length / spacing).rounded(.up))
    guard let count = Int(exactly: wanted), count <= 100_000 else { throw tooManyCircles(wanted, way) }
    let line = geodesic.line(from: first, azimuth: way.azimuth)
    var circles = SegmentOutline(
      geodesic, distance: distance, maximumDeviation: maximumDeviation - missing, plane: plane,
      vertexLimit: vertexLimit &- vertexCount)
    let halfWidth = 1 + 3 * way.length / wanted / radii.lowerBound / Earth.radian
    if count < 4 || halfWidth > Self.widestSector {
      for index in 0...count {
        try circles.add(line.position(at: way.length * Double(index) / Double(count)).point)
      }
    } else {
      var within = SegmentOutline(
        geodesic, distance: Self.fill * greatestOffset, maximumDeviation: Self.roughness, plane: plane,
        vertexLimit: circles.vertexLimit)
      let end = line.position(at: way.length).point
      try within.addStadium(first, end, way)
      circles.regions += within.regions
      try circles.add(first)
      try circles.add(end)
      for index in 1..<count {
        let foot = line.position(at: way.length * Double(index) / Double(count))
        let before = circles.vertexCount
        for side in [90.0, -90] { try circles.add(sectorAt: foot.azimuth + side, of: foot.point, halfWidth) }
        // Those that follow are alike.
        let (all, overflow) = (circles.vertexCount &- before).multipliedReportingOverflow(by: count)
        if overflow || all / 4 > circles.vertexLimit { throw tooManyCircles(wanted, way) }
      }
    }
    regions += circles.regions
    vertexCount &+= circles.vertexCount
    achievedDeviation = max(achievedDeviation, circles.achievedDeviation + missing)
  }

  private func tooManyCircles(_ wanted: Double, _ way: Geodesic.Way) -> EngineError {
    EngineError(
      .limitExceeded,
      "A segment of \(way.length) m, buffered by \(distance) m to within \(maximumDeviation) m, takes \(wanted) "
        + "circles. Allow a greater deviation.")
  }

  /// Degrees; wider ones would be all of the circle, nearly.
  private static let widestSector = 45.0
  /// Shares of the greatest offset: what lies nearer is filled, and where sectors begin.
  private static let fill = 0.9
  private static let sectorStart = 0.87
  /// Metres, of edges that no outline shows.
  private static let roughness = 5000.0

  /// Part of a circle to both sides of an azimuth, as far as it lies beyond what is filled.
  private mutating func add(
    sectorAt azimuth: Double, of centre: Point, _ halfWidth: Double
  ) throws(EngineError) {
    let circle = try GeodesicCircle(geodesic, centre: centre, radius: distance)
    let (geodesic, inner, depth) = (
      geodesic, Self.sectorStart * greatestOffset, distance - Self.sectorStart * greatestOffset
    )
    let hidden = max(Self.roughness, maximumDeviation)
    func radial(_ azimuth: Double, _ share: Double) -> Point {
      geodesic.direct(from: centre, azimuth: azimuth, distance: distance - share * depth).point
    }
    let (left, right) = (azimuth - halfWidth, azimuth + halfWidth)
    var path = path
    try path.append(circle, from: right, to: left, pieces: piecesOfCircle)
    try path.append(pieces: 4, hiddenWithin: hidden) { radial(left, $0) }
    try path.append(pieces: 4, hiddenWithin: hidden) {
      geodesic.direct(from: centre, azimuth: left + $0 * 2 * halfWidth, distance: inner).point
    }
    try path.append(pieces: 4, hiddenWithin: hidden) { radial(right, 1 - $0) }
    try finish(&path, isLarge: plane != nil)
  }

  private var path: ChordPath {
    ChordPath(
      earth, maximumDeviation: maximumDeviation, edges: plane.map { .planar($0) } ?? .straight,
      vertexLimit: max(16, vertexLimit &- vertexCount))
  }

  /// - Parameter length: of the segment.
  private mutating func finish(_ path: inout ChordPath, length: Double) throws(EngineError) {
    // A shorter region does not contain both poles. In a plane it may still contain a position that is not on the map.
    let isLarge = plane != nil || length + 2 * distance > 0.95 * .pi * geodesic.ellipsoid.curvatureRadii.lowerBound
    try finish(&path, isLarge: isLarge)
  }

  private mutating func finish(_ path: inout ChordPath, isLarge: Bool) throws(EngineError) {
    let turns = try path.close()
    vertexCount &+= path.points.count
    guard vertexCount <= vertexLimit else {
      throw EngineError(
        .limitExceeded,
        "The outlines of a geodesic buffer of \(distance) m to within \(maximumDeviation) m have more than \(vertexLimit) "
          + "vertices. Allow a greater deviation, or raise max_request_points and max_request_bytes.")
    }
    regions.append(
      try EarthRegion(
        leftOf: path.points, turns: turns, isLarge: isLarge, in: plane.map { ($0, earth, maximumDeviation) }))
    achievedDeviation = max(achievedDeviation, path.achievedDeviation)
  }
}

extension ChordPath {
  /// Adds an arc of a circle, between two azimuths.
  mutating func append(
    _ circle: GeodesicCircle, from start: Double, to end: Double, pieces: Double
  ) throws(EngineError) {
    let count = (pieces * (end - start).magnitude / 360).rounded(.up)
    try append(pieces: Int(exactly: count) ?? 1) { circle.point(azimuth: start + $0 * (end - start)) }
  }
}
