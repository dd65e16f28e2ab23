import AlidadeBase
import CPROJ

/// The operation that projects coordinates from one spatial reference to another at a point.
public struct ProjectionInfo: Sendable {
  public var name: String
  /// Metres; NaN if not known.
  public var accuracy: Double
  /// The datums are treated as equal for want of a known relation.
  public var isBallpark: Bool
}

/// Projects coordinates between two spatial references, on any number of threads at once.
///
/// Each point gets the operation that PROJ ranks best for its position, or the chosen operation. PROJ's objects are
/// leased for the length of a call, because no two threads may use one.
public final class Projector: Sendable {
  /// nil: coordinates are as the chosen transformation has them.
  public let from: CoordinateSystem?
  public let to: CoordinateSystem?
  /// The two mean the same positions: points stay as they are, bit for bit.
  public let isIdentity: Bool
  /// True if heights go through the operations with the positions; false if they are copied.
  public let takesHeights: Bool
  /// A transformation was chosen.
  public let isChosen: Bool
  let isStrict: Bool
  let plan: OperationPlan
  /// The fast path of the only operation; nil if it has none or there are several.
  let fast: FastPath?
  /// What would be used, were all grid files there; nil if that does not matter.
  let ideal: OperationPlan?
  /// Whether images may have kinks and small jumps that five points along a line do not show: PROJ's Robinson projection
  /// goes through a table by pieces of 5 degrees.
  public let isPiecewise: Bool
  /// Facts about the operations that are not in the plan.
  let facts = Lock<[Int: OperationFacts]>([:])
  private let leases = LeasePool<OperationLease>(capacity: Workers.processorCount &+ 2)
  // What is needed of the runtime; not the runtime, which keeps its projectors.
  private let options: RuntimeOptions
  let workers: Workers
  private let mailbox: Mailbox
  private let grids: GridDirectories
  /// The folders of the plan; its sessions search the same folders.
  private let folders: GridFolders

  /// The runtime's projector for the horizontal parts of a pair, from its cache.
  public static func between(_ from: SpatialReference, _ to: SpatialReference) throws(EngineError) -> Projector {
    let key = ProjectorKey(from: from.system.definition, to: to.system.definition)
    return try CoordinateService.of(from.runtime).projector(key) { () throws(EngineError) in
      try Projector(from: from, to: to, key)
    }
  }

  /// The runtime's projector for a pair, from its cache.
  public static func between(
    _ from: SpatialReference, _ to: SpatialReference, options: ProjectionOptions
  ) throws(EngineError) -> Projector {
    if let transformation = options.transformation {
      return try chosen(transformation, from: from, to: to, options)
    }
    guard !options.isInverse else {
      throw EngineError(.invalidArgument, "Only a transformation that was chosen can be taken backwards.")
    }
    let heights = !options.ignoresVertical && from.system.vertical != nil && to.system.vertical != nil
    let key = ProjectorKey(
      from: from.system.definition, to: to.system.definition, takesHeights: heights, isStrict: options.isStrict,
      usesOnlyBest: options.usesOnlyBest)
    return try CoordinateService.of(from.runtime).projector(key) { () throws(EngineError) in
      try Projector(from: from, to: to, key)
    }
  }

  /// Uses the best operation for the position of each point.
  private convenience init(
    from: SpatialReference, to: SpatialReference, _ key: ProjectorKey
  ) throws(EngineError) {
    var isSame = try from.isEquivalent(to: to)
    if isSame, key.takesHeights { isSame = try from.relation(to: to) != .different }
    if isSame {
      try self.init(runtime: from.runtime, from: from.system, to: to.system, key, isIdentity: true) {
        (_) throws(EngineError) in (OperationPlan(operations: [], areas: []), nil, nil)
      }
      return
    }
    try from.requireProjectable(to)
    try self.init(runtime: from.runtime, from: from.system, to: to.system, key, isIdentity: false) {
      (session) throws(EngineError) in
      let list = try Self.list(
        from.system, to.system, takesHeights: key.takesHeights, missingGrids: false, in: session)
      let plan = list.plan()
      guard plan.operations.contains(where: { !$0.pipeline.isEmpty }) else {
        throw EngineError(
          .projectionFailed,
          "PROJ lists operations from \(from.name) to \(to.name), but has the method of none of them.", domain: .proj)
      }
      var ideal: OperationPlan?
      if key.usesOnlyBest {
        ideal = try Self.list(from.system, to.system, takesHeights: key.takesHeights, missingGrids: true, in: session)
          .plan(opensGrids: true)
      }
      return (plan, ideal, list)
    }
  }

