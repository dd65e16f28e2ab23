import AlidadeBase
import Synchronization

/// The lock of all trees of layers of a runtime. One for all, because a layer moves from tree to tree, and because two
/// groups that are put into each other at once must not form a ring.
///
/// It is taken before a map's and a layer's own lock, and never while a view's layer states are read.
final class LayerForest: Sendable {
  private let lock = Lock(())

  static func of(_ runtime: Runtime) -> LayerForest { runtime.service(LayerForest.self) { LayerForest() } }

  /// Runs `body` with the lock held. Objects that it gets of weak references it hands out, so that none ends inside: the
  /// end of a map or a group wants the lock.
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try lock.withLock { (_) throws(Failure) in try body() }
  }
}

/// The range of scales at which something is shown.
public struct ScaleRange: Sendable, Equatable {
  /// The denominator of the farthest scale; 0: no limit.
  public var minScale = 0.0
  /// The denominator of the closest scale; 0: no limit.
  public var maxScale = 0.0

  public static let all = ScaleRange()

  public init(minScale: Double = 0, maxScale: Double = 0) {
    self.minScale = minScale
    self.maxScale = maxScale
  }

  /// Both ends are inside.
  @inline(__always)
  public func contains(_ scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }

  /// What is in both. If that is nothing, it contains no scale.
  func intersection(_ other: ScaleRange) -> ScaleRange {
    ScaleRange(
      minScale: minScale == 0 || other.minScale == 0 ? minScale + other.minScale : min(minScale, other.minScale),
      maxScale: max(maxScale, other.maxScale))
  }

  public func check() throws(EngineError) {
    for (name, scale) in [("min_scale", minScale), ("max_scale", maxScale)]
    where scale != 0 && !MapView.scales.contains(scale) {
      throw EngineError(.invalidArgument, "\(name) is 1 : \(scale); it must be 0 or within 1 : 1e-6 to 1 : 1e15.")
    }
    if minScale != 0, minScale < maxScale {
      throw EngineError(
        .invalidArgument,
        "min_scale 1 : \(minScale) is closer than max_scale 1 : \(maxScale). min_scale is the farthest, with the larger "
          + "number.")
    }
  }
}

/// The range of a layer that has one.
struct LayerScaleRange: Sendable, Equatable {
  var layerIdentity: UInt64
  var range: ScaleRange
}

/// What a layer is where it is: what it says of itself, and what the groups above it add.
struct LayerStanding: Sendable, Equatable {
  /// The identity of the map that contains the layer, directly or in a group; 0 without a map.
  var mapIdentity: UInt64 = 0
  var opacity = 1.0
  /// The scales that its range and the ranges of all groups above have in common.
  var range = ScaleRange.all
  /// The identity of what hides it: of the layer itself, or of the nearest hidden group above it.
  var hiddenBy: UInt64?
  /// The layer and the groups above it that have a range, the innermost first.
  var ranges: [LayerScaleRange] = []

  /// It and all above it are visible.
  var isShown: Bool { hiddenBy == nil }

  /// How a layer stands below this.
  func inherited(by layerIdentity: UInt64, _ own: LayerProperties) -> LayerStanding {
    LayerStanding(
      mapIdentity: mapIdentity, opacity: opacity * own.opacity, range: range.intersection(own.range),
      hiddenBy: own.isVisible ? hiddenBy : layerIdentity,
      ranges: own.range == .all ? ranges : [LayerScaleRange(layerIdentity: layerIdentity, range: own.range)] + ranges)
  }
}

/// Layers in an order, the lowest in drawing order first: a map's basemap, its operational layers, or the layers of a
/// group.
///
/// Lists know each other and do not keep the objects that have them: walking up a tree takes no reference whose end
/// would need the forest's lock.
final class LayerList: @unchecked Sendable {  // right: what changes is read and written under the forest's lock
  /// Whose list it is.
  enum Owner { case basemap, map, group }

  /// Groups inside each other, at most.
  static let depthLimit = 64

  private(set) var layers: [Layer] = []
  /// How many layers in it, and in groups in it, load now. Written under the lock.
  let loadingCount = Atomic<Int>(0)
  /// So many layers from the lowest on have ended loading and cannot be placed: of thousands that fail, not all are looked
  /// at again for each that follows. May be less than there are.
  private var passedOver = 0
  /// Of a group's list: the list that the group is in.
  fileprivate(set) var outer: LayerList?
  /// What the layers in it get from above.
  var standing: LayerStanding
  /// Set once, before anybody else knows the list. One of them.
  weak var map: Map?
  weak var group: GroupLayer?
  let owner: Owner

  init(_ standing: LayerStanding, of owner: Owner) {
    self.standing = standing
    self.owner = owner
  }

  var isOfGroup: Bool { owner == .group }

