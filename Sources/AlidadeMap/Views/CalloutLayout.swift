import AlidadeCoordinates

/// Where to draw a callout: screen points and boxes in DIP, y down, so `yMin` of a box is its top.
public struct CalloutLayout: Sendable {
  public let state: CalloutState
  /// The generation of the callout: increases with every change of it.
  public let generation: UInt64
  /// The generation of the texts: increases when the title or the text changes.
  public let textGeneration: UInt64
  /// The generation of the view.
  public let viewGeneration: UInt64
  /// The side of the tip that the box lies on; `automatic` while there is no box.
  public private(set) var placement = CalloutPlacement.automatic
  /// The box is larger than the free area. It begins at the left or the top of the area.
  public private(set) var isTooLarge = false
  /// No side of the tip had space for leader and box, so the box was pushed inside.
  public private(set) var isShifted = false
  /// The anchor in the map's spatial reference: of its images in a world that repeats itself, the one that is shown.
  public private(set) var mapPoint = Point.nan
  /// The screen point of `mapPoint`.
  public private(set) var anchor = Point.nan
  /// The anchor plus the offset.
  public private(set) var leaderTip = Point.nan
  /// Where the leader meets the box: two points of its edge, the left or upper one first.
  public private(set) var leaderBase = (Point.nan, Point.nan)
  public private(set) var box = Envelope(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
  /// The free area inside the insets and the margin.
  public let room: Envelope

  /// - Parameter obstacle: what the box should keep clear of: the magnifier that is shown.
  init(_ callout: Callout.State, in frame: ViewFrame, clearOf obstacle: Envelope? = nil) {
    let options = callout.options
    generation = callout.generation
    textGeneration = callout.textGeneration
    viewGeneration = frame.generation
    room = frame.room(margin: options.margin)
    guard let content = callout.content else {
      state = .hidden
      return
    }
    mapPoint = frame.shownImage(of: content.anchor)
    let place = frame.screenPoint(mapPoint)
    guard place.isFinite else {
      state = .notProjectable
      return
    }
    anchor = place
    state =
      frame.room(margin: 0).contains(place) ? .visible : frame.bounds.contains(place) ? .anchorCovered : .anchorOutside
    let offset = options.rotatesOffsetWithMap ? frame.turnedWithMap(options.offset) : options.offset
    leaderTip = Point(x: place.x + offset.x, y: place.y + offset.y - (content.isLifted ? Callout.dragLift : 0))
    let placing = BoxPlacing(
      tip: leaderTip, finger: content.isLifted ? place : nil, room: room,
      obstacle: obstacle?.grown(by: options.margin), options: options)
    lay(placing, options)
  }

  private mutating func lay(_ placing: BoxPlacing, _ options: CalloutOptions) {
    let best = placing.best()
    placement = best.placement
    box = best.box
    isShifted = best.distance > 0
    isTooLarge = options.width > room.xMax - room.xMin || options.height > room.yMax - room.yMin
    switch placement {
    case .left, .right:
      let x = placement == .left ? box.xMax : box.xMin
      let (low, high) = foot(at: leaderTip.y, width: options.leaderWidth, from: box.yMin, to: box.yMax)
      leaderBase = (Point(x: x, y: low), Point(x: x, y: high))
    default:
      let y = placement == .below ? box.yMin : box.yMax
      let (low, high) = foot(at: leaderTip.x, width: options.leaderWidth, from: box.xMin, to: box.xMax)
      leaderBase = (Point(x: low, y: y), Point(x: high, y: y))
    }
  }

  /// The part of an edge, `width` long at most, that is nearest to a position.
  private func foot(at place: Double, width: Double, from low: Double, to high: Double) -> (Double, Double) {
    guard width < high - low else { return (low, high) }
    let start = min(max(place - width / 2, low), high - width)
    return (start, min(start + width, high))
  }
}

/// Finds the side of a leader's tip for a box.
private struct BoxPlacing {
  struct Candidate {
    let placement: CalloutPlacement
    let box: Envelope
    /// How far the box is from where it should be, so that the leader is straight and as long as wanted.
    let distance: Double
    let coversFinger: Bool
    let coversObstacle: Bool

