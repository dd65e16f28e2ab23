import AlidadeBase
import AlidadeCoordinates

/// What a planar buffer is the union of, as loops: gathered first, united at the end.
///
/// All lengths are scaled by a power of two, so that no square overflows or vanishes.
struct BufferRegion {
  private let sweep: OffsetSweep?
  /// The same for lines, whose distance may be another one on their right.
  private let lineSweep: OffsetSweep?
  /// Negative: polygons shrink.
  private let distance: Double
  /// What lengths are multiplied by.
  private let scale: Double
  private var leaves: [SweepUnion.Leaf] = []
  private var pointCount = 0
  private let policy: Policy

  /// - Parameters:
  ///   - largest: the coordinate that is farthest from 0.
  ///   - segments: of an arc of 90 degrees.
  ///   - policy: bounds the memory that loops take.
  init(_ distance: Double, largest: Double, _ style: PlanarBufferStyle, segments: Int, _ policy: Policy) {
    self.policy = policy
    let greatest = max(largest, distance.magnitude, style.rightDistance ?? 0)
    let exponent = greatest > 0 ? greatest.exponent : 0
    scale = Double(sign: .plus, exponent: min(1000, 0 &- Int(truncatingIfNeeded: exponent)), significand: 1)
    self.distance = distance * scale
    guard distance != 0 else {
      (sweep, lineSweep) = (nil, nil)
      return
    }
    var sweep = OffsetSweep(
      distance: self.distance.magnitude, leftDistance: self.distance.magnitude, join: style.join, cap: style.cap,
      mitreLimit: style.mitreLimit, segments: segments,
      mostPoints: Int(clamping: policy.maxRequestBytes) / SweepUnion.bytesPerPoint)
    self.sweep = sweep
    if let right = style.rightDistance { sweep.distance = right * scale }
    lineSweep = sweep
  }

  var isEmpty: Bool { leaves.isEmpty }

  private func scaled(_ points: some Sequence<Point>) -> [Point] {
    points.map { Point(x: $0.x * scale, y: $0.y * scale) }
  }

  private mutating func add(_ leaf: SweepUnion.Leaf) throws(EngineError) {
    pointCount &+= leaf.pointCount
    try policy.check(bytes: pointCount, MemoryLayout<Point>.stride)
    leaves.append(leaf)
  }

  /// - Parameter marksLeft: marks left sides, for an offset curve.
  mutating func add(
    line: some Sequence<Point>, _ side: PlanarBufferStyle.Side, marksLeft: Bool = false
  ) throws(EngineError) {
    guard let lineSweep else { return }
    let line = scaled(line)
    try policy.check(bytes: line.count, OffsetSweep.bytesPerVertex)
    try add(
      SweepUnion.Leaf(
        loops: lineSweep.line(line, side, marksLeft: marksLeft),
        pieces: {
          lineSweep.pieces(ofLine: line, side, marksLeft: marksLeft).map { SweepUnion.Leaf(loops: $0) }
        }))
  }

  /// - Parameter rings: of valid polygons, closed: each shell counterclockwise, each hole clockwise.
  mutating func add(rings: [[Point]]) throws(EngineError) {
    let rings = rings.map(scaled)
    @Sendable func own() -> [SweepLoop] { rings.map { SweepLoop(points: $0.dropLast()) } }
    guard let sweep else { return try add(SweepUnion.Leaf(loops: own())) }
    if distance > 0 {
      try add(
        SweepUnion.Leaf(
          loops: rings.map(sweep.ring),
          pieces: {
            [SweepUnion.Leaf(loops: own())] + rings.flatMap(sweep.rightOfRing).map { SweepUnion.Leaf(loops: $0) }
          }))
    } else {
      // From inside the rings run the other way.
      let inside = rings.map { Array($0.reversed()) }
      try add(
        SweepUnion.Leaf(
          loops: inside.map { SweepLoop(points: sweep.ring($0).points, weight: -1) },
          pieces: { [SweepUnion.Leaf(loops: own(), removed: inside.flatMap(sweep.rightOfRing))] }))
    }
  }

