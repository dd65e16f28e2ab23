import AlidadeBase
import CPROJ

// A transformation that was chosen: that one and no other.

extension Projector {
  /// The projector for a chosen transformation whose coordinates are as it has them itself: geocentric ones, too.
  public static func by(_ transformation: Transformation, options: ProjectionOptions) throws(EngineError) -> Projector {
    try chosen(transformation, from: nil, to: nil, options)
  }

  /// - Parameters:
  ///   - from: nil: what the transformation begins in.
  ///   - to: nil: what it ends in. Both are nil or neither.
  static func chosen(
    _ transformation: Transformation, from: SpatialReference?, to: SpatialReference?, _ options: ProjectionOptions
  ) throws(EngineError) -> Projector {
    try transformation.requireUsable()
    var heights = !options.ignoresVertical
    if let from, let to { heights = heights && from.system.vertical != nil && to.system.vertical != nil }
    let key = ProjectorKey(
      from: from?.system.definition ?? "", to: to?.system.definition ?? "", takesHeights: heights,
      isStrict: options.isStrict, pipeline: "\(transformation.pipeline)\n\(transformation.wkt)",
      isInverse: options.isInverse)
    let runtime = transformation.runtime
    return try CoordinateService.of(runtime).projector(key) { () throws(EngineError) in
      var operation = PlannedOperation(transformation, isInverse: options.isInverse)
      var key = key
      if let from, let to {
        let way = try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
          try session.way(from: from.system, to: to.system, transformation, key)
        }
        (operation.pipeline, key.takesHeights) = way
        operation.isInverse = false
        operation.convertsRadians = false
      }
      return try Projector(
        runtime: runtime, from: from?.system, to: to?.system, key, isIdentity: false
      ) { (session) throws(EngineError) in
        let runner = OperationRunner(operation, in: session)
        if !runner.isMade, operation.needsGrids { throw session.lostGrid(of: operation) }
        guard runner.hasDirection else {
          throw session.failure(
            .unsupported,
            "The transformation \(transformation.name) cannot be taken \(options.isInverse ? "backwards" : "there")")
        }
        return (OperationPlan(operation), nil, nil)
      }
    }
  }

  /// Throws if the chosen transformation can no longer be run because its grid files have gone. Call inside the gate.
  func requireOperation(_ lease: OperationLease) throws(EngineError) {
    guard isChosen, !lease.runner(0).isMade else { return }
    throw lease.session.lostGrid(of: plan.operations[0])
  }
}

extension PlannedOperation {
  fileprivate init(_ transformation: Transformation, isInverse: Bool) {
    number = nil
    name = transformation.name
    accuracy = transformation.accuracy
    isBallpark = transformation.isBallpark
    grids = transformation.facts.steps.flatMap(\.grids).map(\.name)
    needsGrids = !grids.isEmpty
    isUsable = true
    pipeline = transformation.pipeline
    self.isInverse = isInverse
    convertsRadians = true
  }
}

extension ProjSession {
  /// The error for a transformation whose grid files were there when it was last looked.
  fileprivate func lostGrid(of operation: PlannedOperation) -> EngineError {
    failure(
      .missingGrid,
      "The transformation \(operation.name) needs a grid file that has gone, or can no longer be read, since it was "
        + "chosen. It uses \(operation.grids.joined(separator: ", "))")
  }

  /// The PROJ string that leads by a chosen transformation from one system to another, and whether heights go with it.
  /// Call inside the gate.
  fileprivate func way(
    from: CoordinateSystem, to: CoordinateSystem, _ transformation: Transformation, _ key: ProjectorKey
  ) throws(EngineError) -> (String, takesHeights: Bool) {
    guard var (source, target) = try transformation.ends(in: self) else {
      throw EngineError(
        .invalidArgument,
        "The transformation \(transformation.name) does not say from where to where it leads. Give no spatial references: "
          + "the coordinates are then those that it takes and gives.")
    }
    if key.isInverse { (source, target) = (target, source) }
    let heights = key.takesHeights && dimensions(of: source) == 3 && dimensions(of: target) == 3
    let own = transformation.pipeline
    let middle = key.isInverse ? Transformation.inversePipeline(of: own) : own
    // It was listed for these two. PROJ does not always recognise them in what it has written of the operation.
    if transformation.leads(from: from, to: to, isInverse: key.isInverse) { return (middle, heights) }
    let begin = try heights ? from.object(in: self) : from.horizontalObject(in: self)
    let end = try heights ? to.object(in: self) : to.horizontalObject(in: self)
    guard let before = conversion(from: begin, to: source), let after = conversion(from: target, to: end) else {
      throw EngineError(
        .invalidArgument,
        "The transformation \(transformation.name) leads from \(name(of: source)) to \(name(of: target)), but the "
          + "coordinates go from \(from.name) to \(to.name), which have other datums.")
    }
    return (try Transformation.pipeline(of: [before, middle, after]), heights)
  }

