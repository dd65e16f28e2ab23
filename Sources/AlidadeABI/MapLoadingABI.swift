import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_map_load") @implementation
public func ald_map_load(
  _ map: ald_map, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(map, 1).load() }
}

@_cdecl("ald_map_load_async") @implementation
public func ald_map_load_async(
  _ map: ald_map, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: false, error) { () throws(EngineError) in
    try resolve(map, 1)
  }
}

@_cdecl("ald_map_retry_load") @implementation
public func ald_map_retry_load(
  _ map: ald_map, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(map, 1).retryLoad() }
}

@_cdecl("ald_map_retry_load_async") @implementation
public func ald_map_retry_load_async(
  _ map: ald_map, _ request_options: UnsafePointer<ald_request_options>?,
  _ out_request: UnsafeMutablePointer<ald_request>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterLoading(request_options, 2, out_request, 3, isRetry: true, error) { () throws(EngineError) in
    try resolve(map, 1)
  }
}

@_cdecl("ald_map_cancel_load") @implementation
public func ald_map_cancel_load(
  _ map: ald_map, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in try resolve(map, 1).cancelLoad() }
}

@_cdecl("ald_map_get_load_info") @implementation
public func ald_map_get_load_info(
  _ map: ald_map, _ out_info: UnsafeMutablePointer<ald_load_info>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let object = try resolve(map, 1)
    write(ald_load_info(object.loadInfo), to: try requireOut(out_info, "ald_load_info", 2))
  }
}
