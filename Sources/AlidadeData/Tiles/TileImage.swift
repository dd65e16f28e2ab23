import AlidadeBase
import CGDAL

/// A picture that a server returned, as red, green, blue and alpha.
struct TileImage: ~Copyable {
  let width: Int32
  let height: Int32
  private let dataset: GDALDatasetH

  private static let drivers = ["PNG", "JPEG", "WEBP", "GIF", "GTiff"]
  private static let lastName = Lock(UInt64(0))

  private init(_ dataset: GDALDatasetH) {
    self.dataset = dataset
    (width, height) = (GDALGetRasterXSize(dataset), GDALGetRasterYSize(dataset))
  }

  deinit { GDALClose(dataset) }

  /// Calls `body` with the picture in a response. What is no picture is an error with what the server says instead. Call
  /// outside of the guard.
  static func with<Result>(
    _ response: HTTPResponse, _ runtime: RuntimeOptions,
    _ body: (borrowing TileImage) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try GDALGuard.call(for: nil) { (words) throws(EngineError) in
      let options = ThreadOptions(runtime)
      let name = "/vsimem/alidade-tile-\(lastName.withLock { $0 &+= 1; return $0 })"
      let flags = UInt32(truncatingIfNeeded: GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR)
      var outcome: Swift.Result<Result, EngineError>?
      withMemoryFile(name, response.body) {
        guard let dataset = withList(drivers, { GDALOpenEx(name, flags, $0, nil, nil) }) else { return }
        let image = TileImage(dataset)
        do throws(EngineError) { outcome = .success(try body(image)) } catch { outcome = .failure(error) }
      }
      _ = consume options
      guard let outcome else { throw response.unexpected("a picture") }
      do throws(EngineError) { return try outcome.get() } catch {
        guard error.domain == .gdal, error.message.isEmpty else { throw error }
        throw words.pointee.failure(
          .readFailed, "The picture of \"\(HTTPAddress.shown(response.address))\" cannot be read")
      }
    }
  }

  /// Reads the picture into planes that lie one after the other. A picture without transparency is opaque.
  ///
  /// - Parameter places: which plane is red, which is green, blue and alpha.
  func read(into memory: UnsafeMutableBufferPointer<UInt8>, planes places: [Int]) throws(EngineError) {
    let count = Int(truncatingIfNeeded: width) &* Int(truncatingIfNeeded: height)
    guard memory.count >= 4 &* count, let start = memory.baseAddress, places.count == 4 else {
      throw EngineError(.internal, "The memory for a picture is too small.")
    }
    let planes = places.map { start + $0 &* count }
    planes[3].update(repeating: 255, count: count)
    let bands = GDALGetRasterCount(dataset)
    let colors = GDALGetRasterColorTable(GDALGetRasterBand(dataset, 1))
    if bands == 1, let colors {
      try read(band: 1, into: planes[0])
      expand(colors, planes, count)
      return
    }
    let isGray = bands < 3
    for plane in 0..<3 {
      try read(band: isGray ? 1 : Int32(truncatingIfNeeded: plane &+ 1), into: planes[plane])
    }
    if bands == 2 || bands >= 4 {
      try read(band: isGray ? 2 : 4, into: planes[3])
    } else if let mask = GDALGetMaskBand(GDALGetRasterBand(dataset, 1)),
      GDALGetMaskFlags(GDALGetRasterBand(dataset, 1)) & GMF_ALL_VALID == 0
    {
      try read(mask, into: planes[3])
    }
  }

  /// Replaces indexes in the first plane by the colours of a table.
  private func expand(_ colors: GDALColorTableH, _ planes: [UnsafeMutablePointer<UInt8>], _ count: Int) {
    var table = [(UInt8, UInt8, UInt8, UInt8)](repeating: (0, 0, 0, 0), count: 256)
    for index in table.indices {
      var entry = GDALColorEntry()
      guard GDALGetColorEntryAsRGB(colors, Int32(truncatingIfNeeded: index), &entry) != 0 else { continue }
      table[index] = (
        UInt8(clamping: entry.c1), UInt8(clamping: entry.c2), UInt8(clamping: entry.c3), UInt8(clamping: entry.c4)
      )
    }
    var found: Int32 = 0
    let nodata = GDALGetRasterNoDataValue(GDALGetRasterBand(dataset, 1), &found)
    if found != 0, let index = Int(exactly: nodata), table.indices.contains(index) { table[index].3 = 0 }
    for cell in 0..<count {
      let color = table[Int(truncatingIfNeeded: planes[0][cell])]
      (planes[0][cell], planes[1][cell], planes[2][cell], planes[3][cell]) = color
    }
  }

  private func read(band: Int32, into plane: UnsafeMutablePointer<UInt8>) throws(EngineError) {
    try read(GDALGetRasterBand(dataset, band), into: plane)
  }

  private func read(_ band: GDALRasterBandH?, into plane: UnsafeMutablePointer<UInt8>) throws(EngineError) {
    guard let band else { throw EngineError(.readFailed, "", domain: .gdal) }
    if GDALGetRasterDataType(band) == GDT_UInt16 {
      // PNG with two bytes per channel: the upper one is what a screen shows.
      let count = Int(truncatingIfNeeded: width) &* Int(truncatingIfNeeded: height)
      let wide = try HeapArray<UInt16>(count: count)
      guard
        GDALRasterIO(band, GF_Read, 0, 0, width, height, wide.buffer.baseAddress, width, height, GDT_UInt16, 0, 0)
          == CE_None
      else { throw EngineError(.readFailed, "", domain: .gdal) }
      for index in 0..<count { plane[index] = UInt8(truncatingIfNeeded: wide.buffer[index] >> 8) }
      return
    }
    guard GDALRasterIO(band, GF_Read, 0, 0, width, height, plane, width, height, GDT_Byte, 0, 0) == CE_None else {
      throw EngineError(.readFailed, "", domain: .gdal)
    }
    // Shades of 1, 2 or 4 bits come as they are; with a table of colours they are indexes.
    let bits = Int(gdalText(GDALGetMetadataItem(band, "NBITS", "IMAGE_STRUCTURE")), radix: 10) ?? 8
    guard (1...7).contains(bits), GDALGetRasterColorTable(band) == nil else { return }
    let whitest = (1 << bits) &- 1
    for index in 0..<(Int(truncatingIfNeeded: width) &* Int(truncatingIfNeeded: height)) {
      plane[index] = UInt8(clamping: Int(truncatingIfNeeded: plane[index]) &* 255 / whitest)
    }
  }
}
