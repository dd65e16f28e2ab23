import AlidadeBase
import Glibc

/// The file that a path led to, and its state: distinguishes a replaced or changed file from the file that was opened.
struct FileIdentity: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let written: Time
  /// When anything about the file changed. Unlike the time of writing, a program cannot set it.
  private let changed: Time

  private struct Time: Sendable, Equatable {
    let seconds: Int64
    let nanoseconds: Int64

    init(_ time: timespec) {
      seconds = Int64(truncatingIfNeeded: time.tv_sec)
      nanoseconds = Int64(truncatingIfNeeded: time.tv_nsec)
    }
  }

  /// nil if the name is no file's.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(truncatingIfNeeded: status.st_size)
    written = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }

  /// The absolute form of a path that exists, so that it still leads there after the host has changed its working
  /// folder; any other name as it is. Links are not followed: sidecars lie next to the link.
  ///
  /// - Parameter force: for a name that is known to be a path, or must not lead to another file later.
  static func absolutePath(_ name: String, force: Bool = false) -> String {
    guard !name.hasPrefix("/"), force || (FileAccess.looksLikePath(name) && access(name, F_OK) == 0),
      let folder = getcwd(nil, 0)
    else { return name }
    defer { free(folder) }
    guard let path = String(validatingCString: folder) else { return name }
    return path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Whether a path leads to something that is neither a file nor a folder: opening a pipe waits for a writer, for ever
  /// if need be, and a device gives no end of bytes or none.
  static func isPipeOrDevice(_ path: String) -> Bool {
    kind(path).map { $0 != S_IFREG && $0 != S_IFDIR } ?? false
  }

  /// Whether a file was last written to before another one; false if one of them is no file on this machine.
  static func isOlder(_ path: String, than other: String) -> Bool {
    var (status, otherStatus) = (stat(), stat())
    guard stat(path, &status) == 0, stat(other, &otherStatus) == 0 else { return false }
    let (time, otherTime) = (status.st_mtim, otherStatus.st_mtim)
    return (time.tv_sec, time.tv_nsec) < (otherTime.tv_sec, otherTime.tv_nsec)
  }

  static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }

  static func isFile(_ path: String) -> Bool { kind(path) == S_IFREG }

  /// The bits of S_IFMT of what a path leads to; nil if nothing is there.
  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
