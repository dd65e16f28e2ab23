import AlidadeBase
import AlidadeCoordinates
import AlidadeGeometry

/// How an item is drawn. Where the world repeats itself, its images: so many worlds to the east of its own, and the
/// following ones.
struct Turns {
  var first = 0.0
  var count = 0
  /// Of those of the layout.
  var symbol: Int32 = 0
  var isSelected = false
}

/// Tells whether graphics are in sight. A value, so that nothing is looked up in the loops that use it.
struct Eye {
  enum Sight {
    case seen(Turns)
    case outside
    case tooFar
  }

  /// Worlds on either side of the one in the view's centre in which graphics are drawn.
  private static let worldsAside = 4.0
  /// Beyond it an image in another world would be anywhere: neighbouring numbers lie too far apart.
  private static let farthest = 1e15
  /// Screen coordinates beyond it are too far to be told.
  private static let farthestScreen = 1e300

  private let frame: ViewFrame
  /// The box around what the view shows, on the map.
  private let visible: Envelope
  private let keepsOutside: Bool
  private let width: Double
  private let height: Double
  /// Of the world, on the map; 0: it does not repeat itself.
  private let world: Double
  private let isTurned: Bool

  init(_ frame: ViewFrame, _ visible: Envelope, keepsOutside: Bool = false) {
    self.frame = frame
    self.visible = visible
    self.keepsOutside = keepsOutside
    (width, height) = (frame.width, frame.height)
    world = frame.spatialReference.system.worldWidth ?? 0
    isTurned = frame.sine != 0 && frame.cosine != 0
  }

  /// How far an image lies to the east of its own world, on the map.
  func shift(_ turns: Double) -> Double { turns == 0 ? 0 : turns * world }

  @inline(__always)
  func screenPoint(_ point: Point, _ shift: Double) -> Point {
    frame.screenPoint(shift == 0 ? point : Point(x: point.x + shift, y: point.y))
  }

  /// - Parameters:
  ///   - box: around all of the pieces, on the map.
  ///   - reach: how far the symbol reaches beyond them on the screen.
  func sight(of box: Envelope, _ pieces: UnsafeBufferPointer<PreparedOverlay.Piece>, _ reach: Double) -> Sight {
    guard world > 0, box.xMin > -Self.farthest, box.xMax < Self.farthest else {
      guard let onScreen = screenBox(box, 0) else { return .tooFar }
      return keepsOutside || isSeen(pieces, onScreen, 0, reach) ? .seen(Turns(count: 1)) : .outside
    }
    let home = ((frame.center.x - (box.xMin + (box.xMax - box.xMin) / 2)) / world).rounded()
    guard screenBox(box, shift(home)) != nil else { return .tooFar }
    // What the symbol reaches beyond the geometry, in any direction.
    let margin = reach * frame.unitsPerDip
    var first = max(((visible.xMin - margin - box.xMax) / world).rounded(.up), home - Self.worldsAside)
    var last = min(((visible.xMax + margin - box.xMin) / world).rounded(.down), home + Self.worldsAside)
    while first <= last, !isSeen(pieces, box, turns: first, reach) { first += 1 }
    while last > first, !isSeen(pieces, box, turns: last, reach) { last -= 1 }
    guard first <= last else { return keepsOutside ? .seen(Turns(first: home, count: 1)) : .outside }
    return .seen(Turns(first: first, count: Int(exactly: last - first + 1) ?? 1))
  }

  private func isSeen(
    _ pieces: UnsafeBufferPointer<PreparedOverlay.Piece>, _ box: Envelope, turns: Double, _ reach: Double
  ) -> Bool {
    let shift = shift(turns)
    guard let onScreen = screenBox(box, shift) else { return false }
    return isSeen(pieces, onScreen, shift, reach)
  }

  /// The box around the image of a box; nil if a corner is too far to be told.
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
    _ pieces: UnsafeBufferPointer<PreparedOverlay.Piece>, _ box: Envelope, _ shift: Double, _ reach: Double
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
