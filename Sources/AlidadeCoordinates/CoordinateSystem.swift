import AlidadeBase
import CPROJ

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
  /// Metres or radians per unit.
  public let siPerUnit: Double
  /// NaN for a local one.
  public let semiMajorAxis: Double
  /// The unit of the horizontal axes among the named ones; nil if it is none of them.
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
  /// The coordinates that a place can have.
  ///
  /// In Mercator the poles are infinitely far away, but PROJ answers a finite northing for them, because the nearest
  /// double to a right angle is below it: there the range ends between that northing and that of the last double below
  /// 90 degrees. Elsewhere it only keeps out what is no place on any map, such as the far pole of a polar stereographic
  /// system at 4e23 metres.
  let northings: ClosedRange<Double>
  /// How far apart two images of one place lie in x, where the world repeats itself; nil where it does not.
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
  /// Such as "World."; may be empty.
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
  /// Among the named ones; nil if it is none of them.
  public var unit: Unit?
  /// Heights above the ellipsoid; else above a surface of the vertical datum.
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
