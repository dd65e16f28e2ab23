import AlidadeBase
import CPROJ

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

/// What the module needs done when a runtime is made.
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
