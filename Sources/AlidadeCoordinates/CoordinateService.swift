import AlidadeBase
import CPROJ
import Glibc

/// A runtime's PROJ sessions and its cache of projectors.
final class CoordinateService: Sendable {
  let grids = GridDirectories()
  private let sessions = LeasePool<ProjSession>(capacity: 8)
  private let catalogues = Lock<[CatalogueKey: [CatalogueRow]]>([:])
  /// How many lists of transformations are kept.
  private static let catalogueLimit = 64
  private let projectors = Lock<[ProjectorKey: Projector]>([:])
  /// How many projectors are kept. Each holds a few PROJ objects per thread that uses it at once.
  private static let projectorLimit = 64

  static func of(_ runtime: Runtime) -> CoordinateService {
    runtime.service(CoordinateService.self) { CoordinateService() }
  }

  var projectorCount: Int { projectors.withLock { $0.count } }
  var idleSessionCount: Int { sessions.idleCount }

  /// Runs `body` with a session that nobody else uses, inside the gate.
  func withSession<Result>(
    _ runtime: Runtime, _ body: (ProjSession) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try ProcessGate.shared.pass { () throws(EngineError) -> Result in
      let session: ProjSession
      // Contexts of before a change of the grid directories are dropped as they turn up.
      if let idle = sessions.take(), idle.generation == grids.generation {
        session = idle
      } else {
        session = try ProjSession(options: runtime.options, mailbox: runtime.mailbox, grids: grids.current)
      }
      defer { if session.generation == grids.generation { sessions.giveBack(session) } }
      return try body(session)
    }
  }

  /// The projector for a key, made at the first call.
  func projector(
    _ key: ProjectorKey, _ make: () throws(EngineError) -> Projector
  ) throws(EngineError) -> Projector {
    if let known = projectors.withLock({ $0[key] }), known.isCurrent { return known }
    let made = try make()
    // What is dropped ends after the lock is free: PROJ has to be called for that.
    let (kept, dropped): (Projector, [ProjectorKey: Projector]) = projectors.withLock { projectors in
      if let first = projectors[key], first.isCurrent { return (first, [:]) }
      var dropped: [ProjectorKey: Projector] = [:]
      if projectors.count >= Self.projectorLimit { swap(&dropped, &projectors) }
      if let old = projectors.updateValue(made, forKey: key) { dropped[key] = old }
      return (made, dropped)
    }
    _ = dropped
    return kept
  }
}

extension CoordinateService {
  /// A list of transformations that was made before.
  func catalogue(_ key: CatalogueKey) -> [CatalogueRow]? { catalogues.withLock { $0[key] } }

  func keep(_ rows: [CatalogueRow], for key: CatalogueKey) {
    let dropped = catalogues.withLock { catalogues -> [CatalogueKey: [CatalogueRow]] in
      var dropped: [CatalogueKey: [CatalogueRow]] = [:]
      if catalogues.count >= Self.catalogueLimit { swap(&dropped, &catalogues) }
      catalogues[key] = rows
      return dropped
    }
    _ = dropped
  }
}

/// The module's part in creating a runtime.
public enum Coordinates {
  /// Opens proj.db, or says that it is missing.
  public static func prepare(_ runtime: Runtime) throws(EngineError) {
    try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
      try session.requireDatabase(options: runtime.options)
    }
  }

  /// The folders in which PROJ looks for proj.db.
  public static func projFolders(_ options: RuntimeOptions) -> [String] { ProjSession.projFolders(options) }

  /// PROJ's version, as found at run time. Static storage of PROJ's.
  public static var projVersion: UnsafePointer<CChar>? { proj_info().version }
}

