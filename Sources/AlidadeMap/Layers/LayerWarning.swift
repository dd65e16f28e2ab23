/// What is wrong with a layer that can be used all the same.
public struct LayerWarning: Sendable, Equatable {
  public let kind: Kind
  /// What it is about, and what helps.
  public internal(set) var text: String
}
