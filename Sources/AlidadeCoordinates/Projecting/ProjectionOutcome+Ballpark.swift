extension ProjectionOutcome {
  /// Of each number that `marks` has, whether its operation treats the datums as equal for want of a known relation.
  public func ballparks(of projector: Projector) -> [Bool] {
    used.map { !projector.isIdentity && projector.plan.operations[$0.operation].isBallpark }
  }
}
