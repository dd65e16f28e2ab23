import AlidadeBase
import AlidadeCoordinates
import Glibc

/// A line through vertices that keeps within a deviation of the curve that it stands for. Between vertices it is straight
/// in longitude and latitude, geodesic, or straight in the plane of a projected spatial reference, which its vertices
/// are in then.
///
/// The deviation of a chord is taken at three points of the curve, as signed distances to the chord in three dimensions,
/// and between them by the polynomial through these and the two ends; at many points where that does not follow. Chords
/// are halved until it is small enough.
struct ChordPath {
  enum Edges {
    case straight
    case geodesic(Geodesic)
    case planar(EarthPlane)
  }

  let earth: Earth
  let edges: Edges
  /// Metres.
  private(set) var maximumDeviation: Double
  private(set) var points: [Point] = []
  /// Metres; not below the true one.
  private(set) var achievedDeviation = 0.0

  /// What vertices may be off by themselves: rounding of degrees, and of Karney's series.
  static let rounding = 2e-8
  /// What a host's memory is good for.
  static let greatestCount = 20_000_000
  private let vertexLimit: Int
  /// For what the polynomial leaves out: it is of the fourth degree, and chords are short against what they stand for.
  private static let margin = 1.01
  /// A margin for what may lie between the 31 points that are examined where a chord is lopsided.
  private static let lopsidedMargin = 1.03
  /// By how much more the worst of even chords may err than those that are looked at.
  private static let evenMargin = 1.05

  init(
    _ earth: Earth, maximumDeviation: Double, edges: Edges = .straight, vertexLimit: Int = ChordPath.greatestCount
  ) {
    self.vertexLimit = min(vertexLimit, Self.greatestCount)
    self.earth = earth
    self.edges = edges
    self.maximumDeviation = maximumDeviation
  }

  private struct Chord {
    var start: Double
    var end: Double
    /// Where the curve is at `end`.
    var place: Point
  }

  /// A curve, or a part of one.
  ///
  /// A closure in a structure: of a function that takes a closure, the compiler writes a copy for each closure that is
  /// given. That was half a megabyte.
  private struct Curve {
    let whole: (Double) -> Point
    var start = 0.0
    var width = 1.0

    func callAsFunction(_ share: Double) -> Point { whole(start + share * width) }
  }

  /// Adds a curve, given by its points for 0...1 and cut into so many pieces at first. Its first point is that at which
  /// the path ends, unless the path is empty.
  @inline(never)
  mutating func append(pieces: Int, _ curve: (Double) -> Point) throws(EngineError) {
    try withoutActuallyEscaping(curve) { (curve) throws(EngineError) in
      try append(pieces: pieces, Curve(whole: curve))
    }
  }

  private mutating func append(pieces: Int, _ curve: Curve) throws(EngineError) {
    if points.isEmpty { points.append(try vertex(at: curve(0), after: nil).vertex) }
    let pieces = max(1, pieces)
    for piece in 0..<pieces {
      let end = Double(piece &+ 1) / Double(pieces)
      var open = [Chord(start: Double(piece) / Double(pieces), end: end, place: curve(end))]
      while let chord = open.popLast() {
        guard let from = points.last else { return }
        try TimeLimit.check()
        let (to, error) = try vertex(at: chord.place, after: from)
        let width = chord.end - chord.start
        let bow = bow(from, to, Curve(whole: curve.whole, start: chord.start, width: width))
        let deviation = bow.greatest + error + Self.rounding
        if deviation <= maximumDeviation {
          points.append(to)
          achievedDeviation = max(achievedDeviation, deviation)
          continue
        }
        guard width > 1e-14 else { throw failure(near: chord.place, deviation) }
        guard points.count &+ open.count < vertexLimit else { throw tooMany(points.count &+ open.count) }
        if bow.isEven, try appendEvenly(chord, bow.greatest, error, curve) { continue }
        let middle = chord.start + width / 2
        open.append(Chord(start: middle, end: chord.end, place: chord.place))
        open.append(Chord(start: chord.start, end: middle, place: curve(middle)))
      }
    }
  }

