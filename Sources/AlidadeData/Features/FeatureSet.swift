import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// Problems that were met while features were read.
public struct ReadingTrouble: Sendable, Equatable {
  /// How many features have geometries that cannot be read.
  public var unreadableCount = 0
  /// Reading came to an end before the last feature.
  public var isIncomplete = false
  /// The first message about a problem; empty without a problem.
  public var firstReason = ""

  /// Counts a feature whose geometry cannot be read.
  mutating func noteUnreadable(_ id: Int64, _ reason: @autoclosure () -> String) {
    unreadableCount &+= 1
    if firstReason.isEmpty { firstReason = "The geometry of feature \(id) cannot be read: \(reason())" }
  }
}

/// Features that were read: an immutable value.
public final class FeatureSet: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let ids: Column<Int64>
  /// A `FeatureFlags` each.
  public let flags: Column<UInt8>
  /// A geometry for each feature; nil if geometries were not requested, or the source has none.
  public let geometries: GeometryArray?
  public let columns: [FeatureColumn]
  /// For each column the number of its field in the source.
  public let fieldIndexes: [Int]
  public let trouble: ReadingTrouble

  init(
    runtime: Runtime, ids: Column<Int64>, flags: Column<UInt8>, geometries: GeometryArray?, columns: [FeatureColumn],
    fieldIndexes: [Int], trouble: ReadingTrouble
  ) {
    self.ids = ids
    self.flags = flags
    self.geometries = geometries
    self.columns = columns
    self.fieldIndexes = fieldIndexes
    self.trouble = trouble
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .featureSet }

  public var count: Int { ids.count }
}
