import AlidadeBase
import CGDAL

extension Raster {
  /// The range of a band's stored values, without nodata: from the file's statistics, otherwise from a sample of its
  /// cells (an overview, or blocks spread over the raster). nil if no cell of the sample has a value. If the
  /// statistics are in a file next to the raster that is older than it, the range is that of all cells.
  ///
  /// Nothing is written next to the file: the range of the sample is not stored as statistics.
  public func valueRange(band: Int) throws(EngineError) -> (minimum: Double, maximum: Double)? {
    // Tiles are pictures: a byte is meant as it is.
    if tiles != nil { return (0, 255) }
    return try runtime.limited { [self] () throws(EngineError) -> (minimum: Double, maximum: Double)? in
      let range = try storedOrSampledRange(band: band)
      try checkFreshness(sure: true)
      return range
    }
  }

  private func storedOrSampledRange(band: Int) throws(EngineError) -> (minimum: Double, maximum: Double)? {
    try withDataset(shelf: 0) { (dataset, words) throws(EngineError) in
      let plane = CellPlane(band: band, isMask: false, type: facts.bands[band].type)
      guard let handle = dataset.band(plane, level: nil) else {
        throw words.pointee.failure(.readFailed, "Band \(band &+ 1) of \"\(facts.path)\" cannot be read")
      }
      var minimum = 0.0
      var maximum = 0.0
      // A sample's range would be the statistics' again.
      let isSample: Int32 = hasOldStatistics ? 0 : 1
      if isSample != 0, GDALGetRasterStatistics(handle, 1, 0, &minimum, &maximum, nil, nil) == CE_None {
        return (minimum, maximum)
      }
      var range = [0.0, 0.0]
      if dataset.prepare(linesBefore: facts.height), GDALComputeRasterMinMax(handle, isSample, &range) == CE_None {
        return (range[0], range[1])
      }
      // GDAL calls it a failure if there is no value at all; that is no failure here.
      if words.pointee.message.contains("no valid pixels") { return nil }
      throw words.pointee.failure(.readFailed, "Band \(band &+ 1) of \"\(facts.path)\" cannot be read")
    }
  }
}
