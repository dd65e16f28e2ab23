import AlidadeBase
import AlidadeCoordinates
import CAlidade

@_cdecl("ald_unit_get_count") @implementation
public func ald_unit_get_count() -> UInt32 { UInt32(truncatingIfNeeded: UnitDefinition.all.count) }

@_cdecl("ald_unit_get_at") @implementation
public func ald_unit_get_at(_ index: UInt32, _ out_unit: Out<ald_unit>, _ error: Out<ald_error>) -> ald_status {
  enterGetting(out_unit, "out_unit", argument: 2, error) { () throws(EngineError) in
    let all = UnitDefinition.all
    let position = try entry(index, of: all.count, "unit", 1)
    return all[position].unit.rawValue
  }
}

@_cdecl("ald_unit_get_info") @implementation
public func ald_unit_get_info(_ unit: ald_unit, _ out_info: Out<ald_unit_info>, _ error: Out<ald_error>) -> ald_status {
  enterFilling(out_info, argument: 2, error) { () throws(EngineError) in
    let definition = (try enumerator(unit, "unit", "ald_unit", 1) as Unit).definition
    return ald_unit_info(
      struct_size: 0, unit: unit, kind: definition.kind.rawValue, has_pi: definition.factor.hasPi ? 1 : 0,
      numerator: definition.factor.numerator, denominator: definition.factor.denominator,
      si_factor: definition.siFactor, epsg_code: definition.epsgCode, reserved: 0, name: cString(definition.name),
      abbreviation: cString(definition.abbreviation))
  }
}

@_cdecl("ald_unit_find_by_name") @implementation
public func ald_unit_find_by_name(_ name: In<CChar>, _ out_unit: Out<ald_unit>, _ error: Out<ald_error>) -> ald_status {
  enterGetting(out_unit, "out_unit", argument: 2, error) { () throws(EngineError) in
    let name = try string(name, "name", 1)
    return try blaming(1, try Unit(name: name)).rawValue
  }
}

@_cdecl("ald_unit_find_by_code") @implementation
public func ald_unit_find_by_code(_ code: Int32, _ out_unit: Out<ald_unit>, _ error: Out<ald_error>) -> ald_status {
  enterGetting(out_unit, "out_unit", argument: 2, error) { () throws(EngineError) in
    let unit = try known(
      Unit(epsgCode: code), or: EngineError(.notFound, "There is no unit with EPSG's code \(code).", argument: 1))
    return unit.rawValue
  }
}

@_cdecl("ald_unit_convert") @implementation
public func ald_unit_convert(
  _ value: Double, _ from_unit: ald_unit, _ to_unit: ald_unit, _ out_value: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(out_value, "out_value", argument: 4, error) { () throws(EngineError) in
    try requireFinite(value, "value", 1)
    let from: Unit = try enumerator(from_unit, "from_unit", "ald_unit", 2)
    let to: Unit = try enumerator(to_unit, "to_unit", "ald_unit", 3)
    return try blaming(from.kind == to.kind ? 1 : 3, try from.convert(value, to: to))
  }
}

@_cdecl("ald_unit_convert_to_spatial_reference") @implementation
public func ald_unit_convert_to_spatial_reference(
  _ value: Double, _ unit: ald_unit, _ spatial_reference: ald_spatial_reference, _ out_value: Out<Double>,
  _ error: Out<ald_error>
) -> ald_status {
  enterGetting(out_value, "out_value", argument: 4, error) { () throws(EngineError) in
    try requireFinite(value, "value", 1)
    let unit: Unit = try enumerator(unit, "unit", "ald_unit", 2)
    let reference = try resolve(spatial_reference, 3)
    return try blaming(2, try reference.convert(value, from: unit))
  }
}

@_cdecl("ald_unit_convert_from_spatial_reference") @implementation
public func ald_unit_convert_from_spatial_reference(
  _ value: Double, _ spatial_reference: ald_spatial_reference, _ unit: ald_unit, _ out_value: Out<Double>,
  _ error: Out<ald_error>
) -> ald_status {
  enterGetting(out_value, "out_value", argument: 4, error) { () throws(EngineError) in
    try requireFinite(value, "value", 1)
    let reference = try resolve(spatial_reference, 2)
    let unit: Unit = try enumerator(unit, "unit", "ald_unit", 3)
    return try blaming(3, try reference.convert(value, to: unit))
  }
}
