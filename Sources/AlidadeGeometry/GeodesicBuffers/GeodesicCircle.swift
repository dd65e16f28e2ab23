import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The points at one geodesic distance from a centre.
public struct GeodesicCircle: Sendable {
  public let geodesic: Geodesic
  public let centre: Point
  /// Metres.
  public let radius: Double
  private let fan: GeodesicFan

  /// The largest radius of circles on an ellipsoid in metres. Up to this radius, each point of the circle is reached
  /// from the centre on the shortest path. Farther out, near the antipode, geodesics begin to cross. 19,970 km on the
  /// earth.
  public static func greatestRadius(on ellipsoid: ReferenceEllipsoid) -> Double {
    .pi * ellipsoid.curvatureRadii.lowerBound
  }

  public init(_ geodesic: Geodesic, centre: Point, radius: Double) throws(EngineError) {
    guard centre.isFinite, centre.y.magnitude <= 90 else {
      throw EngineError(
        .invalidArgument, "A circle's centre is \(centre.x), \(centre.y): longitude and latitude in degrees are needed."
      )
    }
    let greatest = Self.greatestRadius(on: geodesic.ellipsoid)
    guard radius > 0, radius <= greatest else {
      throw EngineError(
        .invalidArgument,
        "A geodesic circle has a radius of \(radius) m: it must be more than 0 and at most \(greatest) m.")
    }
    self.geodesic = geodesic
    self.centre = centre
    self.radius = radius
    fan = GeodesicFan(geodesic, latitude: centre.y, distance: radius)
  }

  /// The point of the circle at an azimuth, degrees clockwise from north as seen from the centre. Its longitude is
  /// within 180 of the centre's.
  public func point(azimuth: Double) -> Point {
    let (sine, cosine) = sineAndCosine(degrees: azimuth)
    let end = fan.end(sine: sine, cosine: cosine)
    // East of the meridian or west of it: rounding must not put it on the other side.
    return Point(x: centre.x + (sine < 0 ? -end.x.magnitude : end.x.magnitude), y: end.y)
  }

  /// Fills a buffer with points at evenly spaced azimuths, the first one due north, clockwise.
  ///
  /// Longitudes are continuous: each is within 180 degrees of the previous one, beyond 180 if necessary. Around one
  /// pole, the last and the first are a whole turn apart.
  ///
  /// - Parameter angles: The sines and cosines of as many angles as there are points.
  public func fill(_ points: UnsafeMutableBufferPointer<Point>, angles: UnitCircle) {
    let count = min(points.count, angles.count)
    guard count > 0 else { return }
    // The circle is its own image in the centre's meridian: its eastern half is enough.
    let east = UnsafeMutableBufferPointer(rebasing: points[0...(count / 2)])
    angles.sines.withUnsafeBufferPointer { sines in
      angles.cosines.withUnsafeBufferPointer { cosines in fan.fill(east, sines: sines, cosines: cosines) }
    }
    // Due south beyond the pole: there the eastern half ends half a turn away from the centre's meridian.
    let turn = fan.end(sine: 0, cosine: -1).x.magnitude > 90 ? 360.0 : 0
    for index in east.indices {
      // Rounding must not put its ends to the west of the meridian.
      let point = Point(x: east[index].x.magnitude, y: east[index].y)
      east[index] = Point(x: centre.x + point.x, y: point.y)
      let mirrored = count &- index
      if index > 0, mirrored > index { points[mirrored] = Point(x: centre.x + (turn - point.x), y: point.y) }
    }
  }

  /// Points at evenly spaced azimuths; see `fill`.
  public func points(count: Int) throws(EngineError) -> [Point] {
    guard count >= 3 else {
      throw EngineError(.invalidArgument, "A circle of \(count) points was asked for: it needs at least 3.")
    }
    let memory = try HeapArray<Point>(count: count)
    fill(memory.buffer, angles: UnitCircle(count: count))
    return Array(memory.buffer)
  }
}

/// Cosines and sines of evenly spaced angles, made once for many circles.
public struct UnitCircle: Sendable {
  public let count: Int
  let cosines: [Double]
  let sines: [Double]

  public init(count: Int) {
    let angles = (0..<max(0, count)).map { sineAndCosine(degrees: 360 * Double($0) / Double(count)) }
    self.count = angles.count
    cosines = angles.map(\.cosine)
    sines = angles.map(\.sine)
  }
}

/// Geodesic circles with evenly spaced vertices, written into the host's memory.
public struct GeodesicCircleFill: Sendable {
  private let frame: GeodesicFrame
  private let angles: UnitCircle
  private let workers: Workers
  public static let vertexCounts = 3...1_048_576

  public init(_ reference: SpatialReference, vertexCount: Int) throws(EngineError) {
    guard Self.vertexCounts.contains(vertexCount) else {
      throw EngineError(
        .invalidArgument,
        "A circle of \(vertexCount) vertices was asked for; it has \(Self.vertexCounts.lowerBound) to "
          + "\(Self.vertexCounts.upperBound).")
    }
    frame = try GeodesicFrame(reference)
    workers = reference.runtime.workers
    angles = UnitCircle(count: vertexCount)
  }

  /// How many vertices so many circles have; `Int.max` if they are beyond counting.
  public func vertexCount(circles: Int) -> Int {
    let (count, overflow) = circles.multipliedReportingOverflow(by: angles.count)
    return overflow ? .max : count
  }

  /// Throws unless circles can have those radii, metres.
  public func check(radii: HeapArray<Double>) throws(EngineError) {
    let greatest = GeodesicCircle.greatestRadius(on: frame.geodesic.ellipsoid)
    for radius in radii.buffer where !(radius > 0 && radius <= greatest) {
      throw EngineError(
        .invalidArgument,
        "A geodesic circle has a radius of \(radius) m: it must be more than 0 and at most \(greatest) m.")
    }
  }

  /// Calls `put` with each circle's number, each vertex's number and its position, from several threads.
  ///
  /// - Parameters:
  ///   - centre: in the spatial reference.
  ///   - radius: metres; each has passed the check.
  public func write(
    count: Int, centre: @Sendable (Int) -> Point, radius: @Sendable (Int) -> Double,
    put: @Sendable (Int, Int, Point) -> Void
  ) throws(EngineError) {
    let vertices = angles.count
    // Some hundred kilobytes at a time.
    let chunk = max(1, (1 << 13) / vertices)
    try workers.forEach((count &+ chunk &- 1) / chunk) { (part) throws(EngineError) in
      let start = part &* chunk
      let centres = try HeapArray<Point>(count: min(chunk, count &- start))
      let room = try HeapArray<Point>(count: centres.buffer.count &* vertices)
      for index in centres.buffer.indices { centres.buffer[index] = centre(start &+ index) }
      try frame.toDegrees(centres.buffer)
      for (index, place) in centres.buffer.enumerated() {
        let points = UnsafeMutableBufferPointer(rebasing: room.buffer[(index &* vertices)..<((index &+ 1) &* vertices)])
        if place.isFinite {
          try GeodesicCircle(frame.geodesic, centre: place, radius: radius(start &+ index)).fill(points, angles: angles)
        } else {
          points.update(repeating: .nan)
        }
      }
      try frame.fromDegrees(room.buffer)
      for index in centres.buffer.indices {
        for vertex in 0..<vertices { put(start &+ index, vertex, room.buffer[index &* vertices &+ vertex]) }
      }
    }
  }
}
