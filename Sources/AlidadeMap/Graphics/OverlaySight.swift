import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// How an item is drawn. Where the world repeats itself, its images: so many worlds to the east of its own, and the
/// following ones.
struct Turns {
  var first = 0.0
  var count = 0
  /// In the table.
  var slot = 0
  /// The index of the symbol in the layout.
  var symbol: Int32 = 0
}

/// Decides whether graphics are in sight. A value, so that nothing is looked up in the loops that use it.
struct Eye {
  enum Sight {
    case seen(Turns)
    case outside
    case tooFar
  }

  /// Worlds on either side of the one in the view's centre in which graphics are drawn.
  private static let worldsAside = 4.0
  /// Beyond it an image in another world would be anywhere: neighbouring numbers lie too far apart.
  static let farthest = 1e15
  /// Screen coordinates beyond it are too large to compare.
  private static let farthestScreen = 1e300

  private let transform: ViewTransform
  /// The box around what the view shows, on the map; nil if it is too far away to be known.
  private let visible: Envelope?
  private let keepsOutside: Bool
  private let center: Point
  private let unitsPerDip: Double
  private let width: Double
  private let height: Double
  /// The width of the world on the map; 0 if it does not repeat itself.
  private let world: Double
  private let isTurned: Bool
  /// What rounding may do to a coordinate near what the view shows.
  private let slack: Double

  init(_ frame: ViewFrame, keepsOutside: Bool = false) {
    transform = frame.transform
    (center, unitsPerDip) = (frame.center, frame.unitsPerDip)
    self.keepsOutside = keepsOutside
    let corners = frame.visibleArea
    visible = corners.allSatisfy(\.isFinite) ? Envelope(around: corners) : nil
    slack = (corners.map { max($0.x.magnitude, $0.y.magnitude) }.max() ?? 0) * 0x1p-50
    (width, height) = (frame.width, frame.height)
    world = frame.spatialReference.system.worldWidth ?? 0
    isTurned = frame.sine != 0 && frame.cosine != 0
  }

  /// Whether there are images in other worlds. Where the view looks so far away that neighbouring worlds have the same
  /// numbers, there are none.
  private var repeats: Bool { world > 0 && center.x.magnitude < Self.farthest }

  /// How far an image lies to the east of its own world, on the map.
  func shift(_ turns: Double) -> Double { turns == 0 ? 0 : turns * world }

  @inline(__always)
  func screenPoint(_ point: Point, _ shift: Double) -> Point {
    transform.screenPoint(shift == 0 ? point : Point(x: point.x + shift, y: point.y))
  }

  /// - Parameters:
  ///   - box: around all of the pieces, on the map.
  ///   - reach: how far the symbol extends beyond them on the screen.
  ///   - isFar: their screen points may be too far away to be known.
  func sight(
    of box: Envelope, _ pieces: UnsafeBufferPointer<OverlayPiece>, _ reach: Double, isFar: Bool
  ) -> Sight {
    guard repeats, box.xMin > -Self.farthest, box.xMax < Self.farthest else {
      guard let onScreen = screenBox(box, 0) else { return .tooFar }
      let isSeen = keepsOutside || meetsMap(box, 0, reach) && isSeen(pieces, onScreen, 0, reach)
      return isSeen ? .seen(Turns(count: 1)) : .outside
    }
    let home = ((center.x - (box.xMin + (box.xMax - box.xMin) / 2)) / world).rounded()
    if isFar, screenBox(box, shift(home)) == nil { return .tooFar }
    var (first, last) = (home - Self.worldsAside, home + Self.worldsAside)
    if let visible {
      // What the symbol reaches beyond the geometry, in any direction.
      let margin = reach * unitsPerDip
      first = max(((visible.xMin - margin - box.xMax) / world).rounded(.up), first)
      last = min(((visible.xMax + margin - box.xMin) / world).rounded(.down), last)
    }
    while first <= last, !isSeen(pieces, box, turns: first, reach) { first += 1 }
    while last > first, !isSeen(pieces, box, turns: last, reach) { last -= 1 }
    guard first <= last else {
      guard keepsOutside else { return .outside }
      return screenBox(box, shift(home)) == nil ? .tooFar : .seen(Turns(first: home, count: 1))
    }
    return .seen(Turns(first: first, count: Int(exactly: last - first + 1) ?? 1))
  }

  private func isSeen(
    _ pieces: UnsafeBufferPointer<OverlayPiece>, _ box: Envelope, turns: Double, _ reach: Double
  ) -> Bool {
    let shift = shift(turns)
    guard meetsMap(box, shift, reach), let onScreen = screenBox(box, shift) else { return false }
    return isSeen(pieces, onScreen, shift, reach)
  }

  /// Whether a box on the map, with what the symbol reaches beyond it, meets the box around what the view shows.
  private func meetsMap(_ box: Envelope, _ shift: Double, _ reach: Double) -> Bool {
    guard let visible else { return true }
    let margin = reach * unitsPerDip + slack
    return box.xMax + shift >= visible.xMin - margin && box.xMin + shift <= visible.xMax + margin
      && box.yMax >= visible.yMin - margin && box.yMin <= visible.yMax + margin
  }

