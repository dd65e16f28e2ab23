import AlidadeBase
import AlidadeCoordinates
import Glibc
import Testing

@testable import AlidadeMap

/// A navigator with a camera of its own, and without a view.
struct NavigationScene {
  var navigator = Navigator()
  var stage: NavigationStage
  /// The notes of each kind, and every note in its order.
  private(set) var notes: [NavigationEvent] = []

  init(
    _ constraints: CameraConstraints = .none,
    camera: Camera = Camera(center: Point(x: 1000, y: 2000), scale: 96 / 0.0254)
  ) {
    // One map unit per DIP.
    stage = NavigationStage(
      camera: camera, viewport: Viewport(width: 800, height: 600, metresPerUnit: 1), constraints: constraints)
  }

  mutating func drain() {
    navigator.keepLimits(on: &stage)
    notes += navigator.notes
    navigator.notes.removeAll(keepingCapacity: true)
  }

  mutating func touch(_ id: UInt64, _ phase: TouchPhase, _ x: Double, _ y: Double, _ time: Double) {
    navigator.touch(id, phase, at: Point(x: x, y: y), time: time, on: &stage)
    drain()
  }

  mutating func advance(_ seconds: Double) {
    navigator.advance(seconds, on: &stage)
    drain()
  }

  mutating func rest() { for _ in 0..<200 { advance(0.05) } }

  mutating func set(_ body: (inout InteractionOptions) -> Void) {
    var options = navigator.options
    body(&options)
    navigator.set(options)
    drain()
  }

  func mapPoint(_ x: Double, _ y: Double) -> Point {
    stage.camera.transform(in: stage.viewport).mapPoint(Point(x: x, y: y))
  }

  func screenPoint(_ map: Point) -> Point { stage.camera.transform(in: stage.viewport).screenPoint(map) }

  var kinds: [NavigationEvent.Kind] { notes.map(\.kind) }
}

private func near(_ a: Point, _ x: Double, _ y: Double) -> Bool {
  (a.x - x).magnitude < 1e-6 && (a.y - y).magnitude < 1e-6
}

@Suite struct NavigatorTests {
  @Test func aDragHoldsWhatLayUnderTheFinger() {
    var scene = NavigationScene()
    let held = scene.mapPoint(300, 200)
    scene.touch(7, .began, 300, 200, 10)
    scene.touch(7, .moved, 305, 203, 10.02)
    // Within the slop nothing moves.
    #expect(scene.stage.camera.center == Point(x: 1000, y: 2000) && scene.notes.isEmpty)
    scene.touch(7, .moved, 340, 260, 10.04)
    #expect(near(scene.screenPoint(held), 340, 260))
    // It rests before it leaves: no inertia.
    scene.touch(7, .ended, 340, 260, 10.5)
    #expect(scene.kinds == [.began, .didEndPanning, .ended])
    #expect(scene.notes.allSatisfy { $0.cause == .gesture && $0.gesture == .drag && !$0.isInterrupted })
    // 40 right and 60 down: the view goes 40 west and 60 north.
    #expect(near(scene.stage.camera.center, 960, 2060))
    #expect(scene.navigator.session == nil && !scene.navigator.isActive)
  }

  @Test func aFlingGoesAsFarAsItsSpeedSays() {
    for steps in [1, 7, 400] {
      var scene = NavigationScene()
      scene.touch(1, .began, 100, 300, 0)
      for step in 1...20 { scene.touch(1, .moved, 100 + 10 * Double(step), 300, 0.01 * Double(step)) }
      scene.touch(1, .ended, 300, 300, 0.2)
      // 1000 DIP/s. Until the speed is 20 DIP/s the way is (v - 20) / k.
      for _ in 0..<steps { scene.advance(10.0 / Double(steps)) }
      let way = (1000.0 - 20) / 2.002
      #expect((scene.stage.camera.center.x - (1000 - 200 - way)).magnitude < 1e-6)
      #expect(scene.kinds == [.began, .didEndPanning, .ended])
      #expect(scene.notes.last?.isInterrupted == false)
    }
  }

