import AlidadeCoordinates

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