  /// Whether what a symbol draws may come to a window, which is a box on the map.
  func comes(_ box: Envelope, _ reach: Double, to window: Envelope) -> Bool {
    let margin = (reach + 1) * unitsPerDip + 4 * slack
    var shift = 0.0
    if world > 0 {
      // The nearest of its images.
      let turns = ((window.xMin + window.xMax - box.xMin - box.xMax) / 2 / world).rounded()
      guard turns.magnitude < Self.farthest else { return true }
      shift = turns * world
    }
    return box.xMin + shift <= window.xMax + margin && box.xMax + shift >= window.xMin - margin
      && box.yMin <= window.yMax + margin && box.yMax >= window.yMin - margin
  }

  /// Marks the boxes of a tree that may be in sight, and perhaps others; false: all may be.
  ///
  /// - Parameters:
  ///   - reach: how far any symbol reaches.
  ///   - window: a box on the map, outside of which nothing is looked for; nil: what the view shows.
  func mark(_ tree: BoxTree, _ reach: Double, near window: Envelope?, in marks: inout some BoxMarks) -> Bool {
    guard !keepsOutside, var area = window ?? visible else { return false }
    let margin = (reach + 1) * unitsPerDip + 4 * slack
    area = Envelope(
      xMin: area.xMin - margin, yMin: area.yMin - margin, xMax: area.xMax + margin, yMax: area.yMax + margin)
    guard repeats else {
      tree.forEach(meeting: area) { marks.mark($0) }
      return true
    }
    // The tree has all boxes in the middle world, and each is looked for in so many worlds on either side of the view's.
    let (all, home) = (tree.bounds, (center.x / world).rounded())
    let first = max(((area.xMin - all.xMax) / world).rounded(.up), home - Self.worldsAside - 1)
    let last = min(((area.xMax - all.xMin) / world).rounded(.down), home + Self.worldsAside + 1)
    guard first <= last else { return true }
    let isWide = area.xMax - area.xMin >= world
    // One after the other the areas are a band, when they meet.
    for turns in stride(from: first, through: last, by: isWide ? last - first + 1 : 1) {
      let image = Envelope(
        xMin: area.xMin - shift(isWide ? last : turns), yMin: area.yMin, xMax: area.xMax - shift(turns),
        yMax: area.yMax)
      tree.forEach(meeting: image) { marks.mark($0) }
    }
    return true
  }

  /// The box around the image of a box; nil if a corner is too far away to be known.
  private func screenBox(_ box: Envelope, _ shift: Double) -> Envelope? {
    var found = Envelope(screenPoint(Point(x: box.xMin, y: box.yMin), shift))
    if box.xMin != box.xMax || box.yMin != box.yMax {
      found.extend(by: screenPoint(Point(x: box.xMax, y: box.yMax), shift))
      if isTurned {
        found.extend(by: screenPoint(Point(x: box.xMin, y: box.yMax), shift))
        found.extend(by: screenPoint(Point(x: box.xMax, y: box.yMin), shift))
      }
    }
    // A NaN fails these comparisons.
    guard found.xMin > -Self.farthestScreen, found.yMin > -Self.farthestScreen, found.xMax < Self.farthestScreen,
      found.yMax < Self.farthestScreen
    else { return nil }
    return found
  }

  private func isSeen(
    _ pieces: UnsafeBufferPointer<OverlayPiece>, _ box: Envelope, _ shift: Double, _ reach: Double
  ) -> Bool {
    guard meetsScreen(box, reach) else { return false }
    let isInside = box.xMin >= 0 && box.yMin >= 0 && box.xMax <= width && box.yMax <= height
    // In a turned view the box around a box is larger than it should be.
    if isInside || !isTurned { return true }
    var exact: Envelope?
    for piece in pieces {
      for vertex in UnsafeBufferPointer(start: piece.points, count: piece.vertexCount) {
        let point = screenPoint(vertex, shift)
        if exact?.extend(by: point) == nil { exact = Envelope(point) }
      }
    }
    return exact.map { meetsScreen($0, reach) } ?? false
  }

  private func meetsScreen(_ box: Envelope, _ reach: Double) -> Bool {
    box.xMax >= -reach && box.xMin <= width + reach && box.yMax >= -reach && box.yMin <= height + reach
  }
}

extension Envelope {
  fileprivate init(_ point: Point) {
    self.init(xMin: point.x, yMin: point.y, xMax: point.x, yMax: point.y)
  }

  /// A coordinate that is NaN makes the box one with NaN.
  fileprivate mutating func extend(by point: Point) {
    guard point.isFinite else {
      self = Envelope(.nan)
      return
    }
    xMin = min(xMin, point.x)
    yMin = min(yMin, point.y)
    xMax = max(xMax, point.x)
    yMax = max(yMax, point.y)
  }
}
