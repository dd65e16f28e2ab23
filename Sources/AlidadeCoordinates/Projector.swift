import AlidadeBase
import CPROJ

/// How coordinates get from one spatial reference to another at a place.
public struct ProjectionInfo: Sendable {
  public var name: String
  /// Metres; NaN if not known.
  public var accuracy: Double
  /// The datums are treated as equal for want of a known relation.
  public var isBallpark: Bool
}

/// Projects points between two spatial references, on any number of threads at once.
///
/// Each point gets the operation that PROJ ranks best for its place. PROJ's objects are leased for the length of a
/// call, because no two threads may use one.
public final class Projector: Sendable {
  public let from: CoordinateSystem
  public let to: CoordinateSystem
  /// The two mean the same positions: points stay as they are, bit for bit.
  public let isIdentity: Bool
  private let operations: LeasePool<ProjObject>
  // What is needed of the runtime; not the runtime, which keeps its projectors.
  private let options: RuntimeOptions
  private let workers: Workers
  private let mailbox: Mailbox
  private let grids: GridDirectories
  private let generation: UInt64

  /// The runtime's projector for a pair, from its cache.
  public static func between(_ from: SpatialReference, _ to: SpatialReference) throws(EngineError) -> Projector {
    try CoordinateService.of(from.runtime).projector(from: from, to: to)
  }

  init(from: SpatialReference, to: SpatialReference) throws(EngineError) {
    self.from = from.system
    self.to = to.system
    options = from.runtime.options
    workers = from.runtime.workers
    mailbox = from.runtime.mailbox
    grids = CoordinateService.of(from.runtime).grids
    generation = grids.generation
    isIdentity = try from.isEquivalent(to: to)
    operations = LeasePool(capacity: Workers.processorCount + 2)
    if !isIdentity {
      guard from.kind != .local, to.kind != .local else {
        throw EngineError(
          .projectionFailed,
          "\(from.kind == .local ? from.name : to.name) is a local plane; nothing can be projected to or from it.")
      }
      operations.giveBack(try ProcessGate.shared.pass { () throws(EngineError) in try makeOperation() })
    }
  }

  /// Whether the grid directories are still those of when it was made.
  public var isCurrent: Bool { generation == grids.generation }

  /// Makes PROJ's operation in a session of its own. Call inside the gate.
  private func makeOperation() throws(EngineError) -> ProjObject {
    let session = try ProjSession(options: options, mailbox: mailbox, grids: grids)
    let source = try from.horizontalObject(in: session)
    let target = try to.horizontalObject(in: session)
    let what = "There is no operation from \(from.name) to \(to.name)"
    guard
      let raw = ProjObject(
        proj_create_crs_to_crs_from_pj(session.context, source.pointer, target.pointer, nil, nil), in: session)
    else { throw session.failure(.projectionFailed, what) }
    guard let operation = ProjObject(proj_normalize_for_visualization(session.context, raw.pointer), in: session) else {
      throw session.failure(.projectionFailed, what)
    }
    return operation
  }

  private func lease() throws(EngineError) -> ProjObject {
    if let idle = operations.take() { return idle }
    return try makeOperation()
  }

  /// Projects one point; nil if it has no image.
  public func project(_ point: Point) throws(EngineError) -> Point? {
    guard point.isFinite else { return nil }
    if isIdentity { return point }
    return try ProcessGate.shared.pass { () throws(EngineError) -> Point? in
      let operation = try lease()
      defer { operations.giveBack(operation) }
      let image = proj_trans(operation.pointer, PJ_FWD, proj_coord(point.x, point.y, 0, .infinity))
      return accepted(x: image.xy.x, y: image.xy.y)
    }
  }

  /// Projects points in place. One that has no image becomes NaN.
  public func project(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    if isIdentity {
      for index in points.indices where !points[index].isFinite { points[index] = .nan }
      return
    }
    guard let base = points.baseAddress else { return }
    try ProcessGate.shared.pass { () throws(EngineError) in
      let operation = try lease()
      defer { operations.giveBack(operation) }
      let stride = MemoryLayout<Point>.stride
      let coordinates = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Double.self)
      proj_trans_generic(
        operation.pointer, PJ_FWD, coordinates, stride, points.count, coordinates + 1, stride, points.count, nil, 0, 0,
        nil, 0, 0)
      proj_errno_reset(operation.pointer)
      for index in points.indices {
        if let image = accepted(x: points[index].x, y: points[index].y) {
          points[index] = image
        } else {
          points[index] = .nan
        }
      }
    }
  }

  /// Refuses what is no place: infinity, NaN, and what projections answer for a pole that they cannot show.
  @inline(__always)
  private func accepted(x: Double, y: Double) -> Point? {
    // A NaN fails these comparisons.
    guard x.magnitude < 1e15, to.northings.contains(y) else { return nil }
    return Point(x: x, y: y)
  }

  /// Which operation is used at a place, and how far it can be trusted.
  public func describe(at point: Point) throws(EngineError) -> ProjectionInfo {
    guard try project(point) != nil else {
      throw EngineError(
        .projectionFailed, "(\(point.x), \(point.y)) cannot be projected from \(from.name) to \(to.name).")
    }
    if isIdentity {
      return ProjectionInfo(name: "No operation: the same spatial reference", accuracy: 0, isBallpark: false)
    }
    return try ProcessGate.shared.pass { () throws(EngineError) -> ProjectionInfo in
      let operation = try lease()
      defer { operations.giveBack(operation) }
      _ = proj_trans(operation.pointer, PJ_FWD, proj_coord(point.x, point.y, 0, .infinity))
      let context = operation.session.context
      let last = ProjObject(proj_trans_get_last_used_operation(operation.pointer), in: operation.session)
      let used = last ?? operation
      let accuracy = proj_coordoperation_get_accuracy(context, used.pointer)
      let name = proj_get_name(used.pointer) ?? proj_pj_info(used.pointer).description
      return ProjectionInfo(
        name: name.map { String(cString: $0) } ?? "",
        accuracy: accuracy < 0 ? .nan : accuracy,
        isBallpark: proj_coordoperation_has_ballpark_transformation(context, used.pointer) != 0)
    }
  }
}

extension Projector {
  /// Points in slices of this size are projected on all cores.
  private static let slice = 8192

  /// Projects points in place, on all cores. One that has no image becomes NaN.
  public func projectOnAllCores(_ points: HeapArray<Point>) throws(EngineError) {
    let count = points.buffer.count
    let slices = (count &+ Self.slice &- 1) / Self.slice
    // Each slice is written by the one thread that works on it.
    try workers.forEach(slices) { (index) throws(EngineError) in
      let range = (index &* Self.slice)..<min(count, (index &+ 1) &* Self.slice)
      try project(UnsafeMutableBufferPointer(rebasing: points.buffer[range]))
    }
  }
}
