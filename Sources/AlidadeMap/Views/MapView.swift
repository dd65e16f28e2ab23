import AlidadeBase
import AlidadeCoordinates
import Synchronization

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
  let state = Lock(State())
  private static let lastIdentity = Atomic<UInt64>(0)

  struct State {
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
        recorder.add(from: before, to: self)
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
    layerStates = LayerStates(of: identity, map.runtime.mailbox, tells: magnification == nil)
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
