import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CAlidade

@_cdecl("ald_geometry_create_from_wkb") @implementation
public func ald_geometry_create_from_wkb(
  _ runtime: ald_runtime, _ wkb: UnsafePointer<UInt8>?, _ byte_count: Int, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 5, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let bytes = try inputBytes(wkb, byte_count, runtime.policy, pointerArgument: 2)
    let reference = try resolveOptional(spatial_reference, 4)
    try requireSameRuntime(runtime, reference, 4)
    return try blaming(2) { () throws(EngineError) in
      try Geometry.make(runtime: runtime, wkb: bytes, spatialReference: reference)
    }
  }
}

@_cdecl("ald_geometry_create_from_wkt") @implementation
public func ald_geometry_create_from_wkt(
  _ runtime: ald_runtime, _ geometry_wkt: UnsafePointer<CChar>?, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let text = try inputText(geometry_wkt, "geometry_wkt", 2)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(runtime, reference, 3)
    return try blaming(2) { () throws(EngineError) in
      try Geometry.make(runtime: runtime, wkt: text, spatialReference: reference)
    }
  }
}

@_cdecl("ald_geometry_create_from_geojson") @implementation
public func ald_geometry_create_from_geojson(
  _ runtime: ald_runtime, _ geojson: UnsafePointer<CChar>?, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let text = try inputText(geojson, "geojson", 2)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(runtime, reference, 3)
    return try blaming(2) { () throws(EngineError) in
      try Geometry.make(runtime: runtime, geoJSON: text, spatialReference: reference)
    }
  }
}

@_cdecl("ald_geometry_create") @implementation
public func ald_geometry_create(
  _ runtime: ald_runtime, _ columns: UnsafePointer<ald_geometry_columns>?, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let raw = try rawColumns(columns, 2)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(runtime, reference, 3)
    return try blaming(2) { () throws(EngineError) in
      try Geometry.make(runtime: runtime, raw, spatialReference: reference)
    }
  }
}

@_cdecl("ald_geometry_create_from_envelope") @implementation
public func ald_geometry_create_from_envelope(
  _ runtime: ald_runtime, _ envelope: ald_envelope, _ spatial_reference: ald_spatial_reference,
  _ out_geometry: UnsafeMutablePointer<ald_geometry>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_geometry, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let box = Envelope(xMin: envelope.x_min, yMin: envelope.y_min, xMax: envelope.x_max, yMax: envelope.y_max)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(runtime, reference, 3)
    return try blaming(2) { () throws(EngineError) in
      try Geometry.make(runtime: runtime, envelope: box, spatialReference: reference)
    }
  }
}

@_cdecl("ald_geometry_get_info") @implementation
public func ald_geometry_get_info(
  _ geometry: ald_geometry, _ out_info: UnsafeMutablePointer<ald_geometry_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let out = try requireOut(out_info, "ald_geometry_info", 2)
    let columns = geometry.columns
    let box = geometry.envelope
    write(
      ald_geometry_info(
        struct_size: 0, kind: geometry.kind.rawValue, flags: cFlags(columns, geometry.row),
        part_count: UInt32(clamping: columns.parts(ofGeometry: geometry.row).count),
        path_count: UInt32(clamping: columns.paths(ofGeometry: geometry.row).count),
        vertex_count: UInt32(clamping: columns.vertexCount(geometry.row)),
        member_count: UInt32(clamping: columns.members(ofGeometry: geometry.row).count), reserved: 0,
        envelope: cEnvelope(box)),
      to: out)
  }
}

@_cdecl("ald_geometry_get_columns") @implementation
public func ald_geometry_get_columns(
  _ geometry: ald_geometry, _ out_columns: UnsafeMutablePointer<ald_geometry_columns>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let out = try requireOut(out_columns, "ald_geometry_columns", 2)
    write(cColumns(geometry.columns, geometry.row..<(geometry.row &+ 1)), to: out)
  }
}

@_cdecl("ald_geometry_spatial_reference") @implementation
public func ald_geometry_spatial_reference(
  _ geometry: ald_geometry, _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_spatial_reference, argument: 2, error) { () throws(EngineError) in
    guard let reference = try resolve(geometry, 1).spatialReference else {
      throw EngineError(.notReady, "The geometry has no spatial reference; give one when it is made.", argument: 1)
    }
    return reference
  }
}

