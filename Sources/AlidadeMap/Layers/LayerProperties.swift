import AlidadeBase

/// What a layer says of itself.
struct LayerProperties: Sendable {
  var isVisible = true
  var opacity = 1.0
  var range = ScaleRange.all
  var texts = HostTexts()
  var popup: PopupDefinition?
}

/// A layer as of one moment.
public struct LayerInfo: Sendable {
  public var isVisible: Bool
  /// It and all groups above it are visible.
  public var isShown: Bool
  public var opacity: Double
  /// The product along the groups.
  public var effectiveOpacity: Double
  public var range: ScaleRange
  /// The scales that its range and the ranges of all groups around it have in common; contains no scale if there are
  /// none.
  public var effectiveRange: ScaleRange
  /// The group that it is in.
  public var group: GroupLayer?
  /// The map that it is in, by itself or in a group.
  public var map: Map?
  public var isInBasemap: Bool
  /// How many groups hold it.
  public var depth: Int
  /// Rises when anything of the layer is changed, or the layer is put elsewhere.
  public var generation: UInt64
}

extension Layer: HostTextsHolder {
  public var noun: String { "layer" }

  public func readTexts<Result>(_ body: (HostTexts) -> Result) -> Result { read { body($0.texts) } }

  public func changeTexts<Result>(_ body: (inout HostTexts) -> Result) -> Result { change { body(&$0.texts) } }

  /// A hidden layer is not identified and draws nothing, nor do those in a hidden group.
  public var isVisible: Bool {
    get { read { $0.isVisible } }
    set { changeStanding { $0.isVisible = newValue } }
  }

  /// 0, transparent, to 1. That of a group counts for all in it.
  public var opacity: Double { read { $0.opacity } }

  public func setOpacity(_ opacity: Double) throws(EngineError) {
    guard opacity >= 0, opacity <= 1 else {
      throw EngineError(.invalidArgument, "The opacity \(opacity) is not within 0 to 1.")
    }
    changeStanding { $0.opacity = opacity }
  }

  /// How the layer's elements read in popups; nil means that they have no popups.
  public var popup: PopupDefinition? {
    get { read { $0.popup } }
    set { change { $0.popup = newValue } }
  }

  /// The scales at which the layer is shown, if the groups around it are shown at them too.
  public var scaleRange: ScaleRange { read { $0.range } }

  public func setScaleRange(_ range: ScaleRange) throws(EngineError) {
    try range.check()
    changeStanding { $0.range = range }
  }
}
