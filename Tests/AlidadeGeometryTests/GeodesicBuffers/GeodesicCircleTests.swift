import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

/// Metres between two points next to each other, by the radii of curvature; independent of the code under test.
func metresApart(_ first: Point, _ second: Point, on ellipsoid: ReferenceEllipsoid) -> Double {
  let radian = Double.pi / 180
  let sine = sin(first.y * radian)
  let e2 = ellipsoid.eccentricitySquared
  let w = 1 - e2 * sine * sine
  let n = ellipsoid.semiMajorAxis / w.squareRoot()
  let east = remainder(second.x - first.x, 360) * radian * n * cos(first.y * radian)
  return hypot(east, (second.y - first.y) * radian * n * (1 - e2) / w)
}

/// The numbers of a text file of the tests, by line; lines with # are left out.
func numbers(inTestData name: String) throws -> [[Double]] {
  let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let file = try #require(fopen("/\(folder)/data/\(name)", "r"))
  defer { fclose(file) }
  var rows: [[Double]] = []
  var line = [CChar](repeating: 0, count: 1000)
  while fgets(&line, 1000, file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if !text.hasPrefix("#") { rows.append(text.split(separator: " ").compactMap { Double($0) }) }
  }
  return rows
}

let wgs84 = try? ReferenceEllipsoid(semiMajorAxis: 6_378_137, inverseFlattening: 298.257223563)

@Suite struct GeodesicCircleTests {
  let earth: Geodesic

  init() throws { earth = Geodesic(on: try #require(wgs84)) }

  @Test func pointsLieWhereQuadratureSays() throws {
    let rows = try numbers(inTestData: "geodesics.txt")
    #expect(rows.count > 500)
    for row in rows {
      try #require(row.count == 7)
      let ellipsoid = try ReferenceEllipsoid(semiMajorAxis: row[0], inverseFlattening: row[1])
      let centre = Point(x: 0, y: row[2])
      let circle = try GeodesicCircle(Geodesic(on: ellipsoid), centre: centre, radius: row[3])
      let expected = Point(x: row[5], y: row[6])
      let points = try circle.points(count: 24)
      for point in [points[Int((row[4] / 15).rounded())], circle.point(azimuth: row[4])] {
        let error = metresApart(expected, point, on: ellipsoid)

        #expect(error < (row[1].magnitude == 60 ? 1e-8 : 6e-9), "\(row): \(error)")
      }
    }
  }

  static let latitudes = [0.0, 1e-9, -0.5, 12.3, 30, 45, -60.7, 80, 89.9, 89.9999, -89.99999999, 90, -90]
  static let radii = [
    1e-6, 1e-3, 1, 100, 1e4, 1e5, 1e6, 3e6, 5e6, 8e6, 9.9e6, 10_001_965.729, 1.1e7, 1.3e7, 1.5e7, 1.7e7, 1.9e7, 1.995e7,
  ]

  /// Karney's program has up to 9e-9 m of rounding of its own far away, ours 5e-9 (measured against 64 bits of mantissa).
  @Test(arguments: latitudes, radii) func pointsLieWhereKarneySays(latitude: Double, radius: Double) throws {
    let centre = Point(x: 0, y: latitude)
    let circle = try GeodesicCircle(earth, centre: centre, radius: radius)
    for count in [7, 90] {
      for (index, point) in try circle.points(count: count).enumerated() {
        let azimuth = 360 * Double(index) / Double(count)
        let exact = earth.direct(from: centre, azimuth: azimuth, distance: radius).point
        #expect(metresApart(exact, point, on: earth.ellipsoid) < 1.2e-8)
        #expect(metresApart(exact, circle.point(azimuth: azimuth), on: earth.ellipsoid) < 1.2e-8)
      }
    }
  }

  /// Anywhere and of any size, on bodies of several shapes; the flattest ones take a step more.
  @Test(arguments: [298.257223563, 0, 150, -150, 60, -60]) func randomPointsLieWhereKarneySays(shape: Double) throws {
    let geodesic = Geodesic(on: try ReferenceEllipsoid(semiMajorAxis: 6_378_137, inverseFlattening: shape))
    let greatest = GeodesicCircle.greatestRadius(on: geodesic.ellipsoid)
    let degrees = 180 / Double.pi
    var numbers = Random(state: 5)
    var worst = 0.0
    for index in 0..<120 {
      let centre = Point(x: 0, y: asin(2 * Double.random(in: 0..<1, using: &numbers) - 1) * degrees)
      let radius =
        index % 2 == 0
        ? greatest * Double.random(in: 0..<1, using: &numbers)
        : pow(10, -6 + 13 * Double.random(in: 0..<1, using: &numbers))
      let points = try GeodesicCircle(geodesic, centre: centre, radius: radius).points(count: 16)
      for (index, point) in points.enumerated() {
        let exact = geodesic.direct(from: centre, azimuth: 22.5 * Double(index), distance: radius).point
        let error = metresApart(exact, point, on: geodesic.ellipsoid)
        if !(error <= worst) { worst = error }
      }
    }
    #expect(worst < (shape.magnitude == 60 ? 1.5e-8 : 1.2e-8))
  }

  @Test(arguments: latitudes, radii) func longitudesHangTogether(latitude: Double, radius: Double) throws {
    let points = try GeodesicCircle(earth, centre: Point(x: -170, y: latitude), radius: radius).points(count: 720)
    for (point, next) in zip(points, points.dropFirst()) { #expect((next.x - point.x).magnitude <= 180) }
    let last = try #require(points.last)
    let closing = last.x - points[0].x + remainder(points[0].x - last.x, 360)
    let pole = { (y: Double) in earth.distance(from: Point(x: 0, y: latitude), to: Point(x: 0, y: y)) < radius }
    // Clockwise around one pole is a turn westwards around the north pole, eastwards around the south pole. A pole on
    // the circle itself may count either way.
    let turn = (pole(90) ? -360.0 : 0) + (pole(-90) ? 360.0 : 0)
    let onPole = [90.0, -90].contains {
      (earth.distance(from: Point(x: 0, y: latitude), to: Point(x: 0, y: $0)) - radius).magnitude < 1e-3
    }
    #expect(onPole || (closing - turn).magnitude < 1e-9, "\(closing) \(turn)")
  }

  @Test func whatIsNoCircleIsRefused() {
    let here = Point(x: 0, y: 0)
    for radius in [0, -1, .nan, .infinity, 1.9972e7] {
      #expect(throws: EngineError.self) { try GeodesicCircle(earth, centre: here, radius: radius) }
    }
    for centre in [Point(x: 0, y: 90.1), .nan, Point(x: .infinity, y: 0)] {
      #expect(throws: EngineError.self) { try GeodesicCircle(earth, centre: centre, radius: 1) }
    }
    #expect(throws: EngineError.self) { try GeodesicCircle(earth, centre: here, radius: 1).points(count: 2) }
    #expect(throws: EngineError.self) { try GeodesicCircle(earth, centre: here, radius: 1).points(count: .max) }
  }
}
