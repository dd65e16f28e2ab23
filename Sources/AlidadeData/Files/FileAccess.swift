import AlidadeBase
import CGDAL
import CGDALFiles
import Glibc

/// Which files may be opened, and by which of GDAL's drivers.
enum FileAccess {
  /// Drivers that read local files, need no network and run no code, and that open no other file by a name that stands
  /// in the first one, or only names that `ReferenceScan` finds first. (So not DIMAP, STACIT, WMS, MRF, KMLSUPEROVERLAY,
  /// CAD, PRF, TSX, ILWIS, NDF, FAST, ADRG, SRP, SDTS, Zarr and their like; not HDF5, BAG, netCDF and HDF4, whose
  /// libraries read data from any file that is named in the first; and not MEM, which reads memory at an address that the
  /// name gives.)
  static let defaultDrivers = [
    "AAIGrid", "ACE2", "AIG", "AirSAR", "ARG", "BIGGIF", "BLX", "BMP", "BSB", "BT", "BYN", "CALS", "CEOS", "COASP",
    "COSAR", "CPG", "CTable2", "CTG", "DIPEx", "DOQ1", "DOQ2", "DTED", "E00GRID", "EHdr", "EIR", "ELAS", "ENVI", "ERS",
    "ESAT", "ESRIC", "EXR", "FIT", "FITS", "GenBin", "GFF", "GIF", "GPKG", "GRASSASCIIGrid", "GRIB", "GS7BG", "GSAG",
    "GSBG", "GSC", "GTiff", "GTX", "GXF", "HEIF", "HF2", "HFA", "INGR", "IRIS", "ISG", "ISIS2", "ISIS3", "JAXAPALSAR",
    "JDEM", "JP2OpenJPEG", "JPEG", "JPEGXL", "KRO", "L1B", "LAN", "LCP", "Leveller", "LOSLAS", "MBTiles", "MFF", "MFF2",
    "MSGN", "NGSGEOID", "NITF", "NOAA_B", "NSIDCbin", "NTv2", "NWT_GRC", "NWT_GRD", "OZI", "PAux", "PCIDSK", "PCRaster",
    "PDF", "PDS", "PDS4", "PNG", "PNM", "R", "RIK", "RMF", "ROI_PAC", "RRASTER", "RST", "SAGA", "SAR_CEOS", "SGI",
    "SIGDEM", "SNODAS", "SRTMHGT", "Terragen", "TGA", "USGSDEM", "VICAR", "VRT", "WEBP", "XPM", "XYZ", "ZMap",
  ]

  /// Beginnings of names that lead to the network.
  private static let networkMarks = [
    "http://", "https://", "ftp://", "ftps://", "/vsicurl", "/vsis3", "/vsigs", "/vsiaz",
    "/vsiadls", "/vsioss", "/vsiswift", "/vsiwebhdfs", "/vsihdfs", "dods://", "dap4://", "s3://", "gs://",
  ]

  /// The drivers that may open files; throws if there is none, because GDAL takes an empty list for "all".
  static func allowedDrivers(
    _ policy: Policy, for content: DataContent = .raster
  ) throws(EngineError) -> [String] {
    let drivers = content.drivers(policy)
    if drivers.isEmpty {
      throw EngineError(.policyRefused, "The runtime's policy allows no driver at all. Name some in drivers.")
    }
    return drivers
  }

  /// Why the policy forbids a name.
  struct NameRefusal {
    let rule: ReferenceRule
    let reason: String
    let remedy: String
  }

  /// Throws if the policy forbids a name that the host gives.
  static func check(name: String, _ policy: Policy) throws(EngineError) {
    guard name.utf8.count <= longestName else {
      throw EngineError(.invalidArgument, "The name is longer than \(longestName) bytes.")
    }
    if let refusal = refusal(name: name, policy) {
      throw EngineError(
        refusal.rule.status,
        "\"\(ReferenceRule.short(name))\" \(refusal.reason) (rule: \(refusal.rule.rawValue)). \(refusal.remedy)")
    }
  }

  /// Throws if the host names nothing.
  static func requireName(_ name: String) throws(EngineError) {
    guard !name.isEmpty else { throw EngineError(.invalidArgument, "The path is empty.") }
  }

  /// Throws if the policy forbids a name, or what is there is no file.
  static func checkFile(_ name: String, at path: String, _ policy: Policy) throws(EngineError) {
    try requireName(name)
    try check(name: name, policy)
    guard FileIdentity.isPipeOrDevice(path) else { return }
    throw EngineError(
      .unsupported, "\"\(name)\" is no file, but a pipe, a socket or a device. Copy it to a file first.")
  }

