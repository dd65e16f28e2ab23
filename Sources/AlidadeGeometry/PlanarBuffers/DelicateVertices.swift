import AlidadeBase

/// Finds the vertices of circles' polygons that rounding may bring over a chord.
///
/// These are all of a ring with an arc that is delicate by itself (`ArcVertices`), and of other rings those near a point
/// where two circles come close to touching: farther from it circles are farther apart than rounding moves vertices.
struct DelicateVertices {
  private let boundary: CircleBoundary
  private let buffers: PolygonBuffers
  /// For each arc how many segments a right angle has, and where its vertices begin.
  private let segments: HeapArray<Int32>
  private let offsets: HeapArray<Int>

  /// Radians: of an arc whose marks are wider, all vertices are marked.
  private static let widest = 0.25

  init(
    _ boundary: CircleBoundary, _ buffers: PolygonBuffers, segments: HeapArray<Int32>, offsets: HeapArray<Int>
  ) {
    self.boundary = boundary
    self.buffers = buffers
    self.segments = segments
    self.offsets = offsets
  }

  /// For each vertex whether it is one of these; nil if none is.
  ///
  /// - Parameter isDelicate: for each arc whether it is so by itself.
  func marks(_ isDelicate: HeapArray<Bool>, _ workers: Workers) throws(EngineError) -> HeapArray<Bool>? {
    guard boundary.touches.count > 0 || isDelicate.buffer[..<boundary.arcs.count].contains(true) else { return nil }
    let marks = try HeapArray<Bool>(count: buffers.vertices.count, repeating: false)
    let zone = zone
    let chunk = 256
    try workers.forEach((boundary.ringCount &+ chunk &- 1) / chunk) { (part: Int) in
      for ring in part &* chunk..<min(boundary.ringCount, (part &+ 1) &* chunk) {
        let arcs = boundary.ringOffsets[ring]..<boundary.ringOffsets[ring &+ 1]
        let vertices = buffers.ringOffsets.values[ring]..<buffers.ringOffsets.values[ring &+ 1]
        if arcs.contains(where: { isDelicate.buffer[$0] }) {
          marks.buffer[vertices].update(repeating: true)
        } else if arcs.contains(where: { !boundary.arcs[$0].touches.isEmpty }) {
          for arc in arcs { mark(arc, in: arcs, zone: zone, marks) }
          marks.buffer[vertices.upperBound &- 1] = marks.buffer[vertices.lowerBound]
        }
      }
    }
    return marks
  }

  /// How far from a point where circles come close to touching vertices are marked.
  ///
  /// Circles of radius r that are e apart or overlap by e are s^2 / r - e apart at a distance s from there. There, that
  /// is to be more than the distance that `RingCleaning` looks around vertices.
  private var zone: Double {
    var (unit, radius) = (0.0, 0.0)
    for arc in boundary.arcs { (unit, radius) = (max(unit, arc.unit), max(radius, arc.radius)) }
    return 2 * (radius * (RingCleaning.reach(unit: unit, radius: radius) + 4 * Disc.closeness * radius)).squareRoot()
  }

  /// Marks the vertices of an arc near touching points of its circle, and near an end that is near such a point of its
  /// circle or of the circle that goes on there.
  private func mark(_ index: Int, in ring: Range<Int>, zone: Double, _ marks: HeapArray<Bool>) {
    let arc = boundary.arcs[index]
    let before = boundary.arcs[index == ring.lowerBound ? ring.upperBound &- 1 : index &- 1]
    let after = boundary.arcs[index &+ 1 == ring.upperBound ? ring.lowerBound : index &+ 1]
    let width = angle(zone, of: arc)
    let numbers = ArcVertices(arc, segments: Int(truncatingIfNeeded: segments.buffer[index]))
    let first = offsets.buffer[index] &+ (arc.isWhole ? 0 : 1)
    if width > Self.widest, isTouched(arc, from: arc.fromAngle - width, through: arc.toAngle + width) {
      // The marks of many would cover each other.
      return marks.buffer[offsets.buffer[index]..<(first &+ numbers.count)].update(repeating: true)
    }
    forEachTouch(of: arc, from: arc.fromAngle - width, through: arc.toAngle + width) { touch in
      mark(numbers, at: first, from: touch - width, to: touch + width, marks)
      return true
    }
    guard !arc.isWhole else { return }
    if isTouched(arc, at: arc.fromAngle, zone) || isTouched(before, at: before.toAngle, zone) {
      marks.buffer[offsets.buffer[index]] = true
      mark(numbers, at: first, from: arc.fromAngle, to: arc.fromAngle + 2 * width, marks)
    }
    if isTouched(arc, at: arc.toAngle, zone) || isTouched(after, at: after.fromAngle, zone) {
      mark(numbers, at: first, from: arc.toAngle - 2 * width, to: arc.toAngle, marks)
    }
  }

  /// The angle over a chord, all that there is if no chord is as long.
  private func angle(_ chord: Double, of arc: CircleArc) -> Double { min(1.1 * chord / arc.radius, .pi) }

  private func isTouched(_ arc: CircleArc, at angle: Double, _ zone: Double) -> Bool {
    let width = self.angle(zone, of: arc)
    return isTouched(arc, from: angle - width, through: angle + width)
  }

  private func isTouched(_ arc: CircleArc, from low: Double, through high: Double) -> Bool {
    var isTouched = false
    forEachTouch(of: arc, from: low, through: high) { _ in
      isTouched = true
      return false
    }
    return isTouched
  }

  /// Calls `body` with the touching points of an arc's circle within some angles, which may be some turns away from the
  /// touches' -pi ... pi, until it returns false.
  @inline(__always)
  private func forEachTouch(of arc: CircleArc, from low: Double, through high: Double, _ body: (Double) -> Bool) {
    let first = Int(truncatingIfNeeded: arc.touches.lowerBound)
    let end = Int(truncatingIfNeeded: arc.touches.upperBound)
    guard first < end else { return }
    for turn in stride(from: -2 * Double.pi, through: 4 * .pi, by: 2 * .pi) {
      var (place, limit) = (first, end)
      while place < limit {
        let middle = (place &+ limit) / 2
        if boundary.touches[middle] + turn < low { place = middle &+ 1 } else { limit = middle }
      }
      while place < end, boundary.touches[place] + turn <= high {
        guard body(boundary.touches[place] + turn) else { return }
        place &+= 1
      }
    }
  }

  private func mark(
    _ numbers: ArcVertices, at first: Int, from low: Double, to high: Double, _ marks: HeapArray<Bool>
  ) {
    let step = 0.5 * Double.pi / Double(numbers.segments)
    // An arc's numbers may be a turn away from the angles.
    for turn in stride(from: -2 * Double.pi, through: 2 * .pi, by: 2 * .pi) {
      let from = max(((low + turn) / step).rounded(.up), Double(numbers.first))
      let to = min(((high + turn) / step).rounded(.down), Double(numbers.first &+ numbers.count &- 1))
      guard from <= to, let from = Int(exactly: from), let to = Int(exactly: to) else { continue }
      marks.buffer[(first &+ from &- numbers.first)...(first &+ to &- numbers.first)].update(repeating: true)
    }
  }
}
