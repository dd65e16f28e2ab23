import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Synchronization

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

/// A camera over a map: a size, a viewpoint and insets, and no window.
public final class MapView: RuntimeObject, @unchecked Sendable {  // right: what changes is under a Lock
  public let map: Map
  /// Identifies the view; never used twice in a process.
  let identity: UInt64
  /// For a magnifier's view, the overlays of the view that it magnifies.
  let overlayStack: OverlayStack
  let layerStates: LayerStates
  /// Of a magnifier's view: what it looks through, and what at. nil: the view has a camera of its own.
  let magnification: (lens: Lens, view: MapView)?
  private let state = Lock(State())
  private static let lastIdentity = Atomic<UInt64>(0)

  fileprivate struct State {
    var center: Point?
    var scale: Double?
    var rotation = 0.0
    /// The host has set it, or a move has; otherwise an initial viewpoint may.
    var rotationIsSet = false
    /// The view's own.
    var constraints = CameraConstraints.none { didSet { limits = constraints.narrowed(to: mapLimits) } }
    var mapLimits = MapLimits.none { didSet { limits = constraints.narrowed(to: mapLimits) } }
    /// What the camera may not do: the view's constraints and the map's limits.
    private(set) var limits = CameraConstraints.none
    var width = 0.0
    var height = 0.0
    var pixelDensity = 1.0
    var insets = Insets()
    var generation: UInt64 = 0
    /// The frame of the present generation, once it was asked for.
    var frame: ViewFrame?
    var navigator = Navigator()
    /// nil while nothing is written down.
    var recorder: NavigationRecorder?
    /// The host has been notified that the view can be read.
    var isKnownReady = false
    /// Notifies the host; nil only while the view is created.
    var outlet: NavigationOutlet?
    /// The magnifier that is shown over the view, and where the finger is; nil: none.
    var magnified: (lens: Lens, finger: Point)?

    /// The one way in which anything of a view changes. What is complete afterwards keeps to the constraints.
    ///
    /// - Parameters:
    ///   - system: of the map, if it is known by now.
    ///   - screen: the screen point whose map point stays when the scale has to change; nil: the anchor.
    mutating func change(
      _ system: CoordinateSystem?, about screen: Point? = nil, _ body: (inout State) -> Void
    ) {
      let before = self
      body(&self)
      if let system, let camera, let viewport = viewport(system) {
        set(limits.clamped(camera, in: viewport, about: screen).camera)
      }
      generation &+= 1
      frame = nil
      if var recorder {
        recorder.add(from: before.recorded, to: recorded)
        self.recorder = recorder
      }
      if let start = before.camera, let end = camera, start != end { navigator.jumped(from: start, to: end) }
      // Its end was one for other constraints.
      if navigator.isSpringing { navigator.stop() }
      if system != nil { noteReadiness() }
      noteScale()
      // Who could read nothing before has missed no change.
      tell(isChanged: before.camera != nil && before.width > 0)
    }

    /// Notifies the host, once, that the view can be read, if nothing is missing; the map's spatial reference is known.
    ///
    /// - Parameter whereItLooksAtFirst: the camera is missing, and the map has an initial viewpoint for it.
    mutating func noteReadiness(whereItLooksAtFirst: Bool = false) {
      guard !isKnownReady, width > 0, camera != nil || whereItLooksAtFirst, let outlet else { return }
      isKnownReady = true
      outlet.tellReady()
    }

    /// Has the states of layers follow the scale.
    func noteScale() {
      if width > 0, let scale = camera?.scale { outlet?.look(at: scale) }
    }

    /// Takes a camera that a navigator has moved, within the constraints.
    mutating func moved(to camera: Camera) {
      set(camera)
      generation &+= 1
      frame = nil
      noteScale()
    }

    /// Takes back what nothing holds beyond the limits after fingers and motions were stopped.
    mutating func keepLimits(_ system: CoordinateSystem?) -> Bool {
      guard let system, var stage = stage(system) else { return false }
      let camera = stage.camera
      navigator.keepLimits(on: &stage)
      guard stage.camera != camera else { return false }
      moved(to: stage.camera)
      return true
    }

    /// Hands the navigator's notes on as events.
    ///
    /// - Parameter isChanged: whether the view shows something else now.
    mutating func tell(isChanged: Bool) {
      guard isChanged || !navigator.notes.isEmpty else { return }
      outlet?.tell(navigator.notes, isChanged: isChanged)
      navigator.notes.removeAll(keepingCapacity: true)
    }

    /// What a navigator moves; nil as long as the view has no camera or no size.
    func stage(_ system: CoordinateSystem) -> NavigationStage? {
      guard let camera, let viewport = viewport(system) else { return nil }
      return NavigationStage(camera: camera, viewport: viewport, constraints: limits)
    }

    /// What a recorder writes down of the view.
    var recorded: NavigationRecorder.Moment {
      NavigationRecorder.Moment(
        width: width, height: height, pixelDensity: pixelDensity, insets: insets, limits: limits, camera: camera)
    }

    /// nil as long as the centre or the scale is missing.
    var camera: Camera? {
      guard let center, let scale else { return nil }
      return Camera(center: center, scale: scale, rotation: rotation)
    }

    mutating func set(_ camera: Camera) {
      center = camera.center
      scale = camera.scale
      rotation = camera.rotation
      rotationIsSet = true
    }

    /// nil as long as there is no size.
    func viewport(_ system: CoordinateSystem) -> Viewport? {
      guard width > 0 else { return nil }
      return Viewport(
        width: width, height: height, insets: insets, metresPerUnit: system.metresPerUnit,
        worldWidth: system.worldWidth)
    }
  }

