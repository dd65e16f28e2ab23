import AlidadeCoordinates
import Glibc

/// Pieces of geodesic lines as chords in three dimensions, in a tree of boxes, for what lies within a distance of any.
///
/// A chord in three dimensions is no longer than the geodesic over it, and by Schur's theorem no shorter than that of an
/// arc of the same length on the sphere of the greatest curvature.
struct OffsetIndex: Sendable {
  private struct Piece {
    var from: Vector
    var along: Vector
    /// One over the square of its length.
    var scale: Double
    var path: Int32
    var segment: Int32
  }

  private struct Node {
    var low: Vector
    var high: Vector
    var pieces: Range<Int32>
    /// The second child; the first one follows the node. 0 at a leaf.
    var second: Int32
  }

  private var pieces: [Piece] = []
  private var nodes: [Node] = []
  /// The radius of the sphere of the greatest curvature.
  private let radius: Double
  /// How far pieces lie from their chords, metres.
  private let sag: Double
  /// Chords of what is certainly inside, and certainly outside.
  private let inside: Double
  private let outside: Double

  private static let leafSize = 6
  private static let greatestCount = 2_000_000.0

  /// nil if it takes too many pieces.
  init?(_ paths: [OffsetPath]) {
    guard let first = paths.first else { return nil }
    let (distance, deviation) = (first.distance, first.maximumDeviation)
    let radius = first.geodesic.ellipsoid.leastRadius
    // Coarser pieces leave more to be decided by what is drawn, finer ones are more of them.
    let sag = max(deviation / 8, distance / 1000)
    self.radius = radius
    self.sag = sag
    let longest = (8 * radius * sag).squareRoot() * 0.99
    var count = 0.0
    for path in paths { for segment in path.segments { count += (segment.length / longest).rounded(.up) } }
    guard count <= Self.greatestCount else { return nil }
    pieces.reserveCapacity(Int(exactly: count) ?? 0)
    // For the rounding of positions.
    let slack = sag + 1e-6
    inside = Self.chord(distance - deviation, radius) - slack
    outside = distance + deviation + slack
    for (number, path) in paths.enumerated() { append(path, Int32(truncatingIfNeeded: number), longest) }
    guard !pieces.isEmpty, inside > 0 else { return nil }
    nodes.reserveCapacity(pieces.count)
    build(0..<pieces.count)
  }

  /// Of an arc of a sphere.
  private static func chord(_ length: Double, _ radius: Double) -> Double { 2 * radius * sin(length / (2 * radius)) }

  private mutating func append(_ path: OffsetPath, _ number: Int32, _ longest: Double) {
    for (index, segment) in path.segments.enumerated() {
      let next = index &+ 1 < path.nodes.count ? index &+ 1 : 0
      let end = path.earth.position(path.nodes[next].place)
      var from = path.earth.position(path.nodes[index].place)
      let count = (segment.length / longest).rounded(.up)
      let line = count > 1 ? path.geodesic.line(from: path.nodes[index].place, azimuth: segment.azimuth) : nil
      for part in 1...max(1, Int(exactly: count) ?? 1) {
        let share = Double(part) / count
        let to =
          line.map { share < 1 ? path.earth.position($0.position(at: segment.length * share).point) : end } ?? end
        let square = (to - from).dot(to - from)
        pieces.append(
          Piece(
            from: from, along: to - from, scale: square > 0 ? 1 / square : 0, path: number,
            segment: Int32(truncatingIfNeeded: index)))
        from = to
      }
    }
  }

