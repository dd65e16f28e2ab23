import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Glibc
import Testing

/// Unions whose areas, parts and vertices are known from formulas.
@Suite struct CircleUnionTests {
  private func isNear(_ a: Double, _ b: Double, _ tolerance: Double = 1e-12) -> Bool {
    abs(a - b) <= tolerance * max(1, abs(b))
  }

  /// The area that two unit circles share whose centres are `distance` apart.
  private func lens(_ distance: Double) -> Double {
    2 * acos(distance / 2) - 0.5 * distance * (4 - distance * distance).squareRoot()
  }

  @Test func oneCircle() throws {
    let boundary = try Circles([(3, 4, 2)]).boundary()
    #expect(boundary.polygonCount == 1 && boundary.ringCount == 1 && boundary.arcs.count == 1)
    #expect(isNear(boundary.area, 4 * .pi) && isNear(boundary.length, 4 * .pi))
    let polygons = try boundary.polygons(.quadrantSegments(1), workers: Workers(threadCount: 1))
    #expect(Array(polygons.vertices).map { [$0.x, $0.y] } == [[5, 4], [3, 6], [1, 4], [3, 2], [5, 4]])
  }

  @Test(arguments: [1e-6, 0.1, 1, 1.5, 1.999, 2 - 1e-9]) func twoCircles(distance: Double) throws {
    let boundary = try Circles([(0, 0, 1), (distance, 0, 1)]).boundary()
    #expect(boundary.polygonCount == 1 && boundary.ringCount == 1 && boundary.arcs.count == 2)
    #expect(isNear(boundary.area, 2 * .pi - lens(distance)))
    // Each shows all but the angle 2 acos(d / 2).
    #expect(isNear(boundary.length, 4 * (.pi - acos(distance / 2)), 1e-7))
  }

  @Test func threeCirclesAroundAHole() throws {
    // Centres in the corners of a triangle of side 1.9, which lies within the union but for the hole.
    let side = 1.9
    let circles = Circles([(0, 0, 1), (side, 0, 1), (side / 2, side * 0.75.squareRoot(), 1)])
    let boundary = try circles.boundary()
    #expect(boundary.polygonCount == 1 && boundary.ringCount == 2)
    // Nowhere do all three meet, so the areas add up.
    #expect(isNear(boundary.area, 3 * .pi - 3 * lens(side)))
  }

  @Test func threeCirclesThatShareAPart() throws {
    let side = 1.0
    let boundary = try Circles([(0, 0, 1), (side, 0, 1), (side / 2, 0.75.squareRoot(), 1)]).boundary()
    // All three share a Reuleaux triangle of width 1.
    let shared = 0.5 * (.pi - 3.0.squareRoot())
    #expect(boundary.ringCount == 1 && isNear(boundary.area, 3 * .pi - 3 * lens(side) + shared))
  }

  @Test(arguments: [3, 4, 7, 12, 100]) func ringOfCircles(count: Int) throws {
    // Neighbours overlap a little, and the others not: one polygon with one hole.
    let distance = 1.98
    let around = distance / 2 / sin(.pi / Double(count))
    var circles = Circles()
    for index in 0..<count {
      let angle = 2 * .pi * Double(index) / Double(count)
      circles.add(around * cos(angle), around * sin(angle), 1)
    }
    let boundary = try circles.boundary()
    #expect(boundary.polygonCount == 1 && boundary.ringCount == 2)
    #expect(isNear(boundary.area, Double(count) * (.pi - lens(distance)), 1e-11))
  }

  @Test func touchingCircles() throws {
    // From outside they are apart, and their polygons touch in one vertex.
    let outside = try Circles([(0, 0, 1), (2, 0, 1), (1, 1, 0.25)]).polygons(.quadrantSegments(8))
    #expect(outside.polygonCount == 3)
    #expect(Array(outside.vertices).filter { $0 == Point(x: 1, y: 0) }.count == 3, "once closes a ring")
    // From inside one adds nothing.
    let inside = try Circles([(0, 0, 1), (0.5, 0, 0.5), (0, -0.75, 0.25)]).boundary()
    #expect(inside.arcs.count == 1 && isNear(inside.area, .pi))
  }

  @Test func fourCirclesThroughOnePoint() throws {
    // All pass through the origin, exactly, and leave no hole there.
    let boundary = try Circles([(3, 4, 5), (-3, 4, 5), (3, -4, 5), (-3, -4, 5)]).polygons(.quadrantSegments(4))
    #expect(boundary.polygonCount == 1 && boundary.ringCount == 1)
  }

  @Test func emptyInput() throws {
    #expect(try Circles().polygons(.quadrantSegments(8)).polygonCount == 0)
    #expect(try Circles([(1, 2, 0), (3, 4, 0)]).polygons(.maximumDeviation(1)).polygonCount == 0)
  }

