import AlidadeBase
import AlidadeCoordinates

/// The faces of an arrangement, or of some of its lines: each a ring around it, and rings around what lies in it.
struct LineFaces {
  struct Ring {
    /// In the order in which they are gone through, the face to the left.
    var halves: [Int]
    var box: Envelope
    /// Positive for the ring around a face.
    var area: Double
    /// For a ring around what lies in a face: the ring around that face; -1 where that reaches to infinity.
    var parent = -1
  }

  let arrangement: LineArrangement
  private(set) var rings: [Ring] = []
  /// The ring of each half; -1 if it belongs to no ring.
  private(set) var ringOfHalf: [Int] = []
  /// The rings in each ring's face.
  private(set) var holes: [[Int]] = []
  private let rows: SegmentRows

  init(_ arrangement: LineArrangement, _ isUsed: (Int) -> Bool) {
    self.arrangement = arrangement
    let next = arrangement.successors(isUsed)
    ringOfHalf = [Int](repeating: -1, count: next.count)
    for start in next.indices where next[start] >= 0 && ringOfHalf[start] < 0 {
      var (halves, half) = ([Int](), start)
      repeat {
        ringOfHalf[half] = rings.count
        halves.append(half)
        half = Int(truncatingIfNeeded: next[half])
      } while half >= 0 && ringOfHalf[half] < 0
      rings.append(Self.ring(halves, arrangement))
    }
    holes = [[Int]](repeating: [], count: rings.count)
    rows = SegmentRows(arrangement.lines, next)
    place(arrangement.components(next))
  }

  private static func ring(_ halves: [Int], _ arrangement: LineArrangement) -> Ring {
    let origin = arrangement.points(halves[0])[0]
    var box = Envelope(xMin: origin.x, yMin: origin.y, xMax: origin.x, yMax: origin.y)
    var area = 0.0
    for half in halves {
      let line = arrangement.lines[half / 2]
      var part = 0.0
      for (a, b) in zip(line, line.dropFirst()) {
        part += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
        box.xMin = min(box.xMin, b.x, a.x)
        box.xMax = max(box.xMax, b.x, a.x)
        box.yMin = min(box.yMin, b.y, a.y)
        box.yMax = max(box.yMax, b.y, a.y)
      }
      area += half & 1 == 0 ? part : -part
    }
    return Ring(halves: halves, box: box, area: area / 2)
  }

  /// Finds the faces that rings lie in: westwards of their westernmost points.
  private mutating func place(_ components: [Int]) {
    let inner = rings.indices.filter { !(rings[$0].area > 0) }
    for number in inner.sorted(by: { rings[$0].box.xMin < rings[$1].box.xMin }) {
      let own = components[arrangement.origin(rings[number].halves[0])]
      guard let west = westernmost(number) else { continue }
      let found = rows.first(westOf: west) { components[arrangement.origin(2 &* $0)] != own }
      guard let found else { continue }
      let ring = ringOfHalf[found]
      let parent = rings[ring].area > 0 ? ring : rings[ring].parent
      rings[number].parent = parent
      if parent >= 0 { holes[parent].append(number) }
    }
  }

  private func westernmost(_ number: Int) -> Point? {
    for half in rings[number].halves {
      for point in arrangement.lines[half / 2] where point.x == rings[number].box.xMin { return point }
    }
    return nil
  }

  /// The ring around the face that holds a point; nil where that reaches to infinity.
  func face(at point: Point) -> Int? {
    guard let half = rows.first(westOf: point, { _ in true }) else { return nil }
    let ring = ringOfHalf[half]
    let parent = rings[ring].area > 0 ? ring : rings[ring].parent
    return parent >= 0 ? parent : nil
  }

  /// The ring around the face to the left of a half; nil where that reaches to infinity.
  func face(leftOf half: Int) -> Int? {
    let ring = ringOfHalf[half]
    guard ring >= 0 else { return nil }
    let parent = rings[ring].area > 0 ? ring : rings[ring].parent
    return parent >= 0 ? parent : nil
  }

  /// A point inside the face of a ring: in the middle of the widest stretch about half way up.
  func inside(_ number: Int) -> Point {
    let box = rings[number].box
    let middle = box.yMin + (box.yMax - box.yMin) / 2
    var (low, high) = (box.yMin, box.yMax)
    let all = [number] + holes[number]
    for half in all.flatMap({ rings[$0].halves }) {
      for point in arrangement.lines[half / 2] {
        if point.y <= middle { low = max(low, point.y) } else { high = min(high, point.y) }
      }
    }
    let y = low + (high - low) / 2
    var crossings: [Double] = []
    for half in all.flatMap({ rings[$0].halves }) {
      let line = arrangement.lines[half / 2]
      for (a, b) in zip(line, line.dropFirst()) where (a.y > y) != (b.y > y) {
        crossings.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
      }
    }
    crossings.sort()
    var best = (width: -1.0, x: box.xMin + (box.xMax - box.xMin) / 2)
    for index in stride(from: 0, to: crossings.count &- 1, by: 2) {
      let width = crossings[index &+ 1] - crossings[index]
      if width > best.width { best = (width, crossings[index] + width / 2) }
    }
    return Point(x: best.x, y: y)
  }

