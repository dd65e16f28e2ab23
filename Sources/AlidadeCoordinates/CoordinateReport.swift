import AlidadeBase
import CPROJ
import Glibc

extension Coordinates {
  /// What there is to know of PROJ in a runtime: its version, its database, its folders and the grids in them.
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
