/// Four numbers that the same is done with. The kernels work on these alone, so that a point's image depends neither on
/// its lane nor on its neighbours, and is the same bit for bit in debug and release builds: each operation is one of
/// IEEE 754, and nothing is contracted, because the baseline has no FMA.
typealias Lanes = SIMD4<Double>
typealias LaneBits = SIMD4<UInt64>

extension Lanes {
  static let signBit: UInt64 = 1 << 63
  /// Adding it rounds a number of less than 2^51 to the nearest integer, which is then in the low bits.
  static let rounder = 0x1.8p52

  @inline(__always)
  var bits: LaneBits {
    // Right: both are four 64-bit numbers, and every pattern is a value of each.
    unsafeBitCast(self, to: LaneBits.self)
  }

  @inline(__always)
  init(bits: LaneBits) {
    // Right: both are four 64-bit numbers, and every pattern is a value of each.
    self = unsafeBitCast(bits, to: Lanes.self)
  }

  @inline(__always)
  var magnitudes: Lanes { Lanes(bits: bits & ~Lanes.signBit) }

  /// These magnitudes with the signs of others.
  @inline(__always)
  func signed(like other: Lanes) -> Lanes { Lanes(bits: bits | (other.bits & Lanes.signBit)) }

  /// Ones where a lane has its sign bit set, otherwise zeros.
  @inline(__always)
  var negativeMask: LaneBits {
    LaneBits(truncatingIfNeeded: SIMD4<Int64>(truncatingIfNeeded: bits) &>> 63)
  }

  /// The first value where the mask is ones, otherwise the second.
  @inline(__always)
  static func choose(_ mask: LaneBits, _ one: Lanes, _ other: Lanes) -> Lanes {
    Lanes(bits: (one.bits & mask) | (other.bits & ~mask))
  }

  @inline(__always)
  func rounded() -> Lanes { (self + Lanes.rounder) - Lanes.rounder }
}

/// Points of one block on their way through the steps, in columns.
struct LaneBlock {
  /// 16 times four points.
  static let capacity = 16
  static let pointCapacity = capacity * 4

  let x: UnsafeMutablePointer<Lanes>
  let y: UnsafeMutablePointer<Lanes>
  /// Of geocentric coordinates only.
  let z: UnsafeMutablePointer<Lanes>
  /// The sign bit is set of a point that lies outside what a step is proven for.
  let outside: UnsafeMutablePointer<LaneBits>
  /// In fours of points.
  let count: Int

  /// Takes note of where a margin is negative. Where it is NaN, the result is NaN too, which is looked for at the end.
  @inline(__always)
  func require(_ margin: Lanes, at index: Int) { outside[index] |= margin.bits }
}

/// One operation of a pipeline, on a block in place.
protocol FastStep: Sendable {
  func run(_ block: LaneBlock)
  /// A parallelogram in the step's own input that covers the range of the step; nil if the range has no limits.
  var reach: FastReach? { get }
  /// What one unit of the output is in metres or radians, given that of the input.
  func unit(after input: FastUnit) -> FastUnit
  /// The step backwards where it is affine, to carry a reach to the front of a pipeline.
  func backwards(_ reach: FastReach) -> FastReach?
  /// Whether x of the result grows with x alone, but for turns around the world, and y with y alone.
  var keepsBoxes: Bool { get }
}

extension FastStep {
  var reach: FastReach? { nil }
  func unit(after input: FastUnit) -> FastUnit { input }
  func backwards(_ reach: FastReach) -> FastReach? { nil }
  var keepsBoxes: Bool { false }
}

/// From longitudes and latitudes to a plane, or back.
protocol FastProjection: FastStep {
  var isInverse: Bool { get }
  func runForward(_ block: LaneBlock)
  func runInverse(_ block: LaneBlock)
}

extension FastProjection {
  func unit(after input: FastUnit) -> FastUnit { isInverse ? .radians(1) : .metres(1) }

  func run(_ block: LaneBlock) {
    if isInverse { runInverse(block) } else { runForward(block) }
  }
}

/// What the coordinates mean at a stage of a pipeline.
enum FastUnit: Equatable {
  case metres(Double)
  case radians(Double)
}

/// A box: its middle and half of its sizes.
struct FastReach {
  var middle: Point
  var half: Point
}

// Elementary functions on lanes, for the ranges that projections need.
//
// The polynomials of sine, cosine and arc tangent come from Sun's fdlibm 5.3 (k_sin.c, k_cos.c, s_atan.c, 1993), with
// their bounds: 2^-58 for the sine, 2^-58.7 for the cosine, 2^-58 for the arc tangent. The logarithm and the
// exponential function are their series, which are exact up to the term left out. The rest is rounding; the tests
// compare each result with glibc, in units of the last digit.

/// Polynomials, the constant first, by Horner's rule.
@inline(__always)
private func polynomial(_ z: Lanes, _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double) -> Lanes {
  let last: Lanes = d + z * e
  let third: Lanes = c + z * last
  let second: Lanes = b + z * third
  return a + z * second
}

