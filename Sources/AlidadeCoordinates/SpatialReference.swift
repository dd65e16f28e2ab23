import AlidadeBase
import CPROJ

/// A spatial reference: an immutable value. Positions in it are horizontal, x east or longitude and y north or
/// latitude; a vertical part is kept in the WKT and not used.
public final class SpatialReference: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  /// What it says, without the runtime.
  public let system: CoordinateSystem

  private init(runtime: Runtime, system: CoordinateSystem) {
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
      return SpatialReference(runtime: runtime, system: try CoordinateSystem(object, definition: definition))
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
      return SpatialReference(runtime: runtime, system: try CoordinateSystem(object, definition: wkt))
    }
  }

  /// Whether two spatial references mean the same positions, whatever the order of their axes.
  public func isEquivalent(to other: SpatialReference) throws(EngineError) -> Bool {
    if self === other || system.definition == other.system.definition || wkt == other.wkt { return true }
    // Names need not agree, but these facts must, and they are cheap to compare.
    if kind != other.kind || metresPerUnit != other.metresPerUnit { return false }
    return try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      let mine = try system.horizontalObject(in: session)
      let others = try other.system.horizontalObject(in: session)
      return proj_is_equivalent_to_with_ctx(
        session.context, mine.pointer, others.pointer, PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0
    }
  }
}
