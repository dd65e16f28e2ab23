import AlidadeCoordinates

/// How fast a finger is when it leaves the screen.
struct VelocityTracker: Sendable, Equatable {
  /// Seconds that are looked back, and after which a finger that does not move counts as still. Android's
  /// VelocityTracker: HORIZON and ASSUME_POINTER_STOPPED_TIME.
  static let horizon = 0.1
  static let stillness = 0.04
  /// Of points that come faster than this the oldest are forgotten.
  private static let capacity = 32

  private struct Sample: Sendable, Equatable {
    var time: Double
    var point: Point
  }
  private var samples: [Sample] = []

  mutating func reset() { samples.removeAll(keepingCapacity: true) }

  mutating func add(_ point: Point, at time: Double) {
    if samples.count >= Self.capacity { samples.removeFirst() }
    samples.append(Sample(time: time, point: point))
  }

  /// DIP/s over the last tenth of a second before `time`.
  func velocity(at time: Double) -> Point {
    let still = Point(x: 0, y: 0)
    guard let last = samples.last, time - last.time <= Self.stillness else { return still }
    guard let first = samples.first(where: { $0.time >= last.time - Self.horizon }) else { return still }
    let seconds = last.time - first.time
    // Points that came all at once have no speed.
    guard seconds >= 0.001 else { return still }
    return Point(x: (last.point.x - first.point.x) / seconds, y: (last.point.y - first.point.y) / seconds)
  }
}
