import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc

/// Circles for a test.
struct Circles: CustomStringConvertible {
  var centres: [Point] = []
  var radii: [Double] = []

  init(_ list: [(x: Double, y: Double, radius: Double)] = []) {
    for circle in list { add(circle.x, circle.y, circle.radius) }
  }

  mutating func add(_ x: Double, _ y: Double, _ radius: Double) {
    centres.append(Point(x: x, y: y))
    radii.append(radius)
  }

  func boundary(_ workers: Workers = Workers(threadCount: 1)) throws(EngineError) -> CircleBoundary {
    // Nothing that throws may be called in closures of the standard library without losing the type of the error.
    let result = centres.withUnsafeBufferPointer { centres in
      radii.withUnsafeBufferPointer { radii in
        Result { () throws(EngineError) in
          try CircleUnion.boundary(centres: centres, radii: radii, workers: workers)
        }
      }
    }
    return try result.get()
  }

  func polygons(
    _ resolution: ArcResolution, _ workers: Workers = Workers(threadCount: 1)
  ) throws(EngineError) -> CirclePolygons { try boundary(workers).polygons(resolution, workers: workers) }

  /// How far a point lies inside of the union, negative outside: of the circle that holds it best.
  func depth(_ point: Point) -> Double {
    // Plain loops here and below: a debug build takes microseconds for each step of a sequence of pairs.
    var best = -Double.infinity
    var index = 0
    while index < centres.count {
      let (x, y) = (point.x - centres[index].x, point.y - centres[index].y)
      if radii[index] > 0 { best = max(best, radii[index] - (x * x + y * y).squareRoot()) }
      index += 1
    }
    return best
  }

  var description: String {
    zip(centres, radii).map { "(\($0.x), \($0.y), \($1))" }.joined(separator: ", ")
  }
}

extension CirclePolygons {
  func ring(_ index: Int) -> Slice<UnsafeBufferPointer<Point>> { vertices[ringOffsets[index]..<ringOffsets[index + 1]] }

  func rings(of polygon: Int) -> Range<Int> { polygonOffsets[polygon]..<polygonOffsets[polygon + 1] }

  /// The area within, by the shoelace formula from each ring's first vertex.
  var area: Double { (0..<ringCount).reduce(0) { $0 + Self.area(ring($1)) } }

  static func area(_ ring: Slice<UnsafeBufferPointer<Point>>) -> Double {
    let points = UnsafeBufferPointer(rebasing: ring)
    guard let first = points.first else { return 0 }
    var area = 0.0
    var index = 1
    while index < points.count {
      let (a, b) = (points[index - 1], points[index])
      area += 0.5 * ((a.x - first.x) * (b.y - first.y) - (b.x - first.x) * (a.y - first.y))
      index += 1
    }
    return area
  }

  func length(ofRing number: Int) -> Double {
    zip(ring(number), ring(number).dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
  }

  /// How often rings go round a point counterclockwise: 1 within a polygon, 0 outside and in holes.
  func turns(round point: Point) -> Int {
    var turns = 0
    for ring in 0..<ringCount {
      var index = ringOffsets[ring] + 1
      var a = vertices[index - 1]
      while index < ringOffsets[ring + 1] {
        let b = vertices[index]
        if (a.y > point.y) != (b.y > point.y) {
          let side = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
          if b.y > a.y, side > 0 { turns += 1 }
          if b.y <= a.y, side < 0 { turns -= 1 }
        }
        a = b
        index += 1
      }
    }
    return turns
  }
}

/// Numbers that are the same in each run.
struct Numbers {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }
}
