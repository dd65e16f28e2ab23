import Glibc

/// The traps that a thread has switched on: glibc's function, which its module for Swift leaves out.
@_silgen_name("fegetexcept")
private func enabledTraps() -> Int32

/// How a thread of the host rounds, and at which results of floating-point arithmetic it traps. GEOS and the library need
/// rounding to nearest, and compute with infinity and NaN.
public struct HostFloats {
  private var environment = fenv_t()

  /// Sets them aside for a call; nil if the thread has them as everybody has.
  public static func setAside() -> HostFloats? {
    if fegetround() == FE_TONEAREST, enabledTraps() == 0 { return nil }
    var floats = HostFloats()
    feholdexcept(&floats.environment)
    fesetround(FE_TONEAREST)
    return floats
  }

  /// Brings them back.
  public mutating func restore() { fesetenv(&environment) }
}
