import AlidadeBase

extension LayerViewFlags {
  public static let all = LayerViewFlags(rawValue: 63)

  /// With any of them a layer is not active.
  static let inactive: LayerViewFlags = [.notVisible, .outOfScale, .error]

  /// As a person would read it.
  public var text: String {
    var words: [String] = []
    if contains(.active) { words.append("active") }
    if contains(.notVisible) { words.append("hidden") }
    if contains(.outOfScale) { words.append("out of scale") }
    if contains(.loading) { words.append("loading") }
    if contains(.error) { words.append("in error") }
    if contains(.warning) { words.append("with a warning") }
    return words.isEmpty ? "not shown" : words.joined(separator: ", ")
  }
}

/// A change of a layer's state.
public struct LayerStateTransition: Sendable, Equatable {
  public var flags: LayerViewFlags
  public var previous: LayerViewFlags
  /// The status of the error, if the layer had an error from then on.
  public var status: Status
  /// `MonotonicTime`.
  public var time: UInt64

  static let none = LayerStateTransition(flags: [], previous: [], status: .ok, time: 0)
}

/// Why a layer is not active in a view.
struct LayerCauses: Sendable {
  /// See `LayerStanding`.
  var hiddenBy: UInt64?
  /// The layer and the groups above it that have a range, the innermost first.
  var ranges: [LayerScaleRange] = []
  /// Why it has the error flag, or the warning flag.
  var error: EngineError?
}

/// A layer is in another state in a view.
public struct LayerStateEvent: Sendable {
  /// Handles; 0 if there is none.
  public let view: UInt64
  public let layer: UInt64
  public let flags: LayerViewFlags
  /// The state of this layer in this view in the last event; empty without an event.
  public let previous: LayerViewFlags
  /// How many events like this were given up before it.
  public let dropped: UInt64
}

/// The states of a view's layers as the mailbox knows them.
final class LayerStateSource: EventSource, @unchecked Sendable {  // right: the mailbox's lock guards it
  /// One struct, so that a batch is one access for Swift's checks and not one for each layer.
  var table: LayerStateTable

  init(notifies: Bool) { table = LayerStateTable(notifies: notifies) }

  var waitingCount: Int { table.waitingCount }
  var firstSequence: UInt64? { table.firstSequence }

  func popFirst() -> Event? { table.popFirst() }
}

/// The states of a view's layers, why they are so, and what of that the host does not know yet, in flat arrays: ten
/// thousand layers may cross their ranges in one frame. At most one event waits for each layer, and none if the state
/// is the one that the host knows.
///
/// A change of scale costs nothing as long as it crosses no end of a range; otherwise one look at each layer, which is
/// some microseconds for ten thousand, and less than keeping the ends sorted while layers come and go.
struct LayerStateTable {
  /// How many transitions of a layer are kept: a power of two.
  static let historyLength = 16
  /// The largest number of layers that have left the map and wait for an event: a host that never reads loses the
  /// oldest.
  private static let goneLimit = 4096

  struct Entry {
    /// The identity of the layer; 0 if the index is free.
    var identity: UInt64 = 0
    var handle: UInt64 = 0
    /// The farthest and the closest scale, without zeros.
    var farthest = Double.infinity
    var closest = 0.0
    var changeCount: UInt64 = 0
    /// What the state is apart from the scale.
    var status = LayerStatus()
    /// The number of the event that waits; 0: none.
    var sequence: UInt64 = 0
    /// When the flags changed last.
    var time: UInt64 = 0
    var flags: LayerViewFlags = []
    /// The state that the host knows.
    var told: LayerViewFlags = []
    /// It has been loading, and is no longer, since the host was notified.
    var hasLoaded = false
    var isMember = false
  }

