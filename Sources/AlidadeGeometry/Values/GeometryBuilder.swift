import AlidadeBase
import AlidadeCoordinates

/// Fills columns, one geometry after the other. All readers and operations write through it, so that what holds of every
/// geometry is seen to in one place: rings are closed and have at least four vertices, lines have none or at least two,
/// coordinates are finite, and sizes are within the policy.
///
/// After an error the builder is of no use any more.
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
  /// Of the geometry that is being built.
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

  /// Takes off all that came after a mark, after an error too: for readers that go on behind what cannot be read.
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

  /// What is done about a ring whose last vertex is not its first.
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
        throw EngineError(.invalidArgument, "a polygon has a ring without vertices beside another ring")
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
          "a ring has \(count) vertices; it needs four or more, the first again at the end counted in")
      }
    case .point, .multipoint, .collection: break
    }
    if vertexOffsets.count & 255 == 255 { try TimeLimit.check() }
    try vertexOffsets.append(try Self.offset(points.count), budget)
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

  /// Room for vertices that are written in bulk. The caller writes them all, z and m where the geometry has them, and
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

  /// Those of members within members counted in.
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
