import AlidadeBase
import AlidadeCoordinates
import Glibc

/// Places on an ellipsoid as unit vectors of their parametric latitudes.
///
/// Between two places the angle is at least their distance divided by the greater semi-axis and at most divided by the
/// smaller one: along each meridian and parallel the sphere is the ellipsoid shrunk by a factor between the two.
struct ParametricSphere {
  private let ratio: Double
  /// Metres per radian, at most and at least.
  let greatest: Double
  let smallest: Double

  init(_ ellipsoid: ReferenceEllipsoid) {
    ratio = 1 - ellipsoid.flattening
    greatest = max(ellipsoid.semiMajorAxis, ellipsoid.semiMinorAxis)
    smallest = min(ellipsoid.semiMajorAxis, ellipsoid.semiMinorAxis)
  }

  func vector(_ place: Point) -> Vector {
    let (sine, cosine) = Earth.sineAndCosine(place.y)
    let (east, front) = Earth.sineAndCosine(place.x)
    let size = hypot(cosine, ratio * sine)
    return Vector(cosine * front, cosine * east, ratio * sine) / size
  }

  func place(_ vector: Vector) -> Point {
    Point(
      x: atan2(vector.y, vector.x) * Earth.degrees,
      y: atan2(vector.z, ratio * hypot(vector.x, vector.y)) * Earth.degrees)
  }

  private static func angle(_ a: Vector, _ b: Vector) -> Double { 2 * asin(min(1, (a - b).length / 2)) }

  /// Two places are no farther apart than this.
  func upperBound(_ a: Vector, _ b: Vector) -> Double { greatest * Self.angle(a, b) * (1 + 1e-14) + 1e-8 }
  /// And no nearer.
  func lowerBound(_ a: Vector, _ b: Vector) -> Double { smallest * Self.angle(a, b) * (1 - 1e-14) - 1e-8 }
}

/// A disc on the ellipsoid: all within a distance in metres of a place.
struct EarthDisc {
  var vector: Vector
  var radius: Double
}

/// Discs within discs, for finding what is near.
struct BallTree {
  struct Node {
    var disc: EarthDisc
    /// Of the items, in the tree's order.
    var items: Range<Int>
    /// The two halves; 0 at a leaf.
    var first = 0
    var second = 0

    var isLeaf: Bool { first == 0 }
  }

  private(set) var nodes: [Node] = []
  /// The items in the tree's order.
  private(set) var order: [Int]
  private let discs: [EarthDisc]
  private let sphere: ParametricSphere

  private static let leafSize = 4

  init(_ discs: [EarthDisc], _ sphere: ParametricSphere) throws(EngineError) {
    self.discs = discs
    self.sphere = sphere
    order = Array(discs.indices)
    if !discs.isEmpty { _ = try build(order.indices) }
  }

  private mutating func build(_ items: Range<Int>) throws(EngineError) -> Int {
    if items.count > 64 { try TimeLimit.check() }
    var (low, high) = (Vector(repeating: .infinity), Vector(repeating: -.infinity))
    var sum = Vector.zero
    for item in items {
      let vector = discs[order[item]].vector
      low = pointwiseMin(low, vector)
      high = pointwiseMax(high, vector)
      sum += vector
    }
    // All around the sphere the mean may be its centre, and any place does.
    let centre = sum.length > 1e-3 * Double(items.count) ? sum / sum.length : discs[order[items.lowerBound]].vector
    let radius = items.reduce(0) { radius, item in
      let disc = discs[order[item]]
      return max(radius, sphere.upperBound(centre, disc.vector) + disc.radius)
    }
    let number = nodes.count
    nodes.append(Node(disc: EarthDisc(vector: centre, radius: radius), items: items))
    guard items.count > Self.leafSize else { return number }
    let size = high - low
    let axis = size.x >= max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2
    let middle = items.lowerBound &+ items.count / 2
    split(items, at: middle, axis)
    nodes[number].first = try build(items.lowerBound..<middle)
    nodes[number].second = try build(middle..<items.upperBound)
    return number
  }

  /// Puts the items with the smaller coordinates before a position (Hoare's selection).
  private mutating func split(_ items: Range<Int>, at middle: Int, _ axis: Int) {
    func key(_ index: Int) -> Double { discs[order[index]].vector[axis] }
    var (low, high) = (items.lowerBound, items.upperBound &- 1)
    while low < high {
      // The median of three keeps sorted input from taking long.
      let (a, b, c) = (key(low), key(low &+ (high &- low) / 2), key(high))
      let pivot = max(min(a, b), min(max(a, b), c))
      var (i, j) = (low, high)
      while i <= j {
        while key(i) < pivot { i = i &+ 1 }
        while key(j) > pivot { j = j &- 1 }
        if i <= j {
          order.swapAt(i, j)
          i = i &+ 1
          j = j &- 1
        }
      }
      if middle <= j { high = j } else if middle >= i { low = i } else { return }
    }
  }
}
