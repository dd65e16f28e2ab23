import AlidadeBase
import AlidadeCoordinates

/// Geodesic segments in a tree of discs.
struct SegmentTree {
  let segments: [GeodesicSegment]
  private let discs: [EarthDisc]
  private let tree: BallTree
  private let sphere: ParametricSphere
  private let geodesic: Geodesic
  private let measure: SegmentDistance

  init(_ segments: [GeodesicSegment], _ geodesic: Geodesic, _ sphere: ParametricSphere) throws(EngineError) {
    self.segments = segments
    self.geodesic = geodesic
    self.sphere = sphere
    measure = SegmentDistance(geodesic)
    var discs: [EarthDisc] = []
    discs.reserveCapacity(segments.count)
    for (index, segment) in segments.enumerated() {
      if index & 63 == 63 { try TimeLimit.check() }
      discs.append(segment.disc(geodesic, sphere))
    }
    self.discs = discs
    tree = try BallTree(discs, sphere)
  }

  /// The segment nearest to a place, by its number, and where it is nearest; nil if none is nearer than the limit.
  func nearest(
    to place: Point, below greatest: Double = .infinity
  ) -> (number: Int, found: SegmentDistance.Found)? {
    let vector = sphere.vector(place)
    var best: (number: Int, found: SegmentDistance.Found)?
    var limit = greatest
    func bound(_ disc: EarthDisc) -> Double { sphere.lowerBound(vector, disc.vector) - disc.radius }
    var open: [(node: Int, bound: Double)] = tree.nodes.isEmpty ? [] : [(0, 0)]
    while let (number, least) = open.popLast() {
      if least >= limit { continue }
      let node = tree.nodes[number]
      if node.isLeaf {
        for item in node.items {
          let number = tree.order[item]
          guard bound(discs[number]) < limit,
            let found = measure.nearest(segments[number], to: place, below: limit)
          else { continue }
          best = (number, found)
          limit = found.distance
        }
      } else {
        let (first, second) = (bound(tree.nodes[node.first].disc), bound(tree.nodes[node.second].disc))
        // The nearer one is looked at first.
        open.append(first < second ? (node.second, second) : (node.first, first))
        open.append(first < second ? (node.first, first) : (node.second, second))
      }
    }
    return best
  }

  /// Two places that are as near to each other as any two of two trees' segments.
  struct Pair {
    var distance: Double
    var first: Point
    var second: Point
  }

  /// The nearest pair; nil if there is no segment in one of them.
  ///
  /// On a surface that is curved everywhere like a ball, two geodesics are nearest to each other where they cross, or
  /// at an end of one of them: between two places inside, at right angles to both, a parallel way beside would be shorter.
  /// So crossings are looked for, and the distances of ends.
  func nearestPair(_ other: SegmentTree) throws(EngineError) -> Pair? {
    guard !tree.nodes.isEmpty, !other.tree.nodes.isEmpty else { return nil }
    var best = Pair(distance: .infinity, first: .nan, second: .nan)
    var open = [(first: 0, second: 0, bound: 0.0)]
    func bound(_ a: EarthDisc, _ b: EarthDisc) -> Double { sphere.lowerBound(a.vector, b.vector) - a.radius - b.radius }
    while let (i, j, least) = open.popLast() {
      if least >= best.distance { continue }
      try TimeLimit.check()
      let (first, second) = (tree.nodes[i], other.tree.nodes[j])
      if first.isLeaf, second.isLeaf {
        for item in first.items {
          for another in second.items {
            let (number, otherNumber) = (tree.order[item], other.tree.order[another])
            let least = bound(discs[number], other.discs[otherNumber])
            if least < best.distance {
              improve(&best, segments[number], other.segments[otherNumber], mayCross: least <= 0)
            }
            if best.distance == 0 { return best }
          }
        }
        continue
      }
      // The larger one is halved.
      let isFirst = second.isLeaf || (!first.isLeaf && first.disc.radius >= second.disc.radius)
      let halves = isFirst ? [(first.first, j), (first.second, j)] : [(i, second.first), (i, second.second)]
      var next = halves.map {
        (first: $0.0, second: $0.1, bound: bound(tree.nodes[$0.0].disc, other.tree.nodes[$0.1].disc))
      }
      // The nearer pair is looked at first.
      if next[0].bound < next[1].bound { next.swapAt(0, 1) }
      open += next
    }
    return best
  }

  private func improve(_ best: inout Pair, _ first: GeodesicSegment, _ second: GeodesicSegment, mayCross: Bool) {
    if mayCross, let along = measure.crossing(first, second) {
      let place = geodesic.direct(from: first.start, azimuth: first.azimuth, distance: along).point
      best = Pair(distance: 0, first: place, second: place)
      return
    }
    for end in first.length > 0 ? [first.start, first.end] : [first.start] {
      if let found = measure.nearest(second, to: end, below: best.distance) {
        best = Pair(distance: found.distance, first: end, second: place(second, found))
      }
    }
    for end in second.length > 0 ? [second.start, second.end] : [second.start] {
      if let found = measure.nearest(first, to: end, below: best.distance) {
        best = Pair(distance: found.distance, first: place(first, found), second: end)
      }
    }
  }

  /// Where on a segment something was found.
  func place(_ segment: GeodesicSegment, _ found: SegmentDistance.Found) -> Point {
    if found.along <= 0 { return segment.start }
    if found.along >= segment.length { return segment.end }
    return geodesic.direct(from: segment.start, azimuth: segment.azimuth, distance: found.along).point
  }
}
