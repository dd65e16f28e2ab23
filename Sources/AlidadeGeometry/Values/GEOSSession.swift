import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// A GEOS handle of our own, for the length of a call. GEOS keeps no state outside of it.
struct GEOSSession: ~Copyable {
  let handle: OpaquePointer
  /// GEOS's last error text.
  private let log = Lock("")

  init() throws(EngineError) {
    if TimeLimit.isSet { _ = Self.callback }
    guard let handle = GEOS_init_r() else {
      throw EngineError(.outOfMemory, "GEOS could not be started.", domain: .geos)
    }
    self.handle = handle
    // Right: the log lives as long as this session, and the session ends the handle.
    GEOSContext_setErrorMessageHandler_r(
      handle,
      { text, sink in
        guard let text, let sink else { return }
        // Right: as above.
        Unmanaged<Lock<String>>.fromOpaque(sink).takeUnretainedValue().withLock { $0 = String(cString: text) }
      }, Unmanaged.passUnretained(log).toOpaque())
  }

  deinit { GEOS_finish_r(handle) }

  /// The function of the process that GEOS called now and then before ours, which calls it first. Ours then looks at the
  /// time of the call that the thread is at, and does nothing for threads without a limit. It is set by the first call
  /// with one, and stays. Right to share: a function, written once.
  nonisolated(unsafe) private static let callback: GEOSInterruptCallback? = GEOS_interruptRegisterCallback {
    GEOSSession.callback?()
    // What C++ throws passes this frame, which has nothing to clean up.
    if TimeLimit.hasPassed { alidade_geos_end() }
  }

  /// An error with GEOS's words.
  func failure(_ what: String) -> EngineError {
    // Whatever it says, it may say so because it was interrupted.
    do throws(EngineError) { try TimeLimit.check() } catch { return error }
    let words = log.withLock { $0 }
    if words.hasPrefix("TopologyException") {
      var error = Self.contradiction(what)
      error.message += " It says: \(words)"
      return error
    }
    return EngineError(.internal, "\(what): \(words.isEmpty ? "no reason given" : words)", domain: .geos)
  }

  /// Two of GEOS's tests of the same edges contradict each other, as differences of coordinates vanish in rounding.
  static func contradiction(_ what: String) -> EngineError {
    EngineError(
      .invalidArgument,
      "\(what): coordinates lie so close to each other that GEOS contradicts itself; round them to a grid first.",
      domain: .geos)
  }
}

/// The version of GEOS, as found at run time. Static storage of GEOS's.
public var geosVersion: UnsafePointer<CChar>? { GEOSversion() }

/// A geometry of GEOS's that ends with this value.
struct GEOSObject: ~Copyable {
  let pointer: OpaquePointer
  private let handle: OpaquePointer

  /// Takes over what GEOS made; nil if it made nothing. The session must outlive it.
  init?(_ pointer: OpaquePointer?, in session: borrowing GEOSSession) {
    guard let pointer else { return nil }
    self.pointer = pointer
    handle = session.handle
  }

  deinit { GEOSGeom_destroy_r(handle, pointer) }

  /// Gives the geometry away; whoever gets it destroys it.
  consuming func release() -> OpaquePointer {
    let given = pointer
    discard self
    return given
  }
}

// MARK: Into GEOS

