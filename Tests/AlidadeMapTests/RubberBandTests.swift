import AlidadeBase
import AlidadeCoordinates
import Glibc
import Testing

@testable import AlidadeMap

/// One map unit is a DIP at the beginning, and 800 x 600 are shown.
@Suite struct RubberBandTests {
  private let extent = Envelope(xMin: 0, yMin: 0, xMax: 2000, yMax: 4000)

  private func scene(_ change: (inout CameraConstraints) -> Void = { _ in }) -> NavigationScene {
    var limits = CameraConstraints(maxExtent: extent, isElastic: true)
    change(&limits)
    return NavigationScene(limits)
  }

  /// UIScrollView's rule: x c d / (d + c x), with c = 0.55.
  private func stretch(_ pull: Double, _ reach: Double) -> Double { pull * 0.55 * reach / (reach + 0.55 * pull) }

  /// At the western edge: a DIP is a map unit but for an ulp.
  private func isAtEdge(_ scene: NavigationScene) -> Bool {
    let camera = scene.stage.camera
    return (camera.center.x - 400).magnitude < 1e-9
      && scene.stage.constraints.clamped(camera, in: scene.stage.viewport).camera == camera
  }

  @Test func aDragPastTheEdgeFollowsLessAndLess() {
    var scene = scene()
    // 600 units are free to the west of what is shown.
    scene.touch(1, .began, 100, 300, 0)
    scene.touch(1, .moved, 650, 300, 0.1)
    #expect((scene.stage.camera.center.x - 450).magnitude < 1e-9)
    var last = 400.0
    for pull in [1.0, 10, 100, 300, 1e3, 1e5] {
      scene.touch(1, .moved, 700 + pull, 300, 0.2)
      let x = scene.stage.camera.center.x
      #expect((400 - x - stretch(pull, 600)).magnitude < 1e-6 && x < last && x > 400 - 600)
      #expect(scene.stage.camera.center.y == 2000)
      last = x
    }
    // Back under the finger, all of it.
    scene.touch(1, .moved, 200, 300, 0.3)
    #expect((scene.stage.camera.center.x - 900).magnitude < 1e-6)
    #expect(scene.kinds == [.began])
  }

  @Test func itSpringsBackWhenItIsLetGo() {
    for steps in [1, 3, 60] {
      var scene = scene()
      scene.touch(1, .began, 100, 300, 0)
      for step in 1...20 { scene.touch(1, .moved, 100 + 45 * Double(step), 300, 0.01 * Double(step)) }
      // Fast, but it does not slide on.
      scene.touch(1, .ended, 1000, 300, 0.2)
      let start = scene.stage.camera.center.x
      #expect(start < 400 && scene.navigator.isActive && scene.kinds == [.began])
      for step in 1...steps {
        scene.advance(0.3 / Double(steps))
        let part = Double(step) / Double(steps)
        let expected = 400 - (400 - start) * pow(1 - part, 3)
        #expect((scene.stage.camera.center.x - expected).magnitude < 1e-6)
      }
      scene.advance(1e-9)
      #expect(isAtEdge(scene) && scene.stage.camera.center.y == 2000)
      #expect(scene.kinds == [.began, .didEndPanning, .ended] && scene.notes.last?.isInterrupted == false)
      #expect(!scene.navigator.isActive)
    }
  }

  @Test func aPinchPullsTheScaleAnOctaveAtMost() {
    var scene = scene { limits in
      limits.maxExtent = nil
      limits.maxScale = 96 / 0.0254 / 2
    }
    scene.touch(1, .began, 300, 300, 0)
    scene.touch(2, .began, 500, 300, 0)
    let held = scene.mapPoint(400, 300)
    for half in [200.0, 400, 800, 4000, 1e6] {
      scene.touch(1, .moved, 400 - half, 300, 0.1)
      scene.touch(2, .moved, 400 + half, 300, 0.1)
      let octaves = stretch(log2(half / 200), 1)
      let expected = 96 / 0.0254 / 2 / exp2(octaves)
      #expect((scene.stage.camera.scale / expected - 1).magnitude < 1e-9)
      let shown = scene.screenPoint(held)
      #expect((shown.x - 400).magnitude < 1e-6 && (shown.y - 300).magnitude < 1e-6)
    }
    scene.touch(1, .ended, 0, 300, 0.2)
    scene.touch(2, .cancelled, 800, 300, 0.2)
    #expect(scene.kinds == [.began])
    scene.rest()
    #expect(scene.stage.camera.scale == 96 / 0.0254 / 2)
    #expect(scene.kinds == [.began, .didEndZooming, .ended] && scene.notes.last?.isInterrupted == true)
  }