  private func name(of object: ProjObject) -> String {
    proj_get_name(object.pointer).map { String(cString: $0) } ?? "an unnamed system"
  }

  private func dimensions(of system: ProjObject) -> Int32 {
    proj_get_type(system.pointer) == PJ_TYPE_COMPOUND_CRS ? 3 : axisCount(system)
  }

  /// The PROJ string that leads between two systems of one datum; nil if they have different ones. Datums are one if
  /// PROJ needs no transformation between them, not even one that changes nothing: an ensemble and a member of it are
  /// two.
  private func conversion(from a: ProjObject, to b: ProjObject) -> String? {
    guard let (a, b) = inSameDimensions(a, b) else { return nil }
    if relation(of: a, to: b) != .different { return "+proj=noop" }
    // Over one vertical system only positions change. PROJ gives what it puts together for both no type of its own.
    if let below = vertical(a), let under = vertical(b), relation(of: below, to: under) == .same,
      let one = try? horizontal(a), let other = try? horizontal(b)
    {
      return conversion(from: one, to: other)
    }
    guard let ways = operations(from: a, to: b, PROJ_GRID_AVAILABILITY_IGNORED, allowsBallpark: false),
      let way = ways.first, ways.count == 1,
      OperationFacts(way).steps.allSatisfy(\.isConversion)
    else { return nil }
    return pipeline(of: way)
  }

  /// The vertical part of a compound system.
  private func vertical(_ system: ProjObject) -> ProjObject? {
    guard proj_get_type(system.pointer) == PJ_TYPE_COMPOUND_CRS else { return nil }
    return ProjObject(proj_crs_get_sub_crs(context, system.pointer, 1), in: self)
  }

  /// Of a system with heights and one without: the horizontal part of what lies over a vertical datum, or the flat one
  /// with heights above its ellipsoid.
  private func inSameDimensions(_ a: ProjObject, _ b: ProjObject) -> (ProjObject, ProjObject)? {
    let (first, second) = (dimensions(of: a), dimensions(of: b))
    if first == second { return (a, b) }
    if first < second { return flat(a, to: b) }
    return flat(b, to: a).map { ($0.1, $0.0) }
  }

  private func flat(_ flat: ProjObject, to solid: ProjObject) -> (ProjObject, ProjObject)? {
    if proj_get_type(solid.pointer) == PJ_TYPE_COMPOUND_CRS {
      return (try? horizontal(solid)).map { (flat, $0) }
    }
    return ProjObject(proj_crs_promote_to_3D(context, nil, flat.pointer), in: self).map { ($0, solid) }
  }
}

extension ProjSession {
  /// A vertical system alone, as the end of a transformation, is over the positions of the other end. Call inside the
  /// gate.
  fileprivate func whole(_ end: ProjObject, beside other: ProjObject) throws(EngineError) -> ProjObject {
    guard proj_get_type(end.pointer) == PJ_TYPE_VERTICAL_CRS, proj_get_type(other.pointer) != PJ_TYPE_VERTICAL_CRS
    else { return end }
    let flat = try horizontal(other)
    return ProjObject(proj_create_compound_crs(context, nil, flat.pointer, end.pointer), in: self) ?? end
  }
}

extension Transformation {
  /// Whether it was made for exactly these two systems, or for its inverse the other way round.
  fileprivate func leads(from: CoordinateSystem, to: CoordinateSystem, isInverse: Bool) -> Bool {
    guard parts.isEmpty, let source, let target else { return false }
    let (begin, end) = isInverse ? (target, source) : (source, target)
    return begin.definition == from.definition && end.definition == to.definition
  }

  /// What it really begins and ends in, geocentric systems too; nil if it does not say. Call inside the gate.
  func ends(in session: ProjSession) throws(EngineError) -> (source: ProjObject, target: ProjObject)? {
    if let first = parts.first, let last = parts.last {
      guard let begin = try first.ends(in: session), let end = try last.ends(in: session) else { return nil }
      return (begin.source, end.target)
    }
    let context = session.context
    if !wkt.isEmpty, let operation = ProjObject(proj_create(context, wkt), in: session),
      let source = ProjObject(proj_get_source_crs(context, operation.pointer), in: session),
      let target = ProjObject(proj_get_target_crs(context, operation.pointer), in: session)
    {
      return (try session.whole(source, beside: target), try session.whole(target, beside: source))
    }
    // Not all that PROJ writes can it read again.
    guard let source, let target else { return nil }
    return (try source.object(in: session), try target.object(in: session))
  }
}
