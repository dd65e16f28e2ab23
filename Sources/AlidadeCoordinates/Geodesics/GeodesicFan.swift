import CPROJ

/// All geodesics of one length from one centre: the direct problem for many azimuths, four at a time.
///
/// It is the solution of Karney, Algorithms for geodesics, J. Geodesy 87 (2013), 43-55, series and all, with the spherical
/// triangle solved in three dimensions: no azimuth and no pole is special there, and two arc tangents at the end are all
/// that there are.
public struct GeodesicFan: Sendable {
  /// The coefficients of the series for longitudes are among these.
  private let shape: geod_geodesic
  /// Of the centre's parametric latitude.
  private let sine: Double
  private let cosine: Double
  /// The length by the semi-minor axis, and as an angle.
  private let length: Double
  private let turn: (sine: Double, cosine: Double)
  private let twice: (sine: Double, cosine: Double)
  /// The inverse of the series for distances leaves something out on bodies this flat: a step of Newton's makes up for it,
  /// as in `geod_genposition`.
  private let isFlat: Bool

  /// - Parameters:
  ///   - latitude: of the centre, degrees, -90 to 90.
  ///   - distance: metres, up to half the way around the body.
  public init(_ geodesic: Geodesic, latitude: Double, distance: Double) {
    shape = geodesic.parameters
    isFlat = shape.f.magnitude > 0.01
    // The smaller angle, to the equator or to the pole, keeps its digits; at the pole it is 0.
    let isSteep = latitude.magnitude > 45
    let angle = (isSteep ? 90 - latitude.magnitude : latitude) * .pi / 180
    let (near, far) = sineCosine(Lanes(repeating: angle))
    let (s, c) = isSteep ? (shape.f1 * (latitude < 0 ? -far[0] : far[0]), near[0]) : (shape.f1 * near[0], far[0])
    let norm = (s * s + c * c).squareRoot()
    (sine, cosine) = (s / norm, c / norm)
    length = distance / shape.b
    // With what the division has lost, for far away it is some nanometres.
    let lost = distance.addingProduct(-length, shape.b) / shape.b
    let (up, along) = sineCosine(Lanes(repeating: length))
    turn = (up[0] + lost * along[0], along[0] - lost * up[0])
    twice = (2 * turn.sine * turn.cosine, (turn.cosine - turn.sine) * (turn.cosine + turn.sine))
  }

