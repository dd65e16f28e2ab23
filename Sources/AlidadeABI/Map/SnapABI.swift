import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_view_snap") @implementation
public func ald_view_snap(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ options: In<ald_snap_options>,
  _ out_snap: Out<ald_snap>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_snap, argument: 5, error) { (view) throws(EngineError) in
    let choice = try snapOptions(screen_point, tolerance_dip, options, view)
    return try cSnap(
      try blaming(4, try view.snap(at: Point(screen_point), options: choice)))
  }
}

@_cdecl("ald_view_snap_async") @implementation
public func ald_view_snap_async(
  _ view: ald_view, _ screen_point: ald_point, _ tolerance_dip: Double, _ options: In<ald_snap_options>,
  _ request_options: In<ald_request_options>, _ out_request: Out<ald_request>, _ error: Out<ald_error>
) -> ald_status {
  enterRequesting(view, out_request, argument: 6, error) { (view) throws(EngineError) in
    let choice = try snapOptions(screen_point, tolerance_dip, options, view)
    let request = try requestOptions(request_options, 5)
    return try blaming(4, try view.snapRequest(at: Point(screen_point), options: choice, request: request))
  }
}

@_cdecl("ald_request_get_snap") @implementation
public func ald_request_get_snap(
  _ request: ald_request, _ out_snap: Out<ald_snap>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_snap, argument: 2, error) { () throws(EngineError) in
    try cSnap(try result(of: request, .snap, SnapResult.self, "a snap").snap)
  }
}

/// How to snap, from C: the arguments 2 to 4.
private func snapOptions(
  _ screen: ald_point, _ tolerance: Double, _ pointer: In<ald_snap_options>, _ view: MapView
) throws(EngineError) -> SnapOptions {
  try requireFinite(screen, "screen_point", 2)
  try requireRange(tolerance, 0...Double.greatestFiniteMagnitude, "tolerance_dip", 3)
  let argument: Int32 = 4
  var options = SnapOptions()
  options.tolerance = tolerance
  let given = try read(pointer, "ald_snap_options", argument, zero: ald_snap_options())
  let all: SnapKinds = [.vertex, .endpoint, .midpoint, .edge, .centroid, .intersection]
  try requireFlags(given.kinds, known: all.rawValue, "ald_snap_options.kinds", argument)
  if given.kinds != 0 { options.kinds = SnapKinds(rawValue: given.kinds) }
  options.layers = try members(given.layers, given.layer_count, "layers", view, argument)
  options.overlays = try members(given.overlays, given.overlay_count, "overlays", view, argument)
  for layer in options.layers ?? [] where layer.kind == .raster {
    throw EngineError(.invalidArgument, "A raster layer has nothing to snap to.", argument: argument)
  }
  return options
}

/// The objects of a list of handles; nil if there is no list.
private func members<Handle: ObjectHandle>(
  _ list: In<Handle>, _ count: UInt32, _ what: String, _ view: MapView, _ argument: Int32
) throws(EngineError) -> [Handle.Object]? {
  guard let list else {
    guard count == 0 else { throw missing("ald_snap_options.\(what)", argument) }
    return nil
  }
  try blaming(argument, try view.runtime.policy.check(points: Int(truncatingIfNeeded: count)))
  var objects: [Handle.Object] = []
  for index in 0..<Int(truncatingIfNeeded: count) { objects.append(try resolve(list[index], argument)) }
  return objects
}

private func cSnap(_ snap: Snap?) throws(EngineError) -> ald_snap {
  func index(_ number: Int?) -> UInt32 { number.map { UInt32(clamping: $0) } ?? .max }
  var made = ald_snap()
  guard let snap else { return made }
  made.kind = snap.kind.rawValue
  made.layer = try lent(snap.layer)
  made.overlay = try lent(snap.overlay)
  made.id = snap.id
  made.map_point = ald_point(snap.mapPoint)
  made.screen_point = ald_point(snap.screenPoint)
  made.distance_dip = snap.distance
  made.member_index = index(snap.member)
  made.part_index = index(snap.part)
  made.path_index = index(snap.path)
  made.segment_index = index(snap.segment)
  made.vertex_index = index(snap.vertex)
  return made
}
