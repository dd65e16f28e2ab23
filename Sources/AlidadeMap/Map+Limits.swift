import AlidadeBase
import AlidadeCoordinates

/// A box that a map's views must not leave, as the host gave it.
public struct MapExtent: Sendable {
  public var box: Envelope
  /// The spatial reference of the box; nil means that of the map.
  public var spatialReference: SpatialReference?

  public init(_ box: Envelope, in spatialReference: SpatialReference?) {
    self.box = box
    self.spatialReference = spatialReference
  }
}

/// Limits for the views of a map, in addition to the constraints of each view.
public struct MapLimits: Sendable, Equatable {
  public var range = ScaleRange.all
  /// The extent in the map's spatial reference, with xMin <= xMax; nil if there is no extent, or it is not known yet.
  public var extent: Envelope?
  /// The world width of the map, if its world repeats itself.
  var worldWidth: Double?

  static let none = MapLimits()
}

extension Map: HostTextsHolder {
  public var noun: String { "map" }

  public func readTexts<Result>(_ body: (HostTexts) -> Result) -> Result { state.withLock { body($0.texts) } }

  public func changeTexts<Result>(_ body: (inout HostTexts) -> Result) -> Result {
    state.withLock { body(&$0.texts) }
  }
}

extension Map {
  // MARK: Limits

  /// The limits for the map's views, and the maximum extent as it was given.
  public var ownLimits: (limits: MapLimits, extent: MapExtent?) {
    state.withLock { ($0.limits, $0.maxExtent) }
  }

  var limits: MapLimits { state.withLock { $0.limits } }

  /// Sets between which scales views look at the map.
  public func setScaleRange(_ range: ScaleRange) throws(EngineError) {
    try range.check()
    state.withLock { $0.limits.range = range }
    limitViews()
  }

  /// Sets the extent that views must not leave; nil removes it.
  public func setMaxExtent(_ extent: MapExtent?) throws(EngineError) {
    let known = spatialReference
    var image: Envelope?
    if let extent {
      if known != nil {
        image = try self.image(of: extent)
      } else {
        guard let reference = extent.spatialReference else {
          throw EngineError(
            .notReady,
            "The map has no spatial reference yet. Give the spatial reference of the extent, or set the extent later.")
        }
        try extent.box.requireBox(in: reference)
        try CameraConstraints(maxExtent: extent.box.eastward(reference.system.worldWidth)).check()
      }
    }
    let replaced = state.withLock { state in
      let old = state.maxExtent
      state.maxExtent = extent
      state.maxExtentGeneration &+= 1
      (state.limits.extent, state.limits.worldWidth) = (image, known?.system.worldWidth)
      return old
    }
    _ = replaced
    if known == nil { placeMaxExtent() } else { limitViews() }
  }

  /// Has an extent limit views that was set before the map's spatial reference was known. To be called after that has
  /// become known, with no lock held.
  func placeMaxExtent() {
    let given: (extent: MapExtent?, generation: UInt64) = state.withLock { state in
      let isOpen = state.limits.extent == nil && state.spatialReference != nil
      return (isOpen ? state.maxExtent : nil, state.maxExtentGeneration)
    }
    guard let extent = given.extent else { return }
    do throws(EngineError) {
      let image = try image(of: extent)
      let width = spatialReference?.system.worldWidth
      state.withLock { state in
        guard state.maxExtentGeneration == given.generation else { return }
        (state.limits.extent, state.limits.worldWidth) = (image, width)
      }
    } catch {
      runtime.mailbox.log(
        LogLine(level: .warning, text: "The maximum extent of a map limits no view: \(error.message)"))
    }
    limitViews()
  }

  /// An extent in the map's spatial reference.
  private func image(of extent: MapExtent) throws(EngineError) -> Envelope {
    let box = try box(extent.box, from: extent.spatialReference)
    try CameraConstraints(maxExtent: box).check()
    return box
  }

  /// Has the views keep to the limits as they are now.
  private func limitViews() {
    let views = watchers.withLock { watchers in watchers.values.compactMap(\.view) }
    for view in views { view.keepMapLimits() }
  }

  // MARK: Full extent

  /// The box around the data of all layers; nil if there are none. It may go on beyond the antimeridian.
  ///
  /// - Parameter target: nil: the map's spatial reference.
  public func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? {
    if let target { return try Layer.fullExtent(of: leaves, in: target) }
    return try Layer.fullExtent(of: leaves, in: try requireSpatialReference())
  }
}

extension Layer {
  /// The box around the data of those layers that have some; nil if none has.
  static func fullExtent(of leaves: [Layer], in target: SpatialReference) throws(EngineError) -> Envelope? {
    var all: Envelope?
    var lack: EngineError?
    for leaf in leaves {
      do throws(EngineError) {
        guard let box = try leaf.fullExtent(in: target)?.eastward(target.system.worldWidth) else { continue }
        guard let known = all else {
          all = box
          continue
        }
        all = Envelope(
          xMin: min(known.xMin, box.xMin), yMin: min(known.yMin, box.yMin), xMax: max(known.xMax, box.xMax),
          yMax: max(known.yMax, box.yMax))
      } catch {
        // What cannot be loaded or placed now takes nothing away from the others.
        lack = lack ?? error
      }
    }
    if all == nil, let lack { throw lack }
    return all
  }
}
