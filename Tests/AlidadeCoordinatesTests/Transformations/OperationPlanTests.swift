import Testing

@testable import AlidadeCoordinates

/// PROJ's rule of choice, as its documentation of `proj_trans` and `proj_get_suggested_operation` gives it.
/// Tests/oracle/test_projection.py checks that the choice is PROJ's own between real systems.
@Suite struct OperationPlanTests {
  private func area(
    _ number: Int, _ bounds: (Double, Double, Double, Double), accuracy: Double, isOffshore: Bool = false
  ) -> OperationArea {
    OperationArea(
      operation: number, xMin: bounds.0, yMin: bounds.1, xMax: bounds.2, yMax: bounds.3, accuracy: accuracy,
      isOffshore: isOffshore)
  }

  private func plan(_ areas: [OperationArea]) -> OperationPlan { OperationPlan(operations: [], areas: areas) }

  @Test func theMostAccurateWhoseAreaHoldsThePlace() {
    let plan = plan([
      area(0, (0, 0, 10, 10), accuracy: 5), area(1, (0, 0, 4, 4), accuracy: 1), area(2, (5, 5, 6, 6), accuracy: 9),
    ])
    #expect(plan.area(for: 2, 2) == 1)
    #expect(plan.area(for: 5.5, 5.5) == 0)
    // Edges belong to an area.
    #expect(plan.area(for: 4, 4) == 1)
    #expect(plan.area(for: 10, 10) == 0)
    #expect(plan.area(for: 10.1, 10) == nil)
    #expect(plan.area(for: .nan, 1) == nil)
  }

  @Test func ofEquallyAccurateOnesTheInnerOne() {
    let outer = area(0, (0, 0, 10, 10), accuracy: 1)
    #expect(plan([outer, area(1, (1, 1, 9, 9), accuracy: 1)]).area(for: 5, 5) == 1)
    // An area that shares an edge does not lie inside.
    #expect(plan([outer, area(1, (0, 1, 9, 9), accuracy: 1)]).area(for: 5, 5) == 0)
  }

  @Test func unknownAccuracyAndOffshoreOnlyWhereTheyComeFirst() {
    let known = area(0, (0, 0, 10, 10), accuracy: 5)
    #expect(plan([known, area(1, (0, 0, 10, 10), accuracy: -1)]).area(for: 5, 5) == 0)
    // PROJ lists unknown accuracies last; an operation that is listed first stays.
    #expect(plan([area(0, (0, 0, 10, 10), accuracy: -1), known]).area(for: 5, 5) == 0)
    #expect(plan([known, area(1, (0, 0, 10, 10), accuracy: 1, isOffshore: true)]).area(for: 5, 5) == 0)
    #expect(plan([area(0, (0, 0, 10, 10), accuracy: 1, isOffshore: true)]).area(for: 5, 5) == 0)
  }

  @Test func whatFailedIsLeftOut() {
    let plan = plan((0..<3).map { area($0, (0, 0, 10, 10), accuracy: Double($0)) })
    #expect(plan.area(for: 5, 5) == 0)
    #expect(plan.area(for: 5, 5, excluding: (0, -1)) == 1)
    #expect(plan.area(for: 5, 5, excluding: (0, 1)) == 2)
  }
}
