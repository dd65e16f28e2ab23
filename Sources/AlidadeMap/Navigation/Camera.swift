import AlidadeCoordinates

/// Where a view looks: a value, without a view, a map or a clock.
///
/// Every function is pure, and gives the same bits in debug and release builds. What would leave the numbers that a
/// camera can have (a factor that is not finite or not positive, a centre beyond 1.8e308) leaves the camera as it is; a
/// scale beyond `scales` stops at its end.
public struct Camera: Sendable, Equatable {
  /// The map point at the viewport's anchor, in map units.
  public var center: Point
  /// The denominator of the nominal scale.
  public var scale: Double
  /// The compass direction that is up on the screen, 0 <= r < 360 degrees.
  public private(set) var rotation: Double

  /// The scales that a camera can have; beyond them numbers lose their meaning.
  public static let scales = 1e-6...1e15

  /// - Parameter rotation: degrees, finite; taken modulo 360.
  public init(center: Point, scale: Double, rotation: Double = 0) {
    self.center = center
    self.scale = scale
    self.rotation = Self.normalised(rotation)
  }

  /// Whether all numbers are in the range of a camera.
  public var isUsable: Bool { center.isFinite && Self.scales.contains(scale) && rotation.isFinite }

  /// How this camera's screen and map belong together.
  public func transform(in viewport: Viewport) -> ViewTransform {
    ViewTransform(
      center: center, anchor: viewport.anchor, unitsPerDip: viewport.unitsPerDip(scale: scale), rotation: rotation)
  }

  /// The corners of what the camera shows, insets included: clockwise from the top left of the screen.
  public func visibleArea(in viewport: Viewport) -> [Point] {
    let transform = transform(in: viewport)
    return viewport.corners.map { transform.mapPoint($0) }
  }

  // MARK: Moving
  //
  // A centre is moved by a difference that is computed first, and rounded once: what lies under the finger stays there
  // to an ulp of the map coordinate.

  /// Moves what the screen shows by a way in DIP, as a finger drags it: to the right by dx, down by dy.
  public func panned(dx: Double, dy: Double, in viewport: Viewport) -> Camera {
    let way = transform(in: viewport).mapOffset(dx: dx, dy: dy)
    return with(center: Point(x: center.x - way.x, y: center.y - way.y))
  }

  /// Zooms so that the map point under a screen point stays there.
  ///
  /// - Parameter factor: how many times as large things become: 2 halves the scale's denominator.
  public func zoomed(by factor: Double, about screen: Point, in viewport: Viewport) -> Camera {
    guard factor > 0, factor.isFinite else { return self }
    return with(scale: scale / factor, rotation: rotation, about: screen, in: viewport)
  }

  /// Sets the scale so that the map point under a screen point stays there.
  public func scaled(to scale: Double, about screen: Point, in viewport: Viewport) -> Camera {
    with(scale: scale, rotation: rotation, about: screen, in: viewport)
  }

  /// Turns so that the map point under a screen point stays there.
  ///
  /// - Parameter degrees: what is added to the compass direction that is up: what the screen shows turns
  ///   counterclockwise by as much.
  public func rotated(by degrees: Double, about screen: Point, in viewport: Viewport) -> Camera {
    with(scale: scale, rotation: rotation + degrees, about: screen, in: viewport)
  }

  /// Sets scale and rotation so that the map point under a screen point stays there.
  public func with(scale: Double, rotation: Double, about screen: Point, in viewport: Viewport) -> Camera {
    guard !scale.isNaN, rotation.isFinite else { return self }
    var next = self
    next.scale = min(max(scale, Self.scales.lowerBound), Self.scales.upperBound)
    next.rotation = Self.normalised(rotation)
    let (old, new) = (transform(in: viewport), next.transform(in: viewport))
    let (dx, dy) = (screen.x - old.anchor.x, screen.y - old.anchor.y)
    let (before, after) = (old.mapOffset(dx: dx, dy: dy), new.mapOffset(dx: dx, dy: dy))
    next.center = Point(x: center.x + (before.x - after.x), y: center.y + (before.y - after.y))
    return next.isUsable ? next : self
  }

  /// Moves the centre so that a map point comes under a screen point. This is what keeps a map point under a finger
  /// from event to event: small steps would add up their rounding.
  public func showing(_ map: Point, at screen: Point, in viewport: Viewport) -> Camera {
    let transform = transform(in: viewport)
    let way = transform.mapOffset(dx: screen.x - transform.anchor.x, dy: screen.y - transform.anchor.y)
    return with(center: Point(x: map.x - way.x, y: map.y - way.y))
  }

  /// The same camera elsewhere; unchanged if that is not finite.
  public func with(center: Point) -> Camera {
    guard center.isFinite else { return self }
    var next = self
    next.center = center
    return next
  }

  /// The same camera with another rotation, about its centre; unchanged if that is not finite.
  public func with(rotation: Double) -> Camera {
    guard rotation.isFinite else { return self }
    return Camera(center: center, scale: scale, rotation: rotation)
  }

  // MARK: Angles and copies of the world

  /// 0 <= r < 360.
  public static func normalised(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    // -1e-300 + 360 is 360; and -0 is 0.
    return turned >= 360 ? 0 : turned + 0
  }

  /// The turn from one rotation to another in the shorter direction, -180 < d <= 180 degrees; half a turn goes
  /// clockwise.
  public static func turn(from: Double, to: Double) -> Double {
    let difference = normalised(to - from)
    return difference > 180 ? difference - 360 : difference
  }

  /// The copy of the world that contains a map x: the number of world widths east of the copy around x = 0. 0 where the
  /// world does not repeat itself.
  public static func worldCopy(x: Double, in viewport: Viewport) -> Double {
    guard let width = viewport.worldWidth else { return 0 }
    let copy = (x / width).rounded(.toNearestOrAwayFromZero)
    return copy.isFinite ? copy : 0
  }

  /// The same view with its centre in the copy of the world around x = 0. Not while a finger holds a map point.
  public func inWorldCopyZero(in viewport: Viewport) -> Camera {
    guard let width = viewport.worldWidth else { return self }
    let copy = Self.worldCopy(x: center.x, in: viewport)
    return copy == 0 ? self : with(center: Point(x: center.x - copy * width, y: center.y))
  }
}
