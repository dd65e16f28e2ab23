import AlidadeBase
import AlidadeCoordinates

/// A closed line, whose winding number is the number of buffer pieces that cover a point.
struct SweepLoop: Sendable {
  /// The last point is not the first one again.
  var points: [Point]
  var weight: Int32 = 1
  /// Edges, by their first points, that belong to an offset curve that is asked for.
  var marks = 0..<0
}

/// The outlines of what lies within a distance of lines: a quadrilateral on each side of each segment, and between two of
/// them whatever joins them. All pieces are convex and counterclockwise, so their sum is positive wherever one is.
///
/// Edges that two pieces share cancel out, so that neighbours are written as one loop: along the offset segments, on the
/// outer side of a corner around it, on the inner side to the corner itself and back. Where both segments are long against
/// the distance, the pieces are cut at the bisector of the corner instead.
struct OffsetSweep {
  /// To the right of lines and rings; above 0.
  var distance: Double
  /// To the left of lines, and around points; above 0.
  var leftDistance: Double
  let join: BufferJoin
  let cap: BufferCap
  let mitreLimit: Double
  /// Of an arc of 90 degrees.
  let segments: Int
  /// A loop with more is not finished: it is refused.
  let mostPoints: Int

  /// For a vertex of a line: it and its copy, and the steps there and back.
  static let bytesPerVertex = 2 &* MemoryLayout<Point>.stride &+ 2 &* MemoryLayout<Step>.stride

  /// Segments of a line that are swept as one loop at most.
  static let longest = 64

  /// A segment with its direction, of length 1.
  private struct Step {
    var from: Point
    var to: Point
    var direction: Point
    var length: Double

    init?(_ from: Point, _ to: Point) {
      let (x, y) = (to.x - from.x, to.y - from.y)
      length = (x * x + y * y).squareRoot()
      guard length > 0x1p-400 else { return nil }
      (self.from, self.to) = (from, to)
      direction = Point(x: x / length, y: y / length)
    }

    /// To the right, of length 1.
    var normal: Point { Point(x: direction.y, y: -direction.x) }
    var reversedNormal: Point { Point(x: -direction.y, y: direction.x) }
    var reversed: Step { Step(to, from) ?? self }
  }

  /// For the left of lines, which is the right of the same lines that run the other way.
  private var left: OffsetSweep {
    var left = self
    swap(&left.distance, &left.leftDistance)
    return left
  }

  private static func steps(_ path: [Point]) -> [Step] {
    var steps: [Step] = []
    steps.reserveCapacity(path.count)
    guard var from = path.first else { return [] }
    for to in path.dropFirst() {
      guard let step = Step(from, to) else { continue }
      steps.append(step)
      from = to
    }
    return steps
  }

  // MARK: Lines and rings

  /// Once around a line.
  ///
  /// - Parameters:
  ///   - side: on which the loops lie.
  ///   - marksLeft: whether the left sides of the segments are marked.
  func line(_ path: [Point], _ side: PlanarBufferStyle.Side, marksLeft: Bool = false) -> [SweepLoop] {
    let steps = Self.steps(path)
    guard let start = steps.first, let end = steps.last else { return point(path.first) }
    if side != .both { return [stretch(steps, side, marksLeft: marksLeft)] }
    let back = Self.reversed(steps)
    if steps.count > 2, path.first == path.last {
      let leftSide = left.ring(back).points
      return [ring(steps), SweepLoop(points: leftSide, marks: marksLeft ? leftSide.indices : 0..<0)]
    }
    let (there, leftSide) = (chain(steps) + capPoints(end), left.chain(back))
    let last = there.count &+ leftSide.count &- 1
    return [
      SweepLoop(
        points: there + leftSide + left.capPoints(start.reversed), marks: marksLeft ? there.count..<last : 0..<0)
    ]
  }

  /// The same in pieces, in groups of neighbours: where a line is narrow against the distance, pieces cross less than
  /// the whole does.
  func pieces(
    ofLine path: [Point], _ side: PlanarBufferStyle.Side, marksLeft: Bool = false
  ) -> [[SweepLoop]] {
    let steps = Self.steps(path)
    guard let first = path.first, let start = steps.first, let end = steps.last else { return [point(path.first)] }
    let isRing = side == .both && steps.count > 2 && first == path.last
    var groups: [[SweepLoop]] = []
    for range in Self.ranges(steps.count) {
      let part = Array(steps[range])
      var group = [stretch(part, side, marksLeft: marksLeft)]
      if !isRing, side == .both {
        // A cap of a stretch in the middle would be covered anyway; it is left out.
        if range.lowerBound == 0 { group += left.endPiece(start.reversed) }
        if range.upperBound == steps.count { group += endPiece(end) }
      }
      if range.upperBound < steps.count || isRing {
        let next = steps[range.upperBound < steps.count ? range.upperBound : 0]
        group += corner(steps[range.upperBound &- 1], next, side, marksLeft: marksLeft)
      }
      groups.append(group)
    }
    return groups
  }