  private(set) var entries: [Entry] = []
  /// The last transitions of each index, a ring for each.
  private var history: [LayerStateTransition] = []
  private var places: [UInt64: Int] = [:]
  private var freePlaces: [Int] = []
  /// Apart from the entries, so that those are plain numbers.
  private var causes: [LayerCauses] = []
  /// Of the view; nil while it looks nowhere.
  private(set) var scale: Double?
  /// Between these scales no layer comes into its range or leaves it.
  private var quiet = (closest: 0.0, farthest: Double.infinity)
  /// Indexes of what crosses a range; kept for its memory.
  private var crossing: [Int] = []

  /// Whether the host is notified.
  private let notifies: Bool
  /// The view's handle.
  private var view: UInt64 = 0
  /// What waits for the host, oldest first.
  private var waiting = PlaceOrder()
  /// Of that, layers that have left, the first to leave first.
  private var gone = PlaceOrder()
  private var dropped: UInt64 = 0

  init(notifies: Bool) { self.notifies = notifies }

  func entry(of identity: UInt64) -> (place: Int, entry: Entry)? {
    places[identity].map { ($0, entries[$0]) }
  }

  /// The last transitions of an index, the oldest first.
  func transitions(at place: Int) -> [LayerStateTransition] {
    let count = entries[place].changeCount
    let kept = min(count, UInt64(truncatingIfNeeded: Self.historyLength))
    return (0..<kept).map { history[historyIndex(place, count &- kept &+ $0)] }
  }

  func lastTransition(at place: Int) -> LayerStateTransition? {
    let count = entries[place].changeCount
    return count == 0 ? nil : history[historyIndex(place, count &- 1)]
  }

  func causes(at place: Int) -> LayerCauses { causes[place] }

  private func historyIndex(_ place: Int, _ number: UInt64) -> Int {
    place &* Self.historyLength &+ Int(truncatingIfNeeded: number) & (Self.historyLength &- 1)
  }

  // MARK: Layers

  /// Takes over how a layer stands now.
  ///
  /// - Parameter layer: not a member: it is not in the view's map.
  mutating func update(_ layer: LayerReport, _ numbers: inout EventNumbers) {
    guard let range = layer.range else {
      if let place = places[layer.identity], entries[place].isMember { remove(at: place, &numbers) }
      return
    }
    let place = places[layer.identity] ?? newPlace(layer.identity)
    if layer.handle != 0 { entries[place].handle = layer.handle }
    if !entries[place].isMember {
      // What has left was forgotten.
      entries[place].isMember = true
      entries[place].changeCount = 0
      gone.remove(place)
    }
    entries[place].status = layer.status
    causes[place] = layer.causes
    entries[place].farthest = range.minScale == 0 ? .infinity : range.minScale
    entries[place].closest = range.maxScale
    if let scale { narrow(entries[place], scale) }
    set(flags(entries[place]), at: place, MonotonicTime.now(), &numbers)
  }

  private mutating func newPlace(_ identity: UInt64) -> Int {
    var place = entries.count
    if let free = freePlaces.popLast() {
      place = free
    } else {
      entries.append(Entry())
      causes.append(LayerCauses())
      history.append(contentsOf: repeatElement(.none, count: Self.historyLength))
    }
    entries[place].identity = identity
    places[identity] = place
    return place
  }

  private mutating func remove(at place: Int, _ numbers: inout EventNumbers) {
    entries[place].isMember = false
    entries[place].status = LayerStatus()
    causes[place] = LayerCauses()
    set([], at: place, MonotonicTime.now(), &numbers)
    guard entries[place].sequence != 0 else { return free(place) }
    gone.append(place)
    if gone.count > Self.goneLimit, let oldest = gone.first {
      dropped &+= 1
      settle(oldest)
    }
  }

  /// The index of a layer that has left, and of which the host knows it, may be another layer's.
  private mutating func free(_ place: Int) {
    places[entries[place].identity] = nil
    entries[place] = Entry()
    freePlaces.append(place)
  }

  // MARK: Scale

