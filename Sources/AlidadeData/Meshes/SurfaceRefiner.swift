import AlidadeBase
import AlidadeCoordinates

/// Splits triangles until they follow a surface.
///
/// A triangle is split in the middle of its longest edge, together with the triangle on the other side of the edge; if
/// that edge is not the longest of that one, that one is split first. So no vertex ever lies on an edge, and angles stay
/// wide. M.-C. Rivara, New longest-edge algorithms for the refinement and/or improvement of unstructured triangulations,
/// International Journal for Numerical Methods in Engineering 40 (1997).
struct SurfaceRefiner {
  /// The positions of the vertices.
  private(set) var positions: [SIMD2<Double>]
  /// Positions along and across a line, 0 elsewhere.
  private(set) var textures: [SIMD2<Double>]
  private(set) var heights: [Double]
  /// Three corners for each triangle, counter-clockwise. Edge i runs from corner i to the next.
  private(set) var corners: [UInt32]
  /// For each edge, the edge of the triangle on its other side, which runs the other way; -1: none.
  private var twins: [Int32]
  /// For each triangle how far it is off the surface, in metres. NaN: it is not on the surface.
  private(set) var deviations: [Double]
  private var isWaiting: [Bool] = []
  private var waiting: [Int] = []

  private var field: HeightField?
  private var bend: MapBend
  /// The largest deviation, in metres.
  private let limit: Double
  private var metresPerHeight = 1.0

  /// The smallest edge of a triangle that is partly on the surface, in cells.
  private static let gapEdge = 0.5
  /// Shorter edges are not split, whatever the deviation: the ends are nearly the same number.
  private static let shortestEdge = 1e-6

  /// - Parameters:
  ///   - bend: for lengths.
  ///   - limit: infinite: nothing is split.
  init(
    positions: [SIMD2<Double>], textures: [SIMD2<Double>], heights: [Double], corners: [UInt32], bend: MapBend,
    limit: Double
  ) {
    self.positions = positions
    self.textures = textures
    self.heights = heights
    self.corners = corners
    self.bend = bend
    self.limit = limit
    deviations = Array(repeating: 0, count: corners.count / 3)
    twins = Self.twins(of: corners, vertexCount: positions.count)
  }

  /// Edges that run between the same vertices in opposite directions are twins.
  static func twins(of corners: [UInt32], vertexCount: Int) -> [Int32] {
    var twins: [Int32] = Array(repeating: -1, count: corners.count)
    // The edges that begin at a vertex and have no twin yet, linked.
    var first: [Int32] = Array(repeating: -1, count: vertexCount)
    var next: [Int32] = Array(repeating: -1, count: corners.count)
    for edge in corners.indices {
      let (from, to) = (corners[edge], corners[Self.following(edge)])
      var before: Int32 = -1
      var other = first[at: to]
      while other >= 0, corners[Self.following(Int(truncatingIfNeeded: other))] != from {
        before = other
        other = next[at: other]
      }
      let number = Int32(truncatingIfNeeded: edge)
      if other >= 0 {
        (twins[edge], twins[at: other]) = (other, number)
        if before >= 0 { next[at: before] = next[at: other] } else { first[at: to] = next[at: other] }
      } else {
        next[edge] = first[at: from]
        first[at: from] = number
      }
    }
    return twins
  }

  @inline(__always)
  private static func following(_ edge: Int) -> Int { edge % 3 == 2 ? edge &- 2 : edge &+ 1 }

  @inline(__always)
  private static func preceding(_ edge: Int) -> Int { edge % 3 == 0 ? edge &+ 2 : edge &- 1 }

  private func ends(_ edge: Int) -> (from: UInt32, to: UInt32) { (corners[edge], corners[Self.following(edge)]) }

  /// The edges on the borders, with the surface on their left: ring by ring, each in order.
  func borders() -> [[(from: UInt32, to: UInt32)]] {
    func isOnBorder(_ edge: Int) -> Bool {
      !deviations[edge / 3].isNaN && (twins[edge] < 0 || deviations[Int(truncatingIfNeeded: twins[edge]) / 3].isNaN)
    }
    let edges = corners.indices.filter(isOnBorder)
    var outgoing: [UInt32: [Int]] = [:]
    for edge in edges { outgoing[corners[edge], default: []].append(edge) }
    var rings: [[(from: UInt32, to: UInt32)]] = []
    for edge in edges {
      var ring: [(from: UInt32, to: UInt32)] = []
      var vertex = corners[edge]
      while let next = outgoing[vertex]?.popLast() {
        ring.append(ends(next))
        vertex = ends(next).to
      }
      if !ring.isEmpty { rings.append(ring) }
    }
    return rings
  }

