import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// The items of a drawing in columns, and their coordinates as `GeometryColumns` has them: parts, paths, vertices.
///
/// Right to share: written by the drawing that it belongs to, before anybody else gets to know it.
public final class OverlayItems: @unchecked Sendable {
  /// How much there is of everything, or how much of it is written.
  struct Place {
    var item = 0
    var part = 0
    var path = 0
    var vertex = 0

    /// nil if it is more than can be numbered.
    func adding(_ pieces: UnsafeBufferPointer<OverlayPiece>, times count: Int) -> Place? {
      // No product overflows: counts of pieces and worlds are below 2^31.
      var sum = self
      sum.item &+= pieces.count &* count
      for piece in pieces {
        sum.part &+= piece.partCount &* count
        sum.path &+= piece.pathCount &* count
        sum.vertex &+= piece.vertexCount &* count
      }
      return max(sum.item, sum.part, sum.path, sum.vertex) < Int(truncatingIfNeeded: Int32.max) ? sum : nil
    }

    func adding(_ other: Place) -> Place {
      Place(
        item: item &+ other.item, part: part &+ other.part, path: path &+ other.path, vertex: vertex &+ other.vertex)
    }
  }

  public let ids: HeapArray<UInt64>
  public let overlays: HeapArray<UInt32>
  public let symbols: HeapArray<UInt32>
  public let flags: HeapArray<UInt8>
  public let kinds: HeapArray<UInt8>
  /// One more than there are items, parts and paths.
  public let partOffsets: HeapArray<Int32>
  public let pathOffsets: HeapArray<Int32>
  public let vertexOffsets: HeapArray<Int32>
  /// On the screen, in DIP. All are finite.
  public let points: HeapArray<Point>

  public var count: Int { ids.buffer.count }

  init(_ sizes: [Place], _ policy: Policy) throws(EngineError) {
    var total = Place()
    for size in sizes { total = total.adding(size) }
    for count in [total.item, total.part, total.path, total.vertex] { try policy.check(points: count) }
    // Far from an overflow: each count is below 2^31.
    try policy.check(bytes: total.item &* 22 &+ total.part &* 4 &+ total.path &* 4 &+ total.vertex &* 16)
    ids = try HeapArray(count: total.item)
    overlays = try HeapArray(count: total.item)
    symbols = try HeapArray(count: total.item)
    flags = try HeapArray(count: total.item)
    kinds = try HeapArray(count: total.item)
    partOffsets = try HeapArray(count: total.item &+ 1)
    pathOffsets = try HeapArray(count: total.part &+ 1)
    vertexOffsets = try HeapArray(count: total.path &+ 1)
    points = try HeapArray(count: total.vertex)
    partOffsets.buffer[0] = 0
    pathOffsets.buffer[0] = 0
    vertexOffsets.buffer[0] = 0
  }

  /// Writes one item after the other. A value: its offsets and pointers stay in registers.
  struct Writer {
    private(set) var place: Place
    let eye: Eye
    private let overlay: UInt32
    private let ids: UnsafeMutableBufferPointer<UInt64>
    private let overlays: UnsafeMutableBufferPointer<UInt32>
    private let symbols: UnsafeMutableBufferPointer<UInt32>
    private let flags: UnsafeMutableBufferPointer<UInt8>
    private let kinds: UnsafeMutableBufferPointer<UInt8>
    private let partOffsets: UnsafeMutableBufferPointer<Int32>
    private let pathOffsets: UnsafeMutableBufferPointer<Int32>
    private let vertexOffsets: UnsafeMutableBufferPointer<Int32>
    private let points: UnsafeMutableBufferPointer<Point>

    init(_ items: OverlayItems, _ place: Place, overlay: UInt32, eye: Eye) {
      self.place = place
      self.eye = eye
      self.overlay = overlay
      ids = items.ids.buffer
      overlays = items.overlays.buffer
      symbols = items.symbols.buffer
      flags = items.flags.buffer
      kinds = items.kinds.buffer
      partOffsets = items.partOffsets.buffer
      pathOffsets = items.pathOffsets.buffer
      vertexOffsets = items.vertexOffsets.buffer
      points = items.points.buffer
    }

    mutating func write(
      _ piece: OverlayPiece, _ columns: @autoclosure () -> GeometryColumns?, _ shift: Double, id: UInt64,
      symbol: UInt32, flags bits: OverlayItemFlags
    ) {
      ids[place.item] = id
      overlays[place.item] = overlay
      symbols[place.item] = symbol
      flags[place.item] = bits.rawValue
      kinds[place.item] = piece.kind
      let vertices = UnsafeBufferPointer(start: piece.points, count: piece.vertexCount)
      for (index, vertex) in vertices.enumerated() {
        points[place.vertex &+ index] = eye.screenPoint(vertex, shift)
      }
      if piece.partCount == 1, piece.pathCount == 1 {
        endPath(piece.vertexCount)
        endPart()
      } else if let columns = columns() {
        for part in columns.parts(ofGeometry: piece.row) {
          for path in columns.paths(ofPart: part) { endPath(columns.vertices(ofPath: path).count) }
          endPart()
        }
      }
      place.item &+= 1
      partOffsets[place.item] = Int32(truncatingIfNeeded: place.part)
    }

    private mutating func endPath(_ vertexCount: Int) {
      place.vertex &+= vertexCount
      place.path &+= 1
      vertexOffsets[place.path] = Int32(truncatingIfNeeded: place.vertex)
    }

    private mutating func endPart() {
      place.part &+= 1
      pathOffsets[place.part] = Int32(truncatingIfNeeded: place.path)
    }
  }

  static var tooMany: EngineError {
    EngineError(.limitExceeded, "The drawing has more vertices than can be counted.")
  }
}
