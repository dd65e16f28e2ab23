import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

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

extension Map {
  /// A box from the host in the map's spatial reference, with xMin <= xMax.
  ///
  /// - Parameter source: the spatial reference of the box; nil means that of the map. For another one, the box around
  ///   the image is used.
  public func box(_ box: Envelope, from source: SpatialReference?) throws(EngineError) -> Envelope {
    let reference = try requireSpatialReference()
    try box.requireBox(in: source ?? reference)
    let image = try source.map { (source) throws(EngineError) in
      try box.projected(from: source, to: reference).envelope
    }
    return (image ?? box).eastward(reference.system.worldWidth)
  }
}

extension Envelope {
  var middle: Point { Point(x: xMin / 2 + xMax / 2, y: yMin / 2 + yMax / 2) }

  /// The same box with xMin <= xMax, where it goes over the antimeridian.
  func eastward(_ worldWidth: Double?) -> Envelope {
    guard let worldWidth, xMin > xMax else { return self }
    return Envelope(xMin: xMin, yMin: yMin, xMax: xMax + worldWidth, yMax: yMax)
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
