import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A way between two points, by shares of its length.
struct WayAlong {
  private enum Form {
    case geodesic(GeodesicLine)
    case section(PlaneSection)
    case loxodrome(Loxodrome, from: Point, azimuth: Double)
  }

  /// Fewer places are sooner found one by one.
  static let leastOfSeries = 64

  /// Metres.
  let length: Double
  let start: Point
  let end: Point
  private let earth: Earth
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
    self.earth = earth
    let (first, second) = (earth.position(start), earth.position(end))
    switch curve {
    case .loxodrome:
      // From a pole along the other end's meridian.
      let origin = start.y.magnitude == 90 ? Point(x: end.x, y: start.y) : start
      form = .loxodrome(Loxodrome(geodesic), from: origin, azimuth: way.azimuth)
    case .greatElliptic:
      if let section = PlaneSection.greatEllipse(earth, from: first, to: second) {
        form = .section(section)
      } else {
        form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth))
      }
    case .normalSection:
      if let section = PlaneSection.normalSection(earth, at: start, first, to: second) {
        form = .section(section)
      } else {
        form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth))
      }
    case .geodesic, .shapePreserving:
      form = .geodesic(geodesic.line(from: start, azimuth: way.azimuth))
    }
  }

  /// Part of the way for so many places; nil where it is of no use.
  func series(from start: Double, to end: Double, count: Int) -> WaySeries? {
    guard count >= Self.leastOfSeries, end > start else { return nil }
    if case .geodesic = form { return nil }
    return WaySeries(earth, from: start, to: end) { earth.position(place($0)) }
  }

  /// The place in degrees at a share of the length, 0 to 1.
  func place(_ share: Double) -> Point {
    switch form {
    case .geodesic(let line): return line.position(at: share * length).point
    case .section(let section): return earth.point(section.position(at: section.angle(at: share * length)))
    case .loxodrome(let loxodrome, let origin, let azimuth):
      return loxodrome.direct(from: origin, azimuth: azimuth, distance: share * length).point
    }
  }
}

/// Part of a way as a polynomial in three dimensions, which takes a tenth of the time where a place takes iterations.
///
/// It goes through exact places at Chebyshev's points; the error falls geometrically with their number (Trefethen,
/// Approximation theory and approximation practice, chapter 8), and is looked at between them.
struct WaySeries {
  private let earth: Earth
  private let start: Double
  private let end: Double
  private let coefficients: [Vector]

  private static let count = 12
  /// Metres. Positions in degrees are rounded by some 2e-9 m, and those of iterations by some more.
  private static let tolerance = 1e-8

  /// nil where the way bends too much for it.
  init?(_ earth: Earth, from start: Double, to end: Double, _ position: (Double) -> Vector) {
    (self.earth, self.start, self.end) = (earth, start, end)
    let count = Self.count
    let exact = (0..<count).map { index in
      position(start + (end - start) * (1 + cos(.pi * (Double(index) + 0.5) / Double(count))) / 2)
    }
    coefficients = (0..<count).map { order in
      var sum = Vector.zero
      for (index, place) in exact.enumerated() {
        sum += place * cos(.pi * Double(order) * (Double(index) + 0.5) / Double(count))
      }
      return sum * ((order == 0 ? 1 : 2) / Double(count))
    }
    for u in [0, 0.11, 0.52, 0.87, 1] {
      let share = start + u * (end - start)
      guard (self.position(share) - position(share)).length <= Self.tolerance else { return nil }
    }
  }

  /// By Clenshaw's recurrence.
  private func position(_ share: Double) -> Vector {
    let t = (share - start) / (end - start) * 2 - 1
    var (first, second) = (Vector.zero, Vector.zero)
    for order in stride(from: coefficients.count &- 1, to: 0, by: -1) {
      (first, second) = (coefficients[order] + 2 * t * first - second, first)
    }
    return coefficients[0] + t * first - second
  }

  func place(_ share: Double) -> Point { earth.point(position(share)) }
}

/// Where places along an edge lie in a spatial reference whose world repeats itself.
struct EdgeImages {
  let frame: GeodesicFrame
  let way: WayAlong
  /// In the spatial reference.
  let start: Point
  let end: Point

  /// How many points are computed between two looks at the time, at most.
  private static let chunk = 1024

  /// Writes the points at shares of the way. If its ends are less than half the world apart, the points hang together
  /// between them. Else the edge goes the other way, and so do they: up to the antimeridian near the start, then near the
  /// end.
  func write(_ points: UnsafeMutableBufferPointer<Point>, at share: (Int) -> Double) throws(EngineError) {
    var first = 0
    // No longer than a series is good for.
    let fitting = Int(exactly: (500_000 / way.length * Double(points.count)).rounded(.down)) ?? Self.chunk
    let chunk = min(Self.chunk, max(WayAlong.leastOfSeries, fitting))
    while first < points.count {
      let last = min(points.count, first &+ chunk)
      try TimeLimit.check()
      if let series = way.series(from: share(first), to: share(last &- 1), count: last &- first) {
        for index in first..<last { points[index] = series.place(share(index)) }
      } else {
        for index in first..<last { points[index] = way.place(share(index)) }
      }
      let slice = UnsafeMutableBufferPointer(rebasing: points[first..<last])
      try frame.fromDegrees(slice)
      if let bad = slice.firstIndex(where: { !$0.isFinite }) { throw frame.noImage(way.place(share(first &+ bad))) }
      first = last
    }
    if let width = frame.worldWidth { join(points, width) }
  }

  private func join(_ points: UnsafeMutableBufferPointer<Point>, _ width: Double) {
    var seam: Int?
    var before = start
    var raw = start.x
    for index in points.indices {
      let image = points[index]
      if index > 0, seam == nil, (image.x - raw).magnitude > width / 2 { seam = index }
      raw = image.x
      points[index] = image.unwrapped(near: before.x, width: width)
      before = points[index]
    }
    let shift = end.x - end.unwrapped(near: before.x, width: width).x
    guard shift != 0 else { return }
    for index in (seam ?? points.count)..<points.count { points[index].x += shift }
  }
}
