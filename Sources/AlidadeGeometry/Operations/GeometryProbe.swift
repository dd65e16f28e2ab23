import AlidadeBase
import AlidadeCoordinates

/// What geometries are looked for by.
public enum MatchCondition: Sendable {
  case predicate(Predicate)
  /// A DE-9IM pattern of nine characters.
  case pattern(String)
  /// At most so far away, and at most so many of them, the nearest first.
  case distance(within: Double, most: Int, Measure, Unit?)

  /// Throws if the condition cannot be meant.
  public func check() throws(EngineError) {
    switch self {
    case .predicate: break
    case .pattern(let pattern):
      guard pattern.utf8.count == 9, pattern.uppercased().utf8.allSatisfy({ "012TF*".utf8.contains($0) }) else {
        throw EngineError(
          .invalidArgument, "The pattern \"\(pattern.prefix(40))\" is not nine characters of 0, 1, 2, T, F and *.")
      }
    case .distance(let limit, let most, let measure, _):
      guard limit >= 0, most >= 1 else {
        throw EngineError(
          .invalidArgument, "The distance is \(NumberText.shortest(limit)); it must be 0 or more.")
      }
      if case .geodesic(let curve) = measure, curve != .geodesic {
        throw EngineError(
          .unsupported,
          "Distances are measured between geodesics: densify geometries whose edges are other curves first.")
      }
    }
  }

  public var isDistance: Bool {
    if case .distance = self { true } else { false }
  }

  /// Whether it can hold between geometries that have no point in common.
  public var holdsApart: Bool {
    switch self {
    case .predicate(let predicate): return predicate.holdsApart
    case .pattern(let pattern):
      let characters = Array(pattern.utf8)
      guard characters.count == 9 else { return true }
      return [0, 1, 3, 4].allSatisfy { "Ff*".utf8.contains(characters[$0]) }
    case .distance: return true
    }
  }
}

/// Where geometries are compared. Good on any thread.
public struct MatchSpace: Sendable {
  /// That of all geometries that are compared; nil: they have none.
  public let reference: SpatialReference?
  public let condition: MatchCondition
  /// The largest distance: metres, or the unit of the spatial reference.
  public let limit: Double
  /// How many of those are one unit of the results.
  public let perUnit: Double
  fileprivate let world: Double?
  fileprivate let frame: GeodesicFrame?
  fileprivate let discs: DiscCache?

  /// - Parameter discs: keeps what is found of boxes, for spaces in the same spatial reference.
  /// - Parameter reference: that of the geometries that are looked through. On the earth they are compared as they are,
  ///   and `probe` takes another one in the longitudes and latitudes that the reference is based on.
  public init(
    _ condition: MatchCondition, in reference: SpatialReference?, discs: DiscCache? = nil
  ) throws(EngineError) {
    try condition.check()
    self.discs = discs
    self.condition = condition
    self.reference = reference
    switch condition {
    case .predicate, .pattern: (frame, perUnit, limit) = (nil, 1, .infinity)
    case .distance(let within, _, .planar, let unit):
      frame = nil
      perUnit = try Measurer.planarLength(reference, unit)
      limit = within * perUnit
    case .distance(let within, _, .geodesic, let unit):
      frame = try GeodesicFrame(reference)
      perUnit = try Measurer.metres(unit)
      limit = within * perUnit
    }
    world = frame == nil ? reference?.system.worldWidth : nil
  }

  /// How wide the world is in which a box has images; nil: it does not repeat itself, or the digits do not say where in it
  /// the box is.
  fileprivate func world(of box: Envelope) -> Double? {
    guard let world, let reference, !reference.isLost(box.xMin), !reference.isLost(box.xMax) else { return nil }
    return world
  }

  /// Two geometries without a common spatial reference cannot be compared.
  public static func requireAlike(_ a: SpatialReference?, _ b: SpatialReference?) throws(EngineError) {
    guard (a == nil) != (b == nil) else { return }
    throw EngineError(
      .invalidArgument,
      "Only one of the two has a spatial reference, so it is not known where they are to each other. Give the other one "
        + "a spatial reference, too.")
  }
}

