import AlidadeBase
import AlidadeCoordinates

/// Parts of a view that the host's own controls cover, in DIP from each side.
public struct Insets: Sendable, Equatable {
  public var top = 0.0
  public var right = 0.0
  public var bottom = 0.0
  public var left = 0.0

  public init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  /// Throws if a side is negative or not finite.
  func check(_ what: String) throws(EngineError) {
    for (name, side) in [("top", top), ("right", right), ("bottom", bottom), ("left", left)]
    where !(side >= 0 && side.isFinite) {
      throw EngineError(.invalidArgument, "The \(what) \(name)_dip \(side) is negative or not finite.")
    }
  }
}

/// The screen of a camera: its size, and the length of a map unit. A value.
public struct Viewport: Sendable, Equatable {
  /// DIP, more than 0.
  public var width: Double
  public var height: Double
  /// They leave space free: left + right < width, top + bottom < height.
  public var insets: Insets
  /// Metres per unit of the map's spatial reference; a degree counts as arc on the equator.
  public var metresPerUnit: Double
  /// The distance in x between two images of one point where the world repeats itself; nil where it does not.
  public var worldWidth: Double?

  /// A DIP is 1/96 inch.
  public static let metresPerDip = 0.0254 / 96

  public init(
    width: Double, height: Double, insets: Insets = Insets(), metresPerUnit: Double, worldWidth: Double? = nil
  ) {
    self.width = width
    self.height = height
    self.insets = insets
    self.metresPerUnit = metresPerUnit
    self.worldWidth = worldWidth
  }

  /// The screen point, in DIP, that shows a camera's centre: the middle of what the insets leave free.
  public var anchor: Point {
    Point(
      x: insets.left + (width - insets.left - insets.right) / 2,
      y: insets.top + (height - insets.top - insets.bottom) / 2)
  }

  /// The corners of the whole view, insets included, in DIP: clockwise from the top left.
  public var corners: [Point] {
    [Point(x: 0, y: 0), Point(x: width, y: 0), Point(x: width, y: height), Point(x: 0, y: height)]
  }

  /// Map units per DIP at a nominal scale.
  public func unitsPerDip(scale: Double) -> Double { scale * Self.metresPerDip / metresPerUnit }

  /// The nominal scale at which a DIP shows so many map units.
  public func scale(unitsPerDip: Double) -> Double { unitsPerDip * metresPerUnit / Self.metresPerDip }
}