  // MARK: The border

  /// Splits edges of the border until their images are nearly straight: a quarter, the middle and three quarters of an
  /// edge's image are within `tolerance`, in metres, of the images of these points.
  ///
  /// - Parameters:
  ///   - sources: the vertices before they were projected to `positions`.
  ///   - world: after how much the positions begin anew; nil: they do not.
  ///   - project: finds the positions of such points.
  mutating func bendBorder(
    sources: inout [Point], tolerance: Double, world: WorldStep?,
    project: ([Point]) throws(EngineError) -> [SIMD2<Double>]
  ) throws(EngineError) {
    let parts = [0.25, 0.5, 0.75]
    var edges = corners.indices.filter { twins[$0] < 0 }
    for _ in 0..<32 where !edges.isEmpty {
      try TimeLimit.check()
      let points = edges.flatMap { edge in
        let (a, b) = ends(edge)
        let (p, q) = (sources[at: a], sources[at: b])
        return parts.map { Point(x: p.x + (q.x - p.x) * $0, y: p.y + (q.y - p.y) * $0) }
      }
      let images = try project(points)
      var next: [Int] = []
      // A triangle is split at one edge in a round: its other edges get other numbers then.
      var halves: [Int: (edge: Int, half: Int)] = [:]
      for (number, edge) in edges.enumerated() {
        let (a, b) = ends(edge)
        let off = parts.indices.map { index -> SIMD2<Double> in
          let straight = positions[at: a] + (positions[at: b] - positions[at: a]) * parts[index]
          let off = images[number &* 3 &+ index] - straight
          return world.map { off - $0.whole(off) } ?? off
        }
        // A NaN is not split either.
        guard off.contains(where: { bend.length($0) > tolerance }), off[1].x.isFinite, off[1].y.isFinite else {
          continue
        }
        if let done = halves[edge / 3] {
          next.append(edge == Self.following(done.edge) ? done.half &+ 1 : edge)
          continue
        }
        let vertex = append((positions[at: a] + positions[at: b]) / 2 + off[1], between: a, b)
        sources.append(points[number &* 3 &+ 1])
        // The last of the two triangles begins with the second half of the edge.
        let half = split(edge, at: vertex).last.map { $0 &* 3 } ?? edge
        halves[edge / 3] = (edge, half)
        next.append(edge)
        next.append(half)
      }
      edges = next
    }
  }

  // MARK: Splitting

  /// Splits until no triangle is farther off than the limit.
  ///
  /// - Parameters:
  ///   - field: the surface; nil: the triangles as they are, straight in `heights`.
  ///   - bend: of a box that contains all positions.
  ///   - metresPerHeight: positive.
  mutating func refine(
    onto field: HeightField?, _ bend: MapBend, metresPerHeight: Double, _ policy: Policy
  ) throws(EngineError) {
    (self.field, self.bend, self.metresPerHeight) = (field, bend, metresPerHeight)
    if let field { heights = positions.map { field.height($0) } }
    waiting = Array(0..<(corners.count / 3))
    isWaiting = Array(repeating: true, count: waiting.count)
    var steps = 0
    while let triangle = waiting.popLast() {
      isWaiting[triangle] = false
      steps &+= 1
      if steps & 255 == 0 {
        try TimeLimit.check()
        if steps & 4095 == 0 { try Interest.check() }
        // Positions, textures and heights; corners, twins, deviations.
        try policy.check(points: positions.count)
        try policy.check(bytes: positions.count &* 40 &+ corners.count &* 8 &+ deviations.count &* 17)
      }
      if !isDone(triangle) { splitLongest(triangle) }
    }
  }

  /// Measures a triangle; false: it is to be split.
  private mutating func isDone(_ triangle: Int) -> Bool {
    let (a, b, c) = (vertex(triangle, 0), vertex(triangle, 1), vertex(triangle, 2))
    let sides = [b - a, c - b, a - c].map { SIMD2($0.x, $0.y) }
    let longest = sides.reduce(0) { max($0, ($1 * $1).sum()) }.squareRoot()
    var off = bend.deviation(sides, rise: (max(a.z, b.z, c.z) - min(a.z, b.z, c.z)) * metresPerHeight)
    if let field {
      let found = field.deviation(a, b, c, limit: limit / metresPerHeight)
      if found.hasGap {
        deviations[triangle] = .nan
        return !found.hasSurface || !(longest > Self.gapEdge)
      }
      off += found.largest * metresPerHeight
    }
    deviations[triangle] = off
    return !(off > limit) || !(longest > Self.shortestEdge)
  }

