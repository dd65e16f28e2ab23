import AlidadeBase
import CGDAL

// Reading facts from an open GDAL data set. Everything here is called inside the guard.

extension RasterFacts {
  init(path: String, dataset: GDALDatasetH, _ policy: Policy) throws(EngineError) {
    self.path = path
    driver = gdalText(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)))
    width = GDALGetRasterXSize(dataset)
    height = GDALGetRasterYSize(dataset)
    subdatasets = Self.subdatasets(dataset).map(\.name)
    let bandCount = GDALGetRasterCount(dataset)
    guard bandCount > 0 else {
      let hint =
        subdatasets.isEmpty
        ? "It holds no raster band. \(DataContent.vector.remedy)"
        : "It holds \(subdatasets.count) data sets; open one, such as \(subdatasets[0])."
      throw EngineError(.unsupported, "\"\(path)\" cannot be shown by itself. \(hint)")
    }
    controlPointCount = GDALGetGCPCount(dataset)
    let reference = GDALGetSpatialRef(dataset)
    (georeference, geotransform) = Self.georeference(
      dataset, hasControlPoints: controlPointCount > 0, isNorthFirst: try Self.isNorthFirst(reference, path))
    wkt = gdalWKT(reference)
    let alphaBand = Self.alphaBand(dataset)
    var bands: [BandFacts] = []
    for number in 1...bandCount {
      guard let band = GDALGetRasterBand(dataset, number) else {
        throw EngineError(.readFailed, "Band \(number) of \"\(path)\" cannot be read.", domain: .gdal)
      }
      bands.append(try BandFacts(band, number: number, alphaBand: alphaBand, path: path, policy))
    }
    self.bands = bands
  }

  /// Index of the band that says how opaque the others are.
  private static func alphaBand(_ dataset: GDALDatasetH) -> Int? {
    let count = GDALGetRasterCount(dataset)
    guard count > 1 else { return nil }
    for number in 1...count where GDALGetRasterColorInterpretation(GDALGetRasterBand(dataset, number)) == GCI_AlphaBand
    {
      return Int(truncatingIfNeeded: number) &- 1
    }
    return nil
  }

  /// The data sets inside a file, as its driver lists them.
  static func subdatasets(_ dataset: GDALDatasetH) -> [ContainedDataset] {
    var found: [ContainedDataset] = []
    var entry = GDALGetMetadata(dataset, "SUBDATASETS")
    while let line = entry?.pointee {
      // Lines come in pairs: SUBDATASET_1_NAME=... and SUBDATASET_1_DESC=...
      let text = gdalText(line)
      if let equals = text.firstIndex(of: "=") {
        let value = String(text[text.index(after: equals)...])
        if text[..<equals].hasSuffix("_NAME") {
          found.append(ContainedDataset(name: value, description: ""))
        } else if text[..<equals].hasSuffix("_DESC"), !found.isEmpty {
          found[found.count &- 1].description = value
        }
      }
      entry = entry?.successor()
    }
    return found
  }

  private static func georeference(
    _ dataset: GDALDatasetH, hasControlPoints: Bool, isNorthFirst: Bool
  ) -> (GeoreferenceKind, Geotransform) {
    var forward = [0.0, 1, 0, 0, 0, 1]
    let found = GDALGetGeoTransform(dataset, &forward) == CE_None && forward.allSatisfy(\.isFinite)
    let hasPolynomial = GDALGetMetadata(dataset, "RPC") != nil
    // Some drivers (VRT) return the identity if there is no geotransform. With control points or polynomials that is
    // not a georeference: using it would misplace the raster.
    let isIdentity = forward == [0, 1, 0, 0, 0, 1] || forward == [0, 1, 0, 0, 0, -1]
    let hasArrays = GDALGetMetadata(dataset, "GEOLOCATION") != nil
    if found, !(isIdentity && (hasControlPoints || hasPolynomial || hasArrays)) {
      if isNorthFirst { forward = Array(forward[3...] + forward[..<3]) }
      return (.affine, Geotransform(forward: forward, inverse: inverse(forward)))
    }
    let none = Geotransform(forward: [0, 1, 0, 0, 0, 1], inverse: inverse([0, 1, 0, 0, 0, 1]))
    if hasControlPoints { return (.controlPoints, none) }
    if hasPolynomial { return (.rationalPolynomial, none) }
    return (hasArrays ? .geolocationArrays : .none, none)
  }

  /// Whether the first of a file's two coordinates is the one to the north, as GDAL's "data axis to SRS axis mapping" can
  /// say. Anything but these two orders is an error.
  private static func isNorthFirst(
    _ reference: OGRSpatialReferenceH?, _ path: String
  ) throws(EngineError) -> Bool {
    func mapping(_ reference: OGRSpatialReferenceH) -> [Int32] {
      var count: Int32 = 0
      let axes = OSRGetDataAxisToSRSAxisMapping(reference, &count)
      return Array(UnsafeBufferPointer(start: axes, count: Int(truncatingIfNeeded: count)).prefix(2))
    }
    guard let reference, let usual = OSRClone(reference) else { return false }
    defer { OSRRelease(usual) }
    OSRSetAxisMappingStrategy(usual, OAMS_TRADITIONAL_GIS_ORDER)
    let (own, eastFirst) = (mapping(reference), mapping(usual))
    if own == eastFirst { return false }
    guard own == eastFirst.reversed() else {
      throw EngineError(
        .unsupported,
        "\"\(path)\" has coordinates along the axes \(own.map(String.init).joined(separator: ", ")) of "
          + "\(gdalText(OSRGetName(reference))), and not to the east and the north. Write it anew with gdalwarp, with "
          + "its own spatial reference as -t_srs.")
    }
    return true
  }

  private static func inverse(_ forward: [Double]) -> Geotransform.Inverse? {
    var coefficients = forward
    var result = [0.0, 0, 0, 0, 0, 0]
    guard GDALInvGeoTransform(&coefficients, &result) != 0, result.allSatisfy(\.isFinite) else { return nil }
    return Geotransform.Inverse(
      c0: result[0], cx: result[1], cy: result[2], r0: result[3], rx: result[4], ry: result[5])
  }
}

