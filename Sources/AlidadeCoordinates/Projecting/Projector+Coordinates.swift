import AlidadeBase
import CPROJ

/// Columns of coordinates that are projected in place.
public struct CoordinateColumns: Sendable {
  public let points: HeapArray<Point>
  /// Heights; nil if there are none.
  public var z: HeapArray<Double>?
  /// Epochs in decimal years; nil if there are none.
  public var t: HeapArray<Double>?

  public init(points: HeapArray<Point>, z: HeapArray<Double>? = nil, t: HeapArray<Double>? = nil) {
    self.points = points
    self.z = z
    self.t = t
  }
}

/// Columns of positions that lie where their owner has them: numbers a stride apart, at any address.
///
/// Right to share: who shares them says which thread touches which part.
public struct PositionColumns: @unchecked Sendable {
  let x: UnsafeMutableRawPointer
  let y: UnsafeMutableRawPointer
  let stride: Int

  public init(x: UnsafeMutableRawPointer, y: UnsafeMutableRawPointer, stride: Int) {
    (self.x, self.y, self.stride) = (x, y, stride)
  }

  /// The same from an index on.
  fileprivate func dropping(_ count: Int) -> PositionColumns {
    PositionColumns(x: x + count &* stride, y: y + count &* stride, stride: stride)
  }

  @inline(__always)
  fileprivate func northing(_ index: Int) -> Double {
    y.loadUnaligned(fromByteOffset: index &* stride, as: Double.self)
  }

  fileprivate subscript(index: Int) -> Point {
    get { Point(x: x.loadUnaligned(fromByteOffset: index &* stride, as: Double.self), y: northing(index)) }
    nonmutating set {
      // storeBytes needs no alignment.
      x.storeBytes(of: newValue.x, toByteOffset: index &* stride, as: Double.self)
      y.storeBytes(of: newValue.y, toByteOffset: index &* stride, as: Double.self)
    }
  }

  /// The first `count` indices whose northings are beyond a limit to either side; mostly none.
  fileprivate func indices(beyond limit: Double, _ count: Int) -> [Int] {
    guard limit.isFinite else { return [] }
    var isAny = false
    for index in 0..<count where northing(index).magnitude > limit { isAny = true }
    return isAny ? (0..<count).filter { northing($0).magnitude > limit } : []
  }
}

/// How many points were projected, and by what.
public struct ProjectionTally: Sendable {
  /// Operations, by their number in the projector's plan, and how many points each projected.
  let used: [(operation: Int, pointCount: Int)]
  let pointCount: Int
  public let failedCount: Int
  /// Heights went through the operations.
  public let heightsWent: Bool
}

/// The outcome of projecting coordinates.
public struct ProjectionOutcome: Sendable {
  /// A status for each point.
  public let statuses: HeapArray<PointStatus>
  /// For each point the number of its operation in the tally; `UInt32.max` if the point failed.
  public let marks: HeapArray<UInt32>
  public let tally: ProjectionTally
  public var failedCount: Int { tally.failedCount }
  /// How many operations were used: its rows in a receipt.
  public var operationCount: Int { tally.used.count }
  public var heightsWent: Bool { tally.heightsWent }
}

/// A part of the columns, for one thread.
struct ProjectionSlice {
  var points: UnsafeMutableBufferPointer<Point>
  var z: UnsafeMutablePointer<Double>?
  var t: UnsafeMutablePointer<Double>?
  /// Receive status and operation of each point, if they are wanted.
  var statuses: UnsafeMutablePointer<PointStatus>?
  var marks: UnsafeMutablePointer<UInt32>?
  /// Latitudes beyond this limit are not valid. In the unit of the coordinates.
  var latitudeLimit = Double.infinity
  /// The same for what comes out.
  var imageLatitudeLimit = Double.infinity

  init(points: UnsafeMutableBufferPointer<Point>) { self.points = points }

  func isFinite(_ index: Int) -> Bool {
    points[index].isFinite && (z?[index].isFinite ?? true) && (t?[index].isFinite ?? true)
  }

  func coordinate(_ index: Int) -> PJ_COORD {
    proj_coord(points[index].x, points[index].y, z?[index] ?? 0, t?[index] ?? .infinity)
  }
}

/// Where statuses and marks go that are wanted.
///
/// Right to share: each part is written by the one thread that works on it.
private struct PointVerdicts: @unchecked Sendable {
  let statuses: UnsafeMutablePointer<PointStatus.RawValue>?
  let marks: UnsafeMutablePointer<UInt32>?

