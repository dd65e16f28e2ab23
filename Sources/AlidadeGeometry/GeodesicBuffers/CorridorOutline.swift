import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Regions around lines of geodesics whose ends and corners are not all round: a strip along each segment, a wedge at the
/// outer side of each corner, and what is beyond the ends.
///
/// The sides of a strip lie at the distance abeam of its segment, its ends at right angles to it. Where something follows,
/// a strip reaches over its end by `overlap`, so that chords and rounding leave no slit between two regions. A mitre's
/// sides lie abeam of the segments' geodesics beyond the corner.
struct CorridorOutline {
  private let geodesic: Geodesic
  private let earth: Earth
  private let plane: EarthPlane?
  private let cap: BufferCap
  private let join: BufferJoin
  private let mitreLimit: Double
  /// Metres.
  private let distance: Double
  /// Of chords that show.
  private let maximumDeviation: Double
  private let overlap: Double
  private let vertexLimit: Int
  private(set) var regions: [EarthRegion] = []
  private(set) var vertexCount = 0
  private var chordDeviation = 0.0

  /// Rounding takes a part of an overlap that this is four times of.
  static let leastDeviation = 1e-6
  /// Of the deviation.
  private static let overlapShare = 0.25
  /// The share of the overlap that two chords may use up together.
  private static let hiddenShare = 0.25
  private static let longestPiece = 500_000.0
  private static let piecesOfCircle = 32.0

  /// The greatest distance of sides that neither meet nor bend much: an eighth of a turn, 4,990 km on the earth.
  static func greatestDistance(on ellipsoid: ReferenceEllipsoid) -> Double {
    .pi / 4 * ellipsoid.curvatureRadii.lowerBound
  }

  init(_ settings: GeodesicBuffer, distance: Double, maximumDeviation: Double, vertexLimit: Int) {
    geodesic = settings.geodesic
    earth = Earth(geodesic.ellipsoid)
    (plane, cap, join, mitreLimit) = (settings.plane, settings.cap, settings.join, settings.mitreLimit)
    self.distance = distance
    // What may deviate by more than the distance needs no more overlap: strips would go around the earth.
    overlap = Self.overlapShare * min(maximumDeviation, max(distance, Self.leastDeviation))
    self.maximumDeviation = maximumDeviation - overlap
    self.vertexLimit = vertexLimit
  }

  var achievedDeviation: Double { regions.isEmpty ? 0 : chordDeviation + overlap }

  private enum Beside: Double {
    case right = 90
    case left = -90
  }

  /// A geodesic, or the points at the distance abeam of it, by metres along the geodesic.
  private struct Track {
    private let line: GeodesicLine
    private let geodesic: Geodesic
    private let distance: Double
    private let side: Beside?
    /// Metres that it goes for each of the geodesic, about.
    let speed: Double

    init(_ line: GeodesicLine, beside outline: CorridorOutline, _ side: Beside?) {
      (self.line, geodesic, distance, self.side) = (line, outline.geodesic, outline.distance, side)
      speed = side == nil ? 1 : cos(outline.distance / outline.geodesic.ellipsoid.semiMajorAxis)
    }

    func position(at along: Double) -> Geodesic.Position {
      let foot = line.position(at: along)
      guard let side else { return foot }
      let end = geodesic.direct(from: foot.point, azimuth: foot.azimuth + side.rawValue, distance: distance)
      return Geodesic.Position(point: end.point, azimuth: end.azimuth - side.rawValue)
    }
  }

  /// A segment with the positions of its ends as its geodesic has them.
  private struct Segment {
    let line: GeodesicLine
    let length: Double
    let start: Geodesic.Position
    let end: Geodesic.Position
  }

  /// - Parameter path: one vertex at least; closed, it is a ring.
  mutating func add(_ path: [Point]) throws(EngineError) {
    let segments = try segments(path)
    guard let first = segments.first, let last = segments.last else {
      if let point = path.first { try add(point) }
      return
    }
    let isRing = segments.count > 2 && geodesic.distance(from: last.end.point, to: first.start.point) < Self.sameVertex
    let beyond = cap == .flat ? 0 : cap == .square ? distance : overlap
    for (index, segment) in segments.enumerated() {
      try addStrip(
        along: segment.line, from: index == 0 && !isRing ? -beyond : -overlap,
        to: segment.length + (index == segments.count &- 1 && !isRing ? beyond : overlap))
      let next = index &+ 1 < segments.count ? segments[index &+ 1] : isRing ? first : nil
      if let next { try addCorner(segment.end, next.start) }
    }
    guard !isRing, cap == .round else { return }
    try addWedge(at: last.end.point, from: last.end.azimuth + 90, span: 180, .round)
    try addWedge(at: first.start.point, from: first.start.azimuth - 90, span: 180, .round)
  }

  /// Metres, of rounding.
  private static let sameVertex = 1e-8

