import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeMap
import CAlidade

@_cdecl("ald_raster_layer_create_from_path") @implementation
public func ald_raster_layer_create_from_path(
  _ runtime: ald_runtime, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<ald_raster_open_options>?,
  _ out_layer: UnsafeMutablePointer<ald_layer>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_layer, argument: 4, error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let path = try string(path, "path", 2)
    let reference = try openingReference(options, 3, runtime)
    return try blaming(2) { () throws(EngineError) in
      try RasterLayer(runtime: runtime, path: path, spatialReference: reference)
    }
  }
}

@_cdecl("ald_layer_load") @implementation
public func ald_layer_load(
  _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(layer, 1).load() }
}

@_cdecl("ald_layer_load_async") @implementation
public func ald_layer_load_async(
  _ layer: ald_layer, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: false, error) { () throws(EngineError) in
    try resolve(layer, 1)
  }
}

@_cdecl("ald_layer_retry_load") @implementation
public func ald_layer_retry_load(
  _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(layer, 1).retryLoad() }
}

@_cdecl("ald_layer_retry_load_async") @implementation
public func ald_layer_retry_load_async(
  _ layer: ald_layer, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: true, error) { () throws(EngineError) in
    try resolve(layer, 1)
  }
}

@_cdecl("ald_layer_cancel_load") @implementation
public func ald_layer_cancel_load(
  _ layer: ald_layer, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(layer, 1).cancelLoad() }
}

@_cdecl("ald_layer_get_load_info") @implementation
public func ald_layer_get_load_info(
  _ layer: ald_layer, _ out_info: UnsafeMutablePointer<ald_load_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let object = try resolve(layer, 1)
    write(ald_load_info(object.loadInfo), to: try requireOut(out_info, "ald_load_info", 2))
  }
}

// MARK: What a layer lacks

@_cdecl("ald_layer_set_spatial_reference") @implementation
public func ald_layer_set_spatial_reference(
  _ layer: ald_layer, _ spatial_reference: ald_spatial_reference, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    let reference = try resolveOptional(spatial_reference, 2)
    try requireSameRuntime(layer, reference, 2)
    try layer.setSpatialReference(reference)
  }
}

@_cdecl("ald_layer_spatial_reference") @implementation
public func ald_layer_spatial_reference(
  _ layer: ald_layer, _ out_spatial_reference: UnsafeMutablePointer<ald_spatial_reference>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLending(out_spatial_reference, argument: 2, error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    return try blaming(1) { () throws(EngineError) in try layer.requireSpatialReference() }
  }
}

@_cdecl("ald_layer_warning_count") @implementation
public func ald_layer_warning_count(
  _ layer: ald_layer, _ out_count: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let layer = try resolve(layer, 1)
    guard let out_count else { throw missing("out_count", 2) }
    out_count.pointee = UInt32(clamping: layer.warnings.count)
  }
}

@_cdecl("ald_layer_warning_at") @implementation
public func ald_layer_warning_at(
  _ layer: ald_layer, _ index: UInt32, _ out_kind: UnsafeMutablePointer<ald_layer_warning_kind>?,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let warnings = try resolve(layer, 1).warnings
    let position = Int(truncatingIfNeeded: index)
    guard position < warnings.count else {
      throw EngineError(
        .notFound, "There is no warning \(index); the layer has \(warnings.count), from 0.", argument: 2)
    }
    try copyOut(warnings[position].text, buffer, capacity, out_size, bufferArgument: 4)
    out_kind?.pointee = warnings[position].kind.rawValue
  }
}
