import AlidadeBase
import Glibc

/// The lines along which the image of a box is torn: the seam of a target that does not wrap around, the sides of the
/// lobes of an interrupted projection, the limb of a globe.
///
/// They are followed from cell to cell of the grid inside the box. Both of their sides belong to the border of the image.
struct ImageCuts {
  /// Where a cut passes between two neighbours of the grid.
  private struct Crossing {
    /// The last points on both sides.
    var sides: [BoxSample]
    /// The crossings on other sides of the same cells.
    var links: [Int] = []

    var place: Point { sides[0].place }
  }

  private let images: BoxImages
  /// The size of the whole image, against which jumps are measured.
  private let size: Point
  /// Jumps count; otherwise only breaks do, as in a world that repeats itself.
  private let jumps: Bool
  private var crossings: [Crossing] = []

  var isEmpty: Bool { crossings.isEmpty }

  init(of grid: [BoxSample], _ images: BoxImages, size: Point, jumps: Bool) throws(EngineError) {
    (self.images, self.size, self.jumps) = (images, size, jumps)
    guard images.hasExtent else { return }
    let row = BoxImages.cells &+ 1
    // The crossing that follows each point of the grid, to the right and upwards.
    var (right, up) = ([Int: Int](), [Int: Int]())
    for line in 0..<row {
      for point in torn(grid, from: line &* row, by: 1) { right[point] = try note(grid[point], grid[point &+ 1]) }
      for point in torn(grid, from: line, by: row) { up[point] = try note(grid[point], grid[point &+ row]) }
    }
    guard !isEmpty else { return }
    for index in 0..<(grid.count &- row) where index % row != row &- 1 {
      let around = [right[index], up[index], right[index &+ row], up[index &+ 1]].compactMap { $0 }
      for crossing in around { crossings[crossing].links += around.filter { $0 != crossing } }
    }
  }

  /// The points of cuts that may lie beyond the best value so far.
  func peaks(_ side: ExtremeSearch.Side, _ best: Double) throws(EngineError) -> [BoxSample] {
    func value(_ sides: [BoxSample]) -> Double {
      sides.map { side.value($0.image) }.filter { !$0.isNaN }.max() ?? -.infinity
    }
    let values = crossings.map { value($0.sides) }
    let known = max(best, values.max() ?? best)
    // What lies less far beyond is rounding.
    let least = known + 1e-10 * (side == .left || side == .right ? size.x : size.y)
    let tops = crossings.indices.filter { index in
      let around = crossings[index].links.map { values[$0] }
      let drop = values[index] - (around.min() ?? values[index])
      return around.allSatisfy { $0 <= values[index] } && values[index] + 2 * drop > least
    }
    var found = crossings.flatMap(\.sides)
    for top in tops.sorted(by: { values[$0] > values[$1] }).prefix(Self.closeLooks) {
      let start = crossings[top].place
      var ways = crossings[top].links.map { (to: crossings[$0].place, end: 1.0) }
      // Where a cut ends, it goes on for a part of the last cell.
      if ways.count == 1 { ways.append((ways[0].to, -2 / max(0.1, length(start, ways[0].to)))) }
      for way in ways {
        let peak = try climb(from: 0, over: (0, values[top]), to: way.end, resolution: 1e-10) {
          (t) throws(EngineError) in value(try cut(at: t, start, way.to))
        }
        found += try cut(at: peak.place, start, way.to)
      }
    }
    return found
  }

  /// At most this many points of cuts are examined closely, for each side.
  private static let closeLooks = 16

  // MARK: Jumps

  private mutating func note(_ a: BoxSample, _ b: BoxSample) throws(EngineError) -> Int? {
    guard let sides = try tear(a, b) else { return nil }
    crossings.append(Crossing(sides: sides))
    return crossings.count &- 1
  }

  /// The points of a line of the grid after which the image breaks off or goes much further than before or afterwards.
  private func torn(_ grid: [BoxSample], from first: Int, by step: Int) -> [Int] {
    var found: [Int] = []
    var (point, before) = (first, Double.infinity)
    var here = distance(grid[first], grid[first &+ step])
    for index in 1...BoxImages.cells {
      let next = point &+ step
      let after = index < BoxImages.cells ? distance(grid[next], grid[next &+ step]) : .infinity
      if here > Self.smallestJump, here == .infinity || here > 3 * min(before, after) { found.append(point) }
      (point, before, here) = (next, here, after)
    }
    return found
  }

  /// As a part of the whole image.
  private static let smallestJump = 1e-7

  /// How far apart two images are, as a part of the whole image; infinite if only one of them exists.
  private func distance(_ a: BoxSample, _ b: BoxSample) -> Double {
    if a.isProjected != b.isProjected { return .infinity }
    guard jumps, a.isProjected else { return 0 }
    return max((a.image.x - b.image.x).magnitude / size.x, (a.image.y - b.image.y).magnitude / size.y)
  }

  /// The last points on the two sides of a cut between two points; nil if the image is in one piece there.
  private func tear(_ start: BoxSample, _ end: BoxSample) throws(EngineError) -> [BoxSample]? {
    var (a, b) = (start, end)
    for _ in 0..<64 {
      let middle = try images.sample(Point(x: (a.place.x + b.place.x) / 2, y: (a.place.y + b.place.y) / 2))
      guard middle.place != a.place, middle.place != b.place else { break }
      // The cut is where the image goes further.
      if distance(a, middle) > distance(middle, b) { b = middle } else { a = middle }
    }
    return distance(a, b) > Self.smallestJump ? [a, b] : nil
  }

  // MARK: Along a cut

  private var cell: Point {
    Point(
      x: (images.box.xMax - images.box.xMin) / Double(BoxImages.cells),
      y: (images.box.yMax - images.box.yMin) / Double(BoxImages.cells))
  }

  /// In cells.
  private func length(_ a: Point, _ b: Point) -> Double { hypot((b.x - a.x) / cell.x, (b.y - a.y) / cell.y) }

  /// The two sides of a cut at a part of the way from one of its points to another; none if it is not there.
  private func cut(at t: Double, _ start: Point, _ end: Point) throws(EngineError) -> [BoxSample] {
    let (box, cell, length) = (images.box, cell, length(start, end))
    let middle = BoxImages.point(at: t, (start, end))
    guard length > 0, middle.x >= box.xMin, middle.x <= box.xMax, middle.y >= box.yMin, middle.y <= box.yMax
    else { return [] }
    // A quarter of a cell to both sides; where it bends more, a cell.
    for reach in [0.25, 1] {
      let x = (end.y - start.y) / cell.y / length * reach * cell.x
      let y = (end.x - start.x) / cell.x / length * reach * cell.y
      let ends = try [(x, -y), (-x, y)].map { (dx, dy) throws(EngineError) in
        try images.sample(
          Point(
            x: min(max(middle.x + dx, box.xMin), box.xMax), y: min(max(middle.y + dy, box.yMin), box.yMax)))
      }
      if let sides = try tear(ends[0], ends[1]) { return sides }
    }
    return []
  }
}
