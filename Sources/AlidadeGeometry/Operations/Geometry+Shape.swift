import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension OffsetJoin {
  fileprivate var style: BufferJoin {
    switch self {
    case .round: .round
    case .mitre: .mitre
    case .bevel: .bevel
    }
  }
}

/// Options of an offset curve.
public struct OffsetOptions: Sendable {
  public var join = OffsetJoin.round
  /// The longest mitre, as a multiple of the distance.
  public var mitreLimit = 5.0
  /// The number of segments for each right angle of an arc.
  public var quadrantSegments: Int32 = 16

  public init() {}
}

// MARK: One

extension Geometry {
  /// The convex polygon around all vertices; a line or a point if they have no area.
  public func convexHull() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      let builder = try GeometryBuilder(policy: runtime.policy)
      try Shaping.writeConvexHull(columns, row, try GEOSSession(), builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }

  /// The rings of a polygon as lines, or the ends of lines as points. Empty for points.
  public func boundary() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      // GEOS takes no collection at all.
      if kind == .collection, isEmpty { return Geometry(runtime: runtime, columns: columns, row: row) }
      return try made("A boundary", hasZ: flags.contains(.hasZ)) { GEOSBoundary_r($0, $1) }
    }
  }

  /// The rectangle with the smallest area, in any direction, around all vertices. A line or a point if the vertices
  /// have no area.
  public func minimumRectangle() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      let hull = try convexHull()
      let corners = hull.kind == .polygon ? MinimumRectangle.corners(of: hull) : nil
      guard let corners else { return hull }
      return try .make(runtime: runtime, ring: corners, spatialReference: spatialReference)
    }
  }

  /// Lines parallel to lines, at a distance to the left, or to the right if the distance is negative. For polygons,
  /// outside or inside.
  public func offsetCurve(distance: Double, _ options: OffsetOptions) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let limit = GeometryColumns.largestCoordinate
      guard abs(distance) <= limit, options.mitreLimit >= 1, options.mitreLimit <= 1e6,
        (1...1024).contains(options.quadrantSegments)
      else {
        throw EngineError(
          .invalidArgument,
          "The distance must be within -1e100 to 1e100, the mitre limit within 1 to 1e6, and segments within 1 to 1024."
        )
      }
      guard kind == .polyline || kind == .polygon else {
        throw EngineError(.unsupported, "An offset curve is made of a polyline or a polygon only.")
      }
      try requireUsable()
      var style = PlanarBufferStyle()
      (style.join, style.mitreLimit) = (options.join.style, options.mitreLimit)
      let curves = OffsetCurves(
        columns, row, distance, style, segments: Int(truncatingIfNeeded: options.quadrantSegments), runtime)
      let builder = try GeometryBuilder(policy: runtime.policy)
      try builder.begin(.polyline, [])
      for line in try curves.lines() {
        _ = try builder.extend(by: line.count).points.update(fromContentsOf: line)
        try builder.endPathAndPart()
      }
      try builder.end()
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

// MARK: Simple geometries

extension Geometry {
  /// Whether the geometry is valid and does not meet itself: no two points coincide, and lines share only their ends.
  public func isSimple() throws(EngineError) -> Bool {
    try limited { [self] () throws(EngineError) -> Bool in
      try columns.requireModestCoordinates(row)
      return try Shaping.isSimple(columns, row, try GEOSSession())
    }
  }

  /// A simple geometry of the same kind; this one itself if it is simple. See `Shaping.writeSimple`.
  public func simple() throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      try columns.requireModestCoordinates(row)
      let builder = try GeometryBuilder(policy: runtime.policy)
      try Shaping.writeSimple(columns, row, try GEOSSession(), builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

// MARK: Many

extension GeometryArray {
  /// The convex hull of each geometry, on all cores.
  public func convexHulls() throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      try mapped { (columns, row, session, builder) throws(EngineError) in
        try Shaping.writeConvexHull(columns, row, session, builder)
      }
    }
  }

  /// A simple geometry of each, on all cores.
  public func simple() throws(EngineError) -> GeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      try mapped { (columns, row, session, builder) throws(EngineError) in
        try columns.requireModestCoordinates(row)
        try Shaping.writeSimple(columns, row, session, builder)
      }
    }
  }
}

enum Shaping {
  static func writeConvexHull(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, _ builder: GeometryBuilder
  ) throws(EngineError) {
    try columns.requireModestCoordinates(row)
    let object = try session.object(columns, row)
    guard let hull = GEOSObject(GEOSConvexHull_r(session.handle, object.pointer), in: session) else {
      throw session.refusal("A convex hull")
    }
    try session.read(hull.pointer, hasZ: columns.flags(row).contains(.hasZ), into: builder)
  }

