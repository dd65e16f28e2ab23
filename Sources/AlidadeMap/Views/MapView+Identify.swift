import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// A raster cell that was identified.
public struct CellElement: Sendable {
  public let cell: Cell
  public let values: [BandValue]
  /// The cell's corners in the raster's spatial reference: (column, row), (column + 1, row), ...; closed.
  public let rasterPolygon: [Point]
  /// The same corners in the map's spatial reference; nil if not all of them can be projected.
  public let polygon: [Point]?
  /// The cell's centre in the map's spatial reference; nil with `polygon`.
  public let center: Point?
  public let attributes: [Attribute]
  /// The box around `polygon`.
  public let extent: Envelope?
  /// The element as a person would read it.
  public let text: String
}

/// How to identify.
public struct IdentifyOptions: Sendable {
  /// Radius around the point in DIP. A raster answers with the cell that holds the point, whatever the tolerance.
  public var tolerance = 0.0
  public var maxResults = 1
  /// Leave out cells without a value instead of reporting them as such.
  public var skipsEmptyCells = false

  public init() {}
}

/// What an identify found. Immutable.
public final class IdentifyResult: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let layer: Layer
  /// What `mapPoint` and the elements' map coordinates are in.
  public let spatialReference: SpatialReference
  /// The map point under the screen point.
  public let mapPoint: Point
  /// Topmost first.
  public let elements: [CellElement]

  init(layer: Layer, spatialReference: SpatialReference, mapPoint: Point, elements: [CellElement]) {
    self.layer = layer
    self.spatialReference = spatialReference
    self.mapPoint = mapPoint
    self.elements = elements
    super.init(runtime: layer.runtime)
  }

  public override var handleKind: HandleKind { .identifyResult }
}

extension MapView {
  /// The cell of a raster layer under a screen point, in its plainest form.
  ///
  /// - Parameters:
  ///   - content: what the layer shows.
  ///   - values: room for a value per band.
  public func cell(
    of layer: RasterLayer, _ content: RasterContent, at screen: Point,
    into values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) -> Cell {
    guard screen.isFinite else {
      throw EngineError(.invalidArgument, "The screen point (\(screen.x), \(screen.y)) is not finite.")
    }
    let frame = try frame()
    var index = CellIndex.outside
    if let projection = try access(layer, frame) {
      index = try content.cellIndex(at: frame.mapPoint(screen), projection)
    }
    return try layer.reading(content) { () throws(EngineError) in try content.raster.readCell(index, into: values) }
  }

  /// Identifies one layer at a screen point. A tap beside the raster finds no elements and is no error.
  public func identify(
    _ layer: RasterLayer, at screen: Point, options: IdentifyOptions = IdentifyOptions()
  ) throws(EngineError) -> IdentifyResult {
    try identification(of: layer, at: screen, options: options).perform()
  }

  /// A request that identifies one layer at a screen point of the view as it is now. `start` begins it.
  public func identifyRequest(
    _ layer: RasterLayer, at screen: Point, options: IdentifyOptions = IdentifyOptions(),
    request: RequestOptions = RequestOptions()
  ) throws(EngineError) -> Request {
    let identification = try identification(of: layer, at: screen, options: options)
    return try Request(.identifyLayer, runtime: runtime, owner: identity, options: request) {
      () throws(EngineError) in try identification.perform()
    }
  }

  /// Checks what is asked for, and takes down what the view is at this moment.
  private func identification(
    of layer: RasterLayer, at screen: Point, options: IdentifyOptions
  ) throws(EngineError) -> Identification {
    guard screen.isFinite else {
      throw EngineError(.invalidArgument, "The screen point (\(screen.x), \(screen.y)) is not finite.")
    }
    guard options.tolerance.isFinite, options.tolerance >= 0 else {
      throw EngineError(.invalidArgument, "The tolerance \(options.tolerance) is negative or not finite.")
    }
    let frame = try frame()
    let status = layer.status(in: map.identity)
    guard let standing = status.standing else { throw Self.notMember }
    return Identification(
      layer: layer, isShown: standing.isShown && standing.range.contains(frame.scale),
      knownProjection: status.projection,
      mapReference: frame.spatialReference, mapPoint: frame.mapPoint(screen), options: options)
  }
}

