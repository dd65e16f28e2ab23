import AlidadeBase
import AlidadeCoordinates
import Synchronization

/// Geometries in columns, as GeoArrow has them: geometry -> parts -> paths -> vertices. Immutable, on any thread.
///
/// Entry i of a column of offsets says where thing i begins one level below; the entry behind the last says where the
/// last one ends.
///
/// | kind | parts | paths of a part | vertices of a path |
/// | --- | --- | --- | --- |
/// | point | one; none if it is empty | one | one |
/// | multipoint | one; none if it is empty | one | all |
/// | polyline | one for each line | one | at least two; none if the line is empty |
/// | polygon | one for each polygon | the shell, then the holes; none if it is empty | at least four, the last the first again |
/// | collection | none: `members` has what is in it | | |
public final class GeometryColumns: Sendable {
  let kinds: Column<UInt8>
  let flagBits: Column<UInt8>
  public let partOffsets: Column<Int32>
  public let pathOffsets: Column<Int32>
  public let vertexOffsets: Column<Int32>
  public let points: Column<Point>
  /// A value for each vertex, NaN where a geometry has no z; nil if no geometry has a z.
  public let z: Column<Double>?
  public let m: Column<Double>?
  /// For collections, the range of their `members`; nil without collections.
  public let memberOffsets: Column<Int32>?
  public let members: GeometryColumns?
  public let spatialReference: SpatialReference?
  /// All geometries have been checked, and operations can be given them; see `requireUsable`.
  let areKnownUsable: SharedFlag

  init(_ builder: GeometryBuilder, members: GeometryColumns?, spatialReference: SpatialReference?) {
    kinds = builder.kinds
    flagBits = builder.flagBits
    partOffsets = builder.partOffsets
    pathOffsets = builder.pathOffsets
    vertexOffsets = builder.vertexOffsets
    points = builder.points
    z = builder.z
    m = builder.m
    memberOffsets = members == nil ? nil : builder.memberOffsets
    self.members = members
    self.spatialReference = spatialReference
    areKnownUsable = SharedFlag()
  }

  private init(_ other: GeometryColumns, spatialReference: SpatialReference) {
    kinds = other.kinds
    flagBits = other.flagBits
    partOffsets = other.partOffsets
    pathOffsets = other.pathOffsets
    vertexOffsets = other.vertexOffsets
    points = other.points
    z = other.z
    m = other.m
    memberOffsets = other.memberOffsets
    members = other.members?.labelled(spatialReference)
    self.spatialReference = spatialReference
    areKnownUsable = other.areKnownUsable
  }

  /// The memory of the columns in bytes, as far as they are filled.
  public var byteCount: Int {
    let offsets = partOffsets.count &+ pathOffsets.count &+ vertexOffsets.count &+ (memberOffsets?.count ?? 0)
    let doubles = points.count &* 2 &+ (z?.count ?? 0) &+ (m?.count ?? 0)
    return kinds.count &+ flagBits.count &+ offsets &* 4 &+ doubles &* 8 &+ (members?.byteCount ?? 0)
  }

  /// The same numbers, without a copy, in another spatial reference.
  func labelled(_ spatialReference: SpatialReference) -> GeometryColumns {
    GeometryColumns(self, spatialReference: spatialReference)
  }

  /// How many geometries there are.
  public var count: Int { kinds.count }

  // Rows, parts and paths below must exist: the callers count them.

  public func kind(_ row: Int) -> GeometryKind {
    GeometryKind(rawValue: Int32(truncatingIfNeeded: kinds[row])) ?? .point
  }
  public func flags(_ row: Int) -> GeometryFlags { GeometryFlags(rawValue: flagBits[row]) }

  /// The kinds and flags as bytes, for hosts.
  public var kindBytes: UnsafeBufferPointer<UInt8> { kinds.buffer }
  public var flagBytes: UnsafeBufferPointer<UInt8> { flagBits.buffer }

  public func parts(ofGeometry row: Int) -> Range<Int> { Self.range(partOffsets, row) }
  public func paths(ofPart part: Int) -> Range<Int> { Self.range(pathOffsets, part) }
  public func vertices(ofPath path: Int) -> Range<Int> { Self.range(vertexOffsets, path) }

  public func members(ofGeometry row: Int) -> Range<Int> {
    memberOffsets.map { Self.range($0, row) } ?? 0..<0
  }

  public func paths(ofGeometry row: Int) -> Range<Int> {
    let parts = parts(ofGeometry: row)
    return pathOffsets.number(parts.lowerBound)..<pathOffsets.number(parts.upperBound)
  }

  public func vertices(ofGeometry row: Int) -> Range<Int> {
    let paths = paths(ofGeometry: row)
    return vertexOffsets.number(paths.lowerBound)..<vertexOffsets.number(paths.upperBound)
  }

  public func vertex(_ index: Int) -> Vertex {
    Vertex(points[index], z: z.map { $0[index] } ?? .nan, m: m.map { $0[index] } ?? .nan)
  }

  /// Only the builder writes offsets, and it writes them rising.
  @inline(__always)
  private static func range(_ offsets: Column<Int32>, _ index: Int) -> Range<Int> {
    Range(uncheckedBounds: (offsets.number(index), offsets.number(index &+ 1)))
  }
}

