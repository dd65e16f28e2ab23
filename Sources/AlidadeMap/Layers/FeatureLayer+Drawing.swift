import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry
import Synchronization

/// Features of a layer on a map: those in and around what a view has shown, with their images and symbols.
///
/// Right to share: constants, and a table that is read alone; of it `takeDropped` is called with the lock of the layer's
/// tables held.
final class FeatureTable: @unchecked Sendable {
  let table: OverlayTable
  /// The area on the map whose features are all here; nil: all features are.
  private let covered: Envelope?
  private let rendererGeneration: UInt64
  private let gridGeneration: UInt64
  let trouble: ReadingTrouble
  /// The features with all of their attributes; nil: they take so much memory that only what the renderer looks at was
  /// read.
  let features: FeatureSet?
  /// Not the source itself, which may have been replaced: this stays until the next drawing.
  private let sourceIdentity: UInt64
  weak var view: MapView?
  /// About how much memory the features take, in bytes.
  let byteCount: Int

  /// Of more fields, a drawing reads only what the renderer looks at.
  private static let mostFields = 16

  /// So many features of a service are kept for a view.
  static let mostOfService = 100_000

  /// Reads the features.
  ///
  /// - Parameters:
  ///   - styled: the layer's renderer, and its generation.
  ///   - ids: the only features that are read; nil: all in the area.
  ///   - isForIdentify: all attributes are read, whatever memory they take.
  convenience init(
    _ layer: FeatureLayer, _ source: FeatureSource, _ styled: (renderer: GraphicsRenderer?, generation: UInt64),
    in frame: ViewFrame, view: MapView?, covering area: Envelope?, ids: [Int64]? = nil, isForIdentify: Bool = false
  ) throws(EngineError) {
    var query = FeatureQuery()
    if let area { query.area = .shown(area, frame.spatialReference) }
    query.ids = ids
    if source.facts.isService { query.limit = Self.mostOfService }
    let names = source.facts.fields.map(\.name)
    let needed = Self.needed(styled.renderer, source)
    if !isForIdentify {
      // Taps read the others. Of very many, or of large ones, reading takes longer than all taps save.
      let isHeavy = names.count > Self.mostFields || layer.heavySource.load(ordering: .relaxed) == source.identity
      query.fields = isHeavy ? needed.sorted() : nil
      query.spareFields = Set(names.indices).subtracting(needed)
    }
    var set: FeatureSet
    do throws(EngineError) { set = try source.query(query) } catch {
      guard error.status == .limitExceeded, !isForIdentify, query.fields == nil else { throw error }
      layer.heavySource.store(source.identity, ordering: .relaxed)
      query.fields = needed.sorted()
      set = try source.query(query)
    }
    if set.columns.count != names.count, !isForIdentify {
      layer.heavySource.store(source.identity, ordering: .relaxed)
    }
    try self.init(set, layer, source, styled, in: frame, view: view, covering: area)
  }

  /// The numbers of the fields that a renderer looks at.
  private static func needed(_ renderer: GraphicsRenderer?, _ source: FeatureSource) -> Set<Int> {
    let names = source.facts.fields.map(\.name)
    return Set((renderer?.fields ?? []).compactMap { names.firstIndex(of: $0) })
  }

  /// Puts features that have been read onto the map.
  init(
    _ set: FeatureSet, _ layer: FeatureLayer, _ source: FeatureSource,
    _ styled: (renderer: GraphicsRenderer?, generation: UInt64), in frame: ViewFrame, view: MapView?,
    covering area: Envelope?
  ) throws(EngineError) {
    sourceIdentity = source.identity
    let (renderer, generation) = styled
    let grids = Coordinates.gridGeneration(of: layer.runtime)
    covered = area
    self.view = view
    rendererGeneration = generation
    gridGeneration = grids
    features = set.columns.count == source.facts.fields.count ? set : nil
    trouble = set.trouble
    byteCount = set.columns.reduce(set.count &* 1024 &+ (set.geometries?.columns.vertexCount ?? 0) &* 48) {
      sum, column in
      sum &+ column.bytes.count &+ (column.integers.count &+ column.reals.count &+ column.entryOffsets.count) &* 8
    }
    var table = AttributeNameTable()
    let changes = try Self.changes(set, Self.needed(renderer, source), &table, in: frame.spatialReference)
    table = changes.names
    let moment = OverlayMoment(
      overlay: layer.stage, options: GraphicsOverlayOptions(), generation: generation, graphicCount: set.count)
    let snapshot = OverlaySnapshot(
      moment: moment, from: nil, to: 0, rendererGeneration: generation, renderer: renderer, names: table,
      gridGeneration: grids, changes: changes.list)
    self.table = try OverlayTable(snapshot, in: frame.spatialReference)
  }

