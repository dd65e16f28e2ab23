import AlidadeBase

/// What loads by the loading of layers: maps and groups.
protocol LayersLoader: AnyObject, Sendable {
  /// Somebody has asked for its loading, which is not over.
  var isLoadingLayers: Bool { get }

  /// Ends its loading once all of its layers have ended theirs, and their waiters were notified.
  ///
  /// - Parameter gone: layers that have ended, or have left.
  /// - Returns: see `LoadableObject.endLoad`.
  func endLoadIfDone(without gone: [UInt64]) -> (@Sendable () -> Void)?
}

/// Weak, because work after the host was notified of a load must hold nothing that loads.
final class WeakLoader: @unchecked Sendable {  // right: set once, in init; weak loads are safe on any thread
  private weak var loader: (any LayersLoader)?
  init(_ loader: any LayersLoader) { self.loader = loader }

  func endLoadIfDone(without gone: UInt64) { loader?.endLoadIfDone(without: [gone])?() }
}

/// Maps and groups that contain a layer since the notification of the end of its loading began.
final class LateLoaders: Sendable {
  private let loaders = Lock<[WeakLoader]>([])

  func add(_ loader: any LayersLoader) { loaders.withLock { $0.append(WeakLoader(loader)) } }

  func takeAll() -> [WeakLoader] {
    loaders.withLock { loaders in
      defer { loaders = [] }
      return loaders
    }
  }
}

extension Layer {
  /// Begins to load, or what is in it, for something that loads and that it has come into.
  func beginLoading(for loader: any LayersLoader) {
    for leaf in leaves {
      leaf.beginLoading()
      guard leaf.loadStatus.hasEnded, !leaf.toldLoadStatus.hasEnded else { continue }
      // The objects to notify of its end were collected before it came. Objects that have not been notified by now are
      // notified of this one.
      leaf.lateLoaders.add(loader)
      if leaf.toldLoadStatus.hasEnded { loader.endLoadIfDone(without: [leaf.identity])?() }
    }
  }
}

/// Layers that the loading of a map or a group waits for, by identity; not all that it will wait for. With many layers,
/// all are looked at only now and then.
final class PendingLayers: Sendable {
  private let identities = Lock<Set<UInt64>>([])

  /// Another attempt begins: what ended meanwhile did not say so.
  func reset() { identities.withLock { $0 = [] } }

  /// Whether all layers have ended.
  ///
  /// - Parameters:
  ///   - gone: layers that have ended or left.
  ///   - layers: all of them.
  func haveEnded(without gone: [UInt64], _ layers: () -> [Layer]) -> Bool {
    guard isEmpty(without: gone) else { return false }
    var open = layers().filter { !$0.toldLoadStatus.hasEnded }
    while !open.isEmpty {
      identities.withLock { [open] in $0.formUnion(open.map(\.identity)) }
      // A layer that has ended or left since, before it was noted, does not come again.
      let still = Set(layers().lazy.filter { !$0.toldLoadStatus.hasEnded }.map(\.identity))
      let missed = open.filter { !still.contains($0.identity) }
      if missed.isEmpty || !isEmpty(without: missed.map(\.identity)) { return false }
      open = layers().filter { !$0.toldLoadStatus.hasEnded }
    }
    return true
  }

  private func isEmpty(without gone: [UInt64]) -> Bool {
    identities.withLock { identities in
      identities.subtract(gone)
      return identities.isEmpty
    }
  }
}
