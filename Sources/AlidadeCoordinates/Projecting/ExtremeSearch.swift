import AlidadeBase

/// What a box around images is made as small as: the farthest image to each of four sides.
struct ExtremeSearch {
  enum Side: CaseIterable {
    case left, bottom, right, top

    /// Grows towards the side.
    func value(_ image: Point) -> Double {
      switch self {
      case .left: -image.x
      case .bottom: -image.y
      case .right: image.x
      case .top: image.y
      }
    }
  }

  let images: BoxImages
  let grid: [BoxSample]
  let edges: [(line: (start: Point, end: Point), points: [(t: Double, sample: BoxSample)])]
  /// Points that are known to matter, such as a pole.
  let others: [BoxSample]
  /// Somewhere the image breaks off or jumps, so that its border is not the image of the box's border alone.
  let isBroken: Bool

  /// How near to each other places are told apart, as parts of two cells: along a line, where the best may be the brink
  /// of a cliff, and between lines.
  private struct Care {
    var along: Double
    var between: Double

    static let rough = Care(along: 1e-3, between: 1e-3)
    static let fine = Care(along: 1e-11, between: 1e-8)
  }

  /// At most so many places inside the box are looked at closely, for each side.
  private static let closeLooks = 4

  /// The farthest sample to a side; nil if nothing has an image there.
  func extreme(_ side: Side) throws(EngineError) -> BoxSample? {
    var best: BoxSample?
    func note(_ sample: BoxSample) {
      let value = side.value(sample.image)
      if value.isNaN { return }
      if let best, side.value(best.image) >= value { return }
      best = sample
    }
    for sample in grid { note(sample) }
    for sample in others { note(sample) }
    for edge in edges { for point in edge.points { note(point.sample) } }
    guard best != nil else { return nil }
    for edge in edges where edge.line.start != edge.line.end {
      for sample in try peaks(of: edge, side, best.map { side.value($0.image) } ?? -.infinity) { note(sample) }
    }
    guard images.hasExtent else { return best }
    // All of them roughly, and the one that comes out best to the end.
    var top: BoxSample?
    for place in try closeLooks(side, best) {
      let found = try look(around: place, side, .rough)
      let value = side.value(found.image)
      if value > (top.map { side.value($0.image) } ?? -.infinity) { top = found }
    }
    if let top { note(try look(around: top.place, side, .fine)) }
    return best
  }

  // MARK: Edges

  /// The peaks of an edge that may lie beyond the best value so far.
  private func peaks(
    of edge: (line: (start: Point, end: Point), points: [(t: Double, sample: BoxSample)]), _ side: Side, _ best: Double
  ) throws(EngineError) -> [BoxSample] {
    let points = edge.points
    var found: [BoxSample] = []
    for (index, point) in points.enumerated() {
      let (before, after) = (points[max(0, index &- 1)], points[min(points.count &- 1, index &+ 1)])
      let value = side.value(point.sample.image)
      let (left, right) = (side.value(before.sample.image), side.value(after.sample.image))
      // A NaN is no peak, and does not keep its neighbour from being one.
      if value.isNaN || left > value || right > value { continue }
      let drop = max(value - left, value - right)
      if drop.isFinite, !left.isNaN, !right.isNaN, value + 2 * drop < best || drop == 0 { continue }
      let peak = try climb(from: before.t, over: (point.t, value), to: after.t, resolution: 1e-15) {
        (t) throws(EngineError) in side.value(try images.image(BoxImages.point(at: t, edge.line)))
      }
      found.append(try images.sample(BoxImages.point(at: peak.place, edge.line)))
    }
    return found
  }

  // MARK: Inside

