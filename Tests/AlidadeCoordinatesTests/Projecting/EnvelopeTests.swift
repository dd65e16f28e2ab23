import AlidadeBase
import Glibc
import Testing

@testable import AlidadeCoordinates

/// Boxes whose sides stay sides are projected by their corners; all others by a search.
@Suite struct EnvelopeTests {
  private let runtime = Runtime(options: RuntimeOptions())

  /// What is refused for lack of a known relation is looked for point by point, so that a strict call always searches.
  @Test(arguments: [(3857, 4326), (4326, 3857), (4326, 3395), (3395, 4326), (4326, 3832), (3832, 4326)])
  func cornersAreWhatASearchFinds(_ codes: (Int32, Int32)) throws {
    let (from, to) = (
      try SpatialReference.make(runtime: runtime, authority: "EPSG", code: codes.0),
      try SpatialReference.make(runtime: runtime, authority: "EPSG", code: codes.1)
    )
    var strict = ProjectionOptions()
    strict.isStrict = true
    let world = try #require(from.system.worldWidth)
    let height = from.kind == .geographic ? world / 2 : world
    var random = Numbers(state: 1)
    for round in 0..<30 {
      // From a tap to more than the world, and at its ends.
      let size = world * pow(10, Double.random(in: -7...0.2, using: &random))
      let x = Double.random(in: -0.7...0.7, using: &random) * world
      let y = Double.random(in: -0.5...0.5, using: &random) * height
      var box = Envelope(xMin: x, yMin: y, xMax: x + size, yMax: y + size / 3)
      if round % 10 == 0 { box.xMax = box.xMin }
      if round % 15 == 0 { box.yMax = box.yMin }
      let quick = Result { try box.projected(from: from, to: to) }
      let searched = Result { try box.projected(from: from, to: to, options: strict) }
      guard let quick = try? quick.get(), let searched = try? searched.get() else {
        #expect((try? quick.get()) == nil && (try? searched.get()) == nil, "\(box)")
        continue
      }
      let numbers = { (box: Envelope) -> [Double] in [box.xMin, box.yMin, box.xMax, box.yMax] }
      #expect(numbers(quick.envelope) == numbers(searched.envelope), "\(box)")
      #expect(quick.isPartial == searched.isPartial && quick.holdsNorthPole == searched.holdsNorthPole)
    }
  }

  @Test func onlyMercatorKeepsBoxes() throws {
    func keeps(_ from: Int32, _ to: Int32) throws -> Bool {
      let projector = try Projector.between(
        try SpatialReference.make(runtime: runtime, authority: "EPSG", code: from),
        try SpatialReference.make(runtime: runtime, authority: "EPSG", code: to))
      return projector.fast?.keepsBoxes ?? false
    }
    for code: Int32 in [3857, 3395] { #expect(try keeps(4326, code) && keeps(code, 4326)) }
    for code: Int32 in [32632, 2154, 27700] { #expect(try !keeps(4326, code) && !keeps(code, 4326)) }
  }
}