  /// Whether it has all that a frame shows in a box on the map, which is nil for all of the map.
  func isGood(
    for layer: FeatureLayer, _ source: FeatureSource, renderer generation: UInt64, _ frame: ViewFrame,
    _ visible: Envelope?
  ) -> Bool {
    isStyled(for: layer, generation) && isOf(source, frame) && covers(visible, frame)
  }

  private func isStyled(for layer: FeatureLayer, _ generation: UInt64) -> Bool {
    rendererGeneration == generation && gridGeneration == Coordinates.gridGeneration(of: layer.runtime)
  }

  /// Whether it has features of the source on such a map, wherever.
  func isOf(_ source: FeatureSource, _ frame: ViewFrame) -> Bool {
    sourceIdentity == source.identity && table.target.system === frame.spatialReference.system
  }

  /// The same features through the layer's renderer; nil if they are of another source or map, or lack attributes.
  func restyled(
    _ layer: FeatureLayer, _ source: FeatureSource, _ styled: (renderer: GraphicsRenderer?, generation: UInt64),
    in frame: ViewFrame
  ) throws(EngineError) -> FeatureTable? {
    guard let features, isOf(source, frame) else { return nil }
    if isStyled(for: layer, styled.generation) { return self }
    return try FeatureTable(features, layer, source, styled, in: frame, view: view, covering: covered)
  }

  /// Whether a service has more features in the area than are here.
  var isShort: Bool { trouble.isIncomplete || isFull }

  var isFull: Bool { features?.count == Self.mostOfService }

  /// Whether a service does not have to be asked for a box on the map. A short table is enough for the box that it was read
  /// for: in a smaller one the service may return all there are.
  func isEnough(for visible: Envelope?, _ frame: ViewFrame) -> Bool {
    guard covers(visible, frame) else { return false }
    guard isShort, let visible else { return true }
    guard let covered else { return false }
    return covered.xMax - covered.xMin <= 1.05 * (visible.xMax - visible.xMin)
      && covered.yMax - covered.yMin <= 1.05 * (visible.yMax - visible.yMin)
  }

  /// Whether all features in a box on the map are here; nil: on all of the map.
  func covers(_ visible: Envelope?, _ frame: ViewFrame) -> Bool {
    guard let covered else { return true }
    guard var visible else { return false }
    if let world = frame.spatialReference.system.worldWidth {
      // What is over the seam may have been read from the other side of it.
      let turns = ((covered.xMin + covered.xMax - visible.xMin - visible.xMax) / 2 / world).rounded()
      visible.xMin += turns * world
      visible.xMax += turns * world
    }
    return visible.xMin >= covered.xMin && visible.xMax <= covered.xMax && visible.yMin >= covered.yMin
      && visible.yMax <= covered.yMax
  }

  private static func changes(
    _ set: FeatureSet, _ needed: Set<Int>, _ names: inout AttributeNameTable, in target: SpatialReference
  ) throws(EngineError) -> (list: [OverlaySnapshot.Change], names: AttributeNameTable) {
    guard let columns = set.geometries?.columns else { return ([], names) }
    var numbers: [(name: Int32, column: FeatureColumn)] = []
    for (column, field) in zip(set.columns, set.fieldIndexes) where needed.contains(field) {
      numbers.append((try names.intern(column.field.name), column))
    }
    numbers.sort { $0.name < $1.name }
    var graphics: [Graphic] = []
    graphics.reserveCapacity(set.count)
    let ids = set.ids.buffer
    let isRising = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 && $0 >= 0 }
    for row in 0..<set.count {
      var attributes: [GraphicAttribute] = []
      for (name, column) in numbers {
        let value = column.graphicValue(row)
        if value != .null { attributes.append(GraphicAttribute(name: name, value: value)) }
      }
      // What has no geometry that could be drawn is an empty graphic.
      graphics.append(
        Graphic(
          id: UInt64(bitPattern: ids[row]), columns: columns, row: row,
          // In the file's order, which is that of the set, whatever the ids are.
          zIndex: isRising ? 0 : Int32(clamping: row), isHidden: false, symbol: nil, attributes: attributes))
    }
    let images = try GraphicImages(target: target).images(of: graphics)
    let list = zip(graphics, images).map { graphic, image in
      OverlaySnapshot.Change(id: graphic.id, graphic: graphic, image: image, isSelected: false)
    }
    return (list, names)
  }
}

