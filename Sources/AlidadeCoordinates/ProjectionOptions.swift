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
