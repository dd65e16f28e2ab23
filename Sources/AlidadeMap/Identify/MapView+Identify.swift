import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

/// How to identify.
public struct IdentifyOptions: Sendable {
  /// The radius around the point in DIP. For a raster, the cell that contains the point is found, whatever the
  /// tolerance.
  public var tolerance = 0.0
  /// The largest number of elements for each layer and each overlay.
  public var maxResults = 1
  /// An area of the screen in place of the point: two opposite corners of a box, or the corners of a polygon; empty: none.
  public var area: [Point] = []
  /// Cells without a value are left out instead of being reported as such.
  public var skipsEmptyCells = false
  /// Layers and overlays that are hidden or out of scale are identified as if they were shown.
  public var includesHidden = false
  /// Layers and overlays without a popup definition are left out.
  public var popupsOnly = false

  public init() {}
}

/// The target of an identify.
public enum IdentifyTarget: Sendable {
  /// A layer, or all in a group.
  case layer(Layer)
  case layers
  case overlay(GraphicsOverlay)
  case overlays
  case everything
}

extension MapView {
  /// Reads the cell of a raster layer under a screen point into a plain struct.
  ///
  /// - Parameters:
  ///   - content: the content of the layer.
  ///   - values: memory for a value per band.
  public func cell(
    of layer: RasterLayer, _ content: RasterContent, at screen: Point,
    into values: UnsafeMutableBufferPointer<BandValue>
  ) throws(EngineError) -> Cell {
    guard screen.isFinite else {
      throw EngineError(.invalidArgument, "The screen point (\(screen.x), \(screen.y)) is not finite.")
    }
    let frame = try frame()
    var (level, index) = (content, CellIndex.outside)
    if let projection = try access(layer, frame) {
      level = try content.identified(in: frame, projection)
      index = try level.cellIndex(at: screen, in: frame, projection)
      if let held = content.fetches.held(in: identity), level.lacks(index, held) { index = .notLoaded }
    }
    let raster = level.raster
    return try layer.reading(content) { () throws(EngineError) in try raster.readCell(index, into: values) }
  }

  /// Identifies what is drawn at a screen point. If nothing is hit, the result has no elements, which is not an error.
  ///
  /// An error in one layer does not affect the others: it is in the layer's part of the result. For a single layer that
  /// is not a group, the error is thrown.
  public func identify(
    _ target: IdentifyTarget, at screen: Point, options: IdentifyOptions = IdentifyOptions()
  ) throws(EngineError) -> IdentifyResult {
    let identification = try runtime.limitedHere { () throws(EngineError) in
      try Identification(target, in: self, at: screen, options)
    }
    // A closure that may go to another thread costs time even if it stays.
    guard runtime.hasTimeLimit else { return try identification.perform() }
    return try runtime.limited(reading: identification.layers, identification.perform)
  }

  /// A request that identifies what is drawn in the view as it is now. `start` begins it.
  public func identifyRequest(
    _ target: IdentifyTarget, at screen: Point, options: IdentifyOptions = IdentifyOptions(),
    request: RequestOptions = RequestOptions()
  ) throws(EngineError) -> Request {
    // What is in memory is identified now.
    var identification = try runtime.limitedHere { () throws(EngineError) in
      try Identification(target, in: self, at: screen, options)
    }
    identification.waits = true
    return try Request(
      .identify, runtime: runtime, owner: identity, options: request,
      waitsForServer: identification.layers.contains(where: \.waitsForServer)
    ) { [identification, runtime] () throws(EngineError) in
      try runtime.limited(reading: identification.layers, identification.perform)
    }
  }
}

extension Runtime {
  /// Runs work on layers within the time that the policy allows: on another thread, which may be abandoned, if a driver
  /// may have to read for it. What is in memory does not wait for such a thread.
  func limited<Result: Sendable>(
    reading layers: [LayerMoment], _ body: @escaping @Sendable () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    hasTimeLimit && layers.contains(where: \.mayRead) ? try limited(body) : try limitedHere(body)
  }
}

extension ScreenRegion {
  /// Map units beyond which no box is looked for: what is in reach is all there is, and a query refuses such a box.
  private static let farthest = 1e15

  /// The box around the region on the map; nil if it is too large to be known.
  func window(in frame: ViewFrame) -> Envelope? {
    let corners = box.corners.map { frame.mapPoint($0) }
    return corners.allSatisfy { $0.x.magnitude < Self.farthest && $0.y.magnitude < Self.farthest }
      ? Envelope(around: corners) : nil
  }

