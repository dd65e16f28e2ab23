import AlidadeBase
import CPROJ

/// How coordinates get from one spatial reference to another at a place.
public struct ProjectionInfo: Sendable {
  public var name: String
  /// Metres; NaN if not known.
  public var accuracy: Double
  /// The datums are treated as equal for want of a known relation.
  public var isBallpark: Bool
}

/// Projects coordinates between two spatial references, on any number of threads at once.
///
/// Each point gets the operation that PROJ ranks best for its place, or the one that was chosen. PROJ's objects are
/// leased for the length of a call, because no two threads may use one.
public final class Projector: Sendable {
  /// nil: coordinates are as the chosen transformation has them.
  public let from: CoordinateSystem?
  public let to: CoordinateSystem?
  /// The two mean the same positions: points stay as they are, bit for bit.
  public let isIdentity: Bool
  /// Heights go through the operations with the positions; else they are copied.
  public let takesHeights: Bool
  /// A transformation was chosen.
  public let isChosen: Bool
  let isStrict: Bool
  let plan: OperationPlan
  /// The fast path of the only operation; nil if it has none or there are several.
  let fast: FastPath?
  /// What would be used, were all grid files there; nil if that does not matter.
  let ideal: OperationPlan?
  /// What is known of the operations of the plan beside what it says.
  let facts = Lock<[Int: OperationFacts]>([:])
  private let leases = LeasePool<OperationLease>(capacity: Workers.processorCount &+ 2)
  // What is needed of the runtime; not the runtime, which keeps its projectors.
  private let options: RuntimeOptions
  let workers: Workers
  private let mailbox: Mailbox
  private let grids: GridDirectories
  /// Those of the plan; its sessions look in the same.
  private let folders: GridFolders

  /// The runtime's projector for the horizontal parts of a pair, from its cache.
  public static func between(_ from: SpatialReference, _ to: SpatialReference) throws(EngineError) -> Projector {
    let key = ProjectorKey(from: from.system.definition, to: to.system.definition)
    return try CoordinateService.of(from.runtime).projector(key) { () throws(EngineError) in
      try Projector(from: from, to: to, key)
    }
  }

  /// The runtime's projector for a pair, from its cache.
  public static func between(
    _ from: SpatialReference, _ to: SpatialReference, options: ProjectionOptions
  ) throws(EngineError) -> Projector {
    if let transformation = options.transformation {
      return try chosen(transformation, from: from, to: to, options)
    }
    guard !options.isInverse else {
      throw EngineError(.invalidArgument, "Only a transformation that was chosen can be taken backwards.")
    }
    let heights = !options.ignoresVertical && from.system.vertical != nil && to.system.vertical != nil
    let key = ProjectorKey(
      from: from.system.definition, to: to.system.definition, takesHeights: heights, isStrict: options.isStrict,
      usesOnlyBest: options.usesOnlyBest)
    return try CoordinateService.of(from.runtime).projector(key) { () throws(EngineError) in
      try Projector(from: from, to: to, key)
    }
  }

  /// For each point the operation that is best for its place.
  private convenience init(
    from: SpatialReference, to: SpatialReference, _ key: ProjectorKey
  ) throws(EngineError) {
    var isSame = try from.isEquivalent(to: to)
    if isSame, key.takesHeights { isSame = try from.relation(to: to) != .different }
    if isSame {
      try self.init(runtime: from.runtime, from: from.system, to: to.system, key, isIdentity: true) {
        (_) throws(EngineError) in (OperationPlan(operations: [], areas: []), nil, nil)
      }
      return
    }
    try from.requireProjectable(to)
    try self.init(runtime: from.runtime, from: from.system, to: to.system, key, isIdentity: false) {
      (session) throws(EngineError) in
      let list = try Self.list(
        from.system, to.system, takesHeights: key.takesHeights, missingGrids: false, in: session)
      let plan = list.plan()
      guard plan.operations.contains(where: { !$0.pipeline.isEmpty }) else {
        throw EngineError(
          .projectionFailed,
          "PROJ lists operations from \(from.name) to \(to.name), but has the method of none of them.", domain: .proj)
      }
      var ideal: OperationPlan?
      if key.usesOnlyBest {
        ideal = try Self.list(from.system, to.system, takesHeights: key.takesHeights, missingGrids: true, in: session)
          .plan(opensGrids: true)
      }
      return (plan, ideal, list)
    }
  }

