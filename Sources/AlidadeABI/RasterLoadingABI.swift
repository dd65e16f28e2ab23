import AlidadeBase
import AlidadeData
import CAlidade

@_cdecl("ald_raster_create") @implementation
public func ald_raster_create(
  _ runtime: ald_runtime, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<ald_raster_open_options>?,
  _ out_raster: UnsafeMutablePointer<ald_raster>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  out_raster?.pointee = ald_raster(id: 0)
  return enter(error) { () throws(EngineError) in
    let runtime = try resolve(runtime, 1)
    let path = try string(path, "path", 2)
    let reference = try openingReference(options, 3, runtime)
    guard let out_raster else { throw missing("The out handle", 4) }
    let raster = try blaming(2) { () throws(EngineError) in
      try LoadableRaster(runtime: runtime, path: path, spatialReference: reference)
    }
    out_raster.pointee = ald_raster(id: try HandleTable.shared.give(raster))
  }
}

@_cdecl("ald_raster_load") @implementation
public func ald_raster_load(
  _ raster: ald_raster, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolveLoadable(raster, 1).load() }
}

@_cdecl("ald_raster_load_async") @implementation
public func ald_raster_load_async(
  _ raster: ald_raster, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: false, error) { () throws(EngineError) in
    try resolveLoadable(raster, 1)
  }
}

@_cdecl("ald_raster_retry_load") @implementation
public func ald_raster_retry_load(
  _ raster: ald_raster, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolveLoadable(raster, 1).retryLoad() }
}

@_cdecl("ald_raster_retry_load_async") @implementation
public func ald_raster_retry_load_async(
  _ raster: ald_raster, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: true, error) { () throws(EngineError) in
    try resolveLoadable(raster, 1)
  }
}

@_cdecl("ald_raster_cancel_load") @implementation
public func ald_raster_cancel_load(
  _ raster: ald_raster, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolveLoadable(raster, 1).cancelLoad() }
}

@_cdecl("ald_raster_get_load_info") @implementation
public func ald_raster_get_load_info(
  _ raster: ald_raster, _ out_info: UnsafeMutablePointer<ald_load_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let object = try resolveLoadable(raster, 1)
    write(ald_load_info(object.loadInfo), to: try requireOut(out_info, "ald_load_info", 2))
  }
}