  private mutating func build(_ range: Range<Int>) {
    var (low, high) = (Vector(repeating: .infinity), Vector(repeating: -.infinity))
    for piece in pieces[range] {
      low = pointwiseMin(low, pointwiseMin(piece.from, piece.from + piece.along))
      high = pointwiseMax(high, pointwiseMax(piece.from, piece.from + piece.along))
    }
    let number = nodes.count
    nodes.append(
      Node(
        low: low, high: high,
        pieces: Int32(truncatingIfNeeded: range.lowerBound)..<Int32(truncatingIfNeeded: range.upperBound), second: 0))
    guard range.count > Self.leafSize else { return }
    let size = high - low
    let axis = size.x >= max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2
    // Lines come in order, so that a sort mostly finds its work done.
    pieces[range].sort { 2 * $0.from[axis] + $0.along[axis] < 2 * $1.from[axis] + $1.along[axis] }
    let middle = range.lowerBound &+ range.count / 2
    build(range.lowerBound..<middle)
    nodes[number].second = Int32(truncatingIfNeeded: nodes.count)
    build(middle..<range.upperBound)
  }

  @inline(__always)
  private static func square(_ place: Vector, _ piece: Piece) -> Double {
    let away = place - piece.from
    let share = min(1, max(0, away.dot(piece.along) * piece.scale))
    let rest = away - share * piece.along
    return rest.dot(rest)
  }

  /// As pointwiseMax, which is a call.
  @inline(__always)
  private static func larger(_ a: Vector, _ b: Vector) -> Vector { a.replacing(with: b, where: b .> a) }

  /// Squares of the least and the greatest distance of a place from a box.
  @inline(__always)
  private static func bounds(_ place: Vector, _ node: Node) -> (least: Double, greatest: Double) {
    let (low, high) = (node.low - place, place - node.high)
    let outside = larger(larger(low, high), .zero)
    let farthest = larger(-low, -high)
    return (outside.dot(outside), farthest.dot(farthest))
  }

  /// Whether an edge lies so far inside that no outline of it shows.
  ///
  /// Distance from a chord is convex along a straight edge: what holds of both ends does between them.
  ///
  /// - Parameter bend: how far the edge is off from the straight line between its ends, metres.
  func covers(_ first: Vector, _ second: Vector, bend: Double) -> Bool {
    let limit = inside - bend
    guard limit > 0 else { return false }
    let square = limit * limit
    // Halves of halves of at most 2 million pieces wait at a time.
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { open in
      open[0] = 0
      var count = 1
      while count > 0 {
        count &-= 1
        let number = open[count]
        let node = nodes[Int(truncatingIfNeeded: number)]
        let (a, b) = (Self.bounds(first, node), Self.bounds(second, node))
        if max(a.least, b.least) > square { continue }
        if max(a.greatest, b.greatest) <= square { return true }
        if node.second != 0, count &+ 2 <= open.count {
          open[count] = node.second
          open[count &+ 1] = number &+ 1
          count &+= 2
          continue
        }
        for index in node.pieces {
          let piece = pieces[Int(truncatingIfNeeded: index)]
          if Self.square(first, piece) <= square, Self.square(second, piece) <= square { return true }
        }
      }
      return false
    }
  }

  enum Place {
    case inside
    case outside
    /// Within the deviation of the outline of these segments, the nearest first, or inside of it.
    case between([(path: Int, segment: Int)])
  }

  func place(_ position: Vector) -> Place {
    var near: [(square: Double, path: Int, segment: Int)] = []
    let (least, greatest) = (inside * inside, outside * outside)
    var open: [Int32] = [0]
    while let number = open.popLast() {
      let node = nodes[Int(truncatingIfNeeded: number)]
      let bounds = Self.bounds(position, node)
      if bounds.least > greatest { continue }
      if bounds.greatest <= least { return .inside }
      if node.second != 0 {
        open.append(node.second)
        open.append(number &+ 1)
        continue
      }
      for index in node.pieces {
        let piece = pieces[Int(truncatingIfNeeded: index)]
        let square = Self.square(position, piece)
        if square <= least { return .inside }
        guard square <= greatest else { continue }
        let (path, segment) = (Int(truncatingIfNeeded: piece.path), Int(truncatingIfNeeded: piece.segment))
        near.append((square, path, segment))
      }
    }
    if near.isEmpty { return .outside }
    near.sort { $0.square < $1.square }
    return .between(near.map { ($0.path, $0.segment) })
  }
}