  /// - Parameter plan: called inside the gate.
  init(
    runtime: Runtime, from: CoordinateSystem?, to: CoordinateSystem?, _ key: ProjectorKey, isIdentity: Bool,
    plan make: (ProjSession) throws(EngineError) -> (OperationPlan, ideal: OperationPlan?, OperationList?)
  ) throws(EngineError) {
    self.from = from
    self.to = to
    self.isIdentity = isIdentity
    takesHeights = key.takesHeights
    isChosen = key.pipeline != nil
    isStrict = key.isStrict
    options = runtime.options
    workers = runtime.workers
    mailbox = runtime.mailbox
    grids = CoordinateService.of(runtime).grids
    folders = grids.current
    if isIdentity {
      (plan, ideal, fast, isPiecewise) = (OperationPlan(operations: [], areas: []), nil, nil, false)
      return
    }
    let (options, mailbox, folders) = (options, mailbox, folders)
    let made = try ProcessGate.shared.pass {
      () throws(EngineError) -> (plan: OperationPlan, ideal: OperationPlan?, fast: FastPath?, lease: OperationLease) in
      let session = try ProjSession(options: options, mailbox: mailbox, grids: folders)
      let (plan, ideal, list) = try make(session)
      let lease = OperationLease(plan, in: session, list: list)
      return (plan, ideal, plan.isSingle ? lease.runner(0).fast : nil, lease)
    }
    (plan, ideal, fast) = (made.plan, made.ideal, made.fast)
    isPiecewise = made.plan.operations.contains { $0.pipeline.contains("proj=robin") }
    leases.giveBack(made.lease)
  }

  /// Whether the grid directories have not changed since the projector was created.
  public var isCurrent: Bool { folders.generation == grids.generation }

  /// PROJ's operations between two systems. Call inside the gate.
  static func list(
    _ from: CoordinateSystem, _ to: CoordinateSystem, takesHeights: Bool, missingGrids: Bool, in session: ProjSession
  ) throws(EngineError) -> OperationList {
    try OperationList(
      from: takesHeights ? from.object(in: session) : from.horizontalObject(in: session),
      to: takesHeights ? to.object(in: session) : to.horizontalObject(in: session), takesHeights: takesHeights,
      missingGrids: missingGrids,
      "There is no operation from \(from.name) to \(to.name)")
  }

  /// Runs `body` inside the gate with PROJ's objects, which nobody else uses meanwhile.
  func withLease<Result>(
    _ body: (OperationLease) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try ProcessGate.shared.pass { () throws(EngineError) -> Result in
      let lease: OperationLease
      if let idle = leases.take() {
        lease = idle
      } else {
        lease = OperationLease(
          plan, in: try ProjSession(options: options, mailbox: mailbox, grids: folders), list: nil)
      }
      defer { leases.giveBack(lease) }
      return try body(lease)
    }
  }

  /// The names of both sides, for messages.
  public var way: String {
    guard let from, let to else { return "by \(plan.operations.first?.name ?? "the transformation")" }
    return "from \(from.name) to \(to.name)"
  }

  /// Whether points are refused because of the operation for their position.
  var refusesOperations: Bool { isStrict || ideal != nil }

  /// What `isPlace` accepts as northings.
  var northings: ClosedRange<Double> { to?.northings ?? FastPath.anyNorthing }

  /// Refuses what is not a position: infinity, NaN, and the results of projections for a pole that they cannot show.
  @inline(__always)
  func isPlace(x: Double, y: Double) -> Bool {
    // A NaN fails these comparisons.
    x.magnitude < 1e15 && (to?.northings.contains(y) ?? (y.magnitude < 1e15))
  }
}

extension SpatialReference {
  /// Throws if no operation leads from this to another spatial reference, because one of them is a local plane.
  func requireProjectable(_ other: SpatialReference) throws(EngineError) {
    guard kind != .local, other.kind != .local else {
      throw EngineError(
        .projectionFailed,
        "\(kind == .local ? name : other.name) is a local plane; nothing can be projected to or from it.")
    }
  }
}

