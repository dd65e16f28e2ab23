import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// The points between which something lies that is to fit into a view: lines and shells with their vertices, and points.
struct Outline {
  private struct Path {
    var points: [Point]
    /// Neighbours are joined by straight edges.
    var isLine: Bool
  }

  private var paths: [Path] = []

  init(_ geometry: Geometry) { collect(geometry.columns, geometry.row) }

  /// The outline of a box.
  init(_ box: Envelope) {
    paths = [Path(points: box.corners + [Point(x: box.xMin, y: box.yMin)], isLine: true)]
  }

  var isEmpty: Bool { paths.isEmpty }
  var points: [Point] { paths.flatMap { $0.points } }

  private mutating func collect(_ columns: GeometryColumns, _ row: Int) {
    if let inner = columns.members {
      for member in columns.members(ofGeometry: row) { collect(inner, member) }
    }
    let kind = columns.kind(row)
    for part in columns.parts(ofGeometry: row) {
      // Holes lie inside of the shell.
      let all = columns.paths(ofPart: part)
      for path in kind == .polygon ? all.prefix(1) : all[...] {
        let points = columns.points.buffer[columns.vertices(ofPath: path)]
        guard !points.isEmpty else { continue }
        if kind == .polyline || kind == .polygon {
          paths.append(Path(points: Array(points), isLine: true))
        } else {
          paths.append(contentsOf: points.map { Path(points: [$0], isLine: false) })
        }
      }
    }
  }

  // MARK: Projecting

  /// What an edge may bulge beyond the vertices that are kept, as a part of the whole's size: 0.1 DIP of a screen.
  private static let tolerance = 1.0 / 16_384
  /// How often an edge is halved at most, and how many vertices are added in all.
  private static let depth = 10
  private static let greatestGrowth = 1 << 18

  /// The image. Straight edges become curves, which are followed. Throws if a point has no image.
  func projected(_ projector: Projector) throws(EngineError) -> Outline {
    if projector.isIdentity { return self }
    var result = Outline(paths: [])
    var room = Self.greatestGrowth
    let size = Self.size(of: self)
    let images = try Self.images(points, projector)
    let imageSize = Self.size(of: images)
    var first = 0
    for path in paths {
      let last = first &+ path.points.count
      var curve = Curve(places: path.points, images: Array(images[first..<last]), worldWidth: projector.to?.worldWidth)
      if path.isLine { try curve.follow(projector, size: size, tolerance: imageSize * Self.tolerance, room: &room) }
      if let width = projector.to?.worldWidth { curve.images.unwrapAlong(width: width) }
      result.paths.append(Path(points: curve.images, isLine: path.isLine))
      first = last
    }
    return result
  }

  private init(paths: [Path]) { self.paths = paths }

  private static func size(of outline: Outline) -> Double { size(of: outline.points) }

  private static func size(of points: [Point]) -> Double {
    guard let box = Envelope(around: points) else { return 0 }
    return max(box.xMax - box.xMin, box.yMax - box.yMin)
  }

  private static func images(_ places: [Point], _ projector: Projector) throws(EngineError) -> [Point] {
    var images = places
    try images.withUnsafeMutableBufferPointer { (points) throws(EngineError) in try projector.projectSlices(points) }
    for (place, image) in zip(places, images) where !image.isFinite {
      throw EngineError(.projectionFailed, "(\(place.x), \(place.y)) cannot be projected \(projector.way).")
    }
    return images
  }

  /// A line and its image, to which vertices are added.
  private struct Curve {
    var places: [Point]
    var images: [Point]
    let worldWidth: Double?