  /// - Parameter newScale: nil: the view looks nowhere.
  mutating func look(at newScale: Double?, _ numbers: inout EventNumbers) {
    guard newScale != scale else { return }
    let isQuiet = scale != nil && newScale.map { $0 >= quiet.closest && $0 <= quiet.farthest } ?? false
    scale = newScale
    if isQuiet { return }
    quiet = (0, .infinity)
    let time = MonotonicTime.now()
    crossing.removeAll(keepingCapacity: true)
    for place in entries.indices where entries[place].isMember {
      if let newScale { narrow(entries[place], newScale) }
      if flags(entries[place]) != entries[place].flags { crossing.append(place) }
    }
    for place in crossing { set(flags(entries[place]), at: place, time, &numbers) }
  }

  /// Takes the ends of a layer's range out of the scales between which nothing happens.
  @inline(__always)
  private mutating func narrow(_ entry: Entry, _ scale: Double) {
    if scale <= entry.farthest {
      if entry.farthest < quiet.farthest { quiet.farthest = entry.farthest }
    } else if entry.farthest.nextUp > quiet.closest {
      quiet.closest = entry.farthest.nextUp
    }
    if scale >= entry.closest {
      if entry.closest > quiet.closest { quiet.closest = entry.closest }
    } else if entry.closest.nextDown < quiet.farthest {
      quiet.farthest = entry.closest.nextDown
    }
  }

  // MARK: Flags

  @inline(__always)
  private func flags(_ entry: Entry) -> LayerViewFlags {
    guard entry.isMember else { return [] }
    var flags = entry.status.flags
    if !entry.status.isShown { flags.insert(.notVisible) }
    guard let scale else { return flags }
    if scale > entry.farthest || scale < entry.closest { flags.insert(.outOfScale) }
    if entry.status.isReady, flags.isDisjoint(with: .inactive) { flags.insert(.active) }
    return flags
  }

  private mutating func set(_ flags: LayerViewFlags, at place: Int, _ time: UInt64, _ numbers: inout EventNumbers) {
    let (previous, number) = (entries[place].flags, entries[place].changeCount)
    guard flags != previous else { return }
    history[historyIndex(place, number)] = LayerStateTransition(
      flags: flags, previous: previous,
      status: flags.isDisjoint(with: [.error, .warning]) ? .ok : entries[place].status.status, time: time)
    entries[place].flags = flags
    entries[place].time = time
    entries[place].changeCount = number &+ 1
    // Whoever has drawn the layer meanwhile has drawn less than there is now.
    if previous.contains(.loading), !flags.contains(.loading) { entries[place].hasLoaded = true }
    let isNews = flags != entries[place].told || entries[place].hasLoaded
    let (isDue, waits) = (notifies && isNews, entries[place].sequence != 0)
    if isDue, !waits {
      entries[place].sequence = numbers.next()
      waiting.append(place)
    } else if !isDue, waits {
      entries[place].sequence = 0
      waiting.remove(place)
    }
  }

  // MARK: Events

  /// - Parameter handle: the view's; 0 without a handle.
  mutating func setView(_ handle: UInt64) { if handle != 0 { view = handle } }

  var waitingCount: Int { waiting.count }

  var firstSequence: UInt64? { waiting.first.map { entries[$0].sequence } }

  mutating func popFirst() -> Event? {
    guard let place = waiting.first else { return nil }
    let entry = entries[place]
    settle(place)
    defer { dropped = 0 }
    let content = LayerStateEvent(
      view: view, layer: entry.handle, flags: entry.flags, previous: entry.told, dropped: dropped)
    return Event(sequence: entry.sequence, time: entry.time, content: .other(ViewEvent.layerState(content)))
  }

  /// The host knows the state of a layer, or has lost it.
  private mutating func settle(_ place: Int) {
    entries[place].told = entries[place].flags
    entries[place].hasLoaded = false
    entries[place].sequence = 0
    waiting.remove(place)
    gone.remove(place)
    if !entries[place].isMember { free(place) }
  }
}
