import AlidadeBase
import AlidadeCoordinates

/// Points, lines and polygons in longitude and latitude.
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
}

/// Polygons in longitude and latitude, their edges straight in these.
public struct GeodesicRegion: Sendable {
  /// Each a closed shell, clockwise as GEOS makes them, and its holes. A pole inside is the line of latitude 90 or -90.
  public var polygons: [[[Point]]]
  /// Metres. All that is nearer than the distance by more than this is inside, and nothing that is farther by more.
  public var achievedDeviation: Double
}

/// What lies within a geodesic distance.
///
/// Each segment's buffer is outlined by points that lie exactly at the distance: abeam of the segment, and on circles
/// around its ends. These outlines are combined by GEOS in longitude and latitude: what is outside of each of them by
/// no more than the deviation is so for all of them together. At a pole, outlines are led along the side of the map.
public struct GeodesicBuffer: Sendable {
  public let geodesic: Geodesic
  /// Metres, at least 1e-7.
  public var maximumDeviation: Double
  /// What the edges of lines and polygons are. Other curves than geodesics are first replaced by geodesics, to within a
  /// quarter of the deviation.
  public var curve = CurveType.geodesic
  /// Cut at the antimeridian, longitudes -180 to 180. Otherwise in one piece where the map can be cut open beside it.
  public var isSplit = true

  /// The smallest distance, metres: longitudes and latitudes are in steps of 3e-9 m.
  public static let leastDistance = 1e-6
  public static let leastDeviation = 1e-7

  public init(_ geodesic: Geodesic, maximumDeviation: Double) {
    self.geodesic = geodesic
    self.maximumDeviation = maximumDeviation
  }

  /// All that is within the distance of the figure; with a negative one all of its polygons that is farther than that
  /// from their boundaries.
  public func buffer(_ figure: GeodesicFigure, distance: Double) throws(EngineError) -> GeodesicRegion {
    try union([(figure, distance)])
  }

  /// The buffers of many figures as one region.
  public func union(_ figures: [(figure: GeodesicFigure, distance: Double)]) throws(EngineError) -> GeodesicRegion {
    guard maximumDeviation >= Self.leastDeviation, maximumDeviation.isFinite else {
      throw EngineError(
        .invalidArgument,
        "The maximum deviation is \(maximumDeviation) m: it must be at least \(Self.leastDeviation) m.")
    }
    var plans: [BufferPlan] = []
    for (figure, distance) in figures {
      plans.append(try BufferPlan(self, figure, distance: distance))
    }
    let frame = RegionFrame(for: plans.flatMap(\.regions))
    let planar = try PlanarRegions()
    var results: [OpaquePointer] = []
    for plan in plans { results += try plan.place(frame, planar) }
    guard !results.isEmpty else { return GeodesicRegion(polygons: [], achievedDeviation: 0) }
    var whole = try planar.union(results)
    if isSplit { whole = try frame.split(whole, planar) }
    return GeodesicRegion(
      polygons: try planar.polygons(whole),
      achievedDeviation: plans.reduce(0) { max($0, $1.achievedDeviation) })
  }
}

/// The regions that a buffer is combined from.
private struct BufferPlan {
  let isNegative: Bool
  /// Each a shell and its holes.
  private var interiors: [[EarthRegion]] = []
  private var boundary: [EarthRegion] = []
  private(set) var achievedDeviation = 0.0

  var regions: [EarthRegion] { interiors.joined().filter { !$0.line.isEmpty } + boundary }

