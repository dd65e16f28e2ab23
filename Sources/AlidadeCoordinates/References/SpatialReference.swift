import AlidadeBase
import CPROJ

/// A spatial reference: an immutable value. Positions in it are horizontal, x east or longitude and y north or
/// latitude; a vertical part is described and kept in the texts.
public final class SpatialReference: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// What it says, without the runtime.
  public let system: CoordinateSystem
  /// See `geodeticBase()`; nil where it is this one itself.
  let base = Lock<(isKnown: Bool, reference: SpatialReference?)>((false, nil))

  init(runtime: Runtime, system: CoordinateSystem) {
    self.system = system
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .spatialReference }

  public var kind: SpatialReferenceKind { system.kind }
  public var name: String { system.name }
  public var authority: String { system.authority }
  public var code: String { system.code }
  public var unitName: String { system.unitName }
  public var metresPerUnit: Double { system.metresPerUnit }
  public var semiMajorAxis: Double { system.semiMajorAxis }
  public var wkt: String { system.wkt }
  /// A text that makes the same again; what has the same text is the same, though not the other way round.
  public var definition: String { system.definition }

  /// Makes a spatial reference from an authority's code.
  public static func make(
    runtime: Runtime, authority: String, code: Int32
  ) throws(EngineError) -> SpatialReference {
    let definition = "\(authority):\(code)"
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let pointer = proj_create_from_database(
        session.context, authority, String(code), PJ_CATEGORY_CRS, 0, nil)
      guard let object = ProjObject(pointer, in: session) else {
        throw session.noSystem(
          "There is no spatial reference \(definition) in PROJ's database", authority, String(code))
      }
      return SpatialReference(runtime: runtime, system: try CoordinateSystem(object, definition: definition))
    }
  }

  /// Makes a spatial reference from well-known text, 1 or 2.
  public static func make(runtime: Runtime, wkt: String) throws(EngineError) -> SpatialReference {
    let given = try ReferenceText(wkt, runtime)
    guard given.form == .wellKnownText else {
      throw EngineError(
        .invalidArgument, "The text is not well-known text of a coordinate system: it begins with no KEYWORD[.",
        domain: .proj)
    }
    return try make(runtime: runtime, given)
  }

  /// Makes a spatial reference from a text of any form: a code ("EPSG:27700", "EPSG:4326+5773", a URN), well-known text
  /// 1 or 2, PROJJSON, a PROJ string, or the name of a system in PROJ's database.
  public static func make(runtime: Runtime, text: String) throws(EngineError) -> SpatialReference {
    try make(runtime: runtime, try ReferenceText(text, runtime))
  }

  private static func make(runtime: Runtime, _ given: ReferenceText) throws(EngineError) -> SpatialReference {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let (object, definition) = try session.coordinateSystem(given)
      return SpatialReference(runtime: runtime, system: try CoordinateSystem(object, definition: definition))
    }
  }

  /// A spatial reference of what this one is based on. Call inside the gate.
  func basis(_ base: ProjObject, in session: ProjSession) throws(EngineError) -> SpatialReference {
    let made = try CoordinateSystem(base, definition: try session.json(base))
    // An ellipsoid of nearly the largest double becomes infinite when it is written with fewer digits.
    guard ProjObject(proj_create(session.context, made.definition), in: session) != nil else {
      throw session.failure(
        .projectionFailed, "PROJ does not read again what it writes of the longitudes and latitudes of \(name)")
    }
    return SpatialReference(runtime: runtime, system: made)
  }

  /// The horizontal part as a spatial reference of its own; a new object also where there is no other part.
  public func horizontal() throws(EngineError) -> SpatialReference {
    if system.vertical == nil { return SpatialReference(runtime: runtime, system: system) }
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let flat = try system.horizontalObject(in: session)
      return SpatialReference(
        runtime: runtime, system: try CoordinateSystem(flat, definition: try session.json(flat)))
    }
  }
}

extension ProjSession {
  /// What to say of a code that PROJ does not have, with the same code of Esri's if there is one: Esri's own numbers are
  /// often taken for EPSG's. Call inside the gate.
  fileprivate func noSystem(_ what: String, _ authority: String, _ code: String) -> EngineError {
    var error = failure(.notFound, what)
    guard authority.uppercased() == "EPSG", !code.isEmpty,
      ProjObject(proj_create_from_database(context, "ESRI", code, PJ_CATEGORY_CRS, 0, nil), in: self) != nil
    else { return error }
    error.message += " There is ESRI:\(code); use that."
    return error
  }

