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
  /// Of each half; -1 for those of no ring.
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

  /// - Parameter next: those of lines that do not count are -1.
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
