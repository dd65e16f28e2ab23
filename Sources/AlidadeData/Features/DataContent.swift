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

  /// What a file may be opened for instead.
  var other: DataContent { self == .raster ? .vector : .raster }

  /// What helps if the file is for this and was opened for the other.
  var remedy: String {
    switch self {
    case .raster: "If it is a raster, open it as one: ald_raster_open, in Python Raster."
    case .vector: "If it holds features, open it as their source: ald_feature_source_open, in Python FeatureSource."
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