  // MARK: Polygons

  /// The faces of some rings as polygons: rings that touch themselves in points are taken apart there.
  func polygons(_ isWanted: (Ring) -> Bool) -> [[[Point]]] {
    var polygons: [[[Point]]] = []
    for (number, ring) in rings.enumerated() where ring.area > 0 && isWanted(ring) {
      var (shells, inner) = ([[Point]](), [[Point]]())
      for loop in ([number] + holes[number]).flatMap({ loops(rings[$0].halves) }) {
        if EarthRegion.signedArea(loop) > 0 { shells.append(loop) } else { inner.append(loop) }
      }
      guard let shell = shells.first else { continue }
      polygons.append([shell] + inner)
    }
    return polygons
  }

  /// A ring cut into such as come by no point twice.
  private func loops(_ halves: [Int]) -> [[Point]] {
    var (loops, open) = ([[Point]](), [Int]())
    var depths: [Int: Int] = [:]
    for half in halves {
      let node = arrangement.origin(half)
      if let depth = depths[node] {
        loops.append(points(open[depth...]))
        for other in open[(depth &+ 1)...] { depths[arrangement.origin(other)] = nil }
        open.removeSubrange(depth...)
      }
      depths[node] = open.count
      open.append(half)
    }
    if !open.isEmpty { loops.append(points(open[...])) }
    return loops
  }

  private func points(_ halves: ArraySlice<Int>) -> [Point] {
    var ring: [Point] = []
    for half in halves { ring += arrangement.points(half).dropLast() }
    return ring + ring.prefix(1)
  }
}

/// Segments of lines by the rows of the plane that they cross.
private struct SegmentRows {
  private struct Entry {
    var line: Int32
    var segment: Int32
  }

  private let lines: [[Point]]
  private var offsets: [Int] = [0]
  private var entries: [Entry] = []
  private var south = 0.0
  private var height = 1.0
  private var rowCount = 0

  /// - Parameter next: the next line; -1 for a line that does not count.
  init(_ lines: [[Point]], _ next: [Int32]) {
    self.lines = lines
    let used = lines.indices.filter { next[2 &* $0] >= 0 }
    var (low, high, count) = (Double.infinity, -Double.infinity, 0)
    for line in used {
      for point in lines[line] { (low, high) = (min(low, point.y), max(high, point.y)) }
      count &+= lines[line].count &- 1
    }
    guard count > 0, low < high else { return }
    let rows = min(4096, count / 8 &+ 1)
    (south, height) = (low, (high - low) / Double(rows))
    rowCount = rows
    var counts = [Int](repeating: 0, count: rows &+ 1)
    for line in used { forEachRow(line) { row, _ in counts[row &+ 1] &+= 1 } }
    for row in 0..<rows { counts[row &+ 1] &+= counts[row] }
    offsets = counts
    var places = [Entry](repeating: Entry(line: 0, segment: 0), count: counts[rows])
    for line in used {
      forEachRow(line) { row, segment in
        places[counts[row]] = Entry(line: Int32(truncatingIfNeeded: line), segment: segment)
        counts[row] &+= 1
      }
    }
    entries = places
  }

  private func row(_ y: Double) -> Int {
    Int(exactly: min(Double(max(0, rowCount &- 1)), max(0, ((y - south) / height).rounded(.down)))) ?? 0
  }

  private func forEachRow(_ line: Int, _ body: (Int, Int32) -> Void) {
    let points = lines[line]
    for index in 0..<(points.count &- 1) {
      let (a, b) = (points[index].y, points[index &+ 1].y)
      if a == b { continue }
      for row in row(min(a, b))...row(max(a, b)) { body(row, Int32(truncatingIfNeeded: index)) }
    }
  }

  /// The half whose left side a ray westwards from a point comes to first, of lines that count; nil if there is none.
  func first(westOf point: Point, _ counts: (Int) -> Bool) -> Int? {
    guard offsets.count > 1 else { return nil }
    var (best, half) = (-Double.infinity, -1)
    let row = row(point.y)
    for entry in entries[offsets[row]..<offsets[row &+ 1]] {
      let (line, index) = (Int(truncatingIfNeeded: entry.line), Int(truncatingIfNeeded: entry.segment))
      let (a, b) = (lines[line][index], lines[line][index &+ 1])
      guard (a.y > point.y) != (b.y > point.y) else { continue }
      let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
      guard x < point.x, x > best, counts(line) else { continue }
      best = x
      // Downwards the left side is in the east.
      half = 2 &* line &+ (a.y > b.y ? 0 : 1)
    }
    return half >= 0 ? half : nil
  }
}

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
