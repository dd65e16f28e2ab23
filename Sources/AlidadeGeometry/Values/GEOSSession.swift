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
    let status: Status = words.contains("bad_alloc") ? .outOfMemory : .internal
    return EngineError(status, "\(what): \(words.isEmpty ? "no reason given" : words)", domain: .geos)
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

/// Geometries of GEOS on their way to an owner. Geometries without an owner end with this value.
struct GEOSParts: ~Copyable {
  private var pointers: [OpaquePointer?] = []
  private let handle: OpaquePointer

  /// The session must outlive it.
  init(in session: borrowing GEOSSession) { handle = session.handle }

  deinit { for pointer in pointers { GEOSGeom_destroy_r(handle, pointer) } }

  mutating func append(_ object: consuming GEOSObject) { pointers.append(object.release()) }

  /// A polygon of rings, the shell first.
  mutating func polygon() -> OpaquePointer? {
    guard let shell = pointers.first else { return GEOSGeom_createEmptyPolygon_r(handle) }
    var holes = Array(pointers.dropFirst())
    // GEOS takes the rings over, even if it fails.
    pointers = []
    return GEOSGeom_createPolygon_r(handle, shell, &holes, UInt32(clamping: holes.count))
  }

  mutating func collection(_ type: GEOSGeomTypes) -> OpaquePointer? {
    var members = pointers
    // GEOS takes the members over, even if it fails.
    pointers = []
    return GEOSGeom_createCollection_r(
      handle, Int32(truncatingIfNeeded: type.rawValue), &members, UInt32(clamping: members.count))
  }
}

/// A geometry of GEOS's that was prepared for many questions.
final class GEOSPrepared {
  let object: GEOSObject
  let pointer: OpaquePointer
  private let handle: OpaquePointer

  /// The session must outlive it.
  init?(_ object: consuming GEOSObject, in session: borrowing GEOSSession) {
    guard let prepared = GEOSPrepare_r(session.handle, object.pointer) else { return nil }
    pointer = prepared
    self.object = object
    handle = session.handle
  }

  deinit { GEOSPreparedGeom_destroy_r(handle, pointer) }
}

// MARK: Into GEOS

extension GEOSSession {
  /// Takes over what GEOS made; throws if it made nothing.
  func taken(_ made: OpaquePointer?, _ failed: @autoclosure () -> String) throws(EngineError) -> GEOSObject {
    guard let object = GEOSObject(made, in: self) else { throw failure(failed()) }
    return object
  }

  /// A closed ring.
  func ring(_ points: UnsafeBufferPointer<Point>) throws(EngineError) -> GEOSObject { try ring(sequence(points)) }

  private func ring(_ sequence: OpaquePointer?) throws(EngineError) -> GEOSObject {
    try taken(sequence.flatMap { GEOSGeom_createLinearRing_r(handle, $0) }, "A ring could not be made")
  }

  /// A polygon of closed rings, the shell first.
  func polygon(_ rings: [[Point]]) throws(EngineError) -> GEOSObject {
    var parts = GEOSParts(in: self)
    for points in rings { parts.append(try ring(points.withUnsafeBufferPointer { sequence($0) })) }
    return try taken(parts.polygon(), "A polygon could not be made")
  }

  func sequence(_ points: UnsafeBufferPointer<Point>) -> OpaquePointer? {
    guard let base = points.baseAddress else { return GEOSCoordSeq_create_r(handle, 0, 2) }
    // A Point is two doubles.
    let start = UnsafeRawPointer(base).assumingMemoryBound(to: Double.self)
    return GEOSCoordSeq_copyFromBuffer_r(handle, start, UInt32(clamping: points.count), 0, 0)
  }

