import AlidadeBase
import CPROJ
import Glibc

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