  /// The map's list that this one hangs on, or that of the outermost group.
  var root: LayerList {
    var list = self
    while let outer = list.outer { list = outer }
    return list
  }

  /// How many groups hold what is in the list.
  var depth: Int {
    var (count, list) = (isOfGroup ? 1 : 0, self)
    while let outer = list.outer {
      if outer.isOfGroup { count &+= 1 }
      list = outer
    }
    return count
  }

  /// How many groups are inside each other from this group's list on.
  private var height: Int {
    var most = 0
    for case let group as GroupLayer in layers { most = max(most, group.list.height) }
    return most &+ 1
  }

  // MARK: Layers that can be placed

  /// Adds those in it, see `Layer.addPlaceable`.
  func addPlaceable(to placeable: inout [Layer], atMost limit: Int) -> Bool {
    passOverSpent()
    return layers[passedOver...].allSatisfy { $0.addPlaceable(to: &placeable, atMost: limit) }
  }

  /// All in it have ended loading, and none can be placed.
  var isSpent: Bool {
    passOverSpent()
    return passedOver == layers.count
  }

  private func passOverSpent() {
    while passedOver < layers.count, layers[passedOver].isSpent {
      layers[passedOver].isPassedOver = true
      passedOver &+= 1
    }
  }

  /// Examines all layers again, as do the lists above: a layer that was skipped has changed, or the list has.
  func passOverNone() {
    var list: LayerList? = self
    while let inner = list {
      inner.passedOver = 0
      list = inner.outer
    }
  }

  // MARK: Layers that come and go

  /// Takes a layer in.
  ///
  /// - Parameter index: nil: on top.
  func insert(_ layer: Layer, at index: Int?) throws(EngineError) {
    let place = index ?? layers.count
    guard place >= 0, place <= layers.count else { throw noPlace(place, layers.count) }
    if let group = layer as? GroupLayer {
      var list: LayerList? = self
      while let inner = list {
        if inner === group.list {
          throw EngineError(
            .invalidArgument,
            inner === self
              ? "A group cannot be put into itself." : "The group would be inside itself: it holds this one.")
        }
        list = inner.outer
      }
      guard depth &+ group.list.height <= Self.depthLimit else {
        throw EngineError(
          .limitExceeded, "There would be more than \(Self.depthLimit) groups inside each other, which is the most.")
      }
    }
    guard layer.container == nil else { throw isTaken(layer) }
    layers.insert(layer, at: place)
    layer.container = self
    passOverNone()
    if let group = layer as? GroupLayer { group.list.outer = self }
    addLoading(layer.countLoading())
    layer.inherit(standing)
  }

  /// Lets a layer go; false if it is not in the list.
  func remove(_ layer: Layer) -> Bool {
    guard layer.container === self, let place = layers.firstIndex(where: { $0 === layer }) else { return false }
    layers.remove(at: place)
    letGo(layer)
    return true
  }

  func move(_ layer: Layer, to index: Int) throws(EngineError) {
    guard let place = layers.firstIndex(where: { $0 === layer }) else {
      throw EngineError(.notFound, "The layer is not in this \(isOfGroup ? "group" : "map").")
    }
    guard layers.indices.contains(index) else { throw noPlace(index, layers.count &- 1) }
    layers.insert(layers.remove(at: place), at: index)
    passOverNone()
    // It has been put elsewhere, with all in it.
    layer.inherit(standing)
  }

  /// So many more layers in it load now.
  func addLoading(_ difference: Int) {
    guard difference != 0 else { return }
    var list: LayerList? = self
    while let inner = list {
      inner.loadingCount.add(difference, ordering: .relaxed)
      list = inner.outer
    }
  }

  /// Lets all layers go; the caller releases them after the lock is free.
  func removeAll() -> [Layer] {
    let all = layers
    layers = []
    for layer in all { letGo(layer) }
    return all
  }

  private func letGo(_ layer: Layer) {
    addLoading(-layer.countedLoading)
    passOverNone()
    layer.isPassedOver = false
    layer.container = nil
    if let group = layer as? GroupLayer { group.list.outer = nil }
    layer.inherit(LayerStanding())
  }

  private func isTaken(_ layer: Layer) -> EngineError {
    let what = layer is GroupLayer ? "group" : "layer"
    if layer.container === self {
      return EngineError(.invalidState, "The \(what) is in this \(isOfGroup ? "group" : "map") already.")
    }
    let place = layer.container?.isOfGroup ?? false ? "a group" : "a map"
    return EngineError(.invalidState, "The \(what) is in \(place) already. Remove it there first.")
  }

  private func noPlace(_ index: Int, _ last: Int) -> EngineError {
    EngineError(
      .notFound,
      last < 0
        ? "There is no index \(index): there are no layers."
        : "There is no index \(index); the indexes go from 0 to \(last).")
  }
}
