import AlidadeBase
import AlidadeCoordinates

/// What a map shows.
open class Layer: RuntimeObject, @unchecked Sendable {  // right: what changes is under a Lock
  private let membership = Lock(Membership())

  private struct Membership {
    var isVisible = true
    /// Identity of the map that holds the layer; 0: none.
    var mapIdentity: UInt64 = 0
  }

  public override var handleKind: HandleKind { .layer }

  /// The spatial reference of the layer's data.
  open var spatialReference: SpatialReference? { nil }

  /// The outline of the layer's data in a spatial reference, as a closed ring.
  open func outline(in target: SpatialReference) throws(EngineError) -> [Point] { [] }

  /// A hidden layer is not identified and draws nothing.
  public var isVisible: Bool {
    get { membership.withLock { $0.isVisible } }
    set { membership.withLock { $0.isVisible = newValue } }
  }

  /// Whether the layer is in the map with this identity, and whether it is visible.
  func status(in mapIdentity: UInt64) -> (isMember: Bool, isVisible: Bool) {
    membership.withLock { ($0.mapIdentity == mapIdentity, $0.isVisible) }
  }

  /// Joins a map; false if the layer is in one already.
  func join(_ mapIdentity: UInt64) -> Bool {
    membership.withLock { state in
      guard state.mapIdentity == 0 else { return false }
      state.mapIdentity = mapIdentity
      return true
    }
  }

  /// Leaves a map; false if the layer is not in it.
  func leave(_ mapIdentity: UInt64) -> Bool {
    membership.withLock { state in
      guard state.mapIdentity == mapIdentity else { return false }
      state.mapIdentity = 0
      return true
    }
  }
}
