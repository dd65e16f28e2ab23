import AlidadeBase
import Testing

@testable import AlidadeCoordinates

@Suite struct ProjectingTests {
  @Test func theFirstOfTheWorstVerticesIsNamed() {
    func part(_ rounding: Double, _ index: Int?) -> VertexReport {
      var report = VertexReport()
      (report.worstRounding, report.worstIndex) = (rounding, index)
      return report
    }
    let parts = [part(0.5, 900), part(0, nil), part(0.5, 20), part(0.25, 3), part(0.5, 400)]
    // Whichever thread is done first.
    for turn in parts.indices {
      var report = VertexReport()
      for index in parts.indices { report.merge(parts[(index + turn) % parts.count]) }
      #expect(report.worstRounding == 0.5 && report.worstIndex == 20)
    }
  }

  private let runtime = Runtime(options: RuntimeOptions())

  private func reference(_ code: Int32) throws -> SpatialReference {
    try SpatialReference.make(runtime: runtime, authority: "EPSG", code: code)
  }

  private func project(_ from: Int32, _ to: Int32, _ x: Double, _ y: Double) throws -> Point? {
    try Projector.between(try reference(from), try reference(to)).project(Point(x: x, y: y))
  }

  private func projected(_ points: [Point], by projector: Projector) throws -> [Point] {
    let array = try HeapArray<Point>(count: points.count)
    for (index, point) in points.enumerated() { array.buffer[index] = point }
    try projector.projectOnAllCores(array)
    return Array(array.buffer)
  }

  /// IOGP Publication 373-7-2, the worked example of each method.
  @Test func webMercatorExample() throws {
    // 24 22' 54.433" N, 100 20' 00.000" W
    let image = try #require(try project(4326, 3857, -(100 + 20.0 / 60), 24 + 22.0 / 60 + 54.433 / 3600))
    #expect((image.x - -11_169_055.58).magnitude < 0.01)
    #expect((image.y - 2_800_000.00).magnitude < 0.01)
  }

  @Test func transverseMercatorExample() throws {
    // 50 30' 00" N, 00 30' 00" E on OSGB36 to the British National Grid
    let image = try #require(try project(4277, 27700, 0.5, 50.5))
    #expect((image.x - 577_274.99).magnitude < 0.01)
    #expect((image.y - 69_740.50).magnitude < 0.01)
  }

  @Test func polesHaveNoImageInMercator() throws {
    #expect(try project(4326, 3857, 0, 90) == nil)
    #expect(try project(4326, 3857, 0, -90) == nil)
    #expect(try project(4326, 3857, 0, 89.999_999) != nil)
  }

  @Test func whatCannotBeProjectedIsNeverInfinite() throws {
    let projector = try Projector.between(try reference(4326), try reference(3857))
    for point in [Point(x: .nan, y: 0), Point(x: .infinity, y: 0), Point(x: 0, y: 95), Point(x: 1e308, y: 1e308)] {
      #expect(try projector.project(point) == nil)
    }
    let images = try projected([Point(x: 0, y: 0), Point(x: 0, y: 90), Point(x: .nan, y: 1)], by: projector)
    #expect(images[0] == Point(x: 0, y: 0))
    #expect(images[1].x.isNaN && images[1].y.isNaN)
    #expect(images[2].x.isNaN && images[2].y.isNaN)
  }

  @Test func sameReferenceChangesNoBit() throws {
    let projector = try Projector.between(try reference(3857), try reference(3857))
    #expect(projector.isIdentity)
    #expect(try projector.project(Point(x: 0.1, y: 1e14)) == Point(x: 0.1, y: 1e14))
  }

  @Test func manyPointsAreProjectedLikeOne() throws {
    let projector = try Projector.between(try reference(4326), try reference(32633))
    let points = (0..<30_000).map { Point(x: 9 + Double($0 % 173) * 0.07, y: Double($0 % 331) * 0.25) }
    let images = try projected(points, by: projector)
    for index in stride(from: 0, to: points.count, by: 997) {
      #expect(try projector.project(points[index]) == images[index])
    }
  }

