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
  public func unwrapped(near x: Double, width: Double) -> Point {
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
}

/// An axis-parallel box.
public struct Envelope: Sendable, Equatable {
  public var xMin: Double
  public var yMin: Double
  public var xMax: Double
  public var yMax: Double

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
}
