import AlidadeBase
import AlidadeMap
import CAlidade

@_cdecl("ald_runtime_pump") @implementation
public func ald_runtime_pump(
  _ runtime: ald_runtime, _ budget_ms: UInt32, _ out_report: Out<ald_pump_report>, _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    let out = try optionalOut(out_report, 3)
    let report = try runtime.mailbox.pump(until: budget_ms == 0 ? .never : Deadline(milliseconds: budget_ms))
    write(
      ald_pump_report(
        struct_size: 0, completion_count: UInt32(clamping: report.called),
        waiting_completion_count: UInt32(clamping: report.waitingCompletions),
        waiting_event_count: UInt32(clamping: report.waitingEvents)),
      to: out)
  }
}

@_cdecl("ald_runtime_poll_events") @implementation
public func ald_runtime_poll_events(
  _ runtime: ald_runtime, _ out_events: Out<ald_event>, _ max_events: Int, _ out_count: Out<Int>,
  _ error: Out<ald_error>
) -> ald_status {
  enter(runtime, error) { (runtime) throws(EngineError) in
    guard let out_count else { throw missing("out_count", 4) }
    try requireCapacity(max_events, of: ald_event.self, 3)
    guard let out_events else {
      if max_events > 0 { throw missing("out_events", 2) }
      out_count.pointee = runtime.mailbox.eventCount
      return
    }
    out_count.pointee = runtime.mailbox.nextEvents(limit: max_events) { index, event in
      out_events[index] = ald_event(event)
    }
  }
}

@_cdecl("ald_runtime_wait") @implementation
public func ald_runtime_wait(
  _ runtime: ald_runtime, _ timeout_ms: UInt32, _ out_is_waiting: Out<UInt32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(runtime, out_is_waiting, "out_is_waiting", argument: 3, error) { (runtime) throws(EngineError) in
    try runtime.mailbox.wait(until: deadline(milliseconds: timeout_ms)) ? 1 : 0
  }
}

@_cdecl("ald_runtime_get_wake_fd") @implementation
public func ald_runtime_get_wake_fd(
  _ runtime: ald_runtime, _ out_fd: Out<Int32>, _ error: Out<ald_error>
) -> ald_status {
  enterGetting(runtime, out_fd, "out_fd", argument: 2, error) { (runtime) throws(EngineError) in
    try runtime.mailbox.wakeDescriptor()
  }
}

@_cdecl("ald_runtime_get_log_line") @implementation
public func ald_runtime_get_log_line(
  _ runtime: ald_runtime, _ line_number: UInt64, _ out_line: Out<ald_log_line>, _ buffer: Out<CChar>,
  _ capacity_bytes: Int, _ out_size_bytes: Out<Int>, _ error: Out<ald_error>
) -> ald_status {
  enterFilling(runtime, out_line, argument: 3, error) { (runtime) throws(EngineError) in
    let line = try known(
      runtime.mailbox.logLine(from: line_number),
      or: EngineError(.notFound, "The log has no line \(line_number) and none after it.", argument: 2))
    try copyOut(line.text, buffer, capacity_bytes, out_size_bytes, bufferArgument: 4)
    return ald_log_line(
      struct_size: 0, level: line.level.rawValue, domain: line.domain.rawValue, domain_code: line.code,
      number: line.number, time_ns: line.time)
  }
}

extension ald_event {
  fileprivate init(_ event: Event) {
    self.init()
    sequence = event.sequence
    time_ns = event.time
    switch event.content {
    case .requestFinished(let handle, let state, let status, let userData):
      kind = ALD_EVENT_KIND_REQUEST_FINISHED
      request = ald_request(id: handle)
      request_state = state.rawValue
      self.status = status.rawValue
      user_data = UnsafeMutableRawPointer(bitPattern: userData)
    case .transformationChanged(let handle, let isUsable):
      kind = ALD_EVENT_KIND_TRANSFORMATION_CHANGED
      transformation = ald_transformation(id: handle)
      is_usable = isUsable ? 1 : 0
    case .loadStatusChanged(let content): fill(content)
    case .other(let content): if let content = content as? ViewEvent { fill(content) }
    case .log(let level, let domain, let code, let number, let dropped):
      kind = ALD_EVENT_KIND_LOG
      log_level = level.rawValue
      self.domain = domain.rawValue
      domain_code = code
      log_number = number
      self.dropped = dropped
    }
  }

  private mutating func fill(_ content: LoadEvent) {
    kind = ALD_EVENT_KIND_LOAD_STATUS_CHANGED
    load_status = content.status.rawValue
    status = content.failure.rawValue
    switch content.kind {
    case .map: map = ald_map(id: content.handle)
    case .raster: raster = ald_raster(id: content.handle)
    default: layer = ald_layer(id: content.handle)
    }
  }

  private mutating func fill(_ content: ViewEvent) {
    switch content {
    case .ready(let handle):
      kind = ALD_EVENT_KIND_VIEW_READY
      view = ald_view(id: handle)
    case .viewpointChanged(let handle):
      kind = ALD_EVENT_KIND_VIEWPOINT_CHANGED
      view = ald_view(id: handle)
    case .navigation(let content): fill(content)
    case .layerState(let content):
      kind = ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED
      view = ald_view(id: content.view)
      layer = ald_layer(id: content.layer)
      layer_view_state = ald_layer_view_flags(truncatingIfNeeded: content.flags.rawValue)
      previous_layer_view_state = ald_layer_view_flags(truncatingIfNeeded: content.previous.rawValue)
      dropped = content.dropped
    }
  }

  private mutating func fill(_ content: NavigationEvent) {
    let number =
      switch content.kind {
      case .began: ALD_EVENT_KIND_NAVIGATION_BEGAN
      case .ended: ALD_EVENT_KIND_NAVIGATION_ENDED
      case .didEndPanning: ALD_EVENT_KIND_DID_END_PANNING
      case .didEndZooming: ALD_EVENT_KIND_DID_END_ZOOMING
      case .didEndRotating: ALD_EVENT_KIND_DID_END_ROTATING
      case .gesture: ALD_EVENT_KIND_GESTURE
      }
    kind = ald_event_kind(truncatingIfNeeded: number)
    view = ald_view(id: content.view)
    cause = content.cause.rawValue
    gesture = content.gesture?.rawValue ?? 0
    gesture_phase = content.phase.rawValue
    status = content.isInterrupted ? Status.cancelled.rawValue : Status.ok.rawValue
    user_data = UnsafeMutableRawPointer(bitPattern: content.userData)
    screen_point = ald_point(x: content.screen.x, y: content.screen.y)
    map_point = ald_point(x: content.map.x, y: content.map.y)
    dropped = content.dropped
  }
}
