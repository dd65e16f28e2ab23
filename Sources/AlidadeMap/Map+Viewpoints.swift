import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// A viewpoint with a name.
public struct Bookmark: Sendable {
  public var name: String
  public var viewpoint: Viewpoint
}

extension Map {
  // MARK: Initial viewpoint

  /// Sets where views of this map look at first; nil means at its lowest layer. The viewpoint has a centre, an extent
  /// or a geometry.
  public func setInitialViewpoint(_ viewpoint: Viewpoint?) throws(EngineError) {
    if let viewpoint {
      try viewpoint.check()
      guard viewpoint.center != nil || viewpoint.extent != nil || viewpoint.geometry != nil else {
        throw EngineError(
          .invalidArgument, "An initial viewpoint needs a centre, an extent or a geometry.")
      }
      guard viewpoint.center == nil || viewpoint.scale != nil else {
        throw EngineError(.invalidArgument, "An initial viewpoint with a centre needs a scale.")
      }
      if let geometry = viewpoint.geometry, geometry.isEmpty {
        throw EngineError(.invalidArgument, "The geometry is empty: there is nothing to look at.")
      }
      if let geometry = viewpoint.geometry, geometry.spatialReference == nil, viewpoint.spatialReference == nil {
        throw CameraTarget.unknownReference
      }
      if let reference = spatialReference {
        _ = try CameraTarget(viewpoint, on: reference, rotation: 0, padding: Insets())
      }
    }
    keepInitialViewpoint(viewpoint)
  }

  /// Where views look that know nothing better: nil if there is no layer that says it.
  func firstTarget(in reference: SpatialReference) throws(EngineError) -> CameraTarget? {
    if let initial = initialViewpoint {
      return try CameraTarget(initial, on: reference, rotation: initial.rotation ?? 0, padding: Insets())
    }
    // Nearly always the first one says it: the others need not be gathered at each layer's loading.
    guard let first = leavesThatCanBePlaced(atMost: 1).first else { return nil }
    if let target = try target(first, in: reference) { return target }
    for layer in leavesThatCanBePlaced() where layer !== first {
      if let target = try target(layer, in: reference) { return target }
    }
    return nil
  }

  /// All of a layer's data; nil if it has none.
  private func target(_ layer: Layer, in reference: SpatialReference) throws(EngineError) -> CameraTarget? {
    var outline: [Point]
    do throws(EngineError) { outline = try layer.outline(in: reference) } catch {
      // Without an index nobody will find out where its data is: another layer may say it.
      guard (layer as? FeatureLayer)?.source?.indexStatus.status == .failed else { throw error }
      return nil
    }
    guard !outline.isEmpty else { return nil }
    if let width = reference.system.worldWidth { outline.unwrapAlong(width: width) }
    return CameraTarget(outline: outline)
  }

  // MARK: Bookmarks

  /// How many bookmarks a map can have.
  public static let bookmarkLimit = 10_000

  /// Adds a bookmark. Names are not empty, and each is there once.
  public func addBookmark(_ name: String, _ viewpoint: Viewpoint) throws(EngineError) {
    guard !name.isEmpty else { throw EngineError(.invalidArgument, "A bookmark needs a name.") }
    try viewpoint.check()
    let outcome: Status = changeBookmarks { bookmarks in
      if bookmarks.contains(where: { $0.name == name }) { return .invalidState }
      if bookmarks.count >= Self.bookmarkLimit { return .limitExceeded }
      bookmarks.append(Bookmark(name: name, viewpoint: viewpoint))
      return .ok
    }
    if outcome == .invalidState {
      throw EngineError(.invalidState, "The map has a bookmark \"\(name)\" already. Remove it first.")
    }
    if outcome == .limitExceeded {
      throw EngineError(.limitExceeded, "The map has \(Self.bookmarkLimit) bookmarks, which is the most it can have.")
    }
  }

  public func removeBookmark(_ name: String) throws(EngineError) {
    let removed = changeBookmarks { bookmarks in
      let index = bookmarks.firstIndex { $0.name == name }
      if let index { bookmarks.remove(at: index) }
      return index != nil
    }
    if !removed { throw Self.noBookmark(name) }
  }

  public func bookmark(_ name: String) throws(EngineError) -> Viewpoint {
    guard let found = bookmarks.first(where: { $0.name == name }) else { throw Self.noBookmark(name) }
    return found.viewpoint
  }

  private static func noBookmark(_ name: String) -> EngineError {
    EngineError(.notFound, "The map has no bookmark \"\(name)\".")
  }
}

extension Map {
  /// A box of the host's in the map's spatial reference, with xMin <= xMax.
  ///
  /// - Parameter source: the spatial reference of the box; nil: that of the map. From another spatial reference, the
  ///   result is the box around the image.
  public func box(_ box: Envelope, from source: SpatialReference?) throws(EngineError) -> Envelope {
    let reference = try requireSpatialReference()
    try box.requireBox(in: source ?? reference)
    let image = try source.map { (source) throws(EngineError) in
      try box.projected(from: source, to: reference).envelope
    }
    return (image ?? box).eastward(reference.system.worldWidth)
  }
}

extension Envelope {
  var middle: Point { Point(x: xMin / 2 + xMax / 2, y: yMin / 2 + yMax / 2) }

  /// The same box with xMin <= xMax, where it goes over the antimeridian.
  func eastward(_ worldWidth: Double?) -> Envelope {
    guard let worldWidth, xMin > xMax else { return self }
    return Envelope(xMin: xMin, yMin: yMin, xMax: xMax + worldWidth, yMax: yMax)
  }
}
