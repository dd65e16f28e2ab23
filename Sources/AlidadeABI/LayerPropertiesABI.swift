import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_layer_get_info") @implementation
public func ald_layer_get_info(
  _ layer: ald_layer, _ out_info: UnsafeMutablePointer<ald_layer_info>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    let out = try requireOut(out_info, "ald_layer_info", 2)
    let info = layer.info
    var flags = info.isVisible ? ALD_LAYER_VISIBLE : 0
    if info.isShown { flags |= ALD_LAYER_SHOWN }
    if info.isInBasemap { flags |= ALD_LAYER_IN_BASEMAP }
    write(
      ald_layer_info(
        struct_size: 0, kind: layer.kind.rawValue, flags: ald_layer_flags(truncatingIfNeeded: flags),
        depth: UInt32(clamping: info.depth), opacity: info.opacity, effective_opacity: info.effectiveOpacity,
        min_scale: info.range.minScale, max_scale: info.range.maxScale,
        effective_min_scale: info.effectiveRange.minScale, effective_max_scale: info.effectiveRange.maxScale,
        group: ald_layer(id: try lent(info.group)), map: ald_map(id: try lent(info.map)), generation: info.generation,
        load_status: layer.toldLoadStatus.rawValue, reserved32: 0, reserved: (0, 0, 0)),
      to: out)
  }
}

@_cdecl("ald_layer_set_opacity") @implementation
public func ald_layer_set_opacity(
  _ layer: ald_layer, _ opacity: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    try blaming(2) { () throws(EngineError) in try layer.setOpacity(opacity) }
  }
}

@_cdecl("ald_layer_set_scale_range") @implementation
public func ald_layer_set_scale_range(
  _ layer: ald_layer, _ min_scale: Double, _ max_scale: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    try layer.setScaleRange(try scaleRange(min_scale, max_scale))
  }
}

@_cdecl("ald_layer_set_text") @implementation
public func ald_layer_set_text(
  _ layer: ald_layer, _ text_kind: ald_layer_text_kind, _ text: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try setText(of: try resolve(layer, 1), text_kind, text) }
}

@_cdecl("ald_layer_text") @implementation
public func ald_layer_text(
  _ layer: ald_layer, _ text_kind: ald_layer_text_kind, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyText(of: try resolve(layer, 1), text_kind, buffer, capacity, out_size)
  }
}

@_cdecl("ald_layer_set_property") @implementation
public func ald_layer_set_property(
  _ layer: ald_layer, _ property_key: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try setProperty(of: try resolve(layer, 1), property_key, text) }
}

@_cdecl("ald_layer_property") @implementation
public func ald_layer_property(
  _ layer: ald_layer, _ property_key: UnsafePointer<CChar>?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyProperty(of: try resolve(layer, 1), property_key, buffer, capacity, out_size)
  }
}

@_cdecl("ald_layer_property_count") @implementation
public func ald_layer_property_count(
  _ layer: ald_layer, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: layer.properties.count)
  }
}

@_cdecl("ald_layer_property_key") @implementation
public func ald_layer_property_key(
  _ layer: ald_layer, _ index: UInt32, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int,
  _ out_size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    try copyPropertyKey(of: try resolve(layer, 1), index, buffer, capacity, out_size)
  }
}

@_cdecl("ald_layer_full_extent") @implementation
public func ald_layer_full_extent(
  _ layer: ald_layer, _ spatial_reference: ald_spatial_reference, _ out_extent: UnsafeMutablePointer<ald_envelope>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    let target = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(layer, target, 2)
    guard let out_extent else { throw missing("out_extent", 3) }
    out_extent.pointee = ald_envelope(try dataExtent(try layer.fullExtent(in: target)))
  }
}
