import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The union of many geodesic circles that keep clear of the poles.
///
/// In a conformal map they are so nearly circles that the exact union of circles in the plane has the right parts, holes
/// and corners to within a small part of the deviation; how small is measured for each circle. The vertices on its arcs
/// are then brought back to longitude and latitude, where the circles are convex, so that chords no more cross there than
/// in the plane.
struct GeodesicCircleUnion {
  private struct Circle: Sendable {
    var centre: Point
    var radius: Double
    /// Metres.
    var allowed: Double
  }

  /// A circle as it is in the plane.
  private struct Fit: Sendable {
    var centre: Point
    var radius: Double
    /// Vertices of a whole circle, so that every chord is within the deviation.
    var vertexCount: Double
    /// Metres on the ground.
    var deviation: Double
  }

  private let settings: GeodesicBuffer
  private var geodesic: Geodesic { settings.geodesic }
  private var workers: Workers? { settings.workers }
  private var vertexLimit: Int { settings.vertexLimit }

  /// The share of a deviation that is left to chords.
  private static let chordShare = 0.94
  /// Chords begin anywhere, not where they were looked at.
  private static let phaseMargin = 1.02
  /// A margin for the error between the points at which a circle is compared with the plane's.
  private static let fitMargin = 1.5
  private static let samples = 16

  init(_ settings: GeodesicBuffer) { self.settings = settings }

  /// The buffers of points, in longitude and latitude; nil if they do not prove themselves.
  func region(
    _ figures: [(figure: GeodesicFigure, distance: Double)]
  ) throws(EngineError) -> GeodesicRegion? {
    var circles: [Circle] = []
    for (figure, distance) in figures where distance > 0 {
      try settings.check(distance: distance)
      let allowed = try settings.allowedDeviation(for: distance)
      for point in figure.points {
        guard point.isFinite, point.x.magnitude <= 1e6, point.y.magnitude < 90 else { return nil }
        let x = point.x.magnitude > 180 ? remainder(point.x, 360) : point.x
        circles.append(Circle(centre: Point(x: x, y: point.y), radius: distance, allowed: allowed))
      }
    }
    guard circles.count > 1, let plane = ConformalPlane(geodesic.ellipsoid, around: circles.map(\.centre)) else {
      return nil
    }
    guard let fits = try fits(circles, plane) else { return nil }
    let (centres, radii) = (try HeapArray<Point>(count: fits.count), try HeapArray<Double>(count: fits.count))
    for (index, fit) in fits.enumerated() { (centres.buffer[index], radii.buffer[index]) = (fit.centre, fit.radius) }
    let crew = workers ?? Workers(threadCount: 1)
    let boundary = try CircleUnion.boundary(
      centres: UnsafeBufferPointer(centres.buffer), radii: UnsafeBufferPointer(radii.buffer), workers: crew)
    let resolution = try resolution(fits)
    try check(boundary, resolution)
    let polygons = try boundary.polygons(resolution, workers: crew)
    guard let region = try unprojected(polygons, plane, crew) else { return nil }
    if try isDelicate(boundary, resolution), !(try isValid(region)) { return nil }
    return GeodesicRegion(polygons: region, achievedDeviation: fits.reduce(0) { max($0, $1.deviation) })
  }

  // MARK: Circles in the plane

  private func fits(_ circles: [Circle], _ plane: ConformalPlane) throws(EngineError) -> [Fit]? {
    let slice = 64
    let made = Lock([[Fit]?](repeating: nil, count: (circles.count &+ slice &- 1) / slice))
    let work: @Sendable (Int) -> Void = { index in
      var (outliner, ring, fits) = (CircleOutliner(geodesic), [Point](), [Fit]())
      for circle in circles[(index &* slice)..<min(circles.count, (index &+ 1) &* slice)] {
        guard let fit = fit(circle, plane, &outliner, &ring) else { return }
        fits.append(fit)
      }
      made.withLock { $0[index] = fits }
    }
    if let workers {
      try workers.forEach((circles.count &+ slice &- 1) / slice) { (index) throws(EngineError) in work(index) }
    } else {
      for index in 0..<(circles.count &+ slice &- 1) / slice { work(index) }
    }
    var fits: [Fit] = []
    for part in made.withLock({ $0 }) {
      guard let part else { return nil }
      fits += part
    }
    return fits
  }

