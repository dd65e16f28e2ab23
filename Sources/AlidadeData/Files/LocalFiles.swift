import AlidadeBase
import CGDAL
import CGDALFiles
import Glibc

/// What GDAL may open of the local file system during a call: only regular files and folders, and of these, once a
/// file's folders are known, only what lies in them.
///
/// GDAL looks for some hundred files next to a file that it opens, by names that only its drivers know. Opening a pipe
/// waits for its writer, for ever if there is none, and a link may lead to any file of the machine. The rule stands in
/// front of GDAL's own local file system and sees each name at the moment at which it is opened.
enum LocalFiles {
  /// Runs `body`, which calls GDAL, under the rule. Throws if GDAL wanted to open what the rule refuses: without that
  /// file the result may be another.
  @inline(__always)
  static func guarded<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    var scope = alidade_file_scope()
    return try withUnsafeMutablePointer(to: &scope) { (scope) throws(EngineError) -> Result in
      let outer = alidade_files_enter(scope)
      defer {
        alidade_files_leave(outer)
        if scope.pointee.refused != nil { release(scope) }
      }
      let result: Result
      do throws(EngineError) {
        result = try body()
      } catch {
        // What GDAL says of it is a consequence.
        if error.domain == .gdal, scope.pointee.refused != nil { throw refusal(scope) }
        throw error
      }
      if scope.pointee.refused != nil { throw refusal(scope) }
      return result
    }
  }

  @inline(never)
  private static func release(_ scope: UnsafeMutablePointer<alidade_file_scope>) {
    free(scope.pointee.refused)
    free(scope.pointee.outside)
  }

  @inline(never)
  private static func refusal(_ scope: UnsafeMutablePointer<alidade_file_scope>) -> EngineError {
    let name = gdalText(scope.pointee.refused)
    if scope.pointee.lacksHandles {
      return EngineError(
        .readFailed,
        "\"\(ReferenceRule.short(name))\" cannot be opened, because the process has no file handle left. Close files, or "
          + "raise its limit (ulimit -n).", domain: .system)
    }
    guard let outside = scope.pointee.outside else { return noFile(name) }
    return EngineError(
      .policyRefused,
      "\"\(ReferenceRule.short(name))\", which GDAL looks for by itself, leads to \"\(ReferenceRule.short(gdalText(outside)))\", which lies "
        + "neither in the folder of the opened file nor below it (rule: folders). Name its folder in data_directories "
        + "to allow it.")
  }

  /// An error that names what lies where a driver looks for a file.
  static func noFile(_ name: String) -> EngineError {
    EngineError(
      .unsupported,
      "\"\(ReferenceRule.short(name))\", which GDAL looks for by itself, is a pipe, a socket or a device. Remove it, or "
        + "copy the data to another folder.")
  }

  static func unguarded() -> EngineError {
    EngineError(
      .internal,
      "The rule for what GDAL opens does not stand: this library was compiled for GDAL \(GDAL_VERSION_MAJOR)."
        + "\(GDAL_VERSION_MINOR), and GDAL \(gdalText(GDALVersionInfo("RELEASE_NAME"))) was loaded.", domain: .gdal)
  }

  /// Opens a file to read it, unless it is a pipe, a socket or a device.
  static func open(_ path: String) -> UnsafeMutablePointer<FILE>? { alidade_files_open(path) }
}

/// Limits what GDAL opens on this thread to a file's folders, and to the folders of GDAL's own support files, as long
/// as the value lives. Create it inside the guard, under the policy's options.
struct FolderBounds: ~Copyable {
  let folders: FolderRule
  private let scope: UnsafeMutablePointer<alidade_file_scope>?
  private let outer: alidade_file_scope

  /// - Parameter name: the file's name as the host gives it. Where it is not known which files that means, GDAL opens
  ///   whichever it names.
  init(of name: String, _ runtime: Runtime) throws(EngineError) {
    guard alidade_files_stand() || alidade_files_install() else { throw LocalFiles.unguarded() }
    let files = LocalNames.files(in: name, beside: nil)
    folders = FolderRule(runtime.policy, openedFiles: files)
    scope = files.isEmpty ? nil : alidade_files_scope()
    outer = scope?.pointee ?? alidade_file_scope()
    guard let scope else { return }
    // Right: `deinit` releases it.
    scope.pointee.context = Unmanaged.passRetained(Held(folders, archives: files.compactMap(Self.archive))).toOpaque()
    scope.pointee.allows = { context, path in
      guard let context, let path, let path = String(validatingCString: path) else { return false }
      // Right: the bounds hold it until they end.
      return Unmanaged<Held>.fromOpaque(context).takeUnretainedValue().allows(path)
    }
  }

  deinit {
    guard let scope, let held = scope.pointee.context else { return }
    scope.pointee.allows = outer.allows
    scope.pointee.context = outer.context
    // Right: `init` retained it.
    Unmanaged<Held>.fromOpaque(held).release()
  }

  /// The file that a path leads into, without links, where the path goes on as in a folder: an archive. nil: none.
  private static func archive(in path: String) -> String? {
    var head = path
    while let slash = head.utf8.lastIndex(of: UInt8(ascii: "/")), slash != head.startIndex {
      head = String(head[..<slash])
      if FileIdentity.isFile(head) { return LocalPath.resolved(head) }
      if FileIdentity.isFolder(head) { return nil }
    }
    return nil
  }

  private final class Held {
    private let folders: FolderRule
    private let archives: [String]

    init(_ folders: FolderRule, archives: [String]) {
      self.folders = folders
      self.archives = archives
    }

    func allows(_ path: String) -> Bool {
      if folders.allows(resolved: path) || archives.contains(where: { $0.utf8.elementsEqual(path.utf8) }) {
        return true
      }
      // GDAL's own tables. It finds them where this file of its is.
      guard let found = CPLFindFile("gdal", "gdalvrt.xsd"), let own = LocalPath.resolved(gdalText(found)) else {
        return false
      }
      return LocalPath.folder(of: own) == LocalPath.folder(of: path)
    }
  }
}
