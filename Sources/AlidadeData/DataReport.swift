import AlidadeBase
import CGDAL

extension DataSources {
  /// A report about GDAL in a runtime: its version, its support files, its drivers and its memory.
  public static func report(_ runtime: Runtime) throws(EngineError) -> JSON {
    try GDALGuard.call(for: nil) { (_) throws(EngineError) in
      let options = ThreadOptions(runtime.options)
      let allowed = DataContent.raster.drivers(runtime.policy)
      let present = allowed.filter { GDALGetDriverByName($0) != nil }
      let missing = allowed.filter { GDALGetDriverByName($0) == nil }
      let report = JSON.object([
        ("version", JSON(gdalText(GDALVersionInfo("RELEASE_NAME")))),
        // A file that every GDAL brings along.
        ("support_files", JSON(CPLFindFile("gdal", "gdalvrt.xsd").map { gdalText($0) })),
        ("registered_drivers", JSON(Int(truncatingIfNeeded: GDALGetDriverCount()))),
        ("allowed_drivers", .list(present.map(JSON.text))),
        ("allowed_drivers_that_this_gdal_lacks", .list(missing.map(JSON.text))),
        ("block_cache_bytes", .integer(GDALGetCacheUsed64())),
        ("block_cache_limit_bytes", .integer(GDALGetCacheMax64())),
      ])
      _ = consume options
      return report
    }
  }
}

extension DataSources {
  /// A raster's name as a report may show it: of a name that is no path, what may be a secret is left out.
  public static func withoutSecrets(_ name: String) -> String {
    guard !FileAccess.looksLikePath(name) else { return name }
    var bytes = Array(name.utf8)
    // After these words, in connection strings and in queries of addresses, all is left out.
    let end = positions(ofAny: ["?", "password", "passwd", "pwd", "token", "secret", "key="], in: bytes).min()
    if let end { bytes = bytes[..<end] + Array("***".utf8) }
    // https://user:password@host
    for start in positions(ofAny: ["://"], in: bytes).reversed() {
      let host = bytes[(start &+ 3)...].prefix { $0 != UInt8(ascii: "/") }
      guard let at = host.lastIndex(of: UInt8(ascii: "@")) else { continue }
      bytes.replaceSubrange((start &+ 3)..<at, with: Array("***".utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func positions(ofAny words: [String], in bytes: [UInt8]) -> [Int] {
    let lower = bytes.map { (65...90).contains($0) ? $0 &+ 32 : $0 }
    return lower.indices.filter { start in words.contains { lower[start...].starts(with: $0.utf8) } }
  }
}

extension Raster {
  /// How many data sets of the raster are open and idle.
  public var idleDatasetCount: Int { shelves.reduce(0) { $0 &+ $1.idleCount } }
}