  static func isSimple(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession
  ) throws(EngineError) -> Bool {
    if columns.kind(row) == .collection {
      guard let inner = columns.members else { return true }
      for member in columns.members(ofGeometry: row) {
        let isSimple = try isSimple(inner, member, session)
        if !isSimple { return false }
      }
      return true
    }
    let object = try session.object(columns, row)
    guard try session.validity(object, allowsTouchingRings: false).isValid else { return false }
    if columns.kind(row) == .polygon { return true }
    if try session.truth(GEOSisSimple_r(session.handle, object.pointer)) { return true }
    return columns.kind(row) == .polyline ? try meetsAtEndsOnly(columns, row, object, session) : false
  }

  /// Whether lines share nothing but ends: then noding them changes nothing. GEOS itself treats the end of a closed
  /// line as a point inside it, where no other line may end.
  private static func meetsAtEndsOnly(
    _ columns: GeometryColumns, _ row: Int, _ object: borrowing GEOSObject, _ session: borrowing GEOSSession
  ) throws(EngineError) -> Bool {
    let noded = try session.unaryUnion(object.pointer, 0)
    let lines = columns.paths(ofGeometry: row).filter { !columns.vertices(ofPath: $0).isEmpty }.count
    // What two lines share is there once.
    var (before, after) = (0.0, 0.0)
    guard GEOSLength_r(session.handle, object.pointer, &before) != 0,
      GEOSLength_r(session.handle, noded.pointer, &after) != 0
    else { throw session.refusal("A length") }
    return (before - after).magnitude <= 1e-12 * before
      && Int(truncatingIfNeeded: GEOSGetNumGeometries_r(session.handle, noded.pointer)) == lines
      && Int(truncatingIfNeeded: GEOSGetNumCoordinates_r(session.handle, noded.pointer))
        == columns.vertices(ofGeometry: row).count
  }

  /// Writes points once each; stretches of lines once each, cut where they meet; and the areas that the rings of
  /// polygons enclose an odd number of times. Parts without length or area are left out.
  static func writeSimple(
    _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, _ builder: GeometryBuilder
  ) throws(EngineError) {
    let (kind, flags) = (columns.kind(row), columns.flags(row))
    if kind == .collection {
      try builder.begin(.collection, flags.dimensions)
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) {
          try writeSimple(inner, member, session, try builder.members())
        }
      }
      return try builder.end()
    }
    if try isSimple(columns, row, session) { return try builder.copy(columns, row) }
    if kind == .multipoint { return try writeDifferentPoints(columns, row, builder) }
    let object = try session.object(columns, row)
    let made =
      kind == .polygon
      ? GEOSMakeValid_r(session.handle, object.pointer) : GEOSUnaryUnion_r(session.handle, object.pointer)
    guard let simple = GEOSObject(made, in: session) else { throw session.refusal("A simple geometry") }
    try session.read(
      simple.pointer, only: kind, isMulti: flags.contains(.isMulti), hasZ: flags.contains(.hasZ), into: builder)
  }

  private static func writeDifferentPoints(
    _ columns: GeometryColumns, _ row: Int, _ builder: GeometryBuilder
  ) throws(EngineError) {
    // Sorted by position, the first of each position in front; then in the old order again.
    let sorted = columns.vertices(ofGeometry: row).sorted {
      let (a, b) = (columns.points[$0], columns.points[$1])
      return (a.x, a.y, $0) < (b.x, b.y, $1)
    }
    var kept: [Int] = []
    var last: Point?
    for index in sorted where columns.points[index] != last {
      kept.append(index)
      last = columns.points[index]
    }
    try builder.begin(.multipoint, columns.flags(row))
    for index in kept.sorted() { try builder.append(columns.vertex(index)) }
    try builder.endPathAndPart()
    try builder.end()
  }
}

/// The rectangle with the smallest area around a convex polygon: one of its sides lies along one of the polygon's, so
/// that calipers go around it once.
enum MinimumRectangle {
  static func corners(of hull: Geometry) -> [Point]? {
    let columns = hull.columns
    guard let path = columns.paths(ofGeometry: hull.row).first else { return nil }
    // Without the last vertex, which is the first again, and relative to the first one: far away, doubles are coarse.
    let vertices = columns.vertices(ofPath: path).dropLast()
    guard let origin = vertices.first.map({ columns.points[$0] }) else { return nil }
    let points = vertices.map { Point(x: columns.points[$0].x - origin.x, y: columns.points[$0].y - origin.y) }
    guard let best = best(points) else { return nil }
    return best.map { Point(x: $0.x + origin.x, y: $0.y + origin.y) }
  }

