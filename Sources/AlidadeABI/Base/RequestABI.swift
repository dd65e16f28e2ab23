import AlidadeBase
import AlidadeData
import CAlidade

/// Runs an entry point that creates a request, and begins it once the host has its handle: it may end before this
/// returns.
@inline(__always)
func enterRequesting(
  _ out: Out<ald_request>, argument: Int32, _ error: Out<ald_error>, _ body: () throws(EngineError) -> Request
) -> ald_status {
  out?.pointee = ald_request(id: 0)
  return enter(error) { () throws(EngineError) in
    guard let out else { throw missing("The out handle", argument) }
    let request = try body()
    let id = try HandleTable.shared.give(request)
    out.pointee = ald_request(id: id)
    request.start(handle: id)
  }
}

/// The same for an entry point of an object.
@inline(__always)
func enterRequesting<Receiver: ObjectHandle>(
  _ receiver: Receiver, _ out: Out<ald_request>, argument: Int32, _ error: Out<ald_error>,
  _ body: (Receiver.Object) throws(EngineError) -> Request
) -> ald_status {
  enterRequesting(out, argument: argument, error) { () throws(EngineError) in try body(try resolve(receiver, 1)) }
}

/// A request's options from C.
func requestOptions(_ pointer: In<ald_request_options>, _ argument: Int32) throws(EngineError) -> RequestOptions {
  var options = RequestOptions()
  let given = try read(pointer, "ald_request_options", argument, zero: ald_request_options())
  try requireFlags(given.flags, known: ALD_REQUEST_KEEP_BEGUN, "ald_request_options.flags", argument)
  options.keepsBegun = given.flags & ALD_REQUEST_KEEP_BEGUN != 0
  options.replaceKey = given.replace_key
  options.userData = UInt(bitPattern: given.user_data)
  if let completion = given.completion {
    let userData = options.userData
    options.completion = { request in
      // The host's own handle if the host still has it, otherwise a handle that is borrowed for the length of the call.
      // If no handle can be had, the host is still notified, with the null handle.
      let id = (try? HandleTable.shared.lend(request)) ?? 0
      completion(ald_request(id: id), UnsafeMutableRawPointer(bitPattern: userData))
    }
  }
  return options
}

/// A timeout from C.
func deadline(milliseconds: UInt32) -> Deadline {
  milliseconds == .max ? .never : Deadline(milliseconds: milliseconds)
}

/// Takes what a request has made, if it is of the kind that is asked for.
func takeResult<Result: HandleObject>(
  of handle: ald_request, _ kind: RequestKind, _ type: Result.Type, _ whatItMakes: String
) throws(EngineError) -> Result {
  try result(of: handle, kind, type, whatItMakes) { (request) throws(EngineError) in try request.take() }
}

/// The same, but the result stays with the request.
func result<Result: HandleObject>(
  of handle: ald_request, _ kind: RequestKind, _ type: Result.Type, _ whatItMakes: String,
  _ get: (Request) throws(EngineError) -> HandleObject = { (request) throws(EngineError) in try request.result() }
) throws(EngineError) -> Result {
  let request = try resolve(handle, 1)
  guard request.kind == kind, let result = try get(request) as? Result else {
    throw EngineError(.invalidArgument, "The request does not make \(whatItMakes).", argument: 1)
  }
  return result
}

@_cdecl("ald_request_get_info") @implementation
public func ald_request_get_info(
  _ request: ald_request, _ out_info: Out<ald_request_info>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(request, out_info, argument: 2, error) { (request) throws(EngineError) in
    let standing = request.standing
    return ald_request_info(
      struct_size: 0, kind: request.kind.rawValue, state: standing.state.rawValue, status: standing.status.rawValue,
      user_data: UnsafeMutableRawPointer(bitPattern: request.userData))
  }
}

@_cdecl("ald_request_wait") @implementation
public func ald_request_wait(
  _ request: ald_request, _ timeout_ms: UInt32, _ out_state: Out<ald_request_state>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(request, out_state, "out_state", argument: 3, error) { (request) throws(EngineError) in
    try request.wait(until: deadline(milliseconds: timeout_ms)).rawValue
  }
}

@_cdecl("ald_request_cancel") @implementation
public func ald_request_cancel(_ request: ald_request, _ error: Out<ald_error>) -> ald_status {
  enter(request, error) { (request) throws(EngineError) in request.cancel() }
}

/// Gives up the request, and then its handle.
func release(_ request: ald_request) {
  _ = enter(nil) { () throws(EngineError) in
    try resolve(request, 1).abandon()
    HandleTable.shared.release(request.id, .request)
  }
}

// What the load functions of layers, maps and rasters are made of.

/// A raster, loaded or not.
func resolveLoadable(_ handle: ald_raster, _ argument: Int32) throws(EngineError) -> LoadableObject {
  let object = try blaming(argument, try HandleTable.shared.object(handle.id, .raster))
  // Right: both classes with such handles, Raster and LoadableRaster, inherit from it.
  return unsafeDowncast(object, to: LoadableObject.self)
}

/// Runs an entry point that begins to load something, and creates a request that ends when the load has ended.
func enterLoading(
  _ options: In<ald_request_options>, _ optionsArgument: Int32, _ out: Out<ald_request>, _ outArgument: Int32,
  isRetry: Bool, _ error: Out<ald_error>, _ object: () throws(EngineError) -> LoadableObject
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
    write(info.error, to: &error)
  }
}
