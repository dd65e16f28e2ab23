import AlidadeBase
import CPROJ

/// The facts of a spatial reference. It does not know a runtime, so that what a runtime stores for later use (its
/// projectors) does not keep the runtime.
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
  /// Metres or radians per unit.
  public let siPerUnit: Double
  /// NaN for a local one.
  public let semiMajorAxis: Double
  /// The unit of the horizontal axes as a named unit; nil if no named unit fits.
  public let unit: Unit?
  /// The name of the datum, or of the ensemble of datums.
  public let datumName: String
  /// The datum is an ensemble: realisations that are taken for one, and agree to some decimetres or metres.
  public let isDatumEnsemble: Bool
  /// Empty for a local one.
  public let ellipsoidName: String
  /// 0 for a sphere; NaN for a local one.
  public let inverseFlattening: Double
  /// Degrees east of Greenwich; NaN for a local one.
  public let primeMeridian: Double
  public let areaOfUse: AreaOfUse?
  /// Heights or depths; nil if positions have none.
  public let vertical: VerticalPart?
  /// WKT 2 (2019).
  public let wkt: String
  /// What PROJ makes the same system from: "EPSG:3857", or well-known text.
  let definition: String
  /// The range of valid northings.
  ///
  /// In Mercator the poles are infinitely far away, but PROJ returns a finite northing for them, because the nearest
  /// double to a right angle is below it: there the range ends between that northing and the northing of the last
  /// double below 90 degrees. Elsewhere it only excludes what is not a position on any map, such as the far pole of a
  /// polar stereographic system at 4e23 metres.
  let northings: ClosedRange<Double>
  /// As in Mercator.
  public var hasPolesAtInfinity: Bool {
    worldWidth != nil && kind == .projected && northings.upperBound < 1e15 && northings.lowerBound > -1e15
  }
  /// The distance in x between two images of one point where the world repeats itself; nil where it does not.
  public let worldWidth: Double?
  /// It is computed by EPSG's formulas, where PROJ has others.
  let hasEPSGFormulas: Bool

  /// Reads PROJ's object. Call inside the gate.
  init(_ object: ProjObject, definition: String) throws(EngineError) {
    let facts = try CoordinateFacts(of: object)
    kind = facts.kind
    name = facts.name
    authority = facts.authority
    code = facts.code
    unitName = facts.unitName
    metresPerUnit = facts.metresPerUnit
    siPerUnit = facts.siPerUnit
    semiMajorAxis = facts.semiMajorAxis
    unit = facts.unit
    datumName = facts.datumName
    isDatumEnsemble = facts.isDatumEnsemble
    ellipsoidName = facts.ellipsoidName
    inverseFlattening = facts.inverseFlattening
    primeMeridian = facts.primeMeridian
    areaOfUse = facts.areaOfUse
    vertical = facts.vertical
    wkt = facts.wkt
    northings = facts.northings
    worldWidth = facts.worldWidth
    hasEPSGFormulas = facts.hasEPSGFormulas
    self.definition = definition
  }

  /// Degrees per unit of a geographic system; exactly 1 for degrees, which stay as they are to the last bit, and exactly
  /// 0.9 for grads, so that 100 of them reach the pole.
  public var degreesPerUnit: Double {
    let degrees = siPerUnit * (180 / .pi)
    return [1, 0.9].first { (degrees - $0).magnitude < 1e-14 } ?? degrees
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

/// Where a spatial reference is meant to be used, as its authority says.
public struct AreaOfUse: Sendable, Equatable {
  /// Degrees. West is greater than east where the area crosses the antimeridian.
  public var west: Double
  public var south: Double
  public var east: Double
  public var north: Double
  /// The name, such as "World."; may be empty.
  public var name: String
}

/// The heights or depths of a spatial reference.
public struct VerticalPart: Sendable, Equatable {
  /// The name of the vertical system; of a three-dimensional system that of its third axis.
  public var name: String
  /// Empty for ellipsoidal heights, whose datum is that of the spatial reference.
  public var datumName: String
  public var unitName: String
  public var metresPerUnit: Double
  /// The unit as a named unit; nil if no named unit fits.
  public var unit: Unit?
  /// True for heights above the ellipsoid; false for heights above a surface of the vertical datum.
  public var isEllipsoidal: Bool
  /// Numbers grow downwards.
  public var isDepth: Bool
}

/// The horizontal part of a coordinate system: of a compound one its first part, of a three-dimensional one its
/// two-dimensional form. Call inside the gate.
func horizontal(_ object: ProjObject) throws(EngineError) -> ProjObject {
  let context = object.session.context
  var part = object
  if proj_get_type(part.pointer) == PJ_TYPE_COMPOUND_CRS {
    guard let first = ProjObject(proj_crs_get_sub_crs(context, part.pointer, 0), in: object.session) else {
      throw object.session.failure(.unsupported, "The compound coordinate system has no horizontal part")
    }
    part = first
  }
  if axisCount(part) > 2 {
    guard let flat = ProjObject(proj_crs_demote_to_2D(context, nil, part.pointer), in: object.session) else {
      throw object.session.failure(.unsupported, "The coordinate system has no two-dimensional form")
    }
    part = flat
  }
  return part
}

/// What a spatial reference is asked for, read from PROJ once.
struct CoordinateFacts {
  var kind = SpatialReferenceKind.projected
  var name = ""
  var authority = ""
  var code = ""
  var unitName = ""
  var metresPerUnit = 1.0
  var siPerUnit = 1.0
  var unit: Unit?
  var datumName = ""
  var isDatumEnsemble = false
  var semiMajorAxis = Double.nan
  var ellipsoidName = ""
  var inverseFlattening = Double.nan
  var primeMeridian = Double.nan
  var areaOfUse: AreaOfUse?
  var vertical: VerticalPart?
  var wkt = ""
  var northings = -1e15...1e15
  var worldWidth: Double?
  var hasEPSGFormulas = false

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
    let bare = try unbound(flat)
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
    readDatum(of: bare)
    readUnit(of: bare)
    guard Self.units.contains(metresPerUnit) else {
      throw EngineError(
        .unsupported,
        "\(name.isEmpty ? "The coordinate system" : name) has a unit of \(metresPerUnit) metres, which is not within "
          + "1e-9 to 1e12.")
    }
    readProjection(of: bare)
    hasEPSGFormulas = bare.session.hasEPSGFormulas(bare)
    readAreaOfUse(of: object)
    vertical = try verticalPart(of: object)
  }

  private mutating func readEllipsoid(of object: ProjObject) {
    let context = object.session.context
    guard kind != .local, let ellipsoid = ProjObject(proj_get_ellipsoid(context, object.pointer), in: object.session)
    else { return }
    ellipsoidName = text(proj_get_name(ellipsoid.pointer))
    proj_ellipsoid_get_parameters(context, ellipsoid.pointer, &semiMajorAxis, nil, nil, &inverseFlattening)
    if let meridian = ProjObject(proj_get_prime_meridian(context, object.pointer), in: object.session) {
      var longitude = 0.0
      var radiansPerUnit = 0.0
      proj_prime_meridian_get_parameters(context, meridian.pointer, &longitude, &radiansPerUnit, nil)
      // Degrees stay as they are, to the bit.
      let degree = Double.pi / 180
      primeMeridian =
        (radiansPerUnit - degree).magnitude < 1e-15 ? longitude : longitude * radiansPerUnit / degree
    }
  }

  private mutating func readDatum(of object: ProjObject) {
    (datumName, isDatumEnsemble) = datum(of: object)
  }

  private mutating func readUnit(of object: ProjObject) {
    guard let axis = Axis(0, of: object) else { return }
    unitName = axis.unitName
    unit = Unit(of: axis, kind: kind == .geographic ? .angle : .length)
    // PROJ's factor of an angular unit is radians per unit.
    siPerUnit = axis.factor
    metresPerUnit = kind == .geographic ? axis.factor * semiMajorAxis : axis.factor
    // In a named unit without the rounding of its factor: 400 gons, not 400.0000000000004.
    if kind == .geographic {
      let named = try? unit.map { (unit) throws(EngineError) in try Unit.turn.convert(1, to: unit) }
      worldWidth = named ?? 2 * .pi / axis.factor
    }
  }

  private mutating func readAreaOfUse(of object: ProjObject) {
    var area = AreaOfUse(west: .nan, south: .nan, east: .nan, north: .nan, name: "")
    var words: UnsafePointer<CChar>?
    guard
      proj_get_area_of_use(
        object.session.context, object.pointer, &area.west, &area.south, &area.east, &area.north, &words) != 0
    else { return }
    area.name = text(words)
    // PROJ returns -1000 where an area has a name and no bounds.
    if area.west < -999 || area.south < -999 || area.east < -999 || area.north < -999 {
      (area.west, area.south, area.east, area.north) = (.nan, .nan, .nan, .nan)
    }
    areaOfUse = area
  }
}