  private static func best(_ points: [Point]) -> [Point]? {
    let count = points.count
    guard count >= 3 else { return nil }
    var area = 0.0
    for index in 0..<count {
      let (a, b) = (points[index], points[(index &+ 1) % count])
      area += a.x * b.y - a.y * b.x
    }
    // Counterclockwise.
    let ring = area < 0 ? points.reversed() : points
    /// From one vertex on, the first from which it goes down again along a direction.
    func farthest(from start: Int, _ direction: Point) -> Int {
      func along(_ index: Int) -> Double { ring[index % count].x * direction.x + ring[index % count].y * direction.y }
      var index = start
      while index < start &+ count, along(index &+ 1) > along(index) { index &+= 1 }
      return index
    }
    var best: (area: Double, corners: [Point])?
    var (right, top, left) = (1, 1, 1)
    for index in 0..<count {
      let (a, b) = (ring[index], ring[(index &+ 1) % count])
      let length = a.distance(to: b)
      guard length > 0 else { continue }
      let u = Point(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
      let v = Point(x: -u.y, y: u.x)
      right = farthest(from: max(right, index &+ 1), u)
      top = farthest(from: max(top, right), v)
      left = farthest(from: max(left, top), Point(x: -u.x, y: -u.y))
      func along(_ index: Int, _ axis: Point) -> Double {
        let point = ring[index % count]
        return (point.x - a.x) * axis.x + (point.y - a.y) * axis.y
      }
      let (low, high, height) = (along(left, u), along(right, u), along(top, v))
      let found = (high - low) * height
      guard found.isFinite, found < best?.area ?? .infinity else { continue }
      func corner(_ s: Double, _ t: Double) -> Point {
        Point(x: a.x + s * u.x + t * v.x, y: a.y + s * u.y + t * v.y)
      }
      best = (found, [corner(low, 0), corner(high, 0), corner(high, height), corner(low, height)])
    }
    return best?.corners
  }
}

// What GEOS makes of one geometry: its middle, how much it may be moved, and what its lines join up to.
extension Geometry {
  /// The centroid of the area, of the length, or of the points: of the members with the highest dimension.
  public func centroid() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try made("A centroid", hasZ: false) { GEOSGetCentroid_r($0, $1) }
    }
  }

  /// A point on the geometry; inside a polygon.
  public func pointOnSurface() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      // GEOS 3.11 reads the first vertex of every line, also where a line has none.
      try withoutEmptyLines().made("A point on the surface", hasZ: false) { GEOSPointOnSurface_r($0, $1) }
    }
  }

  private func withoutEmptyLines() throws(EngineError) -> Geometry {
    let paths = columns.paths(ofGeometry: row)
    guard kind == .polyline, !isEmpty, paths.contains(where: { columns.vertices(ofPath: $0).isEmpty }) else {
      return self
    }
    let builder = try GeometryBuilder(policy: runtime.policy)
    try builder.begin(.polyline, [])
    for path in paths where !columns.vertices(ofPath: path).isEmpty {
      for vertex in columns.vertices(ofPath: path) { try builder.append(Vertex(columns.points[vertex])) }
      try builder.endPathAndPart()
    }
    try builder.end()
    return try Geometry(runtime: runtime, builder, spatialReference)
  }

  /// Lines, joined wherever exactly two of them end.
  public func mergedLines() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try requirePolyline("Lines are merged")
      // GEOS returns an empty collection.
      if isEmpty { return Geometry(runtime: runtime, columns: columns, row: row) }
      return try made("Merged lines", hasZ: flags.contains(.hasZ)) { GEOSLineMerge_r($0, $1) }
    }
  }

  /// A collection of the polygons that are enclosed by lines that meet at their ends.
  public func enclosedPolygons() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try requirePolyline("Polygons are made")
      try requireUsable()
      let session = try GEOSSession()
      let lines = try session.object(columns, row)
      var input: OpaquePointer? = lines.pointer
      guard let found = GEOSObject(GEOSPolygonize_r(session.handle, &input, 1), in: session) else {
        throw session.refusal("Polygons of lines")
      }
      return try geometry(of: try session.withoutOuterHoles(found), hasZ: flags.contains(.hasZ), session)
    }
  }

  /// The smallest distance between two vertices, or between a vertex and an edge that does not end in it. Infinite
  /// without such a pair.
  public func minimumClearance() throws(EngineError) -> Double {
    try limited { [self] () throws(EngineError) -> Double in
      try requireNoCollection("A minimum clearance")
      try requireUsable()
      if isEmpty { return .infinity }
      let session = try GEOSSession()
      let object = try session.object(columns, row)
      var clearance = 0.0
      guard GEOSMinimumClearance_r(session.handle, object.pointer, &clearance) == 0 else {
        throw session.refusal("A minimum clearance")
      }
      return clearance
    }
  }

  private func requirePolyline(_ what: String) throws(EngineError) {
    guard kind == .polyline else {
      throw EngineError(
        .unsupported, "\(what) of a polyline only. The boundary of a polygon is one.")
    }
  }

  /// What a function of GEOS's makes of this geometry.
  private func made(
    _ what: String, hasZ: Bool, _ make: (OpaquePointer, OpaquePointer) -> OpaquePointer?
  ) throws(EngineError) -> Geometry {
    try requireNoCollection(what)
    try requireUsable()
    let session = try GEOSSession()
    let object = try session.object(columns, row)
    guard let result = GEOSObject(make(session.handle, object.pointer), in: session) else {
      throw session.refusal(what)
    }
    return try geometry(of: result, hasZ: hasZ, session)
  }
}

