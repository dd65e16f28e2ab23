import AlidadeBase
import AlidadeCoordinates

/// How geodesic buffers of geometries are made.
public struct GeodesicBufferOptions: Sendable {
  /// The unit of distances and of the deviation.
  public var unit = Unit.metre
  /// nil: a thousandth of each distance.
  public var maximumDeviation: Double?
  public var curve = CurveType.geodesic
  /// Other ends and corners than round ones take `curve` to be geodesics.
  public var cap = BufferCap.round
  public var join = BufferJoin.round
  /// How many times the distance a mitre may be long.
  public var mitreLimit = 5.0
  /// Cut where the spatial reference's world ends and begins again.
  public var isSplit = true

  public init() {}
}

/// How close a geodesic buffer is to the true buffer, in metres on the ground.
public struct GeodesicBufferReport: Sendable {
  /// The allowed deviation; for several buffers, the largest one.
  public var maximumDeviation: Double
  /// The achieved deviation, never below the true deviation; for several buffers, the worst one.
  public var achievedDeviation: Double
}

extension Geometry {
  /// All that lies within a geodesic distance; with a negative one what of polygons lies farther from their boundaries.
  public func geodesicBuffer(
    distance: Double, options: GeodesicBufferOptions = GeodesicBufferOptions()
  ) throws(EngineError) -> (geometry: Geometry, report: GeodesicBufferReport) {
    try runtime.limited { [self] () throws(EngineError) -> (geometry: Geometry, report: GeodesicBufferReport) in
      let maker = try GeodesicBufferMaker(spatialReference, options, runtime)
      let metres = try maker.metres(distance)
      var settings = maker.settings
      settings.workers = runtime.workers
      let region = try settings.buffer(try maker.figure(columns, row), distance: metres)
      return (try maker.geometry(region), try maker.report(region.achievedDeviation, [metres]))
    }
  }
}

extension GeometryArray {
  /// A buffer of each geometry, on all cores.
  ///
  /// - Parameter distances: one for each geometry; of fewer the last one is for all that follow.
  public func geodesicBuffers(
    distances: [Double], options: GeodesicBufferOptions = GeodesicBufferOptions()
  ) throws(EngineError) -> (array: GeometryArray, report: GeodesicBufferReport) {
    try runtime.limited { [self] () throws(EngineError) -> (array: GeometryArray, report: GeodesicBufferReport) in
      let maker = try GeodesicBufferMaker(spatialReference, options, runtime)
      let metres = try maker.metres(distances, count: count)
      let slice = 32
      let made = Lock([Slice?](repeating: nil, count: (count &+ slice &- 1) / slice))
      let columns = columns
      try runtime.workers.forEach((count &+ slice &- 1) / slice) { (index) throws(EngineError) in
        let rows = (index &* slice)..<min(columns.count, (index &+ 1) &* slice)
        let part = try maker.buffers(columns, rows, metres)
        made.withLock { $0[index] = part }
      }
      let parts = made.withLock { $0 }.compactMap { $0 }
      let builder = try GeometryBuilder(policy: runtime.policy)
      try builder.append(polygons: parts.map(\.columns), runtime.workers)
      return (
        GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference)),
        try maker.report(parts.reduce(0) { max($0, $1.achievedDeviation) }, metres)
      )
    }
  }

  /// The buffers of all geometries as one polygon.
  ///
  /// - Parameter distances: as above.
  public func geodesicBufferUnion(
    distances: [Double], options: GeodesicBufferOptions = GeodesicBufferOptions()
  ) throws(EngineError) -> (geometry: Geometry, report: GeodesicBufferReport) {
    try runtime.limited { [self] () throws(EngineError) -> (geometry: Geometry, report: GeodesicBufferReport) in
      let maker = try GeodesicBufferMaker(spatialReference, options, runtime)
      let metres = try maker.metres(distances, count: count)
      var figures: [(figure: GeodesicFigure, distance: Double)] = []
      figures.reserveCapacity(count)
      for row in 0..<count { figures.append((try maker.figure(columns, row), metres[min(row, metres.count &- 1)])) }
      var settings = maker.settings
      settings.workers = runtime.workers
      let region = try settings.union(figures)
      return (try maker.geometry(region), try maker.report(region.achievedDeviation, metres))
    }
  }
}

/// Buffers of some geometries that follow each other.
private struct Slice: Sendable {
  let columns: GeometryColumns
  let achievedDeviation: Double
}

/// Makes buffers of geometries in one spatial reference.
private struct GeodesicBufferMaker: Sendable {
  let settings: GeodesicBuffer
  private let reference: SpatialReference
  private let runtime: Runtime
  private let unit: Unit
  /// Degrees per unit of a geographic spatial reference; 1 for a projected one.
  private let scale: Double

