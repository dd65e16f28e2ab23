import AlidadeBase
import CGDAL
import Glibc

/// Finds GDAL's driver for a name without running any driver.
///
/// GDAL's own answer (GDALIdentifyDriver) is of no use here: it has a name opened by every driver that is not certain,
/// whether the policy allows that driver or not. The driver HTTP then fetches "http:?//example.org".
enum DriverRecognition {
  /// The short name of the driver that a name seems to need and that is not among the allowed ones; nil if there is
  /// none, or an allowed one would do. Call inside the guard.
  static func missingDriver(_ name: String, allowed: [String], for content: DataContent = .raster) -> String? {
    let candidates = candidates(name, content)
    let isAllowed = candidates.contains { candidate in
      allowed.contains { $0.lowercased() == candidate.lowercased() }
    }
    return isAllowed ? nil : candidates.first
  }

  /// Whether a name seems to be for a driver that the policy allows. Call inside the guard.
  static func isFor(_ content: DataContent, _ name: String, _ policy: Policy) -> Bool {
    let allowed = content.drivers(policy).map { $0.lowercased() }
    return candidates(name, content).contains { allowed.contains($0.lowercased()) }
  }

  private static func candidates(_ name: String, _ content: DataContent) -> [String] {
    let isPath = FileAccess.looksLikePath(name)
    let beginning = isPath ? firstBytes(of: name) : Array(name.utf8.prefix(longestBeginning))
    for (mark, driver) in documents where holds(beginning, mark) { return [driver] }
    if !isPath {
      if let prefixed = PrefixedName(name) { return [prefixed.driver] }
      guard let colon = name.firstIndex(of: ":") else { return [] }
      let prefix = name[...colon].lowercased()
      return drivers(of: content).filter { $0.name.lowercased() + ":" == prefix || $0.prefix == prefix }.map(\.name)
    }
    // A folder.
    if [".zarray", ".zgroup", "zarr.json"].contains(where: { access(LocalPath.joined(name, $0), F_OK) == 0 }) {
      return ["Zarr"]
    }
    let file = name.split(separator: "/").last ?? ""
    let ending = file.lastIndex(of: ".").map { file[file.index(after: $0)...].lowercased() } ?? ""
    let byEnding = ending.isEmpty ? [] : drivers(of: content).filter { $0.endings.contains(ending) }.map(\.name)
    // Files that no other driver reads, however they are called.
    for (mark, readers) in signatures where beginning.starts(with: mark) {
      let fitting = byEnding.filter(readers.contains)
      return fitting.isEmpty ? Array(readers.prefix(1)) : fitting
    }
    return byEnding
  }

  /// How files of these drivers begin, whatever their ending; the first is named where the ending says nothing.
  private static let signatures: [(mark: [UInt8], drivers: [String])] = [
    ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], ["HDF5", "netCDF", "BAG"]),
    ([0x0E, 0x03, 0x13, 0x01], ["HDF4"]), ([0x43, 0x44, 0x46, 1], ["netCDF"]), ([0x43, 0x44, 0x46, 2], ["netCDF"]),
    ([0x43, 0x44, 0x46, 5], ["netCDF"]), (Array("NDF_REVISION".utf8), ["NDF"]),
  ]

  /// Documents that may have any ending, or replace a name.
  private static let documents = [
    ("<VRTDataset", "VRT"), ("<GDAL_WMS", "WMS"), ("<OGRWFSDataSource", "WFS"), ("<OGCWFSDataSource", "WFS"),
  ]
  private static let longestBeginning = 256

  private static func drivers(of content: DataContent) -> [(name: String, endings: [String], prefix: String)] {
    (0..<max(0, GDALGetDriverCount())).compactMap { index in
      guard let driver = GDALGetDriver(index), GDALGetMetadataItem(driver, content.capability, nil) != nil else {
        return nil
      }
      let endings = gdalText(GDALGetMetadataItem(driver, "DMD_EXTENSIONS", nil))
      // How names of connections begin: "PG:".
      let prefix = gdalText(GDALGetMetadataItem(driver, "DMD_CONNECTION_PREFIX", nil)).lowercased()
      return (
        gdalText(GDALGetDriverShortName(driver)), endings.lowercased().split(separator: " ").map(String.init), prefix
      )
    }
  }

  private static func firstBytes(of path: String) -> [UInt8] {
    guard let file = LocalFiles.open(path) else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: longestBeginning)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  private static func holds(_ bytes: [UInt8], _ mark: String) -> Bool {
    let wanted = Array(mark.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }
}
