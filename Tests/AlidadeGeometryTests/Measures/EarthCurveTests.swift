import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

@Suite struct EarthCurveTests {
  let earth: Geodesic
  let a = 6_378_137.0
  let e2: Double

  init() throws {
    let ellipsoid = try #require(wgs84)
    earth = Geodesic(on: ellipsoid)
    e2 = ellipsoid.eccentricitySquared
  }

  private func position(_ point: Point) -> SIMD3<Double> {
    let (x, y) = (point.x * .pi / 180, point.y * .pi / 180)
    let n = a / (1 - e2 * sin(y) * sin(y)).squareRoot()
    return [n * cos(y) * cos(x), n * cos(y) * sin(x), n * (1 - e2) * sin(y)]
  }

  private func cross(_ u: SIMD3<Double>, _ v: SIMD3<Double>) -> SIMD3<Double> {
    [u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x]
  }

  static let pairs: [(Point, Point)] = [
    (Point(x: 10, y: 50), Point(x: 10.001, y: 50.0005)), (Point(x: -75, y: 40), Point(x: 20, y: -10)),
    (Point(x: 170, y: -60), Point(x: -150, y: 65)), (Point(x: 0, y: 89), Point(x: 120, y: 85)),
    (Point(x: 5, y: 45), Point(x: 60, y: 45)), (Point(x: -10, y: 0), Point(x: 30, y: 1e-13)),
    (Point(x: 5, y: -20), Point(x: 5, y: 70)),
  ]

  @Test(arguments: CurveType.allCases, pairs) func endsAreTheEnds(type: CurveType, ends: (Point, Point)) throws {
    let curve = try EarthCurve(type, on: earth, from: ends.0, to: ends.1)
    #expect(curve.point(at: 0) == ends.0)
    #expect(curve.point(at: 1) == ends.1)
    // And it leads there without a jump.
    for (end, t) in [(ends.0, 1e-9), (ends.1, 1 - 1e-9)] {
      #expect(earth.distance(from: end, to: curve.point(at: t)) < 0.5)
    }
  }

