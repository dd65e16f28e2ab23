import AlidadeBase
import AlidadeCoordinates

/// Whether and why a view moves.
public struct NavigationStanding: Sendable {
  public var isNavigating = false
  /// nil while it rests.
  public var cause: NavigationCause?
  public var gesture: GestureKind?
  /// Whether `advance` can change anything before the next input.
  public var needsTime = false
  public var isRecording = false
}

extension MapView {
  // MARK: Time and inputs

  /// The largest number of seconds for one call of `advance`, and the largest time on a host's clock.
  public static let longestTime = 1e9
  public static let largestTime = 1e10

  /// Lets time pass: animations, inertia and waiting go on.
  ///
  /// - Parameter seconds: since the last call.
  public func advance(_ seconds: Double) throws(EngineError) {
    guard seconds >= 0, seconds <= Self.longestTime else {
      throw EngineError(.invalidArgument, "The time \(seconds) s is not within 0 to 1e9. Nothing has moved.")
    }
    let command = NavigationCommand.advance(seconds: seconds)
    let isIdle = state.withLock { state in
      guard !state.navigator.isActive else { return false }
      state.recorder?.add(command)
      state.navigator.pass(seconds)
      return true
    }
    if !isIdle { try perform(command) }
  }

  /// Handles a touch event of a finger.
  ///
  /// - Parameters:
  ///   - id: identifies fingers that are down at the same time.
  ///   - time: seconds, on any clock of the host.
  public func touch(_ id: UInt64, _ phase: TouchPhase, at point: Point, time: Double) throws(EngineError) {
    try check(point)
    guard time.magnitude <= Self.largestTime else {
      throw EngineError(.invalidArgument, "The time \(time) s is not within -1e10 to 1e10.")
    }
    try perform(.touch(phase, id: id, at: point, time: time))
  }

  /// Handles a gesture that the host has recognised itself.
  public func take(_ gesture: Gesture) throws(EngineError) {
    try check(gesture.point)
    guard gesture.scaleFactor > 0, gesture.scaleFactor.isFinite else {
      throw EngineError(.invalidArgument, "The scale factor \(gesture.scaleFactor) is not more than 0 and finite.")
    }
    guard gesture.rotation.magnitude <= 1e6 else {
      throw EngineError(.invalidArgument, "The rotation \(gesture.rotation) is not within -1e6 to 1e6 degrees.")
    }
    guard gesture.velocity.x.magnitude <= 1e9, gesture.velocity.y.magnitude <= 1e9 else {
      throw EngineError(
        .invalidArgument,
        "The velocity (\(gesture.velocity.x), \(gesture.velocity.y)) DIP/s is not within -1e9 to 1e9.")
    }
    guard gesture.kind != .wheel, gesture.kind != .key else {
      throw EngineError(.invalidArgument, "Wheel and keys have calls of their own.")
    }
    guard gesture.kind.lasts == (gesture.phase != .atOnce) else {
      let phases = gesture.kind.lasts ? "begins, changes and ends" : "comes at once"
      throw EngineError(.invalidArgument, "The phase does not fit: a gesture of this kind \(phases).")
    }
    try perform(.gesture(gesture))
  }

  /// Zooms about the pointer.
  ///
  /// - Parameter notches: of a wheel, or parts of one; more than 0 is in.
  public func wheel(_ notches: Double, at point: Point) throws(EngineError) {
    try check(point)
    guard notches.magnitude <= 1000 else {
      throw EngineError(.invalidArgument, "\(notches) notches of a wheel are not within -1000 to 1000.")
    }
    try perform(.wheel(notches: notches, at: point))
  }

  /// Moves by a key. A key that is held is pressed again and again, as keyboards do.
  public func press(_ key: NavigationKey) throws(EngineError) { try perform(.key(key)) }

  func check(_ point: Point) throws(EngineError) {
    guard point.x.magnitude <= Self.largestSize, point.y.magnitude <= Self.largestSize else {
      throw EngineError(
        .invalidArgument, "The screen point (\(point.x), \(point.y)) is not within -1e7 to 1e7 DIP.")
    }
  }