  /// The scales that a view can have; beyond them numbers lose their meaning.
  public static let scales = Camera.scales
  public static let largestSize = 1e7

  public convenience init(map: Map) {
    self.init(map: map, magnification: nil)
    map.enlist(self)
    watchLayers()
  }

  init(map: Map, magnification: (lens: Lens, view: MapView)?) {
    self.map = map
    self.magnification = magnification
    overlayStack = magnification?.view.overlayStack ?? OverlayStack()
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    layerStates = LayerStates(map.runtime.mailbox, notifies: magnification == nil)
    super.init(runtime: map.runtime)
    let outlet = NavigationOutlet(self)
    state.withLock { state in
      state.outlet = outlet
      if magnification == nil { state.mapLimits = map.limits }
    }
    map.viewDidAppear()
  }

  /// A view that may have a size from the beginning; 0 and 0 mean no size. Call `noticeReadiness` once the host knows
  /// the view: before that, the host is not notified that it can be read.
  public convenience init(map: Map, width: Double, height: Double, pixelDensity: Double) throws(EngineError) {
    self.init(map: map, magnification: nil)
    if width == 0, height == 0, pixelDensity == 1 { return }
    let outlet = state.withLock { $0.outlet.take() }
    try setSize(width: width, height: height, pixelDensity: pixelDensity)
    state.withLock { state in
      state.outlet = outlet
      state.noteScale()
    }
  }

  deinit {
    map.strike(self)
    map.viewDidDisappear()
    map.removeWatcher(self)
  }

  public override var handleKind: HandleKind { .view }

  // MARK: Size

  /// - Parameter insets: nil: they stay.
  public func setSize(
    width: Double, height: Double, pixelDensity: Double, insets: Insets? = nil
  ) throws(EngineError) {
    try requireOwnCamera()
    guard width > 0, height > 0, width <= Self.largestSize, height <= Self.largestSize else {
      throw EngineError(.invalidArgument, "The size \(width) x \(height) DIP is not within 0 to 1e7.")
    }
    guard pixelDensity > 0, pixelDensity <= 100 else {
      throw EngineError(.invalidArgument, "The pixel density \(pixelDensity) is not within 0 to 100.")
    }
    if let insets { try Self.check(insets) }
    let system = map.spatialReference?.system
    let fits = state.withLock { state in
      guard Self.leavesRoom(insets ?? state.insets, width: width, height: height) else { return false }
      state.change(system) {
        $0.width = width
        $0.height = height
        $0.pixelDensity = pixelDensity
        if let insets { $0.insets = insets }
      }
      return true
    }
    if !fits {
      throw EngineError(
        .invalidArgument, "The insets leave no space in \(width) x \(height) DIP. Make the insets smaller first.")
    }
    if state.withLock({ $0.outlet != nil && !$0.isKnownReady }) { noticeReadiness() }
  }

