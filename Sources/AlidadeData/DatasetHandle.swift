import AlidadeBase
import CGDAL

/// An open GDAL data set of a raster. GDAL's data sets are not safe to share, so one thread at a time leases one.
///
/// Right to hand from thread to thread: a data set is bound to no thread, and the lease makes the use exclusive.
final class DatasetHandle: @unchecked Sendable {
  let dataset: GDALDatasetH
  private let bands: [GDALRasterBandH]
  private let masks: [GDALRasterBandH?]

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
  }

  deinit {
    let dataset = self.dataset
    GDALGuard.clean { GDALClose(dataset) }
  }

  /// GDAL's band for a plane at a level: native for nil, else an overview.
  func band(_ plane: CellPlane, level: Int?) -> GDALRasterBandH? {
    guard plane.band < bands.count else { return nil }
    guard let level else { return plane.isMask ? masks[plane.band] : bands[plane.band] }
    guard let overview = GDALGetOverview(bands[plane.band], Int32(truncatingIfNeeded: level)) else { return nil }
    return plane.isMask ? GDALGetMaskBand(overview) : overview
  }
}

/// One array of values that is read per window: a band's values or its mask.
struct CellPlane: Equatable {
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

  /// - Parameter bands: indexes from 0.
  init(_ facts: RasterFacts, bands wanted: [Int]) {
    for index in wanted {
      let band = facts.bands[index]
      let value = add(CellPlane(band: index, isMask: false, type: band.type))
      let mask = band.maskSource == .none ? -1 : add(CellPlane(band: index, isMask: true, type: .uint8))
      let alpha =
        band.alphaBand.map { add(CellPlane(band: $0, isMask: false, type: facts.bands[$0].type)) } ?? -1
      bands.append(BandPlanes(value: value, mask: mask, alpha: alpha))
    }
  }

  private mutating func add(_ plane: CellPlane) -> Int {
    if let known = planes.firstIndex(of: plane) { return known }
    planes.append(plane)
    return planes.count &- 1
  }
}

extension CellPlane: Sendable {}
