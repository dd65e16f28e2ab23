/// Whether the places where two circles meet lie inside of a third one, by numbers of twice a double's precision: far
/// quicker than whole numbers of many words, and nearly always enough. The terms are those of
/// `CircleLattice.isCrossing`.
struct CrossingPower {
  private let x: DoubleDouble
  private let y: DoubleDouble
  private let excess: DoubleDouble
  /// By how much each may be wrong.
  private let errors: (x: Double, y: Double, excess: Double)

  init(of i: Disc, _ j: Disc, seenFrom k: Disc) {
    let (ax, ay) = (DoubleDouble.sum(j.x, -i.x), DoubleDouble.sum(j.y, -i.y))
    let (bx, by) = (DoubleDouble.sum(k.x, -i.x), DoubleDouble.sum(k.y, -i.y))
    let wi = DoubleDouble.product(i.radius, i.radius)
    let wj = DoubleDouble.product(j.radius, j.radius)
    let wk = DoubleDouble.product(k.radius, k.radius)
    let aa = ax * ax + ay * ay
    let bb = bx * bx + by * by
    let ab = ax * bx + ay * by
    let powerA = aa + wi - wj
    let powerB = bb + wi - wk
    x = powerA * ab - powerB * aa
    y = ax * by - ay * bx
    let product = powerA * powerB * ab
    let wy = wi * y * y
    let twice = wy + wy
    excess = powerA * powerA * bb - (product + product) + powerB * powerB * aa - (twice + twice)
    // Each step is wrong by 2^-100 of the largest terms at most; there are less than 32 steps.
    let unit = 0x1p-95
    let largestA = aa.high + wi.high + wj.high
    let largestB = bb.high + wi.high + wk.high
    let largestAB = (aa.high * bb.high).squareRoot()
    let sums = largestA * bb.high.squareRoot() + largestB * aa.high.squareRoot()
    errors = (
      unit * (largestA * largestAB + largestB * aa.high), unit * largestAB,
      unit * (sums * sums + 4 * wi.high * aa.high * bb.high)
    )
  }

  /// For the place where the first circle leaves (1) or enters (-1) the second one; nil if this cannot tell.
  func isInside(side: Int) -> Bool? {
    // Far below, what doubles lose is no share of the terms any more.
    guard errors.excess > 1e-280, abs(x.high) > errors.x, abs(y.high) > errors.y else { return nil }
    let isRight = (y.high > 0) == (side > 0)
    if (x.high > 0) == isRight { return isRight }
    guard abs(excess.high) > errors.excess else { return nil }
    return (x.high > 0) == (excess.high > 0)
  }
}
