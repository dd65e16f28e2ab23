import AlidadeBase
import CPROJ

/// Runs one operation. Belongs to its session's thread rule.
///
/// Positions without height and epoch go by the operation's fast path, if it has one, and by PROJ where that leaves
/// them to it; everything else goes by PROJ.
final class OperationRunner {
  let operation: PlannedOperation
  /// nil if PROJ cannot make it now, because a grid file has gone or cannot be read.
  private let object: ProjObject?
  private let direction: PJ_DIRECTION
  /// What x and y are multiplied by before and after.
  private let (scaleIn, scaleOut): (Double, Double)
  /// Computes most positions instead of PROJ; nil if the operation has no fast path.
  let fast: FastPath?
  /// Of the operation's source; nil: all points have a position there, or PROJ finds those that have not.
  private let outline: WorldOutline?

  /// The operation whose grids change nothing outside of them, and the one whose grids change nothing at all.
  private lazy var lenient = changed { $0 + ",null" }
  private lazy var withoutGrids = changed { _ in "null" }

  /// Call inside the gate.
  init(_ operation: PlannedOperation, in session: ProjSession) {
    self.operation = operation
    let object = session.made(operation.pipeline)
    self.object = object
    direction = operation.isInverse ? PJ_INV : PJ_FWD
    var scales = (1.0, 1.0)
    if operation.convertsRadians, let object {
      if proj_angular_input(object.pointer, direction) != 0 { scales.0 = .pi / 180 }
      if proj_angular_output(object.pointer, direction) != 0 { scales.1 = 180 / .pi }
    }
    (scaleIn, scaleOut) = scales
    let isPlain = !operation.isInverse && !operation.convertsRadians
    fast = object.flatMap { isPlain ? operation.fast.prove(operation.pipeline, against: $0) : nil }
    outline = isPlain && fast == nil && object != nil ? WorldOutline(ofPipeline: operation.pipeline, in: session) : nil
  }

  var isMade: Bool { object != nil }

  /// Whether it can be run in its direction.
  var hasDirection: Bool {
    guard let object else { return false }
    return direction == PJ_FWD || proj_pj_info(object.pointer).has_inverse != 0
  }

  /// Projects positions in place; without image they become infinite. Call inside the gate.
  func run(_ points: UnsafeMutableBufferPointer<Point>) { run(points, z: nil, t: nil) }

  /// Projects one position by PROJ; infinite if it has no image. Call inside the gate.
  func run(_ point: Point) -> Point {
    let image = run(proj_coord(point.x, point.y, 0, .infinity)).image.xy
    return Point(x: image.x, y: image.y)
  }