  /// Adds even chords instead of a chord that is too long, where the curve bends so evenly that some of them represent
  /// all. Returns whether it has done so.
  private mutating func appendEvenly(
    _ chord: Chord, _ deviation: Double, _ error: Double, _ curve: Curve
  ) throws(EngineError) -> Bool {
    let allowed = (maximumDeviation - error - Self.rounding) / Self.evenMargin
    guard allowed > 0, let from = points.last,
      let count = Int(exactly: (deviation / allowed * Self.evenMargin).squareRoot().rounded(.up)), count > 3
    else { return false }
    guard points.count &+ count < vertexLimit else { throw tooMany(points.count &+ count) }
    let step = (chord.end - chord.start) / Double(count)
    func share(_ number: Int) -> Double { chord.start + step * Double(number) }
    var greatest = 0.0
    for number in [0, count / 2, count &- 1] {
      let first = number == 0 ? from : try vertex(at: curve(share(number)), after: from).vertex
      let second = try vertex(at: number == count &- 1 ? chord.place : curve(share(number &+ 1)), after: first).vertex
      let part = Curve(whole: curve.whole, start: share(number), width: step)
      greatest = max(greatest, bow(first, second, part).greatest)
      guard greatest <= allowed else { return false }
    }
    let size = points.count
    var (last, errors) = (from, error)
    var before: Double?
    points.reserveCapacity(points.count &+ count)
    for number in 1...count {
      if number % 64 == 0 { try TimeLimit.check() }
      let made = try vertex(at: number == count ? chord.place : curve(share(number)), after: last)
      errors = max(errors, made.error)
      // Even chords have even lengths. A chord across the map, along which it is cut open, does not.
      let length = hypot(made.vertex.x - last.x, made.vertex.y - last.y)
      if case .planar = edges, let before, length > 2 * before {
        points.removeLast(points.count &- size)
        return false
      }
      before = length
      last = made.vertex
      points.append(last)
    }
    let achieved = greatest * Self.evenMargin + errors + Self.rounding
    guard achieved <= maximumDeviation else {
      points.removeLast(points.count &- size)
      return false
    }
    achievedDeviation = max(achievedDeviation, achieved)
    return true
  }

  /// Adds a curve that no outline shows, to within `deviation`, metres, which the achieved one does not count.
  mutating func append(pieces: Int, hiddenWithin deviation: Double, _ curve: (Double) -> Point) throws(EngineError) {
    let (allowed, achieved) = (maximumDeviation, achievedDeviation)
    maximumDeviation = deviation
    defer { (maximumDeviation, achievedDeviation) = (allowed, achieved) }
    try append(pieces: pieces, curve)
  }

  /// The vertex for a position, near the previous vertex, and the distance between both in metres.
  private func vertex(at place: Point, after last: Point?) throws(EngineError) -> (vertex: Point, error: Double) {
    guard place.isFinite else {
      // Where a map is cut open, points on its edges may have no position on the earth.
      throw EngineError(
        .projectionFailed, "Part of the outline has no position on the earth: the map is cut open there, or ends.")
    }
    guard case .planar(let plane) = edges else {
      return (last.map { place.unwrapped(near: $0.x, width: 360) } ?? place, 0)
    }
    let image = try plane.image(of: place)
    let error = (earth.position(plane.place(of: image)) - earth.position(place)).length
    guard let last, let width = plane.world?.width else { return (image, error) }
    return (image.unwrapped(near: last.x, width: width), error)
  }

  private func failure(near place: Point, _ deviation: Double) -> EngineError {
    if case .planar(let plane) = edges { return plane.breakage(near: place) }
    return EngineError(
      .limitExceeded,
      "A curve near \(place.x), \(place.y) cannot be kept within \(maximumDeviation) m: the deviation is \(deviation) m "
        + "after \(points.count) points. Allow a greater deviation.")
  }

  private func tooMany(_ count: Int) -> EngineError {
    EngineError(
      .limitExceeded,
      "To keep within \(maximumDeviation) m of a curve takes \(count) vertices or more; \(vertexLimit) are left. Allow a "
        + "greater deviation, or raise max_request_points and max_request_bytes.")
  }

