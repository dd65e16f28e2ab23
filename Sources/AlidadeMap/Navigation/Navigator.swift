import AlidadeBase
import AlidadeCoordinates
import Glibc

/// What a navigator moves: a view's camera, and what it has to keep to.
struct NavigationStage: Sendable {
  var camera: Camera
  let viewport: Viewport
  let constraints: CameraConstraints
}

/// Moves a view's camera as fingers, wheel, keys, animations and time want it: a value. The same inputs at the same
/// times give the same cameras, bit for bit.
///
/// Of what it does it leaves notes, which become events. A session lasts from the beginning of a movement to its end,
/// inertia included; there is one at most.
struct Navigator: Sendable {
  struct Session: Sendable {
    var number: UInt64
    var cause: NavigationCause
    var gesture: GestureKind?
    var userData: UInt = 0
    var hasPanned = false
    var hasZoomed = false
    var hasTurned = false
    /// Of a wheel: when it counts as still.
    var quietTime = Double.infinity
    /// North was tried for, once.
    var hasSettled = false
    /// Its gesture was taken away, and it springs back still.
    var isCancelled = false
  }

  /// A gesture whose fingers are down.
  struct LiveGesture: Sendable {
    var kind: GestureKind
    var source: Source
    /// It is switched off, and moves nothing.
    var isIgnored: Bool
    /// The map point that belongs under `point`.
    var grip: Point
    /// The scale that belongs to a factor of 1, and the rotation that belongs to fingers that have not turned.
    var scale: Double
    var rotation: Double
    /// The last step.
    var step: Gesture
    var session: UInt64
  }

  enum Source: Sendable { case touches, host }

  /// Seconds that a wheel may rest within one gesture: MapLibre's ScrollZoomHandler.
  static let wheelRest = 0.2
  /// Of taps, keys and snapping. DIP and degrees of a key: MapLibre's KeyboardHandler.
  static let glideTime = 0.3
  static let glideCurve = AnimationCurve.easeOutQuad
  static let keyWay = 100.0
  static let keyTurn = 15.0

  private(set) var options = InteractionOptions()
  var recognizer = GestureRecognizer()
  var session: Session?
  var live: LiveGesture?
  var motion: Motion?
  /// Seconds that the motion is under way.
  var elapsed = 0.0
  /// Seconds, all of them, since the view began.
  private(set) var clock = 0.0
  var lastSession: UInt64 = 0
  /// What has happened, for events.
  var notes: [NavigationEvent] = []
  var steps: [Gesture] = []

  /// Whether time can change anything.
  var isActive: Bool { motion != nil || recognizer.waits || session?.quietTime ?? .infinity < .infinity }

  mutating func set(_ options: InteractionOptions) {
    if options != self.options, let kind = live?.kind {
      // Fingers that are down hold something else now, or nothing.
      if live?.session == session?.number { stop() }
      live?.isIgnored = !options.allows(kind)
    }
    if isDrifting, !options.drifts { stop() }
    self.options = options
    recognizer.twistIsOn = options.turns
    recognizer.longPressIsOn = !options.switches.contains(.noLongPress)
  }

  /// Ends what is under way, and forgets fingers and time.
  ///
  /// - Parameter stage: nil: there is none yet, and no finger can have done anything.
  mutating func reset(on stage: NavigationStage?) {
    // The host has heard of its beginning, and would wait for its end.
    if let stage, let point = recognizer.longPress {
      tellHost(of: Gesture(.longPress, .cancelled, at: point), stage)
    }
    stop()
    live = nil
    recognizer = GestureRecognizer()
    clock = 0
    set(options)
  }

  // MARK: Sessions

  mutating func begin(_ cause: NavigationCause, _ gesture: GestureKind?, userData: UInt = 0) {
    stop()
    lastSession &+= 1
    session = Session(number: lastSession, cause: cause, gesture: gesture, userData: userData)
    notes.append(NavigationEvent(.began, cause, gesture))
  }

  /// Ends a movement where it is.
  mutating func stop() { end(isInterrupted: true) }

