import AlidadeBase
import AlidadeCoordinates
import Glibc
import Testing

@testable import AlidadeMap

@Suite struct CalloutTests {
  private let runtime: Runtime

  init() throws { runtime = try Engine.makeRuntime() }

  private func view(_ code: Int32 = 3857, width: Double = 800, height: Double = 600) throws -> MapView {
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: code)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    try view.setSize(width: width, height: height, pixelDensity: 1)
    // One map unit per DIP.
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 96 / 0.0254))
    return view
  }

  private func options(_ body: (inout CalloutOptions) -> Void) -> CalloutOptions {
    var options = CalloutOptions()
    body(&options)
    return options
  }

  @Test func laysTheBoxAboveTheTip() throws {
    let view = try view()
    let wanted = options {
      $0.offset = Point(x: 5, y: -8)
      ($0.width, $0.height) = (100, 40)
      ($0.leaderLength, $0.leaderWidth) = (12, 16)
    }
    let callout = try Callout(view: view, options: wanted)
    try callout.show(at: Point(x: 30, y: 20), text: "here")
    let layout = try callout.layout()
    // The middle of the screen is (400, 300); 30 east and 20 north of it is (430, 280); y is down.
    #expect(layout.state == .visible && layout.placement == .above && !layout.isShifted && !layout.isTooLarge)
    expectNear(layout.anchor, 430, 280)
    expectNear(layout.leaderTip, 435, 272)
    expectNear(Point(x: layout.box.xMin, y: layout.box.yMin), 385, 220)
    expectNear(Point(x: layout.box.xMax, y: layout.box.yMax), 485, 260)
    expectNear(layout.leaderBase.0, 427, 260)
    expectNear(layout.leaderBase.1, 443, 260)
    #expect(layout.room == Envelope(xMin: 0, yMin: 0, xMax: 800, yMax: 600))
  }

  @Test func theBoxKeepsOutOfTheFingersWay() throws {
    let view = try view()
    let wanted = options { ($0.width, $0.height, $0.leaderLength) = (100, 60, 10) }
    let callout = try Callout(view: view, options: wanted)
    // 90 DIP from the top: the tip is at 20. The box does not fit above it, and below it would reach from 30 to 90.
    try callout.show(at: try view.frame().mapPoint(Point(x: 400, y: 90)), isDragging: true)
    let layout = try callout.layout()
    #expect(layout.placement == .right && !layout.isShifted)
    expectNear(Point(x: layout.box.xMin, y: layout.box.yMin), 410, 0)
    // The same point without a finger on it.
    try callout.setOptions(
      options {
        $0 = wanted
        $0.offset = Point(x: 0, y: -70)
      })
    try callout.show(at: try view.frame().mapPoint(Point(x: 400, y: 90)))
    #expect(try callout.layout().placement == .below)
  }

  private func expectNear(_ point: Point, _ x: Double, _ y: Double, _ location: SourceLocation = #_sourceLocation) {
    #expect((point.x - x).magnitude < 1e-9 && (point.y - y).magnitude < 1e-9, "\(point)", sourceLocation: location)
  }

  @Test func theOffsetTurnsWithTheMapIfAsked() throws {
    let view = try view()
    let callout = try Callout(view: view, options: options { $0.offset = Point(x: 0, y: -10) })
    try callout.show(at: Point(x: 0, y: 0))
    try view.setViewpoint(Viewpoint(rotation: 90))
    expectNear(try callout.layout().leaderTip, 400, 290)
    // East is up, so north is left.
    try callout.setOptions(
      options {
        $0.offset = Point(x: 0, y: -10)
        $0.rotatesOffsetWithMap = true
      })
    expectNear(try callout.layout().leaderTip, 390, 300)
    // The finger's lift stays on the screen.
    try callout.show(at: Point(x: 0, y: 0), isDragging: true)
    expectNear(try callout.layout().leaderTip, 390, 230)
    // At any rotation the tip shows the map point that is north of the anchor by as much as at rotation 0.
    for rotation in [12.5, 77, 180, 301] {
      try callout.show(at: Point(x: 40, y: 30))
      try view.setViewpoint(Viewpoint(rotation: rotation))
      let frame = try view.frame()
      let north = frame.screenPoint(Point(x: 40, y: 40))
      expectNear(try callout.layout().leaderTip, north.x, north.y)
    }
  }

  @Test func saysWhereTheAnchorIs() throws {
    let view = try view()
    try view.setInsets(Insets(top: 50, right: 10, bottom: 20, left: 100))
    let callout = try Callout(view: view, options: options { ($0.width, $0.height, $0.margin) = (80, 30, 5) })
    let hidden = try callout.layout()
    #expect(hidden.state == .hidden && hidden.anchor.x.isNaN && hidden.box.xMin.isNaN)
    #expect(hidden.room == Envelope(xMin: 105, yMin: 55, xMax: 785, yMax: 575))
    for (screen, state) in [
      (Point(x: 300, y: 300), CalloutState.visible), (Point(x: 101, y: 51), .visible),
      (Point(x: 99, y: 300), .anchorCovered), (Point(x: 300, y: 590), .anchorCovered),
      (Point(x: -1, y: 300), .anchorOutside), (Point(x: 300, y: 601), .anchorOutside),
    ] {
      try callout.show(at: try view.frame().mapPoint(screen))
      let layout = try callout.layout()
      #expect(layout.state == state)
      #expect(layout.room.holds(layout.box), "\(layout.box)")
    }
    // A point outside the world must not be wrapped into it.
    try callout.show(at: Point(x: 1e20, y: 0))
    #expect(try callout.layout().state == .anchorOutside && callout.layout().mapPoint.x == 1e20)
    try callout.show(at: Point(x: 1e308, y: 0))
    try view.setViewpoint(Viewpoint(scale: 1e-6))
    let nowhere = try callout.layout()
    #expect(nowhere.state == .notProjectable && nowhere.box.xMin.isNaN && nowhere.mapPoint.x == 1e308)
  }

  @Test func aBoxThatDoesNotFitBeginsAtTheTopLeft() throws {
    let view = try view(width: 200, height: 100)
    try view.setInsets(Insets(top: 10, left: 20))
    let callout = try Callout(view: view, options: options { ($0.width, $0.height) = (300, 200) })
    try callout.show(at: Point(x: 0, y: 0))
    var layout = try callout.layout()
    #expect(layout.isTooLarge && layout.box == Envelope(xMin: 20, yMin: 10, xMax: 320, yMax: 210))
    // Only too wide: it stays above its tip.
    try callout.setSize(width: 300, height: 20)
    layout = try callout.layout()
    #expect(layout.isTooLarge && layout.box.xMin == 20 && layout.box.yMax == layout.leaderTip.y)
    // A margin that leaves nothing leaves the middle.
    try callout.setOptions(options { $0.margin = 1000 })
    layout = try callout.layout()
    #expect(layout.room == Envelope(xMin: 110, yMin: 55, xMax: 110, yMax: 55) && !layout.isTooLarge)
  }

  @Test func showsTheImageThatIsInTheView() throws {
    let view = try view()
    let world = 40_075_016.685578488  // 2 pi 6378137
    let wgs84 = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: 4326)
    let callout = try Callout(view: view)
    // The view looks at the antimeridian from the west; the point is 1 degree beyond it.
    try view.setViewpoint(Viewpoint(center: Point(x: 179.5, y: 0), spatialReference: wgs84, scale: 5e6))
    try callout.show(at: Point(x: -179, y: 0), in: wgs84)
    let layout = try callout.layout()
    #expect(layout.state == .visible)
    #expect((layout.mapPoint.x - (world / 2 + world / 360)).magnitude < 1e-6)
    #expect(layout.anchor == (try view.frame().screenPoint(layout.mapPoint)))
    // Far out the view shows the world several times: a point stays where it was tapped.
    try view.setViewpoint(Viewpoint(center: Point(x: 0, y: 0), scale: 5e8))
    let tapped = Point(x: 110, y: 200)
    #expect(try view.frame().mapPoint(tapped).x < -world / 2)
    try callout.show(at: try view.frame().mapPoint(tapped))
    expectNear(try callout.layout().anchor, tapped.x, tapped.y)
    // A map in metres that does not wrap leaves the point alone.
    let plane = try self.view(32633)
    let beside = try Callout(view: plane)
    try beside.show(at: Point(x: world, y: 0))
    #expect(try beside.layout().mapPoint.x == world)
  }

  @Test func generationsTellWhatChanged() throws {
    let callout = try Callout(view: try view())
    try callout.show(at: Point(x: 0, y: 0), title: "t", text: "a")
    let first = try callout.layout()
    try callout.show(at: Point(x: 1, y: 0), title: "t", text: "a")
    let moved = try callout.layout()
    #expect(moved.generation > first.generation && moved.textGeneration == first.textGeneration)
    try callout.show(at: Point(x: 1, y: 0), title: "t", text: "b")
    #expect(try callout.layout().textGeneration > moved.textGeneration)
    let before = try callout.layout()
    try callout.setSize(width: 10, height: 10)
    let sized = try callout.layout()
    #expect(sized.generation > before.generation && sized.textGeneration == before.textGeneration)
    try callout.setSize(width: 10, height: 10)
    #expect(try callout.layout().generation == sized.generation)
    try callout.view.setViewpoint(Viewpoint(rotation: 5))
    let turned = try callout.layout()
    #expect(turned.generation == sized.generation && turned.viewGeneration > sized.viewGeneration)
    callout.dismiss()
    let gone = try callout.layout()
    #expect(gone.state == .hidden && gone.generation > sized.generation && gone.textGeneration > sized.textGeneration)
    #expect(callout.text.isEmpty && callout.title.isEmpty)
    callout.dismiss()
    #expect(try callout.layout().generation == gone.generation)
  }

  @Test func refusesNumbersThatAreNone() throws {
    let callout = try Callout(view: try view())
    for bad in [Double.nan, .infinity, -.infinity, -1, 2e7] {
      #expect(throws: EngineError.self) { try callout.setSize(width: bad, height: 1) }
      #expect(throws: EngineError.self) { try callout.setSize(width: 1, height: bad) }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.width = bad }) }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.height = bad }) }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.leaderLength = bad }) }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.leaderWidth = bad }) }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.margin = bad }) }
      guard bad != -1 else { continue }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.offset.x = bad }) }
      #expect(throws: EngineError.self) { try callout.setOptions(options { $0.offset.y = bad }) }
      guard bad != 2e7 else { continue }
      #expect(throws: EngineError.self) { try callout.show(at: Point(x: bad, y: 0)) }
      #expect(throws: EngineError.self) { try callout.drag(to: Point(x: 0, y: bad)) }
    }
    #expect(callout.options == CalloutOptions())
    #expect(try callout.layout().generation == 0)
  }
}

extension Envelope {
  func holds(_ other: Envelope) -> Bool {
    other.xMin >= xMin && other.xMax <= xMax && other.yMin >= yMin && other.yMax <= yMax
  }
}
