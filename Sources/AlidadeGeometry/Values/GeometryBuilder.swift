import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// Fills columns, one geometry after the other. All readers and operations write through it, so that the rules for
/// every geometry are kept here: rings are closed and have at least four vertices, lines have none or at least two,
/// coordinates are finite, and sizes are within the policy.
///
/// After an error the builder can no longer be used.
public final class GeometryBuilder {
  /// Collections within collections, at most.
  public static let depthLimit = 32

  let kinds = Column<UInt8>()
  let flagBits = Column<UInt8>()
  let partOffsets = Column<Int32>()
  let pathOffsets = Column<Int32>()
  let vertexOffsets = Column<Int32>()
  let memberOffsets = Column<Int32>()
  let points = Column<Point>()
  private(set) var z: Column<Double>?
  private(set) var m: Column<Double>?
  private var memberBuilder: GeometryBuilder?
  let budget: MemoryBudget
  private let depth: Int
  /// The kind of the geometry that is being built.
  public private(set) var kind = GeometryKind.point
  public private(set) var flags: GeometryFlags = []
  private var firstPathOfPart = 0
  /// The part's first ring has no vertices, and was left out.
  private var shellIsEmpty = false

  public convenience init(policy: Policy) throws(EngineError) {
    try self.init(budget: MemoryBudget(policy), depth: 0)
  }

  /// A builder whose memory counts with what else the budget is for.
  public convenience init(budget: MemoryBudget) throws(EngineError) { try self.init(budget: budget, depth: 0) }

  init(budget: MemoryBudget, depth: Int) throws(EngineError) {
    self.budget = budget
    self.depth = depth
    for column in [partOffsets, pathOffsets, vertexOffsets, memberOffsets] { try column.append(0, budget) }
  }

  // MARK: Geometries

  /// Begins a geometry. Its parts, paths and vertices follow, then `end`.
  public func begin(_ kind: GeometryKind, _ flags: GeometryFlags) throws(EngineError) {
    self.kind = kind
    self.flags = flags
    try kinds.append(UInt8(truncatingIfNeeded: kind.rawValue), budget)
    try flagBits.append(flags.rawValue, budget)
    if flags.contains(.hasZ), z == nil { z = try blankColumn() }
    if flags.contains(.hasM), m == nil { m = try blankColumn() }
    firstPathOfPart = vertexOffsets.count &- 1
    shellIsEmpty = false
  }

  public func end() throws(EngineError) {
    if kind == .polyline || kind == .polygon {
      let parts = pathOffsets.count &- 1 &- partOffsets.last
      if parts > 1, !flags.contains(.isMulti) {
        flags.insert(.isMulti)
        flagBits.replaceLast(flags.rawValue)
      }
      // A polygon whose one ring has no vertices is an empty polygon, which has no part.
      let hasOnlyEmptyPart = parts == 1 && pathOffsets.last == pathOffsets.number(pathOffsets.count &- 2)
      if hasOnlyEmptyPart, !flags.contains(.isMulti) { pathOffsets.cut(to: pathOffsets.count &- 1) }
    }
    if kind == .collection, let memberBuilder {
      // What its members have, however the text or bytes mark the collection itself; GeoJSON marks nothing.
      var all = flags
      for member in memberOffsets.last..<memberBuilder.flagBits.count {
        all.formUnion(GeometryFlags(rawValue: memberBuilder.flagBits[member]).dimensions)
      }
      flags = all
      flagBits.replaceLast(all.rawValue)
    }
    try partOffsets.append(try Self.offset(pathOffsets.count &- 1), budget)
    try memberOffsets.append(try Self.offset(memberBuilder?.kinds.count ?? 0), budget)
  }

  /// The builder that the members of a collection go to.
  public func members() throws(EngineError) -> GeometryBuilder {
    if let memberBuilder { return memberBuilder }
    guard depth < Self.depthLimit else {
      throw EngineError(.invalidArgument, "collections are nested more than \(Self.depthLimit) deep")
    }
    let made = try GeometryBuilder(budget: budget, depth: depth &+ 1)
    memberBuilder = made
    return made
  }

  // MARK: Undoing

