import AlidadeCoordinates
import Glibc

/// A geodesic circle that keeps clear of the poles, as longitude and latitude by the azimuth.
///
/// There both are smooth and periodic, so trigonometric interpolation between a few exact points gives all others without
/// a single arc tangent: the latitude by cosines, the longitude by sines, for the circle is its own image in the centre's
/// meridian. Their coefficients fall off geometrically: on a sphere, in the stereographic map around the centre, by how
/// much nearer the circle is than the pole. `GeodesicCircle` has all other circles, in three dimensions.
struct CircleSeries {
  let centre: Point
  /// Degrees from the centre: of the latitude by cosines (x), of the longitude by sines (y), of multiples of the azimuth.
  private let terms: [SIMD2<Double>]
  let exactPointCount: Int

  /// What the interpolation may be off from exact points between its nodes, metres.
  static let tolerance = 9e-9
  /// What the last terms may come to, metres: they tell what is left out.
  private static let leastTerm = 3e-9
  /// The greatest ratio of terms that follow each other: beyond it there are too many.
  private static let greatestRatio = 0.6
  private static let nodes = [4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 56, 80].map { UnitCircle(count: 2 &* $0) }

  /// nil where the series would be long, or does not prove itself.
  init?(_ geodesic: Geodesic, centre: Point, radius: Double) {
    let ellipsoid = geodesic.ellipsoid
    let angle = radius / ellipsoid.curvatureRadii.lowerBound
    guard centre.isFinite, centre.y.magnitude < 90, radius > 0, angle < .pi / 2 else { return nil }
    let ratio = tan(angle / 2) / tan((90 - centre.y.magnitude) / 2 * Earth.radian)
    guard ratio < Self.greatestRatio else { return nil }
    let metres = ellipsoid.semiMajorAxis * Earth.radian
    let needed = log(metres * Earth.degrees / 1e-9) / -log(ratio) + 1.5
    guard let circle = Self.nodes.first(where: { Double($0.count) >= 2 * needed }) else { return nil }
    let fan = GeodesicFan(geodesic, latitude: centre.y, distance: radius)
    func offset(_ point: Point) -> SIMD2<Double> { SIMD2(point.y - centre.y, point.x.magnitude) }
    let half = circle.count / 2
    var points = [Point](repeating: .nan, count: half &+ 1)
    points.withUnsafeMutableBufferPointer { points in
      circle.sines.withUnsafeBufferPointer { sines in
        circle.cosines.withUnsafeBufferPointer { cosines in fan.fill(points, sines: sines, cosines: cosines) }
      }
    }
    self.centre = centre
    terms = Self.terms(points.map(offset), circle)
    exactPointCount = circle.count
    for term in terms.suffix(2) where !(max(term.x.magnitude, term.y.magnitude) * metres < Self.leastTerm) {
      return nil
    }
    // Halfway between nodes an interpolation errs most, and most of all towards a pole.
    let (sine, cosine) = (sin(.pi / 2 / Double(half)), cos(.pi / 2 / Double(half)))
    for cosine in [cosine, -cosine] {
      let error = offset(fan.end(sine: sine, cosine: cosine)) - self.offset(cosine: cosine, sine: sine)
      guard (error * error).sum().squareRoot() * metres < Self.tolerance else { return nil }
    }
  }

  /// The discrete cosine and sine transforms of exact points on the eastern half.
  private static func terms(_ exact: [SIMD2<Double>], _ circle: UnitCircle) -> [SIMD2<Double>] {
    let (count, half) = (circle.count, circle.count / 2)
    return circle.cosines.withUnsafeBufferPointer { cosines in
      circle.sines.withUnsafeBufferPointer { sines in
        exact.withUnsafeBufferPointer { exact in
          (0...half).map { order in
            var sum = SIMD2(order & 1 == 0 ? exact[0].x + exact[half].x : exact[0].x - exact[half].x, 0) * 0.5
            var place = order
            for index in 1..<half {
              sum += exact[index] * SIMD2(cosines[place], sines[place])
              place &+= order
              if place >= count { place &-= count }
            }
            return sum * SIMD2((order == 0 || order == half ? 1 : 2) / Double(half), 2 / Double(half))
          }
        }
      }
    }
  }

  /// Degrees from the centre, of the latitude and the longitude, by Clenshaw's recurrence.
  @inline(__always)
  private static func sum(
    _ terms: UnsafeBufferPointer<SIMD2<Double>>, _ cosine: Double, _ sine: Double
  ) -> SIMD2<Double> {
    let twice = SIMD2(repeating: 2 * cosine)
    var (last, next) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var order = terms.count &- 1
    while order > 0 {
      (last, next) = (terms[order] + twice * last - next, last)
      order &-= 1
    }
    return SIMD2(terms[0].x + last.x * cosine - next.x, last.y * sine)
  }

  /// Degrees from the centre that no point of the circle exceeds.
  var greatestLongitude: Double { terms.reduce(0) { $0 + $1.y.magnitude } }

  func offset(cosine: Double, sine: Double) -> SIMD2<Double> {
    terms.withUnsafeBufferPointer { Self.sum($0, cosine, sine) }
  }

  /// Calls `put` with the offsets at 0 to 180 degrees in so many steps.
  ///
  /// - Parameter angles: the sines and cosines of these and of as many more angles; nil: they are computed.
  @inline(__always)
  func walk(steps: Int, _ angles: UnitCircle?, _ put: (Int, SIMD2<Double>) -> Void) {
    terms.withUnsafeBufferPointer { terms in
      guard let angles, angles.count == 2 &* steps else {
        for index in 0...steps {
          let (sine, cosine) = Earth.sineAndCosine(180 * Double(index) / Double(steps))
          put(index, Self.sum(terms, cosine, sine))
        }
        return
      }
      angles.cosines.withUnsafeBufferPointer { cosines in
        angles.sines.withUnsafeBufferPointer { sines in
          for index in 0...steps { put(index, Self.sum(terms, cosines[index], sines[index])) }
        }
      }
    }
  }

  /// Fills a buffer as `GeodesicCircle.fill` does.
  func fill(_ points: UnsafeMutableBufferPointer<Point>, angles: UnitCircle) {
    let count = min(points.count, angles.count)
    guard count > 0, let points = points.baseAddress else { return }
    terms.withUnsafeBufferPointer { terms in
      angles.cosines.withUnsafeBufferPointer { cosines in
        angles.sines.withUnsafeBufferPointer { sines in
          for index in 0...(count / 2) {
            let offset = Self.sum(terms, cosines[index], sines[index])
            points[index] = Point(x: centre.x + offset.y, y: centre.y + offset.x)
            let mirrored = count &- index
            if index > 0, mirrored > index { points[mirrored] = Point(x: centre.x - offset.y, y: centre.y + offset.x) }
          }
        }
      }
    }
  }
}
