import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A way between two points, by shares of its length.
struct WayAlong {
  private enum Form {
    case geodesic(GeodesicLine)
    case section(PlaneSection, Earth)
    case loxodrome(Loxodrome, from: Point, azimuth: Double)
  }

  /// Metres.
  let length: Double
  let start: Point
  let end: Point
  private let form: Form

  /// - Parameter curve: any but `.shapePreserving`.
  init(_ geodesic: Geodesic, _ curve: CurveType, from start: Point, to end: Point) throws(EngineError) {
    self.start = start
    self.end = end
    let way = geodesic.way(curve, from: start, to: end)
    guard way.length.isFinite else {
      throw EngineError(
        .invalidArgument,
        "\(start.x), \(start.y) and \(end.x), \(end.y) lie opposite to each other: no one way of this kind joins them.")
    }
    length = way.length
    let earth = Earth(geodesic.ellipsoid)
    let (first, second) = (earth.position(start), earth.position(end))
    switch curve {
    case .loxodrome:
      // From a pole along the other end's meridian.
      let origin = start.y.magnitude == 90 ? Point(x: end.x, y: start.y) : start
      form = .loxodrome(Loxodrome(geodesic), from: origin, azimuth: way.azimuth)
    case .greatElliptic:
      if let section = PlaneSection.greatEllipse(earth, from: first, to: second) {
        form = .section(section, earth)
      } else {
        form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth))
      }
    case .normalSection:
      if let section = PlaneSection.normalSection(earth, at: start, first, to: second) {
        form = .section(section, earth)
      } else {
        form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth))
      }
    case .geodesic, .shapePreserving:
      form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth))
    }
  }

  /// The place in degrees at a share of the length, 0 to 1.
  func place(_ share: Double) -> Point {
    switch form {
    case .geodesic(let line): return line.position(at: share * length).point
    case .section(let section, let earth): return earth.point(section.position(at: section.angle(at: share * length)))
    case .loxodrome(let loxodrome, let origin, let azimuth):
      return loxodrome.direct(from: origin, azimuth: azimuth, distance: share * length).point
    }
  }
}

/// Where places along an edge lie in a spatial reference whose world repeats itself.
struct EdgeImages {
  let frame: GeodesicFrame

  /// The points at shares of an edge. If its ends are less than half the world apart, the points hang together between
  /// them. Else the edge goes the other way, and so do they: up to the antimeridian near the start, then near the end.
  func images(
    of shares: [Double], along way: WayAlong, _ start: Point, _ end: Point
  ) throws(EngineError) -> HeapArray<Point> {
    let points = try HeapArray<Point>(count: shares.count)
    for (index, share) in shares.enumerated() { points.buffer[index] = way.place(share) }
    try frame.fromDegrees(points.buffer)
    if let bad = points.buffer.firstIndex(where: { !$0.isFinite }) { throw frame.noImage(way.place(shares[bad])) }
    guard let width = frame.worldWidth else { return points }
    var seam: Int?
    var before = start
    var raw = start.x
    for index in points.buffer.indices {
      let image = points.buffer[index]
      if index > 0, seam == nil, (image.x - raw).magnitude > width / 2 { seam = index }
      raw = image.x
      points.buffer[index] = image.unwrapped(near: before.x, width: width)
      before = points.buffer[index]
    }
    let shift = end.x - end.unwrapped(near: before.x, width: width).x
    guard shift != 0 else { return points }
    for index in (seam ?? points.buffer.count)..<points.buffer.count { points.buffer[index].x += shift }
    return points
  }
}

/// Finds where a way needs vertices to keep near it, if edges are straight in the spatial reference.
struct DeviationSearch {
  let frame: GeodesicFrame
  let way: WayAlong
  /// Metres.
  let maximumDeviation: Double

  /// For what lies between the places that are looked at.
  private static let margin = 1.05
  private static let places = 8

  /// Shares of the way, with more of them where it takes that.
  ///
  /// - Parameter check: throws if there are too many.
  func refined(
    _ shares: [Double], from start: Point, to end: Point, _ check: (Int) throws(EngineError) -> Void
  ) throws(EngineError) -> [Double] {
    // Along a long way the deviation of the whole may vanish by chance.
    let least = Int(exactly: (way.length / 500_000).rounded(.up)) ?? 1
    var ends = Set(shares)
    for piece in 1..<max(2, least) where shares.isEmpty && least > 1 { ends.insert(Double(piece) / Double(least)) }
    var found: [Double] = []
    var from = (share: 0.0, point: start)
    for share in ends.sorted() + [1] {
      var open = [share]
      while let to = open.last {
        try TimeLimit.check()
        let point = to == 1 ? end : try image(to, near: from.point)
        let deviation = try deviation(from: from.share, from.point, to: to, point) * Self.margin
        if deviation + ChordPath.rounding <= maximumDeviation {
          if to < 1 { found.append(to) }
          from = (to, point)
          open.removeLast()
          continue
        }
        let middle = from.share + (to - from.share) / 2
        guard to - from.share > 1e-13, deviation.isFinite else {
          throw EngineError(
            .projectionFailed,
            "Between \(way.start.x), \(way.start.y) and \(way.end.x), \(way.end.y) (longitude and latitude) no straight "
              + "edges in \(frame.reference.name) keep near the way: the map is cut open there, or ends.")
        }
        open.append(middle)
        try check(found.count &+ open.count)
      }
    }
    return found
  }

  private func image(_ share: Double, near: Point) throws(EngineError) -> Point {
    let image = try frame.point(way.place(share))
    return frame.worldWidth.map { image.unwrapped(near: near.x, width: $0) } ?? image
  }

  /// The greatest distance of a part of the way from the straight edge between its ends, metres.
  private func deviation(
    from first: Double, _ start: Point, to second: Double, _ end: Point
  ) throws(EngineError) -> Double {
    var end = end
    if let width = frame.worldWidth { end = end.unwrapped(near: start.x, width: width) }
    var greatest = 0.0
    for index in 1..<Self.places {
      let u = Double(index) / Double(Self.places)
      let target = frame.earth.position(way.place(first + u * (second - first)))
      greatest = max(greatest, try distance(of: target, from: start, to: end, near: u))
      guard greatest.isFinite else { return .infinity }
    }
    return greatest
  }

  /// How far a position lies from a straight edge, metres; infinite where the edge has no place on the earth.
  private func distance(
    of target: Vector, from start: Point, to end: Point, near guess: Double
  ) throws(EngineError) -> Double {
    func position(_ u: Double) throws(EngineError) -> Vector {
      let place = try frame.degrees(start.mixed(with: end, u))
      return place.isFinite ? frame.earth.position(place) : Vector(repeating: .nan)
    }
    var u = guess
    var best = Double.infinity
    for _ in 0..<5 {
      let foot = try position(u)
      let away = target - foot
      let distance = away.length
      guard distance.isFinite else { return .infinity }
      best = min(best, distance)
      let step = u < 0.5 ? 1e-4 : -1e-4
      let ahead = (try position(u + step) - foot) / step
      let square = ahead.dot(ahead)
      guard square > 0, square.isFinite else { break }
      let next = min(1, max(0, u + ahead.dot(away) / square))
      if (next - u).magnitude * square.squareRoot() < 1e-2 * distance { break }
      u = next
    }
    return best
  }
}