  func dropping(_ count: Int) -> PointVerdicts {
    PointVerdicts(statuses: statuses.map { $0 + count }, marks: marks.map { $0 + count })
  }

  /// So many points went by the first operation.
  func fill(_ count: Int) {
    statuses?.initialize(repeating: PointStatus.ok.rawValue, count: count)
    marks?.initialize(repeating: 0, count: count)
  }

  func set(_ index: Int, _ status: PointStatus, _ mark: UInt32) {
    statuses?[index] = status.rawValue
    marks?[index] = mark
  }
}

extension Projector {
  /// The mark of a point without operation.
  public static var noOperation: UInt32 { .max }

  /// Projects coordinates in place, on all cores. A failed point becomes NaN in all columns that are written: x, y, z.
  public func project(_ columns: CoordinateColumns) throws(EngineError) -> ProjectionOutcome {
    let count = columns.points.buffer.count
    let statuses = try HeapArray<PointStatus>(count: count)
    let marks = try HeapArray<UInt32>(count: count)
    let heightsGo = takesHeights && columns.z != nil && !isIdentity
    try forEachSlice(of: count) { (range) throws(EngineError) in
      var slice = ProjectionSlice(points: UnsafeMutableBufferPointer(rebasing: columns.points.buffer[range]))
      guard let firstStatus = statuses.buffer.baseAddress, let firstMark = marks.buffer.baseAddress else { return }
      slice.statuses = firstStatus + range.lowerBound
      slice.marks = firstMark + range.lowerBound
      slice.t = columns.t?.buffer.baseAddress.map { $0 + range.lowerBound }
      let z = columns.z?.buffer.baseAddress.map { $0 + range.lowerBound }
      slice.latitudeLimit = Self.latitudeLimit(of: from)
      slice.imageLatitudeLimit = Self.latitudeLimit(of: to)
      if heightsGo { slice.z = z }
      if isIdentity {
        keepSlice(slice)
      } else {
        try withLease { (lease) throws(EngineError) in
          try requireOperation(lease)
          try projectSlice(slice, lease)
        }
      }
      // A height that is copied makes a point invalid just as the other coordinates do.
      if let z, !heightsGo {
        for index in slice.points.indices where slice.points[index].x.isNaN || !z[index].isFinite {
          if firstStatus[range.lowerBound &+ index] == .ok {
            slice.points[index] = .nan
            firstStatus[range.lowerBound &+ index] = .notFinite
            firstMark[range.lowerBound &+ index] = Self.noOperation
          }
          z[index] = .nan
        }
      }
    }
    return outcome(statuses, marks, heightsGo)
  }

  /// Projects positions on all cores from columns where they lie into others, with the results of the other `project`:
  /// the two are the same, or do not overlap. nil, and nothing is done, unless there is one operation, which has a fast
  /// path and for which no point is refused. Otherwise, once something is written, what is left to fail is the end of the
  /// process or of memory.
  ///
  /// - Parameters:
  ///   - statuses: receive the raw value of each point's status; nil: they are not wanted.
  ///   - marks: receive each point's mark.
  ///   - forReceipt: a receipt will be made of the tally.
  public func project(
    _ input: PositionColumns, to output: PositionColumns, count: Int,
    statuses: UnsafeMutablePointer<PointStatus.RawValue>?, marks: UnsafeMutablePointer<UInt32>?, forReceipt: Bool
  ) throws(EngineError) -> ProjectionTally? {
    guard let fast, !isIdentity, !isChosen, !refusesOperations else { return nil }
    if forReceipt { try prepareReceipt() }
    let verdicts = PointVerdicts(statuses: statuses, marks: marks)
    let failed = Lock(0)
    try forEachSlice(of: count) { (range) throws(EngineError) in
      let failures = try projectSlice(
        fast, input.dropping(range.lowerBound), to: output.dropping(range.lowerBound), count: range.count,
        verdicts.dropping(range.lowerBound))
      if failures > 0 { failed.withLock { $0 &+= failures } }
    }
    let failedCount = failed.withLock { $0 }
    return ProjectionTally(
      used: failedCount < count ? [(0, count &- failedCount)] : [], pointCount: count, failedCount: failedCount,
      heightsWent: false)
  }

