import AlidadeBase
import AlidadeCoordinates
import Glibc
import Testing

@testable import AlidadeMap

/// What holds for the layout of any callout in any view: the rules of callout.h, written down once more.
@Suite struct CalloutLayoutTests {
  private let runtime: Runtime

  init() throws { runtime = try Engine.makeRuntime() }

  @Test(arguments: 1...8)
  func holdsForRandomViews(seed: Int) throws {
    var random = Generator(state: UInt64(seed))
    let reference = try SpatialReference.make(runtime: runtime, authority: "EPSG", code: seed % 2 == 0 ? 3857 : 32633)
    let view = MapView(map: Map(runtime: runtime, spatialReference: reference))
    let callout = try Callout(view: view)
    var counts: [CalloutPlacement: Int] = [:]
    var (shifted, tooLarge) = (0, 0)
    for _ in 0..<500 {
      try look(view, &random)
      let options = someOptions(&random)
      try callout.setOptions(options)
      let frame = try view.frame()
      let place = Point(
        x: random.within(-0.2, 1.2) * frame.width, y: random.within(-0.2, 1.2) * frame.height)
      let isLifted = random.next() % 3 == 0
      try callout.show(at: frame.mapPoint(place), isDragging: isLifted)
      let layout = try callout.layout()
      try check(layout, options, frame, place, isLifted)
      counts[layout.placement, default: 0] += 1
      shifted += layout.isShifted ? 1 : 0
      tooLarge += layout.isTooLarge ? 1 : 0

      // The view moves on; the anchor stays the same point of the map.
      try view.setViewpoint(
        Viewpoint(
          center: frame.mapPoint(Point(x: random.within(0, frame.width), y: random.within(0, frame.height))),
          scale: frame.scale * random.within(0.6, 1.6), rotation: random.within(-360, 360)))
      let moved = try view.frame()
      let later = try callout.layout()
      #expect(later.mapPoint == layout.mapPoint && later.anchor == moved.screenPoint(layout.mapPoint))
      #expect(later.generation == layout.generation && later.viewGeneration == moved.generation)
      try check(later, options, moved, moved.screenPoint(layout.mapPoint), isLifted)
    }
    // Each rule was met with.
    #expect(CalloutPlacement.allCases.dropFirst().allSatisfy { counts[$0, default: 0] > 20 }, "\(counts)")
    #expect(shifted > 50 && shifted < 450 && tooLarge > 10 && tooLarge < 250, "\(shifted) \(tooLarge)")
  }

  private func look(_ view: MapView, _ random: inout Generator) throws {
    try view.setInsets(Insets(), after: (random.within(100, 2000), random.within(100, 2000), random.within(0.5, 3)))
    let size = try view.requireSize()
    try view.setInsets(
      Insets(
        top: random.within(0, 0.3) * size.height, right: random.within(0, 0.3) * size.width,
        bottom: random.within(0, 0.3) * size.height, left: random.within(0, 0.3) * size.width))
    // Close enough that no view shows the world twice.
    try view.setViewpoint(
      Viewpoint(
        center: Point(x: random.within(-1e6, 1e6), y: random.within(-1e6, 1e6)), scale: pow(10, random.within(2, 6)),
        rotation: random.next() % 4 == 0 ? 0 : random.within(0, 360)))
  }

  private func someOptions(_ random: inout Generator) -> CalloutOptions {
    var options = CalloutOptions()
    options.offset = Point(x: random.within(-30, 30), y: random.within(-30, 30))
    options.width = random.within(0, 300)
    options.height = random.within(0, 150)
    options.leaderLength = random.next() % 4 == 0 ? 0 : random.within(0, 40)
    options.leaderWidth = random.within(0, 40)
    options.margin = random.within(0, 20)
    options.placement = CalloutPlacement.allCases[Int(random.next() % 5)]
    options.rotatesOffsetWithMap = random.next() % 2 == 0
    return options
  }

