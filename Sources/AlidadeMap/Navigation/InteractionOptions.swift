import AlidadeBase

/// The gestures that a view accepts, and their strength.
public struct InteractionOptions: Sendable, Equatable {
  public var switches: Switches = []
  /// How many times as large a double tap, a key and a notch of the wheel make things.
  public var zoomFactor = 2.0
  /// Degrees: turned by fingers and left no farther from north than this, the map turns to north.
  public var snapThreshold = 7.5

  public init() {}

  public static let largestZoomFactor = 1000.0
  public static let largestSnapThreshold = 45.0

  /// Throws unless all numbers are valid for gestures.
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
