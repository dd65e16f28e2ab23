import AlidadeBase
import CGDAL

/// The names in a vector VRT, and what else in it the policy has a word on.
enum VectorVRTReferences: ReferenceFinder {
  /// Elements with which GDAL runs SQL, which may name other files, or keeps what several layers share for its thread:
  /// open data sets go from thread to thread here.
  private static let refused: Set<String> = ["srcsql", "openoptions", "ooi"]

  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let document = XMLDocument(text) else { return [] }
    var found: [Reference] = []
    try document.forEachElement { (element, _) throws(EngineError) in
      if refused.contains(element.name) || element.attributes.contains(where: { refused.contains($0.name) }) {
        throw ReferenceRule.openOptions.refusal(
          name, "runs SQL on a source or opens it with options", "Take that out of the file, or convert it (ogr2ogr)."
        )
      }
      if element.attributes.contains(where: { $0.name == "srcdatasource" }) {
        throw ReferenceRule.attributes.refusal(
          name, "writes SrcDataSource as an attribute", "Write it as an element.")
      }
      guard element.name == "srcdatasource" else { return }
      if let shared = element.value("shared"), shared != "0" {
        throw ReferenceRule.threads.refusal(
          name, "shares an open source between layers", "Write shared=\"0\" in its SrcDataSource.")
      }
      guard element.isUTF8 else {
        throw ReferenceRule.encoding.refusal(
          name, "names a file in an encoding other than UTF-8", "Write it as UTF-8.")
      }
      guard let file = element.text, !file.isEmpty else { return }
      let says = element.value("relativetovrt") ?? "0"
      guard ["0", "1"].contains(says) else {
        throw ReferenceRule.relativeNames.refusal(
          name, "says relativeToVRT=\"\(ReferenceRule.short(says))\", which is neither 0 nor 1", "Write 0 or 1.")
      }
      let folder = LocalPath.folder(of: LocalPath.resolved(name) ?? name)
      let path = says == "1" ? LocalPath.projected(file, in: folder) : file
      let reference = Reference(name: path, namer: name, kind: .dataset)
      // What is no path is a connection to a server, or names files in a way of its driver's own. (GDAL puts the folder
      // behind these words.)
      guard path.hasPrefix("/"), !["csv:", "gpsbabel:"].contains(where: file.lowercased().hasPrefix) else {
        throw file.contains(":") || file.contains("<")
          ? ReferenceRule.drivers.refusal(
            name, "names \"\(ReferenceRule.short(file))\", which is no path", "Only files can be named.")
          : ReferenceScan.relative(file, name)
      }
      found.append(reference)
    }
    return found
  }
}

/// For XML that names no files: no entities.
enum EntityReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    try DocumentNames.refuseEntities(text, name)
    return []
  }
}
