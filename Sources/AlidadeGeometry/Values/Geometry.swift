import AlidadeBase
import AlidadeCoordinates
import Synchronization

/// One geometry: an immutable value. It may be one of many in the same columns, which are not copied.
public final class Geometry: RuntimeObject, @unchecked Sendable {  // right: all fields are constant
  public let columns: GeometryColumns
  public let row: Int
  /// It has been checked, and operations can be given it; see `requireUsable`.
  let isKnownUsable = Atomic<Bool>(false)

  /// - Parameter row: one of the columns' rows.
  public init(runtime: Runtime, columns: GeometryColumns, row: Int) {
    self.columns = columns
    self.row = row
    super.init(runtime: runtime)
  }

  // Out of line: built with testing enabled, Swift 6.3's optimizer ends with an assertion where it draws the end of the
  // atomic into another module.
  @inline(never) deinit {}

  /// A geometry from a builder that has built just one.
  convenience init(
    runtime: Runtime, _ builder: GeometryBuilder, _ spatialReference: SpatialReference?
  ) throws(EngineError) {
    self.init(runtime: runtime, columns: try builder.finish(spatialReference), row: 0)
  }

  public override var handleKind: HandleKind { .geometry }

  public var kind: GeometryKind { columns.kind(row) }
  public var flags: GeometryFlags { columns.flags(row) }
  public var isEmpty: Bool { columns.isEmpty(row) }
  public var envelope: Envelope? { columns.envelope(row) }
  public var spatialReference: SpatialReference? { columns.spatialReference }

  /// A member of a collection.
  public func member(_ index: Int) throws(EngineError) -> Geometry {
    let members = columns.members(ofGeometry: row)
    guard let inner = columns.members, index >= 0, index < members.count else {
      throw EngineError(
        .notFound, "There is no member \(index); the geometry has \(members.count), from 0.")
    }
    return Geometry(runtime: runtime, columns: inner, row: members.lowerBound &+ index)
  }

  /// Whether both have the same kind, parts, dimensions, numbers and spatial reference, in the same order.
  public func isEqual(to other: Geometry) throws(EngineError) -> Bool {
    guard columns.isEqual(row, to: other.columns, other.row) else { return false }
    guard let mine = spatialReference, let others = other.spatialReference else {
      return spatialReference == nil && other.spatialReference == nil
    }
    return try mine.relation(to: others) != .different
  }
}

/// Many geometries behind one handle: an immutable value.
public final class GeometryArray: RuntimeObject, @unchecked Sendable {  // right: all fields are constant, or locked
  public let columns: GeometryColumns
  /// The box around all, once it was asked for: hosts ask for an array's facts in loops.
  private let box = Lock<Envelope??>(nil)

  public init(runtime: Runtime, columns: GeometryColumns) {
    self.columns = columns
    super.init(runtime: runtime)
  }

  public override var handleKind: HandleKind { .geometryArray }

  public var count: Int { columns.count }
  public var spatialReference: SpatialReference? { columns.spatialReference }

  /// The box around all geometries; nil if all are empty.
  public var envelope: Envelope? {
    if let known = box.withLock({ $0 }) { return known }
    let found = columns.envelope
    box.withLock { $0 = .some(found) }
    return found
  }

  /// The same numbers, without a copy, in another spatial reference.
  public func labelled(_ spatialReference: SpatialReference) -> GeometryArray {
    columns.spatialReference === spatialReference
      ? self : GeometryArray(runtime: runtime, columns: columns.labelled(spatialReference))
  }

  /// One of the geometries; it shares the columns.
  public func geometry(_ index: Int) throws(EngineError) -> Geometry {
    guard index >= 0, index < count else {
      throw EngineError(.notFound, "There is no geometry \(index); the array has \(count), from 0.")
    }
    return Geometry(runtime: runtime, columns: columns, row: index)
  }
}

extension GeometryFlags {
  var dimensions: GeometryFlags { intersection([.hasZ, .hasM]) }
  /// Numbers per vertex: 2 to 4.
  var dimensionCount: Int { 2 &+ (contains(.hasZ) ? 1 : 0) &+ (contains(.hasM) ? 1 : 0) }
}

/// A vertex with all that it may have; NaN where it has none.
public struct Vertex: Sendable {
  public var point: Point
  public var z: Double
  public var m: Double

  public init(_ point: Point, z: Double = .nan, m: Double = .nan) {
    self.point = point
    self.z = z
    self.m = m
  }
}

extension Geometry {
  /// A polygon of one ring, which need not be closed.
  public static func make(
    runtime: Runtime, ring: [Point], spatialReference: SpatialReference?
  ) throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try builder.begin(.polygon, [])
    for point in ring { try builder.append(Vertex(point)) }
    try builder.endPathAndPart(openRings: .closed)
    try builder.end()
    return try Geometry(runtime: runtime, builder, spatialReference)
  }
}
