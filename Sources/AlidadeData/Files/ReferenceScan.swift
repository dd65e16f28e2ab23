import AlidadeBase
import AlidadeCoordinates
import CGDAL
import Glibc

/// Follows what a file names, and what those files name, and holds each name against the runtime's policy before GDAL
/// may open any of it: the list of drivers that GDAL is given binds the first file only, and each driver opens what it
/// likes.
///
/// Use it inside the guard and under the policy's options.
struct ReferenceScan {
  /// How deep files may name files.
  static let deepest = 16
  /// How many files one file may lead to.
  static let mostFiles = 65536
  /// How many readings of files one reading of a file may take. (A second's work. A mosaic whose files are named once, or
  /// a few times, does not come near it, however deep it is: more than `mostFiles` files are refused anyway.)
  static let mostReadings: UInt64 = 1 << 20

  let policy: Policy
  let content: DataContent
  let drivers: [String]
  /// The same in lower case: GDAL compares them so.
  private let allowed: Set<String>
  let folders: FolderRule
  private let texts: ReferenceTexts
  /// The driver that knows the name that the host gave; nil: none does.
  private(set) var driver: String?
  /// What was looked at, and in which state.
  private(set) var files = ScannedFiles()
  /// The number of files that are read, in the worst case, when a file is read whose examination is complete: all that
  /// it names, as often as it is named, or itself. (A mosaic that is shown from afar is read completely, so it does not
  /// matter which parts of a file are named.) 0 for files that are being examined.
  private var readings: [String: UInt64] = [:]
  /// Names in files that the policy allows.
  private var passed: Set<String> = []
  /// The names that lead to the one that is being looked at.
  private var trail: [String] = []
  private var listings: [String: FolderListing] = [:]

  /// Looks at what a name that the host gives leads to. Throws at the first name that the policy forbids.
  ///
  /// - Parameter folders: where what files name may lie.
  static func run(
    _ name: String, _ runtime: Runtime, _ folders: FolderRule, for content: DataContent = .raster
  ) throws(EngineError) -> ReferenceScan {
    let policy = runtime.policy
    var scan = ReferenceScan(
      policy: policy, content: content, drivers: try FileAccess.allowedDrivers(policy, for: content),
      folders: folders,
      texts: ReferenceTexts(filter: ReferenceTextFilter(runtime: runtime), policy: policy))
    try quietly { () throws(EngineError) in try scan.follow(Reference(name: name, namer: nil, kind: .dataset)) }
    return scan
  }

  private init(
    policy: Policy, content: DataContent, drivers: [String], folders: FolderRule, texts: ReferenceTexts
  ) {
    self.texts = texts
    self.policy = policy
    self.content = content
    self.drivers = drivers
    allowed = Set(drivers.map { $0.lowercased() })
    self.folders = folders
  }

  /// Runs `body` and forgets what GDAL says meanwhile: files that cannot be opened are no failure of the scan, and words
  /// about them would hide why the first file cannot be.
  private static func quietly(_ body: () throws(EngineError) -> Void) throws(EngineError) {
    CPLPushErrorHandler(CPLQuietErrorHandler)
    defer { CPLPopErrorHandler() }
    try body()
  }

  // MARK: Following

  /// Looks at a name, and at all that it leads to.
  ///
  /// - Returns: how many files are read when that one is.
  @discardableResult
  mutating func follow(_ reference: Reference) throws(EngineError) -> UInt64 {
    let name = reference.name
    // By name and not by file: a link has other sidecars than the file itself.
    let mark = name + reference.kind.mark
    // What is done with and was named by a file was checked then.
    if let known = readings[mark], known > 0, reference.namer == nil || passed.contains(name) { return known }
    if let namer = reference.namer {
      try check(reference, namer)
      passed.insert(name)
    }
    let key = LocalNames.isLocal(name) ? LocalPath.resolved(name) ?? name : name
    if trail.contains(key) {
      // GDAL opens what a data set names; sidecars and labels may well name the file that they belong to.
      guard reference.kind == .dataset else { return 0 }
      throw ReferenceRule.cycle.refusal(
        reference.namer ?? name, "leads back to itself by way of \"\(ReferenceRule.short(name))\"",
        "Such a file cannot be read.")
    }
    if let known = readings[mark] { return known }
    guard trail.count <= Self.deepest else {
      throw ReferenceRule.depth.refusal(
        reference.namer ?? name, "names \"\(ReferenceRule.short(name))\" more than \(Self.deepest) files deep",
        "Name it from a file nearer to the first.")
    }
    readings[mark] = 0
    guard readings.count <= Self.mostFiles else {
      throw ReferenceRule.fileCount.refusal(
        reference.namer ?? name, "is one of more than \(Self.mostFiles) files that belong together",
        "Open a part of it.")
    }
    trail.append(key)
    defer { trail.removeLast() }
    let count = max(1, try look(at: reference))
    readings[mark] = count
    guard count <= Self.mostReadings else {
      throw ReferenceRule.work.refusal(
        name,
        "names files that name others again and again: reading it once would read more than \(Self.mostReadings) files",
        "Open a part of it, or compute it (gdal_translate, ogr2ogr).")
    }
    return count
  }