  init(_ reference: SpatialReference?, _ options: GeodesicBufferOptions, _ runtime: Runtime) throws(EngineError) {
    guard let reference else {
      throw EngineError(
        .invalidArgument,
        "The geometry has no spatial reference, so it lies nowhere on the earth; give one when it is made.")
    }
    guard options.unit.kind == .length else {
      throw EngineError(.invalidArgument, "A geodesic distance is a length; \(options.unit.name) is not.")
    }
    self.reference = reference
    self.runtime = runtime
    unit = options.unit
    var settings = GeodesicBuffer(Geodesic(on: try ReferenceEllipsoid(of: reference.system)))
    settings.maximumDeviation = try options.maximumDeviation.map { (deviation) throws(EngineError) in
      try options.unit.convert(deviation, to: .metre)
    }
    settings.curve = options.curve
    (settings.cap, settings.join, settings.mitreLimit) = (options.cap, options.join, options.mitreLimit)
    try settings.checkEnds()
    settings.isSplit = options.isSplit
    settings.plane = try EarthPlane.make(reference)
    scale = settings.plane == nil ? reference.system.degreesPerUnit : 1
    // An outline's vertex takes some 64 bytes until it is in the result.
    let limit = min(runtime.policy.maxRequestPoints, runtime.policy.maxRequestBytes / 64, 20_000_000)
    settings.vertexLimit = Int(clamping: limit)
    settings.policy = runtime.policy
    self.settings = settings
  }

  func metres(_ distance: Double) throws(EngineError) -> Double {
    guard distance.isFinite else {
      throw EngineError(.invalidArgument, "A geodesic buffer's distance is \(distance), which is not finite.")
    }
    return try unit.convert(distance, to: .metre)
  }

  func metres(_ distances: [Double], count: Int) throws(EngineError) -> [Double] {
    guard !distances.isEmpty, distances.count <= max(1, count) else {
      throw EngineError(
        .invalidArgument,
        "There are \(distances.count) distances for \(count) geometries; one for each is needed, or fewer, of which the "
          + "last one counts for all that follow.")
    }
    var metres: [Double] = []
    metres.reserveCapacity(distances.count)
    for (number, distance) in distances.enumerated() {
      do throws(EngineError) {
        let value = try self.metres(distance)
        try settings.check(distance: value)
        metres.append(value)
      } catch {
        var error = error
        error.message = "Distance \(number): \(error.message)"
        throw error
      }
    }
    return metres
  }

  /// The buffers of some rows.
  func buffers(_ columns: GeometryColumns, _ rows: Range<Int>, _ metres: [Double]) throws(EngineError) -> Slice {
    let builder = try GeometryBuilder(policy: runtime.policy)
    var circles = CircleBuffer(settings)
    var achieved = 0.0
    for row in rows {
      do throws(EngineError) {
        let distance = metres[min(row, metres.count &- 1)]
        if columns.kind(row) == .point, let vertex = columns.vertices(ofGeometry: row).first,
          let (parts, deviation) = try circles.outline(of: place(columns.points[vertex]), distance: distance)
        {
          try append(parts.map { [$0].oriented }, to: builder)
          achieved = max(achieved, deviation)
        } else {
          let region = try settings.buffer(try figure(columns, row), distance: distance)
          try append(region.polygons, to: builder)
          achieved = max(achieved, region.achievedDeviation)
        }
      } catch {
        var error = error
        error.message = "Geometry \(row): \(error.message)"
        throw error
      }
    }
    return Slice(columns: try builder.finish(reference), achievedDeviation: achieved)
  }

  private func place(_ point: Point) -> Point { scale == 1 ? point : Point(x: point.x * scale, y: point.y * scale) }

  /// A geometry in degrees, or in the plane; members of collections are taken together.
  func figure(_ columns: GeometryColumns, _ row: Int) throws(EngineError) -> GeodesicFigure {
    var figure = GeodesicFigure()
    add(columns, row, to: &figure)
    return figure
  }

  private func add(_ columns: GeometryColumns, _ row: Int, to figure: inout GeodesicFigure) {
    func path(_ path: Int) -> [Point] {
      let points = columns.points.buffer[columns.vertices(ofPath: path)]
      return scale == 1 ? Array(points) : points.map(place)
    }
    switch columns.kind(row) {
    case .point, .multipoint:
      for index in columns.paths(ofGeometry: row) { figure.points += path(index) }
    case .polyline:
      for index in columns.paths(ofGeometry: row) { figure.lines.append(path(index)) }
    case .polygon:
      for part in columns.parts(ofGeometry: row) {
        // The last vertex of a ring is the first again.
        figure.polygons.append(columns.paths(ofPart: part).map { path($0).dropLast() })
      }
    case .collection:
      guard let inner = columns.members else { return }
      for member in columns.members(ofGeometry: row) { add(inner, member, to: &figure) }
    }
  }

  func geometry(_ region: GeodesicRegion) throws(EngineError) -> Geometry {
    let builder = try GeometryBuilder(policy: runtime.policy)
    try append(region.polygons, to: builder)
    return try Geometry(runtime: runtime, builder, reference)
  }

  private func append(_ polygons: [[[Point]]], to builder: GeometryBuilder) throws(EngineError) {
    try builder.begin(.polygon, [])
    for polygon in polygons {
      for ring in polygon {
        let room = try builder.extend(by: ring.count).points
        _ = room.update(fromContentsOf: ring)
        if scale != 1 {
          for index in room.indices { room[index] = Point(x: room[index].x / scale, y: room[index].y / scale) }
        }
        try builder.endPath()
      }
      try builder.endPart()
    }
    try builder.end()
  }

  func report(_ achieved: Double, _ distances: [Double]) throws(EngineError) -> GeodesicBufferReport {
    var allowed = 0.0
    for distance in distances { allowed = max(allowed, try settings.allowedDeviation(for: distance)) }
    return GeodesicBufferReport(maximumDeviation: allowed, achievedDeviation: achieved)
  }
}
