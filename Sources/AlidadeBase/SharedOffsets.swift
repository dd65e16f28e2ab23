import Glibc

/// Where a forked child and its parent read in the files that were open at the fork: they share the places.
///
/// At `exit` the C library moves the place of each stream with unread bytes back to where its reader is. In a child
/// that moves the parent's place, too: a parent that has looked for a place and not read yet, or that counts on its
/// stream's place, then reads other bytes, without any error.
enum SharedOffsets {
  /// More descriptors are not looked at.
  private static let mostDescriptors: Int32 = 65_536

  /// Gives this process places of its own in all files that are open for reading only, but for the three standard
  /// streams. For a child of a fork that is about to end.
  static func leave() {
    for descriptor in 3..<min(descriptorLimit, mostDescriptors) where isReadOnlyFile(descriptor) {
      // Opened anew, and not duplicated: duplicates share their place.
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
