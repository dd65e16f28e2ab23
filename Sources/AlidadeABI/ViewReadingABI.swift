import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

// Each question goes to a frame: a view's as of now, or a snapshot's.

@_cdecl("ald_view_get_envelope") @implementation
public func ald_view_get_envelope(
  _ view: ald_view, _ out_envelope: UnsafeMutablePointer<ald_envelope>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    guard let out_envelope else { throw missing("out_envelope", 2) }
    out_envelope.pointee = ald_envelope(try view.frame().envelope)
  }
}

@_cdecl("ald_view_snapshot_get_envelope") @implementation
public func ald_view_snapshot_get_envelope(
  _ snapshot: ald_view_snapshot, _ out_envelope: UnsafeMutablePointer<ald_envelope>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let snapshot = try resolve(snapshot, 1)
    guard let out_envelope else { throw missing("out_envelope", 2) }
    out_envelope.pointee = ald_envelope(snapshot.frame.envelope)
  }
}

@_cdecl("ald_view_world_copies") @implementation
public func ald_view_world_copies(
  _ view: ald_view, _ out_first: UnsafeMutablePointer<Int64>?, _ out_last: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try worldCopies(out_first, out_last) { () throws(EngineError) in try view.frame() }
  }
}

@_cdecl("ald_view_snapshot_world_copies") @implementation
public func ald_view_snapshot_world_copies(
  _ snapshot: ald_view_snapshot, _ out_first: UnsafeMutablePointer<Int64>?, _ out_last: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let snapshot = try resolve(snapshot, 1)
    try worldCopies(out_first, out_last) { () throws(EngineError) in snapshot.frame }
  }
}

private func worldCopies(
  _ out_first: UnsafeMutablePointer<Int64>?, _ out_last: UnsafeMutablePointer<Int64>?,
  _ frame: () throws(EngineError) -> ViewFrame
) throws(EngineError) {
  guard let out_first else { throw missing("out_first", 2) }
  guard let out_last else { throw missing("out_last", 3) }
  let copies = try frame().worldCopies
  // Beyond 2^63 copies, as a centre at 1e300 has them, doubles have no whole numbers to tell them apart.
  out_first.pointee = Int64(exactly: copies.first) ?? (copies.first < 0 ? .min : .max)
  out_last.pointee = Int64(exactly: copies.last) ?? (copies.last < 0 ? .min : .max)
}

@_cdecl("ald_view_ground_resolution") @implementation
public func ald_view_ground_resolution(
  _ view: ald_view, _ screen_dip: ald_point, _ out_resolution: UnsafeMutablePointer<ald_ground_resolution>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try groundResolution(screen_dip, out_resolution) { () throws(EngineError) in try view.frame() }
  }
}

@_cdecl("ald_view_snapshot_ground_resolution") @implementation
public func ald_view_snapshot_ground_resolution(
  _ snapshot: ald_view_snapshot, _ screen_dip: ald_point,
  _ out_resolution: UnsafeMutablePointer<ald_ground_resolution>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let snapshot = try resolve(snapshot, 1)
    try groundResolution(screen_dip, out_resolution) { () throws(EngineError) in snapshot.frame }
  }
}

private func groundResolution(
  _ screen: ald_point, _ out_resolution: UnsafeMutablePointer<ald_ground_resolution>?,
  _ frame: () throws(EngineError) -> ViewFrame
) throws(EngineError) {
  try requireFinite(screen, "screen_dip", 2)
  let out = try requireOut(out_resolution, "ald_ground_resolution", 3)
  let frame = try frame()
  let resolution = try blaming(2) { () throws(EngineError) in try frame.groundResolution(at: Point(screen)) }
  write(ald_ground_resolution(struct_size: 0, reserved: 0, x_m: resolution.x, y_m: resolution.y), to: out)
}

