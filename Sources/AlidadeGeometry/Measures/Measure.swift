import AlidadeBase
import AlidadeCoordinates
import Glibc

/// How lengths, areas and distances are measured.
public enum Measure: Sendable, Equatable {
  /// In the plane of the coordinates, as if longitudes and latitudes were one, too.
  case planar
  /// On the ellipsoid, along edges of a kind.
  case geodesic(CurveType)
}

/// Lengths and areas of geometries of one spatial reference, by one measure and in one unit. Good on any thread.
public struct Measurer: Sendable {
  private let frame: GeodesicFrame?
  private let curve: CurveType
  /// Results are divided by it, or by its square.
  private let lengthPerUnit: Double
  private let areaPerUnit: Double

  /// - Parameter unit: a length for lengths and an area for areas. nil: metres and square metres, or in the plane the
  ///   spatial reference's own unit and its square.
  public init(_ measure: Measure, _ reference: SpatialReference?, lengthUnit: Unit?) throws(EngineError) {
    switch measure {
    case .planar:
      (frame, curve) = (nil, .geodesic)
      lengthPerUnit = try Self.planarLength(reference, lengthUnit)
    case .geodesic(let kind):
      (frame, curve) = (try GeodesicFrame(reference), kind)
      lengthPerUnit = try Self.metres(lengthUnit)
    }
    areaPerUnit = .nan
  }

  public init(_ measure: Measure, _ reference: SpatialReference?, areaUnit: Unit?) throws(EngineError) {
    if let areaUnit, areaUnit.kind != .area {
      throw EngineError(.invalidArgument, "\(areaUnit.name) is a unit of \(areaUnit.kind); an area needs one of area.")
    }
    switch measure {
    case .planar:
      (frame, curve) = (nil, .geodesic)
      areaPerUnit = try Self.planarArea(reference, areaUnit)
    case .geodesic(let kind):
      (frame, curve) = (try GeodesicFrame(reference), kind)
      areaPerUnit = areaUnit?.siFactor ?? 1
    }
    lengthPerUnit = .nan
  }

  // MARK: Units

  /// Metres per unit of length.
  static func metres(_ unit: Unit?) throws(EngineError) -> Double {
    guard let unit else { return 1 }
    guard unit.kind == .length else {
      throw EngineError(.invalidArgument, "\(unit.name) is a unit of \(unit.kind); a length needs one of length.")
    }
    return unit.siFactor
  }

  /// How many of a spatial reference's own units a unit is.
  static func planarLength(_ reference: SpatialReference?, _ unit: Unit?) throws(EngineError) -> Double {
    guard let unit else { return 1 }
    guard let reference else { throw noUnit(unit) }
    if reference.kind == .geographic, unit.kind == .length { throw angular(reference, unit) }
    return try reference.convert(1, from: unit)
  }

  private static func planarArea(_ reference: SpatialReference?, _ unit: Unit?) throws(EngineError) -> Double {
    guard let unit else { return 1 }
    guard let reference else { throw noUnit(unit) }
    guard reference.kind != .geographic else { throw angular(reference, unit) }
    let factor = unit.siFactor / reference.system.siPerUnit / reference.system.siPerUnit
    // A square foot is a foot by a foot, without the rounding of the quotient.
    return (factor - 1).magnitude < 1e-15 ? 1 : factor
  }

  private static func noUnit(_ unit: Unit) -> EngineError {
    EngineError(
      .invalidArgument,
      "The geometry has no spatial reference, so the length of a \(unit.name) in its coordinates is unknown. Create it "
        + "with one, or give no unit.")
  }

  private static func angular(_ reference: SpatialReference, _ unit: Unit) -> EngineError {
    EngineError(
      .invalidArgument,
      "The coordinates of \(reference.name) are angles: in the plane there is no \(unit.name). Choose the geodesic measure, "
        + "or project the geometry.")
  }

  // MARK: Lengths

