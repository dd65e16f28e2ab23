import AlidadeCoordinates
import AlidadeGeometry

/// Where a view is to look. What is nil stays as it is. At most one of `center`, `extent` and `geometry` is given.
public struct Viewpoint: Sendable {
  public var center: Point?
  /// A box that is to fit into the view. Where the world repeats itself, xMin > xMax goes over the antimeridian.
  public var extent: Envelope?
  /// A geometry that is to fit into the view.
  public var geometry: Geometry?
  /// The spatial reference of `center` and `extent`, and of a geometry without one; nil means that of the map.
  public var spatialReference: SpatialReference?
  /// The denominator of the nominal scale. With an extent or a geometry, its middle is shown at this scale, whether it
  /// fits or not.
  public var scale: Double?
  /// Degrees.
  public var rotation: Double?

  public init(
    center: Point? = nil, extent: Envelope? = nil, geometry: Geometry? = nil,
    spatialReference: SpatialReference? = nil, scale: Double? = nil, rotation: Double? = nil
  ) {
    self.center = center
    self.extent = extent
    self.geometry = geometry
    self.spatialReference = spatialReference
    self.scale = scale
    self.rotation = rotation
  }
}
