import AlidadeCoordinates

extension Navigator {
  // MARK: Touches and gestures

  mutating func touch(
    _ id: UInt64, _ phase: TouchPhase, at point: Point, time: Double, on stage: inout NavigationStage
  ) {
    // A finger holds what moves by itself, but for what springs back: that has to get there.
    if phase == .began, motion != nil, !isSpringing { stop() }
    if !recognizer.isTouched { recognizer.catchUp(with: clock) }
    recognizer.touch(id, phase, at: point, time: time, &steps)
    takeSteps(on: &stage)
  }

  mutating func takeSteps(on stage: inout NavigationStage) {
    guard !steps.isEmpty else { return }
    var taken: [Gesture] = []
    swap(&taken, &steps)
    for step in taken { take(step, from: .touches, on: &stage) }
    // Its memory is used again.
    taken.removeAll(keepingCapacity: true)
    swap(&taken, &steps)
  }

  /// Whether a step of a lasting gesture of the host belongs to a gesture that is under way.
  func expects(_ step: Gesture) -> Bool {
    !step.kind.lasts || step.kind == .longPress || step.phase == .began
      || (live?.kind == step.kind && live?.source == .host)
  }

  mutating func take(_ step: Gesture, from source: Source, on stage: inout NavigationStage) {
    if step.kind.isForHost { tellHost(of: step, stage) }
    switch step.kind {
    case .doubleTap: zoom(.doubleTap, by: options.zoomFactor, about: step.point, on: stage)
    case .twoFingerTap: zoom(.twoFingerTap, by: 1 / options.zoomFactor, about: step.point, on: stage)
    case .swipe where options.allows(.swipe):
      let stage = withinLimits(stage)
      begin(.gesture, .swipe)
      fling(step.velocity, on: stage)
    case .drag, .pinch, .twist, .oneFingerZoom: follow(step, from: source, on: &stage)
    case .tap, .singleTap, .longPress, .swipe, .wheel, .key: break
    }
  }

  mutating func tellHost(of step: Gesture, _ stage: NavigationStage) {
    var note = NavigationEvent(.gesture, .gesture, step.kind)
    note.phase = step.phase
    note.screen = step.point
    note.map = stage.camera.transform(in: stage.viewport).mapPoint(step.point)
    notes.append(note)
  }

  /// Where a zoom is about.
  func pivot(_ point: Point, _ stage: NavigationStage) -> Point { options.pans ? point : stage.viewport.anchor }

  mutating func zoom(_ kind: GestureKind, by factor: Double, about point: Point, on stage: NavigationStage) {
    guard options.allows(kind) else { return }
    let stage = withinLimits(stage)
    begin(.gesture, kind)
    var glide = Glide(stage.camera, about: pivot(point, stage), duration: Self.glideTime, curve: Self.glideCurve)
    glide.endScale = limited(stage.camera.scale / factor, stage)
    start(.glide(glide))
  }

  func limited(_ scale: Double, _ stage: NavigationStage) -> Double {
    stage.constraints.limited(scale: scale, rotation: stage.camera.rotation, in: stage.viewport).scale
  }

  /// Goes on with a finger's speed, or ends.
  mutating func fling(_ velocity: Point, on stage: NavigationStage) {
    guard options.flings, options.pans, let fling = Fling(velocity: velocity) else {
      return settle(stage, about: stage.viewport.anchor)
    }
    start(.fling(fling, from: stage.camera))
  }

  mutating func follow(_ step: Gesture, from source: Source, on stage: inout NavigationStage) {
    switch step.phase {
    case .atOnce: break
    case .began:
      if step.isHandover, var going = live, going.kind == .pinch || going.kind == .twist {
        // What a twist holds by one finger is dragged.
        if options.allows(.pinch) { going.kind = .pinch }
        grip(&going, step, stage)
        live = going
        return
      }
      if let old = live, old.session == session?.number { stop() }
      var beginning = LiveGesture(
        kind: step.kind, source: source, isIgnored: !options.allows(step.kind), grip: .nan, scale: 1, rotation: 0,
        step: step, session: 0)
      if !beginning.isIgnored { hold(&beginning, step, stage) }
      live = beginning
    case .changed:
      guard var going = live, !going.isIgnored else { return }
      // After a call or an animation that came between, the gesture goes on from there, as a new movement.
      if going.session != session?.number || motion != nil { hold(&going, going.step, stage) }
      going.step = step
      live = going
      move(going, on: &stage)
    case .ended, .cancelled:
      guard let ended = live.take(), ended.session == session?.number, motion == nil else { return }
      if step.phase == .cancelled {
        session?.isCancelled = true
        if !springBack(on: stage) { stop() }
        return
      }
      if springBack(on: stage) { return }
      if ended.kind == .drag || ended.kind == .pinch {
        fling(step.velocity, on: stage)
      } else {
        settle(stage, about: pivot(step.point, stage))
      }
    }
  }

  /// Begins a movement of a gesture, with what lies under its fingers now.
  mutating func hold(_ gesture: inout LiveGesture, _ step: Gesture, _ stage: NavigationStage) {
    begin(.gesture, gesture.kind)
    gesture.session = lastSession
    grip(&gesture, step, stage)
  }

  func grip(_ gesture: inout LiveGesture, _ step: Gesture, _ stage: NavigationStage) {
    var (camera, scale) = (stage.camera, stage.camera.scale)
    if stage.constraints.isElastic {
      // What is stretched already must not be stretched again by the same pull.
      camera = stage.constraints.asked(camera, in: stage.viewport)
      scale = stage.constraints.asked(scale: scale, rotation: camera.rotation, in: stage.viewport)
    }
    gesture.step = step
    gesture.grip = camera.transform(in: stage.viewport).mapPoint(pivot(step.point, stage))
    gesture.scale = scale * step.scaleFactor
    gesture.rotation = stage.camera.rotation + step.rotation
  }

  mutating func move(_ gesture: LiveGesture, on stage: inout NavigationStage) {
    let step = gesture.step
    let point = pivot(step.point, stage)
    var scale = stage.camera.scale
    var rotation = stage.camera.rotation
    // Fingers that turn clockwise take the map along: what is up turns the other way.
    if gesture.kind == .pinch || gesture.kind == .twist, options.turns { rotation = gesture.rotation - step.rotation }
    if stage.constraints.isElastic, let locked = stage.constraints.lockedRotation { rotation = locked }
    if gesture.kind != .drag, options.zooms {
      let wanted = gesture.scale / step.scaleFactor
      scale =
        stage.constraints.isElastic
        ? stage.constraints.pulled(scale: wanted, rotation: rotation, in: stage.viewport)
        : limited(wanted, stage)
    }
    let turned = stage.camera.with(scale: scale, rotation: rotation, about: point, in: stage.viewport)
    let isPan = gesture.kind == .drag || (gesture.kind == .pinch && step.isPanning)
    let wanted = turned.showing(gesture.grip, at: point, in: stage.viewport)
    apply(wanted, about: point, isPan: isPan, isPulled: stage.constraints.isElastic, on: &stage)
  }
}
