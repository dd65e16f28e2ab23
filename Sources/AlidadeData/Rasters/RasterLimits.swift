import AlidadeBase
import CGDAL

/// Checks against the policy what an open data set would make GDAL allocate, before anything is read.
enum RasterLimits {
  /// The most bands of a raster.
  static let mostBands = 65536
  /// What a band costs before a cell of it is read.
  static let bytesPerBand = 4096

  /// Throws if a number of bands is too much.
  static func check(bandCount: Int, of name: String, _ policy: Policy) throws(EngineError) {
    let limit = min(UInt64(clamping: mostBands), policy.maxRequestBytes / UInt64(clamping: bytesPerBand))
    if UInt64(clamping: bandCount) > limit {
      throw ReferenceRule.bandCount.refusal(
        name, "has \(bandCount) bands; \(limit) are allowed",
        "Up to \(mostBands) can be allowed, with \(bytesPerBand) bytes each of max_request_bytes.")
    }
  }

  /// Throws if a block of a band is larger than a request may be: to read one cell, GDAL reads its block.
  static func check(_ dataset: GDALDatasetH, _ name: String, _ policy: Policy) throws(EngineError) {
    let bandCount = max(0, GDALGetRasterCount(dataset))
    try check(bandCount: Int(truncatingIfNeeded: bandCount), of: name, policy)
    // Interleaved by pixel, the blocks of all bands are read at once.
    let isByPixel = gdalText(GDALGetMetadataItem(dataset, "INTERLEAVE", "IMAGE_STRUCTURE")) == "PIXEL"
    for number in 0..<bandCount {
      guard let band = GDALGetRasterBand(dataset, number &+ 1) else { continue }
      try check(band, together: isByPixel ? bandCount : 1, name, policy)
    }
  }

  /// - Parameter together: how many bands' blocks are read at once.
  static func check(_ band: GDALRasterBandH, together: Int32, _ name: String, _ policy: Policy) throws(EngineError) {
    var width: Int32 = 0
    var height: Int32 = 0
    GDALGetBlockSize(band, &width, &height)
    let cellSize = max(1, GDALGetDataTypeSizeBytes(GDALGetRasterDataType(band)))
    var size: UInt64 = 1
    for factor in [width, height, cellSize, together] {
      let (product, overflow) = size.multipliedReportingOverflow(by: UInt64(clamping: max(1, factor)))
      size = overflow ? .max : product
    }
    if size > policy.maxRequestBytes {
      throw ReferenceRule.memory.refusal(
        name, "has blocks of \(width) x \(height) cells, \(size) bytes each; \(policy.maxRequestBytes) are allowed",
        "Write it in smaller blocks (gdal_translate -co TILED=YES), or raise max_request_bytes.")
    }
  }
}
