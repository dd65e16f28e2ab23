import AlidadeCoordinates
import Glibc

/// Recognises gestures in touches: a value that receives touches and time, and returns steps of gestures.
///
/// A gesture holds the map points that were under the fingers when they came down: once it is recognised, a few DIP
/// later, the map follows from there.
struct GestureRecognizer: Sendable {
  /// DIP: a finger that stays within this does not move. Android's ViewConfiguration, TOUCH_SLOP.
  static let slop = 8.0
  /// Seconds and DIP between the two taps of a double tap; DOUBLE_TAP_TIMEOUT and DOUBLE_TAP_SLOP there.
  static let doubleTapTime = 0.3
  static let doubleTapSlop = 100.0
  /// Seconds after which a still finger is a long press: iOS's UILongPressGestureRecognizer, and Flutter.
  static let longPressTime = 0.5
  /// DIP that double the scale in one-finger zoom: MapLibre's TapDragZoomHandler.
  static let oneFingerZoomStep = 128.0
  /// Fingers beyond this are not looked at.
  static let mostTouches = 32

  struct Touch: Sendable, Equatable {
    var id: UInt64
    /// Where it came down, or where the gesture that it is part of began to count.
    var start: Point
    var point: Point
    var time: Double
  }

  enum State: Sendable, Equatable {
    /// No finger is down, or none that means anything until all are up.
    case idle
    /// One finger is down and still.
    case pressed(isSecond: Bool)
    case longPress
    case drag
    case oneFingerZoom
    /// Two fingers are down and still.
    case twoPressed
    case pinch(zooms: Bool, turns: Bool, pans: Bool)
    /// One of two fingers is up, and neither has moved; with the middle between the two.
    case twoFingerTapEnding(isTap: Bool, middle: Point)
    /// A pinch of which one finger is left: it goes on as a drag.
    case pinchRest
  }

  /// A gesture that the host has switched off is not recognised, so that others can be.
  var longPressIsOn = true
  var twistIsOn = false

  private(set) var state = State.idle
  private(set) var touches: [Touch] = []
  private var tracker = VelocityTracker()
  /// A tap that may become a double tap.
  private var pendingTap: (point: Point, time: Double)?
  /// When the present state began.
  private var since = 0.0
  /// The last moment that is known, in the recogniser's own time.
  private(set) var now = 0.0
  /// The host's time of touches plus this is the recogniser's; nil as long as no touch matters.
  private var timeOffset: Double?
  /// How two fingers lie, and how far they have turned since they came down, degrees clockwise.
  private var pairAngle = 0.0
  private var pairTurn = 0.0

  /// Whether time alone can bring something.
  var waits: Bool {
    switch state {
    case .pressed: true
    default: pendingTap != nil
    }
  }

  /// Where the finger of a long press is; nil: none is under way.
  var longPress: Point? { state == .longPress ? touches.first?.point : nil }

  /// Whether a finger is down.
  var isTouched: Bool { !touches.isEmpty }

  // MARK: Time

  /// Lets time pass in which nothing can happen.
  mutating func catchUp(with time: Double) { now = max(now, time) }

  /// Lets time pass.
  mutating func advance(to time: Double, _ out: inout [Gesture]) {
    now = max(now, time)
    if case .pressed(let isSecond) = state, longPressIsOn, let touch = touches.first, now - since >= Self.longPressTime
    {
      // The second touch of what was to be a double tap: then the first was a single one.
      if isSecond { confirmTap(&out) }
      state = .longPress
      out.append(Gesture(.longPress, .began, at: touch.point))
    }
    if let tap = pendingTap, now - tap.time >= Self.doubleTapTime {
      switch state {
      case .pressed(isSecond: true), .oneFingerZoom: break
      default: confirmTap(&out)
      }
    }
    if touches.isEmpty, pendingTap == nil { timeOffset = nil }
  }

  private mutating func confirmTap(_ out: inout [Gesture]) {
    if let tap = pendingTap { out.append(Gesture(.singleTap, .atOnce, at: tap.point)) }
    pendingTap = nil
  }

  /// The host's time in the recogniser's time: the time of touches and the time of frames begin together with the first
  /// touch. It never goes back.
  private mutating func moment(_ time: Double) -> Double {
    let offset = timeOffset ?? (now - time)
    timeOffset = offset
    let latest = touches.reduce(pendingTap?.time ?? -.infinity) { max($0, $1.time) }
    return max(time + offset, latest)
  }

  // MARK: Touches

