import AlidadeBase
import CPROJ
import Synchronization

/// A way from one spatial reference to another, over the datums: exactly one operation, with its steps and its grids.
///
/// An immutable value but for one thing: whether its grids are there follows the runtime's grid directories.
public final class Transformation: RuntimeObject, @unchecked Sendable {  // right: constant fields, and a Lock
  /// What the coordinates that go in are in; nil if the definition does not say.
  public let source: CoordinateSystem?
  /// What the coordinates that come out are in; nil if the definition does not say.
  public let target: CoordinateSystem?
  let facts: OperationFacts
  /// An authority has replaced it by a better one.
  public let isSuperseded: Bool
  /// What it was put together from; empty if it is one operation of PROJ's.
  let parts: [Transformation]
  /// What it is the inverse of, if it was made so: the way back from there is that one again, to the last digit.
  let inverseOf: Transformation?
  /// Steps with the grids as of a generation of the grid directories.
  private let current: Lock<(generation: UInt64, steps: [TransformationStep], isUsable: Bool)>

  init(
    runtime: Runtime, source: CoordinateSystem?, target: CoordinateSystem?, facts: OperationFacts, isSuperseded: Bool,
    isUsable: Bool, generation: UInt64, parts: [Transformation] = [], inverseOf: Transformation? = nil
  ) {
    self.inverseOf = inverseOf
    self.parts = parts
    self.source = source
    self.target = target
    self.facts = facts
    self.isSuperseded = isSuperseded
    current = Lock((generation, facts.steps, isUsable))
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .transformation }

  public var name: String { facts.name }
  public var authority: String { facts.authority }
  public var code: String { facts.code }
  /// Metres; NaN if it is not known.
  public var accuracy: Double { facts.accuracy }
  /// Where it is meant to be used; nil if that is not known.
  public var area: GeographicBox? { facts.area }
  public var areaName: String { facts.areaName }
  public var scope: String { facts.scope }
  public var remarks: String { facts.remarks }
  /// Datums are treated as equal for want of a known relation.
  public var isBallpark: Bool { facts.isBallpark }
  /// WKT 2 (2019).
  public var wkt: String { facts.wkt }
  /// The PROJ string that is run: x east, y north, in the units of source and target. Empty if PROJ has none.
  public var pipeline: String { facts.pipeline }

  /// The authority advises against it.
  public var isDeprecated: Bool { facts.isDeprecated }

  /// The same transformation once more: a handle of the host's own for one that a list lends.
  public func copy() -> Transformation {
    let known = current.withLock { $0 }
    var facts = facts
    facts.steps = known.steps
    return Transformation(
      runtime: runtime, source: source, target: target, facts: facts, isSuperseded: isSuperseded,
      isUsable: known.isUsable, generation: known.generation, parts: parts, inverseOf: inverseOf)
  }

