import AlidadeBase
import Glibc

/// A part of the earth's surface, as a polygon in degrees on WGS 84.
///
/// Longitudes run on across the antimeridian: the ring (170, 190) crosses it, and is not the rest of the world.
struct AreaOfInterest: Sendable, Hashable {
  /// Closed without repeating the first point.
  let ring: [Point]

  static func == (a: AreaOfInterest, b: AreaOfInterest) -> Bool {
    a.ring.count == b.ring.count && zip(a.ring, b.ring).allSatisfy { $0.x == $1.x && $0.y == $1.y }
  }

  func hash(into hasher: inout Hasher) {
    for point in ring {
      hasher.combine(point.x)
      hasher.combine(point.y)
    }
  }

  /// Each edge of an area is cut into so many before it is projected.
  private static let segmentsPerEdge = 16

  init(ring: [Point]) { self.ring = ring }

  /// An area from a ring in any spatial reference.
  ///
  /// - Parameter points: two: the lower left and the upper right corner of a box (across the antimeridian, the first x
  ///   of a geographic box is the greater one); more: a polygon, closed or not.
  init(_ points: [Point], in reference: SpatialReference) throws(EngineError) {
    guard points.allSatisfy(\.isFinite) else {
      throw EngineError(.invalidArgument, "The area has a point that is not finite.")
    }
    let limit = Projector.latitudeLimit(of: reference.system)
    if let beyond = points.first(where: { $0.y.magnitude > limit }) {
      throw EngineError(
        .invalidArgument,
        "The area has the latitude \(NumberText.shortest(beyond.y)), which \(reference.name) has not. Give the spatial "
          + "reference of the area (area_spatial_reference) if that is another one.")
    }
    let corners = try Self.corners(points, reference)
    var dense: [Point] = []
    for (index, from) in corners.enumerated() {
      let to = corners[(index &+ 1) % corners.count]
      for step in 0..<Self.segmentsPerEdge {
        let t = Double(step) / Double(Self.segmentsPerEdge)
        dense.append(Point(x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t))
      }
    }
    let world = try SpatialReference.make(runtime: reference.runtime, authority: "EPSG", code: 4326)
    let projector = try Projector.between(reference, world)
    try dense.withUnsafeMutableBufferPointer { (buffer) throws(EngineError) in try projector.project(buffer) }
    guard dense.allSatisfy(\.isFinite) else {
      throw EngineError(
        .projectionFailed, "The area has a point that has no longitude and latitude in \(reference.name).")
    }
    ring = Self.unwrapped(dense)
  }

  /// The corners of a box or a polygon, once around; x runs on across the antimeridian.
  static func corners(_ points: [Point], _ reference: SpatialReference) throws(EngineError) -> [Point] {
    if points.count == 2 {
      let (low, high) = (points[0], points[1])
      var right = high.x
      if low.x > high.x, reference.kind == .geographic, let width = reference.system.worldWidth { right += width }
      guard low.x <= right, low.y <= high.y else {
        throw EngineError(
          .invalidArgument, "The area's box has its corners in the wrong order: lower left comes first.")
      }
      return [low, Point(x: right, y: low.y), Point(x: right, y: high.y), Point(x: low.x, y: high.y)]
    }
    var ring = points
    if let first = ring.first, let last = ring.last, ring.count > 3, first.x == last.x, first.y == last.y {
      ring.removeLast()
    }
    guard ring.count >= 3 else {
      throw EngineError(.invalidArgument, "An area is a box of two points or a polygon of three or more.")
    }
    return ring
  }

  /// Continuous longitudes: each step goes in the shorter direction. A ring that goes once around the world contains a
  /// pole, and is led along it.
  private static func unwrapped(_ points: [Point]) -> [Point] {
    guard let first = points.first else { return [] }
    var ring = [first]
    func next(_ point: Point, after last: Point) -> Point {
      Point(x: point.x - ((point.x - last.x) / 360).rounded() * 360, y: point.y)
    }
    for point in points.dropFirst() { ring.append(next(point, after: ring[ring.count &- 1])) }
    let last = ring[ring.count &- 1]
    let end = next(first, after: last)
    guard (end.x - first.x).magnitude > 180 else { return ring }
    let pole: Double = ring.reduce(0) { $0 + $1.y } < 0 ? -90 : 90
    return ring + [end, Point(x: end.x, y: pole), Point(x: first.x, y: pole)]
  }

  /// West, south, east, north in degrees, with west > east across the antimeridian: what PROJ asks for.
  ///
  /// West is below 180 and east above -180: otherwise PROJ 9.1 cuts a box at the antimeridian again and again until the
  /// stack is full. A box without width would be the world for PROJ, and gets some.
  var bounds: GeographicBox {
    guard let envelope = Envelope(around: ring) else { return .world }
    let (south, north) = (max(-90, envelope.yMin), min(90, envelope.yMax))
    guard envelope.xMax - envelope.xMin < 360 - 2 * Self.leastWidth else {
      return GeographicBox(west: -180, south: south, east: 180, north: north)
    }
    let more = envelope.xMax - envelope.xMin < Self.leastWidth ? Self.leastWidth : 0
    let west = (envelope.xMin - more).remainder(dividingBy: 360)
    let east = (envelope.xMax + more).remainder(dividingBy: 360)
    return GeographicBox(west: west == 180 ? -180 : west, south: south, east: east == -180 ? 180 : east, north: north)
  }

