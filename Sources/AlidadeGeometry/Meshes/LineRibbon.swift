import AlidadeBase
import Glibc

/// How the ribbon of a line is made.
public struct RibbonStyle: Sendable {
  /// Metres.
  public var width = 0.0
  public var cap = BufferCap.round
  public var join = BufferJoin.round
  /// The largest distance of a mitre's tip from the line, in half widths. A join with a longer one is bevelled.
  public var mitreLimit = 5.0
  /// The parts of a quarter circle.
  public var quadrantSegments = 8

  public init() {}
}

/// The triangles along a line of a given width, in a plane.
///
/// A point of the ribbon has a position along the line and across it: 0 on the left, 1 on the right. Where two segments
/// meet, their sides on the inner side of the corner are cut where they cross, so that nothing is covered twice. Where a
/// segment is too short for that, the ends of the two overlap.
public struct LineRibbon {
  public struct Corner: Sendable {
    public var point: SIMD2<Double>
    /// Metres along the line, and 0 to 1 across it.
    public var texture: SIMD2<Double>
    /// The vertex of the line that it belongs to.
    public var vertex: Int
  }

  public private(set) var corners: [Corner] = []
  /// Three corners each, counter-clockwise.
  public private(set) var triangles: [UInt32] = []
  private let style: RibbonStyle
  private let half: Double

  /// - Parameter line: at least two vertices. If the last is the first again, the ribbon is closed.
  public init(_ line: [SIMD2<Double>], _ style: RibbonStyle, _ policy: Policy) throws(EngineError) {
    self.style = style
    half = style.width / 2
    // A corner is an arc of half a circle at most, and the ends of two segments.
    let most = line.count.multipliedReportingOverflow(by: 4 &* style.quadrantSegments &+ 8)
    try policy.check(points: most.overflow ? .max : most.partialValue)
    try policy.check(bytes: most.partialValue, MemoryLayout<Corner>.stride &+ 12)
    try build(Path(line))
  }

  /// A line without vertices that repeat the one before.
  private struct Path {
    var points: [SIMD2<Double>] = []
    var indices: [Int] = []
    var distances: [Double] = []
    /// The directions of the segments.
    var directions: [SIMD2<Double>] = []
    var isClosed = false

    init(_ line: [SIMD2<Double>]) {
      for (index, point) in line.enumerated() {
        guard let last = points.last else {
          append(point, index, at: 0)
          continue
        }
        let step = point - last
        let length = (step * step).sum().squareRoot()
        guard length > 0, length.isFinite, let before = distances.last else { continue }
        directions.append(step / length)
        append(point, index, at: before + length)
      }
      isClosed = points.count > 3 && points.first == points.last
    }

    /// How much of a segment a corner may cut off. Both corners of a segment share it.
    func room(_ segment: Int) -> Double {
      let length = distances[segment &+ 1] - distances[segment]
      let hasOneCorner = !isClosed && (segment == 0 || segment == directions.count &- 1)
      return hasOneCorner ? length : length / 2
    }

    private mutating func append(_ point: SIMD2<Double>, _ index: Int, at distance: Double) {
      points.append(point)
      indices.append(index)
      distances.append(distance)
    }
  }

  /// The ends of a segment's left and right side. nil where the segment begins or ends by itself.
  private struct Section {
    var left: UInt32
    var right: UInt32
  }

  private mutating func build(_ path: Path) throws(EngineError) {
    let count = path.directions.count
    guard count > 0 else { return }
    var begins: [Section?] = Array(repeating: nil, count: count)
    var ends: [Section?] = Array(repeating: nil, count: count)
    for index in 1..<max(1, count) {
      if index & 255 == 0 { try TimeLimit.check() }
      (ends[index &- 1], begins[index]) = join(path, index &- 1, index, vertex: index)
    }
    if path.isClosed {
      let joined = join(path, count &- 1, 0, vertex: count)
      (ends[count &- 1], begins[0]) = joined
      // Where the line begins anew, the distance does, too.
      if let begin = begins[0] { begins[0] = repeated(begin, at: 0, vertex: path.indices[0]) }
    }
    for index in 0..<count {
      let begin = begins[index] ?? end(path, segment: index, isFirst: true)
      let end = ends[index] ?? end(path, segment: index, isFirst: false)
      add(begin.left, begin.right, end.right)
      add(begin.left, end.right, end.left)
    }
  }

