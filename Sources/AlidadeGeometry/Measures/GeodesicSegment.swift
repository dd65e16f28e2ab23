import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A geodesic between two vertices, or a piece of one, or a point.
struct GeodesicSegment {
  let start: Point
  let end: Point
  /// Metres; 0 for a point.
  let length: Double
  /// At the start.
  let azimuth: Double
  /// Which vertex of the columns it begins at.
  let vertex: Int

  /// So long that two of them that touch lie in a part of the earth where geodesics cross but once.
  static let longest = 1e6

  init(point: Point, vertex: Int) {
    (start, end, length, azimuth, self.vertex) = (point, point, 0, 0, vertex)
  }

  private init(_ start: Point, _ end: Point, _ length: Double, _ azimuth: Double, _ vertex: Int) {
    (self.start, self.end, self.length, self.azimuth, self.vertex) = (start, end, length, azimuth, vertex)
  }

  /// The pieces of an edge; none if its ends are one place.
  static func pieces(
    _ geodesic: Geodesic, from start: Point, to end: Point, vertex: Int, _ add: (GeodesicSegment) -> Void
  ) {
    let way = geodesic.inverse(from: start, to: end)
    guard way.length > 0 else { return }
    let count = Int(exactly: (way.length / longest).rounded(.up)) ?? 1
    if count == 1 { return add(GeodesicSegment(start, end, way.length, way.azimuth, vertex)) }
    let line = geodesic.line(from: start, azimuth: way.azimuth)
    let piece = way.length / Double(count)
    var (from, azimuth) = (start, way.azimuth)
    for number in 1...count {
      let next = line.position(at: Double(number) * piece)
      let to = number == count ? end : next.point
      add(GeodesicSegment(from, to, piece, azimuth, vertex))
      (from, azimuth) = (to, next.azimuth)
    }
  }

  /// The disc around it.
  func disc(_ geodesic: Geodesic, _ sphere: ParametricSphere) -> EarthDisc {
    guard length > 0 else { return EarthDisc(vector: sphere.vector(start), radius: 1e-8) }
    let middle = geodesic.direct(from: start, azimuth: azimuth, distance: length / 2).point
    return EarthDisc(vector: sphere.vector(middle), radius: length / 2 + 1e-8)
  }
}

/// Distances between points and geodesic segments.
///
/// The distance d of a point from a place s metres along a geodesic has the second derivative sin^2(A) M / m, with A the
/// angle between the geodesic and the way to the point, m the reduced length and M the geodesic scale of that way (Karney
/// 2013, section 3). M is positive up to about a quarter of the meridian, and negative beyond. So d is convex where it is
/// small, and has one minimum, and concave where it is large, and is least at an end. Only between the two, within some
/// hundred kilometres of 10,000 km, has one to look more closely.
struct SegmentDistance {
  let geodesic: Geodesic
  private let convexLimit: Double
  private let concaveLimit: Double
  private let radius: Double

  /// Where nothing else is known, distances are right to this, metres.
  static let coarse = 1e-3

  init(_ geodesic: Geodesic) {
    self.geodesic = geodesic
    let radii = geodesic.ellipsoid.curvatureRadii
    convexLimit = 0.99 * .pi / 2 * radii.lowerBound
    concaveLimit = 1.01 * .pi / 2 * radii.upperBound
    radius = geodesic.ellipsoid.semiMajorAxis
  }

  struct Found {
    var distance: Double
    /// Metres from the segment's start.
    var along: Double
  }

  /// The nearest place of a segment to a point, if it is nearer than a limit.
  func nearest(_ segment: GeodesicSegment, to place: Point, below limit: Double) -> Found? {
    let first = geodesic.distance(from: segment.start, to: place)
    var best = Found(distance: limit, along: .nan)
    if first < best.distance { best = Found(distance: first, along: 0) }
    if segment.length > 0 {
      let last = geodesic.distance(from: segment.end, to: place)
      if last < best.distance { best = Found(distance: last, along: segment.length) }
      // No place between is nearer than this: the triangle's inequality.
      let least = (first + last - segment.length) / 2
      if least < best.distance, least < concaveLimit {
        let line = geodesic.line(from: segment.start, azimuth: segment.azimuth)
        if (first + last + segment.length) / 2 < convexLimit {
          descend(line, segment.length, place, &best)
        } else {
          search(line, (0, first), (segment.length, last), place, &best)
        }
      }
    }
    return best.along.isNaN ? nil : best
  }

