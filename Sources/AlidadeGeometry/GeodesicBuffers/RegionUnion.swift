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

/// Unites pieces by space, on all cores: those whose boxes are apart have nothing to do with each other.
struct RegionUnion {
  let frame: RegionFrame?
  let plane: EarthPlane?
  let isSplit: Bool
  let workers: Workers
  let policy: Policy

  func polygons(_ pieces: [BufferPiece]) throws(EngineError) -> [[[Point]]] {
    let boxed = pieces.compactMap { piece in piece.box(frame).map { (piece: piece, box: $0) } }
    let placed =
      try workers.map(boxed.count, slice: 16) { (index) throws(EngineError) in
        try boxed[index].piece.place(frame, plane)
      } ?? []
    let groups = BoxGroups(boxed.map(\.box)).groups
    let united = try workers.map(groups.count, slice: 16) { (number) throws(EngineError) in
      try split(union(groups[number].map { placed[$0] }))
    }
    let polygons = (united ?? []).flatMap { $0 }
    guard !polygons.isEmpty || pieces.allSatisfy(\.isNegative) else { throw Self.tooSmall }
    return polygons
  }

  private func union(_ pieces: [PlacedPiece]) throws(EngineError) -> [[[Point]]] {
    if pieces.count == 1, let only = pieces.first, only.polygons.count == 1, only.removed.isEmpty {
      return only.polygons
    }
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
    return try region.polygons(workers, policy)
  }

  private static var tooSmall: EngineError {
    EngineError(
      .limitExceeded, "The buffer vanishes in rounding: it is smaller than what coordinates there can tell apart.")
  }

  private func split(_ polygons: [[[Point]]]) throws(EngineError) -> [[[Point]]] {
    guard isSplit, let frame else { return polygons }
    var parts: [[[Point]]] = []
    for polygon in polygons { parts += try frame.split(polygon) }
    return parts
  }
}

/// Boxes that hang together: no box of a group touches one of another. Groups may be larger than they need be.
struct BoxGroups {
  /// In the order of their first boxes; within a group from west to east.
  private(set) var groups: [[Int]] = []

  /// What is active in a row of the map while a line sweeps it from west to east.
  private struct Entry {
    var low: Double
    var high: Double
    var east: Double
    var box: Int
  }

  init(_ boxes: [Envelope]) {
    guard boxes.count > 1, let south = boxes.map(\.yMin).min(), let north = boxes.map(\.yMax).max() else {
      groups = boxes.isEmpty ? [] : [[0]]
      return
    }
    // Rows as high as boxes are on average, so that a box is in few of them.
    let mean = boxes.reduce(0) { $0 + ($1.yMax - $1.yMin) } / Double(boxes.count)
    let height = max(mean, (north - south) / 4096, .leastNormalMagnitude)
    var rows = [[Entry]](repeating: [], count: 4098)
    func row(_ y: Double) -> Int { Int(exactly: min(4097, max(0, ((y - south) / height).rounded(.down)))) ?? 0 }
    var parents = Array(boxes.indices)
    func root(_ box: Int) -> Int {
      var box = box
      while parents[box] != box {
        parents[box] = parents[parents[box]]
        box = parents[box]
      }
      return box
    }
    let order = boxes.indices.sorted { boxes[$0].xMin < boxes[$1].xMin }
    for index in order {
      let box = boxes[index]
      for number in row(box.yMin)...max(row(box.yMin), row(box.yMax)) {
        var entry = Entry(low: box.yMin, high: box.yMax, east: box.xMax, box: index)
        // Entries of a row that touch become one, so that boxes in one place stay few.
        rows[number].removeAll { other in
          if other.east < box.xMin { return true }
          guard other.low <= entry.high, other.high >= entry.low else { return false }
          parents[root(other.box)] = root(index)
          entry.low = min(entry.low, other.low)
          entry.high = max(entry.high, other.high)
          entry.east = max(entry.east, other.east)
          return true
        }
        rows[number].append(entry)
      }
    }
    var numbers: [Int: Int] = [:]
    for index in boxes.indices {
      let root = root(index)
      if numbers[root] == nil {
        numbers[root] = groups.count
        groups.append([])
      }
    }
    for index in order {
      if let number = numbers[root(index)] { groups[number].append(index) }
    }
  }
}
