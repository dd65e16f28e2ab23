import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// The tiles of a layer of a service that views lack, and how far they are: on their way, or failed.
///
/// Only calls for a frame begin anything, and they never wait. What failed rests for a while, and is then asked for again
/// by the next such call.
final class TileFetches: Sendable {
  /// Who wants tiles for a view: its frames, or a picture.
  struct Asker: Hashable, Sendable {
    let view: UInt64
    /// 0: frames.
    var picture: UInt64 = 0
  }

  private struct Entry {
    weak var view: MapView?
    /// What the newest frame lacks, what is nearest to its middle first.
    var lacking: [TilePlace]
    /// The same.
    var places: Set<TilePlace>
    /// What the newest frame has. It stays as long as it is in sight.
    var held: HeldTiles
    /// The frame needs more tiles than are fetched: then none are.
    let isTooWide: Bool
    /// It is that of a picture that is complete, as far as the server returns it.
    var isEnded = false
  }

  private struct Failure {
    var error: EngineError
    var count = 0
    var restsUntil: UInt64 = 0

    mutating func note(_ error: EngineError) {
      self.error = error
      restsUntil = MonotonicTime.now() &+ LayerFetches.rest(after: count)
      count &+= 1
    }

    var isResting: Bool { MonotonicTime.now() < restsUntil }
  }

  private struct State {
    var entries: [Asker: Entry] = [:]
    /// Threads that load tiles, or are about to.
    var turnCount = 0
    /// What threads load at this moment.
    var underWay: Set<TilePlace> = []
    /// What the server says of single tiles.
    var failures: [TilePlace: Failure] = [:]
    /// The server cannot be reached.
    var outage: Failure?

    func lacks(_ place: TilePlace) -> Bool { entries.values.contains { $0.view != nil && $0.places.contains(place) } }

    /// The tile to be asked for next. nil: none.
    func next(_ asker: Asker? = nil) -> (TilePlace, TilePyramid)? {
      guard !(outage?.isResting ?? false) else { return nil }
      for (key, entry) in entries where entry.view != nil && !entry.isTooWide && (asker == nil || key == asker) {
        let found = entry.lacking.first { !underWay.contains($0) && !(failures[$0]?.isResting ?? false) }
        if let found { return (found, entry.held.level.pyramid) }
      }
      return nil
    }

    func isPending(_ entry: Entry) -> Bool {
      let isOut = outage?.isResting ?? false
      return !entry.isTooWide
        && entry.lacking.contains { underWay.contains($0) || (!isOut && failures[$0] == nil) }
    }
  }

  private let state = Lock(State())
  private let changed = AlidadeBase.Condition()
  /// As many as one host has at the same time.
  private static let most = 6
  /// A screen of 4K has some 250: more are a view of a whole country at the level of its streets.
  private static let mostTiles = 1024

  /// A view shows some tiles and lacks others, which are asked for.
  func want(
    _ lacking: [TilePlace], _ held: HeldTiles, in view: MapView, picture: UInt64 = 0, _ layer: RasterLayer,
    _ content: RasterContent
  ) {
    let asker = Asker(view: view.identity, picture: picture)
    let hasChanged = state.withLock { state in
      // What a picture has lacked is of no interest once there is a newer frame or picture.
      state.entries = state.entries.filter { key, entry in
        entry.view != nil && !(entry.isEnded && key.view == asker.view)
      }
      let before = state.entries[asker]?.lacking ?? []
      state.entries[asker] = Entry(
        view: view, lacking: lacking, places: Set(lacking), held: held,
        isTooWide: held.places.count &+ lacking.count > Self.mostTiles)
      state.failures = state.failures.filter { place, _ in state.lacks(place) }
      if !state.entries.values.contains(where: { !$0.lacking.isEmpty }) { state.outage = nil }
      return before != lacking
    }
    begin(layer, content)
    if hasChanged { layer.didChange() }
  }

  /// A picture has all that the server returns. What it lacks is known until the next one.
  func finish(_ asker: Asker) { state.withLock { $0.entries[asker]?.isEnded = true } }

  /// Somebody wants nothing any longer; false: nothing was wanted.
  @discardableResult
  func forget(_ asker: Asker) -> Bool { state.withLock { $0.entries.removeValue(forKey: asker) } != nil }

  /// The tiles that the newest frame of a view has; nil: the view has not drawn the layer.
  func held(in view: UInt64) -> HeldTiles? { state.withLock { $0.entries[Asker(view: view)]?.held } }

  /// Has threads load tiles as long as there is something to be loaded.
  private func begin(_ layer: RasterLayer, _ content: RasterContent) {
    // Neither of a runtime that is gone, nor for a layer that no view can show.
    do throws(EngineError) { try layer.runtime.requireUnreleased() } catch { return }
    while layer.isInAMap, takeTurn() {
      let current = Lock<TilePlace?>(nil)
      // Neither the layer nor a view lives on because of a server.
      layer.runtime.fetch { [weak layer, self] in
        (layer?.isInAMap ?? false)
          && (current.withLock { $0 }.map { place in state.withLock { $0.lacks(place) } } ?? true)
      } _: { () throws(EngineError) in
        // Not before a thread has come to it: whoever waits for what is under way must not wait for a queue.
        guard let (place, pyramid) = self.take() else { return }
        current.withLock { $0 = place }
        let tile = try pyramid.load(place)
        self.end(place, tile, nil)
        current.withLock { $0 = nil }
      } failed: { error in
        // After the last moment, the tile may be there all the same.
        if let place = current.withLock({ $0 }) { self.end(place, nil, error) }
      } finally: { [weak layer, weak content] in
        self.endTurn(layer, content)
      }
    }
  }

