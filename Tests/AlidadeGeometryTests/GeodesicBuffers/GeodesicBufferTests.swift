import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

struct BufferCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var figure: GeodesicFigure
  var distance: Double
  var deviation: Double

  init(_ name: String, _ figure: GeodesicFigure, _ distance: Double, _ deviation: Double) {
    (testDescription, self.figure, self.distance, self.deviation) = (name, figure, distance, deviation)
  }
}

private func line(_ coordinates: Double...) -> GeodesicFigure { GeodesicFigure(lines: [path(coordinates)]) }
private func path(_ coordinates: [Double]) -> [Point] {
  stride(from: 0, to: coordinates.count, by: 2).map { Point(x: coordinates[$0], y: coordinates[$0 + 1]) }
}
private func at(_ x: Double, _ y: Double) -> GeodesicFigure { GeodesicFigure(points: [Point(x: x, y: y)]) }

@Suite struct GeodesicBufferTests {
  let earth: Geodesic

  init() throws { earth = Geodesic(on: try #require(wgs84)) }

  static let cases = [
    BufferCase("a micrometre", at(10, 50), 1e-6, 1e-7),
    BufferCase("2 km", at(10, 50), 2000, 0.1),
    BufferCase("1 km near the pole", at(30, 89.9999), 1000, 0.1),
    BufferCase("to the pole", at(30, 89), 111_693.9, 1),
    BufferCase("a pole", at(0, -90), 500_000, 10),
    BufferCase("across 180", at(179.9, 10), 300_000, 5),
    BufferCase("across 180 and the pole", at(-179, 80), 3_000_000, 100),
    BufferCase("half of the earth", at(20, 40), 10_000_000, 1000),
    BufferCase("19,000 km", at(20, 40), 19_000_000, 100),
    BufferCase("19,000 km from the equator", at(-60, 0), 19_000_000, 100),
    BufferCase("a street", line(8.5, 47.3, 8.52, 47.31, 8.51, 47.33), 100, 0.01),
    BufferCase("10,000 km", line(-75, 40, 20, -10), 50_000, 10),
    BufferCase("10,000 km across 180", line(140, 35, -120, 37), 1_000_000, 100),
    BufferCase("over the pole", line(0, 80, 170, 75), 200_000, 10),
    BufferCase("through the pole", line(0, 80, 180, 75), 200_000, 10),
    BufferCase("next to the pole", line(0, 80, 179.9, 75), 10, 0.1),
    BufferCase("from the pole", line(0, 90, 45, 80, 90, 90), 100_000, 10),
    BufferCase("along the equator, wide", line(-60, 0, 60, 0), 9_700_000, 1000),
    BufferCase("a quarter of a turn", line(10, 20, 60, 50), 10_000_000, 10_000),
    BufferCase("more than a quarter", line(10, 20, 100, -30), 12_000_000, 1000),
    BufferCase("19,000 km from a line", line(10, 20, 11, 21), 19_000_000, 1000),
    BufferCase("nearly antipodal", line(0, 10, 179.5, -10.2), 300_000, 10),
    BufferCase("nearly antipodal, wide", line(0, 30, 179, -30.2), 9_000_000, 1000),
    BufferCase(
      "a square", GeodesicFigure(polygons: [[path([0, 0, 3, 0, 3, 3, 0, 3])]]), 50_000, 10),
    BufferCase(
      "a square inwards", GeodesicFigure(polygons: [[path([0, 0, 0, 3, 3, 3, 3, 0])]]), -50_000, 10),
    BufferCase(
      "a hole that closes",
      GeodesicFigure(polygons: [[path([178, 60, -170, 60, -170, 65, 178, 65]), path([180, 61, -179, 61, -179, 62])]]),
      60_000, 10),
    BufferCase(
      "a hole inwards",
      GeodesicFigure(polygons: [[path([178, 60, -170, 60, -170, 65, 178, 65]), path([180, 61, -179, 61, -179, 62])]]),
      -60_000, 10),
    BufferCase("a ring over the pole", GeodesicFigure(polygons: [[path([0, 70, 120, 65, -120, 75])]]), 100_000, 10),
    BufferCase("the same inwards", GeodesicFigure(polygons: [[path([-120, -75, 120, -65, 0, -70])]]), -100_000, 10),
    BufferCase(
      "many", GeodesicFigure(points: path([0, 0, 1, 1, -179.5, 89, 179, -89.9]), lines: [path([0, 1, 1, 0])]),
      80_000, 1),
  ]

  @Test(arguments: cases) func outlinesLieAtTheDistance(of buffer: BufferCase) throws {
    let region = try GeodesicBuffer(earth, maximumDeviation: buffer.deviation).buffer(
      buffer.figure, distance: buffer.distance)
    let field = DistanceField(earth, buffer.figure)
    let size = buffer.distance.magnitude
    #expect(region.achievedDeviation <= buffer.deviation)
    #expect(!region.polygons.isEmpty)
    let edges = region.edges
    // All edges of a short outline, some of a long one.
    let skipped = edges.count / 150 + 1
    let steps = 8
    var (worst, worstPlace) = (0.0, Point.nan)
    for (index, (a, b)) in edges.enumerated() where index % skipped == 0 {
      for step in 0..<steps {
        let u = Double(step) / Double(steps)
        let place = Point(x: a.x + u * (b.x - a.x), y: a.y + u * (b.y - a.y))
        let error = (field.distance(place) - size).magnitude
        if !(error <= worst) { (worst, worstPlace) = (error, place) }
      }
    }
    #expect(worst <= region.achievedDeviation, "\(worst) at \(worstPlace)")
    // The deviation is used, and not reported much above the true one.
    #expect(worst > 0.4 * region.achievedDeviation || region.achievedDeviation < 0.3 * buffer.deviation)
  }

  @Test(arguments: cases) func placesAreInsideIfTheyAreNearEnough(of buffer: BufferCase) throws {
    let region = try GeodesicBuffer(earth, maximumDeviation: buffer.deviation).buffer(
      buffer.figure, distance: buffer.distance)
    let counts = try compare(region, buffer, places: 200)
    #expect(counts.inside + counts.outside > 150)
    #expect(counts.inside > 5)
  }

  /// Asks of random points whether they are inside. Two thirds of the points lie around the figure's vertices, at
  /// distances like the buffer's.
  private func compare(
    _ region: GeodesicRegion, _ buffer: BufferCase, places: Int, seed: UInt64 = 7
  ) throws -> (inside: Int, outside: Int) {
    let field = DistanceField(earth, buffer.figure)
    let interior = GnomonicPolygons(figure: buffer.figure)
    let vertices = buffer.figure.points + buffer.figure.lines.joined() + buffer.figure.polygons.joined().joined()
    let size = buffer.distance.magnitude
    var random = Random(state: seed)
    var counts = (inside: 0, outside: 0)
    for index in 0..<places {
      var place = Point(
        x: .random(in: -180...180, using: &random), y: asin(.random(in: -1...1, using: &random)) * 180 / .pi)
      if index % 3 > 0, let start = vertices.randomElement(using: &random) {
        let reach = min(1.99e7, size * .random(in: 0...(buffer.distance < 0 ? 6 : 2.5), using: &random))
        place = earth.direct(from: start, azimuth: .random(in: 0...360, using: &random), distance: reach).point
      }
      let distance = field.distance(place)
      if (distance - size).magnitude <= region.achievedDeviation { continue }
      let near = distance < size
      let inPolygon = interior.contains(place)
      let expected = buffer.distance < 0 ? inPolygon && !near : inPolygon || near
      #expect(region.contains(place) == expected, "\(place), \(distance) m away")
      if expected { counts.inside += 1 } else { counts.outside += 1 }
    }
    return counts
  }

  @Test(arguments: CurveType.allCases) func edgesOfAnyCurve(type: CurveType) throws {
    let path = [Point(x: 150, y: 60), Point(x: -150, y: 60), Point(x: -100, y: 30)]
    // Straight in these coordinates is the other way around the earth.
    let curves = try zip(path, path.dropFirst()).map { try EarthCurve(type, on: earth, from: $0, to: $1) }
    for (distance, deviation) in [(100_000.0, 100.0), (5000, 1000)] {
      var maker = GeodesicBuffer(earth, maximumDeviation: deviation)
      maker.curve = type
      let region = try maker.buffer(GeodesicFigure(lines: [path]), distance: distance)
      #expect(region.achievedDeviation <= deviation)
      let edges = region.edges
      #expect(edges.count > 20)
      for (index, (a, b)) in edges.enumerated() where index % (edges.count / 30 + 1) == 0 {
        for u in [0, 0.5] {
          let place = Point(x: a.x + u * (b.x - a.x), y: a.y + u * (b.y - a.y))
          let found = curves.map { $0.distance(to: place, on: earth) }.min() ?? .infinity
          #expect((found - distance).magnitude <= region.achievedDeviation, "\(place)")
        }
      }
      for t in [0, 0.3, 0.5, 0.9, 1] { #expect(curves.allSatisfy { region.contains($0.point(at: t)) }) }
    }
  }

  /// Outlines that touch a pole or go through it, to the last bit.
  @Test func polesOnTheOutline() throws {
    for pole in [90.0, -90] {
      for x in [33.3, 180] {
        for y in [-60, 0, 12.3, 89] {
          let centre = Point(x: x, y: y)
          let distance = earth.distance(from: centre, to: Point(x: 0, y: pole))
          // Beyond the antipode's neighbourhood there are no circles.
          if distance > 1.996e7 { continue }
          for change in [0, 1e-9, -1e-9, 0.01, -50] {
            let region = try GeodesicBuffer(earth, maximumDeviation: 1000).buffer(
              GeodesicFigure(points: [centre]), distance: distance + change)
            let field = DistanceField(earth, GeodesicFigure(points: [centre]))
            for (a, b) in region.edges {
              for u in [0, 0.25, 0.5, 0.75] {
                let place = Point(x: a.x + u * (b.x - a.x), y: a.y + u * (b.y - a.y))
                #expect((field.distance(place) - distance - change).magnitude <= region.achievedDeviation)
              }
            }
            for step in 0..<12 {
              let azimuth = 30 * Double(step) + 7
              let (near, far) = (distance + change - 1010, distance + change + 1010)
              #expect(
                near < 0
                  || region.contains(earth.direct(from: centre, azimuth: azimuth, distance: near).point))
              #expect(
                far > 1.99e7
                  || !region.contains(earth.direct(from: centre, azimuth: azimuth, distance: far).point))
            }
          }
        }
      }
    }
  }

  /// The area of a circle is the integral of the reduced length over its radii; that of a region is Karney's, of geodesics.
  @Test(arguments: [1e5, 3e6, 9e6, 1.2e7, 1.9e7]) func areasOfCircles(radius: Double) throws {
    let ellipsoid = earth.ellipsoid
    for centre in [Point(x: 0, y: 0), Point(x: 170, y: 50), Point(x: 20, y: -90)] {
      let (directions, steps) = (180, 200)
      var expected = 0.0
      for index in 0..<directions {
        let line = earth.line(from: centre, azimuth: 360 * Double(index) / Double(directions))
        var sum = 0.0
        for step in 0...steps {
          let weight = step == 0 || step == steps ? 1.0 : step % 2 == 1 ? 4 : 2
          let s = radius * Double(step) / Double(steps)
          sum += weight * (s == 0 ? 0 : earth.inverse(from: centre, to: line.position(at: s).point).reducedLength)
        }
        expected += sum * radius / Double(steps) / 3 * 2 * .pi / Double(directions)
      }
      let deviation = 10.0
      let region = try GeodesicBuffer(earth, maximumDeviation: deviation).buffer(
        GeodesicFigure(points: [centre]), distance: radius)
      // Between straight edges, by the authalic latitude: the area below an edge is an integral over the longitude.
      var found = 0.0
      for ring in region.polygons.joined() {
        for (a, b) in zip(ring, ring.dropFirst()) {
          let parts = 8
          for part in 0..<parts {
            let u = (Double(part) + 0.5) / Double(parts)
            found -= (b.x - a.x) * .pi / 180 / Double(parts) * zone(a.y + u * (b.y - a.y), ellipsoid)
          }
        }
      }
      let outline = earth.inverse(from: centre, to: earth.direct(from: centre, azimuth: 90, distance: radius).point)
      let slack = 2 * .pi * outline.reducedLength * 1.01 * region.achievedDeviation + 1e-6 * expected
      #expect((found.magnitude - expected).magnitude < slack, "\(found) \(expected)")
    }
  }

  /// Square metres per radian of longitude from the equator to a latitude: Snyder, equation 3-12.
  private func zone(_ latitude: Double, _ ellipsoid: ReferenceEllipsoid) -> Double {
    let (e, s) = (ellipsoid.eccentricitySquared.squareRoot(), sin(latitude * .pi / 180))
    let b2 = ellipsoid.semiMinorAxis * ellipsoid.semiMinorAxis
    return b2 / 2 * (s / (1 - e * e * s * s) + atanh(e * s) / e)
  }

  @Test func whatCannotBeBufferedIsRefused() throws {
    let maker = GeodesicBuffer(earth, maximumDeviation: 10)
    for distance in [0, 1e-7, .nan, .infinity, 2e7, -2e7] {
      #expect(throws: EngineError.self) { try maker.buffer(at(0, 0), distance: distance) }
    }
    for place in [at(.nan, 0), at(0, 91), at(.infinity, 0), at(1e300, 0)] {
      #expect(throws: EngineError.self) { try maker.buffer(place, distance: 1) }
    }
    for deviation in [0, 1e-9, .nan, .infinity] {
      #expect(throws: EngineError.self) {
        try GeodesicBuffer(earth, maximumDeviation: deviation).buffer(at(0, 0), distance: 1)
      }
    }
    // Nothing in, nothing out; nor is anything left of points or of a polygon that is narrower than that.
    #expect(try maker.buffer(GeodesicFigure(), distance: 1).polygons.isEmpty)
    #expect(try maker.buffer(line(0, 0, 1, 1), distance: -1).polygons.isEmpty)
    let square = GeodesicFigure(polygons: [[path([0, 0, 1, 0, 1, 1, 0, 1])]])
    #expect(try maker.buffer(square, distance: -60_000).polygons.isEmpty)
    #expect(try maker.buffer(GeodesicFigure(lines: [[]], polygons: [[], [[]]]), distance: 1).polygons.isEmpty)
  }

