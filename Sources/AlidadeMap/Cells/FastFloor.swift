extension Double {
  /// Added to a number of less than 2^31, it leaves the nearest whole number in the lower half of the bits; the even one of
  /// two.
  static let integerShift = 0x1.8p52

  /// The largest whole number that is not above a number between -2^31 and 2^31. The C library's rounding takes as long as
  /// all the rest of a pixel.
  @inline(__always)
  var fastFloor: Int32 {
    let nearest = (self + Double.integerShift) - Double.integerShift
    let below = nearest > self ? nearest - 1 : nearest
    return Int32(truncatingIfNeeded: (below + Double.integerShift).bitPattern)
  }
}
