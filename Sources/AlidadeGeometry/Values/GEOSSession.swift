import AlidadeBase
import CGEOS

/// A GEOS handle of our own, for the length of a call. GEOS keeps no state outside of it.
struct GEOSSession: ~Copyable {
  let handle: OpaquePointer
  /// GEOS's last error text.
  private let log = Lock("")

  init() throws(EngineError) {
    if TimeLimit.isSet { _ = Self.callback }
    guard let handle = GEOS_init_r() else {
      throw EngineError(.outOfMemory, "GEOS could not be started.", domain: .geos)
    }
    self.handle = handle
    // Right: the log lives as long as this session, and the session ends the handle.
    GEOSContext_setErrorMessageHandler_r(
      handle,
      { text, sink in
        guard let text, let sink else { return }
        // Right: as above.
        Unmanaged<Lock<String>>.fromOpaque(sink).takeUnretainedValue().withLock { $0 = String(cString: text) }
      }, Unmanaged.passUnretained(log).toOpaque())
  }

  deinit { GEOS_finish_r(handle) }

  /// The function of the process that GEOS called now and then before ours, which calls it first. Ours then looks at the
  /// time of the call that the thread is at, and does nothing for threads without a limit. It is set by the first call
  /// with one, and stays. Right to share: a function, written once.
  nonisolated(unsafe) private static let callback: GEOSInterruptCallback? = GEOS_interruptRegisterCallback {
    GEOSSession.callback?()
    // What C++ throws passes this frame, which has nothing to clean up.
    if TimeLimit.hasPassed { alidade_geos_end() }
  }

  /// An error with GEOS's words.
  func failure(_ what: String) -> EngineError {
    // Whatever it says, it may say so because it was interrupted.
    do throws(EngineError) { try TimeLimit.check() } catch { return error }
    let words = log.withLock { $0 }
    if words.hasPrefix("TopologyException") {
      var error = Self.contradiction(what)
      error.message += " It says: \(words)"
      return error
    }
    return EngineError(.internal, "\(what): \(words.isEmpty ? "no reason given" : words)", domain: .geos)
  }

  /// Two of GEOS's tests of the same edges contradict each other, as differences of coordinates vanish in rounding.
  static func contradiction(_ what: String) -> EngineError {
    EngineError(
      .invalidArgument,
      "\(what): coordinates lie so close to each other that GEOS contradicts itself; round them to a grid first.",
      domain: .geos)
  }
}

/// The version of GEOS, as found at run time. Static storage of GEOS's.
public var geosVersion: UnsafePointer<CChar>? { GEOSversion() }