/// What a projector is made for.
struct ProjectorKey: Hashable {
  /// Empty: as the chosen transformation has it.
  var from = ""
  var to = ""
  var takesHeights = false
  var isStrict = false
  var usesOnlyBest = false
  /// What the chosen transformation runs; nil if none was chosen.
  var pipeline: String?
  var isInverse = false
}

/// How points are projected.
public struct ProjectionOptions: Sendable {
  /// The only operation to use. If nil, each point gets the operation that PROJ ranks best for its position.
  public var transformation: Transformation?
  /// The chosen transformation is taken backwards.
  public var isInverse = false
  /// A point is refused rather than projected with datums treated as equal for want of a known relation.
  public var isStrict = false
  /// A point is refused if the best operation for its position lacks a grid file.
  public var usesOnlyBest = false
  /// Heights are copied, also where both sides have some.
  public var ignoresVertical = false

  public init() {}
}

// Positions alone, which become NaN where they have no image: what maps, views and rasters ask for.

extension Projector {
  /// The copy of a point in the world around x = 0 if it lies more than a world away from there: PROJ refuses longitudes
  /// beyond 573 degrees.
  @inline(__always)
  public func nearCopy(of point: Point) -> Point {
    guard let width = from?.worldWidth, point.x.magnitude > width else { return point }
    // So far away its digits do not say which point of the world it is.
    guard point.x.magnitude <= width * 0x1p20 else { return point }
    return point.unwrapped(near: 0, width: width)
  }

  /// Projects one point; nil if it has no image.
  public func project(_ point: Point) throws(EngineError) -> Point? {
    guard point.isPosition else { return nil }
    if isIdentity { return point }
    if refusesOperations {
      var point = point
      try withUnsafeMutablePointer(to: &point) { (only) throws(EngineError) in
        try project(UnsafeMutableBufferPointer(start: only, count: 1))
      }
      return point.x.isNaN ? nil : point
    }
    // Without PROJ, and so without the gate and a lease.
    if let image = quickly(point) { return image }
    return try withLease { (lease) throws(EngineError) -> Point? in
      let image = best(for: proj_coord(point.x, point.y, 0, .infinity), lease).image.xy
      return isPlace(x: image.x, y: image.y) ? Point(x: image.x, y: image.y) : nil
    }
  }

  /// The image of a point by the fast path of the operation for its position; nil if PROJ must compute it.
  private func quickly(_ point: Point) -> Point? {
    if let fast { return fast.project(point, accepting: northings) }
    guard !plan.isSingle, let area = plan.area(for: point.x, point.y) else { return nil }
    return plan.operations[plan.areas[area].operation].fast.path?.project(point, accepting: northings)
  }

  /// Projects points in place. A point that cannot be projected becomes NaN.
  public func project(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    guard let base = points.baseAddress, !points.isEmpty else { return }
    if isIdentity {
      for index in points.indices where !points[index].isPosition { points[index] = .nan }
      return
    }
    if refusesOperations {
      try withLease { (lease) throws(EngineError) in try projectSlice(ProjectionSlice(points: points), lease) }
      return
    }
    if let fast {
      let stride = MemoryLayout<Point>.stride
      let left = fast.project(
        base, stride: stride, to: base, outputStride: stride, count: points.count, accepting: northings)
      try projectThoseLeft(left) { index in
        points[index]
      } store: { index, image in
        points[index] = image
      }
      return
    }
    guard plan.isSingle else {
      try projectRuns(points)
      return
    }
    try withLease { (lease) throws(EngineError) in
      // PROJ sometimes projects infinity to a position.
      for index in points.indices where !points[index].isPosition { points[index] = .nan }
      lease.runner(0).run(points)
      for index in points.indices where !isPlace(x: points[index].x, y: points[index].y) { points[index] = .nan }
    }
  }

