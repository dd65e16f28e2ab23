import AlidadeBase
import AlidadeCoordinates

extension Geometry {
  /// All that lies within a distance of the geometry, as a polygon.
  public func buffered(_ distance: Double, _ style: PlanarBufferStyle) throws(EngineError) -> Geometry {
    try runtime.limited { [self] () throws(EngineError) -> Geometry in
      try style.check()
      let own = try style.ownDistance(distance, spatialReference)
      let task = PlanarBufferTask(
        style: try style.inOwnUnit(spatialReference), policy: runtime.policy, workers: runtime.workers)
      let builder = try GeometryBuilder(policy: runtime.policy)
      try task.add(try BufferInput(columns, row), own, to: builder)
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }
}

extension GeometryArray {
  /// The buffer of each geometry.
  ///
  /// - Parameter distances: one for each; where there are fewer, the last one holds for the rest.
  public func buffered(
    _ distances: UnsafeBufferPointer<Double>, _ style: PlanarBufferStyle
  ) throws(EngineError) -> GeometryArray {
    try style.check()
    let own = try BufferDistances(distances, count: count, style, spatialReference)
    return try runtime.limited { [self] () throws(EngineError) -> GeometryArray in
      let style = try style.inOwnUnit(spatialReference)
      let builder = try GeometryBuilder(policy: runtime.policy)
      if let circles = try PointBuffers(columns, own, style) {
        try circles.write(to: builder, workers: runtime.workers)
      } else {
        let parts = try parts(own, style, of: Array(0..<count), keepsPoints: true)
        try builder.append(polygons: parts, runtime.workers)
      }
      return GeometryArray(runtime: runtime, columns: try builder.finish(spatialReference))
    }
  }

  /// The union of the buffers of all geometries, as one polygon.
  ///
  /// - Parameter distances: one for each; where there are fewer, the last one holds for the rest.
  public func bufferUnion(
    _ distances: UnsafeBufferPointer<Double>, _ style: PlanarBufferStyle
  ) throws(EngineError) -> Geometry {
    try style.check()
    let own = try BufferDistances(distances, count: count, style, spatialReference)
    return try runtime.limited { [self] () throws(EngineError) -> Geometry in
      let style = try style.inOwnUnit(spatialReference)
      let task = PlanarBufferTask(style: style, policy: runtime.policy, workers: runtime.workers)
      var others: [Int] = []
      let circles = try BufferCircles(columns, own, style, others: &others)
      let polygons = try task.circles(circles.centres, UnsafeBufferPointer(circles.radii.filled))
      let parts = try parts(own, style, of: others, keepsPoints: style.cap != .round)
      let builder = try GeometryBuilder(policy: runtime.policy)
      try builder.begin(.polygon, [])
      if parts.isEmpty {
        try task.add(polygons, to: builder)
      } else {
        try builder.append(polygons: union(of: parts, polygons))
      }
      try builder.end()
      return try Geometry(runtime: runtime, builder, spatialReference)
    }
  }

  /// The union of buffers, neighbours first.
  private func union(of buffers: [GeometryColumns], _ circles: CirclePolygons) throws(EngineError) -> [[[Point]]] {
    let count = buffers.reduce(circles.vertices.count) { $0 &+ $1.points.buffer.count }
    // Each vertex in the buffers, in what is united and in what has been united so far, with edges and their boxes.
    try runtime.policy.check(bytes: count, 96)
    var parts: [(columns: GeometryColumns, part: Int, vertex: Int)] = []
    for columns in buffers {
      for part in (0..<columns.count).lazy.flatMap(columns.parts) {
        parts.append((columns, part, columns.vertices(ofPath: columns.paths(ofPart: part).lowerBound).lowerBound))
      }
    }
    let largest = buffers.lazy.flatMap(\.points.buffer).reduce(0) { max($0, $1.size) }
    var region = BufferRegion(
      0, largest: circles.vertices.reduce(largest) { max($0, $1.size) }, PlanarBufferStyle(), segments: 1,
      runtime.policy)
    for (columns, part, _) in HilbertCurve.sorted(parts, at: { $0.columns.points[$0.vertex] }) {
      try region.add(rings: columns.orientedRings(ofPart: part))
    }
    try region.add(circles)
    return try region.polygons(runtime.workers)
  }

