import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_view_touch") @implementation
public func ald_view_touch(
  _ view: ald_view, _ touch_id: UInt64, _ touch_phase: ald_touch_phase, _ point_dip: ald_point, _ time_s: Double,
  _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    guard let phase = TouchPhase(rawValue: touch_phase) else {
      throw EngineError(.invalidArgument, "touch_phase is \(touch_phase), which is no phase of a touch.", argument: 3)
    }
    try requireFinite(point_dip, "point_dip", 4)
    try requireRange(time_s, -MapView.largestTime...MapView.largestTime, "time_s", 5)
    try view.touch(touch_id, phase, at: Point(point_dip), time: time_s)
  }
}

@_cdecl("ald_view_take_gesture") @implementation
public func ald_view_take_gesture(
  _ view: ald_view, _ gesture: UnsafePointer<ald_gesture>?, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    guard let gesture else { throw missing("gesture", 2) }
    let given = try read(gesture, "ald_gesture", 2, zero: ald_gesture())
    try requireFlags(given.reserved, known: 0, "ald_gesture.reserved", 2)
    guard let kind = GestureKind(rawValue: given.kind) else {
      throw EngineError(.invalidArgument, "ald_gesture.kind is \(given.kind), which is no gesture.", argument: 2)
    }
    guard let phase = GesturePhase(rawValue: given.phase) else {
      throw EngineError(.invalidArgument, "ald_gesture.phase is \(given.phase), which is no phase.", argument: 2)
    }
    var step = Gesture(kind, phase, at: Point(given.point_dip))
    step.scaleFactor = given.scale_factor == 0 ? 1 : given.scale_factor
    step.rotation = given.rotation_deg
    step.velocity = Point(given.velocity_dip_s)
    try blaming(2) { () throws(EngineError) in try view.take(step) }
  }
}

@_cdecl("ald_view_wheel") @implementation
public func ald_view_wheel(
  _ view: ald_view, _ point_dip: ald_point, _ notches: Double, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    try requireFinite(point_dip, "point_dip", 2)
    try requireRange(notches, -1000...1000, "notches", 3)
    try view.wheel(notches, at: Point(point_dip))
  }
}

@_cdecl("ald_view_press_key") @implementation
public func ald_view_press_key(
  _ view: ald_view, _ key: ald_key, _ error: UnsafeMutablePointer<ald_error>?
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let view = try resolve(view, 1)
    guard let key = NavigationKey(rawValue: key) else {
      throw EngineError(.invalidArgument, "key is \(key), which is no key.", argument: 2)
    }
    try view.press(key)
  }
}
