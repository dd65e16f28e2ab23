import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The point of a geometry that is nearest to a given point.
public struct NearestPlace: Sendable {
  /// NaN if the geometry is empty.
  public var distance: Double
  public var point: Point
  /// The indexes, from 0, of the part, of the path in the part, and of the vertex in the path at which the edge begins.
  public var part: Int
  public var path: Int
  public var vertex: Int
  /// The position between that vertex and the next, as a share of the edge's length, 0 to 1.
  public var share: Double
  /// The given point lies inside a polygon. Then it is the nearest point itself, and there is no nearest edge.
  public var isInside: Bool

  static let none = NearestPlace(
    distance: .nan, point: .nan, part: 0, path: 0, vertex: 0, share: .nan, isInside: false)
}

extension Geometry {
  /// The point of this geometry that is nearest to a point of its spatial reference.
  ///
  /// - Parameter onBoundary: searches the rings even if the point lies inside a polygon.
  public func nearestCoordinate(
    to point: Point, _ measure: Measure, unit: Unit?, onBoundary: Bool
  ) throws(EngineError) -> NearestPlace {
    try nearest(to: point, measure, unit, verticesOnly: false, onBoundary: onBoundary)
  }

  /// The vertex of this geometry nearest to a point of its spatial reference.
  public func nearestVertex(to point: Point, _ measure: Measure, unit: Unit?) throws(EngineError) -> NearestPlace {
    try nearest(to: point, measure, unit, verticesOnly: true, onBoundary: true)
  }

  private func nearest(
    to point: Point, _ measure: Measure, _ unit: Unit?, verticesOnly: Bool, onBoundary: Bool
  ) throws(EngineError) -> NearestPlace {
    try limited { [self] () throws(EngineError) -> NearestPlace in
      guard kind != .collection else {
        throw EngineError(.unsupported, "The geometry is a collection: ask its members for what is nearest.")
      }
      guard point.isFinite else {
        throw EngineError(.invalidArgument, "The point is (\(point.x), \(point.y)), which is not finite.")
      }
      var finder: any NearestFinder
      let perUnit: Double
      switch measure {
      case .planar:
        finder = PlanarFinder(point: point)
        perUnit = try Measurer.planarLength(spatialReference, unit)
      case .geodesic(let curve):
        guard curve == .geodesic else {
          throw EngineError(
            .unsupported, "Distances are measured to geodesics: densify a geometry whose edges are other curves first.")
        }
        finder = try GeodesicFinder(GeodesicFrame(spatialReference), point)
        perUnit = try Measurer.metres(unit)
      }
      if kind == .polygon, !onBoundary, try finder.isInside(columns, row) {
        return NearestPlace(distance: 0, point: point, part: 0, path: 0, vertex: 0, share: .nan, isInside: true)
      }
      var best = NearestPlace.none
      let isOfPoints = kind == .point || kind == .multipoint
      for (part, range) in columns.parts(ofGeometry: row).enumerated() {
        for (path, number) in columns.paths(ofPart: range).enumerated() {
          let vertices = columns.vertices(ofPath: number)
          guard
            let found = try finder.nearest(
              columns, vertices, verticesOnly: verticesOnly || isOfPoints,
              below: best.distance.isNaN ? .infinity : best.distance)
          else { continue }
          best = NearestPlace(
            distance: found.distance, point: found.point, part: part, path: path,
            vertex: found.index &- vertices.lowerBound, share: found.share, isInside: false)
        }
      }
      best.distance /= perUnit
      if !best.distance.isFinite, !isEmpty {
        throw EngineError(.unsupported, "The distance is more than a double holds: the coordinates are too large.")
      }
      return best
    }
  }
}

/// What is nearest on a path.
private struct Nearest {
  var distance: Double
  var point: Point
  /// Of the vertex in the columns.
  var index: Int
  var share: Double
}

private protocol NearestFinder {
  func nearest(
    _ columns: GeometryColumns, _ vertices: Range<Int>, verticesOnly: Bool, below limit: Double
  ) throws(EngineError) -> Nearest?
  func isInside(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Bool
}

private struct PlanarFinder: NearestFinder {
  let point: Point

