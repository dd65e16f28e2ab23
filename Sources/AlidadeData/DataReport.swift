import AlidadeBase
import CGDAL

extension DataSources {
  /// What there is to know of GDAL in a runtime: its version, its support files, its drivers and its memory.
  public static func report(_ runtime: Runtime) throws(EngineError) -> JSON {
    try GDALGuard.call(for: nil) { (_) throws(EngineError) in
      let options = ThreadOptions(runtime.options)
      let allowed = (runtime.policy.drivers ?? FileAccess.defaultDrivers) + runtime.policy.additionalDrivers
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

extension Raster {
  /// How many data sets of the raster are open and idle.
  public var idleDatasetCount: Int { shelves.reduce(0) { $0 &+ $1.idleCount } }
}
