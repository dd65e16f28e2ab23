import AlidadeBase
import CGDAL

/// What a file is opened for: each has its own drivers.
enum DataContent: Sendable {
  case raster, vector

  /// The drivers that a policy allows.
  func drivers(_ policy: Policy) -> [String] {
    (policy.drivers ?? (policy.allowsCommonFormatsOnly ? commonDrivers : defaultDrivers)) + policy.additionalDrivers
  }

  private var defaultDrivers: [String] {
    switch self {
    case .raster: FileAccess.defaultDrivers
    case .vector: VectorFiles.defaultDrivers
    }
  }

  /// Of these, the drivers of formats that files are commonly exchanged in. (So not JP2OpenJPEG and GRIB, whose
  /// libraries print; not VRT and its like, which name files; not GPKG, MBTiles and SQLite, whose pages may refer to each
  /// other without end; not XYZ, which reads a file whole to find its size; and nothing that few people have.)
  private var commonDrivers: [String] {
    switch self {
    case .raster:
      ["AAIGrid", "BIGGIF", "BMP", "DTED", "EHdr", "ENVI", "GIF", "GTiff", "JPEG", "PNG", "SRTMHGT", "WEBP"]
    case .vector:
      ["CSV", "ESRI Shapefile", "FlatGeobuf", "GeoJSON", "GeoJSONSeq", "GPX", "KML", "TopoJSON"]
    }
  }

  /// For messages.
  var noun: String {
    switch self {
    case .raster: "a raster"
    case .vector: "a source of features"
    }
  }

  /// What a file may be opened for instead.
  var other: DataContent { self == .raster ? .vector : .raster }

  /// What helps if the file is for this and was opened for the other.
  var remedy: String {
    switch self {
    case .raster: "If it is a raster, open it as one."
    case .vector: "If it holds features, open it as a source of features."
    }
  }

  /// GDAL's flag for opening.
  var openFlag: Int32 {
    switch self {
    case .raster: Int32(truncatingIfNeeded: GDAL_OF_RASTER)
    case .vector: Int32(truncatingIfNeeded: GDAL_OF_VECTOR)
    }
  }

  /// GDAL's name for drivers of this kind.
  var capability: String {
    switch self {
    case .raster: "DCAP_RASTER"
    case .vector: "DCAP_VECTOR"
    }
  }
}
