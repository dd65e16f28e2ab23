import AlidadeBase
import AlidadeCoordinates
import Testing

@testable import AlidadeMap

/// Random inputs, thousands of logs of them: what must hold whatever a person does.
@Suite struct NavigationLogTests {
  private func constraints(_ dice: inout Dice) -> CameraConstraints {
    var limits = CameraConstraints.none
    if dice.number(0...1) < 0.5 {
      limits.minScale = dice.number(1e4...1e7)
      limits.maxScale = dice.number(10...1e4)
    }
    if dice.number(0...1) < 0.4 {
      limits.maxExtent = Envelope(xMin: -20_000, yMin: -10_000, xMax: 30_000, yMax: 40_000)
      limits.extentRule = dice.number(0...1) < 0.5 ? .center : .visibleArea
    }
    if dice.number(0...1) < 0.2 { limits.lockedRotation = dice.number(0...360) }
    limits.isElastic = limits != .none && dice.number(0...1) < 0.5
    return limits
  }

  /// One random input, mostly of a finger that is down.
  private func input(
    _ scene: inout NavigationScene, _ fingers: inout [UInt64: Point], _ time: Double, _ dice: inout Dice
  ) {
    let somewhere = Point(x: dice.number(-50...850), y: dice.number(-50...650))
    switch dice.next() % 20 {
    case 0, 1, 2, 3:
      let id = dice.next() % 4
      fingers[id] = somewhere
      scene.touch(id, .began, somewhere.x, somewhere.y, time)
    case 4, 5, 6, 7, 8, 9, 10, 11:
      for (id, place) in fingers.sorted(by: { $0.key < $1.key }) {
        let next = Point(x: place.x + dice.number(-30...30), y: place.y + dice.number(-30...30))
        fingers[id] = next
        scene.touch(id, .moved, next.x, next.y, time)
      }
    case 12, 13, 14:
      guard let id = fingers.keys.sorted().first, let place = fingers.removeValue(forKey: id) else { return }
      scene.touch(id, dice.next() % 5 == 0 ? .cancelled : .ended, place.x, place.y, time)
    case 15: scene.navigator.wheel(dice.number(-3...3), at: somewhere, on: &scene.stage)
    case 16:
      if let key = NavigationKey.allCases.randomElement(using: &dice) { scene.navigator.press(key, on: scene.stage) }
    case 17:
      var animation = Animation()
      animation.flies = dice.next() % 2 == 0
      animation.curve = AnimationCurve.allCases.randomElement(using: &dice) ?? .linear
      let target = Camera(
        center: Point(x: dice.number(-1e5...1e5), y: dice.number(-1e5...1e5)), scale: dice.number(1...1e7),
        rotation: dice.number(0...360))
      scene.navigator.animate(to: target, animation, on: scene.stage)
    case 18:
      let before = scene.stage.camera
      let wanted = before.panned(dx: dice.number(-100...100), dy: 0, in: scene.stage.viewport)
      scene.stage.camera = scene.stage.constraints.clamped(wanted, in: scene.stage.viewport).camera
      if scene.stage.camera != before { scene.navigator.jumped(from: before, to: scene.stage.camera) }
    case 19 where dice.next() % 2 == 0:
      let velocity = Point(x: dice.number(-400...400), y: dice.number(-400...400))
      scene.navigator.drift(dice.next() % 4 == 0 ? Point(x: 0, y: 0) : velocity, on: scene.stage)
    default:
      let bits = UInt32(truncatingIfNeeded: dice.next() & dice.next() & dice.next() & 8191) | 8
      scene.set { $0.switches = InteractionOptions.Switches(rawValue: bits) }
    }
  }

  // An optimised build plays ten thousand logs in the time that a debug build needs for one thousand.
  #if DEBUG
    private static let logCount = 1000
  #else
    private static let logCount = 10_000
  #endif

  @Test func thousandsOfLogs() {
    var dice = Dice(seed: 20)
    var (moves, anchors, sessions, stretches) = (0, 0, 0, 0)
    for log in 0..<Self.logCount {
      let limits = constraints(&dice)
      var scene = NavigationScene(limits)
      scene.stage.camera = limits.clamped(scene.stage.camera, in: scene.stage.viewport).camera
      scene.set { $0.switches = dice.next() % 2 == 0 ? .twist : [] }
      var fingers: [UInt64: Point] = [:]
      var time = dice.number(-1000...1000)
      for _ in 0..<40 {
        let before = scene.stage.camera
        input(&scene, &fingers, time, &dice)
        let seconds = dice.number(0...0.06)
        time += seconds
        if let live = scene.navigator.live, live.session == scene.navigator.session?.number, !live.isIgnored,
          scene.navigator.motion == nil, limits == .none, scene.navigator.options.pans, before != scene.stage.camera,
          scene.navigator.session?.gesture == live.kind
        {
          // The anchor stays under the finger, at 1 : 100 and farther out.
          let shown = scene.screenPoint(live.grip)
          let distance = max((shown.x - live.step.point.x).magnitude, (shown.y - live.step.point.y).magnitude)
          if scene.stage.camera.scale > 100 {
            #expect(distance < 1e-6, "log \(log)")
            anchors += 1
          }
        }
        scene.advance(dice.next() % 50 == 0 ? 3600 : seconds)
        if before != scene.stage.camera { moves += 1 }
        #expect(scene.stage.camera.isUsable, "log \(log)")
        let kept = limits.clamped(scene.stage.camera, in: scene.stage.viewport)
        if scene.navigator.mayBeStretched, limits.isElastic {
          #expect(isInReach(scene.stage.camera, limits, scene.stage.viewport), "log \(log)")
          if kept.camera != scene.stage.camera { stretches += 1 }
        } else {
          #expect(kept.camera == scene.stage.camera, "log \(log): \(kept.clamps)")
        }
      }
      for (id, place) in fingers { scene.touch(id, .ended, place.x, place.y, time) }
      // A drift ends when its magnifier goes.
      scene.navigator.endDrift()
      scene.rest()
      #expect(limits.clamped(scene.stage.camera, in: scene.stage.viewport).camera == scene.stage.camera, "log \(log)")
      #expect(scene.navigator.session == nil && scene.navigator.live == nil && !scene.navigator.isActive, "log \(log)")
      sessions += check(scene, log)
    }
    // That something has happened at all.
    let perLog = (moves: moves / Self.logCount, sessions: sessions / Self.logCount)
    #expect(perLog.moves >= 5 && perLog.sessions >= 5, "\(moves) \(sessions)")
    #expect(anchors > Self.logCount / 2 && stretches > Self.logCount / 10, "\(anchors) \(stretches)")
  }

