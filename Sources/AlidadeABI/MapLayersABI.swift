import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_map_insert_layer") @implementation
public func ald_map_insert_layer(
  _ map: ald_map, _ layer: ald_layer, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blamingPlace(3) { () throws(EngineError) in try map.insert(layer, at: Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_map_move_layer") @implementation
public func ald_map_move_layer(
  _ map: ald_map, _ layer: ald_layer, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blaming(2) { () throws(EngineError) in try map.move(layer, to: Int(truncatingIfNeeded: index)) }
  }
}

@_cdecl("ald_map_add_basemap_layer") @implementation
public func ald_map_add_basemap_layer(
  _ map: ald_map, _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blaming(2) { () throws(EngineError) in try map.addBasemapLayer(layer) }
  }
}

@_cdecl("ald_map_insert_basemap_layer") @implementation
public func ald_map_insert_basemap_layer(
  _ map: ald_map, _ layer: ald_layer, _ index: UInt32, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (map, layer) = try mapAndLayer(map, layer)
    try blamingPlace(3) { () throws(EngineError) in
      try map.insertBasemapLayer(layer, at: Int(truncatingIfNeeded: index))
    }
  }
}

@_cdecl("ald_map_basemap_layer_count") @implementation
public func ald_map_basemap_layer_count(
  _ map: ald_map, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let map = try resolve(map, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: map.basemapLayers.count)
  }
}

@_cdecl("ald_map_basemap_layer_at") @implementation
public func ald_map_basemap_layer_at(
  _ map: ald_map, _ index: UInt32, _ out_layer: UnsafeMutablePointer<ald_layer>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_layer, argument: 3, error) { () throws(EngineError) in
    try layer(at: index, of: try resolve(map, 1).basemapLayers, "the basemap")
  }
}

private func mapAndLayer(_ map: ald_map, _ layer: ald_layer) throws(EngineError) -> (map: Map, layer: Layer) {
  let map = try resolve(map, 1)
  let layer = try resolve(layer, 2)
  try requireSameRuntime(map, layer, 2)
  return (map, layer)
}
