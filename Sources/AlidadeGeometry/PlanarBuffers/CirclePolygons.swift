import AlidadeBase
import AlidadeCoordinates

/// How arcs become vertices.
public enum ArcResolution: Sendable {
  /// No chord is farther from its arc than this, in the unit of the coordinates. More than 0.
  case maximumDeviation(Double)
  /// Vertices where a whole circle with so many segments to a right angle has them, the first at angle 0, and where
  /// circles meet. At least 1.
  case quadrantSegments(Int)

  /// More segments than this to a right angle are refused.
  static let limit = 1 << 20

  public func check() throws(EngineError) {
    switch self {
    case .maximumDeviation(let deviation):
      guard deviation > 0, deviation.isFinite else {
        throw EngineError(.invalidArgument, "The maximum deviation is \(deviation); give a finite positive number.")
      }
    case .quadrantSegments(let segments):
      guard segments >= 1, segments <= Self.limit else {
        throw EngineError(
          .invalidArgument, "There are \(segments) segments to a right angle; give 1 to \(Self.limit).")
      }
    }
  }

  /// How many segments a right angle of a circle gets.
  func segments(radius: Double) throws(EngineError) -> Int {
    switch self {
    case .quadrantSegments(let segments): return segments
    case .maximumDeviation(let deviation):
      // A chord over the angle s is r (1 - cos(s / 2)) = 2 r sin(s / 4)^2 from its arc.
      let step = 4 * arcSine((min(deviation / radius, 1) / 2).squareRoot())
      guard step > 0, let segments = Int(exactly: (0.5 * Double.pi / step).rounded(.up)), segments <= Self.limit else {
        throw EngineError(
          .limitExceeded,
          "A deviation of \(deviation) from a circle of radius \(radius) needs more than \(Self.limit) segments to a "
            + "right angle.")
      }
      return max(1, segments)
    }
  }
}

/// Polygons with straight sides: outer rings counterclockwise, holes clockwise, all closed.
///
/// Right to share: nothing changes once it is built.
public final class CirclePolygons: @unchecked Sendable {
  public let vertices: UnsafeBufferPointer<Point>
  /// Where each ring begins in `vertices`, and the end of the last one.
  public let ringOffsets: UnsafeBufferPointer<Int>
  /// Where each polygon begins in the rings, its outer ring first, then its holes; and the end of the last one.
  public let polygonOffsets: UnsafeBufferPointer<Int>
  private let memory: PolygonBuffers

  public var polygonCount: Int { polygonOffsets.count &- 1 }
  public var ringCount: Int { ringOffsets.count &- 1 }

  init(_ buffers: PolygonBuffers) {
    memory = buffers
    vertices = UnsafeBufferPointer(buffers.vertices.filled)
    ringOffsets = UnsafeBufferPointer(buffers.ringOffsets.filled)
    polygonOffsets = UnsafeBufferPointer(buffers.polygonOffsets.filled)
  }
}

/// Polygons as they are written, ring by ring.
///
/// Right to share: who writes has it alone.
final class PolygonBuffers: @unchecked Sendable {
  let vertices: GrowingBuffer<Point>
  let ringOffsets: GrowingBuffer<Int>
  let polygonOffsets: GrowingBuffer<Int>

  init() throws(EngineError) {
    vertices = try GrowingBuffer()
    ringOffsets = try GrowingBuffer()
    polygonOffsets = try GrowingBuffer()
    try ringOffsets.append(0)
    try polygonOffsets.append(0)
  }

  var polygonCount: Int { polygonOffsets.count &- 1 }

  func rings(of polygon: Int) -> Range<Int> {
    polygonOffsets.values[polygon]..<polygonOffsets.values[polygon &+ 1]
  }

  func vertices(of ring: Int) -> UnsafeMutableBufferPointer<Point> {
    UnsafeMutableBufferPointer(
      rebasing: vertices.values[ringOffsets.values[ring]..<ringOffsets.values[ring &+ 1]])
  }

  func append(ring: UnsafeMutableBufferPointer<Point>) throws(EngineError) {
    try vertices.append(contentsOf: ring)
    try ringOffsets.append(vertices.count)
  }

  func endPolygon() throws(EngineError) { try polygonOffsets.append(ringOffsets.count &- 1) }

  func append(polygon: Int, of other: PolygonBuffers) throws(EngineError) {
    for ring in other.rings(of: polygon) { try append(ring: other.vertices(of: ring)) }
    try endPolygon()
  }
}