    mutating func follow(
      _ projector: Projector, size: Double, tolerance: Double, room: inout Int
    ) throws(EngineError) {
      // The number of times that each edge is still halved without asking: a curve may cross its chord in the middle.
      var halvings = zip(places, places.dropFirst()).map { Self.halvings($0, $1, size: size) }
      for _ in 0..<Outline.depth {
        let edges = halvings.indices.filter { halvings[$0] > 0 }
        guard !edges.isEmpty, edges.count <= room else { return }
        room &-= edges.count
        let middles = edges.map { places[$0].middle(places[$0 &+ 1]) }
        let middleImages = try Outline.images(middles, projector)
        var next = Curve(places: [], images: [], worldWidth: worldWidth)
        var nextHalvings: [Int] = []
        var done = 0
        for (number, edge) in edges.enumerated() {
          next.append(self, done...edge, &nextHalvings, halvings)
          let bulge = bulge(edge, middleImages[number])
          let left = bulge > tolerance ? max(1, halvings[edge] &- 1) : halvings[edge] &- 1
          next.places.append(middles[number])
          next.images.append(middleImages[number])
          // Of this edge's two halves.
          if let last = nextHalvings.indices.last { nextHalvings[last] = left }
          nextHalvings.append(left)
          done = edge &+ 1
        }
        next.append(self, done...(places.count &- 1), &nextHalvings, halvings)
        if nextHalvings.count >= next.places.count { nextHalvings.removeLast() }
        self = next
        halvings = nextHalvings
      }
    }

    /// Adds vertices of another curve, with the halvings of the edges that begin there.
    private mutating func append(
      _ other: Curve, _ range: ClosedRange<Int>, _ halvings: inout [Int], _ others: [Int]
    ) {
      places.append(contentsOf: other.places[range])
      images.append(contentsOf: other.images[range])
      for index in range { halvings.append(index < others.count ? others[index] : 0) }
    }

    /// Short edges, of which many are needed for the whole, have no bulge to speak of.
    private static func halvings(_ a: Point, _ b: Point, size: Double) -> Int {
      let length = max((b.x - a.x).magnitude, (b.y - a.y).magnitude)
      return length > size / 8 ? 3 : length > size / 512 ? 1 : 0
    }

    /// How far the curve's middle lies from that of its chord.
    private func bulge(_ edge: Int, _ middle: Point) -> Double {
      var (a, b) = (images[edge], images[edge &+ 1])
      if let worldWidth {
        a = a.unwrapped(near: middle.x, width: worldWidth)
        b = b.unwrapped(near: middle.x, width: worldWidth)
      }
      let chord = a.middle(b)
      return max((chord.x - middle.x).magnitude, (chord.y - middle.y).magnitude)
    }
  }

  // MARK: A world that repeats itself

  /// Takes of each path the image that makes the whole as narrow as it can be; the first path stays where it is. What
  /// lies on both sides of the antimeridian comes together.
  mutating func comeTogether(worldWidth width: Double) {
    guard paths.count > 1 else { return }
    let spans = paths.compactMap { path -> (low: Double, high: Double)? in
      Envelope(around: path.points).map { ($0.xMin, $0.xMax) }
    }
    guard spans.count == paths.count, let first = spans.first, let low = spans.map(\.low).min(),
      let high = spans.map(\.high).max()
    else { return }
    /// 0 <= x < width, from the start of the first path.
    func around(_ x: Double) -> Double {
      let rest = (x - first.low).truncatingRemainder(dividingBy: width)
      return rest < 0 ? rest + width : rest
    }
    let sorted = spans.map { (start: around($0.low), end: around($0.low) + ($0.high - $0.low)) }
      .sorted { $0.start < $1.start }
    // The widest gap on the way around the world: the whole begins behind it. What reaches beyond one turn covers the
    // beginning again.
    var reached = max(0, (sorted.map(\.end).max() ?? 0) - width)
    var (start, gap) = (0.0, 0.0)
    for span in sorted {
      if span.start - reached > gap { (start, gap) = (span.start, span.start - reached) }
      reached = max(reached, span.end)
    }
    // The gap behind the last one, before the first one comes again.
    if width - reached >= gap { (start, gap) = (0, width - reached) }
    let narrowest = width - gap
    guard narrowest.isFinite, narrowest < high - low else { return }
    for (index, span) in spans.enumerated() {
      let begin = around(span.low)
      // What begins before the start is taken one world further west, seen from the first path.
      let place = first.low + begin - (start > 0 && begin >= start ? width : 0)
      let turns = ((place - span.low) / width).rounded()
      guard turns != 0, turns.isFinite else { continue }
      paths[index].points = paths[index].points.map { Point(x: $0.x + turns * width, y: $0.y) }
    }
  }
}

extension Point {
  fileprivate func middle(_ other: Point) -> Point { Point(x: x / 2 + other.x / 2, y: y / 2 + other.y / 2) }
}
