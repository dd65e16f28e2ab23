import AlidadeCoordinates

/// An arc of a circle around a node as chords.
struct OffsetArc {
  let path: OffsetPath
  let node: Int
  /// Degrees.
  let from: Double
  let step: Double
  let count: Int
  private let metric: OutlineMetric
  /// Exactly where the quads beside it end.
  private let first: Point
  private let last: Point

  /// - Parameters:
  ///   - from, to: azimuths in degrees, in either order.
  init(_ path: OffsetPath, _ node: Int, from: Double, to: Double, first: Point, last: Point) {
    (self.first, self.last) = (first, last)
    self.path = path
    self.node = node
    self.from = from
    let wanted = (path.nodes[node].vertexCount * (to - from).magnitude / 360).rounded(.up)
    count = max(1, Int(exactly: wanted) ?? 1)
    step = (to - from) / Double(count)
    metric = OutlineMetric(path.earth, path.nodes[node].series)
  }

  func point(_ index: Int) -> Point {
    index == 0 ? first : index == count ? last : path.vertex(node, azimuth: from + step * Double(index))
  }

  /// Adds the chords from a vertex to the next, more than one where that one errs too much, and returns what they err.
  func appendChords(from index: Int, to last: Point, into points: inout [Point]) -> Double {
    guard let first = points.last else { return .infinity }
    var deviation = 0.0
    var open = [(from + step * Double(index), first, from + step * Double(index &+ 1), last)]
    while let (low, a, high, b) = open.popLast() {
      let azimuth = low + (high - low) / 2
      let (sine, cosine) = Earth.sineAndCosine(azimuth)
      let circle = path.nodes[node]
      let offset = circle.series.offset(cosine: cosine, sine: sine)
      let middle = SIMD2(
        (a.y + b.y) / 2 - circle.place.y - offset.x, (a.x + b.x) / 2 - circle.place.x - offset.y)
      let error = metric.square(middle, at: offset).squareRoot()
      if error <= path.allowedInMiddle || (high - low).magnitude < 1e-7 {
        deviation = max(deviation, error * CircleOutliner.margin + CircleOutliner.rounding)
        points.append(b)
        continue
      }
      let place = Point(x: circle.place.x + offset.y, y: circle.place.y + offset.x)
      open.append((azimuth, place, high, b))
      open.append((low, a, azimuth, place))
    }
    return deviation
  }

  /// All of it.
  func points() -> [Point] {
    var points = [point(0)]
    for index in 0..<count { _ = appendChords(from: index, to: point(index &+ 1), into: &points) }
    return points
  }
}