  /// Looks at a file that may be named. Returns how many files are read for those that it names.
  private mutating func look(at reference: Reference) throws(EngineError) -> UInt64 {
    let name = reference.name
    if LocalNames.isLocal(name) {
      files.add(name)
      if access(name, F_OK) != 0 { return 1 }
      // Opening a pipe waits for whoever writes into it.
      if FileIdentity.isPipeOrDevice(name) {
        throw EngineError(
          .unsupported,
          "\"\(ReferenceRule.short(name))\", which \"\(ReferenceRule.short(reference.namer ?? name))\" leads to, is no file but "
            + "a pipe or a device.")
      }
    }
    try checkTexts(of: reference)
    switch reference.kind {
    case .raw: return 1
    case .metadata: return try followDocument(name, PAMReferences.self)
    case .schema: return try followDocument(name, GMLReferences.self)
    case .dataset, .sidecar: return try followDataset(reference)
    }
  }

  /// Looks at the texts of spatial references that a file or a folder holds.
  private func checkTexts(of reference: Reference) throws(EngineError) {
    let name = reference.name
    if LocalNames.isInline(name) || name.first == "{" { return try texts.check(document: name) }
    guard name.hasPrefix("/"), !FileIdentity.isPipeOrDevice(name) else { return }
    guard FileIdentity.isFolder(name) else {
      // Of what is read as it is, cells and tables of values have no such texts.
      if reference.kind == .raw, !FolderListing.isText(name), !VectorFiles.mayHoldReference(name) { return }
      try texts.check(file: name)
      // The attributes of a Zarr array are in a file next to it.
      let file = LocalPath.name(of: name)
      guard file.hasPrefix(".z") || file == "zarr.json", reference.kind == .dataset else { return }
      return try texts.check(folder: LocalPath.folder(of: name))
    }
    if reference.kind == .dataset { try texts.check(folder: name) }
  }

  /// Looks at all that a file names. Returns how many files are read when one of its bands, or its features, are.
  private mutating func follow(all references: [Reference]) throws(EngineError) -> UInt64 {
    var counts: [Int: UInt64] = [:]
    for reference in references {
      let (count, overflows) = try follow(reference).multipliedReportingOverflow(by: reference.weight)
      // A sum of as many as a document holds does not overflow.
      counts[reference.band, default: 0] &+= overflows ? Self.mostReadings &+ 1 : min(count, Self.mostReadings &+ 1)
    }
    return counts.values.max() ?? 0
  }

  /// The rules for a name that stands in a file.
  private func check(_ reference: Reference, _ namer: String) throws(EngineError) {
    let name = reference.name
    if let refusal = FileAccess.refusal(name: name, policy) {
      throw refusal.rule.refusal(
        namer, "names \"\(ReferenceRule.short(name))\", which \(refusal.reason)", refusal.remedy)
    }
    if LocalNames.isInline(name) { return }
    // An address that the policy allows is its driver's business.
    if let word = LocalNames.unknownWord(in: name), !(policy.allowsNetwork && FileAccess.isAddress(name)) {
      throw ReferenceRule.drivers.refusal(
        namer,
        "names \"\(ReferenceRule.short(name))\", which is no path; what \"\(ReferenceRule.short(word))\" would open is unknown",
        "Name the file itself by its whole path.")
    }
    for path in LocalNames.files(in: name, beside: namer) {
      guard path.hasPrefix("/") else { throw Self.relative(name, namer) }
      guard folders.allows(path) else {
        throw ReferenceRule.folders.refusal(
          namer,
          "names \"\(ReferenceRule.short(name))\", which lies neither in the folder of the opened file nor below it",
          "Name its folder in data_directories to allow it.")
      }
    }
  }

  static func relative(_ name: String, _ namer: String) -> EngineError {
    ReferenceRule.relativeNames.refusal(
      namer,
      "names \"\(ReferenceRule.short(name))\", which would depend on the process's working folder",
      "Write the whole path there, or in a VRT relativeToVRT=\"1\".")
  }