  private func check(
    _ layout: CalloutLayout, _ options: CalloutOptions, _ frame: ViewFrame, _ place: Point, _ isLifted: Bool
  ) throws {
    #expect(layout.anchor.near(place))
    #expect(layout.anchor == frame.screenPoint(layout.mapPoint))
    // Turned counterclockwise by the rotation, because the map is.
    let angle = options.rotatesOffsetWithMap ? -frame.rotation * .pi / 180 : 0
    let (dx, dy) = (options.offset.x, options.offset.y)
    let lift = isLifted ? 70.0 : 0
    let tip = Point(
      x: layout.anchor.x + dx * cos(angle) - dy * sin(angle),
      y: layout.anchor.y + dx * sin(angle) + dy * cos(angle) - lift)
    #expect(layout.leaderTip.near(tip))

    let (box, room) = (layout.box, layout.room)
    #expect((box.xMax - box.xMin - options.width).magnitude < 1e-9)
    #expect((box.yMax - box.yMin - options.height).magnitude < 1e-9)
    let (tooWide, tooHigh) = (options.width > room.xMax - room.xMin, options.height > room.yMax - room.yMin)
    #expect(layout.isTooLarge == (tooWide || tooHigh))
    if !layout.isTooLarge { #expect(room.holds(box)) }
    if tooWide { #expect(box.xMin == room.xMin) }
    if tooHigh { #expect(box.yMin == room.yMin) }
    if !layout.isTooLarge { checkSide(layout, options, finger: isLifted ? layout.anchor : nil) }
    checkBase(layout, options)
  }

  /// The first side, in the order of the preference, on which leader and box fit next to the tip.
  private func checkSide(_ layout: CalloutLayout, _ options: CalloutOptions, finger: Point?) {
    let orders: [CalloutPlacement: [CalloutPlacement]] = [
      .automatic: [.above, .below, .right, .left], .above: [.above, .below, .right, .left],
      .below: [.below, .above, .right, .left], .left: [.left, .right, .above, .below],
      .right: [.right, .left, .above, .below],
    ]
    let (tip, room, box) = (layout.leaderTip, layout.room, layout.box)
    func hasRoom(_ placement: CalloutPlacement) -> Bool {
      let gap = options.leaderLength
      let (besideX, besideY) = (tip.x >= room.xMin && tip.x <= room.xMax, tip.y >= room.yMin && tip.y <= room.yMax)
      switch placement {
      case .above, .automatic: return besideX && tip.y - gap <= room.yMax && tip.y - gap - options.height >= room.yMin
      case .below: return besideX && tip.y + gap >= room.yMin && tip.y + gap + options.height <= room.yMax
      case .left: return besideY && tip.x - gap <= room.xMax && tip.x - gap - options.width >= room.xMin
      case .right: return besideY && tip.x + gap >= room.xMin && tip.x + gap + options.width <= room.xMax
      }
    }
    /// The box on a side, pushed into the free area.
    func pushed(_ placement: CalloutPlacement) -> Envelope {
      let gap = options.leaderLength
      var (x, y) = (tip.x - options.width / 2, tip.y - options.height / 2)
      switch placement {
      case .above, .automatic: y = tip.y - gap - options.height
      case .below: y = tip.y + gap
      case .left: x = tip.x - gap - options.width
      case .right: x = tip.x + gap
      }
      x = min(max(x, room.xMin), room.xMax - options.width)
      y = min(max(y, room.yMin), room.yMax - options.height)
      return Envelope(xMin: x, yMin: y, xMax: x + options.width, yMax: y + options.height)
    }
    func isFree(_ box: Envelope) -> Bool {
      guard let finger else { return true }
      return !box.holds(Envelope(xMin: finger.x, yMin: finger.y, xMax: finger.x, yMax: finger.y))
    }
    let order = orders[options.placement, default: []]
    if !isFree(box) { #expect(!order.contains { isFree(pushed($0)) }) }
    let free = order.filter { isFree(pushed($0)) }
    let first = (free.isEmpty ? order : free).first(where: hasRoom)
    #expect(layout.isShifted == (first == nil))
    guard let first else { return }
    #expect(layout.placement == first)
    let gap = [
      .above: tip.y - box.yMax, .below: box.yMin - tip.y, .left: tip.x - box.xMax,
      CalloutPlacement.right: box.xMin - tip.x,
    ][first, default: .nan]
    #expect((gap - options.leaderLength).magnitude < 1e-9)
    // As near to the middle of the side as the free area allows.
    let isBeside = first == .left || first == .right
    let wanted = isBeside ? tip.y - options.height / 2 : tip.x - options.width / 2
    let lowest = isBeside ? room.yMin : room.xMin
    let highest = isBeside ? room.yMax - options.height : room.xMax - options.width
    let start = isBeside ? box.yMin : box.xMin
    #expect((start - min(max(wanted, lowest), highest)).magnitude < 1e-9)
  }

  private func checkBase(_ layout: CalloutLayout, _ options: CalloutOptions) {
    let (a, b) = layout.leaderBase
    let (tip, box) = (layout.leaderTip, layout.box)
    #expect(box.holds(Envelope(xMin: a.x, yMin: a.y, xMax: b.x, yMax: b.y)))
    let isBeside = layout.placement == .left || layout.placement == .right
    let (low, high) = isBeside ? (a.y, b.y) : (a.x, b.x)
    let edge = isBeside ? (box.yMin, box.yMax) : (box.xMin, box.xMax)
    #expect((high - low - min(options.leaderWidth, edge.1 - edge.0)).magnitude < 1e-9)
    let facing: Bool =
      switch layout.placement {
      case .above, .automatic: a.y == box.yMax && b.y == box.yMax
      case .below: a.y == box.yMin && b.y == box.yMin
      case .left: a.x == box.xMax && b.x == box.xMax
      case .right: a.x == box.xMin && b.x == box.xMin
      }
    #expect(facing)
    // Its middle is as near to the tip as the edge allows.
    let half = (high - low) / 2
    let nearest = min(max(isBeside ? tip.y : tip.x, edge.0 + half), edge.1 - half)
    #expect(((low + high) / 2 - nearest).magnitude < 1e-9)
  }
}

extension MapView {
  /// Insets first: the old insets might not fit the new size.
  fileprivate func setInsets(
    _ insets: Insets, after size: (width: Double, height: Double, pixelDensity: Double)
  ) throws {
    if (try? requireSize()) != nil { try setInsets(insets) }
    try setSize(width: size.width, height: size.height, pixelDensity: size.pixelDensity)
  }
}

extension Point {
  fileprivate func near(_ other: Point) -> Bool {
    (x - other.x).magnitude < 1e-4 && (y - other.y).magnitude < 1e-4
  }
}

/// SplitMix64, so that each run sees the same views.
private struct Generator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func within(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / Double(1 << 53)
  }
}
