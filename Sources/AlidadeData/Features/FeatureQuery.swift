import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// Which features are read, and which of their data.
public struct FeatureQuery: Sendable {
  /// A condition that features must meet in addition to the source's definition.
  public var condition: String?
  /// An area that features must share a point with; nil means anywhere.
  public var area: Area?
  /// Only features with these ids; nil: all.
  public var ids: [Int64]?
  /// How many features are read at most; nil: all.
  public var limit: Int?
  /// How many are passed over first.
  public var offset = 0
  /// The numbers of the fields that are read; nil: all.
  public var fields: [Int]?
  /// Fields that the set lacks, all together, if their values take too much memory.
  public var spareFields: Set<Int> = []
  public var withoutGeometry = false
  /// The spatial reference to which geometries are projected; nil means that they are not projected.
  public var spatialReference: SpatialReference?

  public enum Area: Sendable {
    /// nil: in the spatial reference of the source. A box in another one stands for the box around its image.
    case envelope(Envelope, SpatialReference?)
    case geometry(Geometry)
    /// All features that a box in another spatial reference may show: a few more are read, none less.
    case shown(Envelope, SpatialReference)
  }

  public init() {}

  /// How many features are read at most, if the query wants each feature that is read.
  ///
  /// - Parameter filter: the source's own condition.
  func mostRead(_ filter: LayerFilter) -> Int {
    switch area {
    case nil, .shown: break
    case .envelope, .geometry: return .max
    }
    guard condition == nil, ids == nil, filter.isEmpty, let limit else { return .max }
    return limit.addingReportingOverflow(offset).overflow ? .max : limit &+ offset
  }
}
