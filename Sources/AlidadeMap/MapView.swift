import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Synchronization

/// Where a view is to look. What is nil stays as it is.
public struct Viewpoint: Sendable {
  public var center: Point?
  /// What `center` is in; nil: the map's spatial reference.
  public var spatialReference: SpatialReference?
  /// The denominator of the nominal scale.
  public var scale: Double?
  /// Degrees.
  public var rotation: Double?

  public init(
    center: Point? = nil, spatialReference: SpatialReference? = nil, scale: Double? = nil, rotation: Double? = nil
  ) {
    self.center = center
    self.spatialReference = spatialReference
    self.scale = scale
    self.rotation = rotation
  }
}

/// A camera over a map: a size, a viewpoint and insets, and no window.
public final class MapView: RuntimeObject, @unchecked Sendable {  // right: what changes is under a Lock
  public let map: Map
  /// Tells views apart; never used twice in a process.
  let identity: UInt64
  private let state = Lock(State())
  private static let lastIdentity = Atomic<UInt64>(0)

  private struct State {
    var center: Point?
    var scale: Double?
    var rotation = 0.0
    var width = 0.0
    var height = 0.0
    var pixelDensity = 1.0
    var insets = Insets()
    var generation: UInt64 = 0
    /// The frame of the present generation, once it was asked for.
    var frame: ViewFrame?

    mutating func change(_ body: (inout State) -> Void) {
      body(&self)
      generation &+= 1
      frame = nil
    }
  }

  /// The scales that a view can have; beyond them numbers lose their meaning.
  public static let scales = 1e-6...1e15
  public static let largestSize = 1e7

  public init(map: Map) {
    self.map = map
    identity = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    super.init(runtime: map.runtime)
  }

  public override var handleKind: HandleKind { .view }

  // MARK: Size

  public func setSize(width: Double, height: Double, pixelDensity: Double) throws(EngineError) {
    guard width > 0, height > 0, width <= Self.largestSize, height <= Self.largestSize else {
      throw EngineError(.invalidArgument, "The size \(width) x \(height) DIP is not within 0 to 1e7.")
    }
    guard pixelDensity > 0, pixelDensity <= 100 else {
      throw EngineError(.invalidArgument, "The pixel density \(pixelDensity) is not within 0 to 100.")
    }
    let fits = state.withLock { state in
      guard Self.leavesRoom(state.insets, width: width, height: height) else { return false }
      state.change {
        $0.width = width
        $0.height = height
        $0.pixelDensity = pixelDensity
      }
      return true
    }
    if !fits {
      throw EngineError(
        .invalidArgument, "The insets leave no room in \(width) x \(height) DIP. Make the insets smaller first.")
    }
  }

  public func setInsets(_ insets: Insets) throws(EngineError) {
    for (name, inset) in [
      ("top", insets.top), ("right", insets.right), ("bottom", insets.bottom), ("left", insets.left),
    ] where !(inset >= 0 && inset.isFinite) {
      throw EngineError(.invalidArgument, "The inset \(name)_dip \(inset) is negative or not finite.")
    }
    let outcome: (hasSize: Bool, fits: Bool) = state.withLock { state in
      guard state.width > 0 else { return (false, false) }
      guard Self.leavesRoom(insets, width: state.width, height: state.height) else { return (true, false) }
      state.change { $0.insets = insets }
      return (true, true)
    }
    guard outcome.hasSize else { throw EngineError(.notReady, "The view has no size. Set it first.") }
    guard outcome.fits else { throw EngineError(.invalidArgument, "The insets leave no room in the view.") }
  }

  private static func leavesRoom(_ insets: Insets, width: Double, height: Double) -> Bool {
    insets.left + insets.right < width && insets.top + insets.bottom < height
  }

  /// Width, height and pixel density; throws if the view has no size.
  public func requireSize() throws(EngineError) -> (width: Double, height: Double, pixelDensity: Double) {
    let size = state.withLock { ($0.width, $0.height, $0.pixelDensity) }
    guard size.0 > 0 else { throw EngineError(.notReady, "The view has no size. Set it first.") }
    return size
  }

  // MARK: Viewpoint

