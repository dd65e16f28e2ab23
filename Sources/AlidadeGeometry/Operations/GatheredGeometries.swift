import AlidadeBase
import AlidadeCoordinates

/// Geometries of any origin that are to be in one spatial reference: the first one's.
struct GatheredGeometries {
  private let runtime: Runtime
  private let spatialReference: SpatialReference?
  private var sources: [(columns: GeometryColumns, row: Int)]
  /// How geometries of other spatial references were projected; nil if there were none.
  private(set) var receipt: ProjectionReceipt?

  init(_ geometries: [Geometry], _ runtime: Runtime) throws(EngineError) {
    self.runtime = runtime
    spatialReference = geometries.first?.spatialReference
    sources = geometries.map { ($0.columns, $0.row) }
    // Before anything is copied.
    let count = geometries.reduce(0) { $0 &+ $1.columns.vertexCount($1.row) }
    try runtime.policy.check(points: count)
    try runtime.policy.check(bytes: count, MemoryLayout<Point>.size)
    guard let first = spatialReference else {
      if let other = geometries.firstIndex(where: { $0.spatialReference != nil }) {
        throw mixed(known: other, unknown: 0, geometries[other].spatialReference)
      }
      return
    }
    var receipts: [ProjectionReceipt] = []
    for numbers in try groups(of: geometries, first) {
      let builder = try GeometryBuilder(policy: runtime.policy)
      for number in numbers { try builder.append(sources[number].columns, sources[number].row) }
      let group = GeometryArray(
        runtime: runtime, columns: try builder.finish(geometries[numbers[0]].spatialReference))
      let projected = try group.projected(to: first, numbers: numbers)
      for (place, number) in numbers.enumerated() { sources[number] = (projected.array.columns, place) }
      if !projected.receipt.isIdentity { receipts.append(projected.receipt) }
    }
    if !receipts.isEmpty { receipt = ProjectionReceipt(receipts, runtime: runtime) }
  }

  /// The numbers of geometries that are not in `first`, by their spatial references.
  private func groups(of geometries: [Geometry], _ first: SpatialReference) throws(EngineError) -> [[Int]] {
    // The first group stays as it is. A reader may have created a spatial reference for each geometry: spatial
    // references with one definition count as one.
    var groups: [[Int]] = [[]]
    var byDefinition = [first.definition: 0]
    var byObject = [ObjectIdentifier(first): 0]
    for (number, geometry) in geometries.enumerated() {
      guard let reference = geometry.spatialReference else { throw mixed(known: 0, unknown: number, first) }
      let object = ObjectIdentifier(reference)
      let group = byObject[object] ?? byDefinition[reference.definition] ?? groups.count
      if group == groups.count {
        groups.append([])
        byDefinition[reference.definition] = group
      }
      byObject[object] = group
      groups[group].append(number)
    }
    return Array(groups.dropFirst())
  }

  private func mixed(known: Int, unknown: Int, _ reference: SpatialReference?) -> EngineError {
    EngineError(
      .invalidArgument,
      "Geometry \(known) is in \(reference?.name ?? ""), and geometry \(unknown) has no spatial reference. Give it one "
        + "when it is made; if none has one, coordinates are taken as they are.")
  }

  /// Appends all of them.
  private func append(to builder: GeometryBuilder) throws(EngineError) {
    for (number, source) in sources.enumerated() {
      do throws(EngineError) { try builder.append(source.columns, source.row) } catch {
        throw error.status == .invalidArgument
          ? EngineError(.invalidArgument, "Geometry \(number): \(error.message).") : error
      }
    }
  }

  func array() throws(EngineError) -> GeometryArray {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try append(to: builder)
    return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
  }

  func collection() throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try builder.begin(.collection, [])
    if !sources.isEmpty { try append(to: try builder.members()) }
    try builder.end()
    return try Geometry(runtime: runtime, builder, spatialReference)
  }
}

extension GeometryArray {
  /// Creates an array from geometries. Either all of them have a spatial reference or none has. Geometries in other
  /// spatial references are projected to that of the first, with the best operation for each vertex. The receipt is nil
  /// if nothing was projected.
  public static func make(
    runtime: Runtime, of geometries: [Geometry]
  ) throws(EngineError) -> (array: GeometryArray, receipt: ProjectionReceipt?) {
    let gathered = try GatheredGeometries(geometries, runtime)
    return (try gathered.array(), gathered.receipt)
  }
}

extension Geometry {
  /// Creates a collection from geometries; see `GeometryArray.make(runtime:of:)`.
  public static func makeCollection(
    runtime: Runtime, of geometries: [Geometry]
  ) throws(EngineError) -> (geometry: Geometry, receipt: ProjectionReceipt?) {
    let gathered = try GatheredGeometries(geometries, runtime)
    return (try gathered.collection(), gathered.receipt)
  }
}

extension GeometryBuilder {
  /// Appends a copy of a geometry.
  public func append(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    try begin(columns.kind(row), columns.flags(row))
    if kind == .collection, let inner = columns.members {
      for member in columns.members(ofGeometry: row) { try members().append(inner, member) }
    }
    for part in columns.parts(ofGeometry: row) {
      for path in columns.paths(ofPart: part) {
        let vertices = columns.vertices(ofPath: path)
        if !vertices.isEmpty {
          let room = try extend(by: vertices.count)
          _ = room.points.update(from: UnsafeBufferPointer(rebasing: columns.points.buffer[vertices]))
          if flags.contains(.hasZ), let z = columns.z {
            _ = room.z?.update(from: UnsafeBufferPointer(rebasing: z.buffer[vertices]))
          }
          if flags.contains(.hasM), let m = columns.m {
            _ = room.m?.update(from: UnsafeBufferPointer(rebasing: m.buffer[vertices]))
          }
        }
        try endPath()
      }
      try endPart()
    }
    try end()
  }
}