  /// PROJ's object for a text, and the text that makes the same again. Call inside the gate.
  fileprivate func coordinateSystem(_ given: ReferenceText) throws(EngineError) -> (ProjObject, String) {
    // What PROJ said of something else before is not this text's.
    _ = lastWords()
    switch given.form {
    case .wellKnownText:
      let object = try fromWellKnownText(given.text)
      return (object, given.isPlain ? given.text : try json(object))
    case .name: return try fromName(given.text)
    case .code, .json, .projString: break
    }
    guard let object = ProjObject(proj_create(context, given.text), in: self) else {
      switch given.form {
      case .code:
        let parts = given.text.split(separator: ":")
        let code = parts.count == 2 ? String(parts[1]) : ""
        throw noSystem(
          "There is no spatial reference \(shortened(given.text))", parts.first.map(String.init) ?? "", code)
      case .json: throw failure(.invalidArgument, "The text is not PROJJSON of a coordinate system")
      default: throw failure(.invalidArgument, "The PROJ string describes no coordinate system")
      }
    }
    return (try requireSystem(object), given.text)
  }

  /// A text that makes the same object again. PROJJSON loses nothing.
  fileprivate func json(_ object: ProjObject) throws(EngineError) -> String {
    guard let json = proj_as_projjson(context, object.pointer, nil) else {
      throw failure(.internal, "PROJ does not write down what it has read")
    }
    return String(cString: json)
  }

  private func fromWellKnownText(_ text: String) throws(EngineError) -> ProjObject {
    var errors: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let pointer = proj_create_from_wkt(context, text, nil, nil, &errors)
    defer { proj_string_list_destroy(errors) }
    guard let object = ProjObject(pointer, in: self) else {
      let words = errors?.pointee.map { String(cString: $0) } ?? lastWords()
      throw EngineError(
        .invalidArgument, "The text is not well-known text of a coordinate system: \(words)", domain: .proj)
    }
    return try requireSystem(object)
  }

  private func requireSystem(_ object: ProjObject) throws(EngineError) -> ProjObject {
    guard proj_is_crs(object.pointer) != 0 else {
      throw EngineError(
        .invalidArgument,
        "The text describes no coordinate system, but another kind of object, such as an operation or a datum.")
    }
    return object
  }

  /// The one system with a name. Where several have it, EPSG's counts; kinds are tried in an order.
  private func fromName(_ name: String) throws(EngineError) -> (ProjObject, String) {
    for kinds in [
      [PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_PROJECTED_CRS], [PJ_TYPE_COMPOUND_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS],
    ] {
      var found: [(object: ProjObject, authority: String, code: String)] = []
      if let list = proj_create_from_name(context, nil, name, kinds, kinds.count, 0, 32, nil) {
        defer { proj_list_destroy(list) }
        for index in 0..<max(0, proj_list_get_count(list)) {
          guard let object = ProjObject(proj_list_get(context, list, index), in: self) else { continue }
          let authority = proj_get_id_auth_name(object.pointer, 0).map { String(cString: $0) } ?? ""
          let code = proj_get_id_code(object.pointer, 0).map { String(cString: $0) } ?? ""
          if !found.contains(where: { $0.authority == authority && $0.code == code }) {
            found.append((object, authority, code))
          }
        }
      }
      if found.isEmpty { continue }
      let ofEPSG = found.filter { $0.authority == "EPSG" }
      let candidates = ofEPSG.isEmpty ? found : ofEPSG
      guard candidates.count == 1, let only = candidates.first else {
        let codes = candidates.map { "\($0.authority):\($0.code)" }.joined(separator: ", ")
        throw EngineError(
          .invalidArgument, "Several spatial references are called \(shortened(name)); give a code instead: \(codes)")
      }
      return (only.object, "\(only.authority):\(only.code)")
    }
    // PROJ looks further, for parts of names. What it finds that way is a hint, and not taken.
    let what =
      "\(shortened(name)) is neither a code (EPSG:3857), well-known text, PROJJSON or a PROJ string, nor the name of a "
      + "spatial reference in PROJ's database"
    guard let near = ProjObject(proj_create(context, name), in: self) else { throw failure(.invalidArgument, what) }
    let hint = proj_get_name(near.pointer).map { String(cString: $0) } ?? ""
    throw EngineError(.invalidArgument, "\(what). PROJ knows \(hint).", domain: .proj)
  }
}

/// The beginning of a text, for a message.
private func shortened(_ text: String) -> String {
  text.utf8.count <= 80 ? text : "\(text.prefix(60))..."
}
