import AlidadeCoordinates

/// What fingers, a wheel or keys do. The numbers are those of `ald_gesture_kind`.
public enum GestureKind: Int32, Sendable, CaseIterable {
  /// One short touch, told at once; a second one may make it a double tap.
  case tap = 1
  /// A tap after which no second one came.
  case singleTap = 2
  case doubleTap = 3
  case twoFingerTap = 4
  /// A finger that stays where it is, and may move after that.
  case longPress = 5
  case drag = 6
  /// A drag that is told when it is over, with the finger's speed.
  case swipe = 7
  /// Two fingers that move apart, together or along, and turn the map if that is allowed.
  case pinch = 8
  /// Two fingers that turn and do not move apart.
  case twist = 9
  /// A double tap whose second touch stays and moves: down is in.
  case oneFingerZoom = 10
  case wheel = 11
  case key = 12

  /// Whether it begins and ends, as against being told when it is over.
  public var lasts: Bool {
    switch self {
    case .longPress, .drag, .pinch, .twist, .oneFingerZoom: true
    default: false
    }
  }

  /// Whether the host hears of it, to do something at that place.
  var isForHost: Bool {
    switch self {
    case .tap, .singleTap, .doubleTap, .twoFingerTap, .longPress: true
    default: false
    }
  }
}

/// How far a gesture is. The numbers are those of `ald_gesture_phase`.
public enum GesturePhase: Int32, Sendable, CaseIterable {
  /// All of it at once.
  case atOnce = 0
  case began = 1
  case changed = 2
  case ended = 3
  case cancelled = 4
}

/// A recognised gesture, or a step of one.
public struct Gesture: Sendable, Equatable {
  public var kind: GestureKind
  public var phase: GesturePhase
  /// Where, in DIP: the finger, or the middle between two.
  public var point: Point
  /// How many times as far apart the fingers are as at the beginning; one-finger zoom: how many times as large things
  /// become.
  public var scaleFactor = 1.0
  /// How far the fingers have turned since the beginning, degrees clockwise on the screen.
  public var rotation = 0.0
  /// DIP/s, at the end: what inertia begins with.
  public var velocity = Point(x: 0, y: 0)
  /// Two fingers have moved along so far that it counts as panning.
  var isPanning = true
  /// With `began`: the gesture goes on, and holds from now on what lies under other fingers.
  var isHandover = false

  public init(_ kind: GestureKind, _ phase: GesturePhase, at point: Point) {
    self.kind = kind
    self.phase = phase
    self.point = point
  }
}

/// What a touch does. The numbers are those of `ald_touch_phase`.
public enum TouchPhase: Int32, Sendable, CaseIterable {
  case began = 1
  case moved = 2
  case ended = 3
  case cancelled = 4
}
