import AlidadeBase
import AlidadeData
import CAlidade

// What the load functions of layers, maps and rasters are made of.

/// A raster, loaded or not.
func resolveLoadable(_ handle: ald_raster, _ argument: Int32) throws(EngineError) -> LoadableObject {
  let object = try HandleTable.shared.object(handle.id, .raster, argument: argument)
  // Right: both classes with such handles, Raster and LoadableRaster, inherit from it.
  return unsafeDowncast(object, to: LoadableObject.self)
}

/// Runs an entry point that begins to load something, and makes a request that ends when that has ended.
func enterLoading(
  _ options: UnsafePointer<ald_request_options>?, _ optionsArgument: Int32,
  _ out: UnsafeMutablePointer<ald_request>?, _ outArgument: Int32, isRetry: Bool,
  _ error: UnsafeMutablePointer<ald_error>?, _ object: () throws(EngineError) -> LoadableObject
) -> ald_status {
  out?.pointee = ald_request(id: 0)
  return enter(error) { () throws(EngineError) in
    let object = try object()
    guard let out else { throw missing("The out handle", outArgument) }
    let request = try object.loadRequest(options: try requestOptions(options, optionsArgument))
    let id = try HandleTable.shared.give(request)
    out.pointee = ald_request(id: id)
    object.start(request, handle: id, isRetry: isRetry)
  }
}

extension ald_load_info {
  init(_ info: LoadInfo) {
    self.init()
    status = info.status.rawValue
    attempt_count = info.attemptCount
    since_ns = info.since
    if let failure = info.error { write(failure, to: &error) }
  }
}
