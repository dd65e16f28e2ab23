import AlidadeBase
import AlidadeCoordinates
import CGEOS

extension GeometryArray {
  /// All geometries united: polygons where they overlap or touch along a line, lines cut where they meet and each stretch
  /// once, points once and only where nothing else is. Members of collections count as geometries.
  ///
  /// - Parameter gridSize: all coordinates of the result are multiples of it; 0: they are as precise as they come.
  public func united(gridSize: Double = 0) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      try requireUsable()
      try GridSize.require(gridSize, for: [columns.envelope])
      let leaves = UnionLeaves(columns)
      let session = try GEOSSession()
      let area = try PolygonUnion(runtime, leaves.polygons, gridSize).united(session)
      let builder = try GeometryBuilder(policy: runtime.policy)
      if leaves.others.isEmpty {
        try builder.begin(leaves.kind, leaves.hasZ ? [.hasZ] : [])
        for piece in area { try session.readPart(piece.pointer, .polygon, leaves.hasZ, builder) }
        try builder.end()
      } else {
        // With lines and points: what lies in a polygon is no line or point of its own.
        var objects: [OpaquePointer?] = []
        defer { for object in objects { GEOSGeom_destroy_r(session.handle, object) } }
        for piece in area { objects.append(GEOSGeom_clone_r(session.handle, piece.pointer)) }
        for leaf in leaves.others { objects.append(try session.object(leaf.columns, leaf.row).release()) }
        let all = try session.collect(&objects, GEOS_GEOMETRYCOLLECTION)
        let union = try session.unaryUnion(all.pointer, gridSize)
        try session.read(union.pointer, hasZ: leaves.hasZ, into: builder)
      }
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

/// A point, line or polygon that goes into a union; polygons part by part.
struct UnionLeaf: Sendable {
  let columns: GeometryColumns
  let row: Int
  /// Of a polygon.
  let part: Int
}

/// What goes into a union. What is empty is left out.
private struct UnionLeaves {
  var polygons: [UnionLeaf] = []
  /// Points and lines.
  var others: [UnionLeaf] = []
  var hasZ = false
  /// The kind with the most dimensions that is there: what the union of nothing is an empty one of.
  var kind = GeometryKind.collection

  init(_ columns: GeometryColumns) { for row in 0..<columns.count { add(columns, row) } }

  private mutating func add(_ columns: GeometryColumns, _ row: Int) {
    if columns.flags(row).contains(.hasZ) { hasZ = true }
    let own = columns.kind(row)
    if own == .collection {
      guard let inner = columns.members else { return }
      for member in columns.members(ofGeometry: row) { add(inner, member) }
      return
    }
    if kind == .collection || own.rawValue > kind.rawValue { kind = own }
    if columns.vertices(ofGeometry: row).isEmpty { return }
    guard own == .polygon else { return others.append(UnionLeaf(columns: columns, row: row, part: 0)) }
    for part in columns.parts(ofGeometry: row) where !columns.paths(ofPart: part).isEmpty {
      polygons.append(UnionLeaf(columns: columns, row: row, part: part))
    }
  }
}

/// A geometry of GEOS's that several hold; it ends with the last of them.
///
/// Right to share: nobody changes it, and GEOS keeps no state in it but its envelope, which is computed before it is
/// shared.
final class GEOSShared: @unchecked Sendable {
  let pointer: OpaquePointer
  private let session: GEOSSession

  init(_ object: consuming GEOSObject) throws(EngineError) {
    session = try GEOSSession()
    pointer = object.release()
  }

  deinit { GEOSGeom_destroy_r(session.handle, pointer) }
}

extension GEOSSession {
  /// A collection of geometries, which it takes over: the list is empty afterwards.
  func collect(_ objects: inout [OpaquePointer?], _ type: GEOSGeomTypes) throws(EngineError) -> GEOSObject {
    var given = objects
    objects = []
    // GEOS takes the members over, also when it fails.
    let made = GEOSGeom_createCollection_r(
      handle, Int32(truncatingIfNeeded: type.rawValue), &given, UInt32(clamping: given.count))
    guard let object = GEOSObject(made, in: self) else { throw failure("Geometries could not be collected") }
    return object
  }

  func unaryUnion(_ object: OpaquePointer, _ gridSize: Double) throws(EngineError) -> GEOSObject {
    let made = gridSize == 0 ? GEOSUnaryUnion_r(handle, object) : GEOSUnaryUnionPrec_r(handle, object, gridSize)
    guard let union = GEOSObject(made, in: self) else { throw refusal("A union") }
    return union
  }
}