/// A spatial reference as WKT 2, so that PROJ reads exactly what GDAL means; empty if there is none.
func gdalWKT(_ reference: OGRSpatialReferenceH?) -> String {
  guard let reference else { return "" }
  var text: UnsafeMutablePointer<CChar>?
  defer { VSIFree(text) }
  // GDAL's call wants a list of its own options; the strings live as long as the call.
  let failed = "FORMAT=WKT2_2019".withCString { option -> Bool in
    var options: [UnsafePointer<CChar>?] = [option, nil]
    return OSRExportToWktEx(reference, &text, &options) != OGRERR_NONE
  }
  return failed ? "" : gdalText(text)
}

extension BandFacts {
  convenience init(
    _ band: GDALRasterBandH, number: Int32, alphaBand: Int?, path: String, _ policy: Policy
  ) throws(EngineError) {
    guard let type = Self.type(band) else {
      let name = gdalText(GDALGetDataTypeName(GDALGetRasterDataType(band)))
      throw EngineError(
        .unsupported, "Band \(number) of \"\(path)\" has values of type \(name), which is unknown here.")
    }
    var blockWidth: Int32 = 0
    var blockHeight: Int32 = 0
    GDALGetBlockSize(band, &blockWidth, &blockHeight)
    let nodata = Self.nodata(band, type)
    let colorRole = Self.colorRole(band)
    let maskSource = Self.maskSource(band)
    if maskSource != .none, let mask = GDALGetMaskBand(band) {
      try RasterLimits.check(mask, together: 1, path, policy)
    }
    let overviews = Self.overviews(band, isMasked: maskSource != .none)
    for index in overviews.indices {
      guard let overview = GDALGetOverview(band, Int32(truncatingIfNeeded: index)) else { continue }
      try RasterLimits.check(overview, together: 1, path, policy)
    }
    self.init(
      type: type, colorRole: colorRole, blockWidth: max(1, blockWidth), blockHeight: max(1, blockHeight),
      overviews: overviews, nodata: nodata.value,
      nodataInteger: nodata.integer, scale: Self.number(band, GDALGetRasterScale),
      offset: Self.number(band, GDALGetRasterOffset),
      unit: gdalText(GDALGetRasterUnitType(band)), description: gdalText(GDALGetDescription(band)),
      categories: Self.categories(band), colors: Self.colors(band),
      table: try AttributeTable(GDALGetDefaultRAT(band), policy), nodataRule: nodata.rule,
      maskSource: maskSource,
      alphaBand: colorRole == .alpha ? nil : alphaBand)
  }

  private static func type(_ band: GDALRasterBandH) -> DataType? {
    switch GDALGetRasterDataType(band) {
    case GDT_Byte:
      // GDAL 3.6 has no type for signed bytes: the file states it in addition to the type.
      gdalText(GDALGetMetadataItem(band, "PIXELTYPE", "IMAGE_STRUCTURE")) == "SIGNEDBYTE" ? .int8 : .uint8
    case GDT_UInt16: .uint16
    case GDT_Int16: .int16
    case GDT_UInt32: .uint32
    case GDT_Int32: .int32
    case GDT_UInt64: .uint64
    case GDT_Int64: .int64
    case GDT_Float32: .float32
    case GDT_Float64: .float64
    case GDT_CInt16: .complexInt16
    case GDT_CInt32: .complexInt32
    case GDT_CFloat32: .complexFloat32
    case GDT_CFloat64: .complexFloat64
    default: nil
    }
  }

