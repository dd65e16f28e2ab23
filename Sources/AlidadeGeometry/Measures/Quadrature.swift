/// Integrals of smooth functions by Gauss and Legendre's rule with 16 nodes, exact for polynomials of the 31st degree.
enum Quadrature {
  private static let places = [
    0.09501250983763745, 0.2816035507792589, 0.45801677765722737, 0.6178762444026438, 0.755404408355003,
    0.8656312023878318, 0.9445750230732326, 0.9894009349916499,
  ]
  private static let weights = [
    0.18945061045506859, 0.1826034150449236, 0.16915651939500262, 0.14959598881657676, 0.12462897125553403,
    0.09515851168249259, 0.062253523938647706, 0.027152459411754037,
  ]

  /// The integral between two limits, in one piece.
  @inline(__always)
  static func integral(from: Double, to: Double, _ function: (Double) -> Double) -> Double {
    let (middle, half) = (from + (to - from) / 2, (to - from) / 2)
    var sum = 0.0
    for index in 0..<8 {
      let offset = half * places[index]
      sum += weights[index] * (function(middle + offset) + function(middle - offset))
    }
    return sum * half
  }

  /// The same in pieces of a length at most; at most 4096 of them.
  static func integral(
    from: Double, to: Double, pieces longest: Double, _ function: (Double) -> Double
  ) -> Double {
    let wanted = ((to - from).magnitude / longest).rounded(.up)
    guard wanted > 1, let count = Int(exactly: min(wanted, 4096)) else {
      return integral(from: from, to: to, function)
    }
    let step = (to - from) / Double(count)
    return (0..<count).reduce(0) { sum, piece in
      sum + integral(from: from + Double(piece) * step, to: from + Double(piece &+ 1) * step, function)
    }
  }

  /// The same, halved until both halves agree with the whole: for functions that bend sharply somewhere.
  ///
  /// - Parameter absolute: what each piece may be off, too: the function's own rounding, in which there is no end to
  ///   what can be found. Some 65,536 pieces are the most.
  static func adaptive(
    from: Double, to: Double, relative: Double = 1e-14, absolute: Double, depth: Int = 40,
    _ function: (Double) -> Double
  ) -> Double {
    var budget = 65_536
    func refine(_ from: Double, _ to: Double, _ whole: Double, _ depth: Int) -> Double {
      budget &-= 1
      let middle = from + (to - from) / 2
      let (first, second) = (integral(from: from, to: middle, function), integral(from: middle, to: to, function))
      let allowed = max(absolute, relative * (first.magnitude + second.magnitude))
      let isDone = (first + second - whole).magnitude <= allowed
      if isDone || depth == 0 || budget <= 0 || !(first + second).isFinite { return first + second }
      return refine(from, middle, first, depth &- 1) + refine(middle, to, second, depth &- 1)
    }
    return refine(from, to, integral(from: from, to: to, function), depth)
  }

  /// The limit of values that a sum takes as its pieces are halved, if its error is a series in the square of their
  /// length: Romberg's table.
  ///
  /// - Parameters:
  ///   - pieces: how many there are at first.
  ///   - tolerance: what the result may be off.
  static func limit<Failure: Error>(
    pieces: Int, tolerance: Double, _ value: (Int) throws(Failure) -> Double
  ) throws(Failure) -> Double {
    var row = [try value(pieces)]
    var count = pieces
    for _ in 0..<10 {
      count = count &* 2
      var next = [try value(count)]
      var factor = 4.0
      for before in row {
        let last = next[next.count &- 1]
        next.append(last + (last - before) / (factor - 1))
        factor *= 4
      }
      let (best, older) = (next[next.count &- 1], row[row.count &- 1])
      row = next
      if (best - older).magnitude <= tolerance || !best.isFinite { return best }
    }
    return row[row.count &- 1]
  }
}
