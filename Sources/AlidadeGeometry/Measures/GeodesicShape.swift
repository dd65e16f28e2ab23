import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A geometry on the ellipsoid for measuring distances: its segments in a tree, and its polygons.
final class GeodesicShape {
  let frame: GeodesicFrame
  let tree: SegmentTree
  /// A point of each line, ring and point: if boundaries do not meet, it represents all of its path.
  private var anchors: [Point] = []
  private var polygons: [GeodesicPolygon] = []
  private let sphere: ParametricSphere

  init(_ columns: GeometryColumns, _ row: Int, _ frame: GeodesicFrame) throws(EngineError) {
    self.frame = frame
    // For each vertex a segment, its disc, its index in the tree, and the ring's once more.
    try frame.reference.runtime.policy.check(bytes: columns.vertexCount(row), 512)
    sphere = ParametricSphere(frame.geodesic.ellipsoid)
    var parts = Parts(frame: frame, sphere: sphere)
    try parts.add(columns, row)
    (anchors, polygons) = (parts.anchors, parts.polygons)
    tree = try SegmentTree(parts.segments, frame.geodesic, sphere)
  }

  /// The nearest pair of points of two geometries; nil if one of them is empty.
  func nearestPair(_ other: GeodesicShape) throws(EngineError) -> SegmentTree.Pair? {
    guard let pair = try tree.nearestPair(other.tree) else { return nil }
    if pair.distance == 0 { return pair }
    // Their boundaries do not meet: a path is inside of a polygon or outside, all of it.
    for (shape, anchors) in [(self, other.anchors), (other, anchors)] where !shape.polygons.isEmpty {
      for place in anchors {
        try TimeLimit.check()
        if try shape.holds(place) { return SegmentTree.Pair(distance: 0, first: place, second: place) }
      }
    }
    return pair
  }

  /// Whether a point lies in one of the polygons.
  func holds(_ place: Point) throws(EngineError) -> Bool {
    if polygons.isEmpty { return false }
    let vector = sphere.vector(place)
    for polygon in polygons where try polygon.holds(place, vector) { return true }
    return false
  }

  /// The segments of a path; a point if all of it coincides.
  static func segments(
    _ geodesic: Geodesic, of places: [Point], from vertex: Int, _ add: (GeodesicSegment) -> Void
  ) throws(EngineError) {
    var isPoint = true
    for index in 1..<max(1, places.count) {
      if index & 63 == 0 { try TimeLimit.check() }
      GeodesicSegment.pieces(
        geodesic, from: places[index &- 1], to: places[index], vertex: vertex &+ index &- 1
      ) { segment in
        isPoint = false
        add(segment)
      }
    }
    if isPoint, let first = places.first { add(GeodesicSegment(point: first, vertex: vertex)) }
  }
}

/// What a geometry is taken apart into.
private struct Parts {
  let frame: GeodesicFrame
  let sphere: ParametricSphere
  var segments: [GeodesicSegment] = []
  var anchors: [Point] = []
  var polygons: [GeodesicPolygon] = []

  mutating func add(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    if columns.kind(row) == .collection, let inner = columns.members {
      for member in columns.members(ofGeometry: row) { try add(inner, member) }
    }
    let isOfPoints = columns.kind(row) == .point || columns.kind(row) == .multipoint
    for part in columns.parts(ofGeometry: row) {
      var rings: [[Point]] = []
      for path in columns.paths(ofPart: part) {
        let vertices = columns.vertices(ofPath: path)
        let memory = try frame.degrees(columns, vertices)
        let places = (0..<vertices.count).map { memory.buffer[$0] }
        if isOfPoints {
          anchors += places
          for (index, place) in places.enumerated() {
            segments.append(GeodesicSegment(point: place, vertex: vertices.lowerBound &+ index))
          }
        } else if let first = places.first {
          anchors.append(first)
          try GeodesicShape.segments(frame.geodesic, of: places, from: vertices.lowerBound) { segments.append($0) }
        }
        rings.append(places)
      }
      if columns.kind(row) == .polygon, !rings.isEmpty {
        polygons.append(GeodesicPolygon(rings, frame.geodesic, sphere))
      }
    }
  }
}