  @Test func unwrappedRegionsHangTogether() throws {
    var maker = GeodesicBuffer(earth, maximumDeviation: 10)
    let figure = line(170, 10, -170, 12)
    #expect(try maker.buffer(figure, distance: 100_000).polygons.count == 2)
    maker.isSplit = false
    let whole = try maker.buffer(figure, distance: 100_000)
    #expect(whole.polygons.count == 1)
    #expect(Envelope(around: whole.polygons.joined().flatMap { $0 }).map { $0.xMax - $0.xMin < 23 } == true)
    // Far apart, near, and overlapping: as many polygons as there are heaps.
    let many = try maker.union([(at(179.9, 0), 50_000), (at(-179.9, 0), 50_000), (at(-170, 0), 10), (at(20, 0), 1000)])
    #expect(many.polygons.count == 3)
  }

  /// Lines anywhere, with ends on poles, the antimeridian and the equator, near each other and nearly antipodal.
  @Test func randomLines() throws {
    let rounds = getenv("ALIDADE_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 20
    var random = Random(state: 2026)
    for round in 0..<rounds {
      let longitudes: [Double] = [0, 180, -180, 90, 179.9999999, .random(in: -180...180, using: &random)]
      let latitudes: [Double] = [0, 90, -90, 89.99999, 45, -45, .random(in: -90...90, using: &random)]
      func corner() -> Point {
        Point(
          x: longitudes.randomElement(using: &random) ?? 0, y: latitudes.randomElement(using: &random) ?? 0)
      }
      var points = (0..<Int.random(in: 1...3, using: &random)).map { _ in corner() }
      let size = exp(Double.random(in: log(0.01)...log(1.99e7), using: &random))
      if Bool.random(using: &random), let last = points.last {
        let reaches: [Double] = [size, size / 2, 1e5]
        let away = reaches.randomElement(using: &random) ?? 1
        points.append(earth.direct(from: last, azimuth: .random(in: 0...360, using: &random), distance: away).point)
      }
      let figure = points.count == 1 ? GeodesicFigure(points: points) : GeodesicFigure(lines: [points])
      // Where the outline is nearly that of a quarter of a turn, it is replaced by many circles.
      let buffer = BufferCase("\(points), \(size) m", figure, size, size * (size > 5e6 ? 1e-3 : 0.02) + 1e-7)
      do {
        var maker = GeodesicBuffer(earth, maximumDeviation: buffer.deviation)
        maker.isSplit = round % 2 == 0
        let region = try maker.buffer(figure, distance: size)
        #expect(region.achievedDeviation <= buffer.deviation)
        _ = try compare(region, buffer, places: 60, seed: UInt64(round))
        if maker.isSplit { #expect(region.polygons.joined().joined().allSatisfy { $0.x.magnitude <= 180 }) }
      } catch {
        Issue.record("\(buffer.testDescription): \(error)")
      }
    }
  }
}

/// Polygons of geodesics that are smaller than a hemisphere, for points well away from their edges: winding by the sum
/// of the turns of the azimuths from a point to the corners.
struct GnomonicPolygons {
  let figure: GeodesicFigure

  func contains(_ place: Point) -> Bool {
    guard let geodesic = wgs84.map({ Geodesic(on: $0) }) else { return false }
    return figure.polygons.contains { rings in
      var inside = false
      for ring in rings {
        let ways = ring.map { geodesic.inverse(from: place, to: $0) }
        // From the far side a ring looks the same, turned about.
        if ways.allSatisfy({ $0.length > 1e7 }) { continue }
        var turn = 0.0
        for (a, b) in zip(ways, ways.dropFirst() + ways.prefix(1)) { turn += remainder(b.azimuth - a.azimuth, 360) }
        if turn.magnitude > 180 { inside.toggle() }
      }
      return inside
    }
  }
}