  /// Throws if it is not one.
  init(at screen: Point, _ options: IdentifyOptions, _ policy: Policy) throws(EngineError) {
    guard screen.isFinite else {
      throw EngineError(.invalidArgument, "The screen point (\(screen.x), \(screen.y)) is not finite.")
    }
    guard options.tolerance.isFinite, options.tolerance >= 0 else {
      throw EngineError(.invalidArgument, "The tolerance \(options.tolerance) is negative or not finite.")
    }
    var area = options.area
    try policy.check(points: area.count)
    guard area.allSatisfy(\.isFinite), area.count != 1 else {
      throw EngineError(.invalidArgument, "An area has two corners or more, all finite.")
    }
    if area.count == 2 {
      area = [area[0], Point(x: area[1].x, y: area[0].y), area[1], Point(x: area[0].x, y: area[1].y)]
    }
    self.init(anchor: screen, tolerance: options.tolerance, area: area)
  }
}

/// A layer as it was when it was identified, with what is in it. A class, because it is passed on often.
final class LayerMoment: Sendable {
  enum Content: Sendable {
    case group([LayerMoment])
    case raster(RasterLayer, Result<RasterContent, EngineError>)
    case features(FeatureLayer, FeatureMoment)
  }

  let layer: Layer
  let standing: LayerStanding
  let projection: LayerProjection?
  let generation: UInt64
  let popup: PopupDefinition?
  let content: Content
  /// What the view shows of a layer of a service; nil: it has not drawn it, and asks for nothing.
  let held: HeldTiles?

  fileprivate init(
    _ layer: Layer, _ standing: LayerStanding, _ projection: LayerProjection?, _ content: Content, held: HeldTiles?
  ) {
    (self.layer, self.standing, self.projection) = (layer, standing, projection)
    (generation, popup) = (layer.generation, layer.popup)
    (self.content, self.held) = (content, held)
  }

  /// Whether a driver may have to read for it.
  var mayRead: Bool {
    switch content {
    case .group(let inside): inside.contains(where: \.mayRead)
    case .raster: true
    case .features(_, let features): features.table == nil
    }
  }

  /// Whether it, or a layer in it, is of a service.
  var waitsForServer: Bool {
    if case .group(let inside) = content { return inside.contains(where: \.waitsForServer) }
    return layer.waitsForServer
  }
}

/// A feature layer as it was when it was identified. A class, because it is passed on often.
final class FeatureMoment: Sendable {
  let source: Result<FeatureSource, EngineError>
  let renderer: GraphicsRenderer?
  let rendererGeneration: UInt64
  /// What was drawn last in the view; nil: nothing yet.
  let table: FeatureTable?

  fileprivate init(_ layer: FeatureLayer, in view: MapView) {
    let styled = layer.styled
    source = Result { () throws(EngineError) in try layer.requireSource() }
    (renderer, rendererGeneration) = (styled.renderer, styled.generation)
    table = layer.tables.withLock { $0[view.identity] }
  }

  /// The features that may lie in a box on the map.
  func table(
    of layer: FeatureLayer, _ source: FeatureSource, _ renderer: GraphicsRenderer, in frame: ViewFrame,
    near window: Envelope?
  ) throws(EngineError) -> FeatureTable {
    let margin = (renderer.reach + 1) * frame.unitsPerDip
    let area = frame.readable(
      window.map {
        Envelope(xMin: $0.xMin - margin, yMin: $0.yMin - margin, xMax: $0.xMax + margin, yMax: $0.yMax + margin)
      })
    if let drawn = self.table, drawn.features != nil,
      drawn.isGood(for: layer, source, renderer: rendererGeneration, frame, area)
    {
      return drawn
    }
    let styled = (renderer, rendererGeneration)
    // A tap asks no server for what a view shows.
    if source.facts.isService, let drawn = try self.table?.restyled(layer, source, styled, in: frame) { return drawn }
    let tiles = area.map { FeatureTiles.tiles(around: $0, in: frame) } ?? []
    for tile in tiles {
      if let known = layer.tiles.table(tile),
        known.isGood(for: layer, source, renderer: rendererGeneration, frame, area)
      {
        return known
      }
    }
    // The index says what the surroundings would cost.
    for tile in tiles where !layer.tiles.isTooLarge(tile) {
      guard try source.hasFew(FeatureTiles.featureLimit, in: .shown(tile.surroundings, frame.spatialReference)) else {
        continue
      }
      do throws(EngineError) {
        let table = try TimeLimit.inQuarter { () throws(EngineError) in
          try FeatureTable(
            layer, source, styled, in: frame, view: nil, covering: tile.surroundings, isForIdentify: true)
        }
        layer.tiles.keep(table, for: tile)
        return table
      } catch {
        // The features around may be too much for the policy's limits where the features in the area are not.
        guard error.status == .limitExceeded else { throw error }
        layer.tiles.noteTooLarge(tile)
      }
    }
    // What was drawn has not all attributes: they are found by ids, which must name the same features then.
    if let drawn = self.table, source.facts.idStability != .none,
      drawn.isGood(for: layer, source, renderer: rendererGeneration, frame, area)
    {
      return drawn
    }
    return try FeatureTable(
      layer, source, styled, in: frame, view: nil, covering: area, isForIdentify: true)
  }
}

