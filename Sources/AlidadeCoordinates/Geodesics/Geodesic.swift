import AlidadeBase
import CPROJ

/// Geodesics on an ellipsoid, after Karney, Algorithms for geodesics, J. Geodesy 87 (2013), 43-55: exact to 15 nm on
/// the earth, for any two points.
///
/// Points are longitude and latitude in degrees; azimuths are degrees clockwise from north, distances metres. A NaN, or
/// a latitude beyond 90, gives NaN. PROJ's geodesic.h is pure arithmetic: it needs neither a context nor the gate.
public struct Geodesic: Sendable {
  public let ellipsoid: ReferenceEllipsoid
  let parameters: geod_geodesic

  public init(on ellipsoid: ReferenceEllipsoid) {
    self.ellipsoid = ellipsoid
    var parameters = geod_geodesic()
    geod_init(&parameters, ellipsoid.semiMajorAxis, ellipsoid.flattening)
    self.parameters = parameters
  }

  /// Where a way ends, and in which direction.
  public struct Position: Sendable, Equatable {
    /// The longitude is -180 to 180.
    public var point: Point
    /// The way's azimuth there, -180 to 180.
    public var azimuth: Double

    public init(point: Point, azimuth: Double) {
      self.point = point
      self.azimuth = azimuth
    }
  }

  /// The geodesic between two points.
  public struct Way: Sendable, Equatable {
    public var length: Double
    /// At the first point.
    public var azimuth: Double
    /// At the second point, onwards.
    public var endAzimuth: Double
    /// Metres that the end moves aside per radian that the way turns about the first point.
    public var reducedLength: Double
    /// The distance at the second point of a parallel geodesic that begins one metre to the side of the first point.
    public var scale: Double
  }

  /// Goes a distance in a direction.
  public func direct(from point: Point, azimuth: Double, distance: Double) -> Position {
    var (latitude, longitude, end) = (Double.nan, Double.nan, Double.nan)
    withUnsafePointer(to: parameters) {
      geod_direct($0, point.y, point.x, azimuth, distance, &latitude, &longitude, &end)
    }
    return Position(point: Point(x: longitude, y: latitude), azimuth: end)
  }

  public func inverse(from first: Point, to second: Point) -> Way {
    var (length, start, end) = (Double.nan, Double.nan, Double.nan)
    var (reduced, scale) = (Double.nan, Double.nan)
    withUnsafePointer(to: parameters) {
      _ = geod_geninverse(
        $0, first.y, first.x, second.y, second.x, &length, &start, &end, &reduced, &scale, nil, nil)
    }
    return Way(length: length, azimuth: start, endAzimuth: end, reducedLength: reduced, scale: scale)
  }

  /// Metres.
  public func distance(from first: Point, to second: Point) -> Double {
    if let short = shortDistance(from: first, to: second) { return short }
    var length = Double.nan
    withUnsafePointer(to: parameters) {
      geod_inverse($0, first.y, first.x, second.y, second.x, &length, nil, nil)
    }
    return length
  }

  /// The distance between points that are at most 0.002 degrees apart either way; nil for others. Exact to 1 nm on the
  /// earth, where Karney's inverse is to 3 nm, in a tenth of the time.
  ///
  /// The square of the chord is that of the meridian's chord between the latitudes plus that of the parallels', for which
  /// the geometric mean of the two stands. The arc of the meridian is as long as one with the radius of the middle
  /// latitude: the error is of the fifth order. An arc of radius r is longer than its chord c by c^3 / 24 r^2; that the
  /// geometric mean of the radii stands for that of the normal section is the greatest error.
  private func shortDistance(from first: Point, to second: Point) -> Double? {
    let reach = 0.002
    guard (second.x - first.x).magnitude <= reach, (second.y - first.y).magnitude <= reach, first.y.magnitude <= 90,
      second.y.magnitude <= 90
    else { return nil }
    let (a, e2) = (ellipsoid.semiMajorAxis, ellipsoid.eccentricitySquared)
    let (dx, dy) = ((second.x - first.x) * .pi / 180, (second.y - first.y) * .pi / 180)
    let (sine, cosine) = sineAndCosine(degrees: 0.5 * (first.y + second.y))
    let w = 1 - e2 * sine * sine
    // The radii of the ellipsoid there: across the meridian n, along it n (1 - e2) / w.
    let (n2, ratio) = (a * a / w, (1 - e2) / w)
    // cos y1 cos y2 is cos^2 of the middle less sin^2 of half the difference.
    let cosines = cosine * cosine - 0.25 * dy * dy
    let along = ratio * ratio * dy * dy * (1 - dy * dy / 12)
    let square = n2 * (along + cosines * dx * dx * (1 - dx * dx / 12))
    return square.squareRoot() * (1 + square / (24 * n2 * ratio))
  }

