import AlidadeBase
import AlidadeCoordinates

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
    let target = CircleRoom(points: try builder.points.extend(by: vertexCount, budget))
    let starts = try HeapArray<Int>(count: count)
    var (circle, vertex) = (0, 0)
    for row in 0..<count {
      starts.buffer[row] = vertex
      let number = Int(truncatingIfNeeded: segments.buffer[row])
      if number > 0 {
        vertex &+= CirclePainter.vertexCount(segments: number)
        // Rows were counted, and vertices held against the policy's limit, which Int32 holds.
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

/// Right to share: each thread writes circles of its own.
struct CircleRoom: @unchecked Sendable {
  let points: UnsafeMutableBufferPointer<Point>
}
