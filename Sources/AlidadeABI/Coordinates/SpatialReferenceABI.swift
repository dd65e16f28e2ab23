import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_spatial_reference_create") @implementation
public func ald_spatial_reference_create(
  _ runtime: ald_runtime, _ definition: In<CChar>, _ out_spatial_reference: Out<ald_spatial_reference>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_spatial_reference, argument: 3, error) { (runtime) throws(EngineError) in
    let text = try string(definition, "definition", 2)
    return try blaming(2, try SpatialReference.make(runtime: runtime, text: text))
  }
}

@_cdecl("ald_spatial_reference_create_from_code") @implementation
public func ald_spatial_reference_create_from_code(
  _ runtime: ald_runtime, _ authority: In<CChar>, _ code: Int32, _ out_spatial_reference: Out<ald_spatial_reference>,
  _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_spatial_reference, argument: 4, error) { (runtime) throws(EngineError) in
    let authority = try optionalString(authority, "authority", 2) ?? "EPSG"
    return try blaming(3, try SpatialReference.make(runtime: runtime, authority: authority, code: code))
  }
}

@_cdecl("ald_spatial_reference_create_from_wkt") @implementation
public func ald_spatial_reference_create_from_wkt(
  _ runtime: ald_runtime, _ wkt: In<CChar>, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_spatial_reference, argument: 3, error) { (runtime) throws(EngineError) in
    let wkt = try string(wkt, "wkt", 2)
    return try blaming(2, try SpatialReference.make(runtime: runtime, wkt: wkt))
  }
}

@_cdecl("ald_spatial_reference_get_info") @implementation
public func ald_spatial_reference_get_info(
  _ spatial_reference: ald_spatial_reference, _ out_info: Out<ald_spatial_reference_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(spatial_reference, out_info, argument: 2, error) { (reference) throws(EngineError) in
    let texts = reference.attachment { CTexts(infoTexts(of: reference.system)) }
    return ald_spatial_reference_info(reference.system, texts)
  }
}

@_cdecl("ald_spatial_reference_create_horizontal") @implementation
public func ald_spatial_reference_create_horizontal(
  _ spatial_reference: ald_spatial_reference, _ out_horizontal: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(spatial_reference, out_horizontal, argument: 2, error) { (spatial_reference) throws(EngineError) in
    try spatial_reference.horizontal()
  }
}

@_cdecl("ald_spatial_reference_get_text") @implementation
public func ald_spatial_reference_get_text(
  _ spatial_reference: ald_spatial_reference, _ format: ald_spatial_reference_format, _ buffer: Out<CChar>,
  _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(spatial_reference, error) { (reference) throws(EngineError) in
    let format: SpatialReferenceFormat = try enumerator(format, "format", "ald_spatial_reference_format", 2)
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    try copyOut(try reference.text(format), buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
  }
}

@_cdecl("ald_spatial_reference_get_wkt") @implementation
public func ald_spatial_reference_get_wkt(
  _ spatial_reference: ald_spatial_reference, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(spatial_reference, error) { (reference) throws(EngineError) in
    try copyOut(reference.wkt, buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

@_cdecl("ald_spatial_reference_compare") @implementation
public func ald_spatial_reference_compare(
  _ a: ald_spatial_reference, _ b: ald_spatial_reference, _ out_relation: Out<ald_spatial_reference_relation>,
  _ error: Out<ald_error>
) -> ald_status {
  enterGetting(a, out_relation, "out_relation", argument: 3, error) { (first) throws(EngineError) in
    let second = try resolve(b, 2, with: first)
    return try first.relation(to: second).rawValue
  }
}

@_cdecl("ald_spatial_reference_equals") @implementation
public func ald_spatial_reference_equals(
  _ a: ald_spatial_reference, _ b: ald_spatial_reference, _ out_equal: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(a, out_equal, "out_equal", argument: 3, error) { (first) throws(EngineError) in
    let second = try resolve(b, 2, with: first)
    return try first.relation(to: second) == .different ? 0 : 1
  }
}

// The facts about a spatial reference as C's struct.

/// The texts of an `ald_spatial_reference_info`, in the order of its fields.
func infoTexts(of system: CoordinateSystem) -> [String] {
  [
    system.name, system.authority, system.code, system.unitName, system.datumName, system.ellipsoidName,
    system.areaOfUse?.name ?? "", system.vertical?.name ?? "", system.vertical?.datumName ?? "",
    system.vertical?.unitName ?? "",
  ]
}

extension ald_spatial_reference_info {
  /// - Parameter texts: the result of `infoTexts`, which lives as long as the handle.
  init(_ system: CoordinateSystem, _ texts: CTexts) {
    self.init()
    kind = system.kind.rawValue
    metres_per_unit = system.metresPerUnit
    semi_major_axis_m = system.semiMajorAxis
    (name, authority, code, unit_name) = (texts[0], texts[1], texts[2], texts[3])
    flags = Self.flags(of: system)
    unit = system.unit?.rawValue ?? ALD_UNIT_NONE
    inverse_flattening = system.inverseFlattening
    prime_meridian_deg = system.primeMeridian
    world_width = system.worldWidth ?? 0
    area_west_deg = system.areaOfUse?.west ?? .nan
    area_south_deg = system.areaOfUse?.south ?? .nan
    area_east_deg = system.areaOfUse?.east ?? .nan
    area_north_deg = system.areaOfUse?.north ?? .nan
    metres_per_vertical_unit = system.vertical?.metresPerUnit ?? .nan
    (datum_name, ellipsoid_name, area_name) = (texts[4], texts[5], texts[6])
    (vertical_name, vertical_datum_name, vertical_unit_name) = (texts[7], texts[8], texts[9])
    vertical_unit = system.vertical?.unit?.rawValue ?? ALD_UNIT_NONE
  }

  private static func flags(of system: CoordinateSystem) -> ald_spatial_reference_flags {
    bits(
      (system.vertical != nil, ALD_SPATIAL_REFERENCE_HAS_VERTICAL),
      (system.vertical?.isEllipsoidal == true, ALD_SPATIAL_REFERENCE_ELLIPSOIDAL_HEIGHT),
      (system.vertical?.isDepth == true, ALD_SPATIAL_REFERENCE_DEPTH),
      (system.isDatumEnsemble, ALD_SPATIAL_REFERENCE_DATUM_ENSEMBLE),
      (system.worldWidth != nil, ALD_SPATIAL_REFERENCE_CAN_WRAP))
  }
}