  /// Where a builder stands between two geometries.
  public struct Mark {
    fileprivate let rows: Int
    fileprivate let parts: Int
    fileprivate let paths: Int
    fileprivate let vertices: Int
    fileprivate let memberOffsets: Int
  }

  public var mark: Mark {
    Mark(
      rows: kinds.count, parts: pathOffsets.count, paths: vertexOffsets.count, vertices: points.count,
      memberOffsets: memberOffsets.count)
  }

  /// Removes all that came after a mark, even after an error: for readers that continue after unreadable input.
  public func undo(to mark: Mark) {
    kinds.cut(to: mark.rows)
    flagBits.cut(to: mark.rows)
    partOffsets.cut(to: mark.rows &+ 1)
    pathOffsets.cut(to: mark.parts)
    vertexOffsets.cut(to: mark.paths)
    points.cut(to: mark.vertices)
    z?.cut(to: mark.vertices)
    m?.cut(to: mark.vertices)
    memberOffsets.cut(to: mark.memberOffsets)
    memberBuilder?.undo(toRow: memberOffsets.last)
  }

  /// Takes off all members from a row on.
  private func undo(toRow row: Int) {
    guard row < kinds.count else { return }
    let parts = partOffsets.number(row)
    let paths = pathOffsets.number(parts)
    undo(
      to: Mark(
        rows: row, parts: parts &+ 1, paths: paths &+ 1, vertices: vertexOffsets.number(paths), memberOffsets: row &+ 1)
    )
  }

  // MARK: Parts and paths

  /// Ends a part: a line, a polygon, or the points of a point or multipoint.
  public func endPart() throws(EngineError) {
    try pathOffsets.append(try Self.offset(vertexOffsets.count &- 1), budget)
    firstPathOfPart = vertexOffsets.count &- 1
    shellIsEmpty = false
  }

  /// How a ring whose last vertex is not its first is treated.
  public enum OpenRings {
    case closed, refused
  }

  /// Ends a path: a line, a ring, or points. The messages say what is wrong, not where; the reader knows that.
  public func endPath(openRings: OpenRings = .refused) throws(EngineError) {
    let start = vertexOffsets.last
    var count = points.count &- start
    switch kind {
    case .polyline:
      if count == 1 { throw EngineError(.invalidArgument, "a line has one vertex; it needs two or more, or none") }
    case .polygon:
      // An empty shell means an empty polygon; what a hole of an empty shell would be is nowhere said.
      if count == 0, !shellIsEmpty, vertexOffsets.count &- 1 == firstPathOfPart {
        shellIsEmpty = true
        return
      }
      if count == 0 || shellIsEmpty {
        throw EngineError(.invalidArgument, "a polygon has a ring without vertices in addition to another ring")
      }
      if points[start] != points[points.count &- 1] {
        guard openRings == .closed else {
          throw EngineError(.invalidArgument, "a ring is not closed: its last vertex is not its first")
        }
        try append(vertex(start))
        count &+= 1
      }
      if count < 4 {
        throw EngineError(
          .invalidArgument,
          "a ring has \(count) vertices; it needs four or more, including the first vertex again at the end")
      }
    case .point, .multipoint, .collection: break
    }
    if vertexOffsets.count & 255 == 255 { try TimeLimit.check() }
    try vertexOffsets.append(try Self.offset(points.count), budget)
  }

  /// Ends a part of one path.
  public func endPathAndPart(openRings: OpenRings = .refused) throws(EngineError) {
    try endPath(openRings: openRings)
    try endPart()
  }

  // MARK: Vertices

  @inline(__always)
  public func append(_ vertex: Vertex) throws(EngineError) {
    guard vertex.point.isFinite, !vertex.z.isInfinite, !vertex.m.isInfinite else { throw Self.notFinite(vertex) }
    if points.count & 4095 == 4095 { try TimeLimit.check() }
    try points.append(vertex.point, budget)
    if let z { try z.append(flags.contains(.hasZ) ? vertex.z : .nan, budget) }
    if let m { try m.append(flags.contains(.hasM) ? vertex.m : .nan, budget) }
  }

