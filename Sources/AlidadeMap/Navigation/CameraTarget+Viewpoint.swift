import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

extension CameraTarget {
  /// What a viewpoint means on a map.
  ///
  /// - Parameters:
  ///   - reference: the map's.
  ///   - rotation: what the view will have, which decides how a projected extent is fitted.
  ///   - padding: DIP that stay free around an extent or a geometry, beside the insets.
  init(
    _ viewpoint: Viewpoint, on reference: SpatialReference, rotation: Double, padding: Insets
  ) throws(EngineError) {
    try viewpoint.check()
    self.init(scale: viewpoint.scale, rotation: viewpoint.rotation, padding: padding)
    let source = viewpoint.spatialReference ?? reference
    if let given = viewpoint.center { center = try Self.place(given, from: source, to: reference) }
    if let extent = viewpoint.extent {
      outline = try Self.outline(of: extent, from: source, to: reference, rotation: rotation)
    }
    if let geometry = viewpoint.geometry {
      guard let own = geometry.spatialReference ?? viewpoint.spatialReference else { throw Self.unknownReference }
      outline = try Self.outline(of: geometry, from: own, to: reference)
    }
  }

  static var unknownReference: EngineError {
    EngineError(
      .invalidArgument,
      "The geometry does not say what its coordinates are in. Make it with a spatial reference, or name one in the "
        + "viewpoint.")
  }

  private static func place(
    _ point: Point, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> Point {
    guard source !== reference else { return point }
    guard let image = try Projector.between(source, reference).project(point) else {
      throw EngineError(
        .projectionFailed,
        "The centre (\(point.x), \(point.y)) cannot be projected from \(source.name) to \(reference.name).")
    }
    return image
  }

  private static func outline(
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

  private static func outline(
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
