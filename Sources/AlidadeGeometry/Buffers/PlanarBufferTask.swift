import AlidadeBase
import AlidadeCoordinates

/// Makes buffers of single geometries. All lengths are in the unit of the coordinates.
struct PlanarBufferTask: Sendable {
  let style: PlanarBufferStyle
  let policy: Policy
  let workers: Workers

  /// How many segments of a right angle GEOS is asked for. It rounds the number of segments of an arc to the nearest one,
  /// so a segment may be half as wide again, and a deviation twice as large and more.
  private func jointSegments(_ distance: Double) throws(EngineError) -> Int {
    let segments = try style.resolution.segments(radius: abs(distance))
    guard case .maximumDeviation = style.resolution else { return segments }
    return segments &+ (segments &+ 1) / 2
  }

  /// Adds a polygon to a builder: the buffer of a geometry.
  func add(
    _ input: BufferInput, _ distance: Double, to builder: GeometryBuilder
  ) throws(EngineError) {
    try builder.begin(.polygon, [])
    let hasPoints = distance > 0 && !input.points.isEmpty && style.cap != .flat
    let effective = input.effective(distance)
    let hasLines = effective > 0 && !input.lines.isEmpty
    let hasPolygons = !input.polygons.isEmpty
    if hasPoints, style.cap == .round, !hasLines, !hasPolygons {
      try add(circles(of: input, distance), to: builder)
    } else if hasPoints || hasLines || hasPolygons {
      let session = try GEOSSession()
      let parts = GEOSPile(session)
      if hasPolygons {
        parts.append(try polygonBuffer(input.polygons, effective, session))
      }
      if hasLines { parts.append(try lineBuffer(input.lines, distance, session)) }
      if hasPoints {
        parts.append(
          style.cap == .round
            ? try session.object(try circles(of: input, distance)) : try squares(of: input, distance, session))
      }
      if parts.count == 1, let only = parts.first {
        try session.readPolygons(only, into: builder)
      } else {
        let union = try session.united(parts.take())
        try session.readPolygons(union.pointer, into: builder)
      }
    }
    try builder.end()
  }

  private func polygonBuffer(
    _ rows: [BufferInput.Row], _ distance: Double, _ session: borrowing GEOSSession
  ) throws(EngineError) -> GEOSObject {
    let object = try session.object(rows)
    try session.requireValid(object)
    let segments = distance == 0 ? 1 : try jointSegments(distance)
    try checkSize(rows, segments)
    return try session.buffer(object, distance, style, segments: segments, isSingleSided: false)
  }

  private func lineBuffer(
    _ rows: [BufferInput.Row], _ distance: Double, _ session: borrowing GEOSSession
  ) throws(EngineError) -> GEOSObject {
    let segments = try jointSegments(distance)
    try checkSize(rows, segments)
    return try session.buffer(
      try session.object(rows), style.side == .right ? -distance : distance, style, segments: segments,
      isSingleSided: style.side != .both)
  }

  private func squares(
    of input: BufferInput, _ distance: Double, _ session: borrowing GEOSSession
  ) throws(EngineError) -> GEOSObject {
    let builder = try GeometryBuilder(policy: policy)
    try builder.begin(.multipoint, [])
    for (columns, vertices) in input.points {
      for index in vertices { try builder.append(Vertex(columns.points[index])) }
    }
    try builder.endPath()
    try builder.endPart()
    try builder.end()
    let object = try session.object(try builder.finish(nil), 0)
    return try session.buffer(object, distance, style, segments: 1, isSingleSided: false)
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

  /// Throws if the arcs at the corners of lines and rings will have more vertices than the policy allows, before GEOS
  /// makes them.
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