  // MARK: Animations

  /// Begins to move to a target, or as near to it as the constraints allow. What moves already ends where it is.
  public func animate(to target: CameraTarget, _ animation: Animation) throws(EngineError) {
    try animate(to: try plan(target).camera, animation)
  }

  private func animate(to camera: Camera, _ animation: Animation) throws(EngineError) {
    if let duration = animation.duration, !(duration >= 0 && duration <= Animation.longest) {
      throw EngineError(.invalidArgument, "The duration \(duration) s is not within 0 to 3600.")
    }
    guard camera.isUsable else {
      throw EngineError(.invalidArgument, "A view cannot have the camera at 1 : \(camera.scale).")
    }
    try perform(.animate(to: camera, animation))
  }

  /// Ends what moves, where it is. Fingers that are down move the map on when they move.
  public func stop() {
    let system = map.spatialReference?.system
    state.withLock { state in
      state.recorder?.add(.stop)
      state.navigator.stop()
      state.tell(isChanged: state.keepLimits(system))
    }
  }

  // MARK: Options and state

  public var interaction: InteractionOptions { state.withLock { $0.navigator.options } }

  public func setInteraction(_ options: InteractionOptions) throws(EngineError) {
    try requireOwnCamera()
    try options.check()
    let system = map.spatialReference?.system
    state.withLock { state in
      state.recorder?.add(.interaction(options))
      state.navigator.set(options)
      state.tell(isChanged: state.keepLimits(system))
    }
  }

  public var navigationStanding: NavigationStanding {
    state.withLock { state in
      let session = state.navigator.session
      return NavigationStanding(
        isNavigating: session != nil, cause: session?.cause, gesture: session?.gesture,
        needsTime: state.navigator.isActive, isRecording: state.recorder != nil)
    }
  }

  // MARK: Logs

  /// Begins to write down what moves the view. What moves by itself ends where it is, and fingers that are down count
  /// no more: a log begins at rest.
  public func startRecording() throws(EngineError) {
    try requireOwnCamera()
    let system = try frame().spatialReference.system
    let limit = runtime.policy.maxRequestBytes
    state.withLock { state in
      state.navigator.reset(on: state.stage(system))
      let isChanged = state.keepLimits(system)
      state.recorder = NavigationRecorder(
        state, metresPerUnit: system.metresPerUnit, worldWidth: system.worldWidth, limit: limit)
      state.tell(isChanged: isChanged)
    }
  }

  /// Ends the writing; the log is gone.
  public func stopRecording() { state.withLock { $0.recorder = nil } }

  /// The log as it is by now.
  public func recording() throws(EngineError) -> String {
    guard let recorder = state.withLock({ $0.recorder }) else {
      throw EngineError(.invalidState, "The view is not recording. Start that first.")
    }
    return try text(of: recorder)
  }

  private func text(of recorder: NavigationRecorder) throws(EngineError) -> String {
    guard !recorder.isFull else {
      throw EngineError(
        .limitExceeded,
        "The log is longer than max_request_bytes of the policy, \(runtime.policy.maxRequestBytes) bytes, and is not "
          + "complete.")
    }
    return recorder.text
  }

  /// Plays a log, or a part of it: the view ends where the recorded one did.
  ///
  /// - Parameters:
  ///   - offset: where to begin, in bytes; 0 sets the view up as the recorded one was.
  ///   - frames: after how many calls of `advance` to pause; nil: play all of it.
  /// - Returns: where to go on.
  public func replay(_ text: String, from offset: Int = 0, frames: Int? = nil) throws(EngineError) -> Int {
    try requireOwnCamera()
    var log = NavigationLog(text, from: offset)
    if log.offset == 0 { try begin(&log) }
    var played = 0
    while let line = log.next() {
      guard let command = NavigationCommand(line: line) else { throw Self.unreadable(log, line) }
      do throws(EngineError) { try repeated(command) } catch {
        throw EngineError(error.status, "Line \(log.lineNumber) of the log: \(error.message)")
      }
      if case .advance = command { played &+= 1 }
      if let frames, played >= frames { break }
    }
    return log.offset
  }