  private mutating func repeated(_ section: Section, at distance: Double, vertex: Int) -> Section {
    func copy(_ index: UInt32) -> UInt32 {
      let old = corners[at: index]
      return corner(old.point, distance, old.texture.y, vertex)
    }
    return Section(left: copy(section.left), right: copy(section.right))
  }

  private mutating func corner(_ point: SIMD2<Double>, _ along: Double, _ across: Double, _ vertex: Int) -> UInt32 {
    corners.append(Corner(point: point, texture: SIMD2(along, across), vertex: vertex))
    return UInt32(truncatingIfNeeded: corners.count &- 1)
  }

  private mutating func add(_ a: UInt32, _ b: UInt32, _ c: UInt32) {
    triangles.append(a)
    triangles.append(b)
    triangles.append(c)
  }

  private static func leftOf(_ direction: SIMD2<Double>) -> SIMD2<Double> { SIMD2(-direction.y, direction.x) }

  /// The straight end of a segment.
  private mutating func straight(_ path: Path, segment: Int, vertex: Int) -> Section {
    let (point, side) = (path.points[vertex], Self.leftOf(path.directions[segment]) * half)
    let (along, index) = (path.distances[vertex], path.indices[vertex])
    return Section(left: corner(point + side, along, 0, index), right: corner(point - side, along, 1, index))
  }

  /// The end of a segment that ends there by itself, with its cap.
  private mutating func end(_ path: Path, segment: Int, isFirst: Bool) -> Section {
    let vertex = isFirst ? segment : segment &+ 1
    let isEndOfLine = !path.isClosed && (isFirst ? segment == 0 : segment == path.directions.count &- 1)
    guard isEndOfLine, style.cap != .flat else { return straight(path, segment: segment, vertex: vertex) }
    let outward = isFirst ? -path.directions[segment] : path.directions[segment]
    let (along, index) = (path.distances[vertex] + (isFirst ? -half : half), path.indices[vertex])
    let side = Self.leftOf(path.directions[segment]) * half
    let point = path.points[vertex]
    if style.cap == .square {
      let tip = point + outward * half
      return Section(left: corner(tip + side, along, 0, index), right: corner(tip - side, along, 1, index))
    }
    let section = straight(path, segment: segment, vertex: vertex)
    // Counter-clockwise around the end: from the right side to the left at the last, from left to right at the first.
    let (first, last) = isFirst ? (section.left, section.right) : (section.right, section.left)
    let steps = style.quadrantSegments &* 2
    let start = isFirst ? side : -side
    var before = first
    for step in 1..<max(2, steps) {
      let angle = Double(step) * .pi / Double(steps)
      let offset = start * cos(angle) + Self.leftOf(start) * sin(angle)
      let reach = (offset * path.directions[segment]).sum()
      let across = 0.5 - (offset * side).sum() / (half * half) / 2
      let next = corner(point + offset, path.distances[vertex] + reach, across, index)
      add(last, before, next)
      before = next
    }
    return section
  }