  private static func colorRole(_ band: GDALRasterBandH) -> ColorRole {
    switch GDALGetRasterColorInterpretation(band) {
    case GCI_Undefined: .undefined
    case GCI_GrayIndex: .gray
    case GCI_PaletteIndex: .palette
    case GCI_RedBand: .red
    case GCI_GreenBand: .green
    case GCI_BlueBand: .blue
    case GCI_AlphaBand: .alpha
    default: .other
    }
  }

  /// The nodata value, and the rule by which stored values are compared with it.
  private static func nodata(
    _ band: GDALRasterBandH, _ type: DataType
  ) -> (value: Double?, integer: Int64?, rule: NodataRule) {
    var found: Int32 = 0
    switch type {
    case .int64:
      let value = GDALGetRasterNoDataValueAsInt64(band, &found)
      return found == 0 ? (nil, nil, .none) : (Double(value), value, .integer(value))
    case .uint64:
      let value = GDALGetRasterNoDataValueAsUInt64(band, &found)
      return found == 0 ? (nil, nil, .none) : (Double(value), Int64(bitPattern: value), .unsigned(value))
    default: break
    }
    let value = GDALGetRasterNoDataValue(band, &found)
    guard found != 0 else { return (nil, nil, .none) }
    if value.isNaN { return (value, nil, type.isInteger ? .none : .nan) }
    switch type {
    case .float32, .complexFloat32:
      // 1e39, which the type cannot hold, is not infinity.
      let isHeld = value.isInfinite || Float(value).isFinite
      return (value, nil, isHeld ? .float32(Float(value)) : .none)
    case .float64, .complexFloat64: return (value, nil, .float64(value))
    default:
      // A nodata value that the type cannot hold (-9999 in a band of bytes) matches nothing.
      guard let integer = Int64(exactly: value) else { return (value, nil, .none) }
      // GDAL 3.6 keeps signed bytes as bytes, and their nodata value too.
      if type == .int8, integer > 127, integer <= 255 { return (value - 256, integer &- 256, .integer(integer &- 256)) }
      return (value, integer, .integer(integer))
    }
  }

  private static func number(
    _ band: GDALRasterBandH, _ read: (GDALRasterBandH?, UnsafeMutablePointer<Int32>?) -> Double
  ) -> Double? {
    var found: Int32 = 0
    let value = read(band, &found)
    return found != 0 && value.isFinite ? value : nil
  }

  private static func overviews(_ band: GDALRasterBandH, isMasked: Bool) -> [Overview] {
    (0..<max(0, GDALGetOverviewCount(band))).map { index in
      guard let overview = GDALGetOverview(band, index) else {
        return Overview(size: Size(width: 0, height: 0), isWhole: false)
      }
      // Overviews in a file of their own may lack the mask of the band: what it hides would show.
      let lacksMask = isMasked && GDALGetMaskFlags(overview) & GMF_ALL_VALID != 0
      return Overview(
        size: Size(width: GDALGetRasterBandXSize(overview), height: GDALGetRasterBandYSize(overview)),
        isWhole: !lacksMask)
    }
  }

  private static func categories(_ band: GDALRasterBandH) -> [String] {
    var names: [String] = []
    var entry = GDALGetRasterCategoryNames(band)
    while let name = entry?.pointee {
      names.append(gdalText(name))
      entry = entry?.successor()
    }
    return names
  }

  private static func colors(_ band: GDALRasterBandH) -> [RGBA] {
    guard let table = GDALGetRasterColorTable(band) else { return [] }
    return (0..<max(0, GDALGetColorEntryCount(table))).map { index in
      var entry = GDALColorEntry()
      guard GDALGetColorEntryAsRGB(table, index, &entry) != 0 else { return .clear }
      return RGBA(
        red: UInt8(clamping: entry.c1), green: UInt8(clamping: entry.c2), blue: UInt8(clamping: entry.c3),
        alpha: UInt8(clamping: entry.c4))
    }
  }

  private static func maskSource(_ band: GDALRasterBandH) -> MaskSource {
    let flags = GDALGetMaskFlags(band)
    if flags & GMF_ALL_VALID != 0 || flags & GMF_ALPHA != 0 { return .none }
    if flags & GMF_NODATA != 0 { return flags & GMF_PER_DATASET != 0 ? .dataSetNodata : .none }
    return flags & GMF_PER_DATASET != 0 ? .dataSetMask : .bandMask
  }
}
