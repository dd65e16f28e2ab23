import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The plane of a projected spatial reference, and the longitudes and latitudes that it is based on, in degrees. For a
/// geographic spatial reference with a pole of its own, the plane has its own longitudes and latitudes, which differ
/// from the longitudes and latitudes of the earth.
public final class EarthPlane: Sendable {
  let name: String
  private let toPlane: Projector
  private let toGlobe: PlaneInverse
  /// For the longitudes and latitudes, which may be in grads.
  private let degreesPerUnit: Double
  /// Where the map repeats itself from west to east; nil where it does not.
  let world: MapOfWorld?
  /// Whether what runs counterclockwise on the earth runs clockwise in the plane, as with axes to the south and west.
  let isMirrored: Bool
  /// An error for other reasons than the position, such as a lack of memory.
  private let failure = Lock<EngineError?>(nil)

  /// nil for longitudes and latitudes, which need no plane.
  static func make(_ reference: SpatialReference) throws(EngineError) -> EarthPlane? {
    if reference.kind == .geographic, try reference.geodeticBase() === reference { return nil }
    return try EarthPlane(reference)
  }

  /// - Parameter reference: a projected spatial reference, or a geographic one with a pole of its own.
  public init(_ reference: SpatialReference) throws(EngineError) {
    let globe = try reference.geodeticBase()
    name = reference.name
    let toPlane = try Projector.between(globe, reference)
    let degreesPerUnit = globe.system.degreesPerUnit
    (self.toPlane, self.degreesPerUnit) = (toPlane, degreesPerUnit)
    toGlobe = try PlaneInverse(reference)
    isMirrored = try reference.planeFacts().isMirrored
    if reference.kind == .geographic {
      world = MapOfWorld.degrees.scaled(by: 1 / reference.system.degreesPerUnit)
      return
    }
    world = try reference.system.worldWidth.map { (width) throws(EngineError) in
      try MapOfWorld(width: width) { (longitude, latitude) throws(EngineError) in
        try toPlane.project(Point(x: longitude / degreesPerUnit, y: latitude / degreesPerUnit))
      }
    }
  }

  /// Units of the plane per metre around points of it, the most of all; 0 if none of them lies on the earth.
  func unitsPerMetre(around points: [Point], _ earth: Earth) throws(EngineError) -> Double {
    let step = 1e-3
    var most = 0.0
    for point in points {
      let place = place(of: point)
      guard place.x.isFinite, place.y.isFinite, let here = try imageIfAny(of: place) else { continue }
      let metres = earth.metresPerRadian(latitude: place.y)
      let north = Point(x: place.x, y: place.y + (place.y > 0 ? -step : step))
      let east = Point(x: place.x + step, y: place.y)
      for (next, perRadian) in [(north, metres.meridian), (east, metres.parallel)] where perRadian > 1 {
        guard let there = try imageIfAny(of: next) else { continue }
        let (dx, dy) = (there.x - here.x, there.y - here.y)
        most = max(most, (dx * dx + dy * dy).squareRoot() / (perRadian * step * .pi / 180))
      }
    }
    return most
  }

  /// The point of the plane for a position in degrees.
  func image(of place: Point) throws(EngineError) -> Point {
    let point = Point(x: remainder(place.x, 360) / degreesPerUnit, y: place.y / degreesPerUnit)
    guard let image = try toPlane.project(point) else {
      throw EngineError(
        .projectionFailed,
        "The geodesic buffer reaches \(place.x), \(place.y) (longitude and latitude), which cannot be projected to \(name). "
          + "Project the geometry to its geographic spatial reference and buffer it there.")
    }
    return image
  }

  /// The point of the plane for a position in degrees; nil if there is none.
  func imageIfAny(of place: Point) throws(EngineError) -> Point? {
    try toPlane.project(Point(x: remainder(place.x, 360) / degreesPerUnit, y: place.y / degreesPerUnit))
  }

  /// Converts positions in degrees into points of the plane that stay connected, NaN where there is none.
  func images(of points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    for index in points.indices {
      let place = points[index]
      points[index] = Point(x: remainder(place.x, 360) / degreesPerUnit, y: place.y / degreesPerUnit)
    }
    try toPlane.projectSlices(points)
    guard let width = world?.width else { return }
    for index in points.indices.dropFirst() {
      points[index] = points[index].unwrapped(near: points[index &- 1].x, width: width)
    }
  }