  private func segments(_ path: [Point]) throws(EngineError) -> [Segment] {
    var segments: [Segment] = []
    for (from, to) in zip(path, path.dropFirst()) where from != to {
      let way = geodesic.inverse(from: from, to: to)
      guard way.length.isFinite else {
        throw EngineError(.invalidArgument, "No geodesic leads from \(from.x), \(from.y) to \(to.x), \(to.y).")
      }
      if way.length == 0 { continue }
      let line = geodesic.line(from: from, azimuth: way.azimuth)
      segments.append(
        Segment(
          line: line, length: way.length, start: line.position(at: 0), end: line.position(at: way.length)))
    }
    return segments
  }

  /// A line without length.
  private mutating func add(_ point: Point) throws(EngineError) {
    switch cap {
    case .flat: break
    case .square: try addStrip(along: geodesic.line(from: point, azimuth: 0), from: -distance, to: distance)
    case .round:
      var path = path
      try path.append(try circle(around: point), from: 360, to: 0, pieces: Self.piecesOfCircle)
      try finish(&path, reach: 2 * distance)
    }
  }

  // MARK: Strips

  /// What lies abeam of a geodesic between two points of it: to its right, across its end, back to the left of it, and
  /// across its start, counterclockwise.
  private mutating func addStrip(along line: GeodesicLine, from start: Double, to end: Double) throws(EngineError) {
    let (right, left) = (Track(line, beside: self, .right), Track(line, beside: self, .left))
    let length = end - start
    var path = path
    try path.append(pieces: pieces(length)) { right.position(at: start + $0 * length).point }
    try append(across: line.position(at: end), from: distance, to: &path)
    try path.append(pieces: pieces(length)) { left.position(at: end - $0 * length).point }
    try append(across: line.position(at: start), from: -distance, to: &path)
    try finish(&path, reach: length + 2 * distance)
  }

  /// A strip's end, from one of its sides to the other.
  private func append(
    across foot: Geodesic.Position, from: Double, to path: inout ChordPath
  ) throws(EngineError) {
    let line = geodesic.line(from: foot.point, azimuth: foot.azimuth + 90)
    try path.append(pieces: pieces(2 * distance), hiddenWithin: hiddenDeviation) {
      line.position(at: from * (1 - 2 * $0)).point
    }
  }

  // MARK: Corners

  private mutating func addCorner(_ before: Geodesic.Position, _ after: Geodesic.Position) throws(EngineError) {
    // Meridians converge: an azimuth belongs to the longitude of its geodesic, which next to a pole may be any
    // longitude.
    let (sine, _) = sineAndCosine(degrees: after.point.y)
    let azimuth = before.azimuth + remainder(after.point.x - before.point.x, 360) * sine
    let turn = remainder(after.azimuth - azimuth, 360)
    // The right side of a turn to the left is its outer one. Seen from the corner, wedges go counterclockwise.
    try addWedge(at: after.point, from: turn < 0 ? azimuth + 90 : after.azimuth - 90, span: turn.magnitude, join)
  }

  /// What lies between two directions from a corner, counterclockwise.
  ///
  /// - Parameters:
  ///   - start: the azimuth of the first direction, at right angles to the first segment.
  ///   - span: degrees.
  private mutating func addWedge(
    at corner: Point, from start: Double, span: Double, _ join: BufferJoin
  ) throws(EngineError) {
    // Strips reach over what is narrower.
    guard span * Earth.radian * distance > overlap / 2 else { return }
    let (first, second) = (
      geodesic.line(from: corner, azimuth: start), geodesic.line(from: corner, azimuth: start - span)
    )
    var path = path
    try path.append(pieces: pieces(distance), hiddenWithin: hiddenDeviation) {
      first.position(at: $0 * distance).point
    }
    var reach = distance
    switch join {
    case .round:
      try path.append(try circle(around: corner), from: start, to: start - span, pieces: Self.piecesOfCircle)
    case .bevel:
      let end = first.position(at: distance).point
      let way = geodesic.inverse(from: end, to: second.position(at: distance).point)
      let line = geodesic.line(from: end, azimuth: way.azimuth)
      try path.append(pieces: pieces(way.length)) { line.position(at: $0 * way.length).point }
    case .mitre:
      reach = mitreLimit * distance
      try appendMitre(corner, start, span, to: &path)
    }
    try path.append(pieces: pieces(distance), hiddenWithin: hiddenDeviation) {
      second.position(at: (1 - $0) * distance).point
    }
    try finish(&path, reach: 2 * reach)
  }

