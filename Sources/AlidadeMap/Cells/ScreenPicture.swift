import AlidadeBase
import AlidadeCoordinates
import AlidadeData

/// A raster layer as pixels, as a view showed it: an immutable value.
public final class ScreenPicture: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let columns: Int32
  public let rows: Int32
  public let pixels: HeapArray<RGBA>
  public let verdicts: HeapArray<UInt8>
  /// How many samples a server did not return.
  public let lackingCount: Int

  init(_ painting: ScreenPainting, _ pixels: HeapArray<RGBA>, _ verdicts: HeapArray<UInt8>) {
    (columns, rows) = (painting.grid.columns, painting.grid.rows)
    (self.pixels, self.verdicts) = (pixels, verdicts)
    let lacking = UInt8(truncatingIfNeeded: CellVerdict.notLoaded.rawValue)
    lackingCount = verdicts.buffer.reduce(0) { $1 == lacking ? $0 &+ 1 : $0 }
    super.init(runtime: painting.layer.runtime)
  }

  public override var handleKind: HandleKind { .screenPicture }
}

/// A raster layer in a view as it is at one moment, to be read as pixels or values.
struct ScreenPainting: Sendable {
  let layer: RasterLayer
  let content: RasterContent
  /// Completed.
  let grid: ScreenGrid
  let frame: ViewFrame
  /// nil: the layer is hidden or out of scale.
  let projection: LayerProjection?
  private let opacity: Double
  /// No other painting of the process has it.
  private let number = ScreenPainting.lastNumber.withLock {
    $0 &+= 1; return $0
  }
  private static let lastNumber = Lock(UInt64(0))

  init(of layer: RasterLayer, in view: MapView, _ grid: ScreenGrid) throws(EngineError) {
    (self.layer, self.grid) = (layer, grid)
    content = try layer.content()
    frame = try view.frame()
    projection = try view.access(layer, frame)
    opacity = layer.standing.opacity
  }

  /// Finds the cell of every sample, in the level that the view shows if a server has the layer. Writes the verdicts of
  /// samples without a cell; nil if the layer is hidden.
  ///
  /// - Parameter view: asks for what lacks; nil: nothing is asked for.
  func request(
    bands: [Int], margin: Int32, in view: MapView?, held: HeldTiles? = nil,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) -> ScreenRequest? {
    guard let projection else {
      verdicts.initialize(repeating: UInt8(truncatingIfNeeded: CellVerdict.outside.rawValue))
      // What is not shown is not wanted.
      if let view, content.fetches.forget(TileFetches.Asker(view: view.identity)) { layer.didChange() }
      return nil
    }
    let level = try content.level(in: frame, projection)
    var request = try ScreenRequest(level, bands: bands, grid, frame, projection)
    if let tiles = level.raster.tiles {
      let known = held ?? view.flatMap { content.fetches.held(in: $0.identity) }
      let (held, lacking) = request.holdTiles(tiles, margin: margin, known: known)
      if let view { content.fetches.want(lacking, held, in: view, layer, content) }
    }
    // Right to share: each part writes samples of its own.
    nonisolated(unsafe) let (cells, verdicts) = (request.cells, verdicts)
    let parts = (cells.count &+ Self.samplesAtOnce &- 1) / Self.samplesAtOnce
    try layer.runtime.workers.forEach(parts) { (part) throws(EngineError) in
      let start = part &* Self.samplesAtOnce
      for position in start..<min(cells.count, start &+ Self.samplesAtOnce) {
        verdicts[position] = UInt8(truncatingIfNeeded: cells[position].verdictWithoutCell.rawValue)
      }
    }
    return request
  }

