import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Lengths of edges on the earth, and areas of rings of them, for each kind of curve.
struct EdgeMeasure {
  let frame: GeodesicFrame
  let curve: CurveType
  private var geodesic: Geodesic { frame.geodesic }
  private var earth: Earth { frame.earth }

  /// Shape-preserving edges are straight in coordinates that are no longitudes and latitudes.
  private var isStraightInPlane: Bool { curve == .shapePreserving && !frame.isGeographic }

  /// A vertex in degrees and in the coordinates of the spatial reference.
  typealias Corner = (place: Point, point: Point)

  // MARK: Length

  /// Metres from a vertex to the next.
  func length(from first: Corner, to second: Corner) throws(EngineError) -> Double {
    if first.point == second.point { return 0 }
    switch curve {
    case .geodesic: return geodesic.distance(from: first.place, to: second.place)
    case .loxodrome, .greatElliptic, .normalSection:
      let length = geodesic.way(curve, from: first.place, to: second.place).length
      guard length.isFinite else { throw Self.opposite(first.place, second.place) }
      return length
    case .shapePreserving:
      if isStraightInPlane { return try chordLength(from: first, to: second) }
      return straightLength(from: first.place, to: second.place)
    }
  }

  private static func opposite(_ start: Point, _ end: Point) -> EngineError {
    EngineError(
      .invalidArgument,
      "\(start.x), \(start.y) and \(end.x), \(end.y) lie opposite to each other: no one way of this kind joins them.")
  }

  /// Of a line that is straight in longitude and latitude.
  private func straightLength(from first: Point, to second: Point) -> Double {
    let (dx, dy) = ((second.x - first.x) * Earth.radian, (second.y - first.y) * Earth.radian)
    // Near a pole a step of a latitude's double is a nanometre of each radian around it.
    return Quadrature.adaptive(from: 0, to: 1, absolute: 1e-9 * max(1, dx.magnitude)) { t in
      let (meridian, parallel) = earth.metresPerRadian(latitude: first.y + t * (second.y - first.y))
      return hypot(meridian * dy, parallel * dx)
    }
  }

  /// Of a line that is straight in the plane: of more and more chords.
  private func chordLength(from first: Corner, to second: Corner) throws(EngineError) -> Double {
    let whole = geodesic.distance(from: first.place, to: second.place)
    return try Quadrature.limit(pieces: 2, tolerance: 1e-8 + 1e-12 * whole) { (count) throws(EngineError) in
      var before = earth.position(first.place)
      var sum = 0.0
      for place in try places(between: first, and: second, count: count).dropFirst() {
        let position = earth.position(place)
        sum += (position - before).length
        before = position
      }
      return sum
    }
  }

  // MARK: Area

  /// What a closed ring encloses, square metres, not negative.
  ///
  /// Of the two parts of the earth the smaller one counts. Edges that are straight in longitude and latitude enclose what
  /// they do on the map, up to the whole earth.
  func area(ofRing places: UnsafeMutableBufferPointer<Point>, _ points: (Int) -> Point) throws(EngineError) -> Double {
    if curve == .shapePreserving, frame.isGeographic { return try straightArea(places).magnitude }
    var sum = try geodesic.area(ofRing: UnsafeBufferPointer(places))
    if curve != .geodesic {
      for index in 1..<max(1, places.count) {
        if index & 7 == 0 { try TimeLimit.check() }
        sum += try areaBesideGeodesic(
          from: (places[index &- 1], points(index &- 1)), to: (places[index], points(index)))
      }
    }
    return remainder(sum, AuthalicArea(geodesic.ellipsoid).whole).magnitude
  }

  /// The sum over the edges of the area between each and the equator.
  private func straightArea(_ places: UnsafeMutableBufferPointer<Point>) throws(EngineError) -> Double {
    let authalic = AuthalicArea(geodesic.ellipsoid)
    var sum = 0.0
    for index in 1..<max(1, places.count) {
      if index & 63 == 0 { try TimeLimit.check() }
      let (first, second) = (places[index &- 1], places[index])
      let dx = (second.x - first.x) * Earth.radian
      if dx == 0 { continue }
      sum += dx * Quadrature.integral(from: 0, to: 1) { authalic.south(first.y + $0 * (second.y - first.y)) }
    }
    return sum
  }

  /// The area between an edge and the geodesic between its ends, positive if the edge lies to the right.
  private func areaBesideGeodesic(from first: Corner, to second: Corner) throws(EngineError) -> Double {
    if first.point == second.point { return 0 }
    let length = geodesic.distance(from: first.place, to: second.place)
    // An area is rounded by as much as a strip from the edge to the equator is.
    let tolerance = 1e-6 + 1e-8 * length + 1e-12 * length * length
    return try Quadrature.limit(pieces: 2, tolerance: tolerance) { (count) throws(EngineError) in
      let places = try places(between: first, and: second, count: count)
      return geodesic.areaAndPerimeter(of: places).area
    }
  }

  // MARK: Places along an edge

  /// So many pieces of an edge: their ends, in degrees.
  private func places(
    between first: Corner, and second: Corner, count: Int
  ) throws(EngineError) -> [Point] {
    var places = [first.place]
    if isStraightInPlane {
      for index in 1..<count {
        let t = Double(index) / Double(count)
        let point = Point(
          x: first.point.x + t * (second.point.x - first.point.x),
          y: first.point.y + t * (second.point.y - first.point.y))
        let place = try frame.degrees(point)
        guard place.isFinite else { throw frame.nowhere(point) }
        places.append(place)
      }
    } else {
      let edge = try EarthCurve(curve, on: geodesic, from: first.place, to: second.place)
      for index in 1..<count { places.append(edge.point(at: Double(index) / Double(count))) }
    }
    places.append(second.place)
    return places
  }
}

/// Areas between parallels: Snyder, Map projections (USGS PP 1395), equation 3-12.
struct AuthalicArea {
  private let e2: Double
  private let e: Double
  private let scale: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    e2 = ellipsoid.eccentricitySquared
    e = e2.magnitude.squareRoot()
    scale = ellipsoid.semiMinorAxis * ellipsoid.semiMinorAxis / 2
  }

  /// Square metres from the equator to a latitude in degrees, per radian of longitude.
  func south(_ latitude: Double) -> Double {
    let sine = Earth.sineAndCosine(latitude).sine
    var inverse = sine
    if e > 0 { inverse = e2 < 0 ? atan(e * sine) / e : atanh(e * sine) / e }
    return scale * (sine / (1 - e2 * sine * sine) + inverse)
  }

  /// Of the whole ellipsoid.
  var whole: Double { 4 * .pi * south(90) }
}