  /// Projects points that lie a stride apart, each two doubles at any address, to others: the two are the same with the
  /// same stride, or do not overlap. A point that cannot be projected becomes NaN, and so does a point beyond a pole:
  /// maps and rasters may reach there, points from the host may not. On the calling thread; see `forEachSlice`.
  public func project(
    _ input: UnsafeRawPointer, stride: Int, to output: UnsafeMutableRawPointer, outputStride: Int, count: Int
  ) throws(EngineError) {
    let load = { (index: Int) in
      let address = input + index &* stride
      return Point(
        x: address.loadUnaligned(as: Double.self), y: address.loadUnaligned(fromByteOffset: 8, as: Double.self))
    }
    let imageLimit = Self.latitudeLimit(of: to)
    let store = { (index: Int, image: Point) in
      let image = image.y.magnitude <= imageLimit ? image : .nan
      // storeBytes needs no alignment.
      output.storeBytes(of: image.x, toByteOffset: index &* outputStride, as: Double.self)
      output.storeBytes(of: image.y, toByteOffset: index &* outputStride &+ 8, as: Double.self)
    }
    // Looked for before, because the input may be written over.
    let limit = Self.latitudeLimit(of: from)
    let impossible = limit.isFinite ? (0..<count).filter { load($0).y.magnitude > limit } : []
    defer { for index in impossible { store(index, .nan) } }
    if let fast {
      let left = fast.project(
        input, stride: stride, to: output, outputStride: outputStride, count: count, accepting: northings)
      try projectThoseLeft(left, load: load, store: store)
      return
    }
    let points = try HeapArray<Point>(count: count)
    for index in 0..<count { points.buffer[index] = load(index) }
    try project(points.buffer)
    for index in 0..<count { store(index, points.buffer[index]) }
  }

  /// Projects points in place where there are several operations: runs of points with one operation at once.
  private func projectRuns(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    let stride = MemoryLayout<Point>.stride
    var left: [Int] = []
    var start = 0
    while start < points.count {
      let area = plan.area(for: points[start].x, points[start].y)
      var end = start &+ 1
      while end < points.count, plan.area(for: points[end].x, points[end].y) == area { end &+= 1 }
      let run = UnsafeMutableBufferPointer(rebasing: points[start..<end])
      if let area, let base = run.baseAddress, let path = try fastPath(of: plan.areas[area].operation) {
        let indices = path.project(
          base, stride: stride, to: base, outputStride: stride, count: run.count, accepting: northings)
        for index in indices { left.append(start &+ index) }
      } else {
        try withLease { (lease) throws(EngineError) in try projectSlice(ProjectionSlice(points: run), lease) }
      }
      start = end
    }
    if left.isEmpty { return }
    try withLease { (lease) throws(EngineError) in
      for index in left {
        let point = points[index]
        let image = best(for: proj_coord(point.x, point.y, 0, .infinity), lease).image.xy
        points[index] =
          point.isPosition && isPlace(x: image.x, y: image.y) ? Point(x: image.x, y: image.y) : .nan
      }
    }
  }

  /// The fast path of an operation, which is made if nobody has used it yet.
  private func fastPath(of number: Int) throws(EngineError) -> FastPath? {
    if let path = plan.operations[number].fast.known { return path }
    return try withLease { (lease) throws(EngineError) in lease.runner(number).fast }
  }

  /// Projects by PROJ what the fast path of the only operation has left.
  private func projectThoseLeft(
    _ left: [Int], load: (Int) -> Point, store: (Int, Point) -> Void
  ) throws(EngineError) {
    if left.isEmpty { return }
    try withLease { (lease) throws(EngineError) in
      let runner = lease.runner(0)
      for index in left {
        let point = load(index)
        let image = point.isPosition ? runner.run(point) : .nan
        store(index, isPlace(x: image.x, y: image.y) ? image : .nan)
      }
    }
  }

  /// The operation that is used at a point, and how far it can be trusted.
  public func describe(at point: Point) throws(EngineError) -> ProjectionInfo {
    if isIdentity {
      return ProjectionInfo(name: Self.identityName, accuracy: 0, isBallpark: false)
    }
    let used = try withLease { (lease) throws(EngineError) -> Int? in
      let best = best(for: proj_coord(point.x, point.y, 0, .infinity), lease)
      return isPlace(x: best.image.xy.x, y: best.image.xy.y) ? best.operation : nil
    }
    guard point.isPosition, let used else {
      throw EngineError(.projectionFailed, "(\(point.x), \(point.y)) cannot be projected \(way).")
    }
    let operation = plan.operations[used]
    return ProjectionInfo(name: operation.name, accuracy: operation.accuracy, isBallpark: operation.isBallpark)
  }

  static var identityName: String { "No operation: the same spatial reference" }

  /// Points in slices of this size are projected on all cores.
  ///
  /// So small that what a slice needs comes from the heap that is there, and not from fresh pages of the system.
  static var slice: Int { 4096 }

