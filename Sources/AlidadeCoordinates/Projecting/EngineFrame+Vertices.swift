import AlidadeBase

/// A vertex as engines have it.
public struct EngineVertex: Sendable {
  public var x: Float
  public var y: Float
  public var z: Float

  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The value of a vertex without a position.
  public static let nan = EngineVertex(x: .nan, y: .nan, z: .nan)

  public init(_ point: SIMD3<Double>) { self.init(x: Float(point.x), y: Float(point.y), z: Float(point.z)) }

  public var point: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}

/// How vertices came out.
public struct VertexReport: Sendable {
  /// The largest distance between a vertex and what it stands for, in metres; 0 without vertices.
  public var worstRounding = 0.0
  /// The largest distance from the origin, in metres.
  public var farthest = 0.0
  /// The index of the vertex with the largest rounding error; nil without vertices.
  public var worstIndex: Int?
  public var failedCount = 0

  mutating func merge(_ other: VertexReport) {
    if let index = other.worstIndex {
      // Of equals the first, whichever thread is done first.
      let isFirst = other.worstRounding == worstRounding && index < worstIndex ?? .max
      if worstIndex == nil || other.worstRounding > worstRounding || isFirst {
        (worstRounding, worstIndex) = (other.worstRounding, index)
      }
    }
    farthest = max(farthest, other.farthest)
    failedCount &+= other.failedCount
  }
}

/// Coordinates that have been brought to where the frame takes them.
public struct FramedCoordinates: Sendable {
  public let columns: CoordinateColumns
  public let outcome: ProjectionOutcome
  public let projector: Projector
  /// Metres upwards per number of the heights.
  fileprivate let metresPerHeight: Double
}

extension EngineFrame {
  /// Projects coordinates in place to the coordinates from which the frame computes.
  ///
  /// - Parameters:
  ///   - columns: with heights.
  ///   - source: the spatial reference of the columns; nil means that of the frame.
  public func framed(
    _ columns: CoordinateColumns, in source: SpatialReference?, _ options: ProjectionOptions
  ) throws(EngineError) -> FramedCoordinates {
    try runtime.limited { [self] () throws(EngineError) -> FramedCoordinates in
      let source = source ?? spatialReference
      let projector = try Projector.between(source, reference, options: options)
      let outcome = try projector.project(columns)
      let system = outcome.heightsWent ? reference.system : source.system
      return FramedCoordinates(
        columns: columns, outcome: outcome, projector: projector, metresPerHeight: system.metresUpPerVerticalUnit)
    }
  }

  /// Rounds coordinates to vertices, on all cores, and measures what that costs.
  ///
  /// - Parameter store: called once for each vertex, from several threads.
  public func vertices(
    _ framed: FramedCoordinates, store: @Sendable (Int, EngineVertex) -> Void
  ) throws(EngineError) -> VertexReport {
    let total = Lock(VertexReport())
    try framed.projector.forEachSlice(of: framed.columns.points.buffer.count) { (range) throws(EngineError) in
      var part = VertexReport()
      for index in range {
        guard framed.outcome.statuses.buffer[index] == .ok, let exact = local(framed, index) else {
          framed.outcome.statuses.buffer[index] = framed.outcome.statuses.buffer[index].orFailed
          part.failedCount &+= 1
          store(index, .nan)
          continue
        }
        let vertex = EngineVertex(exact)
        let off = vertex.point - exact
        let rounding = (off * off).sum().squareRoot() * metresPerUnit
        if part.worstIndex == nil || rounding > part.worstRounding {
          (part.worstRounding, part.worstIndex) = (rounding, index)
        }
        part.farthest = max(part.farthest, (exact * exact).sum().squareRoot() * metresPerUnit)
        store(index, vertex)
      }
      total.withLock { [part] in $0.merge(part) }
    }
    return total.withLock { $0 }
  }

  /// The frame's coordinates of a point; nil if they are beyond what a vertex can hold.
  @inline(__always)
  public func local(_ framed: FramedCoordinates, _ index: Int) -> SIMD3<Double>? {
    let point = framed.columns.points.buffer[index]
    let height = (framed.columns.z?.buffer[index] ?? 0) * framed.metresPerHeight
    var exact: SIMD3<Double>
    if let geocentric {
      exact = toLocal.image(geocentric.position(reference.system.geodeticPlace(point, height: height)))
    } else {
      // From the origin first: large coordinates lose nothing to each other.
      let near = reference.system.worldWidth.map { point.unwrapped(near: origin.x, width: $0) } ?? point
      let up = reference.system.metresUpPerVerticalUnit
      exact = toLocal.direction(SIMD3(near.x - origin.x, near.y - origin.y, height / up - originHeight))
    }
    let limit = Double(Float.greatestFiniteMagnitude)
    return exact.x.magnitude < limit && exact.y.magnitude < limit && exact.z.magnitude < limit ? exact : nil
  }

  /// Where vertices lie, in a spatial reference.
  ///
  /// - Parameters:
  ///   - target: nil: what the frame was made in.
  ///   - load: called once for each vertex, from several threads.
  /// - Returns: columns with heights, in the unit of the target's vertical axis; metres without one.
  public func coordinates(
    ofVertices count: Int, in target: SpatialReference?, _ options: ProjectionOptions,
    load: @Sendable (Int) -> SIMD3<Double>
  ) throws(EngineError) -> FramedCoordinates {
    let target = target ?? spatialReference
    let projector = try Projector.between(reference, target, options: options)
    let points = try HeapArray<Point>(count: count)
    let heights = try HeapArray<Double>(count: count)
    // Of a vertex that is finite and lies nowhere.
    let isNowhere = try HeapArray<Bool>(count: count)
    try projector.forEachSlice(of: count) { (range) throws(EngineError) in
      for index in range {
        let vertex = load(index)
        let world = toWorld.image(vertex)
        let isFinite = vertex.x.isFinite && vertex.y.isFinite && vertex.z.isFinite
        (points.buffer[index], heights.buffer[index], isNowhere.buffer[index]) = (.nan, .nan, isFinite)
        if !isFinite { continue }
        if let geocentric {
          guard let place = geocentric.place(world) else { continue }
          points.buffer[index] = reference.system.point(place)
          heights.buffer[index] = place.height
        } else {
          points.buffer[index] = Point(x: world.x, y: world.y)
          heights.buffer[index] = world.z
        }
        isNowhere.buffer[index] = false
      }
    }
    let outcome = try projector.project(CoordinateColumns(points: points, z: heights))
    let factor =
      outcome.heightsWent
      ? 1 : reference.system.metresUpPerVerticalUnit / target.system.metresUpPerVerticalUnit
    for index in 0..<count {
      if isNowhere.buffer[index] { outcome.statuses.buffer[index] = .failed }
      if factor != 1 { heights.buffer[index] *= factor }
    }
    return FramedCoordinates(
      columns: CoordinateColumns(points: points, z: heights), outcome: outcome, projector: projector,
      metresPerHeight: target.system.metresUpPerVerticalUnit)
  }
}

extension PointStatus {
  fileprivate var orFailed: PointStatus { self == .ok ? .failed : self }
}
