import AlidadeBase
import CPROJ

/// A spatial reference: an immutable value. Positions in it are horizontal, x east or longitude and y north or
/// latitude; a vertical part is described and kept in the texts.
public final class SpatialReference: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// The facts of the spatial reference, without the runtime.
  public let system: CoordinateSystem
  /// See `geodeticBase()`; nil where it is this one itself.
  let base = Lock<(isKnown: Bool, reference: SpatialReference?)>((false, nil))
  /// See `planeFacts()`.
  let plane = Lock<PlaneFacts?>(nil)

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

  /// Creates a spatial reference from an authority's code.
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

  /// Creates a spatial reference from well-known text, version 1 or 2.
  public static func make(runtime: Runtime, wkt: String) throws(EngineError) -> SpatialReference {
    let given = try ReferenceText(wkt, runtime)
    guard given.form == .wellKnownText else {
      throw EngineError(
        .invalidArgument, "The text is not well-known text of a coordinate system: it begins with no KEYWORD[.",
        domain: .proj)
    }
    return try make(runtime: runtime, given)
  }

  /// Creates a spatial reference from a text of any form: a code ("EPSG:27700", "EPSG:4326+5773", a URN), well-known
  /// text 1 or 2, PROJJSON, a PROJ string, or the name of a system in PROJ's database.
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
    error.message += ". There is ESRI:\(code); use that."
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

extension SpatialReference {
  /// The longitudes and latitudes of its own datum, which lie on its ellipsoid; itself if it has them. A geographic system
  /// that is derived from another one, such as one with a pole of its own, is based on that. Made once.
  public func geodeticBase() throws(EngineError) -> SpatialReference {
    let known = base.withLock { $0 }
    if known.isKnown { return known.reference ?? self }
    let found = try CoordinateService.of(runtime).withSession(runtime) {
      (session) throws(EngineError) -> SpatialReference? in
      var part = try system.horizontalObject(in: session)
      var isItself = kind == .geographic
      if let geodetic = ProjObject(proj_crs_get_geodetic_crs(session.context, part.pointer), in: session), !isItself {
        part = geodetic
      }
      while proj_crs_is_derived(session.context, part.pointer) != 0 {
        guard let source = ProjObject(proj_get_source_crs(session.context, part.pointer), in: session) else { break }
        isItself = false
        part = source
      }
      if isItself { return nil }
      guard kind != .local, proj_get_type(part.pointer) != PJ_TYPE_PROJECTED_CRS else {
        throw EngineError(.unsupported, "\(name) has no longitudes and latitudes: it lies nowhere on the earth.")
      }
      // PROJ takes the latitudes of a projected system on such a basis for geodetic ones.
      guard proj_get_type(part.pointer) != PJ_TYPE_GEODETIC_CRS else {
        throw EngineError(
          .unsupported,
          "\(name) is based on planetocentric latitudes, the angles at the centre of the body, and what has to do with its "
            + "ellipsoid is not computed there. Use the same map with planetographic latitudes (\"Ographic\").")
      }
      return try basis(part, in: session)
    }
    base.withLock { $0 = (true, found) }
    return found ?? self
  }
}

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

extension SpatialReference {
  /// The longitudes, latitudes and ellipsoidal heights in metres of its own datum.
  func geodeticSolid() throws(EngineError) -> SpatialReference {
    let base = try geodeticBase()
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let flat = try base.system.horizontalObject(in: session)
      guard let solid = ProjObject(proj_crs_promote_to_3D(session.context, nil, flat.pointer), in: session) else {
        throw session.failure(.projectionFailed, "PROJ gives no ellipsoidal heights to what \(name) is based on")
      }
      return try basis(solid, in: session)
    }
  }
}

extension CoordinateSystem {
  /// The factor from a number of the vertical axis to metres upwards; 1 without a vertical part, where heights are
  /// metres.
  public var metresUpPerVerticalUnit: Double {
    guard let vertical else { return 1 }
    return vertical.isDepth ? -vertical.metresPerUnit : vertical.metresPerUnit
  }
}

extension SpatialReference {
  /// How this spatial reference relates to another one, including their vertical parts. Names of the systems do not
  /// matter; datums, ellipsoids, projections, parameters and units do.
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

extension SpatialReferenceFormat {
  fileprivate var name: String {
    switch self {
    case .wkt2of2019: "WKT 2 (2019)"
    case .wkt2of2015: "WKT 2 (2015)"
    case .wkt1GDAL: "WKT 1 as GDAL writes it"
    case .wkt1ESRI: "WKT 1 as Esri writes it"
    case .projJSON: "PROJJSON"
    case .projString: "a PROJ string"
    }
  }

  /// A PROJ string leaves out names, codes, areas and most datums; of the others it is expected that they can be read
  /// back as the same system.
  fileprivate var isLossy: Bool { self == .projString }
}

extension SpatialReference {
  /// The spatial reference as a text.
  ///
  /// The text is read back before it is returned, because PROJ writes some texts that it cannot read (`+k=-1`), and
  /// some that mean another system.
  public func text(_ format: SpatialReferenceFormat) throws(EngineError) -> String {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let object = try system.object(in: session)
      _ = session.lastWords()
      guard let written = session.write(object, format) else {
        throw session.failure(.unsupported, "\(name) cannot be written as \(format.name)")
      }
      let text = String(cString: written)
      guard let again = ProjObject(proj_create(session.context, text), in: session) else {
        throw session.failure(.unsupported, "\(name) cannot be written as \(format.name): PROJ does not read it again")
      }
      guard format.isLossy || session.relation(of: object, to: again) != .different else {
        throw EngineError(
          .unsupported,
          "\(name) cannot be written as \(format.name) without loss: what PROJ writes is read as another system.",
          domain: .proj)
      }
      return text
    }
  }
}

extension ProjSession {
  /// The text lives until the object is asked for another one. Call inside the gate.
  fileprivate func write(_ object: ProjObject, _ format: SpatialReferenceFormat) -> UnsafePointer<CChar>? {
    switch format {
    case .wkt2of2019: proj_as_wkt(context, object.pointer, PJ_WKT2_2019, nil)
    case .wkt2of2015: proj_as_wkt(context, object.pointer, PJ_WKT2_2015, nil)
    case .wkt1GDAL: proj_as_wkt(context, object.pointer, PJ_WKT1_GDAL, nil)
    case .wkt1ESRI: proj_as_wkt(context, object.pointer, PJ_WKT1_ESRI, nil)
    case .projJSON: proj_as_projjson(context, object.pointer, nil)
    // The older form has the transformation that is bound to a system (+towgs84); the newer one cannot say it.
    case .projString: proj_as_proj_string(context, object.pointer, PJ_PROJ_4, nil)
    }
  }
}
