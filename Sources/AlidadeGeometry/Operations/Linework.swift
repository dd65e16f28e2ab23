import AlidadeBase
import AlidadeCoordinates

/// The segments of a polyline or polygon, to be related to the segments of another one without rounding, so that a
/// point on a line is distinguished from a point next to it.
struct Linework: Sendable {
  fileprivate struct Segment {
    var from: Point
    var to: Point

    /// The axis along which the segment is longer.
    var isSteep: Bool { abs(to.y - from.y) > abs(to.x - from.x) }
    func along(_ point: Point) -> Double { isSteep ? point.y : point.x }

    var span: ClosedRange<Double> { min(along(from), along(to))...max(along(from), along(to)) }

    var box: GridBox { GridBox(GridEdge(from: Linework.key(from), to: Linework.key(to))) }

    func turn(_ point: Point) -> Int { ExactTurn.sign(from, to, point) }

    /// Whether a point of the segment's line lies on the segment.
    func holds(_ point: Point) -> Bool { span.contains(along(point)) && box.meets(GridBox(Linework.key(point))) }
  }

  /// Of a polygon; its interior lies to the left of its segments.
  private let isRegion: Bool
  private var segments: [Segment] = []
  /// The segments that end at no hub, and boxes around them.
  private var loose: [Int] = []
  private var tree = GridTree([])
  /// Vertices at which many segments end, and boxes around these segments.
  private var hubs: [Hub] = []
  private var hubNumbers: [SIMD2<Double>: Int] = [:]
  private var hubTree = GridTree([])
  /// The hub that finds a segment; -1: `tree` does.
  private var owners: [Int32] = []
  /// Where an odd number of lines ends.
  private var boundary: Set<SIMD2<Double>> = []
  /// A vertex whose products with others no double holds.
  private var tiny: Point?

  init(_ columns: GeometryColumns, _ row: Int) {
    isRegion = columns.kind(row) == .polygon
    for part in columns.parts(ofGeometry: row) {
      for (number, path) in columns.paths(ofPart: part).enumerated() {
        let points = columns.points.buffer[columns.vertices(ofPath: path)]
        guard let first = points.first, let last = points.last else { continue }
        tiny = tiny ?? points.first { ExactTurn.isTooSmall($0.x) || ExactTurn.isTooSmall($0.y) }
        var line = zip(points, points.dropFirst()).filter { $0 != $1 }.map { Segment(from: $0, to: $1) }
        if isRegion, Self.isCounterclockwise(line) != (number == 0) {
          line = line.reversed().map { Segment(from: $0.to, to: $0.from) }
        }
        segments += line
        // The ends of a ring coincide and cancel each other.
        for end in [first, last] {
          let place = Self.place(end)
          if boundary.remove(place) == nil { boundary.insert(place) }
        }
      }
    }
    loose = Array(segments.indices)
    tree = GridTree(segments.map(\.box))
    if tiny == nil { gather(at: Self.crowded(segments)) }
  }

  /// Whether a ring that does not touch itself turns left at its lowest vertex.
  private static func isCounterclockwise(_ ring: [Segment]) -> Bool {
    guard
      let lowest = ring.indices.min(by: { (ring[$0].from.y, ring[$0].from.x) < (ring[$1].from.y, ring[$1].from.x) })
    else { return true }
    return ring[lowest == 0 ? ring.count &- 1 : lowest &- 1].turn(ring[lowest].to) > 0
  }

  /// -0 is 0.
  private static func place(_ point: Point) -> SIMD2<Double> { SIMD2(point.x + 0, point.y + 0) }

