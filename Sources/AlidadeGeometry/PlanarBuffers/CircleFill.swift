import AlidadeBase
import AlidadeCoordinates

/// Circles that are written into memory of the host's.
///
/// Right to share: the input is only read, and each thread writes circles of its own.
public struct CircleFill: @unchecked Sendable {
  private let centres: UnsafeRawPointer
  private let centreStride: Int
  private let count: Int
  private let radii: UnsafeBufferPointer<Double>
  private let segments: Int
  private let painter: CirclePainter

  /// - Parameters:
  ///   - centres: `count` pairs of doubles, so many bytes apart, at any address. They and `radii` must outlive this value.
  ///   - radii: one at least; where there are fewer than centres, the last one holds for the rest.
  ///   - segments: to a right angle.
  public init(
    centres: UnsafeRawPointer, stride: Int, count: Int, radii: UnsafeBufferPointer<Double>, segments: Int
  ) throws(EngineError) {
    self.centres = centres
    centreStride = stride
    self.count = count
    self.radii = radii
    self.segments = segments
    try ArcResolution.quadrantSegments(segments).check()
    painter = try CirclePainter(segments: CollectionOfOne(segments))
    guard radii.count >= 1, radii.count <= max(1, count) else {
      throw EngineError(
        .invalidArgument, "There are \(radii.count) radii and \(count) centres; give one each, or fewer, but one.",
        parameter: "radii")
    }
    for index in 0..<count {
      let (centre, radius) = (centre(index), radius(index))
      guard radius.isFinite, radius >= 0 else {
        throw EngineError(
          .invalidArgument, "The radius of circle \(index) is \(radius); give 0 or a finite positive number.",
          parameter: "radii")
      }
      guard (abs(centre.x) + radius).isFinite, (abs(centre.y) + radius).isFinite else {
        throw EngineError(
          .invalidArgument,
          "Circle \(index), of radius \(radius) around (\(centre.x), \(centre.y)), has vertices that are not finite.",
          parameter: "centres")
      }
    }
  }

  /// How many vertices so many circles have; `Int.max` if they are beyond counting.
  public static func vertexCount(circles: Int, segments: Int) -> Int {
    let (count, overflow) = circles.multipliedReportingOverflow(by: CirclePainter.vertexCount(segments: segments))
    return overflow ? .max : count
  }

  /// Writes the vertices, circle after circle, so many bytes apart.
  public func write(to target: UnsafeMutableRawPointer, stride: Int, workers: Workers) throws(EngineError) {
    let room = VertexMemory(start: target)
    let vertices = CirclePainter.vertexCount(segments: segments)
    // Some hundred kilobytes at a time.
    let chunk = max(1, (1 << 14) / vertices)
    try workers.forEach((count &+ chunk &- 1) / chunk) { (part: Int) throws(EngineError) in
      for index in part &* chunk..<min(count, (part &+ 1) &* chunk) {
        let start = room.start + index &* vertices &* stride
        if stride == 16 {
          painter.paint(centre(index), radius(index), segments: segments) { Self.store($1, at: start + $0 &* 16) }
        } else {
          painter.paint(centre(index), radius(index), segments: segments) { Self.store($1, at: start + $0 &* stride) }
        }
      }
    }
  }

  @inline(__always)
  private func centre(_ index: Int) -> Point {
    let address = centres + index &* centreStride
    return Point(x: address.loadUnaligned(as: Double.self), y: (address + 8).loadUnaligned(as: Double.self))
  }

  @inline(__always)
  private func radius(_ index: Int) -> Double { radii[min(index, radii.count &- 1)] }

  @inline(__always)
  private static func store(_ point: Point, at address: UnsafeMutableRawPointer) {
    address.storeBytes(of: point.x, as: Double.self)
    (address + 8).storeBytes(of: point.y, as: Double.self)
  }
}

/// Right to share: each thread writes circles of its own.
private struct VertexMemory: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
}

/// Writes the vertices of circles: counterclockwise from due east, the last the first again.
///
/// They equal GEOS's vertices for the buffer of a point, except that the four quadrants mirror each other to the last
/// bit.
struct CirclePainter: Sendable {
  private let table: DirectionTable

  /// - Parameter segments: to a right angle, of any circle that will come.
  init(segments: some Sequence<Int>) throws(EngineError) {
    table = try DirectionTable()
    for count in segments { try table.add(segments: count) }
  }

  static func vertexCount(segments: Int) -> Int { 4 &* segments &+ 1 }

  /// Calls `put` with each vertex's number and position.
  @inline(__always)
  func paint(_ centre: Point, _ radius: Double, segments: Int, _ put: (Int, Point) -> Void) {
    let directions = table.quadrant(segments: segments)
    for index in 0..<segments {
      let direction = directions.map { $0[index] } ?? DirectionTable.direction(index, of: segments)
      let (x, y) = (radius * direction.cosine, radius * direction.sine)
      put(index, Point(x: centre.x + x, y: centre.y + y))
      put(index &+ segments, Point(x: centre.x - y, y: centre.y + x))
      put(index &+ 2 &* segments, Point(x: centre.x - x, y: centre.y - y))
      put(index &+ 3 &* segments, Point(x: centre.x + y, y: centre.y - x))
    }
    put(4 &* segments, Point(x: centre.x + radius, y: centre.y))
  }

  /// Whether a circle's vertices lie so far apart that rounding cannot make their ring cross itself.
  ///
  /// Each vertex is moved by a step of its coordinates at most; as long as that is less than an eighth of the chord, the
  /// directions from the centre keep their order.
  static func isDistinct(_ centre: Point, _ radius: Double, segments: Int) -> Bool {
    let step = (max(abs(centre.x), abs(centre.y)) + radius).ulp
    return radius / Double(segments) > 8 * step
  }
}
