import AlidadeCoordinates
import Testing

@testable import AlidadeData

@Suite struct GeotransformTests {
  /// Cells of 2 x 3, north up, origin (100, 200).
  private let northUp = Geotransform(
    forward: [100, 2, 0, 200, 0, -3],
    inverse: Geotransform.Inverse(c0: -50, cx: 0.5, cy: 0, r0: 200.0 / 3, rx: 0, ry: -1.0 / 3))

  private let size = BandFacts.Size(width: 5, height: 4)

  @Test func cellsAreHalfOpen() {
    func cell(_ x: Double, _ y: Double) -> CellIndex { northUp.cell(at: Point(x: x, y: y), in: size) }
    #expect(cell(100, 199.9) == CellIndex(column: 0, row: 0))
    #expect(cell(101.999, 199.9) == CellIndex(column: 0, row: 0))
    #expect(cell(102, 199.9) == CellIndex(column: 1, row: 0))
    #expect(cell(109.999, 188.1) == CellIndex(column: 4, row: 3))
    #expect(cell(110, 199) == .outside)
    #expect(cell(99.999, 199) == .outside)
    #expect(cell(101, 187.9) == .outside)
  }

  @Test func whatIsNoPlaceIsOutside() {
    for bad in [Double.nan, .infinity, -.infinity, 1e308, -1e308] {
      #expect(northUp.cell(at: Point(x: bad, y: 199), in: size) == .outside)
      #expect(northUp.cell(at: Point(x: 101, y: bad), in: size) == .outside)
    }
    let singular = Geotransform(forward: [0, 0, 0, 0, 0, 0], inverse: nil)
    #expect(singular.cell(at: Point(x: 0, y: 0), in: size) == .outside)
  }

  @Test func nodataRules() {
    #expect(NodataRule.integer(255).matches(StoredValue(value: 255, integer: 255)))
    #expect(!NodataRule.integer(255).matches(StoredValue(value: 254, integer: 254)))
    // Neighbours of 2^53 that are the same double.
    let big: Int64 = (1 << 53) + 1
    #expect(!NodataRule.integer(big).matches(StoredValue(value: Double(big), integer: big - 1)))
    #expect(NodataRule.nan.matches(StoredValue(value: .nan)))
    #expect(!NodataRule.nan.matches(StoredValue(value: 0)))
    // The lowest float, as files write it in decimal.
    #expect(NodataRule.float32(Float(-3.40282e38)).matches(StoredValue(value: -3.40282e38)))
    #expect(!NodataRule.float32(-9999).matches(StoredValue(value: -9998)))
    #expect(!NodataRule.none.matches(StoredValue(value: .nan)))
  }
}
