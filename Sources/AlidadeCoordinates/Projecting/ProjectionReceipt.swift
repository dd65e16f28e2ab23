import AlidadeBase
import CPROJ

/// An operation of a receipt.
public struct ReceiptRow: Sendable {
  /// nil for the identity.
  public let transformation: Transformation?
  public let name: String
  /// Metres; NaN if it is not known.
  public let accuracy: Double
  public let isBallpark: Bool
  public let pointCount: Int
}

/// A record of the operations that projected coordinates. Immutable.
public final class ProjectionReceipt: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let rows: [ReceiptRow]
  public let isIdentity: Bool
  /// A transformation was chosen.
  public let isChosen: Bool
  /// True if heights went through the operations; false if they were copied.
  public let hasHeights: Bool
  /// One of the spatial references is computed by EPSG's formulas, where PROJ has others.
  public let hasEPSGFormulas: Bool
  public let pointCount: Int
  public let failedCount: Int

  public override var handleKind: HandleKind { .projectionReceipt }

  public var isBallpark: Bool { rows.contains(where: \.isBallpark) }

  /// The worst of those that were used, in metres; NaN if one is not known or none was used.
  public var accuracy: Double {
    guard let first = rows.first else { return .nan }
    return rows.reduce(first.accuracy) { $0.isNaN || $1.accuracy.isNaN ? .nan : max($0, $1.accuracy) }
  }

  /// - Parameters:
  ///   - projector: what has projected.
  ///   - chosen: the transformation that it was made for.
  public convenience init(
    _ tally: ProjectionTally, by projector: Projector, chosen: Transformation?, runtime: Runtime
  ) throws(EngineError) {
    try self.init([(tally, projector)], chosen: chosen, runtime: runtime)
  }

  /// The receipt of coordinates that several projectors have projected: the rows of the first tally, then the rows of
  /// the next.
  public init(
    _ parts: [(tally: ProjectionTally, projector: Projector)], chosen: Transformation?, runtime: Runtime
  ) throws(EngineError) {
    var rows: [ReceiptRow] = []
    for (tally, projector) in parts {
      for (number, count) in tally.used { rows.append(try projector.row(number, count, chosen, runtime)) }
    }
    self.rows = rows
    isIdentity = parts.allSatisfy(\.projector.isIdentity)
    isChosen = parts.contains(where: \.projector.isChosen)
    hasHeights = parts.contains(where: \.tally.heightsWent)
    hasEPSGFormulas = parts.contains(where: \.projector.hasEPSGFormulas)
    pointCount = parts.reduce(0) { $0 &+ $1.tally.pointCount }
    failedCount = parts.reduce(0) { $0 &+ $1.tally.failedCount }
    super.init(runtime: runtime)
  }

  /// One receipt from several: the rows of the first, then the rows of the next.
  public init(_ receipts: [ProjectionReceipt], runtime: Runtime) {
    rows = receipts.flatMap(\.rows)
    isIdentity = receipts.allSatisfy(\.isIdentity)
    isChosen = receipts.contains(where: \.isChosen)
    hasHeights = receipts.contains(where: \.hasHeights)
    hasEPSGFormulas = receipts.contains(where: \.hasEPSGFormulas)
    pointCount = receipts.reduce(0) { $0 &+ $1.pointCount }
    failedCount = receipts.reduce(0) { $0 &+ $1.failedCount }
    super.init(runtime: runtime)
  }

  /// The receipt over coordinates that stay as they are, because the two spatial references mean the same positions.
  public init(identityOf count: Int, runtime: Runtime) {
    rows = count > 0 ? [Projector.identityRow(count)] : []
    isIdentity = true
    isChosen = false
    hasHeights = false
    hasEPSGFormulas = false
    pointCount = count
    failedCount = 0
    super.init(runtime: runtime)
  }
}

extension Projector {
  fileprivate var hasEPSGFormulas: Bool {
    !isIdentity && (from?.hasEPSGFormulas == true || to?.hasEPSGFormulas == true)
  }

  fileprivate static func identityRow(_ count: Int) -> ReceiptRow {
    ReceiptRow(transformation: nil, name: identityName, accuracy: 0, isBallpark: false, pointCount: count)
  }

  fileprivate func row(
    _ number: Int, _ count: Int, _ chosen: Transformation?, _ runtime: Runtime
  ) throws(EngineError) -> ReceiptRow {
    if isIdentity { return Self.identityRow(count) }
    let operation = plan.operations[number]
    var transformation = chosen
    if transformation == nil {
      transformation = Transformation(
        runtime: runtime, source: from, target: to, facts: try facts(number), isSuperseded: false,
        isUsable: operation.isUsable, generation: CoordinateService.of(runtime).grids.generation)
    }
    return ReceiptRow(
      transformation: transformation, name: operation.name, accuracy: operation.accuracy,
      isBallpark: operation.isBallpark, pointCount: count)
  }

  /// Reads what a receipt says of the only operation, unless that is known: what can fail does so here.
  func prepareReceipt() throws(EngineError) { if plan.isSingle { _ = try facts(0) } }

  /// All that there is to say of an operation of the plan; read once.
  private func facts(_ number: Int) throws(EngineError) -> OperationFacts {
    if let known = facts.withLock({ $0[number] }) { return known }
    let read = try withLease { (lease) throws(EngineError) -> OperationFacts in
      let operation = plan.operations[number]
      var list = lease.list
      if list == nil, let from, let to {
        let made = try Self.list(from, to, takesHeights: takesHeights, missingGrids: false, in: lease.session)
        lease.keep(made)
        list = made
      }
      guard let list, let place = operation.number, place < list.operations.count,
        lease.session.pipeline(of: list.operations[place]) == operation.pipeline
      else { return try facts(of: operation, in: lease.session) }
      return OperationFacts(list.operations[place])
    }
    facts.withLock { $0[number] = read }
    return read
  }

  /// The facts in the PROJ string of an operation that PROJ no longer lists, because the grid directories have changed
  /// since. Call inside the gate.
  private func facts(of operation: PlannedOperation, in session: ProjSession) throws(EngineError) -> OperationFacts {
    guard let object = ProjObject(proj_create(session.context, operation.pipeline), in: session) else {
      throw session.failure(
        .missingGrid, "The operation \(operation.name) has lost a grid file while it was used; project again")
    }
    var facts = OperationFacts(object)
    facts.name = operation.name
    facts.accuracy = operation.accuracy
    facts.isBallpark = operation.isBallpark
    facts.pipeline = operation.pipeline
    facts.wkt = ""
    return facts
  }
}
