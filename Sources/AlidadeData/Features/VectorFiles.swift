import AlidadeBase
import CGDAL
import Glibc

/// What is looked at in files of features before GDAL opens them, beside the names in them.
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
    for table in mapInfoTables(name) { try checkMapInfo(table) }
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

  /// The files beside a file that belong to it, there or not; the files of a folder.
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

  /// Whether a file beside another may have the text of a spatial reference in it.
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
    guard let list = VSIReadDirEx(folder, 20_000) else { return [] }
    defer { CSLDestroy(list) }
    var names: [String] = []
    var entry = list
    while let name = entry.pointee {
      entry += 1
      let text = gdalText(name)
      if text != ".", text != ".." { names.append(text) }
    }
    return names
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

  /// MapInfo's tables that GDAL would open for a name.
  private static func mapInfoTables(_ name: String) -> [String] {
    if name.lowercased().hasSuffix(".tab") { return [name] }
    guard isFolder(name) else { return [] }
    return entries(of: name).filter { $0.lowercased().hasSuffix(".tab") }.map { LocalPath.joined(name, $0) }
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
