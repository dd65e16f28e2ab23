import AlidadeBase

/// The tiles of a file that a server has: cells of the file, and of its overviews.
struct RangedTiles: TileSource {
  let raster: Raster
  /// By level of the pyramid: nil for the file's own cells, otherwise an overview.
  private let overviews: [Int?]
  private static let side: Int32 = 512
  private static let largestBlock: Int32 = 1024

  /// The pyramid of a raster whose overviews serve all bands.
  static func pyramid(_ raster: Raster) -> TilePyramid {
    let all = Array(raster.facts.bands.indices)
    var levels: [(overview: Int?, size: BandFacts.Size)] = [(nil, raster.facts.size)]
    for index in raster.facts.bands[0].overviews.indices {
      guard let size = raster.overview(index, forBands: all), size.width < raster.facts.width else { continue }
      levels.append((index, size))
    }
    levels.sort { $0.size.width < $1.size.width }
    let band = raster.facts.bands[0]
    let isTiled = max(band.blockWidth, band.blockHeight) <= largestBlock
    let block = isTiled ? (band.blockWidth, band.blockHeight) : (side, side)
    let facts = levels.map { raster.facts.level($0.size, blocks: block) }
    return TilePyramid(
      facts, raster.spatialReference, RangedTiles(raster: raster, overviews: levels.map(\.overview)))
  }

  private init(raster: Raster, overviews: [Int?]) { (self.raster, self.overviews) = (raster, overviews) }

  func load(_ place: TilePlace, _ pyramid: TilePyramid) throws(EngineError) -> Tile {
    let memory = try pyramid.emptyTile(place.level, raster.runtime.policy)
    let facts = pyramid.levels[place.level]
    let (width, height) = (facts.bands[0].blockWidth, facts.bands[0].blockHeight)
    let (left, top) = (place.column &* width, place.row &* height)
    let window = CellWindow(
      column: left, row: top, width: min(width, facts.width &- left), height: min(height, facts.height &- top))
    let reader = CellBatchReader(
      raster: raster, plan: pyramid.plan, gridSize: facts.size, level: overviews[place.level])
    // One data set per thread: they wait for the server side by side.
    let number = Int(truncatingIfNeeded: place.column) &+ Int(truncatingIfNeeded: place.row)
    let shelf = raster.shelf(ofBlock: number &* 4)
    try reader.read(window, shelf: shelf) { batch in
      guard var target = memory.buffer.baseAddress.map(UnsafeMutableRawPointer.init) else { return }
      let rowCells = Int(truncatingIfNeeded: width)
      for (index, plane) in pyramid.plan.planes.enumerated() {
        let length = Int(truncatingIfNeeded: window.width) &* plane.size
        for row in 0..<Int(truncatingIfNeeded: window.height) {
          (target + row &* rowCells &* plane.size).copyMemory(
            from: batch.memory + batch.planeOffsets[index] + row &* length, byteCount: length)
        }
        target += rowCells &* Int(truncatingIfNeeded: height) &* plane.size
      }
    }
    return Tile(memory)
  }
}

extension RasterFacts {
  /// The facts of a copy of the raster at another resolution.
  fileprivate func level(_ size: BandFacts.Size, blocks: (width: Int32, height: Int32)) -> RasterFacts {
    let columns = Double(width) / Double(size.width)
    let rows = Double(height) / Double(size.height)
    return RasterFacts(
      path: path, driver: driver, width: size.width, height: size.height, georeference: georeference,
      geotransform: geotransform.scaled(columns, rows), controlPointCount: controlPointCount,
      subdatasets: subdatasets, bands: bands.map { $0.inBlocks(blocks.width, blocks.height) }, wkt: wkt)
  }
}

extension Geotransform {
  /// The same georeference for cells of another size, in cells of this grid.
  fileprivate func scaled(_ columns: Double, _ rows: Double) -> Geotransform {
    let g = forward
    return Geotransform(
      forward: [g[0], g[1] * columns, g[2] * rows, g[3], g[4] * columns, g[5] * rows],
      inverse: inverse.map {
        Inverse(
          c0: $0.c0 / columns, cx: $0.cx / columns, cy: $0.cy / columns, r0: $0.r0 / rows, rx: $0.rx / rows,
          ry: $0.ry / rows)
      })
  }
}

extension BandFacts {
  /// The same without overviews, in blocks of another size.
  fileprivate func inBlocks(_ width: Int32, _ height: Int32) -> BandFacts {
    BandFacts(
      type: type, colorRole: colorRole, blockWidth: width, blockHeight: height, overviews: [], nodata: nodata,
      nodataInteger: nodataInteger, scale: scale, offset: offset, unit: unit, description: description,
      categories: categories, colors: colors, table: table, nodataRule: nodataRule, maskSource: maskSource,
      alphaBand: alphaBand)
  }
}