  /// Fills a picture with the layer as its renderer shows it, with its opacity and that of the groups around it.
  ///
  /// - Parameters:
  ///   - view: asks for what lacks; nil: nothing is asked for.
  ///   - held: tiles that are there, for a picture.
  func paint(
    in view: MapView?, held: HeldTiles? = nil, into pixels: UnsafeMutableBufferPointer<RGBA>,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    pixels.initialize(repeating: .clear)
    let renderer = try layer.resolvedRenderer(of: content)
    let margin = CellPainter(renderer, content.raster).margin
    guard
      let request = try request(bands: renderer.bands, margin: margin, in: view, held: held, verdicts: verdicts)
    else { return }
    let opacity = opacity
    // Right to share: each sample is written by the one batch that holds it.
    nonisolated(unsafe) let pixels = pixels
    nonisolated(unsafe) let verdicts = verdicts
    @Sendable func paint(_ request: ScreenRequest, isStandIn: Bool) throws(EngineError) {
      // What stands in is mostly little, so that colours computed beforehand would not pay.
      let painter = CellPainter(renderer, request.raster, sampleCount: isStandIn ? 0 : request.cells.count)
      let cellSize = request.cellSize
      try request.read(margin: isStandIn ? 0 : margin) { batch, points in
        painter.paint(batch, points, cellSize: cellSize) { point, color, verdict in
          let index = Int(truncatingIfNeeded: point.index)
          pixels[index] = color
          if opacity < 1 { pixels[index].alpha = color.alpha.scaled(by: opacity) }
          if !isStandIn { verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue) }
        }
      }
    }
    try layer.reading(content) { () throws(EngineError) in
      try paint(request, isStandIn: false)
      // What a server has not returned yet is seen at a coarser level, as far as that is there.
      var lacking = request
      let coarser = content.levels.prefix { $0.raster.facts.width < request.raster.facts.width }
      for level in coarser.reversed().prefix(Self.mostStandIns) {
        guard let next = try lacking.coarser(level) else { break }
        try paint(next, isStandIn: true)
        lacking = next
      }
    }
  }

  /// Samples whose verdicts a worker writes in one go.
  private static let samplesAtOnce = 1 << 16

  /// A cell that is shown in place of those that lack is at most 2^6 of them wide.
  private static let mostStandIns = 6

  /// Fills an array with the values of a band; NaN without a value.
  func readValues(
    in view: MapView, band: Int, scaled: Bool, into values: UnsafeMutableBufferPointer<Double>,
    verdicts: UnsafeMutableBufferPointer<UInt8>
  ) throws(EngineError) {
    values.initialize(repeating: .nan)
    let bands = content.raster.facts.bands
    guard bands.indices.contains(band) else {
      throw EngineError(.notFound, "There is no band \(band &+ 1); the raster has bands 1 to \(bands.count).")
    }
    guard let request = try request(bands: [band], margin: 0, in: view, verdicts: verdicts) else { return }
    let facts = bands[band]
    let isScaled = scaled && facts.isScaled
    let (scale, offset) = (facts.scale ?? 1, facts.offset ?? 0)
    // Right to share: each sample is written by the one batch that holds it.
    nonisolated(unsafe) let values = values
    nonisolated(unsafe) let verdicts = verdicts
    try layer.reading(content) { () throws(EngineError) in
      try request.read(margin: 0) { batch, points in
        for point in points {
          let (value, verdict) = batch.value(band: 0, at: point)
          let index = Int(truncatingIfNeeded: point.index)
          if verdict == .value { values[index] = isScaled ? value * scale + offset : value }
          verdicts[index] = UInt8(truncatingIfNeeded: verdict.rawValue)
        }
      }
    }
  }

  /// The layer as a picture, with all that a server returns.
  ///
  /// - Parameter view: asks for what lacks; nil: nothing is asked for.
  func picture(in view: MapView?) throws(EngineError) -> ScreenPicture {
    var held: HeldTiles?
    if let view { held = try waitForTiles(in: view) }
    let pixels = try HeapArray<RGBA>(count: grid.count)
    let verdicts = try HeapArray<UInt8>(count: grid.count)
    try paint(in: nil, held: held, into: pixels.buffer, verdicts: verdicts.buffer)
    return ScreenPicture(self, pixels, verdicts)
  }

  /// Waits until a server has returned what lacks, or has failed to: what is there then.
  private func waitForTiles(in view: MapView) throws(EngineError) -> HeldTiles? {
    guard !content.levels.isEmpty, let projection else { return nil }
    let renderer = try layer.resolvedRenderer(of: content)
    let level = try content.level(in: frame, projection)
    guard let tiles = level.raster.tiles else { return nil }
    var request = try ScreenRequest(level, bands: renderer.bands, grid, frame, projection)
    var (held, lacking) = request.holdTiles(tiles, margin: CellPainter(renderer, content.raster).margin)
    let asker = TileFetches.Asker(view: view.identity, picture: number)
    do throws(EngineError) {
      content.fetches.want(lacking, held, in: view, picture: number, layer, content)
      while !lacking.isEmpty, content.fetches.isPending(asker) {
        try content.fetches.help(asker, layer.runtime)
        lacking.removeAll { place in tiles.pyramid.tile(place).map { held.put($0, at: place) } != nil }
      }
    } catch {
      content.fetches.forget(asker)
      layer.didChange()
      throw error
    }
    content.fetches.finish(asker)
    return held
  }
}

extension UInt8 {
  /// - Parameter factor: 0 to 1.
  fileprivate func scaled(by factor: Double) -> UInt8 { UInt8(exactly: (Double(self) * factor).rounded()) ?? self }
}
