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
      "The geometry has no spatial reference, so it is not known what a \(unit.name) is in its coordinates: give it one "
        + "when it is made, or ask for no unit.")
  }

  private static func angular(_ reference: SpatialReference, _ unit: Unit) -> EngineError {
    EngineError(
      .invalidArgument,
      "The coordinates of \(reference.name) are angles: in the plane there is no \(unit.name). Choose the geodesic measure, "
        + "or project the geometry.")
  }

  // MARK: Lengths

  /// Of lines, and around polygons, holes too; 0 for points.
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

  /// Of polygons: their shells less their holes; 0 for everything else.
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
  /// The area of each geometry, on all cores; NaN for one that has a vertex without place on the earth, or the like.
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