/// A geometry that many others of one spatial reference are compared with. It belongs to one thread.
///
/// In the plane of a world that repeats itself, the images of the geometry that are whole worlds apart are one geometry.
public final class GeometryProbe {
  private let space: MatchSpace
  /// In the plane; on the earth, as it was given.
  private let geometry: Geometry
  /// The box around it; on the earth that has no meaning.
  public let box: Envelope
  /// Around parts of it that follow each other.
  private lazy var boxes = earth == nil ? Self.boxes(geometry) : []
  /// Images by how many worlds to the east they lie.
  private var images: [Double: Geometry] = [:]
  private var prepared: [Double: PreparedGeometry] = [:]
  /// How wide the world is that repeats itself; nil: it does not, or the digits do not say where in it the geometry is.
  private let world: Double?
  private let earth: GeodesicShape?
  private let sphere: ParametricSphere?

  private static let mostBoxes = 256

  /// nil: the geometry is empty, and nothing is near it.
  ///
  /// - Parameter isKnownUsable: operations accept the geometry.
  public init?(_ geometry: Geometry, _ space: MatchSpace, isKnownUsable: Bool = false) throws(EngineError) {
    self.space = space
    try MatchSpace.requireAlike(geometry.spatialReference, space.reference)
    guard !geometry.isEmpty else { return nil }
    if let frame = space.frame {
      sphere = ParametricSphere(frame.geodesic.ellipsoid)
      if geometry.spatialReference === space.reference {
        earth = try GeodesicShape(geometry.columns, geometry.row, frame)
      } else {
        let base = try frame.reference.geodeticBase()
        let (matched, _) = try geometry.projected(toMatch: base)
        earth = try GeodesicShape(matched.columns, matched.row, try GeodesicFrame(base))
      }
      self.geometry = geometry
      world = nil
      box = geometry.envelope ?? Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
      return
    }
    let (matched, _) = try geometry.projected(toMatch: space.reference)
    if !isKnownUsable || matched !== geometry { try matched.requireUsable() }
    guard let box = matched.envelope else { return nil }
    self.geometry = matched
    self.box = box
    world = space.world(of: box)
    (earth, sphere) = (nil, nil)
  }

  /// Boxes around paths, or around points, that follow each other.
  private static func boxes(_ geometry: Geometry) -> [Envelope] {
    var all: [Envelope] = []
    geometry.columns.forEachSimple(geometry.row) { (columns, row) in
      let isOfPoints = columns.kind(row) == .point || columns.kind(row) == .multipoint
      for path in columns.paths(ofGeometry: row) {
        let points = columns.points.buffer[columns.vertices(ofPath: path)]
        if isOfPoints {
          for point in points { all.append(Envelope(xMin: point.x, yMin: point.y, xMax: point.x, yMax: point.y)) }
        } else if let box = Envelope(around: Array(points)) {
          all.append(box)
        }
      }
    }
    let size = (all.count &+ mostBoxes &- 1) / mostBoxes
    guard size > 1 else { return all }
    return stride(from: 0, to: all.count, by: size).map { start in
      var box = all[start]
      for other in all[start..<min(all.count, start &+ size)] { box.extend(around: other) }
      return box
    }
  }

  // MARK: Relations

  /// The boxes of the images that lie where other geometries are.
  public func boxes(within bounds: Envelope) -> [Envelope] {
    guard let world = world else { return [box] }
    return Turns(of: box, within: bounds, world).map { box.moved(east: $0 * world) }
  }

  /// Whether the condition holds, which is no distance.
  ///
  /// - Parameter isFirst: the geometry of the probe is the first of the two.
  public func holds(_ columns: GeometryColumns, _ row: Int, isFirst: Bool) throws(EngineError) -> Bool {
    let other = Geometry(runtime: geometry.runtime, columns: columns, row: row)
    guard let its = other.envelope, let world = world else { return try holds(other, turn: 0, isFirst) }
    let near = Turns(of: box, near: its, world)
    if near.isEmpty { return try holds(other, turn: 0, isFirst) }
    // What holds apart must hold for every image.
    let holdsApart = space.condition.holdsApart
    for turn in near where try holds(other, turn: turn, isFirst) != holdsApart { return !holdsApart }
    return holdsApart
  }

  private func holds(_ other: Geometry, turn: Double, _ isFirst: Bool) throws(EngineError) -> Bool {
    switch space.condition {
    case .predicate(let predicate):
      return try preparedImage(turn).test(isFirst ? predicate : predicate.converse, other).value
    case .pattern(let pattern):
      let mine = try image(turn)
      return try (isFirst ? mine.relates(to: other, pattern: pattern) : other.relates(to: mine, pattern: pattern)).value
    case .distance: throw EngineError(.internal, "A distance is no relation.")
    }
  }