extension FeatureColumn {
  /// A value as renderers compare it: dates, lists and bytes have none.
  fileprivate func graphicValue(_ row: Int) -> GraphicValue {
    guard state(row) == .value else { return .null }
    switch field.type {
    case .integer: return .integer(integers[row])
    case .real: return .real(reals[row])
    case .text: return text(row).map { .text(String(cString: $0)) } ?? .null
    case .date, .time, .dateTime, .binary, .integerList, .realList, .textList: return .null
    }
  }
}

extension MapView {
  /// The drawing of a feature layer in the current state of view and layer: features as graphics with the same ids, in
  /// the file's order.
  ///
  /// Features are read for three times the width and height of what the view shows, and again when it shows more.
  ///
  /// - Parameter keepsOutside: keeps features that were read and are not in sight.
  public func drawing(of layer: FeatureLayer, keepsOutside: Bool = false) throws(EngineError) -> OverlayDrawing {
    let frame = try frame()
    let status = layer.status(in: map.identity)
    guard let standing = status.standing else { throw Self.notMember }
    let source = try layer.requireSource()
    do throws(EngineError) {
      let placed = try layer.placed(source)
      try placed.checkUnchanged()
      let make = { @Sendable [self] () throws(EngineError) -> OverlayDrawing in
        try self.drawing(of: layer, placed, standing, frame, keepsOutside: keepsOutside)
      }
      // A file may keep its driver for long; what is there already is drawn here.
      let reads = runtime.hasTimeLimit && !placed.facts.isService && !hasFeatures(of: layer, placed, frame)
      let drawing = try reads ? runtime.limited(make) : runtime.limitedHere(make)
      layer.note(nil, source)
      layer.updateWarnings(placed)
      return drawing
    } catch {
      if error.status == .readFailed { layer.note(error, source) }
      throw error
    }
  }

  /// Whether a drawing has nothing to read.
  private func hasFeatures(of layer: FeatureLayer, _ source: FeatureSource, _ frame: ViewFrame) -> Bool {
    let table = layer.tables.withLock { $0[identity] }
    return table?.isGood(for: layer, source, renderer: layer.styled.generation, frame, frame.readableArea) ?? false
  }

  private func drawing(
    of layer: FeatureLayer, _ source: FeatureSource, _ standing: LayerStanding, _ frame: ViewFrame, keepsOutside: Bool
  ) throws(EngineError) -> OverlayDrawing {
    var options = GraphicsOverlayOptions()
    options.opacity = standing.opacity
    /// A drawing with the layer and nothing of it.
    func empty(_ featureCount: Int64) throws(EngineError) -> OverlayDrawing {
      let moment = OverlayMoment(
        overlay: layer.stage, options: options, generation: layer.styled.generation,
        graphicCount: Int(clamping: featureCount))
      return try OverlayDrawing([.hidden(moment)], in: frame, isOfLayer: true)
    }
    guard standing.isShown, standing.range.contains(frame.scale) else {
      return try empty(source.facts.featureCount ?? 0)
    }
    let (visible, known, styled) = (frame.readableArea, layer.tables.withLock { $0[identity] }, layer.styled)
    var table = known
    let isGood = table?.isGood(for: layer, source, renderer: styled.generation, frame, visible) ?? false
    let area = visible.map { box in
      let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
      return Envelope(
        xMin: box.xMin - width, yMin: box.yMin - height, xMax: box.xMax + width, yMax: box.yMax + height)
    }
    if source.facts.isService {
      if !isGood {
        let kept =
          known?.covers(visible, frame) == true ? nil : layer.fetches.keptTable(source, frame, covering: visible)
        table = try (kept ?? known)?.restyled(layer, source, styled, in: frame)
      }
      layer.fetch(area, visible, for: self, frame, source, isThere: table?.isEnough(for: visible, frame) ?? false)
    } else if !isGood {
      // Read with no lock held; of two threads that do, the later one's stays.
      table = try FeatureTable(layer, source, styled, in: frame, view: self, covering: area)
    }
    guard let table else { return try empty(0) }
    let (drawing, dropped) = try layer.tables.withLock {
      (tables) throws(EngineError) -> (OverlayDrawing, [AnyObject]) in
      var dropped: [AnyObject] = tables.values.filter { $0.view == nil }
      tables = tables.filter { $0.value.view != nil }
      // What a server has returned meanwhile is not replaced by what was there before it.
      if !source.facts.isService || tables[identity] === known {
        table.view = self
        if let old = tables.updateValue(table, forKey: identity), old !== table { dropped.append(old) }
      }
      var layout = try OverlayLayout(table.table, in: frame, keepsOutside: keepsOutside)
      layout.setOptions(options)
      let drawing = try OverlayDrawing([.layout(layout)], in: frame, isOfLayer: true)
      return (drawing, dropped + table.table.takeDropped())
    }
    if source.facts.isService { for case let old as FeatureTable in dropped { layer.fetches.keep(old) } }
    return drawing
  }
}

