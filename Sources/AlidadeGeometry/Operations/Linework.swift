import AlidadeBase
import AlidadeCoordinates

/// The segments of a polyline and its boundary, to be related to those of another one: without rounding, so that what
/// lies on a line is told from what lies next to it.
struct Linework: Sendable {
  fileprivate struct Segment {
    var from: Point
    var to: Point

    /// The axis along which the segment is longer.
    var isSteep: Bool { abs(to.y - from.y) > abs(to.x - from.x) }
    func along(_ point: Point) -> Double { isSteep ? point.y : point.x }

    var span: ClosedRange<Double> { min(along(from), along(to))...max(along(from), along(to)) }

    var box: GridBox { GridBox(GridEdge(from: Linework.key(from), to: Linework.key(to))) }

    func turn(_ point: Point) -> Int { ExactTurn.sign(from, to, point) }

    /// Whether a point of the segment's line lies on the segment.
    func holds(_ point: Point) -> Bool { span.contains(along(point)) && box.meets(GridBox(Linework.key(point))) }
  }

  private var segments: [Segment] = []
  private let tree: BoxTree
  /// Where an odd number of lines ends.
  private var boundary: Set<SIMD2<Double>> = []
  /// A vertex whose products with others no double holds.
  private var tiny: Point?

  init(_ columns: GeometryColumns, _ row: Int) {
    for path in columns.paths(ofGeometry: row) {
      let points = columns.points.buffer[columns.vertices(ofPath: path)]
      guard let first = points.first, let last = points.last else { continue }
      tiny = tiny ?? points.first { ExactTurn.isTooSmall($0.x) || ExactTurn.isTooSmall($0.y) }
      for (from, to) in zip(points, points.dropFirst()) where from != to {
        segments.append(Segment(from: from, to: to))
      }
      for end in [first, last] {
        let place = Self.place(end)
        if boundary.remove(place) == nil { boundary.insert(place) }
      }
    }
    tree = BoxTree(segments.map(\.box))
  }

  /// -0 is 0.
  private static func place(_ point: Point) -> SIMD2<Double> { SIMD2(point.x + 0, point.y + 0) }

