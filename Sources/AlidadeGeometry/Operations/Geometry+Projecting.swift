import AlidadeBase
import AlidadeCoordinates

/// A geometry that was projected.
public struct ProjectedGeometry: Sendable {
  public let geometry: Geometry
  /// A mark for each vertex of the original geometry, member by member for a collection.
  public let marks: VertexMarks
  public let receipt: ProjectionReceipt
}

/// Geometries that were projected.
public struct ProjectedGeometryArray: Sendable {
  public let array: GeometryArray
  /// For each geometry the status of its first vertex without an image, or `ok` if all vertices have one.
  public let statuses: HeapArray<PointStatus>
  /// A mark for each vertex of the original geometries, geometry by geometry, member by member for collections.
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
      guard let (batch, receipt) = try projectedVertices(columns, rows, from, to, options, runtime.policy) else {
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

  /// The geometry for use together with a geometry in `first`: projected to that spatial reference, with the best
  /// operation for each vertex. The receipt is nil if nothing was projected.
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

  /// - Parameter numbers: the numbers of the geometries in messages; nil means their indexes.
  func projected(
    to: SpatialReference, options: ProjectionOptions = ProjectionOptions(), missingImages: MissingImages = [],
    numbers: [Int]?
  ) throws(EngineError) -> ProjectedGeometryArray {
    try runtime.limited { [self] () throws(EngineError) -> ProjectedGeometryArray in
      let from = try requireSpatialReference()
      guard let (batch, receipt) = try projectedVertices(columns, 0..<count, from, to, options, runtime.policy) else {
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

  /// The array for use together with a geometry in `first`; see `Geometry`.
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
    "The \(what) has no spatial reference, so its coordinates have no meaning. Create it with one.")
}

/// The vertices of rows in another spatial reference; nil where both mean the same positions.
private func projectedVertices(
  _ columns: GeometryColumns, _ rows: Range<Int>, _ from: SpatialReference, _ to: SpatialReference,
  _ options: ProjectionOptions, _ policy: Policy
) throws(EngineError) -> (VertexBatch, ProjectionReceipt)? {
  if try isIdentity(from, to, options, columns) { return nil }
  var batch = try VertexBatch(columns, rows, policy)
  return try batch.project(from: from, to: to, options).map { (batch, $0) }
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

/// The spatial reference to which a geometry must be projected for use with a geometry in `first`; nil if it is already
/// there.
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

/// Makes geometries of projected vertices: the kinds, parts and paths of those that went in, but for what has no image.
struct ProjectedWriter {
  private let batch: VertexBatch
  private let columns: GeometryColumns
  private let missingImages: MissingImages
  private let from: SpatialReference
  private let to: SpatialReference

  init(
    _ batch: VertexBatch, _ columns: GeometryColumns, _ missingImages: MissingImages, _ from: SpatialReference,
    _ to: SpatialReference
  ) {
    self.batch = batch
    self.columns = columns
    self.missingImages = missingImages
    self.from = from
    self.to = to
  }

  /// Writes the geometries of rows, whose vertices the batch holds.
  ///
  /// - Parameter name: what a message calls each, from 0; nil: there is only one.
  /// - Returns: of each what its first vertex without an image has for a status.
  func write(
    _ rows: Range<Int>, into builder: GeometryBuilder, name: ((Int) -> Int)? = nil
  ) throws(EngineError) -> HeapArray<PointStatus> {
    let statuses = try HeapArray<PointStatus>(count: rows.count)
    statuses.buffer.update(repeating: .ok)
    try builder.points.reserve(
      rows.lowerBound == 0 && rows.count == columns.count ? columns.points.count : 0, builder.budget)
    var start = 0
    for (number, row) in rows.enumerated() {
      let end = start &+ columns.vertexCount(row)
      var isEmptied = false
      if batch.failedCount > 0, let first = (start..<end).first(where: { batch.marks.status($0) != .ok }) {
        statuses.buffer[number] = batch.marks.status(first)
        if let fault = fault(in: row, from: start) {
          guard missingImages.contains(.emptyTheGeometry) else { throw error(fault, name?(number)) }
          isEmptied = true
        }
      }
      if isEmptied {
        try builder.begin(columns.kind(row), columns.flags(row))
        try builder.end()
        start = end
      } else {
        try write(columns, row, &start, into: builder)
      }
    }
    return statuses
  }

  // MARK: Geometries

  /// - Parameter start: where the geometry's vertices begin in the batch; then where they end.
  private func write(
    _ columns: GeometryColumns, _ row: Int, _ start: inout Int, into builder: GeometryBuilder
  ) throws(EngineError) {
    let kind = columns.kind(row)
    try builder.begin(kind, columns.flags(row))
    if kind == .collection {
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) {
          try write(inner, member, &start, into: try builder.members())
        }
      }
    } else {
      for part in columns.parts(ofGeometry: row) {
        let before = builder.vertexOffsets.count
        for path in columns.paths(ofPart: part) {
          try write(columns, path, kind, start, into: builder)
          start &+= columns.vertices(ofPath: path).count
        }
        // Lines end their parts themselves. A polygon without paths is a part; points without vertices are not.
        if kind == .polygon || kind != .polyline && builder.vertexOffsets.count > before { try builder.endPart() }
      }
    }
    try builder.end()
  }

  private func write(
    _ columns: GeometryColumns, _ path: Int, _ kind: GeometryKind, _ start: Int, into builder: GeometryBuilder
  ) throws(EngineError) {
    let vertices = columns.vertices(ofPath: path)
    let runs = runs(start..<(start &+ vertices.count))
    switch kind {
    case .polyline:
      // An empty line stays one.
      for run in vertices.isEmpty ? [start..<start] : runs where run.count != 1 {
        try copy(run, vertices.lowerBound &+ (run.lowerBound &- start), columns, into: builder)
        try builder.endPathAndPart()
      }
    case .polygon:
      try copy(start..<(start &+ vertices.count), vertices.lowerBound, columns, isRing: true, into: builder)
      try builder.endPath()
    case .point, .multipoint, .collection:
      for run in runs { try copy(run, vertices.lowerBound &+ (run.lowerBound &- start), columns, into: builder) }
      if !runs.isEmpty { try builder.endPath() }
    }
  }

  /// The vertices that follow each other and have images.
  private func runs(_ range: Range<Int>) -> [Range<Int>] {
    if range.isEmpty { return [] }
    if batch.failedCount == 0 { return [range] }
    var runs: [Range<Int>] = []
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start
      while end < range.upperBound, batch.marks.status(end) == .ok { end &+= 1 }
      if end > start { runs.append(start..<end) }
      start = end &+ 1
    }
    return runs
  }

  /// Copies images.
  ///
  /// - Parameter first: the vertex of the columns that the run begins with.
  private func copy(
    _ run: Range<Int>, _ first: Int, _ columns: GeometryColumns, isRing: Bool = false, into builder: GeometryBuilder
  ) throws(EngineError) {
    guard !run.isEmpty else { return }
    let room = try builder.extend(by: run.count)
    _ = room.points.update(from: UnsafeMutableBufferPointer(rebasing: batch.points.buffer[run]))
    // Heights that differ there, or another way of computing, must not open a ring.
    if isRing { room.points[run.count &- 1] = room.points[0] }
    if builder.flags.contains(.hasZ), let heights = batch.heights {
      _ = room.z?.update(from: UnsafeMutableBufferPointer(rebasing: heights.buffer[run]))
    }
    if builder.flags.contains(.hasM), let m = columns.m {
      _ = room.m?.update(from: UnsafeBufferPointer(rebasing: m.buffer[first..<(first &+ run.count)]))
    }
  }

  // MARK: Faults

  /// A vertex that has no image, and that its geometry cannot do without.
  private struct Fault {
    let leaf: GeometryLeaf
    /// In the batch.
    let index: Int
    /// Path and vertex of the geometry, and the vertex of the columns.
    let path: Int
    let vertex: Int
    let place: Int
  }

  /// The first fault of a geometry whose vertices begin at `start`.
  private func fault(in row: Int, from start: Int) -> Fault? {
    var found: Fault?
    var start = start
    columns.forEachLeaf(row) { leaf in
      let paths = leaf.columns.paths(ofGeometry: leaf.row)
      let matters = !missingImages.contains(.areLeftOut) || leaf.columns.kind(leaf.row) == .polygon
      for (number, path) in paths.enumerated() {
        let vertices = leaf.columns.vertices(ofPath: path)
        if matters, found == nil {
          for offset in 0..<vertices.count where batch.marks.status(start &+ offset) != .ok {
            found = Fault(
              leaf: leaf, index: start &+ offset, path: number, vertex: offset, place: vertices.lowerBound &+ offset)
            break
          }
        }
        start &+= vertices.count
      }
    }
    return found
  }

  private func error(_ fault: Fault, _ number: Int?) -> EngineError {
    let status = batch.marks.status(fault.index)
    let vertex = fault.leaf.columns.vertex(fault.place)
    var numbers = [vertex.point.x, vertex.point.y]
    if fault.leaf.columns.flags(fault.leaf.row).contains(.hasZ) { numbers.append(vertex.z) }
    var words = number.map { "geometry \($0), " } ?? ""
    for member in fault.leaf.trail { words += "member \(member), " }
    words += "path \(fault.path), vertex \(fault.vertex), "
    words += "at (\(numbers.map { NumberText.shortest($0) }.joined(separator: ", ")))"
    let remedy =
      missingImages.contains(.areLeftOut)
      ? "A polygon cannot leave it out; clip it to where \(to.name) has images."
      : "Clip to where \(to.name) has images, or have such vertices left out."
    return EngineError(
      status == .missingGrid ? .missingGrid : .projectionFailed,
      "\(batch.failedCount) of \(batch.count) vertices have no image from \(from.name) in \(to.name). The first is \(words): "
        + "\(status.reason). \(remedy)")
  }
}

extension PointStatus {
  /// Why a point has no image, for a message.
  fileprivate var reason: String {
    switch self {
    case .ok: "it has one"
    case .failed: "the operation has no result there"
    case .notFinite: "it is not finite"
    case .outsideGrid: "it lies outside of the operation's grid"
    case .onlyBallpark: "there is only a ballpark operation, which was refused"
    case .missingGrid: "a grid file of the best operation is missing or cannot be read"
    case .invalidCoordinate: "it is not a position on the earth"
    }
  }
}