  /// Integers in the order of doubles.
  fileprivate static func key(_ point: Point) -> GridPoint { GridPoint(x: key(point.x), y: key(point.y)) }
  private static func key(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: (value + 0).bitPattern)
    return bits >= 0 ? bits : Int64.min &- bits
  }

  // MARK: Relations

  /// What two polylines, or the outlines of polygons, share.
  private struct Shared {
    /// The matrix: rows and columns interior, boundary, exterior.
    var matrix: [[UInt8]] = [[F, F, F], [F, F, F], [F, F, UInt8(ascii: "2")]]
    /// Ends of the first line that lie on the second, and ends of the second that lie on the first.
    var ends: (Set<SIMD2<Double>>, Set<SIMD2<Double>>) = ([], [])
    /// What is covered of each segment, along it.
    var covered: ([[ClosedRange<Double>]], [[ClosedRange<Double>]])
    var coveredCount = 0
    /// Whether they share stretches that lead the same way, and the opposite way.
    var ways = (same: false, opposite: false)
  }

  private static let F = UInt8(ascii: "F")
  private static let zero = UInt8(ascii: "0")
  private static let one = UInt8(ascii: "1")
  private static let two = UInt8(ascii: "2")

  /// The DE-9IM matrix with another polyline or polygon; neither may be empty.
  ///
  /// - Parameter policy: bounds the memory that stretches in common take.
  func relate(to other: Linework, _ policy: Policy) throws(EngineError) -> String {
    if let point = tiny ?? other.tiny {
      throw EngineError(
        .invalidArgument,
        "The geometries cannot be related: a coordinate of (\(NumberText.shortest(point.x)), "
          + "\(NumberText.shortest(point.y))) is not 0 and below 1e-100 in size; make it 0.")
    }
    // Both have the same hubs where they touch: a hub of either that lies on the other is a hub of the other, too.
    return try gathered(for: other).matrix(with: other.gathered(for: self), policy)
  }

  private func matrix(with other: Linework, _ policy: Policy) throws(EngineError) -> String {
    let shared = try share(with: other, policy)
    var matrix = shared.matrix
    switch (isRegion, other.isRegion) {
    case (false, false): break
    case (false, true): matrix = try Self.matrix(shared.matrix, of: self, in: other)
    case (true, false):
      let lines = try Self.matrix(Self.transposed(shared.matrix), of: other, in: self)
      matrix = Self.transposed(lines)
    case (true, true):
      let (mine, others) = (try other.sides(of: self), try sides(of: other))
      let isApart = shared.ways.opposite
      matrix = [
        [
          mine.inside || others.inside || shared.ways.same ? Self.two : Self.F, others.inside ? Self.one : Self.F,
          mine.outside || others.inside || isApart ? Self.two : Self.F,
        ],
        [mine.inside ? Self.one : Self.F, shared.matrix[0][0], mine.outside ? Self.one : Self.F],
        [
          others.outside || mine.inside || isApart ? Self.two : Self.F, others.outside ? Self.one : Self.F, Self.two,
        ],
      ]
    }
    return String(decoding: matrix.joined(), as: UTF8.self)
  }

  /// The matrix of lines with a polygon, from their matrix with its outline.
  private static func matrix(
    _ outline: [[UInt8]], of lines: Linework, in region: Linework
  ) throws(EngineError) -> [[UInt8]] {
    let sides = try region.sides(of: lines)
    var ends = Sides()
    for (number, place) in lines.boundary.enumerated() where !(ends.inside && ends.outside) {
      if number & 15 == 0 { try TimeLimit.check() }
      let end = Point(x: place.x, y: place.y)
      if region.hub(at: end) == nil, region.edges(through: end).isEmpty {
        ends.add(sides.reached[place] ?? region.encloses(end))
      }
    }
    return [
      [sides.inside ? one : F, outline[0][0], sides.outside ? one : F],
      [ends.inside ? zero : F, outline[1][0], ends.outside ? zero : F],
      [two, outline[2][0], two],
    ]
  }

  private static func transposed(_ matrix: [[UInt8]]) -> [[UInt8]] {
    (0..<3).map { column in matrix.map { $0[column] } }
  }

  private func share(with other: Linework, _ policy: Policy) throws(EngineError) -> Shared {
    var shared = Shared(
      covered: (
        [[ClosedRange<Double>]](repeating: [], count: segments.count),
        [[ClosedRange<Double>]](repeating: [], count: other.segments.count)
      ))
    var found: [Int] = []
    for (index, segment) in other.segments.enumerated() {
      if index & 15 == 0 { try TimeLimit.check() }
      found.removeAll(keepingCapacity: true)
      forEach(near: segment) { found.append($0) }
      for (number, own) in found.enumerated() {
        if number & 255 == 255 { try TimeLimit.check() }
        compare(own, index, other, &shared)
      }
      try policy.check(bytes: shared.coveredCount, 2 &* MemoryLayout<ClosedRange<Double>>.size)
    }
    for hub in other.hubs where self.hub(at: hub.center) != nil { add(hub.center, other, &shared) }
    if Self.isOpen(segments, shared.covered.0) { shared.matrix[0][2] = Self.one }
    if Self.isOpen(other.segments, shared.covered.1) { shared.matrix[2][0] = Self.one }
    if shared.ends.0.count < boundary.count { shared.matrix[1][2] = Self.zero }
    if shared.ends.1.count < other.boundary.count { shared.matrix[2][1] = Self.zero }
    return shared
  }

  private func compare(_ i: Int, _ j: Int, _ other: Linework, _ shared: inout Shared) {
    let (a, b) = (segments[i], other.segments[j])
    let (from, to) = (a.turn(b.from), a.turn(b.to))
    if from == 0, to == 0 {
      let (low, high) = (
        max(a.span.lowerBound, a.along(b.from, b.to).lowerBound),
        min(a.span.upperBound, a.along(b.from, b.to).upperBound)
      )
      if low < high {
        shared.matrix[0][0] = Self.one
        if (a.along(a.from) < a.along(a.to)) == (a.along(b.from) < a.along(b.to)) {
          shared.ways.same = true
        } else {
          shared.ways.opposite = true
        }
        shared.covered.0[i].append(low...high)
        shared.coveredCount &+= 1
        let span = b.along(a.from, a.to)
        shared.covered.1[j].append(max(b.span.lowerBound, span.lowerBound)...min(b.span.upperBound, span.upperBound))
      }
    }
    for point in [b.from, b.to] where a.turn(point) == 0 && a.holds(point) { add(point, other, &shared) }
    for point in [a.from, a.to] where b.turn(point) == 0 && b.holds(point) { add(point, other, &shared) }
    guard from &* to < 0, shared.matrix[0][0] == Self.F, b.turn(a.from) &* b.turn(a.to) < 0 else { return }
    // Where two segments cross, a third one may end.
    let isEnd = { (place: SIMD2<Double>) in
      let end = Point(x: place.x, y: place.y)
      return a.turn(end) == 0 && b.turn(end) == 0
    }
    if !boundary.contains(where: isEnd), !other.boundary.contains(where: isEnd) { shared.matrix[0][0] = Self.zero }
  }

  /// A vertex of one polyline that lies on the other.
  private func add(_ point: Point, _ other: Linework, _ shared: inout Shared) {
    let place = Self.place(point)
    let (isEnd, isOtherEnd) = (boundary.contains(place), other.boundary.contains(place))
    if isEnd { shared.ends.0.insert(place) }
    if isOtherEnd { shared.ends.1.insert(place) }
    let (row, column) = (isEnd ? 1 : 0, isOtherEnd ? 1 : 0)
    if shared.matrix[row][column] == Self.F { shared.matrix[row][column] = Self.zero }
  }

  /// Whether something of a segment is not covered.
  private static func isOpen(_ segments: [Segment], _ covered: [[ClosedRange<Double>]]) -> Bool {
    for (segment, spans) in zip(segments, covered) {
      var end = segment.span.lowerBound
      for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if span.lowerBound > end { return true }
        end = max(end, span.upperBound)
      }
      if end < segment.span.upperBound { return true }
    }
    return false
  }

  // MARK: Sides of a polygon

  /// Whether something lies inside of a polygon, and something outside.
  private struct Sides {
    var (inside, outside) = (false, false)
    /// Ends of segments to which no edge leads, and whether they are inside: of those that begin at a hub.
    var reached: [SIMD2<Double>: Bool] = [:]

    mutating func add(_ isInside: Bool) {
      if isInside { inside = true } else { outside = true }
    }
  }

  /// On which sides of this polygon lines have stretches. A stretch that leaves the outline leaves it where an edge is
  /// crossed, at a corner, or at an end of its segment; no other point has to be examined or computed.
  private func sides(of lines: Linework) throws(EngineError) -> Sides {
    var sides = Sides()
    var found: [Int] = []
    var known: (end: Point, isInside: Bool)?
    // Those at hubs first: they say for the others where these begin.
    let order = lines.hubs.isEmpty ? Array(lines.segments.indices) : lines.inOrderOfHubs
    for (number, index) in order.enumerated() {
      if number & 15 == 0 { try TimeLimit.check() }
      let segment = lines.segments[index]
      found.removeAll(keepingCapacity: true)
      forEach(near: segment) { found.append($0) }
      var corners: Set<SIMD2<Double>> = []
      for end in [segment.from, segment.to] where hub(at: end) != nil { corners.insert(Self.place(end)) }
      var crossed: [Int] = []
      for index in found {
        let edge = segments[index]
        let turns = (segment.turn(edge.from), segment.turn(edge.to))
        if turns.0 == 0, segment.holds(edge.from) { corners.insert(Self.place(edge.from)) }
        let ends = (edge.turn(segment.from), edge.turn(segment.to))
        if ends.0 == 0, edge.holds(segment.from) { corners.insert(Self.place(segment.from)) }
        if ends.1 == 0, edge.holds(segment.to) { corners.insert(Self.place(segment.to)) }
        if turns.0 &* turns.1 < 0, ends.0 &* ends.1 < 0 { crossed.append(index) }
      }
      if corners.isEmpty, crossed.isEmpty {
        let (from, to) = (Self.place(segment.from), Self.place(segment.to))
        let isInside =
          if let known, known.end == segment.from { known.isInside } else {
            sides.reached[from] ?? sides.reached[to] ?? encloses(segment.from)
          }
        sides.add(isInside)
        known = (segment.to, isInside)
      } else {
        known = nil
        // An edge that is crossed where another one touches it does not say what lies beyond.
        var touched: Set<Int> = []
        for (number, place) in corners.enumerated() where !(sides.inside && sides.outside) {
          if number & 15 == 15 { try TimeLimit.check() }
          let corner = Point(x: place.x, y: place.y)
          if let hub = hub(at: corner) {
            // No segment passes a hub, and none of its edges is crossed by an edge that ends there.
            let end = segment.from == corner ? segment.to : segment.from
            guard let isInside = hub.isInside(towards: end) else { continue }
            sides.add(isInside)
            if corners.count == 1, crossed.isEmpty { sides.reached[Self.place(end)] = isInside }
            continue
          }
          let edges = edges(through: corner)
          touched.formUnion(edges)
          for end in [segment.from, segment.to] where end != corner {
            if let isInside = isInside(from: corner, towards: end, edges) { sides.add(isInside) }
          }
        }
        if crossed.contains(where: { !touched.contains($0) }) { (sides.inside, sides.outside) = (true, true) }
      }
      if sides.inside, sides.outside { break }
    }
    return sides
  }

  private func edges(through point: Point) -> [Int] {
    var found: [Int] = []
    forEach(near: Segment(from: point, to: point)) { found.append($0) }
    return found.filter { segments[$0].turn(point) == 0 && segments[$0].holds(point) }
  }

  /// Whether a polygon's interior lies next to a point of its outline, in the direction of another point; nil if an
  /// edge leads there.
  private func isInside(from corner: Point, towards end: Point, _ edges: [Int]) -> Bool? {
    let ray = Segment(from: corner, to: end)
    // The first edge counterclockwise: what lies before it lies to its right.
    var first: (end: Point, rank: Int, isInside: Bool)?
    for edge in edges.map({ segments[$0] }) {
      for (other, isInside) in [(edge.to, false), (edge.from, true)] where other != corner {
        let turn = ray.turn(other)
        let isAhead = (ray.along(other) > ray.along(corner)) == (ray.along(end) > ray.along(corner))
        if turn == 0, isAhead { return nil }
        let rank = 1 &- turn
        if let first, rank > first.rank || (rank == first.rank && ExactTurn.sign(corner, first.end, other) >= 0) {
          continue
        }
        first = (other, rank, isInside)
      }
    }
    return first?.isInside
  }

  /// Whether a point that does not lie on a polygon's outline lies inside.
  private func encloses(_ point: Point) -> Bool {
    let key = Self.key(point)
    let ray = GridBox(GridEdge(from: key, to: GridPoint(x: .max, y: key.y)))
    var isInside = false
    let cross = { (index: Int) in
      let edge = segments[index]
      let isRising = edge.to.y > point.y
      if (edge.from.y > point.y) != isRising, (edge.turn(point) > 0) == isRising { isInside.toggle() }
    }
    tree.forEach(meeting: ray, from: 0) { cross(loose[$0]) }
    hubTree.forEach(meeting: ray, from: 0) { number in
      for spoke in hubs[number].spokes where owners[spoke.segment] == Int32(truncatingIfNeeded: number) {
        cross(spoke.segment)
      }
    }
    return isInside
  }

  // MARK: Hubs

  /// A vertex at which many segments end. Two of them share nothing else, unless they lead the same way: none has to be
  /// compared with each other one.
  private struct Hub: Sendable {
    struct Spoke {
      var end: Point
      /// The direction as a number that grows counterclockwise from 0 in the east to 4, but for its rounding.
      var direction: Double
      var segment: Int
      /// Whether the segment begins at the hub.
      var leaves: Bool
    }

    let center: Point
    /// In the order of their directions, counterclockwise from the east.
    var spokes: [Spoke] = []
    var box: GridBox

    init(_ center: Point) {
      self.center = center
      box = GridBox(Linework.key(center))
    }

    mutating func add(_ end: Point, _ segment: Int, leaves: Bool) {
      spokes.append(Spoke(end: end, direction: direction(end), segment: segment, leaves: leaves))
      box.grow(around: GridBox(Linework.key(end)))
    }

    mutating func sort() { spokes = spokes.sorted { isBefore(($0.end, $0.direction), ($1.end, $1.direction)) } }

    private func direction(_ end: Point) -> Double {
      let (dx, dy) = (end.x - center.x, end.y - center.y)
      if dy > 0 || (dy == 0 && dx > 0) { return dx > 0 ? dy / (dx + dy) : 1 - dx / (dy - dx) }
      return dx < 0 ? 2 - dy / (-dx - dy) : 3 + dx / (dx - dy)
    }

    private func isUpper(_ end: Point) -> Bool { end.y > center.y || (end.y == center.y && end.x > center.x) }

    private func isBefore(_ a: (end: Point, direction: Double), _ b: (end: Point, direction: Double)) -> Bool {
      // Some 1e-15 is what rounding does.
      if abs(a.direction - b.direction) > 1e-12 { return a.direction < b.direction }
      let isFirstUpper = isUpper(a.end)
      return isFirstUpper == isUpper(b.end) ? ExactTurn.sign(center, a.end, b.end) > 0 : isFirstUpper
    }

    /// The first spoke, in the order, that does not lead before a direction, or that leads behind it.
    private func first(_ end: (Point, Double), isBehind: Bool) -> Int {
      var (low, high) = (0, spokes.count)
      while low < high {
        let middle = (low &+ high) / 2
        let spoke = (spokes[middle].end, spokes[middle].direction)
        if isBehind ? isBefore(end, spoke) : !isBefore(spoke, end) { high = middle } else { low = middle &+ 1 }
      }
      return low
    }

    /// The spokes between the directions of two points, which are not opposite to each other, and in them.
    func forEach(between a: Point, _ b: Point, _ body: (Spoke) -> Void) {
      let isTurned = ExactTurn.sign(center, a, b) < 0
      let (start, end) = isTurned ? (b, a) : (a, b)
      let (from, to) = ((start, direction(start)), (end, direction(end)))
      let (first, last) = (first(from, isBehind: false), first(to, isBehind: true))
      if isBefore(to, from) {
        spokes[first...].forEach(body)
        spokes[..<last].forEach(body)
      } else if first < last {
        spokes[first..<last].forEach(body)
      }
    }

    /// Whether a polygon's interior lies next to the hub in the direction of a point; nil if an edge leads there.
    func isInside(towards end: Point) -> Bool? {
      guard let start = spokes.first else { return nil }
      let end = (end, direction(end))
      let index = first(end, isBehind: false)
      guard index < spokes.count else { return !start.leaves }
      let next = spokes[index]
      // What lies before the first edge counterclockwise lies to its right.
      return isBefore(end, (next.end, next.direction)) ? !next.leaves : nil
    }
  }

  /// At more ends of segments than that, a vertex is a hub.
  private static let crowd = 16

  /// The vertices at which many segments end.
  private static func crowded(_ segments: [Segment]) -> Set<SIMD2<Double>> {
    guard segments.count > crowd / 2 else { return [] }
    // Counted by a number of few bits first: what is not many there is not many in truth.
    var slots = 64
    while slots < 2 &* segments.count { slots &*= 2 }
    let slot = { (place: SIMD2<Double>) in
      let mixed = (place.x.bitPattern ^ (place.y.bitPattern &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed >> 32) & (slots &- 1)
    }
    var rough = [UInt8](repeating: 0, count: slots)
    for segment in segments {
      for end in [slot(place(segment.from)), slot(place(segment.to))] where rough[end] <= crowd { rough[end] &+= 1 }
    }
    guard rough.contains(where: { $0 > crowd }) else { return [] }
    var counts: [SIMD2<Double>: Int] = [:]
    for segment in segments {
      for end in [place(segment.from), place(segment.to)] where rough[slot(end)] > crowd {
        counts[end, default: 0] &+= 1
      }
    }
    return Set(counts.filter { $0.value > crowd }.keys)
  }

  private func hub(at point: Point) -> Hub? {
    hubNumbers.isEmpty ? nil : hubNumbers[Self.place(point)].map { hubs[$0] }
  }

  /// This linework with additional hubs at the hubs of another linework that lie on it.
  private func gathered(for other: Linework) -> Linework {
    var centers: Set<SIMD2<Double>> = []
    for hub in other.hubs where self.hub(at: hub.center) == nil && !edges(through: hub.center).isEmpty {
      centers.insert(Self.place(hub.center))
    }
    var result = self
    result.gather(at: centers)
    return result
  }

  /// Cuts the segments that pass some points, and makes the points hubs.
  private mutating func gather(at centers: Set<SIMD2<Double>>) {
    guard !centers.isEmpty else { return }
    var cuts: [Int: [Point]] = [:]
    for place in centers {
      let center = Point(x: place.x, y: place.y)
      for index in edges(through: center) where segments[index].from != center && segments[index].to != center {
        cuts[index, default: []].append(center)
      }
    }
    if !cuts.isEmpty {
      segments = segments.enumerated().flatMap { index, segment -> [Segment] in
        guard let points = cuts[index] else { return [segment] }
        let isRising = segment.along(segment.from) < segment.along(segment.to)
        let inOrder = points.sorted { (segment.along($0) < segment.along($1)) == isRising }
        let stops = [segment.from] + inOrder + [segment.to]
        return zip(stops, stops.dropFirst()).map { Segment(from: $0, to: $1) }
      }
    }
    hubs = (hubs.map(\.center) + centers.map { Point(x: $0.x, y: $0.y) }).map { Hub($0) }
    hubNumbers = [:]
    for (number, hub) in hubs.enumerated() { hubNumbers[Self.place(hub.center)] = number }
    owners = segments.indices.map { index in
      let segment = segments[index]
      let (from, to) = (hubNumbers[Self.place(segment.from)], hubNumbers[Self.place(segment.to)])
      if let from { hubs[from].add(segment.to, index, leaves: true) }
      if let to { hubs[to].add(segment.from, index, leaves: false) }
      return Int32(truncatingIfNeeded: from ?? to ?? -1)
    }
    for number in hubs.indices { hubs[number].sort() }
    hubTree = GridTree(hubs.map(\.box))
    loose = segments.indices.filter { owners[$0] < 0 }
    tree = GridTree(loose.map { segments[$0].box })
  }

  /// The segments that end at hubs, and then the others.
  private var inOrderOfHubs: [Int] {
    let isAtHub = segments.map { hub(at: $0.from) != nil || hub(at: $0.to) != nil }
    return segments.indices.filter { isAtHub[$0] } + segments.indices.filter { !isAtHub[$0] }
  }

  /// Calls `body` with the numbers of the segments that one of another linework may meet; but for those with which it
  /// shares a hub, unless they lead the same way from there.
  private func forEach(near segment: Segment, _ body: (Int) -> Void) {
    let box = segment.box
    tree.forEach(meeting: box, from: 0) { body(loose[$0]) }
    hubTree.forEach(meeting: box, from: 0) { number in
      let hub = hubs[number]
      let visit = { (spoke: Hub.Spoke) in
        if owners[spoke.segment] == Int32(truncatingIfNeeded: number), segments[spoke.segment].box.meets(box) {
          body(spoke.segment)
        }
      }
      // Seen from the hub, what a segment meets lies between its ends.
      switch hub.center {
      case segment.from: hub.forEach(between: segment.to, segment.to, visit)
      case segment.to: hub.forEach(between: segment.from, segment.from, visit)
      default: hub.forEach(between: segment.from, segment.to, visit)
      }
    }
  }

  // MARK: Matrices

  /// Whether a predicate holds with another polyline or polygon.
  func holds(_ predicate: Predicate, _ other: Linework, _ policy: Policy) throws(EngineError) -> Bool {
    let matrix = try relate(to: other, policy)
    let patterns =
      switch predicate {
      case .equals: ["T*F**FFF*"]
      case .disjoint: ["FF*FF****"]
      case .intersects: ["T********", "*T*******", "***T*****", "****T****"]
      case .touches: ["FT*******", "F**T*****", "F***T****"]
      case .crosses: isRegion ? (other.isRegion ? [] : ["T*****T**"]) : [other.isRegion ? "T*T******" : "0********"]
      case .within: ["T*F**F***"]
      case .contains: ["T*****FF*"]
      case .overlaps: isRegion != other.isRegion ? [] : [isRegion ? "T*T***T**" : "1*T***T**"]
      case .covers: ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"]
      case .coveredBy: ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"]
      }
    return patterns.contains { Self.matches($0, matrix) }
  }

  /// Whether a matrix matches a pattern of 0, 1, 2, T, F and *.
  static func matches(_ pattern: String, _ matrix: String) -> Bool {
    zip(pattern.utf8, matrix.utf8).allSatisfy { wanted, found in
      switch wanted {
      case UInt8(ascii: "*"): true
      case UInt8(ascii: "T"): found != F
      default: wanted == found
      }
    }
  }
}