  private func fit(
    _ circle: Circle, _ plane: ConformalPlane, _ outliner: inout CircleOutliner, _ ring: inout [Point]
  ) -> Fit? {
    let chords = outliner.outline(
      centre: circle.centre, radius: circle.radius, maximumDeviation: circle.allowed * Self.chordShare,
      vertexLimit: vertexLimit, into: &ring)
    guard let chords, let series = CircleSeries(geodesic, centre: circle.centre, radius: circle.radius) else {
      return nil
    }
    var points = [Point](repeating: .nan, count: Self.samples)
    series.walk(steps: Self.samples / 2, nil) { index, offset in
      let (x, y) = (circle.centre.x, circle.centre.y + offset.x)
      points[index] = plane.image(Point(x: x + offset.y, y: y))
      points[(Self.samples &- index) % Self.samples] = plane.image(Point(x: x - offset.y, y: y))
    }
    guard let found = Self.circle(through: points) else { return nil }
    var (misfit, narrowest) = (0.0, Double.infinity)
    var last = Self.direction(points[Self.samples &- 1], found.centre)
    for point in points {
      let (dx, dy) = (point.x - found.centre.x, point.y - found.centre.y)
      misfit = max(misfit, ((dx * dx + dy * dy).squareRoot() - found.radius).magnitude)
      let direction = Self.direction(point, found.centre)
      narrowest = min(narrowest, remainder(direction - last, 2 * .pi).magnitude)
      last = direction
    }
    // Chords are even in the plane; seen from the centre on the earth the widest one must be none too wide.
    let widening = 2 * .pi / Double(Self.samples) / narrowest * 1.01
    let deviation =
      chords * Self.phaseMargin + misfit * circle.radius / found.radius * Self.fitMargin + 2 * CircleOutliner.rounding
    guard deviation <= circle.allowed, widening < 1.5 else { return nil }
    return Fit(
      centre: found.centre, radius: found.radius, vertexCount: Double(ring.count &- 1) * widening, deviation: deviation)
  }

  private static func direction(_ point: Point, _ centre: Point) -> Double {
    atan2(point.y - centre.y, point.x - centre.x)
  }

  /// The circle that is nearest to points by least squares of powers (Kasa).
  private static func circle(through points: [Point]) -> (centre: Point, radius: Double)? {
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    var (uu, uv, vv, uz, vz) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let (u, v) = (point.x - x, point.y - y)
      let z = u * u + v * v
      (uu, uv, vv, uz, vz) = (uu + u * u, uv + u * v, vv + v * v, uz + u * z, vz + v * z)
    }
    let determinant = 2 * (uu * vv - uv * uv)
    guard determinant > 0 else { return nil }
    let (a, b) = ((uz * vv - vz * uv) / determinant, (vz * uu - uz * uv) / determinant)
    let radius = (a * a + b * b + (uu + vv) / count).squareRoot()
    return radius.isFinite ? (Point(x: x + a, y: y + b), radius) : nil
  }

  // MARK: Vertices

  /// The same number of vertices for all circles, or the same deviation in the plane: whichever takes fewer.
  private func resolution(_ fits: [Fit]) throws(EngineError) -> ArcResolution {
    let most = fits.reduce(0) { max($0, $1.vertexCount) }
    guard let segments = Int(exactly: (most / 4).rounded(.up)), segments <= ArcResolution.limit else {
      throw EngineError(
        .limitExceeded, "A circle of \(most) vertices is too much for a union. Allow a greater deviation.")
    }
    let sagitta = fits.reduce(Double.infinity) { least, fit in
      let half = sin(.pi / (2 * fit.vertexCount))
      return min(least, 2 * fit.radius * half * half * 0.999)
    }
    let even = ArcResolution.maximumDeviation(sagitta)
    var total = 0
    for fit in fits { total &+= min(ArcResolution.limit, try even.segments(radius: fit.radius)) }
    return total < segments &* fits.count ? even : .quadrantSegments(segments)
  }

  /// Throws if the result will have too many vertices.
  private func check(_ boundary: CircleBoundary, _ resolution: ArcResolution) throws(EngineError) {
    var total = 0
    for arc in boundary.arcs {
      total &+= ArcVertices(arc, segments: try resolution.segments(radius: arc.radius)).count &+ 1
    }
    guard total <= vertexLimit else {
      throw EngineError(
        .limitExceeded,
        "The union of the geodesic buffers has \(total) vertices, more than \(vertexLimit). Allow a greater deviation, or "
          + "raise max_request_points and max_request_bytes.")
    }
  }

  /// Whether arcs come so near to each other that rounding might make their chords cross.
  private func isDelicate(_ boundary: CircleBoundary, _ resolution: ArcResolution) throws(EngineError) -> Bool {
    for arc in boundary.arcs
    where ArcVertices(arc, segments: try resolution.segments(radius: arc.radius)).isDelicate { return true }
    return false
  }

  private func isValid(_ polygons: [[[Point]]]) throws(EngineError) -> Bool {
    let planar = try PlanarRegions()
    var parts: [PlanarRegion] = []
    for polygon in polygons { parts.append(try planar.polygon(polygon)) }
    return try planar.areValid(parts)
  }

  /// nil where the region does not fit between the sides of the map.
  private func unprojected(
    _ polygons: CirclePolygons, _ plane: ConformalPlane, _ crew: Workers
  ) throws(EngineError) -> [[[Point]]]? {
    let count = polygons.vertices.count
    let places = try HeapArray<Point>(count: count)
    let chunk = 1024
    try crew.forEach((count &+ chunk &- 1) / chunk) { (part) throws(EngineError) in
      for index in part &* chunk..<min(count, (part &+ 1) &* chunk) {
        places.buffer[index] = plane.place(polygons.vertices[index])
      }
    }
    guard places.buffer.allSatisfy({ $0.x.magnitude <= 180 && $0.y.magnitude <= 90 }) else { return nil }
    var region: [[[Point]]] = []
    region.reserveCapacity(polygons.polygonCount)
    for polygon in 0..<polygons.polygonCount {
      var rings: [[Point]] = []
      for ring in polygons.polygonOffsets[polygon]..<polygons.polygonOffsets[polygon &+ 1] {
        let range = polygons.ringOffsets[ring]..<polygons.ringOffsets[ring &+ 1]
        let points = Array(places.buffer[range])
        for (a, b) in zip(points, points.dropFirst()) where (b.x - a.x).magnitude > 90 { return nil }
        rings.append(points)
      }
      region.append(rings)
    }
    return region
  }
}