  @Test func aFlingEndsAtItsOwnSideOfTheExtent() {
    // A world that repeats itself, and insets to one side: what can be seen is not around the centre.
    let world = 2 * 20_037_508.342789244
    let extent = Envelope(xMin: -0.45 * world, yMin: -0.4 * world, xMax: 0.45 * world, yMax: 0.4 * world)
    for (insets, anchor) in [(Insets(right: 300), 250.0), (Insets(left: 300), 550)] {
      for (speed, end) in [(-4000.0, 0.45 - 0.45 * (800 - anchor) / 800), (4000, -0.45 + 0.45 * anchor / 800)] {
        var scene = NavigationScene()
        scene.stage = NavigationStage(
          camera: Camera(center: Point(x: 0, y: 0), scale: 0.45 * world / 800 * 96 / 0.0254),
          viewport: Viewport(width: 800, height: 600, insets: insets, metresPerUnit: 1, worldWidth: world),
          constraints: CameraConstraints(maxExtent: extent))
        var swipe = Gesture(.swipe, .atOnce, at: Point(x: 400, y: 300))
        swipe.velocity = Point(x: speed, y: 0)
        scene.navigator.take(swipe, from: .host, on: &scene.stage)
        scene.rest()
        #expect((scene.stage.camera.center.x / world - end).magnitude < 1e-9)
      }
    }
  }

  @Test func aFingerStopsAFling() {
    var scene = NavigationScene()
    scene.touch(1, .began, 100, 300, 0)
    for step in 1...20 { scene.touch(1, .moved, 100 + 10 * Double(step), 300, 0.01 * Double(step)) }
    scene.touch(1, .ended, 300, 300, 0.2)
    scene.advance(0.1)
    let camera = scene.stage.camera
    scene.touch(2, .began, 10, 10, 0.3)
    #expect(scene.kinds == [.began, .didEndPanning, .ended] && scene.notes.last?.isInterrupted == true)
    scene.rest()
    #expect(scene.stage.camera == camera)
  }

  @Test func aPinchHoldsBothFingers() {
    var scene = NavigationScene()
    scene.set { $0.switches = .twist }
    let (a, b) = (scene.mapPoint(300, 300), scene.mapPoint(500, 300))
    scene.touch(1, .began, 300, 300, 0)
    scene.touch(2, .began, 500, 300, 0)
    scene.touch(1, .moved, 250, 200, 0.1)
    scene.touch(2, .moved, 620, 390, 0.1)
    #expect(near(scene.screenPoint(a), 250, 200) && near(scene.screenPoint(b), 620, 390))
    scene.touch(1, .ended, 250, 200, 0.3)
    scene.touch(2, .ended, 620, 390, 0.6)
    scene.rest()
    #expect(scene.kinds == [.began, .didEndZooming, .didEndRotating, .ended])
    #expect(scene.notes.first?.gesture == .pinch)
  }

  @Test func fingersThatTurnWhileTheySpreadStayOnTheirPoints() {
    var scene = NavigationScene()
    scene.set { $0.switches = .twist }
    let (a, b) = (scene.mapPoint(380, 300), scene.mapPoint(420, 300))
    scene.touch(1, .began, 380, 300, 0)
    scene.touch(2, .began, 420, 300, 0)
    // By 20 degrees, of which 7 DIP are seen at the distance in the beginning, and 104 at that in the end.
    for step in 1...10 {
      let (radius, angle) = (20 + 28 * Double(step), Double(step) * 2 * .pi / 180)
      let (x, y) = (radius * cos(angle), radius * sin(angle))
      scene.touch(1, .moved, 400 - x, 300 - y, Double(step) * 0.016)
      scene.touch(2, .moved, 400 + x, 300 + y, Double(step) * 0.016)
      guard step == 10 else { continue }
      #expect(near(scene.screenPoint(a), 400 - x, 300 - y) && near(scene.screenPoint(b), 400 + x, 300 + y))
    }
  }

  @Test func aPinchWithoutTwistKeepsItsMiddle() {
    var scene = NavigationScene()
    let middle = scene.mapPoint(400, 300)
    scene.touch(1, .began, 300, 300, 0)
    scene.touch(2, .began, 500, 300, 0)
    scene.touch(1, .moved, 300, 200, 0.1)
    scene.touch(2, .moved, 500, 400, 0.1)
    #expect(near(scene.screenPoint(middle), 400, 300) && scene.stage.camera.rotation == 0)
    // 200 apart, then 200 * sqrt 2.
    #expect((scene.stage.camera.scale / (96 / 0.0254) - 0.5.squareRoot()).magnitude < 1e-12)
  }

