import AlidadeCoordinates
import Glibc

/// What a finger's speed does after it has left the screen: the map slides on and slows down exponentially.
///
/// In closed form, so that a fling gets just as far however its time is cut into frames.
struct Fling: Sendable, Equatable {
  /// 1/s: the speed falls to 1/e in half a second. UIScrollView's normal rate, 0.998 a millisecond.
  static let decay = 2.002
  /// DIP/s: slower fingers fling nothing, faster ones as this. Android's ViewConfiguration.
  static let speeds = 50.0...8000.0
  /// DIP/s: a third of a DIP per frame can no longer be seen.
  static let lastSpeed = 20.0

  /// DIP/s, right and down.
  let velocity: Point
  /// Seconds.
  let duration: Double

  /// nil if the finger is too slow.
  init?(velocity: Point) {
    let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    guard speed >= Self.speeds.lowerBound, speed.isFinite else { return nil }
    let limited = min(speed, Self.speeds.upperBound)
    self.velocity = Point(x: velocity.x * (limited / speed), y: velocity.y * (limited / speed))
    duration = log(limited / Self.lastSpeed) / Self.decay
  }

  /// How far the map has slid after some seconds, in DIP.
  func way(after seconds: Double) -> Point {
    let seconds = min(max(seconds, 0), duration)
    let part = -expm1(-Self.decay * seconds) / Self.decay
    return Point(x: velocity.x * part, y: velocity.y * part)
  }
}