  /// Integers in the order of doubles.
  fileprivate static func key(_ point: Point) -> GridPoint { GridPoint(x: key(point.x), y: key(point.y)) }
  private static func key(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: (value + 0).bitPattern)
    return bits >= 0 ? bits : Int64.min &- bits
  }

  // MARK: Relations

  /// What two polylines share.
  private struct Shared {
    /// The matrix: rows and columns interior, boundary, exterior.
    var matrix: [[UInt8]] = [[F, F, F], [F, F, F], [F, F, UInt8(ascii: "2")]]
    /// Ends of the first and of the second one that lie on the other.
    var ends: (Set<SIMD2<Double>>, Set<SIMD2<Double>>) = ([], [])
    /// What is covered of each segment, along it.
    var covered: ([[ClosedRange<Double>]], [[ClosedRange<Double>]])
    var coveredCount = 0
  }

  private static let F = UInt8(ascii: "F")
  private static let zero = UInt8(ascii: "0")
  private static let one = UInt8(ascii: "1")

  /// The DE-9IM matrix with another polyline; neither may be empty.
  ///
  /// - Parameter policy: bounds the memory that stretches in common take.
  func relate(to other: Linework, _ policy: Policy) throws(EngineError) -> String {
    if let point = tiny ?? other.tiny {
      throw EngineError(
        .invalidArgument,
        "The lines cannot be related: a coordinate of (\(NumberText.shortest(point.x)), \(NumberText.shortest(point.y))) "
          + "is not 0 and below 1e-100 in size; make it 0.")
    }
    var shared = Shared(
      covered: (
        [[ClosedRange<Double>]](repeating: [], count: segments.count),
        [[ClosedRange<Double>]](repeating: [], count: other.segments.count)
      ))
    var found: [Int] = []
    for (index, segment) in other.segments.enumerated() {
      if index & 15 == 0 { try TimeLimit.check() }
      found.removeAll(keepingCapacity: true)
      tree.forEach(meeting: segment.box, from: 0) { found.append($0) }
      for (number, own) in found.enumerated() {
        if number & 255 == 255 { try TimeLimit.check() }
        compare(own, index, other, &shared)
      }
      try policy.check(bytes: shared.coveredCount, 2 &* MemoryLayout<ClosedRange<Double>>.size)
    }
    if Self.isOpen(segments, shared.covered.0) { shared.matrix[0][2] = Self.one }
    if Self.isOpen(other.segments, shared.covered.1) { shared.matrix[2][0] = Self.one }
    if shared.ends.0.count < boundary.count { shared.matrix[1][2] = Self.zero }
    if shared.ends.1.count < other.boundary.count { shared.matrix[2][1] = Self.zero }
    return String(decoding: shared.matrix.joined(), as: UTF8.self)
  }

  private func compare(_ i: Int, _ j: Int, _ other: Linework, _ shared: inout Shared) {
    let (a, b) = (segments[i], other.segments[j])
    let (from, to) = (a.turn(b.from), a.turn(b.to))
    if from == 0, to == 0 {
      let (low, high) = (
        max(a.span.lowerBound, a.along(b.from, b.to).lowerBound),
        min(a.span.upperBound, a.along(b.from, b.to).upperBound)
      )
      if low < high {
        shared.matrix[0][0] = Self.one
        shared.covered.0[i].append(low...high)
        shared.coveredCount &+= 1
        let span = b.along(a.from, a.to)
        shared.covered.1[j].append(max(b.span.lowerBound, span.lowerBound)...min(b.span.upperBound, span.upperBound))
      }
    }
    for point in [b.from, b.to] where a.turn(point) == 0 && a.holds(point) { add(point, other, &shared) }
    for point in [a.from, a.to] where b.turn(point) == 0 && b.holds(point) { add(point, other, &shared) }
    guard from &* to < 0, shared.matrix[0][0] == Self.F, b.turn(a.from) &* b.turn(a.to) < 0 else { return }
    // Where two segments cross, a third one may end.
    let isEnd = { (place: SIMD2<Double>) in
      let end = Point(x: place.x, y: place.y)
      return a.turn(end) == 0 && b.turn(end) == 0
    }
    if !boundary.contains(where: isEnd), !other.boundary.contains(where: isEnd) { shared.matrix[0][0] = Self.zero }
  }

  /// A vertex of one polyline that lies on the other.
  private func add(_ point: Point, _ other: Linework, _ shared: inout Shared) {
    let place = Self.place(point)
    let (isEnd, isOtherEnd) = (boundary.contains(place), other.boundary.contains(place))
    if isEnd { shared.ends.0.insert(place) }
    if isOtherEnd { shared.ends.1.insert(place) }
    let (row, column) = (isEnd ? 1 : 0, isOtherEnd ? 1 : 0)
    if shared.matrix[row][column] == Self.F { shared.matrix[row][column] = Self.zero }
  }

  /// Whether something of a segment is not covered.
  private static func isOpen(_ segments: [Segment], _ covered: [[ClosedRange<Double>]]) -> Bool {
    for (segment, spans) in zip(segments, covered) {
      var end = segment.span.lowerBound
      for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if span.lowerBound > end { return true }
        end = max(end, span.upperBound)
      }
      if end < segment.span.upperBound { return true }
    }
    return false
  }

  /// Whether a predicate holds for two lines with this matrix.
  static func holds(_ predicate: Predicate, _ matrix: String) -> Bool {
    let patterns =
      switch predicate {
      case .equals: ["T*F**FFF*"]
      case .disjoint: ["FF*FF****"]
      case .intersects: ["T********", "*T*******", "***T*****", "****T****"]
      case .touches: ["FT*******", "F**T*****", "F***T****"]
      case .crosses: ["0********"]
      case .within: ["T*F**F***"]
      case .contains: ["T*****FF*"]
      case .overlaps: ["1*T***T**"]
      case .covers: ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"]
      case .coveredBy: ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"]
      }
    return patterns.contains { matches($0, matrix) }
  }

  /// Whether a matrix matches a pattern of 0, 1, 2, T, F and *.
  static func matches(_ pattern: String, _ matrix: String) -> Bool {
    zip(pattern.utf8, matrix.utf8).allSatisfy { wanted, found in
      switch wanted {
      case UInt8(ascii: "*"): true
      case UInt8(ascii: "T"): found != F
      default: wanted == found
      }
    }
  }
}

extension Linework.Segment {
  /// Two points' places along the segment.
  fileprivate func along(_ a: Point, _ b: Point) -> ClosedRange<Double> {
    min(along(a), along(b))...max(along(a), along(b))
  }
}

/// On which side of a line a point lies, without rounding: for coordinates of 1e-100 to 1e100 in size, and 0.
enum ExactTurn {
  /// The error of the product of two such may be below what a double holds, and would be lost.
  static func isTooSmall(_ coordinate: Double) -> Bool { coordinate != 0 && coordinate.magnitude < 1e-100 }

  /// 1 if `c` lies to the left of the line from `a` to `b`, -1 to the right.
  static func sign(_ a: Point, _ b: Point, _ c: Point) -> Int {
    let (left, right) = ((a.x - c.x) * (b.y - c.y), (a.y - c.y) * (b.x - c.x))
    let cross = left - right
    // Shewchuk's bound. What underflows is not told by it.
    if cross.magnitude > 4e-16 * (left.magnitude + right.magnitude), cross.magnitude > 1e-280 {
      return cross > 0 ? 1 : -1
    }
    var sum: [Double] = []
    for (x, y) in [(a.x, b.y), (-a.y, b.x), (b.x, c.y), (-b.y, c.x), (c.x, a.y), (-c.y, a.x)] {
      let product = DoubleDouble.product(x, y)
      add(product.low, to: &sum)
      add(product.high, to: &sum)
    }
    // Of parts that do not overlap, the largest one decides.
    guard let largest = sum.last(where: { $0 != 0 }) else { return 0 }
    return largest > 0 ? 1 : -1
  }

  /// Adds a number to an expansion: parts that do not overlap, the smallest first.
  private static func add(_ value: Double, to sum: inout [Double]) {
    var rest = value
    for index in sum.indices {
      let both = DoubleDouble.sum(rest, sum[index])
      (sum[index], rest) = (both.low, both.high)
    }
    sum.append(rest)
  }
}
