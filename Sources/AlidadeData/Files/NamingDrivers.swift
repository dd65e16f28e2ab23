import AlidadeBase
import CGDAL
import Glibc

/// GDAL's drivers that open what a file names.
enum NamingDrivers {
  /// The drivers that GDAL recognises by a file's beginning, and whose names are not examined. A file that another one
  /// names must not reach one of them, not even after another driver has failed.
  static func told(_ content: DataContent) -> [String] {
    switch content {
    case .raster:
      [
        "BAG", "DIMAP", "ECRGTOC", "HDF4", "HDF5", "HDF5Image", "MAP", "MRF", "NDF", "netCDF", "PRF", "RPFTOC", "RS2",
        "SAFE", "SENTINEL2", "STACIT", "STACTA", "TIL", "TSX", "WCS", "WMS", "WMTS", "Zarr",
      ]
    case .vector: ["CAD", "CSW", "GMLAS", "NAS", "netCDF", "OAPIF", "WFS"]
    }
  }

  /// Whether the names in a file of one driver are not those that were looked for in it as one of another.
  static func differ(_ driver: String, _ expected: String?) -> Bool {
    guard driver != expected else { return false }
    let text = ReferenceScan.namingDrivers[driver].map { ObjectIdentifier($0) }
    let file = ReferenceScan.namingFiles[driver].map { ObjectIdentifier($0) }
    // PAux only compares the name, and GDAL cannot report its files.
    guard text != nil || file != nil, driver != "PAux" else { return false }
    return text != expected.flatMap { ReferenceScan.namingDrivers[$0] }.map { ObjectIdentifier($0) }
      || file != expected.flatMap { ReferenceScan.namingFiles[$0] }.map { ObjectIdentifier($0) }
  }
}

/// The beginning of a local file, and its ending: some drivers that GDAL recognises only by opening the file go by
/// them.
struct FileHead {
  private let bytes: [UInt8]
  private let ending: String

  /// Empty for what is no local file.
  init(_ name: String) {
    ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    guard LocalNames.isLocal(name), let file = LocalFiles.open(name) else {
      bytes = []
      return
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    self.bytes = Array(bytes.prefix(count))
  }

  /// Whether the file begins as all FITS files do.
  var isFITS: Bool { bytes.starts(with: "SIMPLE  =".utf8) }

  /// The file that a header of PCI belongs to, as written; nil if the file is not such a header.
  var auxiliaryTarget: ArraySlice<UInt8>? {
    guard ending == "aux", holds("auxilarytarget: ", at: 0) else { return nil }
    return bytes.dropFirst(16).prefix { $0 != 10 && $0 != 13 && $0 != 0 }
  }

  /// The drivers that would open the file and what it names.
  func drivers(for content: DataContent) -> [String] {
    // The records of ISO 8211, in which several formats keep the names of their files.
    let hasRecords =
      bytes.count > 24 && (49...51).contains(bytes[5]) && bytes[6] == UInt8(ascii: "L")
      && (bytes[8] == UInt8(ascii: "1") || bytes[8] == UInt8(ascii: " "))
    switch content {
    case .raster:
      var found: [String] = []
      if hasRecords { found += ["gen", "thf", "img"].contains(ending) ? ["ADRG", "SRP"] : ["SDTS"] }
      if ["mpr", "mpl"].contains(ending), !bytes.isEmpty { found.append("ILWIS") }
      if [36, 52].contains(where: { holds("acquisition date =", at: $0) }) { found.append("FAST") }
      if bytes.indices.contains(where: { holds("<kml", at: $0) }) { found.append("KMLSUPEROVERLAY") }
      return found
    case .vector:
      var found: [String] = []
      if hasRecords, ending == "ddf" { found.append("OGR_SDTS") }
      if bytes.indices.contains(where: { holds("pds_version_id", at: $0) }) { found.append("OGR_PDS") }
      return found
    }
  }

  /// Whether a text in small letters is at a position, in any case.
  private func holds(_ text: StaticString, at place: Int) -> Bool {
    text.withUTF8Buffer { text in
      guard place < bytes.count, bytes.count &- place >= text.count else { return false }
      return zip(bytes[place...], text).allSatisfy { byte, wanted in
        ((65...90).contains(byte) ? byte &+ 32 : byte) == wanted
      }
    }
  }
}
