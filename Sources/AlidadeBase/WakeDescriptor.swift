import CLinux
import Glibc

/// A file descriptor that is readable while something waits, for a host that sleeps in poll or its like.
///
/// Changing it is a system call that never blocks, so it may be made with a lock held.
final class WakeDescriptor: Sendable {
  let descriptor: Int32
  /// Whether the descriptor is readable. Guarded by the mailbox's lock.
  nonisolated(unsafe) private var isSet = false  // right: only the mailbox touches it, with its lock held

  init() throws(EngineError) {
    descriptor = eventfd(0, Int32(truncatingIfNeeded: EFD_CLOEXEC | EFD_NONBLOCK))
    if descriptor < 0 {
      let code = errno
      throw EngineError(
        .limitExceeded, "No file descriptor can be had for waking the host.", domain: .system, domainCode: code)
    }
  }

  deinit { close(descriptor) }

  func set(_ isWanted: Bool) {
    guard isWanted != isSet else { return }
    isSet = isWanted
    var value: UInt64 = 1
    if isWanted {
      _ = write(descriptor, &value, MemoryLayout<UInt64>.size)
    } else {
      _ = read(descriptor, &value, MemoryLayout<UInt64>.size)
    }
  }
}
