import AlidadeBase

extension Coordinates {
  /// Sets the folders in which a runtime looks for grid files first. What depends on grids is looked at anew, and an
  /// event comes for each transformation with a handle that became usable or was lost.
  public static func setGridDirectories(_ folders: [String], in runtime: Runtime) throws(EngineError) {
    try change(in: runtime) { $0 = folders }
  }

  /// Adds a folder after those that are set.
  public static func addGridDirectory(_ folder: String, in runtime: Runtime) throws(EngineError) {
    try change(in: runtime) { $0.append(folder) }
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
    (try? HandleTable.shared.object(id, .transformation, argument: 0)) as? Transformation
  }
}