/// Sine and cosine of |x| <= 100 within 1 ulp (of 1, near their zeros other than 0 and +-pi/2).
///
/// x = n pi/2 + r in the three parts of Cody and Waite, of which n times the first two are exact.
@inline(__always)
func sineCosine(_ x: Lanes) -> (sine: Lanes, cosine: Lanes) {
  let shifted = x * 0x1.45f306dc9c883p-1 + Lanes.rounder
  let n = shifted - Lanes.rounder
  let high: Lanes = x - n * 1.57079632673412561417e+00
  let middle: Lanes = high - n * 6.07710050630396597660e-11
  let r: Lanes = middle - n * 2.02226624879595063154e-21
  let z = r * r
  let tail = polynomial(
    z, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06, -2.50507602534068634195e-08,
    1.58969099521155010221e-10)
  let sineTail: Lanes = -1.66666666666666324348e-01 + z * tail
  let sine = r + (z * r) * sineTail
  let even = polynomial(
    z, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07, 2.08757232129817482790e-09,
    -1.13596475577881948265e-11)
  let half = 0.5 * z
  let whole = 1.0 - half
  let cosineTail: Lanes = 4.16666666666666019037e-02 + z * even
  let lost: Lanes = (1.0 - whole) - half
  let cosine = whole + (lost + (z * z) * cosineTail)
  // The quarter turn is in the low bits: odd ones exchange the two, and two bits are signs.
  let quarter = shifted.bits
  let odd = 0 &- (quarter & 1)
  let sineSign = (quarter &<< 62) & Lanes.signBit
  let cosineSign = ((quarter &+ 1) &<< 62) & Lanes.signBit
  return (
    Lanes(bits: Lanes.choose(odd, cosine, sine).bits ^ sineSign),
    Lanes(bits: Lanes.choose(odd, sine, cosine).bits ^ cosineSign)
  )
}

/// Sine and cosine of an angle that is d more, |d| <= 0.02: the series up to d^7 and d^8, within 1e-20.
@inline(__always)
func turned(_ sine: Lanes, _ cosine: Lanes, by d: Lanes) -> (sine: Lanes, cosine: Lanes) {
  let z = d * d
  let s = d * polynomial(z, 1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 0)
  // Without the 1, so that little is added to much at the end.
  let c = z * polynomial(z, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, 0)
  let sineChange: Lanes = sine * c + cosine * s
  let cosineChange: Lanes = cosine * c - sine * s
  return (sine + sineChange, cosine + cosineChange)
}

/// artanh z / z - 1 by its series, z being the square: 11 terms leave 2e-17 for z <= 0.04.
@inline(__always)
private func artanhTail(_ z: Lanes) -> Lanes {
  let w = z * z
  let later = polynomial(w, 1.0 / 7, 1.0 / 11, 1.0 / 15, 1.0 / 19, 1.0 / 23)
  let odd: Lanes = 1.0 / 3 + w * later
  let even = polynomial(w, 1.0 / 5, 1.0 / 9, 1.0 / 13, 1.0 / 17, 1.0 / 21)
  return z * (odd + z * even)
}

/// The logarithm of a quotient of positive normal numbers, itself at most 2^1000 either way: within 1 ulp of it or of 1,
/// whichever is more; where the two are nearly equal, relative to their difference.
///
/// ln(a / b) = k ln 2 + 2 artanh((a - 2^k b) / (a + 2^k b)), k such that the fraction is at most 1/5.
@inline(__always)
func logarithm(of a: Lanes, over b: Lanes) -> Lanes {
  // Exponents of a quotient, rounded by a half of the mantissa's range.
  let power = (a.bits &- b.bits &+ 0x3FF8_0000_0000_0000) & 0xFFF0_0000_0000_0000
  let scaled = Lanes(bits: power) * b
  let k = Lanes(bits: (power &>> 52) | 0x4330_0000_0000_0000) - (0x1p52 + 1023)
  let s = (a - scaled) / (a + scaled)
  let twice = s + s
  // ln 2 in two parts; k times the first is exact.
  let small: Lanes = twice * artanhTail(s * s) + k * 1.90821492927058770002e-10
  return k * 6.93147180369123816490e-01 + (twice + small)
}

/// artanh x for |x| <= 0.2, within 1 ulp.
@inline(__always)
func smallArtanh(_ x: Lanes) -> Lanes { x + x * artanhTail(x * x) }

/// e^d - 1 for |d| <= 0.02: the series up to d^8, within 1e-20.
@inline(__always)
func smallExponential(_ d: Lanes) -> Lanes {
  let high = polynomial(d, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320)
  let low = polynomial(d, 1, 1.0 / 2, 1.0 / 6, 0, 0)
  let z = d * d
  return d * low + (z * z) * high
}

