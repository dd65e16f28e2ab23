import AlidadeBase
import AlidadeCoordinates
import Glibc

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
}

/// A view as of one moment: immutable, usable on any thread while the view moves on.
public final class ViewFrame: Sendable {
  public let map: Map
  public let spatialReference: SpatialReference
  /// The map point at `anchor`.
  public let center: Point
  /// The denominator of the nominal scale.
  public let scale: Double
  /// The compass direction that is up on the screen, 0 <= r < 360 degrees.
  public let rotation: Double
  public let width: Double
  public let height: Double
  /// Physical pixels per DIP.
  public let pixelDensity: Double
  public let insets: Insets
  /// The screen point, in DIP, that shows `center`: the middle of what the insets leave free.
  public let anchor: Point
  public let unitsPerDip: Double
  public let generation: UInt64
  let sine: Double
  let cosine: Double

  /// A DIP is 1/96 inch.
  static let metresPerDip = 0.0254 / 96

  init(
    map: Map, spatialReference: SpatialReference, center: Point, scale: Double, rotation: Double, width: Double,
    height: Double, pixelDensity: Double, insets: Insets, generation: UInt64
  ) {
    self.map = map
    self.spatialReference = spatialReference
    self.center = center
    self.scale = scale
    self.rotation = rotation
    self.width = width
    self.height = height
    self.pixelDensity = pixelDensity
    self.insets = insets
    self.generation = generation
    anchor = Point(
      x: insets.left + (width - insets.left - insets.right) / 2,
      y: insets.top + (height - insets.top - insets.bottom) / 2)
    unitsPerDip = scale * Self.metresPerDip / spatialReference.metresPerUnit
    (sine, cosine) = sineAndCosine(degrees: rotation)
  }

  // MARK: Screen and map
  //
  // Both ways go by way of the distance to the centre: a product of a matrix with world coordinates would lose the
  // digits in which neighbouring pixels differ. The screen's up is the compass direction r, so its right is r + 90 and
  // the linear part is the mirrored rotation [cos r, -sin r; -sin r, -cos r], which is its own inverse.

  /// Row-major 2 x 2, from DIP to map units.
  public var screenToMapMatrix: [Double] {
    [unitsPerDip * cosine, -unitsPerDip * sine, -unitsPerDip * sine, -unitsPerDip * cosine]
  }

  /// Row-major 2 x 2, from map units to DIP.
  public var mapToScreenMatrix: [Double] {
    [cosine / unitsPerDip, -sine / unitsPerDip, -sine / unitsPerDip, -cosine / unitsPerDip]
  }

  /// The map point under a screen point; NaN, NaN if that is not finite or so far away that its image is not.
  @inline(__always)
  public func mapPoint(_ screen: Point) -> Point {
    let dx = screen.x - anchor.x
    let dy = screen.y - anchor.y
    let image = Point(
      x: center.x + unitsPerDip * (dx * cosine - dy * sine), y: center.y - unitsPerDip * (dx * sine + dy * cosine))
    return image.isFinite ? image : .nan
  }

  /// The screen point of a map point; NaN, NaN if that is not finite or so far away that its image is not.
  @inline(__always)
  public func screenPoint(_ map: Point) -> Point {
    let dx = (map.x - center.x) / unitsPerDip
    let dy = (map.y - center.y) / unitsPerDip
    let image = Point(x: anchor.x + (dx * cosine - dy * sine), y: anchor.y - (dx * sine + dy * cosine))
    return image.isFinite ? image : .nan
  }

  /// The corners of the whole view, insets included: clockwise from the top left of the screen.
  public var visibleArea: [Point] {
    [(0, 0), (width, 0), (width, height), (0, height)].map { mapPoint(Point(x: $0.0, y: $0.1)) }
  }
}

/// Sine and cosine of an angle, exact at every quarter turn.
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  // 0 <= rest <= 45 around the nearest quarter turn, where the conversion to radians loses nothing that counts.
  let quarter = (degrees / 90).rounded()
  let rest = (degrees - quarter * 90) * .pi / 180
  let (s, c) = (sin(rest), cos(rest))
  switch quarter.truncatingRemainder(dividingBy: 4) {
  case 0: return (s, c)
  case 1, -3: return (c, -s)
  case 2, -2: return (-s, -c)
  default: return (-c, s)
  }
}
