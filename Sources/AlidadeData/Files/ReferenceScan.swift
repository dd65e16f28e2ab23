import AlidadeBase
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

  let policy: Policy
  let content: DataContent
  let drivers: [String]
  let folders: FolderRule
  /// The driver that knows the name that the host gave; nil: none does.
  private(set) var driver: String?
  /// What was looked at, and in which state.
  private(set) var files = ScannedFiles()
  /// Names that are done with.
  private var done: Set<String> = []
  /// The names that lead to the one that is being looked at.
  private var trail: [String] = []
  private var listings: [String: FolderListing] = [:]

  /// Looks at what a name that the host gives leads to. Throws at the first name that the policy forbids.
  static func run(
    _ name: String, _ policy: Policy, for content: DataContent = .raster
  ) throws(EngineError) -> ReferenceScan {
    let opened = LocalNames.files(in: name, beside: nil)
    var scan = ReferenceScan(
      policy: policy, content: content, drivers: try FileAccess.allowedDrivers(policy, for: content),
      folders: FolderRule(policy, openedFiles: opened))
    try quietly { () throws(EngineError) in try scan.follow(Reference(name: name, namer: nil, kind: .dataset)) }
    return scan
  }

  private init(policy: Policy, content: DataContent, drivers: [String], folders: FolderRule) {
    self.policy = policy
    self.content = content
    self.drivers = drivers
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
  mutating func follow(_ reference: Reference) throws(EngineError) {
    let name = reference.name
    if let namer = reference.namer { try check(reference, namer) }
    let key = LocalNames.isLocal(name) ? LocalPath.resolved(name) ?? name : name
    if trail.contains(key) {
      // GDAL opens what a data set names; sidecars and labels may well name the file that they belong to.
      guard reference.kind == .dataset else { return }
      throw ReferenceRule.cycle.refusal(
        reference.namer ?? name, "leads back to itself by way of \"\(ReferenceRule.short(name))\"",
        "Such a file cannot be read.")
    }
    // By name and not by file: beside a link lie other sidecars than beside the file itself.
    guard done.insert(name + reference.kind.mark).inserted else { return }
    guard trail.count <= Self.deepest else {
      throw ReferenceRule.depth.refusal(
        reference.namer ?? name, "names \"\(ReferenceRule.short(name))\" more than \(Self.deepest) files deep",
        "Name it from a file nearer to the first.")
    }
    guard done.count <= Self.mostFiles else {
      throw ReferenceRule.fileCount.refusal(
        reference.namer ?? name, "is one of more than \(Self.mostFiles) files that belong together",
        "Open a part of it.")
    }
    trail.append(key)
    defer { trail.removeLast() }
    if LocalNames.isLocal(name) {
      files.add(name)
      if access(name, F_OK) != 0 { return }
      // Opening a pipe waits for whoever writes into it.
      if FileIdentity.isPipeOrDevice(name) {
        throw EngineError(
          .unsupported,
          "\"\(ReferenceRule.short(name))\", which \"\(ReferenceRule.short(reference.namer ?? name))\" leads to, is no file but "
            + "a pipe or a device.")
      }
    }
    switch reference.kind {
    case .raw: return
    case .metadata: try followDocument(name, PAMReferences.self)
    case .schema: try followDocument(name, GMLReferences.self)
    case .dataset, .sidecar: try followDataset(reference)
    }
  }

  /// The rules for a name that stands in a file.
  private func check(_ reference: Reference, _ namer: String) throws(EngineError) {
    let name = reference.name
    if let refusal = FileAccess.refusal(name: name, policy) {
      throw refusal.rule.refusal(
        namer, "names \"\(ReferenceRule.short(name))\", which \(refusal.reason)", refusal.remedy)
    }
    if LocalNames.isInline(name) { return }
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
      "Write relativeToVRT=\"1\" or the whole path.")
  }

  private mutating func followDataset(_ reference: Reference) throws(EngineError) {
    let name = reference.name
    if content == .vector { try VectorFiles.check(name, reference.namer, policy) }
    try SQLiteSchema.check(name, policy)
    guard let driver = try identify(reference) else { return }
    if reference.namer == nil { self.driver = driver }
    if let references = ReferenceScan.namingDrivers[driver] {
      try followDocument(name, references)
    }
    if let path = LocalNames.file(name) {
      for sidecar in try sidecars(of: path) { try follow(sidecar) }
    } else if !LocalNames.isInline(name) {
      for path in LocalNames.files(in: name, beside: nil) {
        try follow(Reference(name: path, namer: reference.namer ?? name, kind: .dataset))
      }
    }
    if reference.namer != nil { try inspect(name) }
  }

  /// The driver that will open a name; nil if none will. Throws if the policy does not allow it.
  private func identify(_ reference: Reference) throws(EngineError) -> String? {
    // The host's own name is opened with the policy's list of drivers; what stands in a file is opened with all.
    let flags = UInt32(truncatingIfNeeded: content.openFlag)
    guard let namer = reference.namer else {
      return withDriverList { list in
        GDALIdentifyDriverEx(reference.name, flags, list, nil).map { gdalText(GDALGetDriverShortName($0)) }
      }
    }
    guard let driver = GDALIdentifyDriverEx(reference.name, flags, nil, nil) else { return nil }
    let short = gdalText(GDALGetDriverShortName(driver))
    guard drivers.contains(where: { $0.lowercased() == short.lowercased() }) else {
      throw ReferenceRule.drivers.refusal(
        namer, "names \"\(ReferenceRule.short(reference.name))\", which needs GDAL's driver \(short)",
        "Name it in drivers with ALD_POLICY_ADD_DRIVERS to allow it.")
    }
    return short
  }

  func withDriverList<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    for driver in drivers { names = CSLAddString(names, driver) }
    defer { CSLDestroy(names) }
    return body(UnsafeRawPointer(names)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
  }

  /// Opens a file that another names, and looks at what only GDAL can tell of it: sizes of blocks, and an overview file
  /// that a TIFF names in a tag.
  private mutating func inspect(_ name: String) throws(EngineError) {
    // Layers of features have no blocks and no overviews, and their file lists are in the same folder.
    guard content == .raster else { return }
    let flags = UInt32(truncatingIfNeeded: GDAL_OF_RASTER | GDAL_OF_READONLY)
    let quiet = QuietHDF5(opening: name)
    let opened = withDriverList { GDALOpenEx(name, flags, $0, nil, nil) }
    _ = consume quiet
    guard let dataset = opened else { return }
    defer { GDALClose(dataset) }
    try checkOpened(dataset, name)
  }

  /// What can be told of a data set only when it is open; nothing of it may have been read yet.
  mutating func checkOpened(_ dataset: GDALDatasetH, _ name: String) throws(EngineError) {
    try RasterLimits.check(dataset, name, policy)
    // A tag or a sidecar may name the file of the overviews, which GDAL opens, with any driver, when it is first asked
    // for an overview.
    if let overviews = GDALGetMetadataItem(dataset, "OVERVIEW_FILE", "OVERVIEWS") {
      CPLPushErrorHandler(CPLQuietErrorHandler)
      defer { CPLPopErrorHandler() }
      try follow(PAMReferences.overview(gdalText(overviews), of: name))
    }
    let driver = gdalText(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)))
    // The names of an Arc/Info grid are fixed, and some lie in the folder beside its own.
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

  private mutating func followDocument(_ name: String, _ references: any ReferenceFinder.Type) throws(EngineError) {
    guard let text = try text(of: name, references.longestHeader) else { return }
    for reference in try references.references(in: text, named: name, policy) { try follow(reference) }
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

  /// The files beside a file that GDAL opens by itself.
  private mutating func sidecars(of path: String) throws(EngineError) -> [Reference] {
    if content == .vector { return VectorFiles.companions(of: path) }
    let folder = LocalPath.folder(of: path)
    let listing = listings[folder] ?? FolderListing(folder)
    listings[folder] = listing
    return listing.sidecars(of: LocalPath.name(of: path)).map { name in
      Reference(
        name: LocalPath.joined(folder, name), namer: path,
        kind: name.lowercased().hasSuffix(".aux.xml") ? .metadata : .sidecar)
    }
  }
}