  private static func unreadable(_ log: NavigationLog, _ line: Substring) -> EngineError {
    EngineError(.invalidArgument, "Line \(log.lineNumber) of the log, \"\(line.prefix(80))\", is not a line of a log.")
  }

  private func begin(_ log: inout NavigationLog) throws(EngineError) {
    guard log.next() == NavigationRecorder.title[...] else {
      throw EngineError(.invalidArgument, "The text is no log: it does not begin with \"\(NavigationRecorder.title)\".")
    }
    let system = try map.requireSpatialReference().system
    let expected = "map \(system.metresPerUnit) \(system.worldWidth.map { "\($0)" } ?? "-")"
    guard let line = log.next(), line == expected[...] else {
      throw EngineError(
        .invalidArgument,
        "The log was written over a map in another spatial reference: this one's line would be \"\(expected)\".")
    }
    state.withLock { state in
      state.navigator.reset(on: state.stage(system))
      state.tell(isChanged: state.keepLimits(system))
    }
  }

  private func repeated(_ command: NavigationCommand) throws(EngineError) {
    switch command {
    case .advance(let seconds): try advance(seconds)
    case .touch(let phase, let id, let point, let time): try touch(id, phase, at: point, time: time)
    case .gesture(let gesture): try take(gesture)
    case .wheel(let notches, let point): try wheel(notches, at: point)
    case .key(let key): try press(key)
    case .animate(let camera, let animation): try animate(to: camera, animation)
    case .drift(let velocity): try drift(velocity)
    case .stop: stop()
    case .interaction(let options): try setInteraction(options)
    case .camera(let camera):
      try setViewpoint(Viewpoint(center: camera.center, scale: camera.scale, rotation: camera.rotation))
    case .size(let width, let height, let density, let insets):
      try setSize(width: width, height: height, pixelDensity: density, insets: insets)
    case .constraints(let constraints): try setConstraints(constraints)
    }
  }

  // MARK: The way in

  /// Does one command, under the view's lock.
  func perform(_ command: NavigationCommand) throws(EngineError) {
    var isExpected = true
    try navigate(command) { (navigator, stage) in
      switch command {
      case .touch(let phase, let id, let point, let time):
        navigator.touch(id, phase, at: point, time: time, on: &stage)
      case .gesture(let gesture):
        isExpected = navigator.expects(gesture)
        if isExpected { navigator.take(gesture, from: .host, on: &stage) }
      case .wheel(let notches, let point): navigator.wheel(notches, at: point, on: &stage)
      case .key(let key): navigator.press(key, on: stage)
      case .animate(let camera, let animation): navigator.animate(to: camera, animation, on: stage)
      case .advance(let seconds): navigator.advance(seconds, on: &stage)
      case .drift(let velocity): navigator.drift(velocity, on: stage)
      case .stop, .interaction, .camera, .size, .constraints: break
      }
      return isExpected
    }
    if !isExpected {
      throw EngineError(.invalidState, "No gesture of this kind is under way. Send its beginning first.")
    }
  }

  /// - Parameter body: returns whether it has accepted the command. A refused command is not recorded: a log with it
  /// could not be replayed.
  private func navigate(
    _ command: NavigationCommand, _ body: (inout Navigator, inout NavigationStage) -> Bool
  ) throws(EngineError) {
    try requireOwnCamera()
    let system = try frame().spatialReference.system
    state.withLock { state in
      guard var stage = state.stage(system) else { return }
      let camera = stage.camera
      guard body(&state.navigator, &stage) else { return }
      state.recorder?.add(command)
      state.navigator.keepLimits(on: &stage)
      let isChanged = stage.camera != camera
      if isChanged { state.moved(to: stage.camera) }
      state.tell(isChanged: isChanged)
    }
  }
}