// MARK: Projections

extension CoordinateFacts {
  /// Methods in which x grows evenly with longitude, by the beginnings of their names.
  private static let cylindrical = [
    "Popular Visualisation Pseudo Mercator", "Mercator", "Equidistant Cylindrical", "Lambert Cylindrical Equal Area",
    "Miller Cylindrical", "Gall Stereographic",
  ]

  private mutating func readProjection(of object: ProjObject) {
    let context = object.session.context
    guard kind == .projected,
      let conversion = ProjObject(proj_crs_get_coordoperation(context, object.pointer), in: object.session)
    else { return }
    var words: UnsafePointer<CChar>?
    guard proj_coordoperation_get_method_info(context, conversion.pointer, &words, nil, nil) != 0 else { return }
    let method = text(words)
    guard Self.cylindrical.contains(where: { method.hasPrefix($0) }),
      let base = ProjObject(proj_crs_get_geodetic_crs(context, object.pointer), in: object.session),
      let axis = Axis(0, of: base)
    else { return }
    let isTurned = object.session.hasTurnedAxes(base)
    let direct = isTurned ? object.session.fromGeographic(to: object) : Self.direct(from: base, to: object)
    guard let operation = direct else { return }
    let quarter = isTurned ? 90 : (Double.pi / 2 / axis.factor).rounded()  // 90 degrees, 100 grads
    let isWebMercator = method.hasPrefix("Popular")
    if isWebMercator || method.hasPrefix("Mercator") { readPoles(at: quarter, operation) }
    worldWidth = isWebMercator ? 2 * .pi * semiMajorAxis / metresPerUnit : width(quarter: quarter, operation)
  }