extension FeatureLayer {
  /// Begins to ask a service for the features in an area, if they are neither there nor on their way.
  ///
  /// - Parameters:
  ///   - visible: what the view shows of the area.
  ///   - isThere: all features in sight are there.
  fileprivate func fetch(
    _ area: Envelope?, _ visible: Envelope?, for view: MapView, _ frame: ViewFrame, _ source: FeatureSource,
    isThere: Bool
  ) {
    let (fetches, identity) = (fetches, view.identity)
    if isThere {
      if fetches.settle(in: identity) { didChange() }
      return
    }
    let wish = LayerFetches.Wish(area: area, reference: frame.spatialReference)
    guard let number = fetches.want(wish, visible: visible, in: view) else { return }
    didChange()
    // Neither the layer nor the view lives on because of a server.
    runtime.fetch { [weak self, weak view] in
      self != nil && view != nil && fetches.wants(number, in: identity)
    } _: { [weak self, weak view] () throws(EngineError) in
      guard let layer = self, let view else { return }
      var table = try layer.readService(source, frame, view, area)
      // What is in sight comes first where the service does not return all that is around it.
      if visible != nil, table.isShort { table = try layer.readService(source, frame, view, visible) }
      layer.take(table, number, for: view)
    } failed: { [weak self] error in
      guard fetches.end(number, in: identity, failure: error) else { return }
      self?.didChange()
    }
  }

  private func readService(
    _ source: FeatureSource, _ frame: ViewFrame, _ view: MapView, _ area: Envelope?
  ) throws(EngineError) -> FeatureTable {
    try FeatureTable(self, source, styled, in: frame, view: view, covering: area, isForIdentify: true)
  }

  private func take(_ table: FeatureTable, _ number: UInt64, for view: MapView) {
    let replaced = tables.withLock { tables -> FeatureTable? in
      fetches.wants(number, in: view.identity) ? tables.updateValue(table, forKey: view.identity) : nil
    }
    if let replaced { fetches.keep(replaced) }
    var shortage = table.trouble.isIncomplete ? table.trouble.firstReason : ""
    if table.isFull {
      shortage =
        "There are more than 100,000 features in what the view shows; the first 100,000 are kept. Zoom in, or set a "
        + "definition expression."
    }
    if fetches.end(number, in: view.identity, failure: nil, shortage: shortage) { didChange() }
  }
}

extension ViewFrame {
  /// What the view shows, in the world in the middle; nil: with three times its width it would meet itself, or there is
  /// none.
  fileprivate var readableArea: Envelope? {
    visibleArea.allSatisfy(\.isFinite) ? readable(Envelope(around: visibleArea)) : nil
  }

  /// The same for a box on the map.
  func readable(_ box: Envelope?) -> Envelope? {
    guard var box, let world = spatialReference.system.worldWidth else { return box }
    guard (box.xMax - box.xMin) * 3 < world else { return nil }
    let turns = ((box.xMin + box.xMax) / 2 / world).rounded()
    box.xMin -= turns * world
    box.xMax -= turns * world
    return box
  }
}
