import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The column and row of a tile in a level of a pyramid.
public struct TilePlace: Hashable, Sendable {
  public let level: Int
  public let column: Int32
  public let row: Int32
}

/// The cells of a tile: the planes of its pyramid's plan one after the other, each row by row.
public final class Tile: Sendable {
  let memory: HeapArray<UInt8>

  init(_ memory: HeapArray<UInt8>) { self.memory = memory }

  var byteCount: Int { memory.buffer.count }
}

/// Reads tiles, and may wait for a server meanwhile. Any number of threads may use it.
protocol TileSource: Sendable {
  /// Reads a tile. Call outside of the guard.
  func load(_ place: TilePlace, _ pyramid: TilePyramid) throws(EngineError) -> Tile
}

/// A raster that a server has, in tiles, at several resolutions. Each level is a raster of its own: its grid need not fit
/// the grids of the other levels.
public final class TilePyramid: Sendable {
  /// The facts of each level, the coarsest first. A block of theirs is a tile.
  let levels: [RasterFacts]
  let spatialReference: SpatialReference?
  /// The planes of a tile.
  let plan: PlanePlan
  /// Whether the tiles are pictures for a screen.
  var isOfPictures: Bool { source is RasterService }
  private let source: any TileSource
  private let store = TileStore()

  /// - Parameter levels: not empty.
  init(_ levels: [RasterFacts], _ spatialReference: SpatialReference?, _ source: any TileSource) {
    self.levels = levels
    self.spatialReference = spatialReference
    self.source = source
    plan = PlanePlan(levels[0], bands: Array(levels[0].bands.indices))
  }

  /// Memory for the cells of a tile of a level.
  func emptyTile(_ level: Int, _ policy: Policy) throws(EngineError) -> HeapArray<UInt8> {
    let band = levels[level].bands[0]
    let count = Int(truncatingIfNeeded: band.blockWidth) &* Int(truncatingIfNeeded: band.blockHeight)
    try policy.check(bytes: count, plan.cellSize)
    let memory = try HeapArray<UInt8>(count: count &* plan.cellSize)
    memory.buffer.initialize(repeating: 0)
    return memory
  }

  /// A tile that is there; nil: it would have to be read.
  public func tile(_ place: TilePlace) -> Tile? { store.tile(place) }

  /// Has a tile there that somebody has kept.
  public func keep(_ tile: Tile, at place: TilePlace) { store.put(tile, at: place) }

  /// Reads a tile, and waits for it. Call outside of the guard.
  @discardableResult
  public func load(_ place: TilePlace) throws(EngineError) -> Tile {
    if let known = store.tile(place) { return known }
    let tile = try source.load(place, self)
    store.put(tile, at: place)
    return tile
  }
}

/// Tiles that have been read. The tiles that have not been used for the longest time leave first.
private final class TileStore: Sendable {
  private struct State {
    var tiles: [TilePlace: (tile: Tile, lastUse: UInt64)] = [:]
    var byteCount = 0
    var uses: UInt64 = 0
  }

  private let state = Lock(State())
  private static let most = 128 << 20

  func tile(_ place: TilePlace) -> Tile? {
    state.withLock { state in
      guard let index = state.tiles.index(forKey: place) else { return nil }
      state.uses &+= 1
      state.tiles.values[index].lastUse = state.uses
      return state.tiles.values[index].tile
    }
  }

  func put(_ tile: Tile, at place: TilePlace) {
    let dropped = state.withLock { state -> [Tile] in
      state.uses &+= 1
      var dropped: [Tile] = []
      if let old = state.tiles.updateValue((tile, state.uses), forKey: place) {
        state.byteCount &-= old.tile.byteCount
        dropped.append(old.tile)
      }
      state.byteCount &+= tile.byteCount
      guard state.byteCount > Self.most else { return dropped }
      for (place, entry) in state.tiles.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        // So far down that it takes a while until the next time.
        guard state.byteCount > Self.most / 4 * 3 else { break }
        state.byteCount &-= entry.tile.byteCount
        state.tiles[place] = nil
        dropped.append(entry.tile)
      }
      return dropped
    }
    // Freed with the lock free.
    _ = dropped
  }
}

/// A level of a pyramid, as the cells of its raster.
public struct TileLevel: Sendable {
  public let pyramid: TilePyramid
  public let number: Int

  private var band: BandFacts { pyramid.levels[number].bands[0] }
  private var tilesPerRow: Int { Int(truncatingIfNeeded: (pyramid.levels[number].width &- 1) / band.blockWidth &+ 1) }

  /// A read of more tiles than these is refused: a mistake would keep a server busy for hours.
  private static let mostTiles = 4096

  /// The tile that a block of the level's raster is.
  func place(ofBlock block: Int) -> TilePlace {
    TilePlace(
      level: number, column: Int32(truncatingIfNeeded: block % tilesPerRow),
      row: Int32(truncatingIfNeeded: block / tilesPerRow))
  }

  /// The tile that holds a cell.
  public func place(of cell: CellIndex) -> TilePlace {
    TilePlace(level: number, column: cell.column / band.blockWidth, row: cell.row / band.blockHeight)
  }

