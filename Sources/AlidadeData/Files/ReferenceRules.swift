import AlidadeBase
import Glibc

/// The rules for names inside files. Each refusal gives the name of its rule.
enum ReferenceRule: String {
  case network
  case virtualFileSystems = "virtual-file-systems"
  case drivers
  case folders
  case relativeNames = "relative-names"
  case code
  case threads
  case cache
  case writing
  case openOptions = "open-options"
  case attributes
  case entities
  case encoding
  case depth
  case cycle
  case fileCount = "file-count"
  case work
  case fileNames = "file-names"
  case fileSize = "file-size"
  case bandCount = "band-count"
  case memory
  case virtualTables = "virtual-tables"
  case sqlInFiles = "sql-in-files"
  case linkedTables = "linked-tables"
  case query
  case tracks

  /// Limits have a status of their own.
  var status: Status {
    switch self {
    case .depth, .fileCount, .work, .fileSize, .bandCount, .memory: .limitExceeded
    default: .policyRefused
    }
  }

  /// An error that names the file, what it asks for, the rule, and what helps.
  func refusal(_ file: String, _ what: String, _ remedy: String) -> EngineError {
    EngineError(status, "\"\(Self.short(file))\" \(what) (rule: \(rawValue)). \(remedy)")
  }

  /// A name, short enough for the rest of the message. Line ends would tear the message apart.
  static func short(_ name: String) -> String {
    let line = String(name.map { $0.isNewline ? " " : $0 })
    return line.count <= 160 ? line : "\(line.prefix(100))...\(line.suffix(50))"
  }
}

/// Which local files may be named by a file: those in the folder of the file that the host opened, or below, and those
/// in or below the folders that the policy names.
struct FolderRule {
  private struct Folder {
    /// Without links, with a "/" at its end.
    let path: String
    /// Whether what lies in folders below belongs to it.
    let isDeep: Bool
  }

  private var folders: [Folder] = []

  /// - Parameter files: the absolute paths of the files that the host itself has named.
  init(_ policy: Policy, openedFiles files: [String]) {
    for directory in policy.dataDirectories {
      if let path = LocalPath.resolved(directory) { folders.append(Folder(path: Self.closed(path), isDeep: true)) }
    }
    for file in files {
      // The folder that the path names, and the one that holds the file in the end, if the path is a link.
      let holders = [
        LocalPath.resolved(LocalPath.folder(of: file)), LocalPath.resolved(file).map(LocalPath.folder(of:)),
      ]
      for case let path? in holders {
        // A file in the root folder does not open the whole machine to what it names.
        folders.append(Folder(path: Self.closed(path), isDeep: path != "/"))
      }
    }
  }

  /// Whether a file may be named.
  ///
  /// - Parameter path: absolute; it need not exist.
  func allows(_ path: String) -> Bool {
    LocalPath.resolved(path).map(allows(resolved:)) ?? false
  }

  /// - Parameter resolved: absolute and without links.
  func allows(resolved: String) -> Bool {
    folders.contains { folder in
      // Bytes are compared: to a file system, texts that look the same are not.
      folder.isDeep
        ? resolved.utf8.starts(with: folder.path.utf8)
        : Self.closed(LocalPath.folder(of: resolved)).utf8.elementsEqual(folder.path.utf8)
    }
  }

  private static func closed(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }
}

/// Paths of the local file system, as texts.
enum LocalPath {
  /// The folder part, without a "/" at its end; "/" for a file in the root folder, "." for a bare name.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The part behind the last "/".
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// A file's path from its folder and its name.
  static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// A name with a folder, unless GDAL takes it for a whole path or an address.
  static func projected(_ text: String, in folder: String) -> String {
    let behindFirst = text.dropFirst()
    let isWhole =
      text.hasPrefix("/") || text.hasPrefix("\\") || behindFirst.hasPrefix(":/") || behindFirst.hasPrefix(":\\")
      || behindFirst.utf8.indices.contains { behindFirst[$0...].hasPrefix("://") } || LocalNames.isInline(text)
    return isWhole ? text : joined(folder, text)
  }

  /// The path without links and dots. What of it does not exist keeps its name, the dots in it taken away as texts. nil
  /// if it leads to a name that is not UTF-8.
  static func resolved(_ path: String) -> String? {
    var rest: [Substring] = []
    var head = path
    while true {
      if let real = realpath(head, nil) {
        defer { free(real) }
        guard let found = String(validatingCString: real) else { return nil }
        return rest.isEmpty ? found : normalized(joined(found, rest.reversed().joined(separator: "/")))
      }
      guard let slash = head.utf8.lastIndex(of: UInt8(ascii: "/")), slash != head.startIndex else {
        return normalized(path)
      }
      rest.append(head[head.utf8.index(after: slash)...])
      head = String(head[..<slash])
    }
  }

  /// The path without "." and "..", as a text.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: true) where part != "." {
      if part == ".." {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
