import AlidadeBase
import Testing

@testable import AlidadeGeometry

/// That outlines are found without rounding where they can be; elsewhere rounding gives the same, only slower. The corners
/// come from drawings by hand.
struct CrossingOutlineTests {
  private static let step: Int64 = 1000

  private static func loop(_ corners: [(Int64, Int64)], weight: Int32 = 1) -> [GridEdge] {
    let points = corners.map { GridPoint(x: $0.0 * step, y: $0.1 * step) }
    return points.indices.map { GridEdge(from: points[$0], to: points[($0 + 1) % points.count], weight: weight) }
  }

  private static func square(_ low: Int64, _ high: Int64, weight: Int32 = 1) -> [GridEdge] {
    loop([(low, low), (high, low), (high, high), (low, high)], weight: weight)
  }

  /// The corners of each cycle, or nil if it takes rounding.
  private func cycles(_ edges: [GridEdge]) throws -> [Set<[Int64]>]? {
    guard case .outline(let outline) = try CrossingOutline.of(edges, Policy()) else { return nil }
    return outline.cycles.map { cycle in Set(cycle.points.map { [$0.x / Self.step, $0.y / Self.step] }) }
  }

  @Test func squaresThatCross() throws {
    let found = try cycles(Self.square(0, 4) + Self.square(2, 6))
    #expect(found == [[[0, 0], [4, 0], [4, 2], [6, 2], [6, 6], [2, 6], [2, 4], [0, 4]]])
  }

  @Test func oneSquareInAnother() throws {
    #expect(try cycles(Self.square(0, 9) + Self.square(2, 6)) == [[[0, 0], [9, 0], [9, 9], [0, 9]]])
    #expect(try cycles(Self.square(2, 6) + Self.square(0, 9)) == [[[0, 0], [9, 0], [9, 9], [0, 9]]])
  }

  @Test func aHole() throws {
    let corners: Set<[Int64]> = [[2, 2], [6, 2], [6, 6], [2, 6]]
    #expect(
      try cycles(Self.square(0, 9) + Self.square(2, 6, weight: -1)) == [[[0, 0], [9, 0], [9, 9], [0, 9]], corners])
    let clockwise = Self.loop([(2, 2), (2, 6), (6, 6), (6, 2)])
    #expect(try cycles(Self.square(0, 9) + clockwise) == [[[0, 0], [9, 0], [9, 9], [0, 9]], corners])
    #expect(try cycles(clockwise) == [])
  }

  @Test func aRingThatOverlapsItself() throws {
    // Two turns of a spiral: the winding number is 2 in the middle.
    let spiral = Self.loop([(0, 0), (8, 0), (8, 8), (2, 8), (2, 3), (5, 3), (5, 9), (0, 9)])
    #expect(try cycles(spiral) == [[[0, 0], [8, 0], [8, 8], [5, 8], [5, 9], [0, 9]]])
  }

  @Test func whatIsNearTakesRounding() throws {
    for gap: Int64 in [0, 1, 3] {
      var other = Self.square(4, 6)
      for index in other.indices {
        other[index].from.x += gap
        other[index].to.x += gap
      }
      #expect(try cycles(Self.square(0, 4) + other) == nil)
    }
    #expect(try cycles(Array(Self.square(0, 4).dropLast())) == nil)
    #expect(try cycles(Self.square(0, 4, weight: 2)) == nil)
    // It turns back along itself.
    #expect(try cycles(Self.loop([(0, 0), (8, 0), (4, 0), (4, 4)])) == nil)
  }

  @Test func threeSidesNearOnePointTakeRounding() throws {
    func triangles(offset: Int64) -> [GridEdge] {
      let corners: [[(Int64, Int64)]] = [
        [(-5000, 0), (5000, 0), (100, 7000)], [(0, -6000), (0, 6000), (-8000, 300)],
        [(-5500, offset - 5500), (5500, offset + 5500), (-2000, 7900)],
      ]
      return corners.flatMap { corners in
        let points = corners.map { GridPoint(x: $0.0, y: $0.1) }
        return points.indices.map { GridEdge(from: points[$0], to: points[($0 + 1) % points.count]) }
      }
    }
    #expect(try cycles(triangles(offset: 1)) == nil)
    #expect(try cycles(triangles(offset: 1000)) != nil)
  }
}
