import AlidadeBase
import CPROJ

/// What kind of coordinates a spatial reference has. The numbers are those of `ald_spatial_reference_kind`.
public enum SpatialReferenceKind: Int32, Sendable {
  case geographic = 1
  case projected = 2
  case local = 3
}

/// A spatial reference: an immutable value. Positions in it are horizontal, x east or longitude and y north or
/// latitude; a vertical part is kept in the WKT and not used.
public final class SpatialReference: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let kind: SpatialReferenceKind
  /// The name that the authority or the file gives; may be empty.
  public let name: String
  /// "EPSG", ...; empty if there is no code.
  public let authority: String
  public let code: String
  public let unitName: String
  /// Metres per unit; of an angular unit metres of arc along the equator of the ellipsoid.
  public let metresPerUnit: Double
  /// NaN for a local one.
  public let semiMajorAxis: Double
  /// WKT 2 (2019).
  public let wkt: String
  /// What PROJ makes the same spatial reference from: "EPSG:3857", or well-known text.
  let definition: String
  /// For a Mercator projection: the northing beyond which no latitude but the pole lies. Else infinity.
  ///
  /// The pole is infinitely far away in Mercator. PROJ answers a finite northing for latitude 90, because the nearest
  /// double to a right angle is below it. The last double below 90 degrees lies at ln(2 / 2.2e-16) = 36.7 radii.
  let poleNorthing: Double

  private init(runtime: Runtime, facts: Facts, definition: String) {
    kind = facts.kind
    name = facts.name
    authority = facts.authority
    code = facts.code
    unitName = facts.unitName
    metresPerUnit = facts.metresPerUnit
    semiMajorAxis = facts.semiMajorAxis
    wkt = facts.wkt
    poleNorthing = facts.poleNorthing
    self.definition = definition
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .spatialReference }

  /// Makes a spatial reference from an authority's code.
  public static func make(
    runtime: Runtime, authority: String, code: Int32
  ) throws(EngineError) -> SpatialReference {
    let definition = "\(authority):\(code)"
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let pointer = proj_create_from_database(
        session.context, authority, String(code), PJ_CATEGORY_CRS, 0, nil)
      guard let object = ProjObject(pointer, in: session) else {
        throw session.failure(.notFound, "There is no spatial reference \(definition) in PROJ's database")
      }
      return SpatialReference(runtime: runtime, facts: try Facts(of: object), definition: definition)
    }
  }

  /// Makes a spatial reference from well-known text, 1 or 2.
  public static func make(runtime: Runtime, wkt: String) throws(EngineError) -> SpatialReference {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      var errors: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
      let pointer = proj_create_from_wkt(session.context, wkt, nil, nil, &errors)
      defer { proj_string_list_destroy(errors) }
      guard let object = ProjObject(pointer, in: session) else {
        let words = errors?.pointee.map { String(cString: $0) } ?? session.lastWords()
        throw EngineError(
          .invalidArgument, "The text is not well-known text of a coordinate system: \(words)", domain: .proj)
      }
      guard proj_is_crs(object.pointer) != 0 else {
        throw EngineError(.invalidArgument, "The text describes no coordinate system, but another kind of object.")
      }
      return SpatialReference(runtime: runtime, facts: try Facts(of: object), definition: wkt)
    }
  }

  /// Whether two spatial references mean the same positions, whatever the order of their axes.
  public func isEquivalent(to other: SpatialReference) throws(EngineError) -> Bool {
    if self === other || definition == other.definition || wkt == other.wkt { return true }
    // Names need not agree, but these facts must, and they are cheap to compare.
    if kind != other.kind || metresPerUnit != other.metresPerUnit { return false }
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let mine = try horizontalObject(in: session)
      let others = try other.horizontalObject(in: session)
      return proj_is_equivalent_to_with_ctx(
        session.context, mine.pointer, others.pointer, PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0
    }
  }

  /// PROJ's object for the horizontal part, made in a session. Call inside the gate.
  func horizontalObject(in session: ProjSession) throws(EngineError) -> ProjObject {
    guard let object = ProjObject(proj_create(session.context, definition), in: session) else {
      throw session.failure(.internal, "PROJ does not read again the spatial reference \(name)")
    }
    return try horizontal(object)
  }
}

