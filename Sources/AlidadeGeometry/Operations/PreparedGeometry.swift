import AlidadeBase
import AlidadeCoordinates
import CGEOS

/// A geometry with an index of GEOS, for tests against many others. Immutable for whoever uses it.
///
/// GEOS builds its indexes when they are first needed, and no other thread may look then; so each thread that asks at
/// the same time gets a copy of its own, which is kept for the next.
public final class PreparedGeometry: RuntimeObject, @unchecked Sendable {  // right: constants, and a LeasePool
  public let geometry: Geometry
  private let envelope: Envelope?
  /// Gives most results for a polygon without GEOS.
  private let outline: PreparedOutline?
  private let grid = Lock(Grid())
  private let leases: LeasePool<PreparedLease>

  public init(_ geometry: Geometry) throws(EngineError) {
    try geometry.requireUsable()
    self.geometry = geometry
    envelope = geometry.envelope
    outline = try PreparedOutline(geometry.columns, geometry.row)
    leases = LeasePool(capacity: geometry.runtime.workers.threadCount)
    super.init(runtime: geometry.runtime)
    // What memory does not hold is said here, not at the first question.
    if outline == nil {
      let lease = try PreparedLease(geometry)
      _ = try lease.prepared()
      leases.giveBack(lease)
    }
  }

  /// A grid over the outline, made when so many questions were asked that it is worth it.
  private struct Grid {
    var questions = 0
    var isMade = false
    var cells: PolygonCells?
  }

  public override var handleKind: HandleKind { .preparedGeometry }

  // MARK: One

  /// Whether a predicate holds between the prepared geometry and another one.
  public func test(_ predicate: Predicate, _ other: Geometry) throws(EngineError) -> Related<Bool> {
    try require(predicate, other.columns, other.row)
    return try ask(.predicate(predicate), other)
  }

  /// Whether another geometry lies no farther away than a distance in the spatial reference's unit.
  public func isWithin(distance: Double, of other: Geometry) throws(EngineError) -> Related<Bool> {
    try Self.require(distance)
    if geometry.hasPathInOnePlace || other.hasPathInOnePlace {
      let found = try geometry.distance(to: other, .planar, unit: nil)
      return Related(value: found.value.distance <= distance, receipt: found.receipt)
    }
    return try ask(.distance(distance), other)
  }

  /// The distance in the plane of another geometry of the same spatial reference; NaN if one of the two is empty.
  func distance(to other: Geometry) throws(EngineError) -> Double {
    // GEOS's index does not find lines whose vertices are all the same.
    if geometry.hasPathInOnePlace || other.hasPathInOnePlace {
      return try geometry.distance(to: other, .planar, unit: nil).value.distance
    }
    return try geometry.limited(with: other) { [self] () throws(EngineError) -> Double in
      try other.requireUsable()
      return try withLease { (lease) throws(EngineError) in try lease.distance(other.columns, other.row) }
    }
  }

  private func ask(_ question: Question, _ other: Geometry) throws(EngineError) -> Related<Bool> {
    try geometry.limited(with: other) { [self] () throws(EngineError) -> Related<Bool> in
      let (matched, receipt) = try other.projected(toMatch: geometry.spatialReference)
      try matched.requireUsable()
      let holds = try withLease { (lease) throws(EngineError) -> Bool in
        try answer(question, matched.columns, matched.row, lease, grid(forMore: 1))
      }
      return Related(value: holds, receipt: receipt)
    }
  }

  // MARK: Many

  /// The same for each geometry of an array, on all cores.
  ///
  /// - Parameter skipsInvalid: a geometry that is not valid is `unknown`. Without this, it is an error.
  public func test(
    _ predicate: Predicate, _ array: GeometryArray, skipsInvalid: Bool
  ) throws(EngineError) -> Related<HeapArray<UInt8>> {
    if !predicate.takesCollections {
      for row in 0..<array.count where row == 0 || array.columns.kind(row) == .collection {
        do throws(EngineError) { try require(predicate, array.columns, row) } catch {
          throw EngineError(error.status, "Geometry \(row): \(error.message)")
        }
      }
    }
    return try ask(.predicate(predicate), array, skipsInvalid)
  }

  public func isWithin(
    distance: Double, of array: GeometryArray, skipsInvalid: Bool
  ) throws(EngineError) -> Related<HeapArray<UInt8>> {
    try Self.require(distance)
    return try ask(.distance(distance), array, skipsInvalid)
  }

  private func ask(
    _ question: Question, _ array: GeometryArray, _ skipsInvalid: Bool
  ) throws(EngineError) -> Related<HeapArray<UInt8>> {
    try runtime.limited { [self] () throws(EngineError) -> Related<HeapArray<UInt8>> in
      let (matched, receipt) = try array.projected(toMatch: geometry.spatialReference)
      if !skipsInvalid { try matched.requireUsable() }
      let answers = try HeapArray<UInt8>(count: matched.count)
      let grid = if case .predicate = question { grid(forMore: matched.count) } else { nil as PolygonCells? }
      // Each row is written by the one thread that works on its slice.
      try matched.forEachSlice { (rows) throws(EngineError) in
        try withLease { (lease) throws(EngineError) in
          for row in rows {
            let answer = try answer(question, matched.columns, row, lease, grid, skipsInvalid: skipsInvalid)
            answers.buffer[row] = answer.rawValue
          }
        }
      }
      return Related(value: answers, receipt: receipt)
    }
  }

