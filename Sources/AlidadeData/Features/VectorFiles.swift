import AlidadeBase
import CGDAL
import Glibc

/// What is examined in files of features before GDAL opens them, in addition to the names in them.
enum VectorFiles {
  /// Drivers of features that read local files, need no network and run no code, and that open no other file by a name
  /// that stands in the first one, or only names that are found first. (So not WFS, OAPIF, PostgreSQL and their kin; not
  /// GMLAS, NAS and Interlis, which follow schemas of their own; not OSM, which writes large files to a temporary
  /// folder; not CAD; and not Memory.)
  static let defaultDrivers = [
    "AVCE00", "CSV", "DGN", "DXF", "ESRI Shapefile", "ESRIJSON", "FlatGeobuf", "GeoJSON", "GeoJSONSeq", "GeoRSS", "GML",
    "GPKG", "GPX", "JML", "KML", "LIBKML", "MapInfo File", "MapML", "OGR_GMT", "OGR_VRT", "OpenFileGDB", "S57",
    "SQLite",
    "TopoJSON", "WAsP",
  ]

  /// Files of these drivers are held in memory whole, several times their size.
  private static let wholeDrivers: Set<String> = ["ESRIJSON", "GeoRSS", "LIBKML", "TopoJSON", "DXF"]

  /// Whether a driver has read a whole file by the time that it is open, so that another reading costs little.
  static func isParsed(_ driver: String) -> Bool { driver == "GeoJSON" || wholeDrivers.contains(driver) }

  /// Throws if a file must not be opened, whatever it names.
  ///
  /// - Parameter namer: the file that it is named by; nil: the host named it.
  static func check(_ name: String, _ namer: String?, _ policy: Policy) throws(EngineError) {
    guard name.hasPrefix("/") else { return }
    let head = firstBytes(of: name)
    if head.starts(with: [0x50, 0x4B, 3, 4]) {
      try requirePrefix("/vsizip/", name, "a ZIP archive", policy)
      // The first bit of a member's flags.
      if head.count > 6, head[6] & 1 != 0 {
        throw EngineError(
          .unsupported,
          "\"\(ReferenceRule.short(name))\" is an encrypted ZIP archive; a password cannot be given. Unpack it first.")
      }
    }
    if head.starts(with: [0x1F, 0x8B]) { try requirePrefix("/vsigzip/", name, "compressed by gzip", policy) }
    for table in files("tab", of: name) { try checkMapInfo(table) }
    for shapes in files("shp", of: name) { try checkIndex(of: shapes) }
  }

  /// Throws if a file that its driver holds in memory whole is too large.
  static func checkSize(_ path: String, driver: String, _ policy: Policy) throws(EngineError) {
    var status = stat()
    guard wholeDrivers.contains(driver), stat(path, &status) == 0 else { return }
    // Parsed, a text takes some ten times its size.
    let (size, limit) = (UInt64(clamping: status.st_size), policy.maxRequestBytes / 16)
    guard size > limit else { return }
    throw ReferenceRule.fileSize.refusal(
      path, "is read as a whole and has \(size) bytes; \(limit) are allowed",
      "Raise max_request_bytes to allow it (it is 16 times that), or convert it (ogr2ogr).")
  }

  /// What else GDAL may say of a file that it cannot open; empty: nothing.
  static func hint(_ path: String) -> String {
    let name = path.lowercased()
    guard [".gpkg", ".sqlite", ".db"].contains(where: name.hasSuffix), FileIdentity(path: path) != nil else {
      return ""
    }
    let head = firstBytes(of: path)
    if head.isEmpty || head.starts(with: "SQLite format 3\0".utf8) { return "" }
    return " It does not begin as an SQLite database does: it is damaged, or it is encrypted, and a password cannot be "
      + "given."
  }

  // MARK: Files that belong together

  private static let shapefile = ["shp", "shx", "dbf", "prj", "cpg", "qix", "sbn", "sbx", "idm", "ind", "qpj"]
  private static let mapInfo = ["tab", "dat", "map", "id", "ind", "mif", "mid"]

  /// The companions of a file, whether they exist or not; the files of a folder.
  static func companions(of path: String) -> [Reference] {
    if isFolder(path) {
      return entries(of: path).map { Reference(name: LocalPath.joined(path, $0), namer: path, kind: .raw) }
    }
    let (stem, ending) = parts(of: path)
    func beside(_ endings: [String]) -> [Reference] {
      // As they are usually written, and in the case of the file itself.
      let isUpper = ending != ending.lowercased()
      return endings.filter { $0 != ending.lowercased() }.map { other in
        Reference(name: "\(stem).\(isUpper ? other.uppercased() : other)", namer: path, kind: .raw)
      }
    }
    switch ending.lowercased() {
    case "shp", "shx", "dbf": return beside(shapefile)
    case "tab", "mif": return beside(mapInfo)
    case "csv", "tsv", "psv": return beside(["csvt", "prj"])
    case "gpkg", "sqlite", "db":
      return ["-journal", "-wal"].map { Reference(name: path + $0, namer: path, kind: .raw) }
    case "gml", "xml":
      return beside(["gfs"]) + [Reference(name: "\(stem).xsd", namer: path, kind: .schema)]
    default: return []
    }
  }

