import AlidadeMap
import CAlidade
import Testing

@Suite struct CalloutABITests {
  @Test func numbersAreThoseOfTheHeader() {
    let placements: [(CalloutPlacement, Int)] = [
      (.automatic, ALD_CALLOUT_PLACED_AUTOMATIC), (.above, ALD_CALLOUT_PLACED_ABOVE),
      (.below, ALD_CALLOUT_PLACED_BELOW), (.left, ALD_CALLOUT_PLACED_LEFT), (.right, ALD_CALLOUT_PLACED_RIGHT),
    ]
    #expect(placements.count == CalloutPlacement.allCases.count)
    for (placement, number) in placements { #expect(Int(placement.rawValue) == number) }
    let actions: [(CalloutAction, Int)] = [
      (.unchanged, ALD_CALLOUT_UNCHANGED), (.shown, ALD_CALLOUT_SHOWN), (.shownAgain, ALD_CALLOUT_SHOWN_AGAIN),
      (.dismissed, ALD_CALLOUT_DISMISSED),
    ]
    #expect(actions.count == CalloutAction.allCases.count)
    for (action, number) in actions { #expect(Int(action.rawValue) == number) }
    let states: [(CalloutState, Int)] = [
      (.hidden, ALD_CALLOUT_HIDDEN), (.visible, ALD_CALLOUT_VISIBLE), (.anchorCovered, ALD_CALLOUT_ANCHOR_COVERED),
      (.anchorOutside, ALD_CALLOUT_ANCHOR_OUTSIDE), (.notProjectable, ALD_CALLOUT_NOT_PROJECTABLE),
    ]
    #expect(states.count == CalloutState.allCases.count)
    for (state, number) in states { #expect(Int(state.rawValue) == number) }
    #expect(Callout.dragLift == Double(ALD_CALLOUT_DRAG_LIFT_DIP))
  }
}
