import AlidadeBase
import Glibc

/// Which local files are meant by a name: GDAL takes paths, names inside names (NETCDF:"/a/b.nc":t, vrt:///a/b.tif,
/// /vsizip/a.zip/b.tif) and whole documents.
enum LocalNames {
  /// Whether the name is a document itself: exactly where GDAL's VRT driver takes it so. Any other name with a "<" in
  /// it is a path, or belongs to another driver, which is found by the driver that it needs.
  static func isInline(_ name: String) -> Bool { holds(name, "<VRTDataset") }

  private static func holds(_ name: String, _ mark: StaticString) -> Bool {
    mark.withUTF8Buffer { mark in
      let bytes = Array(name.utf8)
      guard bytes.count >= mark.count else { return false }
      return (0...(bytes.count &- mark.count)).contains { start in bytes[start...].starts(with: mark) }
    }
  }

  /// Whether the name is an absolute path of a local file and nothing else.
  static func isLocal(_ name: String) -> Bool {
    name.hasPrefix("/") && !name.lowercased().hasPrefix("/vsi") && !isInline(name)
  }

  /// The path, if the name is one.
  static func file(_ name: String) -> String? { isLocal(name) ? name : nil }

  /// The files that a name leads to, as absolute paths. For a name in a file, a path that depends on the process's
  /// working folder stays as it is.
  ///
  /// - Parameter namer: the file that contains the name; nil if the host gave it.
  static func files(in name: String, beside namer: String?) -> [String] {
    if isInline(name) { return [] }
    if isLocal(name) { return [name] }
    if name.lowercased().hasPrefix("/vsi") { return virtual(name) }
    if let path = behindVRT(name) { return files(in: path, beside: namer) }
    let found: [String]
    if let prefixed = PrefixedName(name) {
      found = prefixed.path.lowercased().hasPrefix("/vsi") ? virtual(prefixed.path) : [prefixed.path]
    } else {
      found = name.utf8.contains(UInt8(ascii: ":")) ? parts(of: name) : [name]
    }
    guard namer == nil else { return found }
    return found.map { FileIdentity.absolutePath($0, force: true) }
  }

  /// What of a name in a file cannot be taken apart for certain: the word with a colon that it, or the name in it, begins
  /// with. nil if the whole is understood.
  static func unknownWord(in name: String) -> String? {
    if isInline(name) || name.hasPrefix("/") { return nil }
    if let path = behindVRT(name) { return unknownWord(in: path) }
    guard let colon = name.firstIndex(of: ":"), PrefixedName(name) == nil else { return nil }
    return String(name[...colon])
  }

  /// The name in vrt://name?options, which may be such a name again, a few times over.
  static func behindVRT(_ name: String) -> String? {
    let word = "vrt://"
    guard name.lowercased().hasPrefix(word) else { return nil }
    var rest = name.prefix { $0 != "?" }
    for _ in 0..<8 where rest.lowercased().hasPrefix(word) { rest = rest.dropFirst(word.count) }
    return rest.lowercased().hasPrefix(word) ? nil : String(rest)
  }

  /// What is left of /vsizip/, /vsitar/, /vsisubfile/0_10, and their chains.
  private static func virtual(_ name: String) -> [String] {
    var rest = name[...]
    while rest.lowercased().hasPrefix("/vsi") {
      let isMemory = rest.lowercased().hasPrefix("/vsimem/")
      guard let end = rest.dropFirst().firstIndex(of: "/"), !isMemory else { return [] }
      if rest.lowercased().hasPrefix("/vsisubfile/"), let comma = rest.firstIndex(of: ",") {
        rest = rest[rest.index(after: comma)...]
      } else {
        rest = rest[rest.index(after: end)...]
      }
      if rest.hasPrefix("{") { rest = rest.dropFirst() }
    }
    // /vsizip//a/b.zip contains an absolute path, and /vsizip/a/b.zip a path that depends on the working folder.
    return rest.contains("://") ? [] : [String(rest)]
  }

  /// The files in a connection string of the host: the quoted parts; otherwise absolute paths between colons; otherwise
  /// relative paths that exist.
  private static func parts(of name: String) -> [String] {
    let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
    if quoted.count > 2 { return stride(from: 1, to: quoted.count, by: 2).map { String(quoted[$0]) } }
    if access(name, F_OK) == 0 { return [name] }
    let pieces = name.split(separator: ":", omittingEmptySubsequences: false).prefix(32)
    var candidates: [String] = []
    for start in pieces.indices {
      for end in start..<pieces.endIndex { candidates.append(pieces[start...end].joined(separator: ":")) }
    }
    let existing = candidates.filter { !$0.isEmpty && access($0, F_OK) == 0 }
    if !existing.isEmpty { return existing }
    return candidates.first { $0.hasPrefix("/") }.map { [$0] } ?? []
  }
}

/// What lies in a folder, for finding sidecars.
struct FolderListing {
  /// File names by their lower-case forms, as GDAL compares them; nil if there are so many that GDAL does not list them
  /// either and asks for each by its usual name.
  private var names: [String: [String]]?
  private let folder: String
  /// GDAL's own limit is 1000.
  private static let longest = 4096

  init(_ folder: String) {
    self.folder = folder
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    var found: [String: [String]] = [:]
    var count = 0
    while let entry = readdir(stream) {
      count &+= 1
      if count > Self.longest { return }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          Self.mayBeSidecar($0) ? String(validatingCString: $0) : nil
        }
      }
      if let name { found[name.lowercased(), default: []].append(name) }
    }
    names = found
  }

  /// What GDAL appends to the whole name, and what replaces the ending (Imagine's files, and NITF's reduced
  /// resolutions).
  private static let added = [".aux.xml", ".ovr", ".msk", ".aux"] + (1...5).map { ".r\($0)" }
  private static let instead = [".aux", ".rrd"] + (1...5).map { ".r\($0)" } + texts
  private static let endings = [
    "xml", "ovr", "msk", "aux", "rrd", "r1", "r2", "r3", "r4", "r5", "prj", "hdr", "geo", "adf",
  ]
  /// Texts that say where a raster lies. (GDAL opens a chart's .geo past its own file layer.)
  private static let texts = [".prj", ".hdr", ".geo"]

  /// Whether a sidecar is such a text, which GDAL reads and does not open.
  static func isText(_ name: String) -> Bool {
    let name = name.lowercased()
    return texts.contains(where: name.hasSuffix) || name == "prj.adf"
  }

  /// Whether a name ends like a sidecar's: folders may hold thousands of others.
  private static func mayBeSidecar(_ name: UnsafePointer<CChar>) -> Bool {
    let length = strlen(name)
    return endings.contains { length > strlen($0) && strcasecmp(name + length - strlen($0), $0) == 0 }
  }

  /// The companions of a file that GDAL may open by itself when it opens the file.
  func sidecars(of name: String) -> [String] {
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    var found: [String] = []
    let beside = name.lowercased().hasSuffix(".adf") ? ["prj.adf"] : []
    for wanted in Self.added.map({ name + $0 }) + Self.instead.map({ stem + $0 }) + [name + ".hdr"] + beside {
      if let names {
        found += names[wanted.lowercased()] ?? []
      } else {
        let upper = wanted.prefix(stem.count) + wanted.dropFirst(stem.count).uppercased()
        found += [wanted, String(upper)].filter { access(LocalPath.joined(folder, $0), F_OK) == 0 }
      }
    }
    return found.reduce(into: []) { list, file in if file != name, !list.contains(file) { list.append(file) } }
  }
}