/// An identify as it was asked for, whatever the view and its layers do by the time it is performed.
struct Identification: Sendable {
  let frame: ViewFrame
  let screen: Point
  let region: ScreenRegion
  /// The box around the region on the map; nil if it is too large to be known.
  let window: Envelope?
  let options: IdentifyOptions
  /// The topmost first.
  let layers: [LayerMoment]
  /// Waits for cells that the server of a layer has not returned yet, even if the view draws the layer.
  var waits = false
  /// Overlays are in memory and have been identified already.
  private(set) var collector = IdentifyCollector()
  /// Its error fails the whole.
  let isOfOneLayer: Bool

  /// Checks what is asked for, and takes down what the view is at this moment.
  init(
    _ target: IdentifyTarget, in view: MapView, at screen: Point, _ options: IdentifyOptions
  ) throws(EngineError) {
    region = try ScreenRegion(at: screen, options, view.runtime.policy)
    (self.screen, self.options) = (screen, options)
    frame = try view.frame()
    let frame = self.frame
    window = region.window(in: frame)
    var isOfOneLayer = false
    switch target {
    case .layer(let layer):
      guard let moment = Self.moment(LayerTree(layer), view) else { throw MapView.notMember }
      layers = [moment]
      isOfOneLayer = layer.kind != .group
    case .layers, .everything: layers = view.map.treesFromTop.compactMap { Self.moment($0, view) }
    case .overlay, .overlays: layers = []
    }
    self.isOfOneLayer = isOfOneLayer
    switch target {
    case .overlay(let overlay):
      try view.requireMember(overlay)
      try identify([overlay], view)
    case .overlays, .everything: try identify(view.graphicsOverlays, view)
    case .layer, .layers: break
    }
  }

  /// nil: the layer is not in the view's map.
  static func moment(_ tree: LayerTree, _ view: MapView) -> LayerMoment? {
    let layer = tree.layer
    let status = layer.status(in: view.map.identity)
    guard let standing = status.standing else { return nil }
    let content: LayerMoment.Content
    if let layer = layer as? RasterLayer {
      content = .raster(layer, Result { () throws(EngineError) in try layer.content() })
    } else if let layer = layer as? FeatureLayer {
      content = .features(layer, FeatureMoment(layer, in: view))
    } else {
      content = .group(tree.inside.compactMap { moment($0, view) })
    }
    var held: HeldTiles?
    if case .raster(_, .success(let content)) = content { held = content.fetches.held(in: view.identity) }
    return LayerMoment(layer, standing, status.projection, content, held: held)
  }

  // MARK: Overlays

  private mutating func identify(_ overlays: [GraphicsOverlay], _ view: MapView) throws(EngineError) {
    let (region, frame) = (region, frame)
    let found = try view.withLayouts(
      of: overlays, in: frame, includesHidden: options.includesHidden, near: window
    ) { (sources) throws(EngineError) -> [(moment: OverlayMoment, hits: [GraphicHit]?)] in
      var all: [(moment: OverlayMoment, hits: [GraphicHit]?)] = []
      for source in sources {
        switch source {
        case .layout(let layout): all.append((layout.moment, try layout.hits(region)))
        case .hidden(let moment): all.append((moment, nil))
        }
      }
      return all
    }
    for (moment, hits) in found.reversed() {
      let overlay = moment.overlay
      var part = IdentifyPart(layer: nil, overlay: overlay, parent: nil, generation: moment.generation)
      guard let hits else {
        part.reasons = moment.options.isHidden ? .hidden : .outOfScale
        if moment.options.isHidden, !moment.options.isInRange(frame.scale) { part.reasons.insert(.outOfScale) }
        collector.add(part)
        continue
      }
      let popup = overlay.popup
      if options.popupsOnly, popup == nil {
        part.reasons = .noPopup
        collector.add(part)
        continue
      }
      part.hitCount = hits.count
      if hits.isEmpty { part.reasons = .outside }
      let names = hits.isEmpty ? [] : overlay.attributeNames
      let shown = hits.prefix(options.maxResults)
      let evidence = GraphicHit.evidence(of: shown, region, in: frame)
      let elements = zip(shown, evidence).map { hit, evidence in
        let attributes = ElementAttributes.list(hit.graphic, names)
        return IdentifyElement(
          kind: .graphic, layer: nil, overlay: overlay, sublayer: "", id: Int64(bitPattern: hit.graphic.id),
          attributes: attributes, text: ElementAttributes.text(attributes), popup: popup?.popup(attributes), cell: nil,
          evidence: evidence, shape: (hit.graphic.columns, hit.graphic.row))
      }
      collector.add(part, elements)
    }
  }

