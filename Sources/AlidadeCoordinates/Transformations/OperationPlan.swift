import AlidadeBase
import CPROJ

/// An operation that points may be projected with.
struct PlannedOperation: Sendable {
  /// The number in PROJ's list; nil for an operation that the host chose.
  var number: Int?
  var name: String
  /// Metres; NaN if it is not known.
  var accuracy: Double
  var isBallpark: Bool
  var needsGrids: Bool
  /// The names of the grid files, if the operation was chosen.
  var grids: [String] = []
  /// All of its grids are there; in the plan of what would be best they can be read, too.
  var isUsable: Bool
  /// The PROJ string that is run, with x east and y north.
  var pipeline: String
  /// The pipeline is taken backwards.
  var isInverse = false
  /// Angles that PROJ would take and give in radians are in degrees: of PROJ strings that a host has written.
  var convertsRadians = false
  /// How it is computed without PROJ, if it is.
  let fast = FastSlot()
}

/// A box in the input coordinates, and the operation that is meant for it. An area on both sides of the antimeridian
/// has two boxes.
struct OperationArea: Sendable {
  /// Its number in the plan.
  var operation: Int
  var xMin: Double
  var yMin: Double
  var xMax: Double
  var yMax: Double
  /// Metres; negative if it is not known, as PROJ says it.
  var accuracy: Double
  var isOffshore: Bool

  @inline(__always)
  func contains(_ x: Double, _ y: Double) -> Bool { x >= xMin && y >= yMin && x <= xMax && y <= yMax }

  func isInside(_ other: OperationArea) -> Bool {
    xMin > other.xMin && yMin > other.yMin && xMax < other.xMax && yMax < other.yMax
  }
}

/// The operations between two systems, and the operation for each position. The choice is PROJ's own, as `proj_trans`
/// makes it for the result of `proj_create_crs_to_crs`; here it is known without a call to PROJ for each point.
struct OperationPlan: Sendable {
  var operations: [PlannedOperation]
  /// Empty if there is one operation alone: that is used everywhere.
  let areas: [OperationArea]
  private let table: AreaTable?

  /// An operation that is used everywhere.
  init(_ operation: PlannedOperation) {
    operations = [operation]
    areas = []
    table = nil
  }

  init(operations: [PlannedOperation], areas: [OperationArea]) {
    self.operations = operations
    self.areas = areas
    table = AreaTable(areas) { x, y in Self.area(in: areas, x, y, excluding: (-1, -1)) }
  }

  var isSingle: Bool { areas.isEmpty }

  /// The number of the area whose operation comes first at a position; nil if no area contains it.
  ///
  /// The most accurate operation wins; among equally accurate ones, the one whose area lies inside the other's; an
  /// operation for the sea only where there is no other.
  func area(for x: Double, _ y: Double, excluding excluded: (Int, Int)) -> Int? {
    Self.area(in: areas, x, y, excluding: excluded)
  }

  /// The same without excluding any.
  @inline(__always)
  func area(for x: Double, _ y: Double) -> Int? {
    if let known = table?.area(x, y) { return known < 0 ? nil : known }
    return Self.area(in: areas, x, y, excluding: (-1, -1))
  }

  private static func area(
    in areas: [OperationArea], _ x: Double, _ y: Double, excluding excluded: (Int, Int)
  ) -> Int? {
    var best: Int?
    var accuracy = Double.greatestFiniteMagnitude
    for (index, area) in areas.enumerated() {
      if index == excluded.0 || index == excluded.1 { continue }
      guard area.contains(x, y) else { continue }
      if let best {
        guard area.accuracy >= 0, !area.isOffshore,
          area.accuracy < accuracy || (area.accuracy == accuracy && area.isInside(areas[best]))
        else { continue }
      }
      best = index
      accuracy = area.accuracy
    }
    return best
  }
}

/// PROJ's operations between two systems. Belongs to its session's thread rule.
struct OperationList {
  /// As PROJ gives them: the authority's order of axes.
  let operations: [ProjObject]
  /// Their areas in the coordinates that go in, x east and y north.
  let areas: [OperationArea]

  /// Lists what there is. Call inside the gate.
  ///
  /// - Parameters:
  ///   - takesHeights: the systems have heights.
  ///   - missingGrids: whether operations that lack a grid file are listed, too.
  init(
    from source: ProjObject, to target: ProjObject, takesHeights: Bool, missingGrids: Bool, _ what: String
  ) throws(EngineError) {
    let session = source.session
    var use = PROJ_GRID_AVAILABILITY_DISCARD_OPERATION_IF_MISSING_GRID
    // With a network all grids that PROJ knows are there.
    if proj_context_is_network_enabled(session.context) != 0 { use = PROJ_GRID_AVAILABILITY_KNOWN_AVAILABLE }
    if missingGrids { use = PROJ_GRID_AVAILABILITY_IGNORED }
    guard let all = session.operations(from: source, to: target, use), !all.isEmpty else {
      throw session.failure(.projectionFailed, what)
    }
    operations = all
    // PROJ asks for no area where there is nothing to choose.
    guard all.count > 1 else {
      areas = []
      return
    }
    guard let toSource = session.fromGeographic(to: source), let toTarget = session.fromGeographic(to: target) else {
      throw session.failure(.projectionFailed, what)
    }
    var areas: [OperationArea] = []
    for (number, operation) in all.enumerated() {
      for box in session.boxes(of: operation) {
        // Where the area has no image on one side, PROJ leaves the operation out.
        guard let here = session.envelope(of: box, toSource), session.envelope(of: box, toTarget) != nil
        else { continue }
        areas.append(
          OperationArea(
            operation: number, xMin: here.xMin, yMin: here.yMin, xMax: here.xMax, yMax: here.yMax,
            accuracy: proj_coordoperation_get_accuracy(session.context, operation.pointer),
            isOffshore: box.isOffshore))
      }
    }
    guard !areas.isEmpty else { throw session.failure(.projectionFailed, what) }
    self.areas = takesHeights ? Self.keepingPositions(areas, all) : areas
  }

