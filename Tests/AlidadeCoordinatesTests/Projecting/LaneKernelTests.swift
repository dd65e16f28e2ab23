import Glibc
import Testing

@testable import AlidadeCoordinates

/// The kernels against glibc's functions, which are right to less than one unit in the last place.
@Suite struct LaneKernelTests {
  private static let count = 40_000

  /// Random numbers between two bounds, the same in every run.
  private func numbers(_ low: Double, _ high: Double) -> [Double] {
    var state: UInt64 = 1
    return (0..<Self.count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return low + (high - low) * Double(state >> 11) * 0x1p-53
    }
  }

  /// The worst error of a kernel, in units in the last place of the result or of `floor`, whichever is larger.
  private func worst(
    _ inputs: [Double], floor: Double, _ kernel: (Lanes) -> Lanes, _ truth: (Double) -> Double
  ) -> Double {
    var worst = 0.0
    for input in inputs {
      let expected = truth(input)
      let error = (kernel(Lanes(repeating: input)).x - expected).magnitude / max(expected.magnitude, floor).ulp
      // Not `max`, which would lose a NaN.
      if !(error <= worst) { worst = error }
    }
    return worst
  }

  @Test func sineAndCosine() {
    let angles = numbers(-7, 7) + numbers(-1e-3, 1e-3) + numbers(.pi / 2 - 1e-5, .pi / 2 + 1e-5) + numbers(-100, 100)
    #expect(worst(angles, floor: 0x1p-10, { sineCosine($0).sine }, sin) <= 1)
    #expect(worst(angles, floor: 0x1p-10, { sineCosine($0).cosine }, cos) <= 1)
    // Relative to the result itself, where Mercator's projection needs it.
    let latitudes = numbers(-.pi / 2, .pi / 2) + numbers(.pi / 2 - 1e-4, .pi / 2 - 1e-6)
    #expect(worst(latitudes, floor: 0, { sineCosine($0).sine }, sin) <= 1)
    #expect(worst(latitudes, floor: 0, { sineCosine($0).cosine }, cos) <= 1)
  }

  @Test func angles() {
    for (x, y) in zip(numbers(-3, 3), numbers(-1, 1).reversed()) {
      let (wide, narrow) = (atan2(y, x), atan2(y, x.magnitude))
      let (gotWide, gotNarrow) = (
        angle(y: Lanes(repeating: y), x: Lanes(repeating: x)).x,
        angleToTheRight(y: Lanes(repeating: y), x: Lanes(repeating: x.magnitude)).x
      )
      #expect((gotWide - wide).magnitude <= max(wide.magnitude, 0.5).ulp)
      #expect((gotNarrow - narrow).magnitude <= max(narrow.magnitude, 0.5).ulp)
    }
    for (y, x) in [(0.0, 1.0), (-0.0, 1), (1, 0), (-1, 0), (0, -1), (-0.0, -1), (1, 1), (-1, -1)] {
      #expect(angle(y: Lanes(repeating: y), x: Lanes(repeating: x)).x == atan2(y, x))
    }
    #expect(angle(y: Lanes(repeating: 0), x: Lanes(repeating: 0)).x.isNaN)
  }

  @Test func logarithms() {
    for (a, b) in zip(numbers(1e-9, 2), numbers(1e-3, 1).reversed()) {
      let expected = log(a / b)
      let got = logarithm(of: Lanes(repeating: a), over: Lanes(repeating: b)).x
      #expect((got - expected).magnitude <= 2 * max(expected.magnitude, 1).ulp)
    }
    let small = numbers(-0.2, 0.2)
    #expect(worst(small, floor: 0, smallArtanh, atanh) <= 2)
    #expect(logarithm(of: Lanes(repeating: 3), over: Lanes(repeating: 3)).x == 0)
  }

  @Test func exponentials() {
    #expect(worst(numbers(-30, 30) + numbers(-700, 700), floor: 0, exponential, exp) <= 1)
    #expect(worst(numbers(-0.02, 0.02), floor: 0, smallExponential, expm1) <= 2)
  }

  @Test func smallTurns() {
    for (start, turn) in zip(numbers(-1.6, 1.6), numbers(-0.02, 0.02).reversed()) {
      let (s, c) = turned(Lanes(repeating: sin(start)), Lanes(repeating: cos(start)), by: Lanes(repeating: turn))
      #expect((s.x - sin(start + turn)).magnitude <= 4e-16)
      #expect((c.x - cos(start + turn)).magnitude <= 4e-16)
    }
  }

  @Test func lanesKnowNothingOfEachOther() {
    let mixed = Lanes(0.3, .nan, 1e300, -1.2)
    let (sine, cosine) = sineCosine(mixed)
    #expect(sine.x == sineCosine(Lanes(repeating: 0.3)).sine.x)
    #expect(cosine.w == sineCosine(Lanes(repeating: -1.2)).cosine.x)
    #expect(sine.y.isNaN && cosine.y.isNaN)
  }
}