  mutating func end(isInterrupted: Bool) {
    motion = nil
    guard let ended = session.take() else { return }
    // Of what calls and animations do, the host hears as of calls.
    let cause = ended.cause == .animation ? .call : ended.cause
    if ended.hasZoomed {
      notes.append(NavigationEvent(.didEndZooming, cause, ended.gesture))
    } else if ended.hasPanned {
      notes.append(NavigationEvent(.didEndPanning, cause, ended.gesture))
    }
    if ended.hasTurned { notes.append(NavigationEvent(.didEndRotating, cause, ended.gesture)) }
    var last = NavigationEvent(.ended, ended.cause, ended.gesture)
    last.isInterrupted = isInterrupted
    last.userData = ended.userData
    notes.append(last)
  }

  /// Ends a movement that has come to rest, unless north is near enough to go there first.
  mutating func settle(_ stage: NavigationStage, about point: Point) {
    motion = nil
    guard let now = session else { return }
    let turn = Camera.turn(from: stage.camera.rotation, to: 0)
    guard now.cause == .gesture, now.hasTurned, !now.hasSettled, !options.switches.contains(.noSnap), turn != 0,
      turn.magnitude <= options.snapThreshold, stage.constraints.lockedRotation == nil, !now.isCancelled
    else { return end(isInterrupted: now.isCancelled) }
    session?.hasSettled = true
    var glide = Glide(stage.camera, about: point, duration: Self.glideTime, curve: Self.glideCurve)
    glide.turn = turn
    glide.endRotation = 0
    start(.glide(glide))
  }

  /// Whether a magnifier at the view's edge pans.
  var isDrifting: Bool {
    if case .drift = motion { return true }
    return false
  }

  mutating func start(_ motion: Motion) {
    self.motion = motion
    elapsed = 0
  }

  /// The camera was moved by a call.
  mutating func jumped(from before: Camera, to after: Camera) {
    stop()
    begin(.call, nil)
    session?.hasZoomed = after.scale != before.scale
    session?.hasPanned = after.center != before.center
    session?.hasTurned = after.rotation != before.rotation
    end(isInterrupted: false)
  }

  /// Moves the camera as far as its constraints allow.
  ///
  /// - Parameters:
  ///   - point: the screen point whose map point stays if the scale has to be limited.
  ///   - isPan: whether a change of the centre is what was wanted, and not only what follows from a turn.
  ///   - isPulled: whether fingers pull it, past the limits if they want.
  mutating func apply(
    _ camera: Camera, about point: Point?, isPan: Bool, isPulled: Bool = false, on stage: inout NavigationStage
  ) {
    let before = stage.camera
    let near = stage.constraints.onOneSide(camera, of: before, in: stage.viewport)
    stage.camera =
      isPulled
      ? stage.constraints.pulled(near, in: stage.viewport)
      : stage.constraints.clamped(near, in: stage.viewport, about: point).camera
    if stage.camera.scale != before.scale { session?.hasZoomed = true }
    if stage.camera.rotation != before.rotation { session?.hasTurned = true }
    if isPan, stage.camera.center != before.center { session?.hasPanned = true }
  }

  // MARK: Time

  /// Lets time pass.
  mutating func advance(_ seconds: Double, on stage: inout NavigationStage) {
    clock += seconds
    if let motion {
      elapsed += seconds
      let camera = motion.camera(after: elapsed, in: stage.viewport)
      var about: Point?
      var isPan = true
      if case .glide(let glide) = motion {
        about = glide.about
        isPan = glide.way != Point(x: 0, y: 0)
      }
      if case .spring = motion {
        stage.camera = camera
      } else {
        apply(camera, about: about, isPan: isPan, on: &stage)
      }
      if elapsed >= motion.duration { settle(stage, about: about ?? stage.viewport.anchor) }
    }
    if let quiet = session?.quietTime, clock >= quiet { end(isInterrupted: false) }
    recognizer.advance(to: clock, &steps)
    takeSteps(on: &stage)
  }

  /// So that time that nothing waits for costs nothing.
  mutating func pass(_ seconds: Double) { clock += seconds }
}
