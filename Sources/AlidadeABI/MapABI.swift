import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_map_create") @implementation
public func ald_map_create(
  _ runtime: ald_runtime, _ spatial_reference: ald_spatial_reference, _ out_map: UnsafeMutablePointer<ald_map>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_map, argument: 3, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let reference = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(runtime, reference, 2)
    return Map(runtime: runtime, spatialReference: reference)
  }
}

@_cdecl("ald_map_spatial_reference") @implementation
public func ald_map_spatial_reference(
  _ map: ald_map, _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_spatial_reference, argument: 2, error) { () throws(EngineError) in
    try resolve(map, 1).requireSpatialReference()
  }
}

@_cdecl("ald_map_add_layer") @implementation
public func ald_map_add_layer(
  _ map: ald_map, _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let layer = try resolve(layer, 2)
    try requireSameRuntime(map, layer, 2)
    try blaming(2) { () throws(EngineError) in try map.add(layer) }
  }
}

@_cdecl("ald_map_remove_layer") @implementation
public func ald_map_remove_layer(
  _ map: ald_map, _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    let layer = try resolve(layer, 2)
    try requireSameRuntime(map, layer, 2)
    try blaming(2) { () throws(EngineError) in try map.remove(layer) }
  }
}

@_cdecl("ald_map_layer_count") @implementation
public func ald_map_layer_count(
  _ map: ald_map, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: map.layers.count)
  }
}

@_cdecl("ald_map_layer_at") @implementation
public func ald_map_layer_at(
  _ map: ald_map, _ index: UInt32, _ out_layer: UnsafeMutablePointer<ald_layer>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_layer, argument: 3, error) { () throws(EngineError) in
    try layer(at: index, of: try resolve(map, 1).layers, "the map")
  }
}

@_cdecl("ald_map_set_initial_viewpoint") @implementation
public func ald_map_set_initial_viewpoint(
  _ map: ald_map, _ latitude_deg: Double, _ longitude_deg: Double, _ scale: Double,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    try requireRange(latitude_deg, -90...90, "latitude_deg", 2)
    try requireRange(longitude_deg, -360...360, "longitude_deg", 3)
    try requireRange(scale, MapView.scales, "scale", 4)
    try map.setInitialViewpoint(InitialViewpoint(latitude: latitude_deg, longitude: longitude_deg, scale: scale))
  }
}

@_cdecl("ald_map_set_reference_scale") @implementation
public func ald_map_set_reference_scale(
  _ map: ald_map, _ reference_scale: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    try blaming(2) { () throws(EngineError) in try map.setReferenceScale(reference_scale) }
  }
}

@_cdecl("ald_map_reference_scale") @implementation
public func ald_map_reference_scale(
  _ map: ald_map, _ out_reference_scale: UnsafeMutablePointer<Double>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    guard let out_reference_scale else { throw missing("out_reference_scale", 2) }
    out_reference_scale.pointee = map.referenceScale
  }
}