  /// A tile, and its neighbours in the grid if cells around its own are wanted.
  public func places(around place: TilePlace, margin: Int32) -> [TilePlace] {
    guard margin > 0 else { return [place] }
    let facts = pyramid.levels[number]
    let last = self.place(of: CellIndex(column: facts.width &- 1, row: facts.height &- 1))
    var places: [TilePlace] = []
    for row in max(0, place.row &- 1)...min(last.row, place.row &+ 1) {
      // Beyond the seam of the world, the neighbour is at the other end.
      for column in [place.column &- 1, place.column, place.column &+ 1] {
        let turned = column < 0 ? last.column : column > last.column ? 0 : column
        places.append(TilePlace(level: number, column: turned, row: row))
      }
    }
    return places
  }

  /// The tiles that a window lies in.
  func places(of window: CellWindow) -> [TilePlace] {
    let first = place(of: CellIndex(column: window.column, row: window.row))
    let last = place(
      of: CellIndex(column: window.column &+ window.width &- 1, row: window.row &+ window.height &- 1))
    var places: [TilePlace] = []
    for row in first.row...last.row {
      for column in first.column...last.column { places.append(TilePlace(level: number, column: column, row: row)) }
    }
    return places
  }

  /// Reads the tiles that are not there, and waits for them. Call outside of the guard.
  func hold(_ places: Set<TilePlace>, _ runtime: Runtime) throws(EngineError) -> HeldTiles {
    guard places.count <= Self.mostTiles else {
      throw EngineError(
        .limitExceeded,
        "The request needs \(places.count) tiles of the service, and \(Self.mostTiles) may be read at once. Ask for a "
          + "smaller part, or read a coarser level.")
    }
    var held = HeldTiles(self)
    var missing: [TilePlace] = []
    for place in places {
      if let tile = pyramid.tile(place) { held.put(tile, at: place) } else { missing.append(place) }
    }
    guard !missing.isEmpty else { return held }
    let (pyramid, wanted) = (pyramid, missing)
    let loaded = Lock<[TilePlace: Tile]>([:])
    try runtime.fetchEach(wanted.count) { (index) throws(EngineError) in
      let tile = try pyramid.load(wanted[index])
      loaded.withLock { $0[wanted[index]] = tile }
    }
    for (place, tile) in loaded.withLock({ $0 }) { held.put(tile, at: place) }
    return held
  }
}

/// The tiles that a read works on. They stay until it ends, whatever has to leave the store meanwhile.
public struct HeldTiles: Sendable {
  public let level: TileLevel
  private var tiles: [TilePlace: Tile] = [:]

  public init(_ level: TileLevel) { self.level = level }

  public var places: some Collection<TilePlace> { tiles.keys }

  public func tile(_ place: TilePlace) -> Tile? { tiles[place] }

  public mutating func put(_ tile: Tile, at place: TilePlace) { tiles[place] = tile }

  /// Copies the cells of a window of a plane.
  ///
  /// - Parameter rowCells: from the beginning of a row of cells in the memory to the next.
  func read(
    _ plane: CellPlane, _ window: CellWindow, into memory: UnsafeMutableRawPointer, rowCells: Int32
  ) throws(EngineError) {
    let plan = level.pyramid.plan
    let band = level.pyramid.levels[level.number].bands[0]
    // At the far end of a grid, a tile may end beyond the numbers of cells.
    let tileWidth = Int(truncatingIfNeeded: band.blockWidth)
    let tileHeight = Int(truncatingIfNeeded: band.blockHeight)
    let first = (column: Int(truncatingIfNeeded: window.column), row: Int(truncatingIfNeeded: window.row))
    let end = (
      column: first.column &+ Int(truncatingIfNeeded: window.width),
      row: first.row &+ Int(truncatingIfNeeded: window.height)
    )
    guard let index = plan.planes.firstIndex(of: plane) else {
      throw EngineError(.internal, "A tile has no plane \(plane.band &+ 1).")
    }
    let cellCount = tileWidth &* tileHeight
    let offset = plan.planes[..<index].reduce(0) { $0 &+ $1.size } &* cellCount
    for place in level.places(of: window) {
      guard let start = tiles[place]?.memory.buffer.baseAddress else {
        throw EngineError(.internal, "A tile was not read before its cells.")
      }
      let tile = UnsafeRawPointer(start) + offset
      let left = Int(truncatingIfNeeded: place.column) &* tileWidth
      let top = Int(truncatingIfNeeded: place.row) &* tileHeight
      let columns = max(left, first.column)..<min(left &+ tileWidth, end.column)
      let length = columns.count &* plane.size
      for row in max(top, first.row)..<min(top &+ tileHeight, end.row) {
        let from = (row &- top) &* tileWidth &+ columns.lowerBound &- left
        let to =
          (row &- first.row) &* Int(truncatingIfNeeded: rowCells) &+ columns.lowerBound &- first.column
        (memory + to &* plane.size).copyMemory(from: tile + from &* plane.size, byteCount: length)
      }
    }
  }
}