  private func takeTurn() -> Bool {
    state.withLock { state in
      guard state.turnCount < Self.most, state.next() != nil else { return false }
      state.turnCount &+= 1
      return true
    }
  }

  private func endTurn(_ layer: RasterLayer?, _ content: RasterContent?) {
    state.withLock { $0.turnCount &-= 1 }
    guard let layer, let content else { return }
    begin(layer, content)
    layer.didChange()
  }

  private func take(_ asker: Asker? = nil) -> (TilePlace, TilePyramid)? {
    state.withLock { state in
      guard let (place, pyramid) = state.next(asker) else { return nil }
      state.underWay.insert(place)
      return (place, pyramid)
    }
  }

  /// Loads a tile that an asker lacks, or sleeps for a moment if others load all of them. Throws once nobody waits any
  /// longer.
  func help(_ asker: Asker, _ runtime: Runtime) throws(EngineError) {
    try runtime.requireUnreleased()
    guard let (place, pyramid) = take(asker) else { return try waitForChange() }
    do throws(EngineError) {
      let tile = try runtime.whileUnreleased { () throws(EngineError) in try pyramid.load(place) }
      end(place, tile, nil)
    } catch {
      end(place, nil, error)
      try runtime.requireUnreleased()
      try Interest.check()
      try TimeLimit.check()
    }
  }

  private func end(_ place: TilePlace, _ tile: Tile?, _ error: EngineError?) {
    defer { changed.wakeAll() }
    state.withLock { state in
      state.underWay.remove(place)
      if let tile {
        state.failures[place] = nil
        state.outage = nil
        for asker in state.entries.keys {
          guard let position = state.entries[asker]?.lacking.firstIndex(of: place) else { continue }
          state.entries[asker]?.lacking.remove(at: position)
          state.entries[asker]?.places.remove(place)
          state.entries[asker]?.held.put(tile, at: place)
        }
      } else if let error, error.status != .cancelled, state.lacks(place) {
        if error.isOutage {
          // All that were on their way fail together: that counts once.
          if !(state.outage?.isResting ?? false) {
            var outage = state.outage ?? Failure(error: error)
            outage.note(error)
            state.outage = outage
          }
        } else {
          var failure = state.failures[place] ?? Failure(error: error)
          failure.note(error)
          state.failures[place] = failure
        }
      }
    }
  }

  /// Asks again at the next frame, whatever has failed.
  func forgetFailures() {
    state.withLock { state in
      state.outage?.restsUntil = 0
      for place in state.failures.keys { state.failures[place]?.restsUntil = 0 }
    }
  }

  /// Whether a view waits for tiles.
  func isPending(in view: UInt64) -> Bool {
    state.withLock { state in state.entries.contains { $0.key.view == view && state.isPending($0.value) } }
  }

  func isPending(_ asker: Asker) -> Bool {
    state.withLock { state in state.entries[asker].map(state.isPending) ?? false }
  }

  /// Sleeps until a tile is there or has failed, or for a moment. Throws once nobody waits for it any longer.
  private func waitForChange() throws(EngineError) {
    try Interest.check()
    try TimeLimit.check()
    let before = state.withLock { $0.underWay }
    _ = state.wait(on: changed, until: Deadline(milliseconds: 20)) { $0.underWay == before ? nil : true }
  }

  /// How far the tiles are that a view shows, in its newest frame and in pictures.
  func progress(in view: UInt64) -> FetchProgress {
    state.withLock { state in
      var progress = FetchProgress()
      for (asker, entry) in state.entries where asker.view == view {
        let isOut = state.outage != nil
        progress.failed &+= entry.lacking.count {
          state.failures[$0] != nil || (isOut && !state.underWay.contains($0))
        }
        progress.wanted &+= entry.held.places.count &+ entry.lacking.count
        progress.there &+= entry.held.places.count
      }
      return progress
    }
  }

  /// What a view lacks; nil: what any view lacks.
  func warnings(in view: UInt64?) -> [LayerWarning] {
    state.withLock { state in
      let entries = state.entries.filter { $0.value.view != nil && (view == nil || $0.key.view == view) }.values
      if let entry = entries.first(where: \.isTooWide) {
        let count = entry.held.places.count &+ entry.lacking.count
        let text =
          "The view shows \(count) tiles of the coarsest level that the server has, and at most \(Self.mostTiles) are "
          + "requested. Zoom in."
        return [LayerWarning(kind: .truncated, text: text)]
      }
      let lacking = entries.flatMap(\.lacking)
      guard !lacking.isEmpty else { return [] }
      let failures = state.failures
      let failure = state.outage ?? lacking.compactMap { failures[$0] }.first
      return failure.map { [LayerWarning(kind: .failedRequest, text: $0.error.message)] } ?? []
    }
  }
}

/// How much of a server's layer has arrived for a view.
public struct FetchProgress: Sendable {
  public var wanted = 0
  public var there = 0
  /// The number of parts that the server did not return when they were last requested.
  public var failed = 0
}

extension EngineError {
  /// Whether the server could not be reached at all. Numbers up to 100 are libcurl's, and greater ones the server's.
  fileprivate var isOutage: Bool { domain == .http && domainCode < 100 }
}
