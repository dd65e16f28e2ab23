import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

extension MapView {
  /// What a viewpoint means on this view's map, in map units. What comes of it depends on where the view looks when it is
  /// planned or moved.
  ///
  /// - Parameter padding: DIP that stay free around an extent or a geometry, beside the insets.
  public func target(for viewpoint: Viewpoint, padding: Insets = Insets()) throws(EngineError) -> CameraTarget {
    let reference = try map.requireSpatialReference()
    if let scale = viewpoint.scale, !Self.scales.contains(scale) {
      throw EngineError(.invalidArgument, "The scale 1 : \(scale) is not within 1 : 1e-6 to 1 : 1e15.")
    }
    if let rotation = viewpoint.rotation, !rotation.isFinite {
      throw EngineError(.invalidArgument, "The rotation \(rotation) is not finite.")
    }
    let given = [viewpoint.center != nil, viewpoint.extent != nil, viewpoint.geometry != nil].filter { $0 }
    guard given.count <= 1 else {
      throw EngineError(
        .invalidArgument, "A viewpoint has a centre, an extent or a geometry; \(given.count) of them are given.")
    }
    var target = CameraTarget(scale: viewpoint.scale, rotation: viewpoint.rotation, padding: padding)
    let source = viewpoint.spatialReference ?? reference
    if let center = viewpoint.center { target.center = try place(center, from: source, to: reference) }
    if let extent = viewpoint.extent {
      let rotation = viewpoint.rotation ?? rotation
      target.outline = try outline(of: extent, from: source, to: reference, rotation: rotation)
    }
    if let geometry = viewpoint.geometry {
      guard let own = geometry.spatialReference ?? viewpoint.spatialReference else {
        throw EngineError(
          .invalidArgument,
          "The geometry does not say what its coordinates are in. Make it with a spatial reference, or name one in the "
            + "viewpoint.")
      }
      target.outline = try outline(of: geometry, from: own, to: reference)
    }
    return target
  }

  /// Throws if padding is none, or leaves no room in the view as it is now. A view without a size has room for all.
  public func check(padding: Insets) throws(EngineError) {
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
        "The padding leaves no room: left and right are \(padding.left + padding.right) of \(room.width) DIP, top and bottom "
          + "\(padding.top + padding.bottom) of \(room.height).")
    }
  }

  /// What a move would do now. The view stays where it is.
  public func plan(_ target: CameraTarget) throws(EngineError) -> CameraPlan {
    let system = try prepareMove(target)
    return try state.withLock { (state) throws(EngineError) in try state.plan(target, system) }
  }

  /// Moves the view at once, as near to the target as its constraints allow. On failure it stays where it is.
  @discardableResult
  public func move(to target: CameraTarget) throws(EngineError) -> CameraPlan {
    let system = try prepareMove(target)
    return try state.withLock { (state) throws(EngineError) in
      let plan = try state.plan(target, system)
      if plan.camera != state.camera { state.change(system) { $0.set(plan.camera) } }
      return plan
    }
  }

  /// Finds out what a move needs to know of the map.
  private func prepareMove(_ target: CameraTarget) throws(EngineError) -> CoordinateSystem {
    let reference = try map.requireSpatialReference()
    _ = try requireSize()
    // What the move replaces is not needed of the initial viewpoint, which may be one that cannot be projected.
    do throws(EngineError) {
      try takeInitialViewpoint(reference)
    } catch {
      if target.center == nil, target.outline == nil { throw error }
    }
    return reference.system
  }

  private var rotation: Double { state.withLock { $0.constraints.lockedRotation ?? $0.rotation } }

  private func place(
    _ point: Point, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> Point {
    guard point.isFinite else {
      throw EngineError(.invalidArgument, "The centre (\(point.x), \(point.y)) is not finite.")
    }
    guard source !== reference else { return point }
    guard let image = try Projector.between(source, reference).project(point) else {
      throw EngineError(
        .projectionFailed,
        "The centre (\(point.x), \(point.y)) cannot be projected from \(source.name) to \(reference.name).")
    }
    return image
  }

  private func outline(
    of geometry: Geometry, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> [Point] {
    var outline = Outline(geometry)
    guard !outline.isEmpty else {
      throw EngineError(.invalidArgument, "The geometry is empty: there is nothing to look at.")
    }
    outline = try outline.projected(try Projector.between(source, reference))
    if let width = reference.system.worldWidth { outline.comeTogether(worldWidth: width) }
    return outline.points
  }

  private func outline(
    of extent: Envelope, from source: SpatialReference, to reference: SpatialReference, rotation: Double
  ) throws(EngineError) -> [Point] {
    try extent.requireBox(in: source)
    let projector = try Projector.between(source, reference)
    if projector.isIdentity { return Outline(extent.eastward(source.system.worldWidth)).points }
    // The box around the image.
    let image = try extent.projected(from: source, to: reference)
    let box = Outline(image.envelope.eastward(reference.system.worldWidth)).points
    // Upright, the box around the image is what counts. Else the image itself, unless a part of it is missing or a pole
    // is inside, so that its edge is not its outline.
    let isUpright = rotation.truncatingRemainder(dividingBy: 90) == 0
    if isUpright || image.isPartial || image.holdsNorthPole || image.holdsSouthPole { return box }
    return try Outline(extent.eastward(source.system.worldWidth)).projected(projector).points
  }
}

extension Map {
  /// A box of the host's in the map's spatial reference, with xMin <= xMax.
  ///
  /// - Parameter source: what it is in; nil: the map's spatial reference. Of another one, the box around the image.
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
  /// The same box with xMin <= xMax, where it goes over the antimeridian.
  fileprivate func eastward(_ worldWidth: Double?) -> Envelope {
    guard let worldWidth, xMin > xMax else { return self }
    return Envelope(xMin: xMin, yMin: yMin, xMax: xMax + worldWidth, yMax: yMax)
  }
}

extension MapView.State {
  fileprivate func plan(_ target: CameraTarget, _ system: CoordinateSystem) throws(EngineError) -> CameraPlan {
    guard let viewport = viewport(system) else {
      throw EngineError(.notReady, "The view has no size. Set it first.")
    }
    return try target.plan(
      from: CameraTarget.Start(center: center, scale: scale, rotation: rotation), in: viewport, constraints)
  }
}