  private func vertex(_ triangle: Int, _ corner: Int) -> SIMD3<Double> {
    let index = Int(truncatingIfNeeded: corners[triangle &* 3 &+ corner])
    return SIMD3(positions[index], heights[index])
  }

  private mutating func splitLongest(_ triangle: Int) {
    // Each step leads to a longer edge, so this ends.
    var isSplit = false
    while !isSplit {
      var edge = longestEdge(triangle)
      while twins[edge] >= 0 {
        let other = longestEdge(Int(truncatingIfNeeded: twins[edge]) / 3)
        if other == Int(truncatingIfNeeded: twins[edge]) { break }
        edge = other
      }
      let (a, b) = ends(edge)
      let changed = split(edge, at: append((positions[at: a] + positions[at: b]) / 2, between: a, b))
      for number in changed where !isWaiting[number] {
        isWaiting[number] = true
        waiting.append(number)
      }
      isSplit = changed.contains(triangle)
    }
  }

  /// By length, then by the ends, so that the triangles on both sides agree.
  private func longestEdge(_ triangle: Int) -> Int {
    var longest = triangle &* 3
    var best = key(longest)
    for edge in (triangle &* 3 &+ 1)...(triangle &* 3 &+ 2) {
      let other = key(edge)
      if other > best { (longest, best) = (edge, other) }
    }
    return longest
  }

  private func key(_ edge: Int) -> (Double, UInt32, UInt32) {
    let (a, b) = ends(edge)
    let length = bend.squaredLength(positions[at: a] - positions[at: b])
    return (length, min(a, b), max(a, b))
  }

  private mutating func append(_ position: SIMD2<Double>, between a: UInt32, _ b: UInt32) -> UInt32 {
    positions.append(position)
    textures.append((textures[at: a] + textures[at: b]) / 2)
    heights.append(field?.height(position) ?? (heights[at: a] + heights[at: b]) / 2)
    return UInt32(truncatingIfNeeded: positions.count &- 1)
  }

  /// Splits an edge, and the triangles on its sides.
  ///
  /// - Returns: the changed triangles; the last one begins with the edge's second half.
  private mutating func split(_ edge: Int, at middle: UInt32) -> [Int] {
    let twin = Int(truncatingIfNeeded: twins[edge])
    let left = halve(edge, at: middle)
    guard twin >= 0 else { return [edge / 3, left / 3] }
    let right = halve(twin, at: middle)
    // Each half of the edge runs against the other half of the twin.
    connect(edge, right)
    connect(twin, left)
    return [edge / 3, twin / 3, right / 3, left / 3]
  }

  /// Splits a triangle at an edge, which keeps its first half.
  ///
  /// - Returns: the edge's second half, the first edge of a new triangle.
  private mutating func halve(_ edge: Int, at middle: UInt32) -> Int {
    let (following, preceding) = (Self.following(edge), Self.preceding(edge))
    let (end, apex) = (corners[following], corners[preceding])
    let half = corners.count
    corners.append(middle)
    corners.append(end)
    corners.append(apex)
    twins.append(-1)
    twins.append(-1)
    twins.append(-1)
    deviations.append(0)
    if !isWaiting.isEmpty { isWaiting.append(false) }
    // The old triangle keeps its first corner and its apex.
    let outside = Int(truncatingIfNeeded: twins[following])
    corners[following] = middle
    if outside >= 0 { connect(half &+ 1, outside) } else { twins[half &+ 1] = -1 }
    connect(following, half &+ 2)
    twins[edge] = -1
    return half
  }

  private mutating func connect(_ a: Int, _ b: Int) {
    twins[a] = Int32(truncatingIfNeeded: b)
    twins[b] = Int32(truncatingIfNeeded: a)
  }
}

/// How a map from positions in a plane into space bends.
///
/// The second derivatives, measured over the box of the positions at 9 x 9 points, say how far a straight triangle is off
/// the image of its area, if the map is a polynomial of degree two over the triangle.
struct MapBend: Sendable {
  /// Metres per unit of a position, at most, along x and along y.
  private var scale = SIMD2<Double>(1, 1)
  private var alongX = Bend()
  private var alongY = Bend()
  private var mixed = Bend()
  /// How much up turns per metre, in radians.
  private var turn = 0.0

