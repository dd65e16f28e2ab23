import AlidadeBase
import CGDAL

/// An open GDAL data set of a raster. GDAL's data sets are not safe to share, so one thread at a time leases one.
///
/// Right to hand from thread to thread: a data set is bound to no thread, and the lease makes the use exclusive.
final class DatasetHandle: @unchecked Sendable {
  let dataset: GDALDatasetH
  private let bands: [GDALRasterBandH]
  private let masks: [GDALRasterBandH?]
  /// Formats that hold a line of cells as a line of text.
  ///
  /// GDAL finds such a line by way of the lines before it and does not remember those that it could not read: of a file
  /// that is cut short it tries line n - 1 twice for line n, and so 2^n lines. They are read one after the other
  /// here, up to the first that is damaged.
  private static let lineFormats: Set<String> = ["AAIGrid", "GRASSASCIIGrid", "ISG"]
  private let isReadInLines: Bool
  /// So many lines from the top have been read; changed by the thread that has the lease.
  private var readableLines: Int32 = 0

  /// Takes over an open data set. Call inside the guard.
  init(_ dataset: GDALDatasetH, facts: RasterFacts) throws(EngineError) {
    self.dataset = dataset
    var bands: [GDALRasterBandH] = []
    var masks: [GDALRasterBandH?] = []
    for (index, band) in facts.bands.enumerated() {
      guard let handle = GDALGetRasterBand(dataset, Int32(truncatingIfNeeded: index &+ 1)) else {
        GDALClose(dataset)
        throw EngineError(.readFailed, "\"\(facts.path)\" has fewer bands than when it was opened.", domain: .gdal)
      }
      bands.append(handle)
      masks.append(band.maskSource == .none ? nil : GDALGetMaskBand(handle))
    }
    self.bands = bands
    self.masks = masks
    isReadInLines = Self.lineFormats.contains(facts.driver)
  }

  /// Whether GDAL may be asked for the native lines before `end`; it has said why, if not.
  func prepare(linesBefore end: Int32) -> Bool {
    guard isReadInLines, let band = bands.first else { return true }
    var cell = 0.0
    while readableLines < end {
      guard GDALRasterIO(band, GF_Read, 0, readableLines, 1, 1, &cell, 1, 1, GDT_Float64, 0, 0) == CE_None else {
        return false
      }
      readableLines &+= 1
    }
    return true
  }

  deinit {
    let dataset = self.dataset
    GDALGuard.clean { GDALClose(dataset) }
  }

  /// GDAL's band for a plane at a level: native for nil, otherwise an overview.
  func band(_ plane: CellPlane, level: Int?) -> GDALRasterBandH? {
    guard plane.band < bands.count else { return nil }
    guard let level else { return plane.isMask ? masks[plane.band] : bands[plane.band] }
    guard let overview = GDALGetOverview(bands[plane.band], Int32(truncatingIfNeeded: level)) else { return nil }
    return plane.isMask ? GDALGetMaskBand(overview) : overview
  }
}

/// One array of values that is read per window: a band's values or its mask.
struct CellPlane: Hashable, Sendable {
  /// Index of the band, from 0.
  var band: Int
  var isMask: Bool
  var type: DataType
  /// GDAL's name for `type`.
  var gdalType: GDALDataType { isMask ? GDT_Byte : type.gdalType }
  /// Bytes per cell.
  var size: Int { isMask ? 1 : type.size }
}

extension DataType {
  var gdalType: GDALDataType {
    switch self {
    case .uint8, .int8: GDT_Byte
    case .uint16: GDT_UInt16
    case .int16: GDT_Int16
    case .uint32: GDT_UInt32
    case .int32: GDT_Int32
    case .uint64: GDT_UInt64
    case .int64: GDT_Int64
    case .float32: GDT_Float32
    case .float64: GDT_Float64
    case .complexInt16: GDT_CInt16
    case .complexInt32: GDT_CInt32
    case .complexFloat32: GDT_CFloat32
    case .complexFloat64: GDT_CFloat64
    }
  }
}

/// Which planes a request reads, and where each of its bands finds value, mask and alpha.
struct PlanePlan: Sendable {
  struct BandPlanes: Sendable {
    var value: Int
    /// -1: no mask.
    var mask: Int
    /// -1: no alpha band.
    var alpha: Int
  }

  private(set) var planes: [CellPlane] = []
  private(set) var bands: [BandPlanes] = []
  /// Bytes per cell, all planes together.
  private(set) var cellSize = 0

  /// - Parameter bands: indexes from 0.
  init(_ facts: RasterFacts, bands wanted: [Int]) {
    var known: [CellPlane: Int] = [:]
    for index in wanted {
      let band = facts.bands[index]
      let value = add(CellPlane(band: index, isMask: false, type: band.type), &known)
      var mask = -1
      if band.maskSource != .none {
        // A mask that all bands share is read once, by way of the first band that has it.
        let owner = band.maskSource == .bandMask ? index : facts.bands.firstIndex { $0.maskSource == band.maskSource }
        mask = add(CellPlane(band: owner ?? index, isMask: true, type: .uint8), &known)
      }
      let alpha =
        band.alphaBand.map { add(CellPlane(band: $0, isMask: false, type: facts.bands[$0].type), &known) } ?? -1
      bands.append(BandPlanes(value: value, mask: mask, alpha: alpha))
    }
    cellSize = planes.reduce(0) { $0 &+ $1.size }
  }

  private mutating func add(_ plane: CellPlane, _ known: inout [CellPlane: Int]) -> Int {
    if let index = known[plane] { return index }
    planes.append(plane)
    known[plane] = planes.count &- 1
    return planes.count &- 1
  }
}
