import AlidadeBase
import AlidadeCoordinates
import CGEOS
import Synchronization

/// Whether a geometry is valid, and if not, why and where.
public struct GeometryValidity: Sendable {
  public var isValid: Bool
  /// GEOS's message; empty if the geometry is valid.
  public var reason: String
  /// The position of the fault; NaN if the geometry is valid.
  public var place: Point
}

extension Geometry {
  /// Whether the geometry is valid in the sense of OGC.
  ///
  /// - Parameter allowsTouchingRings: accepts a ring that touches itself in a point and so forms a hole, as in Esri's
  ///   polygons.
  public func validity(allowsTouchingRings: Bool) throws(EngineError) -> GeometryValidity {
    try limited { [self] () throws(EngineError) -> GeometryValidity in
      let session = try GEOSSession()
      let object = try session.object(columns, row)
      return try session.validity(object, allowsTouchingRings: allowsTouchingRings)
    }
  }

  /// A valid geometry, repaired by GEOS; this geometry itself if it is valid.
  public func repaired(_ method: RepairMethod) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let session = try GEOSSession()
      let object = try session.object(columns, row)
      if try session.validity(object, allowsTouchingRings: false).isValid {
        return Geometry(runtime: runtime, columns: columns, row: row)
      }
      guard let parameters = GEOSMakeValidParams_create_r(session.handle) else {
        throw session.failure("A geometry could not be repaired")
      }
      defer { GEOSMakeValidParams_destroy_r(session.handle, parameters) }
      let isStructure = method != .linework
      guard
        GEOSMakeValidParams_setMethod_r(
          session.handle, parameters, isStructure ? GEOS_MAKE_VALID_STRUCTURE : GEOS_MAKE_VALID_LINEWORK) == 1,
        // Linework always keeps everything, and GEOS refuses this option for it.
        !isStructure
          || GEOSMakeValidParams_setKeepCollapsed_r(
            session.handle, parameters, method == .structureKeepingCollapsed ? 1 : 0) == 1
      else { throw session.failure("A geometry could not be repaired") }
      guard let mended = GEOSObject(GEOSMakeValidWithParams_r(session.handle, object.pointer, parameters), in: session)
      else { throw session.failure("A geometry could not be repaired") }
      let builder = try GeometryBuilder(policy: runtime.policy)
      try session.read(mended.pointer, hasZ: flags.contains(.hasZ), into: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

extension GEOSSession {
  func validity(
    _ object: borrowing GEOSObject, allowsTouchingRings: Bool
  ) throws(EngineError) -> GeometryValidity {
    var words: UnsafeMutablePointer<CChar>?
    var location: OpaquePointer?
    let flags =
      allowsTouchingRings ? Int32(truncatingIfNeeded: GEOSVALID_ALLOW_SELFTOUCHING_RING_FORMING_HOLE.rawValue) : 0
    let answer = GEOSisValidDetail_r(handle, object.pointer, flags, &words, &location)
    defer {
      GEOSFree_r(handle, words)
      GEOSGeom_destroy_r(handle, location)
    }
    switch answer {
    case 1: return GeometryValidity(isValid: true, reason: "", place: .nan)
    case 0:
      var place = Point.nan
      if let location {
        _ = GEOSGeomGetX_r(handle, location, &place.x)
        _ = GEOSGeomGetY_r(handle, location, &place.y)
      }
      return GeometryValidity(isValid: false, reason: words.map { String(cString: $0) } ?? "", place: place)
    default: throw failure("The validity of a geometry could not be determined")
    }
  }
}

// The requirements of operations on their geometries. GEOS gives wrong results, or none, for polygons that are not
// valid and for numbers whose products overflow a double, so neither reaches it.

extension GeometryColumns {
  /// Beyond this the product of three coordinates is infinite.
  static let largestCoordinate = 1e100

  /// Throws unless operations can be given a geometry: it is valid, and its coordinates are not too large.
  func requireUsable(_ row: Int, in session: borrowing GEOSSession) throws(EngineError) {
    if areKnownUsable.isSet { return }
    try requireModestCoordinates(row)
    if try isPlainlyValid(row) { return }
    let found = try session.validity(try session.object(self, row), allowsTouchingRings: false)
    if found.isValid { return }
    throw Self.notValid(found.reason, found.place)
  }

  func requireModestCoordinates(_ row: Int) throws(EngineError) {
    for point in UnsafeBufferPointer(rebasing: points.buffer[vertices(ofGeometry: row)]) {
      let size = max(abs(point.x), abs(point.y))
      if size > Self.largestCoordinate {
        throw EngineError(
          .invalidArgument,
          "a coordinate of (\(NumberText.shortest(point.x)), \(NumberText.shortest(point.y))) is beyond 1e100, and "
            + "cannot be computed with")
      }
    }
    guard let inner = members else { return }
    for member in members(ofGeometry: row) { try inner.requireModestCoordinates(member) }
  }

  /// Whether a geometry is valid for what can be seen without GEOS; throws if it plainly is not.
  private func isPlainlyValid(_ row: Int) throws(EngineError) -> Bool {
    switch kind(row) {
    case .point, .multipoint: return true
    case .polygon:
      if vertices(ofGeometry: row).isEmpty { return true }
      return try isPlainRing(row)
    case .polyline:
      for path in paths(ofGeometry: row) {
        let line = vertices(ofPath: path)
        guard let first = line.first else { continue }
        if line.allSatisfy({ points[$0] == points[first] }) {
          throw Self.notValid("all vertices of a line are at the same point", points[first])
        }
      }
      return true
    case .collection:
      guard let inner = members else { return true }
      for member in members(ofGeometry: row) {
        let isValid = try inner.isPlainlyValid(member)
        if !isValid { return false }
      }
      return true
    }
  }

  private static func notValid(_ reason: String, _ place: Point) -> EngineError {
    EngineError(
      .invalidArgument,
      "it is not valid: \(reason) at (\(NumberText.shortest(place.x)), \(NumberText.shortest(place.y))). Repair it first"
    )
  }
}

extension Geometry {
  /// The same as `Runtime.limited`; a small geometry is not worth another thread.
  func limited<Result: Sendable>(
    with other: Geometry? = nil, _ body: @escaping @Sendable () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let isSmall = columns.vertexCount(row) &+ (other.map { $0.columns.vertexCount($0.row) } ?? 0) < 256
    return isSmall ? try runtime.limitedHere(body) : try runtime.limited(body)
  }

  /// Throws unless operations accept this geometry. Checked once.
  public func requireUsable() throws(EngineError) {
    if isKnownUsable.load(ordering: .relaxed) || columns.areKnownUsable.isSet { return }
    do throws(EngineError) {
      try limited { [self] () throws(EngineError) in try columns.requireUsable(row, in: try GEOSSession()) }
    } catch {
      var error = error
      if error.status == .invalidArgument { error.message = "The geometry cannot be used: \(error.message)." }
      throw error
    }
    isKnownUsable.store(true, ordering: .relaxed)
    if columns.count == 1 { columns.areKnownUsable.set() }
  }

  /// Throws if this is a collection with something in it.
  func requireNoCollection(_ operation: String) throws(EngineError) {
    guard kind == .collection, !isEmpty else { return }
    throw EngineError(
      .unsupported,
      "\(operation) is not defined for collections: their members may overlap. Create its members "
        + "first, and ask them one at a time.")
  }
}

extension GeometryArray {
  /// Throws unless operations accept all geometries. The message names the first geometry that they do not accept.
  /// Checked once, on all cores.
  public func requireUsable() throws(EngineError) {
    if columns.areKnownUsable.isSet { return }
    try runtime.limited { [self] () throws(EngineError) in
      let first = Lock<(row: Int, error: EngineError)?>(nil)
      try forEachUnusable { row, error in
        first.withLock { known in if row < known?.row ?? .max { known = (row, error) } }
        return false
      }
      if let (row, error) = first.withLock({ $0 }) { throw Self.named(row, error) }
      columns.areKnownUsable.set()
    }
  }

  /// For each geometry, 1 if operations accept it, otherwise 0. Checked on all cores.
  public func usableRows() throws(EngineError) -> HeapArray<UInt8> {
    let usable = try HeapArray<UInt8>(count: count, repeating: 1)
    if columns.areKnownUsable.isSet { return usable }
    // Each row is written by the one thread that works on its slice.
    try forEachUnusable { row, _ in
      usable.buffer[row] = 0
      return true
    }
    if usable.buffer.allSatisfy({ $0 == 1 }) { columns.areKnownUsable.set() }
    return usable
  }

  /// Calls `body` with each geometry that operations do not accept, on all cores; it says whether to go on in its slice.
  private func forEachUnusable(_ body: @Sendable (Int, EngineError) -> Bool) throws(EngineError) {
    try forEachSlice { (rows) throws(EngineError) in
      let session = try GEOSSession()
      for row in rows {
        do throws(EngineError) { try columns.requireUsable(row, in: session) } catch {
          guard error.status == .invalidArgument else { throw error }
          if !body(row, error) { return }
        }
      }
    }
  }

  /// The same error, with the number of the geometry.
  static func named(_ row: Int, _ error: EngineError) -> EngineError {
    var error = error
    error.message = "Geometry \(row) cannot be used: \(error.message)."
    return error
  }

  /// Calls `body` with slices of the rows, on all cores.
  func forEachSlice(_ body: @Sendable (Range<Int>) throws(EngineError) -> Void) throws(EngineError) {
    let slice = Self.sliceSize
    let total = count
    try runtime.workers.forEach((total &+ slice &- 1) / slice) { (number) throws(EngineError) in
      try body(number &* slice..<min(total, (number &+ 1) &* slice))
    }
  }

  /// Rows that are worked on in one go.
  static let sliceSize = 256
}

extension GEOSSession {
  /// The error of an operation that GEOS does not do although its geometries are valid.
  func refusal(_ what: String) -> EngineError { failure("\(what) could not be computed") }
}

extension GEOSSession {
  /// Throws unless a polygon is valid.
  func requireValid(_ object: borrowing GEOSObject) throws(EngineError) {
    var words: UnsafeMutablePointer<CChar>?
    var location: OpaquePointer?
    let answer = GEOSisValidDetail_r(handle, object.pointer, 0, &words, &location)
    defer {
      GEOSFree_r(handle, words)
      GEOSGeom_destroy_r(handle, location)
    }
    if answer == 1 { return }
    guard answer == 0 else { throw failure("The validity of a polygon could not be determined") }
    var (x, y) = (Double.nan, Double.nan)
    if let location {
      _ = GEOSGeomGetX_r(handle, location, &x)
      _ = GEOSGeomGetY_r(handle, location, &y)
    }
    throw EngineError(
      .invalidArgument,
      "The polygon is not valid at (\(x), \(y)): \(words.map { String(cString: $0) } ?? ""). Repair it first.",
      parameter: EngineError.receiver, domain: .geos)
  }
}