  /// A second derivative in metres per squared unit: its mean over the box, and how far it is from that, at most.
  private struct Bend {
    var mean = SIMD3<Double>.zero
    var spread = 0.0

    init() {}

    /// - Parameters:
    ///   - differences: second differences, which are `area` times the derivative.
    ///   - width: how many lie side by side.
    init(_ differences: [SIMD3<Double>], width: Int, area: Double) {
      let finite = differences.filter { MapBend.length($0).isFinite }
      guard area > 0, let first = finite.first else { return }
      // Rounding alone bends a straight map by less.
      guard finite.contains(where: { MapBend.length($0) > 1e-7 }) else { return }
      mean = finite.dropFirst().reduce(first, +) / (Double(finite.count) * area)
      for difference in finite { spread = max(spread, MapBend.length(difference / area - mean)) }
      // They lie a step inside the box: to its border, they change by as much again as between two of them.
      var step = 0.0
      for index in differences.indices {
        let left = index % width > 0 ? MapBend.length(differences[index] - differences[index &- 1]) : 0
        let above = index >= width ? MapBend.length(differences[index] - differences[index &- width]) : 0
        if left.isFinite { step = max(step, left) }
        if above.isFinite { step = max(step, above) }
      }
      spread += step / area
    }

    var isZero: Bool { mean == .zero && spread == 0 }
  }

  /// A plane, in which a unit has so many metres.
  init(metresPerUnit: SIMD2<Double>) { scale = metresPerUnit }

  static let side = 9

  /// - Parameters:
  ///   - images: of 9 x 9 positions, `step` apart, in metres; NaN where there is none.
  ///   - turn: how much up turns per metre.
  init(_ images: [SIMD3<Double>], step: SIMD2<Double>, turn: Double) {
    self.turn = turn
    scale = .zero
    func image(_ x: Int, _ y: Int) -> SIMD3<Double> { images[y &* Self.side &+ x] }
    var (ofX, ofY, ofBoth): ([SIMD3<Double>], [SIMD3<Double>], [SIMD3<Double>]) = ([], [], [])
    for y in 0..<Self.side {
      for x in 0..<Self.side {
        let here = image(x, y)
        if x > 0, step.x > 0 { scale.x = max(scale.x, Self.length(here - image(x &- 1, y)) / step.x) }
        if y > 0, step.y > 0 { scale.y = max(scale.y, Self.length(here - image(x, y &- 1)) / step.y) }
        if x > 1 { ofX.append(here - image(x &- 1, y) * 2 + image(x &- 2, y)) }
        if y > 1 { ofY.append(here - image(x, y &- 1) * 2 + image(x, y &- 2)) }
        if x > 0, y > 0 { ofBoth.append(here - image(x &- 1, y) - image(x, y &- 1) + image(x &- 1, y &- 1)) }
      }
    }
    // A box without a width, of a line, has no lengths across it: those along it stand for them.
    let largest = max(scale.x, scale.y)
    if !(scale.x > 0) { scale.x = largest > 0 ? largest : 1 }
    if !(scale.y > 0) { scale.y = largest > 0 ? largest : 1 }
    alongX = Bend(ofX, width: Self.side &- 2, area: step.x * step.x)
    alongY = Bend(ofY, width: Self.side, area: step.y * step.y)
    mixed = Bend(ofBoth, width: Self.side &- 1, area: step.x * step.y)
  }

  fileprivate static func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

  /// Whether straight triangles are never off.
  var isStraight: Bool { alongX.isZero && alongY.isZero && mixed.isZero && turn == 0 }

  /// In metres.
  func squaredLength(_ side: SIMD2<Double>) -> Double { (side * scale * side * scale).sum() }

  func length(_ side: SIMD2<Double>) -> Double { squaredLength(side).squareRoot() }

  /// How far a triangle is off, at most: at the middle of a side by an eighth of the second derivative along it, inside
  /// by at most 4/3 of the largest of these.
  ///
  /// - Parameter rise: the difference between the highest and the lowest corner, in metres.
  func deviation(_ sides: [SIMD2<Double>], rise: Double) -> Double {
    var largest = 0.0
    for side in sides {
      let (xx, yy, xy) = (side.x * side.x, side.y * side.y, 2 * side.x * side.y)
      let bend =
        Self.length(alongX.mean * xx + alongY.mean * yy + mixed.mean * xy)
        + alongX.spread * xx + alongY.spread * yy + mixed.spread * xy.magnitude
      largest = max(largest, bend / 8 + rise * turn * length(side) / 4)
    }
    return largest * 4 / 3
  }
}
