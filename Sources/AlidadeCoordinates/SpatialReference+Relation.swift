import AlidadeBase
import CPROJ

extension SpatialReference {
  /// How this spatial reference and another stand to each other, their vertical parts counted in. Names of the systems
  /// do not matter; datums, ellipsoids, projections, parameters and units do.
  public func relation(to other: SpatialReference) throws(EngineError) -> SpatialReferenceRelation {
    if self === other || system.definition == other.system.definition { return .same }
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      session.relation(of: try system.object(in: session), to: try other.system.object(in: session))
    }
  }

  /// Whether two spatial references mean the same horizontal positions, whatever the order of their axes and their
  /// vertical parts: what projecting has to know.
  public func isEquivalent(to other: SpatialReference) throws(EngineError) -> Bool {
    if self === other || system.definition == other.system.definition || wkt == other.wkt { return true }
    // Names need not agree, but these facts must, and they are cheap to compare.
    if kind != other.kind || metresPerUnit != other.metresPerUnit { return false }
    // Only one of them wraps around: a cylindrical projection and another one.
    if (system.worldWidth == nil) != (other.system.worldWidth == nil) { return false }
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let mine = try system.horizontalObject(in: session)
      let others = try other.system.horizontalObject(in: session)
      return session.relation(of: mine, to: others) != .different
    }
  }
}

extension ProjSession {
  /// How two of PROJ's systems stand to each other. Call inside the gate.
  func relation(of a: ProjObject, to b: ProjObject) -> SpatialReferenceRelation {
    if areEquivalent(a, b, PJ_COMP_EQUIVALENT) { return .same }
    if areEquivalent(a, b, PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) { return .sameButForAxisOrder }
    // PROJ's criterion looks over the order of longitude and latitude only; easting and northing are put in order here.
    guard let inOrder = ProjObject(proj_normalize_for_visualization(context, a.pointer), in: self),
      let othersInOrder = ProjObject(proj_normalize_for_visualization(context, b.pointer), in: self)
    else { return .different }
    return areEquivalent(inOrder, othersInOrder, PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS)
      ? .sameButForAxisOrder : .different
  }

  /// In both directions, so that the answer does not depend on which of the two is asked.
  private func areEquivalent(_ a: ProjObject, _ b: ProjObject, _ criterion: PJ_COMPARISON_CRITERION) -> Bool {
    proj_is_equivalent_to_with_ctx(context, a.pointer, b.pointer, criterion) != 0
      || proj_is_equivalent_to_with_ctx(context, b.pointer, a.pointer, criterion) != 0
  }
}
