import AlidadeCoordinates

/// Which features of a file a source has, and how they are read.
public struct FeatureSourceOptions: Sendable {
  /// The layer by its name.
  public var layerName: String?
  /// The index of the layer, from 0.
  public var layerIndex: Int?
  /// A condition that features must meet, as `Condition` describes it; see Features.md.
  public var definition: String?
  /// A SELECT statement in GDAL's dialect, whose result is the source, instead of a layer.
  public var statement: String?
  /// Stands in for the file's own, present or not.
  public var spatialReference: SpatialReference?
  /// How far the lines that stand for an arc may be away from it, in the unit of the coordinates; 0: each stands for one
  /// degree.
  public var curveTolerance = 0.0

  public init() {}
}
