import AlidadeBase
import AlidadeCoordinates

/// A straight piece of a segment in a raster's grid.
struct GridPiece {
  /// Which segment, and from where to where on it: 0 to 1.
  var segment: Int32
  var kind: Kind
  var start: Double
  var end: Double
  var from: GridPlace
  var to: GridPlace

  enum Kind: Int32 {
    case straight
    /// A piece too short to be divided further, whose ends are far from each other: a seam of the spatial reference.
    case seam
    /// No part of it that was looked at can be projected, or one of its ends cannot and it is too short to be divided.
    case noImage
  }
}

/// Takes segments into a raster's grid. What is straight in the segments' spatial reference is bent there, so segments
/// are divided.
///
/// A piece is left straight when the three points at its quarters lie within 1/16 of a cell of their positions on it. A
/// cubic is farther off anywhere by at most 1.03 times what it is off at the quarters, so 1/8 of a cell is kept with a
/// margin wherever the projection is smooth.
struct GridPath {
  /// In the order of the segments, and along each.
  private(set) var pieces: [GridPiece] = []

  private static let largestError = 1.0 / 16
  /// Pieces of a segment at first, if there are few segments: what a piece's five points cannot see must be short.
  private static let piecesAtFirst = 16
  private static let fewSegments = 4096
  /// A piece that cannot be projected at all is taken to be so everywhere from this length on.
  private static let longestWithoutImage = 1.0 / 64
  /// Pieces are not divided below this part of a segment.
  private static let shortest = 1.0 / 16_777_216

  /// - Parameters:
  ///   - ends: the two ends of each segment, one after the other; finite.
  ///   - source: the spatial reference of the ends; nil means that of the raster.
  ///   - isWrapped: moves each position into the copy of the world that contains the raster, with a seam between the
  ///     copies.
  init(
    _ ends: HeapArray<Point>, in source: SpatialReference?, of raster: Raster, isWrapped: Bool
  ) throws(EngineError) {
    try raster.requirePlaceable()
    let count = ends.buffer.count / 2
    let projector = try raster.projector(from: source)
    let policy = raster.runtime.policy
    func place(of point: Point) -> GridPlace { isWrapped ? raster.place(of: point) : raster.ownPlace(of: point) }
    let isStraight = projector == nil && !(isWrapped && ends.buffer.contains { raster.isInAnotherCopy($0) })
    let few = !isStraight && count <= Self.fewSegments
    let parts = few ? Self.piecesAtFirst : 1
    try Self.check(pieces: count &* parts, policy)
    let nodes = try HeapArray<Point>(count: count &* (parts &+ 1))
    for segment in 0..<count {
      for node in 0...parts {
        nodes.buffer[segment &* (parts &+ 1) &+ node] =
          Self.point(on: ends, segment, Double(node) / Double(parts))
      }
    }
    try projector?.projectCopiesOnAllCores(nodes)
    var open: [GridPiece] = []
    open.reserveCapacity(count &* parts)
    for segment in 0..<count {
      for part in 0..<parts {
        let node = segment &* (parts &+ 1) &+ part
        open.append(
          GridPiece(
            segment: Int32(truncatingIfNeeded: segment), kind: .straight, start: Double(part) / Double(parts),
            end: Double(part &+ 1) / Double(parts), from: place(of: nodes.buffer[node]),
            to: place(of: nodes.buffer[node &+ 1])))
      }
    }
    if isStraight {
      pieces = open
      return
    }
    while !open.isEmpty { open = try divide(open, ends, projector, raster.runtime.policy, place) }
    pieces.sort { ($0.segment, $0.start) < ($1.segment, $1.start) }
  }

  /// Keeps the pieces that may stay straight and returns quarters of the others.
  private mutating func divide(
    _ open: [GridPiece], _ ends: HeapArray<Point>, _ projector: Projector?, _ policy: Policy,
    _ place: (Point) -> GridPlace
  ) throws(EngineError) -> [GridPiece] {
    try Self.check(pieces: pieces.count &+ open.count &* 4, policy)
    let middles = try HeapArray<Point>(count: open.count &* 3)
    for (index, piece) in open.enumerated() {
      for quarter in 0..<3 {
        middles.buffer[index &* 3 &+ quarter] = Self.point(
          on: ends, Int(truncatingIfNeeded: piece.segment), Self.quarter(piece, quarter &+ 1))
      }
    }
    try projector?.projectCopiesOnAllCores(middles)
    var next: [GridPiece] = []
    for (index, piece) in open.enumerated() {
      var places = [piece.from]
      for quarter in 0..<3 { places.append(place(middles.buffer[index &* 3 &+ quarter])) }
      places.append(piece.to)
      if let kind = Self.kind(of: piece, places) {
        var piece = piece
        piece.kind = kind
        pieces.append(piece)
        continue
      }
      for quarter in 0..<4 {
        next.append(
          GridPiece(
            segment: piece.segment, kind: .straight, start: Self.quarter(piece, quarter),
            end: Self.quarter(piece, quarter &+ 1), from: places[quarter], to: places[quarter &+ 1]))
      }
    }
    return next
  }

  /// The kind of a piece by its positions at the quarters; nil if it must be divided.
  private static func kind(of piece: GridPiece, _ places: [GridPlace]) -> GridPiece.Kind? {
    let length = piece.end - piece.start
    let finite = places.count { $0.isFinite }
    if finite == places.count {
      var worst = 0.0
      for quarter in 1...3 {
        let t = Double(quarter) / 4
        let column = piece.from.column + (piece.to.column - piece.from.column) * t
        let row = piece.from.row + (piece.to.row - piece.from.row) * t
        worst = max(worst, (column - places[quarter].column).magnitude, (row - places[quarter].row).magnitude)
      }
      if worst <= largestError { return .straight }
      return length <= shortest ? .seam : nil
    }
    return length <= (finite == 0 ? longestWithoutImage : shortest) ? .noImage : nil
  }

  private static func quarter(_ piece: GridPiece, _ number: Int) -> Double {
    number == 4 ? piece.end : piece.start + (piece.end - piece.start) * (Double(number) / 4)
  }

  private static func point(on ends: HeapArray<Point>, _ segment: Int, _ t: Double) -> Point {
    let a = ends.buffer[segment &* 2]
    let b = ends.buffer[segment &* 2 &+ 1]
    if t == 0 { return a }
    if t == 1 { return b }
    return Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t)
  }

  private static func check(pieces count: Int, _ policy: Policy) throws(EngineError) {
    try policy.check(points: count)
    try policy.check(bytes: count, MemoryLayout<GridPiece>.stride &* 2)
  }
}
