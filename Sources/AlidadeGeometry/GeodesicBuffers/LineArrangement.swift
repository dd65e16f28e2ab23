import AlidadeBase
import AlidadeCoordinates

/// Lines that meet in their ends alone, and what they cut the plane into.
///
/// Each line has two halves, one for each direction: 2i runs as the line of number i does, 2i + 1 against it. A half
/// belongs to the face on its left.
struct LineArrangement {
  let lines: [[Point]]
  /// The node where a half begins.
  private var origins: [Int32] = []
  private let nodeCount: Int
  /// Exact: 1 where the third point lies to the left of the line through the first two, -1 to the right.
  private let orientation: (Point, Point, Point) -> Int32

  /// - Parameter lines: each of at least two points, none twice.
  init(_ lines: [[Point]], orientation: @escaping (Point, Point, Point) -> Int32) {
    self.lines = lines.filter { $0.count > 1 }
    self.orientation = orientation
    var numbers: [SIMD2<Double>: Int32] = [:]
    numbers.reserveCapacity(self.lines.count)
    origins.reserveCapacity(2 &* self.lines.count)
    for line in self.lines {
      for end in [line[0], line[line.count &- 1]] {
        let place = SIMD2(end.x, end.y)
        let number = numbers[place] ?? Int32(truncatingIfNeeded: numbers.count)
        numbers[place] = number
        origins.append(number)
      }
    }
    nodeCount = numbers.count
  }

  func origin(_ half: Int) -> Int { Int(truncatingIfNeeded: origins[half]) }

  /// The points of a half from its beginning on.
  func points(_ half: Int) -> [Point] { half & 1 == 0 ? lines[half / 2] : lines[half / 2].reversed() }

  /// The first two points of a half.
  private func start(_ half: Int) -> (Point, Point) {
    let line = lines[half / 2]
    return half & 1 == 0 ? (line[0], line[1]) : (line[line.count &- 1], line[line.count &- 2])
  }

  // MARK: Rings

  /// The half that follows each around the face to its left; -1 for lines that are not used, or lead nowhere.
  func successors(_ isUsed: (Int) -> Bool) -> [Int32] {
    var used = lines.indices.map(isUsed)
    var leaving = leaving(used)
    removeDangles(&used, leaving)
    leaving = self.leaving(used)
    var next = [Int32](repeating: -1, count: origins.count)
    for node in 0..<nodeCount {
      let range = leaving.offsets[node]..<leaving.offsets[node &+ 1]
      if range.isEmpty { continue }
      let halves = counterclockwise(leaving.halves[range])
      // Arriving against one of them, the way on with the face to the left is the next one clockwise.
      for (index, half) in halves.enumerated() {
        next[half ^ 1] = Int32(truncatingIfNeeded: halves[index > 0 ? index &- 1 : halves.count &- 1])
      }
    }
    return next
  }

  /// The halves that leave each node.
  private func leaving(_ used: [Bool]) -> (offsets: [Int], halves: [Int]) {
    var offsets = [Int](repeating: 0, count: nodeCount &+ 1)
    for half in origins.indices where used[half / 2] { offsets[origin(half) &+ 1] &+= 1 }
    for node in 0..<nodeCount { offsets[node &+ 1] &+= offsets[node] }
    var halves = [Int](repeating: 0, count: offsets[nodeCount])
    var places = offsets
    for half in origins.indices where used[half / 2] {
      halves[places[origin(half)]] = half
      places[origin(half)] &+= 1
    }
    return (offsets, halves)
  }

  /// Lines with a free end bound nothing.
  private func removeDangles(_ used: inout [Bool], _ leaving: (offsets: [Int], halves: [Int])) {
    var degrees = (0..<nodeCount).map { leaving.offsets[$0 &+ 1] &- leaving.offsets[$0] }
    var open = (0..<nodeCount).filter { degrees[$0] == 1 }
    while let node = open.popLast() {
      guard degrees[node] == 1 else { continue }
      for half in leaving.halves[leaving.offsets[node]..<leaving.offsets[node &+ 1]] where used[half / 2] {
        used[half / 2] = false
        let other = origin(half ^ 1)
        degrees[node] &-= 1
        degrees[other] &-= 1
        if degrees[other] == 1 { open.append(other) }
      }
    }
  }

  private func counterclockwise(_ halves: ArraySlice<Int>) -> [Int] {
    if halves.count < 3 { return Array(halves) }
    return halves.sorted { first, second in
      let ((centre, a), (_, b)) = (start(first), start(second))
      let (isLower, isOtherLower) = (Self.isLower(centre, a), Self.isLower(centre, b))
      if isLower != isOtherLower { return isOtherLower }
      let (left, right) = ((a.x - centre.x) * (b.y - centre.y), (a.y - centre.y) * (b.x - centre.x))
      let cross = left - right
      // Shewchuk's bound of the rounding.
      if cross.magnitude > 4e-16 * (left.magnitude + right.magnitude) { return cross > 0 }
      return orientation(centre, a, b) > 0
    }
  }

  /// Directions from 180 to 360 degrees.
  private static func isLower(_ centre: Point, _ point: Point) -> Bool {
    point.y < centre.y || (point.y == centre.y && point.x < centre.x)
  }

  /// Which nodes hang together by lines with a successor.
  func components(_ next: [Int32]) -> [Int] {
    var parents = Array(0..<nodeCount)
    func root(_ node: Int) -> Int {
      var node = node
      while parents[node] != node {
        parents[node] = parents[parents[node]]
        node = parents[node]
      }
      return node
    }
    for line in lines.indices where next[2 &* line] >= 0 {
      parents[root(origin(2 &* line))] = root(origin(2 &* line &+ 1))
    }
    return (0..<nodeCount).map(root)
  }
}