  /// Projects coordinates in place; without image they become infinite. What `t` holds afterwards means nothing. Call
  /// inside the gate.
  func run(
    _ points: UnsafeMutableBufferPointer<Point>, z: UnsafeMutablePointer<Double>?, t: UnsafeMutablePointer<Double>?
  ) {
    guard let base = points.baseAddress, !points.isEmpty else { return }
    if let fast, z == nil, t == nil {
      let stride = MemoryLayout<Point>.stride
      let left = fast.project(
        base, stride: stride, to: base, outputStride: stride, count: points.count, accepting: FastPath.anyNorthing)
      for index in left { points[index] = run(points[index]) }
      return
    }
    guard let object else {
      for index in points.indices { points[index] = Point(x: .infinity, y: .infinity) }
      return
    }
    if scaleIn != 1 { Self.scale(points, scaleIn) }
    if let outline {
      for index in points.indices where !outline.contains(x: points[index].x, y: points[index].y) {
        points[index] = Point(x: .infinity, y: .infinity)
      }
    }
    let count = points.count
    let (stride, step) = (MemoryLayout<Point>.stride, MemoryLayout<Double>.stride)
    let x = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Double.self)
    proj_trans_generic(
      object.pointer, direction, x, stride, count, x + 1, stride, count, z, step, z == nil ? 0 : count, t, step,
      t == nil ? 0 : count)
    proj_errno_reset(object.pointer)
    if scaleOut != 1 { Self.scale(points, scaleOut) }
  }

  /// Projects one coordinate and returns PROJ's error number, 0 for success. Call inside the gate.
  func run(_ coordinate: PJ_COORD) -> (image: PJ_COORD, error: Int32) {
    let nowhere = proj_coord(.infinity, .infinity, .infinity, .infinity)
    guard let object else { return (nowhere, notMade) }
    if let outline, !outline.contains(x: coordinate.xyzt.x, y: coordinate.xyzt.y) {
      return (nowhere, PROJ_ERR_COORD_TRANSFM_OUTSIDE_PROJECTION_DOMAIN)
    }
    return run(coordinate, by: object)
  }

  /// Whether a grid cannot be read where a coordinate lies that has no image. PROJ says that such a coordinate lies outside
  /// of the grid. Call inside the gate.
  ///
  /// - Parameter error: the error number that `run` gave.
  func failsToRead(_ coordinate: PJ_COORD, _ error: Int32) -> Bool {
    guard operation.needsGrids else { return false }
    if error == PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID { return true }
    if error == PROJ_ERR_COORD_TRANSFM_GRID_AT_NODATA || error == PROJ_ERR_OTHER_NETWORK_ERROR { return false }
    // It has an image without grids, and none if outside of the grids it stays as it is: so it lies inside of one.
    guard let withoutGrids, let lenient, run(coordinate, by: withoutGrids).image.xyzt.x != .infinity else {
      return false
    }
    let (image, error) = run(coordinate, by: lenient)
    return image.xyzt.x == .infinity && error != PROJ_ERR_COORD_TRANSFM_GRID_AT_NODATA
  }

  /// Call inside the gate.
  private func changed(_ change: (Substring) -> String) -> ProjObject? {
    guard let object, !operation.pipeline.contains("\"") else { return nil }
    let text = ProjSession.pipeline(operation.pipeline, changingGrids: change)
    return ProjObject(proj_create(object.session.context, text), in: object.session)
  }

  private func run(_ coordinate: PJ_COORD, by object: ProjObject) -> (image: PJ_COORD, error: Int32) {
    proj_errno_reset(object.pointer)
    var coordinate = coordinate
    if scaleIn != 1 {
      coordinate.xyzt.x *= scaleIn
      coordinate.xyzt.y *= scaleIn
    }
    var image = proj_trans(object.pointer, direction, coordinate)
    if scaleOut != 1 {
      image.xyzt.x *= scaleOut
      image.xyzt.y *= scaleOut
    }
    return (image, proj_errno_reset(object.pointer))
  }

  /// The error number of an operation that PROJ cannot make: its grid files have gone, or it has no such method.
  private var notMade: Int32 {
    operation.needsGrids ? PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID : PROJ_ERR_INVALID_OP
  }

  private static func scale(_ points: UnsafeMutableBufferPointer<Point>, _ factor: Double) {
    for index in points.indices {
      points[index] = Point(x: points[index].x * factor, y: points[index].y * factor)
    }
  }
}

/// PROJ's objects for one user of a projector at a time.
final class OperationLease: @unchecked Sendable {  // right: leased, so one thread at a time has it
  let session: ProjSession
  private let plan: OperationPlan
  private var runners: [OperationRunner?]
  /// PROJ's own list, where it was made in this session.
  private(set) var list: OperationList?

  init(_ plan: OperationPlan, in session: ProjSession, list: OperationList?) {
    self.plan = plan
    self.session = session
    self.list = list
    runners = [OperationRunner?](repeating: nil, count: plan.operations.count)
  }

  /// Call inside the gate.
  func runner(_ number: Int) -> OperationRunner {
    if let known = runners[number] { return known }
    let made = OperationRunner(plan.operations[number], in: session)
    runners[number] = made
    return made
  }

  func keep(_ list: OperationList) { self.list = list }
}