/// e^x for |x| <= 700, within 1 ulp. The series for |r| <= ln 2 / 2: 14 terms leave 5e-18.
@inline(__always)
func exponential(_ x: Lanes) -> Lanes {
  let shifted = x * 0x1.71547652b82fep0 + Lanes.rounder
  let k = shifted - Lanes.rounder
  let high: Lanes = x - k * 6.93147180369123816490e-01
  let r = high - k * 1.90821492927058770002e-10
  let z = r * r
  let first = polynomial(r, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040)
  let second = polynomial(r, 1.0 / 40320, 1.0 / 362_880, 1.0 / 3_628_800, 1.0 / 39_916_800, 1.0 / 479_001_600)
  let last: Lanes = second + (z * z * r) * (1.0 / 6_227_020_800)
  let tail: Lanes = first + (z * z * r) * last
  let quadratic: Lanes = 0.5 + r * tail
  let series: Lanes = 1.0 + (r + z * quadratic)
  return Lanes(bits: series.bits &+ (shifted.bits &<< 52))
}

/// The angle of (x, y) for x >= 0, from -pi/2 to pi/2, within 1 ulp of it or of pi/4; NaN for (0, 0).
@inline(__always)
func angleToTheRight(y: Lanes, x: Lanes) -> Lanes {
  let a = y.magnitudes
  // tan(3 pi/8) and tan(pi/8) part three ranges, in each of which the quotient is at most 0.4143.
  let steep = (x * 2.414213562373095 - a).negativeMask
  let flat = (a - x * 0.41421356237309503).negativeMask
  let numerator = Lanes.choose(steep, -x, Lanes.choose(flat, a, a - x))
  let denominator = Lanes.choose(steep, a, Lanes.choose(flat, x, a + x))
  let quarter = ~flat & 0x3FE9_21FB_5444_2D18
  let quarterLow = ~flat & 0x3C81_A626_3314_5C07
  // Twice the quarter where it is steep: the exponent one more.
  let base = Lanes(bits: quarter &+ (steep & 0x0010_0000_0000_0000))
  let baseLow = Lanes(bits: quarterLow &+ (steep & 0x0010_0000_0000_0000))
  let t = numerator / denominator
  let z = t * t
  let w = z * z
  let later = polynomial(
    w, 1.42857142725034663711e-01, 9.09088713343650656196e-02, 6.66107313738753120669e-02,
    4.97687799461593236017e-02, 1.62858201153657823623e-02)
  let odd: Lanes = 3.33333333333329318027e-01 + w * later
  let even = polynomial(
    w, -1.99999999998764832476e-01, -1.11111104054623557880e-01, -7.69187620504482999495e-02,
    -5.83357013379057348645e-02, -3.65315727442169155270e-02)
  let tail: Lanes = z * odd + w * even
  let angle = base + ((t - t * tail) + baseLow)
  return angle.signed(like: y)
}

/// The angle of (x, y) from -pi to pi.
@inline(__always)
func angle(y: Lanes, x: Lanes) -> Lanes {
  let right = angleToTheRight(y: y, x: x.magnitudes).magnitudes
  let left = (Double.pi - right) + 1.2246467991473532e-16
  return Lanes.choose(x.negativeMask, left, right).signed(like: y)
}

/// The sum of c_k sin 2k(phi), k from 1 to 6, after Clenshaw.
@inline(__always)
func sineSeries(_ c: SineCoefficients, _ sine2: Lanes, _ cosine2: Lanes) -> Lanes {
  let r = cosine2 + cosine2
  let b6 = Lanes(repeating: c.c6)
  let b5: Lanes = c.c5 + r * b6
  let b4: Lanes = (c.c4 - b6) + r * b5
  let b3: Lanes = (c.c3 - b5) + r * b4
  let b2: Lanes = (c.c2 - b4) + r * b3
  let b1: Lanes = (c.c1 - b3) + r * b2
  return sine2 * b1
}

/// The same for a complex angle xi + i eta, from the sines and cosines, circular and hyperbolic, of its double.
@inline(__always)
func sineSeries(
  _ c: SineCoefficients, _ sine2: Lanes, _ cosine2: Lanes, _ sinh2: Lanes, _ cosh2: Lanes
) -> (real: Lanes, imaginary: Lanes) {
  // 2 cos 2(xi + i eta)
  let r = 2.0 * (cosine2 * cosh2)
  let i = -2.0 * (sine2 * sinh2)
  let r6 = Lanes(repeating: c.c6)
  let r5: Lanes = c.c5 + r * r6
  let i5: Lanes = i * r6
  let r4: Lanes = (c.c4 - r6) + (r * r5 - i * i5)
  let i4: Lanes = r * i5 + i * r5
  let r3: Lanes = (c.c3 - r5) + (r * r4 - i * i4)
  let i3: Lanes = (r * i4 + i * r4) - i5
  let r2: Lanes = (c.c2 - r4) + (r * r3 - i * i3)
  let i2: Lanes = (r * i3 + i * r3) - i4
  let r1: Lanes = (c.c1 - r3) + (r * r2 - i * i2)
  let i1: Lanes = (r * i2 + i * r2) - i3
  let sine = sine2 * cosh2
  let cosine = cosine2 * sinh2
  return (sine * r1 - cosine * i1, sine * i1 + cosine * r1)
}
