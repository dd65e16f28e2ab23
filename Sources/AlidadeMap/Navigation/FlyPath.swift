import AlidadeCoordinates
import Glibc

/// The path of a flight from one camera to another: out, across and in again, after J. J. van Wijk and W. A. A. Nuij,
/// "Smooth and efficient zooming and panning", 2003. Where the whole screen seems to move at one speed this is the
/// shortest path.
struct FlyPath: Sendable, Equatable {
  /// The paper's rho: how much is zoomed out for each way that is panned; 1.42 is what its readers liked best.
  static let curvature = 1.42
  /// Screens a second, as the paper measures length; for flights without a duration of their own.
  static let speed = 1.2

  /// The paper's S: how long the way is.
  let length: Double
  /// Width of what is seen at the beginning, in map units.
  private let startWidth: Double
  /// From the first centre to the second one, in map units.
  private let distance: Double
  private let startRise: Double
  /// ln(end width / start width).
  private let zoom: Double

  /// nil if the numbers are too far apart for a path to have finite ones.
  ///
  /// - Parameters:
  ///   - startWidth: how much of the map the screen shows at first, in map units; more than 0.
  ///   - distance: between the centres, in map units.
  init?(startWidth: Double, endWidth: Double, distance: Double) {
    let squared = Self.curvature * Self.curvature
    self.startWidth = startWidth
    zoom = log(endWidth / startWidth)
    // Centres that lie closer together than a millionth of the screen are one: the formulas divide by the distance.
    let isPanned = distance > 1e-6 * min(startWidth, endWidth) && distance.isFinite
    self.distance = isPanned ? distance : 0
    guard isPanned else {
      startRise = 0
      length = zoom.magnitude / Self.curvature
      if !length.isFinite { return nil }
      return
    }
    // The paper's ln(sqrt(b^2 + 1) - b) loses its digits where b is large; -asinh(b) is the same and does not.
    let way = squared * distance
    let difference = (endWidth - startWidth) * (endWidth + startWidth)
    let first = (difference + way * way) / (2 * startWidth * way)
    let second = (difference - way * way) / (2 * endWidth * way)
    startRise = -asinh(first)
    length = (-asinh(second) - startRise) / Self.curvature
    // Beyond e^300 the hyperbolic functions below overflow.
    guard length.isFinite, length > 0, startRise.magnitude < 300, asinh(second).magnitude < 300 else { return nil }
  }

  /// Where the flight is after a part of its length.
  ///
  /// - Parameter part: 0 to 1.
  /// - Returns: how much of the way between the centres is done, and how many times as much the screen shows as at
  ///   first.
  func place(at part: Double) -> (done: Double, growth: Double) {
    guard distance > 0 else { return (part, exp(zoom * part)) }
    let rise = Self.curvature * part * length + startRise
    let growth = cosh(startRise) / cosh(rise)
    // The paper's cosh r0 tanh r - sinh r0, in which digits would cancel.
    let way = startWidth * sinh(rise - startRise) / (Self.curvature * Self.curvature * cosh(rise))
    return (way / distance, growth)
  }

  /// Seconds that the flight takes if nobody says otherwise.
  var duration: Double { length / Self.speed }
}