  /// Projects points in place on this thread, and looks at the time in between.
  public func projectSlices(_ points: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    for start in stride(from: 0, to: points.count, by: Self.slice) {
      try TimeLimit.check()
      try project(UnsafeMutableBufferPointer(rebasing: points[start..<min(points.count, start &+ Self.slice)]))
    }
  }

  /// Projects points in place, on all cores. A point that cannot be projected becomes NaN.
  public func projectOnAllCores(_ points: HeapArray<Point>) throws(EngineError) {
    // Each slice is written by the one thread that works on it.
    try forEachSlice(of: points.buffer.count) { (range) throws(EngineError) in
      try project(UnsafeMutableBufferPointer(rebasing: points.buffer[range]))
    }
  }

  /// The same, for points in any copy of the world.
  public func projectCopiesOnAllCores(_ points: HeapArray<Point>) throws(EngineError) {
    for index in points.buffer.indices { points.buffer[index] = nearCopy(of: points.buffer[index]) }
    try projectOnAllCores(points)
  }

  /// Runs `body` for slices of so many points, on all cores.
  public func forEachSlice(
    of count: Int, _ body: @Sendable (Range<Int>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let slices = (count &+ Self.slice &- 1) / Self.slice
    try workers.forEach(slices) { (index) throws(EngineError) in
      try body((index &* Self.slice)..<min(count, (index &+ 1) &* Self.slice))
    }
  }
}

extension Projector {
  /// Projects one coordinate as `proj_trans` does: by the best operation for its position; if that fails, by the next
  /// best, twice; then by the first operation that needs no grids, wherever it is meant for. Call inside the gate.
  ///
  /// - Returns: the operation that was used last, nil without an operation; the image, infinite without an image;
  ///   PROJ's error number of the first failure, 0 without a failure.
  func best(for coordinate: PJ_COORD, _ lease: OperationLease) -> (operation: Int?, image: PJ_COORD, error: Int32) {
    if plan.isSingle {
      let (image, error) = run(coordinate, by: lease.runner(0))
      return (0, image, error)
    }
    let none = proj_coord(.infinity, .infinity, .infinity, .infinity)
    var excluded = (-1, -1)
    var firstError: Int32 = 0
    for attempt in 0...2 {
      guard let area = plan.area(for: coordinate.xyzt.x, coordinate.xyzt.y, excluding: excluded) else { break }
      let number = plan.areas[area].operation
      let (image, error) = run(coordinate, by: lease.runner(number))
      if firstError == 0 { firstError = error }
      if error == PROJ_ERR_OTHER_NETWORK_ERROR { return (number, none, error) }
      // The next best is not the best.
      if ideal != nil, error == PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID { return (number, none, error) }
      if image.xyzt.x != .infinity { return (number, image, 0) }
      if attempt == 0 { excluded.0 = area } else { excluded.1 = area }
    }
    guard let number = plan.areas.first(where: { !plan.operations[$0.operation].needsGrids })?.operation else {
      return (nil, none, firstError)
    }
    let (image, error) = lease.runner(number).run(coordinate)
    return (number, image, firstError == 0 ? error : firstError)
  }

  /// Projects one coordinate by one operation. Where it matters, distinguishes a grid that cannot be read from a
  /// coordinate outside the grid. Call inside the gate.
  private func run(_ coordinate: PJ_COORD, by runner: OperationRunner) -> (image: PJ_COORD, error: Int32) {
    let (image, error) = runner.run(coordinate)
    guard image.xyzt.x == .infinity, ideal != nil || isChosen, runner.failsToRead(coordinate, error) else {
      return (image, error)
    }
    return (image, PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID)
  }
}

// A transformation that was chosen: that one and no other.

extension Projector {
  /// The projector for a chosen transformation whose coordinates are as it has them itself: geocentric ones, too.
  public static func by(_ transformation: Transformation, options: ProjectionOptions) throws(EngineError) -> Projector {
    try chosen(transformation, from: nil, to: nil, options)
  }

