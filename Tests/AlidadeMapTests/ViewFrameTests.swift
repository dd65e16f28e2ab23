import AlidadeBase
import AlidadeCoordinates
import Testing

@testable import AlidadeMap

@Suite struct ViewFrameTests {
  private let runtime: Runtime

  init() throws { runtime = try Engine.makeRuntime() }

  private func view(_ code: Int32 = 3857) throws -> MapView {
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: code)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    return view
  }

  @Test func quarterTurnsAreExact() {
    let expected: [(Double, Double)] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    for turn in -8...8 {
      let (sine, cosine) = sineAndCosine(degrees: Double(turn) * 90)
      let want = expected[((turn % 4) + 4) % 4]
      #expect(sine == want.0 && cosine == want.1)
    }
    // sin 30 = 1/2, cos 60 = 1/2, and the circle.
    #expect((sineAndCosine(degrees: 30).sine - 0.5).magnitude < 1e-16)
    #expect((sineAndCosine(degrees: 300).cosine - 0.5).magnitude < 2e-16)
    #expect((sineAndCosine(degrees: 225).sine + 0.5.squareRoot()).magnitude < 2e-16)
  }

  @Test func atNinetyEastIsUp() throws {
    let view = try view()
    try view.setViewpoint(Viewpoint(center: Point(x: 1000, y: 2000), scale: 96 / 0.0254, rotation: 90))
    let frame = try view.frame()
    // One metre per DIP at this scale.
    #expect((frame.unitsPerDip - 1).magnitude < 1e-12)
    let up = frame.mapPoint(Point(x: 400, y: 200))
    #expect((up.x - 1100).magnitude < 1e-9 && (up.y - 2000).magnitude < 1e-9)
    let right = frame.mapPoint(Point(x: 500, y: 300))
    #expect((right.x - 1000).magnitude < 1e-9 && (right.y - 1900).magnitude < 1e-9)
  }

  @Test func degreesCountAsArcOnTheEquator() throws {
    let view = try view(4326)
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1e6))
    let metres = try view.frame().unitsPerDip * 6_378_137 * Double.pi / 180
    #expect((metres - 1e6 * 0.0254 / 96).magnitude < 1e-9)
  }

  @Test func insetsMoveTheCentre() throws {
    let view = try view()
    try view.setViewpoint(Viewpoint(center: Point(x: 10, y: 20), scale: 1e5))
    try view.setInsets(Insets(top: 100, left: 200))
    let frame = try view.frame()
    #expect(frame.anchor == Point(x: 500, y: 350))
    #expect(frame.mapPoint(frame.anchor) == Point(x: 10, y: 20))
    #expect(frame.screenPoint(Point(x: 10, y: 20)) == frame.anchor)
    #expect(throws: EngineError.self) { try view.setInsets(Insets(right: 300, left: 500)) }
    #expect(throws: EngineError.self) { try view.setSize(width: 150, height: 600, pixelDensity: 1) }
    #expect(try view.frame().generation == frame.generation)
  }

  @Test func whatIsTooFarAwayIsNaN() throws {
    let view = try view()
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1e15, rotation: 30))
    let frame = try view.frame()
    let far = Double.greatestFiniteMagnitude
    for point in [Point(x: far, y: 0), Point(x: -far, y: far), Point(x: 0, y: .infinity), .nan] {
      let image = frame.mapPoint(point)
      #expect(image.x.isNaN && image.y.isNaN)
    }
    try view.setViewpoint(Viewpoint(scale: 1e-6))
    for point in [Point(x: far, y: 0), Point(x: 0, y: -far), Point(x: -.infinity, y: 0), .nan] {
      let image = try view.frame().screenPoint(point)
      #expect(image.x.isNaN && image.y.isNaN)
    }
    // 1e290 metres are far, and have a position on this screen: 1e290 / 2.6e-10 DIP.
    let place = try view.frame().screenPoint(Point(x: 1e290, y: 0))
    #expect(place.x.isFinite && place.y.isFinite)
  }

  @Test func saysWhatIsMissing() throws {
    func message(_ view: MapView) -> String {
      do throws(EngineError) {
        _ = try view.frame()
        return ""
      } catch {
        return error.status == .notReady ? error.message : "another status"
      }
    }
    let empty = MapView(map: Map(runtime: runtime))
    #expect(message(empty).contains("spatial reference"))
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 3857)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    #expect(message(view).contains("size"))
    try view.setSize(width: 10, height: 10, pixelDensity: 1)
    #expect(message(view).contains("centre"))
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0)))
    #expect(message(view).contains("scale"))
    try view.setViewpoint(Viewpoint(scale: 1000))
    #expect(message(view).isEmpty)
  }

  @Test func takesTheMapsInitialViewpoint() throws {
    let view = try view()
    try view.map.setInitialViewpoint(InitialViewpoint(latitude: 0, longitude: 180, scale: 1_155_000))
    let frame = try view.frame()
    // Half the equator of the sphere.
    #expect((frame.center.x - 6_378_137 * Double.pi).magnitude < 1e-6)
    #expect(frame.scale == 1_155_000)
    #expect(throws: EngineError.self) {
      try view.map.setInitialViewpoint(InitialViewpoint(latitude: 90, longitude: 0, scale: 1000))
    }
    try view.map.setInitialViewpoint(InitialViewpoint(latitude: 10, longitude: 10, scale: 1000))
    #expect(try view.frame().scale == 1_155_000)  // a view that has a viewpoint keeps it
  }

  @Test func rotationIsNormalised() throws {
    let view = try view()
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1000))
    for (given, want) in [(-90.0, 270.0), (720, 0), (359.5, 359.5), (-1e-300, 0), (-0.0, 0), (1e300, nil)] {
      try view.setViewpoint(Viewpoint(rotation: given))
      let rotation = try view.frame().rotation
      #expect(rotation >= 0 && rotation < 360 && rotation.sign == .plus)
      if let want { #expect(rotation == want) }
    }
  }

  @Test func aFailedMoveLeavesTheViewAlone() throws {
    let view = try view()
    try view.setViewpoint(Viewpoint(center: Point(x: 1, y: 2), scale: 1000, rotation: 3))
    let before = try view.frame()
    let world = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
    for bad in [
      Viewpoint(center: Point(x: .nan, y: 0)), Viewpoint(scale: 0), Viewpoint(scale: .infinity),
      Viewpoint(scale: 1e16), Viewpoint(rotation: .nan),
      Viewpoint(center: Point(x: 0, y: 90), spatialReference: world, scale: 5),
    ] {
      #expect(throws: EngineError.self) { try view.setViewpoint(bad) }
    }
    let after = try view.frame()
    #expect(after.center == before.center && after.scale == before.scale && after.generation == before.generation)
  }

  @Test func gridsAreCompleted() throws {
    let view = try view()
    try view.setSize(width: 100.4, height: 50, pixelDensity: 2)
    let whole = try view.completed(ScreenGrid())
    #expect(whole.columns == 201 && whole.rows == 100 && whole.width == 100.4)
    var grid = ScreenGrid()
    grid.columns = 3
    #expect(throws: EngineError.self) { try view.completed(grid) }
    grid.rows = 2
    #expect(try view.completed(grid).point(column: 0, row: 0) == Point(x: 0.5 * (100.4 / 3), y: 12.5))
    grid.left = 5
    #expect(throws: EngineError.self) { try view.completed(grid) }
    grid.width = .nan
    #expect(throws: EngineError.self) { try view.completed(grid) }
  }
}