  /// The areas in an order in which a height that cannot be transformed does not cost the position. Without the grid of
  /// the heights PROJ knows no accuracy of any operation, and takes the first, which treats the datums of the positions
  /// as equal as well, 130 m off in Britain. Here they do not come first.
  private static func keepingPositions(_ areas: [OperationArea], _ operations: [ProjObject]) -> [OperationArea] {
    let movesNothing = operations.map { operation in
      proj_get_name(operation.pointer).map { contains(String(cString: $0), "Ballpark geographic offset") } ?? false
    }
    let isLast = { (area: OperationArea) in area.accuracy < 0 && movesNothing[area.operation] }
    return areas.filter { !isLast($0) } + areas.filter(isLast)
  }

  /// The facts that are known before a point is projected. Call inside the gate.
  ///
  /// - Parameter opensGrids: whether an unreadable grid file disables an operation. Opening grids takes time.
  func plan(opensGrids: Bool = false) -> OperationPlan {
    let planned = operations.enumerated().map { PlannedOperation($1, number: $0, opensGrids: opensGrids) }
    // One area alone is not looked at either.
    if areas.count == 1, let only = areas.first, only.operation < planned.count {
      return OperationPlan(operations: [planned[only.operation]], areas: [])
    }
    return OperationPlan(operations: planned, areas: areas)
  }
}

extension PlannedOperation {
  /// Reads PROJ's object. Call inside the gate.
  init(_ operation: ProjObject, number: Int?, opensGrids: Bool) {
    let context = operation.session.context
    self.number = number
    name = proj_get_name(operation.pointer).map { String(cString: $0) } ?? ""
    let metres = proj_coordoperation_get_accuracy(context, operation.pointer)
    // PROJ knows no accuracy of conversions, which are exact.
    let isExact =
      metres < 0 && OperationFacts.parts(operation).allSatisfy { proj_get_type($0.pointer) == PJ_TYPE_CONVERSION }
    accuracy = isExact ? 0 : metres < 0 ? .nan : metres
    isBallpark = proj_coordoperation_has_ballpark_transformation(context, operation.pointer) != 0
    needsGrids = proj_coordoperation_get_grid_used_count(context, operation.pointer) > 0
    pipeline = operation.session.pipeline(of: operation) ?? ""
    isUsable =
      opensGrids
      ? operation.session.canRun(operation, pipeline)
      : proj_coordoperation_is_instantiable(context, operation.pointer) != 0
  }
}

/// The area that comes first at a position, by one look-up: the areas' edges divide the plane into cells, and inside a
/// cell the result is the same everywhere.
struct AreaTable: Sendable {
  /// In ascending order, each once; filled up with infinity to one less than a power of two, and one more.
  private let xEdges: [Double]
  private let yEdges: [Double]
  private let rowLength: Int
  /// Row by row; negative where no area is.
  private let cells: [Int32]

  /// Beyond so many the table would cost more than it saves.
  private static let areaLimit = 24

  /// - Parameter answer: the area at a position, found by a search of all areas.
  init?(_ areas: [OperationArea], _ answer: (Double, Double) -> Int?) {
    guard areas.count > 1, areas.count <= Self.areaLimit else { return nil }
    let x = Set(areas.flatMap { [$0.xMin, $0.xMax] }).sorted()
    let y = Set(areas.flatMap { [$0.yMin, $0.yMax] }).sorted()
    guard x.allSatisfy(\.isFinite), y.allSatisfy(\.isFinite) else { return nil }
    let xs = Self.insides(of: x)
    (xEdges, yEdges, rowLength) = (Self.filled(x), Self.filled(y), xs.count)
    cells = Self.insides(of: y).flatMap { y in xs.map { x in answer(x, y).map { Int32(clamping: $0) } ?? -1 } }
  }

  private static func filled(_ edges: [Double]) -> [Double] {
    var size = 1
    while size <= edges.count { size *= 2 }
    return edges + [Double](repeating: .infinity, count: size &- edges.count)
  }

  /// A position inside each interval between edges, including the two intervals without an end.
  private static func insides(of edges: [Double]) -> [Double] {
    guard let first = edges.first, let last = edges.last else { return [] }
    return [first.nextDown] + zip(edges, edges.dropFirst()).map { $0 + ($1 - $0) / 2 } + [last.nextUp]
  }

  /// The area at a position, negative without an area; nil on an edge, where both sides must be searched.
  @inline(__always)
  func area(_ x: Double, _ y: Double) -> Int? {
    // Infinity would be found among what fills up.
    guard x.isFinite, y.isFinite, let column = Self.interval(x, xEdges), let row = Self.interval(y, yEdges) else {
      return nil
    }
    return Int(truncatingIfNeeded: cells[row &* rowLength &+ column])
  }

  /// How many edges are below a value; nil on an edge. Without branches: where points are scattered, each is a guess.
  @inline(__always)
  private static func interval(_ value: Double, _ edges: [Double]) -> Int? {
    var below = 0
    var step = (edges.count &+ 1) / 2
    while step > 0 {
      below &+= edges[below &+ step &- 1] < value ? step : 0
      step /= 2
    }
    return edges[below] == value ? nil : below
  }
}