/// An identify as it was asked for, whatever the view does by the time it is performed.
private struct Identification: Sendable {
  let layer: RasterLayer
  /// Neither hidden nor out of scale, by itself or by a group above it.
  let isShown: Bool
  let knownProjection: LayerProjection?
  let mapReference: SpatialReference
  let mapPoint: Point
  let options: IdentifyOptions

  func perform() throws(EngineError) -> IdentifyResult {
    var elements: [CellElement] = []
    if isShown {
      let content = try layer.content()
      let projection = try layer.projection(for: mapReference, known: knownProjection)
      let index = try content.cellIndex(at: mapPoint, projection)
      if index.column >= 0 {
        let element = try layer.reading(content) { () throws(EngineError) in
          try content.element(at: index, near: mapPoint, projection, options)
        }
        if let element { elements = [element] }
      }
    }
    return IdentifyResult(
      layer: layer, spatialReference: mapReference, mapPoint: mapPoint,
      elements: options.maxResults > 0 ? elements : [])
  }
}

extension RasterContent {
  /// The element of a cell; nil if it has no value and those are to be left out.
  fileprivate func element(
    at index: CellIndex, near tap: Point, _ projection: LayerProjection, _ options: IdentifyOptions
  ) throws(EngineError) -> CellElement? {
    let (cell, values) = try readCell(index)
    if options.skipsEmptyCells, cell.verdict != .value { return nil }
    let (column, row) = (Double(index.column), Double(index.row))
    let geotransform = raster.facts.geotransform
    let corner = geotransform.point(column: column, row: row)
    let rasterPolygon = [
      corner, geotransform.point(column: column + 1, row: row), geotransform.point(column: column + 1, row: row + 1),
      geotransform.point(column: column, row: row + 1), corner,
    ]
    let images = try mapImages(
      rasterPolygon, center: geotransform.point(column: column + 0.5, row: row + 0.5), near: tap, projection)
    let attributes = CellAttributes.list(values, raster.facts, attributeNames)
    let extent = images.flatMap { Envelope(around: $0.polygon) }
    return CellElement(
      cell: cell, values: values, rasterPolygon: rasterPolygon, polygon: images?.polygon, center: images?.center,
      attributes: attributes, extent: extent,
      text: CellAttributes.text(attributes, corner: extent.map { Point(x: $0.xMin, y: $0.yMin) }))
  }

  private func readCell(_ index: CellIndex) throws(EngineError) -> (Cell, [BandValue]) {
    var cell: Cell?
    var failure: EngineError?
    let count = raster.facts.bands.count
    let values = [BandValue](unsafeUninitializedCapacity: count) { buffer, initialised in
      do throws(EngineError) {
        cell = try raster.readCell(index, into: buffer)
        initialised = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard let cell else { throw EngineError(.internal, "A cell was read without a result.") }
    return (cell, values)
  }

  /// A cell's polygon and centre in the copy of the world that a tap is in.
  private func inCopy(
    _ polygon: [Point], _ center: Point, of tap: Point, _ worldWidth: Double?
  ) -> (polygon: [Point], center: Point) {
    guard let worldWidth, let box = Envelope(around: polygon), tap.x < box.xMin || tap.x > box.xMax else {
      return (polygon, center)
    }
    let image = center.unwrapped(near: tap.x, width: worldWidth)
    let shift = image.x - center.x
    return (polygon.map { Point(x: $0.x + shift, y: $0.y) }, image)
  }

  /// A cell's polygon and centre on the map; nil if a corner cannot be projected. Where the world repeats itself, each
  /// point is the one nearest to the tap: a cell across the antimeridian is not as wide as the world.
  private func mapImages(
    _ polygon: [Point], center: Point, near tap: Point, _ projection: LayerProjection
  ) throws(EngineError) -> (polygon: [Point], center: Point)? {
    if projection.toMap.isIdentity { return inCopy(polygon, center, of: tap, projection.mapSystem.worldWidth) }
    // The closing point is not projected again; its place holds the centre meanwhile.
    var points = polygon
    points[points.count &- 1] = center
    try points.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in
      try projection.toMap.project(buffer)
    }
    guard points.allSatisfy(\.isFinite) else { return nil }
    if let width = projection.mapSystem.worldWidth { points.unwrap(near: tap.x, width: width) }
    let image = points[points.count &- 1]
    points[points.count &- 1] = points[0]
    return (points, image)
  }
}
