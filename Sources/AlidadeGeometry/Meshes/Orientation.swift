import AlidadeCoordinates

/// On which side of the line from `a` to `b` a point lies, exactly: 1 on the left, -1 on the right, 0 on the line.
///
/// The error bound is that of J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates, Discrete & Computational Geometry 18 (1997), section 4.2. Within it, the determinant is summed exactly.
@inline(__always)
func orientation(_ a: Point, _ b: Point, _ point: Point) -> Int {
  let left = (a.x - point.x) * (b.y - point.y)
  let right = (a.y - point.y) * (b.x - point.x)
  let determinant = left - right
  let bound = 3.3306690738754716e-16 * (left.magnitude + right.magnitude)
  if determinant > bound { return 1 }
  if -determinant > bound { return -1 }
  return exactOrientation(a, b, point)
}

@inline(never)
private func exactOrientation(_ a: Point, _ b: Point, _ c: Point) -> Int {
  var sum = ExactSum()
  sum.add(a.x, times: b.y)
  sum.add(-a.y, times: b.x)
  sum.add(b.x, times: c.y)
  sum.add(-b.y, times: c.x)
  sum.add(c.x, times: a.y)
  sum.add(-c.y, times: a.x)
  return sum.sign
}

/// A sum of products without any rounding, as doubles that do not overlap, the smallest first.
private struct ExactSum {
  private var terms: [Double] = []

  mutating func add(_ a: Double, times b: Double) {
    let product = DoubleDouble.product(a, b)
    add(product.low)
    add(product.high)
  }

  private mutating func add(_ value: Double) {
    var carried = value
    var grown: [Double] = []
    for term in terms {
      let sum = DoubleDouble.sum(carried, term)
      if sum.low != 0 { grown.append(sum.low) }
      carried = sum.high
    }
    if carried != 0 { grown.append(carried) }
    terms = grown
  }

  /// That of the largest term. 0 if a product was too large for a double.
  var sign: Int {
    guard let largest = terms.last, largest.isFinite else { return 0 }
    return largest > 0 ? 1 : largest < 0 ? -1 : 0
  }
}