  /// - Parameters:
  ///   - from: nil: what the transformation begins in.
  ///   - to: nil: what it ends in. Both are nil or neither.
  static func chosen(
    _ transformation: Transformation, from: SpatialReference?, to: SpatialReference?, _ options: ProjectionOptions
  ) throws(EngineError) -> Projector {
    try transformation.requireUsable()
    var heights = !options.ignoresVertical
    if let from, let to { heights = heights && from.system.vertical != nil && to.system.vertical != nil }
    let key = ProjectorKey(
      from: from?.system.definition ?? "", to: to?.system.definition ?? "", takesHeights: heights,
      isStrict: options.isStrict, pipeline: "\(transformation.pipeline)\n\(transformation.wkt)",
      isInverse: options.isInverse)
    let runtime = transformation.runtime
    return try CoordinateService.of(runtime).projector(key) { () throws(EngineError) in
      var operation = PlannedOperation(transformation, isInverse: options.isInverse)
      var key = key
      if let from, let to {
        let way = try CoordinateService.of(runtime).withSession(runtime) { (session) throws(EngineError) in
          try session.way(from: from.system, to: to.system, transformation, key)
        }
        (operation.pipeline, key.takesHeights) = way
        operation.isInverse = false
        operation.convertsRadians = false
      }
      return try Projector(
        runtime: runtime, from: from?.system, to: to?.system, key, isIdentity: false
      ) { (session) throws(EngineError) in
        let runner = OperationRunner(operation, in: session)
        if !runner.isMade, !operation.fileNames.isEmpty { throw session.lostGrid(of: operation) }
        guard runner.hasDirection else {
          throw session.failure(
            .unsupported,
            "The transformation \(transformation.name) cannot be taken \(options.isInverse ? "backwards" : "there")")
        }
        return (OperationPlan(operation), nil, nil)
      }
    }
  }

  /// Throws if the chosen transformation can no longer be run because its grid files have gone. Call inside the gate.
  func requireOperation(_ lease: OperationLease) throws(EngineError) {
    guard isChosen, !lease.runner(0).isMade else { return }
    throw lease.session.lostGrid(of: plan.operations[0])
  }
}

extension PlannedOperation {
  fileprivate init(_ transformation: Transformation, isInverse: Bool) {
    number = nil
    name = transformation.name
    accuracy = transformation.accuracy
    isBallpark = transformation.isBallpark
    grids = transformation.facts.steps.flatMap(\.grids).map(\.name)
    needsGrids = !grids.isEmpty
    isUsable = true
    pipeline = transformation.pipeline
    self.isInverse = isInverse
    convertsRadians = true
  }

  /// The files that it needs. PROJ does not report the files of its own strings.
  fileprivate var fileNames: [String] { grids.isEmpty ? Transformation.fileNames(in: pipeline) : grids }
}

extension ProjSession {
  /// The error for a transformation whose grid files were there when it was last looked.
  fileprivate func lostGrid(of operation: PlannedOperation) -> EngineError {
    failure(
      .missingGrid,
      "The transformation \(operation.name) needs a grid file that has gone, or can no longer be read, since it was "
        + "chosen. It uses \(operation.fileNames.joined(separator: ", "))")
  }

  /// The PROJ string that leads by a chosen transformation from one system to another, and whether heights go with it.
  /// Call inside the gate.
  fileprivate func way(
    from: CoordinateSystem, to: CoordinateSystem, _ transformation: Transformation, _ key: ProjectorKey
  ) throws(EngineError) -> (String, takesHeights: Bool) {
    guard var (source, target) = try transformation.ends(in: self) else {
      throw EngineError(
        .invalidArgument,
        "The transformation \(transformation.name) does not say from where to where it leads. Give no spatial references: "
          + "the coordinates are then those that it takes and gives.")
    }
    if key.isInverse { (source, target) = (target, source) }
    let heights = key.takesHeights && dimensions(of: source) == 3 && dimensions(of: target) == 3
    let own = transformation.pipeline
    let middle = key.isInverse ? Transformation.inversePipeline(of: own) : own
    // It was listed for these two. PROJ does not always recognise them in what it has written of the operation.
    if transformation.leads(from: from, to: to, isInverse: key.isInverse) { return (middle, heights) }
    let begin = try heights ? from.object(in: self) : from.horizontalObject(in: self)
    let end = try heights ? to.object(in: self) : to.horizontalObject(in: self)
    guard let before = conversion(from: begin, to: source), let after = conversion(from: target, to: end) else {
      throw EngineError(
        .invalidArgument,
        "The transformation \(transformation.name) leads from \(name(of: source)) to \(name(of: target)), but the "
          + "coordinates go from \(from.name) to \(to.name), which have other datums.")
    }
    return (try Transformation.pipeline(of: [before, middle, after]), heights)
  }

  private func name(of object: ProjObject) -> String {
    proj_get_name(object.pointer).map { String(cString: $0) } ?? "an unnamed system"
  }