/// A polygon of geodesics. Each ring encloses the smaller part of the earth.
final class GeodesicPolygon {
  private let rings: [[Point]]
  private let geodesic: Geodesic
  private let sphere: ParametricSphere
  /// Holds the shell's region; nil if that may be anywhere.
  private let disc: EarthDisc?
  private var made: [GeodesicRing?]

  init(_ rings: [[Point]], _ geodesic: Geodesic, _ sphere: ParametricSphere) {
    self.rings = rings
    self.geodesic = geodesic
    self.sphere = sphere
    made = Array(repeating: nil, count: rings.count)
    disc = rings.first.flatMap { Self.disc(around: $0, sphere) }
  }

  private static func disc(around ring: [Point], _ sphere: ParametricSphere) -> EarthDisc? {
    let vectors = ring.map { sphere.vector($0) }
    let sum = vectors.reduce(Vector.zero, +)
    guard sum.length > 0 else { return nil }
    let centre = sum / sum.length
    let radius = vectors.reduce(0) { max($0, sphere.upperBound(centre, $1)) }
    // A disc less than a quarter of the way around is convex: it holds the edges, and the smaller part.
    return radius < 0.48 * .pi * sphere.smallest ? EarthDisc(vector: centre, radius: radius * 1.02) : nil
  }

  func holds(_ place: Point, _ vector: Vector) throws(EngineError) -> Bool {
    guard !rings.isEmpty else { return false }
    if let disc, sphere.lowerBound(vector, disc.vector) > disc.radius { return false }
    let isInShell = try ring(0).holds(place)
    guard isInShell else { return false }
    for hole in rings.indices.dropFirst() where try ring(hole).holds(place) { return false }
    return true
  }

  private func ring(_ index: Int) throws(EngineError) -> GeodesicRing {
    if let ring = made[index] { return ring }
    let ring = try GeodesicRing(rings[index], geodesic, sphere)
    made[index] = ring
    return ring
  }
}

/// A ring of geodesics, for telling inside from outside: by the side of the nearest edge, which no other edge hides.
private final class GeodesicRing {
  private let geodesic: Geodesic
  private let tree: SegmentTree
  /// The inside lies to the left.
  private let isLeft: Bool

  init(_ ring: [Point], _ geodesic: Geodesic, _ sphere: ParametricSphere) throws(EngineError) {
    self.geodesic = geodesic
    var segments: [GeodesicSegment] = []
    try GeodesicShape.segments(geodesic, of: ring, from: 0) { segments.append($0) }
    tree = try SegmentTree(segments, geodesic, sphere)
    isLeft = geodesic.areaAndPerimeter(of: ring).area > 0
  }

  func holds(_ place: Point) -> Bool {
    guard let best = tree.nearest(to: place), tree.segments[best.number].length > 0 else { return false }
    return isToTheLeft(place, best.number, best.found) == isLeft
  }

  private func isToTheLeft(_ place: Point, _ number: Int, _ found: SegmentDistance.Found) -> Bool {
    let segment = tree.segments[number]
    let slack = 1e-7
    let foot = geodesic.line(from: segment.start, azimuth: segment.azimuth).position(at: found.along)
    let way = geodesic.inverse(from: foot.point, to: place)
    // On the ring: in it, for what this is asked for.
    if way.length == 0 { return isLeft }
    let count = tree.segments.count
    if found.along > slack, found.along < segment.length - slack {
      return sineAndCosine(degrees: foot.azimuth - way.azimuth).sine > 0
    }
    // At a corner: whether the way there leads into the angle to the left of both edges.
    let isStart = found.along <= slack
    let before = tree.segments[isStart ? (number &+ count &- 1) % count : number]
    let after = tree.segments[isStart ? number : (number &+ 1) % count]
    let corner = after.start
    let towards = geodesic.inverse(from: corner, to: place)
    if towards.length == 0 { return isLeft }
    let back = geodesic.inverse(from: corner, to: before.start).azimuth
    func turn(_ angle: Double) -> Double { angle - 360 * (angle / 360).rounded(.down) }
    return turn(after.azimuth - towards.azimuth) < turn(after.azimuth - back)
  }
}
