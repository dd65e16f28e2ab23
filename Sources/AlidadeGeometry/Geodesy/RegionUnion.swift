import AlidadeBase
import AlidadeCoordinates

/// What a buffer is combined from: regions that are united, or shells of which the regions around their boundaries are
/// taken away.
struct BufferPiece {
  var isNegative = false
  /// Each a shell and its holes.
  var interiors: [[EarthRegion]] = []
  var boundary: [EarthRegion] = []

  /// The box on the map within which the piece lies.
  func box(_ frame: RegionFrame?) -> Envelope? {
    var box: Envelope?
    for region in interiors.compactMap(\.first) + (isNegative ? [] : boundary) {
      guard let other = frame.map({ $0.box(region) }) ?? Envelope(around: region.line) else { continue }
      box = box.map { $0.around(other) } ?? other
    }
    return box
  }

  /// The polygons on the map that the piece is the union of, and those that are taken away from it.
  ///
  /// - Parameter frame: nil for a plane that does not repeat itself.
  func place(_ frame: RegionFrame?, _ plane: EarthPlane?) throws(EngineError) -> PlacedPiece {
    let planar = try PlanarRegions(in: box(frame))
    func placed(_ region: EarthRegion) throws(EngineError) -> OpaquePointer {
      if let frame { return try frame.place(region, planar, plane) }
      if region.isComplement, let plane { throw plane.hole() }
      return try planar.valid(try planar.polygon(region.line))
    }
    var around: [[[Point]]] = []
    for region in boundary { around += try planar.polygons(try placed(region)) }
    var shells: [[[Point]]] = []
    for rings in interiors {
      var inside: OpaquePointer?
      for ring in rings where !ring.line.isEmpty {
        let region = try placed(ring)
        inside = try inside.map { (shell) throws(EngineError) in try planar.difference(shell, region) } ?? region
      }
      if let inside { shells += try planar.polygons(inside) }
    }
    return isNegative ? PlacedPiece(polygons: shells, removed: around) : PlacedPiece(polygons: around + shells)
  }
}

/// Polygons on the map, each a shell and its holes.
struct PlacedPiece: Sendable {
  var polygons: [[[Point]]]
  var removed: [[[Point]]] = []
}

/// Unites pieces on the map.
struct RegionUnion {
  let frame: RegionFrame?
  let plane: EarthPlane?
  let isSplit: Bool
  let workers: Workers

  func polygons(_ pieces: [BufferPiece]) throws(EngineError) -> [[[Point]]] {
    let pieces = pieces.filter { $0.box(frame) != nil }
    let placed =
      try workers.map(pieces.count, slice: 16) { (index) throws(EngineError) in
        try pieces[index].place(frame, plane)
      } ?? []
    if placed.count == 1, let only = placed.first, only.polygons.count == 1, only.removed.isEmpty {
      return try split(only.polygons)
    }
    let polygons = try union(placed)
    guard !polygons.isEmpty || pieces.allSatisfy(\.isNegative) else { throw Self.tooSmall }
    return try split(polygons)
  }

  private func union(_ pieces: [PlacedPiece]) throws(EngineError) -> [[[Point]]] {
    let rings = pieces.lazy.flatMap { $0.polygons + $0.removed }.joined()
    let largest = rings.joined().reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) }
    var region = BufferRegion(0, largest: largest, PlanarBufferStyle(), segments: 1)
    for piece in pieces where !piece.removed.isEmpty {
      region.add(polygons: piece.polygons.map(\.oriented), without: piece.removed.map(\.oriented))
    }
    let polygons = pieces.filter(\.removed.isEmpty).flatMap(\.polygons)
    for polygon in HilbertCurve.sorted(polygons, at: { $0.first?.first ?? Point(x: 0, y: 0) }) {
      region.add(rings: polygon.oriented)
    }
    return try region.polygons(workers)
  }

  private static var tooSmall: EngineError {
    EngineError(
      .limitExceeded, "The buffer vanishes in rounding: it is smaller than what coordinates there can tell apart.")
  }

  private func split(_ polygons: [[[Point]]]) throws(EngineError) -> [[[Point]]] {
    guard isSplit, let frame else { return polygons }
    let parts = try workers.map(polygons.count, slice: 16) { (index) throws(EngineError) in
      try frame.split(polygons[index])
    }
    return (parts ?? []).flatMap { $0 }
  }
}