  private mutating func followDataset(_ reference: Reference) throws(EngineError) -> UInt64 {
    let name = reference.name
    if content == .vector { try VectorFiles.check(name, reference.namer, policy) }
    let head = FileHead(name)
    try FITSNames.check(name, head)
    let isImmutable = reference.namer == nil && OpeningOptions.makesImmutable(name)
    try DatabaseSchema.check(name, isImmutable ? .immutable : .ordinary, policy, texts.filter)
    var count: UInt64 = 0
    // Before GDAL identifies the file: some drivers open it for that, with its companions.
    var beside: [Reference] = []
    if let path = LocalNames.file(name) { beside = try sidecars(of: path) }
    for sidecar in beside where FolderListing.isText(sidecar.name) { count = max(count, try follow(sidecar)) }
    for sidecar in beside where !FolderListing.isText(sidecar.name) { try checkTexts(of: sidecar) }
    // Drivers that GDAL recognises only by letting them open the file.
    if name.lowercased().hasSuffix(".rst") {
      count = max(count, try follow(all: IdrisiReferences.references(beside: name)))
    }
    if let target = head.auxiliaryTarget {
      count = max(count, try follow(all: AuxiliaryReferences.references(in: target, of: name)))
    }
    guard let driver = try identify(reference, head) else { return count }
    if reference.namer == nil { self.driver = driver }
    if let references = ReferenceScan.namingDrivers[driver] {
      count = max(count, try followDocument(name, references))
    }
    if let references = ReferenceScan.namingFiles[driver] {
      count = max(count, try follow(all: references.references(inFile: name, policy)))
    }
    if LocalNames.file(name) != nil {
      for sidecar in beside { count = max(count, try follow(sidecar)) }
    } else if let inner = LocalNames.behindVRT(name) {
      count = max(count, try follow(Reference(name: inner, namer: reference.namer ?? name, kind: .dataset)))
    } else if !LocalNames.isInline(name) {
      for path in LocalNames.files(in: name, beside: nil) {
        let inner = Reference(name: path, namer: reference.namer ?? name, kind: .dataset)
        count = max(count, try follow(inner))
      }
    }
    if reference.namer != nil { try inspect(name, as: driver) }
    return count
  }

  /// The driver that will open a name; nil if none will. Throws if the policy does not allow it.
  private func identify(_ reference: Reference, _ head: FileHead) throws(EngineError) -> String? {
    let (name, namer) = (reference.name, reference.namer)
    if let prefixed = PrefixedName(name) {
      if isAllowed(prefixed.driver) { return prefixed.driver }
      if let namer { throw Self.needs(prefixed.driver, name, namer) }
      return nil
    }
    // The host's own name is opened with the policy's list of drivers; what stands in a file is opened with all.
    let flags = UInt32(truncatingIfNeeded: content.openFlag)
    guard let namer else {
      return withDriverList { list in
        GDALIdentifyDriverEx(name, flags, list, nil).map { gdalText(GDALGetDriverShortName($0)) }
      }
    }
    // GDAL recognises some drivers only by letting them open the file, and if one driver fails, others follow. Drivers
    // that open what a file names must not be reached.
    if let driver = head.drivers(for: content).first(where: { !isAllowed($0) }) {
      throw Self.needs(driver, name, namer)
    }
    let prying = NamingDrivers.told(content).filter { !isAllowed($0) }
    let found =
      withList(prying) { prying.isEmpty ? nil : GDALIdentifyDriverEx(name, flags, $0, nil) }
      ?? GDALIdentifyDriverEx(name, flags, nil, nil)
    guard let found else { return nil }
    let driver = gdalText(GDALGetDriverShortName(found))
    guard isAllowed(driver) else { throw Self.needs(driver, name, namer) }
    return driver
  }

  private func isAllowed(_ driver: String) -> Bool { allowed.contains(driver.lowercased()) }

  private static func needs(_ driver: String, _ name: String, _ namer: String) -> EngineError {
    ReferenceRule.drivers.refusal(
      namer, "names \"\(ReferenceRule.short(name))\", which needs GDAL's driver \(driver)",
      "Name it in drivers with the policy flag ADD_DRIVERS to allow it.")
  }

