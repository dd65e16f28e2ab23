import AlidadeBase
import CPROJ

// Transformations from what a host has: a code, a text, steps, or another one's inverse.

extension Transformation {
  /// Makes a transformation from an authority's code, such as EPSG 1314.
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

  /// Makes a transformation from a text: WKT 2, PROJJSON, or a PROJ string.
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

  /// Makes one transformation of several, taken one after the other.
  ///
  /// - Parameter parts: each must begin where the one before ends.
  public static func make(runtime: Runtime, steps parts: [Transformation]) throws(EngineError) -> Transformation {
    guard let first = parts.first, let last = parts.last else {
      throw EngineError(.invalidArgument, "There is no step.")
    }
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
      return try Self.make(runtime: runtime, steps: back)
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

  /// What a transformation begins or ends in; nil if it does not say, or says what has no place on a map. Call inside
  /// the gate.
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
    let names = projString.split(whereSeparator: \.isWhitespace).compactMap { word -> Substring? in
      guard let equals = word.firstIndex(of: "="), fileParameters.contains(word[..<equals]) else { return nil }
      return word[word.index(after: equals)...]
    }
    guard !names.isEmpty else { return nil }
    return session.failure(
      .missingGrid,
      "A grid file of the PROJ string is not there, or is none: \(names.joined(separator: ", ")). Put it into one of the "
        + "runtime's grid directories")
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