  private static func check(_ insets: Insets) throws(EngineError) {
    for (name, inset) in [
      ("top", insets.top), ("right", insets.right), ("bottom", insets.bottom), ("left", insets.left),
    ] where !(inset >= 0 && inset.isFinite) {
      throw EngineError(.invalidArgument, "The inset \(name)_dip \(inset) is negative or not finite.")
    }
  }

  public func setInsets(_ insets: Insets) throws(EngineError) {
    try requireOwnCamera()
    try Self.check(insets)
    let system = map.spatialReference?.system
    let outcome: (hasSize: Bool, fits: Bool) = state.withLock { state in
      guard state.width > 0 else { return (false, false) }
      guard Self.leavesRoom(insets, width: state.width, height: state.height) else { return (true, false) }
      state.change(system) { $0.insets = insets }
      return (true, true)
    }
    guard outcome.hasSize else { throw EngineError(.notReady, "The view has no size. Set it first.") }
    guard outcome.fits else { throw EngineError(.invalidArgument, "The insets leave no space in the view.") }
  }

  private static func leavesRoom(_ insets: Insets, width: Double, height: Double) -> Bool {
    insets.left + insets.right < width && insets.top + insets.bottom < height
  }

  /// Width, height and pixel density; throws if the view has no size.
  public func requireSize() throws(EngineError) -> (width: Double, height: Double, pixelDensity: Double) {
    if magnification != nil {
      let frame = try frame()
      return (frame.width, frame.height, frame.pixelDensity)
    }
    let size = state.withLock { ($0.width, $0.height, $0.pixelDensity) }
    guard size.0 > 0 else { throw EngineError(.notReady, "The view has no size. Set it first.") }
    return size
  }

  // MARK: Reading

  /// The view has a size, and has not taken a camera yet.
  var awaitsCamera: Bool { state.withLock { $0.camera == nil && $0.width > 0 } }

  /// The current state of the view, or an error that names what is missing.
  public func frame() throws(EngineError) -> ViewFrame {
    if let magnification { return try magnification.view.frame(through: magnification.lens) }
    if let known = state.withLock({ $0.frame }) { return known }
    let reference = try map.requireSpatialReference()
    _ = try requireSize()
    try takeInitialViewpoint(reference)
    let frame: ViewFrame? = state.withLock { state in
      guard let camera = state.camera, let viewport = state.viewport(reference.system) else { return nil }
      let frame = ViewFrame(
        map: map, spatialReference: reference, camera: camera, viewport: viewport, pixelDensity: state.pixelDensity,
        generation: state.generation)
      state.frame = frame
      state.noteReadiness()
      return frame
    }
    if let frame { return frame }
    let missing = state.withLock { $0.center == nil ? "centre" : "scale" }
    throw EngineError(
      .notReady, "The view has no \(missing). Set a viewpoint, or give the map an initial one.")
  }
}

extension MapView {
  /// Moves the view at once. On failure the view does not move. Unlike `move(to:)`, it accepts parts of a camera even
  /// while others are missing.
  public func setViewpoint(_ viewpoint: Viewpoint) throws(EngineError) {
    try requireOwnCamera()
    if viewpoint.extent != nil || viewpoint.geometry != nil {
      try move(to: try target(for: viewpoint))
      return
    }
    let reference = try map.requireSpatialReference()
    let target = try CameraTarget(viewpoint, on: reference, rotation: 0, padding: Insets())
    let center = target.center
    // What the view would have taken from the map's initial viewpoint must not be lost by setting a part of it. An
    // initial viewpoint that cannot be projected is no reason not to move.
    if center == nil { do throws(EngineError) { try takeInitialViewpoint(reference) } catch {} }
    state.withLock { state in
      state.change(reference.system) {
        if let center { $0.center = center }
        if let scale = viewpoint.scale { $0.scale = scale }
        if let rotation = viewpoint.rotation {
          $0.rotation = Camera.normalised(rotation)
          $0.rotationIsSet = true
        }
      }
    }
  }

  /// Takes what is missing from where views of the map look at first.
  func takeInitialViewpoint(_ reference: SpatialReference) throws(EngineError) {
    let known = state.withLock { (hasCenter: $0.center != nil, hasScale: $0.scale != nil) }
    guard !known.hasCenter || !known.hasScale else { return }
    do throws(EngineError) {
      guard let target = try map.firstTarget(in: reference) else { return }
      try state.withLock { (state) throws(EngineError) in try state.take(target, reference.system) }
    } catch {
      throw EngineError(
        .notReady,
        "The view has no \(known.hasCenter ? "scale" : "centre"), and the map gives none: \(error.message) Set a "
          + "viewpoint.")
    }
  }