  /// Buffers of some of the geometries, in columns that follow each other.
  private func parts(
    _ distances: BufferDistances, _ style: PlanarBufferStyle, of rows: [Int], keepsPoints: Bool
  ) throws(EngineError) -> [GeometryColumns] {
    // A large one takes milliseconds: few at a time, so that all cores have something to do until the end.
    let chunk = 16
    let count = (rows.count &+ chunk &- 1) / chunk
    let results = Lock<[GeometryColumns?]>(Array(repeating: nil, count: count))
    let task = PlanarBufferTask(style: style, policy: runtime.policy, workers: runtime.workers)
    try runtime.workers.forEach(count) { (part: Int) throws(EngineError) in
      let builder = try GeometryBuilder(policy: task.policy)
      let own = rows[part &* chunk..<min(rows.count, (part &+ 1) &* chunk)]
      for row in own {
        do throws(EngineError) {
          let input = try BufferInput(self.columns, row, keepsPoints: keepsPoints)
          try task.add(input, distances[row], to: builder)
          // The others are mostly about as large as the first one; where they are not, the builder grows. Far below the
          // limit only: nothing is refused because of this.
          if row == own.first {
            let all = min(builder.points.count, 1024) &* own.count
            if UInt64(clamping: all) < task.policy.maxRequestBytes / 256 {
              try builder.points.reserve(all, builder.budget)
            }
          }
        } catch {
          var error = error
          error.message = "Geometry \(row): \(error.message)"
          throw error
        }
      }
      let made = try builder.finish(nil)
      results.withLock { $0[part] = made }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}

extension Point {
  /// The larger of both coordinates' magnitudes.
  fileprivate var size: Double { max(x.magnitude, y.magnitude) }
}

/// The circles around all points of an array, including members of collections.
struct BufferCircles {
  let centres: GrowingBuffer<Point>
  let radii: GrowingBuffer<Double>

  /// - Parameter others: gets the rows that have something else than points.
  init(
    _ columns: GeometryColumns, _ distances: BufferDistances, _ style: PlanarBufferStyle, others: inout [Int]
  ) throws(EngineError) {
    centres = try GrowingBuffer(capacity: columns.count)
    radii = try GrowingBuffer(capacity: columns.count)
    for row in 0..<columns.count {
      let kind = columns.kind(row)
      guard style.cap == .round, kind == .point || kind == .multipoint || kind == .collection else {
        others.append(row)
        continue
      }
      let radius = distances[row]
      do throws(EngineError) {
        let input = try BufferInput(columns, row)
        for (columns, vertices) in input.points {
          for index in vertices where PlanarBufferTask.isVisible(columns.points[index], radius) {
            try centres.append(columns.points[index])
            try radii.append(radius)
          }
        }
        if !input.lines.isEmpty || !input.polygons.isEmpty { others.append(row) }
      } catch {
        var error = error
        error.message = "Geometry \(row): \(error.message)"
        throw error
      }
    }
    // One radius for all, if they are the same: their circles need no levels.
    if let first = radii.filled.first, radii.filled.allSatisfy({ $0 == first }) { radii.truncate(to: 1) }
  }
}

/// Makes buffers of single geometries. All lengths are in the unit of the coordinates.
struct PlanarBufferTask: Sendable {
  let style: PlanarBufferStyle
  let policy: Policy
  let workers: Workers

  /// Adds a polygon to a builder: the buffer of a geometry.
  func add(
    _ input: BufferInput, _ distance: Double, to builder: GeometryBuilder
  ) throws(EngineError) {
    try builder.begin(.polygon, [])
    let hasPoints = distance > 0 && !input.points.isEmpty && style.cap != .flat
    // With a right distance, a distance below the step of the coordinates moves nothing.
    let effective = style.rightDistance == nil ? input.effective(distance) : distance
    let hasLines = effective > 0 && !input.lines.isEmpty
    if !hasPoints, !hasLines, effective > 0, let outline = try outline(ofStar: input, effective) {
      try builder.append(polygons: [[outline]])
      return try builder.end()
    }
    try requireValid(input.polygons)
    if hasPoints, style.cap == .round, !hasLines, input.polygons.isEmpty {
      try add(circles(of: input, distance), to: builder)
    } else if effective == 0, !hasPoints, input.polygons.count == 1, let only = input.polygons.first {
      try builder.append(polygons: only.columns.orientedRings(ofGeometry: only.row))
    } else if hasPoints || hasLines || !input.polygons.isEmpty {
      try builder.append(polygons: region(input, distance, effective).polygons(workers))
    }
    try builder.end()
  }

  /// Vertices before it is known which are hidden: for more, memory and time have to be looked at.
  private static let mostOfStar = 1 << 14

  /// The buffer of a single polygon that is a star, and so valid; nil if the geometry is something else.
  private func outline(ofStar input: BufferInput, _ distance: Double) throws(EngineError) -> [Point]? {
    guard let item = input.polygons.first, input.polygons.count == 1 else { return nil }
    let paths = item.columns.paths(ofGeometry: item.row)
    guard let path = paths.first, paths.count == 1 else { return nil }
    let segments = try style.resolution.segments(radius: max(distance, style.rightDistance ?? 0))
    let ring = item.columns.vertices(ofPath: path)
    // At most half a turn at each vertex; where that may be too much, `checkSize` counts.
    guard segments <= Self.mostOfStar, 2 &* segments &* ring.count <= Self.mostOfStar,
      UInt64(clamping: Self.mostOfStar) <= policy.maxRequestPoints
    else { return nil }
    return BufferRegion(distance, largest: input.largest, style, segments: segments, policy)
      .outline(ofStar: UnsafeBufferPointer(rebasing: item.columns.points.buffer[ring]))
  }

  /// What the buffer is the union of.
  ///
  /// - Parameter effective: the distance from lines and polygons.
  private func region(
    _ input: BufferInput, _ distance: Double, _ effective: Double
  ) throws(EngineError) -> BufferRegion {
    let greatest = max(abs(effective), style.rightDistance ?? 0)
    let segments = effective == 0 ? 1 : try style.resolution.segments(radius: greatest)
    try checkSize(input.lines + input.polygons, segments)
    var region = BufferRegion(effective, largest: input.largest, style, segments: segments, policy)
    for item in input.polygons {
      try region.add(rings: Array(item.columns.orientedRings(ofGeometry: item.row).joined()))
    }
    if effective > 0 {
      for item in input.lines {
        for path in item.columns.paths(ofGeometry: item.row) {
          try region.add(line: item.columns.points.buffer[item.columns.vertices(ofPath: path)], style.side)
        }
      }
    }
    if distance > 0, style.cap == .round, !input.points.isEmpty {
      try region.add(circles(of: input, distance))
    } else if effective > 0 {
      for (columns, vertices) in input.points {
        for index in vertices { try region.add(line: [columns.points[index]], .both) }
      }
    }
    return region
  }

  /// Throws unless polygons are valid: what is inside of a ring that crosses itself is not known.
  private func requireValid(_ rows: [BufferInput.Row]) throws(EngineError) {
    var doubtful: [BufferInput.Row] = []
    for item in rows {
      let isPlain = try item.columns.isPlainRing(item.row)
      if !isPlain { doubtful.append(item) }
    }
    if doubtful.isEmpty { return }
    let session = try GEOSSession()
    for item in doubtful { try session.requireValid(try session.object(item.columns, item.row)) }
  }

  // MARK: Circles

  private func circles(of input: BufferInput, _ distance: Double) throws(EngineError) -> CirclePolygons {
    let centres = try GrowingBuffer<Point>(capacity: input.pointCount)
    for (columns, vertices) in input.points {
      for index in vertices where Self.isVisible(columns.points[index], distance) {
        try centres.append(columns.points[index])
      }
    }
    let radii = try HeapArray<Double>(count: 1)
    radii.buffer[0] = distance
    return try circles(centres, UnsafeBufferPointer(radii.buffer))
  }

  /// The union of circles.
  func circles(
    _ centres: GrowingBuffer<Point>, _ radii: UnsafeBufferPointer<Double>
  ) throws(EngineError) -> CirclePolygons {
    let boundary = try CircleUnion.boundary(
      centres: UnsafeBufferPointer(centres.filled), radii: radii, workers: workers)
    return try boundary.polygons(style.resolution, workers: workers, policy: policy)
  }

  /// Whether a circle is larger than the step of its coordinates.
  static func isVisible(_ centre: Point, _ radius: Double) -> Bool {
    radius > 0x1p-60 * max(abs(centre.x), abs(centre.y))
  }

  /// Adds the polygons of a union to the polygon that a builder is at.
  func add(_ polygons: CirclePolygons, to builder: GeometryBuilder) throws(EngineError) {
    for polygon in 0..<polygons.polygonCount {
      for ring in polygons.polygonOffsets[polygon]..<polygons.polygonOffsets[polygon &+ 1] {
        let vertices = polygons.vertices[polygons.ringOffsets[ring]..<polygons.ringOffsets[ring &+ 1]]
        let room = try builder.extend(by: vertices.count).points
        _ = room.update(fromContentsOf: UnsafeBufferPointer(rebasing: vertices))
        try builder.endPath()
      }
      try builder.endPart()
    }
  }

  // MARK: Limits

  /// Throws if the arcs at the corners of lines and rings will have more vertices than the policy allows, before they
  /// are made.
  private func checkSize(_ rows: [BufferInput.Row], _ segments: Int) throws(EngineError) {
    guard segments > 16, style.join == .round || style.cap == .round else { return }
    var quarters = 0.0
    for item in rows {
      for path in item.columns.paths(ofGeometry: item.row) {
        let range = item.columns.vertices(ofPath: path)
        if style.cap == .round { quarters += 4 }
        if style.join == .round {
          quarters += Self.turn(UnsafeBufferPointer(rebasing: item.columns.points.buffer[range])) / (0.5 * .pi)
        }
      }
    }
    let count = quarters * Double(segments)
    try policy.check(points: count < 0x1p62 ? Int(exactly: count.rounded(.down)) ?? .max : .max)
  }

  /// By how much a path changes its direction in all, radians.
  static func turn(_ points: UnsafeBufferPointer<Point>) -> Double {
    var turn = 0.0
    var last: Double?
    for index in 1..<max(1, points.count) {
      let (x, y) = (points[index].x - points[index &- 1].x, points[index].y - points[index &- 1].y)
      if x == 0, y == 0 { continue }
      let direction = arcTangent(y, x)
      if let last { turn += abs((direction - last).remainder(dividingBy: 2 * .pi)) }
      last = direction
    }
    return turn
  }
}

/// What a geometry is made of, members of collections taken out: points, and rows of lines and of polygons.
struct BufferInput {
  struct Row {
    let columns: GeometryColumns
    let row: Int
  }

  private(set) var points: [(columns: GeometryColumns, vertices: Range<Int>)] = []
  private(set) var lines: [Row] = []
  private(set) var polygons: [Row] = []
  /// The coordinate that is farthest from 0.
  private(set) var largest = 0.0

  /// - Parameter keepsPoints: false leaves points out, which have been seen to elsewhere.
  init(_ columns: GeometryColumns, _ row: Int, keepsPoints: Bool = true) throws(EngineError) {
    try add(columns, row)
    if !keepsPoints { points = [] }
  }

  var pointCount: Int { points.reduce(0) { $0 &+ $1.vertices.count } }

  /// The effective distance for lines and polygons. Below the step of their coordinates, GEOS turns even a growing
  /// polygon into nothing, and below some dozen steps a slightly shrinking one. The distance is 0 then.
  func effective(_ distance: Double) -> Double {
    let steps = distance < 0 ? 64.0 : 1
    return abs(distance) < steps * largest.ulp ? 0 : distance
  }

  private mutating func add(_ columns: GeometryColumns, _ row: Int) throws(EngineError) {
    if columns.kind(row) == .collection {
      guard let inner = columns.members else { return }
      for member in columns.members(ofGeometry: row) { try add(inner, member) }
      return
    }
    let vertices = columns.vertices(ofGeometry: row)
    if vertices.isEmpty { return }
    for point in columns.points.buffer[vertices] {
      largest = max(largest, abs(point.x), abs(point.y))
      guard largest <= PlanarBufferStyle.largest else {
        throw EngineError(
          .invalidArgument,
          "A vertex lies at (\(point.x), \(point.y)); buffers are computed up to \(PlanarBufferStyle.largest).",
          parameter: EngineError.receiver)
      }
    }
    switch columns.kind(row) {
    case .point, .multipoint: points.append((columns, vertices))
    case .polyline: lines.append(Row(columns: columns, row: row))
    case .polygon: polygons.append(Row(columns: columns, row: row))
    case .collection: break
    }
  }
}

/// The buffers of many points, as circles that are written side by side into the columns of the result.
struct PointBuffers {
  private let columns: GeometryColumns
  private let distances: BufferDistances
  /// Segments to a right angle, row by row; 0 where a buffer is empty.
  private let segments: HeapArray<Int32>
  private let circleCount: Int
  private let vertexCount: Int
  private let painter: CirclePainter
  private static let point = UInt8(truncatingIfNeeded: GeometryKind.point.rawValue)
  private static let polygon = UInt8(truncatingIfNeeded: GeometryKind.polygon.rawValue)

  /// nil if not all of an array are points whose buffers are circles, or if rounding blurs one.
  init?(_ columns: GeometryColumns, _ distances: BufferDistances, _ style: PlanarBufferStyle) throws(EngineError) {
    guard style.cap == .round, columns.kinds.buffer.allSatisfy({ $0 == GeometryKind.point.rawValue }) else {
      return nil
    }
    self.columns = columns
    self.distances = distances
    segments = try HeapArray(count: columns.count)
    var (circles, vertices) = (0, 0)
    var last: (radius: Double, segments: Int) = (.nan, 0)
    var all: Set<Int> = []
    for row in 0..<columns.count {
      let radius = distances[row]
      segments.buffer[row] = 0
      guard let vertex = columns.vertices(ofGeometry: row).first, radius > 0 else { continue }
      let centre = columns.points[vertex]
      guard max(abs(centre.x), abs(centre.y)) <= PlanarBufferStyle.largest else { return nil }
      guard PlanarBufferTask.isVisible(centre, radius) else { continue }
      if radius != last.radius {
        last = (radius, try style.resolution.segments(radius: radius))
        all.insert(last.segments)
      }
      guard CirclePainter.isDistinct(centre, radius, segments: last.segments) else { return nil }
      segments.buffer[row] = Int32(truncatingIfNeeded: last.segments)
      circles &+= 1
      vertices &+= CirclePainter.vertexCount(segments: last.segments)
    }
    (circleCount, vertexCount) = (circles, vertices)
    painter = try CirclePainter(segments: all)
  }

  func write(to builder: GeometryBuilder, workers: Workers) throws(EngineError) {
    let budget = builder.budget
    try budget.check(points: vertexCount)
    let count = columns.count
    try builder.kinds.extend(by: count, budget).update(
      repeating: UInt8(truncatingIfNeeded: GeometryKind.polygon.rawValue))
    try builder.flagBits.extend(by: count, budget).update(repeating: 0)
    try builder.memberOffsets.extend(by: count, budget).update(repeating: 0)
    let parts = try builder.partOffsets.extend(by: count, budget)
    let paths = try builder.pathOffsets.extend(by: circleCount, budget)
    let vertices = try builder.vertexOffsets.extend(by: circleCount, budget)
    let target = SharedRoom(points: try builder.points.extend(by: vertexCount, budget))
    let starts = try HeapArray<Int>(count: count)
    var (circle, vertex) = (0, 0)
    for row in 0..<count {
      starts.buffer[row] = vertex
      let number = Int(truncatingIfNeeded: segments.buffer[row])
      if number > 0 {
        vertex &+= CirclePainter.vertexCount(segments: number)
        // Rows were counted, and vertices were checked against the policy's limit, which fits into Int32.
        vertices[circle] = Int32(truncatingIfNeeded: vertex)
        circle &+= 1
        paths[circle &- 1] = Int32(truncatingIfNeeded: circle)
      }
      parts[row] = Int32(truncatingIfNeeded: circle)
    }
    let chunk = 256
    try workers.forEach((count &+ chunk &- 1) / chunk) { (part: Int) throws(EngineError) in
      for row in part &* chunk..<min(count, (part &+ 1) &* chunk) {
        let number = Int(truncatingIfNeeded: segments.buffer[row])
        guard number > 0, let vertex = columns.vertices(ofGeometry: row).first else { continue }
        let start = starts.buffer[row]
        painter.paint(columns.points[vertex], distances[row], segments: number) { target.points[start &+ $0] = $1 }
      }
    }
  }
}
