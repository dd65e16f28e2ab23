import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

@_cdecl("ald_callout_create") @implementation
public func ald_callout_create(
  _ view: ald_view, _ options: In<ald_callout_options>, _ out_callout: Out<ald_callout>, _ error: Out<ald_error>
) -> ald_status {
  enterMaking(view, out_callout, argument: 3, error) { (view) throws(EngineError) in
    let options = try calloutOptions(options, 2)
    return try blaming(2, try Callout(view: view, options: options))
  }
}

@_cdecl("ald_callout_set_options") @implementation
public func ald_callout_set_options(
  _ callout: ald_callout, _ options: In<ald_callout_options>, _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    let options = try calloutOptions(options, 2)
    try blaming(2, try callout.setOptions(options))
  }
}

@_cdecl("ald_callout_set_size") @implementation
public func ald_callout_set_size(
  _ callout: ald_callout, _ width_dip: Double, _ height_dip: Double, _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    try requireRange(width_dip, 0...MapView.largestSize, "width_dip", 2)
    try requireRange(height_dip, 0...MapView.largestSize, "height_dip", 3)
    try callout.setSize(width: width_dip, height: height_dip)
  }
}

@_cdecl("ald_callout_show_at") @implementation
public func ald_callout_show_at(
  _ callout: ald_callout, _ location: ald_point, _ spatial_reference: ald_spatial_reference, _ title: In<CChar>,
  _ text: In<CChar>, _ flags: ald_callout_show_flags, _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    try requireFinite(location, "location", 2)
    let reference = try resolveOptional(spatial_reference, 3, with: callout)
    let title = try optionalString(title, "title", 4)
    let text = try optionalString(text, "text", 5)
    try requireFlags(flags, known: ALD_CALLOUT_SHOW_WHILE_DRAGGING, "flags", 6)
    try blamingAll(2) { () throws(EngineError) in
      try callout.show(
        at: Point(location), in: reference, title: title ?? "", text: text ?? "",
        isDragging: flags & ALD_CALLOUT_SHOW_WHILE_DRAGGING != 0)
    }
  }
}

@_cdecl("ald_callout_show_for") @implementation
public func ald_callout_show_for(
  _ callout: ald_callout, _ result: ald_identify_result, _ index: UInt32, _ flags: ald_callout_show_flags,
  _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    let result = try resolve(result, 2, with: callout)
    try requireFlags(flags, known: ALD_CALLOUT_SHOW_WHILE_DRAGGING | ALD_CALLOUT_SHOW_AT_CENTER, "flags", 4)
    try blamingAll(3) { () throws(EngineError) in
      try callout.show(
        for: result, element: Int(truncatingIfNeeded: index), atCenter: flags & ALD_CALLOUT_SHOW_AT_CENTER != 0,
        isDragging: flags & ALD_CALLOUT_SHOW_WHILE_DRAGGING != 0)
    }
  }
}

@_cdecl("ald_callout_drag_to") @implementation
public func ald_callout_drag_to(
  _ callout: ald_callout, _ screen_point: ald_point, _ result: ald_identify_result,
  _ out_action: Out<ald_callout_action>, _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    try requireFinite(screen_point, "screen_point", 2)
    let result = try resolveOptional(result, 3, with: callout)
    let action = try callout.drag(to: Point(screen_point), result)
    out_action?.pointee = action.rawValue
  }
}

@_cdecl("ald_callout_handle_tap") @implementation
public func ald_callout_handle_tap(
  _ callout: ald_callout, _ result: ald_identify_result, _ out_action: Out<ald_callout_action>, _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    let result = try resolve(result, 2, with: callout)
    let action = try blaming(2, try callout.handleTap(result))
    out_action?.pointee = action.rawValue
  }
}

@_cdecl("ald_callout_dismiss") @implementation
public func ald_callout_dismiss(_ callout: ald_callout, _ error: Out<ald_error>) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in callout.dismiss() }
}

@_cdecl("ald_callout_get_layout") @implementation
public func ald_callout_get_layout(
  _ callout: ald_callout, _ out_layout: Out<ald_callout_layout>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(callout, out_layout, argument: 2, error) { (callout) throws(EngineError) in
    ald_callout_layout(try callout.layout())
  }
}

@_cdecl("ald_callout_get_title") @implementation
public func ald_callout_get_title(
  _ callout: ald_callout, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    try copyOut(callout.title, buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

@_cdecl("ald_callout_get_text") @implementation
public func ald_callout_get_text(
  _ callout: ald_callout, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(callout, error) { (callout) throws(EngineError) in
    try copyOut(callout.text, buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

/// Options from C; their numbers are checked by the callout.
private func calloutOptions(
  _ pointer: In<ald_callout_options>, _ argument: Int32
) throws(EngineError) -> CalloutOptions {
  var options = CalloutOptions()
  let given = try read(pointer, "ald_callout_options", argument, zero: ald_callout_options())
  try requireFlags(given.flags, known: ALD_CALLOUT_ROTATE_OFFSET_WITH_MAP, "ald_callout_options.flags", argument)
  try requireFlags(given.reserved, known: 0, "ald_callout_options.reserved", argument)
  options.placement = try enumerator(given.placement, "ald_callout_options.placement", "placement", argument)
  options.offset = Point(given.offset_dip)
  options.width = given.width_dip
  options.height = given.height_dip
  options.leaderLength = given.leader_length_dip
  options.leaderWidth = given.leader_width_dip
  options.margin = given.margin_dip
  options.rotatesOffsetWithMap = given.flags & ALD_CALLOUT_ROTATE_OFFSET_WITH_MAP != 0
  return options
}

extension ald_callout_layout {
  fileprivate init(_ layout: CalloutLayout) {
    self.init(
      struct_size: 0, state: layout.state.rawValue, generation: layout.generation,
      text_generation: layout.textGeneration, view_generation: layout.viewGeneration,
      placement: layout.placement.rawValue,
      flags: (layout.isTooLarge ? ALD_CALLOUT_LAYOUT_TOO_LARGE : 0)
        | (layout.isShifted ? ALD_CALLOUT_LAYOUT_SHIFTED : 0),
      map_point: ald_point(layout.mapPoint), anchor_dip: ald_point(layout.anchor),
      leader_tip_dip: ald_point(layout.leaderTip),
      leader_base_dip: (ald_point(layout.leaderBase.0), ald_point(layout.leaderBase.1)),
      box_dip: ald_envelope(layout.box), free_area_dip: ald_envelope(layout.room))
  }
}