  @Test func factsOfCodes() throws {
    let feet = try reference(2263)
    #expect(feet.kind == .projected)
    #expect(feet.unitName == "US survey foot")
    // 1200 / 3937 m, by definition.
    #expect((feet.metresPerUnit - 1200.0 / 3937).magnitude < 1e-15)
    let world = try reference(4326)
    #expect(world.kind == .geographic)
    #expect(world.semiMajorAxis == 6_378_137)
    #expect((world.metresPerUnit - 6_378_137 * Double.pi / 180).magnitude < 1e-9)
    #expect(world.authority == "EPSG" && world.code == "4326")
  }

  @Test func wktComesBackAsTheSameReference() throws {
    for code: Int32 in [4326, 3857, 27700, 2263, 32601, 3035] {
      let original = try reference(code)
      let again = try SpatialReference.make(runtime: runtime, wkt: original.wkt)
      #expect(try again.isEquivalent(to: original))
    }
    #expect(try !reference(4326).isEquivalent(to: try reference(4277)))
    #expect(try !reference(32601).isEquivalent(to: try reference(32602)))
  }

  private func status(_ body: () throws(EngineError) -> SpatialReference) -> Status? {
    do throws(EngineError) {
      _ = try body()
      return nil
    } catch {
      return error.status
    }
  }

  @Test func refusesWhatIsNoMapReference() {
    #expect(
      status { () throws(EngineError) in try .make(runtime: runtime, authority: "EPSG", code: 99999) } == .notFound)
    #expect(status { () throws(EngineError) in try .make(runtime: runtime, authority: "EPSG", code: -1) } == .notFound)
    // Geocentric, vertical.
    #expect(
      status { () throws(EngineError) in try .make(runtime: runtime, authority: "EPSG", code: 4978) } == .unsupported)
    #expect(
      status { () throws(EngineError) in try .make(runtime: runtime, authority: "EPSG", code: 5773) } == .unsupported)
    #expect(status { () throws(EngineError) in try .make(runtime: runtime, wkt: "PROJCS[") } == .invalidArgument)
    #expect(status { () throws(EngineError) in try .make(runtime: runtime, wkt: "") } == .invalidArgument)
  }

  @Test(arguments: [("1e-300", "1"), ("1e-12", "1"), ("1e300", "1"), ("1", "1e300"), ("1", "1e-200")])
  func unitsThatNoViewCanReckonWithAreRefused(metres: String, radians: String) {
    let geographic =
      "GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6378137,298]],PRIMEM[\"p\",0],UNIT[\"u\",\(radians)]]"
    let projected =
      "PROJCS[\"p\",\(geographic),PROJECTION[\"Mercator_1SP\"],PARAMETER[\"central_meridian\",0],"
      + "PARAMETER[\"scale_factor\",1],UNIT[\"v\",\(metres)]]"
    let wkt = metres == "1" ? geographic : projected
    #expect(status { () throws(EngineError) in try .make(runtime: runtime, wkt: wkt) } == .unsupported)
  }

  @Test func compoundReferencesUseTheirHorizontalPart() throws {
    // NAD83 + NAVD88 height
    let compound = try reference(5498)
    #expect(compound.kind == .geographic)
    #expect(try Projector.between(compound, try reference(4269)).isIdentity)
  }

  @Test func ballparkIsReported() throws {
    // A sphere without a known relation to WGS 84.
    let sphere = try SpatialReference.make(
      runtime: runtime,
      wkt: """
        GEOGCS["sphere",DATUM["unknown",SPHEROID["sphere",6371007.181,0]],PRIMEM["Greenwich",0],\
        UNIT["degree",0.0174532925199433]]
        """)
    let place = Point(x: 10, y: 50)
    #expect(try Projector.between(sphere, try reference(4326)).describe(at: place).isBallpark)
    let known = try Projector.between(try reference(27700), try reference(4326)).describe(
      at: Point(x: 400_000, y: 300_000))
    #expect(!known.isBallpark)
    #expect(known.accuracy > 0 && known.accuracy < 30)
  }

  @Test func missingDatabaseIsNamed() {
    var options = RuntimeOptions()
    options.projDirectory = "/nonexistent-folder"
    let runtime = Runtime(options: options)
    do throws(EngineError) {
      try Coordinates.prepare(runtime)
      Issue.record("proj.db was found in a folder that does not exist")
    } catch {
      #expect(error.status == .notFound)
      #expect(error.message.contains("proj.db") && error.message.contains("/nonexistent-folder"))
    }
  }
}
