import AlidadeBase
import AlidadeCoordinates

extension MapView {
  /// Moves the view at once. On failure it stays where it is. Unlike `move(to:)`, it takes parts of a camera also while
  /// others are missing.
  public func setViewpoint(_ viewpoint: Viewpoint) throws(EngineError) {
    if viewpoint.extent != nil || viewpoint.geometry != nil {
      try move(to: try target(for: viewpoint))
      return
    }
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
      state.change(reference.system) {
        if let center { $0.center = center }
        if let scale = viewpoint.scale { $0.scale = scale }
        if let rotation = viewpoint.rotation { $0.rotation = Camera.normalised(rotation) }
      }
    }
  }

  /// Takes what is missing from the map's initial viewpoint.
  func takeInitialViewpoint(_ reference: SpatialReference) throws(EngineError) {
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
      state.change(reference.system) {
        $0.center = center
        if $0.scale == nil { $0.scale = initial.scale }
      }
    }
  }

  // MARK: Cameras

  /// Moves the view to a camera, or as near to it as its constraints allow. What every gesture and animation ends in.
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
        "The camera at (\(camera.center.x), \(camera.center.y)), 1 : \(camera.scale), is not one that a view can have.")
    }
    let system = try map.requireSpatialReference().system
    _ = try requireSize()
    return state.withLock { state in
      guard let viewport = state.viewport(system) else { return (camera, []) }
      let limited = state.constraints.clamped(camera, in: viewport, about: screen)
      // A move to where the view is already changes nothing, its generation neither.
      if limited.camera != state.camera { state.change(system) { $0.set(limited.camera) } }
      return limited
    }
  }

  public var constraints: CameraConstraints { state.withLock { $0.constraints } }

  /// Sets what the camera may not do, and moves it at once where it must.
  public func setConstraints(_ constraints: CameraConstraints) throws(EngineError) {
    try constraints.check()
    let system = map.spatialReference?.system
    state.withLock { state in state.change(system) { $0.constraints = constraints } }
  }
}