  // MARK: Cameras

  /// Moves the view to a camera, or as near to it as its constraints allow. Every gesture and animation ends here.
  ///
  /// - Parameters:
  ///   - screen: the screen point whose map point stays where it is if the scale has to be limited; nil: the anchor.
  /// - Returns: the camera that the view has now, and which constraints changed it.
  @discardableResult
  public func move(
    to camera: Camera, about screen: Point? = nil
  ) throws(EngineError) -> (camera: Camera, clamps: CameraClamps) {
    guard camera.isUsable else {
      throw EngineError(
        .invalidArgument,
        "A view cannot have the camera at (\(camera.center.x), \(camera.center.y)), 1 : \(camera.scale).")
    }
    try requireOwnCamera()
    let system = try map.requireSpatialReference().system
    _ = try requireSize()
    return state.withLock { state in
      guard let viewport = state.viewport(system) else { return (camera, []) }
      let limited = state.limits.clamped(camera, in: viewport, about: screen)
      // A move to where the view is already changes nothing, its generation neither.
      if limited.camera != state.camera { state.change(system) { $0.set(limited.camera) } }
      return limited
    }
  }

  public var constraints: CameraConstraints { state.withLock { $0.constraints } }

  /// Sets the constraints of the camera, and moves the camera at once if they require it.
  public func setConstraints(_ constraints: CameraConstraints) throws(EngineError) {
    try requireOwnCamera()
    try constraints.check()
    let system = map.spatialReference?.system
    state.withLock { state in state.change(system) { $0.constraints = constraints } }
  }
}

extension MapView.State {
  /// Takes what the host has not set from where views look at first. To fit something takes a size.
  ///
  /// - Parameter first: nil: there is none.
  mutating func take(_ first: CameraTarget?, _ system: CoordinateSystem) throws(EngineError) {
    guard let first, center == nil || scale == nil else { return }
    var target = first
    if let scale { target.scale = scale }
    let start = CameraTarget.Start(center: nil, scale: nil, rotation: rotation)
    if rotationIsSet { target.rotation = rotation }
    var taken = start
    if target.outline == nil {
      taken = CameraTarget.Start(center: target.center, scale: target.scale, rotation: target.rotation ?? rotation)
    } else {
      guard let viewport = viewport(system) else { return }
      taken = CameraTarget.Start(try target.plan(from: start, in: viewport, limits).camera)
    }
    // A centre that was set alone stays; if there is no scale either, nothing is taken.
    guard center == nil || taken.scale != nil else { return }
    change(system) {
      if $0.center == nil { $0.center = taken.center }
      $0.scale = taken.scale
      $0.rotation = Camera.normalised(taken.rotation)
    }
  }
}

extension MapView {
  /// A viewpoint on this view's map, in map units. The resulting camera depends on where the view looks when the move
  /// is planned or done.
  ///
  /// - Parameter padding: DIP to keep free around an extent or a geometry, in addition to the insets.
  public func target(for viewpoint: Viewpoint, padding: Insets = Insets()) throws(EngineError) -> CameraTarget {
    let reference = try map.requireSpatialReference()
    return try runtime.limited { [self] () throws(EngineError) -> CameraTarget in
      try CameraTarget(viewpoint, on: reference, rotation: shownRotation(viewpoint.rotation), padding: padding)
    }
  }

  /// Throws if the padding is not valid, or leaves no space in the current view. Without a size, a view accepts any
  /// padding.
  public func check(padding: Insets) throws(EngineError) {
    try requireOwnCamera()
    try padding.check("padding")
    let room = state.withLock { state in
      (
        width: state.width - state.insets.left - state.insets.right,
        height: state.height - state.insets.top - state.insets.bottom
      )
    }
    if room.width > 0, padding.left + padding.right >= room.width || padding.top + padding.bottom >= room.height {
      throw EngineError(
        .invalidArgument,
        "The padding leaves no space: left and right are \(padding.left + padding.right) of \(room.width) DIP, top and bottom "
          + "\(padding.top + padding.bottom) of \(room.height).")
    }
  }

