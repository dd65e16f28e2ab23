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