extension Coordinates {
  /// A report about PROJ in a runtime: its version, its database, its folders and the grids in them.
  public static func report(_ runtime: Runtime) throws(EngineError) -> JSON {
    let service = CoordinateService.of(runtime)
    return try service.withSession(runtime) { (session) throws(EngineError) in
      let folders = service.grids.all + searchFolders(runtime.options)
      return .object([
        ("version", JSON(proj_info().version.map { String(cString: $0) })),
        ("database", JSON(proj_context_get_database_path(session.context).map { String(cString: $0) })),
        ("database_layout", JSON(metadata("DATABASE.LAYOUT.VERSION.MAJOR", session))),
        ("epsg_version", JSON(metadata("EPSG.VERSION", session))),
        ("network", .bool(proj_context_is_network_enabled(session.context) != 0)),
        ("grid_folders", .list(folders.map(folderReport))),
        ("cached_projections", JSON(service.projectorCount)),
        ("idle_contexts", JSON(service.idleSessionCount)),
      ])
    }
  }

  private static func metadata(_ key: String, _ session: ProjSession) -> String? {
    proj_context_get_database_metadata(session.context, key).map { String(cString: $0) }
  }

  /// The folders in which PROJ looks for its files, in its order.
  private static func searchFolders(_ options: RuntimeOptions) -> [String] {
    if let directory = options.projDirectory { return [directory] }
    guard let path = proj_info().searchpath else { return [] }
    return String(cString: path).split(separator: ":").map(String.init)
  }

  /// Endings of grid files' names.
  private static let gridEndings = [".tif", ".gsb", ".gtx", ".lla", ".las", ".los", ".ct2", ".dat"]

  private static func folderReport(_ folder: String) -> JSON {
    guard let names = fileNames(in: folder) else {
      return .object([("path", .text(folder)), ("exists", .bool(false))])
    }
    let grids = names.filter { name in gridEndings.contains { name.hasSuffix($0) } }.sorted()
    return .object([
      ("path", .text(folder)), ("exists", .bool(true)), ("has_database", .bool(names.contains("proj.db"))),
      ("grid_count", JSON(grids.count)), ("grids", .list(grids.prefix(500).map(JSON.text))),
    ])
  }

  /// The names of the files in a folder; nil if it cannot be read.
  private static func fileNames(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(validatingCString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if let name { names.append(name) }
    }
    return names
  }
}

extension Coordinates {
  /// Sets the folders in which a runtime looks for grid files first. What depends on grids is looked at anew, and an
  /// event comes for each transformation with a handle that became usable or was lost.
  public static func setGridDirectories(_ folders: [String], in runtime: Runtime) throws(EngineError) {
    try requireNames(folders)
    try change(in: runtime) { $0 = folders }
  }

  /// Adds a folder after those that are set.
  public static func addGridDirectory(_ folder: String, in runtime: Runtime) throws(EngineError) {
    try requireNames([folder])
    try change(in: runtime) { $0.append(folder) }
  }

  private static func requireNames(_ folders: [String]) throws(EngineError) {
    if folders.contains("") { throw EngineError(.invalidArgument, "A grid directory is empty.", parameter: "folders") }
  }

  private static func change(in runtime: Runtime, _ body: (inout [String]) -> Void) throws(EngineError) {
    let before = try usability(in: runtime)
    CoordinateService.of(runtime).grids.change(body)
    for (id, wasUsable) in before {
      guard let transformation = live(id), try transformation.isUsable() != wasUsable else { continue }
      runtime.mailbox.post(.transformationChanged(handle: id, isUsable: !wasUsable))
    }
  }

  public static func gridDirectories(of runtime: Runtime) -> [String] { CoordinateService.of(runtime).grids.all }

  /// Goes up whenever the grid directories are set: what could not be projected before perhaps can be then.
  public static func gridGeneration(of runtime: Runtime) -> UInt64 { CoordinateService.of(runtime).grids.generation }

  /// For each transformation with a live handle, whether it can be used.
  private static func usability(in runtime: Runtime) throws(EngineError) -> [(id: UInt64, isUsable: Bool)] {
    var result: [(id: UInt64, isUsable: Bool)] = []
    for handle in HandleTable.shared.report(runtimeID: runtime.identity) where handle.kind == .transformation {
      guard let transformation = live(handle.id) else { continue }
      result.append((handle.id, try transformation.isUsable()))
    }
    return result
  }

  private static func live(_ id: UInt64) -> Transformation? {
    (try? HandleTable.shared.object(id, .transformation)) as? Transformation
  }
}
