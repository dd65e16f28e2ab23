import AlidadeBase
import AlidadeCoordinates

/// What is done where vertices have no image in the target.
public struct MissingImages: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// They are left out: points vanish, and lines are cut there. A polygon cannot do without one: its ring would be
  /// closed by an edge that is nowhere on Earth.
  public static let areLeftOut = MissingImages(rawValue: 1)
  /// A geometry of an array that cannot be projected becomes an empty one.
  public static let emptyTheGeometry = MissingImages(rawValue: 2)
}

/// A geometry that was projected.
public struct ProjectedGeometry: Sendable {
  public let geometry: Geometry
  /// Of each vertex of the geometry that went in; those of a collection member by member.
  public let marks: VertexMarks
  public let receipt: ProjectionReceipt
}

/// Geometries that were projected.
public struct ProjectedGeometryArray: Sendable {
  public let array: GeometryArray
  /// Of each geometry: of its first vertex without an image, or that it has none.
  public let statuses: HeapArray<PointStatus>
  /// Of each vertex that went in: geometry by geometry, those of a collection member by member.
  public let marks: VertexMarks
  public let receipt: ProjectionReceipt
}

extension Geometry {
  /// The spatial reference, or an error that says that there is none.
  public func requireSpatialReference() throws(EngineError) -> SpatialReference {
    try required(spatialReference, "geometry")
  }

  /// The geometry in another spatial reference, vertex by vertex: edges stay straight lines between their vertices.
  ///
  /// z is converted as `Projector` does it, m is kept, and so are kinds, parts and rings. Where both spatial references
  /// mean the same positions nothing is copied, and nothing is looked at.
  public func projected(
    to: SpatialReference, options: ProjectionOptions = ProjectionOptions(), missingImages: MissingImages = []
  ) throws(EngineError) -> ProjectedGeometry {
    try limited { [self] () throws(EngineError) -> ProjectedGeometry in
      let from = try requireSpatialReference()
      let rows = row..<(row &+ 1)
      var batch: VertexBatch?
      var receipt: ProjectionReceipt?
      let isSame = try isIdentity(from, to, options, columns)
      if !isSame {
        var made = try VertexBatch(columns, rows, runtime.policy)
        receipt = try made.project(from: from, to: to, options)
        batch = made
      }
      guard let batch, let receipt else {
        let count = columns.vertexCount(row)
        return ProjectedGeometry(
          geometry: Geometry(runtime: runtime, columns: columns.labelled(to), row: row),
          marks: VertexMarks(count: count),
          receipt: ProjectionReceipt(identityOf: count, runtime: runtime))
      }
      let writer = ProjectedWriter(batch, columns, missingImages.intersection(.areLeftOut), from, to)
      let builder = try GeometryBuilder(policy: runtime.policy)
      _ = try writer.write(rows, into: builder)
      return ProjectedGeometry(
        geometry: try Geometry(runtime: runtime, builder, to), marks: batch.marks,
        receipt: receipt)
    }
  }

  /// The geometry for use beside one in `first`: in that spatial reference, by what is best for each vertex. The receipt
  /// is nil if nothing had to be projected.
  public func projected(
    toMatch first: SpatialReference?
  ) throws(EngineError) -> (geometry: Geometry, receipt: ProjectionReceipt?) {
    guard let first = try target(toMatch: first, spatialReference) else { return (self, nil) }
    let projected = try projected(to: first)
    return (projected.geometry, projected.receipt.isIdentity ? nil : projected.receipt)
  }
}

extension GeometryArray {
  /// The spatial reference, or an error that says that there is none.
  public func requireSpatialReference() throws(EngineError) -> SpatialReference {
    try required(spatialReference, "array")
  }

  /// The geometries in another spatial reference; see `Geometry`.
  public func projected(
    to: SpatialReference, options: ProjectionOptions = ProjectionOptions(), missingImages: MissingImages = []
  ) throws(EngineError) -> ProjectedGeometryArray {
    try projected(to: to, options: options, missingImages: missingImages, numbers: nil)
  }

  /// - Parameter numbers: what a message calls the geometries; nil: by their places.
  func projected(
    to: SpatialReference, options: ProjectionOptions = ProjectionOptions(), missingImages: MissingImages = [],
    numbers: [Int]?
  ) throws(EngineError) -> ProjectedGeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> ProjectedGeometryArray in
      let from = try requireSpatialReference()
      var batch: VertexBatch?
      var receipt: ProjectionReceipt?
      let isSame = try isIdentity(from, to, options, columns)
      if !isSame {
        var made = try VertexBatch(columns, 0..<count, runtime.policy)
        receipt = try made.project(from: from, to: to, options)
        batch = made
      }
      guard let batch, let receipt else {
        let vertexCount = columns.vertexCount
        let statuses = try HeapArray<PointStatus>(count: count)
        statuses.buffer.update(repeating: .ok)
        return ProjectedGeometryArray(
          array: GeometryArray(runtime: runtime, columns: columns.labelled(to)), statuses: statuses,
          marks: VertexMarks(count: vertexCount),
          receipt: ProjectionReceipt(identityOf: vertexCount, runtime: runtime))
      }
      let writer = ProjectedWriter(batch, columns, missingImages, from, to)
      let builder = try GeometryBuilder(policy: runtime.policy)
      let statuses = try writer.write(0..<count, into: builder) { numbers?[$0] ?? $0 }
      return ProjectedGeometryArray(
        array: GeometryArray(runtime: runtime, columns: try builder.finish(to)), statuses: statuses, marks: batch.marks,
        receipt: receipt)
    }
  }

  /// The array for use beside a geometry in `first`; see `Geometry`.
  public func projected(
    toMatch first: SpatialReference?
  ) throws(EngineError) -> (array: GeometryArray, receipt: ProjectionReceipt?) {
    guard let first = try target(toMatch: first, spatialReference) else { return (self, nil) }
    let projected = try projected(to: first)
    return (projected.array, projected.receipt.isIdentity ? nil : projected.receipt)
  }
}

private func required(_ reference: SpatialReference?, _ what: String) throws(EngineError) -> SpatialReference {
  if let reference { return reference }
  throw EngineError(
    .invalidArgument,
    "The \(what) has no spatial reference, so that nothing says what its coordinates are in; give one when it is made.")
}

/// Whether the two spatial references mean the same positions, and heights if there are any: seen before anything is
/// copied.
private func isIdentity(
  _ from: SpatialReference, _ to: SpatialReference, _ options: ProjectionOptions, _ columns: GeometryColumns
) throws(EngineError) -> Bool {
  // A transformation may move what stays in one system, and whether one fits is seen when it is used.
  guard options.transformation == nil, !options.isInverse else { return false }
  var options = options
  if options.ignoresVertical || !columns.hasHeights {
    options.ignoresVertical = true
    return try Projector.between(from, to, options: options).isIdentity
  }
  guard from.definition != to.definition else { return true }
  options.ignoresVertical = true
  guard try Projector.between(from, to, options: options).isIdentity else { return false }
  options.ignoresVertical = false
  return try Projector.between(from, to, options: options).isIdentity
}

/// What a geometry has to be projected to for use beside one in `first`; nil if it is there already.
private func target(
  toMatch first: SpatialReference?, _ own: SpatialReference?
) throws(EngineError) -> SpatialReference? {
  if first == nil, own == nil { return nil }
  guard let first, let own else {
    throw EngineError(
      .invalidArgument,
      "One geometry is in \((first ?? own)?.name ?? ""), and the other has no spatial reference. Give it "
        + "one when it is made; of two without one, coordinates are taken as they are.")
  }
  return first === own ? nil : first
}