extension GEOSSession {
  /// A geometry as one of GEOS's. z goes along, m does not: GEOS has none before 3.12.
  func object(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> GEOSObject {
    guard let object = GEOSObject(try make(columns, row), in: self) else {
      throw failure("A geometry could not be handed to GEOS")
    }
    return object
  }

  /// A part of a polygon as a polygon of GEOS's.
  func polygon(_ columns: GeometryColumns, _ row: Int, _ part: Int) throws(EngineError) -> GEOSObject {
    let hasZ = columns.flags(row).contains(.hasZ)
    guard let object = GEOSObject(try polygon(columns, part, hasZ), in: self) else {
      throw failure("A polygon could not be handed to GEOS")
    }
    return object
  }

  func make(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> OpaquePointer? {
    let flags = columns.flags(row)
    let hasZ = flags.contains(.hasZ)
    let parts = columns.parts(ofGeometry: row)
    switch columns.kind(row) {
    case .point:
      let vertices = columns.vertices(ofGeometry: row)
      if vertices.isEmpty { return GEOSGeom_createEmptyPoint_r(handle) }
      return GEOSGeom_createPoint_r(handle, try sequence(columns, vertices, hasZ))
    case .multipoint:
      return try collect(GEOS_MULTIPOINT, columns.vertices(ofGeometry: row)) { (vertex) throws(EngineError) in
        GEOSGeom_createPoint_r(handle, try sequence(columns, vertex..<(vertex &+ 1), hasZ))
      }
    case .polyline:
      if !flags.contains(.isMulti) {
        guard let part = parts.first else { return GEOSGeom_createEmptyLineString_r(handle) }
        return try line(columns, part, hasZ)
      }
      return try collect(GEOS_MULTILINESTRING, parts) { (part) throws(EngineError) in try line(columns, part, hasZ) }
    case .polygon:
      if !flags.contains(.isMulti) {
        guard let part = parts.first else { return GEOSGeom_createEmptyPolygon_r(handle) }
        return try polygon(columns, part, hasZ)
      }
      return try collect(GEOS_MULTIPOLYGON, parts) { (part) throws(EngineError) in try polygon(columns, part, hasZ) }
    case .collection:
      let inner = columns.members
      return try collect(GEOS_GEOMETRYCOLLECTION, columns.members(ofGeometry: row)) { (member) throws(EngineError) in
        guard let inner else { return nil }
        return try make(inner, member)
      }
    }
  }

  private func line(_ columns: GeometryColumns, _ part: Int, _ hasZ: Bool) throws(EngineError) -> OpaquePointer? {
    let vertices = columns.paths(ofPart: part).first.map { columns.vertices(ofPath: $0) } ?? 0..<0
    return GEOSGeom_createLineString_r(handle, try sequence(columns, vertices, hasZ))
  }

  private func polygon(_ columns: GeometryColumns, _ part: Int, _ hasZ: Bool) throws(EngineError) -> OpaquePointer? {
    let paths = columns.paths(ofPart: part)
    guard let first = paths.first else { return GEOSGeom_createEmptyPolygon_r(handle) }
    let shell = try ring(columns, first, hasZ)
    var holes: [OpaquePointer?] = []
    do throws(EngineError) {
      for path in paths.dropFirst() { holes.append(try ring(columns, path, hasZ)) }
    } catch {
      for ring in holes + [shell] { GEOSGeom_destroy_r(handle, ring) }
      throw error
    }
    // GEOS takes the rings over, also when it fails.
    return GEOSGeom_createPolygon_r(handle, shell, &holes, UInt32(clamping: holes.count))
  }

  private func ring(_ columns: GeometryColumns, _ path: Int, _ hasZ: Bool) throws(EngineError) -> OpaquePointer {
    guard
      let ring = GEOSGeom_createLinearRing_r(handle, try sequence(columns, columns.vertices(ofPath: path), hasZ))
    else { throw failure("A ring could not be handed to GEOS") }
    return ring
  }

  func collect(
    _ type: GEOSGeomTypes, _ items: Range<Int>, _ make: (Int) throws(EngineError) -> OpaquePointer?
  ) throws(EngineError) -> OpaquePointer? {
    var made: [OpaquePointer?] = []
    made.reserveCapacity(items.count)
    do throws(EngineError) {
      for item in items {
        guard let one = try make(item) else { throw failure("A geometry could not be handed to GEOS") }
        made.append(one)
      }
    } catch {
      for one in made { GEOSGeom_destroy_r(handle, one) }
      throw error
    }
    // GEOS takes the members over, also when it fails.
    return GEOSGeom_createCollection_r(
      handle, Int32(truncatingIfNeeded: type.rawValue), &made, UInt32(clamping: made.count))
  }

  private func sequence(
    _ columns: GeometryColumns, _ vertices: Range<Int>, _ hasZ: Bool
  ) throws(EngineError) -> OpaquePointer {
    let count = UInt32(clamping: vertices.count)
    var made: OpaquePointer?
    if let z = columns.z, hasZ {
      let numbers = try HeapArray<Double>(count: vertices.count &* 3)
      for (target, index) in vertices.enumerated() {
        numbers.buffer[target &* 3] = columns.points[index].x
        numbers.buffer[target &* 3 &+ 1] = columns.points[index].y
        numbers.buffer[target &* 3 &+ 2] = z[index]
      }
      made = GEOSCoordSeq_copyFromBuffer_r(handle, numbers.buffer.baseAddress, count, 1, 0)
    } else if let base = columns.points.buffer.baseAddress {
      // A Point is two doubles.
      let start = UnsafeRawPointer(base + vertices.lowerBound).assumingMemoryBound(to: Double.self)
      made = GEOSCoordSeq_copyFromBuffer_r(handle, start, count, 0, 0)
    } else {
      made = GEOSCoordSeq_create_r(handle, 0, 2)
    }
    guard let made else { throw failure("Coordinates could not be handed to GEOS") }
    return made
  }
}

// MARK: Out of GEOS

extension GEOSSession {
  /// Adds a geometry of GEOS's to a builder.
  ///
  /// - Parameter hasZ: whether z is taken over; all its members get one then.
  func read(_ object: OpaquePointer, hasZ: Bool, into builder: GeometryBuilder) throws(EngineError) {
    let type = GEOSGeomTypeId_r(handle, object)
    let flags: GeometryFlags = hasZ ? [.hasZ] : []
    let kinds: [GEOSGeomTypes: (GeometryKind, GeometryFlags)] = [
      GEOS_POINT: (.point, []), GEOS_LINESTRING: (.polyline, []), GEOS_LINEARRING: (.polyline, []),
      GEOS_POLYGON: (.polygon, []), GEOS_MULTIPOINT: (.multipoint, []), GEOS_MULTILINESTRING: (.polyline, .isMulti),
      GEOS_MULTIPOLYGON: (.polygon, .isMulti), GEOS_GEOMETRYCOLLECTION: (.collection, []),
    ]
    guard type >= 0, let (kind, more) = kinds[GEOSGeomTypes(UInt32(truncatingIfNeeded: type))] else {
      throw failure("GEOS answered a geometry of an unknown type")
    }
    try builder.begin(kind, flags.union(more))
    switch kind {
    case .point, .multipoint:
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let point = GEOSGetGeometryN_r(handle, object, member) { try readVertices(point, hasZ, builder) }
      }
      if builder.points.count > builder.vertexOffsets.last {
        try builder.endPath()
        try builder.endPart()
      }
    case .polyline, .polygon:
      if more.isEmpty, GEOSisEmpty_r(handle, object) == 1 { break }
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let part = GEOSGetGeometryN_r(handle, object, member) { try readPart(part, kind, hasZ, builder) }
      }
    case .collection:
      let members = try builder.members()
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let one = GEOSGetGeometryN_r(handle, object, member) { try read(one, hasZ: hasZ, into: members) }
      }
    }
    try builder.end()
  }

  func readPart(
    _ part: OpaquePointer, _ kind: GeometryKind, _ hasZ: Bool, _ builder: GeometryBuilder
  ) throws(EngineError) {
    if kind == .polyline {
      try readVertices(part, hasZ, builder)
      try builder.endPath()
    } else if let shell = GEOSGetExteriorRing_r(handle, part), GEOSisEmpty_r(handle, part) == 0 {
      try readVertices(shell, hasZ, builder)
      try builder.endPath()
      for hole in 0..<GEOSGetNumInteriorRings_r(handle, part) {
        guard let ring = GEOSGetInteriorRingN_r(handle, part, hole) else { continue }
        try readVertices(ring, hasZ, builder)
        try builder.endPath()
      }
    }
    try builder.endPart()
  }

  private func readVertices(_ object: OpaquePointer, _ hasZ: Bool, _ builder: GeometryBuilder) throws(EngineError) {
    var size: UInt32 = 0
    guard let sequence = GEOSGeom_getCoordSeq_r(handle, object), GEOSCoordSeq_getSize_r(handle, sequence, &size) == 1
    else { throw failure("GEOS does not show the coordinates of a geometry") }
    let step = hasZ ? 3 : 2
    let numbers = try HeapArray<Double>(count: Int(truncatingIfNeeded: size) &* step)
    guard GEOSCoordSeq_copyToBuffer_r(handle, sequence, numbers.buffer.baseAddress, hasZ ? 1 : 0, 0) == 1 else {
      throw failure("GEOS does not show the coordinates of a geometry")
    }
    for index in 0..<Int(truncatingIfNeeded: size) {
      let start = index &* step
      try builder.append(
        Vertex(
          Point(x: numbers.buffer[start], y: numbers.buffer[start &+ 1]), z: hasZ ? numbers.buffer[start &+ 2] : .nan))
    }
  }
}

extension GEOSGeomTypes: @retroactive Hashable {}