  /// The end of one segment and the begin of the next, and what lies between them.
  private mutating func join(
    _ path: Path, _ before: Int, _ after: Int, vertex: Int
  ) -> (end: Section, begin: Section) {
    let (d, e) = (path.directions[before], path.directions[after])
    let point = path.points[vertex]
    let (along, index) = (path.distances[vertex], path.indices[vertex])
    let turn = d.x * e.y - d.y * e.x
    let cosine = min(1, max(-1, (d * e).sum()))
    // Half the angle of the turn: 0 straight on, a right angle for a reversal.
    let half2 = ((1 + cosine) / 2).squareRoot()
    guard half2 > 1e-6 else {
      let (end, begin) = (
        straight(path, segment: before, vertex: vertex), straight(path, segment: after, vertex: vertex)
      )
      reverse(path, before, vertex, end: end, begin: begin)
      return (end, begin)
    }
    let across = Self.leftOf((d + e) / (2 * half2))
    let mitre = across * (half / half2)
    if turn.magnitude < 1e-12 {
      let section = Section(left: corner(point + mitre, along, 0, index), right: corner(point - mitre, along, 1, index))
      return (section, section)
    }
    let isLeftTurn = turn > 0
    let outward: Double = isLeftTurn ? -1 : 1
    // How far from the vertex the inner sides cross, and how far the inner corner of one segment reaches along the other.
    let inset = half * max((1 - half2 * half2).squareRoot() / half2, turn.magnitude)
    let isCut = inset <= min(path.room(before), path.room(after))
    let isMitred = style.join == .mitre && 1 / half2 <= style.mitreLimit
    // The corner on the inner side; or the line's own vertex, if the segments are too short for one.
    let inner =
      isCut
      ? corner(point - mitre * outward, along, isLeftTurn ? 0 : 1, index) : corner(point, along, 0.5, index)
    func outer(_ direction: SIMD2<Double>) -> SIMD2<Double> { point + Self.leftOf(direction) * (half * outward) }
    let tip = isMitred ? [point + mitre * outward] : arc(around: point, from: outer(d), to: outer(e), isLeftTurn)
    let outers = ([outer(d)] + tip + [outer(e)]).map { corner($0, along, isLeftTurn ? 1 : 0, index) }
    if isMitred, isCut, outers.count == 3 {
      let section = isLeftTurn ? Section(left: inner, right: outers[1]) : Section(left: outers[1], right: inner)
      return (section, section)
    }
    for pair in zip(outers, outers.dropFirst()) {
      if isLeftTurn { add(inner, pair.0, pair.1) } else { add(inner, pair.1, pair.0) }
    }
    guard isCut, let first = outers.first, let last = outers.last else {
      return (straight(path, segment: before, vertex: vertex), straight(path, segment: after, vertex: vertex))
    }
    return isLeftTurn
      ? (Section(left: inner, right: first), Section(left: inner, right: last))
      : (Section(left: first, right: inner), Section(left: last, right: inner))
  }

  /// What lies beyond a vertex where the line goes back the way that it came: half a circle, or nothing.
  private mutating func reverse(_ path: Path, _ before: Int, _ vertex: Int, end: Section, begin: Section) {
    guard style.join == .round else { return }
    let point = path.points[vertex]
    let side = Self.leftOf(path.directions[before]) * half
    let (along, index) = (path.distances[vertex], path.indices[vertex])
    var last = end.right
    let steps = style.quadrantSegments &* 2
    for step in 1..<max(2, steps) {
      let angle = Double(step) * .pi / Double(steps)
      let offset = -side * cos(angle) + Self.leftOf(-side) * sin(angle)
      let next = corner(point + offset, along, 0.5 - (offset * side).sum() / (half * half) / 2, index)
      add(end.left, last, next)
      last = next
    }
  }

  /// The points between two points of a circle, along the shorter arc; none for a bevel.
  private func arc(
    around center: SIMD2<Double>, from first: SIMD2<Double>, to last: SIMD2<Double>, _ isLeftTurn: Bool
  ) -> [SIMD2<Double>] {
    guard style.join == .round else { return [] }
    let (a, b) = (first - center, last - center)
    let angle = atan2(a.x * b.y - a.y * b.x, (a * b).sum())
    let steps = (angle.magnitude / (.pi / 2) * Double(style.quadrantSegments)).rounded(.up)
    guard steps > 1 else { return [] }
    return (1..<(Int(exactly: steps) ?? 1)).map { step in
      let part = angle * Double(step) / steps
      return center + a * cos(part) + Self.leftOf(a) * sin(part)
    }
  }
}