  /// Memory for vertices that are written in bulk. The caller writes them all, z and m where the geometry has them, and
  /// checks that they are finite.
  func extend(by count: Int) throws(EngineError) -> VertexRoom {
    try budget.check(points: points.count &+ count)
    let room = VertexRoom(
      points: try points.extend(by: count, budget), z: try z?.extend(by: count, budget),
      m: try m?.extend(by: count, budget))
    if !flags.contains(.hasZ) { room.z?.update(repeating: .nan) }
    if !flags.contains(.hasM) { room.m?.update(repeating: .nan) }
    return room
  }

  struct VertexRoom {
    let points: UnsafeMutableBufferPointer<Point>
    let z: UnsafeMutableBufferPointer<Double>?
    let m: UnsafeMutableBufferPointer<Double>?
  }

  static func notFinite(_ vertex: Vertex) -> EngineError {
    let numbers = [vertex.point.x, vertex.point.y, vertex.z, vertex.m].map { NumberText.shortest($0) }
    return EngineError(
      .invalidArgument, "the vertex (\(numbers.joined(separator: ", "))) has a coordinate that is not finite")
  }

  private func vertex(_ index: Int) -> Vertex {
    Vertex(points[index], z: z.map { $0[index] } ?? .nan, m: m.map { $0[index] } ?? .nan)
  }

  /// A z or m column for a geometry that comes after others that have none.
  private func blankColumn() throws(EngineError) -> Column<Double> {
    let column = Column<Double>()
    try column.extend(by: points.count, budget).update(repeating: .nan)
    return column
  }

  private static func offset(_ count: Int) throws(EngineError) -> Int32 {
    guard let offset = Int32(exactly: count) else {
      throw EngineError(.limitExceeded, "Columns hold at most 2,147,483,647 vertices, paths, parts and members.")
    }
    return offset
  }

  // MARK: The result

  /// The number of points, including the points of members within members.
  private var pointCount: Int { points.count &+ (memberBuilder?.pointCount ?? 0) }

  /// The columns. Nothing may be added afterwards.
  public func finish(_ spatialReference: SpatialReference?) throws(EngineError) -> GeometryColumns {
    try budget.check(points: pointCount)
    for column in [partOffsets, pathOffsets, vertexOffsets, memberOffsets] { column.trim(budget) }
    for column in [kinds, flagBits] { column.trim(budget) }
    points.trim(budget)
    z?.trim(budget)
    m?.trim(budget)
    return GeometryColumns(
      self, members: try memberBuilder?.finish(spatialReference), spatialReference: spatialReference)
  }
}

extension GeometryBuilder {
  /// Adds a geometry of other columns as it is.
  func copy(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    let kind = columns.kind(row)
    try begin(kind, columns.flags(row))
    if kind == .collection {
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) { try members().copy(inner, member) }
      }
      return try end()
    }
    for part in columns.parts(ofGeometry: row) {
      for path in columns.paths(ofPart: part) {
        for index in columns.vertices(ofPath: path) { try append(columns.vertex(index)) }
        try endPath()
      }
      try endPart()
    }
    try end()
  }
}

extension GEOSSession {
  /// Adds those lines or polygons of a geometry of GEOS's that are of a kind; what is of another dimension is left out.
  ///
  /// - Parameter isMulti: the result is marked as one of several parts, however many it has.
  func read(
    _ object: OpaquePointer, only kind: GeometryKind, isMulti: Bool, hasZ: Bool, into builder: GeometryBuilder
  ) throws(EngineError) {
    var flags: GeometryFlags = hasZ ? [.hasZ] : []
    if isMulti { flags.insert(.isMulti) }
    try builder.begin(kind, flags)
    try readParts(object, kind, hasZ, builder)
    try builder.end()
  }

  private func readParts(
    _ object: OpaquePointer, _ kind: GeometryKind, _ hasZ: Bool, _ builder: GeometryBuilder
  ) throws(EngineError) {
    let type = GEOSGeomTypes(UInt32(truncatingIfNeeded: max(0, GEOSGeomTypeId_r(handle, object))))
    switch type {
    case GEOS_LINESTRING, GEOS_LINEARRING:
      if kind == .polyline, GEOSisEmpty_r(handle, object) == 0 { try readPart(object, kind, hasZ, builder) }
    case GEOS_POLYGON:
      if kind == .polygon, GEOSisEmpty_r(handle, object) == 0 { try readPart(object, kind, hasZ, builder) }
    case GEOS_MULTIPOLYGON, GEOS_MULTILINESTRING, GEOS_GEOMETRYCOLLECTION:
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let one = GEOSGetGeometryN_r(handle, object, member) { try readParts(one, kind, hasZ, builder) }
      }
    default: break
    }
  }
}