    var isFlawless: Bool { distance == 0 && fault == 0 }

    /// A box under the finger is the worst, one over the magnifier the next.
    private var fault: Int { coversFinger ? 2 : coversObstacle ? 1 : 0 }

    func isBetter(than other: Candidate) -> Bool {
      fault == other.fault ? distance < other.distance : fault < other.fault
    }

    /// The best of another candidate and of this one's box, pushed to each side of an obstacle.
    func betterBeside(_ obstacle: Envelope, than other: Candidate, _ placing: BoxPlacing) -> Candidate {
      let (width, height) = (box.xMax - box.xMin, box.yMax - box.yMin)
      var best = other
      for side in 0..<4 {
        var corner = Point(x: box.xMin, y: box.yMin)
        switch side {
        case 0: corner.y = obstacle.yMin - height
        case 1: corner.x = obstacle.xMax
        case 2: corner.x = obstacle.xMin - width
        default: corner.y = obstacle.yMax
        }
        let pushed = placing.pushed(self, to: corner)
        if pushed.isBetter(than: best) { best = pushed }
      }
      return best
    }
  }

  let tip: Point
  /// Where the finger is while dragging.
  let finger: Point?
  let room: Envelope
  let obstacle: Envelope?
  let options: CalloutOptions

  /// The first side on which everything fits, otherwise the side that comes nearest to it. A box under the finger,
  /// which the lift is there to avoid, is the last choice.
  func best() -> Candidate {
    let preferred = options.placement == .automatic ? .above : options.placement
    var best = candidate(preferred)
    for placement in Self.others(preferred) where !best.isFlawless {
      let next = candidate(placement)
      if next.isBetter(than: best) { best = next }
    }
    guard let obstacle, best.coversObstacle else { return best }
    // No side of the tip is clear: the box goes next to the obstacle, as near to its intended position as the space
    // allows.
    best = candidate(preferred).betterBeside(obstacle, than: best, self)
    for placement in Self.others(preferred) {
      best = candidate(placement).betterBeside(obstacle, than: best, self)
    }
    return best
  }

  private func pushed(_ candidate: Candidate, to corner: Point) -> Candidate {
    let box = candidate.box
    let x = Span(low: corner.x, length: box.xMax - box.xMin).kept(from: room.xMin, to: room.xMax)
    let y = Span(low: corner.y, length: box.yMax - box.yMin).kept(from: room.yMin, to: room.yMax)
    let pushed = Envelope(xMin: x.low, yMin: y.low, xMax: x.high, yMax: y.high)
    let way = (pushed.xMin - box.xMin).magnitude + (pushed.yMin - box.yMin).magnitude
    return judged(placement(of: pushed), pushed, distance: candidate.distance + way)
  }

  /// The side of the tip that a pushed box lies on.
  private func placement(of box: Envelope) -> CalloutPlacement {
    if box.yMax <= tip.y { return .above }
    if box.yMin >= tip.y { return .below }
    return box.xMin >= tip.x ? .right : .left
  }

  private func judged(_ placement: CalloutPlacement, _ box: Envelope, distance: Double) -> Candidate {
    Candidate(
      placement: placement, box: box, distance: distance, coversFinger: finger.map { box.contains($0) } ?? false,
      coversObstacle: obstacle.map { box.overlaps($0) } ?? false)
  }

  /// The opposite side, then the two at right angles. Constants, so that a frame takes no memory.
  private static func others(_ placement: CalloutPlacement) -> [CalloutPlacement] {
    switch placement {
    case .automatic, .above: afterAbove
    case .below: afterBelow
    case .left: afterLeft
    case .right: afterRight
    }
  }

  private static let afterAbove: [CalloutPlacement] = [.below, .right, .left]
  private static let afterBelow: [CalloutPlacement] = [.above, .right, .left]
  private static let afterLeft: [CalloutPlacement] = [.right, .above, .below]
  private static let afterRight: [CalloutPlacement] = [.left, .above, .below]

