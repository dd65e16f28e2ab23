import Glibc

/// Monotonic time: CLOCK_MONOTONIC, in nanoseconds.
public enum MonotonicTime {
  public static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }
}

/// Until when something may take.
public struct Deadline: Sendable {
  /// nil: for ever.
  let time: UInt64?

  public static let never = Deadline(time: nil)

  init(time: UInt64?) { self.time = time }

  public init(milliseconds: UInt32) {
    time = MonotonicTime.now() &+ UInt64(truncatingIfNeeded: milliseconds) &* 1_000_000
  }

  public var hasPassed: Bool {
    guard let time else { return false }
    return MonotonicTime.now() >= time
  }
}