  /// A geodesic of any length, for many positions along it.
  ///
  /// - Parameter hasReducedLength: also computes the reduced length, which takes longer to set up.
  public func line(from point: Point, azimuth: Double, hasReducedLength: Bool = false) -> GeodesicLine {
    var line = geod_geodesicline()
    // Nothing asked for means positions.
    let asked = hasReducedLength ? GEOD_DISTANCE_IN.rawValue | GEOD_REDUCEDLENGTH.rawValue : 0
    withUnsafePointer(to: parameters) { geod_lineinit(&line, $0, point.y, point.x, azimuth, asked) }
    return GeodesicLine(line)
  }

  /// The length of a line of geodesics, metres.
  public func length(of path: [Point]) -> Double {
    zip(path, path.dropFirst()).reduce(0) { $0 + distance(from: $1.0, to: $1.1) }
  }

  /// The area that a ring of geodesics encloses, square metres, positive if it runs counter-clockwise, and the length
  /// of the ring. The ring need not be closed; it may go round a pole or across the antimeridian.
  ///
  /// A ring cuts the earth into two parts. The area is that of the part to its left, minus the whole earth if the part
  /// is more than half of it.
  public func areaAndPerimeter(of ring: [Point]) -> (area: Double, perimeter: Double) {
    var polygon = geod_polygon()
    geod_polygon_init(&polygon, 0)
    var (area, perimeter) = (0.0, 0.0)
    withUnsafePointer(to: parameters) { parameters in
      for point in ring { geod_polygon_addpoint(parameters, &polygon, point.y, point.x) }
      _ = geod_polygon_compute(parameters, &polygon, 0, 1, &area, &perimeter)
    }
    return (area, perimeter)
  }

  /// The same area, of a ring in memory; the last point may be the first again.
  public func area(ofRing ring: UnsafeBufferPointer<Point>) throws(EngineError) -> Double {
    var polygon = geod_polygon()
    geod_polygon_init(&polygon, 0)
    var area = 0.0
    try withUnsafePointer(to: parameters) { (parameters) throws(EngineError) in
      for (index, point) in ring.enumerated() {
        if index & 255 == 255 { try TimeLimit.check() }
        geod_polygon_addpoint(parameters, &polygon, point.y, point.x)
      }
      _ = geod_polygon_compute(parameters, &polygon, 0, 1, &area, nil)
    }
    return area
  }
}

/// Positions along one geodesic. Each costs half of what `Geodesic.direct` does.
public struct GeodesicLine: Sendable {
  private let line: geod_geodesicline

  init(_ line: geod_geodesicline) { self.line = line }

  /// The point that many metres from the start; behind it if negative.
  public func position(at distance: Double) -> Geodesic.Position {
    var (latitude, longitude, azimuth) = (Double.nan, Double.nan, Double.nan)
    withUnsafePointer(to: line) { geod_position($0, distance, &latitude, &longitude, &azimuth) }
    return Geodesic.Position(point: Point(x: longitude, y: latitude), azimuth: azimuth)
  }

  /// Metres that the point at a distance from the start moves aside per radian that the line turns about the start; NaN
  /// for a line that was made without.
  public func reducedLength(at distance: Double) -> Double {
    var reduced = Double.nan
    withUnsafePointer(to: line) {
      _ = geod_genposition($0, GEOD_NOFLAGS.rawValue, distance, nil, nil, nil, nil, &reduced, nil, nil, nil)
    }
    return reduced
  }
}
