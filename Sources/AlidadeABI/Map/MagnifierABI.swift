import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_magnifier_create") @implementation
public func ald_magnifier_create(
  _ view: ald_view, _ options: In<ald_magnifier_options>, _ out_magnifier: Out<ald_magnifier>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_magnifier, argument: 3, error) { (view) throws(EngineError) in
    let options = try magnifierOptions(options, 2)
    return try blaming(1, try Magnifier(of: view, options: options))
  }
}

@_cdecl("ald_magnifier_set_options") @implementation
public func ald_magnifier_set_options(
  _ magnifier: ald_magnifier, _ options: In<ald_magnifier_options>, _ error: Out<ald_error>
) -> ald_status {
  enter(magnifier, error) { (magnifier) throws(EngineError) in
    try magnifier.setOptions(try magnifierOptions(options, 2))
  }
}

@_cdecl("ald_magnifier_get_view") @implementation
public func ald_magnifier_get_view(
  _ magnifier: ald_magnifier, _ out_view: Out<ald_view>, _ error: Out<ald_error>
) -> ald_status {
  enterLending(magnifier, out_view, argument: 2, error) { (magnifier) throws(EngineError) in magnifier.view }
}

@_cdecl("ald_magnifier_show_at") @implementation
public func ald_magnifier_show_at(
  _ magnifier: ald_magnifier, _ screen_point: ald_point, _ error: Out<ald_error>
) -> ald_status {
  enter(magnifier, error) { (magnifier) throws(EngineError) in
    let finger = Point(screen_point)
    try blaming(2, try magnifier.check(finger))
    try magnifier.show(at: finger)
  }
}

@_cdecl("ald_magnifier_hide") @implementation
public func ald_magnifier_hide(_ magnifier: ald_magnifier, _ error: Out<ald_error>) -> ald_status {
  enter(magnifier, error) { (magnifier) throws(EngineError) in magnifier.hide() }
}

@_cdecl("ald_magnifier_get_state") @implementation
public func ald_magnifier_get_state(
  _ magnifier: ald_magnifier, _ out_state: Out<ald_magnifier_state>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(magnifier, out_state, argument: 2, error) { (magnifier) throws(EngineError) in
    let standing = try magnifier.standing()
    return ald_magnifier_state(
      struct_size: 0, is_shown: standing.isShown ? 1 : 0, is_panning: standing.isPanning ? 1 : 0, reserved: 0,
      finger_point: ald_point(standing.finger), target_point: ald_point(standing.target),
      map_point: ald_point(standing.mapPoint), box_dip: ald_envelope(standing.box))
  }
}

@_cdecl("ald_magnifier_to_view") @implementation
public func ald_magnifier_to_view(
  _ magnifier: ald_magnifier, _ screen_xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ out_screen_xy: Out<Double>,
  _ out_stride_bytes: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(magnifier, error) { (magnifier) throws(EngineError) in
    try convert(
      magnifier.runtime.policy, screen_xy, stride_bytes, count, out_screen_xy, out_stride_bytes,
      frames: { () throws(EngineError) in try magnifier.transforms() },
      { frames, point in frames.view.screenPoint(frames.magnifier.mapPoint(point)) })
  }
}

@_cdecl("ald_magnifier_from_view") @implementation
public func ald_magnifier_from_view(
  _ magnifier: ald_magnifier, _ screen_xy: In<Double>, _ stride_bytes: Int, _ count: Int, _ out_screen_xy: Out<Double>,
  _ out_stride_bytes: Int, _ error: Out<ald_error>
) -> ald_status {
  enter(magnifier, error) { (magnifier) throws(EngineError) in
    try convert(
      magnifier.runtime.policy, screen_xy, stride_bytes, count, out_screen_xy, out_stride_bytes,
      frames: { () throws(EngineError) in try magnifier.transforms() },
      { frames, point in frames.magnifier.screenPoint(frames.view.mapPoint(point)) })
  }
}

extension Magnifier {
  fileprivate func transforms() throws(EngineError) -> (view: ViewTransform, magnifier: ViewTransform) {
    let frames = try frames()
    return (frames.view.transform, frames.magnifier.transform)
  }
}

/// Options from C; their numbers are checked here, so that the argument is blamed.
private func magnifierOptions(
  _ pointer: In<ald_magnifier_options>, _ argument: Int32
) throws(EngineError) -> MagnifierOptions {
  var options = MagnifierOptions()
  let given = try read(pointer, "ald_magnifier_options", argument, zero: ald_magnifier_options())
  try requireFlags(given.flags, known: ALD_MAGNIFIER_HAS_LIFT, "ald_magnifier_options.flags", argument)
  func set(_ value: Double, _ field: inout Double) { if value != 0 { field = value } }
  set(given.factor, &options.factor)
  set(given.width_dip, &options.width)
  set(given.height_dip, &options.height)
  set(given.edge_dip, &options.edge)
  set(given.pan_speed_dip_s, &options.panSpeed)
  if given.lift_dip != 0 || given.flags & ALD_MAGNIFIER_HAS_LIFT != 0 { options.lift = given.lift_dip }
  let checked = options
  try blaming(argument, try checked.check())
  return options
}
