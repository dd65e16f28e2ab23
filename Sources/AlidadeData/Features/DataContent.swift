import CGDAL

/// What a file is opened for: each has its own drivers.
enum DataContent: Sendable {
  case raster, vector

  /// The drivers that the policy allows by default.
  var defaultDrivers: [String] {
    switch self {
    case .raster: FileAccess.defaultDrivers
    case .vector: VectorFiles.defaultDrivers
    }
  }

  /// For messages.
  var noun: String {
    switch self {
    case .raster: "a raster"
    case .vector: "a source of features"
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