  /// Ends a ring where it began, up to whole turns around the world. Returns the turns: 1 for once eastwards around a
  /// pole.
  mutating func close() throws(EngineError) -> Double {
    guard let first = points.first, let last = points.last else { return 0 }
    var width: Double? = 360
    if case .planar(let plane) = edges { width = plane.world?.width }
    let turns = width.map { ((last.x - first.x) / $0).rounded() } ?? 0
    let end = Point(x: first.x + (width ?? 0) * turns, y: first.y)
    if case .planar(let plane) = edges, let extent = Envelope(around: points) {
      // It ends where it began on the earth; on a map that is cut open right there it need not.
      let gap = max((end.x - last.x).magnitude, (end.y - last.y).magnitude)
      let size = max(extent.xMax - extent.xMin, extent.yMax - extent.yMin)
      guard gap <= 1e-6 * size + 1e-12 * max(end.x.magnitude, end.y.magnitude) else {
        throw plane.breakage(near: plane.place(of: last))
      }
    }
    points[points.count &- 1] = end
    return turns
  }

  /// How a piece of curve lies to the edge between its ends.
  private struct Bow {
    /// The greatest distance, metres.
    var greatest: Double
    /// It bends everywhere by about as much.
    var isEven = false
  }

  private func bow(_ from: Point, _ to: Point, _ curve: Curve) -> Bow {
    switch edges {
    case .straight:
      return greatest { signedDistance(of: curve($0), from, to, near: $0) }
    case .geodesic(let geodesic):
      let way = geodesic.inverse(from: from, to: to)
      let line = geodesic.line(from: from, azimuth: way.azimuth)
      return greatest { signedDistance(of: curve($0), line, way.length, near: $0) }
    case .planar(let plane):
      let chord = PlanarChord(plane, earth, from, to)
      var bow = greatest { chord.signedDistance(of: earth.position(curve($0)), near: $0) }
      // For a chord that may go in the other direction as well: near a pole, and across the line along which the map is
      // cut open, a curve lies next to its chord and the chord runs far away from the curve.
      if bow.greatest <= maximumDeviation || bow.isEven {
        let detour = detour(of: chord, curve)
        if detour > 2 * bow.greatest { bow.isEven = false }
        bow.greatest = max(bow.greatest, detour)
      }
      return bow
    }
  }

  /// How far a chord in a plane runs away from its curve, metres; infinite where it leaves the earth.
  private func detour(of chord: PlanarChord, _ curve: Curve) -> Double {
    func greatest(_ pieces: Int) -> Double {
      var greatest = 0.0
      for piece in 1..<pieces {
        let u = Double(piece) / Double(pieces)
        let distance = distance(of: chord.position(u), curve, near: u)
        if !(distance <= greatest) { greatest = distance.isFinite ? distance : .infinity }
      }
      return greatest
    }
    let first = greatest(4)
    // If so few points are even, many are.
    guard first > 0.25 * maximumDeviation, first <= maximumDeviation else { return first }
    return max(first, greatest(16) * Self.lopsidedMargin)
  }

  /// The distance of a position from a curve in metres; NaN without a position.
  private func distance(of target: Vector, _ curve: Curve, near start: Double) -> Double {
    var u = start
    var best = Double.infinity
    for _ in 0..<6 {
      let foot = earth.position(curve(u))
      let step = u < 0.5 ? 1e-3 : -1e-3
      let ahead = (earth.position(curve(u + step)) - foot) / step
      let away = target - foot
      guard away.length.isFinite else { return .nan }
      best = min(best, away.length)
      let square = ahead.dot(ahead)
      guard square > 0 else { break }
      let next = min(1, max(0, u + ahead.dot(away) / square))
      if (next - u).magnitude * square.squareRoot() < 1e-2 * best { break }
      u = next
    }
    return best
  }