  init(
    _ settings: GeodesicBuffer, _ figure: GeodesicFigure, distance: Double
  ) throws(EngineError) {
    let geodesic = settings.geodesic
    isNegative = distance < 0
    let size = distance.magnitude
    let greatest = GeodesicCircle.greatestRadius(on: geodesic.ellipsoid)
    guard size >= GeodesicBuffer.leastDistance, size <= greatest else {
      throw EngineError(
        .invalidArgument,
        "A geodesic buffer's distance is \(distance) m: it must be \(GeodesicBuffer.leastDistance) m to \(greatest) m.")
    }
    for point in figure.points + figure.lines.joined() + figure.polygons.joined().joined() {
      guard point.isFinite, point.y.magnitude <= 90, point.x.magnitude <= 1e6 else {
        throw EngineError(.invalidArgument, "\(point.x), \(point.y) is no longitude and latitude in degrees.")
      }
    }
    let isGeodesic = settings.curve == .geodesic
    let share = isGeodesic ? 0 : settings.maximumDeviation / 4
    var replaced = 0.0
    func geodesics(_ path: [Point]) throws(EngineError) -> [Point] {
      if isGeodesic { return path }
      let line = try EarthCurve.densified(
        path, settings.curve, on: geodesic, edges: .geodesic(geodesic), maximumDeviation: share)
      replaced = max(replaced, line.achievedDeviation)
      return line.points
    }
    let maximumDeviation = settings.maximumDeviation - share
    var outline = SegmentOutline(geodesic, distance: size, maximumDeviation: maximumDeviation)
    for polygon in figure.polygons {
      // The inside's own edges are covered by the buffer of the boundary: they need not be exact, but within it.
      let inside = min(maximumDeviation, max(size / 2, GeodesicBuffer.leastDeviation))
      var regions: [EarthRegion] = []
      for corners in polygon where !corners.isEmpty {
        let ring = try geodesics(corners + corners.prefix(1))
        regions.append(try Self.interior(of: ring, geodesic, maximumDeviation: inside))
        try Self.add(ring, to: &outline)
      }
      interiors.append(regions)
    }
    if !isNegative {
      for point in figure.points { try outline.add(point) }
      for line in figure.lines { try Self.add(try geodesics(line), to: &outline) }
    }
    boundary = outline.regions
    achievedDeviation = outline.achievedDeviation + replaced
  }

  private static func add(_ path: [Point], to outline: inout SegmentOutline) throws(EngineError) {
    guard let first = path.first else { return }
    if path.allSatisfy({ $0 == first }) { return try outline.add(first) }
    for (point, next) in zip(path, path.dropFirst()) where point != next { try outline.add(point, next) }
  }

  /// What a ring of geodesics encloses.
  private static func interior(
    of ring: [Point], _ geodesic: Geodesic, maximumDeviation: Double
  ) throws(EngineError) -> EarthRegion {
    // Counter-clockwise around the smaller part.
    let corners = geodesic.areaAndPerimeter(of: ring).area < 0 ? ring.reversed() : ring
    var path = ChordPath(Earth(geodesic.ellipsoid), maximumDeviation: maximumDeviation)
    for (index, corner) in corners.enumerated() {
      let next = corners[index &+ 1 < corners.count ? index &+ 1 : 0]
      let way = geodesic.inverse(from: corner, to: next)
      if way.length == 0 { continue }
      let line = geodesic.line(from: corner, azimuth: way.azimuth)
      let pieces = Int(exactly: (way.length / 500_000).rounded(.up)) ?? 1
      try path.append(pieces: pieces) { line.position(at: $0 * way.length).point }
    }
    let turns = path.close()
    guard path.points.count > 2 else { return try EarthRegion(leftOf: [], turns: 0) }
    return try EarthRegion(leftOf: path.points, turns: turns)
  }

  /// The buffer in a map of the world.
  func place(_ frame: RegionFrame, _ planar: PlanarRegions) throws(EngineError) -> [OpaquePointer] {
    var regions: [OpaquePointer] = []
    for region in boundary { regions.append(try frame.place(region, planar)) }
    var shells: [OpaquePointer] = []
    for rings in interiors {
      var inside: OpaquePointer?
      for ring in rings where !ring.line.isEmpty {
        let region = try frame.place(ring, planar)
        inside = try inside.map { (shell) throws(EngineError) in try planar.difference(shell, region) } ?? region
      }
      if let inside { shells.append(inside) }
    }
    guard isNegative else { return regions + shells }
    guard !shells.isEmpty else { return [] }
    return [try planar.difference(try planar.union(shells), try planar.union(regions))]
  }
}
