/// The inside of a ring that may cross itself, by the even-odd rule, cut into strips of equal height. An area is right
/// to what the ring's edges deviate from upright within a strip: about a thousandth.
struct AreaStrips {
  private static let count = 2048
  private let bottom: Double
  private let height: Double
  /// For each strip, from the bottom up, where its middle line goes in and out, in pairs.
  private var crossings: [[Double]]
  private(set) var area = 0.0

  /// - Parameter ring: in a plane of longitudes in degrees, where equal areas are equal; closed without repeating the
  ///   first point.
  init(_ ring: [Point]) {
    let ys = ring.map(\.y)
    bottom = ys.min() ?? 0
    height = ((ys.max() ?? 0) - bottom) / Double(Self.count)
    crossings = [[Double]](repeating: [], count: Self.count)
    guard height > 0, var previous = ring.last else { return }
    for point in ring {
      cross(from: previous, to: point)
      previous = point
    }
    for index in crossings.indices {
      crossings[index].sort()
      for (start, end) in Self.pairs(crossings[index]) { area += (end - start) * height }
    }
  }

  /// Notes where an edge crosses the middle lines between its ends.
  private mutating func cross(from a: Point, to b: Point) {
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    let first = ((low.y - bottom) / height - 0.5).rounded(.up)
    let last = ((high.y - bottom) / height - 0.5).rounded(.up)
    guard let first = Int(exactly: max(0, first)), let last = Int(exactly: min(Double(Self.count), last)) else {
      return
    }
    // The lower end counts, the upper one does not: a vertex on a line is crossed once.
    for index in first..<max(first, last) {
      let y = bottom + (Double(index) + 0.5) * height
      crossings[index].append(low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y)))
    }
  }

  private static func pairs(_ crossings: [Double]) -> [(Double, Double)] {
    stride(from: 0, to: crossings.count &- 1, by: 2).map { (crossings[$0], crossings[$0 &+ 1]) }
  }

  /// How much of the inside lies in a box whose longitudes run on, or in the same box turns away; 0 to 1.
  func share(west: Double, south: Double, east: Double, north: Double) -> Double {
    guard area > 0 else { return 0 }
    var part = 0.0
    for (index, crossings) in crossings.enumerated() {
      let low = bottom + Double(index) * height
      let upright = min(north, low + height) - max(south, low)
      guard upright > 0 else { continue }
      for (start, end) in Self.pairs(crossings) {
        for turn in -2...2 {
          let shift = Double(turn) * 360
          part += upright * max(0, min(end, east + shift) - max(start, west + shift))
        }
      }
    }
    return min(1, part / area)
  }
}
