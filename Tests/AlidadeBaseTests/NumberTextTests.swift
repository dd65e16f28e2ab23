import Glibc
import Testing

@testable import AlidadeBase

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-12, "-12"), (0.1, "0.1"), (440.359375, "440.359375"),
    (1e15, "1000000000000000"),
    (1e16, "1e+16"), (1.5e300, "1.5e+300"), (0.0001, "0.0001"), (0.00001, "1e-05"), (.leastNonzeroMagnitude, "5e-324"),
    (.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"), (1.0 / 3, "0.3333333333333333"),
  ])
  func shortestReadsBack(_ value: Double, _ text: String) {
    #expect(NumberText.shortest(value) == text)
    if value.isFinite { #expect(Double(text) == value) }
  }

  @Test(arguments: [(Float(0.1), "0.1"), (16_777_216, "16777216"), (3.4028235e38, "3.4028235e+38"), (-2.5, "-2.5")])
  func shortestOfFloatIsTheFloatsOwn(_ value: Float, _ text: String) {
    #expect(NumberText.shortest(value) == text)
    #expect(Float(text) == value)
  }

  @Test(arguments: [
    (8123 * 0.0001, "0.8123"), (0.1 + 0.2, "0.3"), (1e22 / 3, "3.33333333333333e+21"), (282.8, "282.8"), (-0.0, "0"),
    (0.9999999999999999, "1"),
  ])
  func computedDropsTheNoiseOfAProduct(_ value: Double, _ text: String) {
    #expect(NumberText.computed(value) == text)
  }

  /// What the rule says by hand: away from zero to 0.001, from the shortest decimal.
  @Test(arguments: [
    (0.0, "0"), (0.001, "0.001"), (0.0011, "0.002"), (-0.0011, "-0.002"), (0.0000001, "0.001"), (1.2, "1.2"),
    (1.2001, "1.201"), (-8_656_135.25151, "-8656135.252"), (999.9991, "1000"), (9.9999, "10"), (2.675, "2.675"),
    (0.999, "0.999"), (0.9991, "1"), (.leastNonzeroMagnitude, "0.001"), (123_456_789_012, "123456789012"),
    (-1e-9, "-0.001"),
    (1e21, "1000000000000000000000"),
  ])
  func roundsAwayFromZero(_ value: Double, _ text: String) {
    #expect(NumberText.roundedAwayToThousandth(value) == text)
  }

  /// By arithmetic and digit by digit; next to multiples of 0.001, and up to where arithmetic ends.
  @Test func roundsAwayByArithmeticAsByDigits() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40_000 {
      let magnitude = Double.random(in: -6...13, using: &random)
      let thousandths = (Double.random(in: 0...1, using: &random) * 1000 * pow(10, magnitude)).rounded()
      let near = thousandths / 1000
      for value in [
        near, near.nextUp, near.nextDown, near + .random(in: 0...0.001, using: &random), -near, -near.nextUp,
      ] {
        var digits = DecimalDigits(description: value.description)
        digits.roundAway(places: 3)
        #expect(NumberText.roundedAwayToThousandth(value) == digits.plainText, "\(value)")
      }
    }
  }

  /// Where a Float is written as Swift writes it, it is as its digits say.
  @Test func floatsAreTheirDigits() {
    for _ in 0..<200_000 {
      let value = Float(bitPattern: .random(in: 0...0x7F7F_FFFF))
      #expect(
        NumberText.shortest(value)
          == (value == value.rounded() && value < 0x1p24
            ? "\(Int(exactly: value) ?? -1)" : DecimalDigits(description: value.description).text))
    }
  }
}