  private func candidate(_ placement: CalloutPlacement) -> Candidate {
    let (width, height) = (options.width, options.height)
    var x = Span(middle: tip.x, length: width)
    var y = Span(middle: tip.y, length: height)
    switch placement {
    case .automatic, .above: y = Span(high: tip.y - options.leaderLength, length: height)
    case .below: y = Span(low: tip.y + options.leaderLength, length: height)
    case .left: x = Span(high: tip.x - options.leaderLength, length: width)
    case .right: x = Span(low: tip.x + options.leaderLength, length: width)
    }
    let keptX = x.kept(from: room.xMin, to: room.xMax)
    let keptY = y.kept(from: room.yMin, to: room.yMax)
    // Along the side the box may slide, as long as the tip stays next to it. In the other direction it may not move at
    // all.
    let isBeside = placement == .left || placement == .right
    let distance =
      isBeside ? x.distance(to: keptX) + keptY.distance(to: tip.y) : y.distance(to: keptY) + keptX.distance(to: tip.x)
    let box = Envelope(xMin: keptX.low, yMin: keptY.low, xMax: keptX.high, yMax: keptY.high)
    return judged(placement, box, distance: distance)
  }
}

/// A box along one axis.
private struct Span {
  let low: Double
  let high: Double
  let length: Double

  init(low: Double, length: Double) {
    self.init(low: low, high: low + length, length: length)
  }

  init(high: Double, length: Double) {
    self.init(low: high - length, high: high, length: length)
  }

  init(middle: Double, length: Double) {
    self.init(low: middle - length / 2, length: length)
  }

  private init(low: Double, high: Double, length: Double) {
    self.low = low
    self.high = high
    self.length = length
  }

  /// Pushed into the free area. A span that is longer than the area begins where it begins.
  func kept(from lowest: Double, to highest: Double) -> Span {
    if low >= lowest, high <= highest { return self }
    if length > highest - lowest { return Span(low: lowest, length: length) }
    let start = max(lowest, min(max(low, lowest), highest - length))
    return Span(low: start, high: min(start + length, highest), length: length)
  }

  func distance(to other: Span) -> Double { (other.low - low).magnitude }

  func distance(to place: Double) -> Double { max(0, max(low - place, place - high)) }
}

extension ViewFrame {
  /// The whole view.
  fileprivate var bounds: Envelope { Envelope(xMin: 0, yMin: 0, xMax: width, yMax: height) }

  /// What insets and a margin leave free; a margin that leaves nothing leaves the point in the middle.
  func room(margin: Double) -> Envelope {
    let across = min(margin, (width - insets.left - insets.right) / 2)
    let down = min(margin, (height - insets.top - insets.bottom) / 2)
    let (left, top) = (insets.left + across, insets.top + down)
    return Envelope(
      xMin: left, yMin: top, xMax: max(left, width - insets.right - across),
      yMax: max(top, height - insets.bottom - down))
  }

  /// A point itself if the view shows it there. Otherwise, where the world repeats itself, its image nearest to the
  /// centre.
  fileprivate func shownImage(of point: Point) -> Point {
    guard let width = spatialReference.system.worldWidth, !bounds.contains(screenPoint(point)) else { return point }
    // If neighbouring numbers are farther apart than positions, an image would be anywhere.
    guard point.x.magnitude < 1e15 else { return point }
    return point.unwrapped(near: center.x, width: width)
  }

  /// An offset on the screen, turned with the map: an offset to the north of a point at rotation 0 stays north at any
  /// rotation.
  fileprivate func turnedWithMap(_ offset: Point) -> Point {
    Point(x: offset.x * cosine + offset.y * sine, y: offset.y * cosine - offset.x * sine)
  }
}

extension Envelope {
  /// Whether a point lies in the box or on its edge.
  fileprivate func contains(_ point: Point) -> Bool {
    point.x >= xMin && point.x <= xMax && point.y >= yMin && point.y <= yMax
  }

  /// Whether two boxes have more in common than an edge, which rounding may have moved.
  fileprivate func overlaps(_ other: Envelope) -> Bool {
    let edge = 1e-6
    return xMin < other.xMax - edge && xMax > other.xMin + edge && yMin < other.yMax - edge && yMax > other.yMin + edge
  }

  fileprivate func grown(by margin: Double) -> Envelope {
    Envelope(xMin: xMin - margin, yMin: yMin - margin, xMax: xMax + margin, yMax: yMax + margin)
  }
}