  /// Converts points of the plane into positions in degrees, NaN where there is none.
  func places(of points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    try toGlobe.places(of: points)
    if degreesPerUnit == 1 { return }
    for index in points.indices {
      points[index] = Point(x: points[index].x * degreesPerUnit, y: points[index].y * degreesPerUnit)
    }
  }

  /// The position in degrees of a point of the plane; NaN if there is none.
  func place(of point: Point) -> Point {
    do throws(EngineError) {
      guard let place = try toGlobe.place(of: point) else { return .nan }
      return Point(x: place.x * degreesPerUnit, y: place.y * degreesPerUnit)
    } catch {
      failure.withLock { first in if first == nil { first = error } }
      return .nan
    }
  }

  /// The error of a curve that the plane breaks off.
  func breakage(near place: Point) -> EngineError {
    if let failure = failure.withLock({ $0 }) { return failure }
    return EngineError(
      .projectionFailed,
      "The geodesic buffer crosses the line along which \(name) is cut open, near \(place.x), \(place.y) (longitude and "
        + "latitude). Project the geometry to its geographic spatial reference and buffer it there.")
  }

  /// The error of a region that contains a position without an image, although its outline has one.
  func hole() -> EngineError {
    EngineError(
      .projectionFailed,
      "The geodesic buffer contains a point, such as a pole, that \(name) cannot show. Project the geometry to its geographic "
        + "spatial reference and buffer it there.")
  }
}

/// A map of the world that repeats itself from west to east.
struct MapOfWorld: Sendable {
  let width: Double
  /// x of the side where one world ends and the next one begins.
  let west: Double
  /// Where the poles are; nil if they are infinitely far away.
  let south: Double?
  let north: Double?

  /// Longitude and latitude in degrees.
  static let degrees = MapOfWorld(width: 360, west: -180, south: -90, north: 90)

  func scaled(by scale: Double) -> MapOfWorld {
    MapOfWorld(
      width: width * scale, west: west * scale, south: south.map { $0 * scale }, north: north.map { $0 * scale })
  }

  private init(width: Double, west: Double, south: Double?, north: Double?) {
    (self.width, self.west, self.south, self.north) = (width, west, south, north)
  }

  /// - Parameter image: of a longitude and latitude in degrees.
  init(width: Double, _ image: (Double, Double) throws(EngineError) -> Point?) throws(EngineError) {
    // x grows with the longitude, but for one jump back to the other side.
    func x(_ longitude: Double) throws(EngineError) -> Double {
      guard let point = try image(longitude, 0) else {
        throw EngineError(.projectionFailed, "The longitude \(longitude) of the equator cannot be projected.")
      }
      return point.x
    }
    var (low, high) = (-180.0, 180.0)
    // Not in the middle of the map, where both have the same x but for rounding.
    if try x(high) - x(low) > width / 2 {
      west = try x(low)
    } else {
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if try x(middle) >= x(-180) { low = middle } else { high = middle }
      }
      west = try x(high)
    }
    self.width = width
    south = try image(low, -90)?.y
    north = try image(low, 90)?.y
  }
}

/// A straight line in the plane of a projected spatial reference, as it lies on the earth.
struct PlanarChord {
  private let plane: EarthPlane
  private let earth: Earth
  private let from: Point
  private let to: Point

  init(_ plane: EarthPlane, _ earth: Earth, _ from: Point, _ to: Point) {
    (self.plane, self.earth, self.from, self.to) = (plane, earth, from, to)
  }

  /// The position at a share of the line; NaN where it has no position on the earth.
  func position(_ u: Double) -> Vector {
    earth.position(plane.place(of: Point(x: from.x + u * (to.x - from.x), y: from.y + u * (to.y - from.y))))
  }

  /// The signed distance of a position on the earth from the line, metres, positive to its left; NaN where the line has
  /// no position on the earth.
  func signedDistance(of target: Vector, near start: Double) -> Double {
    var u = start
    var best = Double.infinity
    var side = 1.0
    // Gauss and Newton's iteration; the nearest of the points that it comes by counts, which is never too near.
    for _ in 0..<4 {
      let foot = position(u)
      let step = u < 0.5 ? 0.25 : -0.25
      let ahead = (position(u + step) - foot) / step
      let away = target - foot
      let distance = away.length
      guard distance.isFinite else { return .nan }
      if distance < best {
        best = distance
        side = target.dot(ahead.cross(away)) < 0 ? -1 : 1
      }
      let square = ahead.dot(ahead)
      guard square > 0 else { break }
      let next = min(1, max(0, u + ahead.dot(away) / square))
      if (next - u).magnitude * square.squareRoot() < 1e-2 * distance { break }
      u = next
    }
    return side * best
  }
}