/// A name in a file, complete with its folder.
struct Reference {
  enum Kind {
    /// GDAL opens it with whichever driver knows it.
    case dataset
    /// The same, but GDAL looks for it by itself.
    case sidecar
    /// Its bytes are read as they are.
    case raw
    /// GDAL's own .aux.xml.
    case metadata
    /// An XML schema.
    case schema

    /// Tells apart what is looked at in different ways.
    var mark: String {
      switch self {
      case .dataset, .sidecar: ""
      case .raw: "\u{0}raw"
      case .metadata: "\u{0}metadata"
      case .schema: "\u{0}schema"
      }
    }
  }

  var name: String
  /// The file that it stands in; nil if the host gave it.
  var namer: String?
  var kind: Kind
}

/// Finds the names in files of one format.
protocol ReferenceFinder: SendableMetatype {
  /// How much of a file's beginning may name files, in bytes; nil: the whole file, which must be of a moderate size.
  static var longestHeader: Int? { get }
  /// - Parameter name: the file's own name.
  static func references(in text: [UInt8], named name: String, _ policy: Policy) throws(EngineError) -> [Reference]
}

extension ReferenceFinder {
  static var longestHeader: Int? { nil }
}

/// The files that belong to a raster or a source of features, each in the state in which it was looked at.
struct ScannedFiles: Sendable, Equatable {
  private var identities: [String: FileIdentity?] = [:]

  mutating func add(_ path: String) {
    if identities[path] == nil { identities[path] = .some(FileIdentity(path: path)) }
  }

  /// A file that is not as it was, or that has come or gone; nil if there is none.
  func changed() -> String? {
    identities.first { path, identity in FileIdentity(path: path) != identity }?.key
  }
}
