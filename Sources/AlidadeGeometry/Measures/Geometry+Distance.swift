import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// The distance between two geometries, and the points at which they are nearest to each other.
public struct GeometryDistance: Sendable {
  /// NaN if one of them is empty.
  public var distance: Double
  /// The nearest points on the first and on the second geometry, in the first one's spatial reference. NaN if a
  /// geometry is empty, or the point has no coordinates there.
  public var first: Point
  public var second: Point

  static let none = GeometryDistance(distance: .nan, first: .nan, second: .nan)
}

extension Geometry {
  /// The distance of this geometry and another one, 0 if they have a point in common. A geometry in another spatial
  /// reference is projected: in the plane into this one's, on the earth into its longitudes and latitudes. The receipt
  /// says how; it is nil if nothing had to be projected.
  ///
  /// On the earth it is right to a millionth of a metre, and to a millimetre where it is within some 150 km of 10,000
  /// km.
  public func distance(
    to other: Geometry, _ measure: Measure, unit: Unit?
  ) throws(EngineError) -> Related<GeometryDistance> {
    try limited(with: other) { [self] () throws(EngineError) -> Related<GeometryDistance> in
      switch measure {
      case .planar:
        let (other, receipt) = try other.projected(toMatch: spatialReference)
        let perUnit = try Measurer.planarLength(spatialReference, unit)
        var found = try planarDistance(to: other)
        found.distance /= perUnit
        return Related(value: found, receipt: receipt)
      case .geodesic(let curve):
        guard curve == .geodesic else {
          throw EngineError(
            .unsupported,
            "Distances are measured between geodesics: densify geometries whose edges are other curves first.")
        }
        let frame = try GeodesicFrame(spatialReference)
        let perUnit = try Measurer.metres(unit)
        let base = try frame.reference.geodeticBase()
        var (match, receipt): (Geometry, ProjectionReceipt?) = (other, nil)
        if other.spatialReference !== spatialReference { (match, receipt) = try other.projected(toMatch: base) }
        let first = try GeodesicShape(columns, row, frame)
        let second = try GeodesicShape(
          match.columns, match.row, match === other ? frame : try GeodesicFrame(base))
        guard let pair = try first.nearestPair(second) else { return Related(value: .none, receipt: receipt) }
        return Related(
          value: GeometryDistance(
            distance: pair.distance / perUnit, first: (try? frame.point(pair.first)) ?? .nan,
            second: (try? frame.point(pair.second)) ?? .nan), receipt: receipt)
      }
    }
  }

  private func planarDistance(to other: Geometry) throws(EngineError) -> GeometryDistance {
    if isEmpty || other.isEmpty { return .none }
    // Squares of such coordinates are infinite; GEOS then finds no nearest points, and reads them all the same.
    let boxes = [envelope, other.envelope].compactMap { $0 }
    if boxes.contains(where: { max(-$0.xMin, -$0.yMin, $0.xMax, $0.yMax) > 1e150 }) { throw Self.tooLarge }
    let session = try GEOSSession()
    // GEOS reads the coordinate of each point of a collection, which an empty one has not.
    let first = try session.object(columns, row, skipsEmpty: true)
    let second = try session.object(other.columns, other.row, skipsEmpty: true)
    var distance = Double.nan
    let pair: OpaquePointer?
    // GEOS 3.11 takes the distance of prepared lines in a polygon from its rings.
    let mayLieIn = kind == .polyline && (other.kind == .polygon || other.kind == .collection)
    let liesIn = mayLieIn && GEOSIntersects_r(session.handle, first.pointer, second.pointer) == 1
    if liesIn || hasPathInOnePlace || other.hasPathInOnePlace {
      GEOSDistance_r(session.handle, first.pointer, second.pointer, &distance)
      pair = GEOSNearestPoints_r(session.handle, first.pointer, second.pointer)
    } else {
      guard let prepared = GEOSPrepared(first, in: session) else {
        throw session.failure("A distance could not be measured")
      }
      GEOSPreparedDistance_r(session.handle, prepared.pointer, second.pointer, &distance)
      pair = distance.isFinite ? GEOSPreparedNearestPoints_r(session.handle, prepared.pointer, second.pointer) : nil
    }
    guard let sequence = pair, distance.isFinite else {
      let isTiny = hasPathInOnePlace || other.hasPathInOnePlace
      throw isTiny ? Self.tooSmall : session.failure("A distance could not be measured")
    }
    defer { GEOSCoordSeq_destroy_r(session.handle, sequence) }
    var found = GeometryDistance(distance: distance, first: .nan, second: .nan)
    guard GEOSCoordSeq_getXY_r(session.handle, sequence, 0, &found.first.x, &found.first.y) == 1,
      GEOSCoordSeq_getXY_r(session.handle, sequence, 1, &found.second.x, &found.second.y) == 1
    else { throw session.failure("Nearest points could not be read") }
    return found
  }

  /// Whether all vertices of a line or ring are the same, or so near that the squares of their distances vanish. GEOS's
  /// index of a prepared geometry does not find such.
  var hasPathInOnePlace: Bool {
    var isFound = false
    columns.forEachSimple(row) { (columns, row) in
      guard columns.kind(row) == .polyline || columns.kind(row) == .polygon else { return }
      for path in columns.paths(ofGeometry: row) where !isFound {
        let points = columns.points.buffer[columns.vertices(ofPath: path)]
        guard let first = points.first else { continue }
        isFound = points.allSatisfy { max(($0.x - first.x).magnitude, ($0.y - first.y).magnitude) < 1e-150 }
      }
    }
    return isFound
  }

  static var tooSmall: EngineError {
    EngineError(.unsupported, "The distance cannot be measured: the squares of such small differences are 0.")
  }

  static var tooLarge: EngineError {
    EngineError(.unsupported, "The distance is more than a double holds: the coordinates are too large.")
  }
}