extension GeometryColumns {
  /// Whether a geometry has no vertices.
  public func isEmpty(_ row: Int) -> Bool {
    if kind(row) != .collection { return vertices(ofGeometry: row).isEmpty }
    guard let inner = members else { return true }
    return members(ofGeometry: row).allSatisfy { inner.isEmpty($0) }
  }

  /// The number of vertices of a geometry, including the vertices of its members.
  public func vertexCount(_ row: Int) -> Int {
    if kind(row) != .collection { return vertices(ofGeometry: row).count }
    guard let inner = members else { return 0 }
    return members(ofGeometry: row).reduce(0) { $0 &+ inner.vertexCount($1) }
  }

  /// The number of vertices of all geometries, including the vertices of members.
  public var vertexCount: Int { (0..<count).reduce(0) { $0 &+ vertexCount($1) } }

  /// The box around a geometry; nil if it is empty.
  public func envelope(_ row: Int) -> Envelope? {
    var box: Envelope?
    extend(&box, byGeometry: row)
    return box
  }

  /// The box around all geometries; nil if all are empty.
  public var envelope: Envelope? {
    var box: Envelope?
    for row in 0..<count { extend(&box, byGeometry: row) }
    return box
  }

  private func extend(_ box: inout Envelope?, byGeometry row: Int) {
    if let inner = members {
      for member in members(ofGeometry: row) { inner.extend(&box, byGeometry: member) }
    }
    let range = vertices(ofGeometry: row)
    guard let first = range.first else { return }
    var low = SIMD2(box?.xMin ?? points[first].x, box?.yMin ?? points[first].y)
    var high = SIMD2(box?.xMax ?? points[first].x, box?.yMax ?? points[first].y)
    for point in UnsafeBufferPointer(rebasing: points.buffer[range]) {
      let point = SIMD2(point.x, point.y)
      low.replace(with: point, where: point .< low)
      high.replace(with: point, where: point .> high)
    }
    box = Envelope(xMin: low.x, yMin: low.y, xMax: high.x, yMax: high.y)
  }

  /// Whether two geometries have the same kind, parts, dimensions and numbers, in the same order. NaN equals NaN.
  public func isEqual(_ row: Int, to other: GeometryColumns, _ otherRow: Int) -> Bool {
    guard kinds[row] == other.kinds[otherRow], flagBits[row] == other.flagBits[otherRow] else { return false }
    let parts = parts(ofGeometry: row)
    let otherParts = other.parts(ofGeometry: otherRow)
    guard parts.count == otherParts.count else { return false }
    for (part, otherPart) in zip(parts, otherParts) {
      let paths = paths(ofPart: part)
      let otherPaths = other.paths(ofPart: otherPart)
      guard paths.count == otherPaths.count else { return false }
      for (path, otherPath) in zip(paths, otherPaths) {
        let range = vertices(ofPath: path)
        let otherRange = other.vertices(ofPath: otherPath)
        guard range.count == otherRange.count else { return false }
        for (index, otherIndex) in zip(range, otherRange) {
          guard Self.areEqual(vertex(index), other.vertex(otherIndex)) else { return false }
        }
      }
    }
    let mine = members(ofGeometry: row)
    let others = other.members(ofGeometry: otherRow)
    guard mine.count == others.count else { return false }
    guard let inner = members, let otherInner = other.members else { return true }
    return zip(mine, others).allSatisfy { inner.isEqual($0, to: otherInner, $1) }
  }

  private static func areEqual(_ a: Vertex, _ b: Vertex) -> Bool {
    func same(_ a: Double, _ b: Double) -> Bool { a == b || (a.isNaN && b.isNaN) }
    return a.point == b.point && same(a.z, b.z) && same(a.m, b.m)
  }
}

extension GeometryColumns {
  /// A geometry as a value of its own, which shares the columns.
  public func geometry(_ row: Int, runtime: Runtime) throws(EngineError) -> Geometry {
    guard row >= 0, row < count else {
      throw EngineError(.notFound, "There is no geometry \(row); there are \(count), from 0.")
    }
    return Geometry(runtime: runtime, columns: self, row: row)
  }

  /// Calls `body` for a geometry, or for all geometries in a collection, at any depth, in order.
  public func forEachSimple<Failure: Error>(
    _ row: Int, _ body: (GeometryColumns, Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard kind(row) == .collection else { return try body(self, row) }
    guard let members else { return }
    for member in self.members(ofGeometry: row) { try members.forEachSimple(member, body) }
  }
}

extension GeometryColumns {
  /// The vertices of geometries as coordinates, copied: geometry by geometry, and member by member for a collection. A
  /// vertex without a height gets height 0.
  public func coordinates(ofGeometries rows: Range<Int>, _ policy: Policy) throws(EngineError) -> CoordinateColumns {
    let batch = try VertexBatch(self, rows, policy)
    let heights: HeapArray<Double>
    if let known = batch.heights {
      heights = known
      for index in heights.buffer.indices where heights.buffer[index].isNaN { heights.buffer[index] = 0 }
    } else {
      heights = try HeapArray(count: batch.count)
      heights.buffer.update(repeating: 0)
    }
    return CoordinateColumns(points: batch.points, z: heights)
  }
}

/// Something that becomes true once, known to all copies of an object.
final class SharedFlag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