  /// Projects a slice by the fast path of the only operation, and what that leaves as all other coordinates are. Returns
  /// how many points failed.
  private func projectSlice(
    _ fast: FastPath, _ input: PositionColumns, to output: PositionColumns, count: Int, _ verdicts: PointVerdicts
  ) throws(EngineError) -> Int {
    // Taken before, because the input may be written over.
    var rest = input.indices(beyond: Self.latitudeLimit(of: from), count)
    var points = rest.map { input[$0] }
    let left = fast.project(
      x: input.x, y: input.y, stride: input.stride, toX: output.x, y: output.y, outputStride: output.stride,
      count: count, accepting: northings)
    if !left.isEmpty {
      let known = Set(rest)
      for index in left where !known.contains(index) {
        rest.append(index)
        points.append(input[index])
      }
    }
    for index in rest { output[index] = .nan }
    verdicts.fill(count)
    var failures = 0
    for index in output.indices(beyond: Self.latitudeLimit(of: to), count) {
      output[index] = .nan
      verdicts.set(index, .failed, Self.noOperation)
      failures &+= 1
    }
    if rest.isEmpty { return failures }
    let statuses = try HeapArray<PointStatus>(count: rest.count)
    let marks = try HeapArray<UInt32>(count: rest.count)
    try points.withUnsafeMutableBufferPointer { (points) throws(EngineError) in
      var slice = ProjectionSlice(points: points)
      slice.statuses = statuses.buffer.baseAddress
      slice.marks = marks.buffer.baseAddress
      slice.latitudeLimit = Self.latitudeLimit(of: from)
      slice.imageLatitudeLimit = Self.latitudeLimit(of: to)
      try withLease { (lease) throws(EngineError) in try projectSlice(slice, lease) }
    }
    for (place, index) in rest.enumerated() {
      output[index] = points[place]
      verdicts.set(index, statuses.buffer[place], marks.buffer[place])
      if statuses.buffer[place] != .ok { failures &+= 1 }
    }
    return failures
  }

  /// Numbers the operations that were used, in the order of the plan.
  private func outcome(
    _ statuses: HeapArray<PointStatus>, _ marks: HeapArray<UInt32>, _ heightsWent: Bool
  ) -> ProjectionOutcome {
    // One more for the identity, which has no operation.
    var counts = [Int](repeating: 0, count: plan.operations.count &+ 1)
    var failed = 0
    for mark in marks.buffer {
      if mark == Self.noOperation { failed &+= 1 } else { counts[Int(truncatingIfNeeded: mark)] &+= 1 }
    }
    var rows = [UInt32](repeating: Self.noOperation, count: counts.count)
    var used: [(operation: Int, pointCount: Int)] = []
    for (number, count) in counts.enumerated() where count > 0 {
      rows[number] = UInt32(clamping: used.count)
      used.append((number, count))
    }
    for index in marks.buffer.indices where marks.buffer[index] != Self.noOperation {
      marks.buffer[index] = rows[Int(truncatingIfNeeded: marks.buffer[index])]
    }
    let tally = ProjectionTally(
      used: used, pointCount: marks.buffer.count, failedCount: failed, heightsWent: heightsWent)
    return ProjectionOutcome(statuses: statuses, marks: marks, tally: tally)
  }

  /// What PROJ takes for a latitude: a right angle and a little more, for rounding. It does not always hold its own
  /// images to that: some of its inverse projections answer latitudes of many turns.
  static func latitudeLimit(of system: CoordinateSystem?) -> Double {
    guard let system, system.kind == .geographic else { return .infinity }
    return (.pi / 2 + 1e-12) / system.siPerUnit
  }

  /// Points that stay as they are.
  private func keepSlice(_ slice: ProjectionSlice) {
    for index in slice.points.indices {
      let status = refusal(slice, index)
      slice.statuses?[index] = status ?? .ok
      slice.marks?[index] = status == nil ? 0 : Self.noOperation
      if status != nil { slice.points[index] = .nan }
    }
  }

  /// Why a point is not projected at all; nil if it is.
  private func refusal(_ slice: ProjectionSlice, _ index: Int) -> PointStatus? {
    guard slice.isFinite(index) else { return .notFinite }
    let point = slice.points[index]
    guard point.isPosition, point.y.magnitude <= slice.latitudeLimit else { return .invalidCoordinate }
    guard let ideal else { return nil }
    var best: Int? = 0
    if !ideal.isSingle { best = ideal.area(for: point.x, point.y).map { ideal.areas[$0].operation } }
    return best.map { ideal.operations[$0].isUsable } ?? true ? nil : .missingGrid
  }

