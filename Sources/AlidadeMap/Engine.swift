import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

/// The entry point for a host.
public enum Engine {
  /// Creates a runtime, with GDAL's drivers registered and proj.db open.
  public static func makeRuntime(options: RuntimeOptions = RuntimeOptions()) throws(EngineError) -> Runtime {
    guard !ProcessGate.shared.isUnusableAfterFork else {
      throw EngineError(
        .forked,
        "This process was forked while GDAL or PROJ were in use, and cannot use them. Fork when no request is under way, "
          + "or spawn instead of fork.")
    }
    let runtime = Runtime(options: options)
    try DataSources.prepare(runtime)
    try Coordinates.prepare(runtime)
    // Only now: what GDAL and PROJ have set up by now then still stands when the handler runs.
    ProcessGate.shared.registerExitHandler()
    runtime.mailbox.log(LogLine(level: .info, text: "A runtime begins, with \(libraryNames)."))
    return runtime
  }

  private static var libraryNames: String {
    func name(_ library: String, _ version: UnsafePointer<CChar>?) -> String {
      "\(library) \(version.map { String(cString: $0) } ?? "of an unknown version")"
    }
    let names = [
      name("GDAL", DataSources.gdalVersion), name("PROJ", Coordinates.projVersion), name("GEOS", geosVersion),
    ]
    return names.joined(separator: ", ")
  }
}
