import AlidadeBase
import CGEOS

// What GEOS makes of one geometry: its middle, how much it may be moved, and what its lines join up to.
extension Geometry {
  /// The centre of area, of length, or of points: of what has the most dimensions.
  public func centroid() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try made("A centroid", hasZ: false) { GEOSGetCentroid_r($0, $1) }
    }
  }

  /// A point of the geometry, inside of polygons.
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
      try builder.endPath()
      try builder.endPart()
    }
    try builder.end()
    return try Geometry(runtime: runtime, builder, spatialReference)
  }

  /// Lines joined where just two of them end.
  public func mergedLines() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try requirePolyline("Lines are merged")
      // GEOS answers an empty collection.
      if isEmpty { return Geometry(runtime: runtime, columns: columns, row: row) }
      return try made("Merged lines", hasZ: flags.contains(.hasZ)) { GEOSLineMerge_r($0, $1) }
    }
  }

  /// A collection of the polygons that lines enclose which meet at their ends.
  public func enclosedPolygons() throws(EngineError) -> Geometry {
    try limited { [self] () throws(EngineError) -> Geometry in
      try requirePolyline("Polygons are made")
      return try made("Polygons of lines", hasZ: flags.contains(.hasZ)) { handle, lines in
        var input: OpaquePointer? = lines
        return GEOSPolygonize_r(handle, &input, 1)
      }
    }
  }

  /// The least distance between two vertices, or between a vertex and an edge that it is no end of; infinite without
  /// such.
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
        .unsupported, "\(what) of a polyline only. ald_geometry_create_boundary makes one of a polygon's rings.")
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
