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
  let way: WayAlong
  /// In the spatial reference.
  let start: Point
  let end: Point

  /// How many points are computed between two looks at the time.
  private static let chunk = 1024

  /// Writes the points at shares of the way. If its ends are less than half the world apart, the points hang together
  /// between them. Else the edge goes the other way, and so do they: up to the antimeridian near the start, then near the
  /// end.
  func write(_ points: UnsafeMutableBufferPointer<Point>, at share: (Int) -> Double) throws(EngineError) {
    var first = 0
    while first < points.count {
      let last = min(points.count, first &+ Self.chunk)
      try TimeLimit.check()
      for index in first..<last { points[index] = way.place(share(index)) }
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