  /// A geometry as one of GEOS's. z goes along, m does not: GEOS has none before 3.12.
  ///
  /// - Parameter skipsEmpty: leaves out members of collections that are empty.
  func object(
    _ columns: GeometryColumns, _ row: Int, skipsEmpty: Bool = false
  ) throws(EngineError) -> GEOSObject {
    let flags = columns.flags(row)
    let hasZ = flags.contains(.hasZ)
    let parts = columns.parts(ofGeometry: row)
    switch columns.kind(row) {
    case .point:
      let vertices = columns.vertices(ofGeometry: row)
      if vertices.isEmpty { return try handed(GEOSGeom_createEmptyPoint_r(handle)) }
      return try handed(GEOSGeom_createPoint_r(handle, try sequence(columns, vertices, hasZ)))
    case .multipoint:
      return try collected(GEOS_MULTIPOINT, columns.vertices(ofGeometry: row)) { (vertex) throws(EngineError) in
        try handed(GEOSGeom_createPoint_r(handle, try sequence(columns, vertex..<(vertex &+ 1), hasZ)))
      }
    case .polyline:
      if !flags.contains(.isMulti) {
        guard let part = parts.first else { return try handed(GEOSGeom_createEmptyLineString_r(handle)) }
        return try line(columns, part, hasZ)
      }
      return try collected(GEOS_MULTILINESTRING, parts) { (part) throws(EngineError) in try line(columns, part, hasZ) }
    case .polygon:
      if !flags.contains(.isMulti) {
        guard let part = parts.first else { return try handed(GEOSGeom_createEmptyPolygon_r(handle)) }
        return try polygon(columns, part, hasZ)
      }
      return try collected(GEOS_MULTIPOLYGON, parts) { (part) throws(EngineError) in try polygon(columns, part, hasZ) }
    case .collection:
      guard let inner = columns.members else {
        return try collected(GEOS_GEOMETRYCOLLECTION, 0..<0) { (_) throws(EngineError) in try handed(nil) }
      }
      let members = columns.members(ofGeometry: row).filter { !skipsEmpty || inner.envelope($0) != nil }
      return try collected(GEOS_GEOMETRYCOLLECTION, members) { (member) throws(EngineError) in
        try object(inner, member, skipsEmpty: skipsEmpty)
      }
    }
  }

  /// A part of a polygon as a polygon of GEOS's.
  func polygon(_ columns: GeometryColumns, _ row: Int, _ part: Int) throws(EngineError) -> GEOSObject {
    try polygon(columns, part, columns.flags(row).contains(.hasZ))
  }

  private func handed(_ made: OpaquePointer?) throws(EngineError) -> GEOSObject {
    try taken(made, "A geometry could not be handed to GEOS")
  }

  private func line(_ columns: GeometryColumns, _ part: Int, _ hasZ: Bool) throws(EngineError) -> GEOSObject {
    let vertices = columns.paths(ofPart: part).first.map { columns.vertices(ofPath: $0) } ?? 0..<0
    return try handed(GEOSGeom_createLineString_r(handle, try sequence(columns, vertices, hasZ)))
  }

  private func polygon(_ columns: GeometryColumns, _ part: Int, _ hasZ: Bool) throws(EngineError) -> GEOSObject {
    var rings = GEOSParts(in: self)
    for path in columns.paths(ofPart: part) {
      let vertices = columns.vertices(ofPath: path)
      rings.append(try handed(GEOSGeom_createLinearRing_r(handle, try sequence(columns, vertices, hasZ))))
    }
    return try handed(rings.polygon())
  }

  private func collected(
    _ type: GEOSGeomTypes, _ items: some Sequence<Int>, _ make: (Int) throws(EngineError) -> GEOSObject
  ) throws(EngineError) -> GEOSObject {
    var members = GEOSParts(in: self)
    for item in items { members.append(try make(item)) }
    return try handed(members.collection(type))
  }

  private func sequence(
    _ columns: GeometryColumns, _ vertices: Range<Int>, _ hasZ: Bool
  ) throws(EngineError) -> OpaquePointer {
    var made: OpaquePointer?
    if let z = columns.z, hasZ {
      let numbers = try HeapArray<Double>(count: vertices.count &* 3)
      for (target, index) in vertices.enumerated() {
        numbers.buffer[target &* 3] = columns.points[index].x
        numbers.buffer[target &* 3 &+ 1] = columns.points[index].y
        numbers.buffer[target &* 3 &+ 2] = z[index]
      }
      made = GEOSCoordSeq_copyFromBuffer_r(
        handle, numbers.buffer.baseAddress, UInt32(clamping: vertices.count), 1, 0)
    } else {
      made = sequence(UnsafeBufferPointer(rebasing: columns.points.buffer[vertices]))
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
      throw failure("GEOS returned a geometry of an unknown type")
    }
    try builder.begin(kind, flags.union(more))
    switch kind {
    case .point, .multipoint:
      for member in 0..<GEOSGetNumGeometries_r(handle, object) {
        if let point = GEOSGetGeometryN_r(handle, object, member) { try readVertices(point, hasZ, builder) }
      }
      if builder.points.count > builder.vertexOffsets.last { try builder.endPathAndPart() }
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
