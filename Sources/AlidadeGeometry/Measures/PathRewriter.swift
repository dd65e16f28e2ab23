import AlidadeBase
import AlidadeCoordinates

/// Copies geometries, and lets somebody else write the vertices of each path. Kinds, parts and paths stay as they are.
struct PathRewriter {
  /// Which kinds have paths that are written anew; the others are copied.
  var kinds: Set<GeometryKind> = [.point, .multipoint, .polyline, .polygon]
  /// Appends the new vertices of a path to the builder.
  let path: (GeometryColumns, Range<Int>, GeometryBuilder) throws(EngineError) -> Void

  func rewrite(_ columns: GeometryColumns, _ row: Int, into builder: GeometryBuilder) throws(EngineError) {
    let kind = columns.kind(row)
    try builder.begin(kind, columns.flags(row))
    if kind == .collection {
      let members = try builder.members()
      if let inner = columns.members {
        for member in columns.members(ofGeometry: row) { try rewrite(inner, member, into: members) }
      }
    }
    for part in columns.parts(ofGeometry: row) {
      for number in columns.paths(ofPart: part) {
        let vertices = columns.vertices(ofPath: number)
        if kinds.contains(kind), !vertices.isEmpty {
          try path(columns, vertices, builder)
        } else {
          for index in vertices { try builder.append(columns.vertex(index)) }
        }
        try builder.endPath()
      }
      try builder.endPart()
    }
    try builder.end()
  }

  /// Calls with the vertices of each path that is written anew, in the order in which they are.
  func visitPaths(
    _ columns: GeometryColumns, _ row: Int, _ body: (GeometryColumns, Range<Int>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let kind = columns.kind(row)
    if kind == .collection, let inner = columns.members {
      for member in columns.members(ofGeometry: row) { try visitPaths(inner, member, body) }
    }
    guard kinds.contains(kind) else { return }
    for part in columns.parts(ofGeometry: row) {
      for number in columns.paths(ofPart: part) {
        let vertices = columns.vertices(ofPath: number)
        if !vertices.isEmpty { try body(columns, vertices) }
      }
    }
  }
}

extension Geometry {
  /// This geometry with the vertices of its paths written anew.
  func rewritten(_ rewriter: PathRewriter) throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try rewriter.rewrite(columns, row, into: builder)
    return try Geometry(runtime: runtime, builder, spatialReference)
  }
}

extension GeometryArray {
  /// These geometries with the vertices of their paths written anew.
  func rewritten(_ rewriter: PathRewriter) throws(EngineError) -> GeometryArray {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try eachRow { (row) throws(EngineError) in try rewriter.rewrite(columns, row, into: builder) }
    return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
  }

  /// Calls with each row; errors name it.
  func eachRow(_ body: (Int) throws(EngineError) -> Void) throws(EngineError) {
    for row in 0..<count {
      do throws(EngineError) {
        try body(row)
      } catch {
        guard error.isOfOneGeometry else { throw error }
        throw EngineError(error.status, "Geometry \(row): \(error.message)", domain: error.domain)
      }
    }
  }
}
