import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// A layer that shows a raster through a renderer.
public final class RasterLayer: Layer, @unchecked Sendable {  // right: what changes is under a Lock
  public let raster: Raster
  private let rasterReference: SpatialReference
  /// The names of the attributes that a cell has.
  let attributeNames: AttributeNames
  private let state = Lock(State())

  private struct State {
    var renderer = RasterRenderer()
    /// Value ranges that were found, by band.
    var ranges: [Int: (minimum: Double, maximum: Double)] = [:]
  }

  /// Throws unless the raster can be placed on a map: it is never placed by guess.
  public init(raster: Raster) throws(EngineError) {
    guard raster.facts.georeference == .affine, raster.facts.geotransform.isInvertible else {
      throw raster.notPlaceable()
    }
    guard let reference = raster.spatialReference else { throw raster.withoutSpatialReference() }
    self.raster = raster
    rasterReference = reference
    attributeNames = AttributeNames(raster.facts)
    super.init(runtime: raster.runtime)
  }

  public override var spatialReference: SpatialReference? { rasterReference }

  public override func outline(in target: SpatialReference) throws(EngineError) -> [Point] {
    try raster.outline(in: target, segmentsPerEdge: 32)
  }

  public override func fullExtent(in target: SpatialReference?) throws(EngineError) -> Envelope? {
    guard let box = Envelope(around: raster.facts.corners) else { return nil }
    guard let target else { return box }
    return try box.projected(from: rasterReference, to: target).envelope
  }

  /// The cell under a map point.
  func cellIndex(at mapPoint: Point, _ projection: LayerProjection) throws(EngineError) -> CellIndex {
    if projection.toLayer.isIdentity { return raster.cellIndex(at: mapPoint) }
    guard let point = try projection.toLayer.project(mapPoint) else { return .notProjectable }
    return raster.cellIndex(at: point)
  }

  // MARK: Renderer

  /// Sets how the layer is drawn.
  public func setRenderer(_ renderer: RasterRenderer) throws(EngineError) {
    try renderer.check(raster.facts)
    state.withLock { $0.renderer = renderer }
  }

  /// How the layer is drawn, with everything filled in that was left open. Finding the range of a stretch may read
  /// cells the first time.
  public func resolvedRenderer() throws(EngineError) -> ResolvedRenderer {
    let renderer = state.withLock { $0.renderer }
    return try ResolvedRenderer(renderer, raster) { (band) throws(EngineError) in try range(ofBand: band) }
  }

  private func range(ofBand band: Int) throws(EngineError) -> (minimum: Double, maximum: Double) {
    if let known = state.withLock({ $0.ranges[band] }) { return known }
    var range = try raster.valueRange(band: band) ?? (0, 1)
    // A ramp needs two ends.
    if !(range.minimum < range.maximum) { range.maximum = range.minimum + 1 }
    if !(range.minimum < range.maximum) { range = (0, 1) }
    state.withLock { [range] in $0.ranges[band] = range }
    return range
  }
}
