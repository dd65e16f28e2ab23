import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

/// Degrees from degrees, minutes and seconds.
private func dms(_ degrees: Double, _ minutes: Double, _ seconds: Double) -> Double {
  let size = degrees.magnitude + minutes / 60 + seconds / 3600
  return degrees.sign == .minus ? -size : size
}

@Suite struct GeodesicTests {
  /// The lines that Rainsford (1955) solved by hand and Vincenty (1975, Survey Review 176, table II) gives again, with
  /// five decimals of a second and three of a metre; the first on Bessel's ellipsoid, the others on Hayford's.
  struct PublishedLine: Sendable {
    var axis: Double
    var inverse: Double
    var start: Double
    var azimuth: Double
    var length: Double
    var end: Double
    var longitude: Double
    var endAzimuth: Double
  }

  static let lines = [
    PublishedLine(
      axis: 6_377_397.155, inverse: 299.1528128, start: dms(55, 45, 0), azimuth: dms(96, 36, 8.7996),
      length: 14_110_526.170, end: dms(-33, 26, 0), longitude: dms(108, 13, 0), endAzimuth: dms(137, 52, 22.01454)),
    PublishedLine(
      axis: 6_378_388, inverse: 297, start: dms(37, 19, 54.95367), azimuth: dms(95, 27, 59.63089),
      length: 4_085_966.703, end: dms(26, 7, 42.83946), longitude: dms(41, 28, 35.50729),
      endAzimuth: dms(118, 5, 58.96161)),
    PublishedLine(
      axis: 6_378_388, inverse: 297, start: dms(35, 16, 11.24862), azimuth: dms(15, 44, 23.74850),
      length: 8_084_823.839, end: dms(67, 22, 14.77638), longitude: dms(137, 47, 28.31435),
      endAzimuth: dms(144, 55, 39.92147)),
    PublishedLine(
      axis: 6_378_388, inverse: 297, start: dms(1, 0, 0), azimuth: dms(89, 0, 0), length: 19_960_000,
      end: dms(-0.0, 59, 53.83076), longitude: dms(179, 17, 48.02997), endAzimuth: dms(91, 0, 6.11733)),
    PublishedLine(
      axis: 6_378_388, inverse: 297, start: dms(1, 0, 0), azimuth: dms(4, 59, 59.99995), length: 19_780_006.558,
      end: dms(1, 1, 15.18952), longitude: dms(179, 46, 17.84244), endAzimuth: dms(174, 59, 59.88481)),
  ]

  @Test(arguments: lines) func publishedLines(line: PublishedLine) throws {
    let geodesic = Geodesic(on: try ReferenceEllipsoid(semiMajorAxis: line.axis, inverseFlattening: line.inverse))
    let start = Point(x: 0, y: line.start)
    let found = geodesic.direct(from: start, azimuth: line.azimuth, distance: line.length)
    // The published digits: half a millimetre and half of 1e-5 seconds, seen from the other end.
    #expect(metresApart(found.point, Point(x: line.longitude, y: line.end), on: geodesic.ellipsoid) < 0.002)
    #expect(geodesic.line(from: start, azimuth: line.azimuth).position(at: line.length) == found)
    let way = geodesic.inverse(from: start, to: Point(x: line.longitude, y: line.end))
    #expect((way.length - line.length).magnitude < 0.0011)
    // Nearly antipodal ends turn the azimuth by that for a millimetre.
    #expect((way.azimuth - line.azimuth).magnitude < 5e-6)
    #expect((way.endAzimuth - line.endAzimuth).magnitude < 5e-6)
  }