  /// The greatest value between 0 and 1 of a function that vanishes at both.
  private func greatest(_ distance: (Double) -> Double) -> Bow {
    // e(u) = u (1 - u) g(u), and g is the parabola through its values at 1/4, 1/2 and 3/4.
    let (g1, g2, g3) = (distance(0.25) * 16 / 3, distance(0.5) * 4, distance(0.75) * 16 / 3)
    let bend = max((g1 - g2).magnitude, (g3 - g2).magnitude)
    // max() would look over what is no number.
    guard bend.isFinite, g2.isFinite else { return Bow(greatest: .infinity) }
    // Next to a pole the longitude changes rapidly within an edge, and no parabola follows it: there it is examined
    // closely.
    let isLopsided = bend > 0.15 * g2.magnitude
    var greatest = 0.0
    for step in 1..<16 {
      let u = Double(step) / 16
      let v = 4 * u - 2
      let g = g2 + v * (g3 - g1) / 2 + v * v * (g3 + g1 - 2 * g2) / 2
      greatest = max(greatest, (u * (1 - u) * g).magnitude)
    }
    guard isLopsided, greatest > Self.rounding else {
      return Bow(greatest: greatest * Self.margin, isEven: !isLopsided)
    }
    for step in 1..<32 { greatest = max(greatest, distance(Double(step) / 32).magnitude) }
    return Bow(greatest: greatest * Self.lopsidedMargin)
  }

  /// The signed distance of a point from a chord that is straight in longitude and latitude, metres, positive to its
  /// left.
  private func signedDistance(of place: Point, _ from: Point, _ to: Point, near start: Double) -> Double {
    let target = earth.position(place)
    let (dx, dy) = ((to.x - from.x) * Earth.radian, (to.y - from.y) * Earth.radian)
    var u = start
    var best = Double.infinity
    var side = 1.0
    // Gauss and Newton's iteration; the nearest of the points that it comes by counts, which is never too near.
    for _ in 0..<6 {
      let foot = Point(x: from.x + u * (to.x - from.x), y: from.y + u * (to.y - from.y))
      let (sine, cosine) = sineAndCosine(degrees: foot.y)
      let (east, front) = sineAndCosine(degrees: foot.x)
      let w = 1 - earth.e2 * sine * sine
      let n = earth.a / w.squareRoot()
      let away = target - Vector(n * cosine * front, n * cosine * east, n * (1 - earth.e2) * sine)
      let eastwards = Vector(-east, front, 0)
      let northwards = Vector(-sine * front, -sine * east, cosine)
      let (along, up) = (n * cosine * dx, n * (1 - earth.e2) / w * dy)
      let distance = away.length
      if !(distance >= best) {
        best = distance
        side = along * away.dot(northwards) - up * away.dot(eastwards) < 0 ? -1 : 1
      }
      let square = along * along + up * up
      guard square > 0 else { break }
      let next = min(1, max(0, u + (along * away.dot(eastwards) + up * away.dot(northwards)) / square))
      if (next - u).magnitude * square.squareRoot() < 1e-3 * distance { break }
      u = next
    }
    return side * best
  }

  /// The signed distance of a point from a geodesic, metres, positive to its left.
  private func signedDistance(of place: Point, _ line: GeodesicLine, _ length: Double, near start: Double) -> Double {
    let target = earth.position(place)
    var along = start * length
    var best = Double.infinity
    var side = 1.0
    for _ in 0..<6 {
      let foot = line.position(at: along)
      let away = target - earth.position(foot.point)
      let (sine, cosine) = sineAndCosine(degrees: foot.point.y)
      let (east, front) = sineAndCosine(degrees: foot.point.x)
      let (right, ahead) = sineAndCosine(degrees: foot.azimuth)
      let eastwards = away.dot(Vector(-east, front, 0))
      let northwards = away.dot(Vector(-sine * front, -sine * east, cosine))
      if !(away.length >= best) {
        best = away.length
        side = ahead * eastwards - right * northwards > 0 ? -1 : 1
      }
      let next = min(length, max(0, along + right * eastwards + ahead * northwards))
      if (next - along).magnitude < 1e-3 * best { break }
      along = next
    }
    return side * best
  }
}