  /// - Parameter plan: called inside the gate.
  init(
    runtime: Runtime, from: CoordinateSystem?, to: CoordinateSystem?, _ key: ProjectorKey, isIdentity: Bool,
    plan make: (ProjSession) throws(EngineError) -> (OperationPlan, ideal: OperationPlan?, OperationList?)
  ) throws(EngineError) {
    self.from = from
    self.to = to
    self.isIdentity = isIdentity
    takesHeights = key.takesHeights
    isChosen = key.pipeline != nil
    isStrict = key.isStrict
    options = runtime.options
    workers = runtime.workers
    mailbox = runtime.mailbox
    grids = CoordinateService.of(runtime).grids
    folders = grids.current
    if isIdentity {
      (plan, ideal, fast) = (OperationPlan(operations: [], areas: []), nil, nil)
      return
    }
    let (options, mailbox, folders) = (options, mailbox, folders)
    let made = try ProcessGate.shared.pass {
      () throws(EngineError) -> (plan: OperationPlan, ideal: OperationPlan?, fast: FastPath?, lease: OperationLease) in
      let session = try ProjSession(options: options, mailbox: mailbox, grids: folders)
      let (plan, ideal, list) = try make(session)
      let lease = OperationLease(plan, in: session, list: list)
      return (plan, ideal, plan.isSingle ? lease.runner(0).fast : nil, lease)
    }
    (plan, ideal, fast) = (made.plan, made.ideal, made.fast)
    leases.giveBack(made.lease)
  }

  /// Whether the grid directories are still those of when it was made.
  public var isCurrent: Bool { folders.generation == grids.generation }

  /// PROJ's operations between two systems. Call inside the gate.
  static func list(
    _ from: CoordinateSystem, _ to: CoordinateSystem, takesHeights: Bool, missingGrids: Bool, in session: ProjSession
  ) throws(EngineError) -> OperationList {
    try OperationList(
      from: takesHeights ? from.object(in: session) : from.horizontalObject(in: session),
      to: takesHeights ? to.object(in: session) : to.horizontalObject(in: session), takesHeights: takesHeights,
      missingGrids: missingGrids,
      "There is no operation from \(from.name) to \(to.name)")
  }

  /// Runs `body` inside the gate with PROJ's objects, which nobody else uses meanwhile.
  func withLease<Result>(
    _ body: (OperationLease) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try ProcessGate.shared.pass { () throws(EngineError) -> Result in
      let lease: OperationLease
      if let idle = leases.take() {
        lease = idle
      } else {
        lease = OperationLease(
          plan, in: try ProjSession(options: options, mailbox: mailbox, grids: folders), list: nil)
      }
      defer { leases.giveBack(lease) }
      return try body(lease)
    }
  }

  /// What a message calls the two sides.
  public var way: String {
    guard let from, let to else { return "by \(plan.operations.first?.name ?? "the transformation")" }
    return "from \(from.name) to \(to.name)"
  }

  /// Whether points are refused for what the operation for their place is.
  var refusesOperations: Bool { isStrict || ideal != nil }

  /// What `isPlace` accepts as northings.
  var northings: ClosedRange<Double> { to?.northings ?? FastPath.anyNorthing }

  /// Refuses what is no place: infinity, NaN, and what projections answer for a pole that they cannot show.
  @inline(__always)
  func isPlace(x: Double, y: Double) -> Bool {
    // A NaN fails these comparisons.
    x.magnitude < 1e15 && (to?.northings.contains(y) ?? (y.magnitude < 1e15))
  }
}

extension SpatialReference {
  /// Throws if nothing leads from this to another spatial reference, because one is a plane without a place on the earth.
  func requireProjectable(_ other: SpatialReference) throws(EngineError) {
    guard kind != .local, other.kind != .local else {
      throw EngineError(
        .projectionFailed,
        "\(kind == .local ? name : other.name) is a local plane; nothing can be projected to or from it.")
    }
  }
}

/// What a projector is made for.
struct ProjectorKey: Hashable {
  /// Empty: as the chosen transformation has it.
  var from = ""
  var to = ""
  var takesHeights = false
  var isStrict = false
  var usesOnlyBest = false
  /// What the chosen transformation runs; nil if none was chosen.
  var pipeline: String?
  var isInverse = false
}