  // MARK: Layers

  func perform() throws(EngineError) -> IdentifyResult {
    var collector = collector
    for layer in layers { try identify(layer, in: nil, &collector) }
    return IdentifyResult(frame, screen, collector)
  }

  private func identify(
    _ moment: LayerMoment, in parent: Int?, _ collector: inout IdentifyCollector
  ) throws(EngineError) {
    var part = IdentifyPart(layer: moment.layer, overlay: nil, parent: parent, generation: moment.generation)
    if !options.includesHidden {
      if !moment.standing.isShown { part.reasons.insert(.hidden) }
      if !moment.standing.range.contains(frame.scale) { part.reasons.insert(.outOfScale) }
    }
    if case .group(let inside) = moment.content {
      let number = collector.add(part)
      for layer in inside { try identify(layer, in: number, &collector) }
      return collector.endGroup(number)
    }
    if options.popupsOnly, moment.popup == nil { part.reasons.insert(.noPopup) }
    var elements: [IdentifyElement] = []
    if part.reasons.isEmpty {
      do throws(EngineError) {
        switch moment.content {
        case .raster(let layer, let content):
          elements = try cells(of: layer, try content.get(), moment, &part)
        case .features(let layer, let features): elements = try self.features(of: layer, features, moment.popup, &part)
        case .group: break
        }
      } catch {
        if isOfOneLayer || error.status == .cancelled { throw error }
        part.error = error
        part.reasons = error.status == .notReady ? .notLoaded : .failed
      }
    }
    collector.add(part, elements)
  }

  private func cells(
    of layer: RasterLayer, _ content: RasterContent, _ moment: LayerMoment, _ part: inout IdentifyPart
  ) throws(EngineError) -> [IdentifyElement] {
    guard region.ring.isEmpty else {
      part.reasons = .needsPoint
      return []
    }
    let projection = try layer.projection(for: frame.spatialReference, known: moment.projection)
    let level = try content.identified(in: frame, projection)
    let index = try level.cellIndex(at: screen, in: frame, projection)
    if let held = moment.held, !waits, level.lacks(index, held) {
      throw EngineError(
        .notReady,
        "The server has not returned the cells here yet. Identify again when they are drawn, or wait for a "
          + "request.")
    }
    guard index.column >= 0 else {
      part.reasons = index == .notProjectable ? .notProjectable : .outside
      return []
    }
    let found = try layer.reading(content) { () throws(EngineError) in
      try level.element(of: layer, at: index, near: frame.mapPoint(screen), projection, options, moment.popup)
    }
    part.hitCount = found == nil ? 0 : 1
    if found == nil { part.reasons = .emptyCell }
    return options.maxResults > 0 ? found.map { [$0] } ?? [] : []
  }

  private func features(
    of layer: FeatureLayer, _ moment: FeatureMoment, _ popup: PopupDefinition?, _ part: inout IdentifyPart
  ) throws(EngineError) -> [IdentifyElement] {
    let source = try moment.source.get()
    guard source.facts.hasGeometry, let renderer = moment.renderer else {
      part.reasons = source.facts.hasGeometry ? .noSymbol : .emptyGeometry
      return []
    }
    do throws(EngineError) {
      let placed = try layer.placed(source)
      try placed.checkUnchanged()
      let table = try moment.table(of: layer, placed, renderer, in: frame, near: window)
      let layout = try OverlayLayout(table.table, in: frame, keepsOutside: false, near: window)
      let hits = try layout.hits(region)
      part.hitCount = hits.count
      if hits.isEmpty { part.reasons = .outside }
      let elements = try elements(of: layer, placed, table, popup, hits.prefix(options.maxResults))
      layer.note(nil, source)
      return elements
    } catch {
      if error.status == .readFailed { layer.note(error, source) }
      throw error
    }
  }

