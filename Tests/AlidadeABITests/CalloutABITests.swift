import AlidadeMap
import CAlidade
import Testing

@Suite struct CalloutABITests {
  @Test func dragLiftIsThatOfTheHeader() {
    #expect(Callout.dragLift == Double(ALD_CALLOUT_DRAG_LIFT_DIP))
  }
}
