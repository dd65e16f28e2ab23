import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import Synchronization

/// The cell finders of one frame of a view, one for each raster that many cells are asked of.
final class CellFinders: Sendable {
  private let questions = Atomic<UInt32>(0)
  private let first = LateFinder()

  /// A view that moves from question to question gets by without.
  private static let questionsBefore: UInt32 = 32
  /// Rasters that have a finder, at most.
  private static let capacity = 8

  /// The finder for a raster as a projection reaches it; nil if it has none.
  @inline(__always)
  func finder(
    _ content: RasterContent, _ projection: LayerProjection, _ frame: ViewFrame
  ) throws(EngineError) -> CellFinder? {
    guard questions.load(ordering: .relaxed) >= Self.questionsBefore else {
      questions.add(1, ordering: .relaxed)
      return nil
    }
    if let first = first.load(), first.finds(content, projection) { return first }
    return try later(content, projection, frame)
  }

  /// A finder behind the first, or a new one.
  private func later(
    _ content: RasterContent, _ projection: LayerProjection, _ frame: ViewFrame
  ) throws(EngineError) -> CellFinder? {
    guard !projection.toLayer.isIdentity, !projection.toLayer.isPiecewise, let tiles = CellFinder.tiles(frame) else {
      return nil
    }
    guard var last = first.load() else {
      return first.storeIfNil(try CellFinder(content, projection, tiles)).finder(content, projection)
    }
    for _ in 1..<Self.capacity {
      if last.finds(content, projection) { return last }
      guard let next = last.next.load() else {
        return last.next.storeIfNil(try CellFinder(content, projection, tiles)).finder(content, projection)
      }
      last = next
    }
    return last.finder(content, projection)
  }
}

/// A finder that is set once. Synchronization's AtomicLazyReference, which does the same, looks for its own type each time
/// that it is read.
///
/// Right: it holds a reference to what its address is of.
private struct LateFinder: ~Copyable, Sendable {
  /// 0: not set.
  private let address = Atomic<UInt>(0)

  deinit { Self.finder(address.load(ordering: .relaxed))?.release() }

  func load() -> CellFinder? { Self.finder(address.load(ordering: .acquiring))?.takeUnretainedValue() }

  /// Sets it, unless another thread was faster; returns what is set.
  func storeIfNil(_ finder: CellFinder) -> CellFinder {
    let own = Unmanaged.passRetained(finder)
    let (isMine, known) = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: own.toOpaque()), ordering: .acquiringAndReleasing)
    if isMine { return finder }
    own.release()
    return Self.finder(known)?.takeUnretainedValue() ?? finder
  }

  // Right: nothing else than 0 and what `passRetained` returned is stored.
  private static func finder(_ address: UInt) -> Unmanaged<CellFinder>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}

/// Finds the cells of a raster under single points of the screen, in a view that stays as it is: where many are asked for,
/// most are found on a `GridSurface` over a tile of the screen, which takes a tenth of the time of projecting.
///
/// Right to share: a tile is written by one thread before its state says that it is there.
final class CellFinder: @unchecked Sendable {
  /// The finder for another raster.
  fileprivate let next = LateFinder()
  private let content: UInt64
  private let projection: UInt64
  private let columns: Int
  /// For each tile how many points were asked for, or one of `States`.
  private let states: HeapArray<UInt8>
  private let surfaces: HeapArray<GridSurface>

  private enum States {
    /// As many points cost as much as the surface.
    static let worthIt: UInt8 = 10
    static let isThere: UInt8 = 254
    /// Not smooth, or being made.
    static let none: UInt8 = 255
  }

  /// The sides of a tile, in DIP.
  private static let side = 64.0
  private static let mostTiles = 4096.0

  /// The tiles of a frame; nil if there are too many.
  static func tiles(_ frame: ViewFrame) -> (columns: Int, rows: Int)? {
    let (columns, rows) = ((frame.width / side).rounded(.up), (frame.height / side).rounded(.up))
    guard columns * rows <= mostTiles, let columns = Int(exactly: columns), let rows = Int(exactly: rows) else {
      return nil
    }
    return (columns, rows)
  }

  init(
    _ content: RasterContent, _ projection: LayerProjection, _ tiles: (columns: Int, rows: Int)
  ) throws(EngineError) {
    (self.content, self.projection) = (content.identity, projection.identity)
    columns = tiles.columns
    states = try HeapArray(count: tiles.columns &* tiles.rows, repeating: 0)
    surfaces = try HeapArray(count: tiles.columns &* tiles.rows)
  }

  @inline(__always)
  func finds(_ content: RasterContent, _ projection: LayerProjection) -> Bool {
    self.content == content.identity && self.projection == projection.identity
  }

  /// This one, if it is the one for a raster.
  func finder(_ content: RasterContent, _ projection: LayerProjection) -> CellFinder? {
    finds(content, projection) ? self : nil
  }

  /// The cell at a point of the screen; nil if the point has to be projected.
  @inline(__always)
  func cell(
    at screen: Point, _ content: RasterContent, _ projection: LayerProjection, _ frame: ViewFrame
  ) -> CellIndex? {
    guard screen.x >= 0, screen.y >= 0, screen.x < frame.width, screen.y < frame.height else { return nil }
    let (column, row) = ((screen.x / Self.side).fastFloor, (screen.y / Self.side).fastFloor)
    let (left, top) = (Double(column) * Self.side, Double(row) * Self.side)
    let tile = Int(truncatingIfNeeded: row) &* columns &+ Int(truncatingIfNeeded: column)
    guard let start = states.buffer.baseAddress, let surface = surfaces.buffer.baseAddress else { return nil }
    // An Atomic<UInt8> has the layout of an UInt8 and needs no initialising of its own.
    let state = UnsafeMutableRawPointer(start + tile).assumingMemoryBound(to: Atomic<UInt8>.self)
    let known = state.pointee.load(ordering: .acquiring)
    guard known == States.isThere else {
      guard known != States.none else { return nil }
      let wanted = known < States.worthIt ? known &+ 1 : States.none
      let isMine = state.pointee.compareExchange(expected: known, desired: wanted, ordering: .relaxed).exchanged
      guard isMine, wanted == States.none,
        let made = Self.surface(left, top, SightedGrid(content.raster, frame, projection.toLayer, nil))
      else { return nil }
      (surface + tile).initialize(to: made)
      state.pointee.store(States.isThere, ordering: .releasing)
      return nil
    }
    let facts = content.raster.facts
    return surface[tile].cell(
      screen.x - left, screen.y - top, of: BandFacts.Size(width: facts.width, height: facts.height))
  }

  /// The surface over a tile; nil if it is not smooth, or could not be found.
  private static func surface(_ left: Double, _ top: Double, _ grid: SightedGrid) -> GridSurface? {
    let nodes: GridSurface.Nodes = [0, side / 4, side / 2, side * 3 / 4, side]
    do throws(EngineError) {
      let points = try HeapArray<Point>(count: GridSurface.nodeCount)
      let surface = try GridSurface(grid, nodes, nodes, points.buffer) { Point(x: left + $0, y: top + $1) }
      return surface.flatMap { $0.error <= GridSurface.largestError ? $0 : nil }
    } catch {
      // The point that was asked for may well have a cell.
      return nil
    }
  }
}
