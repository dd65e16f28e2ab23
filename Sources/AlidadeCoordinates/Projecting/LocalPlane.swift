import Glibc

/// A plane around a point of the earth: the transverse Mercator projection whose central meridian goes through it.
///
/// It keeps angles, and on the meridian lengths. Positions are longitudes and latitudes in degrees; x and y are metres
/// eastwards and northwards from the point. Any thread may use it.
public struct LocalPlane: Sendable {
  private let centre: Point
  private let leastRadius: Double
  private let toPlane: FastPath
  private let toGlobe: FastPath

  /// Of flatter ellipsoids the series are not exact enough.
  private static let greatestFlattening = 1 / 150.0
  /// Degrees: from there on longitudes change fast.
  public static let greatestLatitude = 89.0

  /// nil where the plane would not be exact.
  public init?(_ ellipsoid: ReferenceEllipsoid, centre: Point) {
    guard centre.isFinite, centre.y.magnitude < Self.greatestLatitude,
      (1 - ellipsoid.semiMinorAxis / ellipsoid.semiMajorAxis).magnitude < Self.greatestFlattening
    else { return nil }
    self.centre = centre
    leastRadius = ellipsoid.leastRadius
    let origin = FastOrigin(longitude: 0, falseEasting: 0, falseNorthing: 0)
    func path(isInverse: Bool) -> FastPath {
      FastPath(steps: [
        FastTransverseMercator(
          ellipsoid, origin: origin, latitude: centre.y * FastUnits.degree, scale: 1, isInverse: isInverse)
      ])
    }
    (toPlane, toGlobe) = (path(isInverse: false), path(isInverse: true))
  }

  /// What no scale is greater than within a distance of the meridian, metres in the plane; none is smaller than 1.
  ///
  /// On a sphere it is cosh(x / R); an ellipsoid's is smaller than that of the smallest sphere that it bends like
  /// (J. P. Snyder, Map Projections: A Working Manual, 1987, equation 8-11).
  public func greatestScale(_ easting: Double) -> Double { cosh(easting.magnitude / leastRadius) }

  /// By how much straight lines and geodesics bend against each other in the plane at most, per metre: the derivative of
  /// the scale.
  public func bend(_ easting: Double) -> Double { sinh(easting.magnitude / leastRadius) / leastRadius }

  /// Converts positions into points of the plane, in place. False if that is not possible for all.
  public func project(_ points: UnsafeMutableBufferPointer<Point>) -> Bool {
    for index in points.indices {
      let place = points[index]
      points[index] = Point(x: (place.x - centre.x) * FastUnits.degree, y: place.y * FastUnits.degree)
    }
    return run(toPlane, points)
  }

  /// Converts points of the plane into positions, in place. False if that is not possible for all.
  public func unproject(_ points: UnsafeMutableBufferPointer<Point>) -> Bool {
    guard run(toGlobe, points) else { return false }
    for index in points.indices {
      let place = points[index]
      points[index] = Point(x: centre.x + place.x / FastUnits.degree, y: place.y / FastUnits.degree)
    }
    return true
  }

  private func run(_ path: FastPath, _ points: UnsafeMutableBufferPointer<Point>) -> Bool {
    guard let start = points.baseAddress else { return true }
    let stride = MemoryLayout<Point>.stride
    return path.project(
      start, stride: stride, to: start, outputStride: stride, count: points.count, accepting: FastPath.anyNorthing
    ).isEmpty
  }
}