  @Test func aTwistTurnsAndSnaps() {
    for (degrees, end) in [(20.0, 340.0), (6.0, 0.0)] {
      var scene = NavigationScene()
      scene.set { $0.switches = .twist }
      scene.touch(1, .began, 200, 300, 0)
      scene.touch(2, .began, 600, 300, 0)
      var (dx, dy) = (0.0, 0.0)
      for step in 1...20 {
        let angle = degrees * .pi / 180 * Double(step) / 20
        (dx, dy) = (200 * cos(angle), 200 * sin(angle))
        scene.touch(1, .moved, 400 - dx, 300 - dy, 0.1)
        scene.touch(2, .moved, 400 + dx, 300 + dy, 0.1)
      }
      // Fingers that turn clockwise take the map along.
      #expect((scene.stage.camera.rotation - (360 - degrees)).magnitude < 1e-9)
      scene.touch(2, .ended, 400 + dx, 300 + dy, 0.5)
      scene.touch(1, .ended, 400 - dx, 300 - dy, 0.5)
      scene.rest()
      #expect((scene.stage.camera.rotation - end).magnitude < 1e-9)
      #expect(scene.kinds == [.began, .didEndRotating, .ended] && scene.notes.first?.gesture == .twist)
      #expect(scene.stage.camera.scale == 96 / 0.0254)
    }
  }

  @Test func tapsAreToldApart() {
    var scene = NavigationScene()
    func told(_ scene: NavigationScene) -> [GestureKind?] {
      scene.notes.filter { $0.kind == .gesture }.map(\.gesture)
    }
    scene.touch(1, .began, 100, 100, 0)
    scene.touch(1, .ended, 101, 100, 0.1)
    #expect(told(scene) == [.tap])
    scene.advance(0.2)
    #expect(told(scene) == [.tap])
    scene.advance(0.2)
    #expect(told(scene) == [.tap, .singleTap] && scene.notes.last?.screen == Point(x: 101, y: 100))
    #expect(scene.notes.last?.map == Point(x: 701, y: 2200))
    #expect(!scene.navigator.isActive)

    scene = NavigationScene()
    scene.touch(1, .began, 100, 100, 0)
    scene.touch(1, .ended, 100, 100, 0.1)
    scene.touch(1, .began, 110, 100, 0.25)
    scene.touch(1, .ended, 110, 100, 0.3)
    #expect(told(scene) == [.tap, .doubleTap])
    let held = scene.mapPoint(110, 100)
    scene.rest()
    #expect(near(scene.screenPoint(held), 110, 100) && scene.stage.camera.scale == 96 / 0.0254 / 2)
    #expect(scene.kinds.suffix(3) == [.began, .didEndZooming, .ended])

    scene = NavigationScene()
    scene.touch(1, .began, 100, 100, 0)
    scene.touch(2, .began, 300, 200, 0.05)
    scene.touch(1, .ended, 100, 100, 0.1)
    scene.touch(2, .ended, 300, 200, 0.15)
    #expect(told(scene) == [.twoFingerTap] && scene.notes.first?.screen == Point(x: 200, y: 150))
    scene.rest()
    #expect(scene.stage.camera.scale == 96 / 0.0254 * 2)
  }

  @Test func aLongPressIsDraggedAndPansNothing() {
    var scene = NavigationScene()
    scene.touch(1, .began, 100, 100, 5)
    scene.advance(0.49)
    #expect(scene.notes.isEmpty)
    scene.advance(0.02)
    scene.touch(1, .moved, 200, 150, 5.6)
    scene.touch(1, .ended, 210, 150, 5.7)
    #expect(scene.notes.map(\.phase) == [.began, .changed, .changed, .ended])
    #expect(scene.notes.allSatisfy { $0.kind == .gesture && $0.gesture == .longPress })
    #expect(scene.stage.camera.center == Point(x: 1000, y: 2000))
  }

