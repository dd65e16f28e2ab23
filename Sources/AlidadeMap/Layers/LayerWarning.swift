/// A warning of a layer: it can be used, but not for every purpose.
public struct LayerWarning: Sendable, Equatable {
  public let kind: Kind
  /// What is wrong, and what helps.
  public internal(set) var text: String
}