@_cdecl("ald_geometry_create_member") @implementation
public func ald_geometry_create_member(
  _ geometry: ald_geometry, _ index: UInt32, _ out_member: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_member, argument: 3, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    return try blaming(2) { () throws(EngineError) in try geometry.member(Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_geometry_equals") @implementation
public func ald_geometry_equals(
  _ geometry: ald_geometry, _ other_geometry: ald_geometry, _ out_equal: UnsafeMutablePointer<UInt32>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let first = try resolve(geometry, 1)
    let second = try resolve(other_geometry, 2)
    try requireSameRuntime(first, second, 2)
    guard let out_equal else { throw missing("out_equal", 3) }
    out_equal.pointee = try first.isEqual(to: second) ? 1 : 0
  }
}

// MARK: Texts and bytes

@_cdecl("ald_geometry_wkb") @implementation
public func ald_geometry_wkb(
  _ geometry: ald_geometry, _ wkb_flags: UInt32, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let (flavour, isBigEndian) = try wkbForm(wkb_flags, 2)
    let output = try OutputBytes(buffer, capacity, out_size, bufferArgument: 3)
    if let memory = try output.room(for: geometry.wkbSize(flavour)) {
      geometry.writeWKB(flavour, isBigEndian: isBigEndian, to: memory)
    }
  }
}

@_cdecl("ald_geometry_wkt") @implementation
public func ald_geometry_wkt(
  _ geometry: ald_geometry, _ options: UnsafePointer<ald_wkt_options>?, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    var style = NumberStyle.shortest
    var isExtended = false
    if let options {
      let given = try read(options, "ald_wkt_options", 2, zero: ald_wkt_options())
      let decimals = UInt32(truncatingIfNeeded: ALD_WKT_HAS_DECIMALS)
      let extended = UInt32(truncatingIfNeeded: ALD_WKT_EXTENDED)
      try requireFlags(given.flags, known: decimals | extended, "ald_wkt_options.flags", 2)
      try requireFlags(given.reserved, known: 0, "ald_wkt_options.reserved", 2)
      try requireBit(
        given.flags & decimals != 0, orZero: given.decimals == 0, "ald_wkt_options.decimals", "ALD_WKT_HAS_DECIMALS", 2)
      if given.flags & decimals != 0 { style = try numberStyle(given.decimals, "ald_wkt_options.decimals", 2) }
      isExtended = given.flags & extended != 0
    }
    try requireTextRoom(buffer, capacity, out_size, bufferArgument: 3)
    try copyOut(try geometry.wkt(style, isExtended: isExtended), buffer, capacity, out_size, bufferArgument: 3)
  }
}

@_cdecl("ald_geometry_geojson") @implementation
public func ald_geometry_geojson(
  _ geometry: ald_geometry, _ options: UnsafePointer<ald_geojson_options>?, _ buffer: UnsafeMutablePointer<CChar>?,
  _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    var style = GeoJSONStyle()
    if let options {
      let given = try read(options, "ald_geojson_options", 2, zero: ald_geojson_options())
      let decimals = UInt32(truncatingIfNeeded: ALD_GEOJSON_HAS_DECIMALS)
      let crsMember = UInt32(truncatingIfNeeded: ALD_GEOJSON_CRS_MEMBER)
      try requireFlags(given.flags, known: decimals | crsMember, "ald_geojson_options.flags", 2)
      try requireFlags(given.reserved, known: 0, "ald_geojson_options.reserved", 2)
      try requireBit(
        given.flags & decimals != 0, orZero: given.decimals == 0, "ald_geojson_options.decimals",
        "ALD_GEOJSON_HAS_DECIMALS", 2)
      if given.flags & decimals != 0 {
        style.numbers = try numberStyle(given.decimals, "ald_geojson_options.decimals", 2)
      }
      style.namesSpatialReference = given.flags & crsMember != 0
    }
    try requireTextRoom(buffer, capacity, out_size, bufferArgument: 3)
    try copyOut(try geometry.geoJSON(style), buffer, capacity, out_size, bufferArgument: 3)
  }
}

// MARK: Validity

@_cdecl("ald_geometry_get_validity") @implementation
public func ald_geometry_get_validity(
  _ geometry: ald_geometry, _ validity_flags: UInt32, _ out_validity: UnsafeMutablePointer<ald_geometry_validity>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    let touching = UInt32(truncatingIfNeeded: ALD_VALIDITY_TOUCHING_RINGS)
    try requireFlags(validity_flags, known: touching, "validity_flags", 2)
    let out = try requireOut(out_validity, "ald_geometry_validity", 3)
    let found = try geometry.validity(allowsTouchingRings: validity_flags & touching != 0)
    var validity = ald_geometry_validity()
    validity.is_valid = found.isValid ? 1 : 0
    validity.place = ald_point(found.place)
    withUnsafeMutableBytes(of: &validity.reason) { bytes in
      if let base = bytes.baseAddress { copy(found.reason, to: base, capacity: bytes.count) }
    }
    write(validity, to: out)
  }
}

@_cdecl("ald_geometry_create_repaired") @implementation
public func ald_geometry_create_repaired(
  _ geometry: ald_geometry, _ method: Int32, _ out_repaired: UnsafeMutablePointer<ald_geometry>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_repaired, argument: 3, error) { () throws(EngineError) in
    let geometry = try resolve(geometry, 1)
    switch Int(truncatingIfNeeded: method) {
    case ALD_REPAIR_LINEWORK: return try geometry.repaired(.linework)
    case ALD_REPAIR_STRUCTURE: return try geometry.repaired(.structure)
    case ALD_REPAIR_STRUCTURE_KEEP_COLLAPSED: return try geometry.repaired(.structureKeepingCollapsed)
    default:
      throw EngineError(.invalidArgument, "method is \(method), which is no ald_repair_method.", argument: 2)
    }
  }
}
