import AlidadeBase
import AlidadeCoordinates
import Testing

@testable import AlidadeMap

/// Numbers that look random and are the same in each run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  /// SplitMix64, after Steele, Lea and Flood.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
}

@Suite struct CameraTests {
  static let world = 2 * 20_037_508.342789244

  private func viewport(_ insets: Insets = Insets()) -> Viewport {
    Viewport(width: 800, height: 600, insets: insets, metresPerUnit: 1, worldWidth: Self.world)
  }

  /// A camera anywhere in Web Mercator, at any scale between two.
  private func camera(_ dice: inout Dice, _ scales: ClosedRange<Double> = 1...1e8) -> Camera {
    let half = Self.world / 2
    let power = dice.number(0...1)
    var scale = scales.lowerBound
    // Evenly in the logarithm, by halving.
    while scale * 2 < scales.upperBound, dice.number(0...1) < 0.93 { scale *= 2 }
    return Camera(
      center: Point(x: dice.number(-half...half), y: dice.number(-half...half)), scale: scale * (1 + power),
      rotation: dice.number(-720...720))
  }

  /// How far an anchor may move: 1e-6 DIP; closer in than 1 : 100, 4 ulp of the map coordinate.
  private func isAnchored(_ map: Point, _ screen: Point, _ camera: Camera, _ viewport: Viewport) -> Bool {
    let transform = camera.transform(in: viewport)
    let shown = transform.screenPoint(map)
    let ulp = max(map.x.magnitude, map.y.magnitude, camera.center.x.magnitude, camera.center.y.magnitude).ulp
    let allowed = max(1e-6, camera.scale < 100 ? 4 * ulp / transform.unitsPerDip : 0)
    return (shown.x - screen.x).magnitude <= allowed && (shown.y - screen.y).magnitude <= allowed
  }

  @Test func anchorsStayUnderTheFinger() {
    var dice = Dice(seed: 1)
    let viewport = viewport(Insets(top: 20, left: 100))
    for _ in 0..<20_000 {
      let camera = camera(&dice)
      let screen = Point(x: dice.number(0...800), y: dice.number(0...600))
      let held = camera.transform(in: viewport).mapPoint(screen)
      let zoomed = camera.zoomed(by: dice.number(0.25...4), about: screen, in: viewport)
      #expect(isAnchored(held, screen, zoomed, viewport))
      let turned = camera.rotated(by: dice.number(-400...400), about: screen, in: viewport)
      #expect(isAnchored(held, screen, turned, viewport))
      let goal = Point(x: dice.number(0...800), y: dice.number(0...600))
      #expect(isAnchored(held, goal, camera.showing(held, at: goal, in: viewport), viewport))
      let dragged = camera.panned(dx: goal.x - screen.x, dy: goal.y - screen.y, in: viewport)
      #expect(isAnchored(held, goal, dragged, viewport))
      #expect(dragged.scale == camera.scale && dragged.rotation == camera.rotation)
    }
  }

  @Test func movesAreWhatTheirNamesSay() {
    let viewport = viewport()
    // One metre per DIP, north up: dragging right by 10 shows what lies 10 m further west; down, further north.
    let camera = Camera(center: Point(x: 1000, y: 2000), scale: 96 / 0.0254)
    let dragged = camera.panned(dx: 10, dy: 20, in: viewport)
    #expect((dragged.center.x - 990).magnitude < 1e-9 && (dragged.center.y - 2020).magnitude < 1e-9)
    // About the upper left corner, 400 m west and 300 m north of the centre, at twice the size: the centre is half as
    // far away from it.
    let zoomed = camera.zoomed(by: 2, about: Point(x: 0, y: 0), in: viewport)
    #expect((zoomed.center.x - 800).magnitude < 1e-9 && (zoomed.center.y - 2150).magnitude < 1e-9)
    #expect((zoomed.scale - 48 / 0.0254).magnitude < 1e-9)
    // A quarter turn about the same corner, so that east is up. The centre lies 400 right and 300 below of the corner:
    // right is south now, and below is west.
    let turned = camera.rotated(by: 90, about: Point(x: 0, y: 0), in: viewport)
    #expect(turned.rotation == 90)
    #expect((turned.center.x - (600 - 300)).magnitude < 1e-9 && (turned.center.y - (2300 - 400)).magnitude < 1e-9)
  }

  @Test func nonsenseLeavesTheCameraAlone() {
    let viewport = viewport()
    let camera = Camera(center: Point(x: 1, y: 2), scale: 1e4, rotation: 30)
    let middle = Point(x: 400, y: 300)
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(camera.zoomed(by: bad, about: middle, in: viewport) == camera)
      #expect(camera.rotated(by: bad, about: middle, in: viewport) == camera)
      #expect(camera.panned(dx: bad, dy: 0, in: viewport) == camera)
      #expect(camera.zoomed(by: 2, about: Point(x: bad, y: 0), in: viewport) == camera)
      #expect(camera.showing(Point(x: bad, y: 0), at: middle, in: viewport) == camera)
    }
    for bad in [0, -1, -0.0] { #expect(camera.zoomed(by: bad, about: middle, in: viewport) == camera) }
    #expect(camera.scaled(to: .nan, about: middle, in: viewport) == camera)
    #expect(camera.zoomed(by: 1e300, about: middle, in: viewport).scale == 1e-6)
    #expect(camera.zoomed(by: 1e-300, about: middle, in: viewport).scale == 1e15)
    #expect(Camera(center: Point(x: 1e308, y: 0), scale: 1).panned(dx: -1e308, dy: 0, in: viewport).isUsable)
  }

  @Test func turnsGoTheShortWay() {
    #expect(Camera.turn(from: 350, to: 10) == 20)
    #expect(Camera.turn(from: 10, to: 350) == -20)
    #expect(Camera.turn(from: 0, to: 180) == 180 && Camera.turn(from: 180, to: 0) == 180)
    #expect(Camera.turn(from: 0, to: 180.5) == -179.5)
    #expect(Camera.turn(from: 725, to: 5) == 0)
  }

  @Test func copiesOfTheWorldAreCounted() {
    let viewport = viewport()
    #expect(Camera.worldCopy(x: 0.49 * Self.world, in: viewport) == 0)
    #expect(Camera.worldCopy(x: 0.51 * Self.world, in: viewport) == 1)
    #expect(Camera.worldCopy(x: -1.6 * Self.world, in: viewport) == -2)
    let far = Camera(center: Point(x: 3 * Self.world + 5, y: 7), scale: 1e4)
    let near = far.inWorldCopyZero(in: viewport)
    #expect((near.center.x - 5).magnitude < 1e-7 && near.center.y == 7)
    let plane = Viewport(width: 10, height: 10, metresPerUnit: 1)
    #expect(far.inWorldCopyZero(in: plane) == far)
  }
}
