import AlidadeBase
import CPROJ

/// What kind of coordinates a spatial reference has. The numbers are those of `ald_spatial_reference_kind`.
public enum SpatialReferenceKind: Int32, Sendable {
  case geographic = 1
  case projected = 2
  case local = 3
}

/// What a spatial reference says. It knows no runtime, so that what a runtime keeps for later (its projectors) does not
/// keep the runtime.
public final class CoordinateSystem: Sendable {
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
  /// It has heights: as the second part of a compound system, or as the third axis.
  let hasVertical: Bool
  /// What PROJ makes the same system from: "EPSG:3857", or well-known text.
  let definition: String
  /// The coordinates that a place can have.
  ///
  /// In Mercator the poles are infinitely far away, but PROJ answers a finite northing for them, because the nearest
  /// double to a right angle is below it: there the range ends between that northing and that of the last double below
  /// 90 degrees. Elsewhere it only keeps out what is no place on any map, such as the far pole of a polar stereographic
  /// system at 4e23 metres.
  let northings: ClosedRange<Double>
  /// How far apart two images of one place lie in x, where the world repeats itself; nil where it does not.
  public let worldWidth: Double?

  /// Reads PROJ's object. Call inside the gate.
  init(_ object: ProjObject, definition: String) throws(EngineError) {
    let facts = try Facts(of: object)
    kind = facts.kind
    name = facts.name
    authority = facts.authority
    code = facts.code
    unitName = facts.unitName
    metresPerUnit = facts.metresPerUnit
    semiMajorAxis = facts.semiMajorAxis
    wkt = facts.wkt
    northings = facts.northings
    worldWidth = facts.worldWidth
    hasVertical = [PJ_TYPE_COMPOUND_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS].contains(proj_get_type(object.pointer))
    self.definition = definition
  }

  /// PROJ's object, made in a session. Call inside the gate.
  func object(in session: ProjSession) throws(EngineError) -> ProjObject {
    guard let object = ProjObject(proj_create(session.context, definition), in: session) else {
      throw session.failure(.internal, "PROJ does not read again the spatial reference \(name)")
    }
    return object
  }

  /// PROJ's object for the horizontal part, made in a session. Call inside the gate.
  func horizontalObject(in session: ProjSession) throws(EngineError) -> ProjObject {
    try horizontal(try object(in: session))
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
  var northings = -1e15...1e15
  var worldWidth: Double?

  /// Metres per unit that a view can reckon with at every scale: from a nanometre to the radius of the largest stars.
  private static let units = 1e-9...1e12

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
    guard Self.units.contains(metresPerUnit) else {
      throw EngineError(
        .unsupported,
        "\(name.isEmpty ? "The coordinate system" : name) has a unit of \(metresPerUnit) metres, which is not within "
          + "1e-9 to 1e12.")
    }
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
    if kind == .geographic { worldWidth = 2 * .pi / factor }
  }

  private mutating func readProjection(of object: ProjObject) {
    let context = object.session.context
    guard kind == .projected,
      let conversion = ProjObject(proj_crs_get_coordoperation(context, object.pointer), in: object.session)
    else { return }
    var method: UnsafePointer<CChar>?
    guard proj_coordoperation_get_method_info(context, conversion.pointer, &method, nil, nil) != 0 else { return }
    let methodName = text(method)
    let isWebMercator = methodName.hasPrefix("Popular Visualisation Pseudo Mercator")
    if isWebMercator { worldWidth = 2 * .pi * semiMajorAxis / metresPerUnit }
    if isWebMercator || methodName.hasPrefix("Mercator") { readPoles(of: object) }
  }

  /// Finds where a Mercator projection puts the poles and the latitudes next to them.
  private mutating func readPoles(of object: ProjObject) {
    let context = object.session.context
    guard let base = ProjObject(proj_crs_get_geodetic_crs(context, object.pointer), in: object.session),
      let raw = ProjObject(
        proj_create_crs_to_crs_from_pj(context, base.pointer, object.pointer, nil, nil), in: object.session),
      let operation = ProjObject(proj_normalize_for_visualization(context, raw.pointer), in: object.session),
      let system = ProjObject(proj_crs_get_coordinate_system(context, base.pointer), in: object.session)
    else { return }
    var radiansPerUnit = 1.0
    guard proj_cs_get_axis_info(context, system.pointer, 0, nil, nil, nil, &radiansPerUnit, nil, nil, nil) != 0 else {
      return
    }
    let pole = (Double.pi / 2 / radiansPerUnit).rounded()  // 90 degrees, 100 grads
    func northing(_ latitude: Double) -> Double {
      proj_trans(operation.pointer, PJ_FWD, proj_coord(0, latitude, 0, .infinity)).xy.y
    }
    let (last, north) = (northing(pole.nextDown), northing(pole))
    let (first, south) = (northing(-pole.nextDown), northing(-pole))
    let upper = last.isFinite && north.isFinite && last < north ? (last + north) / 2 : northings.upperBound
    let lower = first.isFinite && south.isFinite && south < first ? (first + south) / 2 : northings.lowerBound
    // The halves are judged apart; a false northing beyond all ranges can leave them the wrong way round.
    if lower <= upper { northings = lower...upper }
  }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