  private func elements(
    of layer: FeatureLayer, _ source: FeatureSource, _ table: FeatureTable, _ popup: PopupDefinition?,
    _ hits: ArraySlice<GraphicHit>
  ) throws(EngineError) -> [IdentifyElement] {
    guard !hits.isEmpty else { return [] }
    let features: FeatureSet
    // Of features that are read again; the others have the rows of their geometries.
    var rows: [Int64: Int]?
    if let known = table.features {
      features = known
    } else {
      var query = FeatureQuery()
      query.ids = hits.map { Int64(bitPattern: $0.graphic.id) }
      query.withoutGeometry = true
      features = try source.query(query)
      rows = Dictionary(zip(features.ids.buffer, 0..<features.count)) { first, _ in first }
    }
    let sublayer = source.facts.layerName
    var elements: [IdentifyElement] = []
    elements.reserveCapacity(hits.count)
    for (hit, evidence) in zip(hits, GraphicHit.evidence(of: hits, region, in: frame)) {
      try TimeLimit.check()
      let id = Int64(bitPattern: hit.graphic.id)
      guard let row = rows.map({ $0[id] }) ?? hit.graphic.row else {
        throw EngineError(
          .readFailed,
          "Feature \(id) of \"\(source.facts.path)\" was drawn and cannot be found now. Load the layer again.")
      }
      let attributes = ElementAttributes.list(features, row: row)
      elements.append(
        IdentifyElement(
          kind: .feature, layer: layer, overlay: nil, sublayer: sublayer, id: id, attributes: attributes,
          text: ElementAttributes.text(attributes), popup: popup?.popup(attributes), cell: nil,
          evidence: evidence, shape: (hit.graphic.columns, hit.graphic.row)))
    }
    return elements
  }
}

/// A layer with what is in it, the topmost first.
struct LayerTree {
  let layer: Layer
  let inside: [LayerTree]

  /// Takes the forest's lock.
  init(_ layer: Layer) { self = layer.forest.withLock { LayerTree(inForest: layer) } }

  /// Inside the forest's lock.
  fileprivate init(inForest layer: Layer) {
    self.layer = layer
    inside = (layer as? GroupLayer)?.list.layers.reversed().map { LayerTree(inForest: $0) } ?? []
  }
}

extension Map {
  /// The map's layers, the topmost first: the operational layers, then the basemap's.
  var treesFromTop: [LayerTree] {
    forest.withLock { (operational.layers.reversed() + basemap.layers.reversed()).map { LayerTree(inForest: $0) } }
  }
}

extension RasterContent {
  /// Whether a cell of a service is not there yet.
  ///
  /// - Parameter held: the tiles that the view shows. They may have left the pyramid's store, and are put there again.
  fileprivate func lacks(_ index: CellIndex, _ held: HeldTiles) -> Bool {
    guard let tiles = raster.tiles, index.column >= 0 else { return false }
    let place = tiles.place(of: index)
    if tiles.pyramid.tile(place) != nil { return false }
    guard let tile = held.tile(place) else { return true }
    tiles.pyramid.keep(tile, at: place)
    return false
  }

  /// The element of a cell; nil if it has no value and those are to be left out.
  fileprivate func element(
    of layer: RasterLayer, at index: CellIndex, near tap: Point, _ projection: LayerProjection,
    _ options: IdentifyOptions, _ popup: PopupDefinition?
  ) throws(EngineError) -> IdentifyElement? {
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
    let attributes = CellAttributes.list(values, raster.facts.bands, attributeNames)
    let extent = images.flatMap { Envelope(around: $0.polygon) }
    return IdentifyElement(
      kind: .rasterCell, layer: layer, overlay: nil, sublayer: "", id: 0, attributes: attributes,
      text: CellAttributes.text(attributes, corner: extent.map { Point(x: $0.xMin, y: $0.yMin) }),
      popup: popup?.popup(attributes),
      cell: IdentifiedCell(
        cell: cell, values: values, rasterPolygon: rasterPolygon, polygon: images?.polygon, center: images?.center,
        extent: extent),
      evidence: nil, shape: nil)
  }

  private func readCell(_ index: CellIndex) throws(EngineError) -> (Cell, [BandValue]) {
    try withUnsafeTemporaryAllocation(of: BandValue.self, capacity: raster.facts.bands.count) {
      (buffer) throws(EngineError) in
      let cell = try raster.readCell(index, into: buffer)
      // Appended: Array(buffer) would look the array's type up at run time.
      var values: [BandValue] = []
      values.append(contentsOf: buffer)
      return (cell, values)
    }
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
    // The closing point is not projected again; its slot holds the centre meanwhile.
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
