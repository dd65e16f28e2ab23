import AlidadeBase
import AlidadeCoordinates
import Testing

@testable import AlidadeMap

@Suite struct CameraConstraintsTests {
  private let viewport = Viewport(width: 800, height: 600, insets: Insets(bottom: 100, left: 50), metresPerUnit: 1)
  private let extent = Envelope(xMin: 100_000, yMin: 200_000, xMax: 150_000, yMax: 220_000)

  private func camera(_ dice: inout Dice) -> Camera {
    Camera(
      center: Point(x: dice.number(0...250_000), y: dice.number(100_000...320_000)), scale: dice.number(10...1e6),
      rotation: dice.number(0...360))
  }

  @Test func scalesStopAtBothEnds() {
    let constraints = CameraConstraints(minScale: 1e6, maxScale: 1e3)
    let middle = Point(x: 0, y: 0)
    func clamp(_ scale: Double) -> (camera: Camera, clamps: CameraClamps) {
      constraints.clamped(Camera(center: middle, scale: scale), in: viewport)
    }
    #expect(clamp(2e6).camera.scale == 1e6 && clamp(2e6).clamps == .minScale)
    #expect(clamp(10).camera.scale == 1e3 && clamp(10).clamps == .maxScale)
    // Both ends are allowed.
    for scale in [1e3, 5e4, 1e6] { #expect(clamp(scale).camera.scale == scale && clamp(scale).clamps == []) }
    #expect(clamp(2e6).camera.center == middle)
  }

  @Test func theFingerKeepsItsPlaceWhenTheScaleStops() {
    let constraints = CameraConstraints(minScale: 1e6)
    let camera = Camera(center: Point(x: 5, y: 6), scale: 4e6, rotation: 40)
    let finger = Point(x: 700, y: 20)
    let held = camera.transform(in: viewport).mapPoint(finger)
    let clamped = constraints.clamped(camera, in: viewport, about: finger).camera
    let shown = clamped.transform(in: viewport).screenPoint(held)
    #expect((shown.x - 700).magnitude < 1e-9 && (shown.y - 20).magnitude < 1e-9)
  }

  @Test func nothingOutsideOfTheExtentIsShown() {
    var dice = Dice(seed: 2)
    let constraints = CameraConstraints(maxExtent: extent)
    var seen: CameraClamps = []
    for _ in 0..<20_000 {
      let camera = camera(&dice)
      let (clamped, clamps) = constraints.clamped(camera, in: viewport)
      for corner in clamped.visibleArea(in: viewport) {
        #expect(corner.x > extent.xMin - 1e-9 && corner.x < extent.xMax + 1e-9)
        #expect(corner.y > extent.yMin - 1e-9 && corner.y < extent.yMax + 1e-9)
      }
      let again = constraints.clamped(clamped, in: viewport)
      #expect(again.camera == clamped && again.clamps == [])
      #expect((clamped == camera) == clamps.isEmpty)
      seen.formUnion(clamps)
    }
    #expect(seen == [.extentScale, .extentX, .extentY])
  }

  @Test func orOnlyTheCentreStaysInside() {
    var dice = Dice(seed: 3)
    let constraints = CameraConstraints(maxExtent: extent, extentRule: .center)
    for _ in 0..<5_000 {
      let camera = camera(&dice)
      let (clamped, clamps) = constraints.clamped(camera, in: viewport)
      // The nearest point of a box.
      let x = min(max(camera.center.x, extent.xMin), extent.xMax)
      let y = min(max(camera.center.y, extent.yMin), extent.yMax)
      #expect(clamped.center == Point(x: x, y: y) && clamped.scale == camera.scale)
      #expect(clamps.contains(.extentX) == (x != camera.center.x))
      #expect(clamps.contains(.extentY) == (y != camera.center.y))
    }
  }

  @Test func aLockedRotationStays() {
    let constraints = CameraConstraints(lockedRotation: -30)
    let turned = constraints.clamped(Camera(center: Point(x: 1, y: 2), scale: 10, rotation: 77), in: viewport)
    #expect(turned.camera.rotation == 330 && turned.clamps == .rotation && turned.camera.center == Point(x: 1, y: 2))
  }

  @Test func whereTheExtentIsTooSmallItsMiddleIsShown() {
    let constraints = CameraConstraints(maxScale: 1e6, maxExtent: extent)
    let (clamped, clamps) = constraints.clamped(Camera(center: Point(x: 0, y: 0), scale: 1e6), in: viewport)
    #expect(clamped.scale == 1e6 && clamps.contains([.maxScale, .extentX, .extentY]))
    let middle = clamped.transform(in: viewport).mapPoint(Point(x: 400, y: 300))
    #expect((middle.x - 125_000).magnitude < 1e-6 && (middle.y - 210_000).magnitude < 1e-6)
  }

  @Test func aWorldThatGoesAroundHasNoEndInX() {
    let world = 360.0
    let round = Viewport(width: 800, height: 600, metresPerUnit: 111_319.49, worldWidth: world)
    let constraints = CameraConstraints(maxExtent: Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90))
    let camera = Camera(center: Point(x: 500, y: 0), scale: 1e7)
    #expect(constraints.clamped(camera, in: round).camera == camera)
    // An extent across the antimeridian holds the points of all copies.
    let pacific = CameraConstraints(
      maxExtent: Envelope(xMin: 150, yMin: -90, xMax: 210, yMax: 90), extentRule: .center)
    let samoa = pacific.clamped(Camera(center: Point(x: -172, y: -14), scale: 1e7), in: round)
    #expect(samoa.camera.center == Point(x: 188, y: -14) && samoa.clamps == [])
  }

  @Test func impossibleConstraintsAreRefused() throws {
    let bad = [
      CameraConstraints(minScale: 10, maxScale: 20), CameraConstraints(minScale: 0), CameraConstraints(maxScale: .nan),
      CameraConstraints(maxExtent: Envelope(xMin: 1, yMin: 0, xMax: 1, yMax: 2)),
      CameraConstraints(maxExtent: Envelope(xMin: .nan, yMin: 0, xMax: 1, yMax: 2)),
      CameraConstraints(maxExtent: Envelope(xMin: -1e308, yMin: 0, xMax: 1e308, yMax: 2)),
      CameraConstraints(lockedRotation: .infinity),
    ]
    for constraints in bad { #expect(throws: EngineError.self) { try constraints.check() } }
    try CameraConstraints(minScale: 20, maxScale: 20).check()
  }

  @Test func viewsKeepToThem() throws {
    let runtime = try Engine.makeRuntime()
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 3857)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    try view.setConstraints(CameraConstraints(minScale: 1e6, maxExtent: extent))
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1e9))
    // Only now the view is complete.
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    let corners = try view.frame().visibleArea
    #expect(corners.allSatisfy { $0.x > 99_999 && $0.x < 150_001 && $0.y > 199_999 && $0.y < 220_001 })
    let generation = try view.frame().generation
    let moved = try view.move(to: try view.frame().camera)
    #expect(try view.frame().generation == generation)
    #expect(moved.clamps == [])
    try view.setSize(width: 200, height: 100, pixelDensity: 1)
    #expect(try view.frame().visibleArea.allSatisfy { $0.x > 99_999 && $0.x < 150_001 })
  }
}