  /// Whether two transformations do the same to every point.
  public func isEquivalent(to other: Transformation) throws(EngineError) -> Bool {
    if self === other { return true }
    guard pipeline.isEmpty, other.pipeline.isEmpty else { return pipeline == other.pipeline }
    // Those that PROJ cannot run are told by what they say; not all of that can PROJ read again.
    if wkt == other.wkt { return true }
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      guard let mine = ProjObject(proj_create(session.context, wkt), in: session),
        let others = ProjObject(proj_create(session.context, other.wkt), in: session)
      else { return false }
      return proj_is_equivalent_to_with_ctx(session.context, mine.pointer, others.pointer, PJ_COMP_EQUIVALENT) != 0
    }
  }

  /// The transformation as text, which `make(runtime:text:)` reads again.
  public func text(_ format: TransformationFormat) throws(EngineError) -> String {
    let text: String
    switch format {
    case .wkt2: text = wkt
    case .proj: text = pipeline
    case .projJSON: text = facts.wkt.isEmpty ? "" : try projJSON()
    }
    guard !text.isEmpty else {
      throw EngineError(.unsupported, "The transformation \(name) cannot be written in this form.", domain: .proj)
    }
    return text
  }

  private func projJSON() throws(EngineError) -> String {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let operation = try object(in: session)
      // PROJ keeps the text with the object.
      return withExtendedLifetime(operation) {
        proj_as_projjson(session.context, operation.pointer, nil).map { String(cString: $0) } ?? ""
      }
    }
  }

  // MARK: Grids

  /// The steps, with their grids as they are now.
  public func steps() throws(EngineError) -> [TransformationStep] { try refreshed().steps }

  /// Whether it can be used now: all of its grids are there and can be read, and PROJ can run it.
  public func isUsable() throws(EngineError) -> Bool { try refreshed().isUsable }

  /// The grids that are not there, or cannot be read.
  public func missingGrids() throws(EngineError) -> [TransformationGrid] {
    try steps().flatMap(\.grids).filter { !$0.isAvailable }
  }

  private func refreshed() throws(EngineError) -> (steps: [TransformationStep], isUsable: Bool) {
    let service = CoordinateService.of(runtime)
    let generation = service.grids.generation
    let known = current.withLock { $0 }
    if known.generation == generation { return (known.steps, known.isUsable) }
    let fresh = try parts.isEmpty ? read() : readParts()
    current.withLock { $0 = (generation, fresh.steps, fresh.isUsable) }
    return fresh
  }

  private func readParts() throws(EngineError) -> (steps: [TransformationStep], isUsable: Bool) {
    var result: (steps: [TransformationStep], isUsable: Bool) = ([], true)
    for part in parts {
      let one = try part.refreshed()
      result = (result.steps + one.steps, result.isUsable && one.isUsable)
    }
    return result
  }

  private func read() throws(EngineError) -> (steps: [TransformationStep], isUsable: Bool) {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      // PROJ makes an operation of its own strings only if the grids are there, and tells nothing of them. Not every
      // definition that it writes can it read again: such a one stays as it was.
      guard !facts.wkt.isEmpty, let operation = ProjObject(proj_create(session.context, facts.wkt), in: session) else {
        return (facts.steps, session.made(pipeline) != nil)
      }
      var now = OperationFacts(operation)
      now.pipeline = pipeline
      let isUsable = session.canRun(operation, &now)
      return (steps: now.steps, isUsable: isUsable)
    }
  }

  /// PROJ's object, made in a session. Call inside the gate.
  func object(in session: ProjSession) throws(EngineError) -> ProjObject {
    guard
      let operation = ProjObject(proj_create(session.context, facts.wkt.isEmpty ? pipeline : facts.wkt), in: session)
    else {
      throw session.failure(.unsupported, "PROJ does not read again what it writes of the transformation \(name)")
    }
    return operation
  }

  /// Throws `missingGrid` with every file that is missing, unless the transformation can be used.
  public func requireUsable() throws(EngineError) {
    // Of one moment: grid directories may change between two looks.
    let now = try refreshed()
    if now.isUsable { return }
    let missing = now.steps.flatMap(\.grids).filter { !$0.isAvailable }
    guard !missing.isEmpty else {
      throw EngineError(.unsupported, "The transformation \(name) cannot be run by this PROJ.", domain: .proj)
    }
    let names = missing.map { grid in
      let also = grid.authorityName.isEmpty ? "" : " (or \(grid.authorityName))"
      return "\(grid.name)\(also)\(grid.url.isEmpty ? "" : ", from \(grid.url)")"
    }
    throw EngineError(
      .missingGrid,
      "The transformation \(name) needs \(missing.count == 1 ? "a grid file that is" : "grid files that are") not there, "
        + "or cannot be read: \(names.joined(separator: "; ")). Put \(missing.count == 1 ? "it" : "them") into one of the runtime's grid "
        + "directories.")
  }
}