/// The horizontal part of a coordinate system: of a compound one its first part, of a three-dimensional one its
/// two-dimensional form. Call inside the gate.
private func horizontal(_ object: ProjObject) throws(EngineError) -> ProjObject {
  let context = object.session.context
  var part = object
  if proj_get_type(part.pointer) == PJ_TYPE_COMPOUND_CRS {
    guard let first = ProjObject(proj_crs_get_sub_crs(context, part.pointer, 0), in: object.session) else {
      throw object.session.failure(.unsupported, "The compound coordinate system has no horizontal part")
    }
    part = first
  }
  if proj_get_type(part.pointer) == PJ_TYPE_GEOGRAPHIC_3D_CRS {
    guard let flat = ProjObject(proj_crs_demote_to_2D(context, nil, part.pointer), in: object.session) else {
      throw object.session.failure(.unsupported, "The coordinate system has no two-dimensional form")
    }
    part = flat
  }
  return part
}

/// What a spatial reference is asked for, read from PROJ once.
private struct Facts {
  var kind = SpatialReferenceKind.projected
  var name = ""
  var authority = ""
  var code = ""
  var unitName = ""
  var metresPerUnit = 1.0
  var semiMajorAxis = Double.nan
  var wkt = ""
  var poleNorthing = Double.infinity

  /// Call inside the gate.
  init(of object: ProjObject) throws(EngineError) {
    let context = object.session.context
    name = text(proj_get_name(object.pointer))
    authority = text(proj_get_id_auth_name(object.pointer, 0))
    code = text(proj_get_id_code(object.pointer, 0))
    wkt = text(proj_as_wkt(context, object.pointer, PJ_WKT2_2019, nil))

    let flat = try horizontal(object)
    var bare = flat
    if proj_get_type(bare.pointer) == PJ_TYPE_BOUND_CRS {
      if let source = ProjObject(proj_get_source_crs(context, bare.pointer), in: object.session) {
        bare = try horizontal(source)
      }
    }
    switch proj_get_type(bare.pointer) {
    case PJ_TYPE_GEOGRAPHIC_2D_CRS: kind = .geographic
    case PJ_TYPE_PROJECTED_CRS: kind = .projected
    case PJ_TYPE_ENGINEERING_CRS: kind = .local
    case PJ_TYPE_OTHER_CRS where proj_crs_get_coordinate_system(context, bare.pointer) != nil: kind = .projected
    default:
      throw EngineError(
        .unsupported,
        "\(name.isEmpty ? "The coordinate system" : name) is geocentric, vertical or temporal; a map needs "
          + "a geographic or a projected one.")
    }
    readEllipsoid(of: bare)
    readUnit(of: bare)
    readProjection(of: bare)
  }

  private mutating func readEllipsoid(of object: ProjObject) {
    let context = object.session.context
    guard kind != .local, let ellipsoid = ProjObject(proj_get_ellipsoid(context, object.pointer), in: object.session)
    else { return }
    proj_ellipsoid_get_parameters(context, ellipsoid.pointer, &semiMajorAxis, nil, nil, nil)
  }

  private mutating func readUnit(of object: ProjObject) {
    let context = object.session.context
    guard let system = ProjObject(proj_crs_get_coordinate_system(context, object.pointer), in: object.session) else {
      return
    }
    var factor = 1.0
    var unit: UnsafePointer<CChar>?
    guard proj_cs_get_axis_info(context, system.pointer, 0, nil, nil, nil, &factor, &unit, nil, nil) != 0 else {
      return
    }
    unitName = text(unit)
    // PROJ's factor of an angular unit is radians per unit.
    metresPerUnit = kind == .geographic ? factor * semiMajorAxis : factor
  }

  private mutating func readProjection(of object: ProjObject) {
    let context = object.session.context
    guard kind == .projected,
      let conversion = ProjObject(proj_crs_get_coordoperation(context, object.pointer), in: object.session)
    else { return }
    var method: UnsafePointer<CChar>?
    guard proj_coordoperation_get_method_info(context, conversion.pointer, &method, nil, nil) != 0 else { return }
    let methodName = text(method)
    if methodName.hasPrefix("Mercator") || methodName.hasPrefix("Popular Visualisation Pseudo Mercator") {
      poleNorthing = 37 * semiMajorAxis / metresPerUnit
    }
  }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
