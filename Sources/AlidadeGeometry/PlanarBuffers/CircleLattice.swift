/// A circle under work: in input coordinates times a power of two.
struct Disc {
  var x: Double
  var y: Double
  var radius: Double
  /// Its place in the input.
  var index: Int32
}

/// Exact answers about circles: which meet, and whether the place where two meet lies inside of a third.
///
/// All coordinates are taken as integers on one lattice, fine enough to hold doubles as they are down to 2^-107 of the
/// largest. So the answers never contradict each other, which keeps rings closed whatever the input.
///
/// Three circles through one place are told apart by symbolic perturbation: each circle is thought to be smaller by an
/// infinitesimal amount of its own, the earlier in order the larger by all measures. Circles that touch from outside
/// are therefore apart.
struct CircleLattice: Sendable {
  /// The lattice's step is 2 to this.
  let stepExponent: Int

  /// - Parameters:
  ///   - lowestBit: the exponent of the lowest bit that is set in any coordinate or radius.
  ///   - exponent: the largest exponent of any.
  init(lowestBit: Int, exponent: Int) { stepExponent = max(lowestBit, exponent &- 159) }

  /// The exponent of the lowest bit of a double other than 0.
  static func lowestBit(_ value: Double) -> Int {
    guard value.isNormal else { return -1074 }
    let bits = value.significandBitPattern
    return Int(truncatingIfNeeded: value.exponent) &- (bits == 0 ? 0 : 52 &- bits.trailingZeroBitCount)
  }

  /// How a circle lies to another one that is not smaller.
  enum Relation { case apart, crossing, inside }

  func relation(_ small: Disc, _ large: Disc) -> Relation {
    let x = wide(large.x) - wide(small.x)
    let y = wide(large.y) - wide(small.y)
    let r = wide(small.radius)
    let s = wide(large.radius)
    let square = x * x + y * y
    if (square - (r + s) * (r + s)).sign >= 0 { return .apart }
    return (square - (s - r) * (s - r)).sign <= 0 ? .inside : .crossing
  }

  /// The sign of the cross product of the directions from a circle's centre to two others': 1 if counterclockwise.
  func turn(_ i: Disc, _ j: Disc, _ k: Disc) -> Int {
    let x = wide(i.x)
    let y = wide(i.y)
    return ((wide(j.x) - x) * (wide(k.y) - y) - (wide(j.y) - y) * (wide(k.x) - x)).sign
  }

  /// Whether the place where circle `i`, followed counterclockwise, enters (`side` -1) or leaves (`side` 1) circle `j`
  /// lies inside of `k`. The ranks are the circles' order.
  func isCrossing(
    of i: Disc, _ j: Disc, side: Int, inside k: Disc, ranks: (i: Int32, j: Int32, k: Int32)
  ) -> Bool {
    CrossingPower(of: i, j, seenFrom: k).isInside(side: side) ?? isCrossingExactly(of: i, j, side, k, ranks)
  }

  private func isCrossingExactly(
    of i: Disc, _ j: Disc, _ side: Int, _ k: Disc, _ ranks: (i: Int32, j: Int32, k: Int32)
  ) -> Bool {
    // With P seen from the centre of i, a and b the ways to the centres of j and k:
    //   2 |a|^2 P = A a + side sqrt(D) a', a' the normal of a, A = |a|^2 + ri^2 - rj^2, D = 4 |a|^2 ri^2 - A^2,
    // and P lies inside of k where 2 b.P > B = |b|^2 + ri^2 - rk^2, that is where X + side Y sqrt(D) > 0 with
    //   X = A a.b - B |a|^2, Y = a x b.
    let (ax, ay) = (wide(j.x) - wide(i.x), wide(j.y) - wide(i.y))
    let (bx, by) = (wide(k.x) - wide(i.x), wide(k.y) - wide(i.y))
    let (ri, rj, rk) = (wide(i.radius), wide(j.radius), wide(k.radius))
    let wi = ri * ri
    let aa = ax * ax + ay * ay
    let bb = bx * bx + by * by
    let ab = ax * bx + ay * by
    let powerA = aa + wi - rj * rj
    let powerB = bb + wi - rk * rk
    let x = powerA * ab - powerB * aa
    let y = ax * by - ay * bx
    let signOfY = side &* y.sign
    if x.sign != 0 || signOfY != 0 {
      if x.sign >= 0, signOfY >= 0 { return true }
      if x.sign <= 0, signOfY <= 0 { return false }
      // X^2 - Y^2 D is |a|^2 times this:
      let product = powerA * powerB * ab
      let wy = wi * y * y
      let twice = wy + wy
      let excess = powerA * powerA * bb - (product + product) + powerB * powerB * aa - (twice + twice)
      if excess.sign != 0 { return x.sign > 0 ? excess.sign > 0 : excess.sign < 0 }
    }
    // P lies on k. The circle that comes first decides: it shrinks, the others stay.
    if ranks.k < ranks.i, ranks.k < ranks.j { return false }
    let normals: Int  // the sign of nj x nk if i shrinks, of nk x ni if j does; n the normals in P
    if ranks.i < ranks.j {
      let z = ab - aa
      normals = y.isZero ? side &* z.sign : (y * y * (aa + aa - powerA) - x * z).sign &* y.sign
    } else {
      normals = y.isZero ? side &* (0 &- ab.sign) : (powerA * y * y + x * ab).sign &* y.sign
    }
    // Where normals are parallel, two of the circles touch in P, and it leaves the third along the other.
    return normals &* side < 0
  }

  private func wide(_ value: Double) -> WideInteger { WideInteger(value, stepExponent: stepExponent) }
}