  /// Handles a touch. A touch that never began, or that is beyond the largest number, is ignored.
  mutating func touch(_ id: UInt64, _ phase: TouchPhase, at point: Point, time: Double, _ out: inout [Gesture]) {
    var index = touches.firstIndex { $0.id == id }
    guard phase == .began || index != nil else { return }
    let time = moment(time)
    advance(to: time, &out)
    if phase == .began, let lost = index {
      lift(lost, at: time, isCancelled: true, &out)
      index = nil
    }
    guard let index else { return put(Touch(id: id, start: point, point: point, time: time), &out) }
    switch phase {
    case .began: break
    case .moved: move(index, to: point, at: time, &out)
    case .ended:
      if touches[index].point != point { move(index, to: point, at: time, &out) }
      lift(index, at: time, isCancelled: false, &out)
    case .cancelled: lift(index, at: time, isCancelled: true, &out)
    }
  }

  private mutating func enter(_ state: State, at time: Double) {
    self.state = state
    since = time
  }

  private mutating func put(_ touch: Touch, _ out: inout [Gesture]) {
    guard touches.count < Self.mostTouches else { return }
    touches.append(touch)
    switch (touches.count, state) {
    case (1, _):
      var isSecond = false
      if let tap = pendingTap {
        isSecond = distance(touch.point, tap.point) <= Self.doubleTapSlop
        if !isSecond { confirmTap(&out) }
      }
      enter(.pressed(isSecond: isSecond), at: touch.time)
      follow()
    case (2, .pressed), (2, .twoFingerTapEnding):
      confirmTap(&out)
      hold()
      enter(.twoPressed, at: touch.time)
    case (2, .drag):
      out.append(Gesture(.drag, .ended, at: touches[0].point))
      hold()
      enter(.twoPressed, at: touch.time)
    case (2, .pinchRest): handOver(to: .pinch(zooms: false, turns: false, pans: false), at: touch.time, &out)
    default: break
    }
  }

  private mutating func move(_ index: Int, to point: Point, at time: Double, _ out: inout [Gesture]) {
    touches[index].point = point
    touches[index].time = time
    if index == 0 { tracker.add(point, at: time) }
    let start = touches[index].start
    let isMoved = distance(start, point) > Self.slop
    switch state {
    case .pressed(isSecond: true) where isMoved:
      pendingTap = nil
      enter(.oneFingerZoom, at: time)
      out.append(Gesture(.oneFingerZoom, .began, at: start))
      out.append(oneFingerZoom(.changed))
    case .pressed where isMoved, .twoFingerTapEnding where isMoved:
      enter(.drag, at: time)
      out.append(Gesture(.drag, .began, at: start))
      out.append(Gesture(.drag, .changed, at: point))
    case .longPress where index == 0: out.append(Gesture(.longPress, .changed, at: point))
    case .drag where index == 0: out.append(Gesture(.drag, .changed, at: point))
    case .oneFingerZoom where index == 0: out.append(oneFingerZoom(.changed))
    case .pinchRest where index == 0:
      var step = Gesture(.pinch, .changed, at: point)
      step.isPanning = isMoved
      out.append(step)
    case .twoPressed where index < 2: movePair(zooms: false, turns: false, pans: false, at: time, &out)
    case .pinch(let zooms, let turns, let pans) where index < 2:
      movePair(zooms: zooms, turns: turns, pans: pans, at: time, &out)
    default: break
    }
  }

  private mutating func lift(_ index: Int, at time: Double, isCancelled: Bool, _ out: inout [Gesture]) {
    let middle = middle
    let touch = touches.remove(at: index)
    let phase: GesturePhase = isCancelled ? .cancelled : .ended
    switch state {
    case .pressed(let isSecond):
      if isCancelled {
        confirmTap(&out)
      } else if isSecond {
        pendingTap = nil
        out.append(Gesture(.doubleTap, .atOnce, at: touch.point))
      } else {
        out.append(Gesture(.tap, .atOnce, at: touch.point))
        pendingTap = (touch.point, time)
      }
      enter(.idle, at: time)
    case .longPress where index == 0: finish(Gesture(.longPress, phase, at: touch.point), at: time, &out)
    case .oneFingerZoom where index == 0:
      var last = Gesture(.oneFingerZoom, phase, at: touch.start)
      last.scaleFactor = zoomFactor(touch)
      finish(last, at: time, &out)
    case .drag where index == 0: finish(fling(.drag, touch, phase, at: time), at: time, &out)
    case .pinchRest where index == 0: finish(fling(.pinch, touch, phase, at: time), at: time, &out)
    case .twoPressed where index < 2:
      // `since` stays: both fingers have to be up in time.
      state = .twoFingerTapEnding(isTap: !isCancelled && touches.count == 1, middle: middle)
      follow()
    case .twoFingerTapEnding(let isTap, let middle):
      let isInTime = time - since <= Self.doubleTapTime
      if isTap, isInTime, !isCancelled { out.append(Gesture(.twoFingerTap, .atOnce, at: middle)) }
      enter(.idle, at: time)
    case .pinch where index < 2:
      if touches.count >= 2 {
        // A third finger replaces it.
        handOver(to: .pinch(zooms: false, turns: false, pans: false), at: time, &out)
      } else if isCancelled {
        finish(Gesture(.pinch, .cancelled, at: touch.point), at: time, &out)
      } else {
        handOver(to: .pinchRest, at: time, &out)
      }
    default: break
    }
    if touches.isEmpty {
      if state != .idle { enter(.idle, at: time) }
      if pendingTap == nil { timeOffset = nil }
    }
  }