  @Test func distancesAndAreas() throws {
    let earth = Geodesic(on: try #require(wgs84))
    // A quarter of the meridian of WGS 84: 10001965.7293 m (Karney 2013; the GRS 80 value of Moritz is 10001965.7293).
    let quarter = earth.distance(from: Point(x: 12, y: 0), to: Point(x: -77, y: 90))
    #expect((quarter - 10_001_965.7293).magnitude < 1e-4)
    // An octant, counter-clockwise, is an eighth of the surface: 4 pi c^2 with the authalic radius 6371007.1809 m.
    let octant = earth.areaAndPerimeter(of: [Point(x: 170, y: 0), Point(x: -100, y: 0), Point(x: 0, y: 90)])
    let expected = 4 * Double.pi * 6_371_007.1809 * 6_371_007.1809 / 8
    #expect((octant.area / expected - 1).magnitude < 1e-10)
    #expect((octant.perimeter - 2 * quarter - .pi / 2 * 6_378_137).magnitude < 1e-3)
    #expect(earth.areaAndPerimeter(of: []).area == 0)
    #expect(earth.length(of: [Point(x: 179, y: 0), Point(x: -179, y: 0)]) > 222_000)
    #expect(earth.length(of: []) == 0)
  }

  /// Points near each other have a formula of their own: as far apart as Karney's inverse has them, which is exact to
  /// 3 nm. On the flattest ellipsoids the formula is to 6 nm.
  @Test(arguments: [0, 298.257223563, 299.1528128, 50, -50]) func shortWays(inverseFlattening: Double) throws {
    let earth = Geodesic(on: try ReferenceEllipsoid(semiMajorAxis: 6_378_137, inverseFlattening: inverseFlattening))
    var random = Random(state: 7)
    for turn in 0..<20_000 {
      let start = Point(
        x: .random(in: -180...180, using: &random),
        y: .random(in: turn % 4 == 0 ? 89.99...90 : -90...90, using: &random))
      let size = [1e-9, 1e-6, 1e-3, 0.00199][turn / 4 % 4]
      let end = Point(
        x: start.x + .random(in: -size...size, using: &random),
        y: min(start.y + .random(in: -size...size, using: &random), 90))
      let (short, exact) = (earth.distance(from: start, to: end), earth.inverse(from: start, to: end).length)
      #expect((short - exact).magnitude < 1e-8, "\(start) to \(end)")
    }
    // Along the equator the distance is the angle times the radius, to the last digits.
    let step = earth.distance(from: Point(x: 0, y: 0), to: Point(x: 0.001, y: 0))
    #expect((step / (6_378_137 * 0.001 * .pi / 180) - 1).magnitude < 1e-12)
    #expect(earth.distance(from: Point(x: 5, y: 90), to: Point(x: 5, y: 90)) == 0)
    #expect(earth.distance(from: Point(x: 5, y: 90), to: Point(x: 5, y: 90.001)).isNaN)
  }

  @Test func whatIsNoPlaceIsNoNumber() throws {
    let earth = Geodesic(on: try #require(wgs84))
    let here = Point(x: 0, y: 0)
    #expect(earth.distance(from: here, to: .nan).isNaN)
    #expect(earth.distance(from: here, to: Point(x: 0, y: 91)).isNaN)
    #expect(earth.distance(from: here, to: Point(x: .infinity, y: 0)).isNaN)
    #expect(earth.direct(from: here, azimuth: .nan, distance: 1).point.y.isNaN)
    #expect(earth.direct(from: here, azimuth: 0, distance: .infinity).point.y.isNaN)
  }

  @Test func ellipsoidsAreChecked() throws {
    #expect(try ReferenceEllipsoid(semiMajorAxis: 6_371_000, inverseFlattening: 0).flattening == 0)
    #expect(try ReferenceEllipsoid(semiMajorAxis: 6_371_000, inverseFlattening: .infinity).flattening == 0)
    // Saturn's.
    #expect(throws: EngineError.self) { try ReferenceEllipsoid(semiMajorAxis: 60_268_000, inverseFlattening: 10.208) }
    for axis in [0, -1, .nan, .infinity] {
      #expect(throws: EngineError.self) { try ReferenceEllipsoid(semiMajorAxis: axis, inverseFlattening: 298) }
    }
    #expect(throws: EngineError.self) { try ReferenceEllipsoid(semiMajorAxis: 1, inverseFlattening: .nan) }
  }
}