extension Linework.Segment {
  /// Two points' positions along the segment.
  fileprivate func along(_ a: Point, _ b: Point) -> ClosedRange<Double> {
    min(along(a), along(b))...max(along(a), along(b))
  }
}

extension GeometryColumns {
  /// Whether a geometry is a polyline or polygon, and not empty.
  func hasLinework(_ row: Int) -> Bool {
    (kind(row) == .polyline || kind(row) == .polygon) && !vertices(ofGeometry: row).isEmpty
  }
}

/// On which side of a line a point lies, without rounding: for coordinates of 1e-100 to 1e100 in size, and 0.
enum ExactTurn {
  /// The error of the product of two such may be below what a double holds, and would be lost.
  static func isTooSmall(_ coordinate: Double) -> Bool { coordinate != 0 && coordinate.magnitude < 1e-100 }

  /// 1 if `c` lies to the left of the line from `a` to `b`, -1 to the right.
  @inline(__always)
  static func sign(_ a: Point, _ b: Point, _ c: Point) -> Int {
    let (left, right) = ((a.x - c.x) * (b.y - c.y), (a.y - c.y) * (b.x - c.x))
    let cross = left - right
    // Shewchuk's bound. It does not cover underflow.
    if cross.magnitude > 4e-16 * (left.magnitude + right.magnitude), cross.magnitude > 1e-280 {
      return cross > 0 ? 1 : -1
    }
    return exactSign(a, b, c)
  }

  @inline(never)
  private static func exactSign(_ a: Point, _ b: Point, _ c: Point) -> Int {
    var sum: [Double] = []
    for (x, y) in [(a.x, b.y), (-a.y, b.x), (b.x, c.y), (-b.y, c.x), (c.x, a.y), (-c.y, a.x)] {
      let product = DoubleDouble.product(x, y)
      add(product.low, to: &sum)
      add(product.high, to: &sum)
    }
    // Of parts that do not overlap, the largest one decides.
    guard let largest = sum.last(where: { $0 != 0 }) else { return 0 }
    return largest > 0 ? 1 : -1
  }

  /// Adds a number to an expansion: parts that do not overlap, the smallest first.
  private static func add(_ value: Double, to sum: inout [Double]) {
    var rest = value
    for index in sum.indices {
      let both = DoubleDouble.sum(rest, sum[index])
      (sum[index], rest) = (both.low, both.high)
    }
    sum.append(rest)
  }
}
