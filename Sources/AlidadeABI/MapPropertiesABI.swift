import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_map_get_info") @implementation
public func ald_map_get_info(
  _ map: ald_map, _ out_info: UnsafeMutablePointer<ald_map_info>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let out = try requireOut(out_info, "ald_map_info", 2)
    let (limits, extent) = map.ownLimits
    var info = ald_map_info()
    info.min_scale = limits.range.minScale
    info.max_scale = limits.range.maxScale
    if let extent {
      info.flags |= ald_map_flags(truncatingIfNeeded: ALD_MAP_HAS_MAX_EXTENT)
      if limits.extent != nil { info.flags |= ald_map_flags(truncatingIfNeeded: ALD_MAP_MAX_EXTENT_HOLDS) }
      info.max_extent = ald_envelope(extent.box)
      info.max_extent_spatial_reference = ald_spatial_reference(id: try lent(extent.spatialReference))
    }
    write(info, to: out)
  }
}

@_cdecl("ald_map_set_scale_range") @implementation
public func ald_map_set_scale_range(
  _ map: ald_map, _ min_scale: Double, _ max_scale: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    try map.setScaleRange(try scaleRange(min_scale, max_scale))
  }
}

@_cdecl("ald_map_set_max_extent") @implementation
public func ald_map_set_max_extent(
  _ map: ald_map, _ max_extent: UnsafePointer<ald_envelope>?, _ spatial_reference: ald_spatial_reference,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let reference = try resolveOptional(spatial_reference, 3)
    try requireSameRuntime(map, reference, 3)
    try blaming(2) { () throws(EngineError) in
      try map.setMaxExtent((max_extent?.pointee).map { MapExtent(Envelope($0), in: reference) })
    }
  }
}

@_cdecl("ald_map_full_extent") @implementation
public func ald_map_full_extent(
  _ map: ald_map, _ spatial_reference: ald_spatial_reference, _ out_extent: UnsafeMutablePointer<ald_envelope>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let target = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(map, target, 2)
    guard let out_extent else { throw missing("out_extent", 3) }
    out_extent.pointee = ald_envelope(try dataExtent(try map.fullExtent(in: target)))
  }
}

@_cdecl("ald_map_set_text") @implementation
public func ald_map_set_text(
  _ map: ald_map, _ text_kind: ald_map_text_kind, _ text: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try setText(of: try resolve(map, 1), text_kind, text) }
}

@_cdecl("ald_map_text") @implementation
public func ald_map_text(
  _ map: ald_map, _ text_kind: ald_map_text_kind, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyText(of: try resolve(map, 1), text_kind, buffer, capacity, out_size)
  }
}

@_cdecl("ald_map_set_property") @implementation
public func ald_map_set_property(
  _ map: ald_map, _ property_key: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try setProperty(of: try resolve(map, 1), property_key, text) }
}

@_cdecl("ald_map_property") @implementation
public func ald_map_property(
  _ map: ald_map, _ property_key: UnsafePointer<CChar>?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyProperty(of: try resolve(map, 1), property_key, buffer, capacity, out_size)
  }
}

@_cdecl("ald_map_property_count") @implementation
public func ald_map_property_count(
  _ map: ald_map, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: map.properties.count)
  }
}

@_cdecl("ald_map_property_key") @implementation
public func ald_map_property_key(
  _ map: ald_map, _ index: UInt32, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyPropertyKey(of: try resolve(map, 1), index, buffer, capacity, out_size)
  }
}