  /// Moves the view at once. On failure it stays where it is.
  public func setViewpoint(_ viewpoint: Viewpoint) throws(EngineError) {
    let reference = try map.requireSpatialReference()
    if let scale = viewpoint.scale, !Self.scales.contains(scale) {
      throw EngineError(.invalidArgument, "The scale 1 : \(scale) is not within 1 : 1e-6 to 1 : 1e15.")
    }
    if let rotation = viewpoint.rotation, !rotation.isFinite {
      throw EngineError(.invalidArgument, "The rotation \(rotation) is not finite.")
    }
    var center = viewpoint.center
    if let place = center {
      guard place.isFinite else {
        throw EngineError(.invalidArgument, "The centre (\(place.x), \(place.y)) is not finite.")
      }
      if let source = viewpoint.spatialReference {
        guard let image = try Projector.between(source, reference).project(place) else {
          throw EngineError(
            .projectionFailed,
            "The centre (\(place.x), \(place.y)) cannot be projected from \(source.name) to \(reference.name).")
        }
        center = image
      }
    }
    // What the view would have taken from the map's initial viewpoint must not be lost by setting a part of it. One
    // that cannot be projected is no reason not to move.
    if center == nil { do throws(EngineError) { try takeInitialViewpoint(reference) } catch {} }
    state.withLock { state in
      state.change {
        if let center { $0.center = center }
        if let scale = viewpoint.scale { $0.scale = scale }
        if let rotation = viewpoint.rotation { $0.rotation = Self.normalised(rotation) }
      }
    }
  }

  /// 0 <= r < 360.
  private static func normalised(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    // -1e-300 + 360 is 360; and -0 is 0.
    return turned >= 360 ? 0 : turned + 0
  }

  /// Takes what is missing from the map's initial viewpoint.
  private func takeInitialViewpoint(_ reference: SpatialReference) throws(EngineError) {
    guard state.withLock({ $0.center == nil }), let initial = map.initialViewpoint else { return }
    let center: Point
    do throws(EngineError) {
      center = try map.center(of: initial, in: reference)
    } catch {
      throw EngineError(
        .notReady,
        "The view has no centre, and the map's initial viewpoint gives none: \(error.message) Set a viewpoint.")
    }
    state.withLock { state in
      guard state.center == nil else { return }
      state.change {
        $0.center = center
        if $0.scale == nil { $0.scale = initial.scale }
      }
    }
  }

  // MARK: Reading

  /// The view as of now, or an error that names what is missing.
  public func frame() throws(EngineError) -> ViewFrame {
    if let known = state.withLock({ $0.frame }) { return known }
    let reference = try map.requireSpatialReference()
    _ = try requireSize()
    try takeInitialViewpoint(reference)
    let frame: ViewFrame? = state.withLock { state in
      guard let center = state.center, let scale = state.scale else { return nil }
      let frame = ViewFrame(
        map: map, spatialReference: reference, center: center, scale: scale, rotation: state.rotation,
        width: state.width, height: state.height, pixelDensity: state.pixelDensity, insets: state.insets,
        generation: state.generation)
      state.frame = frame
      return frame
    }
    if let frame { return frame }
    let missing = state.withLock { $0.center == nil ? "centre" : "scale" }
    throw EngineError(
      .notReady, "The view has no \(missing). Set a viewpoint, or give the map an initial one.")
  }

  // MARK: Layers

  /// How a layer of the view's map is reached from a frame; nil if it is hidden. Throws if it is not in the map.
  func access(_ layer: Layer, _ frame: ViewFrame) throws(EngineError) -> LayerProjection? {
    let status = layer.status(in: map.identity)
    guard status.isMember else { throw Self.notMember }
    guard status.isVisible else { return nil }
    return try layer.projection(for: frame.spatialReference, known: status.projection)
  }

  static var notMember: EngineError {
    EngineError(.invalidArgument, "The layer is not in the view's map. Add it there first.")
  }

  /// How much of the visible area lies inside a layer's outline, 0 to 1, planar in the map's spatial reference.
  public func coverage(of layer: Layer) throws(EngineError) -> Double {
    guard layer.status(in: map.identity).isMember else { throw Self.notMember }
    let frame = try frame()
    var outline = try layer.outline(in: frame.spatialReference)
    guard let width = frame.spatialReference.system.worldWidth else {
      return try PlanarArea.fraction(of: frame.visibleArea, inside: outline)
    }
    // Where the world repeats itself, so does the layer: the copies beside the view's centre may be visible too.
    outline.unwrapAlong(width: width)
    let middle = Envelope(around: outline).map { ($0.xMin + $0.xMax) / 2 } ?? 0
    let turns = ((frame.center.x - middle) / width).rounded()
    var fraction = 0.0
    for turn in [turns - 1, turns, turns + 1] where turn.isFinite {
      let copy = outline.map { Point(x: $0.x + turn * width, y: $0.y) }
      fraction += try PlanarArea.fraction(of: frame.visibleArea, inside: copy)
    }
    return min(1, fraction)
  }
}
