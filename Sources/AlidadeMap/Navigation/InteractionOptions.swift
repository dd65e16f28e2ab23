import AlidadeBase

/// What gestures may do, and how much.
public struct InteractionOptions: Sendable, Equatable {
  public var switches: Switches = []
  /// How many times as large a double tap, a key and a notch of the wheel make things.
  public var zoomFactor = 2.0
  /// Degrees: turned by fingers and left no farther from north than this, the map turns to north.
  public var snapThreshold = 7.5

  /// The bits are those of `ald_interaction_flags`.
  public struct Switches: OptionSet, Sendable, Hashable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nothing moves the map but calls.
    public static let off = Switches(rawValue: 1)
    /// Nothing pans, and what zooms does so about the centre.
    public static let noPan = Switches(rawValue: 2)
    /// Nothing zooms.
    public static let noZoom = Switches(rawValue: 4)
    /// Two fingers turn the map.
    public static let twist = Switches(rawValue: 8)
    public static let noPinch = Switches(rawValue: 16)
    public static let noDoubleTap = Switches(rawValue: 32)
    public static let noTwoFingerTap = Switches(rawValue: 64)
    public static let noOneFingerZoom = Switches(rawValue: 128)
    public static let noWheel = Switches(rawValue: 256)
    public static let noKeys = Switches(rawValue: 512)
    public static let noFling = Switches(rawValue: 1024)
    public static let noSnap = Switches(rawValue: 2048)
    /// A still finger is no long press, and may still become a drag.
    public static let noLongPress = Switches(rawValue: 4096)
    /// A magnifier at the view's edge does not pan.
    public static let noMagnifierPan = Switches(rawValue: 8192)
  }

  public init() {}

  public static let largestZoomFactor = 1000.0
  public static let largestSnapThreshold = 45.0

  /// Throws unless each number is one that a gesture can use.
  public func check() throws(EngineError) {
    guard zoomFactor > 1, zoomFactor <= Self.largestZoomFactor else {
      throw EngineError(.invalidArgument, "The zoom factor \(zoomFactor) is not more than 1 and at most 1000.")
    }
    guard snapThreshold >= 0, snapThreshold <= Self.largestSnapThreshold else {
      throw EngineError(.invalidArgument, "The snap threshold \(snapThreshold) is not within 0 to 45 degrees.")
    }
  }

  var pans: Bool { switches.isDisjoint(with: [.off, .noPan]) }
  var zooms: Bool { switches.isDisjoint(with: [.off, .noZoom]) }
  var turns: Bool { switches.contains(.twist) && !switches.contains(.off) }
  var drifts: Bool { pans && !switches.contains(.noMagnifierPan) }
  var flings: Bool { !switches.contains(.noFling) }

  /// Whether a gesture may move the map at all.
  func allows(_ kind: GestureKind) -> Bool {
    switch kind {
    case .tap, .singleTap, .longPress: false
    case .doubleTap: zooms && !switches.contains(.noDoubleTap)
    case .twoFingerTap: zooms && !switches.contains(.noTwoFingerTap)
    case .drag, .swipe: pans
    case .pinch: !switches.contains(.noPinch) && (zooms || pans || turns)
    case .twist: turns
    case .oneFingerZoom: zooms && !switches.contains(.noOneFingerZoom)
    case .wheel: zooms && !switches.contains(.noWheel)
    case .key: switches.isDisjoint(with: [.off, .noKeys])
    }
  }
}