  @Test func oneFingerZooms() {
    var scene = NavigationScene()
    let held = scene.mapPoint(100, 100)
    scene.touch(1, .began, 100, 100, 0)
    scene.touch(1, .ended, 100, 100, 0.05)
    scene.touch(1, .began, 100, 100, 0.2)
    scene.touch(1, .moved, 100, 228, 0.4)
    #expect(near(scene.screenPoint(held), 100, 100))
    #expect((scene.stage.camera.scale * 2 - 96 / 0.0254).magnitude < 1e-9)
    scene.touch(1, .ended, 100, 228, 0.5)
    #expect(scene.kinds.suffix(3) == [.began, .didEndZooming, .ended])
    #expect(scene.notes.last?.gesture == .oneFingerZoom)
  }

  @Test func aWheelIsOneGestureUntilItRests() {
    var scene = NavigationScene()
    let held = scene.mapPoint(700, 500)
    for _ in 0..<3 {
      scene.navigator.wheel(1, at: Point(x: 700, y: 500), on: &scene.stage)
      scene.advance(0.1)
    }
    #expect(scene.kinds == [.began])
    #expect(near(scene.screenPoint(held), 700, 500))
    #expect((scene.stage.camera.scale * 8 - 96 / 0.0254).magnitude < 1e-9)
    scene.advance(0.15)
    #expect(scene.kinds == [.began, .didEndZooming, .ended] && scene.notes.last?.isInterrupted == false)
  }

  @Test func keysAddUp() {
    var scene = NavigationScene()
    scene.navigator.press(.right, on: scene.stage)
    scene.advance(0.1)
    scene.navigator.press(.right, on: scene.stage)
    scene.navigator.press(.zoomIn, on: scene.stage)
    scene.rest()
    #expect(scene.kinds == [.began, .didEndZooming, .ended])
    #expect(scene.stage.camera.scale == 96 / 0.0254 / 2)
    scene = NavigationScene()
    scene.navigator.press(.right, on: scene.stage)
    scene.advance(0.1)
    scene.navigator.press(.up, on: scene.stage)
    scene.rest()
    #expect(near(scene.stage.camera.center, 1100, 2100))
    #expect(scene.kinds == [.began, .didEndPanning, .ended])
  }

  @Test func withoutPanningZoomIsAboutTheCentre() {
    var scene = NavigationScene()
    scene.set { $0.switches = .noPan }
    scene.navigator.wheel(2, at: Point(x: 10, y: 10), on: &scene.stage)
    scene.touch(1, .began, 300, 300, 0)
    scene.touch(2, .began, 500, 300, 0)
    scene.touch(1, .moved, 200, 250, 0.1)
    scene.touch(1, .ended, 200, 250, 0.2)
    scene.touch(2, .ended, 500, 300, 0.3)
    scene.touch(1, .began, 300, 300, 1)
    scene.touch(1, .moved, 500, 300, 1.1)
    scene.touch(1, .ended, 500, 300, 1.1)
    scene.rest()
    #expect(scene.stage.camera.center == Point(x: 1000, y: 2000) && scene.stage.camera.scale < 96 / 0.0254 / 4)
  }

  @Test func aCallInterruptsAndTheFingerGoesOn() {
    var scene = NavigationScene()
    scene.touch(1, .began, 300, 300, 0)
    scene.touch(1, .moved, 400, 300, 0.1)
    let before = scene.stage.camera
    scene.stage.camera = Camera(center: Point(x: 50_000, y: 0), scale: 1000)
    scene.navigator.jumped(from: before, to: scene.stage.camera)
    scene.drain()
    let held = scene.mapPoint(400, 300)
    scene.touch(1, .moved, 450, 320, 0.2)
    #expect(near(scene.screenPoint(held), 450, 320))
    scene.touch(1, .ended, 450, 320, 1)
    #expect(
      scene.kinds == [
        .began, .didEndPanning, .ended, .began, .didEndZooming, .ended, .began, .didEndPanning, .ended,
      ])
    #expect(scene.notes[2].isInterrupted && !scene.notes[5].isInterrupted && scene.notes[5].cause == .call)
  }
}
