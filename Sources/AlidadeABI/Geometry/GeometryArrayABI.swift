import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_array_create") @implementation
public func ald_geometry_array_create(
  _ runtime: ald_runtime, _ columns: In<ald_geometry_columns>, _ spatial_reference: ald_spatial_reference,
  _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_array, argument: 4, error) { (runtime) throws(EngineError) in
    let raw = try rawColumns(columns, 2)
    let reference = try resolveOptional(spatial_reference, 3, with: runtime)
    return try blaming(2, try GeometryArray.make(runtime: runtime, raw, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_array_create_from_wkb") @implementation
public func ald_geometry_array_create_from_wkb(
  _ runtime: ald_runtime, _ wkbs: In<UInt8>, _ wkbs_size_bytes: Int, _ byte_offsets: In<Int>, _ count: Int,
  _ spatial_reference: ald_spatial_reference, _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_array, argument: 7, error) { (runtime) throws(EngineError) in
    let bytes = try inputBytes(wkbs, wkbs_size_bytes, runtime.policy, pointerArgument: 2)
    try requireCapacity(count, 5)
    try blaming(5, try runtime.policy.check(points: count))
    guard let byte_offsets else { throw missing("byte_offsets", 4) }
    let reference = try resolveOptional(spatial_reference, 6, with: runtime)
    return try blamingAll(2) { () throws(EngineError) in
      try GeometryArray.make(
        runtime: runtime, wkb: bytes, count: count,
        offset: { UnsafeRawPointer(byte_offsets + $0).loadUnaligned(as: Int.self) }, spatialReference: reference)
    }
  }
}

@_cdecl("ald_geometry_array_create_from_geojson") @implementation
public func ald_geometry_array_create_from_geojson(
  _ runtime: ald_runtime, _ geojson: In<CChar>, _ spatial_reference: ald_spatial_reference,
  _ out_array: Out<ald_geometry_array>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_array, argument: 4, error) { (runtime) throws(EngineError) in
    let text = try inputText(geojson, "geojson", 2)
    let reference = try resolveOptional(spatial_reference, 3, with: runtime)
    return try blaming(2, try GeometryArray.make(runtime: runtime, geoJSON: text, spatialReference: reference))
  }
}

@_cdecl("ald_geometry_array_get_info") @implementation
public func ald_geometry_array_get_info(
  _ geometry_array: ald_geometry_array, _ out_info: Out<ald_geometry_array_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(geometry_array, out_info, argument: 2, error) { (array) throws(EngineError) in
    let columns = array.columns
    return ald_geometry_array_info(
      struct_size: 0, geometry_count: UInt32(clamping: columns.count),
      vertex_count: UInt32(clamping: columns.points.count), reserved: 0, envelope: cEnvelope(array.envelope))
  }
}

@_cdecl("ald_geometry_array_get_columns") @implementation
public func ald_geometry_array_get_columns(
  _ geometry_array: ald_geometry_array, _ out_columns: Out<ald_geometry_columns>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(geometry_array, out_columns, argument: 2, error) { (geometry_array) throws(EngineError) in
    let columns = geometry_array.columns
    return cColumns(columns, 0..<columns.count)
  }
}

@_cdecl("ald_geometry_array_get_spatial_reference") @implementation
public func ald_geometry_array_get_spatial_reference(
  _ geometry_array: ald_geometry_array, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(out_spatial_reference, argument: 2, error) { () throws(EngineError) in
    return try known(
      resolve(geometry_array, 1).spatialReference,
      or: EngineError(.notReady, "The array has no spatial reference; give one when it is made.", argument: 1))
  }
}

@_cdecl("ald_geometry_array_create_geometry") @implementation
public func ald_geometry_array_create_geometry(
  _ geometry_array: ald_geometry_array, _ index: UInt32, _ out_geometry: Out<ald_geometry>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(geometry_array, out_geometry, argument: 3, error) { (array) throws(EngineError) in
    try blaming(2, try array.geometry(Int(truncatingIfNeeded: index)))
  }
}

@_cdecl("ald_geometry_array_get_wkb") @implementation
public func ald_geometry_array_get_wkb(
  _ geometry_array: ald_geometry_array, _ flags: UInt32, _ buffer: Out<UInt8>, _ capacity_bytes: Int,
  _ out_size_bytes: Out<Int>, _ out_byte_offsets: Out<Int>, _ offset_capacity: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(geometry_array, error) { (array) throws(EngineError) in
    let (flavour, isBigEndian) = try wkbForm(flags, 2)
    try requireCapacity(offset_capacity, 7)
    if out_byte_offsets == nil, offset_capacity != 0 { throw missing("out_byte_offsets", 6) }
    let output = try OutputBytes(buffer, capacity_bytes, out_size_bytes, bufferArgument: 3)
    let memory = try output.room(for: array.wkbSize(flavour))
    try requireRoom(out_byte_offsets, offset_capacity, for: array.count &+ 1, "offsets", "out_byte_offsets", 7)
    guard memory != nil || out_byte_offsets != nil else { return }
    out_byte_offsets?.pointee = 0
    array.writeWKB(flavour, isBigEndian: isBigEndian, to: memory) { row, end in
      out_byte_offsets?[row &+ 1] = end
    }
  }
}
