import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry
import Testing

@Suite struct PlanarAreaTests {
  private func box(_ xMin: Double, _ yMin: Double, _ xMax: Double, _ yMax: Double) -> [Point] {
    [Point(x: xMin, y: yMin), Point(x: xMax, y: yMin), Point(x: xMax, y: yMax), Point(x: xMin, y: yMax)]
  }

  @Test func fractionsOfBoxes() throws {
    let unit = box(0, 0, 1, 1)
    #expect(try PlanarArea.fraction(of: unit, inside: box(0.5, 0, 2, 1)) == 0.5)
    #expect(try PlanarArea.fraction(of: unit, inside: box(-1, -1, 2, 2)) == 1)
    #expect(try PlanarArea.fraction(of: unit, inside: box(5, 5, 6, 6)) == 0)
    #expect(try PlanarArea.fraction(of: box(0, 0, 4, 4), inside: unit) == 0.0625)
    // Closed rings and open ones mean the same.
    #expect(try PlanarArea.fraction(of: unit + [unit[0]], inside: box(0.5, 0, 2, 1)) == 0.5)
  }

  @Test func ringsThatCrossThemselvesAreMended() throws {
    // A bow tie: two triangles of a quarter each.
    let bowTie = [Point(x: 0, y: 0), Point(x: 1, y: 1), Point(x: 1, y: 0), Point(x: 0, y: 1)]
    #expect(try PlanarArea.fraction(of: box(0, 0, 1, 1), inside: bowTie) == 0.5)
  }

  @Test func tanglesAreRefusedAtOnce() {
    // Like an outline whose coordinates are nonsense: GEOS would repair its thousands of crossings for seconds.
    let tangle = (0..<128).map { Point(x: Double($0 * 7919 % 1009), y: Double($0 * 104729 % 997)) }
    let time = ContinuousClock().measure {
      #expect(throws: EngineError.self) { try PlanarArea.fraction(of: box(0, 0, 500, 500), inside: tangle) }
    }
    #expect(time < .milliseconds(500))
  }

  @Test func badRingsAreErrors() {
    #expect(throws: EngineError.self) { try PlanarArea.fraction(of: [], inside: box(0, 0, 1, 1)) }
    #expect(throws: EngineError.self) { try PlanarArea.fraction(of: [Point(x: 0, y: 0)], inside: box(0, 0, 1, 1)) }
  }
}
