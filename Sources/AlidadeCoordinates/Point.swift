import Glibc

/// A point: x east or longitude and y north or latitude in a spatial reference's unit, or DIP on a screen.
public struct Point: Sendable, Equatable {
  public var x: Double
  public var y: Double

  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The value of a point that cannot be projected.
  public static let nan = Point(x: .nan, y: .nan)

  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }

  /// Whether this can be a position in some spatial reference: beyond 1e15 units two neighbouring numbers lie further
  /// apart than the world's details, and what PROJ makes of one is chance.
  var isPosition: Bool { x.magnitude < 1e15 && y.magnitude < 1e15 }
}

extension Point {
  /// The image of this point nearest to an x, in a world that repeats itself every `width`. Unchanged, bit for bit, if
  /// it is the nearest already.
  @inlinable
  public func unwrapped(near x: Double, width: Double) -> Point {
    // Most are: this saves them a division and a call for rounding.
    if (x - self.x).magnitude < width / 2 { return self }
    let turns = ((x - self.x) / width).rounded()
    return turns == 0 || !turns.isFinite ? self : Point(x: self.x + turns * width, y: y)
  }
}

extension [Point] {
  /// Replaces each point by its image nearest to an x.
  public mutating func unwrap(near x: Double, width: Double) {
    for index in indices { self[index] = self[index].unwrapped(near: x, width: width) }
  }

  /// Replaces each point by its image nearest to the previous point, so that a line or ring across the antimeridian
  /// stays connected.
  public mutating func unwrapAlong(width: Double) {
    for index in indices.dropFirst() { self[index] = self[index].unwrapped(near: self[index &- 1].x, width: width) }
  }

  /// The part of a ring where `side` is not negative (Sutherland and Hodgman 1974). The ring is not closed.
  public func clipped(where side: (Point) -> Double) -> [Point] {
    var result: [Point] = []
    for (index, point) in enumerated() {
      let previous = self[index == 0 ? count &- 1 : index &- 1]
      let (here, there) = (side(point), side(previous))
      if (here < 0) != (there < 0) {
        let t = there / (there - here)
        result.append(Point(x: previous.x + (point.x - previous.x) * t, y: previous.y + (point.y - previous.y) * t))
      }
      if here >= 0 { result.append(point) }
    }
    return result
  }
}

/// An axis-parallel box.
public struct Envelope: Sendable, Equatable {
  public var xMin: Double
  public var yMin: Double
  public var xMax: Double
  public var yMax: Double

  /// Meets nothing, and widens no other box.
  @inlinable public static var nothing: Envelope {
    Envelope(xMin: .infinity, yMin: .infinity, xMax: -.infinity, yMax: -.infinity)
  }

  @inlinable
  public init(xMin: Double, yMin: Double, xMax: Double, yMax: Double) {
    self.xMin = xMin
    self.yMin = yMin
    self.xMax = xMax
    self.yMax = yMax
  }

  /// The box around points; nil if there is none.
  public init?(around points: [Point]) {
    guard let first = points.first else { return nil }
    (xMin, yMin, xMax, yMax) = (first.x, first.y, first.x, first.y)
    for point in points {
      xMin = min(xMin, point.x)
      yMin = min(yMin, point.y)
      xMax = max(xMax, point.x)
      yMax = max(yMax, point.y)
    }
  }

  /// Counterclockwise from the lower left one.
  public var corners: [Point] {
    [Point(x: xMin, y: yMin), Point(x: xMax, y: yMin), Point(x: xMax, y: yMax), Point(x: xMin, y: yMax)]
  }

  @inlinable public var isPoint: Bool { xMin == xMax && yMin == yMax }

  /// Whether two boxes have a point in common.
  @inlinable
  @inline(__always)
  public func meets(_ other: Envelope) -> Bool {
    xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
  }

  /// Makes the box the one around itself and another box.
  @inlinable
  @inline(__always)
  public mutating func extend(around other: Envelope) {
    xMin = min(xMin, other.xMin)
    yMin = min(yMin, other.yMin)
    xMax = max(xMax, other.xMax)
    yMax = max(yMax, other.yMax)
  }

  /// The distance of a point from the box; 0 inside.
  @inlinable
  public func distance(to point: Point) -> Double {
    let dx = max(0, xMin - point.x, point.x - xMax)
    let dy = max(0, yMin - point.y, point.y - yMax)
    let square = dx * dx + dy * dy
    // Beyond these bounds a square has no digits left.
    return square > 1e-280 && square < .infinity ? square.squareRoot() : hypot(dx, dy)
  }
}
