import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

extension CameraTarget {
  /// A viewpoint on a map.
  ///
  /// - Parameters:
  ///   - reference: the spatial reference of the map.
  ///   - rotation: the rotation that the view will have, which decides how a projected extent is fitted.
  ///   - padding: DIP to keep free around an extent or a geometry, in addition to the insets.
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
      "The geometry has no spatial reference. Create it with one, or give one in the "
        + "viewpoint.")
  }

  private static func place(
    _ point: Point, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> Point {
    guard source !== reference else { return point }
    let image = try image(of: point, from: source, to: reference)
    return Point(x: image.x + (try wayToCopy(of: point, image: image, from: source, to: reference)), y: image.y)
  }

  private static func image(
    of point: Point, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> Point {
    guard let image = try Projector.between(source, reference).project(point) else {
      throw EngineError(
        .projectionFailed,
        "The centre (\(point.x), \(point.y)) cannot be projected from \(source.name) to \(reference.name).")
    }
    return image
  }

  /// From an image to the copy of the world that its original names by lying beyond its own world, as 181 degrees do: as
  /// far east of the image of 180 as 181 is. Projecting alone takes 181 for -179. 0 where there are no such copies.
  private static func wayToCopy(
    of point: Point, image: Point, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> Double {
    guard let sourceWidth = source.system.worldWidth, let width = reference.system.worldWidth,
      point.x.magnitude >= sourceWidth / 2
    else { return 0 }
    // Not the edge itself, which a datum shift would take to the other side.
    let inside = Point(x: (point.x < 0 ? -0.4995 : 0.4995) * sourceWidth, y: point.y)
    let near = try Self.image(of: inside, from: source, to: reference)
    return image.unwrapped(near: near.x + (point.x - inside.x) / sourceWidth * width, width: width).x - image.x
  }

  private static func outline(
    of geometry: Geometry, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> [Point] {
    var outline = Outline(geometry)
    guard !outline.isEmpty else {
      throw EngineError(.invalidArgument, "The geometry is empty: there is nothing to look at.")
    }
    let original = Envelope(around: outline.points)
    outline = try outline.projected(try Projector.between(source, reference))
    if let width = reference.system.worldWidth { outline.comeTogether(worldWidth: width) }
    return try inNamedCopy(outline.points, of: original, from: source, to: reference)
  }

  private static func outline(
    of extent: Envelope, from source: SpatialReference, to reference: SpatialReference, rotation: Double
  ) throws(EngineError) -> [Point] {
    try extent.requireBox(in: source)
    let projector = try Projector.between(source, reference)
    let original = extent.eastward(source.system.worldWidth)
    if projector.isIdentity { return Outline(original).points }
    // The box around the image.
    let image = try extent.projected(from: source, to: reference)
    let box = Outline(image.envelope.eastward(reference.system.worldWidth)).points
    // Upright, the box around the image is what counts. Otherwise the image itself counts, unless a part of it is
    // missing or a pole is inside, so that its edge is not its outline.
    let isUpright = rotation.truncatingRemainder(dividingBy: 90) == 0
    let needsBox = isUpright || image.isPartial || image.holdsNorthPole || image.holdsSouthPole
    let points = needsBox ? box : try Outline(original).projected(projector).points
    return try inNamedCopy(points, of: original, from: source, to: reference)
  }

  /// The image of an outline in the copy of the world that the middle of its original names: see `wayToCopy`.
  private static func inNamedCopy(
    _ image: [Point], of original: Envelope?, from source: SpatialReference, to reference: SpatialReference
  ) throws(EngineError) -> [Point] {
    guard let middle = original?.middle, let imageMiddle = Envelope(around: image)?.middle else { return image }
    let way = try wayToCopy(of: middle, image: imageMiddle, from: source, to: reference)
    return way == 0 ? image : image.map { Point(x: $0.x + way, y: $0.y) }
  }
}
