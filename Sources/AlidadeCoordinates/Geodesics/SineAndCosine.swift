import Glibc

/// Sine and cosine of an angle, exact at every quarter turn: poles have no longitude.
@inlinable
public func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  // -45 <= rest <= 45 around the nearest quarter turn, where the conversion to radians loses nothing that counts.
  let quarter = (degrees / 90).rounded()
  let rest = (degrees - quarter * 90) * .pi / 180
  let (s, c) = (sin(rest), cos(rest))
  // Beyond the integers an angle has no digits left for quarter turns.
  switch (Int64(exactly: quarter) ?? 0) & 3 {
  case 0: return (s, c)
  case 1: return (c, -s)
  case 2: return (-s, -c)
  default: return (-c, s)
  }
}
