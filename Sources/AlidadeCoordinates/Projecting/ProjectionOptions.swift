/// How points are projected.
public struct ProjectionOptions: Sendable {
  /// The one operation that is used, and no other; nil: for each point the one that PROJ ranks best for its place.
  public var transformation: Transformation?
  /// The chosen transformation is taken backwards.
  public var isInverse = false
  /// A point is refused rather than projected with datums treated as equal for want of a known relation.
  public var isStrict = false
  /// A point is refused if what would be best for its place lacks a grid file.
  public var usesOnlyBest = false
  /// Heights are copied, also where both sides have some.
  public var ignoresVertical = false

  public init() {}
}

/// What became of a point. The numbers are those of `ald_point_status`.
public enum PointStatus: UInt8, Sendable {
  case ok = 0
  /// It has no image in the target.
  case failed = 1
  /// A coordinate that went in is NaN or infinite.
  case notFinite = 2
  /// It lies outside of the grids of the operation for its place, or where they know nothing.
  case outsideGrid = 3
  /// There is only an operation that treats the datums as equal, and that was refused.
  case onlyBallpark = 4
  /// What is best for its place lacks a grid file.
  case missingGrid = 5
  /// A latitude beyond the poles, or a longitude beyond all reason.
  case invalidCoordinate = 6
}