  @Test func badInputIsAnError() throws {
    for (radius, words) in [(-1.0, "circle 1 is -1.0"), (.nan, "circle 1 is nan"), (.infinity, "circle 1 is inf")] {
      let error = try #require(throws: EngineError.self) { try Circles([(0, 0, 1), (0, 0, radius)]).boundary() }
      #expect(error.status == .invalidArgument && error.parameter == "radii" && error.message.contains(words))
    }
    let place = try #require(throws: EngineError.self) { try Circles([(0, 0, 1), (.nan, 0, 1)]).boundary() }
    #expect(place.status == .invalidArgument && place.parameter == "centres" && place.message.contains("circle 1"))
    let sizes = try #require(throws: EngineError.self) { try Circles([(0, 0, 1), (1e40, 0, 1)]).boundary() }
    #expect(sizes.status == .invalidArgument && sizes.message.contains("circle 0"))
    #expect(throws: EngineError.self) { try Circles([(1e200, 0, 1e200)]).boundary() }
    #expect(throws: EngineError.self) { try Circles([(0, 0, 1)]).polygons(.quadrantSegments(0)) }
    #expect(throws: EngineError.self) { try Circles([(0, 0, 1)]).polygons(.maximumDeviation(0)) }
    #expect(throws: EngineError.self) { try Circles([(0, 0, 1)]).polygons(.maximumDeviation(.nan)) }
    let fine = try #require(throws: EngineError.self) { try Circles([(0, 0, 1)]).polygons(.maximumDeviation(1e-14)) }
    #expect(fine.status == .limitExceeded)
  }

  @Test func chordsStayWithinTheDeviation() throws {
    for deviation in [10, 1, 0.3, 1e-2, 1e-5] {
      let polygons = try Circles([(0, 0, 1)]).polygons(.maximumDeviation(deviation))
      for index in 1..<polygons.vertices.count {
        let (a, b) = (polygons.vertices[index - 1], polygons.vertices[index])
        #expect(abs(hypot(a.x, a.y) - 1) < 1e-15)
        #expect(1 - hypot(0.5 * (a.x + b.x), 0.5 * (a.y + b.y)) <= deviation * (1 + 1e-9))
      }
    }
  }

  @Test func quadrantSegmentsGiveTheirVertices() throws {
    let segments = 8
    let circles = Circles([(0, 0, 1), (1.3, 0.4, 0.7), (0.2, 1.1, 0.5)])
    let polygons = try circles.polygons(.quadrantSegments(segments))
    // All vertices of whole circles that lie in no other one, and where circles meet.
    var expected: [Point] = []
    for (index, centre) in circles.centres.enumerated() {
      for number in 0..<4 * segments {
        let angle = 0.5 * .pi * Double(number) / Double(segments)
        let radius = circles.radii[index]
        let vertex = Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        if circles.depth(vertex) < 1e-12 { expected.append(vertex) }
      }
    }
    let found = Array(polygons.vertices)
    for vertex in expected {
      #expect(found.contains { hypot($0.x - vertex.x, $0.y - vertex.y) < 1e-15 }, "\(vertex)")
    }
    #expect(found.count == expected.count + 4 + 1, "two pairs meet, and the ring is closed")
  }

  @Test func theNumberOfThreadsChangesNothing() throws {
    var numbers = Numbers(seed: 7)
    var circles = Circles()
    for _ in 0..<6000 {
      circles.add(numbers.uniform(0, 80), numbers.uniform(0, 80), pow(10, numbers.uniform(-4, 0)))
    }
    let one = try circles.polygons(.maximumDeviation(1e-3))
    let three = try circles.polygons(.maximumDeviation(1e-3), Workers(threadCount: 3))
    #expect(one.polygonCount > 100)
    #expect(one.vertices.elementsEqual(three.vertices) && one.ringOffsets.elementsEqual(three.ringOffsets))
    #expect(one.polygonOffsets.elementsEqual(three.polygonOffsets))
    let oracle = GEOSOracle()
    #expect(oracle.fault(oracle.geometry(one)) == nil)
  }

  @Test func manyInOnePlace() throws {
    var numbers = Numbers(seed: 11)
    var (same, near) = (Circles(), Circles())
    for _ in 0..<20_000 {
      same.add(1, 2, 3)
      near.add(numbers.uniform(0, 1e-3), numbers.uniform(0, 1e-3), 1)
    }
    #expect(try same.boundary().arcs.count == 1)
    let boundary = try near.boundary()
    // Between a circle and one larger by the square's diagonal.
    #expect(boundary.area > .pi && boundary.area < .pi * 1.00142 * 1.00142)
  }
}
