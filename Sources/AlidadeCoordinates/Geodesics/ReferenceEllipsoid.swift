import AlidadeBase
import CPROJ
import Glibc

/// The figure of the earth, or of another body, that positions in longitude and latitude lie on.
public struct ReferenceEllipsoid: Sendable, Equatable {
  /// Metres.
  public let semiMajorAxis: Double
  /// 0 for a sphere, negative for a body that is longer from pole to pole.
  public let flattening: Double

  /// Karney's series are exact to 30 nm up to here, for a body of the earth's size. Beyond it they err by micrometres
  /// and soon by metres: Saturn has 1/10.
  public static let greatestFlattening = 0.02

  /// Metres, from a pebble to far more than any star: between them products of lengths neither overflow nor vanish.
  public static let semiMajorAxes = 1e-3...1e15

  /// - Parameter inverseFlattening: 0 or infinite for a sphere.
  public init(semiMajorAxis: Double, inverseFlattening: Double) throws(EngineError) {
    guard semiMajorAxis.isFinite, semiMajorAxis > 0 else {
      throw EngineError(
        .invalidArgument, "The semi-major axis of an ellipsoid is \(semiMajorAxis): it must be positive.")
    }
    guard Self.semiMajorAxes.contains(semiMajorAxis) else {
      throw EngineError(
        .unsupported,
        "The semi-major axis of the ellipsoid is \(semiMajorAxis) m: geodesics need one of "
          + "\(Self.semiMajorAxes.lowerBound) m to \(Self.semiMajorAxes.upperBound) m.")
    }
    let flattening = inverseFlattening == 0 ? 0 : 1 / inverseFlattening
    guard flattening.magnitude <= Self.greatestFlattening else {
      throw EngineError(
        .unsupported,
        "The ellipsoid has an inverse flattening of \(inverseFlattening): geodesics are exact only for bodies with at "
          + "least \(1 / Self.greatestFlattening).")
    }
    self.semiMajorAxis = semiMajorAxis
    self.flattening = flattening
  }

  /// The ellipsoid of a spatial reference. A local one has none.
  public init(of system: CoordinateSystem) throws(EngineError) {
    guard system.kind != .local else {
      throw EngineError(
        .unsupported, "The local spatial reference \(system.name) has no ellipsoid. Geodesics need one.")
    }
    try self.init(semiMajorAxis: system.semiMajorAxis, inverseFlattening: system.inverseFlattening)
  }

  /// Metres.
  @inlinable public var semiMinorAxis: Double { semiMajorAxis * (1 - flattening) }
  /// Of the meridian's ellipse.
  @inlinable public var eccentricitySquared: Double { flattening * (2 - flattening) }

  /// The least radius of curvature of any section at right angles to the surface, in metres: of none is less.
  public var leastRadius: Double {
    min(semiMinorAxis / semiMajorAxis * semiMinorAxis, semiMajorAxis / semiMinorAxis * semiMajorAxis, semiMajorAxis)
  }

  /// The greatest and the smallest radius of curvature that a surface of the same Gaussian curvature everywhere has, in
  /// metres. The Gaussian curvature is 1/b^2 on the equator and b^2/a^4 at the poles, and between them elsewhere.
  ///
  /// What is true on both spheres, of circles and offsets, bounds what is true here (Sturm's comparison theorem).
  public var curvatureRadii: ClosedRange<Double> {
    let onEquator = semiMinorAxis
    let atPoles = semiMajorAxis / semiMinorAxis * semiMajorAxis
    return min(onEquator, atPoles)...max(onEquator, atPoles)
  }
}

/// An ellipsoid and the geodesics on it (Karney 2013, as PROJ has them). Points are longitudes and latitudes in a
/// geographic spatial reference's unit. Make one and ask it for distances and areas inside the gate.
struct Ellipsoid {
  let semiMajorAxis: Double
  let flattening: Double
  private let degreesPerUnit: Double
  private var geodesic = geod_geodesic()

  /// - Parameter reference: a geographic one.
  init(of reference: SpatialReference) {
    let system = reference.system
    semiMajorAxis = system.semiMajorAxis
    flattening = system.inverseFlattening > 0 ? 1 / system.inverseFlattening : 0
    let degree = Double.pi / 180
    // Degrees stay as they are, to the bit.
    degreesPerUnit = (system.siPerUnit - degree).magnitude < 1e-15 ? 1 : system.siPerUnit / degree
    geod_init(&geodesic, semiMajorAxis, flattening)
  }

  /// Metres between two points; NaN if one of them is none.
  func distance(_ a: Point, _ b: Point) -> Double {
    guard a.isFinite, b.isFinite else { return .nan }
    var geodesic = geodesic
    var metres = 0.0
    geod_inverse(
      &geodesic, a.y * degreesPerUnit, a.x * degreesPerUnit, b.y * degreesPerUnit, b.x * degreesPerUnit, &metres, nil,
      nil)
    return metres
  }

  /// Square metres of a polygon with geodesic edges; NaN if a point is none.
  func area(_ ring: [Point]) -> Double {
    guard ring.allSatisfy(\.isFinite) else { return .nan }
    var geodesic = geodesic
    var latitudes = ring.map { $0.y * degreesPerUnit }
    var longitudes = ring.map { $0.x * degreesPerUnit }
    var (area, perimeter) = (0.0, 0.0)
    geod_polygonarea(&geodesic, &latitudes, &longitudes, Int32(clamping: ring.count), &area, &perimeter)
    return area.magnitude
  }

  /// What the area between the equator and a latitude is proportional to, for all latitudes alike (Snyder 1987, 3-12).
  func authalic(latitude: Double) -> Double {
    let squared = flattening * (2 - flattening)
    let sine = sin(min(max(latitude * degreesPerUnit, -90), 90) * .pi / 180)
    guard squared > 0 else { return 2 * sine }
    let e = squared.squareRoot()
    return (1 - squared) * (sine / (1 - squared * sine * sine) + atanh(e * sine) / e)
  }
}