  private func image(_ turn: Double) throws(EngineError) -> Geometry {
    if turn == 0 { return geometry }
    if let known = images[turn] { return known }
    let shift = turn * (world ?? 0)
    let made = try geometry.rewritten(
      PathRewriter { (columns, vertices, builder) throws(EngineError) in
        for index in vertices {
          var vertex = columns.vertex(index)
          vertex.point.x += shift
          try builder.append(vertex)
        }
      })
    images[turn] = made
    return made
  }

  private func preparedImage(_ turn: Double) throws(EngineError) -> PreparedGeometry {
    if let known = prepared[turn] { return known }
    let made = try PreparedGeometry(try image(turn))
    prepared[turn] = made
    return made
  }

  // MARK: Distances

  /// The smallest distance of a geometry with all of its vertices in a box; nil if it costs more to compute than the
  /// distance of one geometry in the box, and does not matter.
  ///
  /// - Parameter isOfOne: one geometry is in the box.
  public func bound(_ box: Envelope, isOfOne: Bool) throws(EngineError) -> Double? {
    guard let earth, let sphere, let frame = space.frame else {
      var least = Double.infinity
      for mine in boxes { least = min(least, mine.distance(to: box, world: world)) }
      return least
    }
    if isOfOne, !box.isPoint, !frame.isGeographic { return nil }
    let disc: EarthDisc?
    if !box.isPoint, !frame.isGeographic, let discs = space.discs {
      disc = try discs.disc(around: box) { () throws(EngineError) in try frame.disc(around: box, sphere) }
    } else {
      disc = try frame.disc(around: box, sphere)
    }
    guard let disc else { return 0 }
    return try earth.bound(disc, sphere)
  }

  /// The distance of another geometry, in metres on the earth; nil if it is empty.
  public func distance(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Double? {
    guard let earth, let frame = space.frame else {
      let other = Geometry(runtime: geometry.runtime, columns: columns, row: row)
      guard let its = other.envelope else { return nil }
      guard let world = world else { return try preparedImage(0).distance(to: other) }
      // One to each side: the nearest image need not be one whose box is met.
      let (low, high) = ((its.xMin - box.xMax) / world, (its.xMax - box.xMin) / world)
      let gaps = Turns(from: low.rounded(.down), to: high.rounded(.up)).map { turn in
        (turn: turn, gap: max(0, box.xMin + turn * world - its.xMax, its.xMin - box.xMax - turn * world))
      }
      var least: Double?
      for (turn, gap) in gaps.sorted(by: { $0.gap < $1.gap }) {
        if let least, gap * (1 - 1e-12) >= least { break }
        let distance = try preparedImage(turn).distance(to: other)
        least = min(least ?? distance, distance)
      }
      return least
    }
    if columns.kind(row) == .point, let first = columns.vertices(ofGeometry: row).first {
      return try distance(to: columns.points[first])
    }
    return try earth.nearestPair(GeodesicShape(columns, row, frame))?.distance
  }

  /// The distance of a point.
  public func distance(to point: Point) throws(EngineError) -> Double? {
    guard let earth, let frame = space.frame else {
      let builder = try GeometryBuilder(policy: geometry.runtime.policy)
      try builder.begin(.point, [])
      try builder.append(Vertex(point))
      try builder.endPathAndPart()
      try builder.end()
      return try distance(try builder.finish(space.reference), 0)
    }
    let place = try frame.degrees(point)
    guard place.isFinite else { throw frame.nowhere(point) }
    if try earth.holds(place) { return 0 }
    return earth.tree.nearest(to: place)?.found.distance
  }
}

/// A predicate between points and polygons, which needs no prepared geometry and no memory. It holds where it holds by a
/// `GeometryProbe`.
public struct PointRelation: Sendable {
  private let predicate: Predicate
  private let space: MatchSpace

  /// nil: another condition, or a predicate that holds apart.
  public init?(_ space: MatchSpace) {
    guard case .predicate(let predicate) = space.condition, !predicate.holdsApart else { return nil }
    (self.predicate, self.space) = (predicate, space)
  }

  /// A point or a polygon that others are compared with.
  public struct Probe {
    fileprivate let row: Int
    fileprivate let isPoint: Bool
    fileprivate let box: Envelope
    fileprivate let world: Double?

