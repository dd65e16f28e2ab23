/// What is wrong with a layer that can be used all the same.
public struct LayerWarning: Sendable, Equatable {
  /// The numbers are those of `ald_layer_warning_kind`.
  public enum Kind: Int32, Sendable {
    case noSpatialReference = 1
    case unreadableFeatures = 2
    case noIndex = 3
    case failedRequest = 4
  }

  public let kind: Kind
  /// What it is about, and what helps.
  public internal(set) var text: String
}