/// The stereographic map of the conformal sphere (Snyder, Map projections, USGS PP 1395, equations 3-1 and 21-1):
/// circles of the sphere are circles in it, and circles of the ellipsoid nearly are. In metres, the scale 1 at the
/// centre.
struct ConformalPlane: Sendable {
  private let isometric: IsometricLatitude
  private let diameter: Double
  private let longitude: Double
  private let sine: Double
  private let cosine: Double

  /// nil if the positions lie all around the earth.
  init?(_ ellipsoid: ReferenceEllipsoid, around places: [Point]) {
    let isometric = IsometricLatitude(ellipsoid)
    var sum = Vector.zero
    for place in places {
      let (sine, cosine) = Self.conformal(isometric, place.y)
      let (east, front) = sineAndCosine(degrees: place.x)
      sum += Vector(cosine * front, cosine * east, sine)
    }
    let length = sum.length
    guard length > 0.5 * Double(places.count) else { return nil }
    sum /= length
    self.isometric = isometric
    diameter = 2 * ellipsoid.semiMajorAxis
    longitude = atan2(sum.y, sum.x) * Earth.degrees
    sine = sum.z
    cosine = (sum.x * sum.x + sum.y * sum.y).squareRoot()
  }

  private static func conformal(_ isometric: IsometricLatitude, _ latitude: Double) -> (sine: Double, cosine: Double) {
    let value = isometric.precise(latitude)
    return (tanh(value), 1 / cosh(value))
  }

  /// NaN far beyond the hemisphere around the centre, where the map grows without bounds.
  func image(_ place: Point) -> Point {
    let (s, c) = Self.conformal(isometric, place.y)
    let (east, front) = sineAndCosine(degrees: place.x - longitude)
    let up = sine * s + cosine * c * front
    guard up > -0.2 else { return .nan }
    let scale = diameter / (1 + up)
    return Point(x: scale * c * east, y: scale * (cosine * s - sine * c * front))
  }

  /// In degrees; the longitude is within 180 of the centre's.
  func place(_ image: Point) -> Point {
    let (x, y) = (image.x / diameter, image.y / diameter)
    let square = x * x + y * y
    let (up, scale) = ((1 - square) / (1 + square), 2 / (1 + square))
    let (east, north) = (scale * x, scale * y)
    let front = cosine * up - sine * north
    let flat = (east * east + front * front).squareRoot()
    let latitude = isometric.latitude(conformalTangent: (sine * up + cosine * north) / flat)
    return Point(x: longitude + atan2(east, front) * Earth.degrees, y: latitude)
  }
}
