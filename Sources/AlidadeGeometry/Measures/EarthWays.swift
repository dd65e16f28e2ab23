import AlidadeBase
import AlidadeCoordinates

/// Ways between many points of a spatial reference, on all cores.
public struct EarthWays: Sendable {
  private let frame: GeodesicFrame
  private let curve: CurveType
  private let runtime: Runtime

  /// How many points are worked on at once.
  private static let slice = 1024

  public init(_ reference: SpatialReference, _ curve: CurveType) throws(EngineError) {
    guard curve != .shapePreserving else {
      throw EngineError(
        .unsupported, "A shape-preserving way is straight in coordinates, and none on the earth: measure it as a line.")
    }
    frame = try GeodesicFrame(reference)
    self.curve = curve
    runtime = reference.runtime
  }

  private func forEachSlice(
    of count: Int, _ body: @Sendable (Range<Int>) throws(EngineError) -> Void
  ) throws(EngineError) {
    try runtime.workers.forEach((count &+ Self.slice &- 1) / Self.slice) { (index) throws(EngineError) in
      try body((index &* Self.slice)..<min(count, (index &+ 1) &* Self.slice))
    }
  }

  /// Points in degrees; NaN where they are no places.
  private func places(
    _ range: Range<Int>, _ point: (Int) -> Point
  ) throws(EngineError) -> HeapArray<Point> {
    let points = try HeapArray<Point>(count: range.count)
    for (index, number) in range.enumerated() { points.buffer[index] = point(number) }
    try frame.toDegrees(points.buffer)
    return points
  }

  /// - Parameters:
  ///   - from, to: the points of a number; called on any thread.
  ///   - store: receives the ways; called on any thread, once for each number.
  public func inverse(
    count: Int, from: @Sendable (Int) -> Point, to: @Sendable (Int) -> Point,
    _ store: @Sendable (Int, EarthWay) -> Void
  ) throws(EngineError) {
    try forEachSlice(of: count) { (range) throws(EngineError) in
      let (first, second) = (try places(range, from), try places(range, to))
      for (index, number) in range.enumerated() {
        store(number, frame.geodesic.way(curve, from: first.buffer[index], to: second.buffer[index]))
      }
    }
  }

  /// - Parameters:
  ///   - start: where a way begins, in which direction and how far it goes; called on any thread.
  ///   - store: receives the ends in the spatial reference; called on any thread, once for each number.
  public func direct(
    count: Int, from: @Sendable (Int) -> Point, _ course: @Sendable (Int) -> (azimuth: Double, distance: Double),
    _ store: @Sendable (Int, Point, Double) -> Void
  ) throws(EngineError) {
    try forEachSlice(of: count) { (range) throws(EngineError) in
      let points = try places(range, from)
      let azimuths = try HeapArray<Double>(count: range.count)
      for (index, number) in range.enumerated() {
        let (azimuth, distance) = course(number)
        let end = frame.geodesic.position(curve, from: points.buffer[index], azimuth: azimuth, distance: distance)
        (points.buffer[index], azimuths.buffer[index]) = (end.point, end.azimuth)
      }
      try frame.fromDegrees(points.buffer)
      for (index, number) in range.enumerated() {
        let point = points.buffer[index]
        let isPlace = point.isFinite
        store(number, isPlace ? point : .nan, isPlace ? azimuths.buffer[index] : .nan)
      }
    }
  }
}