  @Test func aFingerThatCatchesItTakesItOnFromThere() {
    var scene = scene()
    scene.touch(1, .began, 100, 300, 0)
    scene.touch(1, .moved, 1000, 300, 0.1)
    scene.touch(1, .ended, 1000, 300, 0.5)
    scene.advance(0.1)
    // A finger that comes down stays out of it until it moves.
    scene.touch(2, .began, 500, 300, 0.6)
    scene.advance(0.05)
    let caught = scene.stage.camera.center.x
    #expect(caught < 400)
    scene.touch(2, .moved, 509, 300, 0.65)
    // From there on with the resistance that it has: 9 DIP more than the pull that the position stands for.
    let way = 400 - caught
    let pull = way * 600 / (0.55 * (600 - way))
    #expect((400 - scene.stage.camera.center.x - stretch(pull + 9, 600)).magnitude < 1e-6)
    scene.touch(2, .ended, 509, 300, 1)
    scene.rest()
    #expect(isAtEdge(scene))
    #expect(scene.kinds == [.began, .didEndPanning, .ended, .began, .didEndPanning, .ended])
    // A tap while it springs back lets it go on.
    scene.touch(1, .began, 100, 300, 20)
    scene.touch(1, .moved, 1000, 300, 20.1)
    scene.touch(1, .ended, 1000, 300, 20.5)
    scene.advance(0.1)
    scene.touch(2, .began, 500, 300, 20.6)
    scene.touch(2, .ended, 500, 300, 20.62)
    scene.rest()
    #expect(isAtEdge(scene) && !scene.navigator.isActive)
  }

  @Test func whatIsNoFingerKeepsToTheLimits() {
    var scene = scene { $0.minScale = 5000 }
    scene.touch(1, .began, 100, 300, 0)
    scene.touch(1, .moved, 1000, 300, 0.1)
    #expect(scene.stage.camera.center.x < 400)
    // A wheel ends the finger's pull.
    scene.navigator.wheel(-5, at: Point(x: 400, y: 300), on: &scene.stage)
    scene.drain()
    let limits = scene.stage.constraints
    #expect(limits.clamped(scene.stage.camera, in: scene.stage.viewport).camera == scene.stage.camera)
    #expect(scene.stage.camera.scale == 5000)
    // The fling of a finger inside stops at the edge.
    var thrown = self.scene()
    thrown.touch(1, .began, 100, 300, 0)
    for step in 1...20 { thrown.touch(1, .moved, 100 + 10 * Double(step), 300, 0.005 * Double(step)) }
    thrown.touch(1, .ended, 300, 300, 0.1)
    for _ in 0..<300 {
      thrown.advance(0.02)
      #expect(thrown.stage.camera.center.x >= 400 - 1e-9)
    }
    #expect(isAtEdge(thrown))
  }

