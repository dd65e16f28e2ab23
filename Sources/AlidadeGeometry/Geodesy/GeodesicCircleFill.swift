import AlidadeBase
import AlidadeCoordinates

/// Geodesic circles of evenly spaced vertices, which are written into memory of the host's.
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

  /// Throws unless a circle can have that radius, metres.
  public func check(radius: Double) throws(EngineError) {
    let greatest = GeodesicCircle.greatestRadius(on: frame.geodesic.ellipsoid)
    guard radius > 0, radius <= greatest else {
      throw EngineError(
        .invalidArgument,
        "A geodesic circle has a radius of \(radius) m: it must be more than 0 and at most \(greatest) m.")
    }
  }

  /// Calls `put` with each circle's number, each vertex's number and its place, from several threads.
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
      let room = try HeapArray<Point>(count: vertices)
      for index in part &* chunk..<min(count, (part &+ 1) &* chunk) {
        try fill(room.buffer, try frame.degrees(centre(index)), radius(index))
        for (vertex, point) in room.buffer.enumerated() { put(index, vertex, point) }
      }
    }
  }

  private func fill(
    _ points: UnsafeMutableBufferPointer<Point>, _ centre: Point, _ radius: Double
  ) throws(EngineError) {
    guard centre.isFinite else { return points.update(repeating: .nan) }
    if let series = CircleSeries(frame.geodesic, centre: centre, radius: radius) {
      series.fill(points, angles: angles)
    } else if let circle = try? GeodesicCircle(frame.geodesic, centre: centre, radius: radius) {
      circle.fill(points, angles: angles)
    } else {
      // Neither proves itself on bodies so large that a few nanometres are beyond their doubles.
      var last = centre
      for index in points.indices {
        let azimuth = 360 * Double(index) / Double(points.count)
        let exact = frame.geodesic.direct(from: centre, azimuth: azimuth, distance: radius).point
        last = exact.unwrapped(near: last.x, width: 360)
        points[index] = last
      }
    }
    try frame.fromDegrees(points)
  }
}
