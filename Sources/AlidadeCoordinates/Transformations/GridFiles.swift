import CPROJ
import Glibc

/// Which files PROJ may open for a session, decided when it opens them: regular files in the folders that the session
/// looks in. Texts name grids and parameter files in many ways, and PROJ takes any path; all of them end here, except
/// proj.db, whose path PROJ finds here and SQLite opens.
///
/// Right to share: its fields are constants.
final class GridFiles: Sendable {
  /// With a "/" at the end.
  private let folders: [String]

  /// - Parameter folders: those that PROJ looks in, and those whose files may be named by whole paths.
  init(_ folders: [String]) { self.folders = folders.compactMap(Self.closed) }

  /// Makes a context open its files here. This object must outlive the context.
  func attach(to context: OpaquePointer) -> Bool {
    var interface = PROJ_FILE_API()
    interface.version = 1
    interface.open_cbk = { _, path, access, data in
      guard let path, let data, access == PROJ_OPEN_ACCESS_READ_ONLY else { return nil }
      // Right: the session holds this object until its context is destroyed.
      let files = Unmanaged<GridFiles>.fromOpaque(data).takeUnretainedValue()
      return files.openRegular(path).map { OpaquePointer($0) }
    }
    interface.read_cbk = { _, handle, buffer, size, _ in
      guard let handle, let buffer else { return 0 }
      return fread(buffer, 1, size, UnsafeMutablePointer<FILE>(handle))
    }
    interface.seek_cbk = { _, handle, offset, whence, _ in
      guard let handle else { return 0 }
      return fseek(UnsafeMutablePointer<FILE>(handle), Int(truncatingIfNeeded: offset), whence) == 0 ? 1 : 0
    }
    interface.tell_cbk = { _, handle, _ in
      guard let handle else { return 0 }
      return UInt64(clamping: ftell(UnsafeMutablePointer<FILE>(handle)))
    }
    interface.close_cbk = { _, handle, _ in
      if let handle { fclose(UnsafeMutablePointer<FILE>(handle)) }
    }
    // PROJ keeps one answer for the whole process (where its own folder is), so it has to be true.
    interface.exists_cbk = { _, path, _ in
      var status = stat()
      guard let path, stat(path, &status) == 0 else { return 0 }
      return 1
    }
    // The folder of the cache that PROJ keeps of grids from the network. SQLite writes into it.
    interface.mkdir_cbk = { _, path, _ in
      guard let path, mkdir(path, 0o755) == 0 else { return 0 }
      return 1
    }
    interface.write_cbk = { _, _, _, _, _ in 0 }
    interface.unlink_cbk = { _, _, _ in 0 }
    interface.rename_cbk = { _, _, _, _ in 0 }
    // Right: see above.
    return proj_context_set_fileapi(context, &interface, Unmanaged.passUnretained(self).toOpaque()) != 0
  }

  /// Whether a path lies in one of the folders or below, as a text. Links in these folders are their owner's.
  static func lies(_ path: String, in folders: [String]) -> Bool {
    folders.contains { folder in
      guard let folder = closed(folder), path.utf8.starts(with: folder.utf8) else { return false }
      return isBelow(path.utf8.dropFirst(folder.utf8.count))
    }
  }

  private func allows(_ path: String) -> Bool {
    folders.contains { path.utf8.starts(with: $0.utf8) && Self.isBelow(path.utf8.dropFirst($0.utf8.count)) }
  }

  /// Whether what follows a folder stays in it.
  private static func isBelow(_ rest: Substring.UTF8View) -> Bool {
    !rest.isEmpty && !rest.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }

  private static func closed(_ folder: String) -> String? {
    if folder.isEmpty { return nil }
    return folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// A regular file, open for reading; nil if it is none, or a grid that is not all there. Opening a pipe would wait for
  /// a writer.
  private func openRegular(_ path: UnsafePointer<CChar>) -> UnsafeMutablePointer<FILE>? {
    guard let text = String(validatingCString: path), allows(text) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      // PROJ looks for a reason in errno.
      errno = ENOENT
      return nil
    }
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    // What lies there may have been changed in between.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      GridFileCheck.isWhole(descriptor, name: text), let file = fdopen(descriptor, "rb")
    else {
      _ = Glibc.close(descriptor)
      errno = ENOENT
      return nil
    }
    return file
  }
}