@_cdecl("ald_view_scale_bar") @implementation
public func ald_view_scale_bar(
  _ view: ald_view, _ screen_dip: ald_point, _ max_width_dip: Double, _ unit_system: ald_unit_system,
  _ out_bar: UnsafeMutablePointer<ald_scale_bar>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try scaleBar(screen_dip, max_width_dip, unit_system, out_bar) { () throws(EngineError) in try view.frame() }
  }
}

@_cdecl("ald_view_snapshot_scale_bar") @implementation
public func ald_view_snapshot_scale_bar(
  _ snapshot: ald_view_snapshot, _ screen_dip: ald_point, _ max_width_dip: Double, _ unit_system: ald_unit_system,
  _ out_bar: UnsafeMutablePointer<ald_scale_bar>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let snapshot = try resolve(snapshot, 1)
    try scaleBar(screen_dip, max_width_dip, unit_system, out_bar) { () throws(EngineError) in snapshot.frame }
  }
}

private func scaleBar(
  _ screen: ald_point, _ maxWidth: Double, _ unitSystem: ald_unit_system,
  _ out_bar: UnsafeMutablePointer<ald_scale_bar>?, _ frame: () throws(EngineError) -> ViewFrame
) throws(EngineError) {
  try requireFinite(screen, "screen_dip", 2)
  try requireRange(maxWidth, Double.leastNonzeroMagnitude...1e5, "max_width_dip", 3)
  guard let system = UnitSystem(rawValue: unitSystem) else {
    throw EngineError(.invalidArgument, "unit_system is \(unitSystem), which is no ald_unit_system.", argument: 4)
  }
  let out = try requireOut(out_bar, "ald_scale_bar", 5)
  let frame = try frame()
  let bar = try blaming(2) { () throws(EngineError) in
    try frame.scaleBar(at: Point(screen), maxWidth: maxWidth, system)
  }
  write(
    ald_scale_bar(
      struct_size: 0, unit: bar.unit.rawValue, length: bar.length, length_m: bar.metres, width_dip: bar.width,
      start_dip: ald_point(bar.start), end_dip: ald_point(bar.end)),
    to: out)
}

// MARK: Snapshots

@_cdecl("ald_view_create_snapshot") @implementation
public func ald_view_create_snapshot(
  _ view: ald_view, _ out_snapshot: UnsafeMutablePointer<ald_view_snapshot>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enterMaking(out_snapshot, argument: 2, error) { () throws(EngineError) in
    ViewSnapshot(try resolve(view, 1).frame())
  }
}

@_cdecl("ald_view_snapshot_get_state") @implementation
public func ald_view_snapshot_get_state(
  _ snapshot: ald_view_snapshot, _ out_state: UnsafeMutablePointer<ald_view_state>?,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let snapshot = try resolve(snapshot, 1)
    let out = try requireOut(out_state, "ald_view_state", 2)
    write(ald_view_state(snapshot.frame), to: out)
  }
}

@_cdecl("ald_view_snapshot_screen_to_map") @implementation
public func ald_view_snapshot_screen_to_map(
  _ snapshot: ald_view_snapshot, _ screen_dip: UnsafePointer<Double>?, _ stride_bytes: Int, _ count: Int,
  _ out_map_xy: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let frame = try resolve(snapshot, 1).frame
    try convert(
      frame.map.runtime.policy, screen_dip, stride_bytes, count, out_map_xy, out_stride_bytes,
      frames: { frame.transform }
    ) { $0.mapPoint($1) }
  }
}

@_cdecl("ald_view_snapshot_map_to_screen") @implementation
public func ald_view_snapshot_map_to_screen(
  _ snapshot: ald_view_snapshot, _ map_xy: UnsafePointer<Double>?, _ stride_bytes: Int, _ count: Int,
  _ out_screen_dip: UnsafeMutablePointer<Double>?, _ out_stride_bytes: Int, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let frame = try resolve(snapshot, 1).frame
    try convert(
      frame.map.runtime.policy, map_xy, stride_bytes, count, out_screen_dip, out_stride_bytes,
      frames: { frame.transform }
    ) { $0.screenPoint($1) }
  }
}
