import AlidadeBase
import AlidadeCoordinates
import Glibc

/// The metres of ground that a DIP shows at a point.
public struct GroundResolution: Sendable, Equatable {
  /// Metres per DIP along the screen's x axis.
  public var x: Double
  /// Metres per DIP along the screen's y axis.
  public var y: Double
}

extension UnitSystem {
  fileprivate var units: (large: Unit, small: Unit) {
    switch self {
    case .metric: (.kilometre, .metre)
    case .imperial: (.statuteMile, .foot)
    }
  }
}

/// A line on the screen with its length on the ground.
public struct ScaleBar: Sendable, Equatable {
  public var unit: Unit
  /// The length in `unit`: 1, 2 or 5 times a power of ten.
  public var length: Double
  public var metres: Double
  /// The width on the screen in DIP.
  public var width: Double
  public var start: Point
  public var end: Point
}

extension ViewFrame {
  /// The envelope of the visible area.
  public var envelope: Envelope {
    Envelope(around: visibleArea) ?? Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
  }

  /// The copies of the world that are visible, from the westernmost to the easternmost. Copy 0 is around x = 0. Both
  /// are 0 where the world does not repeat itself.
  public var worldCopies: (first: Double, last: Double) {
    let box = envelope
    return (Camera.worldCopy(x: box.xMin, in: viewport), Camera.worldCopy(x: box.xMax, in: viewport))
  }

  /// The true ground resolution at a screen point.
  public func groundResolution(at screen: Point) throws(EngineError) -> GroundResolution {
    let ground = try map.groundFrame(spatialReference)
    // Over 20 m of nominal ground, where the earth's curvature does not count and digits still do; on a close look a
    // DIP is far less than that.
    let step = 10 / (unitsPerDip * spatialReference.metresPerUnit)
    func along(_ dx: Double, _ dy: Double) throws(EngineError) -> Double {
      let ends = [-step, step].map { mapPoint(Point(x: screen.x + $0 * dx, y: screen.y + $0 * dy)) }
      return try ground.length(ends) / (2 * step)
    }
    return GroundResolution(x: try along(1, 0), y: try along(0, 1))
  }

  /// The longest round scale bar that is not wider than `maxWidth`, its middle at a screen point, along the screen's x
  /// axis. Its length is measured along the bar, in geodesic pieces of 2500 km at most; The longest bar has 4096
  /// pieces, 250 times around the earth.
  public func scaleBar(at screen: Point, maxWidth: Double, _ system: UnitSystem) throws(EngineError) -> ScaleBar {
    let ground = try map.groundFrame(spatialReference)
    let widthOfPiece = 2.5e6 / (unitsPerDip * spatialReference.metresPerUnit)
    let maxWidth = min(maxWidth, 4096 * widthOfPiece)
    func length(_ width: Double) throws(EngineError) -> Double {
      let count = Int(exactly: max(16, (width / widthOfPiece).rounded(.up))) ?? 4096
      let line = (0...count).map { index in
        mapPoint(Point(x: screen.x + width * (Double(index) / Double(count) - 0.5), y: screen.y))
      }
      return try ground.length(line)
    }
    let longest = try length(maxWidth)
    guard longest > 0, longest.isFinite else {
      throw EngineError(.projectionFailed, "The screen point (\(screen.x), \(screen.y)) shows no ground.")
    }
    let unit = longest >= system.units.large.siFactor ? system.units.large : system.units.small
    let round = Self.roundNumber(upTo: longest / unit.siFactor)
    let metres = round * unit.siFactor
    let width = try Self.root(of: metres, maxWidth, longest, length)
    return ScaleBar(
      unit: unit, length: round, metres: metres, width: width,
      start: Point(x: screen.x - width / 2, y: screen.y), end: Point(x: screen.x + width / 2, y: screen.y))
  }

  /// The greatest of 1, 2 and 5 times a power of ten that is not above a positive number.
  static func roundNumber(upTo number: Double) -> Double {
    let power = pow(10, floor(log10(number)))
    // The logarithm may have been rounded up.
    let factors = [5 * power, 2 * power, power, 0.5 * power]
    return factors.first { $0 <= number * (1 + 1e-12) } ?? power
  }

  /// The width at which a length that grows with it reaches a value, by false position after Illinois.
  private static func root(
    of value: Double, _ widest: Double, _ longest: Double, _ length: (Double) throws(EngineError) -> Double
  ) throws(EngineError) -> Double {
    var (low, high) = (0.0, widest)
    var (below, above) = (-value, longest - value)
    var side = 0
    for _ in 0..<100 where above > 0 {
      let middle = (low * above - high * below) / (above - below)
      let error = try length(middle) - value
      if error.magnitude <= 1e-12 * value || middle <= low || middle >= high { return middle }
      if error < 0 {
        (low, below) = (middle, error)
        if side == -1 { above /= 2 }
        side = -1
      } else {
        (high, above) = (middle, error)
        if side == 1 { below /= 2 }
        side = 1
      }
    }
    return high
  }
}
