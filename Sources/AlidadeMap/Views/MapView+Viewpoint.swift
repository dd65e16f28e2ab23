import AlidadeBase
import AlidadeCoordinates

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