  /// Along a loxodrome, dx / dy = tan(azimuth) (rho / nu) sec(y) everywhere, in small steps by the radii of curvature.
  @Test(arguments: pairs) func loxodromesKeepTheirAzimuth(ends: (Point, Point)) throws {
    let curve = try EarthCurve(.loxodrome, on: earth, from: ends.0, to: ends.1)
    func azimuth(_ t: Double) -> Double {
      let (p, q) = (curve.point(at: t - 1e-5), curve.point(at: t + 1e-5))
      let s = sin(curve.point(at: t).y * .pi / 180)
      let parallel = (1 - s * s).squareRoot() * (1 - e2 * s * s) / (1 - e2)
      return atan2(remainder(q.x - p.x, 360) * parallel, q.y - p.y)
    }
    let first = azimuth(0.01)
    for t in [0.1, 0.37, 0.5, 0.73, 0.99] { #expect((azimuth(t) - first).magnitude < 1e-6) }
  }

  /// Longitude changes along a loxodrome as the meridional parts do, the integral of rho / (nu cos y) over the latitude;
  /// here by Simpson's rule.
  @Test func loxodromesMeetTheMeridionalParts() throws {
    func parts(_ from: Double, _ to: Double) -> Double {
      let n = 20_000
      let f = { (y: Double) in (1 - e2) / ((1 - e2 * sin(y) * sin(y)) * cos(y)) }
      let h = (to - from) / Double(n)
      var sum = f(from) + f(to)
      for i in 1..<n { sum += f(from + h * Double(i)) * (i % 2 == 1 ? 4 : 2) }
      return sum * h / 3
    }
    let curve = try EarthCurve(.loxodrome, on: earth, from: Point(x: -20, y: -35), to: Point(x: 70, y: 62))
    let whole = parts(-35 * .pi / 180, 62 * .pi / 180)
    for t in [0.2, 0.5, 0.9] {
      let point = curve.point(at: t)
      #expect((point.x - (-20 + 90 * t)).magnitude < 1e-12)
      #expect((parts(-35 * .pi / 180, point.y * .pi / 180) / whole - t).magnitude < 1e-11)
    }
  }

  @Test(arguments: pairs) func planesHoldTheirSections(ends: (Point, Point)) throws {
    let (first, last) = (position(ends.0), position(ends.1))
    let (x, y) = (ends.0.x * .pi / 180, ends.0.y * .pi / 180)
    let normal: SIMD3<Double> = [cos(y) * cos(x), cos(y) * sin(x), sin(y)]
    let planes: [(CurveType, SIMD3<Double>)] = [
      (.greatElliptic, cross(first, last)), (.normalSection, cross(normal, last - first)),
    ]
    for (type, plane) in planes {
      let unit = plane / (plane * plane).sum().squareRoot()
      let curve = try EarthCurve(type, on: earth, from: ends.0, to: ends.1)
      var length = 0.0
      for step in 1...100 {
        let (p, q) = (curve.point(at: Double(step - 1) / 100), curve.point(at: Double(step) / 100))
        // What rounding makes of the direction of a short chord.
        let slack = 1e-8 + 1e-9 * 6e6 / ((last - first) * (last - first)).sum().squareRoot()
        #expect(((position(q) - first) * unit).sum().magnitude < slack)
        length += earth.distance(from: p, to: q)
      }
      // Not the long way around, and nearly as short as the geodesic.
      let least = earth.distance(from: ends.0, to: ends.1)
      #expect(length >= least - 1e-6 && length < least * 1.0001 + 1e-6)
    }
  }

  @Test(arguments: CurveType.allCases, [1000.0, 1, 0.01]) func densifiedLinesKeepTheDeviation(
    type: CurveType, deviation: Double
  ) throws {
    let path = [Point(x: 150, y: 30), Point(x: -170, y: 60), Point(x: -150, y: -20)]
    let line = try EarthCurve.densified(path, type, on: earth, maximumDeviation: deviation)
    #expect(line.achievedDeviation <= deviation)
    #expect(line.points.contains { earth.distance(from: $0, to: path[1]) < 1e-6 })
    let curves = try zip(path, path.dropFirst()).map { try EarthCurve(type, on: earth, from: $0, to: $1) }
    let stride = line.points.count / 12 + 1
    var worst = 0.0
    for (index, (p, q)) in zip(line.points, line.points.dropFirst()).enumerated() where index % stride == 0 {
      #expect((q.x - p.x).magnitude <= 180 || type == .shapePreserving)
      for u in [0.3, 0.5, 0.6] {
        let place = Point(x: p.x + u * (q.x - p.x), y: p.y + u * (q.y - p.y))
        worst = max(worst, curves.map { $0.distance(to: place, on: earth) }.min() ?? .infinity)
      }
    }
    // The search ends a few micrometres short.
    #expect(worst <= line.achievedDeviation + 1e-5, "\(worst) \(line.achievedDeviation)")
  }

  /// Points whose distance is at the limit of doubles, which rounding may put behind each other: never the whole way
  /// around the earth.
  @Test func nearestPlacesAreNear() throws {
    for step in 0..<2000 {
      let place = Point(x: Double(step) * 0.17 - 170, y: Double(step) * 0.081 - 81)
      for next in [Point(x: place.x.nextUp, y: place.y), Point(x: place.x, y: place.y.nextDown)] {
        for type in [CurveType.greatElliptic, .normalSection] {
          #expect(earth.way(type, from: place, to: next).length < 1e-6)
          let middle = try EarthCurve(type, on: earth, from: place, to: next).point(at: 0.5)
          #expect(earth.distance(from: place, to: middle) < 1e-6)
        }
      }
    }
  }

  @Test func whatHasNoWayIsRefused() throws {
    let here = Point(x: 0, y: 0)
    for type in CurveType.allCases {
      for there in [.nan, Point(x: 0, y: 91), Point(x: .infinity, y: 0)] {
        #expect(throws: EngineError.self) { try EarthCurve(type, on: earth, from: here, to: there) }
      }
      let nowhere = try EarthCurve(type, on: earth, from: here, to: here)
      #expect(earth.distance(from: nowhere.point(at: 0.5), to: here) < 1e-6)
    }
    // The same point, a turn farther: the distance is 0.
    let (place, again) = (Point(x: 10, y: 20), Point(x: 370, y: 20))
    for type in CurveType.allCases where type != .shapePreserving {
      let curve = try EarthCurve(type, on: earth, from: place, to: again)
      #expect(earth.distance(from: curve.point(at: 0.5), to: place) < 1e-6)
    }
    #expect(throws: EngineError.self) {
      try EarthCurve(.shapePreserving, on: earth, from: here, to: Point(x: 1e300, y: 0))
    }
  }
}