    /// Calls `body` with the boxes of the images that lie where other geometries are, and with how many worlds to the
    /// east they lie.
    public func forEachImage(within bounds: Envelope, _ body: (_ turn: Double, Envelope) -> Void) {
      guard let world else { return body(0, box) }
      for turn in Turns(of: box, within: bounds, world) { body(turn, turn == 0 ? box : box.moved(east: turn * world)) }
    }
  }

  /// nil: the geometry is neither a point nor a polygon, or it is empty.
  ///
  /// - Parameters:
  ///   - columns: in the spatial reference of the space.
  ///   - row: a geometry that operations accept.
  public func probe(_ columns: GeometryColumns, _ row: Int) -> Probe? {
    let kind = columns.kind(row)
    guard kind == .point || kind == .polygon, let box = columns.envelope(row) else { return nil }
    return Probe(row: row, isPoint: kind == .point, box: box, world: space.world(of: box))
  }

  /// Whether the predicate holds between an image of the probe, which is the first, and another geometry. nil: that is to
  /// be found out by a `GeometryProbe`.
  ///
  /// - Parameters:
  ///   - columns: the columns of the probe.
  ///   - turn: how many worlds to the east the image lies.
  ///   - other: a geometry of `others` that operations accept.
  @inline(__always)
  public func holds(
    _ probe: Probe, _ columns: GeometryColumns, turn: Double, _ others: GeometryColumns, _ other: Int
  ) -> Bool? {
    switch (probe.isPoint, others.kind(other)) {
    case (true, .polygon):
      let shift = turn == 0 ? 0 : turn * (probe.world ?? 0)
      let image = Point(x: probe.box.xMin + shift, y: probe.box.yMin)
      return others.place(of: image, inPolygon: other).map { predicate.holds($0, isPointFirst: true) }
    case (false, .point):
      // Another image of a polygon is a polygon with other coordinates.
      guard turn == 0, let vertex = others.vertices(ofGeometry: other).first else { return nil }
      return columns.place(of: others.points[vertex], inPolygon: probe.row)
        .map { predicate.holds($0, isPointFirst: false) }
    default: return nil
    }
  }
}

/// How many worlds to the east of a geometry its images lie, for the images that may meet something.
private struct Turns: RandomAccessCollection {
  private let from: Double
  let count: Int

  /// More on either side are not looked at.
  private static let most = 64.0

  /// Whole numbers between two, those next to 0 first if there are too many.
  init(from low: Double, to high: Double) {
    let (first, last) = (low.rounded(.up), high.rounded(.down))
    guard first <= last else {
      (from, count) = (0, 0)
      return
    }
    let middle = Swift.min(Swift.max(0, first), last)
    let (from, to) = (Swift.max(first, middle - Self.most), Swift.min(last, middle + Self.most))
    guard let more = Int(exactly: to - from) else {
      (self.from, count) = (0, 1)
      return
    }
    (self.from, count) = (from, more &+ 1)
  }

  /// For the images of a box that may meet another box, which holds boxes of geometries.
  init(of box: Envelope, within bounds: Envelope, _ world: Double) {
    self.init(from: (bounds.xMin - box.xMax) / world, to: (bounds.xMax - box.xMin) / world)
  }

  /// For the images of a box that may meet another one. A hair more, so that rounding leaves none out that only touches.
  init(of box: Envelope, near its: Envelope, _ world: Double) {
    let slack = 1e-9
    self.init(from: (its.xMin - box.xMax) / world - slack, to: (its.xMax - box.xMin) / world + slack)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }
  subscript(index: Int) -> Double { from + Double(index) }
}

/// Discs on the earth around boxes of one projected spatial reference: to find one costs far more than to look it up.
public final class DiscCache: Sendable {
  private struct Key: Hashable {
    let xMin, yMin, xMax, yMax: UInt64
  }
  private let discs = Lock<[Key: EarthDisc?]>([:])

  /// More are not kept.
  private static let mostDiscs = 1 << 16

  public init() {}

  fileprivate func disc(
    around box: Envelope, _ make: () throws(EngineError) -> EarthDisc?
  ) throws(EngineError) -> EarthDisc? {
    let key = Key(
      xMin: box.xMin.bitPattern, yMin: box.yMin.bitPattern, xMax: box.xMax.bitPattern, yMax: box.yMax.bitPattern)
    if let known = discs.withLock({ $0[key] }) { return known }
    let made = try make()
    discs.withLock { discs in if discs.count < Self.mostDiscs { discs[key] = .some(made) } }
    return made
  }
}

extension Predicate {
  /// The same relation, said of the second to the first.
  fileprivate var converse: Predicate {
    switch self {
    case .within: .contains
    case .contains: .within
    case .covers: .coveredBy
    case .coveredBy: .covers
    case .equals, .disjoint, .intersects, .touches, .crosses, .overlaps: self
    }
  }
}

extension Envelope {
  fileprivate func moved(east shift: Double) -> Envelope {
    Envelope(xMin: xMin + shift, yMin: yMin, xMax: xMax + shift, yMax: yMax)
  }