  /// Whether a companion may contain the text of a spatial reference.
  static func mayHoldReference(_ path: String) -> Bool {
    ["prj", "qpj", "gfs", "xsd", "shp", "gdbtable", "tab", "mif"].contains(parts(of: path).ending.lowercased())
  }

  private static func parts(of path: String) -> (stem: String, ending: String) {
    let name = LocalPath.name(of: path)
    guard let dot = name.lastIndex(of: ".") else { return (path, "") }
    let ending = String(name[name.index(after: dot)...])
    return (String(path.dropLast(ending.count &+ 1)), ending)
  }

  static func isFolder(_ path: String) -> Bool {
    guard let folder = VSIOpenDir(path, 0, nil) else { return false }
    VSICloseDir(folder)
    return true
  }

  /// The names in a folder; none if there are too many to look at.
  private static func entries(of folder: String) -> [String] {
    gdalTexts(VSIReadDirEx(folder, 20_000)).filter { $0 != "." && $0 != ".." }
  }

  // MARK: Parts

  private static func requirePrefix(
    _ prefix: String, _ name: String, _ what: String, _ policy: Policy
  ) throws(EngineError) {
    if policy.virtualFileSystems.contains(where: { prefix.hasPrefix($0.lowercased()) }) { return }
    throw ReferenceRule.virtualFileSystems.refusal(
      name, "is \(what), which GDAL would read by way of \(prefix)", "Name \(prefix) in vsi_prefixes to allow it.")
  }

  private static func firstBytes(of path: String) -> [UInt8] {
    guard !isFolder(path), let file = VSIFOpenL(path, "rb") else { return [] }
    defer { VSIFCloseL(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = VSIFReadL(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  /// The files with an ending that GDAL would open for a name: of a file, or in a folder.
  private static func files(_ ending: String, of name: String) -> [String] {
    let (stem, own) = parts(of: name)
    if own.lowercased() == ending { return [name] }
    if ending == "shp", ["shx", "dbf"].contains(own.lowercased()) {
      return ["\(stem).\(own == own.lowercased() ? "shp" : "SHP")"]
    }
    guard isFolder(name) else { return [] }
    return entries(of: name).filter { parts(of: $0).ending.lowercased() == ending }.map { LocalPath.joined(name, $0) }
  }

  /// How many records of a shapefile are looked at.
  private static let recordsToLookAt: UInt64 = 64

  /// Throws if the index of a shapefile (.shx) is that of another file: GDAL goes by it, and gives features without
  /// their geometries. Records spread over the file must be as long as the index says, and none may follow the last.
  private static func checkIndex(of shapes: String) throws(EngineError) {
    let (stem, ending) = parts(of: shapes)
    guard let file = VSIFOpenL(shapes, "rb") else { return }
    defer { VSIFCloseL(file) }
    guard let index = VSIFOpenL("\(stem).\(ending == ending.lowercased() ? "shx" : "SHX")", "rb") else { return }
    defer { VSIFCloseL(index) }
    guard VSIFSeekL(index, 0, SEEK_END) == 0, VSIFTellL(index) >= 108 else { return }
    let count = (VSIFTellL(index) &- 100) / 8
    let looks = min(count, recordsToLookAt)
    for look in 0..<looks {
      let number = looks == 1 ? 0 : look &* (count &- 1) / (looks &- 1)
      // The offset and the length, in words of 16 bits, the most significant byte first.
      guard let entry = twoNumbers(index, at: 100 &+ 8 &* number) else { continue }
      let start = entry.0 &* 2
      // Some writers count the record's head of four words in.
      if let record = twoNumbers(file, at: start), record.1 != entry.1, record.1 &+ 4 != entry.1 {
        throw olderIndex(
          shapes, "record \(number &+ 1) has \(record.1 &* 2) bytes, not \(entry.1 &* 2) as it says")
      }
      if number == count &- 1, let next = twoNumbers(file, at: start &+ 8 &+ entry.1 &* 2),
        next.0 == count &+ 1
      {
        throw olderIndex(shapes, "it ends with record \(count), and more follow")
      }
    }
  }

  private static func olderIndex(_ shapes: String, _ reason: String) -> EngineError {
    EngineError(
      .readFailed,
      "\"\(ReferenceRule.short(shapes))\" and its index (.shx) do not belong together: \(reason). Copy both from where "
        + "they fit, or remove the index and write it anew (SHAPE_RESTORE_SHX=YES ogrinfo).")
  }

  private static func twoNumbers(_ file: UnsafeMutablePointer<VSILFILE>, at place: UInt64) -> (UInt64, UInt64)? {
    var bytes: (UInt32, UInt32) = (0, 0)
    guard VSIFSeekL(file, place, SEEK_SET) == 0, VSIFReadL(&bytes, 8, 1, file) == 1 else { return nil }
    return (UInt64(clamping: UInt32(bigEndian: bytes.0)), UInt64(clamping: UInt32(bigEndian: bytes.1)))
  }

  /// Throws if a table of MapInfo's is made of others, which it names.
  private static func checkMapInfo(_ table: String) throws(EngineError) {
    guard let file = VSIFOpenL(table, "rb") else { return }
    defer { VSIFCloseL(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = VSIFReadL(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self).lowercased()
    guard ["open table", "create view", "isseamless"].contains(where: text.contains) else { return }
    throw ReferenceRule.linkedTables.refusal(
      table, "is made of other tables, which it names", "Open those, or convert it (ogr2ogr).")
  }
}