/// Lines parallel to the lines of a polyline, and around or inside polygons: stretches of the outlines of their
/// buffers.
struct OffsetCurves {
  private let columns: GeometryColumns
  private let row: Int
  private let distance: Double
  private let style: PlanarBufferStyle
  private let segments: Int
  private let runtime: Runtime
  private let largest: Double

  init(
    _ columns: GeometryColumns, _ row: Int, _ distance: Double, _ style: PlanarBufferStyle, segments: Int,
    _ runtime: Runtime
  ) {
    (self.columns, self.row, self.style, self.segments, self.runtime) = (columns, row, style, segments, runtime)
    largest = columns.points.buffer[columns.vertices(ofGeometry: row)].reduce(0) {
      max($0, $1.x.magnitude, $1.y.magnitude)
    }
    // Less than a step of doubles at the coordinates moves nothing.
    self.distance = abs(distance) < largest.ulp ? 0 : distance
  }

  func lines() throws(EngineError) -> [[Point]] {
    if columns.kind(row) == .polygon { return try aroundPolygons() }
    var lines: [[Point]] = []
    for path in columns.paths(ofGeometry: row) {
      let line = Array(columns.points.buffer[columns.vertices(ofPath: path)])
      if !line.isEmpty { lines += try beside(line) }
    }
    return lines
  }

  private var region: BufferRegion {
    BufferRegion(distance, largest: largest, style, segments: segments, runtime.policy)
  }

  private func beside(_ line: [Point]) throws(EngineError) -> [[Point]] {
    if distance == 0 { return [line] }
    var region = region
    // The left of a line that runs the other way is its right. The outline has its inside to the left: it runs against
    // the line.
    try region.add(line: distance > 0 ? line : line.reversed(), .both, marksLeft: true)
    let found = try region.markedLines(runtime.workers)
    return distance > 0 ? found.reversed().map { $0.reversed() } : found
  }

  private func aroundPolygons() throws(EngineError) -> [[Point]] {
    let polygons = columns.orientedRings(ofGeometry: row)
    if distance == 0 { return Array(polygons.joined()) }
    var region = region
    try region.add(rings: Array(polygons.joined()))
    return Array(try region.polygons(runtime.workers).joined())
  }
}

extension GEOSSession {
  /// Polygons without those holes that lie outside: GEOS takes a ring that touches an edge from outside for one.
  fileprivate func withoutOuterHoles(_ polygons: consuming GEOSObject) throws(EngineError) -> GEOSObject {
    let isValid = try truth(GEOSisValid_r(handle, polygons.pointer))
    if isValid { return polygons }
    let what = "A polygon could not be copied"
    var mended = GEOSParts(in: self)
    for number in 0..<GEOSGetNumGeometries_r(handle, polygons.pointer) {
      let polygon = GEOSGetGeometryN_r(handle, polygons.pointer, number)
      let outer = GEOSGetExteriorRing_r(handle, polygon)
      var rings = GEOSParts(in: self)
      var alone = GEOSParts(in: self)
      rings.append(try taken(GEOSGeom_clone_r(handle, outer), what))
      alone.append(try taken(GEOSGeom_clone_r(handle, outer), what))
      let shell = try taken(alone.polygon(), what)
      for hole in 0..<GEOSGetNumInteriorRings_r(handle, polygon) {
        let ring = GEOSGetInteriorRingN_r(handle, polygon, hole)
        let isInside = try truth(GEOSCovers_r(handle, shell.pointer, ring))
        if isInside { rings.append(try taken(GEOSGeom_clone_r(handle, ring), what)) }
      }
      mended.append(try taken(rings.polygon(), what))
    }
    return try collect(&mended, GEOS_GEOMETRYCOLLECTION)
  }
}
