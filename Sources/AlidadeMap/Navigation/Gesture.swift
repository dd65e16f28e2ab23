import AlidadeCoordinates

extension GestureKind {
  /// Whether the gesture begins and ends. Other gestures are reported once, when they are over.
  public var lasts: Bool {
    switch self {
    case .longPress, .drag, .pinch, .twist, .oneFingerZoom: true
    default: false
    }
  }

  /// Whether the host is notified of it, to do something at that point.
  var isForHost: Bool {
    switch self {
    case .tap, .singleTap, .doubleTap, .twoFingerTap, .longPress: true
    default: false
    }
  }
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