  func nearest(
    _ columns: GeometryColumns, _ vertices: Range<Int>, verticesOnly: Bool, below limit: Double
  ) -> Nearest? {
    var best: Nearest?
    var limit = limit
    func look(_ candidate: Point, _ index: Int, _ share: Double) {
      let distance = hypot(candidate.x - point.x, candidate.y - point.y)
      guard distance < limit else { return }
      limit = distance
      best = Nearest(distance: distance, point: candidate, index: index, share: share)
    }
    for index in vertices {
      let a = columns.points[index]
      look(a, index, 0)
      guard !verticesOnly, index &+ 1 < vertices.upperBound else { continue }
      let b = columns.points[index &+ 1]
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let square = dx * dx + dy * dy
      guard square > 0 else { continue }
      let share = ((point.x - a.x) * dx + (point.y - a.y) * dy) / square
      if share > 0, share < 1 { look(a.mixed(with: b, share), index, share) }
    }
    return best
  }

  /// By the parity of crossings to the right; what lies on a ring is found as nearest anyway.
  func isInside(_ columns: GeometryColumns, _ row: Int) -> Bool {
    var isInside = false
    for path in columns.paths(ofGeometry: row) {
      let vertices = columns.vertices(ofPath: path)
      for index in vertices.dropFirst() {
        let (a, b) = (columns.points[index &- 1], columns.points[index])
        guard (a.y > point.y) != (b.y > point.y) else { continue }
        let side = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
        if (side > 0) == (b.y > a.y) { isInside.toggle() }
      }
    }
    return isInside
  }
}

private struct GeodesicFinder: NearestFinder {
  private let frame: GeodesicFrame
  private let measure: SegmentDistance
  private let sphere: ParametricSphere
  private let point: Point
  private let place: Point
  private let vector: Vector

  init(_ frame: GeodesicFrame, _ point: Point) throws(EngineError) {
    self.frame = frame
    self.point = point
    measure = SegmentDistance(frame.geodesic)
    sphere = ParametricSphere(frame.geodesic.ellipsoid)
    place = try frame.degrees(point)
    guard place.isFinite else { throw frame.nowhere(point) }
    vector = sphere.vector(place)
  }

  func nearest(
    _ columns: GeometryColumns, _ vertices: Range<Int>, verticesOnly: Bool, below greatest: Double
  ) throws(EngineError) -> Nearest? {
    let places = try frame.degrees(columns, vertices)
    var best: Nearest?
    var limit = greatest
    var before = vector
    for (number, index) in vertices.enumerated() {
      if number & 63 == 63 { try TimeLimit.check() }
      let here = places.buffer[number]
      let position = sphere.vector(here)
      if number == 0 || verticesOnly {
        if sphere.lowerBound(vector, position) < limit {
          let distance = frame.geodesic.distance(from: place, to: here)
          if distance < limit {
            limit = distance
            best = Nearest(distance: distance, point: columns.points[index], index: index, share: 0)
          }
        }
      } else {
        // All of the edge is within its length of each of its ends.
        let length = sphere.upperBound(before, position)
        if min(sphere.lowerBound(vector, before), sphere.lowerBound(vector, position)) - length / 2 < limit {
          try look(places.buffer[number &- 1], here, columns, index &- 1, &limit, &best)
        }
      }
      before = position
    }
    return best
  }

  private func look(
    _ start: Point, _ end: Point, _ columns: GeometryColumns, _ index: Int, _ limit: inout Double,
    _ best: inout Nearest?
  ) throws(EngineError) {
    var pieces: [GeodesicSegment] = []
    GeodesicSegment.pieces(frame.geodesic, from: start, to: end, vertex: index) { pieces.append($0) }
    for (number, piece) in pieces.enumerated() {
      guard let found = measure.nearest(piece, to: place, below: limit) else { continue }
      limit = found.distance
      let share = (Double(number) + found.along / piece.length) / Double(pieces.count)
      if share <= 0 || share >= 1 {
        let vertex = share <= 0 ? index : index &+ 1
        best = Nearest(distance: found.distance, point: columns.points[vertex], index: vertex, share: 0)
      } else {
        let foot = frame.geodesic.direct(from: piece.start, azimuth: piece.azimuth, distance: found.along).point
        let near = columns.points[index].mixed(with: columns.points[index &+ 1], share)
        var point = try frame.point(foot)
        if let width = frame.worldWidth { point = point.unwrapped(near: near.x, width: width) }
        best = Nearest(distance: found.distance, point: point, index: index, share: share)
      }
    }
  }

  func isInside(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Bool {
    try GeodesicShape(columns, row, frame).holds(place)
  }
}