  private static func direct(from base: ProjObject, to object: ProjObject) -> ProjObject? {
    let context = object.session.context
    return ProjObject(
      proj_create_crs_to_crs_from_pj(context, base.pointer, object.pointer, nil, nil), in: object.session
    ).flatMap { ProjObject(proj_normalize_for_visualization(context, $0.pointer), in: object.session) }
  }

  /// Finds where a Mercator projection puts the poles and the latitudes next to them.
  private mutating func readPoles(at pole: Double, _ operation: ProjObject) {
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

  /// How wide the world is.
  private func width(quarter: Double, _ operation: ProjObject) -> Double? {
    func easting(_ longitude: Double) -> Double {
      proj_trans(operation.pointer, PJ_FWD, proj_coord(longitude, 0, 0, .infinity)).xy.x
    }
    // Of three meridians an eighth of the world apart, two neighbours lie on the same side of the seam.
    let middle = easting(quarter / 2)
    let width = 8 * min((middle - easting(0)).magnitude, (easting(quarter) - middle).magnitude)
    return width.isFinite && width > 0 ? width : nil
  }
}

// MARK: Parts

/// The system without the transformation that is bound to it. Call inside the gate.
private func unbound(_ object: ProjObject) throws(EngineError) -> ProjObject {
  guard proj_get_type(object.pointer) == PJ_TYPE_BOUND_CRS,
    let source = ProjObject(proj_get_source_crs(object.session.context, object.pointer), in: object.session)
  else { return object }
  return try horizontal(source)
}

/// The vertical part of a system; nil if it has none. Call inside the gate.
private func verticalPart(of object: ProjObject) throws(EngineError) -> VerticalPart? {
  let context = object.session.context
  if proj_get_type(object.pointer) == PJ_TYPE_COMPOUND_CRS {
    var index: Int32 = 1
    while let part = ProjObject(proj_crs_get_sub_crs(context, object.pointer, index), in: object.session) {
      index &+= 1
      var bare = part
      if proj_get_type(part.pointer) == PJ_TYPE_BOUND_CRS,
        let source = ProjObject(proj_get_source_crs(context, part.pointer), in: object.session)
      {
        bare = source
      }
      if proj_get_type(bare.pointer) == PJ_TYPE_VERTICAL_CRS, let axis = Axis(0, of: bare) {
        return VerticalPart(
          axis, name: text(proj_get_name(bare.pointer)), datumName: datum(of: bare).name, isEllipsoidal: false)
      }
    }
  }
  var solid = object
  if proj_get_type(object.pointer) == PJ_TYPE_COMPOUND_CRS,
    let first = ProjObject(proj_crs_get_sub_crs(context, object.pointer, 0), in: object.session)
  {
    solid = first
  }
  if proj_get_type(solid.pointer) == PJ_TYPE_BOUND_CRS,
    let source = ProjObject(proj_get_source_crs(context, solid.pointer), in: object.session)
  {
    solid = source
  }
  guard let axis = Axis(2, of: solid) else { return nil }
  let isLocal = proj_get_type(solid.pointer) == PJ_TYPE_ENGINEERING_CRS
  return VerticalPart(axis, name: axis.name, datumName: "", isEllipsoidal: !isLocal)
}

extension VerticalPart {
  fileprivate init(_ axis: Axis, name: String, datumName: String, isEllipsoidal: Bool) {
    self.init(
      name: name, datumName: datumName, unitName: axis.unitName, metresPerUnit: axis.factor,
      unit: Unit(of: axis, kind: .length), isEllipsoidal: isEllipsoidal, isDepth: axis.direction == "down")
  }
}

/// The name of a system's datum or ensemble of datums. Call inside the gate.
private func datum(of object: ProjObject) -> (name: String, isEnsemble: Bool) {
  let context = object.session.context
  if let datum = ProjObject(proj_crs_get_datum(context, object.pointer), in: object.session) {
    return (text(proj_get_name(datum.pointer)), false)
  }
  if let ensemble = ProjObject(proj_crs_get_datum_ensemble(context, object.pointer), in: object.session) {
    return (text(proj_get_name(ensemble.pointer)), true)
  }
  return ("", false)
}

/// An axis of a system.
private struct Axis {
  var name: String
  var direction: String
  /// Metres or radians per unit.
  var factor: Double
  var unitName: String
  var unitAuthority: String
  var unitCode: String

