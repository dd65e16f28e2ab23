import Glibc

/// Read offsets in the files that were open at a fork: a child and its parent share them.
///
/// At `exit` the C library moves the offset of each stream with unread bytes back to its reader's offset. In a child
/// that moves the parent's offset, too: a parent that has just moved an offset, or that relies on its stream's offset,
/// then reads other bytes, without any error.
enum SharedOffsets {
  /// More descriptors are not looked at.
  private static let mostDescriptors: Int32 = 65_536

  /// Gives this process its own offsets in all files that are open for reading only, except for the three standard
  /// streams. For a child of a fork that is about to end.
  static func leave() {
    for descriptor in 3..<min(descriptorLimit, mostDescriptors) where isReadOnlyFile(descriptor) {
      // Opened anew, and not duplicated: duplicates share their offset.
      let own = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
      guard own >= 0 else { continue }
      lseek(own, lseek(descriptor, 0, SEEK_CUR), SEEK_SET)
      dup2(own, descriptor)
      close(own)
    }
  }

  private static var descriptorLimit: Int32 { Int32(clamping: sysconf(Int32(truncatingIfNeeded: _SC_OPEN_MAX))) }

  private static func isReadOnlyFile(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    var facts = stat()
    return flags >= 0 && flags & O_ACCMODE == O_RDONLY && fstat(descriptor, &facts) == 0
      && facts.st_mode & S_IFMT == S_IFREG
  }
}