  /// The grid over the polygon, if it is there or worth being made for so many more questions.
  private func grid(forMore questions: Int) -> PolygonCells? {
    guard let outline else { return nil }
    let known = grid.withLock { grid in
      grid.questions &+= questions
      return grid
    }
    if known.isMade { return known.cells }
    guard outline.isWorthGrid(questions: known.questions) else { return nil }
    // Threads that come here at once all make it. That takes longer than once, but none waits for another. Where time
    // or memory do not suffice, there is no grid.
    var cells: PolygonCells?
    do throws(EngineError) { cells = try TimeLimit.inQuarter(outline.makeGrid) } catch { cells = nil }
    let made = cells
    grid.withLock { ($0.isMade, $0.cells) = (true, made) }
    return made
  }

  private func answer(
    _ question: Question, _ columns: GeometryColumns, _ row: Int, _ lease: PreparedLease, _ grid: PolygonCells?,
    skipsInvalid: Bool
  ) throws(EngineError) -> TestResult {
    if skipsInvalid {
      do throws(EngineError) { try columns.requireUsable(row, in: lease.session) } catch {
        guard error.status == .invalidArgument else { throw error }
        return .unknown
      }
    }
    return try answer(question, columns, row, lease, grid) ? .yes : .no
  }

  // MARK: Results

  private enum Question {
    case predicate(Predicate)
    case distance(Double)
  }

  private func answer(
    _ question: Question, _ columns: GeometryColumns, _ row: Int, _ lease: PreparedLease,
    _ grid: @autoclosure () -> PolygonCells?
  ) throws(EngineError) -> Bool {
    let box = columns.envelope(row)
    if let mine = envelope, let box, let plain = plainAnswer(question, mine, box) { return plain }
    switch question {
    case .predicate(let predicate):
      if let box, let holds = try outline?.holds(predicate, columns, row, box, grid()) { return holds }
      return try lease.test(predicate, columns, row)
    case .distance(let distance): return try lease.isWithin(distance, columns, row)
    }
  }

  /// What two boxes say already; nil if they say nothing.
  private func plainAnswer(_ question: Question, _ a: Envelope, _ b: Envelope) -> Bool? {
    switch question {
    case .predicate(let predicate):
      guard a.meets(b) else { return predicate.holdsApart }
      switch predicate {
      case .within, .coveredBy: return b.holds(a) ? nil : false
      case .contains, .covers: return a.holds(b) ? nil : false
      case .equals: return a == b ? nil : false
      case .disjoint, .intersects, .touches, .crosses, .overlaps: return nil
      }
    case .distance(let distance):
      let dx = max(0, a.xMin - b.xMax, b.xMin - a.xMax)
      let dy = max(0, a.yMin - b.yMax, b.yMin - a.yMax)
      // A hair of rounding is left to GEOS.
      return max(dx, dy) > distance * (1 + 1e-12) ? false : nil
    }
  }

  private func require(_ predicate: Predicate, _ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    if predicate.takesCollections { return }
    try geometry.requireNoCollection("This predicate")
    try Geometry(runtime: runtime, columns: columns, row: row).requireNoCollection("This predicate")
  }

  private static func require(_ distance: Double) throws(EngineError) {
    guard distance >= 0, distance <= GeometryColumns.largestCoordinate else {
      throw EngineError(
        .invalidArgument, "The distance is \(NumberText.shortest(distance)); it must be within 0 to 1e100.")
    }
  }

  private func withLease<Result>(
    _ body: (PreparedLease) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let idle = leases.take()
    let lease = if let idle { idle } else { try PreparedLease(geometry) }
    defer { leases.giveBack(lease) }
    return try body(lease)
  }
}

/// GEOS's prepared form of a geometry, of each member if it is a collection.
///
/// Right to share: one thread at a time has it.
private final class PreparedLease: @unchecked Sendable {
  let session: GEOSSession
  private let geometry: Geometry
  private lazy var linework = Linework(geometry.columns, geometry.row)
  private var members: [GEOSPrepared] = []

  init(_ geometry: Geometry) throws(EngineError) {
    session = try GEOSSession()
    self.geometry = geometry
  }

  /// The members in GEOS's prepared form, which takes longer to make than many questions take that need none.
  func prepared() throws(EngineError) -> [GEOSPrepared] {
    if !members.isEmpty { return members }
    var made: [GEOSPrepared] = []
    let isPlain = geometry.kind != .collection || geometry.isEmpty
    let leaves = isPlain ? [(geometry.columns, geometry.row)] : geometry.columns.leaves(geometry.row)
    for (columns, row) in leaves {
      guard let prepared = GEOSPrepared(try session.object(columns, row), in: session) else {
        throw session.failure("A geometry could not be prepared")
      }
      made.append(prepared)
    }
    members = made
    return made
  }

