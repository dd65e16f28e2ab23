import AlidadeBase

/// What kind of layer a layer is.
public enum LayerKind: Int32, Sendable {
  case raster = 1
  case feature = 2
  case group = 3
}

/// Texts that a host gives a layer. The library does nothing with them.
public enum LayerText: Int32, Sendable, CaseIterable {
  case name = 1
  /// What the host knows the layer by; that no two have the same is the host's matter.
  case id = 2
  /// Whom the data is from.
  case attribution = 3
}

/// What a layer says of itself.
struct LayerProperties: Sendable {
  var isVisible = true
  var opacity = 1.0
  var range = ScaleRange.all
  var texts: [LayerText: String] = [:]
  /// The host's own, in the order in which they were added.
  var properties: [(key: String, value: String)] = []
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
  /// What it and all groups above it have in common; contains no scale if that is nothing.
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

extension Layer {
  /// How many properties of its own a host can give a layer.
  public static let propertyLimit = 10_000

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

  /// Between which scales the layer is shown, if those of the groups above it allow it.
  public var scaleRange: ScaleRange { read { $0.range } }

  public func setScaleRange(_ range: ScaleRange) throws(EngineError) {
    try range.check()
    changeStanding { $0.range = range }
  }

  public func text(_ text: LayerText) -> String { read { $0.texts[text] ?? "" } }

  public func setText(_ text: LayerText, to value: String) {
    change { $0.texts[text] = value.isEmpty ? nil : value }
  }

  /// The host's own, in the order in which they were added.
  public var properties: [(key: String, value: String)] { read { $0.properties } }

  public func property(_ key: String) throws(EngineError) -> String {
    guard let found = read({ $0.properties.first { $0.key == key } }) else {
      throw EngineError(.notFound, "The layer has no property \"\(key)\".")
    }
    return found.value
  }

  /// Sets a property; nil removes it. Removing one that is not there does nothing.
  public func setProperty(_ key: String, to value: String?) throws(EngineError) {
    guard !key.isEmpty else { throw EngineError(.invalidArgument, "A property needs a key.") }
    let fits = change { all in
      let place = all.properties.firstIndex { $0.key == key }
      guard let value else {
        if let place { all.properties.remove(at: place) }
        return true
      }
      if let place {
        all.properties[place].value = value
        return true
      }
      guard all.properties.count < Self.propertyLimit else { return false }
      all.properties.append((key, value))
      return true
    }
    if !fits {
      throw EngineError(
        .limitExceeded, "The layer has \(Self.propertyLimit) properties, which is the most it can have.")
    }
  }
}
