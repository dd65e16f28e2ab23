import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// What was found by a relation or a distance: an immutable value.
public final class MatchSet: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let ids: HeapArray<Int64>
  /// For a join, the ids of the second feature of each pair; otherwise nil.
  public let otherIDs: HeapArray<Int64>?
  /// The distances in the requested unit; nil if none were requested.
  public let distances: HeapArray<Double>?
  /// How many could not be compared.
  public let skippedCount: Int
  /// Why the first of them could not; empty: all could.
  public let firstReason: String

  public init(_ list: MatchList, runtime: Runtime, isJoin: Bool, hasDistances: Bool) throws(EngineError) {
    ids = try Self.column(list.ids)
    otherIDs = isJoin ? try Self.column(list.otherIDs) : nil
    distances = hasDistances ? try Self.column(list.distances) : nil
    (skippedCount, firstReason) = (list.skippedCount, list.firstReason)
    super.init(runtime: runtime)
  }

  private static func column<Value>(_ values: [Value]) throws(EngineError) -> HeapArray<Value> {
    let column = try HeapArray<Value>(count: values.count)
    _ = column.buffer.update(from: values)
    return column
  }

  public override var handleKind: HandleKind { .matchSet }

  public var count: Int { ids.buffer.count }
}

/// Matches while they are being collected.
public struct MatchList: Sendable {
  public private(set) var ids: [Int64] = []
  public private(set) var otherIDs: [Int64] = []
  public private(set) var distances: [Double] = []
  public private(set) var skippedCount = 0
  public private(set) var firstReason = ""

  public init() {}

  public mutating func add(_ id: Int64, other: Int64? = nil, distance: Double? = nil) {
    ids.append(id)
    if let other { otherIDs.append(other) }
    if let distance { distances.append(distance) }
  }

  /// Counts what a service did not return as one more.
  mutating func skipRest(ifCutShort isIncomplete: Bool, _ path: String) {
    if isIncomplete { skip("\"\(HTTPAddress.shown(path))\" did not return all of its features") }
  }

  /// Counts something that cannot be compared. Other errors are thrown on.
  ///
  /// - Parameter what: what it is, such as "Feature 7".
  public mutating func skip(_ what: @autoclosure () -> String, _ error: EngineError) throws(EngineError) {
    switch error.status {
    case .invalidArgument, .unsupported, .projectionFailed: break
    default: throw error
    }
    skip("\(what()): \(error.message)")
  }

  public mutating func skip(_ reason: @autoclosure () -> String) {
    if skippedCount == 0 { firstReason = reason() }
    skippedCount &+= 1
  }

  public mutating func append(_ other: MatchList) {
    ids += other.ids
    otherIDs += other.otherIDs
    distances += other.distances
    if skippedCount == 0 { firstReason = other.firstReason }
    skippedCount &+= other.skippedCount
  }
}
