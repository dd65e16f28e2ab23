import AlidadeCoordinates

/// Screen to map and back, for one camera in one viewport.
///
/// Both directions compute with the distance to the centre: a product of a matrix with world coordinates would lose the
/// digits in which neighbouring pixels differ. The screen's up is the compass direction r, so its right is r + 90 and
/// the linear part is the mirrored rotation [cos r, -sin r; -sin r, -cos r], which is its own inverse.
///
/// Additions, products and quotients follow IEEE 754 and are never fused, so that debug and release builds give the
/// same bits.
public struct ViewTransform: Sendable, Equatable {
  /// The map point at `anchor`.
  public let center: Point
  /// The screen point, in DIP, that shows `center`.
  public let anchor: Point
  public let unitsPerDip: Double
  public let sine: Double
  public let cosine: Double

  public init(center: Point, anchor: Point, unitsPerDip: Double, rotation: Double) {
    self.center = center
    self.anchor = anchor
    self.unitsPerDip = unitsPerDip
    (sine, cosine) = sineAndCosine(degrees: rotation)
  }

  /// Row-major 2 x 2. No array: each frame reads two of them, and an array takes memory.
  public typealias Matrix = (Double, Double, Double, Double)

  /// The matrix from DIP to map units.
  public var screenToMapMatrix: Matrix {
    (unitsPerDip * cosine, -unitsPerDip * sine, -unitsPerDip * sine, -unitsPerDip * cosine)
  }

  /// The matrix from map units to DIP.
  public var mapToScreenMatrix: Matrix {
    (cosine / unitsPerDip, -sine / unitsPerDip, -sine / unitsPerDip, -cosine / unitsPerDip)
  }

  /// The map point under a screen point; NaN, NaN if that is not finite or so far away that its image is not.
  @inlinable @inline(__always)
  public func mapPoint(_ screen: Point) -> Point {
    let offset = mapOffset(dx: screen.x - anchor.x, dy: screen.y - anchor.y)
    let image = Point(x: center.x + offset.x, y: center.y + offset.y)
    return image.isFinite ? image : .nan
  }

  /// The screen point of a map point; NaN, NaN if that is not finite or so far away that its image is not.
  @inlinable @inline(__always)
  public func screenPoint(_ map: Point) -> Point {
    let dx = (map.x - center.x) / unitsPerDip
    let dy = (map.y - center.y) / unitsPerDip
    let image = Point(x: anchor.x + (dx * cosine - dy * sine), y: anchor.y - (dx * sine + dy * cosine))
    return image.isFinite ? image : .nan
  }

  /// A way on the screen, in DIP, as a way on the map, in map units.
  @inlinable @inline(__always)
  public func mapOffset(dx: Double, dy: Double) -> Point {
    Point(x: unitsPerDip * (dx * cosine - dy * sine), y: -(unitsPerDip * (dx * sine + dy * cosine)))
  }
}
