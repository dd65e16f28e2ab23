import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_view_handle_touch") @implementation
public func ald_view_handle_touch(
  _ view: ald_view, _ touch_id: UInt64, _ phase: ald_touch_phase, _ screen_point: ald_point, _ time_s: Double,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let phase: TouchPhase = try enumerator(phase, "phase", "phase of a touch", 3)
    try requireFinite(screen_point, "screen_point", 4)
    try requireRange(time_s, -MapView.largestTime...MapView.largestTime, "time_s", 5)
    try view.touch(touch_id, phase, at: Point(screen_point), time: time_s)
  }
}

@_cdecl("ald_view_handle_gesture") @implementation
public func ald_view_handle_gesture(
  _ view: ald_view, _ gesture: In<ald_gesture>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    guard let gesture else { throw missing("gesture", 2) }
    let given = try read(gesture, "ald_gesture", 2, zero: ald_gesture())
    try requireFlags(given.reserved, known: 0, "ald_gesture.reserved", 2)
    let kind: GestureKind = try enumerator(given.kind, "ald_gesture.kind", "gesture", 2)
    let phase: GesturePhase = try enumerator(given.phase, "ald_gesture.phase", "phase", 2)
    var step = Gesture(kind, phase, at: Point(given.point_dip))
    step.scaleFactor = given.scale_factor == 0 ? 1 : given.scale_factor
    step.rotation = given.rotation_deg
    step.velocity = Point(given.velocity_dip_s)
    try blaming(2, try view.take(step))
  }
}

@_cdecl("ald_view_handle_wheel") @implementation
public func ald_view_handle_wheel(
  _ view: ald_view, _ screen_point: ald_point, _ notches: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try requireFinite(screen_point, "screen_point", 2)
    try requireRange(notches, -1000...1000, "notches", 3)
    try view.wheel(notches, at: Point(screen_point))
  }
}

@_cdecl("ald_view_handle_key") @implementation
public func ald_view_handle_key(_ view: ald_view, _ key: ald_key, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try view.press(try enumerator(key, "key", "key", 2))
  }
}

@_cdecl("ald_view_advance") @implementation
public func ald_view_advance(_ view: ald_view, _ seconds: Double, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try blaming(2, try view.advance(seconds))
  }
}

@_cdecl("ald_view_animate_to") @implementation
public func ald_view_animate_to(
  _ view: ald_view, _ viewpoint: In<ald_viewpoint>, _ padding: In<ald_insets>, _ options: In<ald_animation_options>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let given = try readViewpoint(viewpoint, view, 2)
    let animation = try animation(options, 4)
    let target = try target(view, given, padding, blamed: 2, paddingArgument: 3)
    try blaming(2, try view.animate(to: target, animation))
  }
}

@_cdecl("ald_view_stop") @implementation
public func ald_view_stop(_ view: ald_view, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in view.stop() }
}

@_cdecl("ald_view_get_navigation_state") @implementation
public func ald_view_get_navigation_state(
  _ view: ald_view, _ out_state: Out<ald_navigation_state>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_state, argument: 2, error) { (view) throws(EngineError) in
    let standing = view.navigationStanding
    return ald_navigation_state(
      struct_size: 0, is_navigating: standing.isNavigating ? 1 : 0, cause: standing.cause?.rawValue ?? 0,
      gesture: standing.gesture?.rawValue ?? 0, needs_time: standing.needsTime ? 1 : 0,
      is_recording: standing.isRecording ? 1 : 0)
  }
}

@_cdecl("ald_view_set_interaction_options") @implementation
public func ald_view_set_interaction_options(
  _ view: ald_view, _ options: In<ald_interaction_options>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    var wanted = InteractionOptions()
    let given = try read(options, "ald_interaction_options", 2, zero: ald_interaction_options())
    try requireFlags(given.flags, known: 16383, "ald_interaction_options.flags", 2)
    wanted.switches = InteractionOptions.Switches(rawValue: given.flags)
    if given.zoom_factor != 0 { wanted.zoomFactor = given.zoom_factor }
    if given.snap_threshold_deg != 0 { wanted.snapThreshold = given.snap_threshold_deg }
    try blaming(2, try view.setInteraction(wanted))
  }
}

@_cdecl("ald_view_get_interaction_options") @implementation
public func ald_view_get_interaction_options(
  _ view: ald_view, _ out_options: Out<ald_interaction_options>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(view, out_options, argument: 2, error) { (view) throws(EngineError) in
    let options = view.interaction
    return ald_interaction_options(
      struct_size: 0, flags: options.switches.rawValue, zoom_factor: options.zoomFactor,
      snap_threshold_deg: options.snapThreshold)
  }
}

@_cdecl("ald_animation_curve_value") @implementation
public func ald_animation_curve_value(
  _ curve: ald_animation_curve, _ fraction: Double, _ out_value: Out<Double>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(out_value, "out_value", argument: 3, error) { () throws(EngineError) in
    let curve: AnimationCurve = try enumerator(curve, "curve", "ald_animation_curve", 1)
    try requireFinite(fraction, "fraction", 2)
    return curve.value(at: fraction)
  }
}

// MARK: Logs

@_cdecl("ald_view_start_recording") @implementation
public func ald_view_start_recording(_ view: ald_view, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in try view.startRecording() }
}

@_cdecl("ald_view_stop_recording") @implementation
public func ald_view_stop_recording(_ view: ald_view, _ error: Out<ald_error>) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in view.stopRecording() }
}

@_cdecl("ald_view_get_recording") @implementation
public func ald_view_get_recording(
  _ view: ald_view, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
    try copyOut(try view.recording(), buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

@_cdecl("ald_view_replay") @implementation
public func ald_view_replay(
  _ view: ald_view, _ log: In<CChar>, _ offset: UInt64, _ frame_count: UInt32, _ out_offset: Out<UInt64>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    let text = try string(log, "log", 2)
    try requireRange(frame_count, 1...Int(UInt32.max), "frame_count", 4)
    let frames = frame_count == .max ? nil : Int(truncatingIfNeeded: frame_count)
    let end = try blaming(2, try view.replay(text, from: Int(clamping: offset), frames: frames))
    out_offset?.pointee = UInt64(clamping: end)
  }
}

// MARK: Options

private func animation(_ pointer: In<ald_animation_options>, _ argument: Int32) throws(EngineError) -> Animation {
  var animation = Animation()
  let given = try read(pointer, "ald_animation_options", argument, zero: ald_animation_options())
  try requireFlags(
    given.flags, known: ALD_ANIMATION_FLY | ALD_ANIMATION_HAS_DURATION, "ald_animation_options.flags", argument)
  try requireFlags(given.reserved, known: 0, "ald_animation_options.reserved", argument)
  try requireRange(given.duration_s, 0...Animation.longest, "ald_animation_options.duration_s", argument)
  animation.curve = try enumerator(given.curve, "ald_animation_options.curve", "ald_animation_curve", argument)
  animation.flies = given.flags & ALD_ANIMATION_FLY != 0
  if given.duration_s != 0 || given.flags & ALD_ANIMATION_HAS_DURATION != 0 { animation.duration = given.duration_s }
  animation.userData = UInt(bitPattern: given.user_data)
  return animation
}
