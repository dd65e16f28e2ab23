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

/// The outcome of projecting coordinates.
public struct ProjectionOutcome: Sendable {
  /// A status for each point.
  public let statuses: HeapArray<PointStatus>
  /// For each point the number of its operation in `used`; `UInt32.max` if the point failed.
  public let marks: HeapArray<UInt32>
  /// Operations, by their number in the projector's plan, and how many points each projected.
  let used: [(operation: Int, pointCount: Int)]
  public let failedCount: Int
  /// How many operations were used: its rows in a receipt.
  public var operationCount: Int { used.count }
  /// Heights went through the operations.
  public let heightsWent: Bool
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
    return ProjectionOutcome(
      statuses: statuses, marks: marks, used: used, failedCount: failed, heightsWent: heightsWent)
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
    used.map { !projector.isIdentity && projector.plan.operations[$0.operation].isBallpark }
  }
}
