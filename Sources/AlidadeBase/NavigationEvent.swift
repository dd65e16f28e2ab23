/// What a view has done by itself, or because of a gesture or a call. Plain numbers, so that this module need not know
/// views and gestures.
public struct NavigationEvent: Sendable {
  public enum Kind: Sendable {
    case began
    case ended
    case didEndPanning
    case didEndZooming
    case didEndRotating
    case gesture
  }

  public var kind: Kind
  /// The view's handle; 0 if it has none.
  public var view: UInt64
  public var cause: Int32
  /// 0: none.
  public var gesture: Int32 = 0
  public var phase: Int32 = 0
  public var isInterrupted = false
  public var userData: UInt = 0
  public var screen: (x: Double, y: Double) = (0, 0)
  public var map: (x: Double, y: Double) = (0, 0)
  /// How many events like this were overwritten before it.
  public var dropped: UInt64 = 0

  public init(_ kind: Kind, view: UInt64, cause: Int32) {
    self.kind = kind
    self.view = view
    self.cause = cause
  }
}

/// Which navigation events wait: the newest, so that a host that never looks loses the oldest and no memory.
struct NavigationRing {
  static let capacity = 4096

  /// The number of the event in each slot, 0 without an event.
  private var sequences: [UInt64] = []
  private var next = 0
  var dropped: UInt64 = 0
  /// The waiting "viewpoint changed" of each view.
  var changed: [UInt64: UInt64] = [:]

  /// Keeps an event's number; returns the number that it displaces.
  mutating func push(_ sequence: UInt64) -> UInt64? {
    guard sequences.count >= Self.capacity else {
      sequences.append(sequence)
      return nil
    }
    let oldest = sequences[next]
    sequences[next] = sequence
    next = next &+ 1 == Self.capacity ? 0 : next &+ 1
    return oldest
  }
}

extension Mailbox {
  /// Queues the navigation events of views. Events that are posted together stay together.
  ///
  /// - Parameters:
  ///   - events: the oldest first.
  ///   - view: the identity of a view that has moved, and its handle; nil if no view has moved. At most one such event
  ///     waits for it.
  public func post(_ events: some Sequence<NavigationEvent>, changed view: (identity: UInt64, handle: UInt64)?) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if let view, state.navigation.changed[view.identity] == nil {
        state.navigation.changed[view.identity] = state.events.append(
          .viewpointChanged(view: view.handle, identity: view.identity))
      }
      for event in events {
        let sequence = state.events.append(.navigation(event))
        if let oldest = state.navigation.push(sequence), state.events.remove(oldest) {
          state.navigation.dropped &+= 1
        }
      }
      state.updateWake()
    }
    changed.wakeAll()
  }
}
