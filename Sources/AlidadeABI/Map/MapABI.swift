import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_map_create") @implementation
public func ald_map_create(
  _ runtime: ald_runtime, _ spatial_reference: ald_spatial_reference, _ out_map: Out<ald_map>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(runtime, out_map, argument: 3, error) { (runtime) throws(EngineError) in
    let reference = try resolveOptional(spatial_reference, 2, with: runtime)
    return Map(runtime: runtime, spatialReference: reference)
  }
}

@_cdecl("ald_map_get_spatial_reference") @implementation
public func ald_map_get_spatial_reference(
  _ map: ald_map, _ out_spatial_reference: Out<ald_spatial_reference>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(map, out_spatial_reference, argument: 2, error) { (map) throws(EngineError) in
    try map.requireSpatialReference()
  }
}

@_cdecl("ald_map_add_layer") @implementation
public func ald_map_add_layer(_ map: ald_map, _ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let layer = try resolve(layer, 2, with: map)
    try blaming(2, try map.add(layer))
  }
}

@_cdecl("ald_map_remove_layer") @implementation
public func ald_map_remove_layer(_ map: ald_map, _ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let layer = try resolve(layer, 2, with: map)
    try blaming(2, try map.remove(layer))
  }
}

@_cdecl("ald_map_get_layer_count") @implementation
public func ald_map_get_layer_count(_ map: ald_map, _ out_count: Out<UInt32>, _ error: Out<ald_error>) -> ald_status {
  enterGetting(map, out_count, "out_count", argument: 2, error) { (map) throws(EngineError) in
    UInt32(clamping: map.layers.count)
  }
}

@_cdecl("ald_map_get_layer_at") @implementation
public func ald_map_get_layer_at(
  _ map: ald_map, _ index: UInt32, _ out_layer: Out<ald_layer>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(map, out_layer, argument: 3, error) { (map) throws(EngineError) in
    try layer(at: index, of: map.layers, "the map")
  }
}

@_cdecl("ald_map_set_initial_location") @implementation
public func ald_map_set_initial_location(
  _ map: ald_map, _ latitude_deg: Double, _ longitude_deg: Double, _ scale: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    try requireRange(latitude_deg, -90...90, "latitude_deg", 2)
    try requireRange(longitude_deg, -360...360, "longitude_deg", 3)
    try requireRange(scale, MapView.scales, "scale", 4)
    try map.setInitialViewpoint(InitialViewpoint(latitude: latitude_deg, longitude: longitude_deg, scale: scale))
  }
}

@_cdecl("ald_map_set_reference_scale") @implementation
public func ald_map_set_reference_scale(
  _ map: ald_map, _ reference_scale: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    try blaming(2, try map.setReferenceScale(reference_scale))
  }
}

@_cdecl("ald_map_get_reference_scale") @implementation
public func ald_map_get_reference_scale(
  _ map: ald_map, _ out_reference_scale: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(map, out_reference_scale, "out_reference_scale", argument: 2, error) { (map) throws(EngineError) in
    map.referenceScale
  }
}

@_cdecl("ald_map_insert_layer") @implementation
public func ald_map_insert_layer(
  _ map: ald_map, _ layer: ald_layer, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blamingPlace(3) { () throws(EngineError) in try map.insert(layer, at: Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_map_move_layer") @implementation
public func ald_map_move_layer(
  _ map: ald_map, _ layer: ald_layer, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blaming(2, try map.move(layer, to: Int(truncatingIfNeeded: index)))
  }
}

@_cdecl("ald_map_add_basemap_layer") @implementation
public func ald_map_add_basemap_layer(_ map: ald_map, _ layer: ald_layer, _ error: Out<ald_error>) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blaming(2, try map.addBasemapLayer(layer))
  }
}

@_cdecl("ald_map_insert_basemap_layer") @implementation
public func ald_map_insert_basemap_layer(
  _ map: ald_map, _ layer: ald_layer, _ index: UInt32, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blamingPlace(3) { () throws(EngineError) in
      try map.insertBasemapLayer(layer, at: Int(truncatingIfNeeded: index))
    }
  }
}

@_cdecl("ald_map_get_basemap_layer_count") @implementation
public func ald_map_get_basemap_layer_count(
  _ map: ald_map, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(map, out_count, "out_count", argument: 2, error) { (map) throws(EngineError) in
    UInt32(clamping: map.basemapLayers.count)
  }
}

@_cdecl("ald_map_get_basemap_layer_at") @implementation
public func ald_map_get_basemap_layer_at(
  _ map: ald_map, _ index: UInt32, _ out_layer: Out<ald_layer>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(map, out_layer, argument: 3, error) { (map) throws(EngineError) in
    try layer(at: index, of: map.basemapLayers, "the basemap")
  }
}