  private func dimensions(of system: ProjObject) -> Int32 {
    proj_get_type(system.pointer) == PJ_TYPE_COMPOUND_CRS ? 3 : axisCount(system)
  }

  /// The PROJ string that leads between two systems of one datum; nil if their datums differ. Datums are equal if PROJ
  /// needs no transformation between them, not even a transformation that changes nothing: an ensemble and a member of
  /// it are two datums.
  private func conversion(from a: ProjObject, to b: ProjObject) -> String? {
    guard let (a, b) = inSameDimensions(a, b) else { return nil }
    if relation(of: a, to: b) != .different { return "+proj=noop" }
    // Over one vertical system only positions change. PROJ gives what it puts together for both no type of its own.
    if let below = vertical(a), let under = vertical(b), relation(of: below, to: under) == .same,
      let one = try? horizontal(a), let other = try? horizontal(b)
    {
      return conversion(from: one, to: other)
    }
    guard let ways = operations(from: a, to: b, PROJ_GRID_AVAILABILITY_IGNORED, allowsBallpark: false),
      let way = ways.first, ways.count == 1,
      OperationFacts(way).steps.allSatisfy(\.isConversion)
    else { return nil }
    return pipeline(of: way)
  }

  /// The vertical part of a compound system.
  private func vertical(_ system: ProjObject) -> ProjObject? {
    guard proj_get_type(system.pointer) == PJ_TYPE_COMPOUND_CRS else { return nil }
    return ProjObject(proj_crs_get_sub_crs(context, system.pointer, 1), in: self)
  }

  /// Of a system with heights and one without: the horizontal part of what lies over a vertical datum, or the flat one
  /// with heights above its ellipsoid.
  private func inSameDimensions(_ a: ProjObject, _ b: ProjObject) -> (ProjObject, ProjObject)? {
    let (first, second) = (dimensions(of: a), dimensions(of: b))
    if first == second { return (a, b) }
    if first < second { return flat(a, to: b) }
    return flat(b, to: a).map { ($0.1, $0.0) }
  }

  private func flat(_ flat: ProjObject, to solid: ProjObject) -> (ProjObject, ProjObject)? {
    if proj_get_type(solid.pointer) == PJ_TYPE_COMPOUND_CRS {
      return (try? horizontal(solid)).map { (flat, $0) }
    }
    return ProjObject(proj_crs_promote_to_3D(context, nil, flat.pointer), in: self).map { ($0, solid) }
  }
}

extension ProjSession {
  /// A vertical system alone, as the end of a transformation, is over the positions of the other end. Call inside the
  /// gate.
  fileprivate func whole(_ end: ProjObject, beside other: ProjObject) throws(EngineError) -> ProjObject {
    guard proj_get_type(end.pointer) == PJ_TYPE_VERTICAL_CRS, proj_get_type(other.pointer) != PJ_TYPE_VERTICAL_CRS
    else { return end }
    let flat = try horizontal(other)
    return ProjObject(proj_create_compound_crs(context, nil, flat.pointer, end.pointer), in: self) ?? end
  }
}

extension Transformation {
  /// Whether it was made for exactly these two systems, or for its inverse the other way round.
  fileprivate func leads(from: CoordinateSystem, to: CoordinateSystem, isInverse: Bool) -> Bool {
    guard parts.isEmpty, let source, let target else { return false }
    let (begin, end) = isInverse ? (target, source) : (source, target)
    return begin.definition == from.definition && end.definition == to.definition
  }

  /// What it really begins and ends in, geocentric systems too; nil if it does not say. Call inside the gate.
  func ends(in session: ProjSession) throws(EngineError) -> (source: ProjObject, target: ProjObject)? {
    if let first = parts.first, let last = parts.last {
      guard let begin = try first.ends(in: session), let end = try last.ends(in: session) else { return nil }
      return (begin.source, end.target)
    }
    let context = session.context
    if !wkt.isEmpty, let operation = ProjObject(proj_create(context, wkt), in: session),
      let source = ProjObject(proj_get_source_crs(context, operation.pointer), in: session),
      let target = ProjObject(proj_get_target_crs(context, operation.pointer), in: session)
    {
      return (try session.whole(source, beside: target), try session.whole(target, beside: source))
    }
    // Not all that PROJ writes can it read again.
    guard let source, let target else { return nil }
    return (try source.object(in: session), try target.object(in: session))
  }
}
