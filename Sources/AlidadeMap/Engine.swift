import AlidadeBase
import AlidadeCoordinates
import AlidadeData
import AlidadeGeometry

/// Where a host begins.
public enum Engine {
  /// Makes a runtime, with GDAL's drivers registered and proj.db open.
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
    return runtime
  }
}
