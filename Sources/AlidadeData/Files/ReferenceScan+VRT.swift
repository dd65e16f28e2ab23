import AlidadeBase
import CGDAL
import Glibc

/// The names in a VRT, and what else in it the policy has a word on.
enum VRTReferences: ReferenceFinder {
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference] {
    guard let document = XMLDocument(text) else { return [] }
    var reader = VRTReader(name: name, policy: policy)
    try document.forEachElement { (element, around) throws(EngineError) in try reader.read(element, around) }
    return reader.found
  }
}

private struct VRTReader {
  let name: String
  let policy: Policy
  /// That relative names are taken from.
  private let folder: String
  private(set) var found: [Reference] = []
  private var bandCount = 0
  private var sourceCount = 0
  /// How deep the element lies that opened a part in which texts are only shown, and one of a warp's options.
  private var shownDepth: Int?
  private var warpDepth: Int?

  init(name: String, policy: Policy) {
    self.name = name
    self.policy = policy
    folder = LocalNames.isInline(name) ? "" : VRTReader.folder(of: name)
  }

  /// Elements whose texts are only shown, not opened.
  private static let shown: Set<String> = [
    "metadata", "description", "gcplist", "categorynames", "gdalrasterattributetable", "histograms",
  ]
  /// Options that a source may be opened with: they change how it is read, and name nothing.
  private static let openOptions: Set<String> = [
    "georef_sources", "overview_level", "honour_valid_range", "ignore_xy_axis_name_checks", "assume_longlat", "table",
    "1bit_jpeg_as_8bit", "1bit_alpha_promotion", "use_tile_as_block",
  ]

  /// Elements that are a source of a band.
  private static let sources: Set<String> = ["simplesource", "complexsource", "averagedsource", "kernelfilteredsource"]

  /// What this reader looks for among the elements.
  private static let elementsOnly: Set<String> = [
    "sourcefilename", "sourcedataset", "vrtrasterband", "maskband", "overview", "overviewlist", "pixelfunctionlanguage",
    "pixelfunctioncode", "pixelfunctiontype", "numthreads", "option", "ooi", "openoptions", "warpmemorylimit", "mdi",
    "metadata", "dempath", "simplesource", "complexsource", "averagedsource", "kernelfilteredsource", "kernel",
    "sourceproperties", "gdalwarpoptions", "pansharpeningoptions", "destinationdataset", "verticalshiftgrids", "grids",
    "sourcesrs", "targetsrs", "demsrs", "usemaskband",
  ]

  mutating func read(_ element: XMLNode, _ around: [String]) throws(EngineError) {
    // Elements come parents first: what is not deeper than the element that opened a part has left it.
    let depth = around.count
    if depth <= warpDepth ?? -1 { warpDepth = nil }
    if depth <= shownDepth ?? -1 { shownDepth = nil }
    if warpDepth == nil, element.name == "gdalwarpoptions" { warpDepth = depth }
    if shownDepth == nil, Self.shown.contains(element.name) { shownDepth = depth }
    let inWarp = warpDepth != nil
    // GDAL takes an attribute of that name for the element; no program writes them so.
    if let attribute = element.attributes.first(where: { Self.elementsOnly.contains($0.name) }) {
      throw ReferenceRule.attributes.refusal(
        name, "writes \(ReferenceRule.short(attribute.name)) as an attribute of \(ReferenceRule.short(element.name))",
        "Write it as an element.")
    }
    switch element.name {
    case "sourcefilename":
      let isRaw = around.last == "vrtrasterband" && rawBandDepth == around.count
      let isSource = Self.sources.contains(around.last ?? "")
      try add(
        element, kind: isRaw ? .raw : .dataset, relativeByDefault: isRaw, isSource: isSource,
        weight: isSource ? sourceWeight : 1)
    case "sourcedataset": try add(element, kind: .dataset, relativeByDefault: false)
    case "vrtrasterband": try readBand(element, around)
    case "pixelfunctionlanguage", "pixelfunctioncode": try refuseCode(element)
    case "numthreads": try checkThreads(element)
    case "option": if element.value("name")?.lowercased() == "num_threads" { try checkThreads(element) }
    case "ooi": try checkOpenOption(element)
    case "warpmemorylimit": try checkMemory(Double(element.text?.filter { $0 != " " } ?? "") ?? .infinity)
    case "mdi"
    where inWarp && ["x_dataset", "y_dataset", "rpc_dem"].contains(element.value("key")?.lowercased() ?? ""):
      try add(element, kind: .dataset, relativeByDefault: false)
    case "dempath": try add(element, kind: .dataset, relativeByDefault: false)
    case "destinationdataset": try refuseWriting(element)
    case "grids": try addGrids(element)
    case _ where Self.sources.contains(element.name): try checkSource(element)
    case "overviewlist": try checkOverviews(element)
    default:
      if shownDepth == nil { try checkText(element) }
    }
  }

