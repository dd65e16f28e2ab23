import AlidadeBase

extension SpatialReference {
  /// A value in a named unit, in the unit of the horizontal axes. Lengths fit projected and local spatial references,
  /// angles geographic ones.
  public func convert(_ value: Double, from unit: Unit) throws(EngineError) -> Double {
    try unit.definition.factor.converted(value, to: try ownFactor(like: unit))
  }

  /// A value in the unit of the horizontal axes, in a named unit.
  public func convert(_ value: Double, to unit: Unit) throws(EngineError) -> Double {
    try ownFactor(like: unit).converted(value, to: unit.definition.factor)
  }

  /// The factor of this spatial reference's own unit, exact where it is a named one.
  private func ownFactor(like unit: Unit) throws(EngineError) -> UnitFactor {
    let kind: UnitKind = self.kind == .geographic ? .angle : .length
    guard unit.kind == kind else {
      throw EngineError(
        .invalidArgument,
        "The unit of \(name) is \(unitName), which is of \(kind); \(unit.name) is of \(unit.kind).")
    }
    if let own = system.unit { return own.definition.factor }
    return UnitFactor(positive: system.siPerUnit)
  }
}
