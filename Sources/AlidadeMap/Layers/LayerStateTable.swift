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

/// The states of a view's layers in flat arrays: ten thousand of them may cross their ranges in one frame.
///
/// A change of scale costs nothing as long as it crosses no end of a range; otherwise one look at each layer, which is
/// some microseconds for ten thousand, and less than keeping the ends sorted while layers come and go.
struct LayerStateTable {
  /// How many transitions of a layer are kept: a power of two.
  static let historyLength = 16

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
    var flags: LayerViewFlags = []
    var isMember = false
  }

  private(set) var entries: [Entry] = []
  /// The last transitions of each index, a ring for each.
  private var history: [LayerStateTransition] = []
  private var places: [UInt64: Int] = [:]
  private var freePlaces: [Int] = []
  /// Why the layers at those indexes have the error flag, or the warning flag. Apart, because few have.
  private var errors: [Int: EngineError] = [:]
  /// Of the view; nil while it looks nowhere.
  private(set) var scale: Double?
  /// Between these scales no layer comes into its range or leaves it.
  private var quiet = (closest: 0.0, farthest: Double.infinity)
  /// The changes that have not been reported yet.
  private var changes: [LayerStateChange] = []
  /// Indexes of what crosses a range; kept for its memory.
  private var crossing: [Int] = []

  mutating func takeChanges() -> [LayerStateChange] {
    defer { changes = [] }
    return changes
  }

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

  func error(at place: Int) -> EngineError? { errors[place] }

  private func historyIndex(_ place: Int, _ number: UInt64) -> Int {
    place &* Self.historyLength &+ Int(truncatingIfNeeded: number) & (Self.historyLength &- 1)
  }

  // MARK: Layers

  /// Takes over how a layer stands now.
  ///
  /// - Parameter standing: nil: it is not in the view's map.
  mutating func update(_ layer: Layer, _ standing: LayerStanding?) {
    guard let standing else {
      if let place = places[layer.identity], entries[place].isMember { remove(at: place) }
      return
    }
    let place = places[layer.identity] ?? newPlace(layer.identity)
    if entries[place].handle == 0 { entries[place].handle = layer.handleID }
    if !entries[place].isMember {
      // What has left was forgotten.
      entries[place].isMember = true
      entries[place].changeCount = 0
    }
    let (status, error) = layer.viewStatus
    entries[place].status = status
    errors[place] = error
    entries[place].status.isShown = standing.isShown
    entries[place].farthest = standing.range.minScale == 0 ? .infinity : standing.range.minScale
    entries[place].closest = standing.range.maxScale
    if let scale { narrow(entries[place], scale) }
    set(flags(entries[place]), at: place, MonotonicTime.now())
  }

  private mutating func newPlace(_ identity: UInt64) -> Int {
    var place = entries.count
    if let free = freePlaces.popLast() {
      place = free
    } else {
      entries.append(Entry())
      history.append(contentsOf: repeatElement(.none, count: Self.historyLength))
    }
    entries[place].identity = identity
    places[identity] = place
    return place
  }

  private mutating func remove(at place: Int) {
    entries[place].isMember = false
    entries[place].status = LayerStatus()
    errors[place] = nil
    set([], at: place, MonotonicTime.now())
    // Reported even if no flags were set before: the index is free then.
    if let last = changes.last, last.place == place, last.isGone { return }
    change(place)
  }

  /// Frees the indexes of layers that have left, after the host was notified.
  mutating func free(_ freed: [Int]) {
    for place in freed where entries[place].identity != 0 && !entries[place].isMember {
      places[entries[place].identity] = nil
      entries[place] = Entry()
      freePlaces.append(place)
    }
  }

  // MARK: Scale

  /// - Parameter newScale: nil: the view looks nowhere.
  mutating func look(at newScale: Double?) {
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
    changes.reserveCapacity(changes.count &+ crossing.count)
    for place in crossing { set(flags(entries[place]), at: place, time) }
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

  private mutating func set(_ flags: LayerViewFlags, at place: Int, _ time: UInt64) {
    let (previous, number) = (entries[place].flags, entries[place].changeCount)
    guard flags != previous else { return }
    history[historyIndex(place, number)] = LayerStateTransition(
      flags: flags, previous: previous,
      status: flags.isDisjoint(with: [.error, .warning]) ? .ok : entries[place].status.status, time: time)
    entries[place].flags = flags
    entries[place].changeCount = number &+ 1
    change(place)
  }

  private mutating func change(_ place: Int) {
    changes.append(
      LayerStateChange(
        place: place, flags: entries[place].flags.rawValue, isGone: !entries[place].isMember,
        layer: entries[place].handle))
  }
}
