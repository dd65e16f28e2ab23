import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_view_get_layer_state") @implementation
public func ald_view_get_layer_state(
  _ view: ald_view, _ layer: ald_layer, _ out_state: Out<ald_layer_view_state>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_state, argument: 3, error) { () throws(EngineError) in
    let (view, layer) = try viewAndLayer(view, layer)
    let state = view.layerState(of: layer)
    var result = ald_layer_view_state()
    result.flags = state.flags.bits
    result.previous_flags = state.previous.bits
    result.change_count = state.changeCount
    result.changed_at_ns = state.changedAt
    result.since_s = state.secondsSinceChange
    result.hidden_by = try lent(state.hiddenBy)
    result.out_of_scale_by = try lent(state.outOfScaleBy)
    result.scale_factor = state.scaleFactor
    write(state.error, to: &result.error)
    return result
  }
}

@_cdecl("ald_view_get_fetch_progress") @implementation
public func ald_view_get_fetch_progress(
  _ view: ald_view, _ layer: ald_layer, _ out_progress: Out<ald_fetch_progress>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(out_progress, argument: 3, error) { () throws(EngineError) in
    let (view, layer) = try viewAndLayer(view, layer)
    let progress = try blaming(2, try view.fetchProgress(of: layer))
    return ald_fetch_progress(
      struct_size: 0, wanted_count: UInt32(clamping: progress.wanted), there_count: UInt32(clamping: progress.there),
      failed_count: UInt32(clamping: progress.failed))
  }
}

@_cdecl("ald_view_get_layer_states") @implementation
public func ald_view_get_layer_states(
  _ view: ald_view, _ layers: In<ald_layer>, _ count: Int, _ out_flags: Out<ald_layer_view_flags>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try requireCapacity(count, of: ald_layer.self, 3)
    guard count > 0 else { return }
    guard let layers else { throw missing("layers", 2) }
    guard let out_flags else { throw missing("out_flags", 4) }
    try blaming(3, try view.runtime.policy.check(points: count))
    let found = try resolveAll(layers, count: count, sameRuntimeAs: view, 2)
    store(view.layerFlags(of: found), to: out_flags) { $0.bits }
  }
}

@_cdecl("ald_view_get_layer_state_history") @implementation
public func ald_view_get_layer_state_history(
  _ view: ald_view, _ layer: ald_layer, _ out_transitions: Out<ald_layer_view_transition>, _ capacity: Int,
  _ out_count: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let (view, layer) = try viewAndLayer(view, layer)
    let list = try OutputList(out_transitions, capacity: capacity, out_count, arrayArgument: 3)
    try list.write(view.layerStateHistory(of: layer), "changes") { transition in
      ald_layer_view_transition(
        flags: transition.flags.bits, previous_flags: transition.previous.bits, status: transition.status.rawValue,
        reserved: 0, time_ns: transition.time)
    }
  }
}

@_cdecl("ald_layer_view_flags_get_text") @implementation
public func ald_layer_view_flags_get_text(
  _ flags: ald_layer_view_flags, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(error) { () throws(EngineError) in
    let known = LayerViewFlags.all.bits
    try requireFlags(flags, known: known, "flags", 1)
    let flags = LayerViewFlags(rawValue: UInt8(truncatingIfNeeded: flags))
    try copyOut(flags.text, buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

@_cdecl("ald_view_get_attribution") @implementation
public func ald_view_get_attribution(
  _ view: ald_view, _ buffer: Out<CChar>, _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enter(view, error) { (view) throws(EngineError) in
    try requireTextRoom(buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
    try copyOut(view.attributions.joined(separator: " | "), buffer, capacity_bytes, out_size_bytes, bufferArgument: 2)
  }
}

extension LayerViewFlags {
  fileprivate var bits: ald_layer_view_flags { ald_layer_view_flags(truncatingIfNeeded: rawValue) }
}

private func viewAndLayer(_ view: ald_view, _ layer: ald_layer) throws(EngineError) -> (view: MapView, layer: Layer) {
  let view = try resolve(view, 1)
  let layer = try resolve(layer, 2, with: view)
  return (view, layer)
}
