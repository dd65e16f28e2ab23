import AlidadeCoordinates

/// A number of twice a double's precision, as the sum of two: for points that doubles alone would put off their
/// circles. Without fused multiply-add, which the baseline processor does not have.
struct DoubleDouble {
  var high: Double
  var low: Double

  init(_ value: Double) { (high, low) = (value, 0) }

  private init(high: Double, low: Double) { (self.high, self.low) = (high, low) }

  /// a + b, exactly.
  static func sum(_ a: Double, _ b: Double) -> DoubleDouble {
    let high = a + b
    let part = high - a
    return DoubleDouble(high: high, low: (a - (high - part)) + (b - part))
  }

  /// a x b, exactly.
  static func product(_ a: Double, _ b: Double) -> DoubleDouble {
    let high = a * b
    let (a1, a2) = split(a)
    let (b1, b2) = split(b)
    return DoubleDouble(high: high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2)
  }

  private static func split(_ value: Double) -> (Double, Double) {
    let scaled = 134_217_729 * value
    let high = scaled - (scaled - value)
    return (high, value - high)
  }

  static func + (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let high = sum(a.high, b.high)
    let low = sum(a.low, b.low)
    let first = quickSum(high.high, high.low + low.high)
    return quickSum(first.high, first.low + low.low)
  }

  static prefix func - (a: DoubleDouble) -> DoubleDouble { DoubleDouble(high: -a.high, low: -a.low) }

  static func - (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble { a + (-b) }

  static func * (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let high = product(a.high, b.high)
    return quickSum(high.high, high.low + (a.high * b.low + a.low * b.high))
  }

  static func / (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let first = a.high / b.high
    let rest = a - b * DoubleDouble(first)
    let second = rest.high / b.high
    let last = rest - b * DoubleDouble(second)
    return quickSum(first, second) + DoubleDouble(last.high / b.high)
  }

  /// The square root; 0 of what is not positive.
  func squareRoot() -> DoubleDouble {
    guard high > 0 else { return DoubleDouble(0) }
    let root = high.squareRoot()
    let rest = self - Self.product(root, root)
    return Self.quickSum(root, rest.high / (2 * root))
  }

  private static func quickSum(_ a: Double, _ b: Double) -> DoubleDouble {
    let high = a + b
    return DoubleDouble(high: high, low: b - (high - a))
  }
}

extension Disc {
  /// The way from this circle's centre to where it leaves (`side` 1) or enters (`side` -1) another one.
  func wayToCrossing(with other: Disc, side: Double) -> PreciseWay {
    let ax = DoubleDouble.sum(other.x, -x)
    let ay = DoubleDouble.sum(other.y, -y)
    let square = ax * ax + ay * ay
    let powers = DoubleDouble.sum(radius, -other.radius) * DoubleDouble.sum(radius, other.radius)
    // Twice the part along the way between the centres, as a share of it; and what is left across it.
    let along = (square + powers) / (square + square)
    // 4 a^2 r^2 - (a^2 + r^2 - s^2)^2 as a product, which loses less where circles touch.
    let sum = DoubleDouble.sum(radius, other.radius)
    let difference = DoubleDouble.sum(radius, -other.radius)
    let rest = (sum * sum - square) * (square - difference * difference)
    let across = rest.squareRoot() / (square + square) * DoubleDouble(side)
    let px = ax * along - ay * across
    let py = ay * along + ax * across
    return PreciseWay(x: px.high, y: py.high, xRest: px.low, yRest: py.low)
  }
}

/// A way in the plane, with what doubles would round off.
struct PreciseWay {
  var x: Double
  var y: Double
  var xRest: Double
  var yRest: Double

  /// The end of the path from a circle's centre, rounded once.
  func end(from disc: Disc) -> Point {
    let px = DoubleDouble.sum(disc.x, x)
    let py = DoubleDouble.sum(disc.y, y)
    return Point(x: px.high + (px.low + xRest), y: py.high + (py.low + yRest))
  }
}