  /// Degrees: a tenth of a millimetre on the ground.
  private static let leastWidth = 1e-9

  /// How much of the area lies in a box, 0 to 1, by area on the sphere. An area without extent (a line, a point) is
  /// inside or outside by its points.
  func share(in box: GeographicBox) -> Double {
    if box.isWorld { return 1 }
    // In a plane of longitude and sine of latitude equal areas are equal.
    let plane = ring.map { Point(x: $0.x, y: sin($0.y * .pi / 180)) }
    let whole = Self.area(plane).magnitude
    let (south, north) = (sin(box.south * .pi / 180), sin(box.north * .pi / 180))
    let east = box.east < box.west ? box.east + 360 : box.east
    guard whole > 0 else {
      let inside = ring.filter { point in
        let x = box.west + (point.x - box.west) - ((point.x - box.west) / 360).rounded(.down) * 360
        return x <= east && point.y >= box.south && point.y <= box.north
      }
      return Double(inside.count) / Double(max(1, ring.count))
    }
    // A ring that crosses itself has parts that count against each other.
    let strips = AreaStrips(plane)
    if (strips.area - whole / 2).magnitude > 0.002 * strips.area {
      return strips.share(west: box.west, south: south, east: east, north: north)
    }
    var part = 0.0
    for turn in -2...2 {
      let shift = Double(turn) * 360
      var clipped = plane
      clipped = clipped.clipped { $0.x - (box.west + shift) }
      clipped = clipped.clipped { east + shift - $0.x }
      clipped = clipped.clipped { $0.y - south }
      clipped = clipped.clipped { north - $0.y }
      part += Self.area(clipped).magnitude
    }
    return min(1, part / whole)
  }

  /// Twice the signed area: the shoelace formula, around the first point so that no digits are lost.
  private static func area(_ ring: [Point]) -> Double {
    guard ring.count > 2 else { return 0 }
    var sum = 0.0
    for index in 1..<(ring.count &- 1) {
      let (a, b) = (ring[index], ring[index &+ 1])
      sum += (a.x - ring[0].x) * (b.y - ring[0].y) - (b.x - ring[0].x) * (a.y - ring[0].y)
    }
    return sum
  }
}

/// A box in degrees on WGS 84; west > east where it crosses the antimeridian.
public struct GeographicBox: Sendable, Equatable {
  public var west: Double
  public var south: Double
  public var east: Double
  public var north: Double

  static let world = GeographicBox(west: -180, south: -90, east: 180, north: 90)
  var isWorld: Bool { west <= -180 && east >= 180 && south <= -90 && north >= 90 }

  /// Square degrees of longitude and sine of latitude: for comparing.
  var size: Double {
    let width = east < west ? east + 360 - west : east - west
    return width * (sin(north * .pi / 180) - sin(south * .pi / 180))
  }
}

/// The inside of a ring that may cross itself, by the even-odd rule, cut into strips of equal height. An area is right
/// to what the ring's edges deviate from upright within a strip: about a thousandth.
struct AreaStrips {
  private static let count = 2048
  private let bottom: Double
  private let height: Double
  /// For each strip, from the bottom up, where its middle line goes in and out, in pairs.
  private var crossings: [[Double]]
  private(set) var area = 0.0

  /// - Parameter ring: in a plane of longitudes in degrees, where equal areas are equal; closed without repeating the
  ///   first point.
  init(_ ring: [Point]) {
    let ys = ring.map(\.y)
    bottom = ys.min() ?? 0
    height = ((ys.max() ?? 0) - bottom) / Double(Self.count)
    crossings = [[Double]](repeating: [], count: Self.count)
    guard height > 0, var previous = ring.last else { return }
    for point in ring {
      cross(from: previous, to: point)
      previous = point
    }
    for index in crossings.indices {
      crossings[index].sort()
      for (start, end) in Self.pairs(crossings[index]) { area += (end - start) * height }
    }
  }

  /// Notes where an edge crosses the middle lines between its ends.
  private mutating func cross(from a: Point, to b: Point) {
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    let first = ((low.y - bottom) / height - 0.5).rounded(.up)
    let last = ((high.y - bottom) / height - 0.5).rounded(.up)
    guard let first = Int(exactly: max(0, first)), let last = Int(exactly: min(Double(Self.count), last)) else {
      return
    }
    // The lower end counts, the upper one does not: a vertex on a line is crossed once.
    for index in first..<max(first, last) {
      let y = bottom + (Double(index) + 0.5) * height
      crossings[index].append(low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)))
    }
  }

  private static func pairs(_ crossings: [Double]) -> [(Double, Double)] {
    stride(from: 0, to: crossings.count &- 1, by: 2).map { (crossings[$0], crossings[$0 &+ 1]) }
  }

  /// How much of the inside lies in a box whose longitudes run on, or in the same box turns away; 0 to 1.
  func share(west: Double, south: Double, east: Double, north: Double) -> Double {
    guard area > 0 else { return 0 }
    var part = 0.0
    for (index, crossings) in crossings.enumerated() {
      let low = bottom + Double(index) * height
      let upright = min(north, low + height) - max(south, low)
      guard upright > 0 else { continue }
      for (start, end) in Self.pairs(crossings) {
        for turn in -2...2 {
          let shift = Double(turn) * 360
          part += upright * max(0, min(end, east + shift) - max(start, west + shift))
        }
      }
    }
    return min(1, part / area)
  }
}
