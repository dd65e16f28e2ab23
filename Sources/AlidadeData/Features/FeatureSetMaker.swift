import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import CGDAL

/// Puts features together into a set, one after the other. Use `add` inside the guard.
final class FeatureSetMaker {
  private let source: FeatureSource
  private let budget: MemoryBudget
  private let ids = Column<Int64>()
  private let flags = Column<UInt8>()
  private let builder: GeometryBuilder?
  private var columns: [FeatureColumn]
  private var fieldIndexes: [Int]
  private let spare: Set<Int>
  private let reader: GeometryReader
  /// What stands for a geometry that is missing.
  private let emptyKind: GeometryKind
  var trouble = ReadingTrouble()

  /// The memory that the values of spare fields may take, in bytes.
  private static let mostSpareBytes: UInt64 = 1 << 26

  init(
    _ source: FeatureSource, fields: [Int], spare: Set<Int> = [], withGeometry: Bool
  ) throws(EngineError) {
    self.source = source
    let policy = source.runtime.policy
    budget = MemoryBudget(policy)
    builder = withGeometry ? try GeometryBuilder(policy: policy) : nil
    var columns: [FeatureColumn] = []
    var small = policy
    small.maxRequestBytes = min(Self.mostSpareBytes, policy.maxRequestBytes / 8)
    let spareBudget = MemoryBudget(small)
    for field in fields {
      columns.append(try FeatureColumn(source.facts.fields[field], spare.contains(field) ? spareBudget : budget))
    }
    self.columns = columns
    fieldIndexes = fields
    self.spare = spare
    reader = GeometryReader(curveTolerance: source.curveTolerance, policy: policy)
    emptyKind = source.facts.geometryKind ?? .collection
  }

  func add(_ feature: OGRFeatureH) throws(EngineError) {
    try source.runtime.policy.check(points: ids.count &+ 1)
    let id = Int64(truncatingIfNeeded: OGR_F_GetFID(feature))
    try ids.append(id, budget)
    var its: FeatureFlags = []
    if let geometry = OGR_F_GetGeometryRef(feature) {
      if let builder {
        do throws(EngineError) { try reader.read(geometry, into: builder) } catch {
          guard error.status == .invalidArgument || error.status == .unsupported else { throw error }
          its = .isUnreadable
          trouble.noteUnreadable(id, error.message + ".")
        }
      }
    } else if CPLGetLastErrorType() == CE_Failure {
      // GDAL has said what is wrong with it, and goes on.
      its = .isUnreadable
      trouble.noteUnreadable(id, gdalText(CPLGetLastErrorMsg()))
    } else {
      its = .hasNoGeometry
    }
    if its != [], let builder { try reader.addEmpty(emptyKind, to: builder) }
    try flags.append(its.rawValue, budget)
    var isTooMuch = false
    for (column, field) in zip(columns, fieldIndexes) {
      do throws(EngineError) { try column.append(feature, Int32(truncatingIfNeeded: field)) } catch {
        guard spare.contains(field), error.status == .limitExceeded else { throw error }
        isTooMuch = true
        break
      }
    }
    if isTooMuch { try leaveOutSpare(feature) }
  }

  /// Goes on without the spare fields, from a feature whose values may be there in part.
  private func leaveOutSpare(_ feature: OGRFeatureH) throws(EngineError) {
    dropSpare()
    for (column, field) in zip(columns, fieldIndexes) where column.states.count < ids.count {
      try column.append(feature, Int32(truncatingIfNeeded: field))
    }
  }

  private func dropSpare() {
    let kept = fieldIndexes.indices.filter { !spare.contains(fieldIndexes[$0]) }
    (columns, fieldIndexes) = (kept.map { columns[$0] }, kept.map { fieldIndexes[$0] })
  }

  /// The columns in an order of rows; nil: as they are.
  private func finishedColumns(_ order: HeapArray<Int>?) throws(EngineError) -> [FeatureColumn] {
    var finished: [FeatureColumn] = []
    do throws(EngineError) {
      for column in columns {
        let column = try order.map { (order) throws(EngineError) in try column.reordered(order) } ?? column
        try column.finish()
        finished.append(column)
      }
      return finished
    } catch {
      guard error.status == .limitExceeded, fieldIndexes.contains(where: spare.contains) else { throw error }
    }
    dropSpare()
    return try finishedColumns(order)
  }

  /// The set in the file's order, its geometries projected if a spatial reference is given. Outside of the guard.
  func finish(_ target: SpatialReference?) throws(EngineError) -> FeatureSet {
    let order = source.facts.order.isByID ? try RowOrder.byID(ids, budget) : nil
    var (ids, flags) = (self.ids, self.flags)
    if let order {
      ids = try ids.reordered(order, budget)
      flags = try flags.reordered(order, budget)
    }
    let columns = try finishedColumns(order)
    ids.trim(budget)
    var geometries: GeometryArray?
    if let builder {
      var made = try builder.finish(source.spatialReference)
      if let order {
        let other = try GeometryBuilder(policy: source.runtime.policy)
        for row in order.buffer { try other.append(made, row) }
        made = try other.finish(source.spatialReference)
      }
      var array = GeometryArray(runtime: source.runtime, columns: made)
      if let target, source.spatialReference != nil {
        let projected = try array.projected(to: target, missingImages: .emptyTheGeometry)
        array = projected.array
        flags = try marked(flags, projected.statuses)
      }
      geometries = array
    }
    flags.trim(budget)
    return FeatureSet(
      runtime: source.runtime, ids: ids, flags: flags, geometries: geometries, columns: columns,
      fieldIndexes: fieldIndexes, trouble: trouble)
  }

  /// The flags with those added that cannot be projected.
  private func marked(
    _ flags: Column<UInt8>, _ statuses: HeapArray<PointStatus>
  ) throws(EngineError) -> Column<UInt8> {
    let marked = Column<UInt8>()
    for (flag, status) in zip(flags.buffer, statuses.buffer) {
      try marked.append(status == .ok ? flag : flag | FeatureFlags.isNotProjectable.rawValue, budget)
    }
    return marked
  }
}