  /// How often the source that is being read is read for each cell.
  private var sourceWeight: UInt64 = 1

  /// How many elements are around what stands in a band of raw bytes; -1 outside of such a band.
  private var rawBandDepth = -1

  private mutating func readBand(_ element: XMLNode, _ around: [String]) throws(EngineError) {
    bandCount &+= 1
    try RasterLimits.check(bandCount: bandCount, of: name, policy)
    let subclass = element.value("subclass")?.lowercased()
    rawBandDepth = subclass == "vrtrawrasterband" ? around.count &+ 1 : -1
  }

  /// Adds the name that is an element's text.
  private mutating func add(
    _ element: XMLNode, kind: Reference.Kind, relativeByDefault: Bool, isSource: Bool = false, weight: UInt64 = 1
  ) throws(EngineError) {
    guard element.isUTF8 else {
      throw ReferenceRule.encoding.refusal(name, "names a file in an encoding other than UTF-8", "Write it as UTF-8.")
    }
    guard let text = element.text, !text.isEmpty else { return }
    let isRelative: Bool
    switch element.value("relativetovrt") {
    case nil: isRelative = relativeByDefault
    case "0": isRelative = false
    case "1": isRelative = true
    case .some(let value):
      throw ReferenceRule.relativeNames.refusal(
        name, "says relativeToVRT=\"\(ReferenceRule.short(value))\", which is neither 0 nor 1", "Write 0 or 1.")
    }
    let complete = isRelative && !folder.isEmpty ? VRTReader.complete(text, in: folder, isSource: isSource) : text
    found.append(Reference(name: complete, namer: name, kind: kind, band: bandCount, weight: weight))
    sourceCount &+= 1
  }

  /// The folder that relative names are taken from: of a link, the one of the file that it leads to.
  private static func folder(of name: String) -> String {
    guard LocalNames.isLocal(name) else { return LocalPath.folder(of: name) }
    return LocalPath.folder(of: LocalPath.resolved(name) ?? name)
  }

  /// What GDAL takes for a name in a name where a source is relative to the VRT: the beginning, and what ends the name
  /// in it; nil: it is what stands behind the last colon.
  private static let inner: [(beginning: String, end: Character?)] = [
    ("hdf5:\"", "\""), ("hdf5:", ":"), ("netcdf:\"", "\""), ("netcdf:", ":"), ("nitf_im:", nil), ("pdf:", nil),
    ("rasterlite:", ","), ("tiledb:\"", "\""), ("tiledb:", ":"),
  ]

  /// A name with the VRT's folder, put together as GDAL does it.
  private static func complete(_ text: String, in folder: String, isSource: Bool) -> String {
    guard isSource, let known = inner.first(where: { text.lowercased().hasPrefix($0.beginning) }) else {
      return LocalPath.projected(text, in: folder)
    }
    guard let end = known.end else {
      let last = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
      // A letter of a drive, as GDAL thinks: then nothing is put before it.
      if last.hasPrefix("/") || last.hasPrefix("\\") { return text }
      return text.dropLast(last.count) + LocalPath.projected(String(last), in: folder)
    }
    let rest = text.dropFirst(known.beginning.count)
    guard let stop = rest.firstIndex(of: end) else { return LocalPath.projected(text, in: folder) }
    return text.prefix(known.beginning.count) + LocalPath.projected(String(rest[..<stop]), in: folder) + rest[stop...]
  }

  // MARK: What runs, and what it takes

  private func refuseCode(_ element: XMLNode) throws(EngineError) {
    let language = element.text ?? ""
    if element.name == "pixelfunctionlanguage", language.lowercased() == "c" { return }
    throw ReferenceRule.code.refusal(
      name, "has a pixel function in \(element.name == "pixelfunctioncode" ? "Python" : ReferenceRule.short(language))",
      "Code in files is never run; there is no way to allow it. Compute the raster (gdal_translate) and open that.")
  }

  /// Where a warp would write to: GDAL opens it to do so.
  private func refuseWriting(_ element: XMLNode) throws(EngineError) {
    guard let text = element.text, !text.isEmpty else { return }
    throw ReferenceRule.writing.refusal(
      name, "names \"\(ReferenceRule.short(text))\", which GDAL would open to write into it",
      "Nothing is written. Take the element DestinationDataset out of it.")
  }