  /// The sides of a mitre, from the end of the first segment's side to the start of the second one's.
  private func appendMitre(
    _ corner: Point, _ start: Double, _ span: Double, to path: inout ChordPath
  ) throws(EngineError) {
    let first = Track(geodesic.line(from: corner, azimuth: start - 90), beside: self, .right)
    let second = Track(geodesic.line(from: corner, azimuth: start - span + 90), beside: self, .left)
    let half = UnitVector(span / 2 * Earth.radian)
    // On a sphere with the right triangle of a corner, its foot abeam and the tip: sin d = sin tip * cos half.
    let radii = geodesic.ellipsoid.curvatureRadii
    let radius = (radii.lowerBound * radii.upperBound).squareRoot()
    let sine = sin(distance / radius) / half.cosine
    if half.cosine > 0, sine < 1, radius * asin(sine) <= mitreLimit * distance {
      let along = radius * atan(tan(asin(sine)) * half.sine)
      let (s, t) = try meeting(first, second, near: along, along)
      try path.append(pieces: pieces(s)) { first.position(at: $0 * s).point }
      return try path.append(pieces: pieces(t)) { second.position(at: (1 - $0) * t).point }
    }
    let reach = mitreLimit * distance
    guard reach <= 2 * Self.greatestDistance(on: geodesic.ellipsoid) else {
      throw EngineError(
        .invalidArgument,
        "The mitre at \(corner.x), \(corner.y) would be \(reach) m long, more than a quarter of the way around the earth. "
          + "Give a smaller mitre limit, or another join.")
    }
    let tip = geodesic.direct(from: corner, azimuth: start - span / 2, distance: reach)
    let (right, left) = (
      Track(geodesic.line(from: tip.point, azimuth: tip.azimuth + 90), beside: self, nil),
      Track(geodesic.line(from: tip.point, azimuth: tip.azimuth - 90), beside: self, nil)
    )
    // As in the plane.
    let along = max(0, (mitreLimit - half.cosine) / half.sine) * distance
    let across = max(0, distance * half.sine - along * half.cosine)
    let (s, x) = try meeting(first, right, near: along, across)
    let (t, y) = try meeting(second, left, near: along, across)
    try path.append(pieces: pieces(s)) { first.position(at: $0 * s).point }
    try path.append(pieces: pieces(x)) { right.position(at: (1 - $0) * x).point }
    try path.append(pieces: pieces(y)) { left.position(at: $0 * y).point }
    try path.append(pieces: pieces(t)) { second.position(at: (1 - $0) * t).point }
  }

  /// Where two curves meet, metres along each, by Newton's method in the plane that touches the earth between them.
  private func meeting(
    _ first: Track, _ second: Track, near along: Double, _ across: Double
  ) throws(EngineError) -> (Double, Double) {
    var (s, t) = (along, across)
    for _ in 0..<40 {
      let (p, q) = (first.position(at: s), second.position(at: t))
      let gap = geodesic.inverse(from: p.point, to: q.point)
      if gap.length <= 1e-8 + 1e-12 * distance { return (s, t) }
      let (dx, dy) = sineAndCosine(degrees: gap.azimuth)
      let (ux, uy) = sineAndCosine(degrees: p.azimuth)
      let (vx, vy) = sineAndCosine(degrees: q.azimuth - (gap.endAzimuth - gap.azimuth))
      // s u - t v closes the gap.
      let cross = vx * uy - ux * vy
      s += gap.length * (vx * dy - vy * dx) / cross / first.speed
      t += gap.length * (ux * dy - uy * dx) / cross / second.speed
      guard s.isFinite, t.isFinite else { break }
    }
    throw EngineError(
      .limitExceeded,
      "The sides of a mitre of a geodesic buffer of \(distance) m cannot be followed until they meet. Give a smaller "
        + "mitre limit, or another join.")
  }

  // MARK: Paths

  private var hiddenDeviation: Double { Self.hiddenShare * overlap }

  private func pieces(_ length: Double) -> Int {
    Int(exactly: (length.magnitude / Self.longestPiece).rounded(.up) + 1) ?? 1
  }

  private func circle(around centre: Point) throws(EngineError) -> GeodesicCircle {
    try GeodesicCircle(geodesic, centre: centre, radius: distance)
  }

  private var path: ChordPath {
    ChordPath(
      earth, maximumDeviation: maximumDeviation, edges: plane.map { .planar($0) } ?? .straight,
      vertexLimit: max(16, vertexLimit &- vertexCount))
  }

  /// - Parameter reach: from one end of the region to the other, metres.
  private mutating func finish(_ path: inout ChordPath, reach: Double) throws(EngineError) {
    let turns = try path.close()
    vertexCount &+= path.points.count
    guard vertexCount <= vertexLimit else {
      throw EngineError(
        .limitExceeded,
        "The outlines of a geodesic buffer of \(distance) m to within \(maximumDeviation) m have more than "
          + "\(vertexLimit) vertices. Allow a greater deviation, or raise max_request_points and max_request_bytes.")
    }
    // A shorter region does not contain both poles. In a plane it may still contain a position that is not on the map.
    let isLarge = plane != nil || reach > 0.95 * .pi * geodesic.ellipsoid.curvatureRadii.lowerBound
    regions.append(
      try EarthRegion(
        leftOf: path.points, turns: turns, isLarge: isLarge, in: plane.map { ($0, earth, maximumDeviation) }))
    chordDeviation = max(chordDeviation, path.achievedDeviation)
  }
}
