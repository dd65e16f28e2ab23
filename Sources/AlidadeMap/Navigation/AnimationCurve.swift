import Glibc

extension AnimationCurve {
  private enum Family { case power(Int), sine, exponential, circular }
  private enum Side { case into, out, both }

  /// The progress of the animation, 0 to 1, after the part `time` of its duration. A `time` below 0 counts as 0, above
  /// 1 as 1.
  public func value(at time: Double) -> Double {
    // NaN is no time that has passed.
    guard time > 0 else { return 0 }
    guard time < 1 else { return 1 }
    guard let (family, side) = parts else { return time }
    switch side {
    case .into: return Self.rise(family, time)
    case .out: return 1 - Self.rise(family, 1 - time)
    case .both:
      return time < 0.5 ? Self.rise(family, 2 * time) / 2 : 1 - Self.rise(family, 2 - 2 * time) / 2
    }
  }

  /// nil: linear.
  private var parts: (Family, Side)? {
    switch self {
    case .linear: nil
    case .easeInQuad: (.power(2), .into)
    case .easeOutQuad: (.power(2), .out)
    case .easeInOutQuad: (.power(2), .both)
    case .easeInCubic: (.power(3), .into)
    case .easeOutCubic: (.power(3), .out)
    case .easeInOutCubic: (.power(3), .both)
    case .easeInQuart: (.power(4), .into)
    case .easeOutQuart: (.power(4), .out)
    case .easeInOutQuart: (.power(4), .both)
    case .easeInQuint: (.power(5), .into)
    case .easeOutQuint: (.power(5), .out)
    case .easeInOutQuint: (.power(5), .both)
    case .easeInSine: (.sine, .into)
    case .easeOutSine: (.sine, .out)
    case .easeInOutSine: (.sine, .both)
    case .easeInExpo: (.exponential, .into)
    case .easeOutExpo: (.exponential, .out)
    case .easeInOutExpo: (.exponential, .both)
    case .easeInCirc: (.circular, .into)
    case .easeOutCirc: (.circular, .out)
    case .easeInOutCirc: (.circular, .both)
    }
  }

  /// The "in" curve of a family, 0 < time <= 1. The other two are made of it.
  private static func rise(_ family: Family, _ time: Double) -> Double {
    switch family {
    case .power(let exponent):
      var product = time
      for _ in 1..<exponent { product *= time }
      return product
    case .sine: return 1 - cos(time * (.pi / 2))
    // Penner's curve begins at 2^-10 right after 0, and so does this one.
    case .exponential: return exp2(10 * (time - 1))
    case .circular: return 1 - (1 - time * time).squareRoot()
    }
  }
}