  /// The distance of two boxes in a world that may repeat itself; 0 if they meet.
  fileprivate func distance(to other: Envelope, world: Double?) -> Double {
    let dy = max(0, yMin - other.yMax, other.yMin - yMax)
    var dx = max(0, xMin - other.xMax, other.xMin - xMax)
    if dx > 0, let world {
      // From the east side of the one to the west side of the other, and the other way about, by whole worlds.
      let (east, west) = (other.xMin - xMax, xMin - other.xMax)
      let isMet = (other.xMax - xMin) / world - ((other.xMin - xMax) / world).rounded(.up) >= 0
      dx = isMet ? 0 : min(east - (east / world).rounded(.down) * world, west - (west / world).rounded(.down) * world)
    }
    let square = dx * dx + dy * dy
    // A hair less: squares are rounded.
    return square > 1e-280 && square < .infinity ? square.squareRoot() * (1 - 1e-15) : max(dx, dy)
  }
}

extension GeodesicFrame {
  /// A disc that holds all that has its vertices in a box; nil if that may be anywhere.
  fileprivate func disc(around box: Envelope, _ sphere: ParametricSphere) throws(EngineError) -> EarthDisc? {
    if box.isPoint {
      let place = try degrees(Point(x: box.xMin, y: box.yMin))
      return place.isFinite ? EarthDisc(vector: sphere.vector(place), radius: 1e-6) : nil
    }
    guard let globe = try onGlobe(box) else { return nil }
    let (west, east) = (max(globe.xMin, -Self.greatestLongitude), min(globe.xMax, Self.greatestLongitude))
    let (south, north) = (max(globe.yMin, -90), min(globe.yMax, 90))
    guard west <= east, east - west < 180, south <= north else { return nil }
    let centre = sphere.vector(Point(x: west / 2 + east / 2, y: south / 2 + north / 2))
    var radius = 0.0
    // Within half a turn the corners are the farthest from the middle.
    for corner in [Point(x: west, y: south), Point(x: west, y: north)] {
      radius = max(radius, sphere.upperBound(centre, sphere.vector(corner)))
    }
    // A disc less than a quarter of the way around is convex: it contains the edges between its points, too.
    return radius < 0.48 * .pi * sphere.smallest ? EarthDisc(vector: centre, radius: radius * 1.02) : nil
  }

  /// The box around the image of a box, in degrees; nil if it is not known.
  private func onGlobe(_ box: Envelope) throws(EngineError) -> Envelope? {
    var globe = box
    if !isGeographic {
      do throws(EngineError) {
        let base = try reference.geodeticBase()
        let image = try box.projected(from: reference, to: base)
        if image.isPartial { return nil }
        globe = image.envelope
      } catch {
        guard error.status == .projectionFailed || error.status == .invalidArgument else { throw error }
        return nil
      }
      // Over the seam, or too close to a pole: then it may be anywhere.
      guard globe.xMin <= globe.xMax else { return nil }
      // Extremes are searched where the map is smooth.
      let (x, y) = ((globe.xMax - globe.xMin) / 1000 + 1e-9, (globe.yMax - globe.yMin) / 1000 + 1e-9)
      globe = Envelope(xMin: globe.xMin - x, yMin: globe.yMin - y, xMax: globe.xMax + x, yMax: globe.yMax + y)
    }
    let factor = degreesPerUnit
    return Envelope(
      xMin: globe.xMin * factor, yMin: globe.yMin * factor, xMax: globe.xMax * factor, yMax: globe.yMax * factor)
  }
}

extension GeodesicShape {
  /// What lies in a disc is at least so far away.
  fileprivate func bound(_ disc: EarthDisc, _ sphere: ParametricSphere) throws(EngineError) -> Double {
    let least = tree.bound(disc)
    // Away from all boundaries, all of the disc is inside or all of it outside.
    if least <= 0 { return 0 }
    return try holds(sphere.place(disc.vector)) ? 0 : least
  }
}
