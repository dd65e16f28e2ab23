import AlidadeBase
import AlidadeCoordinates

/// The target of a move, in map units. Parts that are nil do not change. A value, for moves at once and for animations.
public struct CameraTarget: Sendable {
  public var center: Point?
  /// The outline to fit into the view; not empty.
  public var outline: [Point]?
  public var scale: Double?
  public var rotation: Double?
  /// The space to keep free around the outline, in addition to the insets.
  public var padding: Insets

  public init(
    center: Point? = nil, outline: [Point]? = nil, scale: Double? = nil, rotation: Double? = nil,
    padding: Insets = Insets()
  ) {
    self.center = center
    self.outline = outline
    self.scale = scale
    self.rotation = rotation
    self.padding = padding
  }
}

/// The result of a move.
public struct CameraPlan: Sendable, Equatable {
  /// The camera after the move.
  public var camera: Camera
  /// The camera that the move would have without constraints.
  public var wanted: Camera
  /// The constraints that changed the move.
  public var clamps: CameraClamps
  /// The turn from the current rotation to the new one in the shorter direction, -180 < d <= 180 degrees.
  public var turn: Double
  /// The distances in DIP from the outline to the sides of the free area inside the insets, negative where the outline
  /// is outside; nil without an outline.
  public var margins: Insets?
}

extension CameraTarget {
  /// What is known of a view's camera. Parts may be missing.
  public struct Start: Sendable {
    public var center: Point?
    public var scale: Double?
    public var rotation: Double

    public init(center: Point?, scale: Double?, rotation: Double) {
      self.center = center
      self.scale = scale
      self.rotation = rotation
    }

    public init(_ camera: Camera) { self.init(center: camera.center, scale: camera.scale, rotation: camera.rotation) }
  }

  /// Computes the move. Throws if a part of the camera is neither given nor known, or if the padding leaves no space.
  public func plan(
    from start: Start, in viewport: Viewport, _ constraints: CameraConstraints
  ) throws(EngineError) -> CameraPlan {
    let wantedRotation = Camera.normalised(rotation ?? start.rotation)
    // The outline is fitted as it will lie on the screen.
    let shownRotation = constraints.lockedRotation.map(Camera.normalised) ?? wantedRotation
    var wanted: Camera
    let limited: (camera: Camera, clamps: CameraClamps)
    if let outline {
      let room = try Room(padding, in: viewport)
      wanted = try fit(outline, room, shownRotation, start, in: viewport)
      // If the scale has to change, the outline stays in the middle of its free area.
      limited = constraints.clamped(wanted, in: viewport, about: room.middle)
      // Turned as it was asked for, the outline would have had another scale and centre.
      if shownRotation != wantedRotation { wanted = try fit(outline, room, wantedRotation, start, in: viewport) }
    } else {
      guard let center = center ?? start.center else { throw Self.missing("centre") }
      guard let scale = scale ?? start.scale else { throw Self.missing("scale") }
      wanted = Camera(center: center, scale: scale, rotation: shownRotation)
      limited = constraints.clamped(wanted, in: viewport)
    }
    var plan = CameraPlan(
      camera: limited.camera, wanted: wanted.with(rotation: wantedRotation), clamps: limited.clamps,
      turn: Camera.turn(from: start.rotation, to: limited.camera.rotation),
      margins: try outline.flatMap { (outline) throws(EngineError) in
        try Self.margins(of: outline, limited.camera, in: viewport)
      })
    if shownRotation != wantedRotation { plan.clamps.insert(.rotation) }
    return plan
  }

  private static func missing(_ what: String) -> EngineError {
    EngineError(.notReady, "The view has no \(what). Set a viewpoint, or give the map an initial one.")
  }

  /// The part of the screen that insets and padding leave free.
  private struct Room {
    let width: Double
    let height: Double
    let middle: Point

    init(_ padding: Insets, in viewport: Viewport) throws(EngineError) {
      try padding.check("padding")
      let insets = viewport.insets
      let (left, top) = (insets.left + padding.left, insets.top + padding.top)
      width = viewport.width - left - insets.right - padding.right
      height = viewport.height - top - insets.bottom - padding.bottom
      guard width > 0, height > 0 else {
        throw EngineError(
          .invalidArgument,
          "Padding and insets leave no space: \(width) x \(height) DIP of \(viewport.width) x \(viewport.height).")
      }
      middle = Point(x: left + width / 2, y: top + height / 2)
    }
  }

  /// The camera at which the outline fills its free area in one direction, and is centred in the other.
  private func fit(
    _ outline: [Point], _ room: Room, _ rotation: Double, _ start: Start, in viewport: Viewport
  ) throws(EngineError) -> Camera {
    guard let box = Envelope(around: outline) else {
      throw EngineError(.invalidArgument, "There is nothing to fit into the view.")
    }
    // The outline as it lies on the screen, in map units from a point in its middle, where digits are not lost.
    let origin = box.middle
    let frame = ViewTransform(center: origin, anchor: Point(x: 0, y: 0), unitsPerDip: 1, rotation: rotation)
    var lain = Envelope(xMin: .infinity, yMin: .infinity, xMax: -.infinity, yMax: -.infinity)
    for (index, point) in outline.enumerated() {
      if index & 255 == 255 { try TimeLimit.check() }
      let place = frame.screenPoint(point)
      guard place.isFinite else { throw Self.tooLarge(box) }
      lain = Envelope(
        xMin: min(lain.xMin, place.x), yMin: min(lain.yMin, place.y), xMax: max(lain.xMax, place.x),
        yMax: max(lain.yMax, place.y))
    }
    let (width, height) = (lain.xMax - lain.xMin, lain.yMax - lain.yMin)
    guard width.isFinite, height.isFinite else { throw Self.tooLarge(box) }
    var fitted = scale
    // A point has no size to fit: it only pans.
    if fitted == nil, width > 0 || height > 0 {
      fitted = viewport.scale(unitsPerDip: max(width / room.width, height / room.height))
    }
    guard let known = fitted ?? start.scale else { throw Self.missing("scale") }
    guard known.isFinite else { throw Self.tooLarge(box) }
    let middle = frame.mapPoint(lain.middle)
    return Camera(center: origin, scale: known, rotation: rotation).showing(middle, at: room.middle, in: viewport)
  }

  private static func tooLarge(_ box: Envelope) -> EngineError {
    EngineError(
      .invalidArgument,
      "What is to fit into the view reaches from (\(box.xMin), \(box.yMin)) to (\(box.xMax), \(box.yMax)), which is more "
        + "than numbers can say.")
  }

  private static func margins(
    of outline: [Point], _ camera: Camera, in viewport: Viewport
  ) throws(EngineError) -> Insets? {
    let transform = camera.transform(in: viewport)
    var places: [Point] = []
    for (index, point) in outline.enumerated() {
      if index & 255 == 255 { try TimeLimit.check() }
      places.append(transform.screenPoint(point))
    }
    guard let box = Envelope(around: places) else { return nil }
    let insets = viewport.insets
    return Insets(
      top: box.yMin - insets.top, right: viewport.width - insets.right - box.xMax,
      bottom: viewport.height - insets.bottom - box.yMax, left: box.xMin - insets.left)
  }
}