  /// Polygons, each a shell that runs counterclockwise and holes that run clockwise, less what others cover.
  mutating func add(polygons: [[[Point]]], without removed: [[[Point]]]) throws(EngineError) {
    func loops(_ polygon: [[Point]]) -> [SweepLoop] { polygon.map { SweepLoop(points: scaled($0.dropLast())) } }
    try add(SweepUnion.Leaf(loops: polygons.flatMap(loops), removed: removed.map(loops)))
  }

  /// The buffers of points that are given as polygons.
  mutating func add(_ polygons: CirclePolygons) throws(EngineError) {
    for polygon in 0..<polygons.polygonCount {
      let rings = polygons.polygonOffsets[polygon]..<polygons.polygonOffsets[polygon &+ 1]
      try add(
        SweepUnion.Leaf(
          loops: rings.map {
            let ring = polygons.vertices[polygons.ringOffsets[$0]..<polygons.ringOffsets[$0 &+ 1]]
            return SweepLoop(points: scaled(ring.dropLast()))
          }))
    }
  }

  /// The outline of a ring's buffer, which needs no union; nil if the ring is no star.
  func outline(ofStar ring: UnsafeBufferPointer<Point>) -> [Point]? {
    guard distance > 0, let sweep, sweep.join == .round else { return nil }
    return StarBuffer.outline(of: ring, scale: scale, sweep)
  }

  // MARK: The union

  /// The polygons of the union: shells first, closed.
  func polygons(_ workers: Workers) throws(EngineError) -> [[[Point]]] {
    let union = SweepUnion(leaves, workers: workers, policy: policy)
    return try union.outline().polygons().map { $0.map { unscaled($0, union.grid) } }
  }

  /// The marked stretches of the outline, in its direction.
  func markedLines(_ workers: Workers) throws(EngineError) -> [[Point]] {
    let union = SweepUnion(leaves, workers: workers, policy: policy)
    return try union.outline().marked.map { unscaled($0, union.grid) }
  }

  private func unscaled(_ line: [GridPoint], _ grid: OutlineGrid) -> [Point] {
    line.map {
      let point = grid.point($0)
      return Point(x: point.x / scale, y: point.y / scale)
    }
  }
}

extension GeometryColumns {
  /// The rings of a polygon's parts, closed: shells counterclockwise, holes clockwise.
  func orientedRings(ofGeometry row: Int) -> [[[Point]]] {
    parts(ofGeometry: row).map(orientedRings)
  }

  func orientedRings(ofPart part: Int) -> [[Point]] { rings(ofPart: part).oriented }

  func rings(ofPart part: Int) -> [[Point]] {
    paths(ofPart: part).map { Array(points.buffer[vertices(ofPath: $0)]) }
  }
}

extension [[Point]] {
  /// A polygon's rings, the shell counterclockwise, holes clockwise.
  var oriented: [[Point]] {
    enumerated().map { number, ring in ring.isCounterclockwise == (number == 0) ? ring : ring.reversed() }
  }
}

extension [Point] {
  /// Of a closed ring that does not cross itself: the turn at its lowest corner.
  var isCounterclockwise: Bool {
    guard let first, let low = self.min(by: { ($0.x, $0.y) < ($1.x, $1.y) }) else { return true }
    let ring = first == last ? dropLast() : self[...]
    guard let start = ring.firstIndex(of: low) else { return true }
    let turned = ring[start...] + ring[..<start]
    guard let after = turned.first(where: { $0 != low }), let before = turned.last(where: { $0 != low }) else {
      return true
    }
    let (dx, dy) = (DoubleDouble.sum(after.x, -low.x), DoubleDouble.sum(after.y, -low.y))
    let (ex, ey) = (DoubleDouble.sum(before.x, -low.x), DoubleDouble.sum(before.y, -low.y))
    let cross = dx * ey - dy * ex
    return cross.high > 0
  }
}

extension GeometryBuilder {
  /// Adds polygons to the one that the builder is at.
  func append(polygons: [[[Point]]]) throws(EngineError) {
    for polygon in polygons {
      for ring in polygon {
        _ = try extend(by: ring.count).points.update(fromContentsOf: ring)
        try endPath()
      }
      try endPart()
    }
  }
}
