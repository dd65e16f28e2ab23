import AlidadeBase
import CPROJ
import Synchronization

/// A way from one spatial reference to another, over the datums: exactly one operation, with its steps and its grids.
///
/// An immutable value but for one thing: whether its grids are there follows the runtime's grid directories.
public final class Transformation: RuntimeObject, @unchecked Sendable {  // right: constant fields, and a Lock
  /// The spatial reference of the input coordinates; nil if the definition does not name it.
  public let source: CoordinateSystem?
  /// The spatial reference of the output coordinates; nil if the definition does not name it.
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

  /// A copy of the transformation: gives the host a handle of its own for a transformation that a list owns.
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
    // Transformations that PROJ cannot run are compared by their texts; PROJ cannot read all of these again.
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
    // PROJ cannot read every definition that it writes.
    if format == .wkt2, !text.isEmpty {
      try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
        _ = try object(in: session)
      }
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
      // PROJ creates an operation from its own strings only if the grids exist, and does not report them. It cannot
      // read every definition that it writes: such an operation stays as it was.
      guard !facts.wkt.isEmpty, let operation = ProjObject(proj_create(session.context, facts.wkt), in: session) else {
        let isUsable = session.made(pipeline) != nil
        var steps = facts.steps
        if !isUsable, let last = steps.indices.last { steps[last].grids += session.missingFiles(of: pipeline) }
        return (steps, isUsable)
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

// Transformations from what a host has: a code, a text, steps, or another one's inverse.

extension Transformation {
  /// Creates a transformation from an authority's code, such as EPSG 1314.
  public static func make(
    runtime: Runtime, authority: String, code: String
  ) throws(EngineError) -> Transformation {
    try make(runtime: runtime) { (session) throws(EngineError) in
      // The grids as PROJ names them.
      let pointer = proj_create_from_database(
        session.context, authority, code, PJ_CATEGORY_COORDINATE_OPERATION, 1, nil)
      guard let operation = ProjObject(pointer, in: session) else {
        throw session.failure(.notFound, "There is no transformation \(authority):\(code) in PROJ's database")
      }
      return operation
    }
  }

  /// Creates a transformation from a text: WKT 2, PROJJSON, or a PROJ string.
  public static func make(runtime: Runtime, text: String) throws(EngineError) -> Transformation {
    try ReferenceTextFilter(runtime: runtime).check(text)
    return try make(runtime: runtime, projString: text) { (session) throws(EngineError) in
      guard let operation = ProjObject(proj_create(session.context, text), in: session) else {
        throw missingGrid(of: text, in: session)
          ?? session.failure(.invalidArgument, "The text describes no transformation")
      }
      guard isOperation(operation) else {
        throw EngineError(.invalidArgument, "The text describes no transformation, but another kind of object.")
      }
      return isPROJString(text, in: session) ? operation : inWords(operation)
    }
  }

  /// Of an operation whose method is a PROJ string PROJ knows the grids if it has read it from WKT, and none if it has
  /// read it from PROJJSON. So it reads it once more. Call inside the gate.
  private static func inWords(_ operation: ProjObject) -> ProjObject {
    let context = operation.session.context
    var method: UnsafePointer<CChar>?
    guard proj_coordoperation_get_method_info(context, operation.pointer, &method, nil, nil) != 0, let method,
      String(cString: method).hasPrefix("PROJ-based operation method"),
      let wkt = proj_as_wkt(context, operation.pointer, PJ_WKT2_2019, nil)
    else { return operation }
    return ProjObject(proj_create(context, wkt), in: operation.session) ?? operation
  }

  /// Creates one transformation that runs several, one after the other.
  ///
  /// - Parameter parts: each must begin in the spatial reference in which the previous one ends.
  public static func make(steps parts: [Transformation]) throws(EngineError) -> Transformation {
    guard let first = parts.first, let last = parts.last else {
      throw EngineError(.invalidArgument, "There is no step.")
    }
    let runtime = first.runtime
    for (one, next) in zip(parts, parts.dropFirst()) {
      guard let end = one.target, let begin = next.source else { continue }
      let fits = try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
        let (one, two) = (try end.object(in: session), try begin.object(in: session))
        return proj_is_equivalent_to_with_ctx(
          session.context, one.pointer, two.pointer, PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0
      }
      guard fits else {
        throw EngineError(
          .invalidArgument,
          "The steps do not follow each other: \(one.name) ends in \(end.name), and \(next.name) begins in "
            + "\(begin.name).")
      }
    }
    if parts.count == 1 { return first.copy() }
    try first.requireNoPROJString(parts)
    let pipeline = try Self.pipeline(of: parts.map(\.pipeline))
    var facts = first.facts
    facts.name = parts.map(\.name).joined(separator: " + ")
    (facts.authority, facts.code) = ("", "")
    // Each step adds its own error.
    facts.accuracy = parts.reduce(0) { $0 + $1.accuracy }
    facts.area = nil
    facts.areaName = ""
    facts.scope = ""
    facts.remarks = ""
    facts.isBallpark = parts.contains(where: \.isBallpark)
    facts.isDeprecated = parts.contains(where: \.facts.isDeprecated)
    facts.steps = parts.flatMap(\.facts.steps)
    // PROJ reads the string again as one operation.
    facts.wkt = ""
    facts.pipeline = pipeline
    // Read before: a change of the folders in between makes it look again.
    let generation = CoordinateService.of(runtime).grids.generation
    let isUsable = try parts.allSatisfyUsable()
    return Transformation(
      runtime: runtime, source: first.source, target: last.target, facts: facts, isSuperseded: false,
      isUsable: isUsable, generation: generation, parts: parts)
  }

  /// The same way back.
  public func inverse() throws(EngineError) -> Transformation {
    if let inverseOf { return inverseOf.copy() }
    try requireNoPROJString(parts.isEmpty ? [self] : [])
    if !parts.isEmpty {
      var back: [Transformation] = []
      for part in parts.reversed() { back.append(try part.inverse()) }
      return try Self.make(steps: back)
    }
    return try Self.make(runtime: runtime, projString: nil, inverseOf: self) { (session) throws(EngineError) in
      let operation = try object(in: session)
      guard
        let inverse = ProjObject(
          proj_coordoperation_create_inverse(session.context, operation.pointer), in: session)
      else { throw session.failure(.unsupported, "The transformation \(name) has no inverse") }
      return inverse
    }
  }

  // MARK: Parts

  /// A PROJ string of the host's is run as it is. To take it apart would be to read PROJ's language: parameters of the
  /// whole pipeline, steps that are left out one way, and so on.
  private func requireNoPROJString(_ parts: [Transformation]) throws(EngineError) {
    guard let made = parts.first(where: { $0.facts.wkt.isEmpty && $0.parts.isEmpty }) else { return }
    throw EngineError(
      .unsupported,
      "The transformation \"\(made.pipeline)\" was made of a PROJ string, which is neither turned round nor joined to "
        + "others. Write the whole of it as one PROJ string.")
  }

  /// - Parameter projString: what the operation was made from; that is run if it is one of PROJ's own strings, which PROJ
  ///   does not write again.
  private static func make(
    runtime: Runtime, projString: String? = nil, inverseOf: Transformation? = nil,
    _ operation: (ProjSession) throws(EngineError) -> ProjObject
  ) throws(EngineError) -> Transformation {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let operation = try operation(session)
      var facts = OperationFacts(operation)
      var isUsable = session.canRun(operation, &facts)
      if let projString, isPROJString(projString, in: session),
        proj_get_type(operation.pointer) == PJ_TYPE_OTHER_COORDINATE_OPERATION
      {
        (facts.pipeline, facts.wkt, isUsable) = (projString, "", true)
      }
      if let inverseOf {
        facts.pipeline = inversePipeline(of: inverseOf.pipeline)
        // Without its grids nothing can be tried.
        if try inverseOf.isUsable() {
          isUsable = ProjObject(proj_create(session.context, facts.pipeline), in: session) != nil
          guard isUsable else { throw session.failure(.unsupported, "The transformation \(facts.name) cannot be run") }
        }
      }
      return Transformation(
        runtime: runtime, source: try end(proj_get_source_crs(session.context, operation.pointer), in: session),
        target: try end(proj_get_target_crs(session.context, operation.pointer), in: session), facts: facts,
        isSuperseded: false, isUsable: isUsable, generation: session.generation, inverseOf: inverseOf)
    }
  }

  /// The spatial reference in which a transformation begins or ends; nil if it names none, or if maps cannot have it.
  /// Call inside the gate.
  private static func end(_ pointer: OpaquePointer?, in session: ProjSession) throws(EngineError) -> CoordinateSystem? {
    guard let object = ProjObject(pointer, in: session),
      let wkt = proj_as_wkt(session.context, object.pointer, PJ_WKT2_2019, nil)
    else { return nil }
    do throws(EngineError) {
      return try CoordinateSystem(object, definition: String(cString: wkt))
    } catch {
      return nil
    }
  }

  /// PROJ writes operations with heights as WKT whose method is a PROJ string, and gives what it reads of that the type
  /// of a PROJ string; but it has ends, and the authority's order of axes.
  private static func isPROJString(_ text: String, in session: ProjSession) -> Bool {
    proj_context_guess_wkt_dialect(session.context, text) == PJ_GUESSED_NOT_WKT
      && text.first(where: { !$0.isWhitespace }) != "{"
  }

  /// The error for a PROJ string that PROJ makes nothing of because a file is not there; nil if that is not why. PROJ
  /// itself names the step, and not the file.
  private static func missingGrid(of projString: String, in session: ProjSession) -> EngineError? {
    guard
      proj_context_errno(session.context) == Int32(truncatingIfNeeded: PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID)
    else { return nil }
    let names = fileNames(in: projString)
    guard !names.isEmpty else { return nil }
    return session.failure(
      .missingGrid,
      "A grid file of the PROJ string is missing, or is not a grid file: \(names.joined(separator: ", ")). Put it into one of the "
        + "runtime's grid directories")
  }

  /// What a PROJ string names as files.
  static func fileNames(in projString: String) -> [String] {
    projString.split(whereSeparator: \.isWhitespace).compactMap { word in
      guard let equals = word.firstIndex(of: "="), fileParameters.contains(word[..<equals]) else { return nil }
      return String(word[word.index(after: equals)...])
    }
  }

  /// The parameters of PROJ's operations that name grid files.
  private static let fileParameters: Set<Substring> = [
    "+grids", "+xy_grids", "+z_grids", "+nadgrids", "+geoidgrids", "+file", "+model",
    "grids", "xy_grids", "z_grids", "nadgrids", "geoidgrids", "file", "model",
  ]

  private static func isOperation(_ object: ProjObject) -> Bool {
    [
      PJ_TYPE_CONVERSION, PJ_TYPE_TRANSFORMATION, PJ_TYPE_CONCATENATED_OPERATION, PJ_TYPE_OTHER_COORDINATE_OPERATION,
    ].contains(proj_get_type(object.pointer))
  }

  /// The steps of a pipeline in the other order and direction. PROJ's own inverse of an inverse is not the same again: it
  /// writes a Helmert transformation with its parameters negated, which is some millimetres off.
  static func inversePipeline(of pipeline: String) -> String {
    let prefix = "+proj=pipeline +step "
    guard pipeline != "+proj=noop", !pipeline.isEmpty else { return pipeline }
    let steps = pipeline.hasPrefix(prefix) ? split(String(pipeline.dropFirst(prefix.count))) : [pipeline]
    let turned = steps.reversed().map { $0.hasPrefix("+inv ") ? String($0.dropFirst(5)) : "+inv " + $0 }
    // One step alone may be turned only as a step of a pipeline.
    return prefix + turned.joined(separator: " +step ")
  }

  private static func split(_ pipeline: String) -> [String] {
    var steps: [String] = []
    var step: [Substring] = []
    for word in pipeline.split(separator: " ") {
      if word == "+step" {
        steps.append(step.joined(separator: " "))
        step = []
      } else {
        step.append(word)
      }
    }
    return steps + [step.joined(separator: " ")]
  }

  /// One PROJ pipeline of several.
  static func pipeline(of pipelines: [String]) throws(EngineError) -> String {
    var steps: [String] = []
    for pipeline in pipelines {
      guard !pipeline.isEmpty else {
        throw EngineError(.unsupported, "A step cannot be written as a PROJ string.", domain: .proj)
      }
      if pipeline == "+proj=noop" { continue }
      let prefix = "+proj=pipeline "
      steps.append(pipeline.hasPrefix(prefix) ? String(pipeline.dropFirst(prefix.count)) : "+step " + pipeline)
    }
    return steps.isEmpty ? "+proj=noop" : "+proj=pipeline " + steps.joined(separator: " ")
  }
}

extension [Transformation] {
  fileprivate func allSatisfyUsable() throws(EngineError) -> Bool {
    for part in self where !(try part.isUsable()) { return false }
    return true
  }
}
