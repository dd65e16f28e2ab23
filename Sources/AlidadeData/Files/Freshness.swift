import AlidadeBase
import Glibc
import Synchronization

/// Checks whether the files of a raster are as they were when it was opened.
///
/// Asking the file system for a file takes longer than reading a decoded cell, so single cells ask only now and then: a
/// change is noticed within `interval`. Calls that read much ask each time.
final class Freshness: Sendable {
  let files: ScannedFiles
  /// When the files were last looked at, in nanoseconds of the coarse monotonic clock.
  private let lastLook = Atomic<Int64>(0)
  private static let interval: Int64 = 10_000_000

  init(_ files: ScannedFiles) { self.files = files }

  /// Whether the last look is a while ago; counts as a look.
  func isDue() -> Bool {
    var time = timespec()
    guard clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0 else { return true }
    let now = Int64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ Int64(truncatingIfNeeded: time.tv_nsec)
    if now &- lastLook.load(ordering: .relaxed) < Self.interval { return false }
    lastLook.store(now, ordering: .relaxed)
    return true
  }

  /// A file that has changed; nil if there is none. Once one has, each look finds it.
  func changed() -> String? {
    let file = files.changed()
    if file != nil { lastLook.store(0, ordering: .relaxed) }
    return file
  }

  /// The error of a file that has changed, which is `path` or belongs to it.
  static func failure(_ path: String, _ file: String) -> EngineError {
    let what = path == file ? "\"\(path)\"" : "\"\(ReferenceRule.short(file))\", which belongs to \"\(path)\","
    return EngineError(.readFailed, "\(what) has changed since it was opened. Open it again.")
  }
}
