import AlidadeBase
import AlidadeCoordinates
import Testing

@testable import AlidadeMap

@Suite struct ScaleBarTests {
  @Test func roundNumbersAreOneTwoOrFive() {
    let expected: [(Double, Double)] = [
      (1, 1), (1.99, 1), (2, 2), (4.99, 2), (5, 5), (9.99, 5), (10, 10), (999.999, 500), (1000, 1000), (0.3, 0.2),
      (0.05, 0.05), (7e-7, 5e-7), (1e15, 1e15),
    ]
    for (number, round) in expected {
      let found = ViewFrame.roundNumber(upTo: number)
      #expect((found - round).magnitude <= 1e-12 * round, "\(number)")
    }
  }

  /// At 1 : 1e15 a DIP is 2.6e8 km, of which Mercator's equator has 6.6e6 turns around the earth.
  @Test func aBarGoesAroundTheEarthAtMost250Times() throws {
    let runtime = try Engine.makeRuntime()
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 3857)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    try view.setSize(width: 800, height: 600, pixelDensity: 1)
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 1e15))
    let frame = try view.frame()
    let bar = try frame.scaleBar(at: frame.anchor, maxWidth: 1e5, .metric)
    #expect(bar.length == 1e7 && bar.unit == .kilometre)
    // On the equator a map unit is a metre.
    #expect((bar.width * frame.unitsPerDip - 1e10).magnitude < 1)
  }
}
