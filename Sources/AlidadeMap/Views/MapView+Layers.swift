import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

extension MapView {
  /// How a layer of the view's map is reached from a frame; nil if it, or a group above it, is hidden or not shown at the
  /// frame's scale. Throws if it is not in the map.
  func access(_ layer: Layer, _ frame: ViewFrame) throws(EngineError) -> LayerProjection? {
    let status = layer.status(in: map.identity)
    guard let standing = status.standing else { throw Self.notMember }
    guard standing.isShown, standing.range.contains(frame.scale) else { return nil }
    return try layer.projection(for: frame.spatialReference, known: status.projection)
  }

  /// How much of what the view shows of a layer of a server is there.
  public func fetchProgress(of layer: Layer) throws(EngineError) -> FetchProgress {
    guard layer.status(in: map.identity).standing != nil else { throw Self.notMember }
    return layer.fetchProgress(in: identity)
  }

  static var notMember: EngineError {
    EngineError(.invalidArgument, "The layer is not in the view's map. Add it there first.")
  }

  /// The fraction of the visible area that is inside a layer's outline, 0 to 1, in the plane of the map's spatial
  /// reference.
  public func coverage(of layer: Layer) throws(EngineError) -> Double {
    guard layer.status(in: map.identity).standing != nil else { throw Self.notMember }
    guard layer.kind != .group else {
      throw EngineError(.invalidArgument, "The layer is a group. Ask for the layers in it.")
    }
    let frame = try frame()
    var outline = try layer.outline(in: frame.spatialReference)
    guard let width = frame.spatialReference.system.worldWidth else {
      return try PlanarArea.fraction(of: frame.visibleArea, inside: outline)
    }
    // Where the world repeats itself, so does the layer: the copies next to the view's centre may be visible too.
    outline.unwrapAlong(width: width)
    let middle = Envelope(around: outline).map { ($0.xMin + $0.xMax) / 2 } ?? 0
    let turns = ((frame.center.x - middle) / width).rounded()
    var fraction = 0.0
    for turn in [turns - 1, turns, turns + 1] where turn.isFinite {
      let copy = outline.map { Point(x: $0.x + turn * width, y: $0.y) }
      fraction += try PlanarArea.fraction(of: frame.visibleArea, inside: copy)
    }
    return min(1, fraction)
  }
}
