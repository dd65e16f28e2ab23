import AlidadeBase
import CPROJ

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

  /// The image of a point by the fast path of the operation that is meant for its place; nil if PROJ has to be asked.
  private func quickly(_ point: Point) -> Point? {
    if let fast { return fast.project(point, accepting: northings) }
    guard !plan.isSingle, let area = plan.area(for: point.x, point.y) else { return nil }
    return plan.operations[plan.areas[area].operation].fast.path?.project(point, accepting: northings)
  }

  /// Projects points in place. One that has no image becomes NaN.
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
      // Of infinity PROJ makes a place now and then.
      for index in points.indices where !points[index].isPosition { points[index] = .nan }
      lease.runner(0).run(points)
      for index in points.indices where !isPlace(x: points[index].x, y: points[index].y) { points[index] = .nan }
    }
  }

  /// Projects points that lie a stride apart, each two doubles at any address, to others: the two are the same with the
  /// same stride, or do not overlap. One that has no image becomes NaN, and so does one beyond a pole: maps and rasters
  /// may go there, what a host gives may not. On the calling thread; see `forEachSlice`.
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

  /// Which operation is used at a place, and how far it can be trusted.
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

  /// Projects points in place, on all cores. One that has no image becomes NaN.
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
  /// Projects one coordinate as `proj_trans` does: by the operation that is best for its place; where that fails by the
  /// next best, twice; then by the first one that needs no grids, wherever it is meant for. Call inside the gate.
  ///
  /// - Returns: the operation that was used last, nil if there was none; the image, infinite if there is none; PROJ's
  ///   error number of the first failure, 0 for none.
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

  /// Projects one coordinate by one operation. Where it matters, a grid that cannot be read is told from a coordinate
  /// that lies outside of it. Call inside the gate.
  private func run(_ coordinate: PJ_COORD, by runner: OperationRunner) -> (image: PJ_COORD, error: Int32) {
    let (image, error) = runner.run(coordinate)
    guard image.xyzt.x == .infinity, ideal != nil || isChosen, runner.failsToRead(coordinate, error) else {
      return (image, error)
    }
    return (image, PROJ_ERR_INVALID_OP_FILE_NOT_FOUND_OR_INVALID)
  }
}
