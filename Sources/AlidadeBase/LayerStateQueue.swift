/// A layer is in another state in a view. Plain numbers, so that this module need not know layers and views.
public struct LayerStateEvent: Sendable {
  /// Handles; 0 if there is none.
  public let view: UInt64
  public let layer: UInt64
  public let flags: UInt8
  /// The state of this layer in this view in the last event; 0 without an event.
  public let previous: UInt8
  /// How many events like this were given up before it.
  public let dropped: UInt64
}

/// A change of a layer's state in a view.
public struct LayerStateChange: Sendable {
  /// The layer's index in the book.
  public let place: Int
  public let flags: UInt8
  /// The layer has left the view's map. Its index is free once the host has been notified.
  public let isGone: Bool
  /// The layer's handle; 0: none.
  public let layer: UInt64

  public init(place: Int, flags: UInt8, isGone: Bool, layer: UInt64) {
    self.place = place
    self.flags = flags
    self.isGone = isGone
    self.layer = layer
  }
}

/// The states of a view's layers that the host knows, and the changes that wait: at most one event for each layer, and
/// none if the state is the one that the host knows. No dictionary: ten thousand layers change at once.
///
/// Right to share: everything in it is touched with the mailbox's lock held and only then.
public final class LayerStateQueue: @unchecked Sendable {
  /// Of the view.
  let identity: UInt64
  /// One struct, so that a batch is one access for Swift's checks and not one for each layer.
  fileprivate var book = LayerStateBook()

  public init(identity: UInt64) { self.identity = identity }
}

/// What a `LayerStateQueue` holds.
private struct LayerStateBook {
  /// The largest number of layers that have left the map and wait for an event: a host that never reads loses the
  /// oldest.
  static let goneLimit = 4096

  struct Place {
    var layer: UInt64 = 0
    /// The number of the event that waits; 0: none.
    var sequence: UInt64 = 0
    var time: UInt64 = 0
    var flags: UInt8 = 0
    var told: UInt8 = 0
    var isGone = false
  }

  /// The view's handle.
  var view: UInt64 = 0
  private var places: [Place] = []
  /// What waits, oldest first.
  private var waiting = PlaceOrder()
  /// Of that, layers that have left, the first to leave first.
  private var gone = PlaceOrder()
  private var dropped: UInt64 = 0
  /// Indexes that the view may give to other layers.
  private var free: [Int] = []

  var waitingCount: Int { waiting.count }

  mutating func take(_ changes: [LayerStateChange], view: UInt64, _ events: inout EventQueue) {
    if view != 0 { self.view = view }
    let time = MonotonicTime.now()
    for change in changes {
      while places.count <= change.place { places.append(Place()) }
      var place = places[change.place]
      place.flags = change.flags
      place.isGone = change.isGone
      place.time = time
      if change.layer != 0 { place.layer = change.layer }
      let (isDue, waits) = (place.flags != place.told, place.sequence != 0)
      if isDue, !waits {
        place.sequence = events.reserve()
        waiting.append(change.place)
      } else if !isDue, waits {
        place.sequence = 0
        waiting.remove(change.place)
      }
      places[change.place] = place
      if place.isGone, isDue { gone.append(change.place) } else { gone.remove(change.place) }
      if place.isGone, !isDue { free.append(change.place) }
      while gone.count > Self.goneLimit, let oldest = gone.first {
        dropped &+= 1
        end(oldest)
      }
    }
  }

  /// What waited at an index waits no more.
  private mutating func end(_ index: Int) {
    places[index].told = places[index].flags
    places[index].sequence = 0
    waiting.remove(index)
    gone.remove(index)
    if places[index].isGone { free.append(index) }
  }

  /// The number of the oldest event that waits.
  var firstSequence: UInt64? { waiting.first.map { places[$0].sequence } }

  /// Takes the oldest event out.
  mutating func popFirst() -> Event? {
    guard let first = waiting.first else { return nil }
    let place = places[first]
    end(first)
    defer { dropped = 0 }
    let content = LayerStateEvent(
      view: view, layer: place.layer, flags: place.flags, previous: place.told, dropped: dropped)
    return Event(sequence: place.sequence, time: place.time, content: .layerViewState(content))
  }

  mutating func takeFree() -> [Int] {
    defer { free.removeAll(keepingCapacity: true) }
    return free
  }
}

extension Mailbox {
  /// Queues the changes of layer states in a view.
  ///
  /// - Parameter view: its handle; 0 without a handle.
  /// - Returns: indexes that are now free, unless a layer has taken them again.
  public func post(_ changes: [LayerStateChange], to queue: LayerStateQueue, view: UInt64) -> [Int] {
    let (free, wakes) = state.withLock { state -> ([Int], Bool) in
      guard !state.isClosed else { return ([], false) }
      let before = queue.book.waitingCount
      queue.book.take(changes, view: view, &state.events)
      let waitingCount = queue.book.waitingCount
      if waitingCount > 0 { state.layerStates[queue.identity] = queue }
      state.layerStateCount &+= waitingCount &- before
      state.updateWake()
      return (queue.book.takeFree(), waitingCount > before)
    }
    if wakes { changed.wakeAll() }
    return free
  }

  /// The view has ended: its waiting events are dropped.
  public func forget(_ queue: LayerStateQueue) {
    guard !isInherited else { return }
    let kept = state.withLock { state -> LayerStateQueue? in
      guard let kept = state.layerStates.removeValue(forKey: queue.identity) else { return nil }
      state.layerStateCount &-= kept.book.waitingCount
      state.updateWake()
      return kept
    }
    _ = kept
  }
}

extension Mailbox.State {
  /// Takes out the oldest of all events.
  mutating func popFirst() -> Event? {
    guard layerStateCount > 0 else { return events.popFirst() }
    var oldest = events.firstSequence() ?? .max
    var source: LayerStateQueue?
    for queue in layerStates.values {
      if let sequence = queue.book.firstSequence, sequence < oldest { (oldest, source) = (sequence, queue) }
    }
    guard let source else { return events.popFirst() }
    layerStateCount &-= 1
    let event = source.book.popFirst()
    if source.book.waitingCount == 0 { layerStates[source.identity] = nil }
    return event
  }
}