  /// Writes the ends of the geodesics: longitudes from the centre's meridian, -180 to 180, and latitudes, in degrees.
  ///
  /// - Parameters:
  ///   - sines: of azimuths. As many sines and cosines are used as `points` can hold.
  public func fill(
    _ points: UnsafeMutableBufferPointer<Point>, sines: UnsafeBufferPointer<Double>,
    cosines: UnsafeBufferPointer<Double>
  ) {
    let count = min(points.count, min(sines.count, cosines.count))
    // A kilobyte, which is on the stack.
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: 2 &* Self.block) { memory in
      guard let x = memory.baseAddress else { return }
      let y = x + Self.block
      var start = 0
      while start < count {
        let size = min(4 &* Self.block, count &- start)
        load(sines, start, size, x)
        load(cosines, start, size, y)
        for index in 0..<(size &+ 3) / 4 { (x[index], y[index]) = ends(x[index], y[index]) }
        // Right: four doubles are stored in a row.
        let (longitudes, latitudes) = (UnsafeRawPointer(x), UnsafeRawPointer(y))
        for index in 0..<size {
          let offset = 8 &* index
          points[start &+ index] = Point(
            x: longitudes.load(fromByteOffset: offset, as: Double.self),
            y: latitudes.load(fromByteOffset: offset, as: Double.self))
        }
        start &+= size
      }
    }
  }

  /// Where the geodesic of one azimuth ends, as above.
  public func end(sine: Double, cosine: Double) -> Point {
    let (x, y) = ends(Lanes(repeating: sine), Lanes(repeating: cosine))
    return Point(x: x[0], y: y[0])
  }

  /// Fours of points that are computed together.
  private static let block = 16

  /// Numbers into lanes; those that are left over repeat the last one.
  @inline(__always)
  private func load(
    _ numbers: UnsafeBufferPointer<Double>, _ start: Int, _ count: Int, _ lanes: UnsafeMutablePointer<Lanes>
  ) {
    let target = UnsafeMutableRawPointer(lanes)
    for index in 0..<((count &+ 3) & ~3) {
      target.storeBytes(of: numbers[start &+ min(index, count &- 1)], toByteOffset: 8 &* index, as: Double.self)
    }
  }

  /// Longitudes and latitudes, degrees, from sines and cosines of azimuths. Names as in Karney's paper: sigma is the arc
  /// on the auxiliary sphere from the node, tau the way scaled to it, epsilon the expansion parameter; 1 is the centre, 2
  /// the end. Series need sines and cosines of the doubles of sigma and tau alone, which takes no root.
  @inline(__always)
  private func ends(_ sineAzimuth: Lanes, _ cosineAzimuth: Lanes) -> (longitude: Lanes, latitude: Lanes) {
    let degrees = 180 / Double.pi
    let sine0 = sineAzimuth * cosine
    let (up, out) = (sineAzimuth * sine, cosineAzimuth * cosine)
    let square0 = cosineAzimuth * cosineAzimuth + up * up
    let k2 = square0 * shape.ep2
    let epsilon = Self.expansion(k2)
    // Along the equator sigma 1 is of no consequence: what it is multiplied by is 0.
    let perSquare = 1.0 / (square0 + 1e-300)
    let double1 = Turn(sine: (out * (2 * sine)) * perSquare, cosine: (out * out - sine * sine) * perSquare)

    let forth = SigmaSeries(distances: epsilon)
    let b1 = forth.sum(double1)
    // As little as possible is added to much: tau and sigma are longer than the length by some thousandths.
    let shortening = length * SigmaSeries.shortening(epsilon)
    let doubleLength1 = double1.turned(
      by: Turn(sine: Lanes(repeating: twice.sine), cosine: Lanes(repeating: twice.cosine)))
    let tau1 = b1 - shortening
    var excess = tau1 + SigmaSeries(arcs: epsilon).sum(doubleLength1.turned(by: tau1 + tau1))
    if isFlat {
      excess += correction(k2: k2, epsilon, excess, double2: doubleLength1.turned(by: excess + excess), forth, b1)
    }
    let longitudes = SigmaSeries(longitudes: epsilon, shape)
    let bend = longitudes.sum(doubleLength1.turned(by: excess + excess)) - longitudes.sum(double1)
    let lag = (sine0 * -shape.f) * (SigmaSeries.longitudeScale(epsilon, shape) * ((length + excess) + bend))

    let arc = Turn(sine: Lanes(repeating: turn.sine), cosine: Lanes(repeating: turn.cosine)).turned(by: excess)
    let north = arc.sine * cosineAzimuth
    let x: Lanes = arc.cosine * cosine - north * sine
    let y: Lanes = arc.sine * sineAzimuth
    let z: Lanes = arc.cosine * sine + north * cosine
    let place = Turn(sine: y, cosine: x).turned(by: lag)
    // On the axis the longitude is 0.
    let longitude = angle(y: place.sine, x: place.cosine + 1e-300)
    let latitude = angleToTheRight(y: z, x: squareRoots(x * x + y * y) * shape.f1)
    return (longitude * degrees, latitude * degrees)
  }

  /// (sqrt(1 + k2) - 1) / (sqrt(1 + k2) + 1): Karney's equation 16. Its series gives ten digits, and a step of Newton's on
  /// 4 epsilon = k2 (1 - epsilon)^2 the rest.
  @inline(__always)
  private static func expansion(_ k2: Lanes) -> Lanes {
    let first: Lanes = k2 * line(k2, 1.0 / 4, line(k2, -1.0 / 8, 5.0 / 64))
    let left: Lanes = 1.0 - first
    let slope: Lanes = k2 * left
    return first - (4.0 * first - slope * left) / (2.0 * slope + 4.0)
  }

  /// What an arc lacks.
  @inline(never)
  private func correction(
    k2: Lanes, _ epsilon: Lanes, _ excess: Lanes, double2: Turn, _ forth: SigmaSeries, _ b1: Lanes
  ) -> Lanes {
    let arc = length + excess + (forth.sum(double2) - b1)
    let error = arc / (1.0 - SigmaSeries.shortening(epsilon)) - length
    return -error / squareRoots(k2 * (0.5 - 0.5 * double2.cosine) + 1.0)
  }
}

/// Not inlined: the branches for negative numbers make the compiler take lanes apart far around them.
@inline(never)
private func squareRoots(_ x: Lanes) -> Lanes { x.squareRoot() }

/// Sines and cosines of angles.
private struct Turn {
  let sine, cosine: Lanes

