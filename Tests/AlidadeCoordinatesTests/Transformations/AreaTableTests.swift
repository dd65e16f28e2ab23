import Testing

@testable import AlidadeCoordinates

@Suite struct AreaTableTests {
  /// Boxes on a small grid, so that edges coincide, lie in each other and cross; the same in every run.
  private func areas(_ count: Int, _ state: inout UInt64) -> [OperationArea] {
    func next(_ bound: Double) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 11) * 0x1p-53 * bound).rounded(.down)
    }
    return (0..<count).map { number in
      let (x, y) = (next(10) - 5, next(10) - 5)
      return OperationArea(
        operation: number, xMin: x, yMin: y, xMax: x + 1 + next(6), yMax: y + 1 + next(6), accuracy: next(4) - 1,
        isOffshore: next(4) == 0)
    }
  }

  /// On edges, corners, right next to them, inside and outside: what the table says is what looking at all areas says.
  @Test func saysWhatAllAreasSay() {
    var state: UInt64 = 7
    let near: [Double] = [-1e-9, 0, 1e-9, 0.5]
    for count in [2, 3, 8, 24, 25] {
      let plan = OperationPlan(operations: [], areas: areas(count, &state))
      for column in -7...13 {
        for row in -7...13 {
          for dx in near {
            for dy in near {
              let (x, y) = (Double(column) + dx, Double(row) + dy)
              #expect(plan.area(for: x, y) == plan.area(for: x, y, excluding: (-1, -1)))
            }
          }
        }
      }
      for x in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
        #expect(plan.area(for: x, 0) == nil)
        #expect(plan.area(for: 0, x) == nil)
      }
    }
  }

  @Test func edgesAreLeftToTheAreas() throws {
    let box = OperationArea(operation: 0, xMin: 0, yMin: 0, xMax: 1, yMax: 1, accuracy: 1, isOffshore: false)
    let table = try #require(AreaTable([box, box]) { x, y in box.contains(x, y) ? 0 : nil })
    #expect(table.area(0.5, 0.5) == 0)
    #expect(table.area(2, 0.5) == -1)
    #expect(table.area(0, 0.5) == nil && table.area(0.5, 1) == nil)
  }
}