  /// Not farther beyond its limits than fingers can pull it: an octave, and the smaller side of the view.
  private func isInReach(_ camera: Camera, _ limits: CameraConstraints, _ viewport: Viewport) -> Bool {
    let scale = limits.limited(scale: camera.scale, rotation: camera.rotation, in: viewport).scale
    let center = limits.limited(center: camera, in: viewport).center
    let reach = min(viewport.width, viewport.height) * viewport.unitsPerDip(scale: camera.scale)
    return (0.5...2).contains(camera.scale / scale) && (camera.center.x - center.x).magnitude <= reach
      && (camera.center.y - center.y).magnitude <= reach
      && (limits.lockedRotation.map { Camera.normalised($0) == camera.rotation } ?? true)
  }

  /// Beginnings and ends are paired, never one within another, and the events of what has ended lie in between.
  private func check(_ scene: NavigationScene, _ log: Int) -> Int {
    var open: NavigationEvent?
    var told: [NavigationEvent.Kind] = []
    var sessions = 0
    for note in scene.notes {
      switch note.kind {
      case .gesture: break
      case .began:
        #expect(open == nil, "log \(log)")
        open = note
        told = []
      case .ended:
        #expect(open?.cause == note.cause && open?.gesture == note.gesture, "log \(log)")
        #expect(!(told.contains(.didEndPanning) && told.contains(.didEndZooming)), "log \(log)")
        open = nil
        sessions += 1
      default:
        #expect(open != nil && !told.contains(note.kind), "log \(log)")
        told.append(note.kind)
      }
    }
    #expect(open == nil, "log \(log)")
    return sessions
  }

  @Test func timeCanDoAnything() {
    for seconds in [0, 1e-300, 3600, 1e9] {
      var scene = NavigationScene()
      scene.touch(1, .began, 100, 300, 0)
      for step in 1...20 { scene.touch(1, .moved, 100 + 10 * Double(step), 300, 0.01 * Double(step)) }
      scene.touch(1, .ended, 300, 300, 0.2)
      for _ in 0..<5 { scene.advance(seconds) }
      #expect(scene.stage.camera.isUsable && scene.kinds.first == .began)
      if seconds > 1 { #expect(scene.kinds == [.began, .didEndPanning, .ended]) }
    }
  }

  @Test func logsReadBackAsWhatTheyWere() throws {
    var animation = Animation()
    animation.curve = .easeInOutCirc
    animation.flies = true
    animation.duration = 0.1
    var gesture = Gesture(.pinch, .changed, at: Point(x: 1.5, y: -2))
    gesture.scaleFactor = 0.1 + 0.2
    gesture.rotation = -1e-17
    gesture.velocity = Point(x: 1e300, y: 5)
    let camera = Camera(center: Point(x: -13_000_000.123456789, y: 1 / 3.0), scale: 1e-6, rotation: 12)
    let commands: [NavigationCommand] = [
      .advance(seconds: 1 / 60.0), .touch(.moved, id: .max, at: Point(x: 0.1, y: 1e7), time: -1e10),
      .gesture(gesture), .wheel(notches: -0.3, at: Point(x: 3, y: 4)), .key(.northUp),
      .animate(to: camera, animation), .stop, .interaction(InteractionOptions()), .camera(camera),
      .size(width: 800, height: 0.5, pixelDensity: 2, Insets(top: 1, right: 2, bottom: 3, left: 4)),
      .constraints(
        CameraConstraints(
          minScale: 1e9, maxExtent: Envelope(xMin: -1, yMin: -2, xMax: 3, yMax: 4), extentRule: .center)),
      .constraints(CameraConstraints(lockedRotation: 5, isElastic: true)), .drift(Point(x: -0.1, y: 1e9)),
    ]
    for command in commands {
      let again = NavigationCommand(line: command.line[...])
      #expect(again?.line == command.line)
    }
    for wrong in [
      "advance", "advance x", "advance 1 2", "advance nan", "advance inf", "fly 1", "key 99", "touch 1 -1 0 0 0",
      "constraints - - - - - - 0 - stiff", "constraints - - - - - - 0 - elastic elastic", "drift 1",
    ] {
      #expect(NavigationCommand(line: wrong[...]) == nil, "\(wrong)")
    }
  }
}
