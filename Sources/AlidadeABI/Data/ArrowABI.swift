import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import AlidadeMap
import CAlidade

@_cdecl("ald_geometry_array_export_arrow") @implementation
public func ald_geometry_array_export_arrow(
  _ geometry_array: ald_geometry_array, _ encoding: ald_arrow_encoding, _ out_schema: OpaquePointer?,
  _ out_array: OpaquePointer?, _ error: Out<ald_error>
) -> ald_status {
  enter(geometry_array, error) { (array) throws(EngineError) in
    let encoding: ArrowEncoding = try enumerator(encoding, "encoding", "ald_arrow_encoding", 2)
    try export(try array.arrowColumn("geometry", encoding), out_schema, out_array)
  }
}

@_cdecl("ald_feature_set_export_arrow") @implementation
public func ald_feature_set_export_arrow(
  _ feature_set: ald_feature_set, _ encoding: ald_arrow_encoding, _ out_schema: OpaquePointer?,
  _ out_array: OpaquePointer?, _ error: Out<ald_error>
) -> ald_status {
  enter(feature_set, error) { (set) throws(EngineError) in
    let encoding: ArrowEncoding = try enumerator(encoding, "encoding", "ald_arrow_encoding", 2)
    try export(try set.arrowTable(encoding), out_schema, out_array)
  }
}

@_cdecl("ald_feature_set_export_arrow_stream") @implementation
public func ald_feature_set_export_arrow_stream(
  _ feature_set: ald_feature_set, _ encoding: ald_arrow_encoding, _ out_stream: OpaquePointer?, _ error: Out<ald_error>
) -> ald_status {
  enter(feature_set, error) { (set) throws(EngineError) in
    let encoding: ArrowEncoding = try enumerator(encoding, "encoding", "ald_arrow_encoding", 2)
    guard let out_stream else { throw missing("out_stream", 3) }
    try set.arrowTable(encoding).export(UnsafeMutablePointer(out_stream))
  }
}

@_cdecl("ald_identify_result_export_arrow") @implementation
public func ald_identify_result_export_arrow(
  _ result: ald_identify_result, _ encoding: ald_arrow_encoding, _ out_schema: OpaquePointer?,
  _ out_array: OpaquePointer?, _ error: Out<ald_error>
) -> ald_status {
  enter(result, error) { (result) throws(EngineError) in
    let encoding: ArrowEncoding = try enumerator(encoding, "encoding", "ald_arrow_encoding", 2)
    try export(try result.arrowTable(encoding), out_schema, out_array)
  }
}

@_cdecl("ald_identify_result_export_arrow_stream") @implementation
public func ald_identify_result_export_arrow_stream(
  _ result: ald_identify_result, _ encoding: ald_arrow_encoding, _ out_stream: OpaquePointer?, _ error: Out<ald_error>
) -> ald_status {
  enter(result, error) { (result) throws(EngineError) in
    let encoding: ArrowEncoding = try enumerator(encoding, "encoding", "ald_arrow_encoding", 2)
    guard let out_stream else { throw missing("out_stream", 3) }
    try result.arrowTable(encoding).export(UnsafeMutablePointer(out_stream))
  }
}

@_cdecl("ald_geometry_array_create_from_arrow") @implementation
public func ald_geometry_array_create_from_arrow(
  _ runtime: ald_runtime, _ schema: OpaquePointer?, _ array: OpaquePointer?, _ spatial_reference: ald_spatial_reference,
  _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_array, argument: 5, error) { (runtime) throws(EngineError) in
    guard let schema else { throw missing("schema", 2) }
    guard let array else { throw missing("array", 3) }
    let reference = try resolveOptional(spatial_reference, 4, with: runtime)
    return try blamingAll(3) { () throws(EngineError) in
      try GeometryArray.make(
        runtime: runtime, schema: UnsafePointer(schema), array: UnsafePointer(array), spatialReference: reference)
    }
  }
}

/// Writes into structs of the host's: the arguments 3 and 4.
private func export(
  _ column: ArrowColumn, _ schema: OpaquePointer?, _ array: OpaquePointer?
) throws(EngineError) {
  guard let schema else { throw missing("out_schema", 3) }
  guard let array else { throw missing("out_array", 4) }
  try column.export(UnsafeMutablePointer(schema), UnsafeMutablePointer(array))
}
