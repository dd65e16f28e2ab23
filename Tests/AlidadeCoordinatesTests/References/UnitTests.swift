import AlidadeBase
import Testing

@testable import AlidadeCoordinates

@Suite struct UnitTests {
  @Test func numbersAreThoseOfTheTable() {
    #expect(UnitDefinition.all.map(\.unit) == Unit.allCases)
    #expect(UnitDefinition.all.map(\.unit.rawValue) == UnitDefinition.all.map(\.unit.rawValue).sorted())
    for unit in Unit.allCases { #expect(unit.definition.unit == unit) }
  }

  /// Two units of a kind are never taken for each other by their factors.
  @Test func factorsTellUnitsApart() {
    for unit in Unit.allCases { #expect(Unit(factor: unit.siFactor, kind: unit.kind) == unit) }
  }

  /// The metre was 39.37 inches in the United States until 2022: 3937 / 1200 feet.
  @Test func surveyFeet() throws {
    #expect(try Unit.metre.convert(1200, to: .usSurveyFoot) == 3937)
    #expect(try Unit.statuteMile.convert(1, to: .usSurveyFoot) == 5279.98944)
    #expect(try Unit.foot.convert(1, to: .metre) == 0.3048)
    #expect(try Unit.acre.convert(640, to: .squareMile) == 1)
  }

  @Test func piHasDigitsEnough() throws {
    #expect(try Unit.degree.convert(180, to: .radian) == Double.pi)
    #expect(try Unit.radian.convert(1, to: .degree) == 57.295_779_513_082_320_876_798)
    #expect(try Unit.turn.convert(1, to: .degree) == 360)
    #expect(try Unit.grad.convert(200, to: .arcSecond) == 648_000)
  }

  @Test func extremes() throws {
    #expect(throws: EngineError.self) { try Unit.kilometre.convert(.greatestFiniteMagnitude, to: .metre) }
    #expect(throws: EngineError.self) { try Unit.metre.convert(.nan, to: .metre) }
    #expect(throws: EngineError.self) { try Unit.metre.convert(1, to: .degree) }
    #expect(try Unit.millimetre.convert(.leastNonzeroMagnitude, to: .kilometre) == 0)
    #expect(try Unit.foot.convert(.leastNonzeroMagnitude, to: .inch) == 12 * .leastNonzeroMagnitude)
    #expect(try Unit.metre.convert(-.leastNonzeroMagnitude, to: .kilometre).sign == .minus)
  }
}