  /// Ends a gesture. Fingers that are still down mean nothing until all are up.
  private mutating func finish(_ last: Gesture, at time: Double, _ out: inout [Gesture]) {
    out.append(last)
    enter(.idle, at: time)
  }

  private func fling(_ kind: GestureKind, _ touch: Touch, _ phase: GesturePhase, at time: Double) -> Gesture {
    var last = Gesture(kind, phase, at: touch.point)
    // The last finger of a pinch flings only what it has moved by itself.
    if phase == .ended, kind == .drag || distance(touch.start, touch.point) > Self.slop {
      last.velocity = tracker.velocity(at: time)
    }
    return last
  }

  // MARK: One finger

  /// Begins to look how fast the first finger is.
  private mutating func follow() {
    tracker.reset()
    if let first = touches.first { tracker.add(first.point, at: first.time) }
  }

  private func oneFingerZoom(_ phase: GesturePhase) -> Gesture {
    var step = Gesture(.oneFingerZoom, phase, at: touches.first?.start ?? Point(x: 0, y: 0))
    if let touch = touches.first { step.scaleFactor = zoomFactor(touch) }
    return step
  }

  /// Down is in.
  private func zoomFactor(_ touch: Touch) -> Double { exp2((touch.point.y - touch.start.y) / Self.oneFingerZoomStep) }

  private func distance(_ a: Point, _ b: Point) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }

  // MARK: Two fingers

  /// Lets what counts begin where the fingers are now.
  private mutating func hold() {
    for index in touches.indices { touches[index].start = touches[index].point }
    pairTurn = 0
    pairAngle = angle
    follow()
  }

  private mutating func handOver(to state: State, at time: Double, _ out: inout [Gesture]) {
    hold()
    enter(state, at: time)
    var step = Gesture(.pinch, .began, at: middle)
    step.isHandover = true
    out.append(step)
  }

  /// Between the first two fingers, or where the only one is.
  private var middle: Point { middle(\.point) }

  private func middle(_ place: KeyPath<Touch, Point>) -> Point {
    guard let first = touches.first else { return Point(x: 0, y: 0) }
    let (a, b) = (first[keyPath: place], (touches.count > 1 ? touches[1] : first)[keyPath: place])
    return Point(x: a.x + (b.x - a.x) / 2, y: a.y + (b.y - a.y) / 2)
  }

  /// Degrees clockwise on the screen, of the way from the first finger to the second.
  private var angle: Double {
    guard touches.count > 1 else { return 0 }
    let (a, b) = (touches[0].point, touches[1].point)
    return atan2(b.y - a.y, b.x - a.x) * 180 / .pi
  }

  /// How far apart the fingers are; those on one point count as a DIP apart.
  private func span(_ place: KeyPath<Touch, Point>) -> Double {
    touches.count > 1 ? max(1, distance(touches[0][keyPath: place], touches[1][keyPath: place])) : 1
  }

  private mutating func movePair(zooms: Bool, turns: Bool, pans: Bool, at time: Double, _ out: inout [Gesture]) {
    pairTurn += Camera.turn(from: pairAngle, to: angle)
    pairAngle = angle
    let (before, now) = (span(\.start), span(\.point))
    let (from, to) = (middle(\.start), middle)
    let zooms = zooms || (now - before).magnitude > Self.slop
    // As far as a finger has gone round the middle, at the larger of the two distances.
    let turns = twistIsOn && (turns || pairTurn.magnitude * .pi / 180 * max(before, now) / 2 > Self.slop)
    let pans = pans || distance(from, to) > Self.slop
    guard zooms || turns || pans else { return }
    if case .twoPressed = state {
      out.append(Gesture(zooms || pans ? .pinch : .twist, .began, at: from))
      since = time
    }
    state = .pinch(zooms: zooms, turns: turns, pans: pans)
    var step = Gesture(.pinch, .changed, at: to)
    step.scaleFactor = zooms ? now / before : 1
    step.rotation = turns ? pairTurn : 0
    step.isPanning = pans
    out.append(step)
  }
}
