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

  /// - Parameters:
  ///   - styled: the layer's renderer, and its generation.
  ///   - ids: the only features that are read; nil: all in the area.
  ///   - isForIdentify: all attributes are read, whatever memory they take.
  init(
    _ layer: FeatureLayer, _ source: FeatureSource, _ styled: (renderer: GraphicsRenderer?, generation: UInt64),
    in frame: ViewFrame, view: MapView?, covering area: Envelope?, ids: [Int64]? = nil, isForIdentify: Bool = false
  ) throws(EngineError) {
    sourceIdentity = source.identity
    let (renderer, generation) = styled
    let grids = Coordinates.gridGeneration(of: layer.runtime)
    covered = area
    self.view = view
    rendererGeneration = generation
    gridGeneration = grids
    var query = FeatureQuery()
    if let area { query.area = .shown(area, frame.spatialReference) }
    query.ids = ids
    let names = source.facts.fields.map(\.name)
    let needed = Set((renderer?.fields ?? []).compactMap { names.firstIndex(of: $0) })
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
    features = set.columns.count == names.count ? set : nil
    if features == nil, !isForIdentify { layer.heavySource.store(source.identity, ordering: .relaxed) }
    trouble = set.trouble
    byteCount = set.columns.reduce(set.count &* 1024 &+ (set.geometries?.columns.vertexCount ?? 0) &* 48) {
      sum, column in
      sum &+ column.bytes.count &+ (column.integers.count &+ column.reals.count &+ column.entryOffsets.count) &* 8
    }
    var table = AttributeNameTable()
    let changes = try Self.changes(set, needed, &table, in: frame.spatialReference)
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
    guard sourceIdentity == source.identity, table.target.system === frame.spatialReference.system,
      rendererGeneration == generation,
      gridGeneration == Coordinates.gridGeneration(of: layer.runtime)
    else { return false }
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
      let drawing = try drawing(of: layer, placed, standing, frame, keepsOutside: keepsOutside)
      layer.note(nil, source)
      layer.updateWarnings(placed)
      return drawing
    } catch {
      if error.status == .readFailed { layer.note(error, source) }
      throw error
    }
  }

  private func drawing(
    of layer: FeatureLayer, _ source: FeatureSource, _ standing: LayerStanding, _ frame: ViewFrame, keepsOutside: Bool
  ) throws(EngineError) -> OverlayDrawing {
    var options = GraphicsOverlayOptions()
    options.opacity = standing.opacity
    guard standing.isShown, standing.range.contains(frame.scale) else {
      let moment = OverlayMoment(
        overlay: layer.stage, options: options, generation: layer.styled.generation,
        graphicCount: Int(clamping: source.facts.featureCount ?? 0))
      return try OverlayDrawing([.hidden(moment)], in: frame, isOfLayer: true)
    }
    let corners = frame.visibleArea
    let visible = corners.allSatisfy(\.isFinite) ? frame.readable(Envelope(around: corners)) : nil
    let (known, styled) = (layer.tables.withLock { $0[identity] }, layer.styled)
    var table = known
    if table?.isGood(for: layer, source, renderer: styled.generation, frame, visible) != true {
      // Read with no lock held; of two threads that do, the later one's stays.
      let area = visible.map { box in
        let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
        return Envelope(
          xMin: box.xMin - width, yMin: box.yMin - height, xMax: box.xMax + width, yMax: box.yMax + height)
      }
      table = try FeatureTable(layer, source, styled, in: frame, view: self, covering: area)
    }
    guard let table else { return try OverlayDrawing([], in: frame, isOfLayer: true) }
    let (drawing, dropped) = try layer.tables.withLock {
      (tables) throws(EngineError) -> (OverlayDrawing, [AnyObject]) in
      var dropped: [AnyObject] = tables.values.filter { $0.view == nil }
      tables = tables.filter { $0.value.view != nil }
      if let old = tables.updateValue(table, forKey: identity), old !== table { dropped.append(old) }
      var layout = try OverlayLayout(table.table, in: frame, keepsOutside: keepsOutside)
      layout.setOptions(options)
      let drawing = try OverlayDrawing([.layout(layout)], in: frame, isOfLayer: true)
      return (drawing, dropped + table.table.takeDropped())
    }
    _ = dropped
    return drawing
  }
}

extension ViewFrame {
  /// A box on the map in the world in the middle; nil: with three times its width it would meet itself, or there is none.
  func readable(_ box: Envelope?) -> Envelope? {
    guard var box, let world = spatialReference.system.worldWidth else { return box }
    guard (box.xMax - box.xMin) * 3 < world else { return nil }
    let turns = ((box.xMin + box.xMax) / 2 / world).rounded()
    box.xMin -= turns * world
    box.xMax -= turns * world
    return box
  }
}