extension MapOfWorld {
  /// The image of a simple ring on the map: the ring itself if it crosses no side; otherwise its two parts, cut there;
  /// or one piece that begins within the world. nil where this is not enough.
  func parts(of ring: [Point], isSplit: Bool) -> [[Point]]? {
    guard let extent = Envelope(around: ring), extent.xMax - extent.xMin < width else { return nil }
    let east = west + width
    if extent.xMin >= west, extent.xMax <= east { return [ring] }
    let shift = -width * ((extent.xMin - west) / width).rounded(.down)
    let moved = shift == 0 ? ring : ring.map { Point(x: $0.x + shift, y: $0.y) }
    if !isSplit || extent.xMax + shift <= east { return [moved] }
    return Self.cut(moved, at: east).map { [$0.west, $0.east.map { Point(x: $0.x - width, y: $0.y) }] }
  }

  /// The parts of a closed ring on both sides of a line from south to north; nil unless it crosses that just twice.
  private static func cut(_ ring: [Point], at x: Double) -> (west: [Point], east: [Point])? {
    var (west, east, crossings) = ([Point](), [Point](), 0)
    var side = ring.last { $0.x != x }.map { $0.x < x } ?? true
    for (index, point) in ring.dropLast().enumerated() {
      if point.x <= x { west.append(point) }
      if point.x >= x { east.append(point) }
      let next = ring[index &+ 1]
      if point.x == x {
        // It goes through, and not along or back.
        guard next.x != x, (next.x < x) != side else { return nil }
        (side, crossings) = (!side, crossings &+ 1)
      } else if next.x != x, (next.x < x) != side {
        let cut = Point(x: x, y: point.y + (next.y - point.y) * ((x - point.x) / (next.x - point.x)))
        west.append(cut)
        east.append(cut)
        (side, crossings) = (!side, crossings &+ 1)
      }
    }
    guard crossings == 2, let first = west.first, let other = east.first, west.count > 2, east.count > 2 else {
      return nil
    }
    return (west + [first], east + [other])
  }

  /// The polygon between a line around a pole and that pole's side of the map, clockwise. nil where the line does not run
  /// all around in one direction: then it may cross itself, or a side more than once.
  ///
  /// - Parameters:
  ///   - line: ends where it began, a turn farther.
  ///   - turns: 1 eastwards around the north pole, -1 westwards around the south pole.
  func cap(around line: [Point], turns: Double) -> [Point]? {
    guard let pole = turns > 0 ? north : south else { return nil }
    let eastwards = turns > 0 ? line : line.reversed()
    guard let start = eastwards.first else { return nil }
    for (point, next) in zip(eastwards, eastwards.dropFirst()) {
      guard next.x > point.x, (next.y - pole).magnitude > 1e-9 * width else { return nil }
    }
    // The west side of the world, as often to the east as it takes to lie on the line.
    let side = west + width * ((start.x - west) / width).rounded(.up)
    guard let index = eastwards.lastIndex(where: { $0.x <= side }), index &+ 1 < eastwards.count else { return nil }
    let (from, to) = (eastwards[index], eastwards[index &+ 1])
    let y = from.y + (to.y - from.y) * ((side - from.x) / (to.x - from.x))
    let east = west + width
    var ring = [Point(x: west, y: pole), Point(x: east, y: pole)]
    // From the east side back to the west: first what is beyond a turn, then what is left of it.
    ring.append(Point(x: east, y: y))
    let before = eastwards[..<index] + (from.x < side ? [from] : [])
    for point in before.reversed() { ring.append(Point(x: point.x - side + east, y: point.y)) }
    for point in eastwards[(index &+ 1)...].dropLast().reversed() {
      ring.append(Point(x: point.x - side + west, y: point.y))
    }
    ring.append(Point(x: west, y: y))
    // Clockwise with the north pole's side first; the south pole's is the other way round.
    let closed = ring + [ring[0]]
    return turns > 0 ? closed : closed.reversed()
  }
}