  /// Places of the grid around which the image may reach beyond what is known: peaks inside the box, and where the best
  /// lies on an edge that the image goes over.
  private func closeLooks(_ side: Side, _ best: BoxSample?) throws(EngineError) -> [Point] {
    let row = BoxImages.cells &+ 1
    let known = best.map { side.value($0.image) } ?? -.infinity
    var peaks: [(value: Double, place: Point)] = []
    for (index, sample) in grid.enumerated() {
      let value = side.value(sample.image)
      if value.isNaN { continue }
      let (x, y) = (index % row, index / row)
      let isOnEdge = x == 0 || y == 0 || x == row &- 1 || y == row &- 1
      // On an edge the edge itself has been looked at, unless something goes on inside.
      if isOnEdge, !isBroken { continue }
      var (lowest, isPeak, isAlone) = (value, true, false)
      for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let (column, line) = (x &+ dx, y &+ dy)
        guard column >= 0, line >= 0, column < row, line < row else { continue }
        let other = side.value(grid[line &* row &+ column].image)
        if other > value { isPeak = false }
        if other.isNaN { isAlone = true } else { lowest = min(lowest, other) }
      }
      guard isPeak, isAlone || (lowest < value && value + 2 * (value - lowest) >= known) else { continue }
      peaks.append((value, sample.place))
    }
    var places = peaks.sorted { $0.value > $1.value }.prefix(Self.closeLooks).map(\.place)
    guard let best else { return places }
    var goesOn = isBroken
    if !goesOn { goesOn = try reachesFurther(inside: best, side) }
    if goesOn { places.append(best.place) }
    return places
  }

  /// Whether the image goes on towards a side when one steps from an edge into the box.
  private func reachesFurther(inside best: BoxSample, _ side: Side) throws(EngineError) -> Bool {
    let (width, height) = (images.box.xMax - images.box.xMin, images.box.yMax - images.box.yMin)
    let value = side.value(best.image)
    var places: [Point] = []
    for step in [3e-2, 3e-3, 3e-4] {
      for (dx, dy) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5)] {
        let place = Point(x: best.place.x + dx * step * width, y: best.place.y + dy * step * height)
        if contains(place) { places.append(place) }
      }
    }
    return try images.samples(places).contains { side.value($0.image) > value }
  }

  private func contains(_ place: Point) -> Bool {
    let box = images.box
    return place.x >= box.xMin && place.x <= box.xMax && place.y >= box.yMin && place.y <= box.yMax
  }

  /// Climbs from a place, along x for each y and the other way round. Of a ridge or a cliff that lies askew both find
  /// the top, because each compares the best of whole lines.
  private func look(around place: Point, _ side: Side, _ care: Care) throws(EngineError) -> BoxSample {
    let across = try look(around: place, side, care, isTurned: false)
    return try look(around: across.place, side, care, isTurned: true)
  }

  private func look(around place: Point, _ side: Side, _ care: Care, isTurned: Bool) throws(EngineError) -> BoxSample {
    let box = images.box
    let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
    let cell = Point(x: width / Double(BoxImages.cells), y: height / Double(BoxImages.cells))
    let low = Point(x: max(box.xMin, place.x - cell.x), y: max(box.yMin, place.y - cell.y))
    let high = Point(x: min(box.xMax, place.x + cell.x), y: min(box.yMax, place.y + cell.y))
    func point(_ inner: Double, _ outer: Double) -> Point {
      isTurned ? Point(x: outer, y: inner) : Point(x: inner, y: outer)
    }
    let (innerLow, innerHigh) = isTurned ? (low.y, high.y) : (low.x, high.x)
    let (outerLow, outerHigh) = isTurned ? (low.x, high.x) : (low.y, high.y)
    let inner = isTurned ? place.y : place.x
    let outer = isTurned ? place.x : place.y
    /// The best of a line, from one of three places on it that has an image.
    func top(_ line: Double) throws(EngineError) -> (place: Double, value: Double) {
      var start = (place: inner, value: -Double.infinity)
      for candidate in [inner, innerLow, innerHigh, (innerLow + innerHigh) / 2] {
        let value = side.value(try images.image(point(candidate, line)))
        if value > start.value { start = (candidate, value) }
      }
      guard start.value > -.infinity else { return start }
      return try climb(from: innerLow, over: start, to: innerHigh, resolution: care.along * (innerHigh - innerLow)) {
        (at) throws(EngineError) in side.value(try images.image(point(at, line)))
      }
    }
    let start = try top(outer)
    let best = try climb(
      from: outerLow, over: (outer, start.value), to: outerHigh, resolution: care.between * (outerHigh - outerLow)
    ) { (line) throws(EngineError) in try top(line).value }
    return try images.sample(point(try top(best.place).place, best.place))
  }
}