  func withDriverList<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
    withList(drivers, body)
  }

  /// Opens the file that the host names, for the caller to close, after all names have been checked against the policy.
  mutating func open(_ path: String, _ words: UnsafePointer<GDALWords>) throws(EngineError) -> GDALDatasetH {
    let flags = UInt32(truncatingIfNeeded: content.openFlag | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR)
    let options = OpeningOptions.of(driver: driver, path: path, for: content)
    let opened = withDriverList { drivers in withList(options) { GDALOpenEx(path, flags, drivers, $0, nil) } }
    do throws(EngineError) {
      try DatabaseGuard.checkLimits()
      guard let opened else { throw FileAccess.explainFailure(path, policy, words.pointee, for: content) }
      try checkOpened(opened, path, as: driver)
      return opened
    } catch {
      GDALClose(opened)
      throw error
    }
  }

  /// Opens a file that another one names, and examines what only GDAL knows about it: sizes of blocks, and an overview
  /// file that a TIFF names in a tag.
  private mutating func inspect(_ name: String, as driver: String) throws(EngineError) {
    // Layers of features have no blocks and no overviews, and their file lists are in the same folder.
    guard content == .raster else { return }
    let flags = UInt32(truncatingIfNeeded: GDAL_OF_RASTER | GDAL_OF_READONLY)
    let opened = withDriverList { GDALOpenEx(name, flags, $0, nil, nil) }
    guard let dataset = opened else { return }
    defer { GDALClose(dataset) }
    try checkOpened(dataset, name, as: driver)
  }

  /// What is known of a data set only when it is open; nothing of it may have been read yet.
  ///
  /// - Parameter expected: the driver whose names were examined.
  mutating func checkOpened(_ dataset: GDALDatasetH, _ name: String, as expected: String?) throws(EngineError) {
    let driver = gdalText(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)))
    if NamingDrivers.differ(driver, expected) {
      throw ReferenceRule.drivers.refusal(
        name, "is a file of GDAL's driver \(driver) that looks like one of \(expected ?? "none")",
        "The names in it are not known. Convert it (gdal_translate, ogr2ogr).")
    }
    try RasterLimits.check(dataset, name, policy)
    // A tag or a sidecar may name the file of the overviews, which GDAL opens, with any driver, when it is first asked
    // for an overview.
    if let overviews = GDALGetMetadataItem(dataset, "OVERVIEW_FILE", "OVERVIEWS") {
      CPLPushErrorHandler(CPLQuietErrorHandler)
      defer { CPLPopErrorHandler() }
      try follow(PAMReferences.overview(gdalText(overviews), of: name))
    }
    // The names of an Arc/Info grid are fixed, and some are in a sibling of its own folder.
    guard driver != "AIG", let list = GDALGetFileList(dataset) else { return }
    defer { CSLDestroy(list) }
    var entry = list
    while let file = entry.pointee {
      entry += 1
      let path = gdalText(file)
      guard path != name, path.hasPrefix("/"), !LocalNames.isInline(path) else { continue }
      try check(Reference(name: path, namer: name, kind: .raw), name)
    }
  }

  // MARK: Documents

  private mutating func followDocument(
    _ name: String, _ references: any ReferenceFinder.Type
  ) throws(EngineError) -> UInt64 {
    guard let text = try text(of: name, references.longestHeader) else { return 0 }
    return try follow(all: try references.references(in: text, named: name, policy))
  }

  /// The bytes of a file, or of a document that is the name itself; nil if it cannot be read.
  private func text(of name: String, _ longestHeader: Int?) throws(EngineError) -> [UInt8]? {
    if LocalNames.isInline(name) { return Array(name.utf8) }
    guard let file = VSIFOpenL(name, "rb") else { return nil }
    defer { VSIFCloseL(file) }
    // Parsed, a text takes some ten times its size.
    let limit = policy.maxRequestBytes / 16
    guard VSIFSeekL(file, 0, SEEK_END) == 0 else { return nil }
    let size = min(VSIFTellL(file), longestHeader.map { UInt64(clamping: $0) } ?? .max)
    guard size <= limit, let count = Int(exactly: size) else {
      throw ReferenceRule.fileSize.refusal(
        name, "names other files and has \(size) bytes; \(limit) are allowed",
        "Raise max_request_bytes to allow it: it is 16 times that.")
    }
    VSIRewindL(file)
    var bytes = [UInt8](repeating: 0, count: count)
    let read = VSIFReadL(&bytes, 1, count, file)
    bytes.removeLast(count &- min(read, count))
    return bytes
  }

  // MARK: Sidecars

  /// The companions of a file that GDAL opens by itself.
  private mutating func sidecars(of path: String) throws(EngineError) -> [Reference] {
    if content == .vector { return VectorFiles.companions(of: path) }
    let folder = LocalPath.folder(of: path)
    let listing = listings[folder] ?? FolderListing(folder)
    listings[folder] = listing
    return listing.sidecars(of: LocalPath.name(of: path)).map { name in
      Reference(
        name: LocalPath.joined(folder, name), namer: path,
        kind: FolderListing.isText(name) ? .raw : name.lowercased().hasSuffix(".aux.xml") ? .metadata : .sidecar)
    }
  }
}
