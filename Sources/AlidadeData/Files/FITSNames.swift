import AlidadeBase
import Glibc

/// Names of FITS files. The library that GDAL reads them with, cfitsio, takes a name for a sentence: "a.fits(b.fits)"
/// writes a copy, "a.fits[1:2,1:2]" and "a.fits+1" are parts, "-" is the standard input, "x://" another source, and with
/// ".imh" in it the file names another one. GDAL hands every name over as it is.
enum FITSNames {
  /// Throws if a FITS file would be opened by a name that means more than itself.
  ///
  /// - Parameter head: the file's beginning, where the name is a path.
  static func check(_ name: String, _ head: FileHead) throws(EngineError) {
    guard name.hasPrefix("FITS:") else {
      if head.isFITS { try check(path: name, name) }
      return
    }
    guard let path = PrefixedName(name)?.path else {
      throw ReferenceRule.fileNames.refusal(
        name, "is no name of a part of a FITS file", "Write FITS:\"the whole path\":1.")
    }
    try check(path: path, name)
    // A name that leads to nothing leads cfitsio to the same with ".gz" behind it, and a compressed file into memory.
    let whole = FileIdentity.absolutePath(path, force: true)
    guard access(whole, F_OK) == 0 else {
      throw EngineError(
        .notFound, "\"\(ReferenceRule.short(path))\" cannot be opened: there is no such file.", domain: .system,
        domainCode: ENOENT)
    }
    guard FileHead(whole).isFITS else {
      throw EngineError(.readFailed, "\"\(ReferenceRule.short(path))\" does not begin as a FITS file does.")
    }
  }

  private static func check(path: String, _ name: String) throws(EngineError) {
    guard meansMore(path) else { return }
    throw ReferenceRule.fileNames.refusal(
      name, "is a FITS file whose name the library for such files would take for more than a name",
      "Rename it, or its folder: without brackets, parentheses, \"://\", \".imh\", and \"+1\" or a blank at its end.")
  }

  /// Whether cfitsio may take a path for anything but the file of that name.
  private static func meansMore(_ path: String) -> Bool {
    let lower = path.lowercased()
    if path.contains(where: { "[]()".contains($0) }) || lower.contains("://") || lower.contains(".imh") { return true }
    // At its beginning an absolute path has nothing but its "/".
    if !path.hasPrefix("/"), path.contains(":") || "-!~@".contains(path.first ?? "-") || lower.hasPrefix("std") {
      return true
    }
    if path.first?.isWhitespace == true || path.last?.isWhitespace == true { return true }
    let digits = path.reversed().prefix { $0.isASCII && $0.isNumber }.count
    return digits > 0 && path.dropLast(digits).hasSuffix("+")
  }
}
