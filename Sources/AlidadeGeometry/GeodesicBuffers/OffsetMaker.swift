import AlidadeBase
import AlidadeCoordinates

/// Makes regions around lines and polygons of many segments, where nothing speaks against it.
struct OffsetMaker {
  private let settings: GeodesicBuffer
  /// Metres.
  private let distance: Double
  private let maximumDeviation: Double
  private let vertexLimit: Int

  /// Wider rings might hold the greater part of the earth, degrees.
  private static let widest = 170.0

  init(_ settings: GeodesicBuffer, distance: Double, maximumDeviation: Double, vertexLimit: Int) {
    self.settings = settings
    self.distance = distance
    self.maximumDeviation = maximumDeviation
    self.vertexLimit = vertexLimit
  }

  private func path(_ places: [Point]) throws(EngineError) -> OffsetPath? {
    guard settings.plane == nil, settings.isRound else { return nil }
    return try OffsetPath(
      settings.geodesic, places, distance: distance, maximumDeviation: maximumDeviation, workers: settings.workers)
  }

  /// What lies within the distance of a line of geodesics; nil if another way must be taken.
  func region(_ line: [Point]) throws(EngineError) -> OffsetRegion? {
    guard let path = try path(line) else { return nil }
    return try OffsetRegion(
      [path], interiors: [], isNegative: false, vertexLimit: vertexLimit, workers: settings.workers)
  }

  /// The same of polygons, or what lies inside of them by more than the distance.
  ///
  /// - Parameter polygons: shells and holes, closed, of geodesics.
  func region(_ polygons: [[[Point]]], isNegative: Bool) throws(EngineError) -> OffsetRegion? {
    guard settings.plane == nil, settings.curve != .shapePreserving else { return nil }
    var (paths, interiors) = ([OffsetPath](), [[[Point]]]())
    for rings in polygons {
      var interior: [[Point]] = []
      var west: Double?
      for ring in rings {
        guard let path = try path(moved(ring, eastOf: west)), path.isRing, let inside = inside(path) else { return nil }
        guard let box = Envelope(around: inside), box.xMax - box.xMin < Self.widest else { return nil }
        if west == nil { west = box.xMin }
        paths.append(path)
        interior.append(inside)
      }
      if !interior.isEmpty { interiors.append(interior) }
    }
    guard !paths.isEmpty else { return nil }
    return try OffsetRegion(
      paths, interiors: interiors, isNegative: isNegative, vertexLimit: vertexLimit, workers: settings.workers)
  }

  /// A hole where its shell is, which may be beyond 180 degrees.
  private func moved(_ ring: [Point], eastOf west: Double?) -> [Point] {
    guard let west, let first = ring.first else { return ring }
    let turns = ((first.x - west) / 360).rounded(.down)
    return turns == 0 ? ring : ring.map { Point(x: $0.x - 360 * turns, y: $0.y) }
  }

  /// A ring on the map, if straight edges are near enough.
  private func inside(_ path: OffsetPath) -> [Point]? {
    let longest = path.segments.reduce(0) { max($0, $1.length) }
    guard longest * longest / 8 * path.bend < distance / 4, let first = path.nodes.first else { return nil }
    return path.nodes.map(\.place) + [first.place]
  }
}