  /// The result that a move would have now. The view does not move.
  public func plan(_ target: CameraTarget) throws(EngineError) -> CameraPlan {
    let system = try prepareMove(target)
    let start = state.withLock { $0 }
    return try runtime.limitedHere { () throws(EngineError) in try start.plan(target, system) }
  }

  /// Moves the view at once, as near to the target as its constraints allow. On failure the view does not move.
  @discardableResult
  public func move(to target: CameraTarget) throws(EngineError) -> CameraPlan {
    let system = try prepareMove(target)
    // An outline may have a million vertices, over which the lock is not held. If the view has changed meanwhile the
    // plan is made again; if it never rests, at last with the lock.
    for _ in 0..<4 {
      let start = state.withLock { $0 }
      let plan = try runtime.limitedHere { () throws(EngineError) in try start.plan(target, system) }
      let isTaken = state.withLock { state in
        guard state.generation == start.generation else { return false }
        state.take(plan, system)
        return true
      }
      if isTaken { return plan }
    }
    return try state.withLock { (state) throws(EngineError) in
      let plan = try runtime.limitedHere { () throws(EngineError) in try state.plan(target, system) }
      state.take(plan, system)
      return plan
    }
  }

  /// The area that the view shows now as a polygon, including the area under the insets.
  public func visibleArea() throws(EngineError) -> Geometry {
    let frame = try frame()
    return try Geometry.make(runtime: runtime, ring: frame.visibleArea, spatialReference: frame.spatialReference)
  }

  /// The area that the view would show after a move.
  public func visibleArea(after target: CameraTarget) throws(EngineError) -> Geometry {
    let reference = try map.requireSpatialReference()
    let plan = try plan(target)
    guard let viewport = state.withLock({ $0.viewport(reference.system) }) else {
      throw EngineError(.notReady, "The view has no size. Set it first.")
    }
    return try Geometry.make(
      runtime: runtime, ring: plan.camera.visibleArea(in: viewport), spatialReference: reference)
  }

  /// Finds out what a move needs to know of the map.
  private func prepareMove(_ target: CameraTarget) throws(EngineError) -> CoordinateSystem {
    try requireOwnCamera()
    let reference = try map.requireSpatialReference()
    _ = try requireSize()
    // What the move replaces is not needed of the initial viewpoint, which may not be projectable.
    do throws(EngineError) {
      try takeInitialViewpoint(reference)
    } catch {
      if target.center == nil, target.outline == nil { throw error }
    }
    return reference.system
  }

  /// The rotation that the view would have where one is asked for: a locked one stays.
  private func shownRotation(_ wanted: Double?) -> Double {
    state.withLock { $0.constraints.lockedRotation ?? wanted ?? $0.rotation }
  }

}

extension MapView.State {
  /// A move to where the view is already changes nothing, its generation neither.
  fileprivate mutating func take(_ plan: CameraPlan, _ system: CoordinateSystem) {
    if plan.camera != camera { change(system) { $0.set(plan.camera) } }
  }

  fileprivate func plan(_ target: CameraTarget, _ system: CoordinateSystem) throws(EngineError) -> CameraPlan {
    guard let viewport = viewport(system) else {
      throw EngineError(.notReady, "The view has no size. Set it first.")
    }
    return try target.plan(
      from: CameraTarget.Start(center: center, scale: scale, rotation: rotation), in: viewport, limits)
  }
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
        state.recorded, state.navigator.options, metresPerUnit: system.metresPerUnit, worldWidth: system.worldWidth,
        limit: limit)
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

extension MapView {
  /// The largest speed in DIP/s with which a map may drift.
  static let largestSpeed = 1e9

  /// Throws for a magnifier's view, which looks where the magnified view and the finger say.
  func requireOwnCamera() throws(EngineError) {
    if magnification != nil {
      throw EngineError(
        .invalidState,
        "The view is a magnifier's and cannot be moved. Move the view that it magnifies, or the magnifier.",
        parameter: EngineError.receiver)
    }
  }

  func magnify(with lens: Lens, at finger: Point) throws(EngineError) {
    try check(finger)
    let place = LensPlace(finger: finger, in: try frame(), lens.options)
    let isAtRest = state.withLock { state in
      state.magnified = (lens, finger)
      return place.drift == Point(x: 0, y: 0) && !state.navigator.isDrifting
    }
    if !isAtRest { try drift(place.drift) }
  }