  // Before the session ends.
  deinit { members = [] }

  func test(_ predicate: Predicate, _ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Bool {
    guard predicate.takesCollections else {
      // GEOS tests quickly whether polygons contain or cover something, and correctly, because it computes no crossings
      // for it.
      let isLeftToGEOS = geometry.kind == .polygon && (predicate == .contains || predicate == .covers)
      if !isLeftToGEOS, geometry.columns.hasLinework(geometry.row), columns.hasLinework(row) {
        return try linework.holds(predicate, Linework(columns, row), geometry.runtime.policy)
      }
      guard let member = try prepared().first else { return false }
      let other = try session.object(columns, row)
      return try test(predicate, member.object.pointer, member.pointer, other.pointer)
    }
    // Of collections each member with each; they intersect if two of them do.
    let intersects = try meets(columns, row) { (member, other) throws(EngineError) in
      try session.truth(GEOSPreparedIntersects_r(session.handle, member, other))
    }
    return intersects == (predicate == .intersects)
  }

  func isWithin(_ distance: Double, _ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Bool {
    try meets(columns, row) { (member, other) throws(EngineError) in
      if try session.truth(GEOSPreparedDistanceWithin_r(session.handle, member, other, distance)) { return true }
      return try linesLieIn(member, other)
    }
  }

  func distance(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> Double {
    var least = Double.nan
    _ = try meets(columns, row) { (member, other) throws(EngineError) in
      var distance = Double.nan
      guard GEOSPreparedDistance_r(session.handle, member, other, &distance) == 1, distance >= 0 else {
        throw session.failure("A distance could not be measured")
      }
      if distance > 0, try linesLieIn(member, other) { distance = 0 }
      least = least.isNaN ? distance : min(least, distance)
      return least == 0
    }
    guard least < .infinity || least.isNaN else { throw Geometry.tooLarge }
    return least
  }

  /// Whether prepared lines reach into a polygon. GEOS 3.11 takes the distance from its rings even then.
  private func linesLieIn(_ member: OpaquePointer, _ other: OpaquePointer) throws(EngineError) -> Bool {
    guard GEOSGeom_getDimensions_r(session.handle, other) == 2 else { return false }
    guard geometry.kind == .polyline || geometry.kind == .collection else { return false }
    return try session.truth(GEOSPreparedIntersects_r(session.handle, member, other))
  }

  /// Whether something holds between a member of the one and a member of the other.
  private func meets(
    _ columns: GeometryColumns, _ row: Int, _ holds: (OpaquePointer, OpaquePointer) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    if columns.kind(row) == .collection {
      guard let inner = columns.members else { return false }
      for member in columns.members(ofGeometry: row) where try meets(inner, member, holds) { return true }
      return false
    }
    if columns.vertices(ofGeometry: row).isEmpty { return false }
    let other = try session.object(columns, row)
    for member in try prepared() where GEOSisEmpty_r(session.handle, member.object.pointer) == 0 {
      if try holds(member.pointer, other.pointer) { return true }
    }
    return false
  }

  private func test(
    _ predicate: Predicate, _ object: OpaquePointer, _ prepared: OpaquePointer, _ other: OpaquePointer
  ) throws(EngineError) -> Bool {
    let handle = session.handle
    return switch predicate {
    case .equals: try session.truth(GEOSEquals_r(handle, object, other))
    case .disjoint: try session.truth(GEOSPreparedDisjoint_r(handle, prepared, other))
    case .intersects: try session.truth(GEOSPreparedIntersects_r(handle, prepared, other))
    case .touches: try session.truth(GEOSPreparedTouches_r(handle, prepared, other))
    case .crosses: try session.truth(GEOSPreparedCrosses_r(handle, prepared, other))
    case .within: try session.truth(GEOSPreparedWithin_r(handle, prepared, other))
    case .contains: try session.truth(GEOSPreparedContains_r(handle, prepared, other))
    case .overlaps: try session.truth(GEOSPreparedOverlaps_r(handle, prepared, other))
    case .covers: try session.truth(GEOSPreparedCovers_r(handle, prepared, other))
    case .coveredBy: try session.truth(GEOSPreparedCoveredBy_r(handle, prepared, other))
    }
  }
}

extension Envelope {
  fileprivate func holds(_ other: Envelope) -> Bool {
    xMin <= other.xMin && other.xMax <= xMax && yMin <= other.yMin && other.yMax <= yMax
  }
}

extension GeometryColumns {
  /// A geometry itself, or the members of a collection that are no collections.
  func leaves(_ row: Int) -> [(GeometryColumns, Int)] {
    guard kind(row) == .collection else { return [(self, row)] }
    guard let inner = members else { return [] }
    return members(ofGeometry: row).flatMap { inner.leaves($0) }
  }
}