  @inline(__always)
  func turned(by other: Turn) -> Turn {
    let across: Lanes = sine * other.cosine + cosine * other.sine
    let along: Lanes = cosine * other.cosine - sine * other.sine
    return Turn(sine: across, cosine: along)
  }

  /// By a small angle: up to 0.06, and for series, whose coefficients are below a hundredth, 0.1. Right to 1e-16.
  @inline(__always)
  func turned(by angle: Lanes) -> Turn {
    let (s, c) = AlidadeCoordinates.turned(sine, cosine, by: angle)
    return Turn(sine: s, cosine: c)
  }
}

/// a + b z.
@inline(__always)
private func line(_ z: Lanes, _ a: Double, _ b: Double) -> Lanes { a + z * b }

/// a + b z, for longer polynomials by Horner's rule.
@inline(__always)
private func line(_ z: Lanes, _ a: Double, _ b: Lanes) -> Lanes { a + z * b }

/// A sum of c_k sin 2k(sigma), k from 1 to 6, its coefficients powers of epsilon.
private struct SigmaSeries {
  let c1, c2, c3, c4, c5, c6: Lanes

  /// From sigma to tau: Karney's equation 18.
  @inline(__always)
  init(distances e: Lanes) {
    let e2 = e * e
    let (e3, e4) = (e2 * e, e2 * e2)
    c1 = e * line(e2, -1.0 / 2, line(e2, 3.0 / 16, -1.0 / 32))
    c2 = e2 * line(e2, -1.0 / 16, line(e2, 1.0 / 32, -9.0 / 2048))
    c3 = e3 * line(e2, -1.0 / 48, 3.0 / 256)
    c4 = e4 * line(e2, -5.0 / 512, 3.0 / 512)
    c5 = (e4 * e) * (-7.0 / 1280)
    c6 = (e4 * e2) * (-7.0 / 2048)
  }

  /// From tau to sigma: equation 21.
  @inline(__always)
  init(arcs e: Lanes) {
    let e2 = e * e
    let (e3, e4) = (e2 * e, e2 * e2)
    c1 = e * line(e2, 1.0 / 2, line(e2, -9.0 / 32, 205.0 / 1536))
    c2 = e2 * line(e2, 5.0 / 16, line(e2, -37.0 / 96, 1335.0 / 4096))
    c3 = e3 * line(e2, 29.0 / 96, -75.0 / 128)
    c4 = e4 * line(e2, 539.0 / 1536, -2391.0 / 2560)
    c5 = (e4 * e) * (3467.0 / 7680)
    c6 = (e4 * e2) * (38081.0 / 61440)
  }

  /// Equation 25; its coefficients depend on the ellipsoid.
  @inline(__always)
  init(longitudes e: Lanes, _ shape: geod_geodesic) {
    let c = shape.C3x
    let e2 = e * e
    let (e3, e4) = (e2 * e, e2 * e2)
    c1 = e * line(e, c.4, line(e, c.3, line(e, c.2, line(e, c.1, c.0))))
    c2 = e2 * line(e, c.8, line(e, c.7, line(e, c.6, c.5)))
    c3 = e3 * line(e, c.11, line(e, c.10, c.9))
    c4 = e4 * line(e, c.13, c.12)
    c5 = (e4 * e) * c.14
    c6 = .zero
  }

  /// By what share the arc is shorter than the way by the semi-minor axis, from equation 17.
  @inline(__always)
  static func shortening(_ e: Lanes) -> Lanes {
    let e2 = e * e
    let t = e2 * line(e2, 1.0 / 4, line(e2, 1.0 / 64, 1.0 / 256))
    return (t + e) / (t + 1.0)
  }

  /// Equation 24.
  @inline(__always)
  static func longitudeScale(_ e: Lanes, _ shape: geod_geodesic) -> Lanes {
    let a = shape.A3x
    return line(e, a.5, line(e, a.4, line(e, a.3, line(e, a.2, line(e, a.1, a.0)))))
  }

  /// By Clenshaw's recurrence, from the sine and cosine of 2 sigma.
  @inline(__always)
  func sum(_ double: Turn) -> Lanes {
    let r = double.cosine + double.cosine
    let b5: Lanes = c5 + r * c6
    let b4: Lanes = (c4 - c6) + r * b5
    let b3: Lanes = (c3 - b5) + r * b4
    let b2: Lanes = (c2 - b4) + r * b3
    let b1: Lanes = (c1 - b3) + r * b2
    return double.sine * b1
  }
}
