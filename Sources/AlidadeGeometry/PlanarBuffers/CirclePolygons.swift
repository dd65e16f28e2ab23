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

/// Which of a circle's vertices an arc has.
struct ArcVertices {
  let segments: Int
  /// The first one after the arc's begin, and how many there are before its end.
  let first: Int
  let count: Int
  /// Whether the arc or one of its chords is so short, or its circle so small for its coordinates, that rounding might
  /// make chords cross, even if no other circle comes close to touching its own.
  let isDelicate: Bool

  /// Where a step of the coordinates is more than this part of the radius, touches say too little: circles that are not close
  /// to touching may then be some steps apart.
  private static let coarsest = 1e-8

  init(_ arc: CircleArc, segments: Int) {
    self.segments = segments
    let step = 0.5 * Double.pi / Double(segments)
    let fuzz = arc.unit / arc.radius
    if arc.isWhole {
      (first, count) = (0, 4 &* segments)
      isDelicate = fuzz > Self.coarsest || step < 16 * fuzz
      return
    }
    // Vertices on top of an arc's end are left out.
    let tolerance = 16 * arc.unit / arc.radius + 1e-14
    let begin = arc.fromAngle / step
    let end = arc.toAngle / step
    let low = ((arc.fromAngle + tolerance) / step).rounded(.down) + 1
    let high = ((arc.toAngle - tolerance) / step).rounded(.up) - 1
    first = Int(exactly: low) ?? 0
    count = max(0, (Int(exactly: high - low) ?? -1) &+ 1)
    // Circles that are not close cross at 2.8e-3 radians or more. Vertices that far from where they cross, on either of
    // them, are so many steps apart that rounding moves neither over a chord at the other.
    let reach = max(1e-6, 1e4 * fuzz)
    let short = reach / step
    isDelicate =
      fuzz > Self.coarsest || step < 16 * fuzz || arc.toAngle - arc.fromAngle < reach
      || abs(begin - begin.rounded()) < short || abs(end - end.rounded()) < short
  }
}

extension CircleArc {
  var isWhole: Bool { fromAngle == 0 && toAngle == 2 * .pi }

  /// The step of doubles at the circle's outermost coordinate.
  @inline(__always)
  var unit: Double { (max(abs(centre.x), abs(centre.y)) + radius).ulp }
}

extension CircleBoundary {
  /// Polygons with straight sides whose vertices lie on the arcs.
  ///
  /// Where circles meet is a vertex. Rings are simple, and touch each other in single vertices at most: what lies within
  /// some steps of the coordinates' doubles becomes one vertex, and rings that pass a vertex twice are cut there.
  ///
  /// - Parameter policy: limits how many vertices there may be.
  public func polygons(
    _ resolution: ArcResolution, workers: Workers, policy: Policy? = nil
  ) throws(EngineError) -> CirclePolygons {
    try resolution.check()
    let table = try DirectionTable()
    let segments = try HeapArray<Int32>(count: arcs.count)
    let offsets = try HeapArray<Int>(count: arcs.count &+ 1)
    let isDelicate = try HeapArray<Bool>(count: arcs.count)
    var last: (radius: Double, segments: Int) = (.nan, 0)
    for (index, arc) in arcs.enumerated() {
      if arc.radius != last.radius {
        last = (arc.radius, try resolution.segments(radius: arc.radius))
        try table.add(segments: last.segments)
      }
      segments.buffer[index] = Int32(truncatingIfNeeded: last.segments)
    }
    let chunk = 2048
    let parts = (arcs.count &+ chunk &- 1) / chunk
    try workers.forEach(parts) { (part: Int) throws(EngineError) in
      for index in part &* chunk..<min(self.arcs.count, (part &+ 1) &* chunk) {
        let vertices = ArcVertices(self.arcs[index], segments: Int(truncatingIfNeeded: segments.buffer[index]))
        offsets.buffer[index] = vertices.count
        isDelicate.buffer[index] = vertices.isDelicate
      }
    }
    let buffers = try PolygonBuffers()
    try layOut(buffers, offsets, policy)
    try workers.forEach(parts) { (part: Int) throws(EngineError) in
      for index in part &* chunk..<min(self.arcs.count, (part &+ 1) &* chunk) {
        self.write(
          self.arcs[index], Int(truncatingIfNeeded: segments.buffer[index]), table, buffers.vertices.values,
          offsets.buffer[index])
      }
    }
    for ring in 0..<ringCount {
      let range = buffers.ringOffsets.values[ring]..<buffers.ringOffsets.values[ring &+ 1]
      buffers.vertices.values[range.upperBound &- 1] = buffers.vertices.values[range.lowerBound]
    }
    let marks = try DelicateVertices(self, buffers, segments: segments, offsets: offsets).marks(isDelicate, workers)
    guard let marks else { return CirclePolygons(buffers) }
    return CirclePolygons(try RingCleaning(self, buffers, marks, workers, policy ?? Policy()).cleaned())
  }

  /// Converts the numbers of vertices into offsets, and reserves the memory.
  private func layOut(
    _ buffers: PolygonBuffers, _ offsets: HeapArray<Int>, _ policy: Policy?
  ) throws(EngineError) {
    var total = 0
    for polygon in 0..<polygonCount {
      for ring in polygonOffsets[polygon]..<polygonOffsets[polygon &+ 1] {
        for index in ringOffsets[ring]..<ringOffsets[ring &+ 1] {
          let count = offsets.buffer[index] &+ (arcs[index].isWhole ? 0 : 1)
          offsets.buffer[index] = total
          total &+= count
        }
        total &+= 1  // the first one again
        try buffers.ringOffsets.append(total)
      }
      try buffers.endPolygon()
    }
    if let policy {
      try policy.check(points: total)
      try policy.check(bytes: total, MemoryLayout<Point>.stride)
    }
    try buffers.vertices.extend(by: total)
  }

  private func write(
    _ arc: CircleArc, _ segments: Int, _ table: DirectionTable, _ vertices: UnsafeMutableBufferPointer<Point>,
    _ place: Int
  ) {
    let numbers = ArcVertices(arc, segments: segments)
    let offset = table.offset(segments: segments)
    var place = place
    if !arc.isWhole {
      vertices[place] = arc.start
      place &+= 1
    }
    for number in 0..<numbers.count {
      let direction = table.direction(numbers.first &+ number, of: segments, at: offset)
      vertices[place] = Point(
        x: arc.centre.x + arc.radius * direction.cosine, y: arc.centre.y + arc.radius * direction.sine)
      place &+= 1
    }
  }
}