  /// nil if the system has no such axis. Call inside the gate.
  init?(_ index: Int32, of object: ProjObject) {
    let context = object.session.context
    guard index < axisCount(object),
      let system = ProjObject(proj_crs_get_coordinate_system(context, object.pointer), in: object.session)
    else { return nil }
    var factor = 1.0
    var (axisName, towards): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    var (unit, authority, code): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    guard
      proj_cs_get_axis_info(
        context, system.pointer, index, &axisName, nil, &towards, &factor, &unit, &authority, &code) != 0
    else { return nil }
    self.factor = factor
    (name, direction) = (text(axisName), text(towards))
    (unitName, unitAuthority, unitCode) = (text(unit), text(authority), text(code))
  }
}

extension Unit {
  /// The named unit of an axis.
  fileprivate init?(of axis: Axis, kind: UnitKind) {
    let named = axis.unitAuthority == "EPSG" ? Int32(axis.unitCode, radix: 10).flatMap { Unit(epsgCode: $0) } : nil
    guard let unit = named ?? Unit(factor: axis.factor, kind: kind), unit.kind == kind,
      unit.isAbout(axis.factor)
    else { return nil }
    self = unit
  }
}

/// How many axes a system has, or the one that a transformation is bound to; 0 for a compound one. Call inside the gate.
func axisCount(_ object: ProjObject) -> Int32 {
  let context = object.session.context
  var bare = object
  if proj_get_type(object.pointer) == PJ_TYPE_BOUND_CRS {
    guard let source = ProjObject(proj_get_source_crs(context, object.pointer), in: object.session) else { return 0 }
    bare = source
  }
  guard proj_get_type(bare.pointer) != PJ_TYPE_COMPOUND_CRS,
    let system = ProjObject(proj_crs_get_coordinate_system(context, bare.pointer), in: object.session)
  else { return 0 }
  return max(0, proj_cs_get_axis_count(context, system.pointer))
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