  /// The slope of the distance along a line, and the distance.
  private func slope(_ line: GeodesicLine, _ along: Double, _ place: Point) -> (slope: Double, distance: Double) {
    let foot = line.position(at: along)
    let way = geodesic.inverse(from: foot.point, to: place)
    return (-Earth.sineAndCosine(way.azimuth - foot.azimuth).cosine, way.length)
  }

  /// The one minimum where the distance is convex.
  private func descend(_ line: GeodesicLine, _ length: Double, _ place: Point, _ best: inout Found) {
    var (low, high) = (0.0, length)
    let (atStart, atEnd) = (slope(line, 0, place), slope(line, length, place))
    // The ends have been looked at.
    guard atStart.slope < 0, atEnd.slope > 0 else { return }
    // By the spherical triangle with a right angle at the foot; halving where that leads out of the bracket.
    var along = step(from: 0, atStart)
    for _ in 0..<60 {
      if !(along > low && along < high) { along = low + (high - low) / 2 }
      let here = slope(line, along, place)
      if here.distance < best.distance { best = Found(distance: here.distance, along: along) }
      if here.slope < 0 { low = along } else { high = along }
      let next = step(from: along, here)
      if (next - along).magnitude < 1e-8 || high - low < 1e-8 || here.distance < 1e-9 { return }
      along = next
    }
  }

  private func step(from along: Double, _ here: (slope: Double, distance: Double)) -> Double {
    along + radius * atan(tan(here.distance / radius) * -here.slope)
  }

  /// Where the distance may be convex or concave: halving, down to where it is as good as straight.
  private func search(
    _ line: GeodesicLine, _ from: (along: Double, distance: Double), _ to: (along: Double, distance: Double),
    _ place: Point, _ best: inout Found
  ) {
    // Within the belt between the limits the second derivative is at most this, per metre.
    let bend = 0.1 / radius
    var open = [(from, to)]
    while let (from, to) = open.popLast() {
      let length = to.along - from.along
      let least = (from.distance + to.distance - length) / 2
      if least >= best.distance || least >= concaveLimit { continue }
      if (from.distance + to.distance + length) / 2 < convexLimit {
        let part = line.position(at: from.along)
        var found = Found(distance: best.distance, along: .nan)
        descend(geodesic.line(from: part.point, azimuth: part.azimuth), length, place, &found)
        if !found.along.isNaN { best = Found(distance: found.distance, along: from.along + found.along) }
        continue
      }
      let sag = length * length / 8 * bend
      if sag < Self.coarse { continue }
      // All of it in the belt: then it is nowhere lower than the chord by more than that.
      let isInBelt = least > 0.98 * convexLimit && (from.distance + to.distance + length) / 2 < 1.02 * concaveLimit
      if isInBelt, min(from.distance, to.distance) - sag >= best.distance { continue }
      let along = from.along + length / 2
      let distance = geodesic.distance(from: line.position(at: along).point, to: place)
      if distance < best.distance { best = Found(distance: distance, along: along) }
      open.append(((along, distance), to))
      open.append((from, (along, distance)))
    }
  }

  // MARK: Crossings

  /// Where two segments that lie in one part of the earth cross: metres along the first; nil if they do not.
  func crossing(_ first: GeodesicSegment, _ second: GeodesicSegment) -> Double? {
    guard first.length > 0, second.length > 0 else { return nil }
    let line = geodesic.line(from: first.start, azimuth: first.azimuth)
    func side(_ place: Point, of segment: GeodesicSegment) -> Double {
      let way = geodesic.inverse(from: segment.start, to: place)
      return way.length == 0 ? 0 : Earth.sineAndCosine(segment.azimuth - way.azimuth).sine
    }
    let (c, d) = (side(second.start, of: first), side(second.end, of: first))
    guard (c < 0 && d > 0) || (c > 0 && d < 0) else { return nil }
    let (a, b) = (side(first.start, of: second), side(first.end, of: second))
    guard (a < 0 && b > 0) || (a > 0 && b < 0) else { return nil }
    var (low, high) = (0.0, first.length)
    for _ in 0..<60 where high - low > 1e-9 {
      let middle = low + (high - low) / 2
      let here = side(line.position(at: middle).point, of: second)
      if (here < 0) == (a < 0) { low = middle } else { high = middle }
    }
    return low
  }
}