private func mapAndLayer(_ map: ald_map, _ layer: ald_layer) throws(EngineError) -> (map: Map, layer: Layer) {
  let map = try resolve(map, 1)
  let layer = try resolve(layer, 2, with: map)
  return (map, layer)
}

@_cdecl("ald_map_load") @implementation
public func ald_map_load(_ map: ald_map, _ error: Out<ald_error>) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in try map.load() }
}

@_cdecl("ald_map_load_async") @implementation
public func ald_map_load_async(
  _ map: ald_map, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: false, error) { () throws(EngineError) in
    try resolve(map, 1)
  }
}

@_cdecl("ald_map_retry_load") @implementation
public func ald_map_retry_load(_ map: ald_map, _ error: Out<ald_error>) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in try map.retryLoad() }
}

@_cdecl("ald_map_retry_load_async") @implementation
public func ald_map_retry_load_async(
  _ map: ald_map, _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: true, error) { () throws(EngineError) in
    try resolve(map, 1)
  }
}

@_cdecl("ald_map_cancel_load") @implementation
public func ald_map_cancel_load(_ map: ald_map, _ error: Out<ald_error>) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in map.cancelLoad() }
}

@_cdecl("ald_map_get_load_info") @implementation
public func ald_map_get_load_info(
  _ map: ald_map, _ out_info: Out<ald_load_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(map, out_info, argument: 2, error) { (map) throws(EngineError) in
    ald_load_info(map.loadInfo)
  }
}

@_cdecl("ald_map_get_info") @implementation
public func ald_map_get_info(_ map: ald_map, _ out_info: Out<ald_map_info>, _ error: Out<ald_error>) -> ald_status {
  enterFilling(map, out_info, argument: 2, error) { (map) throws(EngineError) in
    let (limits, extent) = map.ownLimits
    var info = ald_map_info()
    info.min_scale = limits.range.minScale
    info.max_scale = limits.range.maxScale
    info.flags = bits(
      (extent != nil, ALD_MAP_HAS_MAX_EXTENT), (extent != nil && limits.extent != nil, ALD_MAP_MAX_EXTENT_LIMITS))
    info.max_extent = extent.map { ald_envelope($0.box) } ?? ald_envelope()
    info.max_extent_spatial_reference = try lent(extent?.spatialReference)
    return info
  }
}

@_cdecl("ald_map_set_scale_range") @implementation
public func ald_map_set_scale_range(
  _ map: ald_map, _ min_scale: Double, _ max_scale: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    try map.setScaleRange(try scaleRange(min_scale, max_scale))
  }
}

@_cdecl("ald_map_set_max_extent") @implementation
public func ald_map_set_max_extent(
  _ map: ald_map, _ max_extent: In<ald_envelope>, _ spatial_reference: ald_spatial_reference, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    let reference = try resolveOptional(spatial_reference, 3, with: map)
    try blaming(2, try map.setMaxExtent((max_extent?.pointee).map { MapExtent(Envelope($0), in: reference) }))
  }
}

@_cdecl("ald_map_get_full_extent") @implementation
public func ald_map_get_full_extent(
  _ map: ald_map, _ spatial_reference: ald_spatial_reference, _ out_extent: Out<ald_envelope>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(map, out_extent, "out_extent", argument: 3, error) { (map) throws(EngineError) in
    let target = try resolveOptional(spatial_reference, 2, with: map)
    return ald_envelope(try dataExtent(try map.fullExtent(in: target)))
  }
}

@_cdecl("ald_map_set_text") @implementation
public func ald_map_set_text(
  _ map: ald_map, _ kind: ald_map_text_kind, _ text: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in try setText(of: map, kind, text) }
}

@_cdecl("ald_map_get_text") @implementation
public func ald_map_get_text(
  _ map: ald_map, _ kind: ald_map_text_kind, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    try copyText(of: map, kind, buffer, capacity_bytes, out_size_bytes)
  }
}

@_cdecl("ald_map_set_property") @implementation
public func ald_map_set_property(
  _ map: ald_map, _ key: In<CChar>, _ text: In<CChar>, _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in try setProperty(of: map, key, text) }
}

@_cdecl("ald_map_get_property") @implementation
public func ald_map_get_property(
  _ map: ald_map, _ key: In<CChar>, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    try copyProperty(of: map, key, buffer, capacity_bytes, out_size_bytes)
  }
}

@_cdecl("ald_map_get_property_count") @implementation
public func ald_map_get_property_count(
  _ map: ald_map, _ out_count: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(map, out_count, "out_count", argument: 2, error) { (map) throws(EngineError) in
    UInt32(clamping: map.properties.count)
  }
}

@_cdecl("ald_map_get_property_key_at") @implementation
public func ald_map_get_property_key_at(
  _ map: ald_map, _ index: UInt32, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(map, error) { (map) throws(EngineError) in
    try copyPropertyKey(of: map, index, buffer, capacity_bytes, out_size_bytes)
  }
}