extension GeometryArray {
  /// An array of what `write` makes of each geometry, on all cores. The geometries are usable, and `write` writes one
  /// for each.
  func mapped(
    _ write:
      @Sendable (
        _ columns: GeometryColumns, _ row: Int, _ session: borrowing GEOSSession, _ builder: GeometryBuilder
      ) throws(EngineError) -> Void
  ) throws(EngineError) -> GeometryArray {
    let slices = Lock<[Int: GeometryColumns]>([:])
    try forEachSlice { (rows) throws(EngineError) in
      let session = try GEOSSession()
      let builder = try GeometryBuilder(policy: runtime.policy)
      for row in rows {
        try TimeLimit.check()
        do throws(EngineError) { try write(columns, row, session, builder) } catch {
          throw EngineError(
            error.status, "Geometry \(row): \(error.message)", parameter: error.parameter, domain: error.domain)
        }
      }
      let made = try builder.finish(spatialReference)
      slices.withLock { $0[rows.lowerBound] = made }
    }
    let builder = try GeometryBuilder(policy: runtime.policy)
    for (_, columns) in slices.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      for row in 0..<columns.count { try builder.copy(columns, row) }
    }
    return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
  }
}

extension GeometryBuilder {
  /// Adds the geometries of columns, one after the other: polygons without z and m, as buffers are. Their vertices are
  /// copied on all cores, because the first write to each page of memory takes longer than the copy.
  func append(polygons all: [GeometryColumns], _ workers: Workers) throws(EngineError) {
    let first = points.count
    var starts: [Int] = []
    starts.reserveCapacity(all.count)
    var count = 0
    for columns in all {
      try append(rows: columns, firstVertex: first &+ count)
      starts.append(count)
      count &+= columns.points.count
    }
    let room = SharedRoom(points: try extend(by: count).points)
    let slice = 16
    try workers.forEach((all.count &+ slice &- 1) / slice) { [starts] (index) throws(EngineError) in
      for number in (index &* slice)..<min(all.count, (index &+ 1) &* slice) {
        let points = all[number].points.buffer
        _ = room.points[starts[number]..<(starts[number] &+ points.count)].update(fromContentsOf: points)
      }
    }
  }

  /// Adds all but the vertices.
  private func append(rows other: GeometryColumns, firstVertex: Int) throws(EngineError) {
    let (parts, paths) = (pathOffsets.count &- 1, vertexOffsets.count &- 1)
    try copy(other.kinds, to: kinds)
    try copy(other.flagBits, to: flagBits)
    try copy(other.partOffsets, to: partOffsets, raisedBy: parts)
    try copy(other.pathOffsets, to: pathOffsets, raisedBy: paths)
    try copy(other.vertexOffsets, to: vertexOffsets, raisedBy: firstVertex)
    try memberOffsets.extend(by: other.count, budget).update(repeating: 0)
  }

  private func copy(_ column: Column<UInt8>, to target: Column<UInt8>) throws(EngineError) {
    _ = try target.extend(by: column.count, budget).update(fromContentsOf: column.buffer)
  }

  /// Offsets but the first, which is there already.
  private func copy(
    _ offsets: Column<Int32>, to target: Column<Int32>, raisedBy base: Int
  ) throws(EngineError) {
    guard let base = Int32(exactly: base), !base.addingReportingOverflow(Int32(clamping: offsets.last)).overflow else {
      throw EngineError(.limitExceeded, "Columns hold at most 2,147,483,647 vertices, paths and parts.")
    }
    let room = try target.extend(by: offsets.count &- 1, budget)
    for index in room.indices { room[index] = offsets[index &+ 1] &+ base }
  }
}

/// Right to share: each thread writes a part of its own.
struct SharedRoom: @unchecked Sendable {
  let points: UnsafeMutableBufferPointer<Point>
}