  /// The length of lines, and of the rings of polygons, including holes; 0 for points.
  public func length(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Double {
    try Self.finite(try rawLength(columns, row) / lengthPerUnit, "length")
  }

  private func rawLength(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Double {
    var sum = 0.0
    switch columns.kind(row) {
    case .point, .multipoint: break
    case .collection:
      guard let inner = columns.members else { break }
      for member in columns.members(ofGeometry: row) { sum += try rawLength(inner, member) }
    case .polyline, .polygon:
      for path in columns.paths(ofGeometry: row) { sum += try length(ofPath: columns, columns.vertices(ofPath: path)) }
    }
    return sum
  }

  private func length(ofPath columns: GeometryColumns, _ vertices: Range<Int>) throws(EngineError) -> Double {
    guard vertices.count > 1 else { return 0 }
    let points = UnsafeBufferPointer(rebasing: columns.points.buffer[vertices])
    var sum = 0.0
    guard let frame else {
      for index in 1..<points.count {
        sum += hypot(points[index].x - points[index &- 1].x, points[index].y - points[index &- 1].y)
      }
      return sum
    }
    let places = try frame.degrees(columns, vertices)
    defer { withExtendedLifetime(places) {} }
    let edges = EdgeMeasure(frame: frame, curve: curve)
    for index in 1..<points.count {
      if index & 15 == 0 { try TimeLimit.check() }
      sum += try edges.length(
        from: (places.buffer[index &- 1], points[index &- 1]), to: (places.buffer[index], points[index]))
    }
    return sum
  }

  // MARK: Areas

  /// The area of polygons: the area of their shells minus the area of their holes; 0 for other geometries.
  public func area(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Double {
    try Self.finite(try rawArea(columns, row) / areaPerUnit, "area")
  }

  private func rawArea(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Double {
    var sum = 0.0
    switch columns.kind(row) {
    case .point, .multipoint, .polyline: break
    case .collection:
      guard let inner = columns.members else { break }
      for member in columns.members(ofGeometry: row) { sum += try rawArea(inner, member) }
    case .polygon:
      for part in columns.parts(ofGeometry: row) {
        var sign = 1.0
        for path in columns.paths(ofPart: part) {
          sum += sign * (try area(ofRing: columns, columns.vertices(ofPath: path)))
          sign = -1
        }
      }
    }
    return sum
  }

  private func area(ofRing columns: GeometryColumns, _ vertices: Range<Int>) throws(EngineError) -> Double {
    let points = UnsafeBufferPointer(rebasing: columns.points.buffer[vertices])
    guard let frame else { return Self.planarArea(points) }
    let places = try frame.degrees(columns, vertices)
    // Its memory is used without it.
    defer { withExtendedLifetime(places) {} }
    return try EdgeMeasure(frame: frame, curve: curve).area(ofRing: places.buffer) { points[$0] }
  }

  /// What a closed ring encloses in the plane, not negative.
  private static func planarArea(_ ring: UnsafeBufferPointer<Point>) -> Double {
    guard let origin = ring.first else { return 0 }
    var sum = 0.0
    for index in 1..<ring.count {
      let (a, b) = (ring[index &- 1], ring[index])
      sum += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
    }
    return (sum / 2).magnitude
  }

  private static func finite(_ value: Double, _ what: String) throws(EngineError) -> Double {
    guard value.isFinite else {
      throw EngineError(.unsupported, "The \(what) is more than a double holds: the coordinates are too large.")
    }
    return value
  }
}

extension Geometry {
  /// The area of polygons; see `Measurer`.
  public func area(_ measure: Measure, unit: Unit?) throws(EngineError) -> Double {
    try limited { [self] () throws(EngineError) -> Double in
      try Measurer(measure, spatialReference, areaUnit: unit).area(columns, row)
    }
  }

  /// The length of lines, or around polygons.
  public func length(_ measure: Measure, unit: Unit?) throws(EngineError) -> Double {
    try limited { [self] () throws(EngineError) -> Double in
      try Measurer(measure, spatialReference, lengthUnit: unit).length(columns, row)
    }
  }
}

extension GeometryArray {
  /// The area of each geometry, on all cores; NaN for a geometry with a vertex that has no position on the earth, or
  /// with a similar fault.
  public func areas(_ measure: Measure, unit: Unit?) throws(EngineError) -> HeapArray<Double> {
    try runtime.limited { [self] () throws(EngineError) -> HeapArray<Double> in
      let measurer = try Measurer(measure, spatialReference, areaUnit: unit)
      return try forEachRow { (row) throws(EngineError) in try measurer.area(columns, row) }
    }
  }

  /// The length of each geometry, on all cores; NaN as for areas.
  public func lengths(_ measure: Measure, unit: Unit?) throws(EngineError) -> HeapArray<Double> {
    try runtime.limited { [self] () throws(EngineError) -> HeapArray<Double> in
      let measurer = try Measurer(measure, spatialReference, lengthUnit: unit)
      return try forEachRow { (row) throws(EngineError) in try measurer.length(columns, row) }
    }
  }

  /// A number for each geometry. What is wrong with single ones makes theirs NaN; what is wrong with the process is an
  /// error.
  func forEachRow(
    _ number: @Sendable (Int) throws(EngineError) -> Double
  ) throws(EngineError) -> HeapArray<Double> {
    let results = try HeapArray<Double>(count: count)
    let (count, slice) = (count, 64)
    try runtime.workers.forEach((count &+ slice &- 1) / slice) { (index) throws(EngineError) in
      for row in (index &* slice)..<min(count, (index &+ 1) &* slice) {
        do throws(EngineError) {
          results.buffer[row] = try number(row)
        } catch {
          guard error.isOfOneGeometry else { throw error }
          results.buffer[row] = .nan
        }
      }
    }
    return results
  }
}

extension EngineError {
  /// Whether another geometry may be better.
  var isOfOneGeometry: Bool { [.invalidArgument, .projectionFailed, .unsupported].contains(status) }
}

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
      guard length.isFinite else { throw EarthCurve.opposite(first.place, second.place) }
      return length
    case .shapePreserving:
      if isStraightInPlane { return try chordLength(from: first, to: second) }
      return straightLength(from: first.place, to: second.place)
    }
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

  // MARK: Points along an edge

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
    let sine = sineAndCosine(degrees: latitude).sine
    var inverse = sine
    if e > 0 { inverse = e2 < 0 ? atan(e * sine) / e : atanh(e * sine) / e }
    return scale * (sine / (1 - e2 * sine * sine) + inverse)
  }

  /// Of the whole ellipsoid.
  var whole: Double { 4 * .pi * south(90) }
}