  /// The outline of a closed ring moved to its right.
  func ring(_ path: [Point]) -> SweepLoop { ring(Self.steps(path)) }

  /// What lies to the right of a closed ring, in groups of neighbours.
  func rightOfRing(_ path: [Point]) -> [[SweepLoop]] {
    let steps = Self.steps(path)
    return Self.ranges(steps.count).map { range in
      let next = steps[range.upperBound < steps.count ? range.upperBound : 0]
      return [stretch(Array(steps[range]), .right)] + corner(steps[range.upperBound &- 1], next, .right)
    }
  }

  /// A line without length is a point.
  private func point(_ point: Point?) -> [SweepLoop] {
    guard let point, cap != .flat else { return [] }
    let east = Step(Point(x: point.x - 1, y: point.y), point) ?? Step(Point(x: 0, y: 0), Point(x: 1, y: 0))
    guard var east else { return [] }
    (east.from, east.to) = (point, point)
    var west = east
    west.direction = Point(x: -1, y: 0)
    var even = self
    even.distance = leftDistance
    return [SweepLoop(points: even.capPoints(east) + even.capPoints(west))]
  }

  private static func ranges(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: longest).map { $0..<min(count, $0 &+ longest) }
  }

  private static func reversed(_ steps: [Step]) -> [Step] { steps.reversed().map(\.reversed) }

  // MARK: Loops

  private func ring(_ steps: [Step]) -> SweepLoop {
    var points: [Point] = []
    points.reserveCapacity(min(4096, 8 &* (steps.count &+ segments)))
    for index in steps.indices where points.count <= mostPoints {
      append(steps[index > 0 ? index &- 1 : steps.count &- 1], steps[index], to: &points)
    }
    return SweepLoop(points: points)
  }

  /// Segments that follow each other, with flat ends: by way of the end itself, as what lies beyond has it.
  private func stretch(_ steps: [Step], _ side: PlanarBufferStyle.Side, marksLeft: Bool = false) -> SweepLoop {
    guard let first = steps.first, let last = steps.last else { return SweepLoop(points: []) }
    let back = Self.reversed(steps)
    let right = side == .left ? steps.dropFirst().map(\.from) : chain(steps)
    let left = side == .right ? back.dropFirst().map(\.from) : left.chain(back)
    let start = right.count &+ 1
    return SweepLoop(
      points: right + [last.to] + left + [first.from],
      marks: marksLeft ? start..<max(start, start &+ left.count &- 1) : 0..<0)
  }

  /// To the right of segments that follow each other.
  private func chain(_ steps: [Step]) -> [Point] {
    guard let first = steps.first, let last = steps.last else { return [] }
    var points = [offset(first.from, first.normal)]
    for index in steps.indices.dropFirst() where points.count <= mostPoints {
      append(steps[index &- 1], steps[index], to: &points)
    }
    points.append(offset(last.to, last.normal))
    return points
  }

  @inline(__always)
  private func offset(_ point: Point, _ way: Point) -> Point {
    Point(x: point.x + distance * way.x, y: point.y + distance * way.y)
  }

  /// What is around an end of a line beyond its quadrilaterals.
  private func endPiece(_ step: Step) -> [SweepLoop] {
    cap == .flat ? [] : [SweepLoop(points: [step.to] + capPoints(step))]
  }

  private func capPoints(_ step: Step) -> [Point] {
    let (right, left) = (offset(step.to, step.normal), left.offset(step.to, step.reversedNormal))
    // Where both distances differ, a cap is that of the strip: it spans its width.
    var middle = self
    middle.distance = (distance + leftDistance) / 2
    switch cap {
    case .flat: return [right, left]
    case .square: return [right, middle.offset(right, step.direction), middle.offset(left, step.direction), left]
    case .round:
      var points = [right]
      let aside = Point(x: (right.x + left.x) / 2, y: (right.y + left.y) / 2)
      middle.appendArc(distance == leftDistance ? step.to : aside, step.normal, angle: .pi, to: &points)
      return points + [left]
    }
  }

  /// The outer sides of a corner between two loops.
  private func corner(
    _ before: Step, _ after: Step, _ side: PlanarBufferStyle.Side, marksLeft: Bool = false
  ) -> [SweepLoop] {
    var loops: [SweepLoop] = []
    for isLeft in [false, true] where side != (isLeft ? .right : .left) {
      let (first, second) = isLeft ? (after.reversed, before.reversed) : (before, after)
      guard Turn(first.direction, second.direction).isOuter else { continue }
      var points = [before.to]
      (isLeft ? left : self).append(first, second, keepsEnds: true, to: &points)
      loops.append(SweepLoop(points: points, marks: isLeft && marksLeft ? 1..<points.count &- 1 : 0..<0))
    }
    return loops
  }

  // MARK: Corners

  private struct Turn {
    let sine: Double
    let cosine: Double

    init(_ before: Point, _ after: Point) {
      sine = before.x * after.y - before.y * after.x
      cosine = before.x * after.x + before.y * after.y
    }

    /// It turns back, to within the rounding of directions, which does not say to which side. Both are the outer one then:
    /// what is added on the inner one is near the vertex, too.
    var isBack: Bool { cosine < 0 && sine.magnitude < 1e-15 }
    /// To the left, so that the right side is the outer one; also where a line turns back.
    var isOuter: Bool { sine > 0 || isBack }
    var angle: Double { isBack ? .pi : arcTangent(sine, cosine) }
    /// 1 + cosine, without the cancellation where a line nearly turns back.
    var cosineAndOne: Double { cosine < 0 ? sine * sine / (1 - cosine) : 1 + cosine }
    /// The tangent of half of the angle.
    var halfTangent: Double { sine.magnitude / cosineAndOne }
  }

  /// The right side of the corner between two segments.
  ///
  /// - Parameter keepsEnds: whether the ends of the offset segments are points also where these go on until they meet.
  private func append(_ before: Step, _ after: Step, keepsEnds: Bool = false, to points: inout [Point]) {
    let vertex = after.from
    let (start, end) = (offset(vertex, before.normal), offset(vertex, after.normal))
    let turn = Turn(before.direction, after.direction)
    let isMeeting = join == .mitre && mitreLimit * (turn.cosineAndOne / 2).squareRoot() >= 1
    if turn.isOuter, isMeeting, !keepsEnds {
      points.append(bisector(before, after, turn))
    } else if turn.isOuter {
      points.append(start)
      switch join {
      case .bevel: break
      case .round: appendArc(vertex, before.normal, angle: turn.angle, to: &points)
      case .mitre where isMeeting: points.append(bisector(before, after, turn))
      case .mitre: appendCutMitre(before, after, turn, start, end, to: &points)
      }
      if end != start { points.append(end) }
    } else if turn.sine == 0 {
      points.append(start)
    } else if min(before.length, after.length) >= 2 * distance * max(turn.halfTangent, turn.sine.magnitude) {
      points.append(bisector(before, after, turn))
    } else {
      points += [start, vertex, end]
    }
  }

  /// Where the offset sides of a corner meet: farther along the first one on the outer side, back on the inner one.
  private func bisector(_ before: Step, _ after: Step, _ turn: Turn) -> Point {
    let way = turn.isOuter ? turn.halfTangent : -turn.halfTangent
    return offset(
      offset(after.from, before.normal), Point(x: way * before.direction.x, y: way * before.direction.y))
  }

  /// A mitre that is cut off across the bisector.
  private func appendCutMitre(
    _ before: Step, _ after: Step, _ turn: Turn, _ start: Point, _ end: Point, to points: inout [Point]
  ) {
    let half = (turn.cosineAndOne / 2).squareRoot()
    let more = (mitreLimit - half) / max(0, (1 - turn.cosine) / 2).squareRoot()
    points.append(offset(start, Point(x: more * before.direction.x, y: more * before.direction.y)))
    points.append(offset(end, Point(x: -more * after.direction.x, y: -more * after.direction.y)))
  }

  /// The vertices of an arc between its ends, counterclockwise from a direction.
  private func appendArc(_ centre: Point, _ from: Point, angle: Double, to points: inout [Point]) {
    let count = (angle * Double(segments) / (0.5 * .pi) - 1e-9).rounded(.up)
    guard count > 1, let last = Int(exactly: count) else { return }
    let step = UnitVector(angle / count)
    var way = UnitVector(0)
    for index in 1..<last {
      // Turned on by a step each; now and then computed anew, before rounding adds up.
      way = index & 15 == 0 ? UnitVector(angle * Double(index) / count) : way.turned(by: step)
      points.append(
        offset(
          centre, Point(x: from.x * way.cosine - from.y * way.sine, y: from.x * way.sine + from.y * way.cosine)))
    }
  }
}