  /// The grids of heights that a warp adds.
  private mutating func addGrids(_ element: XMLNode) throws(EngineError) {
    for grid in (element.text ?? "").split(separator: ",") {
      let file = String(grid.first == "@" ? grid.dropFirst() : grid)
      found.append(Reference(name: file, namer: name, kind: .dataset, band: bandCount))
    }
  }

  private func checkThreads(_ element: XMLNode) throws(EngineError) {
    let text = element.text ?? ""
    if text == "1" || text == "0" || text.isEmpty { return }
    throw ReferenceRule.threads.refusal(
      name, "asks for threads of GDAL's own (\(ReferenceRule.short(text)))",
      "They would not be bound by the policy. Take NUM_THREADS out of the file.")
  }

  private func checkOpenOption(_ element: XMLNode) throws(EngineError) {
    let key = element.value("key") ?? ""
    if Self.openOptions.contains(key.lowercased()) { return }
    throw ReferenceRule.openOptions.refusal(
      name, "opens a source with the option \(ReferenceRule.short(key))",
      "It may open other files, or run what it is given. Take it out of the file.")
  }

  private func checkMemory(_ bytes: Double) throws(EngineError) {
    if bytes <= Double(policy.maxRequestBytes) { return }
    throw ReferenceRule.memory.refusal(
      name, "would read with \(bytes) bytes at once; \(policy.maxRequestBytes) are allowed",
      "Write larger overviews or smaller windows into it, or raise max_request_bytes.")
  }

  /// A source that is resampled is read whole, as far as a cell of the VRT covers it.
  private mutating func checkSource(_ element: XMLNode) throws(EngineError) {
    sourceWeight = element.value("usemaskband") == nil ? 1 : 2
    let kernel = element.children.first { $0.name == "kernel" }
    if element.name == "kernelfilteredsource" {
      // GDAL 3.6 reads through a null pointer otherwise. Digits alone: what GDAL makes of anything else is its own idea.
      guard let size = kernel?.value("size"), size.utf8.allSatisfy({ (48...57).contains($0) }),
        size.contains(where: { $0 != "0" })
      else {
        throw EngineError(
          .readFailed,
          "\"\(ReferenceRule.short(name))\" has a kernel-filtered source without a kernel. Give it one of at least one cell."
        )
      }
    }
    if let kernel, let size = kernel.value("size") {
      let width = Double(size) ?? .infinity
      try checkMemory(width * width * 8)
    }
    let resampling = element.value("resampling")?.lowercased() ?? ""
    let isNearest = resampling.isEmpty || resampling.hasPrefix("near")
    if isNearest, element.name == "simplesource" || element.name == "complexsource" { return }
    let nodes = element.children
    guard let source = nodes.first(where: { $0.name == "srcrect" }),
      let target = nodes.first(where: { $0.name == "dstrect" })
    else { return }
    func ratio(_ side: String) -> Double {
      let from = Double(source.value(side) ?? "") ?? .infinity
      let to = Double(target.value(side) ?? "") ?? 0
      return from.magnitude / max(to.magnitude, .leastNonzeroMagnitude)
    }
    try checkMemory(max(1, ratio("xsize")) * max(1, ratio("ysize")) * 8)
  }

  /// Overviews that GDAL computes when they are read.
  private func checkOverviews(_ element: XMLNode) throws(EngineError) {
    let factors = (element.text ?? "").split(whereSeparator: { $0 == " " || $0 == "," })
    // Each one holds a copy of all sources.
    try checkMemory(Double(factors.count) * Double(max(1, sourceCount)) * 1024)
    for factor in factors {
      let factor = Double(factor) ?? .infinity
      try checkMemory(factor * factor * 8)
    }
  }

  /// Texts of which nothing is known: none may lead to the network or into a virtual file system.
  private func checkText(_ element: XMLNode) throws(EngineError) {
    for text in [element.text ?? ""] + element.attributes.map(\.value) {
      guard let refusal = FileAccess.refusal(name: text, policy), !Self.isIdentifier(text) else { continue }
      throw refusal.rule.refusal(
        name, "says \"\(ReferenceRule.short(text))\" in \(element.name), which \(refusal.reason)", refusal.remedy)
    }
  }

  /// Identifiers that look like addresses and that nobody fetches.
  private static func isIdentifier(_ text: String) -> Bool {
    text.hasPrefix("http://www.opengis.net/def/crs") || text.hasPrefix("https://www.opengis.net/def/crs")
      || text.contains("[\"") || text.hasPrefix("{")
  }
}
