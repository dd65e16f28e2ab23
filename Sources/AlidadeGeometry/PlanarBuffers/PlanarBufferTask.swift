import AlidadeBase
import AlidadeCoordinates

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
    // Beside a right distance, one below the step of the coordinates moves nothing.
    let effective = style.rightDistance == nil ? input.effective(distance) : distance
    let hasLines = effective > 0 && !input.lines.isEmpty
    try requireValid(input.polygons)
    if hasPoints, style.cap == .round, !hasLines, input.polygons.isEmpty {
      try add(circles(of: input, distance), to: builder)
    } else if effective == 0, !hasPoints, input.polygons.count == 1, let only = input.polygons.first {
      try builder.append(polygons: only.columns.orientedRings(ofGeometry: only.row))
    } else if hasPoints || hasLines || !input.polygons.isEmpty {
      try builder.append(polygons: region(input, distance, effective).polygons(workers, policy))
    }
    try builder.end()
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
    var region = BufferRegion(effective, largest: input.largest, style, segments: segments)
    for item in input.polygons {
      region.add(rings: Array(item.columns.orientedRings(ofGeometry: item.row).joined()))
    }
    if effective > 0 {
      for item in input.lines {
        for path in item.columns.paths(ofGeometry: item.row) {
          region.add(line: item.columns.points.buffer[item.columns.vertices(ofPath: path)], style.side)
        }
      }
    }
    if distance > 0, style.cap == .round, !input.points.isEmpty {
      region.add(try circles(of: input, distance))
    } else if effective > 0 {
      for (columns, vertices) in input.points {
        for index in vertices { region.add(line: [columns.points[index]], .both) }
      }
    }
    return region
  }

  /// Throws unless polygons are valid: what is inside of a ring that crosses itself is not known.
  private func requireValid(_ rows: [BufferInput.Row]) throws(EngineError) {
    if rows.isEmpty { return }
    let session = try GEOSSession()
    for item in rows { try session.requireValid(try session.object(item.columns, item.row)) }
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

  /// Whether a circle has a size at all beside the step of its coordinates.
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
        if style.join == .round { quarters += Self.turn(item.columns.points.buffer[range]) / (0.5 * .pi) }
      }
    }
    let count = quarters * Double(segments)
    try policy.check(points: count < 0x1p62 ? Int(exactly: count.rounded(.down)) ?? .max : .max)
  }

  /// By how much a path changes its direction in all, radians.
  private static func turn(_ points: Slice<UnsafeBufferPointer<Point>>) -> Double {
    let points = UnsafeBufferPointer(rebasing: points)
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
