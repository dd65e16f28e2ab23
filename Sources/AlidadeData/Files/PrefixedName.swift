/// A name that begins with the word of one of GDAL's drivers and has a path in it: NETCDF:"/a/b.nc":t, GTIFF_DIR:2:/a.tif.
///
/// Only such forms are known as can be taken apart as their driver does it, without a doubt. Any other is nil, so that a
/// file that has one in it can be refused.
struct PrefixedName {
  /// The short name of the driver that opens it.
  let driver: String
  /// The path in it, which the driver opens.
  let path: String

  /// How a driver finds the path behind its word.
  private enum Form {
    /// The rest is the path.
    case rest
    /// Behind so many numbers, each with a colon.
    case numbers(Int)
    /// Behind a number, or "off:" and a number, with a colon.
    case directory
    /// Behind "Q" and a number, or nothing, and two numbers, each with a comma.
    case subfile
    /// Behind so many words, each with a colon; quoted, or without a colon in it. What is in the file may follow.
    case quoted(skipping: Int)
    /// Without quotes, with two numbers behind it.
    case beforeNumbers
  }

  /// Words as GDAL writes them. (It takes some of them in lower case as well; no program writes them so.)
  private static let forms: [String: (driver: String, form: Form)] = [
    "GTIFF_DIR": ("GTiff", .directory), "GTIFF_RAW": ("GTiff", .rest), "JPEG_SUBFILE": ("JPEG", .subfile),
    "JPEG": ("JPEG", .quoted(skipping: 0)), "NITF_IM": ("NITF", .numbers(1)), "PDF": ("PDF", .numbers(1)),
    "PDF_IMAGE": ("PDF", .numbers(2)), "NTv2": ("NTv2", .numbers(1)), "HEIF": ("HEIF", .numbers(1)),
    "FITS": ("FITS", .quoted(skipping: 0)), "GPKG": ("GPKG", .quoted(skipping: 0)), "PDS4": ("PDS4", .beforeNumbers),
    "HRV": ("MSGN", .rest), "RAD": ("MSGN", .rest), "L1BGCPS": ("L1B", .quoted(skipping: 0)),
    "L1BGCPS_INTERPOL": ("L1B", .quoted(skipping: 0)), "L1B_SOLAR_ZENITH_ANGLES": ("L1B", .quoted(skipping: 0)),
    "L1B_ANGLES": ("L1B", .quoted(skipping: 0)), "L1B_CLOUDS": ("L1B", .quoted(skipping: 0)),
    "NETCDF": ("netCDF", .quoted(skipping: 0)), "HDF5": ("HDF5Image", .quoted(skipping: 0)),
    "BAG": ("BAG", .quoted(skipping: 0)), "HDF4_SDS": ("HDF4Image", .quoted(skipping: 1)),
    "HDF4_GR": ("HDF4Image", .quoted(skipping: 1)), "HDF4_GD": ("HDF4Image", .quoted(skipping: 1)),
    "HDF4_EOS": ("HDF4Image", .quoted(skipping: 1)), "ZARR": ("Zarr", .quoted(skipping: 0)),
  ]

  /// nil if the name is in no form that is known.
  init?(_ name: String) {
    guard let colon = name.firstIndex(of: ":"), let known = Self.forms[String(name[..<colon])] else { return nil }
    let rest = name[name.index(after: colon)...]
    guard let path = Self.path(in: rest, known.form), path.utf8.count > 1 else { return nil }
    self.driver = known.driver
    self.path = path
  }

  private static func path(in text: Substring, _ form: Form) -> String? {
    switch form {
    case .rest:
      // GDAL takes one word behind the other here.
      if text.hasPrefix("GTIFF_DIR:") { return path(in: text.dropFirst(10), .directory) }
      return plain(text)
    case .numbers(let count):
      var rest = text
      for _ in 0..<count {
        guard let next = behindNumber(rest, ":") else { return nil }
        rest = next
      }
      return plain(rest)
    case .directory:
      return behindNumber(text.hasPrefix("off:") ? text.dropFirst(4) : text, ":").flatMap(plain)
    case .subfile:
      var rest = text
      if text.hasPrefix("Q") {
        guard let next = behindNumber(text.dropFirst(), ",") else { return nil }
        rest = next
      }
      return behindNumber(rest, ",").flatMap { behindNumber($0, ",") }.flatMap(plain)
    case .quoted(let count):
      var rest = text
      for _ in 0..<count {
        guard let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains(where: isSpecial) else { return nil }
        rest = rest[rest.index(after: colon)...]
      }
      return quoted(rest)
    case .beforeNumbers:
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1...].allSatisfy(isNumber) else { return nil }
      return plain(parts[0])
    }
  }

  /// What stands behind a number and a separator.
  private static func behindNumber(_ text: Substring, _ separator: Character) -> Substring? {
    guard let end = text.firstIndex(of: separator), isNumber(text[..<end]) else { return nil }
    return text[text.index(after: end)...]
  }

  /// A path in quotes, or up to the next colon. What follows is the driver's business as long as it is one part.
  private static func quoted(_ text: Substring) -> String? {
    let path: Substring
    let behind: Substring
    if text.hasPrefix("\"") {
      guard let end = text.dropFirst().firstIndex(of: "\"") else { return nil }
      path = text[..<end].dropFirst()
      behind = text[text.index(after: end)...]
    } else {
      path = text.prefix { $0 != ":" }
      behind = text[path.endIndex...]
    }
    guard behind.isEmpty || behind.hasPrefix(":"), !behind.contains(where: isSpecial) else { return nil }
    return plain(path)
  }

  private static func plain(_ path: Substring) -> String? {
    path.isEmpty || path.contains(where: isSpecial) ? nil : String(path)
  }

  /// Characters that GDAL's readers of such names give a meaning to.
  private static func isSpecial(_ character: Character) -> Bool { character == "\"" || character == "\\" }

  /// A number that is not 0 at its beginning, or 0, and no longer than any offset.
  private static func isNumber(_ text: Substring) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