  /// Projects a slice in place: runs of points with one operation at once, those that it fails for one by one. Call
  /// inside the gate.
  func projectSlice(_ slice: ProjectionSlice, _ lease: OperationLease) throws(EngineError) {
    let count = slice.points.count
    // PROJ works in place; those that fail are tried again.
    let points = try HeapArray<Point>(count: count)
    _ = points.buffer.update(from: slice.points)
    let z = try Self.copy(slice.z, count)
    let t = try Self.copy(slice.t, count)
    var before = slice
    before.points = points.buffer
    before.z = z?.buffer.baseAddress
    before.t = t?.buffer.baseAddress
    let choices = try HeapArray<Choice>(count: count)
    for index in 0..<count { choices.buffer[index] = choice(slice, index) }

    var start = 0
    while start < count {
      let first = choices.buffer[start]
      var end = start &+ 1
      while end < count, choices.buffer[end] == first { end &+= 1 }
      if case .operation(let number) = first {
        lease.runner(Int(truncatingIfNeeded: number)).run(
          UnsafeMutableBufferPointer(rebasing: slice.points[start..<end]), z: slice.z.map { $0 + start },
          t: slice.t.map { $0 + start })
      }
      start = end
    }
    for index in 0..<count {
      let (status, mark) = finish(slice, index, choices.buffer[index], before, lease)
      slice.statuses?[index] = status
      slice.marks?[index] = mark
      if status != .ok {
        slice.points[index] = .nan
        slice.z?[index] = .nan
      }
    }
  }

  private static func copy(
    _ column: UnsafeMutablePointer<Double>?, _ count: Int
  ) throws(EngineError) -> HeapArray<Double>? {
    guard let column else { return nil }
    let copy = try HeapArray<Double>(count: count)
    _ = copy.buffer.update(from: UnsafeBufferPointer(start: column, count: count))
    return copy
  }

  /// What is done with a point first.
  private enum Choice: Equatable {
    case refused(PointStatus)
    case operation(UInt32)
    /// No operation covers the point.
    case nowhere
  }

  private func choice(_ slice: ProjectionSlice, _ index: Int) -> Choice {
    if let status = refusal(slice, index) { return .refused(status) }
    if plan.isSingle { return .operation(0) }
    guard let area = plan.area(for: slice.points[index].x, slice.points[index].y) else { return .nowhere }
    return .operation(UInt32(clamping: plan.areas[area].operation))
  }

  /// Looks at what came out for a point, and tries on where nothing did. Call inside the gate.
  private func finish(
    _ slice: ProjectionSlice, _ index: Int, _ choice: Choice, _ before: ProjectionSlice, _ lease: OperationLease
  ) -> (PointStatus, mark: UInt32) {
    var used = Self.noOperation
    switch choice {
    case .refused(let status): return (status, Self.noOperation)
    case .operation(let number) where slice.points[index].x != .infinity: used = number
    case .operation, .nowhere:
      let best = best(for: before.coordinate(index), lease)
      guard let number = best.operation, best.image.xyzt.x != .infinity else {
        return (Self.status(ofError: best.error), Self.noOperation)
      }
      used = UInt32(clamping: number)
      slice.points[index] = Point(x: best.image.xyzt.x, y: best.image.xyzt.y)
      slice.z?[index] = best.image.xyzt.z
    }
    if isStrict, plan.operations[Int(truncatingIfNeeded: used)].isBallpark { return (.onlyBallpark, Self.noOperation) }
    let point = slice.points[index]
    guard isPlace(x: point.x, y: point.y), point.y.magnitude <= slice.imageLatitudeLimit,
      (slice.z?[index].magnitude ?? 0) < 1e15
    else {
      return (.failed, Self.noOperation)
    }
    return (.ok, used)
  }

  /// What an error number of PROJ's means for a point.
  private static func status(ofError error: Int32) -> PointStatus {
    switch error {
    case PROJ_ERR_COORD_TRANSFM_OUTSIDE_GRID, PROJ_ERR_COORD_TRANSFM_GRID_AT_NODATA: .outsideGrid
    case PROJ_ERR_COORD_TRANSFM_INVALID_COORD: .invalidCoordinate
    case PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID: .missingGrid
    default: .failed
    }
  }
}

extension ProjectionOutcome {
  /// For each number in `marks`, whether the operation treats the datums as equal because no relation is known.
  public func ballparks(of projector: Projector) -> [Bool] {
    tally.used.map { !projector.isIdentity && projector.plan.operations[$0.operation].isBallpark }
  }
}