  @Test func aStoppedPullIsTakenBackAtOnce() throws {
    let runtime = try Engine.makeRuntime()
    let map = Map(
      runtime: runtime, spatialReference: try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 3857))
    let view = MapView(map: map)
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    try view.setViewpoint(Viewpoint(center: Point(x: 1000, y: 2000), scale: 96 / 0.0254))
    try view.setConstraints(CameraConstraints(maxExtent: extent, isElastic: true))
    func pull() throws {
      try view.touch(1, .began, at: Point(x: 100, y: 300), time: 0)
      try view.touch(1, .moved, at: Point(x: 1000, y: 300), time: 0.1)
      #expect(try view.frame().center.x < 300)
    }
    try pull()
    view.stop()
    #expect(try (view.frame().center.x - 400).magnitude < 1e-9)
    try view.touch(1, .moved, at: Point(x: 1200, y: 300), time: 0.2)
    // What springs back is taken to where new limits let it be.
    try view.touch(1, .ended, at: Point(x: 1200, y: 300), time: 0.6)
    try view.advance(0.01)
    #expect(try view.frame().center.x < 400)
    let others = Envelope(xMin: 100, yMin: 0, xMax: 2000, yMax: 4000)
    try view.setConstraints(CameraConstraints(maxExtent: others, isElastic: true))
    #expect(try (view.frame().center.x - 500).magnitude < 1e-9)
    try view.advance(1)
    #expect(try (view.frame().center.x - 500).magnitude < 1e-9 && !view.navigationStanding.isNavigating)
    // A log of it ends where it did.
    try view.startRecording()
    try pull()
    for _ in 0..<7 { try view.advance(0.013) }
    try view.touch(1, .ended, at: Point(x: 1000, y: 300), time: 0.2)
    for _ in 0..<7 { try view.advance(0.013) }
    let log = try view.recording()
    let other = MapView(map: map)
    _ = try other.replay(log)
    #expect(try other.frame().camera == view.frame().camera && other.constraints.isElastic)
    #expect(try view.frame().center.x < 500)
  }

  /// A scene that springs back from the western edge.
  private func stretched() -> NavigationScene {
    var scene = scene()
    scene.touch(1, .began, 0, 300, 0)
    scene.touch(1, .moved, 1700, 300, 0.1)
    scene.touch(1, .ended, 1700, 300, 0.5)
    scene.advance(0.01)
    #expect(scene.stage.camera.center.x < 300)
    return scene
  }

  @Test func aKeyGoesItsWholeWayFromTheEdge() {
    var scene = stretched()
    scene.navigator.press(.right, on: scene.stage)
    scene.drain()
    scene.advance(1)
    // A key's way is 100 DIP.
    #expect((scene.stage.camera.center.x - 500).magnitude < 1e-9)
  }

  @Test func whatBeginsWhileItIsStretchedBeginsAtTheEdge() {
    let begin: [(inout NavigationScene) -> Void] = [
      { $0.navigator.press(.zoomIn, on: $0.stage) },
      { $0.navigator.drift(Point(x: -400, y: 0), on: $0.stage) },
      { scene in
        let end = Camera(center: Point(x: 1500, y: 3000), scale: 96 / 0.0254 / 2)
        scene.navigator.animate(to: end, Animation(), on: scene.stage)
      },
      { scene in
        var swipe = Gesture(.swipe, .atOnce, at: Point(x: 400, y: 300))
        swipe.velocity = Point(x: -800, y: 0)
        scene.navigator.take(swipe, from: .host, on: &scene.stage)
      },
      { scene in
        let tap = Gesture(.doubleTap, .atOnce, at: Point(x: 700, y: 200))
        scene.navigator.take(tap, from: .host, on: &scene.stage)
      },
    ]
    for (index, begin) in begin.enumerated() {
      var (moving, resting) = (stretched(), stretched())
      resting.rest()
      #expect(isAtEdge(resting))
      for _ in 0..<10 {
        if moving.navigator.isSpringing {
          begin(&moving)
          begin(&resting)
          moving.drain()
          resting.drain()
        }
        moving.advance(0.02)
        resting.advance(0.02)
        let (a, b) = (moving.stage.camera, resting.stage.camera)
        #expect((a.center.x - b.center.x).magnitude < 1e-6 && (a.scale / b.scale - 1).magnitude < 1e-9, "\(index)")
      }
      #expect(moving.stage.camera.center.x > 401 || moving.stage.camera.scale < 96 / 0.0254 * 0.9, "\(index)")
    }
  }

  @Test func aScaleOfNothingIsPulledAnOctave() {
    let limits = CameraConstraints(maxScale: 5000, isElastic: true)
    let viewport = Viewport(width: 800, height: 600, metresPerUnit: 1)
    #expect(limits.pulled(scale: 0, rotation: 0, in: viewport) == 2500)
    #expect((limits.pulled(scale: 1e-300, rotation: 0, in: viewport) / 2500 - 1).magnitude < 0.01)
  }
}
