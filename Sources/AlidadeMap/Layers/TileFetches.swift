import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// The tiles of a layer of a service that views lack, and how far they are: on their way, or failed.
///
/// Only calls for a frame begin anything, and they never wait. What failed rests for a while, and is then asked for again
/// by the next such call.
final class TileFetches: Sendable {
  private struct Entry {
    weak var view: MapView?
    /// What the newest frame lacks, what is nearest to its middle first.
    var lacking: [TilePlace]
    /// What the newest frame has. It stays as long as it is in sight.
    var held: HeldTiles
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
    var entries: [UInt64: Entry] = [:]
    var underWay: Set<TilePlace> = []
    /// What the server says of single tiles.
    var failures: [TilePlace: Failure] = [:]
    /// The server cannot be reached.
    var outage: Failure?

    func lacks(_ place: TilePlace) -> Bool { entries.values.contains { $0.view != nil && $0.lacking.contains(place) } }

    /// The tile to be asked for next. nil: none.
    func next() -> (TilePlace, TilePyramid)? {
      guard underWay.count < TileFetches.most, !(outage?.isResting ?? false) else { return nil }
      for entry in entries.values where entry.view != nil {
        let found = entry.lacking.first { !underWay.contains($0) && !(failures[$0]?.isResting ?? false) }
        if let found { return (found, entry.held.level.pyramid) }
      }
      return nil
    }
  }

  private let state = Lock(State())
  private let changed = AlidadeBase.Condition()
  /// As many as one host has at the same time.
  private static let most = 6

  /// A view shows some tiles and lacks others, which are asked for.
  func want(_ lacking: [TilePlace], _ held: HeldTiles, in view: MapView, _ layer: RasterLayer, _ content: RasterContent)
  {
    let identity = view.identity
    let hasChanged = state.withLock { state in
      state.entries = state.entries.filter { $0.value.view != nil }
      let before = state.entries[identity]?.lacking ?? []
      state.entries[identity] = Entry(view: view, lacking: lacking, held: held)
      state.failures = state.failures.filter { place, _ in state.lacks(place) }
      if !state.entries.values.contains(where: { !$0.lacking.isEmpty }) { state.outage = nil }
      return before != lacking
    }
    begin(layer, content)
    if hasChanged { layer.didChange() }
  }

  /// Asks for tiles as long as more of them may be on their way.
  private func begin(_ layer: RasterLayer, _ content: RasterContent) {
    while let (place, pyramid) = takeNext() {
      // Neither the layer nor a view lives on because of a server.
      layer.runtime.fetch { [weak layer, self] in
        layer != nil && state.withLock { $0.lacks(place) }
      } _: { [weak layer, weak content] () throws(EngineError) in
        let tile = try pyramid.load(place)
        self.end(place, tile, nil)
        self.goOn(layer, content)
      } failed: { [weak layer, weak content] error in
        self.end(place, nil, error)
        self.goOn(layer, content)
      }
    }
  }

  private func goOn(_ layer: RasterLayer?, _ content: RasterContent?) {
    guard let layer, let content else { return }
    begin(layer, content)
    layer.didChange()
  }

  private func takeNext() -> (TilePlace, TilePyramid)? {
    state.withLock { state in
      guard let (place, pyramid) = state.next() else { return nil }
      state.underWay.insert(place)
      return (place, pyramid)
    }
  }

  private func end(_ place: TilePlace, _ tile: Tile?, _ error: EngineError?) {
    defer { changed.wakeAll() }
    state.withLock { state in
      state.underWay.remove(place)
      if let tile {
        state.failures[place] = nil
        state.outage = nil
        for view in state.entries.keys {
          guard let position = state.entries[view]?.lacking.firstIndex(of: place) else { continue }
          state.entries[view]?.lacking.remove(at: position)
          state.entries[view]?.held.put(tile, at: place)
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

  /// Whether a view has drawn the layer, which has tiles.
  func isDrawn(in view: UInt64) -> Bool { state.withLock { $0.entries[view] != nil } }

  /// Whether a view waits for tiles.
  func isPending(in view: UInt64) -> Bool {
    state.withLock { state in
      guard let lacking = state.entries[view]?.lacking else { return false }
      let isOut = state.outage?.isResting ?? false
      return lacking.contains { state.underWay.contains($0) || (!isOut && state.failures[$0] == nil) }
    }
  }

  /// Sleeps until a tile is there or has failed, or for a moment. Throws once nobody waits for it any longer.
  func waitForChange() throws(EngineError) {
    try Interest.check()
    try TimeLimit.check()
    let before = state.withLock { $0.underWay }
    _ = state.wait(on: changed, until: Deadline(milliseconds: 20)) { $0.underWay == before ? nil : true }
  }

  /// How far the tiles are that the newest frame of a view shows.
  func progress(in view: UInt64) -> FetchProgress {
    state.withLock { state in
      guard let entry = state.entries[view] else { return FetchProgress() }
      let isOut = state.outage != nil
      let failed = entry.lacking.count { state.failures[$0] != nil || (isOut && !state.underWay.contains($0)) }
      return FetchProgress(
        wanted: entry.held.places.count &+ entry.lacking.count, there: entry.held.places.count, failed: failed)
    }
  }

  /// What a view lacks; nil: what any view lacks.
  func warnings(in view: UInt64?) -> [LayerWarning] {
    state.withLock { state in
      let entries = state.entries.filter { $0.value.view != nil && (view == nil || $0.key == view) }.values
      let lacking = entries.flatMap(\.lacking)
      guard !lacking.isEmpty else { return [] }
      let failures = state.failures
      let failure = state.outage ?? lacking.compactMap { failures[$0] }.first
      return failure.map { [LayerWarning(kind: .failedRequest, text: $0.error.message)] } ?? []
    }
  }
}

/// How much of what a view shows of a layer of a server is there.
public struct FetchProgress: Sendable {
  public var wanted = 0
  public var there = 0
  /// What the server did not return when it was asked last.
  public var failed = 0
}

extension EngineError {
  /// Whether the server could not be reached at all. Numbers up to 100 are libcurl's, and greater ones the server's.
  fileprivate var isOutage: Bool { domain == .http && domainCode < 100 }
}