  func endMagnifying(with lens: Lens) {
    state.withLock { state in
      guard state.magnified?.lens === lens else { return }
      state.magnified = nil
      guard state.navigator.isDrifting else { return }
      state.recorder?.add(.drift(Point(x: 0, y: 0)))
      state.navigator.endDrift()
      state.tell(isChanged: false)
    }
  }

  /// Lets the map move on and on; (0, 0) ends that.
  func drift(_ velocity: Point) throws(EngineError) {
    guard velocity.x.magnitude <= Self.largestSpeed, velocity.y.magnitude <= Self.largestSpeed else {
      throw EngineError(
        .invalidArgument, "The velocity (\(velocity.x), \(velocity.y)) DIP/s is not within -1e9 to 1e9.")
    }
    try perform(.drift(velocity))
  }

  var isDrifting: Bool { state.withLock { $0.navigator.isDrifting } }

  /// Where the finger is; nil while another magnifier is shown, or none.
  func finger(of lens: Lens) -> Point? {
    state.withLock { $0.magnified.flatMap { $0.lens === lens ? $0.finger : nil } }
  }

  func frame(through lens: Lens) throws(EngineError) -> ViewFrame { try frames(through: lens).magnifier }

  func frames(through lens: Lens) throws(EngineError) -> (view: ViewFrame, magnifier: ViewFrame) {
    guard let finger = finger(of: lens) else {
      throw EngineError(.notReady, "The magnifier is hidden. Show it first.")
    }
    let base = try frame()
    let place = LensPlace(finger: finger, in: base, lens.options)
    return (base, try lens.frame(of: base, at: place.target))
  }

  /// The box of the magnifier that is shown over a frame of this view; nil: none.
  func magnifierBox(in frame: ViewFrame) -> Envelope? {
    guard let magnified = state.withLock({ $0.magnified }) else { return nil }
    return LensPlace(finger: magnified.finger, in: frame, magnified.lens.options).box
  }
}

extension MapView {
  /// Notifies the host that the view can be read, if it can be read now and the host does not know it yet. Call this
  /// after a change outside the view that may have provided what was missing.
  public func noticeReadiness() {
    guard magnification == nil else { return }
    // First onto the list, then a look: what the map gets in between wakes the view.
    map.enlist(self)
    watchLayers()
    let now = state.withLock { $0 }
    if !now.isKnownReady, now.width > 0, let reference = map.spatialReference, cameraAtFirst(now, reference) != nil {
      state.withLock { $0.noteReadiness(whereItLooksAtFirst: true) }
      noticeWhereItLooksAtFirst(reference)
    }
    if state.withLock({ $0.isKnownReady }) { map.strike(self) }
  }

  /// While the view has taken no camera, the states of layers are those that it would find when it is read now.
  func noticeWhereItLooksAtFirst(_ reference: SpatialReference?) {
    let now = state.withLock { $0 }
    guard now.camera == nil, now.isKnownReady else { return }
    let camera = reference.flatMap { cameraAtFirst(now, $0) }
    state.withLock { state in
      if state.camera == nil { state.outlet?.look(at: camera?.scale) }
    }
  }

  /// The view's camera, or the camera that it would take from the map's initial viewpoint. It does not take it now:
  /// until the view is read, the map may get a better initial viewpoint.
  private func cameraAtFirst(_ state: State, _ reference: SpatialReference) -> Camera? {
    if let camera = state.camera { return camera }
    var copy = state
    copy.outlet = nil
    copy.recorder = nil
    do throws(EngineError) {
      try copy.take(map.firstTarget(in: reference), reference.system)
    } catch {
      return nil
    }
    return copy.camera
  }
}

extension MapView {
  /// Keeps to the map's limits as they are now.
  func keepMapLimits() {
    guard magnification == nil else { return }
    state.withLock { state in
      // Asked for with the lock held: of two changes the later one stays, whoever comes first.
      let (limits, reference) = map.state.withLock { ($0.limits, $0.spatialReference) }
      guard state.mapLimits != limits else { return }
      state.change(reference?.system) { $0.mapLimits = limits }
    }
  }
}