  /// Why the policy forbids a name, wherever in it the forbidden part stands: drivers take names inside names, such as
  /// NETCDF:"/vsizip/a.zip/b.nc":temperature. nil if it does not.
  static func refusal(name: String, _ policy: Policy) -> NameRefusal? {
    let bytes = lowercased(name)
    if !policy.allowsNetwork, let mark = networkMarks.first(where: { !positions(of: $0, in: bytes).isEmpty }) {
      return NameRefusal(
        rule: .network, reason: "leads to the network (\(mark)), which the runtime's policy does not allow",
        remedy: "Set the policy flag ALLOW_NETWORK to allow it.")
    }
    for start in positions(of: "/vsi", in: bytes) where canBegin(at: start, in: bytes) {
      let rest = bytes[start...]
      if networkMarks.contains(where: { rest.starts(with: $0.utf8) }) { continue }
      if policy.virtualFileSystems.contains(where: { rest.starts(with: lowercased($0)) }) { continue }
      // The prefix alone: /vsizip/, whatever follows.
      let word = rest.dropFirst().prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      let prefix = "/\(String(decoding: word.prefix(longestPrefix), as: UTF8.self))/"
      return NameRefusal(
        rule: .virtualFileSystems,
        reason: "uses GDAL's virtual file system \(prefix), which the runtime's policy does not allow",
        remedy: "Name its prefix in vsi_prefixes to allow it.")
    }
    return nil
  }

  /// Whether a name leads to the network.
  static func isAddress(_ name: String) -> Bool {
    let bytes = lowercased(name)
    return networkMarks.contains { !positions(of: $0, in: bytes).isEmpty }
  }

  private static let longestName = 65536
  /// The longest prefix of a virtual file system, such as vsigs_streaming.
  private static let longestPrefix = 40

  /// The bytes of a name with ASCII letters in lower case: GDAL compares prefixes so.
  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { (65...90).contains($0) ? $0 &+ 32 : $0 }
  }

  /// Where a part stands in a name.
  private static func positions(of part: String, in bytes: [UInt8]) -> [Int] {
    let wanted = Array(part.utf8)
    guard let first = wanted.first else { return [] }
    return bytes.indices.filter { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
  }

  /// Whether a virtual file system's prefix at a position is one: at the beginning, or where a name inside a name may
  /// begin. A folder may well be called /data/vsi-images.
  private static func canBegin(at position: Int, in bytes: [UInt8]) -> Bool {
    guard position > 0 else { return true }
    return "/:\"',;=<>{}[]()&? ".utf8.contains(bytes[position &- 1])
  }

  /// Why a file could not be opened: it is not there, the policy leaves out its driver, or GDAL cannot read it. Call
  /// inside the guard, after the failure.
  static func explainFailure(
    _ name: String, _ policy: Policy, _ words: GDALWords, for content: DataContent
  ) -> EngineError {
    var status = stat()
    errno = 0
    if looksLikePath(name), stat(name, &status) != 0 {
      let code = errno
      let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
      return EngineError(
        code == ENOENT || code == ENOTDIR ? .notFound : .readFailed, "\"\(name)\" cannot be opened: \(reason).",
        domain: .system, domainCode: code)
    }
    let allowed = content.drivers(policy)
    if let driver = DriverRecognition.missingDriver(name, allowed: allowed, for: content) {
      return EngineError(
        .policyRefused,
        "\"\(ReferenceRule.short(name))\" needs GDAL's driver \(driver), which the runtime's policy does not allow "
          + "(rule: drivers). Name it in drivers with the policy flag ADD_DRIVERS to allow it.")
    }
    let isRefused = words.message.hasPrefix(HTTPRefusal.beginning)
    var error = words.failure(
      isRefused ? .policyRefused : .readFailed, "\"\(name)\" cannot be opened as \(content.noun)")
    if !isRefused, DriverRecognition.isFor(content.other, name, policy) { error.message += " \(content.other.remedy)" }
    if !isRefused, content == .vector { error.message += VectorFiles.hint(name) }
    return error
  }

  /// Whether a name is a path and not one of GDAL's connection strings.
  static func looksLikePath(_ name: String) -> Bool {
    name.hasPrefix("/") ? !name.hasPrefix("/vsi") : !name.contains(":") && !name.contains("<")
  }
}

/// The module's part in creating a runtime.
public enum DataSources {
  /// Registers GDAL's drivers; harmless when they are registered already.
  public static func prepare(_ runtime: Runtime) throws(EngineError) {
    try GDALGuard.call(for: runtime) { (_) throws(EngineError) in
      let options = ThreadOptions(runtime.options)
      _ = driversAreRegistered
      guard installing.withLock({ (_) in alidade_files_install() }) else { throw LocalFiles.unguarded() }
      _ = consume options
    }
  }

  /// Held while GDAL's local file system is replaced: GDAL does so without a lock, and two first runtimes would meet.
  private static let installing = Lock(())

  /// Registers the drivers at its first use, on one thread while others wait: GDAL 3.6 crashes when several threads
  /// register at once.
  private static let driversAreRegistered: Bool = {
    GDALAllRegister()
    return true
  }()

  /// GDAL's version, as found at run time. Static storage of GDAL's.
  public static var gdalVersion: UnsafePointer<CChar>? { GDALVersionInfo("RELEASE_NAME") }
}
